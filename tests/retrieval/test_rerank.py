"""Rank fusion: monotone, free of the order of its lists; boosts that are named."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from code_graph_indexer.retrieval import RankedList, Reranker
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.rerank import (
    EXAMPLE_PENALTY,
    GENERATED_PENALTY,
    RRF_FOLDER_BOOST,
    SIGNAL_WEIGHTS,
    TEST_PENALTY,
    TEXT_PENALTY,
    VENDORED_PENALTY,
    reciprocal_rank,
)
from code_graph_indexer.storage import Hit
from code_graph_indexer.types import StoredChunk

SIGNALS = sorted(SIGNAL_WEIGHTS)

chunk_ids = st.lists(st.integers(1, 30), unique=True, max_size=12)
ranked_lists = st.tuples(*(chunk_ids for _ in SIGNALS)).map(
    lambda found: [ranked(signal, ids) for signal, ids in zip(SIGNALS, found, strict=True)]
)


def ranked(signal: str, ids: list[int]) -> RankedList:
    return RankedList(signal, tuple(Hit(one, 1.0 / rank) for rank, one in enumerate(ids, 1)))


def scores(lists: list[RankedList]) -> dict[int, float]:
    return {one.chunk_id: one.score for one in Reranker().fuse(lists)}


def stored(path: str = "src/a.py", *, mark: str = "", source_type: str = "code") -> StoredChunk:
    marks = [mark == one for one in ("test", "example", "generated", "vendored")]
    return StoredChunk(
        1, 1, None, "function", "f", "a.f", "def f()", "", 0, 9, 1, 2, 1, 2, path, "python", source_type, "", *marks
    )


@given(ranked_lists, st.data())
def test_a_better_rank_never_lowers_the_fused_score(lists: list[RankedList], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(lists) - 1))
    hits = lists[which].hits
    assume(len(hits) > 1)
    place = data.draw(st.integers(1, len(hits) - 1))
    better = data.draw(st.integers(0, place - 1))
    moved = [*hits[:better], hits[place], *hits[better:place], *hits[place + 1 :]]
    improved = [*lists[:which], RankedList(lists[which].signal, tuple(moved)), *lists[which + 1 :]]
    assert scores(improved)[hits[place].chunk_id] > scores(lists)[hits[place].chunk_id]


@given(ranked_lists, st.randoms())
def test_the_order_of_the_lists_does_not_matter(lists: list[RankedList], random: object) -> None:
    shuffled = list(lists)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Reranker().fuse(shuffled) == Reranker().fuse(lists)


@given(ranked_lists)
def test_every_chunk_comes_once_and_best_first(lists: list[RankedList]) -> None:
    fused = Reranker().fuse(lists)
    assert {one.chunk_id for one in fused} == {hit.chunk_id for one in lists for hit in one.hits}
    assert len({one.chunk_id for one in fused}) == len(fused)
    assert fused == sorted(fused, key=lambda one: (-one.score, one.chunk_id))


@given(ranked_lists)
def test_the_contributions_of_the_signals_sum_to_the_score(lists: list[RankedList]) -> None:
    for one in Reranker().fuse(lists):
        assert math.isclose(one.score, sum(signal.contribution for signal in one.signals))


def test_the_formula_is_the_published_one() -> None:
    assert reciprocal_rank(1, 60) == 1 / 61
    fused = Reranker(k=10, weights={"words": 2.0}).fuse([ranked("words", [7]), ranked("unknown", [8])])
    assert [(one.chunk_id, one.score) for one in fused] == [(7, 2 / 11), (8, 1 / 11)]


@pytest.mark.parametrize(
    ("chunk", "name", "factor"),
    [
        (stored(mark="test"), "test", TEST_PENALTY),
        (stored(mark="example"), "example", EXAMPLE_PENALTY),
        (stored(mark="generated"), "generated", GENERATED_PENALTY),
        (stored(mark="vendored"), "vendored", VENDORED_PENALTY),
        (stored(source_type="text"), "text", TEXT_PENALTY),
        (stored(source_type="markdown"), "markdown", TEXT_PENALTY),
        (stored("lib/a.py"), "folder", RRF_FOLDER_BOOST),
    ],
)
def test_a_boost_is_named_and_multiplies_the_score(chunk: StoredChunk, name: str, factor: float) -> None:
    fused = Reranker().fuse([ranked("words", [1])])
    (boosted,) = Reranker().boost(fused, {1: chunk}, read_query("f"), ["lib/"])
    assert boosted.score == pytest.approx(fused[0].score * factor)
    assert [(one.signal, one.score) for one in boosted.signals if one.rank == 0] == [(name, factor)]


def test_a_query_about_tests_does_not_hold_them_back() -> None:
    fused = Reranker().fuse([ranked("words", [1])])
    assert Reranker().boost(fused, {1: stored(mark="test")}, read_query("tests of f"), []) == fused


def test_a_preferred_folder_is_a_whole_folder() -> None:
    fused = Reranker().fuse([ranked("words", [1])])
    assert Reranker().boost(fused, {1: stored("library/a.py")}, read_query("f"), ["lib"]) == fused
