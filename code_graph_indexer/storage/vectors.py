"""The vectors of an index in memory, ranked by cosine similarity: all of them, or a shortlist where there are many."""

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.base import NO_IDS, Hits, Ids, are_in

SHORTLIST = 3_000
"""Vectors that are compared in full; of more, those whose signs differ least. docs/index-file.md has the recall."""

SIGNS = 512
"""Directions by whose signs a shortlist is made."""

PIECE = 500
"""Vectors that are unpacked at a time: they stay in the processor's cache, and in full they would take four times the
memory of the file."""

SAMPLE = 20_000
"""Vectors of which the mean is taken."""

Floats = NDArray[np.float32]
Packed = NDArray[np.int8]


class VectorTable:
    """Vectors of chunks: `ids` ascending, `packed` an int8 vector a row, of any length."""

    def __init__(self, ids: Ids, packed: Packed, *, shortlist: int = SHORTLIST) -> None:
        self.ids = ids
        self._packed = packed
        self._lengths = _lengths(packed)
        self._shortlist = shortlist
        self._all = np.arange(len(ids))
        self._last: tuple[AllowedChunks, Ids] | None = None
        self._signs: _Signs | None = None
        self._asked = False

    def nearest(self, vector: Floats, limit: int, *, allowed: AllowedChunks | None = None) -> Hits:
        """Rank the vectors nearest to a unit vector, of those allowed; what is unlike is left out."""
        if not len(self.ids) or limit < 1:
            return Hits(NO_IDS, np.zeros(0))
        places = self._all if allowed is None else self._within(allowed)
        if len(places) > (size := max(self._shortlist, limit)):
            places = self._nearly(vector, places, size)
        scores = self._similarities(places, vector)
        if len(places) > limit:
            # All that tie with the last one kept are sorted with it, so that a longer list begins with the shorter one.
            best = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
            places, scores = places[best], scores[best]
        return self._ranked(places, scores)[:limit]

    def similar(self, vector: Floats, chunk_ids: Ids) -> Hits:
        """Rank these chunks by their likeness to a unit vector; what is unlike, or has no vector, is left out."""
        places = np.searchsorted(self.ids, chunk_ids[are_in(chunk_ids, self.ids)])
        return self._ranked(places, self._similarities(places, vector))

    def _within(self, allowed: AllowedChunks) -> Ids:
        """List the places that are allowed; those of the last query's filters are remembered."""
        last = self._last
        if last is None or last[0] is not allowed:
            # Other threads may ask with other filters.
            last = self._last = allowed, allowed.places(self.ids)
        return last[1]

    def _nearly(self, vector: Floats, places: Ids, size: int) -> Ids:
        """Keep the places, at least so many, whose vectors' signs differ least from those of the one asked for.

        The signs are made for the second question: a process that asks one is done sooner by comparing all.
        """
        if self._signs is None:
            if not self._asked:
                self._asked = True
                return places
            self._signs = _Signs(self._packed, self._lengths)
        differing = self._signs.differing(vector)
        if places is not self._all:
            differing = differing[places]
        up_to = np.cumsum(np.bincount(differing))
        return places[differing <= np.searchsorted(up_to, size)]

    def _similarities(self, places: Ids, vector: Floats) -> Floats:
        """Compare these vectors in full, some at a time."""
        scores = np.empty(len(places), np.float32)
        for start in range(0, len(places), PIECE):
            piece = places[start : start + PIECE]
            # Unlike a product of matrix and vector, this wakes no other thread, which takes longer than it saves.
            scores[start : start + PIECE] = np.vecdot(self._packed[piece].astype(np.float32), vector)
        scores /= self._lengths[places]
        return scores

    def _ranked(self, places: Ids, scores: Floats) -> Hits:
        """Order places by score, ties by place; unlike ones are left out."""
        order = np.lexsort((places, -scores))
        alike = order[: np.count_nonzero(scores > 0)]
        return Hits(self.ids[places[alike]], scores[alike].astype(np.float64))


class _Signs:
    """On which side of SIGNS planes each vector lies, a bit a plane: near vectors are on the same side of most.

    Charikar, "Similarity Estimation Techniques from Rounding Algorithms" (STOC 2002), with planes at right angles to each
    other as in Ji et al., "Super-Bit Locality-Sensitive Hashing" (NIPS 2012), through the mean of the vectors.
    """

    def __init__(self, packed: Packed, lengths: Floats) -> None:
        dimensions = packed.shape[1]
        random = np.random.default_rng(0)
        turns = -(-SIGNS // dimensions)
        planes = [np.linalg.qr(random.standard_normal((dimensions, min(dimensions, SIGNS))))[0] for _ in range(turns)]
        self._planes: Floats = np.hstack(planes)[:, :SIGNS].astype(np.float32)
        step = max(1, len(packed) // SAMPLE)
        middle = (packed[::step] / lengths[::step, None]).mean(axis=0) @ self._planes
        # A word of 64 bits of all vectors a row.
        self._bits = np.empty((SIGNS // 64, len(packed)), np.uint64)
        for start in range(0, len(packed), PIECE):
            part = slice(start, start + PIECE)
            sides = packed[part].astype(np.float32) @ self._planes > lengths[part, None] * middle
            self._bits[:, part] = np.packbits(sides, axis=1).view(np.uint64).T

    def differing(self, vector: Floats) -> NDArray[np.uint16]:
        """Count the planes that lie between each vector and this one."""
        asked = np.packbits(vector @ self._planes > 0).view(np.uint64)
        counts = np.zeros(self._bits.shape[1], np.uint16)
        for row, word in zip(self._bits, asked, strict=True):
            counts += np.bitwise_count(row ^ word)
        return counts


def _lengths(packed: Packed) -> Floats:
    """Measure the vectors; one of zeros, which is like nothing, counts as of length 1."""
    lengths = np.empty(len(packed), np.float32)
    for start in range(0, len(packed), PIECE):
        rows = packed[start : start + PIECE].astype(np.float32)
        lengths[start : start + PIECE] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1
    return lengths
