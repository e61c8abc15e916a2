"""Split identifiers, paths and prose into words. Indexing, queries and embedders use the same words."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

_TOKEN = re.compile(r"\w+")
_ASCII_TOKENS = "".join(chr(code) if _TOKEN.match(chr(code)) else " " for code in range(128))
# Capitals end before the one that begins a word: `HTTPUrl` is `HTTP` and `Url`.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_HEX = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]{7,40}")

NAME_SEPARATOR = re.compile(r"::|->|[#./\\]")
"""What joins the parts of a qualified name in some language."""

ASCII_PER_TOKEN = 4
"""ASCII characters for each token, by the common rule of thumb. Dense code has about three, so a budget is no hard limit."""

WORD_LIMIT = 64
"""Characters of the longest word in the index. Longer words are data (base64, minified code), not language."""

GRAM_SIZE = 3
"""Characters of a trigram, as FTS5's `trigram` tokenizer cuts them."""

STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
    ]
)
"""English words that carry no meaning in a question about code."""


TABLE_LIMIT = 200_000
"""Tokens that a table caches: the vocabulary of a large repository, in some 30 MB."""

TEXTS_KEPT = 2_000
"""Texts whose tokens are cached. The chunks of a batch of files are read for their words, then again for their vectors."""

T = TypeVar("T")


class TokenTable(dict[str, T]):
    """Cache the value of a function for each token. A lookup costs half of what lru_cache costs, and texts repeat tokens."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, token: str) -> T:
        # To drop the least used token, every lookup would have to be counted.
        if len(self) >= TABLE_LIMIT:
            self.clear()
        value = self[token] = self._make(token)
        return value


def split_identifier(name: str) -> tuple[str, ...]:
    """Split an identifier into lower-case sub-words: `getHTTPUrl_2` is get, http, url, 2. Hex codes stay whole."""
    # `defaced` has only hex digits, but is a word.
    if _HEX.fullmatch(name) and not name.isalpha():
        return (name.lower(),)
    return tuple(map(str.lower, _PART.findall(name)))


def _expand(token: str) -> str:
    """Write one token as its sub-words, followed by the joined compound when there are several."""
    if len(token) > WORD_LIMIT:
        return ""
    parts = split_identifier(token)
    if len(parts) < 2:
        return parts[0] if parts else ""
    return f"{' '.join(parts)} {''.join(parts)}"


EXPANDED = TokenTable(_expand)
"""The words of each token, separated by blanks."""


def sub_words(token: str) -> Sequence[str]:
    """Return what `split_identifier` returns, but take the words from the cache if they are there."""
    if len(token) > WORD_LIMIT:
        return split_identifier(token)
    words = EXPANDED[token].split(" ")
    # When there are several words, the last is their compound: `get url geturl`.
    return words[:-1] if len(words) > 1 else words if words[0] else ()


def tokens(text: str) -> list[str]:
    """List the identifiers, words and numbers of a text as they are written, in order.

    For ASCII text, translate and split takes half the time of the pattern.
    """
    return text.translate(_ASCII_TOKENS).split() if text.isascii() else _TOKEN.findall(text)


chunk_tokens = lru_cache(TEXTS_KEPT)(tokens)
"""Cache the tokens of a text that is soon read again. Callers must not change the list."""


def index_words(text: str) -> str:
    """Write a text as the words that the index stores for it, separated by blanks, in order."""
    return " ".join(map(EXPANDED.__getitem__, tokens(text)))


def words_and_grams(text: str) -> tuple[str, str]:
    """Write a text as the words that the index stores for it, and as the distinct tokens for its trigrams.

    Trigrams need a repeated token only once, which saves more than half of the cost.
    """
    words = chunk_tokens(text)
    return (
        " ".join(map(EXPANDED.__getitem__, words)),
        " ".join([word for word in dict.fromkeys(words) if len(word) >= GRAM_SIZE]),
    )


def trigrams(text: str) -> list[str]:
    """List the distinct trigrams inside the tokens of a text."""
    grams = (token[i : i + GRAM_SIZE] for token in tokens(text) for i in range(len(token) - GRAM_SIZE + 1))
    return list(dict.fromkeys(grams))


def query_words(text: str) -> list[str]:
    """List the distinct words of a query in order, without stop words (unless there is nothing else)."""
    words = list(dict.fromkeys(index_words(text).split()))
    return [word for word in words if word not in STOP_WORDS] or words


def identifiers(text: str) -> list[str]:
    """List the distinct tokens of a text as they are written."""
    return list(dict.fromkeys(tokens(text)))


def dotted_name(text: str) -> str:
    """Write a qualified name of any language with dots."""
    return NAME_SEPARATOR.sub(".", text.strip().removesuffix("()")).strip(".")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text without a tokenizer: a quarter for each ASCII character, one for any other."""
    ascii_length = len(text.encode("ascii", "ignore"))
    # The two minus signs round the division up.
    return -(-ascii_length // ASCII_PER_TOKEN) + len(text) - ascii_length
