"""Add to the everyday words of a question the words that programmers write: `throw out` → `evict`, `cores` → `thread`."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

MAX_RELATED = 24
"""The most words that are added to a question. A longer question says enough by itself."""


@cache
def _related() -> Mapping[str, tuple[str, ...]]:
    """Map each everyday word to the words of code of all lines that have it, without the word itself.

    A line of everyday.txt has everyday words, and after the colon the words of code for the same matter. It is about software
    of any kind, and names no product.
    """
    related: dict[str, dict[str, None]] = {}
    for line in files(__package__).joinpath("everyday.txt").read_text(encoding="utf-8").splitlines():
        everyday, _, code = line.partition(":")
        for word in everyday.split():
            related.setdefault(word, {}).update(dict.fromkeys(code.split()))
    return {word: tuple(name for name in names if name != word) for word, names in related.items()}


def related_words(words: Sequence[str]) -> tuple[str, ...]:
    """List the words of code for the everyday words of a question, each once, at most MAX_RELATED, without these words."""
    rows = [_related().get(word, ()) for word in words]
    # By turns, so that one word with many relatives does not take the place of the others.
    turns = (row[turn] for turn in range(max(map(len, rows), default=0)) for row in rows if turn < len(row))
    related = dict.fromkeys(word for word in turns if word not in words)
    return tuple(related)[:MAX_RELATED]
