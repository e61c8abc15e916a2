"""Measure whether a question about how something works is given the code that does it.

QUESTIONS are files as fixtures/mechanisms has them: tab-separated `repository`, `question` and `gold`, the places
(path:first-last, parted by spaces) that have to be read to answer; docs/ask.md has the revisions. INDEXES holds
`<repository>.db` of each. Each question goes through the product's own pipeline, without a language model, at each budget
of tokens. Of the places of a question, `lines` is the share of their lines that the packed context holds, `shown` the share
that is printed without a key, `touched` the share of places of which it holds any line: means over the questions.

usage: bench_mechanisms.py QUESTIONS.tsv… --indexes DIR [--budgets N…] [--no-expansion] [--show]
"""

import argparse
import csv
import statistics
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer import CodeIndexer, RAGPipeline, RetrievedContext
from code_graph_indexer.ask.extract import MAX_SHOWN
from code_graph_indexer.settings import Settings

BUDGETS = (4_000, 8_000, 16_000)


class Place(NamedTuple):
    """Lines of a file, inclusive."""

    path: str
    first: int
    last: int


class Question(NamedTuple):
    """A question, and the places that have to be read to answer it."""

    repository: str
    text: str
    gold: tuple[Place, ...]


def read_questions(path: Path) -> list[Question]:
    """Read a file of questions."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [Question(one["repository"], one["question"], tuple(map(_place, one["gold"].split()))) for one in rows]


def _place(text: str) -> Place:
    path, _, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    return Place(path, int(first), int(last or first))


def held(place: Place, sources: Sequence[RetrievedContext]) -> float:
    """Return the share of a place's lines that sources hold."""
    lines = {
        number
        for one in sources
        if one.file_path == place.path
        for number in range(max(one.start_line, place.first), min(one.end_line, place.last) + 1)
    }
    return len(lines) / (place.last - place.first + 1)


def main() -> None:
    """Print what the contexts hold, by budget and by repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--budgets", nargs="*", type=int, default=list(BUDGETS))
    parser.add_argument("--no-expansion", action="store_true", help="only what was found, as search ranks it")
    parser.add_argument(
        "--show", action="store_true", help="print each question and the share of lines, at the last budget"
    )
    given = parser.parse_args()
    questions = [one for path in given.questions for one in read_questions(path)]
    found: dict[tuple[str, int], list[tuple[float, float, float]]] = defaultdict(list)
    for repository in dict.fromkeys(one.repository for one in questions):
        with CodeIndexer(db=given.indexes / f"{repository}.db") as indexer:
            for question in (one for one in questions if one.repository == repository):
                for budget in given.budgets:
                    settings = Settings(token_budget=budget, expansion=not given.no_expansion)
                    pipeline = RAGPipeline(indexer.store, indexer.embedder(), settings)
                    sources = pipeline.query_now(question.text).sources
                    lines = [held(one, sources) for one in question.gold]
                    shown = [held(one, sources[:MAX_SHOWN]) for one in question.gold]
                    means = statistics.mean(lines), statistics.mean(shown), statistics.mean(one > 0 for one in lines)
                    found["all", budget].append(means)
                    found[repository, budget].append(means)
                if given.show:
                    print(f"{found[repository, given.budgets[-1]][-1][0]:.2f} {repository}: {question.text}")
    print("| | questions | " + " | ".join(f"{one:,}: lines, shown, touched" for one in given.budgets) + " |")
    print("|---|---|" + "---|" * len(given.budgets))
    for name in dict.fromkeys(one for one, _ in found):
        means_of = [
            [statistics.mean(column) for column in zip(*found[name, one], strict=True)] for one in given.budgets
        ]
        cells = " | ".join(" ".join(f"{one:.3f}" for one in means) for means in means_of)
        print(f"| {name} | {len(found[name, given.budgets[0]])} | {cells} |")


if __name__ == "__main__":
    main()
