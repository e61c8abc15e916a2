"""A full build gives the same bytes everywhere, replaces the old index at the end, and touches nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from code_graph_indexer.errors import BusyError, EmbedderError, IndexFormatError, IndexWriteError, UsageError
from code_graph_indexer.indexing import index_repository, verify_index
from code_graph_indexer.results import Progress
from code_graph_indexer.storage.local import LocalState
from tests.indexing.edits import START
from tests.indexing.repository import errors, index, opened, settings_of, write_tree

pytestmark = pytest.mark.slow

USES = {
    "rates.py": "LOW = 1\nHIGH = LOW\n\n\nclass Rate:\n    value: int = HIGH\n",
    "use.py": "from rates import HIGH, Rate\n\n\ndef most(rate: Rate):\n    rate.value = HIGH\n    return rate.value\n",
}
TREE: dict[str, str | bytes] = {**START, "notes.txt": "plain\n", ".env": "KEY=1\n", **USES, "image.png": b"\x89PNG\0"}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.slow
def test_two_builds_of_the_same_tree_give_the_same_bytes(tmp_path: Path) -> None:
    first = write_tree(tmp_path / "one" / "repository", TREE)
    second = write_tree(tmp_path / "another" / "place", dict(reversed(TREE.items())))
    os.utime(second / "main.go", (1, 1))
    index(first, tmp_path / "one.db", workers=1)
    index(second, tmp_path / "another.db", workers=2)
    assert (tmp_path / "one.db").read_bytes() == (tmp_path / "another.db").read_bytes()


HASHED = {
    # What is asked for in the order of a set would be asked for in another one under another seed of its hashes.
    "a.py": "class A:\n    def __init__(self):\n        pass\n\n    def __new__(cls):\n        pass\n\n\ndef f():\n    A()\n",
    "b.py": "class B:\n    def __init__(self):\n        pass\n\n\ndef f():\n    B()\n",
    "c.go": "package c\n\ntype All interface {\n\tOne()\n\tTwo()\n\tThree()\n\tFour()\n}\n\n"
    "type S struct{}\n\nfunc (s S) Four() {}\n",
}


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_seed_of_hashes(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", HASHED)
    built = set()
    for seed in range(4):
        db = tmp_path / f"{seed}.db"
        command = [
            sys.executable,
            "-m",
            "code_graph_indexer",
            "index",
            "--db",
            str(db),
            "--embedder",
            "hashing",
            str(root),
        ]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": str(seed)})
        built.add(db.read_bytes())
    assert len(built) == 1


@pytest.mark.slow
def test_a_full_build_over_an_index_gives_the_bytes_of_a_first_one(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", TREE)
    index(root, tmp_path / "index.db")
    first = (tmp_path / "index.db").read_bytes()
    write_tree(root, {"main.go": "package other\n"})
    index(root, tmp_path / "index.db")
    write_tree(root, TREE)
    assert index(root, tmp_path / "index.db", full=True).full
    assert (tmp_path / "index.db").read_bytes() == first


def test_the_index_does_not_name_the_machine(tmp_path: Path) -> None:
    index(write_tree(tmp_path / "repository", TREE), tmp_path / "index.db")
    assert os.fsencode(tmp_path) not in (tmp_path / "index.db").read_bytes()


def test_a_build_leaves_the_index_and_its_local_state(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", TREE)
    for full in (True, False, True):
        index(root, tmp_path / "out" / "index.db", full=full)
        assert names(tmp_path / "out") == ["index.db", "index.db.local"]
    assert names(root) == sorted({path.partition("/")[0] for path in TREE})


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", TREE)
    index(root, tmp_path / "index.db")
    (tmp_path / "index.db.cgi-new").write_bytes(b"half an index")
    index(root, tmp_path / "index.db")
    assert names(tmp_path) == ["index.db", "index.db.local", "repository"]


def test_an_index_inside_the_repository_is_not_indexed(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "real", TREE)
    (tmp_path / "link").symlink_to(root)
    for db in (root / "index.db", tmp_path / "link" / "deep" / "other.db"):
        index(root, db)
        assert index(root, db).changed == 0
        assert not [path for path in errors(db) if path.startswith((db.name, "deep"))]
        shutil.rmtree(root / "deep", ignore_errors=True)
        for place in root.glob("index.db*"):
            place.unlink()


def test_a_file_whose_name_begins_like_the_index_is_indexed(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {"index.db.py": "def kept(): pass\n"})
    index(root, root / "index.db")
    assert list(errors(root / "index.db")) == ["index.db.py"]


def test_an_empty_repository_has_an_empty_index(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    report = index(tmp_path / "repository", tmp_path / "index.db")
    assert (report.files, report.chunks) == (0, 0)
    with opened(tmp_path / "index.db") as store:
        assert store.check() == []


def test_a_missing_repository_is_an_error_and_makes_no_index(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        index(tmp_path / "nowhere", tmp_path / "index.db")
    assert not (tmp_path / "index.db").exists()


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("content", [b"my thesis\n" * 20, b"SQLite format 3\0" + b"\0" * 200, b"x"])
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes, full: bool) -> None:
    db = tmp_path / "index.db"
    db.write_bytes(content)
    with pytest.raises(IndexFormatError, match="is not an index of cgi and is left alone"):
        index(write_tree(tmp_path / "repository", START), db, full=full)
    assert db.read_bytes() == content


def test_a_folder_in_the_place_of_the_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexFormatError, match="is a folder"):
        index(write_tree(tmp_path / "repository", START), tmp_path)


def test_a_place_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", START)
    (tmp_path / "index.db.local").mkdir()
    for db in (tmp_path / "index.db", root / "main.go" / "index.db"):
        with pytest.raises(
            IndexWriteError, match=r"cannot be written .*; change that, or write .* elsewhere: --db FILE"
        ):
            index(root, db)


def test_a_damaged_index_is_built_anew(tmp_path: Path) -> None:
    root, db = write_tree(tmp_path / "repository", START), tmp_path / "index.db"
    index(root, db)
    whole = db.read_bytes()
    db.write_bytes(whole[:100] + b"\xff" * 4_000 + whole[4_100:])
    assert index(root, db).full
    assert db.read_bytes() == whole


def test_a_journal_of_a_killed_update_does_not_spoil_a_new_build(tmp_path: Path) -> None:
    # Elsewhere, a file that SQLite did not write is the user's.
    root, db = write_tree(tmp_path / "repository", START), tmp_path / ".cgi" / "index.db"
    index(root, db)
    whole = db.read_bytes()
    for journal in (b"garbage", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\0" * 504, b""):
        db.with_name("index.db-journal").write_bytes(journal)
        index(root, db, full=True)
        assert db.read_bytes() == whole
        with opened(db) as store:
            assert store.check() == []


def test_an_index_that_is_being_written_is_busy_for_others(tmp_path: Path) -> None:
    root, db = write_tree(tmp_path / "repository", START), tmp_path / "index.db"
    index(root, db)
    with LocalState(db), pytest.raises(BusyError, match="is being written by another process") as caught:
        index(root, db)
    assert caught.value.exit_code == 8
    assert index(root, db).changed == 0


def test_an_update_keeps_the_embedder_of_the_index(tmp_path: Path) -> None:
    root, db = write_tree(tmp_path / "repository", START), tmp_path / "index.db"
    index(root, db, spec="hashing:64")
    write_tree(root, {"more.py": "def more(): pass\n"})
    assert not index(root, db).full
    with opened(db) as store:
        assert store.meta()["embedder"] == "hashing:64"
    assert index(root, db, spec="hashing:128").full


def test_an_unknown_embedder_stops_before_anything_is_written(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", START)
    with pytest.raises(EmbedderError):
        index(root, tmp_path / "index.db", spec="hashin")
    assert names(tmp_path) == ["repository"]


def test_progress_reaches_its_total_in_every_stage(tmp_path: Path) -> None:
    seen: list[Progress] = []
    root = write_tree(tmp_path / "repository", TREE)
    index_repository(root, tmp_path / "index.db", settings_of(), report=seen.append)
    for stage in ("index", "resolve"):
        done = [progress.done for progress in seen if progress.stage == stage]
        assert done == list(range(1, seen[[progress.stage for progress in seen].index(stage)].total + 1))


def test_verify_names_what_differs_from_a_fresh_build(tmp_path: Path) -> None:
    root, db = write_tree(tmp_path / "repository", START), tmp_path / "index.db"
    index(root, db)
    assert verify_index(root, db, settings_of(), embedder=None, report=lambda progress: None) == []
    write_tree(root, {"main.go": "package changed\n"})
    differences = verify_index(root, db, settings_of(), embedder=None, report=lambda progress: None)
    assert any("main.go" in difference for difference in differences)
