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
"""What the best hit of each signal adds to a fused score. docs/explanation/ranking.md says how the weights were chosen."""


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
    """Fused chunks, best first, as arrays with a row for each signal and a column for each chunk.

    `ids` are the chunks of the columns. `ranks` count from 1. `scores` are the signal's own, `shares` are what it adds to
    the fused score. All three are 0 where the signal has not found the chunk.
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
            return [self[position] for position in range(*place.indices(len(self)))]
        # A rank of 0 says that the signal has not found the chunk.
        rows = np.flatnonzero(self.ranks[:, place]).tolist()
        parts = tuple(self.part(row, place) for row in rows)
        return Fused(int(self.ids[place]), float(self.shares[:, place].sum()), parts)

    def row(self, signal: str) -> int | None:
        """Return the row of a signal, or None if the search did not use it."""
        return self.signals.index(signal) if signal in self.signals else None

    def part(self, row: int, place: int) -> SignalRank:
        """Say what one signal gave to one chunk."""
        score, share = float(self.scores[row, place]), float(self.shares[row, place])
        return SignalRank(self.signals[row], int(self.ranks[row, place]), score, share)

    def among(self, mask: NDArray[np.bool_]) -> "FusedScores":
        """Return only the chunks for which the mask, one value for each column, is true."""
        if mask.all():
            return self
        columns = self.ranks[:, mask], self.scores[:, mask], self.shares[:, mask]
        return FusedScores(self.signals, self.ids[mask], *columns)


def fuse_by_rank(lists: Sequence[RankedList], *, k: int, weights: Mapping[str, float] = RRF_WEIGHTS) -> list[Fused]:
    """Give each hit weight / (k + rank), and return every chunk once, best first. The order of the lists does not matter."""
    parts_of: dict[int, list[SignalRank]] = defaultdict(list)
    # Sums of floats depend on their order, so the lists are added in a fixed one.
    for ranked in sorted(lists, key=lambda ranked: ranked.signal):
        weight = weights.get(ranked.signal, 1.0)
        for rank, hit in enumerate(ranked.hits, 1):
            share = weight * reciprocal_rank(rank, k)
            parts_of[hit.chunk_id].append(SignalRank(ranked.signal, rank, hit.score, share))
    fused = (
        Fused(chunk_id, sum(part.contribution for part in parts), tuple(parts)) for chunk_id, parts in parts_of.items()
    )
    # Ties go by id, so that the same query always gives the same list.
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def fuse_by_score(lists: Sequence[RankedList], weights: Mapping[str, float] = SCORE_WEIGHTS) -> FusedScores:
    """Give each hit weight × its score / the best score of its signal, and return every chunk once, best first.

    A definition's score is absolute: 1 is a certain match. The scores of the other signals compare only within a query.
    """
    ordered = sorted(lists, key=lambda ranked: ranked.signal)
    ids = distinct(np.concatenate([NO_IDS, *(ranked.hits.ids for ranked in ordered)]))
    ranks = np.zeros((len(ordered), len(ids)), dtype=np.int64)
    scores, shares = np.zeros(ranks.shape), np.zeros(ranks.shape)
    for row, ranked in enumerate(ordered):
        if not len(scores_of_hits := ranked.hits.scores):
            continue
        # `ids` ascend, so a binary search gives the column of each hit.
        places = np.searchsorted(ids, ranked.hits.ids)
        # `or 1.0`: a best score of 0 must not divide.
        best = 1.0 if ranked.signal == "definition" else float(scores_of_hits.max()) or 1.0
        ranks[row, places] = np.arange(1, len(scores_of_hits) + 1)
        scores[row, places] = scores_of_hits
        shares[row, places] = weights.get(ranked.signal, 1.0) / best * scores_of_hits
    # lexsort sorts by its last key first: by the fused score, then by id.
    order = np.lexsort((ids, -shares.sum(axis=0)))
    return FusedScores(
        tuple(ranked.signal for ranked in ordered), ids[order], ranks[:, order], scores[:, order], shares[:, order]
    )
