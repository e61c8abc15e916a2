"""Measure how many of the relevant files a reader has seen after so many tokens of search results.

The annotated benchmark is that of bench_search.py (INDEXES are kept and brought up to date). The first RESULTS results of
each query are read in order, each as its whole chunk. A relevant file counts as seen once a chunk of it has been read
within the budget. Tokens are estimated at CHARACTERS_PER_TOKEN, which is what tokenizers of language models make of code,
on the safe side. The table holds the mean share of relevant files seen, by budget and category. `packed` is the same for
what `cgi ask` gives a language model: numbered lines, a header and neighbours with each chunk, a fence around it.

usage: bench_tokens.py --corpora DIR --data DIR [--indexes DIR] [--only NAME…]
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any

from bench_search import load_rules, open_index

from code_graph_indexer import RetrievedContext
from code_graph_indexer.ask.context import pack

BUDGETS = (500, 1_000, 2_000, 4_000, 8_000)
RESULTS = 50
"""Results that are read at most, as in the published figures this is compared with."""

CHARACTERS_PER_TOKEN = 3.3
"""Characters of code a token of cl100k_base has, about."""

PUBLISHED = (0.685, 0.849, 0.938, 0.976, 0.991)
"""semble on all 1,251 queries of the benchmark (MinishLab/semble, benchmarks/README.md), counted with cl100k_base."""


def paths_within(results: Sequence[RetrievedContext], budget: int) -> list[str]:
    """List the files of the results that are read within the budget."""
    read = accumulate(len(result.content) / CHARACTERS_PER_TOKEN for result in results)
    return [result.file_path for result, tokens in zip(results, read, strict=True) if tokens <= budget]


def recall(rules: ModuleType, targets: Iterable[Any], paths: Sequence[str]) -> float:
    """Return the share of the relevant files that are among those read."""
    files = {target if isinstance(target, str) else target["path"] for target in targets}
    return sum(any(rules.same_path(path, file) for path in paths) for file in files) / len(files)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--indexes", type=Path, help="where index files are kept [a temporary folder]")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    arguments = parser.parse_args()
    rules = load_rules(arguments.data)
    annotated: dict[tuple[str, str], dict[str, Any]] = rules.load_annotations()
    repos = {repo["name"]: repo for repo in json.loads((arguments.data / "repos.json").read_text(encoding="utf-8"))}
    shares: dict[tuple[str, int], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as temporary:
        indexes = arguments.indexes or Path(temporary)
        indexes.mkdir(parents=True, exist_ok=True)
        for name in arguments.only or repos:
            below = repos[name].get("benchmark_root") or ""
            prefix = f"{below}/" if below else ""
            with open_index(name, arguments.corpora / name / below, indexes) as indexer:
                for (repo, query), item in annotated.items():
                    if repo != name:
                        continue
                    targets = item.get("relevant", []) + item.get("secondary", [])
                    results = indexer.retrieve(query, limit=RESULTS)
                    for budget in BUDGETS:
                        share = recall(rules, targets, [prefix + path for path in paths_within(results, budget)])
                        shares["all", budget].append(share)
                        shares[rules.category(item), budget].append(share)
                        packed = [prefix + context.file_path for context in pack(results, budget=budget)]
                        shares["packed", budget].append(recall(rules, targets, packed))
            print(name, file=sys.stderr)
    print("| tokens | " + " | ".join(f"{budget:,}" for budget in BUDGETS) + " |")
    print("|---" * (len(BUDGETS) + 1) + "|")
    for row in dict.fromkeys(row for row, _ in shares):
        print(f"| {row} | " + " | ".join(f"{statistics.mean(shares[row, budget]):.3f}" for budget in BUDGETS) + " |")
    print("| semble, published, all queries | " + " | ".join(f"{share:.3f}" for share in PUBLISHED) + " |")


if __name__ == "__main__":
    main()
