"""Fuse the ranked lists of all signals into a single list, by normalised scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.retrieval.results import SignalRank
from code_graph_indexer.retrieval.signals import RankedList, signal_of
from code_graph_indexer.storage.arrays import NO_IDS, distinct


class Fused(NamedTuple):
    """A chunk in a fused list, with its score and the part of the score from each signal, boost and penalty."""

    chunk_id: int
    score: float
    signals: tuple[SignalRank, ...]


@overload
def reciprocal_rank(rank: int, k: int) -> float: ...


@overload
def reciprocal_rank(rank: NDArray[np.int64], k: int) -> NDArray[np.float64]: ...


def reciprocal_rank(rank: int | NDArray[np.int64], k: int) -> float | NDArray[np.float64]:
    """Return 1 / (k + rank), the score of a rank that counts from 1.

    Source: Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
    """
    return 1.0 / (k + rank)


@dataclass(frozen=True, slots=True)
class FusedScores:
    """A list of fused chunks, best first, stored as arrays with one row per signal and one column per chunk.

    `ids` has the chunk id of each column. `ranks` count from 1. `scores` are the scores that the signal gave. `shares` are
    the parts that the signal adds to the fused score. Ranks, scores and shares are 0 where the signal did not find the chunk.
    """

    signals: tuple[str, ...]
    ids: NDArray[np.int64]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, signal: str) -> int | None:
        """Return the row number of a signal, or None if the search did not use the signal."""
        return self.signals.index(signal) if signal in self.signals else None

    def part(self, row: int, place: int) -> SignalRank:
        """Return the rank and the scores that a signal gave to a chunk.

        `row` is the row number of the signal, `place` the position of the chunk.
        """
        score, share = float(self.scores[row, place]), float(self.shares[row, place])
        return SignalRank(self.signals[row], int(self.ranks[row, place]), score, share)

    def among(self, mask: NDArray[np.bool_]) -> "FusedScores":
        """Return only the chunks for which `mask` is true, in the same order. `mask` has one value per chunk."""
        if mask.all():
            return self
        columns = self.ranks[:, mask], self.scores[:, mask], self.shares[:, mask]
        return FusedScores(self.signals, self.ids[mask], *columns)


def fuse_by_score(lists: Sequence[RankedList]) -> FusedScores:
    """Fuse ranked lists by score: each hit adds weight × score / best score of the signal to its chunk.

    Returns every chunk once, best first. The order of `lists` does not matter. Scores of an absolute signal are not divided.
    Those of another can be compared only within one query.
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
        signal = signal_of(ranked.signal)
        best = 1.0 if signal.is_absolute else float(scores_of_hits.max()) or 1.0
        ranks[row, places] = np.arange(1, len(scores_of_hits) + 1)
        scores[row, places] = scores_of_hits
        shares[row, places] = signal.by_score / best * scores_of_hits
    # lexsort sorts by its last key first: by the fused score, then by id.
    order = np.lexsort((ids, -shares.sum(axis=0)))
    return FusedScores(
        tuple(ranked.signal for ranked in ordered), ids[order], ranks[:, order], scores[:, order], shares[:, order]
    )
