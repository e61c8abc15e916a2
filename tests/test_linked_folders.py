"""A linked folder in place of an indexed one, as a forged index may name it: no door reads a file over the link."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer, open_index
from code_graph_indexer.git import checkout_file
from code_graph_indexer.indexing import update_repository
from code_graph_indexer.storage import open_store
from code_graph_indexer.storage.local import read_snapshot
from code_graph_indexer.storage.snapshot import differences
from tests.git.test_layout import git_in
from tests.indexing.repository import settings_of, write_tree

pytestmark = pytest.mark.slow

FILES = {"lib/keys.py": "def open_door():\n    return 'inside'\n", "app.py": "import lib.keys\n"}
ELSEWHERE = "def open_door():\n    return 'hidden'\n"
"""What is behind the link. It is as long as the indexed file."""

_opened: list[str] = []


def _note_opening(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        _opened.append(str(arguments[0]))


sys.addaudithook(_note_opening)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an indexed repository in which a link to a folder outside stands in place of an indexed folder."""
    root = write_tree(tmp_path / "repository", FILES)
    git_in(root, "init", "-q")
    git_in(root, "add", ".")
    git_in(root, "commit", "-q", "-m", "first")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    shutil.rmtree(root / "lib")
    (root / "lib").symlink_to(write_tree(tmp_path / "elsewhere", {"keys.py": ELSEWHERE}))
    return root


def asked(question: Callable[[CodeIndexer], object]) -> Callable[[Path], object]:
    """Return a door of an index that is asked as it is."""

    def door(root: Path) -> object:
        with CodeIndexer(root, update=False) as indexer:
            return question(indexer)

    return door


def of_several(root: Path) -> object:
    with CodeIndexer(write_tree(root.parent / "second", {"b.py": "b = 1\n"}), workers=1) as second:
        second.index()
    with open_index(root, root.parent / "second", update=False) as opened:
        return opened.explore("open_door").text


def update(root: Path) -> object:
    return update_repository(root, root / ".cgi/index.db", settings_of(), wait=0)


def update_by_times(root: Path) -> object:
    """Update by what the last run saw, as if no folder had a new entry: whoever forges an index forges this, too."""
    snapshot = read_snapshot(root / ".cgi/index.db")
    assert snapshot is not None
    snapshot.listing.folders.clear()
    seen = differences(root, snapshot)
    assert seen.changed == ["lib/keys.py"]
    return update_repository(root, root / ".cgi/index.db", settings_of(), wait=0, look=(snapshot, seen))


DOORS: dict[str, Callable[[Path], object]] = {
    "tour of a name": asked(lambda indexer: indexer.explore("open_door").text),
    "tour of a file": asked(lambda indexer: indexer.explore("lib/keys.py").text),
    "tour of a line": asked(lambda indexer: indexer.explore("lib/keys.py:2").text),
    "tour of several": of_several,
    "search": asked(lambda indexer: [result.content for result in indexer.retrieve("open_door")]),
    "answer": asked(lambda indexer: indexer.ask("what does open_door return?")),
    "diff": asked(lambda indexer: indexer.graph.impact(diff="HEAD")),
    "update": update,
    "update by times": update_by_times,
    "question": lambda root: CodeIndexer(root).explore("open_door").text,
}


@pytest.fixture
def openings() -> Iterator[list[str]]:
    """Return the paths of the files that are opened from here on."""
    _opened.clear()
    yield _opened
    _opened.clear()


@pytest.mark.parametrize("door", DOORS)
def test_no_door_reads_a_file_over_a_link(root: Path, openings: list[str], door: str) -> None:
    answer = DOORS[door](root)
    assert openings
    assert [path for path in openings if path.endswith("keys.py")] == []
    assert "hidden" not in str(answer)


def test_what_is_behind_a_link_counts_as_changed(root: Path) -> None:
    (root.parent / "elsewhere/keys.py").write_text(FILES["lib/keys.py"], encoding="utf-8")
    with CodeIndexer(root, update=False) as indexer:
        assert [(result.file_path, result.stale) for result in indexer.retrieve("open_door")] == [("lib/keys.py", True)]


def test_an_update_removes_what_is_behind_a_link(root: Path) -> None:
    update(root)
    store = open_store(root / ".cgi/index.db")
    assert {file.path: file.error for file in store.files()} == {"app.py": None, "lib": "symbolic link"}
    store.close()


@pytest.mark.parametrize(
    "path",
    ["lib/keys.py", "../elsewhere/keys.py", "/etc/hostname", ".git/config", "a/.GIT/config", "a\0b", "app/../b.py"],
)
def test_a_path_that_leads_elsewhere_has_no_place(root: Path, path: str) -> None:
    assert checkout_file(root, path) is None


def test_a_path_in_the_checkout_has_its_place(root: Path) -> None:
    assert checkout_file(root, "app.py") == root / "app.py"
    # The root itself may be reached over a link.
    (root.parent / "link").symlink_to(root)
    assert checkout_file(root.parent / "link", "new/b.py") == root.parent / "link/new/b.py"


def test_a_secret_that_a_forged_index_names_is_not_quoted(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"word.py": "def word():\n    return 'old'\n"})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    (root / "word.py").unlink()
    write_tree(root, {".env.py": "def word():\n    return 'hidden'\n"})
    connection = apsw.Connection(str(root / ".cgi/index.db"))
    connection.execute("update files set path = '.env.py'")
    connection.close()
    with CodeIndexer(root, update=False) as indexer:
        text = indexer.explore("word").text
    assert "word is no longer in .env.py" in text
    assert "hidden" not in text
