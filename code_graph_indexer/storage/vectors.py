"""The vectors of an index, ranked by cosine similarity. In a large index only a shortlist is read and compared in full."""

from collections.abc import Callable
from functools import cache
from math import gcd, sqrt

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.arrays import NO_IDS, Hits, Ids, are_in, frozen

SHORTLIST = 6_000
"""The number of vectors that are compared in full. In a larger index they are those that have the most signs in common.

The recall is in docs/measured.
"""

MIXED = 64
"""The most components of a vector that each component of the stored vector mixes."""

STEPS = 16
"""How many sizes a stored component has, beside its sign: four bits. The recall is in docs/measured."""

FAR_SHORTLIST, ESTIMATED = 2_000, 32_000
"""The shortlist of vectors that are on a server, and how many of them have their similarity estimated to choose it.

Reading a vector from a server takes longer than to estimate its similarity.
"""

WORD = 64
"""The number of bits that one operation compares."""

WORD_TYPE = np.dtype("<u8")
"""The type of these bits, whatever the order of bytes on the machine, because an index file holds them."""

SPARSE = 0.3
"""The share of the rows of signs up to which they are picked out before they are compared."""

COMPARED = 1 << 14
"""The number of rows of signs that are compared at a time, so that they stay in the processor's cache."""

PIECE = 500
"""The number of vectors that are unpacked at a time, so that they stay in the processor's cache.

All vectors together would take four times the memory.
"""

_FLIPS = bytes.fromhex(
    "e07ff66e5007677ebc36ce9314cabaabbb2f10dcc51f1f97350d99b6c5c68d84"
    "2fd07e569bb01be401cbdb857fe96bfbcd3fa6fcb2b0cdc87844f13b96ddb2d0"
)
"""The first bits that `np.random.default_rng(0)` draws: to load NumPy's random numbers takes longer than to search."""

Floats = NDArray[np.float32]
Packed = NDArray[np.int8]
Words = NDArray[np.uint64]


class VectorTable:
    """The vectors of chunks, whose arrays never change. `ids` are ascending, and row i of `signs` is of the chunk `ids[i]`.

    `signs` are of sign_rows(). `read` returns the int8 vectors at some positions in `ids`, one a row. They may have any length
    (norm). `shortlist` is the number of vectors that are compared in full. They are the best of `estimated` vectors, if that is
    not 0.
    """

    def __init__(
        self,
        ids: Ids,
        read: Callable[[Ids], Packed],
        signs: Words | None,
        *,
        shortlist: int = SHORTLIST,
        estimated: int = 0,
        lengths: Floats | None = None,
    ) -> None:
        self.ids = frozen(ids)
        self._read = read
        self._signs = None if signs is None else frozen(signs)
        self._shortlist = shortlist
        self._estimated = estimated
        self._lengths = None if lengths is None else frozen(lengths)
        self._all = frozen(np.arange(len(ids)))
        self._last: tuple[tuple[AllowedChunks, Ids], ...] = ()
        self._compared: tuple[bytes, NDArray[np.uint16]] | None = None

    @classmethod
    def of(cls, ids: Ids, packed: Packed, *, shortlist: int = SHORTLIST) -> "VectorTable":
        """Make a table of vectors in memory. Row i of `packed` is the vector of the chunk `ids[i]`."""
        signs = _by_column(sign_rows(packed)) if len(ids) > shortlist else None
        return cls(ids, packed.__getitem__, signs, shortlist=shortlist)

    def with_rows(self, packed: Packed) -> "VectorTable":
        """Return the same table with its vectors in memory: row i of `packed` is that of `ids[i]`."""
        signs = None if self._signs is None else _by_column(self._signs)
        return VectorTable(
            self.ids,
            packed.__getitem__,
            signs,
            shortlist=self._shortlist,
            estimated=self._estimated,
            lengths=_lengths(packed),
        )

    def nearest(self, vector: Floats, limit: int, *, allowed: AllowedChunks | None = None) -> Hits:
        """Rank the `limit` allowed chunks that are nearest to a unit vector. Only chunks with a positive similarity are listed.

        Without `allowed`, all chunks are allowed.
        """
        if not len(self.ids) or limit < 1:
            return Hits(NO_IDS, np.zeros(0))
        vector = rotated(vector)
        positions = self._all if allowed is None else self._within(allowed)
        if self._signs is not None and len(positions) > (size := max(self._shortlist, limit)):
            positions = self._shortlisted(self._signs, positions, vector, size)
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
        return self._ranked(positions, self._similarities(positions, rotated(vector)))

    def _shortlisted(self, signs: Words, positions: Ids, vector: Floats, size: int) -> Ids:
        """Return those `size` of these positions whose signs promise the nearest vectors, and all that tie with the last."""
        if len(positions) > (first := max(size, self._estimated)):
            # Rows side by side are compared faster than rows here and there.
            is_part = len(positions) < SPARSE * len(self.ids)
            counts = differing(signs[positions], vector) if is_part else self._differing(signs, vector)
            if not is_part and positions is not self._all:
                counts = counts[positions]
            most = np.searchsorted(np.cumsum(np.bincount(counts)), first)
            # Numbers of one type are compared in a quarter of the time.
            positions = positions[counts <= counts.dtype.type(most)]
        if self._estimated and len(positions) > size:
            scores = estimates(signs[positions], vector)
            positions = positions[scores >= np.partition(scores, -size)[-size]]
        return positions

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
            # Unlike a product of matrix and vector, this wakes no other thread, which takes longer than it saves.
            scores[start : start + PIECE] = np.vecdot(packed[start : start + PIECE].astype(np.float32), vector)
        scores /= _lengths(packed) if self._lengths is None else self._lengths[positions]
        return scores

    def _ranked(self, positions: Ids, scores: Floats) -> Hits:
        """Return the ranked list of these positions, ties by position. Positions without a positive score are left out."""
        order = np.lexsort((positions, -scores))
        alike = order[: np.count_nonzero(scores > 0)]
        return Hits(self.ids[positions[alike]], scores[alike].astype(np.float64))


