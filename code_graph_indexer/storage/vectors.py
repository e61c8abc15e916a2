"""The vectors of an index in memory, ranked by cosine similarity: all of them, or a shortlist where there are very many."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.base import Hit
from code_graph_indexer.types import as_records

EXACT_LIMIT = 200_000
"""Vectors that are compared one by one; beyond, first by a few axes."""

AXES = 96
"""Principal axes by which a shortlist is made."""

SHORTLIST = 8_000
"""Vectors of a shortlist, which are compared in full; docs/index-file.md has the recall."""

GATHERED = 0.05
"""The part of the vectors up to which the wanted ones are taken together before they are compared; more are compared with
all others, which is faster."""

SAMPLE = 20_000
"""Vectors of which the axes are found."""

STEP = 8
"""To find the best scores, one in so many is looked at first."""

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


class VectorTable:
    """Vectors of chunks: `ids` ascending, `packed` an int8 vector a row, of any length."""

    def __init__(self, ids: Places, packed: NDArray[np.int8], *, exact_limit: int = EXACT_LIMIT) -> None:
        self.ids = ids
        self._packed = packed
        self._axes = _principal_axes(packed) if len(ids) > exact_limit else None
        self._all = np.arange(len(ids))
        self._last: tuple[AllowedChunks, Places] | None = None
        # A vector a column: multiplied in a third of the time that a vector a row takes.
        self._columns = _unit_columns(packed) if self._axes is None else _projected(packed, self._axes)

    def nearest(self, vector: Floats, limit: int, *, allowed: AllowedChunks | None = None) -> list[Hit]:
        """Rank the vectors nearest to a unit vector, of those allowed; what is unlike is left out."""
        if not len(self.ids) or limit < 1:
            return []
        within = None if allowed is None else self._within(allowed)
        places, scores = self._compared(vector.astype(np.float32), within)
        # All that tie with the last one kept are sorted with it, so that a longer list begins with the shorter one.
        best = np.flatnonzero(scores >= _nth_best(scores, limit))
        return self._ranked(places[best], scores[best])[:limit]

    def similar(self, vector: Floats, chunk_ids: Sequence[int]) -> list[Hit]:
        """Rank these chunks by their likeness to a unit vector; what is unlike, or has no vector, is left out."""
        if not len(self.ids):
            return []
        asked = np.array(chunk_ids, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.ids, asked), len(self.ids) - 1)
        places = places[self.ids[places] == asked]
        return self._ranked(places, _unit_rows(self._packed[places]) @ vector.astype(np.float32))

    def _within(self, allowed: AllowedChunks) -> Places:
        """List the places that are allowed; those of the last query's filters are remembered."""
        last = self._last
        if last is None or last[0] is not allowed:
            # Other threads may ask with other filters.
            last = self._last = allowed, allowed.places(self.ids)
        return last[1]

    def _compared(self, vector: Floats, within: Places | None) -> tuple[Places, Floats]:
        """Return the places that are worth a look, of those `within`, and their cosine similarities."""
        if self._axes is None or (within is not None and len(within) <= SHORTLIST):
            places = self._all if within is None else within
            return places, self._similarities(places, vector)
        coarse = (vector @ self._axes) @ self._columns
        coarse = coarse if within is None else coarse[within]
        best = np.argpartition(coarse, max(len(coarse) - SHORTLIST, 0))[-SHORTLIST:]
        places = best if within is None else within[best]
        return places, self._similarities(places, vector)

    def _similarities(self, places: Places, vector: Floats) -> Floats:
        if self._axes is not None or len(places) < GATHERED * len(self.ids):
            return _unit_rows(self._packed[places]) @ vector
        scores: Floats = vector @ self._columns
        return scores if places is self._all else scores[places]

    def _ranked(self, places: Places, scores: Floats) -> list[Hit]:
        """Order places by score, ties by place; unlike ones are left out."""
        order = np.lexsort((places, -scores))
        alike = order[: np.count_nonzero(scores > 0)]
        return list(as_records(Hit, zip(self.ids[places[alike]].tolist(), scores[alike].tolist(), strict=True)))


def _nth_best(scores: Floats, n: int) -> float:
    """Return the n-th highest score; one below all when there are fewer.

    The n-th highest of some of them is no higher, and leaves few to be looked at.
    """
    if n > len(scores):
        return -np.inf
    some = scores[::STEP] if len(scores) >= STEP * n else scores
    few = scores[scores >= np.partition(some, -n)[-n]]
    return float(np.partition(few, -n)[-n])


def _unit_rows(packed: NDArray[np.int8]) -> Floats:
    rows: Floats = packed.astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(norms == 0, 1, norms)[:, None]
    return rows


def _unit_columns(packed: NDArray[np.int8]) -> Floats:
    """Turn vectors into columns (dimensions x vectors) of length 1."""
    columns: Floats = np.ascontiguousarray(packed.T).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->j", columns, columns))
    columns /= np.where(norms == 0, 1, norms)
    return columns


def _principal_axes(packed: NDArray[np.int8]) -> Floats:
    """Return the axes (dimensions x AXES) that hold most of the vectors' length, found in an even sample."""
    sample = _unit_rows(packed[:: max(1, len(packed) // SAMPLE)])
    _, axes = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(axes[:, ::-1][:, :AXES], dtype=np.float32)


def _projected(packed: NDArray[np.int8], axes: Floats) -> Floats:
    """Project unit vectors on axes, some at a time: in full they would take four times the memory of the file.

    A row of the result is an axis: multiplied so, it takes two thirds of the time.
    """
    projected = np.empty((axes.shape[1], len(packed)), dtype=np.float32)
    for start in range(0, len(packed), SAMPLE):
        projected[:, start : start + SAMPLE] = (_unit_rows(packed[start : start + SAMPLE]) @ axes).T
    return projected
