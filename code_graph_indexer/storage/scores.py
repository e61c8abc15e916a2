"""The formulas by which every back-end scores words and substrings."""

import numpy as np
from numpy.typing import NDArray

WORD_WEIGHTS = {"name": 5.0, "path": 2.0, "signature": 1.0, "doc": 1.0, "body": 1.0}
"""BM25 weights of the word fields: a chunk named after the query beats one that mentions it."""

FTS5_K1, FTS5_B = 1.2, 0.75
"""The constants of BM25 in FTS5, which cannot be changed."""

LENGTH_B, TYPICAL_COUNT, USUAL_SIZE = 0.2, 2.0, 500
"""How much the length of a chunk counts, the weighted count of a word in it that is assumed, and its usual bytes."""


def length_factor(size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Undo most of what the BM25 of FTS5 takes from long chunks. `size` is in bytes.

    A chunk is a whole definition: a long chunk is no padded document, and a short chunk is often a mere stub. For a chunk of
    r times the usual size, with tf = TYPICAL_COUNT and b = LENGTH_B, it is:
    (tf + FTS5_K1 (1 + FTS5_B (r - 1))) / (tf + FTS5_K1 (1 + b (r - 1))).
    """
    excess = size / USUAL_SIZE - 1
    fts5_norm = TYPICAL_COUNT + FTS5_K1 * (1 + FTS5_B * excess)
    return fts5_norm / (TYPICAL_COUNT + FTS5_K1 * (1 + LENGTH_B * excess))


def substring_score(substring: str, text: str) -> float:
    """Score a substring in a text: 1 for its presence, more in the same case, as a whole word, and for many matches."""
    exact_count = text.count(substring)
    count = exact_count or text.lower().count(substring.lower())
    if not count:
        return 0.0
    offset = text.find(substring) if exact_count else text.lower().find(substring.lower())
    # At the start of the text the first slice is [-1:0], which is empty as it should be.
    around = text[offset - 1 : offset] + text[offset + len(substring) : offset + len(substring) + 1]
    is_word = not any(char.isalnum() or char == "_" for char in around)
    return 1.0 + 2.0 * bool(exact_count) + 1.0 * is_word + min(count, 10) / 20
