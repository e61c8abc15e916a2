"""Requests give up filters that leave nothing, and are merged with their reasons."""

import asyncio
import logging

import pytest

from code_graph_indexer import UsageError
from code_graph_indexer.ask.gather import Gatherer, merge
from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput, decompose
from code_graph_indexer.results import Filters
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage.sqlite import SqliteStore


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
