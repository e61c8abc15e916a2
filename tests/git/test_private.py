"""Git is asked over a private folder: what a repository configures has no say, and what it holds is read as data."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import GitLimitError, changed_files, head_of, private_repository, references, run_git
from code_graph_indexer.git.private import clean_environment
from code_graph_indexer.graph.changes import changes_of
from code_graph_indexer.indexing.history import MAX_TIME, history_boundary, history_stamp, read_history
from code_graph_indexer.programs import find_program
from code_graph_indexer.syntax.disk import read_regular
from tests.git.test_layout import git_in
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow


def output(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture(params=["sha1", "sha256"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    root = write_tree(tmp_path / "main", {"a.py": "x = 1\n", "lib/b.py": "y = 1\ny = 2\n", "lib/c d.py": "z = 1\n"})
    git_in(root, "init", "-q", "-b", "main", f"--object-format={request.param}")
    git_in(root, "add", ".")
    git_in(root, "commit", "-qm", "first")
    git_in(root, "tag", "v1")
    git_in(root, "tag", "-a", "v2", "-m", "two")
    git_in(root, "branch", "topic/deep")
    return root


@pytest.mark.parametrize("packed", [False, True])
def test_references_are_those_that_git_lists(root: Path, packed: bool) -> None:
    if packed:
        git_in(root, "pack-refs", "--all")
        write_tree(root, {"a.py": "x = 2\n"})
        git_in(root, "commit", "-qam", "second")
    listed = output(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    assert {name.decode(): commit.decode() for name, commit in references(root / ".git").items()} == dict(
        line.split() for line in listed
    )
    assert head_of(root / "lib") == output(root, "rev-parse", "HEAD")
    git_in(root, "checkout", "-q", "--detach")
    assert head_of(root) == output(root, "rev-parse", "HEAD")


def test_a_linked_worktree_has_a_head_of_its_own(root: Path, tmp_path: Path) -> None:
    git_in(root, "worktree", "add", "-q", str(tmp_path / "linked"), "topic/deep")
    write_tree(tmp_path / "linked", {"a.py": "x = 3\n"})
    git_in(tmp_path / "linked", "commit", "-qam", "third")
    assert head_of(tmp_path / "linked") == output(root, "rev-parse", "topic/deep") != head_of(root)
    assert changes_of(tmp_path / "linked", "main..HEAD").keys() == {"a.py"}


@pytest.mark.parametrize(
    "head",
    [
        *(
            "",
            "ref: refs/heads/../../../secret",
            "ref: ../outside",
            "ref: refs/heads/loop",
            "ref: refs/heads/none",
            "x" * 40,
        ),
        *("\0", "ref: refs/heads/a\0b", "ref: " + "refs/heads/" + "y" * 5_000),
    ],
)
def test_a_forged_head_names_no_commit(root: Path, head: str) -> None:
    write_tree(root, {".git/HEAD": head, ".git/refs/heads/loop": "ref: refs/heads/loop\n"})
    write_tree(root.parent, {"outside": "a" * 40, "main/secret": "b" * 40})
    assert head_of(root) == ""
    assert history_stamp(root) == ""
    with private_repository(root) as repository:
        assert output(root.parent, "--git-dir", str(repository.folder), "for-each-ref", "--format=%(refname)")


def test_the_history_of_a_subfolder_has_its_own_paths(root: Path) -> None:
    history = read_history(root / "lib")
    assert history is not None
    assert set(history.files) == {"b.py", "c d.py"}


def test_a_shallow_clone_has_the_history_it_was_given(root: Path, tmp_path: Path) -> None:
    write_tree(root, {"a.py": "x = 2\n"})
    git_in(root, "commit", "-qam", "second")
    git_in(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    history = read_history(tmp_path / "shallow")
    assert history is not None
    assert set(history.files) == {"a.py", "lib/b.py", "lib/c d.py"}
    assert history_boundary(tmp_path / "shallow") != history_boundary(root)


def test_times_that_no_row_can_hold_are_bounded(root: Path) -> None:
    people = "author x <a\1b> 1 +0000\ncommitter x <a\1b> 18446744073709551614 +0000"
    forged = f"tree {output(root, 'rev-parse', 'HEAD^{tree}')}\n{people}\n\nlate\n"
    command = ["git", "-C", str(root), "hash-object", "-t", "commit", "-w", "--literally", "--stdin"]
    commit = subprocess.run(command, input=forged.encode(), check=True, capture_output=True).stdout.decode().strip()
    git_in(root, "update-ref", "refs/heads/main", commit)
    history = read_history(root)
    assert history is not None
    assert history.files["a.py"] == (MAX_TIME, 1)


def test_a_tree_that_names_itself_many_times_ends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = subprocess.run(
        ["git", "-C", str(root), "hash-object", "-w", "--stdin"], input=b"x", check=True, capture_output=True
    )
    entries, kind = blob.stdout.strip(), "blob"
    for _ in range(8):
        mode = "100644" if kind == "blob" else "040000"
        listing = "".join(f"{mode} {kind} {entries.decode()}\tf{number:02}.py\n" for number in range(12))
        tree = subprocess.run(
            ["git", "-C", str(root), "mktree"], input=listing.encode(), check=True, capture_output=True
        )
        entries, kind = tree.stdout.strip(), "tree"
    commit = output(root, "-c", "user.name=x", "-c", "user.email=x", "commit-tree", "-m", "bomb", entries.decode())
    git_in(root, "update-ref", "refs/heads/main", commit)
    monkeypatch.setattr("code_graph_indexer.git.private.OUTPUT_BYTES", 2_000_000)
    started = time.monotonic()
    environment = clean_environment() | {"GIT_DIR": str(root / ".git")}
    with pytest.raises(GitLimitError, match="printed more"):
        run_git(["ls-tree", "-r", commit], environment=environment, most=2_000_000)
    with pytest.raises(GitLimitError, match="no answer within"):
        run_git(["ls-tree", "-r", commit], environment=environment, most=10**9, seconds=0.05)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("revision", ["none", "HEAD^9", "--output=x", "\0", "HEAD:a.py", "@{upstream}", "a b"])
def test_an_unknown_revision_is_one_sentence(root: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="revision"):
        changes_of(root, f"{revision}..HEAD" if not revision.startswith("-") else revision)


@pytest.mark.parametrize("revision", ["v1", "v2", "main~0", "topic/deep", "HEAD", "ORIG_HEAD"])
def test_revisions_are_named_as_in_git(root: Path, revision: str) -> None:
    write_tree(root, {"a.py": "x = 2\n"})
    git_in(root, "reset", "-q", "HEAD")
    assert changes_of(root, revision).keys() == {"a.py"}


def test_the_files_on_disk_are_compared_by_content(root: Path) -> None:
    (root / "lib" / "b.py").write_bytes(b"y = 1\r\ny = 2\r\n")
    (root / "a.py").write_text("x = 1\n")
    assert changed_files(root, "HEAD", "", read_regular) == []
    (root / "lib" / "b.py").write_bytes(b"y = 1\r\ny = 3\r\n")
    (root / "lib" / "c d.py").unlink()
    write_tree(root, {"new\n.py": "a = 1\n", "untracked.py": "b = 1\n"})
    git_in(root, "add", "new\n.py")
    changes = {change.path: change for change in changed_files(root, "HEAD", "", read_regular)}
    assert changes.keys() == {"lib/b.py", "lib/c d.py", "new\n.py"}
    assert list(changes["lib/b.py"].old_lines) == list(changes["lib/b.py"].new_lines) == [2]
    assert changes["lib/c d.py"].new is None
    assert list(changes["new\n.py"].new_lines) == [1]
    below = {change.path for change in changed_files(root / "lib", "HEAD", "", read_regular)}
    assert below == {"b.py", "c d.py"}


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(root: Path) -> None:
    git_in(root, "sparse-checkout", "set", "--no-cone", "/a.py")
    assert not (root / "lib").exists()
    assert changed_files(root, "HEAD", "", read_regular) == []


def test_no_file_is_read_over_a_link(root: Path, tmp_path: Path) -> None:
    outside = write_tree(tmp_path / "outside", {"b.py": "secret = 1\n", "c d.py": "secret = 2\n"})
    for path in (root / "lib").iterdir():
        path.unlink()
    (root / "lib").rmdir()
    (root / "lib").symlink_to(outside)
    assert {change.new for change in changed_files(root, "HEAD", "", read_regular)} == {None}


def test_programs_beside_the_repository_are_not_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = root / "git"
    program.write_text("#!/bin/sh\ntouch pwned\n")
    program.chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}bin{os.pathsep}{os.environ['PATH']}")
    assert Path(find_program("git") or ".").parent.is_absolute()
    assert Path(find_program("git") or ".").parent != root
    assert changes_of(root, "HEAD") == {}
    assert not (root / "pwned").exists()
