"""The packed full-text index of a database server: for each word, the chunks that hold it.

The words of an index file are in FTS5, whose rows no other database can read. A server stores the same words, so that a
score does not depend on the back-end.

A place is where a word stands: the chunk's id in the index file, times PLACES, plus the number of the field. The packed
places of a word are numbers of one to nine bytes (LEB128): the differences between its places, ascending, then how often the
word stands at each of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.scores import WORD_WEIGHTS

PLACES = 8
"""The numbers of a chunk that tell its fields apart. The fields are numbered in the order of WORD_WEIGHTS."""

MAX_TERM = 200
"""The longest word in characters that is a key as it is. A longer one is cut, and a hash of it follows."""

ROWS = 200
"""How many words are read at once."""

MAX_BYTES = 9
"""The most bytes of a number."""

MAX_COUNT = (1 << 31) - 1
"""The largest number that says how often a word is in a place. A chunk is much shorter."""

BATCH = 2_000_000
"""How many occurrences of words are packed at once, which takes 100 MB."""

Numbers = NDArray[np.int64]


class Posting(NamedTuple):
    """A word or trigram with the packed places where it stands. `chunks` is the number of chunks that hold it."""

    term: str
    chunks: int
    packed: bytes


class Places(NamedTuple):
    """The places of a word, one row each: the chunk's id, the number of the field, and how often the word is there."""

    chunk_ids: Numbers
    fields: NDArray[np.uint8]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, chunk_ids: Sequence[int]) -> "Places":
        """Return a place in the first field for each of some chunks."""
        return cls(np.array(chunk_ids, np.int64), np.zeros(len(chunk_ids), np.uint8), np.ones(len(chunk_ids), np.int32))

    def joined(self, places: "Places") -> "Places":
        """Return the places of both, ascending. They are of other repositories."""
        if not len(self.chunk_ids) or not len(places.chunk_ids):
            return places if len(places.chunk_ids) else self
        both = Places(
            np.concatenate([self.chunk_ids, places.chunk_ids]),
            np.concatenate([self.fields, places.fields]),
            np.concatenate([self.counts, places.counts]),
        )
        return both.at(np.argsort(both.chunk_ids, kind="stable"))

    def at(self, rows: Numbers | NDArray[np.bool_]) -> "Places":
        """Return some of the rows, which are positions or a mask."""
        return Places(self.chunk_ids[rows], self.fields[rows], self.counts[rows])

    def weighted(self) -> tuple[Numbers, NDArray[np.float64]]:
        """Return each chunk id once, ascending, and the word's frequency in the chunk, weighted by field."""
        if not len(self.chunk_ids):
            return self.chunk_ids, np.zeros(0)
        weights = np.array([*WORD_WEIGHTS.values()])
        starts = np.flatnonzero(np.diff(self.chunk_ids, prepend=-1))
        return self.chunk_ids[starts], np.add.reduceat(weights[self.fields] * self.counts, starts)


def term_key(term: str) -> str:
    """Return the key of a word: the word itself or, if it is very long, its start and a hash."""
    if len(term) <= MAX_TERM:
        return term
    return f"{term[:MAX_TERM]}\N{HORIZONTAL ELLIPSIS}{blake2b(term.encode(), digest_size=16).hexdigest()}"


def pack_numbers(numbers: Numbers) -> tuple[NDArray[np.uint8], Numbers]:
    """Return numbers from 0 as bytes, seven bits in each, the lowest first, and how many bytes each number has."""
    largest = int(numbers.max(initial=0))
    if largest < 0x80:
        return numbers.astype(np.uint8), np.ones(len(numbers), np.int64)
    sizes = np.ones(len(numbers), np.int64)
    for bits in range(7, largest.bit_length(), 7):
        sizes += numbers >= (1 << bits)
    starts = np.cumsum(sizes) - sizes
    packed = np.empty(int(sizes.sum()), np.uint8)
    # Most numbers are small, so each round has few of them.
    rows, rest, offsets = numbers, sizes - 1, starts
    while len(rows):
        packed[offsets] = (rows & 0x7F) | np.where(rest > 0, 0x80, 0)
        more = rest > 0
        rows, rest, offsets = rows[more] >> 7, rest[more] - 1, offsets[more] + 1
    return packed, sizes


def unpack_numbers(packed: bytes, sizes: Numbers) -> tuple[Numbers, Numbers]:
    """Return the numbers that `pack_numbers` made bytes of, and how many each list has. `sizes` are the lists' bytes.

    Bytes after the last whole number of a list are left out.
    """
    raw = np.frombuffer(packed, np.uint8)
    is_end = raw < 0x80
    last_bytes = np.cumsum(sizes)[sizes > 0] - 1
    # Only a damaged list ends inside a number. Nothing of it may run into the next list.
    damaged = last_bytes[~is_end[last_bytes]]
    is_end[damaged] = True
    ends = np.flatnonzero(is_end)
    if not len(ends):
        return np.zeros(0, np.int64), np.zeros(len(sizes), np.int64)
    numbers = (raw[ends] & 0x7F).astype(np.int64)
    # Most numbers are a single byte. Each round puts the byte before into the longer ones.
    before = np.diff(ends, prepend=-1) - 1
    rows = np.flatnonzero(before)
    places, rest = ends[rows], before[rows]
    # A damaged list may have any number of bytes without an end.
    for _ in range(MAX_BYTES - 1):
        places, rest = places - 1, rest - 1
        numbers[rows] = numbers[rows] << 7 | raw[places] & 0x7F
        longer = rest > 0
        rows, places, rest = rows[longer], places[longer], rest[longer]
    counts = np.diff(np.searchsorted(ends, np.concatenate(([0], np.cumsum(sizes)))))
    if len(damaged):
        whole = raw[ends] < 0x80
        owners = np.repeat(np.arange(len(sizes)), counts)
        numbers, counts = numbers[whole], np.bincount(owners[whole], minlength=len(sizes)).astype(np.int64)
    return numbers, counts


