"""The real scip-python, where it is installed: `npm install --prefix .npm @sourcegraph/scip-python`."""

import shutil
import subprocess
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

INSTALLED = Path(__file__).parents[2] / ".npm" / "node_modules" / ".bin"
TOOL = shutil.which("scip-python", path=INSTALLED) or shutil.which("scip-python")

FILES = {
    "shapes.py": "class Circle:\n    def area(self) -> int:\n        return 3\n\n\n"
    "class Square:\n    def area(self) -> int:\n        return 4\n\n"
    "    @property\n    def side(self) -> int:\n        return 2\n",
    "use.py": "from typing import TypeVar\n\nfrom shapes import Circle, Square\n\nT = TypeVar('T')\n\n\n"
    "def same(of: list[dict[str, T]]) -> T:\n    return of[0]['shape']\n\n\n"
    "def measure(circles: list[dict[str, Circle]], square: Square) -> int:\n"
    "    return same(circles).area() + square.side\n",
}


@pytest.mark.skipif(TOOL is None, reason="scip-python is not installed")
def test_what_scip_python_knows_is_taken_over(tmp_path: Path) -> None:
    root, scip = write_tree(tmp_path / "repository", FILES), tmp_path / "index.scip"
    command = [str(TOOL), "index", "--project-name", "shapes", "--project-version", "1", "--output", str(scip)]
    # An environment of no packages, so that none of this machine is looked at.
    (tmp_path / "none.json").write_text("[]", encoding="utf-8")
    subprocess.run([*command, "--environment", str(tmp_path / "none.json")], cwd=root, check=True, capture_output=True)
    with CodeIndexer(root, workers=1) as indexer:
        report = indexer.index(scip=[scip])
        sql = (
            "select e.kind, e.line, t.qualified_name from edges as e join chunks as t on t.id = e.target_id "
            "join chunks as s on s.id = e.source_id where s.name = 'measure' and e.origin = 'scip' order by 1, 2, 3"
        )
        rows = SqliteStore(indexer.db).rows(sql)
    assert report.warnings == ()
    assert ("calls", 13, "shapes.Circle.area") in rows
    assert ("calls", 13, "use.same") in rows
    assert ("references", 13, "shapes.Square.side") in rows
