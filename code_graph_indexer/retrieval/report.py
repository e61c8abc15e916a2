"""Read a long text, such as an issue: its title, and the code that its trace and its quotes name."""

import re
from collections.abc import Sequence
from typing import NamedTuple

LEAST_LENGTH, LEAST_TITLE = 200, 2
"""Fewest characters of a report, and fewest words of its title. A shorter text is searched as it is."""

CODE_SHARE = 0.33
"""A text whose first line looks like code is code if this share of its lines does."""

MAX_FRAMES, MAX_QUOTED = 3, 6
"""Most frames of a trace that are searched, the innermost, and most names in quotes."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE_LINE = re.compile(r"[{};=]|^\s*(?:#include|import|from|def|class|func|fn|package|using|@)\b")
_IN_QUOTES = re.compile(r"`[^`]*`")
_GREETING = re.compile(r"\W*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b.{0,40}$", re.IGNORECASE)
_TEMPLATE = re.compile(
    r"[\s#*_]*(?:(?:describe|what is) the (?:bug|problem|issue|feature)|bug(?: report)?|feature(?: request)?|description|"
    r"summary|problem|context|checklist|prerequisites|environment|versions?)[\s:*_?]*|\s*[-*]\s*\[[ xX]?\].*",
    re.IGNORECASE,
)
_FRAMES = (
    re.compile(r'File "[^"\n]+", line \d+, in (\w+)'),
    re.compile(r"^\s*at (?:async )?(?:new )?([\w$.<>]+?) ?\(", re.MULTILINE),
    re.compile(r"^\s*\d+: (?:0x[0-9a-f]+ - )?([\w:]+)$", re.MULTILINE),
)
_QUOTED_NAME = re.compile(r"`([\w.:#$]{3,80})(?:\(\))?`")


class Report(NamedTuple):
    """A long text, read: its `title`, and the names of code in it, those of a trace first."""

    title: str
    names: tuple[str, ...]


def read_report(text: str) -> Report | None:
    """Read a long text. Return None for a text that is short, or that is code.

    The title is the first line that is no greeting, and no line of a template, which every report of a project repeats.
    """
    lines = [line.strip() for line in _COMMENT.sub("", text).splitlines()]
    lines = [line for line in lines if line and not _GREETING.match(line) and not _TEMPLATE.fullmatch(line)]
    if len(text) < LEAST_LENGTH or len(lines) < 2 or _is_code(lines):
        return None
    title = lines[0].lstrip("#").strip()
    if len(title.split()) < LEAST_TITLE:
        return None
    frames = next((names for pattern in _FRAMES if (names := pattern.findall(text))), [])
    # The first line of a trace is the farthest from the fault in Python, and the nearest in other languages.
    inner = frames[-MAX_FRAMES:] if "Traceback" in text else frames[:MAX_FRAMES]
    quoted = _QUOTED_NAME.findall(text)[:MAX_QUOTED]
    return Report(title, tuple(dict.fromkeys([*inner, *quoted])))


def _is_code(lines: Sequence[str]) -> bool:
    """Say whether the lines are code. A title may have a sign of code too (`fails with >= 2.0`), but not the text below."""
    looks = [_CODE_LINE.search(_IN_QUOTES.sub("", line)) is not None for line in lines]
    return looks[0] and sum(looks) > CODE_SHARE * len(looks)
