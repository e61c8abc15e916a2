"""Measure search on an annotated benchmark: does the right file, and place, come first?

DATA is a folder with `repos.json` (name, language, benchmark_root), `annotations/NAME.json` and `score.py`, whose rules
count (NDCG@10). CORPORA holds one folder a repository. Each repository's benchmark_root is indexed alone, into INDEXES
(kept between runs and brought up to date), and every query runs through the product's own `retrieve`. Printed are NDCG@10
and hit@1 by category, by language and by repository, and beside a baseline run where one is given. The last table says how
often the answers are right that are called sure.

usage: bench_search.py --corpora DIR --data DIR [--indexes DIR] [--embedder SPEC] [--only NAME…] [--baseline RUN.json]
                       [--without TERM…] [--out RUN.json] [--worst N]

--without leaves signals or terms of docs/explanation/ranking.md out, for an ablation.
"""

import argparse
import importlib.util
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from sureness import Sureness

from code_graph_indexer import CodeIndexer
from code_graph_indexer.retrieval import rank as rerank
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.retrieval.sure import is_sure

LIMIT = 10
"""Results of a query; the score counts ten."""

TERMS = {
    "file-words": "FILE_WORDS",
    "depth": "DEPTH_PENALTY",
    "stem": "STEM_BOOST",
    "path": "PATH_BOOST",
    "repeat": "REPEAT_PENALTY",
}
"""Terms of the ranking, and the constants that hold their weights."""

Key = tuple[str, str]


def give_weights(weights: Mapping[str, float]) -> None:
    """Give signals and terms other weights in this process."""
    for name, weight in weights.items():
        if name in TERMS:
            setattr(rerank, TERMS[name], weight)
        elif name in rerank.PENALTIES:
            cast("dict[str, float]", rerank.PENALTIES)[name] = weight
        else:
            signal = SIGNALS[name]
            SIGNALS[name] = replace(signal, by_score=weight, of_definitions=weight if signal.of_definitions else 0.0)


def load_rules(data: Path) -> ModuleType:
    """Load the benchmark's own scoring rules."""
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{data} has no score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def open_index(name: str, root: Path, indexes: Path, **settings: object) -> CodeIndexer:
    """Build or update the index of one repository and open it. `root` may be a folder of the repository.

    The index takes `name` for the repository's name, because the folder of the checkout may have another one.
    """
    indexer = CodeIndexer(root, db=indexes / f"{name}.db", repo_id=name, **settings)
    indexer.index()
    return indexer


def run_repository(
    name: str, root: Path, prefix: str, indexes: Path, queries: Iterable[str], embedder: str | None
) -> tuple[list[dict[str, Any]], list[float]]:
    """Index one repository and run its queries. Return the entries of a run, and seconds a query."""
    options = {"embedder": embedder} if embedder else {}
    entries: list[dict[str, Any]] = []
    seconds: list[float] = []
    with open_index(name, root, indexes, **options) as indexer:
        for query in queries:
            started = time.perf_counter()
            contexts = indexer.retrieve(query, limit=LIMIT)
            seconds.append(time.perf_counter() - started)
            results = [
                {"path": f"{prefix}{result.file_path}", "start_line": result.start_line, "end_line": result.end_line}
                for result in contexts
            ]
            sure = is_sure(indexer.store, query, contexts)
            entries.append({"repo": name, "query": query, "results": results, "sure": sure})
    return entries, seconds


def first_covering(rules: ModuleType, results: Sequence[dict[str, Any]], targets: Sequence[Any]) -> int:
    """Return the rank of the first result that covers one of the targets, from 1, or 0 if none does."""
    covering = (
        rank for rank, result in enumerate(results, 1) if any(rules.covers(result, target) for target in targets)
    )
    return next(covering, 0)


