"""The walk around a result: where it stands, what it uses, who calls it. It ends on a damaged index too."""

from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.ask.expand import Expander
from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.retrieval.walk import GraphWalker
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import index, write_tree


def chunk_of(store: SqliteStore, path: str, name: str) -> StoredChunk:
    return next(chunk for chunk in store.file_chunks(path) if chunk.name == name)


def test_ancestors_lead_from_the_nearest_to_the_module(store: SqliteStore) -> None:
    around = GraphWalker(store).ancestors([chunk_of(store, "shop/cart.py", "total")])[0]
    assert [(context.kind, context.qualified_name) for context in around] == [
        ("class", "shop.cart.Cart"),
        ("module", "shop.cart"),
    ]


def test_a_header_names_module_class_and_the_imports_that_are_used(store: SqliteStore) -> None:
    chunk = chunk_of(store, "shop/cart.py", "total")
    (around,) = GraphWalker(store).surroundings([chunk], store.chunk_texts([chunk]))
    header = around.header
    assert header.splitlines()[:3] == ["shop/cart.py:21", "module shop.cart", "class Cart"]
    assert "apply_discount" in header
    assert "Item" not in header


def test_related_definitions_are_callers_then_callees(store: SqliteStore) -> None:
    chunk = chunk_of(store, "shop/cart.py", "total")
    related = GraphWalker(store).related([chunk])[chunk.id]
    relations = [definition.relation for definition in related]
    assert relations == sorted(relations, reverse=True, key="callee caller".find)
    assert ("caller", "shop.orders.place_order") in [
        (definition.relation, definition.qualified_name) for definition in related
    ]
    assert ("callee", "shop.pricing.add_tax") in [
        (definition.relation, definition.qualified_name) for definition in related
    ]


@pytest.mark.parametrize("damage", ["itself", "each other"])
def test_chunks_that_hold_themselves_are_refused(own_shop: Path, damage: str) -> None:
    with CodeIndexer(misplaced(own_shop, damage)) as indexer:
        for ask in (lambda: indexer.retrieve("Cart.total"), lambda: indexer.outline("shop/cart.py")):
            with pytest.raises(IndexFormatError, match=r"part of itself|parent_id and id"):
                ask()


def test_the_walk_ends_at_a_chunk_that_is_gone(own_shop: Path) -> None:
    with CodeIndexer(misplaced(own_shop, "nothing")) as indexer:
        (result, *_) = indexer.retrieve("Cart.total")
        assert result.qualified_name == "shop.cart.Cart.total"
        assert result.context_header.startswith("shop/cart.py:21")
        assert indexer.outline("shop/cart.py").symbols
        assert indexer.callees("Cart.total")


def misplaced(own_shop: Path, damage: str) -> Path:
    """Give chunks of an index wrong parents, and return the root of its repository."""
    db = own_shop / ".cgi" / "index.db"
    store = SqliteStore(db)
    method, around = chunk_of(store, "shop/cart.py", "total"), chunk_of(store, "shop/cart.py", "Cart")
    store.close()
    parents = {
        "itself": [(method.id, method.id)],
        "each other": [(around.id, method.id), (method.id, around.id)],
        "nothing": [(10**6, method.id)],
    }
    connection = apsw.Connection(str(db))
    connection.pragma("foreign_keys", False)
    connection.executemany("update text_chunks set parent_id = ? where id = ?", parents[damage])
    connection.close()
    return own_shop


@pytest.mark.slow
def test_a_declaration_leads_to_its_definition_and_back(tmp_path: Path) -> None:
    files = {
        "app.h": "/* Start the engine. */\nint start(int level);\n",
        "app.c": '#include "app.h"\nint start(int level) {\n    return level;\n}\n',
    }
    root = write_tree(tmp_path / "app", files)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db") as indexer:
        contexts = {context.file_path: context for context in indexer.retrieve("start the engine")}
        assert [
            (related.relation, related.qualified_name, related.file_path, related.start_line)
            for path in ("app.h", "app.c")
            for related in contexts[path].related_definitions
        ] == [("definition", "start", "app.c", 2), ("declaration", "start", "app.h", 2)]
        items = Expander(indexer.store, indexer.settings).expand([contexts["app.h"]]).items
        assert [(item.type, item.file_path, item.content, item.reasoning) for item in items] == [
            ("definition", "app.c", "int start(int level) {\n    return level;\n}\n", "definition of start")
        ]
