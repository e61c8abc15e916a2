"""Measure search: warm, in this process, by stage, and `cgi search` as a process.

REPO is a repository with an index, or an index file. The built-in queries are identifiers of the index itself, in several
spellings, phrases and questions. The lines of --queries FILE replace them. The script asks every query once to warm up,
then --runs times. The queries take turns, so that a busy moment does not fall on one query. The table holds:

* p50 and p95 of `retrieve` over all queries and runs, and of each sort of query. The same of queries that nobody asked
  before, in a process that has answered others.
* The same with filters, over every fourth query. The filters are the language of most files, code without tests, the
  folder of most files, and one kind of chunk. Beside it stands the time of the first query with a filter, which also has
  to find the chunks that the filter allows.
* The median of each stage: read (the query), definition, words, trigram, vector (embed the query, find the nearest), fuse.
  The rest is mostly walk: texts, headers, related definitions, stale check.
* The median wall time of `cgi search QUERY` as a fresh process, over a few queries. A Python process that does nothing is
  the unit that says how busy the machine is.

usage: bench_query.py REPO|DB [--queries FILE] [--runs N] [--json]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer import CodeIndexer, CodeRetriever, Filters, HybridSearcher, Settings, Symbol
from code_graph_indexer.retrieval.fuse import fuse_by_score
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.records import WordCounts
from code_graph_indexer.storage.sqlite import SqliteStore

LIMIT, POOL_SIZE = Settings().limit, Settings().pool_size
"""The defaults of a search."""

PROCESS_QUERIES = 5
"""Queries asked as processes: each costs a start, and they differ little."""

IDENTIFIERS = 24
"""Names taken from the index for the built-in queries, spread evenly over it."""

QUESTIONS = """\
how is a request handled from start to finish
where is the configuration read
what happens when a file is missing
how are errors reported to the user
where are passwords checked
how is text escaped before it is written
which class represents a user
how does caching decide what to keep
what parses the command line
where are database connections opened and closed
how are dates formatted for a locale
what happens on shutdown
how can I add a new option
why would a lock time out
where is input validated
how are tests discovered""".splitlines()

PHRASES = """\
invalid argument
cannot be empty
connection refused
default value
read timeout
lazy loading
thread local
raise ValueError
session middleware
content type header
retry with backoff
write to a temporary file
hash of the password
parse template tag
cookie signature
recursive delete""".splitlines()


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, and of what sort it is."""

    sort: str
    text: str


