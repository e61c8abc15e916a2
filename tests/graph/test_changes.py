"""A git diff is mapped to the definitions that it touches, whatever the lines of the index."""

import subprocess
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.graph.changes import changes_of
from tests.graph.conftest import FILES
from tests.indexing.repository import index, write_tree

pytestmark = pytest.mark.slow


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository of two commits: the second changes a method, removes a function, adds a file."""
    root = write_tree(tmp_path / "repo", FILES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    square = root / "shapes/square.py"
    text = square.read_text().replace("return 1.0", "return 2.0").split("\n\n\ndef never")[0]
    square.write_text(f"# a line above\n{text}\n")
    (root / "notes.txt").write_text("words\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "two")
    return root


def test_definitions_before_and_after_are_named(repository: Path) -> None:
    changes = changes_of(repository, "HEAD~1..HEAD")
    assert {path: sorted(names) for path, names in changes.items()} == {
        "notes.txt": [""],
        "shapes/square.py": ["", "Square.area", "never_called_at_all"],
    }


def test_the_working_tree_is_compared_with_a_revision(repository: Path) -> None:
    place = repository / "shapes/store.py"
    place.write_text(place.read_text().replace("put(None)", "put(1)"))
    assert changes_of(repository, "HEAD") == {"shapes/store.py": ["report"]}


def test_impact_of_a_diff_finds_callers_and_tests(repository: Path) -> None:
    index(repository, repository / ".cgi" / "index.db")
    with CodeIndexer(repository) as indexer:
        impact = indexer.graph.impact(diff="HEAD~1..HEAD")
        assert {symbol.qualified_name for symbol in impact.changed} >= {"shapes.square.Square.area"}
        assert "describe" in {step.symbol.name for step in impact.affected}
        assert impact.tests == ("tests/test_square.py",)
        assert impact.removed == ("shapes/square.py:never_called_at_all",)
        assert impact.unmapped == ("notes.txt",)


def test_calls_of_what_is_gone_are_named(repository: Path) -> None:
    write_tree(
        repository,
        {
            "use.py": "import outside\n\n\ndef use(it):\n    it.never_called_at_all()\n    outside.never_called_at_all()\n"
        },
    )
    index(repository, repository / ".cgi" / "index.db")
    with CodeIndexer(repository) as indexer:
        (site,) = indexer.graph.impact(diff="HEAD~1..HEAD").open_sites
        assert (site.file_path, site.line, site.candidate) == ("use.py", 5, False)


def test_a_changed_field_is_named_beside_the_changed_method(repository: Path) -> None:
    place = repository / "shapes/base.py"
    text = (
        place.read_text().replace("return 0.0", "return 0.5").replace("class Shape:", "class Shape:\n    sides = 0\n")
    )
    place.write_text(text)
    assert changes_of(repository, "HEAD") == {"shapes/base.py": ["Shape.area", "Shape.sides"]}


def test_tests_come_nearest_first_and_without_what_only_helps_them(tmp_path: Path) -> None:
    files = {
        "code.py": "def change(): ...\n\n\ndef near():\n    change()\n\n\ndef far():\n    near()\n",
        "tests/models.py": "from code import change\n\n\ndef build():\n    change()\n",
        "tests/test_a.py": "from code import far\n\n\ndef test_far():\n    far()\n\n\ndef test_again():\n    far()\n",
        "tests/test_b.py": "from code import change\n\n\ndef test_it():\n    change()\n",
    }
    root = write_tree(tmp_path, files)
    index(root, tmp_path / ".cgi" / "index.db")
    with CodeIndexer(root) as indexer:
        assert indexer.graph.impact("change").tests == ("tests/test_b.py", "tests/test_a.py")


@pytest.mark.parametrize("revisions", ["no_such_revision", "--output=x", "HEAD..nothing", " "])
def test_what_is_no_revision_is_said_to_be_none(repository: Path, revisions: str) -> None:
    with pytest.raises(UsageError, match=r"revision|git says"):
        changes_of(repository, revisions)


def test_either_a_target_or_a_diff_is_wanted(indexer: CodeIndexer) -> None:
    with pytest.raises(UsageError, match="either"):
        indexer.graph.impact()


def test_a_folder_without_git_is_said_to_have_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository"):
        changes_of(tmp_path, "HEAD")
