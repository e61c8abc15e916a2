"""Fusion: monotone, free of the order of its lists, every score the sum of its parts."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from code_graph_indexer.retrieval.fuse import fuse_by_score, reciprocal_rank
from code_graph_indexer.retrieval.signals import SIGNALS, RankedList
from code_graph_indexer.storage.arrays import Hits

pytestmark = pytest.mark.slow

chunk_ids = st.lists(st.integers(1, 30), unique=True, max_size=12)
ranked_lists = st.tuples(*(chunk_ids for _ in SIGNALS)).map(
    lambda id_lists: [ranked(signal, ids) for signal, ids in zip(SIGNALS, id_lists, strict=True)]
)


def ranked(signal: str, ids: list[int]) -> RankedList:
    return RankedList(signal, Hits.of((chunk_id, 1.0 / rank) for rank, chunk_id in enumerate(ids, 1)))


def fuse(lists: Sequence[RankedList]) -> list[tuple[int, float]]:
    fused = fuse_by_score(lists)
    return list(zip(fused.ids.tolist(), np.cumsum(fused.shares, axis=0)[-1].tolist(), strict=True))


@given(lists=ranked_lists, data=st.data())
def test_a_better_rank_never_lowers_the_fused_score(lists: list[RankedList], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(lists) - 1))
    ids = [hit.chunk_id for hit in lists[which].hits]
    assume(len(ids) > 1)
    place = data.draw(st.integers(1, len(ids) - 1))
    better = data.draw(st.integers(0, place - 1))
    moved = [*ids[:better], ids[place], *ids[better:place], *ids[place + 1 :]]
    improved = [*lists[:which], ranked(lists[which].signal, moved), *lists[which + 1 :]]
    before, after = dict(fuse(lists)), dict(fuse(improved))
    assert after[ids[place]] > before[ids[place]]


@given(lists=ranked_lists, random=st.randoms())
def test_the_order_of_the_lists_does_not_matter(lists: list[RankedList], random: object) -> None:
    shuffled = list(lists)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fuse(shuffled) == fuse(lists)


@given(lists=ranked_lists)
def test_every_chunk_comes_once_best_first_with_a_score_that_is_the_sum_of_its_parts(lists: list[RankedList]) -> None:
    fused, pairs = fuse_by_score(lists), fuse(lists)
    ids = {hit.chunk_id for ranked_list in lists for hit in ranked_list.hits}
    assert sorted(chunk_id for chunk_id, _ in pairs) == sorted(ids)
    assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    for place, (_, score) in enumerate(pairs):
        parts = [fused.part(row, place) for row in range(len(lists))]
        assert math.isclose(score, sum(part.contribution for part in parts))


def test_the_formula_of_rank_fusion_is_the_published_one() -> None:
    assert reciprocal_rank(1, 60) == 1 / 61


def test_scores_are_compared_with_the_best_of_their_signal_but_for_definitions() -> None:
    words = RankedList("words", Hits.of([(1, 40.0), (2, 10.0)]))
    definitions = RankedList("definition", Hits.of([(3, 0.5)]))
    assert dict(fuse([words, definitions])) == {
        1: SIGNALS["words"].by_score,
        2: SIGNALS["words"].by_score / 4,
        3: SIGNALS["definition"].by_score / 2,
    }
