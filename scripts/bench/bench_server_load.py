"""Measure questions to a database server that holds many repositories: time, recall, filters, many clients at once.

ADDRESS is a database to which repositories were published and whose vectors were settled (`cgi publish --settle`). Queries are
names of the index in several spellings, phrases of two names, and questions. Printed are:

* p50 and p95 of `retrieve` over all repositories, within one (`repo:`), and with language filters, in milliseconds.
* recall@50 of the nearest vectors as the store finds them, against a comparison of all vectors, with the same filters.
* How much memory the first questions take, which read the signs of all vectors.
* With --clients N: that many processes ask at once for --seconds. Printed are their p50 and p95 and the questions per second.
* With --chunks N: the smallest repositories with together at most that many chunks, instead of all.

usage: bench_server_load.py ADDRESS [--queries N] [--languages NAME…] [--recalls N] [--clients N] [--seconds S] [--chunks N]
"""

import argparse
import random
import resource
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
import psycopg
from numpy.typing import NDArray

from code_graph_indexer import Filters, Index, open_index
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.vectors import rotated
from code_graph_indexer.team import published_repositories

WARM = 3
"""The questions of a client that are not timed."""

NEAREST, POOL = 50, 200
"""The vectors whose recall is measured, and the vectors that a search asks for."""

QUESTIONS = (
    "how is a request handled from start to finish",
    "where is the configuration read",
    "what happens when a file is missing",
    "how are errors reported to the user",
    "where are passwords checked",
    "how is text escaped before it is written",
    "how does caching decide what to keep",
    "retry a failed network request with a delay",
    "parse a date from a string",
    "write rows to a database in one transaction",
)


@dataclass(frozen=True, slots=True)
class Times:
    """The times of questions in milliseconds."""

    values: tuple[float, ...]

    def __str__(self) -> str:
        ordered = sorted(self.values)
        return f"p50 {statistics.median(ordered):.1f} ms, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.1f} ms"


def queries_of(indexer: Index, count: int, seed: int) -> list[str]:
    """Draw queries: names, two names, and questions, in turns."""
    draw = random.Random(seed)
    names = [name for name in indexer.store.symbol_names() if 4 <= len(name) <= 40 and name.isascii()]
    queries = []
    for turn in range(count):
        match turn % 3:
            case 0:
                queries.append(draw.choice(names))
            case 1:
                queries.append(f"{draw.choice(names)} {draw.choice(names)}".replace("_", " "))
            case _:
                queries.append(f"{draw.choice(QUESTIONS)} {draw.choice(names)}")
    return queries


def timed(indexer: Index, queries: Sequence[str], prefix: str = "") -> Times:
    """Ask each query once and return the times."""
    times = []
    for query in queries:
        started = time.perf_counter()
        indexer.retrieve(prefix + query)
        times.append(1_000 * (time.perf_counter() - started))
    return Times(tuple(times))


def exact(address: Address, vector: NDArray[np.float32], filters: Filters) -> list[int]:
    """Return the allowed chunks with the nearest vectors, by a comparison of all vectors of the chosen repositories."""
    text = "[" + ",".join(format(component, ".6g") for component in rotated(vector).tolist()) + "]"
    sql = (
        f"select v.chunk_id from (select chunk_id, embedding <=> %(vector)s::halfvec({len(vector)}) as distance "
        "from cgi.vectors) as v join cgi.chunks as c on c.id = v.chunk_id join cgi.files as f on f.id = c.file_id "
        "join cgi.repositories as r on r.repository = f.id >> 32 "
        "where (%(repos)s::text[] = '{}' or r.repo_id = any(%(repos)s)) "
        "and (%(language)s::text is null or f.language = %(language)s) "
        f"order by v.distance limit {NEAREST}"
    )
    repos = [filters.repo_id] if filters.repo_id else list(address.repositories)
    values = {"repos": repos, "language": next(iter(filters.languages), None), "vector": text}
    with psycopg.connect(address.url) as connection:
        connection.execute("set work_mem = '256MB'")
        return [row[0] for row in connection.execute(sql.encode(), values).fetchall()]


def recall(indexer: Index, address: Address, queries: Sequence[str], filters: Filters) -> str:
    """Return the mean share of the nearest vectors that the store finds, and that of the worst query."""
    embedder = indexer.embedder()
    assert embedder is not None
    shares = []
    for query in queries:
        vector = embedder.embed(query)
        # As many as a search asks for.
        near = indexer.store.nearest(vector, filters, POOL).ids[:NEAREST].tolist()
        expected = exact(address, vector, filters)
        shares.append(len({*near}.intersection(expected)) / max(len(expected), 1))
    return f"{statistics.mean(shares):.4f}, worst {min(shares):.2f}, of {len(shares)} queries"


def client(address: str, queries: Sequence[str], seconds: float) -> tuple[float, ...]:
    """Ask until the time is over, and return the times in milliseconds."""
    with open_index(address) as indexer:
        timed(indexer, queries[:WARM])
        times: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            times += timed(indexer, [queries[len(times) % len(queries)]]).values
    return tuple(times)


def chosen_address(address: str, chunks: int) -> str:
    """Return the address of the smallest repositories with together at most this many chunks."""
    names: list[str] = []
    for repository in sorted(published_repositories(Address.of(address)), key=lambda repository: repository.chunks):
        chunks -= repository.chunks
        if chunks < 0:
            break
        names.append(repository.repo_id)
    return f"{address}#{','.join(map(quote, names))}"


def memory() -> float:
    """Return the memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    """Ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--queries", type=int, default=90)
    parser.add_argument("--languages", nargs="*", default=["python", "javascript"], help="languages to filter by")
    parser.add_argument("--recalls", type=int, default=30, help="queries whose recall is measured")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--chunks", type=int, default=0, help="the most chunks (default: all)")
    options = parser.parse_args()
    if options.chunks:
        options.address = chosen_address(options.address, options.chunks)
    address = Address.of(options.address)
    with open_index(options.address) as indexer:
        repositories = [name for name in indexer.store.repositories() if name]
        sums = indexer.store.sums()
        print(f"{len(repositories)} repositories, {sums.lines:,} lines, {sums.chunks:,} chunks")
        queries = queries_of(indexer, options.queries, 1)
        timed(indexer, queries[:1])
        before = memory()
        timed(indexer, queries[1 : WARM + 2])
        print(f"memory: {before:.0f} MB after a question, {memory():.0f} MB after {WARM + 2}")
        print(f"retrieve, all repositories: {timed(indexer, queries)}")
        largest = max(published_repositories(address), key=lambda repository: repository.chunks).repo_id
        filters = {
            f"repo:{largest}": Filters(repo_id=largest),
            **{f"lang:{name}": Filters(languages=(name,)) for name in options.languages},
        }
        for text in filters:
            print(f"retrieve, {text}: {timed(indexer, queries, f'{text} ')}")
        for text, chosen in {"all repositories": Filters(), **filters}.items():
            print(f"recall@{NEAREST}, {text}: {recall(indexer, address, queries[: options.recalls], chosen)}")
    if options.clients:
        with ProcessPoolExecutor(options.clients) as pool:
            draw = random.Random(2)
            # Each asks the same questions in an order of its own.
            jobs = [
                pool.submit(client, options.address, draw.sample(queries, len(queries)), options.seconds)
                for _ in range(options.clients)
            ]
            times = Times(tuple(value for job in jobs for value in job.result()))
        rate = len(times.values) / options.seconds
        print(f"{options.clients} clients at once: {times}, {rate:.0f} questions a second")


if __name__ == "__main__":
    main()
