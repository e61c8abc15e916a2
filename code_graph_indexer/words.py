"""Split identifiers, paths and prose into words. Indexing, queries and embedders use the same words."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import TypeVar

_TOKEN = re.compile(r"\w+")
_ASCII_TOKENS = "".join(chr(code) if _TOKEN.match(chr(code)) else " " for code in range(128))
# Capitals end before the one that begins a word: `HTTPUrl` is `HTTP` and `Url`.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+")
# The same for the shape of a token with other letters than ASCII: `A` a capital, `a` a small letter, `z` of a script without.
_SHAPED_PART = re.compile(r"A+(?!a)|Aa+|a+|z+|0+")
_HEX = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]{7,40}")

NAME_SEPARATOR = re.compile(r"::|->|[#./\\]")
"""Separators between the parts of a qualified name or a path, in any language."""

ASCII_PER_TOKEN = 4
"""ASCII characters per token, by a common rule of thumb. Dense code has about three, so a token budget is approximate."""

WORD_LIMIT = 64
"""The most characters of a word in the index. Longer words are left out: they are data (base64, minified code)."""

GRAM_SIZE = 3
"""Characters of a trigram, as in SQLite's FTS5 tokenizer `trigram`."""

_STOP_WORDS = {
    language: frozenset(words)
    for language, *words in map(
        str.split, files(__package__).joinpath("stop_words.txt").read_text("utf-8").splitlines()
    )
}
STOP_WORDS = _STOP_WORDS["en"]
"""English words that say nothing in a question about code."""

LEAST_STOP_WORDS = 2
"""The fewest stop words by which a query is of another language than English."""

TABLE_LIMIT = 200_000
"""The most tokens in a table: the vocabulary of a large repository, in about 30 MB."""

TEXTS_KEPT = 2_000
"""The most texts whose tokens are cached. Each chunk of a batch is read twice: for its words, then for its vector."""

T = TypeVar("T")


class TokenTable(dict[str, T]):
    """A cache of a function's value for each token. A lookup takes half the time of lru_cache."""

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
    """Split an identifier into lower-case sub-words: `getHTTPUrl_2` → get, http, url, 2. Hex codes are not split."""
    # `defaced` has only hex digits, but is a word.
    if _HEX.fullmatch(name) and not name.isalpha():
        return (name.lower(),)
    if name.isascii():
        return tuple(map(str.lower, _PART.findall(name)))
    shape = "".join(map(_shape, name))
    return tuple(name[part.start() : part.end()].lower() for part in _SHAPED_PART.finditer(shape))


def _shape(letter: str) -> str:
    """Return the letter that stands for a kind of letters in _SHAPED_PART: `0`, `A`, `a`, `z` (other) or `_` (no letter)."""
    if letter.isdecimal():
        return "0"
    if not letter.isalnum():
        return "_"
    return "A" if letter.isupper() or letter.istitle() else "a" if letter.islower() else "z"


def _expand(token: str) -> str:
    """Return a token's sub-words, and after several sub-words also their compound: `getUrl` → `get url geturl`.

    A token that is longer than WORD_LIMIT, or has no sub-word, gives an empty text.
    """
    if len(token) > WORD_LIMIT:
        return ""
    parts = split_identifier(token)
    if len(parts) < 2:
        return parts[0] if parts else ""
    return f"{' '.join(parts)} {''.join(parts)}"


EXPANDED = TokenTable(_expand)
"""A cache of the words for each token, separated by blanks."""


def sub_words(token: str) -> Sequence[str]:
    """Return the sub-words of a token, as `split_identifier` does, but with a cache."""
    if len(token) > WORD_LIMIT:
        return split_identifier(token)
    words = EXPANDED[token].split(" ")
    # When there are several words, the last is their compound: `get url geturl`.
    return words[:-1] if len(words) > 1 else words if words[0] else ()


def tokens(text: str) -> list[str]:
    """List the identifiers, words and numbers of a text as written, in order.

    ASCII text is split with `str.translate`, which takes half the time of the regular expression.
    """
    return text.translate(_ASCII_TOKENS).split() if text.isascii() else _TOKEN.findall(text)


chunk_tokens = lru_cache(TEXTS_KEPT)(tokens)
"""The function `tokens` with a cache, for texts that are soon read again. Callers must not change the list."""


def index_words(text: str) -> str:
    """Return the words that the index stores for a text, in order, separated by blanks."""
    return " ".join(map(EXPANDED.__getitem__, tokens(text)))


def words_and_grams(texts: Iterable[str]) -> tuple[list[str], str]:
    """Return the words that the index stores for each chunk of a file, and the distinct tokens of the file, for its trigrams.

    All texts are separated by blanks. For trigrams, a repeated token is needed only once, which saves more than half of the
    cost.
    """
    chunks = list(map(chunk_tokens, texts))
    words = [" ".join(map(EXPANDED.__getitem__, chunk)) for chunk in chunks]
    distinct = dict.fromkeys(chain.from_iterable(chunks))
    return words, " ".join([token for token in distinct if len(token) >= GRAM_SIZE])


def trigrams(text: str) -> list[str]:
    """List the distinct trigrams of the tokens of a text, in order."""
    grams = (token[i : i + GRAM_SIZE] for token in tokens(text) for i in range(len(token) - GRAM_SIZE + 1))
    return list(dict.fromkeys(grams))


def query_words(text: str) -> list[str]:
    """List the distinct words of a query, in order, without stop words. If there are only stop words, list these.

    They are those of English, unless the query has more of another language, and at least LEAST_STOP_WORDS: `die` or `para`
    say nothing in one language and much in another.
    """
    words = list(dict.fromkeys(index_words(text).split()))
    stop_words = max(_STOP_WORDS.values(), key=lambda stop: len(stop.intersection(words)))
    if len(stop_words.intersection(words)) < LEAST_STOP_WORDS:
        stop_words = STOP_WORDS
    return [word for word in words if word not in stop_words] or words


def identifiers(text: str) -> list[str]:
    """List the distinct tokens of a text as written, in order."""
    return list(dict.fromkeys(tokens(text)))


def dotted_name(text: str) -> str:
    """Return a qualified name of any language with dots: `Cart::add()` → `Cart.add`."""
    return NAME_SEPARATOR.sub(".", text.strip().removesuffix("()")).strip(".")


def estimate_tokens(text: str) -> int:
    """Return an estimate of a text's number of tokens: a quarter per ASCII character, and one per other character."""
    ascii_length = len(text.encode("ascii", "ignore"))
    # The two minus signs round the division up.
    return -(-ascii_length // ASCII_PER_TOKEN) + len(text) - ascii_length


def telling_identifiers(text: str) -> list[str]:
    """List the names and words of a text as they are written, but for stop words."""
    return [word for word in identifiers(text) if word.lower() not in STOP_WORDS]


def whole_word(name: str) -> str:
    """Return the word of the index for the whole of a name: `get_url` has get, url and geturl. Empty if it has none."""
    return next(reversed(index_words(name).split()), "")


def word_place(text: bytes, word: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return where the first whole word in a part of a text starts and ends, in bytes. A word may start right there."""
    if not text.startswith(word, start) or not word:
        match = re.compile(rb"(?<![\w$])" + re.escape(word) + rb"(?![\w$])").search(text, start, end) if word else None
        if match is None:
            return None
        start = match.start()
    return start, start + len(word)
