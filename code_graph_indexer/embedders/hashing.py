"""The embedder without a model: it hashes words into a fixed number of dimensions.

It is feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009). The hash of
a word chooses a few dimensions, and ±tf^0.4 is added to each, with tf as the word's count in the text. All sums are
exact, because they are of whole numbers. So a vector has the same bits on every machine and in every batch. It finds
texts that share words, not texts that share a meaning.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders.base import EmbedderStats, unit_rows
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.outside import number_of
from code_graph_indexer.words import EXPANDED, STOP_WORDS, TokenTable, tokens

if TYPE_CHECKING:
    from code_graph_indexer.embedders.base import Vectors

DIMENSIONS = 256
"""The default length of a vector. With 512, fewer words collide, but the vectors are twice as large."""

HASHES = 4
"""The number of dimensions that each word is spread over, so that two words rarely collide in all of them."""

TF_POWER = 0.4
"""The exponent that damps a word's count in a text."""

COUNT_LIMIT = 1_000
"""The largest count of a word in a text. Further occurrences are ignored, because such a text is a table."""

WEIGHT_UNIT = 1_024
"""The weight of a word that occurs once. It is large, because damped counts are rounded to whole numbers."""

_HASH_BYTES = 4
_WEIGHTS = np.rint(WEIGHT_UNIT * np.arange(COUNT_LIMIT + 1) ** TF_POWER)
# One a hash: the primes of xxHash32, whose products spread the bits of a word upwards.
_MULTIPLIERS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F], dtype=np.uint32)


def create(model: str = "", *, dimensions: int = DIMENSIONS) -> HashingEmbedder:
    """Return the embedder. The model can be a number of dimensions: `hashing:512`.

    Raises EmbedderError unless the number is a multiple of 8 from 8 to 4096.
    """
    number = number_of(model)
    if model and number is None:
        raise EmbedderError(f"hashing takes a number of dimensions, not {model!r}; try hashing or hashing:{DIMENSIONS}")
    dimensions = dimensions if number is None else number
    if not 8 <= dimensions <= 4096 or dimensions % 8:
        raise EmbedderError(f"hashing needs 8 to 4096 dimensions, a multiple of 8, not {dimensions}")
    return HashingEmbedder(dimensions)


class HashingEmbedder:
    """An embedder that hashes words into vectors."""

    in_workers = True

    def __init__(self, dimensions: int) -> None:
        self.name = "hashing" if dimensions == DIMENSIONS else f"hashing:{dimensions}"
        self.dimensions = dimensions
        self.stats = EmbedderStats()

    def embed(self, text: str) -> Vectors:
        """Return the vector of one text."""
        vector: Vectors = self.embed_batch([text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, one row per text, in order."""
        started = time.perf_counter()
        rows, words, counts = _count_words(texts)
        positions, signs = _spread(words, self.dimensions)
        weights = _WEIGHTS[np.minimum(counts, COUNT_LIMIT)][:, None] * signs
        targets = rows[:, None] * self.dimensions + positions
        # The weights are whole numbers, so the order of the sum changes no bit.
        sums = np.bincount(targets.ravel(), weights.ravel(), len(texts) * self.dimensions)
        vectors = unit_rows(sums.reshape(len(texts), self.dimensions))
        self.stats += EmbedderStats(texts=len(texts), requests=1, seconds=time.perf_counter() - started)
        return vectors


def _count_words(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.int64]]:
    """Count the words of each text. Return three arrays with one entry per word and text: text number, word hash, count.

    The entries are in order of text number.
    """
    hashes = [b"".join(map(_TOKENS.__getitem__, tokens(text))) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(packed) // _HASH_BYTES for packed in hashes])
    words = np.frombuffer(b"".join(hashes), dtype="<u4")
    # Row and word in one number: a single sort counts the words of all texts.
    keys, counts = np.unique(rows << 32 | words, return_counts=True)
    return keys >> 32, keys.astype(np.uint32), counts


def _spread(words: NDArray[np.uint32], dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return HASHES dimensions and signs (±1) for each word hash, as two arrays of shape (words, HASHES).

    Each dimension comes from a separate part of the vector, so the dimensions of one word are different.
    """
    part = dimensions // HASHES
    mixed = words[:, None] * _MULTIPLIERS
    # The upper 16 bits choose the position, the next bit the sign. So neither depends on the other.
    positions = (mixed >> 16).astype(np.int64) * part >> 16
    signs = np.where(mixed & 0x8000, 1.0, -1.0)
    return positions + np.arange(HASHES) * part, signs


def _hash_word(word: str) -> bytes:
    """Return the hash of a word, four bytes, or empty bytes for a stop word."""
    return b"" if word in STOP_WORDS else blake2b(word.encode(), digest_size=_HASH_BYTES).digest()


_WORDS = TokenTable(_hash_word)
_TOKENS = TokenTable(lambda token: b"".join(map(_WORDS.__getitem__, EXPANDED[token].split())))
"""A cache: token -> the hashes of its words, in one string of bytes."""
