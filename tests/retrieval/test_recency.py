"""Questions that ask for what is new weigh by git history."""

import subprocess
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.git import head_of
from code_graph_indexer.indexing.history import read_history
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

BODY = "def parse_header(text):\n    return text.split()\n"


def git(root: Path, *arguments: str, day: int = 1, author: str = "one") -> None:
    when = f"2024-01-{day:02d}T12:00:00+00:00"
    surroundings = {
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
        "GIT_AUTHOR_NAME": author,
        "GIT_AUTHOR_EMAIL": f"{author}@example.org",
        "GIT_COMMITTER_NAME": author,
        "GIT_COMMITTER_EMAIL": f"{author}@example.org",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "PATH": "/usr/bin:/bin:/usr/local/bin",
    }
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=surroundings)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository whose files say the same, committed on different days."""
    root = write_tree(tmp_path / "repository", {"old.py": BODY})
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "old", day=1)
    git(root, "tag", "v2.0")
    write_tree(root, {"müde.py": BODY})
    git(root, "add", ".")
    git(root, "commit", "-qm", "middle", day=5)
    write_tree(root, {"fresh.py": BODY})
    git(root, "add", ".")
    git(root, "commit", "-qm", "fresh", day=9, author="two")
    return root


def order(root: Path, query: str) -> list[str]:
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        return [result.file_path for result in indexer.retrieve(query, limit=3)]


def test_what_was_changed_last_comes_first_when_that_is_asked(root: Path) -> None:
    assert order(root, "latest change of parse header")[0] == "fresh.py"
    assert "recent" not in signals(root, "parse header")
    assert "recent" in signals(root, "recently changed parse header")


def signals(root: Path, query: str) -> set[str]:
    with CodeIndexer(root, workers=1) as indexer:
        return {signal.signal for result in indexer.retrieve(query) for signal in result.signals}


def test_since_a_tag_means_after_it(root: Path) -> None:
    assert order(root, "parse header changed since v2")[-1] == "old.py"


def test_git_tells_times_authors_and_tags(root: Path) -> None:
    history = read_history(root)
    assert history is not None
    assert {path: authors for path, (_, authors) in history.files.items()} == {"old.py": 1, "müde.py": 1, "fresh.py": 1}
    assert list(history.tags) == ["v2.0"]
    assert len(head_of(root)) == 40


def test_a_new_commit_is_noticed_with_the_next_update(root: Path) -> None:
    order(root, "warm up")
    write_tree(root, {"old.py": BODY + "\n# touched\n"})
    git(root, "commit", "-qam", "again", day=20)
    assert order(root, "latest change of parse header")[0] == "old.py"
    with CodeIndexer(root, workers=1) as indexer:
        assert indexer.verify() == []


def test_without_git_nothing_is_recent(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "plain", {"a.py": BODY})
    assert head_of(root) == ""
    assert "recent" not in signals_of_fresh(root)


def signals_of_fresh(root: Path) -> set[str]:
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return signals(root, "latest parse header")


def test_files_that_commits_changed_together_are_known(root: Path) -> None:
    for number in range(3):
        write_tree(root, dict.fromkeys(("old.py", "fresh.py"), f"{BODY}\n# {number}\n"))
        git(root, "commit", "-qam", f"both {number}", day=10 + number)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        assert indexer.store.changed_together(["old.py"]) == [("fresh.py", 3)]
        assert indexer.store.changed_together(["old.py", "fresh.py"]) == []
        text = indexer.explore_change("old.py").text
    assert "## Files that past commits changed together with these\nfresh.py  (3 commits)" in text
