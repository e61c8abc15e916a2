"""Chunks come with what stands around them, within limits. Small chunks come with the big ones that hold them."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, NotInIndexError
from code_graph_indexer.ask import expand
from code_graph_indexer.ask.expand import Expander
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.sqlite import SqliteStore


def found(store: SqliteStore, query: str) -> RetrievedContext:
    return CodeRetriever(store, None).retrieve(query, limit=1)[0]


def test_code_comes_with_its_class_methods_imports_and_neighbours(store: SqliteStore) -> None:
    items = Expander(store, Settings()).expand([found(store, "Cart.total")]).items
    by_type: dict[str, list[str]] = defaultdict(list)
    for context in items:
        by_type[context.type].append(context.qualified_name)
    assert by_type["parent_class"] == ["shop.cart.Cart"]
    assert set(by_type["sibling"]) == {"shop.cart.Cart.subtotal", "shop.cart.Cart.weight", "shop.cart.Cart.add"}
    assert "shop.pricing.add_tax" in by_type["import"]
    assert "shop.orders.place_order" in by_type["caller"]
    assert all(context.reasoning and context.content and context.token_count > 0 for context in items)


def test_a_class_comes_with_its_first_methods(store: SqliteStore) -> None:
    items = Expander(store, Settings()).expand([found(store, "Cart")]).items
    methods = [context.qualified_name for context in items if context.type == "method"]
    assert methods == ["shop.cart.Cart.__init__", "shop.cart.Cart.add", "shop.cart.Cart.subtotal"]


def test_the_limits_are_settings(store: SqliteStore) -> None:
    settings = replace(Settings(), max_related_methods=1, max_imports=1)
    items = Expander(store, settings).expand([found(store, "Cart.total")]).items
    assert [context.type for context in items].count("sibling") == 1
    assert [context.type for context in items].count("import") == 1


def test_nothing_is_given_twice(store: SqliteStore) -> None:
    contexts = CodeRetriever(store, None).retrieve("Cart", limit=8)
    items = Expander(store, Settings()).expand(contexts).items
    ids = [context.node_id for context in items]
    assert len(set(ids)) == len(ids)
    assert not {context.node_id for context in contexts} & set(ids)


@pytest.mark.slow
def test_a_section_comes_with_those_above_and_below(tmp_path: Path) -> None:
    text = "# Guide\n\nAll of it.\n\n## Setup\n\nquagga\n\n" + "".join(f"### Step {n}\n\ndo {n}\n\n" for n in range(12))
    (tmp_path / "guide.md").write_text(text, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        (section,) = [result for result in indexer.retrieve("quagga", limit=5) if result.name == "Setup"]
        items = Expander(indexer.store, Settings()).expand([section]).items
    assert [context.type for context in items] == ["parent_section", *["child_section"] * 10]


def test_a_walk_that_takes_too_long_says_so(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expand, "MAX_SECONDS", -1.0)
    assert Expander(store, Settings()).expand([found(store, "Cart.total")]) == expand.Expansion((), truncated=True)


def test_parents_are_whole_and_scored_by_their_children(shop: Path) -> None:
    with CodeIndexer(shop) as indexer:
        parents = indexer.retrieve_with_parents("cart total weight subtotal", limit=30)
        cart = next(context for context in parents if context.qualified_name == "shop.cart.Cart")
    assert cart.content.startswith("class Cart:")
    assert "def weight" in cart.content
    (signal,) = cart.signals
    assert (signal.signal, signal.rank > 1) == ("children", True)
    assert [context.score for context in parents] == sorted((context.score for context in parents), reverse=True)


def test_examples_are_real_uses(shop: Path) -> None:
    with CodeIndexer(shop) as indexer:
        uses = indexer.retrieve_examples("Cart.total")
        assert "shop.orders.place_order" in [context.qualified_name for context in uses]
        assert all("total" in context.content for context in uses)
        assert len(indexer.retrieve_examples("Cart", limit=1)) == 1
        with pytest.raises(NotInIndexError):
            indexer.retrieve_examples("no_such_thing")


def test_symbols_are_found_by_the_words_of_their_names(shop: Path) -> None:
    with CodeIndexer(shop) as indexer:
        assert indexer.retrieve_symbols("place order")[0].qualified_name == "shop.orders.place_order"
        assert "shop.pricing.shipping_cost" in [
            symbol.qualified_name for symbol in indexer.retrieve_symbols("shipping")
        ]
        assert indexer.retrieve_by_keyword("place_order")[0].name == "place_order"
