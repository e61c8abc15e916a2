"""The chunks that filters allow, as runs of ids: a file's chunks mostly follow each other."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


class AllowedChunks:
    """Runs of chunk ids, given as their first and last ids, in any order and without overlaps."""

    def __init__(self, runs: Sequence[tuple[int, int]]) -> None:
        ordered = np.array(sorted(runs), dtype=np.int64).reshape(-1, 2)
        # A run that goes on where the one before it ends is a part of that one.
        begins = np.ones(len(ordered), dtype=np.bool_)
        begins[1:] = ordered[1:, 0] != ordered[:-1, 1] + 1
        self._firsts: Ids = ordered[begins, 0]
        self._lasts: Ids = ordered[np.roll(begins, -1), 1]
        self._bounds = self._firsts.tolist(), self._lasts.tolist()

    def __contains__(self, chunk_id: int) -> bool:
        firsts, lasts = self._bounds
        place = bisect_right(firsts, chunk_id) - 1
        return place >= 0 and chunk_id <= lasts[place]

    def places(self, ids: Ids) -> Ids:
        """List the places of the allowed chunks among ascending ids."""
        steps = np.zeros(len(ids) + 1, dtype=np.int8)
        np.add.at(steps, np.searchsorted(ids, self._firsts), 1)
        np.add.at(steps, np.searchsorted(ids, self._lasts, side="right"), -1)
        return np.flatnonzero(np.cumsum(steps[:-1], dtype=np.int8))
