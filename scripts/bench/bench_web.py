"""Measure the pages of `cgi web`: time on the server and size.

usage: bench_web.py REPO|DB [--definition NAME …] [--file PATH …] [--runs N]

The script asks the application in this process, without a network, so a time is that of the server alone. Every address is
asked once to warm up, then --runs times, in turns. The table holds p50 and p95 of the time, p95 of the processor time, which
another program on the machine does not change much, and the size in kB, without compression. What the server remembers of
pictures, impacts and code is forgotten before each request, so the times are those of somebody who opens the page first.
Without --definition, the busiest definitions of the index are shown. Without --file, it is the file with most lines below
3,500, because the bar is for 3,000 lines.

The row *typing* sums up the requests of a person who types the names letter by letter.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.links import address
from code_graph_indexer.web.pages import load_templates
from code_graph_indexer.web.server import Server, guarded
from code_graph_indexer.web.site import Site

MAX_LINES = 3_500
"""The bar is for a file of 3,000 lines, so longer ones are passed over."""

HUBS = 3
"""Number of definitions that are taken from the index, if none is named."""


REMEMBERED = ("picture", "impact", "code", "outline", "folder")
"""What a site remembers of single pages."""


@dataclass(slots=True)
class Row:
    """A kind of page with its addresses, and what was measured, in milliseconds and bytes."""

    name: str
    addresses: Sequence[str]
    times: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    size: int = 0

    def text(self) -> str:
        """Return the row of the table."""
        p50, p95 = np.percentile(self.times, [50, 95])
        cpu = np.percentile(self.processor, 95)
        return f"| {self.name} | {len(self.times)} | {p50:.1f} | {p95:.1f} | {cpu:.1f} | {self.size / 1000:.0f} |"


def rows(site: Site, names: Sequence[str], paths: Sequence[str]) -> list[Row]:
    """Return the kinds of pages to ask for."""
    symbols = [site.indexer.symbol(name)[0] for name in names] or [hub.symbol for hub in site.indexer.graph.hubs(HUBS)]
    files = [file for file in site.files().values() if not file.error and file.lines <= MAX_LINES]
    longest = paths or [max(files, key=lambda file: file.lines).path]
    folder = symbols[0].file_path.rpartition("/")[0]
    full_names = [f"{symbol.file_path}:{symbol.qualified_name}" for symbol in symbols]
    typed = [symbol.name[:end] for symbol in symbols for end in range(1, len(symbol.name) + 1)]
    definitions = [address("definition", symbol.file_path, name=symbol.qualified_name) for symbol in symbols]
    return [
        Row("start", ["/"]),
        Row("folder", [address("folder", folder)] if folder else ["/"]),
        Row("definition", definitions),
        Row("code, long file", [address("code", path) for path in longest]),
        Row("code, window", [address("part/lines", path, **{"from": "400"}) for path in longest]),
        Row("search", [address("search", q=symbol.name) for symbol in symbols]),
        Row("typing", [address("part/suggest", q=text) for text in typed]),
        Row("typing, everything", [address("part/everything", q=text) for text in typed if len(text) > 1]),
        Row("impact", [address("impact", target=name) for name in full_names]),
        Row("picture of a definition", [address("picture", name=name) for name in full_names]),
        Row("picture of a folder", [address("picture", folder=folder)]),
        Row("picture of all", ["/picture"]),
        Row("card", [f"/part/card?ids={symbol.chunk_id}" for symbol in symbols]),
    ]


async def measure(site: Site, table: Sequence[Row], runs: int) -> None:
    """Ask for all addresses, in turns, each time as if the page was not asked for before."""
    server = Server(site)
    transport = httpx.ASGITransport(guarded(server, ["bench"]))
    async with httpx.AsyncClient(transport=transport, base_url="http://bench") as client:
        for run in range(runs + 1):
            for row in table:
                for page in row.addresses:
                    for kind in REMEMBERED:
                        site.forget(kind)
                    started, busy = time.perf_counter(), time.process_time()
                    reply = await client.get(page)
                    elapsed, processor = 1e3 * (time.perf_counter() - started), 1e3 * (time.process_time() - busy)
                    reply.raise_for_status()
                    row.size = max(row.size, len(reply.content))
                    if run:
                        row.times.append(elapsed)
                        row.processor.append(processor)
    server.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--definition", action="append", default=[], metavar="NAME")
    parser.add_argument("--file", action="append", default=[], metavar="PATH")
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    place: Path = arguments.repository
    indexer = CodeIndexer(update=False, **({"db": place} if place.is_file() else {"root": place}))
    site = Site(indexer)
    try:
        site.warm(load_templates).join()
        table = rows(site, arguments.definition, arguments.file)
        asyncio.run(measure(site, table, arguments.runs))
    finally:
        site.close()
    print("| page | requests | p50, ms | p95, ms | p95 of processor, ms | kB |\n|---|---|---|---|---|---|")
    print("\n".join(row.text() for row in table))


if __name__ == "__main__":
    main()
