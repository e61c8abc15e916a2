"""Git's index file is read without git, in every version, and damage to it stops nothing."""

import shutil
import subprocess
from pathlib import Path

import pytest

from code_graph_indexer.git import checkouts, tracked_contents, tracked_files
from tests.indexing.repository import write_tree

PATHS = ["a.py", "lib/a.py", "lib/deep/b.py", "lib/deep/bb.py", "x" * 200 + ".py", "é/ü.py"]
"""Paths with common beginnings, which version 4 leaves out, and with a name longer than one byte can count."""


def git_in(folder: Path, *arguments: str) -> None:
    options = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(folder), *options, *arguments], check=True, capture_output=True)


def repository(root: Path, *options: str) -> Path:
    write_tree(root, dict.fromkeys(PATHS, "x = 1\n"))
    git_in(root, "init", "-q", *options)
    git_in(root, "add", ".")
    return root


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_read(tmp_path: Path, version: str) -> None:
    root = repository(tmp_path)
    write_tree(root, {"later.py": ""})
    # An entry without content needs the flags that came with version 3.
    git_in(root, "add", "-N", "later.py")
    if version == "4":
        git_in(root, "update-index", "--index-version", version)
    if version == "2":
        git_in(root, "rm", "-q", "--cached", "later.py")
    assert (root / ".git" / "index").read_bytes()[7] == int(version)
    assert sorted(tracked_files(root)) == sorted([*PATHS, *(["later.py"] if version != "2" else [])])


def test_longer_hashes_are_read(tmp_path: Path) -> None:
    assert sorted(tracked_files(repository(tmp_path, "--object-format=sha256"))) == sorted(PATHS)


def test_a_split_index_is_read_with_its_shared_part(tmp_path: Path) -> None:
    root = repository(tmp_path)
    git_in(root, "update-index", "--split-index")
    write_tree(root, {"a.py": "y = 2\n", "later.py": ""})
    git_in(root, "add", ".")
    assert set(tracked_files(root)) == {*PATHS, "later.py"}


def test_a_worktree_has_an_index_of_its_own(tmp_path: Path) -> None:
    root = repository(tmp_path / "main", "--object-format=sha256")
    git_in(root, "commit", "-qm", "x")
    git_in(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    git_in(tmp_path / "tree", "rm", "-q", "--cached", "a.py")
    assert sorted(tracked_files(tmp_path / "tree" / "lib")) == ["a.py", "deep/b.py", "deep/bb.py"]
    assert set(tracked_files(tmp_path / "tree")) == {*PATHS} - {"a.py"}


def test_a_damaged_index_lists_no_path_that_is_not_there(tmp_path: Path) -> None:
    root = repository(tmp_path)
    index = root / ".git" / "index"
    content = index.read_bytes()
    for size in range(0, len(content), 7):
        index.write_bytes(content[:size])
        assert set(tracked_files(root)) <= set(PATHS)
    index.write_bytes(b"DIRC" + b"\xff" * 400)
    assert set(tracked_files(root)) <= {""}


@pytest.mark.parametrize("text", ["", "gitdir: /nowhere/at/all\n", "gitdir: \0\n", "gitdir: .\n", "nothing"])
def test_a_git_file_that_leads_nowhere_tracks_nothing(tmp_path: Path, text: str) -> None:
    assert not [*tracked_files(write_tree(tmp_path, {".git": text, "a.py": ""}))]


def test_checkouts_name_each_other(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    git_in(main, "commit", "-q", "-m", "first")
    linked = [tmp_path / name for name in ("one", "two")]
    for place in linked:
        git_in(main, "worktree", "add", "-q", "--detach", str(place))
    assert checkouts(main) == linked
    assert sorted(checkouts(linked[0])) == sorted([main, linked[1]])
    shutil.rmtree(linked[1])
    assert checkouts(main) == [linked[0]]
    assert checkouts(repository(tmp_path / "alone")) == []


def test_a_forged_worktree_is_no_checkout(tmp_path: Path) -> None:
    victim, forger = repository(tmp_path / "victim"), repository(tmp_path / "forger")
    write_tree(forger, {".git/worktrees/x/gitdir": f"{victim}/.git\n"})
    assert checkouts(forger) == []


def test_contents_change_with_the_text(tmp_path: Path) -> None:
    root = repository(tmp_path)
    before = dict(tracked_contents(root))
    write_tree(root, {"a.py": "y = 2\n"})
    git_in(root, "add", "a.py")
    after = dict(tracked_contents(root))
    assert [path for path in PATHS if before[path] != after[path]] == ["a.py"]
