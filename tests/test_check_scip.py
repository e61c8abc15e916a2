"""The checker of SCIP indexes finds no fault in an export, and names what is wrong in a broken one."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.scip import parsed
from tests.indexing.repository import write_tree

SCRIPT = Path(__file__).parent.parent / "scripts" / "oracles" / "check_scip.py"
FILES = {"shop.py": "LIMIT = 10\n\n\ndef load():\n    return LIMIT\n", "use.py": "from shop import load\n\nload()\n"}
EXTERNAL = "scip-python python std 1 enum/Enum#"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("scip")
    with CodeIndexer(write_tree(folder / "r", FILES), workers=1) as indexer:
        indexer.index()
        indexer.graph.export_scip(folder / "out.scip")
    return (folder / "out.scip").read_bytes()


@pytest.fixture
def index(content: bytes) -> Any:
    return parsed("Index", content)


def faults(root: Path, index: Any) -> list[str]:
    write_tree(root / "r", FILES)
    checker = runpy.run_path(str(SCRIPT), run_name="check_scip")["Checker"]
    return [fault.kind for fault in checker(root / "r", index, True).faults()]


def test_an_export_has_no_fault(tmp_path: Path, index: Any) -> None:
    assert faults(tmp_path, index) == []


def call_of(index: Any) -> Any:
    """Return the occurrence of a call."""
    return next(occurrence for occurrence in index.documents[1].occurrences if occurrence.range[0] == 2)


@pytest.mark.parametrize(
    ("fault", "damage"),
    [
        ("path", lambda index: setattr(index.documents[0], "relative_path", "/shop.py")),
        ("path", lambda index: setattr(index.documents[0], "relative_path", "missing.py")),
        ("range", lambda index: call_of(index).range.append(90)),
        ("text", lambda index: call_of(index).range.__setitem__(2, 3)),
        ("role", lambda index: setattr(call_of(index), "symbol_roles", 128)),
        ("symbol", lambda index: setattr(call_of(index), "symbol", "load")),
        ("undescribed", lambda index: setattr(call_of(index), "symbol", EXTERNAL)),
        ("undefined", lambda index: setattr(call_of(index), "symbol", "local 3")),
        ("duplicate", lambda index: index.documents[1].occurrences.append(call_of(index))),
        ("described twice", lambda index: index.documents[0].symbols.append(index.documents[0].symbols[-1])),
    ],
)
def test_a_fault_is_named(tmp_path: Path, index: Any, fault: str, damage: Callable[[Any], None]) -> None:
    damage(index)
    assert fault in faults(tmp_path, index)


def test_a_symbol_of_another_package_needs_a_description(tmp_path: Path, index: Any) -> None:
    call_of(index).symbol = EXTERNAL
    index.external_symbols.add(symbol=EXTERNAL)
    assert faults(tmp_path, index) == ["text"]
