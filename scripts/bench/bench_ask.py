"""Measure what a question's context holds: is the place that answers it in it, at a budget of tokens?

DATA and CORPORA are those of bench_search.py. Each annotated query goes through the product's own pipeline, at each
budget, without a language model. Recall is the share of its targets that the packed context covers. The rules of DATA's
score.py decide what is covered. The table holds the means over the queries. Each variant leaves a stage out.

usage: bench_ask.py --corpora DIR --data DIR [--indexes DIR] [--only NAME…] [--budgets N…] [--variants NAME…]
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench_search import load_rules, open_index

from code_graph_indexer import CodeIndexer, RAGPipeline
from code_graph_indexer.ask.context import pack
from code_graph_indexer.settings import Settings

BUDGETS = (500, 1_000, 2_000, 4_000, 8_000)

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "all stages": {},
    "no expansion": {"expansion": False},
    "no evaluator": {"evaluator": False},
    "one request": {"max_retrieval_requests": 1},
    "parents": {},
}
"""Settings of each variant; `parents` packs the definitions that hold what was found, in place of it."""


def contexts(indexer: CodeIndexer, variant: str, budget: int, query: str) -> list[dict[str, Any]]:
    """Return the places in the packed context of a query."""
    if variant == "parents":
        sources = pack(indexer.retrieve_with_parents(query, limit=50), budget=budget)
    else:
        settings = Settings(token_budget=budget, **VARIANTS[variant])
        pipeline = RAGPipeline(indexer.store, indexer.embedder(), settings)
        sources = pipeline.query(query).sources
    return [
        {"path": source.file_path, "start_line": source.start_line, "end_line": source.end_line} for source in sources
    ]


def main() -> None:
    """Print recall by variant and budget, and by category for the first variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--indexes", type=Path, help="where index files are kept [a temporary folder]")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    parser.add_argument("--budgets", nargs="*", type=int, default=list(BUDGETS))
    parser.add_argument("--variants", nargs="*", default=list(VARIANTS), choices=list(VARIANTS))
    arguments = parser.parse_args()
    variants = arguments.variants
    rules = load_rules(arguments.data)
    annotated = rules.load_annotations()
    repos = {repo["name"]: repo for repo in json.loads((arguments.data / "repos.json").read_text(encoding="utf-8"))}
    recall: dict[tuple[str, int], list[float]] = defaultdict(list)
    by_category: dict[tuple[str, int], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as temporary:
        indexes = arguments.indexes or Path(temporary)
        for name in arguments.only or list(repos):
            root = arguments.corpora / name / (repos[name].get("benchmark_root") or "")
            queries = {query: entry for (repo, query), entry in annotated.items() if repo == name}
            with open_index(name, root, indexes) as indexer:
                for query, entry in queries.items():
                    targets = entry.get("relevant", []) + entry.get("secondary", [])
                    for variant in variants:
                        for budget in arguments.budgets:
                            places = contexts(indexer, variant, budget, query)
                            covered = sum(any(rules.covers(place, target) for place in places) for target in targets)
                            recall[variant, budget].append(covered / len(targets))
                            if variant == variants[0]:
                                by_category[rules.category(entry), budget].append(covered / len(targets))
            print(f"{name}: {len(queries)} queries", file=sys.stderr)
    for title, recalls in (("variant", recall), ("category", by_category)):
        print(f"\n| {title} | queries | " + " | ".join(f"{budget:,}" for budget in arguments.budgets) + " |")
        print("|---|---|" + "---|" * len(arguments.budgets))
        for row in dict.fromkeys(key for key, _ in recalls):
            cells = " | ".join(f"{statistics.mean(recalls[row, budget]):.3f}" for budget in arguments.budgets)
            print(f"| {row} | {len(recalls[row, arguments.budgets[0]])} | {cells} |")


if __name__ == "__main__":
    main()
