"""The vectors of an index in memory, ranked by cosine similarity. In a large index only a shortlist is compared in full."""

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.arrays import NO_IDS, Hits, Ids, are_in

SHORTLIST = 4_000
"""The number of vectors that are compared in full. In a larger index they are those that have the most signs in common.

The recall is in docs/measured.
"""

SIGNS, MIXED = 512, 64
"""The smallest number of planes that choose a shortlist, and the number of vector components that each plane mixes."""

WORD = 64
"""The number of bits that one operation compares."""

PIECE = 500
"""The number of vectors that are unpacked at a time, so that they stay in the processor's cache.

All vectors together would take four times the memory.
"""

Floats = NDArray[np.float32]
Packed = NDArray[np.int8]


class VectorTable:
    """The vectors of chunks. `ids` are ascending, and row i of `packed` is the int8 vector of the chunk `ids[i]`.

    The vectors may have any length (norm). `shortlist` is the number of vectors that are compared in full.
    """

    def __init__(self, ids: Ids, packed: Packed, *, shortlist: int = SHORTLIST) -> None:
        self.ids = ids
        self.packed = packed
        self._lengths = _lengths(packed)
        self._shortlist = shortlist
        self._all = np.arange(len(ids))
        self._last: tuple[AllowedChunks, Ids] | None = None
        self._signs = _Signs(packed) if len(ids) > shortlist else None

    def nearest(self, vector: Floats, limit: int, *, allowed: AllowedChunks | None = None) -> Hits:
        """Rank the `limit` allowed chunks that are nearest to a unit vector. Only chunks with a positive similarity are listed.

        Without `allowed`, all chunks are allowed.
        """
        if not len(self.ids) or limit < 1:
            return Hits(NO_IDS, np.zeros(0))
        positions = self._all if allowed is None else self._within(allowed)
        if self._signs is not None and len(positions) > (size := max(self._shortlist, limit)):
            differing = self._signs.differing(vector)
            if positions is not self._all:
                differing = differing[positions]
            up_to = np.cumsum(np.bincount(differing))
            # All that differ as little as the last of the shortlist belong to it, so that ties are not cut.
            positions = positions[differing <= np.searchsorted(up_to, size)]
        scores = self._similarities(positions, vector)
        if len(positions) > limit:
            # Everything that ties with the last entry is sorted with it, so that a longer list begins with the shorter list.
            best = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
            positions, scores = positions[best], scores[best]
        return self._ranked(positions, scores)[:limit]

    def similar(self, vector: Floats, chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity to a unit vector.

        Chunks without a vector or without a positive similarity are left out.
        """
        positions = np.searchsorted(self.ids, chunk_ids[are_in(chunk_ids, self.ids)])
        return self._ranked(positions, self._similarities(positions, vector))

    def _within(self, allowed: AllowedChunks) -> Ids:
        """Return the positions of the allowed chunks in `ids`. The positions for the last `allowed` are cached."""
        last = self._last
        if last is None or last[0] is not allowed:
            # Other threads may ask with other filters.
            last = self._last = allowed, allowed.positions(self.ids)
        return last[1]

    def _similarities(self, positions: Ids, vector: Floats) -> Floats:
        """Return the cosine similarity to `vector` of the vector at each position. PIECE vectors are compared at a time."""
        scores = np.empty(len(positions), np.float32)
        for start in range(0, len(positions), PIECE):
            piece = positions[start : start + PIECE]
            # Unlike a product of matrix and vector, this wakes no other thread, which takes longer than it saves.
            scores[start : start + PIECE] = np.vecdot(self.packed[piece].astype(np.float32), vector)
        scores /= self._lengths[positions]
        return scores

    def _ranked(self, positions: Ids, scores: Floats) -> Hits:
        """Return the ranked list of these positions, ties by position. Positions without a positive score are left out."""
        order = np.lexsort((positions, -scores))
        alike = order[: np.count_nonzero(scores > 0)]
        return Hits(self.ids[positions[alike]], scores[alike].astype(np.float64))


class _Signs:
    """One bit per vector and plane: on which side of the plane the vector is. Few differing bits mean near vectors.

    Counting differing bits is a cheap way to choose a shortlist (Charikar, "Similarity Estimation Techniques from
    Rounding Algorithms", STOC 2002). The planes are at right angles (Ji et al., "Super-Bit Locality-Sensitive Hashing",
    NIPS 2012). They come from a Hadamard transform of components with random signs (Ailon & Chazelle, "Approximate
    Nearest Neighbors and the Fast Johnson-Lindenstrauss Transform", STOC 2006). The transform takes a third of the time
    of a multiplication by the planes.
    """

    def __init__(self, packed: Packed) -> None:
        count, dimensions = packed.shape
        width = -(-dimensions // WORD) * WORD
        turns = -(-SIGNS // width)
        # A constant seed gives the same shortlists in every process.
        self._turned = np.random.default_rng(0).choice(np.array([-1, 1], np.int16), (turns, width))
        # A word of all vectors a row.
        self._bits = np.empty((turns * width // WORD, count), np.uint64)
        for start in range(0, count, PIECE):
            part = packed[start : start + PIECE]
            # Sums of MIXED components of int8 fit into int16.
            columns = np.zeros((width, len(part)), np.int16)
            columns[:dimensions] = part.T
            self._bits[:, start : start + PIECE] = self._sides(columns)

    def differing(self, vector: Floats) -> NDArray[np.uint16]:
        """Count, for each stored vector, the bits that differ from those of this vector: the planes between the two."""
        column = np.zeros((self._turned.shape[1], 1), np.float32)
        column[: len(vector), 0] = vector
        counts = np.zeros(self._bits.shape[1], np.uint16)
        for row, word in zip(self._bits, self._sides(column)[:, 0], strict=True):
            counts += np.bitwise_count(row ^ word)
        return counts

    def _sides(self, columns: NDArray[np.int16] | Floats) -> NDArray[np.uint64]:
        """Return the bits of each column, which is a vector: one bit per plane, packed into 64-bit words.

        A bit is 1 if the vector is on the positive side of the plane.
        """
        sides = np.vstack([_mixed(columns * turned[:, None]) > 0 for turned in self._turned])
        return np.packbits(np.ascontiguousarray(sides.T), axis=1).view(np.uint64).T


def _mixed(columns: NDArray[np.int16] | Floats) -> NDArray[np.int16] | Floats:
    """Return the columns after a Hadamard transform: each component becomes a signed sum of MIXED components.

    Each step replaces the two halves of a part by their sum and their difference. The next step does the same with
    these halves as parts.
    """
    width, count = columns.shape
    parts = 2
    while parts <= MIXED:
        halves = columns.reshape(parts // 2, 2, width // parts, count)
        mixed = np.empty_like(halves)
        np.add(halves[:, 0], halves[:, 1], out=mixed[:, 0])
        np.subtract(halves[:, 0], halves[:, 1], out=mixed[:, 1])
        columns, parts = mixed.reshape(width, count), parts * 2
    return columns


def _lengths(packed: Packed) -> Floats:
    """Return the length (norm) of each vector. A vector of zeros gets length 1, so that its similarity is 0."""
    lengths = np.empty(len(packed), np.float32)
    for start in range(0, len(packed), PIECE):
        rows = packed[start : start + PIECE].astype(np.float32)
        lengths[start : start + PIECE] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1
    return lengths
