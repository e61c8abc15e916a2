"""Run the tests of a Python project and write the call chains of its own functions that they execute.

A chain is the last DEPTH functions of the stack at a call, the caller first. It ends at code outside SOURCE, at a lambda, a
generator or the top level of a module, so each hop is a direct call. A comprehension counts as its function. Each output line
is a JSON list of functions. A function is [path, line of its `def`, dotted name, line where it calls the next function], and
the last function has the line 0.

The interpreter needs pytest and the project. Run it in the project's folder. What stands behind `--` goes to pytest, or is a
script that runs the tests, with its arguments.

usage: record_flows.py SOURCE OUTPUT -- PYTEST_ARGUMENT…|SCRIPT ARGUMENT…
"""

import ast
import inspect
import json
import runpy
import sys
import threading
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

DEPTH = 6
"""Functions of a chain at most."""

INNER = ("<listcomp>", "<setcomp>", "<dictcomp>")
"""Names of code that belongs to the function around it."""

GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@cache
def definition_lines(path: str) -> dict[int, int]:
    """Map the first line of each function of a file, which may be a decorator, to the line of its `def`."""
    tree = ast.parse(Path(path).read_bytes())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {min([node.lineno, *(mark.lineno for mark in node.decorator_list)]): node.lineno for node in functions}


class Recorder:
    """Collects chains while tests run."""

    def __init__(self, root: Path, source: Path) -> None:
        """Watch the functions of the files below `source`, with paths relative to `root`."""
        self.root, self.prefix = root, f"{source}/"
        self.functions: list[tuple[str, int, str]] = []
        self.chains: set[tuple[tuple[int, int], ...]] = set()
        self._numbers: dict[CodeType, int] = {}

    def number(self, code: CodeType) -> int:
        """Return the number of a function, or -1 if it is none of the project's."""
        cached = self._numbers.get(code)
        if cached is not None:
            return cached
        number = -1
        path, name = code.co_filename, code.co_qualname
        if path.startswith(self.prefix) and not code.co_flags & GENERATORS and not name.endswith(">"):
            line = definition_lines(path).get(code.co_firstlineno)
            if line is not None:
                number = len(self.functions)
                self.functions.append((Path(path).relative_to(self.root).as_posix(), line, name))
        self._numbers[code] = number
        return number

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Note the chain that ends in the function that is called."""
        if event != "call" or (last := self.number(frame.f_code)) < 0:
            return
        chain = [(last, 0)]
        around = frame.f_back
        while around is not None and len(chain) < DEPTH:
            line = around.f_lineno
            while around is not None and around.f_code.co_name in INNER:
                around = around.f_back
            if around is None or (number := self.number(around.f_code)) < 0:
                break
            chain.append((number, line))
            around = around.f_back
        if len(chain) > 2:
            self.chains.add(tuple(reversed(chain)))


class Resume:
    """A plugin of pytest that starts the recorder again before each test, because a test may have used a profiler."""

    def __init__(self, recorder: Recorder) -> None:
        """Resume this recorder."""
        self.recorder = recorder

    def pytest_runtest_setup(self) -> None:
        """Record from here on."""
        sys.setprofile(self.recorder)


def run_tests(arguments: list[str], recorder: Recorder) -> object:
    """Run a script or pytest, and return its exit status."""
    if arguments[0].endswith(".py"):
        sys.argv = arguments
        sys.path.insert(0, str(Path(arguments[0]).resolve().parent))
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        except SystemExit as ending:
            return ending.code
        return 0
    import pytest

    return pytest.main(arguments, plugins=[Resume(recorder)])


def main() -> None:
    """Run the tests and write the chains."""
    source, output = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    recorder = Recorder(Path.cwd().resolve(), source)
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    status = run_tests(sys.argv[4:], recorder)
    sys.setprofile(None)
    with output.open("w", encoding="utf-8") as file:
        for chain in sorted(recorder.chains):
            functions = [[*recorder.functions[number], line] for number, line in chain]
            file.write(json.dumps(functions) + "\n")
    print(f"{len(recorder.chains)} chains, the tests ended with {status}", file=sys.stderr)


if __name__ == "__main__":
    main()
