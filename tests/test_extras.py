"""What an error says about a missing package works where this package came from."""

from collections.abc import Mapping

import pytest

from code_graph_indexer.extras import install_command, requirement


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ({}, "code-graph-indexer[web]"),
        ({"url": "file:///src/my%20cgi", "dir_info": {}}, "/src/my cgi[web]"),
        ({"url": "file:///src/cgi", "dir_info": {"editable": True}}, "-e /src/cgi[web]"),
        (
            {"url": "https://git.example/cgi", "vcs_info": {"vcs": "git", "commit_id": "1"}},
            "code-graph-indexer[web] @ git+https://git.example/cgi",
        ),
        ({"url": "file:///d/cgi.whl", "archive_info": {}}, "code-graph-indexer[web] @ file:///d/cgi.whl"),
    ],
)
def test_an_extra_comes_from_where_the_package_came_from(origin: Mapping[str, object], words: str) -> None:
    assert " ".join(requirement("web", origin)) == words


def test_the_command_is_for_the_python_that_runs() -> None:
    assert " install " in install_command("web")
    assert "[web]" in install_command("web")
