from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.edits import FIXTURES, START
from tests.indexing.repository import index, opened, write_tree

LANGUAGES = {
    f"all/{path.name}": path.read_text(encoding="utf-8") for path in FIXTURES.iterdir() if path.suffix != ".golden"
}
TWINS = {"twins.txt": f"{'the very same text ' * 8:<159}\n" * 200}
"""Twenty chunks that are alike to the letter."""

ODD = {
    "odd/made.h": "WRAP_ONE(acos)\n",
    "odd/made.c": "#define WRAP_ONE(name) int wrap_ ## name(int a) { return a; }\n"
    '#include "made.h"\n'
    "int f(void) { return wrap_acos(1); }\n",
    "odd/text.txt": "Straße ÄÖÜ naïve façade 文件名 İstanbul ﬁne foo.bar_baz FooBarBaz 0xDEADBEEF a1b2c3d4e5f6 $x @y\n",
}


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a repository with every language. Do not change it."""
    return write_tree(tmp_path_factory.mktemp("stored"), {**START, **LANGUAGES, **TWINS, **ODD})


@pytest.fixture(scope="session")
def db(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return its index. Do not change it."""
    place = tmp_path_factory.mktemp("index") / "index.db"
    index(tree, place, workers=2, parse_timeout=60)
    return place


@pytest.fixture(scope="session")
def store(db: Path) -> Iterator[SqliteStore]:
    with opened(db) as opened_store:
        yield opened_store
