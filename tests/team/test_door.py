"""The door of what a team shares: who asks a server loads nothing of what publishes."""

import subprocess
import sys

import pytest

from code_graph_indexer import team


@pytest.mark.slow
def test_opening_a_server_loads_neither_the_writer_nor_numpy() -> None:
    code = "import sys, code_graph_indexer.team; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert {"numpy", "code_graph_indexer.team.postgresql_writer"}.isdisjoint(loaded)


def test_the_door_gives_all_that_it_promises_and_refuses_other_names() -> None:
    assert all(callable(getattr(team, name)) for name in team.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'publish'"):
        team.publish  # type: ignore[attr-defined]  # noqa: B018
