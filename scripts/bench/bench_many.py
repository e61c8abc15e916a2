"""Measure questions to many indexes at once: is each repository's own answer found, and how long does it take?

INDEXES is a folder of index files, each named as its repository (bench_search.py --indexes leaves such a folder). DATA is
that of bench_search.py. Every annotated query is asked of its own repository alone, and of the whole set in several ways:

  set    the set as the product asks it
  own    the same, but each repository weighs words by its own counts
  merged the results of each repository alone, sorted by their scores

Printed are the share of queries whose own answer comes first or in the first ten, and NDCG@10, by way and by the size of
the repository. An answer of another repository counts as a miss, although many repositories answer "how are routes registered".
Then each repository's share of all first tens, beside its share of chunks, and the time of a question to the set beside the
sum of the times alone.

usage: bench_many.py --indexes DIR --data DIR [--only NAME…]
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from bench_search import LIMIT, load_rules

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage import Store, open_many

SMALL, LARGE = 1_000, 3_000
"""Chunks below which a repository is small, and from which on it is large."""

TIMED = 4
"""One of so many queries is timed."""


class OwnWeights:
    """A store that weighs words by its own counts, whatever the set's are."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def words(self, terms: Sequence[str], filters: Any, limit: int, also: Any = None, counts: Any = None) -> Any:
        """Rank without the counts."""
        return self._store.words(terms, filters, limit, also)


def size_of(chunks: int) -> str:
    """Name the size of a repository."""
    return "small" if chunks < SMALL else "large" if chunks >= LARGE else "medium"


class Bench:
    """The annotated queries of the repositories of a set, and the ways to ask them."""

    def __init__(self, indexers: Mapping[str, CodeIndexer], data: Path) -> None:
        self.rules = load_rules(data)
        self.indexers = indexers
        stores = {name: indexer.store for name, indexer in indexers.items()}
        embedder = create_embedder("static")
        self.alone = {name: CodeRetriever(store, embedder) for name, store in stores.items()}
        self.set = CodeRetriever(open_many(stores), embedder)
        weighed_alone = {name: cast("Store", OwnWeights(store)) for name, store in stores.items()}
        self.own = CodeRetriever(open_many(weighed_alone), embedder)
        self.items = {key: item for key, item in self.rules.load_annotations().items() if key[0] in stores}
        self.chunks = {name: store.sums().chunks for name, store in stores.items()}

    def ask(self, way: str, name: str, query: str) -> list[tuple[str, RetrievedContext]]:
        """Return the first ten results as (repository, result)."""
        if way == "merged":
            results = [
                (repo, result)
                for repo, retriever in self.alone.items()
                for result in retriever.retrieve(query, limit=LIMIT)
            ]
            return sorted(results, key=lambda pair: -pair[1].score)[:LIMIT]
        retriever = {"alone": self.alone[name], "set": self.set, "own": self.own}[way]
        results = [(result.repo_id or name, result) for result in retriever.retrieve(query, limit=LIMIT)]
        return [(name if way == "alone" else repo, result) for repo, result in results]

    def scores(self, way: str) -> tuple[dict[tuple[str, str], tuple[float, float, float]], Counter[str]]:
        """Ask all queries in one way. Return hit@1, hit@10 and NDCG@10 of each, and the results by repository."""
        scores: dict[tuple[str, str], tuple[float, float, float]] = {}
        shares: Counter[str] = Counter()
        for (name, query), item in self.items.items():
            targets = item.get("relevant", []) + item.get("secondary", [])
            results = self.ask(way, name, query)
            shares.update(repo for repo, _ in results)
            # Another repository's file of the same path is no answer.
            places = [
                {
                    "path": result.file_path if repo == name else "",
                    "start_line": result.start_line,
                    "end_line": result.end_line,
                }
                for repo, result in results
            ]
            for place, (repo, _) in zip(places, results, strict=True):
                if repo == name and way not in ("alone", "merged"):
                    place["path"] = str(place["path"]).removeprefix(f"{name}/")
            hits = [any(place["path"] and self.rules.covers(place, target) for target in targets) for place in places]
            scores[name, query] = (float(any(hits[:1])), float(any(hits)), self.rules.ndcg(places, targets))
        return scores, shares

    def times(self) -> tuple[float, float]:
        """Return the median milliseconds of a question to the set, and of the same question to each repository in turn."""
        seconds: dict[str, list[float]] = {"set": [], "merged": []}
        for name, query in [*self.items][::TIMED]:
            for way, taken in seconds.items():
                started = time.perf_counter()
                self.ask(way, name, query)
                taken.append(time.perf_counter() - started)
        together, summed = (1000 * statistics.median(taken) for taken in seconds.values())
        return together, summed


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    arguments = parser.parse_args()
    files = [
        file for file in sorted(arguments.indexes.glob("*.db")) if not arguments.only or file.stem in arguments.only
    ]
    bench = Bench({file.stem: CodeIndexer(db=file, update=False) for file in files}, arguments.data)
    print(f"{len(files)} repositories, {sum(bench.chunks.values()):,} chunks, {len(bench.items)} queries\n")
    print("| way | size of repository | queries | hit@1 | hit@10 | NDCG@10 |\n|---|---|---|---|---|---|")
    shares: dict[str, Counter[str]] = {}
    for way in ("alone", "set", "own", "merged"):
        scores, shares[way] = bench.scores(way)
        for size in ("all", "small", "medium", "large"):
            rows = [row for (name, _), row in scores.items() if size in ("all", size_of(bench.chunks[name]))]
            means = " | ".join(f"{statistics.mean(column):.3f}" for column in zip(*rows, strict=True))
            print(f"| {way} | {size} | {len(rows)} | {means} |")
    print(
        "\n| repository | share of chunks | share of queries | of first tens: set | own | merged |\n|---|---|---|---|---|---|"
    )
    queries = Counter(name for name, _ in bench.items)
    for name in sorted(bench.chunks, key=lambda name: bench.chunks[name]):
        parts = [bench.chunks[name] / sum(bench.chunks.values()), queries[name] / len(bench.items)]
        parts += [shares[way][name] / shares[way].total() for way in ("set", "own", "merged")]
        print(f"| {name} | " + " | ".join(f"{part:.1%}" for part in parts) + " |")
    together, summed = bench.times()
    print(f"\nmedian ms a question: the set {together:.1f}, the sum of its repositories {summed:.1f}")


if __name__ == "__main__":
    main()
