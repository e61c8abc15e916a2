"""What is exported as SCIP is the graph: taken in again, it says the same."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.scip import DEFINITION, IMPORT, READ, WRITE, message
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import write_tree
from tests.shop import copy_shop

pytestmark = pytest.mark.slow

FILES = {
    "shapes.py": "class Shape:\n    def area(self):\n        return 0\n\n\n"
    "class Square(Shape):\n    def area(self):\n        return 4\n",
    "use.py": "from shapes import Square\n\nSIDES = 4\n\n\ndef measure():\n    return Square().area()\n",
    "over.java": "class Over {\n  int f(int a) { return a; }\n  int f(String a) { return f(1); }\n}\n",
}


def exported(root: Path, to: Path) -> dict[str, list[tuple[list[int], str, int]]]:
    """Index and export a repository. Return the occurrences by path."""
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        indexer.graph.export_scip(to)
    index = message("Index")()
    index.ParseFromString(to.read_bytes())
    assert index.metadata.tool_info.name == "cgi"
    return {
        document.relative_path: [
            (list(occurrence.range), occurrence.symbol, occurrence.symbol_roles) for occurrence in document.occurrences
        ]
        for document in index.documents
    }


def test_definitions_and_references_stand_at_their_names(tmp_path: Path) -> None:
    occurrences = exported(write_tree(tmp_path / "r", FILES), tmp_path / "out.scip")
    area = "cgi . . . `shapes.py`/Square#area()."
    assert ([6, 8, 12], area, DEFINITION) in occurrences["shapes.py"]
    assert ([5, 13, 18], "cgi . . . `shapes.py`/Shape#", 0) in occurrences["shapes.py"]
    assert ([6, 20, 24], area, 0) in occurrences["use.py"]
    assert ([2, 0, 5], "cgi . . . `use.py`/SIDES.", DEFINITION) in occurrences["use.py"]


def test_uses_have_the_role_of_their_kind_and_members_a_symbol(tmp_path: Path) -> None:
    files = {
        "rates.py": "HIGH = 5\n\n\nclass Rate:\n    value: int = HIGH\n",
        "use.py": "from rates import (\n    HIGH,\n    Rate,\n)\n\n\ndef most(rate: Rate):\n    rate.value = HIGH\n",
    }
    occurrences = exported(write_tree(tmp_path / "r", files), tmp_path / "out.scip")
    assert [entry for entry in occurrences["use.py"] if entry[2] != DEFINITION] == [
        ([1, 4, 8], "cgi . . . `rates.py`/HIGH.", IMPORT),
        ([2, 4, 8], "cgi . . . `rates.py`/Rate#", IMPORT),
        ([6, 15, 19], "cgi . . . `rates.py`/Rate#", 0),
        ([7, 9, 14], "cgi . . . `rates.py`/Rate#value.", WRITE),
        ([7, 17, 21], "cgi . . . `rates.py`/HIGH.", READ),
    ]


def test_an_import_that_names_its_module_last_stands_at_its_names(tmp_path: Path) -> None:
    files = {
        "rates.ts": "export const HIGH = 5;\nexport const LOW = 1;\n",
        "use.ts": "import {\n  HIGH,\n} from './rates';\nimport { LOW } from './rates';\nexport const all = HIGH + LOW;\n",
    }
    occurrences = exported(write_tree(tmp_path / "r", files), tmp_path / "out.scip")
    assert [(place, roles) for place, _, roles in occurrences["use.ts"] if roles != DEFINITION] == [
        ([1, 2, 6], IMPORT),
        ([3, 9, 12], IMPORT),
        ([4, 19, 23], READ),
        ([4, 26, 29], READ),
    ]


def test_overloads_are_numbered(tmp_path: Path) -> None:
    occurrences = exported(write_tree(tmp_path / "r", FILES), tmp_path / "out.scip")
    symbols = [symbol for _, symbol, roles in occurrences["over.java"] if roles]
    assert [symbol.partition("Over#")[2] for symbol in symbols] == ["", "f().", "f(+1)."]


def test_what_overrides_is_a_relation(tmp_path: Path) -> None:
    exported(write_tree(tmp_path / "r", FILES), tmp_path / "out.scip")
    index = message("Index")()
    index.ParseFromString((tmp_path / "out.scip").read_bytes())
    relations = {
        information.display_name: [relation.symbol.partition("/")[2] for relation in information.relationships]
        for document in index.documents
        for information in document.symbols
        if information.relationships
    }
    assert relations == {"Square": ["Shape#"], "area": ["Shape#area()."]}


def test_taken_in_again_it_says_the_same(tmp_path: Path) -> None:
    root, scip = copy_shop(tmp_path), tmp_path / "out.scip"
    exported(root, scip)
    sql = "select source_id, target_id, kind, line from edges where kind in ('calls', 'inherits') order by 1, 2, 3, 4"
    with CodeIndexer(root, workers=1) as indexer:
        before = SqliteStore(indexer.db).rows(sql)
        indexer.index(full=True, scip=[scip])
        assert SqliteStore(indexer.db).rows(sql) == before
        exact = SqliteStore(indexer.db).rows(
            "select count(*) as count from edges where origin = 'scip' and kind = 'calls'"
        )
        assert exact[0][0] > len(before) // 2


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "r", FILES)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        with pytest.raises(UsageError, match="cannot be written"):
            indexer.graph.export_scip(tmp_path / "no" / "folder" / "out.scip")
