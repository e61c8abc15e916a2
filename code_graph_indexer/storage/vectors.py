"""The vectors of an index, ranked by cosine similarity. In a large index only a shortlist is read and compared in full."""

from collections.abc import Callable
from functools import cache

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

WORD_TYPE = np.dtype("<u8")
"""The type of these bits, whatever the order of bytes on the machine, because an index file holds them."""

COMPARED = 1 << 14
"""The number of rows of signs that are compared at a time, so that they stay in the processor's cache."""

PIECE = 500
"""The number of vectors that are unpacked at a time, so that they stay in the processor's cache.

All vectors together would take four times the memory.
"""

Floats = NDArray[np.float32]
Packed = NDArray[np.int8]
Words = NDArray[np.uint64]


class VectorTable:
    """The vectors of chunks. `ids` are ascending, and row i of `signs`, of sign_rows(), is of the chunk `ids[i]`.

    `read` returns the int8 vectors at some positions in `ids`, one a row. They may have any length (norm). `shortlist` is the
    number of vectors that are compared in full.
    """

    def __init__(
        self, ids: Ids, read: Callable[[Ids], Packed], signs: Words | None, *, shortlist: int = SHORTLIST
    ) -> None:
        self.ids = ids
        self._read = read
        self._signs = signs
        self._shortlist = shortlist
        self._all = np.arange(len(ids))
        self._last: tuple[tuple[AllowedChunks, Ids], ...] = ()
        self._compared: tuple[bytes, NDArray[np.uint16]] | None = None

    @classmethod
    def of(cls, ids: Ids, packed: Packed, *, shortlist: int = SHORTLIST) -> "VectorTable":
        """Make a table of vectors in memory. Row i of `packed` is the vector of the chunk `ids[i]`."""
        signs = sign_rows(packed) if len(ids) > shortlist else None
        return cls(ids, packed.__getitem__, signs, shortlist=shortlist)

    def with_rows(self, packed: Packed) -> "VectorTable":
        """Return the same table with its vectors in memory: row i of `packed` is that of `ids[i]`."""
        return VectorTable(self.ids, packed.__getitem__, self._signs, shortlist=self._shortlist)

    def nearest(self, vector: Floats, limit: int, *, allowed: AllowedChunks | None = None) -> Hits:
        """Rank the `limit` allowed chunks that are nearest to a unit vector. Only chunks with a positive similarity are listed.

        Without `allowed`, all chunks are allowed.
        """
        if not len(self.ids) or limit < 1:
            return Hits(NO_IDS, np.zeros(0))
        positions = self._all if allowed is None else self._within(allowed)
        if self._signs is not None and len(positions) > (size := max(self._shortlist, limit)):
            counts = self._differing(self._signs, vector)
            if positions is not self._all:
                counts = counts[positions]
            up_to = np.cumsum(np.bincount(counts))
            # All that differ as little as the last of the shortlist belong to it, so that ties are not cut.
            positions = positions[counts <= np.searchsorted(up_to, size)]
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
        """Return the positions of the allowed chunks in `ids`. The positions for the last two of `allowed` are cached."""
        # Read once, because other threads may ask with other filters.
        last = self._last
        for chunks, positions in last:
            if chunks is allowed:
                return positions
        positions = allowed.positions(self.ids)
        # A question asks by turns with its own filters, and for tests.
        self._last = ((allowed, positions), *last[:1])
        return positions

    def _differing(self, signs: Words, vector: Floats) -> NDArray[np.uint16]:
        """Count the differing bits of each row of signs. The counts of the last vector are cached, for other filters."""
        key, last = vector.tobytes(), self._compared
        if last is None or last[0] != key:
            last = self._compared = key, differing(signs, vector)
        return last[1]

    def _similarities(self, positions: Ids, vector: Floats) -> Floats:
        """Return the cosine similarity to `vector` of the vector at each position. PIECE vectors are compared at a time."""
        packed = self._read(positions)
        scores = np.empty(len(positions), np.float32)
        for start in range(0, len(positions), PIECE):
            rows = packed[start : start + PIECE].astype(np.float32)
            lengths = np.sqrt(np.vecdot(rows, rows))
            # A vector of zeros is similar to nothing.
            lengths[lengths == 0] = 1
            # Unlike a product of matrix and vector, this wakes no other thread, which takes longer than it saves.
            scores[start : start + PIECE] = np.vecdot(rows, vector) / lengths
        return scores

    def _ranked(self, positions: Ids, scores: Floats) -> Hits:
        """Return the ranked list of these positions, ties by position. Positions without a positive score are left out."""
        order = np.lexsort((positions, -scores))
        alike = order[: np.count_nonzero(scores > 0)]
        return Hits(self.ids[positions[alike]], scores[alike].astype(np.float64))


def sign_rows(packed: Packed) -> Words:
    """Return one row of bits per vector, packed into words: on which side of each of the planes the vector is.

    Few differing bits mean near vectors. Counting them is a cheap way to choose a shortlist (Charikar, "Similarity Estimation
    Techniques from Rounding Algorithms", STOC 2002). The planes are at right angles (Ji et al., "Super-Bit Locality-Sensitive
    Hashing", NIPS 2012). They come from a Hadamard transform of components with random signs (Ailon & Chazelle, "Approximate
    Nearest Neighbors and the Fast Johnson-Lindenstrauss Transform", STOC 2006). The transform takes a third of the time of a
    multiplication by the planes.
    """
    count, dimensions = packed.shape
    turned = _turned(dimensions)
    rows = np.empty((count, turned.size // WORD), WORD_TYPE)
    for start in range(0, count, PIECE):
        part = packed[start : start + PIECE]
        # Sums of MIXED components of int8 fit into int16.
        columns = np.zeros((turned.shape[1], len(part)), np.int16)
        columns[:dimensions] = part.T
        rows[start : start + PIECE] = _sides(columns, turned)
    return rows


def sign_row_size(dimensions: int) -> int:
    """Return how many bytes a row of signs has, for vectors of these dimensions."""
    return _turned(dimensions).size // 8


def differing(signs: Words, vector: Floats) -> NDArray[np.uint16]:
    """Count, for each row of signs, the bits that differ from those of a vector: the planes between the two."""
    turned = _turned(len(vector))
    column = np.zeros((turned.shape[1], 1), np.float32)
    column[: len(vector), 0] = vector
    sides = _sides(column, turned)[0]
    counts = np.empty(len(signs), np.uint16)
    for start in range(0, len(signs), COMPARED):
        bits = np.bitwise_count(signs[start : start + COMPARED] ^ sides)
        # A sum along the short axis takes twice the time of a sum of columns.
        total = bits[:, 0].astype(np.uint16)
        for column_of_bits in bits.T[1:]:
            total += column_of_bits
        counts[start : start + COMPARED] = total
    return counts


@cache
def _turned(dimensions: int) -> NDArray[np.int16]:
    """Return the random signs of the components, one row for each set of planes."""
    width = -(-dimensions // WORD) * WORD
    # A constant seed gives the same shortlists in every process.
    return np.random.default_rng(0).choice(np.array([-1, 1], np.int16), (-(-SIGNS // width), width))


def _sides(columns: NDArray[np.int16] | Floats, turned: NDArray[np.int16]) -> Words:
    """Return the bits of each column, which is a vector: a row with one bit per plane, packed into words.

    A bit is 1 if the vector is on the positive side of the plane.
    """
    sides = np.vstack([_mixed(columns * signs[:, None]) > 0 for signs in turned])
    return np.packbits(np.ascontiguousarray(sides.T), axis=1).view(WORD_TYPE)


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
