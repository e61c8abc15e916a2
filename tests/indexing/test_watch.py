"""A watched repository needs no look at its files: a change made before a question is never missed."""

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import BusyError, NotInIndexError
from code_graph_indexer.freshness import FreshnessState
from code_graph_indexer.indexing import pending_changes, watch
from code_graph_indexer.indexing.watch import Watcher
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.local import read_snapshot, sole_watcher
from code_graph_indexer.storage.snapshot import Differences, Listing, Snapshot, differences
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

FILES = {
    "app/core.py": "def core():\n    return 1\n",
    "app/deep/leaf.py": "def leaf():\n    return 1\n",
    ".gitignore": "/out/\n",
    "out/hidden.py": "def hidden():\n    return 1\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "repository", FILES)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


@pytest.fixture
def watcher(root: Path) -> Iterator[Watcher]:
    watcher = Watcher(root, root / ".cgi" / "index.db")
    yield watcher
    watcher.close()
    assert not list((root / ".cgi").glob("*.watch-*"))


def listing(root: Path) -> Listing:
    snapshot = read_snapshot(root / ".cgi" / "index.db")
    assert snapshot is not None
    return snapshot.listing


def settle(watcher: Watcher, root: Path) -> None:
    """Wait until the watcher has begun and knows of nothing."""
    deadline = time.monotonic() + 10
    while watcher.changed(listing(root)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nothing_changed_costs_little(watcher: Watcher, root: Path) -> None:
    settle(watcher, root)
    seen = listing(root)
    started = time.process_time()
    assert not any(watcher.changed(seen) for _ in range(20))
    assert time.process_time() - started < 20 * 0.03


@pytest.mark.parametrize(
    ("path", "matters"),
    [
        ("app/core.py", True),
        ("app/deep/other.py", True),
        ("top.py", True),
        (".gitignore", True),
        ("out/hidden.py", False),
        (".cgi/anything", False),
        (".git/COMMIT_EDITMSG", False),
        (".git/index", True),
    ],
)
def test_a_change_is_seen_at_once(watcher: Watcher, root: Path, path: str, matters: bool) -> None:
    settle(watcher, root)
    for number in range(5):
        write_tree(root, {path: f"# {number}\n"})
        assert watcher.changed(listing(root)) == matters
        assert not watcher.changed(listing(root))


def test_a_file_at_once_in_a_new_folder_is_seen_and_watched(root: Path, watcher: Watcher) -> None:
    with CodeIndexer(root) as indexer:
        indexer.watch_with(watcher)
        for number in range(3):
            write_tree(root, {f"new/nested{number}/folder/file.py": "def fresh():\n    return 1\n"})
            assert len(indexer.symbol("fresh")) == number + 1
            settle(watcher, root)
            write_tree(root, {f"new/nested{number}/folder/file.py": "\ndef fresh():\n    return 1\n"})
            assert {symbol.start_line for symbol in indexer.symbol("fresh")} == {2}
            settle(watcher, root)


def test_a_folder_that_was_removed_and_made_again_is_watched(root: Path, watcher: Watcher) -> None:
    settle(watcher, root)
    shutil.rmtree(root / "app" / "deep")
    write_tree(root, {"app/deep/leaf.py": FILES["app/deep/leaf.py"]})
    assert watcher.changed(listing(root))
    settle(watcher, root)
    write_tree(root, {"app/deep/leaf.py": "# changed\n"})
    assert watcher.changed(listing(root))


def test_a_repository_made_inside_is_watched(root: Path, watcher: Watcher) -> None:
    with CodeIndexer(root) as indexer:
        indexer.watch_with(watcher)
        settle(watcher, root)
        inner = root / "app" / "deep"
        subprocess.run(["git", "init", "--quiet", str(inner)], check=True)
        write_tree(root, {"app/deep/_build/made.py": "def made():\n    return 1\n"})
        with pytest.raises(NotInIndexError):
            indexer.symbol("made.made")
        settle(watcher, root)
        subprocess.run(["git", "-C", str(inner), "add", "--force", "."], check=True)
        assert indexer.symbol("made.made")


def test_a_watched_repository_is_looked_at_once(root: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []

    def counted(folder: Path, snapshot: Snapshot) -> Differences:
        looks.append(folder)
        return differences(folder, snapshot)

    monkeypatch.setattr("code_graph_indexer.freshness.differences", counted)
    with CodeIndexer(root) as indexer:
        indexer.watch_with(watcher)
        settle(watcher, root)
        indexer.tree()
        assert len(looks) == 1
        for number in range(3):
            write_tree(root, {"app/core.py": f"# {number}\n" + FILES["app/core.py"]})
            indexer.tree()
            indexer.tree()
        assert len(looks) == 4
        # A minute later a look is due all the same.
        monkeypatch.setattr(time, "monotonic", lambda now=time.monotonic: now() + 61)
        indexer.tree()
        assert len(looks) == 5


def test_what_was_not_updated_is_asked_again(root: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("code_graph_indexer.freshness.MAX_UPDATE_FILES", 0)
    with CodeIndexer(root) as indexer:
        indexer.watch_with(watcher)
        settle(watcher, root)
        write_tree(root, {"app/core.py": "# first\n" + FILES["app/core.py"]})
        for _ in range(3):
            indexer.symbol("leaf")
            assert indexer.freshness.state is FreshnessState.STALE
        assert indexer.update().changed == ("app/core.py",)
        assert indexer.symbol("core.core")[0].start_line == 2
        assert indexer.freshness.state is FreshnessState.CURRENT


@pytest.mark.parametrize("seed", range(4))
def test_no_edit_before_a_question_goes_unseen(root: Path, watcher: Watcher, seed: int) -> None:
    rng = random.Random(seed)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.watch_with(watcher)
        for number in range(25):
            folder = rng.choice(["app", "app/deep", "out", f"x{rng.randrange(3)}/y/z", ""])
            if rng.random() < 0.2:
                shutil.rmtree(root / f"x{rng.randrange(3)}", ignore_errors=True)
            elif rng.random() < 0.8:
                write_tree(root, {f"{folder}/f{rng.randrange(4)}.py".lstrip("/"): f"value = {number}\n"})
            time.sleep(rng.choice([0, 0, 0.05, 0.2]))
            indexer.tree()
            assert pending_changes(root, indexer.db, Settings()).paths == ()


def test_a_system_without_watches_says_so_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: object, **options: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watch, "watch", refuse)
    sentences: list[str] = []
    watcher = Watcher(root, root / ".cgi" / "index.db", report=sentences.append)
    for _ in range(5):
        assert watcher.changed(listing(root))
        time.sleep(0.05)
    watcher.close()
    assert sentences == [
        "changes cannot be watched for (OS file watch limit reached), so each question looks at all files"
    ]


def test_only_one_process_watches_for_an_index(root: Path) -> None:
    index = root / ".cgi" / "index.db"
    with sole_watcher(index), pytest.raises(BusyError, match="already watches"), sole_watcher(index):
        pass
    with sole_watcher(index):
        pass


def test_the_command_updates_while_files_change(root: Path) -> None:
    command = [sys.executable, "-u", "-m", "code_graph_indexer", "watch", str(root)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        time.sleep(2)
        write_tree(root, {f"many/f{number}.py": "def many():\n    return 1\n" for number in range(40)})
        assert running.stdout is not None
        assert running.stdout.readline().startswith("updated 40 files: many/f0.py, many/f1.py, many/f10.py and 37 more")
        with CodeIndexer(root, update=False) as indexer:
            assert len(indexer.symbol("many")) == 40
    finally:
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=10)
    assert running.returncode == 130, errors
