"""A query is read as a programmer means it. Any text is a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.words import dotted_name


@pytest.mark.parametrize(
    ("text", "names", "qualified"),
    [
        ("place_order", ("place_order",), ()),
        ("Cart", ("Cart",), ()),
        ("Cart.total", ("total",), ("Cart.total",)),
        ("std::vec::Vec", ("Vec",), ("std.vec.Vec",)),
        ("Engine#start", ("start",), ("Engine.start",)),
        ("ptr->next", ("next",), ("ptr.next",)),
        ("shop/cart.py", ("py",), ("shop.cart.py",)),
        ("how does CartView render", ("CartView",), ()),
        ("where is the cart drawn", (), ()),
        ("what calls `add` on the cart", ("add",), ()),
        ("empty?", ("empty?",), ()),
    ],
)
def test_names_are_told_from_words(text: str, names: tuple[str, ...], qualified: tuple[str, ...]) -> None:
    query = read_query(text)
    assert (query.names, query.qualified) == (names, qualified)


@pytest.mark.parametrize(
    ("text", "quoted", "phrases"),
    [
        ('find "insert into orders"', ("insert into orders",), ()),
        ("why `q.waiting[1:]`", ("q.waiting[1:]",), ("q.waiting",)),
        ("`save`", ("save",), ()),
        ("0xCAFE", (), ("0xCAFE",)),
        ("the cart", (), ()),
    ],
)
def test_names_and_what_is_quoted_are_looked_for_as_written(
    text: str, quoted: tuple[str, ...], phrases: tuple[str, ...]
) -> None:
    query = read_query(text)
    assert (query.quoted, query.phrases) == (quoted, phrases)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Invalid username or password entered.", "Invalid username or password entered"),
        ("cannot be empty", "cannot be empty"),
        ("session store", ""),
        ("No metadata for 'User' was found", ""),
        ("where are passwords checked?", ""),
    ],
)
def test_a_longer_text_without_quotes_may_be_a_message(text: str, message: str) -> None:
    assert read_query(text).message == message


def test_adjacent_words_may_be_one_name() -> None:
    joined = read_query("place order twice").joined
    assert {"placeorder", "place_order", "order_twice", "place_order_twice"} <= set(joined)


@pytest.mark.parametrize(
    ("text", "repository", "words"),
    [
        ("plugins of Bash-It", "bash-it", ("plugins",)),
        ("a tRPC router", "trpc", ("router",)),
        ("a tRPC router", "", ("t", "rpc", "trpc", "router")),
        ("Django middleware", "django-5.2.8", ("middleware",)),
        ("gin router", "gin-main", ("router",)),
        ("gin.go", "gin", ("gin", "go")),
        ("gin", "gin", ("gin",)),
        ("router", "__", ("router",)),
    ],
)
def test_the_name_of_the_repository_is_no_word_of_a_query(text: str, repository: str, words: tuple[str, ...]) -> None:
    assert read_query(text, repository).words == words


@pytest.mark.parametrize(("text", "about"), [("test of the cart", True), ("latest cart", False), ("Tests", True)])
def test_a_query_about_tests_says_so(text: str, about: bool) -> None:
    assert read_query(text).about_tests is about


@pytest.mark.parametrize(
    ("spelling", "dotted"),
    [
        ("a::b::c", "a.b.c"),
        ("A#b", "A.b"),
        ("a->b", "a.b"),
        ("a/b", "a.b"),
        ("A\\B", "A.B"),
        (" a.b() ", "a.b"),
        ("::a", "a"),
        ("", ""),
    ],
)
def test_a_qualified_name_of_any_language_is_written_with_dots(spelling: str, dotted: str) -> None:
    assert dotted_name(spelling) == dotted


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_is_a_query(text: str) -> None:
    query = read_query(text)
    assert "\0" not in query.text
    query.text.encode()
    assert all(name for name in (*query.names, *query.qualified, *query.phrases))


def test_expected_words_are_searched_first_and_the_question_second() -> None:
    query = read_query("what happens when `Cart` is full?", expect="evict MaxItems the limit")
    assert query.words[0] == "evict"
    assert {"MaxItems", "Cart"} == set(query.names)
    # A word is tried as a name too, alone and with its neighbours.
    assert {"evict", "limit", "evictMaxItems"} <= set(query.joined)
    assert "the" not in query.joined
    assert {"happens", "full"} <= set(query.question)
    assert not query.plain
    assert read_query("a cart", expect=" ") == read_query("a cart")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("where is it documented?", ("markdown",)),
        ("which config files are read?", ("text",)),
        ("where is it read?", ()),
    ],
)
def test_a_question_may_speak_of_documents(text: str, kinds: tuple[str, ...]) -> None:
    assert read_query(text).documents == kinds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("where is the configuration read", ("configuration", "read", "cfg")),
        ("cfg", ("cfg", "config")),
        ("max length of a msg", ("max", "length", "msg", "maximum", "len", "message")),
        ("session store", ("session", "store")),
    ],
)
def test_words_bring_the_forms_that_programmers_write(text: str, words: tuple[str, ...]) -> None:
    assert read_query(text).words == words
