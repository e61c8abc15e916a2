"""The chunks that filters allow, stored as runs of ids, because the ids of a file's chunks are mostly consecutive."""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


class AllowedChunks:
    """A set of chunk ids, made of runs. A run is a pair of its first and last id, both inclusive.

    The runs may come in any order, and must not overlap.
    """

    def __init__(self, runs: Sequence[tuple[int, int]]) -> None:
        ordered = np.array(sorted(runs), dtype=np.int64).reshape(-1, 2)
        # A run that begins where another ends is joined to it.
        begins = np.ones(len(ordered), dtype=np.bool_)
        begins[1:] = ordered[1:, 0] != ordered[:-1, 1] + 1
        self._firsts: Ids = ordered[begins, 0]
        # A row ends a run where the next one begins a run. The roll makes the last row end one too.
        self._lasts: Ids = ordered[np.roll(begins, -1), 1]
        # Single ids are looked up by bisect, which is faster on lists than on arrays.
        self._bounds = self._firsts.tolist(), self._lasts.tolist()

    def __contains__(self, chunk_id: int) -> bool:
        firsts, lasts = self._bounds
        position = bisect_right(firsts, chunk_id) - 1
        return position >= 0 and chunk_id <= lasts[position]

    def __len__(self) -> int:
        firsts, lasts = self._bounds
        total: int = sum(lasts) - sum(firsts) + len(firsts)
        return total

    def runs(self) -> tuple[list[int], list[int]]:
        """Return the first and the last ids of the runs, ascending. Both are inclusive."""
        return self._bounds

    def positions(self, ids: Ids) -> Ids:
        """Return the positions, from 0, of the allowed ids in an ascending array of ids."""
        steps = np.zeros(len(ids) + 1, dtype=np.int8)
        # The running sum of the steps is 1 inside of runs.
        # Runs without an id share a position, which `+=` would count once.
        np.add.at(steps, np.searchsorted(ids, self._firsts), 1)
        np.add.at(steps, np.searchsorted(ids, self._lasts, side="right"), -1)
        return np.flatnonzero(np.cumsum(steps[:-1], dtype=np.int8))
