"""The libraries of languages are declarations in the language itself, packed when they change."""

import runpy
import sqlite3
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.languages import languages, libraries, libraries_of
from code_graph_indexer.resolve.library import declarations
from code_graph_indexer.syntax.packing import unpack

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "pack_libraries.py"

MOST_LINES = 200
"""Most lines of a library: so much a reader takes in at once."""


@pytest.mark.slow
def test_a_pack_has_what_the_declarations_say() -> None:
    packs: list[tuple[Path, bytes]] = list(runpy.run_path(str(SCRIPT))["packs"]())
    assert libraries() == tuple(path.name.removesuffix(".lib.pack") for path, _ in packs)
    stale = [path.name for path, packed in packs if unpack(path.read_bytes()) != unpack(packed)]
    assert stale == [], "run scripts/pack_libraries.py"


def test_each_library_belongs_to_a_language_and_is_short() -> None:
    assert set(libraries()) <= languages().keys()
    paths = sorted((SCRIPT.parent.parent / "code_graph_indexer" / "languages").glob("*.lib.pack"))
    assert libraries() == tuple(path.name.removesuffix(".lib.pack") for path in paths)
    for path in paths:
        (source,) = (file for file in path.parent.glob(f"{path.name.removesuffix('pack')}*") if file != path)
        assert len(source.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
        assert declarations(path.name.removesuffix(".lib.pack"))


def test_languages_of_a_family_share_their_libraries() -> None:
    assert libraries_of("vue") == libraries_of("javascript") == ("typescript",)


def test_a_declaration_of_the_library_is_no_definition_of_the_index(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        "class Cart:\n    def total(self): ...\ndef use(carts: list[Cart]):\n    sorted(carts).pop().total()\n"
    )
    with CodeIndexer(str(tmp_path), db=str(tmp_path / "shop.db"), embedder="hashing", workers=1) as indexer:
        indexer.index()
    rows = sqlite3.connect(tmp_path / "shop.db")
    assert rows.execute("select path from files").fetchall() == [("shop.py",)]
    targets = rows.execute("select name, target_id is null from refs where kind = 'calls' order by name").fetchall()
    assert targets == [("pop", 1), ("sorted", 1), ("total", 0)]
    rows.close()
