"""Patterns of paths with `*`, `?` and `[…]`, taken apart at the folder of a repository."""

import re
from collections.abc import Iterable, Iterator, Sequence

_PART = re.compile(r"\*+|\[\^?\]?[^\]]*\]|.", re.DOTALL)
"""A part of a pattern: a star, a class of characters, or a character."""


def plain(pattern: str) -> str:
    """Return a pattern without `**`, which says the same as `*`, because `*` matches slashes too."""
    return pattern.replace("**/", "*").replace("**", "*")


def rests(pattern: str, prefix: str) -> list[str]:
    """List the patterns that match what follows `prefix` in the texts that a pattern matches.

    `*o/*.py` leaves `*o/*.py` and `*.py` after `foo/`. The list is empty if no text with this prefix can match.
    """
    parts = _PART.findall(plain(pattern))
    places = set(_with_skips(parts, [0]))
    for character in prefix:
        places = set(_with_skips(parts, _steps(parts, places, character)))
    # A star that was skipped is a place of its own, and matches all that its rest matches.
    return ["".join(parts[place:]) for place in sorted(places) if not place or parts[place - 1][0] != "*"]


def _with_skips(parts: Sequence[str], places: Iterable[int]) -> Iterator[int]:
    """Yield places in a pattern, and the places behind the stars there, which may match nothing."""
    for place in places:
        yield place
        if place < len(parts) and parts[place][0] == "*":
            yield place + 1


def _steps(parts: Sequence[str], places: Iterable[int], character: str) -> Iterator[int]:
    """Yield the places in a pattern that one more character of the text leads to from these places."""
    for place in places:
        if place < len(parts) and parts[place][0] == "*":
            yield place
        elif place < len(parts) and _matches(parts[place], character):
            yield place + 1


def _matches(part: str, character: str) -> bool:
    """Say whether a part of a pattern that is no star matches a character: `?`, `[…]` or the character itself."""
    if len(part) < 3:
        return part in ("?", character)
    negated = part.startswith("[^")
    inside = part[2 if negated else 1 : -1]
    ranges = re.findall(r"(.)-(.)|(.)", inside, re.DOTALL)
    hit = any(first <= character <= last if first else character == single for first, last, single in ranges)
    return hit != negated
