"""Git fetches a commit, and nothing of a repository runs or hangs a worker."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from code_graph_indexer.team.fleet.checkout import HangingError, UnreachableError, check_out, references
from tests.git.test_layout import git_in
from tests.team.fleet.conftest import SOURCE, commit, head

pytestmark = pytest.mark.slow


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return commit(tmp_path / "origin", {"m.py": SOURCE})


def test_the_branches_of_a_repository_are_listed(origin: Path) -> None:
    for branch in ("release/1", "release/2", "topic"):
        git_in(origin, "branch", branch)
    answer = references(origin.as_uri(), "", ["release/*"])
    assert answer.default == "main"
    assert answer.commit_of("") == answer.commit_of("topic") == head(origin)
    assert sorted(answer.matching(["release/*"])) == ["release/1", "release/2"]
    assert "main" not in answer.matching(["*"])
    with pytest.raises(UnreachableError, match="no branch 'gone'"):
        answer.commit_of("gone")


def test_a_missing_or_empty_repository_is_unreachable(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="git says"):
        references((tmp_path / "none").as_uri(), "", ())
    git_in(tmp_path, "init", "-q", "empty")
    with pytest.raises(UnreachableError, match="no commit yet"):
        references((tmp_path / "empty").as_uri(), "", ()).commit_of("")


def test_git_is_killed_if_a_repository_does_not_answer(origin: Path) -> None:
    (origin / ".git" / "HEAD").unlink()
    # Git opens the pipe and waits for a writer, for ever.
    os.mkfifo(origin / ".git" / "HEAD")
    started = time.monotonic()
    with pytest.raises(HangingError, match="within 1 seconds"):
        references(origin.as_uri(), "", (), seconds=1)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("address", ["ext::touch pwned", "--upload-pack=touch pwned"])
def test_git_itself_refuses_a_command_in_an_address(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnreachableError):
        references(address, "", ())
    with pytest.raises(UnreachableError):
        check_out(address, "", tmp_path / "tree", sha256=False, depth=1)
    assert not (tmp_path / "pwned").exists()


def test_the_tree_becomes_that_of_the_commit(origin: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    assert check_out(origin.as_uri(), "", tree, sha256=False, depth=1) == head(origin)
    (origin / "m.py").unlink()
    commit(origin, {"n.py": SOURCE, ".gitignore": "build/\n"})
    (tree / "left.py").write_text(SOURCE)
    (tree / "build").mkdir()
    (tree / ".git" / "index.lock").touch()
    assert check_out(origin.as_uri(), "main", tree, sha256=False, depth=1) == head(origin)
    assert sorted(path.name for path in tree.iterdir()) == [".git", ".gitignore", "n.py"]
    # A fetch of a single commit brings no history.
    count = subprocess.run(["git", "-C", str(tree), "rev-list", "--count", "HEAD"], capture_output=True, check=True)
    assert count.stdout.strip() == b"1"


def test_a_broken_checkout_is_made_anew(origin: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    check_out(origin.as_uri(), "", tree, sha256=False, depth=1)
    shutil.rmtree(tree / ".git" / "objects")
    commit(origin, {"n.py": SOURCE})
    assert check_out(origin.as_uri(), "", tree, sha256=False, depth=1) == head(origin)
    assert (tree / "n.py").is_file()


def test_hooks_filters_and_submodules_of_a_repository_do_nothing(origin: Path, tmp_path: Path) -> None:
    module = commit(tmp_path / "module", {"o.py": SOURCE})
    git_in(origin, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module.as_uri(), "sub")
    commit(origin, {".gitattributes": "*.py filter=lfs\n"})
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    hook = template / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n")
    hook.chmod(0o755)
    tree = tmp_path / "tree"
    check_out(origin.as_uri(), "", tree, sha256=False, depth=1)
    shutil.copytree(template, tree / ".git", dirs_exist_ok=True)
    commit(origin, {"n.py": SOURCE})
    check_out(origin.as_uri(), "", tree, sha256=False, depth=1)
    assert not (tmp_path / "pwned").exists()
    assert (tree / "m.py").read_text() == SOURCE
    assert list((tree / "sub").iterdir()) == []


def test_a_repository_with_long_hashes_is_fetched(tmp_path: Path) -> None:
    git_in(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256", "origin")
    origin = commit(tmp_path / "origin", {"m.py": SOURCE})
    commit_id = references(origin.as_uri(), "", ()).commit_of("")
    assert len(commit_id) == 64
    assert check_out(origin.as_uri(), "", tmp_path / "tree", sha256=True, depth=0) == commit_id
