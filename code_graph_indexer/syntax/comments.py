"""Find the comments above a definition, and strip comments and docstrings of their marks, in any language."""

import re
from bisect import bisect_right
from collections.abc import Sequence

DOC_LIMIT = 4_000
"""Most characters of a doc. The chunk keeps the whole text."""

_COMMENT_MARKS = re.compile(
    r"^[ \t]*(?:/\*+!?|\*+/|\*+\)|\*(?!\*)|\(\*+(?!\))|//+!?|#+!?|--+\[*\|?|;+|\{-+\|?|-+\}|%+)?[ \t]?"
    r"|[ \t]*(?:\*+[/)]|-\}|\]\])?[ \t]*$",
    re.M,
)
# A docstring may have a prefix: `r` in Python, `~S` in Elixir.
_STRING_MARKS = re.compile(r"^[a-zA-Z~]*(\"{3}|'{3}|\"|'|`)|(\"{3}|'{3}|\"|'|`)$")


class Comments:
    """The comments of one file, by their spans."""

    def __init__(self, source: bytes, spans: list[tuple[int, int]]) -> None:
        self._source = source
        self._spans = sorted(set(spans))
        # Comments hardly ever overlap, so that the ends in order belong to the spans in order.
        self._ends = sorted(end for _, end in self._spans)

    def above(self, start: int) -> tuple[int, int] | None:
        """Return the span of the contiguous comments right above byte `start`, or None."""
        position = bisect_right(self._ends, start) - 1
        if position < 0 or not self._touches(self._spans[position][1], start):
            return None
        first = position
        while first > 0 and self._touches(self._spans[first - 1][1], self._spans[first][0]):
            first -= 1
        # A comment that trails code on its line belongs to that code.
        while first <= position and self._trails_code(self._spans[first][0]):
            first += 1
        return (self._spans[first][0], self._spans[position][1]) if first <= position else None

    def hold(self, offsets: Sequence[int]) -> list[bool]:
        """Return for each byte offset whether it is inside a comment."""
        if not self._spans:
            return [False] * len(offsets)
        starts = [start for start, _ in self._spans]
        places = ((bisect_right(starts, offset) - 1, offset) for offset in offsets)
        return [place >= 0 and self._spans[place][1] > offset for place, offset in places]

    def _touches(self, end: int, start: int) -> bool:
        """Return whether only blanks and at most one line end are between two offsets."""
        between = self._source[end:start]
        # A line comment's node may hold its own line end.
        newlines = between.count(b"\n") + (self._source[end - 1 : end] == b"\n")
        return newlines <= 1 and not between.strip()

    def _trails_code(self, start: int) -> bool:
        """Return whether there is code before an offset on the same line."""
        line_start = self._source.rfind(b"\n", 0, start) + 1
        return bool(self._source[line_start:start].strip())


def clean_comment(text: str) -> str:
    """Strip the comment marks of any language from each line."""
    return _COMMENT_MARKS.sub("", text).strip()


def clean_doc(text: str) -> str:
    """Strip a docstring of its quotes, or a comment of its marks."""
    text = text.strip()
    if text[:1] in "\"'`" or _STRING_MARKS.match(text):
        text = _STRING_MARKS.sub("", text)
        return "\n".join(line.strip() for line in text.strip().splitlines())
    return clean_comment(text)


def read_doc(source: bytes, span: tuple[int, int] | None) -> str:
    """Return the text of a docstring or comment without its marks. The text is empty if there is no span."""
    return clean_doc(source[span[0] : span[1]].decode("utf-8", "replace"))[:DOC_LIMIT] if span else ""
