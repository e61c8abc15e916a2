"""The tree of errors is the one its docstring draws, with one exit code each."""

import inspect
import re
from pathlib import Path

from code_graph_indexer import errors
from code_graph_indexer.cli import EXIT_CODES
from code_graph_indexer.errors import AnswerError, CgiError

DRAWN = re.compile(r"^[├└─ ]*(\w+Error) +(\d+) ", re.MULTILINE)


def classes() -> dict[str, type[CgiError]]:
    members = inspect.getmembers(errors, inspect.isclass)
    return {name: member for name, member in members if issubclass(member, CgiError)}


def test_the_drawn_tree_is_the_real_one() -> None:
    drawn = {name: int(code) for name, code in DRAWN.findall(errors.__doc__ or "")}
    assert drawn == {name: error.exit_code for name, error in classes().items()}


def test_every_error_derives_from_the_root() -> None:
    assert {error.__base__ for error in classes().values() if error is not CgiError} == {CgiError, AnswerError}


def test_no_two_errors_share_an_exit_code() -> None:
    codes = [error.exit_code for error in classes().values()]
    assert len(codes) == len(set(codes))


def test_every_exit_code_is_in_the_help_and_in_the_documents() -> None:
    documented = (Path(__file__).parent.parent / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    for error in classes().values():
        assert re.search(rf"\b{error.exit_code}\b", EXIT_CODES)
        assert f"| {error.exit_code} |" in documented
