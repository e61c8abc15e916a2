"""A small repository with a hierarchy, a cycle of imports, tests and dead code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.indexing.repository import index, write_tree

FILES = {
    "shapes/__init__.py": "",
    "shapes/base.py": """\
from shapes import store


class Shape:
    def area(self) -> float:
        return 0.0

    def describe(self) -> str:
        return f"{self.area()}"

    def keep(self):
        store.put(self)
""",
    "shapes/square.py": """\
from shapes.base import Shape


class Square(Shape):
    def area(self) -> float:
        return 1.0


class Tile(Square):
    def area(self) -> float:
        return super().area()


def never_called_at_all():
    return Tile()
""",
    "shapes/store.py": """\
import shapes.base
import json


def put(shape: "shapes.base.Shape"):
    return json.dumps(shape.describe())


def report():
    return put(None)
""",
    "shapes/other.py": "def report():\n    return None\n",
    "tests/test_square.py": """\
from shapes.square import Square


def test_describe():
    assert Square().describe()
""",
}


@pytest.fixture(scope="session")
def graph_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Index the repository, once."""
    root = write_tree(tmp_path_factory.mktemp("graph") / "repo", FILES)
    index(root, root / ".cgi" / "index.db")
    return root


@pytest.fixture
def indexer(graph_root: Path) -> Iterator[CodeIndexer]:
    """Open the index."""
    with CodeIndexer(graph_root) as opened:
        yield opened