def pack_places(terms: Sequence[str], counts: Sequence[int], places: Numbers, *, counted: bool) -> list[Posting]:
    """Pack the places of several words. The first `counts[0]` places are of the first word, and so on.

    A place may come several times, in any order inside its word. Without `counted`, its number is not stored.
    """
    word = np.repeat(np.arange(len(terms)), np.array(counts, np.int64))
    if len(places) > 1 and np.any((np.diff(places) < 0) & (np.diff(word) == 0)):
        places = places[np.lexsort((places, word))]
    fresh = np.ones(len(places), np.bool_)
    fresh[1:] = (np.diff(places) != 0) | (np.diff(word) != 0)
    firsts = np.flatnonzero(fresh)
    numbers, repeats, owner = places[firsts], np.diff(firsts, append=len(places)), word[firsts]
    begins = np.ones(len(firsts), np.bool_)
    begins[1:] = np.diff(owner) != 0
    deltas = np.where(begins, numbers, np.diff(numbers, prepend=0))
    packed, sizes = pack_numbers(deltas)
    places_bytes, ends = packed.tobytes(), np.cumsum(np.bincount(owner, sizes, len(terms))).astype(np.int64).tolist()
    packed, sizes = pack_numbers(repeats if counted else np.zeros(0, np.int64))
    counts_bytes = packed.tobytes()
    count_ends = np.cumsum(np.bincount(owner, sizes, len(terms)) if counted else np.zeros(len(terms)))
    new_chunk = begins.copy()
    new_chunk[1:] |= np.diff(numbers // PLACES) != 0
    chunks = np.bincount(owner, new_chunk, len(terms)).astype(np.int64).tolist()
    postings, start, count_start = [], 0, 0
    for term, number, end, count_end in zip(terms, chunks, ends, count_ends.astype(np.int64).tolist(), strict=True):
        postings.append(Posting(term_key(term), number, places_bytes[start:end] + counts_bytes[count_start:count_end]))
        start, count_start = end, count_end
    return postings


def unpack_places(packed: bytes, sizes: Numbers, *, counted: bool) -> tuple[Places, Numbers]:
    """Return the places of several lists that `pack_places` packed, one after another, and how many each list has.

    `sizes` are the lists' bytes. The ids are those of the index files.
    """
    numbers, totals = unpack_numbers(packed, sizes)
    counts = totals // 2 if counted else totals
    places, repeats = numbers, np.ones(1, np.int64)
    if counted:
        # Each list has its places, then their counts. Only a damaged list has a number more.
        lengths = np.stack([counts, counts, totals - 2 * counts], axis=1).ravel()
        parts = np.repeat(np.tile(np.array([0, 1, 2], np.int8), len(counts)), lengths)
        places, repeats = numbers[parts == 0], numbers[parts == 1]
    np.cumsum(places, out=places)
    ends = np.cumsum(counts)[counts > 0]
    # The sum before a list is that of the lists before it.
    places -= np.repeat(np.concatenate(([0], places[ends[:-1] - 1])), counts[counts > 0]) if len(ends) else 0
    # A damaged row may name any field, and any number.
    fields = np.minimum(places % PLACES, len(WORD_WEIGHTS) - 1).astype(np.uint8)
    often = np.broadcast_to(np.minimum(repeats, MAX_COUNT).astype(np.int32), len(places))
    return Places(places // PLACES, fields, often), counts


def batches(rows: Iterable[tuple[str, int, str]]) -> Iterator[tuple[list[str], list[int], Numbers]]:
    """Yield words, the number of places of each, and all their places, of at most about BATCH places at a time.

    A row is a word, its number of places, and the places as text with commas between them.
    """
    batch: list[tuple[str, int, str]] = []
    total, rest = 0, iter(rows)
    # A few rows at a time take less time than one after another.
    while part := list(islice(rest, ROWS)):
        batch += part
        total += sum(count for _, count, _ in part)
        if total >= BATCH:
            yield _columns(batch)
            batch, total = [], 0
    if batch:
        yield _columns(batch)


def _columns(rows: Sequence[tuple[str, int, str]]) -> tuple[list[str], list[int], Numbers]:
    """Return the columns of rows (word, number of places, places as text): words, numbers, and all places in one array."""
    terms, counts, texts = zip(*rows, strict=True)
    return list(terms), list(counts), _numbers(texts)


def _numbers(texts: Sequence[str]) -> Numbers:
    return np.fromstring(",".join(texts), np.int64, sep=",")
