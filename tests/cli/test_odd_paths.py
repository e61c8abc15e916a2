"""A path that cannot be is a wrong use, and one sentence."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cgi
from tests.test_paths import ODD_PATHS


@pytest.mark.parametrize("path", [path for path in ODD_PATHS if "\0" not in path])
@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ("index",),
            ("index", "--scip"),
            ("search", "x", "--db"),
            ("stats", "--db"),
            ("verify",),
            ("watch",),
            ("mcp",),
        ),
        *(("web",), ("export", "--scip"), ("hubs", "--db"), ("callers", "add_tax", "--db")),
    ],
    ids=" ".join,
)
def test_the_command_line_says_so(cgi: Cgi, in_shop: Path, arguments: tuple[str, ...], path: str) -> None:
    answer = cgi(*arguments, path)
    assert answer.code == 2
    assert "give a" in answer.err
    assert "unexpected" not in answer.err
