"""The tree of errors is the one its docstring draws, with one exit code each."""

import inspect
import re
from pathlib import Path

from code_graph_indexer import errors
from code_graph_indexer.cli import EXIT_CODES
from code_graph_indexer.errors import AnswerError, CgiError

DRAWN = re.compile(r"^[├└─ ]*(\w+Error) +(\d+) ", re.MULTILINE)


def classes() -> dict[str, type[CgiError]]:
    found = inspect.getmembers(errors, inspect.isclass)
    return {name: one for name, one in found if issubclass(one, CgiError)}


def test_the_drawn_tree_is_the_real_one() -> None:
    drawn = {name: int(code) for name, code in DRAWN.findall(errors.__doc__ or "")}
    assert drawn == {name: one.exit_code for name, one in classes().items()}


def test_every_error_derives_from_the_root() -> None:
    assert {one.__base__ for one in classes().values() if one is not CgiError} == {CgiError, AnswerError}


def test_no_two_errors_share_an_exit_code() -> None:
    codes = [one.exit_code for one in classes().values()]
    assert len(codes) == len(set(codes))


def test_every_exit_code_is_in_the_help_and_in_the_documents() -> None:
    documented = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    for one in classes().values():
        assert re.search(rf"\b{one.exit_code}\b", EXIT_CODES)
        assert f"| {one.exit_code} |" in documented
