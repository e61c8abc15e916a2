"""Fuse the signals' ranked lists: by normalised scores, or by weighted reciprocal ranks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.results import SignalRank
from code_graph_indexer.retrieval.signals import RankedList
from code_graph_indexer.storage import NO_IDS, distinct

RRF_WEIGHTS: Mapping[str, float] = {"definition": 1.6, "quoted": 1.6, "words": 1.0, "trigram": 0.6, "vector": 1.0}
"""Weights of the signals in reciprocal rank fusion: a definition of the very name asked for counts most."""

SCORE_WEIGHTS: Mapping[str, float] = {"vector": 6.0, "words": 2.5, "definition": 2.5, "trigram": 1.0, "quoted": 4.0}
"""What the best hit of each signal adds when scores are fused; docs/ranking.md has how they were chosen."""


class Fused(NamedTuple):
    """A chunk with its score and what each signal, boost and penalty added to it."""

    chunk_id: int
    score: float
    signals: tuple[SignalRank, ...]


@overload
def reciprocal_rank(rank: int, k: int) -> float: ...


@overload
def reciprocal_rank(rank: NDArray[np.int64], k: int) -> NDArray[np.float64]: ...


def reciprocal_rank(rank: int | NDArray[np.int64], k: int) -> float | NDArray[np.float64]:
    """Score a rank (from 1) by 1 / (k + rank): Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009)."""
    return 1.0 / (k + rank)


@dataclass(frozen=True, slots=True)
class FusedScores(Sequence[Fused]):
    """Chunks whose scores were fused, best first: arrays with a row for each signal, and a column for each chunk.

    `ranks` (from 1), the signal's own `scores` and its `shares` of the fused ones are 0 where it has not found the chunk.
    """

    signals: tuple[str, ...]
    ids: NDArray[np.int64]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Fused: ...

    @overload
    def __getitem__(self, place: slice) -> list[Fused]: ...

    def __getitem__(self, place: int | slice) -> Fused | list[Fused]:
        """Return one chunk with what each signal said of it."""
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        rows = np.flatnonzero(self.ranks[:, place]).tolist()
        parts = tuple(self.part(row, place) for row in rows)
        return Fused(int(self.ids[place]), float(self.shares[:, place].sum()), parts)

    def row(self, signal: str) -> int | None:
        """Return the row of a signal, None where it was not asked."""
        return self.signals.index(signal) if signal in self.signals else None

    def part(self, row: int, place: int) -> SignalRank:
        """Say what one signal gave to one chunk."""
        own, share = float(self.scores[row, place]), float(self.shares[row, place])
        return SignalRank(self.signals[row], int(self.ranks[row, place]), own, share)

    def among(self, kept: NDArray[np.bool_]) -> "FusedScores":
        """Leave out the chunks that are not to be kept."""
        if kept.all():
            return self
        columns = self.ranks[:, kept], self.scores[:, kept], self.shares[:, kept]
        return FusedScores(self.signals, self.ids[kept], *columns)


def fuse_by_rank(lists: Sequence[RankedList], *, k: int, weights: Mapping[str, float] = RRF_WEIGHTS) -> list[Fused]:
    """Give each hit weight / (k + rank); return every chunk once, best first, whatever the order of the lists."""
    found: dict[int, list[SignalRank]] = defaultdict(list)
    for one in sorted(lists, key=lambda ranked: ranked.signal):
        weight = weights.get(one.signal, 1.0)
        for rank, hit in enumerate(one.hits, 1):
            share = weight * reciprocal_rank(rank, k)
            found[hit.chunk_id].append(SignalRank(one.signal, rank, hit.score, share))
    fused = (Fused(one, sum(part.contribution for part in parts), tuple(parts)) for one, parts in found.items())
    return sorted(fused, key=lambda one: (-one.score, one.chunk_id))


def fuse_by_score(lists: Sequence[RankedList], weights: Mapping[str, float] = SCORE_WEIGHTS) -> FusedScores:
    """Give each hit weight x its score / the best score of its signal; return every chunk once, best first.

    A definition's score says by itself how sure it is; the others are only comparable within a query.
    """
    ordered = sorted(lists, key=lambda ranked: ranked.signal)
    ids = distinct(np.concatenate([NO_IDS, *(one.hits.ids for one in ordered)]))
    ranks = np.zeros((len(ordered), len(ids)), dtype=np.int64)
    scores, shares = np.zeros(ranks.shape), np.zeros(ranks.shape)
    for row, one in enumerate(ordered):
        if not len(own := one.hits.scores):
            continue
        places = np.searchsorted(ids, one.hits.ids)
        best = 1.0 if one.signal == "definition" else float(own.max()) or 1.0
        ranks[row, places] = np.arange(1, len(own) + 1)
        scores[row, places] = own
        shares[row, places] = weights.get(one.signal, 1.0) / best * own
    order = np.lexsort((ids, -shares.sum(axis=0)))
    return FusedScores(
        tuple(one.signal for one in ordered), ids[order], ranks[:, order], scores[:, order], shares[:, order]
    )
