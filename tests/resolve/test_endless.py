"""A search without an end costs its reference the target, and nothing else."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.resolve.rows import RowMaker
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("step", ["_edges", "_constructor_rows", "overrides", "declared"])
def test_a_search_without_an_end_stops_no_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def endless(self: RowMaker, *arguments: object) -> None:
        raise RecursionError

    write_tree(tmp_path, {"cart.py": "class Cart:\n    pass\n\n\ndef fill():\n    return Cart()\n"})
    monkeypatch.setattr(RowMaker, step, endless)
    with CodeIndexer(tmp_path, workers=1) as indexer:
        assert indexer.index().files == 1
        sites = indexer.callers("Cart")[0].steps
        assert (sites == ()) == (step in ("_edges", "_constructor_rows"))
