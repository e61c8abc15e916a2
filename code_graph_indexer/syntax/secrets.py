"""Mask the secrets in a text: keys and tokens that their form gives away. The forms are data, in languages/secrets.toml.

A mask has the length and the kind of characters of what it hides, so lines, spans and syntax stay as they are.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

MARK = b"REDACTED"
"""How a masked text begins. It is filled up with `x`."""

_RUN = re.compile(rb"\\[nrt]|([0-9A-Za-z][\w+/=.~-]*)")
"""Matches in its group a part of a secret without blanks and quotes. An escaped line end is matched, but is no part."""

_LITERAL = re.compile(r"(?:\\[.]|[\w/:~-])+(?![?*+{])")
"""Matches the fixed characters at the start of a form."""

_RAREST = "ZQXJ~YKVWG7z865B9H43qMFjUNDP2OILA1xRECSwTkv-:yb/g_h0fpm.ucdlnioarste"
"""Characters of words in the texts of six repositories, the rarest first."""


class Masked(NamedTuple):
    """A text with masks in place of its secrets, and how many there are."""

    text: bytes
    secrets: int


def masked(text: bytes) -> Masked:
    """Mask the secrets in a text.

    Example:
        >>> masked(b"key = 'AKIA" + b"2345" * 4 + b"'")
        Masked(text=b"key = 'AKIAREDACTEDxxxxxxxx'", secrets=1)
    """
    spans = [
        match.span(group)
        for search in _searches()
        for match in search.pattern.finditer(text)
        if (group := match.lastindex) and _may_begin(text, match.start(), search.before[group - 1])
    ]
    if not spans:
        return Masked(text, 0)
    hidden, secrets, end = bytearray(text), 0, 0
    for first, last in sorted(spans):
        # A form may match inside of another, such as one whose secret is a token of its own.
        secrets += first >= end
        end = max(end, last)
        hidden[first:last] = _RUN.sub(_mark, text[first:last])
    return Masked(bytes(hidden), secrets)


def _mark(run: re.Match[bytes]) -> bytes:
    """Return MARK in the length of a run of characters that may be secret. Any other match stays as it is."""
    return MARK.ljust(len(run[0]), b"x")[: len(run[0])] if run[1] else run[0]


def _may_begin(text: bytes, start: int, before: int | None) -> bool:
    """Say whether a form begins at the start of a word, `before` bytes before a match. None says that it may begin anywhere."""
    if before is None:
        return True
    start -= before
    # An escaped line end is no part of a word.
    return not text[start - 1 : start].isalnum() or text[max(0, start - 2) : start] in (b"\\n", b"\\r", b"\\t")


class _Search(NamedTuple):
    """A search for the forms that share a character, each with one group: a match has the number of its form as `lastindex`.

    `before` says for each form how many bytes it begins before the match, or None if it may begin inside of a word.
    """

    pattern: re.Pattern[bytes]
    before: tuple[int | None, ...]


@cache
def _searches() -> tuple[_Search, ...]:
    """Return the forms of secrets, in as few searches as possible, because each is a pass over a text."""
    content = tomllib.loads(files("code_graph_indexer.languages").joinpath("secrets.toml").read_text(encoding="utf-8"))
    by_character: dict[str, list[tuple[str, int | None]]] = {}
    # Those with little choice come first, so that the others can join them.
    for literal, rest in sorted(map(_parts, content["tokens"]), key=_choice):
        places = range(_choice((literal, rest)))
        at = min(places, key=lambda place: (literal[place] not in by_character, _RAREST.find(literal[place])))
        back = f"(?<={re.escape(literal)})" if at else ""
        expression = re.escape(literal[at + 1 :]) + back + rest
        by_character.setdefault(literal[at], []).append((expression, None if "(?<=" in rest else at))
    return tuple(
        _Search(
            re.compile(f"{re.escape(character)}(?:{'|'.join(expression for expression, _ in forms)})".encode()),
            tuple(before for _, before in forms),
        )
        for character, forms in by_character.items()
    )


def _parts(form: str) -> tuple[str, str]:
    """Return the fixed characters at the start of a form, and the expression behind them."""
    match = _LITERAL.match(form)
    assert match is not None, form
    return match[0].replace("\\", ""), form[match.end() :]


def _choice(form: tuple[str, str]) -> int:
    """Return how many of the fixed characters of a form it can be searched by.

    A form that looks back says what is before its first one. The last one is left out, so that more than one character is
    compared at once.
    """
    literal, rest = form
    return 1 if "(?<=" in rest else max(1, len(literal) - 1)
