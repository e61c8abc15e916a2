"""Ctrl-C at any moment ends the command with one line and the exit code 130, and leaves nothing half done."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tree_sitter

from code_graph_indexer.languages import languages, load_query, registry

REPOSITORY = Path(__file__).parents[2]

SEED, INTERRUPTS = 29, 6
EARLIEST, LATEST = 0.02, 2.5
"""Seconds after its start at which a command is interrupted: imports, queries, forks, parsing, linking."""

LINE = "cgi: interrupted; run the same command again to go on\n"
START = f"{os.sep}code_graph_indexer{os.sep}__main__.py"
"""A part of every traceback of a command that has started."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Write a repository of many languages, whose queries take a while to compile."""
    return shutil.copytree(REPOSITORY / "fixtures" / "languages", tmp_path / "repository")


def interrupted_index(root: Path, seconds: float, *, group: bool) -> tuple[int, str, str]:
    """Interrupt `cgi index` some seconds after its start. Return its exit code, and what it wrote to both streams."""
    command = [sys.executable, "-m", "code_graph_indexer", "index", str(root), "--full", "--workers", "2"]
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        time.sleep(seconds)
        # A terminal sends Ctrl-C to every process of the command, `kill` sends it to one.
        (os.killpg if group else os.kill)(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    return run.returncode, out, err


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("group", [True, False], ids=["terminal", "kill"])
def test_ctrl_c_at_any_moment_is_reported_in_one_line(repository: Path, group: bool) -> None:
    moments = random.Random(SEED)
    reported = 0
    for _ in range(INTERRUPTS):
        seconds = moments.uniform(EARLIEST, LATEST)
        code, out, err = interrupted_index(repository, seconds, group=group)
        # Python itself starts first, and a fast machine is done before the signal.
        if (code != 130 and START not in err) or out:
            continue
        assert (code, err) == (130, LINE), seconds
        reported += 1
        assert [path.name for path in (repository / ".cgi").glob("*-new*")] == []
    assert reported >= INTERRUPTS // 4


def test_an_interrupt_while_a_query_compiles_is_no_error_of_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise tree_sitter.QueryError("regular expression error") from KeyboardInterrupt()

    monkeypatch.setattr(registry, "_tags", registry._tags.__wrapped__)
    monkeypatch.setattr(tree_sitter, "Query", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_query(next(iter(languages())))
