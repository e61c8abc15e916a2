"""SCIP indexes made by hand, for a repository whose calls the resolver cannot know."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.scip import DEFINITION, message
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import age, write_tree

FILES = {
    "src/shapes.py": "class Circle:\n    def area(self):\n        return 3\n\n\n"
    "class Square:\n    def area(self):\n        return 4\n",
    "src/use.py": "def measure(shape):\n    return shape.area()\n\n\ndef ä(shape): é = '𝄞'; return shape.area\n",
}
PACKAGE = "scip-x pip shapes . "
CIRCLE, SQUARE = f"{PACKAGE}shapes/Circle#area().", f"{PACKAGE}shapes/Square#area()."
MEASURED = (1, 17, "area")
READ = (4, 37, "area")


class Use(NamedTuple):
    """An occurrence: its place (line and column from 0, and the token), its symbol, its roles."""

    place: tuple[int, int, str]
    symbol: str
    roles: int = 0


DEFINED = (
    Use((0, 6, "Circle"), f"{PACKAGE}shapes/Circle#", DEFINITION),
    Use((1, 8, "area"), CIRCLE, DEFINITION),
    Use((5, 6, "Square"), f"{PACKAGE}shapes/Square#", DEFINITION),
    Use((6, 8, "area"), SQUARE, DEFINITION),
)


def document(path: str, uses: Sequence[Use], *, encoding: int = 2, **fields: Any) -> Any:
    """Make a document. `encoding` 2 counts columns in UTF-16 code units."""
    occurrences = [
        message("Occurrence")(range=[line, column, column + len(token)], symbol=use.symbol, symbol_roles=use.roles)
        for use in uses
        for line, column, token in (use.place,)
    ]
    return message("Document")(relative_path=path, occurrences=occurrences, position_encoding=encoding, **fields)


class Shapes:
    """The repository, and SCIP indexes beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = write_tree(folder / "repository", FILES)
        age(self.root)

    def scip(self, *uses: Use, folder: str = "src/", defined: Sequence[Use] = DEFINED, **fields: Any) -> Path:
        """Write a SCIP index that defines the shapes and says this of their use."""
        documents = [document(f"{folder}shapes.py", defined), document(f"{folder}use.py", uses, **fields)]
        return self.write(message("Index")(documents=documents))

    def write(self, index: Any) -> Path:
        path = self.folder / "index.scip"
        path.write_bytes(index.SerializeToString())
        return path

    def indexer(self) -> CodeIndexer:
        return CodeIndexer(self.root, workers=1)

    def edges(self) -> list[tuple[int, str, str, str]]:
        """List the line, kind, target and origin of what src/use.py refers to."""
        sql = (
            "select e.line, e.kind, t.qualified_name, e.origin from edges as e join chunks as s on s.id = e.source_id "
            "join files as f on f.id = s.file_id join chunks as t on t.id = e.target_id "
            "where f.path = 'src/use.py' and e.kind != 'child_of' order by 1, 2, 3"
        )
        with self.indexer() as indexer:
            return [(line, kind, target, origin) for line, kind, target, origin in SqliteStore(indexer.db).rows(sql)]


@pytest.fixture
def shapes(tmp_path: Path) -> Shapes:
    return Shapes(tmp_path)
