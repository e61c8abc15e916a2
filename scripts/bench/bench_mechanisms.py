"""Measure whether a question about how something works is given the code that does it.

QUESTIONS are files as fixtures/mechanisms has them: tab-separated `repository`, `question`, `gold` and `expect`. `gold` lists
the places that have to be read to answer, as path:first-last, parted by spaces. `expect` has plain words that somebody who
saw the question alone expects in the code: --expect asks with them. docs/measured/README.md has the revisions.
INDEXES holds `<repository>.db` of each. Each question goes through the product's own pipeline, without a language model, at
each budget of tokens. The table holds means over the questions:

* `lines`: the share of the lines of the question's places that the packed context holds.
* `shown`: the share that the product prints if no language model is set up.
* `touched`: the share of the places of which the context holds any line.

usage: bench_mechanisms.py QUESTIONS.tsv… --indexes DIR [--budgets N…] [--expect] [--no-expansion] [--show]
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
    """A question, the places that have to be read to answer it, and the words that are expected in them."""

    repository: str
    text: str
    gold: tuple[Place, ...]
    expect: str


def read_questions(path: Path) -> list[Question]:
    """Read a file of questions."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        Question(row["repository"], row["question"], tuple(map(_place, row["gold"].split())), row["expect"])
        for row in rows
    ]


def _place(text: str) -> Place:
    path, _, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    return Place(path, int(first), int(last or first))


def share_of(place: Place, sources: Sequence[RetrievedContext]) -> float:
    """Return the share of a place's lines that sources hold."""
    lines = {
        number
        for source in sources
        if source.file_path == place.path
        for number in range(max(source.start_line, place.first), min(source.end_line, place.last) + 1)
    }
    return len(lines) / (place.last - place.first + 1)


def main() -> None:
    """Print what the contexts hold, by budget and by repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--budgets", nargs="*", type=int, default=list(BUDGETS))
    parser.add_argument("--expect", action="store_true", help="ask with the expected words")
    parser.add_argument("--no-expansion", action="store_true", help="only what was found, as search ranks it")
    parser.add_argument(
        "--show", action="store_true", help="print each question and the share of lines, at the last budget"
    )
    arguments = parser.parse_args()
    questions = [question for path in arguments.questions for question in read_questions(path)]
    shares: dict[tuple[str, int], list[tuple[float, float, float]]] = defaultdict(list)
    for repository in dict.fromkeys(question.repository for question in questions):
        with CodeIndexer(db=arguments.indexes / f"{repository}.db") as indexer:
            for question in (labelled for labelled in questions if labelled.repository == repository):
                for budget in arguments.budgets:
                    settings = Settings(token_budget=budget, expansion=not arguments.no_expansion)
                    pipeline = RAGPipeline(indexer.store, indexer.embedder(), settings)
                    sources = pipeline.query(question.text, expect=question.expect if arguments.expect else "").sources
                    lines = [share_of(place, sources) for place in question.gold]
                    printed = [share_of(place, sources[:MAX_SHOWN]) for place in question.gold]
                    means = (
                        statistics.mean(lines),
                        statistics.mean(printed),
                        statistics.mean(share > 0 for share in lines),
                    )
                    shares["all", budget].append(means)
                    shares[repository, budget].append(means)
                if arguments.show:
                    print(f"{shares[repository, arguments.budgets[-1]][-1][0]:.2f} {repository}: {question.text}")
    print("| | questions | " + " | ".join(f"{budget:,}: lines, shown, touched" for budget in arguments.budgets) + " |")
    print("|---|---|" + "---|" * len(arguments.budgets))
    for name in dict.fromkeys(name for name, _ in shares):
        means_of = [
            [statistics.mean(column) for column in zip(*shares[name, budget], strict=True)]
            for budget in arguments.budgets
        ]
        cells = " | ".join(" ".join(f"{share:.3f}" for share in means) for means in means_of)
        print(f"| {name} | {len(shares[name, arguments.budgets[0]])} | {cells} |")


if __name__ == "__main__":
    main()
