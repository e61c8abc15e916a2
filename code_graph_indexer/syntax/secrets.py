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

_WORD_START = r"(?:(?<![0-9A-Za-z]{0})|(?<=\\[nrt]{0}))"
"""Expression for the place behind a first character of a word. A word may follow an escaped line end."""


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
    spans = [match.span(match.lastindex or 0) for form in _forms() for match in form.finditer(text)]
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
    return MARK.ljust(len(run[0]), b"x")[: len(run[0])] if run[1] else run[0]


@cache
def _forms() -> tuple[re.Pattern[bytes], ...]:
    """Return the forms of secrets. Those with one first character are one expression: each is a pass over a text."""
    content = tomllib.loads(files("code_graph_indexer.languages").joinpath("secrets.toml").read_text(encoding="utf-8"))
    by_start: dict[str, list[str]] = {}
    for form in content["tokens"]:
        start = form[:2] if form[0] == "\\" else form[0]
        # A form that looks back says itself what may be before it.
        is_word = start.isalnum() and "(?<=" not in form
        before = _WORD_START.replace("{0}", start) if is_word else ""
        by_start.setdefault(start, []).append(before + form[len(start) :])
    return tuple(re.compile(f"{start}(?:{'|'.join(rests)})".encode()) for start, rests in by_start.items())
