"""Requests give up filters that leave nothing, and are merged with their reasons."""

import asyncio
import logging
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.ask.gather import Gatherer, merge
from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput, decompose
from code_graph_indexer.results import Filters
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.sqlite import SqliteStore
from tests.indexing.repository import index, write_tree


@pytest.fixture
def gatherer(store: SqliteStore) -> Gatherer:
    return Gatherer(store, None, Settings())


def test_each_request_keeps_what_it_found(gatherer: Gatherer) -> None:
    requests = [
        RetrievalRequest("place_order", reasoning="orders"),
        RetrievalRequest("shipping_cost", reasoning="ship"),
    ]
    orders, shipping = asyncio.run(gatherer.agather(requests, Filters()))
    assert orders.contexts[0].name == "place_order"
    assert shipping.contexts[0].name == "shipping_cost"
    merged = merge([orders, shipping], k=60, limit=50)
    assert {context.name: context.reasoning for context in merged}["shipping_cost"] == "ship"
    assert len({context.node_id for context in merged}) == len(merged)
    assert [context.score for context in merged] == sorted((context.score for context in merged), reverse=True)


def test_filters_that_leave_nothing_are_given_up_in_order(gatherer: Gatherer, caplog: pytest.LogCaptureFixture) -> None:
    request = RetrievalRequest(
        "place_order", source_types=("markdown",), folders=("nowhere",), file_patterns=("*.nothing",)
    )
    with caplog.at_level(logging.INFO):
        (gathering,) = asyncio.run(gatherer.agather([request], Filters()))
    assert gathering.contexts
    assert gathering.steps[0].endswith("without the file patterns *.nothing")
    assert all(step in caplog.text for step in gathering.steps)


def test_filters_of_the_user_are_never_given_up(gatherer: Gatherer) -> None:
    request = RetrievalRequest("place_order", file_patterns=("*.py",))
    (gathering,) = asyncio.run(gatherer.agather([request], Filters(languages=("haskell",))))
    assert gathering.contexts == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"query": "  "}, "no query"),
        ({"query": "x" * 5_000}, "over 4,000"),
        ({"query": "x", "source_types": ("prose",)}, "no source type 'prose'"),
        ({"query": "x", "folders": tuple("abcdefghijkl")}, "over 10"),
    ],
)
def test_a_request_that_cannot_be_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RetrievalRequest(**fields)  # type: ignore[arg-type]


def test_the_requests_of_a_question_are_few_and_distinct() -> None:
    request = RetrievalRequest("a b")
    with pytest.raises(UsageError, match="same query"):
        RouterOutput((request, RetrievalRequest("A  B")))
    with pytest.raises(UsageError, match="0 requests"):
        RouterOutput(())
    with pytest.raises(UsageError, match="6 requests"):
        RouterOutput(tuple(RetrievalRequest(str(place)) for place in range(6)))


def test_a_question_of_parts_is_split() -> None:
    question = "how is the cart total computed and where is the order stored after that?"
    output = decompose(question)
    assert [request.query for request in output.requests] == [
        question,
        "how is the cart total computed",
        "where is the order stored after that",
    ]


def test_documentation_and_configuration_are_searched_for_where_they_are() -> None:
    kinds = [request.source_types for request in decompose("what does the readme say of config files").requests]
    assert kinds == [(), ("markdown", "text")]


def test_copied_and_minified_scripts_answer_only_if_no_own_code_does(tmp_path: Path) -> None:
    files = {
        "shop.js": "export function pickRange(first, last) {\n  return [first, last];\n}\n",
        "public/lib/calendar.js": "/*! Calendar v3.9.0 */\nfunction pickRange(first) {}\nfunction moonPhase(day) {}\n",
        "public/shop.min.js": "function pickRange(a,b){return[a,b]}\n",
    }
    index(write_tree(tmp_path / "root", files), tmp_path / "index.db")
    with CodeIndexer(tmp_path / "root", db=tmp_path / "index.db", update=False) as indexer:
        ask = Gatherer(indexer.store, None, Settings()).gather

        def paths(query: str) -> set[str]:
            (gathering,) = ask([RetrievalRequest(query)], Filters())
            return {context.file_path for context in gathering.contexts}

        assert paths("pickRange") == {"shop.js"}
        assert paths("moonPhase") == {"public/lib/calendar.js"}
