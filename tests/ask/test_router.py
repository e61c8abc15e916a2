"""A question is told by its form: what it asks, of which names, and which retriever answers it."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.ask.relations import Relation
from code_graph_indexer.ask.route import FastPathRouter, Route
from code_graph_indexer.ask.router import RAGRouter
from code_graph_indexer.ask.trace import read_frames
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.storage.sqlite import SqliteStore

GRAPH = [
    ("who calls Cart.total?", Relation.CALLERS, ("Cart.total",)),
    ("please show me all the callers of the function `place_order()`", Relation.CALLERS, ("place_order",)),
    ("where is add_tax used in this repo", Relation.CALLERS, ("add_tax",)),
    ("add_tax usages", Relation.CALLERS, ("add_tax",)),
    ("who calls `place_order`, and with which parent and base?", Relation.CALLERS, ("place_order",)),
    ("is add_tax dead code?", Relation.CALLERS, ("add_tax",)),
    ("what does place_order call", Relation.CALLEES, ("place_order",)),
    ("callees of Engine::addRoute", Relation.CALLEES, ("Engine::addRoute",)),
    ("which classes extend Exception", Relation.SUBCLASSES, ("Exception",)),
    ("subclasses of Field", Relation.SUBCLASSES, ("Field",)),
    ("base classes of EmptyCartError", Relation.BASES, ("EmptyCartError",)),
    ("what does Square inherit from?", Relation.BASES, ("Square",)),
    ("who implements io.Reader", Relation.IMPLEMENTATIONS, ("io.Reader",)),
    ("is Shape.area overridden anywhere?", Relation.IMPLEMENTATIONS, ("Shape.area",)),
    ("path from wsgi_app to dispatch", Relation.PATH, ("wsgi_app", "dispatch")),
    ("how does handle get to save?", Relation.PATH, ("handle", "save")),
    ("what breaks if I change place_order?", Relation.IMPACT, ("place_order",)),
    ("blast radius of OrderStore.save", Relation.IMPACT, ("OrderStore.save",)),
    ("is it safe to remove add_tax", Relation.IMPACT, ("add_tax",)),
    (
        "Cart.total in shop/cart.py has to change. What has to change with it?",
        Relation.IMPACT,
        ("Cart.total", "shop/cart.py"),
    ),
    ("add_tax must be renamed", Relation.IMPACT, ("add_tax",)),
    ("which tests cover place_order", Relation.TESTS, ("place_order",)),
    ("what does shop/cart.py import?", Relation.IMPORTS, ("shop/cart.py",)),
    ("which files import shop.pricing", Relation.DEPENDENTS, ("shop.pricing",)),
    ("Is anything still calling add_tax? I'd like to drop it.", Relation.CALLERS, ("add_tax",)),
    ("add_tax: who uses it?", Relation.CALLERS, ("add_tax",)),
    ("headers included by lib/ws.c", Relation.IMPORTS, ("lib/ws.c",)),
]


@pytest.mark.parametrize(("question", "relation", "names"), GRAPH)
def test_questions_on_relations(question: str, relation: Relation, names: tuple[str, ...]) -> None:
    path = FastPathRouter().route(question)
    assert (path.route, path.relation, path.names) == (Route.GRAPH, relation, names)
    assert path.reason


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("place_order", Route.NAME),
        ("Cart", Route.NAME),
        ("where is EmptyCartError defined?", Route.NAME),
        ("class OrderStore", Route.NAME),
        ("shop/cart.py", Route.NAME),
        ("src/app.py:120", Route.PLACE),
        ("what is at tree.go line 88?", Route.PLACE),
        ("router.go#L20-L40", Route.PLACE),
        ('"cart is empty"', Route.PHRASE),
        ("0x1F600", Route.PHRASE),
        ("ValueError: too many values to unpack (expected 2)", Route.PHRASE),
        ("where does the message cart is empty come from", Route.PHRASE),
        ("No %s matches the given query.", Route.PHRASE),
        ("how is an order placed?", Route.CONCEPT),
        ("why does the cart forget its discount after a reload", Route.CONCEPT),
        ("how does Flask's Blueprint merge its url_prefix with the app's", Route.CONCEPT),
        ("how are tests discovered", Route.CONCEPT),
        ("what happens when a request path has a trailing slash", Route.CONCEPT),
        ("rate limiting middleware", Route.CONCEPT),
        ("", Route.CONCEPT),
    ],
)
def test_other_questions(question: str, route: Route) -> None:
    assert FastPathRouter().route(question).route is route


@given(st.text(max_size=300))
def test_any_text_has_a_route(text: str) -> None:
    path = FastPathRouter().route(text)
    assert path.route in Route
    assert (path.relation is not None) == (path.route is Route.GRAPH)


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ('  File "/srv/shop/cart.py", line 12, in total\n    x', [("/srv/shop/cart.py", 12, "total")]),
        ("\tat com.shop.Cart.total(Cart.java:42)", [("Cart.java", 42, "com.shop.Cart.total")]),
        ("   at Shop.Cart.Total(Int32 x) in /src/Cart.cs:line 7", [("/src/Cart.cs", 7, "Shop.Cart.Total")]),
        ("    at total (/app/web/cart.ts:9:13)", [("/app/web/cart.ts", 9, "total")]),
        ("    at file:///app/cart.mjs:3:1", [("/app/cart.mjs", 3, "")]),
        ("main.ship(...)\n\t/go/worker/ship.go:31 +0x1d", [("/go/worker/ship.go", 31, "main.ship")]),
        ("shop.(*Cart).Total(0xc0, {0x1, 0x2})\n\t/go/cart.go:9 +0x1", [("/go/cart.go", 9, "shop.(*Cart).Total")]),
        ("created by shop.Run.func1 in goroutine 1\n\t/go/cart.go:9 +0x1", [("/go/cart.go", 9, "shop.Run.func1")]),
        ("   4: shop::cart::total\n             at ./src/cart.rs:9:5", [("./src/cart.rs", 9, "shop::cart::total")]),
        ("#1 0x55e in total(Cart*, int) /src/cart.c:9:2", [("/src/cart.c", 9, "total")]),
        ("#1  0x0000e in shop::Cart::total (this=0x1, n=2) at cart.cc:9", [("cart.cc", 9, "shop::Cart::total")]),
        ("  frame #1: 0x01 shop`total(cart=0x01) at cart.c:9:2", [("cart.c", 9, "total")]),
        ("#1      Cart.total (package:shop/cart.dart:9:2)", [("shop/cart.dart", 9, "Cart.total")]),
        ("    at total (http://localhost:5173/src/cart.ts?t=17&v=a:9:13)", [("src/cart.ts", 9, "total")]),
        ("total@https://shop.example/src/cart.ts:9:13", [("shop.example/src/cart.ts", 9, "total")]),
        ("shop/cart.py:9: in total\n    x", [("shop/cart.py", 9, "total")]),
        ("    (shop 1.0.0) lib/cart.ex:9: Shop.Cart.total/1", [("lib/cart.ex", 9, "Shop.Cart.total")]),
        ("thread 'main' panicked at src/main.rs:9:8:\nboom", [("src/main.rs", 9, "")]),
        ("lib/cart.rb:3:in `total'", [("lib/cart.rb", 3, "total")]),
        ("#0 /var/www/Cart.php(12): Shop\\Cart->total()", [("/var/www/Cart.php", 12, "Shop\\Cart->total")]),
        ("cart.c:12:5: error: expected ';'", [("cart.c", 12, "")]),
        ("lib/cookie.c(932)", [("lib/cookie.c", 932, "")]),
        ("no places here: 12:30", []),
    ],
)
def test_places_are_read_from_any_trace(text: str, frames: list[tuple[str, int, str]]) -> None:
    assert [(frame.path, frame.line, frame.name) for frame in read_frames(text)] == frames


def test_a_hostile_text_is_read_quickly_and_only_in_part() -> None:
    assert len(read_frames("a.py:1 " * 10_000)) <= 50
    assert FastPathRouter().route("(" * 100_000 + "a/" * 100_000).route is Route.CONCEPT


@pytest.mark.parametrize(
    ("question", "retriever"),
    [
        ("who calls add_tax", "graph"),
        ("shop/cart.py:3", "graph"),
        ("place_order", "sparse"),
        ('"refuse an empty cart"', "sparse"),
        ("how is an order placed?", "hybrid"),
        ("xylophone zebra", "dense"),
    ],
)
def test_each_route_has_its_retriever(store: SqliteStore, embedder: Embedder, question: str, retriever: str) -> None:
    decision = asyncio.run(RAGRouter(store, embedder).aroute(question))
    assert decision.retriever.name == retriever
    assert asyncio.run(decision.retriever.aretrieve(question, limit=3))


def test_without_vectors_nothing_is_dense(store: SqliteStore) -> None:
    assert RAGRouter(store).route("xylophone zebra").retriever.name == "hybrid"


def test_words_that_fit_everywhere_take_no_time() -> None:
    # Without a memory of what failed this takes minutes.
    assert FastPathRouter().route("what " + "is if a the " * 23 + "?").route is Route.CONCEPT


def test_a_word_that_only_tells_which_thing_is_meant_is_no_name() -> None:
    path = FastPathRouter().route("Where is the Chrome process created?")
    assert path.route is Route.CONCEPT
    assert FastPathRouter().route("Where is the executable of Chrome searched for?").relation is None
    assert FastPathRouter().route("Where is the Cart class used?").names == ("Cart",)


def test_the_name_in_a_condition_is_not_what_is_asked() -> None:
    path = FastPathRouter().route("Which codec is used if some of the users cannot do Opus?")
    assert path.route is Route.CONCEPT
