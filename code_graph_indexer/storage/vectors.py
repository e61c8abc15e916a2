"""The vectors of an index in memory, ranked by cosine similarity: all of them, or a shortlist where there are very many."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.base import Hit

EXACT_LIMIT = 200_000
"""Vectors that are compared one by one; beyond, first by a few axes."""

AXES = 96
"""Principal axes by which a shortlist is made."""

SHORTLIST = 8_000
"""Vectors of a shortlist, which are compared in full; docs/index-file.md has the recall."""

SAMPLE = 20_000
"""Vectors of which the axes are found."""

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


class VectorTable:
    """Vectors of chunks: `ids` ascending, `packed` an int8 vector a row, of any length."""

    def __init__(self, ids: Places, packed: NDArray[np.int8], *, exact_limit: int = EXACT_LIMIT) -> None:
        self.ids = ids
        self._packed = packed
        self._axes = _principal_axes(packed) if len(ids) > exact_limit else None
        self._rows = _unit_rows(packed) if self._axes is None else _projected(packed, self._axes)

    def nearest(
        self, vector: Floats, limit: int, *, allowed: NDArray[np.bool_] | None = None, also: Sequence[int] = ()
    ) -> list[Hit]:
        """Rank the vectors nearest to a unit vector, of those allowed; behind them those of the chunks `also`.

        What is unlike, or has no vector, is left out.
        """
        if not len(self.ids):
            return []
        asked = np.array(also, dtype=np.int64)
        others = np.minimum(np.searchsorted(self.ids, asked), len(self.ids) - 1)
        others = others[self.ids[others] == asked]
        places, scores = self._compared(vector.astype(np.float32), allowed, others)
        eligible = scores if allowed is None else np.where(allowed[places], scores, -np.inf)
        kept = min(limit, len(eligible))
        # All that tie with the last one kept are sorted with it, so that a longer list begins with the shorter one.
        best = np.flatnonzero(eligible >= -np.partition(-eligible, kept - 1)[kept - 1])
        found = _ranked(best, eligible)[:kept].tolist()
        known = set(found)
        found += [one for one in _ranked(np.searchsorted(places, others), scores).tolist() if one not in known]
        return [Hit(*hit) for hit in zip(self.ids[places[found]].tolist(), scores[found].tolist(), strict=True)]

    def _compared(self, vector: Floats, allowed: NDArray[np.bool_] | None, others: Places) -> tuple[Places, Floats]:
        """Return places in ascending order with their cosine similarities: all of them, or a shortlist and `others`."""
        if self._axes is None:
            return np.arange(len(self.ids)), self._rows @ vector
        coarse = self._rows @ (vector @ self._axes)
        if allowed is not None:
            coarse[~allowed] = -np.inf
        left_out = max(len(coarse) - SHORTLIST, 0)
        places = np.union1d(np.argpartition(coarse, left_out)[left_out:], others)
        return places, _unit_rows(self._packed[places]) @ vector


def _ranked(places: Places, scores: Floats) -> Places:
    """Order places by score, ties by place; unlike ones are left out."""
    places = places[scores[places] > 0]
    return places[np.lexsort((places, -scores[places]))]


def _unit_rows(packed: NDArray[np.int8]) -> Floats:
    rows: Floats = packed.astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(norms == 0, 1, norms)[:, None]
    return rows


def _principal_axes(packed: NDArray[np.int8]) -> Floats:
    """Return the axes (dimensions x AXES) that hold most of the vectors' length, found in an even sample."""
    sample = _unit_rows(packed[:: max(1, len(packed) // SAMPLE)])
    _, axes = np.linalg.eigh(sample.T @ sample)
    return np.ascontiguousarray(axes[:, ::-1][:, :AXES], dtype=np.float32)


def _projected(packed: NDArray[np.int8], axes: Floats) -> Floats:
    """Project unit vectors on axes, some at a time: in full they would take four times the memory of the file."""
    parts = [_unit_rows(packed[start : start + SAMPLE]) @ axes for start in range(0, len(packed), SAMPLE)]
    return np.concatenate(parts)
