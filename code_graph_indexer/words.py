"""Code-aware words: what identifiers, paths and prose are split into, the same for indexing, queries and embedders."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

_TOKEN = re.compile(r"\w+")
_ASCII_TOKENS = "".join(chr(code) if _TOKEN.match(chr(code)) else " " for code in range(128))
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_HEX = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]{7,40}")

NAME_SEPARATOR = re.compile(r"::|->|[#./\\]")
"""What joins the parts of a qualified name in some language."""

ASCII_PER_TOKEN = 4
"""ASCII characters a token: the common rule of thumb; dense code has about three, so a budget is no hard limit."""

WORD_LIMIT = 64
"""Characters of the longest word kept: longer ones are data (base64, minified code), not language."""

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
"""Tokens that a table keeps: the vocabulary of a large repository, in some 30 MB."""

TEXTS_KEPT = 2_000
"""Texts whose tokens are kept: the chunks of a batch of files are read for their words, and again for their vectors."""

T = TypeVar("T")


class TokenTable(dict[str, T]):
    """What a function makes of each token, remembered; looking up is half of lru_cache's cost, and text repeats itself."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, token: str) -> T:
        if len(self) >= TABLE_LIMIT:
            self.clear()
        made = self[token] = self._make(token)
        return made


def split_identifier(name: str) -> tuple[str, ...]:
    """Split an identifier into lower-case sub-words: `getHTTPUrl_2` is get, http, url, 2; hex codes stay whole."""
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
    """Do what `split_identifier` does, in less time for a token whose words were asked for."""
    if len(token) > WORD_LIMIT:
        return split_identifier(token)
    words = EXPANDED[token].split(" ")
    # Behind several stands their compound.
    return words[:-1] if len(words) > 1 else words if words[0] else ()


def tokens(text: str) -> list[str]:
    """List the identifiers, words and numbers of a text as they are written, in order.

    ASCII is blanked and split, which takes half the time of the pattern.
    """
    return text.translate(_ASCII_TOKENS).split() if text.isascii() else _TOKEN.findall(text)


chunk_tokens = lru_cache(TEXTS_KEPT)(tokens)
"""The tokens of a text that is soon read again; the list is not to be changed."""


def index_words(text: str) -> str:
    """Write a text as the words it is found by, separated by blanks, in order."""
    return " ".join(map(EXPANDED.__getitem__, tokens(text)))


def words_and_grams(text: str) -> tuple[str, str]:
    """Write a text as the words it is found by, and as the distinct tokens whose trigrams it is found by.

    Trigrams need every token only once, which is less than half of a text and of its cost.
    """
    found = chunk_tokens(text)
    return (
        " ".join(map(EXPANDED.__getitem__, found)),
        " ".join([one for one in dict.fromkeys(found) if len(one) >= GRAM_SIZE]),
    )


def trigrams(text: str) -> list[str]:
    """List the distinct trigrams inside the tokens of a text."""
    found = (one[i : i + GRAM_SIZE] for one in tokens(text) for i in range(len(one) - GRAM_SIZE + 1))
    return list(dict.fromkeys(found))


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
    """Estimate the tokens of a text without a tokenizer: a quarter per ASCII character, one per any other."""
    ascii_length = len(text.encode("ascii", "ignore"))
    return -(-ascii_length // ASCII_PER_TOKEN) + len(text) - ascii_length
