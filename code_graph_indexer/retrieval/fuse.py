"""Fuse the signals' ranked lists: by normalised scores, or by weighted reciprocal ranks."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, repeat
from typing import NamedTuple

from code_graph_indexer.records import SignalRank
from code_graph_indexer.retrieval.search import RankedList
from code_graph_indexer.types import as_records

RRF_WEIGHTS: Mapping[str, float] = {"definition": 1.6, "quoted": 1.6, "words": 1.0, "trigram": 0.6, "vector": 1.0}
"""Weights of the signals in reciprocal rank fusion: a definition of the very name asked for counts most."""

SCORE_WEIGHTS: Mapping[str, float] = {"vector": 6.0, "words": 2.5, "definition": 2.5, "trigram": 1.0, "quoted": 4.0}
"""What the best hit of each signal adds when scores are fused; docs/ranking.md has how they were chosen."""


class Fused(NamedTuple):
    """A chunk with its score and what each signal, boost and penalty added to it."""

    chunk_id: int
    score: float
    signals: tuple[SignalRank, ...]


def reciprocal_rank(rank: int, k: int) -> float:
    """Score a rank (from 1) by 1 / (k + rank): Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009)."""
    return 1.0 / (k + rank)


def fuse_by_rank(lists: Sequence[RankedList], *, k: int, weights: Mapping[str, float] = RRF_WEIGHTS) -> list[Fused]:
    """Give each hit weight / (k + rank); return every chunk once, best first, whatever the order of the lists."""

    def shares(one: RankedList) -> list[float]:
        weight = weights.get(one.signal, 1.0)
        return [weight * reciprocal_rank(rank, k) for rank in range(1, len(one.hits) + 1)]

    return _fuse(lists, shares)


def fuse_by_score(lists: Sequence[RankedList], weights: Mapping[str, float] = SCORE_WEIGHTS) -> list[Fused]:
    """Give each hit weight x its score / the best score of its signal; return every chunk once, best first.

    A definition's score says by itself how sure it is; the others are only comparable within a query.
    """

    def shares(one: RankedList) -> list[float]:
        best = 1.0 if one.signal == "definition" else max((hit.score for hit in one.hits), default=0.0) or 1.0
        weight = weights.get(one.signal, 1.0) / best
        return [weight * hit.score for hit in one.hits]

    return _fuse(lists, shares)


def _fuse(lists: Sequence[RankedList], shares: Callable[[RankedList], Sequence[float]]) -> list[Fused]:
    """Sum what each list gives to its hits."""
    found: dict[int, tuple[SignalRank, ...]] = {}
    scores: dict[int, float] = {}
    for one in sorted(lists, key=lambda ranked: ranked.signal):
        given = shares(one)
        rows = zip(repeat(one.signal), count(1), [hit.score for hit in one.hits], given)
        for said, hit, share in zip(as_records(SignalRank, rows), one.hits, given, strict=True):
            chunk_id = hit.chunk_id
            found[chunk_id] = (*found.get(chunk_id, ()), said)
            scores[chunk_id] = scores.get(chunk_id, 0.0) + share
    best_first = sorted((-score, chunk_id) for chunk_id, score in scores.items())
    return list(as_records(Fused, ((chunk_id, -score, found[chunk_id]) for score, chunk_id in best_first)))
