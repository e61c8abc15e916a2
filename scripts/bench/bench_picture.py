"""Measure pictures: boxes shown, crossings, size, and the time to ask, lay out and draw.

usage: bench_picture.py QUESTION …

A QUESTION is the path of an index file or of a repository with one, a blank, and what to draw: a NAME, `NAME -> NAME` for call
paths, or a folder with a slash at its end (`./` is the whole repository). Each is drawn seven times in a warm process. The
median counts.

    python scripts/bench/bench_picture.py "../django QuerySet.filter" "../django django/db/"
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from code_graph_indexer import CodeIndexer, GraphExport
from code_graph_indexer.picture.layout import lay_out
from code_graph_indexer.picture.svg import draw_svg

ROUNDS = 7
"""How often a picture is drawn. The first time the index is not in memory yet."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a picture shows, and how long it takes in milliseconds."""

    question: str
    references: int
    folded: int
    boxes: int
    edges: int
    crossings: int
    width: float
    height: float
    asking: float
    drawing: float
    kilobytes: float

    def row(self) -> str:
        """Return the figures as the row of a table."""
        return (
            f"| {self.question} | {self.references:,} | {self.folded:,} | {self.boxes} | {self.edges} | {self.crossings} | "
            f"{self.width:.0f} × {self.height:.0f} | {self.asking:.1f} + {self.drawing:.1f} | {self.kilobytes:.0f} |"
        )


HEAD = """\
| picture | references | definitions or files | boxes | edges | crossings | pixels | ask + draw, ms | kB |
|---|---|---|---|---|---|---|---|---|"""


@cache
def opened(root: str) -> CodeIndexer:
    """Open the index of a repository once."""
    place = Path(root)
    return CodeIndexer(db=place, update=False) if place.is_file() else CodeIndexer(place, update=False)


def picture(question: str) -> Callable[[], GraphExport]:
    """Return the function that answers a question."""
    root, _, subject = question.partition(" ")
    graph = opened(root).graph
    if subject.endswith("/"):
        return partial(graph.picture, folder=subject)
    source, arrow, target = subject.partition(" -> ")
    return partial(graph.picture, [source], to=target if arrow else "")


def milliseconds(action: Callable[[], object]) -> float:
    """Return the median time of an action."""
    times: list[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        action()
        times.append(1e3 * (time.perf_counter() - started))
    return statistics.median(times)


def measure(question: str) -> Figures:
    """Ask, lay out and draw one picture."""
    ask = picture(question)
    graph, layout = ask(), lay_out(ask())
    draw = partial(draw_svg, graph, lambda target: f"/at/{target.path}")
    return Figures(
        question.rpartition("/../")[2].rpartition("../")[2],
        sum(edge.weight for edge in graph.edges),
        sum(node.count or 1 for node in graph.nodes),
        len(graph.nodes),
        len(graph.edges),
        layout.crossings,
        layout.width,
        layout.height,
        milliseconds(ask),
        milliseconds(draw),
        len(draw().encode()) / 1024,
    )


def main() -> None:
    """Print a table with a row for each picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", metavar="QUESTION")
    print(HEAD)
    for question in parser.parse_args().questions:
        print(measure(question).row())


if __name__ == "__main__":
    main()
