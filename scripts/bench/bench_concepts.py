"""Measure whether questions in other words than the code's find a definition that answers them.

QUESTIONS is a JSON list of objects: `repo`, `q` (the question) and `a` (the definitions that answer). An answer is a
qualified name or its end, `Cart.add`, and may begin with a file: `shop/cart.py:Cart.add`. A file alone counts with any
definition in it. INDEXES holds `<repo>.db` of each. `expect` has the words that somebody who saw the question alone expects
in the code: --expect asks with them.

Printed are, by repository: for how many questions an answering definition is first, in the first five, ten, twenty and
fifty results of `retrieve`, how often the right file is, and how often a definition is in the first five sources of
`ask`. The table of sureness says how often the first result, and the first five, are right for each verdict.

usage: bench_concepts.py QUESTIONS.json --indexes DIR [--expect] [--show] [--no-ask] [--without TERM…]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench_search import TERMS, give_weights
from sureness import Sureness

from code_graph_indexer import CodeIndexer, RetrievedContext
from code_graph_indexer.retrieval import rank as rerank
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.retrieval.sure import is_sure

DEPTHS = (1, 5, 10, 20, 50)
"""The depths at which a list of results is judged."""


class Question(NamedTuple):
    """A question, the definitions that answer it, and the words that are expected in them."""

    repository: str
    text: str
    answers: tuple[str, ...]
    expect: str = ""


def read_questions(path: Path) -> list[Question]:
    """Read a file of questions."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Question(row["repo"], row["q"], tuple(row["a"]), row.get("expect", "")) for row in rows]


def _parts(answer: str) -> tuple[str, str]:
    """Split an answer into its file and its name. Either may be empty."""
    path, colon, name = answer.partition(":")
    if colon:
        return path, name
    return (answer, "") if "/" in answer else ("", answer)


def in_file(context: RetrievedContext, answer: str) -> bool:
    """Return whether a result is in the file that an answer names."""
    path, _ = _parts(answer)
    return bool(path) and f"/{context.file_path}".endswith(f"/{path}")


def is_answer(context: RetrievedContext, answer: str) -> bool:
    """Return whether a result is the definition that an answer names."""
    path, name = _parts(answer)
    if path and not in_file(context, answer):
        return False
    return not name or f".{context.qualified_name}".endswith(f".{name}")


def first_rank(
    question: Question, contexts: Sequence[RetrievedContext], counts: Callable[[RetrievedContext, str], bool]
) -> int:
    """Return the rank of the first result that counts, from 1, or 0."""
    ranks = (
        rank for rank, context in enumerate(contexts, 1) if any(counts(context, answer) for answer in question.answers)
    )
    return next(ranks, 0)


def cells(ranks: Sequence[int]) -> str:
    """Write how many ranks are within each of DEPTHS."""
    return " | ".join(str(sum(0 < rank <= depth for rank in ranks)) for depth in DEPTHS)


def main() -> None:
    """Print how many questions find an answer, by depth and by repository."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--expect", action="store_true", help="ask with the expected words")
    parser.add_argument("--show", action="store_true", help="print each question with its ranks and first results")
    parser.add_argument(
        "--no-ask", action="store_true", help="leave out the sources of ask, which take most of the time"
    )
    signals = [*SIGNALS, *TERMS, *rerank.PENALTIES]
    parser.add_argument("--without", nargs="*", default=[], choices=signals, help="signals and terms to leave out")
    arguments = parser.parse_args()
    give_weights(dict.fromkeys(arguments.without, 0.0))
    questions = read_questions(arguments.questions)
    by_name: dict[str, list[int]] = defaultdict(list)
    by_file: dict[str, list[int]] = defaultdict(list)
    asked: dict[str, list[int]] = defaultdict(list)
    sureness = Sureness()
    for repository in dict.fromkeys(question.repository for question in questions):
        with CodeIndexer(db=arguments.indexes / f"{repository}.db") as indexer:
            for question in (labelled for labelled in questions if labelled.repository == repository):
                expect = question.expect if arguments.expect else ""
                contexts = indexer.retrieve(question.text, expect=expect, limit=DEPTHS[-1], tests=False)
                rank = first_rank(question, contexts, is_answer)
                sureness.add(is_sure(indexer.store, question.text, contexts, expect), rank)
                of_file = first_rank(question, contexts, in_file)
                sources = [] if arguments.no_ask else indexer.ask(question.text, expect=expect, tests=False).sources
                of_ask = first_rank(question, sources, is_answer)
                for group in ("all", repository):
                    by_name[group].append(rank)
                    by_file[group].append(of_file)
                    asked[group].append(of_ask)
                if arguments.show:
                    print(f"{rank:>2} file {of_file:>2} ask {of_ask:>2}  {repository}: {question.text}")
                    for context in contexts[:3]:
                        print(f"      {context.score:6.2f} {context.file_path} {context.qualified_name}")
    head = " | ".join(f"in {depth}" for depth in DEPTHS)
    print(f"| | questions | {head} | file: {head} | ask: {head} |")
    print("|---|---|" + "---|" * (3 * len(DEPTHS)))
    for name, ranks in by_name.items():
        print(f"| {name} | {len(ranks)} | {cells(ranks)} | {cells(by_file[name])} | {cells(asked[name])} |")
    print(f"\n{sureness.table()}")


if __name__ == "__main__":
    main()
