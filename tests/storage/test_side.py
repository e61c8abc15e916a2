"""Nothing is written over a link, into another program's file, or where others can read what only its owner could."""

import stat
import subprocess
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import BusyError, CgiError, IndexWriteError
from code_graph_indexer.storage.local import sole_watcher
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CGI_WORKERS", "1")
    return write_tree(tmp_path / "repo", {"a.py": "def f():\n    return 1\n"})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "name", [".cgi", ".cgi/index.db", ".cgi/index.db.local", ".cgi/.gitignore", ".cgi/index.db.cgi-new"]
)
def test_no_link_in_the_own_folder_is_written_through(root: Path, name: str) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    if name == ".cgi":
        (root / ".cgi").symlink_to(outside)
    else:
        (root / ".cgi").mkdir()
        (root / name).symlink_to(outside / "target")
    with CodeIndexer(root) as indexer:
        try:
            indexer.index()
        except CgiError as exc:
            assert "is a link" in str(exc)
        for question in (lambda: indexer.retrieve("f"), lambda: indexer.callers("f")):
            try:
                question()
            except CgiError:
                continue
    assert list(outside.iterdir()) == []


SIDE_FILES = ("x.db.local", "x.db.new", "x.db.watcher", "x.db")
JOURNALS = ("x.db-journal", "x.db-wal", "x.db-shm", "x.db.local-journal", "x.db.local-wal")


@pytest.mark.parametrize("name", SIDE_FILES + JOURNALS)
@pytest.mark.parametrize("is_database", [False, True])
def test_a_file_of_the_user_is_left_alone(root: Path, name: str, is_database: bool) -> None:
    place = root.parent / name
    if is_database:
        with closing(apsw.Connection(str(place))) as connection:
            connection.execute("create table mine (x); insert into mine values (1)")
    else:
        place.write_text("my notes\n")
    content = place.read_bytes()
    with CodeIndexer(root, db=root.parent / "x.db") as indexer:
        try:
            indexer.index()
            indexer.retrieve("f")
        except CgiError as exc:
            assert str(place) in str(exc)
            assert "another --db" in str(exc)
        try:
            with sole_watcher(root.parent / "x.db"):
                pass
        except BusyError as exc:
            assert "another --db" in str(exc)
    assert place.read_bytes() == content


def test_what_stands_in_the_own_folder_is_private(root: Path) -> None:
    (root / "a.py").chmod(0o600)
    with CodeIndexer(root) as indexer:
        indexer.index()
        indexer.retrieve("f")
        assert mode(root / ".cgi") == 0o700
        files = {path.name: mode(path) for path in (root / ".cgi").iterdir()}
        assert files == dict.fromkeys((".gitignore", "index.db", "index.db.local"), 0o600)
        # A user who shares an index says so with chmod, and that stays.
        (root / ".cgi" / "index.db").chmod(0o644)
        indexer.index(full=True)
        assert mode(root / ".cgi" / "index.db") == 0o644


def test_a_local_state_elsewhere_is_used_again_and_mended(root: Path) -> None:
    db = root.parent / "x.db"
    with CodeIndexer(root, db=db) as indexer:
        indexer.index()
        assert indexer.index().changed == 0
    local = db.with_name("x.db.local")
    content = bytearray(local.read_bytes())
    content[200:] = b"\xff" * (len(content) - 200)
    local.write_bytes(content)
    write_tree(root, {"a.py": "def g():\n    return 1\n"})
    with CodeIndexer(root, db=db) as indexer:
        indexer.index()
        assert indexer.verify() == []
    local.write_bytes(b"\0" + bytes(content[1:]))
    with CodeIndexer(root, db=db) as indexer, pytest.raises(IndexWriteError, match="no file of cgi"):
        indexer.index()


def test_what_an_older_version_left_in_the_own_folder_is_made_anew_and_private(root: Path) -> None:
    with CodeIndexer(root) as indexer:
        indexer.index()
        indexer.retrieve("f")
    folder = root / ".cgi"
    for path in folder.iterdir():
        path.chmod(0o644)
    for name in ("index.db.local",):
        with closing(apsw.Connection(str(folder / name))) as connection:
            connection.execute("create table unmasked (text); insert into unmasked values ('hunter2')")
            connection.pragma("application_id", 0)
    with closing(apsw.Connection(str(folder / "index.db"))) as connection:
        connection.pragma("user_version", 10)
    with CodeIndexer(root) as indexer:
        indexer.index()
        indexer.retrieve("f")
    files = [folder / name for name in ("index.db", "index.db.local")]
    assert [mode(path) for path in files] == [0o600] * 2
    assert not [path.name for path in files if b"hunter2" in path.read_bytes()]


def test_an_index_elsewhere_keeps_the_mode_that_its_user_gave_it(root: Path) -> None:
    db = root.parent / "x.db"
    with CodeIndexer(root, db=db) as indexer:
        indexer.index()
        db.chmod(0o600)
        indexer.index(full=True)
    assert mode(db) == 0o600


def test_the_copy_of_another_worktree_is_private_and_written_through_no_link(root: Path) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "a.py"], ["commit", "-qm", "one"], ["worktree", "add", "-q", "../tree"]):
        subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)
    with CodeIndexer(root) as indexer:
        indexer.index()
    (root / ".cgi" / "index.db").chmod(0o644)
    victim = root.parent / "victim"
    victim.write_text("mine", encoding="utf-8")
    folder = root.parent / "tree" / ".cgi"
    folder.mkdir()
    (folder / "index.db.cgi-new").symlink_to(victim)
    with CodeIndexer(folder.parent) as indexer:
        assert indexer.symbol("f")
    assert victim.read_text(encoding="utf-8") == "mine"
    assert not (folder / "index.db").is_symlink()
    assert mode(folder / "index.db") == 0o600
