"""Measure the router: how often it tells what a question is, and how long that takes.

QUESTIONS are files as fixtures/routes has them: tab-separated `repository`, `question` (with \\n and \\t written out), `route`,
`relation` and `names`. A route is right if it equals the label's. A question to the graph also needs the right relation and
names. The retriever is right if it is the retriever of the label's route.

usage: bench_router.py QUESTIONS.tsv… [--show]
"""

import argparse
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.ask.route import FastPath, FastPathRouter, Route

REPEATS = 5
RETRIEVERS = {
    Route.NAME: "sparse",
    Route.PHRASE: "sparse",
    Route.PLACE: "graph",
    Route.TRACE: "graph",
    Route.GRAPH: "graph",
    Route.CONCEPT: "hybrid",
}


class Question(NamedTuple):
    """A labelled question."""

    repository: str
    text: str
    route: str
    relation: str
    names: tuple[str, ...]


def read_questions(path: Path) -> list[Question]:
    """Read a file of labelled questions."""
    questions: list[Question] = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        repository, text, route, relation, names = (*line.split("\t"), "", "", "")[:5]
        text = text.replace("\\n", "\n").replace("\\t", "\t")
        questions.append(
            Question(repository, text, route, relation, tuple(name.strip() for name in names.split(",") if name))
        )
    return questions


def is_right(question: Question, fast_path: FastPath) -> bool:
    """Say whether a question was read as its label says."""
    if fast_path.route != question.route:
        return False
    if fast_path.route is not Route.GRAPH:
        return True
    return fast_path.relation == question.relation and [_plain(name) for name in fast_path.names] == [
        _plain(name) for name in question.names
    ]


def _plain(name: str) -> str:
    return name.strip("`'\"()").lower()


def main() -> None:
    """Print accuracy by route and the time of a question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true", help="list what was read otherwise")
    arguments = parser.parse_args()
    router = FastPathRouter()
    router.route("warm up: who calls this")
    for path in arguments.questions:
        questions = read_questions(path)
        right, retriever, of = Counter[str](), 0, Counter(question.route for question in questions)
        times: list[float] = []
        for question in questions:
            started = time.perf_counter()
            for _ in range(REPEATS):
                fast_path = router.route(question.text)
            times.append((time.perf_counter() - started) / REPEATS * 1000)
            right[question.route] += is_right(question, fast_path)
            retriever += RETRIEVERS[fast_path.route] == RETRIEVERS[Route(question.route)]
            if arguments.show and not is_right(question, fast_path):
                print(f"  {question.text[:110]!r}\n    {question.route} {question.relation} {question.names}")
                print(f"    {fast_path.route} {fast_path.relation or ''} {fast_path.names} ({fast_path.reason})")
        by_route = ", ".join(f"{route} {right[route]}/{of[route]}" for route in sorted(of))
        slow = statistics.quantiles(times, n=20)[-1]
        print(
            f"{path.name}: right {sum(right.values()) / len(questions):.3f} ({by_route}); retriever "
            f"{retriever / len(questions):.3f}; p50 {statistics.median(times):.2f} ms, p95 {slow:.2f} ms"
        )


if __name__ == "__main__":
    main()
