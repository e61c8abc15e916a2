"""Read a long text, such as an issue: its title, and the code that its trace names."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from code_graph_indexer.words import telling_identifiers

LEAST_LENGTH, LEAST_TITLE = 200, 3
"""Fewest characters of a report, and fewest telling words of its title. A shorter text is searched as it is."""

CODE_SHARE = 0.33
"""A text whose first line looks like code is code if this share of its lines does."""

MAX_FRAMES = 3
"""Most frames of a trace that are searched, the innermost."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE_LINE = re.compile(r"[{};=]|^\s*(?:#include|import|from|def|class|func|fn|package|using|@)\b")
_IN_QUOTES = re.compile(r"`[^`]*`")
_FRAMES = (
    re.compile(r'File "[^"\n]+", line \d+, in (\w+)'),
    re.compile(r"^\s*at (?:async )?(?:new )?([\w$.<>]+?) ?\(", re.MULTILINE),
    re.compile(r"^\s*\d+: (?:0x[0-9a-f]+ - )?([\w:]+)$", re.MULTILINE),
)


class Report(NamedTuple):
    """A long text, read: its `title`, and the names of code in its trace."""

    title: str
    names: tuple[str, ...]


def read_report(text: str) -> Report | None:
    """Read a long text. Return None for a text that is short, or that is code.

    The title is the first line that says something. A greeting does not, and neither do a template's headings and boxes.
    """
    lines = list(filter(None, map(str.strip, _COMMENT.sub("", text).splitlines())))
    if len(text) < LEAST_LENGTH or len(lines) < 2 or _is_code(lines):
        return None
    sentences = (line.lstrip("# ") for line in lines if not line.startswith(("- ", "* ")))
    title = next((line for line in sentences if len(telling_identifiers(line)) >= LEAST_TITLE), None)
    if title is None:
        return None
    frames = next((names for pattern in _FRAMES if (names := pattern.findall(text))), [])
    # The first line of a trace is the farthest from the fault in Python, and the nearest in other languages.
    inner = frames[-MAX_FRAMES:] if "Traceback" in text else frames[:MAX_FRAMES]
    return Report(title, tuple(dict.fromkeys(inner)))


def _is_code(lines: Sequence[str]) -> bool:
    """Say whether the lines are code. A title may have a sign of code too (`fails with >= 2.0`), but not the text below."""
    looks = [_CODE_LINE.search(_IN_QUOTES.sub("", line)) is not None for line in lines]
    return looks[0] and sum(looks) > CODE_SHARE * len(looks)
