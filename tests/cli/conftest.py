"""Run `cgi` as its user does: in this process where it suffices, else in one of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from code_graph_indexer.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the command line printed, and its exit code."""

    code: int
    out: str
    err: str


class Cgi(Protocol):
    """Run `cgi` with these arguments."""

    def __call__(self, *arguments: str | Path) -> Ran:
        """Return what came of it."""


@pytest.fixture(autouse=True)
def one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no second parse process for a handful of files."""
    monkeypatch.setenv("CGI_WORKERS", "1")


@pytest.fixture
def cgi(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cgi:
    """Run `cgi` in this process, the way its entry point does."""

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["cgi", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as exc:
            assert isinstance(exc.code, int)
            code = exc.code
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def in_shop(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in the indexed fixture repository, which must not be changed."""
    monkeypatch.chdir(shop)
    return shop


def run_process(*arguments: str | Path, folder: Path, **variables: str) -> Ran:
    """Run `cgi` in a process of its own. It sees hardly any environment but the variables given."""
    command = [sys.executable, "-m", "code_graph_indexer", *map(str, arguments)]
    surroundings = {"CGI_WORKERS": "1", **variables}
    done = subprocess.run(
        command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=60, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)
