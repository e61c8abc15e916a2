"""Questions on relations and places are answered from the graph, and say what is not known."""

from pathlib import Path

import pytest

from code_graph_indexer.ask.graph_finder import Finding, GraphFinder
from code_graph_indexer.ask.route import FastPathRouter
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import index, opened, write_tree


def ask(store: SqliteStore, question: str) -> tuple[Finding, list[str]]:
    finding = GraphFinder(store).find(FastPathRouter().route(question))
    return finding, [chunk.qualified_name for chunk in store.chunks([hit.chunk_id for hit in finding.ranked])]


@pytest.mark.parametrize(
    ("question", "first", "sentence"),
    [
        ("who calls add_tax?", ["shop.pricing.add_tax", "shop.cart.Cart.total"], "1 callers of shop.pricing.add_tax"),
        ("what does place_order call?", ["shop.orders.place_order"], "called by shop.orders.place_order"),
        ("base classes of EmptyCartError", ["shop.orders.EmptyCartError"], "Nothing of the repository is above"),
        (
            "path from place_order to add_tax",
            ["shop.orders.place_order", "shop.cart.Cart.total"],
            "2 calls on the short",
        ),
        (
            "path from add_tax to place_order",
            ["shop.pricing.add_tax"],
            "No path of calls is known from add_tax to place_order",
        ),
        ("what breaks if add_tax changes", ["shop.pricing.add_tax", "shop.cart.Cart.total"], "affected by a change of"),
        ("tests of Cart.total", ["shop.cart.Cart.total"], "in tests of shop.cart.Cart.total"),
        ("what does shop/cart.py import", ["shop.cart", "shop.items"], "shop/cart.py imports shop/items.py:3"),
        (
            "which files import shop.pricing",
            ["shop.pricing", "shop.cart"],
            "shop/pricing.py is imported by shop/cart.py:4",
        ),
    ],
)
def test_the_definition_comes_first_and_what_it_is_related_to_behind(
    store: SqliteStore, question: str, first: list[str], sentence: str
) -> None:
    finding, names = ask(store, question)
    assert names[: len(first)] == first
    assert sentence in finding.summary


@pytest.mark.slow
def test_overloads_are_named_once(tmp_path: Path) -> None:
    text = "class A {\n  void f(int x) {}\n  void f(String x) {}\n  void g() { f(1); }\n}\n"
    index(write_tree(tmp_path / "repository", {"A.java": text}), tmp_path / "index.db")
    with opened(tmp_path / "index.db") as store:
        assert "callers of A.f (2 definitions): A.g" in ask(store, "who calls A.f")[0].summary


@pytest.mark.slow
def test_of_what_is_long_the_part_with_the_reference_is_shown(tmp_path: Path) -> None:
    impls = "".join(f"impl Shape for {name} {{\n    fn area(&self) -> u32 {{ 1 }}\n}}\n" for name in ("str", "u8"))
    text = f"pub trait Shape {{\n    fn area(&self) -> u32;\n}}\n\nfn other() {{}}\n\n{impls}"
    index(write_tree(tmp_path / "repository", {"src/lib.rs": text}), tmp_path / "index.db")
    with opened(tmp_path / "index.db") as store:
        finding, _ = ask(store, "built in type Shape implementations")
        trait, *texts = [
            store.chunk_texts([chunk])[0] for chunk in store.chunks([hit.chunk_id for hit in finding.ranked])
        ]
    assert trait.startswith("pub trait Shape")
    assert len(texts) == 2 and all("impl Shape for" in text for text in texts)


def test_how_sure_an_answer_is_is_said(store: SqliteStore) -> None:
    assert "proven" in ask(store, "who calls add_tax?")[0].summary


def test_the_innermost_frame_comes_first_and_others_are_counted(store: SqliteStore) -> None:
    trace = (
        'File "/srv/lib/wsgi.py", line 9, in run\n  x\nFile "/srv/app/shop/orders.py", line 25, in place_order\n  y\n'
        'File "/srv/app/shop/cart.py", line 25, in total\n  z'
    )
    finding, names = ask(store, trace)
    assert names == ["shop.cart.Cart.total", "shop.orders.place_order"]
    assert "1 of the files named are not in the index" in finding.summary


def test_the_innermost_frame_comes_first_also_where_a_trace_begins_with_it(store: SqliteStore) -> None:
    outer = "    at place_order (/srv/shop/orders.py:25:3)\n"
    _, names = ask(store, f"Error: x\n    at total (/srv/shop/cart.py:25:9)\n{outer}")
    assert names == ["shop.cart.Cart.total", "shop.orders.place_order"]
    _, names = ask(store, f"Error: x\n{'    at run (/srv/lib/wsgi.js:1:1)' * 40}\n{'x' * 9_000}\n{outer}")
    assert names == ["shop.orders.place_order"]


def test_a_frame_names_the_function_around_a_closure_also_on_the_line_above_its_place(store: SqliteStore) -> None:
    finding, names = ask(store, "shop.(*orders).place_order.func1(0xc0)\n\t/go/shop/orders.py:3 +0x1d")
    assert names == ["shop.orders.place_order"]
    assert "line 3 is no longer in place_order, shop/orders.py:22" in finding.summary


def test_a_line_behind_the_end_of_a_file_is_its_last_chunk(store: SqliteStore) -> None:
    assert ask(store, "shop/orders.py:9999")[1] == ["shop.orders.cancel_order"]


@pytest.mark.parametrize("question", ["who calls no_such_thing", "nowhere.py:3", "how is an order placed?"])
def test_what_the_graph_does_not_know_is_not_answered(store: SqliteStore, question: str) -> None:
    assert ask(store, question) == (Finding(), [])
