"""The formulas that every back-end uses to score words and substrings."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, AnyStr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD_WEIGHTS = {"name": 5.0, "path": 2.0, "signature": 1.0, "doc": 1.0, "body": 1.0}
"""The BM25 weight of each field. A chunk with the word in its name beats a chunk that only mentions it."""

FTS5_K1, FTS5_B = 1.2, 0.75
"""The BM25 constants k1 and b of SQLite's FTS5, which cannot be changed."""

RARE_IDF = 1e-6
"""The weight of a term that more than half of all chunks contain, as in FTS5."""

LENGTH_B, TYPICAL_COUNT, USUAL_SIZE = 0.2, 2.0, 500
"""The constants of length_factor(): our b, the assumed weighted count of a word, and the usual size of a chunk in bytes.

A smaller b makes the length of a chunk count less.
"""


def idf(having: int, chunks: int) -> float:
    """Return the weight of a term by how few of the chunks contain it, as FTS5 computes it (Robertson & Zaragoza 2009)."""
    return max(math.log((max(chunks - having, 0) + 0.5) / (having + 0.5)), RARE_IDF)


def bm25(
    frequency: NDArray[np.float64], size: NDArray[np.int64], *, matches: int, rows: int, length: float
) -> NDArray[np.float64]:
    """Return the BM25 score of a word in chunks, exactly as FTS5 computes it (Robertson & Zaragoza 2009).

    `frequency` is the number of occurrences in each chunk, weighted by field, and `size` its number of words. `matches` of the
    `rows` chunks contain the word, and a chunk has `length` words on average.
    """
    norm = FTS5_K1 * (1 - FTS5_B + FTS5_B * size / length)
    return idf(matches, rows) * (frequency * (FTS5_K1 + 1) / (frequency + norm))


def length_factor(size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the factor for a BM25 score of FTS5 that undoes most of its penalty for long chunks. `size` is in bytes.

    A long chunk is a whole definition without padding, and a short chunk is often only a stub. The factor for a chunk
    of r times the usual size, with tf = TYPICAL_COUNT and b = LENGTH_B, is (tf + FTS5_K1 (1 + FTS5_B (r - 1))) / (tf +
    FTS5_K1 (1 + b (r - 1))).
    """
    excess = size / USUAL_SIZE - 1
    fts5_norm = TYPICAL_COUNT + FTS5_K1 * (1 + FTS5_B * excess)
    return fts5_norm / (TYPICAL_COUNT + FTS5_K1 * (1 + LENGTH_B * excess))


MAX_LETTER = 4
"""The most bytes of a letter in UTF-8."""

ASCII_IN_LOWER_CASE = {"i": "\u0130".encode(), "k": "\u212a".encode()}
"""The ASCII letters that are in the lower case of a letter outside of ASCII, and that letter in UTF-8."""


def match_offsets(substring: str, text: bytes) -> list[int]:
    """Return where a substring may begin in a text of UTF-8, in any case, as offsets in bytes, ascending.

    Each place where it begins is among them. The others are near letters whose lower case has an ASCII letter.
    """
    sought = substring.lower()
    if substring.isascii():
        # Bytes are lowered several times faster than letters.
        offsets = _offsets(sought.encode(), text.lower())
        reach = MAX_LETTER * len(sought)
        near = [
            range(max(0, place - reach), place + 1)
            for letter, letters in ASCII_IN_LOWER_CASE.items()
            # A single byte is found ten times faster than a letter of several.
            if letter in sought and all(byte in text for byte in letters)
            for place in _offsets(letters, text)
        ]
        return sorted({*offsets, *chain.from_iterable(near)}) if near else offsets
    decoded = text.decode("utf-8", "replace")
    lower = decoded.lower()
    # A few letters have two in lower case, such as the Turkish dotted I. Then no place is sure, and all are taken.
    if len(lower) != len(decoded):
        return list(range(len(text))) if sought in lower else []
    offsets, before, size = [], 0, 0
    for offset in _offsets(sought, lower):
        size += len(decoded[before:offset].encode())
        before = offset
        offsets.append(size)
    return offsets


def _offsets(substring: AnyStr, text: AnyStr) -> list[int]:
    """Return where a substring begins in a text, ascending."""
    offsets: list[int] = []
    offset = text.find(substring)
    while offset >= 0:
        offsets.append(offset)
        offset = text.find(substring, offset + 1)
    return offsets


def substring_score(substring: str, text: str) -> float:
    """Return the score of a substring in a text, 0 if the text does not contain it in any case.

    The score is 1 for a match, plus 2 for the same case, plus 1 if the first match is a whole word. Each match, up to
    ten, adds 0.05.
    """
    exact_count = text.count(substring)
    count = exact_count or text.lower().count(substring.lower())
    if not count:
        return 0.0
    offset = text.find(substring) if exact_count else text.lower().find(substring.lower())
    # At the start of the text the first slice is [-1:0], which is empty as it should be.
    around = text[offset - 1 : offset] + text[offset + len(substring) : offset + len(substring) + 1]
    is_word = not any(char.isalnum() or char == "_" for char in around)
    return 1.0 + 2.0 * bool(exact_count) + 1.0 * is_word + min(count, 10) / 20
