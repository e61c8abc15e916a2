"""A worktree gets its own index: a copy of the nearest one of the same repository, brought up to date."""

import subprocess
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import IndexNotFoundError
from code_graph_indexer.freshness import FreshnessState
from code_graph_indexer.indexing.update import link_input_version
from code_graph_indexer.indexing.verify import BEHIND
from code_graph_indexer.seeding import seed_for
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.local import LocalState
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

MAIN = {
    f"m{number}.py": f"from common import shared\n\n\ndef f{number}():\n    return shared({number})\n"
    for number in range(6)
}
SHARED = {"common.py": "def shared(number):\n    return number\n", "deep/er/x.py": "def x():\n    return 1\n"}
INDEX = Path(".cgi", "index.db")


def git(root: Path, *arguments: str) -> None:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """Return the indexed main checkout of a repository with a branch `far`, in which half of the files differ."""
    root = write_tree(tmp_path / "main", MAIN | SHARED)
    git(root, "init", "--quiet", "--initial-branch=trunk")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    git(root, "checkout", "--quiet", "-b", "far")
    write_tree(root, {f"m{number}.py": f"def g{number}():\n    return {number}\n" for number in range(3)})
    git(root, "commit", "--quiet", "-am", "far")
    git(root, "checkout", "--quiet", "trunk")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


def worktree(main: Path, name: str, branch: str) -> Path:
    place = main.parent / name
    git(main, "worktree", "add", "--quiet", "--detach", str(place), branch)
    return place


@pytest.mark.parametrize("folder", ["", "deep/er"])
def test_a_question_in_a_worktree_is_about_its_own_files(
    main: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = worktree(main, "place", "far")
    write_tree(place, {"own.py": "from common import shared\n\n\ndef own():\n    return shared(1)\n"})
    monkeypatch.chdir(place / folder)
    with CodeIndexer() as indexer:
        assert sorted(step.symbol.name for step in indexer.callers("shared")[0].steps) == ["f3", "f4", "f5", "own"]
        assert indexer.freshness.state is FreshnessState.UPDATED
        assert indexer.db == place / INDEX
        assert indexer.verify() == [BEHIND]
        indexer.index()
        assert indexer.verify() == []
    with CodeIndexer(main) as indexer:
        assert len(indexer.callers("shared")[0].steps) == 6


def test_an_index_run_in_a_worktree_reads_only_what_differs(main: Path) -> None:
    place = worktree(main, "place", "far")
    with CodeIndexer(place) as indexer:
        report = indexer.index()
        assert (report.full, report.changed, report.removed) == (False, 3, 0)
        assert indexer.verify() == []


def test_other_settings_build_the_index_anew(main: Path) -> None:
    place = worktree(main, "place", "far")
    with CodeIndexer(place, repo_id="place") as indexer:
        assert indexer.index().full


def test_the_nearest_checkout_gives_the_index(main: Path) -> None:
    near = worktree(main, "near", "far")
    with CodeIndexer(near) as indexer:
        indexer.index()
    with CodeIndexer(main) as indexer:
        write_tree(main, {"later.py": "def later():\n    return 1\n"})
        # Its index is the newer one, but its files are others.
        indexer.index()
    place = worktree(main, "place", "far")
    assert seed_for(place, INDEX) == near / INDEX
    assert seed_for(worktree(main, "trunk", "trunk"), INDEX) == main / INDEX


def test_the_main_checkout_is_seeded_from_a_worktree(main: Path) -> None:
    place = worktree(main, "place", "far")
    (main / INDEX).rename(main / "away.db")
    with CodeIndexer(main) as indexer, pytest.raises(IndexNotFoundError):
        indexer.symbol("shared")
    (main / "away.db").rename(main / INDEX)
    with CodeIndexer(place) as indexer:
        indexer.index()
    (main / INDEX).unlink()
    with CodeIndexer(main) as indexer:
        assert indexer.symbol("f0")


def test_without_any_index_a_question_says_what_to_do(main: Path) -> None:
    place = worktree(main, "place", "far")
    (main / INDEX).unlink()
    with CodeIndexer(place) as indexer, pytest.raises(IndexNotFoundError, match="make one with: cgi index"):
        indexer.symbol("shared")
    assert not (place / ".cgi").exists()


def test_without_updates_no_index_is_copied(main: Path) -> None:
    place = worktree(main, "place", "far")
    with CodeIndexer(place, update=False) as indexer, pytest.raises(IndexNotFoundError):
        indexer.symbol("shared")


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_index_is_not_copied(main: Path, content: bytes) -> None:
    place = worktree(main, "place", "far")
    (main / INDEX).write_bytes(content)
    assert seed_for(place, INDEX) is None


def test_a_copy_that_was_killed_leaves_nothing(main: Path) -> None:
    place = worktree(main, "place", "far")
    write_tree(place, {".cgi/index.db.cgi-new": "half of an index"})
    with CodeIndexer(place) as indexer:
        assert indexer.symbol("g0")
    assert sorted(path.name for path in (place / ".cgi").iterdir()) == [".gitignore", "index.db", "index.db.local"]


def test_what_lies_beside_the_index_comes_along(main: Path) -> None:
    place = worktree(main, "place", "trunk")
    with CodeIndexer(place) as indexer:
        indexer.symbol("shared")
    with LocalState(main / INDEX) as state:
        hashes = {path: seen.content_hash or b"" for path, seen in state.times().items()}
    with LocalState(place / INDEX) as state:
        inputs = [path for path, content in hashes.items() if state.link_input(path, content, version())]
        assert len(inputs) == len(MAIN) + len(SHARED)


def version() -> str:
    return link_input_version(Settings().max_chunk_size)


def test_a_source_that_is_being_written_is_copied_all_the_same(main: Path) -> None:
    place = worktree(main, "place", "far")
    with LocalState(main / INDEX), CodeIndexer(place) as indexer:
        assert indexer.symbol("g0")
        assert indexer.verify() == [BEHIND]
        indexer.index()
        assert indexer.verify() == []


def test_callers_are_right_after_a_branch_switch(main: Path) -> None:
    with CodeIndexer(main) as indexer:
        assert len(indexer.callers("shared")[0].steps) == 6
        git(main, "checkout", "--quiet", "far")
        assert sorted(step.symbol.name for step in indexer.callers("shared")[0].steps) == ["f3", "f4", "f5"]
        assert indexer.symbol("g1")[0].file_path == "m1.py"
        git(main, "checkout", "--quiet", "trunk")
        assert len(indexer.callers("shared")[0].steps) == 6
        assert indexer.verify() == []