@dataclass(frozen=True, slots=True)
class Quantiles:
    """The median and the 95th percentile, in milliseconds."""

    p50: float
    p95: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Quantiles":
        """Take them of times in seconds."""
        cuts = statistics.quantiles(seconds, n=20, method="inclusive")
        return cls(round(cuts[9] * 1e3, 2), round(cuts[18] * 1e3, 2))


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything measured of one index, in milliseconds."""

    index: str
    chunks: int
    queries: int
    asked_first: Quantiles
    retrieve: Quantiles
    by_sort: Mapping[str, Quantiles]
    filtered: Mapping[str, Quantiles]
    first_filtered: Mapping[str, float]
    stages: Mapping[str, float]
    search_process: float
    empty_process: float


def built_in(indexer: CodeIndexer) -> Iterator[Asked]:
    """Yield the built-in queries. Those of names depend on nothing but the index."""
    names = [name for name in sorted(indexer.store.symbol_names()) if len(name) > 5 and name.isidentifier()]
    # A store reads no parameter as long as the names of a large repository together.
    parts = (names[start : start + 1000] for start in range(0, len(names), 1000))
    symbols = (symbol for part in parts for symbol in indexer.store.symbols(part, exact_case=True))
    tested = {symbol.name for symbol in symbols if symbol.is_test}
    of_tests, of_code = [name for name in names if name in tested], [name for name in names if name not in tested]
    yield from (Asked("identifier", name) for name in spread(of_code, IDENTIFIERS))
    yield from (Asked("identifier of a test", name) for name in spread(of_tests, IDENTIFIERS // 3))
    for name in spread(of_code[1:], IDENTIFIERS // 2):
        yield Asked("part of a name", name[: max(4, len(name) * 2 // 3)])
        yield Asked("name in a sentence", f"where is {name} used")
    yield from (Asked("phrase", text) for text in PHRASES)
    yield from (Asked("question", text) for text in QUESTIONS)


def filters_of(indexer: CodeIndexer) -> dict[str, Filters]:
    """Return filters of each sort that keep much of an index."""
    files = [file for file in indexer.store.files() if file.language and file.error is None]
    (language, _), *_ = Counter(file.language for file in files if file.language).most_common(1)
    (folder, _), *_ = Counter(file.path.partition("/")[0] for file in files).most_common(1)
    return {
        f"language {language}": Filters(languages=(language,)),
        "without tests": Filters(tests=False),
        f"directory {folder}": Filters(directory=folder),
        "methods": Filters(chunk_types=("method",)),
    }


def spread(names: Sequence[str], count: int) -> Sequence[str]:
    """Take a number of names at even distances."""
    return names[:: max(1, len(names) // count)][:count]


class TimedStore(SqliteStore):
    """A store that notes how long each signal took."""

    def __init__(self, path: Path) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        super().__init__(path)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time inside to a stage."""
        started = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - started

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List definitions."""
        with self.stage("definition"):
            return super().symbols(names, exact_case=exact_case, suffix=suffix)

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Filter the hits of the symbol signal."""
        with self.stage("definition"):
            return super().allowed(chunk_ids, filters)

    def words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        also: NDArray[np.int64] | None = None,
        counts: WordCounts | None = None,
    ) -> Hits:
        """Rank by words."""
        with self.stage("words"):
            return super().words(terms, filters, limit, also, counts)

    def substrings(self, text: str, filters: Filters, limit: int, *, whole: bool = False) -> Hits:
        """Rank by trigrams."""
        with self.stage("trigram"):
            return super().substrings(text, filters, limit, whole=whole)

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank by vectors."""
        with self.stage("vector"):
            return super().nearest(vector, filters, limit)

    def similar(self, vector: NDArray[np.float32], chunk_ids: NDArray[np.int64]) -> Hits:
        """Rank what others found by vectors."""
        with self.stage("vector"):
            return super().similar(vector, chunk_ids)


class Bench:
    """An opened index that is asked, and the times it took."""

    def __init__(self, indexer: CodeIndexer) -> None:
        self._store = TimedStore(indexer.db)
        self._embedder = indexer.embedder()
        self._searcher = HybridSearcher(self._store, self._embedder)
        self._retriever = CodeRetriever(self._store, self._embedder, root=indexer.root)
        self.totals: dict[str, list[float]] = defaultdict(list)
        self.stages: dict[str, list[float]] = defaultdict(list)

    def ask_filtered(self, query: Asked, filters: Filters) -> float:
        """Retrieve with filters and return the seconds."""
        started = time.perf_counter()
        self._retriever.retrieve(query.text, filters=filters, limit=LIMIT, pool_size=POOL_SIZE)
        return time.perf_counter() - started

    def ask(self, question: Asked) -> None:
        """Retrieve and note the time. Then repeat the stages that a store does not see."""
        self._store.seconds.clear()
        started = time.perf_counter()
        self._retriever.retrieve(question.text, limit=LIMIT, pool_size=POOL_SIZE)
        total = time.perf_counter() - started
        self.totals[question.sort].append(total)
        stages = {"read": 0.0, "definition": 0.0, "words": 0.0, "trigram": 0.0, "vector": 0.0, **self._store.seconds}
        started = time.perf_counter()
        query = read_query(question.text)
        stages["read"] = time.perf_counter() - started
        if self._embedder is not None:
            started = time.perf_counter()
            self._embedder.embed(query.text)
            stages["vector"] += time.perf_counter() - started
        lists = self._searcher.search(query, Filters(), pool_size=POOL_SIZE)
        started = time.perf_counter()
        fuse_by_score(lists)
        stages["fuse"] = time.perf_counter() - started
        stages["walk and the rest"] = total - sum(stages.values())
        for name, seconds in stages.items():
            self.stages[name].append(seconds)

    def warm_up(self, queries: Sequence[Asked]) -> Quantiles:
        """Ask every query once, in a shuffled order, and return how long they took. The first tenth only warms the process."""
        shuffled = random.Random(1).sample(queries, len(queries))
        warming = len(queries) // 10
        for query in shuffled[:warming]:
            self.ask(query)
        self.totals.clear()
        for query in shuffled[warming:]:
            self.ask(query)
        first = Quantiles.of([seconds for times in self.totals.values() for seconds in times])
        self.totals.clear()
        self.stages.clear()
        return first

    def close(self) -> None:
        """Give the index back."""
        self._store.close()


def process_milliseconds(*command: str | Path) -> float:
    """Return the wall time of a command."""
    started = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1e3


def measure(indexer: CodeIndexer, queries: Sequence[Asked], *, runs: int) -> Figures:
    """Ask every query, and a few of them as processes."""
    bench = Bench(indexer)
    asked_first = bench.warm_up(queries)
    for _ in range(runs):
        for query in queries:
            bench.ask(query)
    first: dict[str, float] = {}
    filtered: dict[str, Quantiles] = {}
    for name, filters in filters_of(indexer).items():
        first[name] = round(bench.ask_filtered(queries[0], filters) * 1e3, 1)
        times = [bench.ask_filtered(query, filters) for _ in range(runs + 1) for query in queries[::4]]
        # Everything is asked once to warm up.
        filtered[name] = Quantiles.of(times[len(queries[::4]) :])
    bench.close()
    few = queries[:: max(1, len(queries) // PROCESS_QUERIES)][:PROCESS_QUERIES]
    search = (sys.executable, "-m", "code_graph_indexer", "search", "--db", indexer.db)
    return Figures(
        index=indexer.db.as_posix(),
        chunks=sum(indexer.store.counts()["chunks"].values()),
        queries=len(queries),
        asked_first=asked_first,
        retrieve=Quantiles.of([seconds for times in bench.totals.values() for seconds in times]),
        by_sort={sort: Quantiles.of(times) for sort, times in bench.totals.items()},
        filtered=filtered,
        first_filtered=first,
        stages={name: round(statistics.median(times) * 1e3, 2) for name, times in bench.stages.items()},
        search_process=round(statistics.median(process_milliseconds(*search, "--", query.text) for query in few), 1),
        empty_process=round(statistics.median(process_milliseconds(sys.executable, "-c", "") for _ in few), 1),
    )


def table(figures: Figures) -> str:
    """Write the figures as a Markdown table."""
    lines = [
        f"{figures.queries} queries over {figures.chunks:,} chunks; milliseconds",
        "",
        "| | p50 | p95 |",
        "|---|---|---|",
    ]
    lines.append(f"| retrieve | {figures.retrieve.p50} | {figures.retrieve.p95} |")
    lines.append(
        f"| asked for the first time, in a warm process | {figures.asked_first.p50} | {figures.asked_first.p95} |"
    )
    lines += [f"| · {sort} | {quantiles.p50} | {quantiles.p95} |" for sort, quantiles in figures.by_sort.items()]
    for name, quantiles in figures.filtered.items():
        lines.append(f"| {name} (first time {figures.first_filtered[name]}) | {quantiles.p50} | {quantiles.p95} |")
    lines += [f"| stage: {name} | {median} | |" for name, median in figures.stages.items()]
    lines.append(f"| `cgi search` as a process | {figures.search_process} | |")
    lines.append(f"| an empty Python process | {figures.empty_process} | |")
    return "\n".join(lines)


def main() -> None:
    """Measure the index named and print the table."""
    # An installed package has its bytecode; without, every process would compile it anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path, metavar="REPO|DB")
    parser.add_argument("--queries", type=Path, help="file of queries, one a line, instead of the built-in ones")
    parser.add_argument("--runs", type=int, default=3, help="times each query is asked [3]")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    arguments = parser.parse_args()
    index = arguments.index.resolve()
    with CodeIndexer(index, update=False) if index.is_dir() else CodeIndexer(db=index) as indexer:
        if arguments.queries:
            lines = arguments.queries.read_text(encoding="utf-8").splitlines()
            queries = [Asked("given", line) for line in lines if line.strip()]
        else:
            queries = list(built_in(indexer))
        figures = measure(indexer, queries, runs=arguments.runs)
    print(json.dumps(asdict(figures), indent=2) if arguments.json else table(figures))


if __name__ == "__main__":
    main()