def _lengths(packed: Packed) -> Floats:
    """Return the length of each vector, and 1 for one of zeros, which is similar to nothing."""
    lengths = np.empty(len(packed), np.float32)
    for start in range(0, len(packed), PIECE):
        rows = packed[start : start + PIECE].astype(np.float32)
        lengths[start : start + PIECE] = np.sqrt(np.vecdot(rows, rows))
    lengths[lengths == 0] = 1
    return lengths


def rotated(vectors: Floats) -> Floats:
    """Return vectors, along the last axis, as the index stores them: rotated, all in the same way, which keeps each cosine.

    Afterwards the length of a vector is spread evenly over its components. So a component needs few bits, and its sign tells
    on which side of a random plane the vector is. The rotation is a Hadamard transform of components with random signs
    (Ailon & Chazelle, "Approximate Nearest Neighbors and the Fast Johnson-Lindenstrauss Transform", STOC 2006).
    """
    dimensions = vectors.shape[-1]
    columns = np.multiply(vectors.reshape(-1, dimensions).T, _flips(dimensions)[:, None], dtype=np.float32)
    # Of other dimensions than a power of two, the transform mixes the components in groups.
    mixed = gcd(dimensions, MIXED)
    parts = 2
    while parts <= mixed:
        # Each step replaces the halves of a part by their sum and their difference. The next step does so with each half.
        halves = columns.reshape(parts // 2, 2, dimensions // parts, -1)
        columns = np.stack([halves[:, 0] + halves[:, 1], halves[:, 0] - halves[:, 1]], axis=1)
        parts *= 2
    columns = np.divide(columns.reshape(dimensions, -1), sqrt(mixed), dtype=np.float32)
    return np.ascontiguousarray(columns.T).reshape(vectors.shape)


def quantise(vectors: Floats) -> Packed:
    """Return vectors, one a row, as the index stores them: rotated, each component as an odd number from -31 to 31.

    The largest component becomes 31, because a cosine does not depend on the scale.
    """
    components = rotated(vectors)
    sizes = np.abs(components)
    largest = sizes.max(axis=1, keepdims=True)
    steps = np.minimum(sizes * (STEPS / np.where(largest == 0, 1, largest)), STEPS - 1).astype(np.int8)
    packed = np.where(components < 0, -2 * steps - 1, 2 * steps + 1).astype(np.int8)
    # A row of signs without a bit stands for a chunk without a vector.
    unsigned = np.flatnonzero((packed < 0).all(axis=1))
    packed[unsigned, sizes[unsigned].argmin(axis=1)] = 1
    return packed


def sign_rows(packed: Packed | Floats) -> Words:
    """Return one row of bits per vector, packed into words: which components are positive.

    Few differing bits mean near vectors. Counting them is a cheap way to choose a shortlist (Charikar, "Similarity Estimation
    Techniques from Rounding Algorithms", STOC 2002; at right angles: Ji et al., "Super-Bit Locality-Sensitive Hashing", NIPS
    2012).
    """
    rows = np.zeros((len(packed), sign_row_size(packed.shape[1])), np.uint8)
    rows[:, : -(-packed.shape[1] // 8)] = np.packbits(packed > 0, axis=1)
    return rows.view(WORD_TYPE)


def step_rows(packed: Packed) -> NDArray[np.uint8]:
    """Return one row of bytes per vector: the sizes of its components, two in a byte."""
    steps = np.zeros((len(packed), 2 * step_row_size(packed.shape[1])), np.uint8)
    steps[:, : packed.shape[1]] = np.abs(packed) >> 1
    rows: NDArray[np.uint8] = np.bitwise_or(np.left_shift(steps[:, ::2], 4), steps[:, 1::2])
    return rows


def unpacked(signs: Words, steps: NDArray[np.uint8], dimensions: int) -> Packed:
    """Return the vectors of which sign_rows() and step_rows() returned these rows. One without a sign is zeros."""
    packed = _sizes().take(steps).view(np.int8)[:, :dimensions]
    bits = np.unpackbits(np.ascontiguousarray(signs).view(np.uint8), axis=1, count=dimensions).view(np.int8)
    # A number is negated by turning its bits, and adding 1. Both are undone where `bits` is 1.
    bits -= 1
    packed ^= bits
    packed -= bits
    packed[~signs.any(axis=1)] = 0
    return packed


def _by_column(signs: Words) -> Words:
    """Return the same rows of signs, with each column in one piece of memory: `differing` takes half the time."""
    return np.asfortranarray(signs)


def sign_row_size(dimensions: int) -> int:
    """Return how many bytes a row of signs has, for vectors of these dimensions."""
    return -(-dimensions // WORD) * WORD // 8


def step_row_size(dimensions: int) -> int:
    """Return how many bytes a row of sizes has, for vectors of these dimensions."""
    return -(-dimensions // 2)


def differing(signs: Words, vector: Floats) -> NDArray[np.uint16]:
    """Count, for each row of signs, the bits that differ from those of a rotated vector."""
    sides = sign_rows(vector[None])[0]
    counts = np.empty(len(signs), np.uint16)
    for start in range(0, len(signs), COMPARED):
        bits = np.bitwise_count(signs[start : start + COMPARED] ^ sides)
        # A sum along the short axis takes twice the time of a sum of columns.
        total = bits[:, 0].astype(np.uint16)
        for column_of_bits in bits.T[1:]:
            total += column_of_bits
        counts[start : start + COMPARED] = total
    return counts


def estimates(signs: Words, vector: Floats) -> Floats:
    """Return, for each row of signs, a number that is higher for vectors that are probably nearer to a rotated vector.

    Each sign counts as much as the vector's component. Only the rows are rounded to signs, not the vector (Gordo
    et al., "Asymmetric Distances for Binary Embeddings", IEEE TPAMI 2014).
    """
    components = np.zeros(8 * sign_row_size(len(vector)), np.float32)
    components[: len(vector)] = vector
    # One table for each byte of a row: the sum of its eight components, by the value of the byte.
    sums = components.reshape(-1, 8) @ _byte_signs().T
    scores = np.zeros(len(signs), np.float32)
    rows = np.ascontiguousarray(signs).view(np.uint8)
    for table, values in zip(sums, np.ascontiguousarray(rows.T), strict=True):
        scores += table.take(values)
    return scores


@cache
def _sizes() -> NDArray[np.int16]:
    """Return the two sizes, as int8 side by side, of each value of a byte of step_rows()."""
    steps = np.arange(256, dtype=np.uint8)
    return frozen((2 * np.stack([steps >> 4, steps & 15], axis=1) + 1).astype(np.int8).view(np.int16)[:, 0])


@cache
def _byte_signs() -> Floats:
    """Return 1 or -1 for each bit of each value of a byte, in the order in which bits are packed."""
    return frozen(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1)


@cache
def _flips(dimensions: int) -> NDArray[np.int8]:
    """Return random signs, 1 or -1, for the components of a vector."""
    if dimensions <= 8 * len(_FLIPS):
        bits = np.unpackbits(np.frombuffer(_FLIPS, np.uint8), count=dimensions).astype(np.int8)
        return frozen(2 * bits - 1)
    # A constant seed gives the same rotation in every process.
    return frozen(np.random.default_rng(0).choice(np.array([-1, 1], np.int8), dimensions))
