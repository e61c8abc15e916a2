"""Fixtures of the fleet: repositories that git made, a database, and the command line in processes of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.cli.conftest import cgi
from tests.git.test_layout import git_in
from tests.indexing.repository import write_tree

__all__ = ["cgi"]

SECONDS = 60.0
"""How long a test waits for what must come."""

SOURCE = "def area(side):\n    return side * side\n\n\ndef volume(side):\n    return area(side) * side\n"


def commit(root: Path, files: Mapping[str, str]) -> Path:
    """Commit files, in a repository that is made if there is none."""
    write_tree(root, files)
    if not (root / ".git").exists():
        git_in(root, "init", "-q", "-b", "main")
    git_in(root, "add", "-A")
    git_in(root, "commit", "-q", "-m", "change")
    return root


def head(root: Path) -> str:
    """Return the commit of a repository."""
    return subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()


def wait_for(condition: Callable[[], bool], what: str, seconds: float = SECONDS) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.1)


class Shell:
    """The command line of a fleet in a database, with limits that fit a test."""

    def __init__(self, url: str, cache: Path) -> None:
        self.url = url
        settings = {
            "CGI_DB": url,
            "CGI_FLEET_CACHE": str(cache),
            "CGI_FLEET_LOST": "3",
            "CGI_FLEET_SECRET": "a secret",
            "CGI_FLEET_SECONDS": "60",
            "CGI_EMBEDDER": "hashing",
        }
        self.environment = {**os.environ, **settings}
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
        """Start a command and return its process."""
        process = subprocess.Popen(
            [sys.executable, "-m", "code_graph_indexer", "fleet", *arguments],
            env={**self.environment, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.workers.append(process)
        return process

    def run(self, *arguments: str, code: int | None = 0, settings: Mapping[str, str] = MappingProxyType({})) -> str:
        """Run a command to its end, and return what it printed. A code of None stands for any."""
        process = self.start(*arguments, **settings)
        output, errors = process.communicate(timeout=120)
        assert code is None or process.returncode == code, (output, errors)
        return (output + errors).decode()

    def status(self) -> dict[str, Any]:
        """Return the status as JSON."""
        status: dict[str, Any] = json.loads(self.run("status", "--json"))["status"]
        return status

    def states(self) -> dict[str, str]:
        """Map the repositories to their states."""
        return {repository["repo_id"]: repository["state"] for repository in self.status()["repositories"]}

    def commits(self) -> dict[str, str]:
        """Map the repositories to their commits."""
        return {repository["repo_id"]: repository["commit_id"] for repository in self.status()["repositories"]}

    def query(self, text: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        import psycopg

        with psycopg.connect(self.url) as connection:
            return connection.execute(text.encode()).fetchall()

    def close(self) -> None:
        """Kill what still runs."""
        for worker in self.workers:
            if worker.poll() is None:
                worker.kill()
            worker.communicate()


@pytest.fixture
def shell(server: Callable[[str], str], request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shell]:
    """Return the command line of a fleet in a database of its own."""
    name = f"fleet_{abs(hash(request.node.name))}"
    opened = Shell(server(name), tmp_path / "cache")
    yield opened
    opened.close()
