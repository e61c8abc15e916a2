"""After every `cgi index`, the history of git in an index is that of a fresh build, whatever was committed since."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.indexing.verify import BEHIND
from tests.git.test_layout import git_in
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow


def commit(root: Path, *options: str) -> None:
    git_in(root, "add", "--all")
    git_in(root, "commit", "-q", "--allow-empty", "-m", "x", *options)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CGI_WORKERS", "1")
    root = write_tree(tmp_path / "repo", {"a.py": "x = 1\n", "b.py": "y = 1\n", ".gitignore": ".cgi\n"})
    git_in(root, "init", "-q")
    for number in range(2):
        write_tree(root, {"a.py": f"x = {number}\n", "b.py": f"y = {number}\n", "c.py": f"z = {number}\n"})
        commit(root)
    with CodeIndexer(root) as indexer:
        indexer.index()
        assert indexer.verify() == []
    return root


def edit(root: Path) -> None:
    write_tree(root, {"a.py": "x = 5\n"})


def edit_and_commit(root: Path) -> None:
    edit(root)
    commit(root)


def amend(root: Path) -> None:
    commit(root, "--amend", "--author=other <o@example.org>", "--date=2001-01-01")


def tag(root: Path) -> None:
    git_in(root, "tag", "v1")


def move_tag(root: Path) -> None:
    git_in(root, "tag", "--force", "v1", "HEAD~1")


def rename(root: Path) -> None:
    (root / "b.py").rename(root / "renamed.py")


def delete(root: Path) -> None:
    (root / "b.py").unlink()


def bring_back(root: Path) -> None:
    git_in(root, "checkout", "-q", "HEAD", "--", "b.py")


def lose_git(root: Path) -> None:
    shutil.rmtree(root / ".git")


@pytest.mark.parametrize(
    "acts",
    [
        *(
            (edit, commit),
            (edit_and_commit,),
            (amend,),
            (tag,),
            (edit, commit, tag),
            (tag, move_tag),
            (rename,),
            (delete,),
        ),
        *((delete, bring_back), (rename, commit), (delete, commit, tag), (lose_git,)),
    ],
    ids=lambda acts: "-".join(act.__name__ for act in acts),
)
def test_each_update_has_the_history_of_a_fresh_build(root: Path, acts: tuple[Callable[[Path], None], ...]) -> None:
    for act in acts:
        act(root)
        with CodeIndexer(root) as indexer:
            indexer.index()
            assert indexer.verify() == []


def test_a_question_does_not_read_the_history_and_verify_says_so(root: Path) -> None:
    edit_and_commit(root)
    with CodeIndexer(root) as indexer:
        assert indexer.retrieve("x")
        assert indexer.verify() == [BEHIND]
        rename(root)
        assert indexer.retrieve("y")
        indexer.index()
        assert indexer.verify() == []


def test_what_is_fetched_of_the_history_later_is_read_then(root: Path, tmp_path: Path) -> None:
    git_in(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    with CodeIndexer(tmp_path / "shallow") as indexer:
        indexer.index()
        assert indexer.verify() == []
        git_in(tmp_path / "shallow", "fetch", "-q", "--unshallow")
        indexer.index()
        assert indexer.verify() == []


def test_git_that_is_installed_later_is_asked_then(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = root.parent / "empty"
    path.mkdir()
    with CodeIndexer(root) as indexer:
        with monkeypatch.context() as patch:
            patch.setenv("PATH", str(path))
            indexer.index(full=True)
        assert indexer.verify() == [BEHIND]
        indexer.index()
        assert indexer.verify() == []
