"""Compare the tests to run for a change of a function with the test files that ran it.

The truth comes from pytest and pytest-cov, which note the test of each line that runs. A test file ran a function if one of
its tests ran a line of the function's body. COUNT functions that at least one test ran are drawn at random from SOURCE. For
each of them `impact` names test files.

* `recall`: the share of the test files that ran a function that are listed for it, over all functions drawn.
* `precision`: the share of the test files listed for a function that ran it, over all functions drawn.
* `none`: the functions for which no test file is listed.

The suite of CHECKOUT needs its packages, pytest and pytest-cov in the environment of PYTHON. The report is big. With
`--report FILE` the script writes it there once, and reads it in the next run.

usage: bench_tests.py CHECKOUT SOURCE --python PYTHON [--report FILE] [--count N] [--seed N] [--db FILE] [--worst N]
"""

import argparse
import ast
import json
import random
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer import CodeIndexer, Symbol
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import IMPACT_DEPTH

SUITE = ("-q", "--no-header", "-p", "no:cacheprovider", "--cov-context=test", "--cov-report=")
"""Options of pytest: no files beside the sources, and the test of each line."""


class Place(NamedTuple):
    """The place of a function: its file, and the line of its name."""

    path: str
    line: int
    name: str


class Verdict(NamedTuple):
    """A function, the test files that ran it, and those that are listed for it."""

    symbol: Symbol
    ran: set[str]
    listed: set[str]


def run_suite(checkout: Path, source: str, python: Path, report: Path) -> None:
    """Run the suite of a checkout with coverage, and write the report with the tests of each line."""
    with tempfile.TemporaryDirectory() as temporary:
        rules, record = Path(temporary, "coverage.ini"), Path(temporary, "record")
        rules.write_text(f"[run]\ndata_file = {record}\n", encoding="utf-8")
        pytest = [str(python), "-m", "pytest", *SUITE, f"--cov={source}", f"--cov-config={rules}"]
        # Tests that fail, mostly for want of a network, ran lines too.
        subprocess.run(pytest, cwd=checkout, check=False)
        write = [str(python), "-m", "coverage", "json", "--show-contexts", "-q", f"--rcfile={rules}", "-o", str(report)]
        subprocess.run(write, cwd=checkout, check=True)


def read_report(report: Path, source: str) -> dict[str, dict[int, set[str]]]:
    """Map each file in the folder of the sources to its lines, and each line to the test files that ran it."""
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {
        Path(path).as_posix(): {
            int(line): {context.partition("::")[0] for context in contexts if "::" in context}
            for line, contexts in record["contexts"].items()
        }
        for path, record in files.items()
        if Path(path).is_relative_to(source)
    }


def bodies(source: str) -> Iterator[tuple[str, int, set[int]]]:
    """Yield the functions of a source: the name, its line, and the lines of the body below it.

    The lines of functions inside are not part of the body. Importing the file runs the first line of a function, so a body on
    that line says nothing.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines: set[int] = set()
            for statement in node.body:
                lines.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
            for inner in ast.walk(node):
                if inner is not node and isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines.difference_update(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1))
            yield node.name, node.lineno, lines - {node.lineno}


def truths(checkout: Path, ran: dict[str, dict[int, set[str]]]) -> dict[Place, set[str]]:
    """Map each function that a test ran to the test files that ran it."""
    tests: dict[Place, set[str]] = defaultdict(set)
    for path, lines in ran.items():
        for name, line, body in bodies((checkout / path).read_text(encoding="utf-8")):
            tests[Place(path, line, name)].update(*(lines.get(number, ()) for number in body))
    return {place: files for place, files in tests.items() if files}


def symbols_at(symbols: Iterable[Symbol], places: Iterable[Place]) -> dict[Place, Symbol]:
    """Map places to the functions of an index that begin there, the innermost ones."""
    listed: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if symbol.kind in ("function", "method", "property"):
            listed[symbol.file_path, symbol.name].append(symbol)
    matches: dict[Place, Symbol] = {}
    for place in places:
        around = [
            symbol for symbol in listed[place.path, place.name] if symbol.start_line <= place.line <= symbol.end_line
        ]
        if around:
            matches[place] = max(around, key=lambda symbol: symbol.start_line)
    return matches


def judge(checkout: Path, db: Path, ran: dict[Place, set[str]], count: int, seed: int) -> list[Verdict]:
    """Draw functions of an index, and ask for the tests to run for each."""
    verdicts = []
    with CodeIndexer(checkout, db=db) as indexer:
        indexer.index()
        symbols = symbols_at(indexer.store.nodes().values(), ran)
        graph = CodeGraph(indexer.store)
        drawn = random.Random(seed).sample(sorted(symbols), min(count, len(symbols)))
        for place in sorted(drawn):
            answer = graph.impact([symbols[place]], Limits(IMPACT_DEPTH))
            verdicts.append(Verdict(symbols[place], ran[place], set(answer.tests)))
    return verdicts


def main() -> None:
    """Print a row for the project, and the functions with the most files that are missing or wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("source", help="folder of the sources in the checkout")
    parser.add_argument("--python", type=Path, required=True, help="the Python that runs the suite")
    parser.add_argument("--report", type=Path, help="file of the coverage report, written if it is missing")
    parser.add_argument("--db", type=Path, help="index file to use")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=0, help="show so many functions")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        report = arguments.report or Path(temporary, "report.json")
        if not report.exists():
            run_suite(arguments.checkout, arguments.source, arguments.python, report.absolute())
        ran = truths(arguments.checkout, read_report(report, arguments.source))
        db = arguments.db or Path(temporary, "index.db")
        verdicts = judge(arguments.checkout, db, ran, arguments.count, arguments.seed)
    right = sum(len(verdict.ran & verdict.listed) for verdict in verdicts)
    recall = right / sum(len(verdict.ran) for verdict in verdicts)
    precision = right / max(1, sum(len(verdict.listed) for verdict in verdicts))
    without = sum(not verdict.listed for verdict in verdicts)
    print("| project | functions | recall | precision | none |\n|---|---|---|---|---|")
    print(f"| {arguments.checkout.name} | {len(verdicts)} | {recall:.1%} | {precision:.1%} | {without} |")
    verdicts.sort(key=lambda verdict: -len(verdict.ran ^ verdict.listed))
    for symbol, tests, listed in verdicts[: arguments.worst]:
        missing, wrong = len(tests - listed), len(listed - tests)
        print(f"{symbol.file_path}:{symbol.qualified_name}: {len(tests)} ran it, {missing} missing, {wrong} wrong")


if __name__ == "__main__":
    main()