def table(title: str, scores: dict[Key, float], hits: dict[Key, float], group: Callable[[Key], str]) -> list[str]:
    """Write mean scores by a grouping of the queries."""
    groups: dict[str, list[Key]] = defaultdict(list)
    for key in scores:
        groups[group(key)].append(key)
    lines = [f"| {title} | queries | NDCG@10 | hit@1 |", "|---|---|---|---|"]
    for name, keys in sorted(groups.items()):
        mean = statistics.mean(scores[key] for key in keys)
        first = statistics.mean(hits[key] for key in keys)
        lines.append(f"| {name} | {len(keys)} | {mean:.3f} | {first:.3f} |")
    return lines


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--indexes", type=Path, help="where index files are kept [a temporary folder]")
    parser.add_argument("--embedder", help="the embedder to index with [the product's default]")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    parser.add_argument("--baseline", type=Path, help="a run to compare with")
    parser.add_argument("--out", type=Path, help="write the run")
    parser.add_argument("--worst", type=int, default=0, help="print the N queries that score least")
    signals = [*SIGNALS, *TERMS, *rerank.PENALTIES]
    parser.add_argument("--without", nargs="*", default=[], choices=signals, help="signals and terms to leave out")
    arguments = parser.parse_args()
    give_weights(dict.fromkeys(arguments.without, 0.0))
    rules = load_rules(arguments.data)
    annotated: dict[Key, dict[str, Any]] = rules.load_annotations()
    repos = {repo["name"]: repo for repo in json.loads((arguments.data / "repos.json").read_text(encoding="utf-8"))}
    chosen = arguments.only or list(repos)
    run: list[dict[str, Any]] = []
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as temporary:
        indexes = arguments.indexes or Path(temporary)
        indexes.mkdir(parents=True, exist_ok=True)
        for name in chosen:
            below = repos[name].get("benchmark_root") or ""
            root = arguments.corpora / name / below
            if not root.is_dir():
                raise SystemExit(f"{root} is missing")
            queries = [query for repo, query in annotated if repo == name]
            prefix = f"{below}/" if below else ""
            entries, took = run_repository(name, root, prefix, indexes, queries, arguments.embedder)
            run += entries
            seconds += took
            print(f"{name}: {len(entries)} queries", file=sys.stderr)
    if arguments.out:
        arguments.out.write_text(json.dumps(run), encoding="utf-8")
    keys = {key for key in annotated if key[0] in chosen}
    scores = {key: score for key, score in rules.score(run).items() if key in keys}
    answers = {(answer["repo"], answer["query"]): answer for answer in run}
    targets = {key: annotated[key].get("relevant", []) + annotated[key].get("secondary", []) for key in scores}
    ranks = {key: first_covering(rules, answers[key]["results"], targets[key]) for key in scores}
    hits = {key: float(rank == 1) for key, rank in ranks.items()}
    sureness = Sureness()
    for key, rank in ranks.items():
        sureness.add(answers[key]["sure"], rank)
    lines = table("all", scores, hits, lambda key: "all")
    for title, group in (
        ("category", lambda key: str(rules.category(annotated[key]))),
        ("language", lambda key: str(repos[key[0]]["language"])),
        ("repository", lambda key: str(key[0])),
    ):
        lines += ["", *table(title, scores, hits, group)]
    milliseconds = sorted(1000 * duration for duration in seconds)
    lines += ["", sureness.table(), "", f"{statistics.median(milliseconds):.1f} ms a query (median)"]
    if arguments.baseline:
        baseline = rules.score(json.loads(arguments.baseline.read_text(encoding="utf-8")))
        lines.append(
            f"baseline {arguments.baseline.name}: {statistics.mean(baseline[key] for key in scores):.3f} on the same queries"
        )
    print("\n".join(lines))
    for key in sorted(scores, key=lambda candidate: (scores[candidate], candidate))[: arguments.worst]:
        paths = [place["path"] for place in answers[key]["results"]]
        print(f"\n{scores[key]:.2f} {key[0]}: {key[1]}\n  wanted {targets[key]}\n  found {paths}")


if __name__ == "__main__":
    main()
