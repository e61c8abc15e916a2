"""A run that is killed at any moment leaves the old index or the new one, and the next run finishes its work."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.indexing.repository import index, opened, write_tree

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")

FULL_KILLS = 25
UPDATE_KILLS = 25
FILES = 60
SEED = 20_240_607

PROGRAM = "-m", "code_graph_indexer"
STUCK = """\
import re, sys
from pathlib import Path
from code_graph_indexer.cli import main
from code_graph_indexer.indexing import workers

def search_for_ever(*args):
    Path(sys.argv[sys.argv.index("--db") + 1] + ".stuck").touch()
    re.fullmatch("(a+)+", "a" * 60 + "b")

workers.index_file = search_for_ever
main()
"""
"""A program whose workers are for ever inside of a function of C, which keeps the lock of the interpreter."""

Rows = dict[str, frozenset[tuple[object, ...]]]


def sources(version: int) -> dict[str, str]:
    """Write a repository whose every third file differs from version to version, and one exists in one version only."""
    files = {}
    for i in range(FILES):
        called = f"from p{(i + 1) % 7}.m{i + 1} import f{i + 1}\n\n\n"
        files[f"p{i % 7}/m{i}.py"] = f"{called}def f{i}():\n    f{i + 1}()\n    return {version * (i % 3 == 0)}\n"
    return {**files, f"only{version}.py": f"def only{version}(): pass\n"}


def content(db: Path) -> Rows:
    with opened(db) as store:
        return {table: frozenset(rows) for table, rows in store.contents()}


def change(root: Path, version: int) -> None:
    for place in root.glob("only*.py"):
        place.unlink()
    write_tree(root, sources(version))


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rows, Rows]:
    """Return what the index says of either version."""
    contents = []
    for version in (0, 1):
        folder = tmp_path_factory.mktemp(f"version{version}")
        index(write_tree(folder / "repository", sources(version)), folder / "index.db")
        contents.append(content(folder / "index.db"))
    return contents[0], contents[1]


class Run:
    """A real `cgi index` in a process group of its own."""

    def __init__(self, root: Path, db: Path, *options: str, program: tuple[str, ...] = PROGRAM) -> None:
        self._local = db.with_name(db.name + ".local")
        self._local.unlink(missing_ok=True)
        command = [sys.executable, *program, "index", str(root), "--db", str(db), "--workers", "1"]
        self._process = subprocess.Popen([*command, *options], start_new_session=True, stdout=subprocess.DEVNULL)

    def wait_until_it_works(self) -> None:
        """Wait for the end of start-up: the run holds its lock."""
        while not self._local.exists() and self._process.poll() is None:
            time.sleep(0.001)

    def finish(self) -> float:
        """Let the run end, and return the seconds it took after start-up."""
        self.wait_until_it_works()
        started = time.perf_counter()
        assert self._process.wait() == 0
        return time.perf_counter() - started

    def kill(self, *, group: bool) -> bool:
        """Kill the run, with its workers or alone. Return whether it was still at work."""
        try:
            (os.killpg if group else os.kill)(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        return self._process.wait() == -signal.SIGKILL

    def survivors(self, seconds: float) -> list[str]:
        """List the processes of the group that are still alive after some time."""
        end = time.monotonic() + seconds
        while (alive := self._alive()) and time.monotonic() < end:
            time.sleep(0.02)
        return alive

    def _alive(self) -> list[str]:
        listed = subprocess.run(["ps", "-eo", "pgid=,stat=,pid=,args="], capture_output=True, text=True, check=True)
        rows = (line.split(None, 2) for line in listed.stdout.splitlines())
        return [row[2] for row in rows if int(row[0]) == self._process.pid and not row[1].startswith("Z")]


@pytest.fixture
def moments() -> Iterator[random.Random]:
    yield random.Random(SEED)


def assert_it_survives_kills(
    folder: Path, versions: tuple[Rows, Rows], moments: random.Random, kills: int, *options: str
) -> None:
    root, db = write_tree(folder / "repository", sources(0)), folder / "index.db"
    index(root, db)
    change(root, 1)
    duration = Run(root, db, *options).finish()
    assert content(db) == versions[1]
    at_work, current = 0, 1
    for number in range(kills):
        target = 1 - current
        change(root, target)
        run = Run(root, db, *options)
        run.wait_until_it_works()
        time.sleep(moments.uniform(0, duration))
        at_work += run.kill(group=number % 5 != 0)
        assert run.survivors(5.0) == []
        with opened(db) as store:
            assert store.check() == []
        rows = content(db)
        assert rows in versions
        current = versions.index(rows)
        if number % 5 == 4:
            current = target
            index(root, db)
            assert content(db) == versions[target]
            assert [path.name for path in sorted(folder.iterdir())] == ["index.db", "index.db.local", "repository"]
    # How many depends on how busy the machine is; this many say that the kills were real.
    assert at_work > kills // 4


@pytest.mark.slow
def test_a_killed_full_build_leaves_the_old_index_or_the_new_one(
    tmp_path: Path, versions: tuple[Rows, Rows], moments: random.Random
) -> None:
    assert_it_survives_kills(tmp_path, versions, moments, FULL_KILLS, "--full")


@pytest.mark.slow
def test_a_killed_update_leaves_the_old_index_or_the_new_one(
    tmp_path: Path, versions: tuple[Rows, Rows], moments: random.Random
) -> None:
    assert_it_survives_kills(tmp_path, versions, moments, UPDATE_KILLS)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
@pytest.mark.parametrize("files", [1, FILES])
def test_a_killed_run_leaves_no_worker_that_notices_nothing(tmp_path: Path, files: int) -> None:
    root = write_tree(tmp_path / "repository", dict(list(sources(0).items())[:files]))
    run = Run(root, tmp_path / "index.db", program=("-c", STUCK))
    while not (tmp_path / "index.db.stuck").exists():
        time.sleep(0.01)
    assert len(run.survivors(0)) > 1
    assert run.kill(group=False)
    assert run.survivors(5.0) == []
