"""Search a text with a pattern that looks for an end, `{#.*?#}`, in a time that grows as the text does.

The engine of regular expressions searches for the end from each start, to the end of the text if there is none. Here, each part
behind a gap is found once: the first one behind a place is also the first one behind every place up to it.
"""

import re
from collections.abc import Iterator
from functools import cache
from operator import itemgetter

_FLAGS = re.compile(rb"\(\?[ims]+\)")
_TOKEN = re.compile(
    rb"\\.|\.\*\?|\[\^(?P<end>[^\\\]])\]\*(?=\)?(?P=end))|\[\^?\]?(?:\\.|[^\\\]])*\]|\.[*+]|.", re.DOTALL
)
_PLAIN_GROUP = re.compile(rb"\((?!\?)|\(\?(?::|P<\w+>)")


def matches(pattern: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the matches of a pattern in a text, as `finditer` does. The groups are those of the alternative that matched."""
    alternatives = _alternatives(pattern)
    if not any(gaps for _, gaps in alternatives):
        yield from pattern.finditer(text)
        return
    searches = [_Search(whole, parts, text) for whole, parts in alternatives]
    place = 0
    while searches:
        starts = [(search.start(place), order, search) for order, search in enumerate(searches)]
        searches = [search for start, _, search in starts if start >= 0]
        starts = [start for start in starts if start[0] >= 0]
        if starts:
            start, _, search = min(starts, key=itemgetter(0, 1))
            match = search.whole.match(text, start)
            if match:
                yield match
            place = max(start + 1, match.end() if match else 0)


class _Search:
    """A search for an alternative. `parts` are what stands before, between and behind its gaps, if it has gaps."""

    def __init__(self, whole: re.Pattern[bytes], parts: tuple[re.Pattern[bytes], ...], text: bytes) -> None:
        self.whole = whole
        self._parts = parts or (whole,)
        self._text = text
        self._places = [(-1, -1)] * len(self._parts)

    def start(self, place: int) -> int:
        """Return the first start at or after a place, or -1 if there is none."""
        for order, part in enumerate(self._parts):
            if self._places[order][0] < place:
                match = part.search(self._text, place)
                if match is None:
                    return -1
                self._places[order] = match.span()
            place = self._places[order][1]
        return self._places[0][0]


@cache
def _alternatives(pattern: re.Pattern[bytes]) -> list[tuple[re.Pattern[bytes], tuple[re.Pattern[bytes], ...]]]:
    """Return each alternative of a pattern, and its parts if it has gaps."""
    return [
        (
            re.compile(whole, pattern.flags),
            tuple(re.compile(part, pattern.flags) for part in parts) if len(parts) > 1 else (),
        )
        for whole, parts in _split(pattern.pattern)
    ]


def check_gaps(pattern: bytes) -> None:
    """Raise ValueError if a pattern has a gap without a bound that `matches` cannot look over once."""
    _split(pattern)


def _split(pattern: bytes) -> list[tuple[bytes, list[bytes]]]:
    """Return the alternatives of a pattern, each with its parts, whose groups are complete."""
    flags = _FLAGS.match(pattern)
    alternatives: list[tuple[bytes, list[bytes]]] = []
    whole, part, parts, groups = b"", b"", list[bytes](), list[bytes]()
    for token in _TOKEN.finditer(pattern, flags.end() if flags else 0):
        text = token[0]
        is_gap = text == b".*?" or token["end"] is not None
        if text in (b".*", b".+") or (text == b".*?" and not (flags and b"s" in flags[0] and all(groups))):
            raise ValueError(
                f"has {text.decode()!r} where its end is searched from each start. Begin with '(?s)' and write '.*?' "
                "outside of lookarounds and of groups that repeat or have alternatives"
            )
        if text == b"|" and not groups:
            alternatives.append((whole, [*parts, part]))
            whole, part, parts = b"", b"", []
            continue
        whole += text
        if is_gap and all(groups):
            parts.append(part + b")" * len(groups))
            part = b"(?:" * len(groups)
            continue
        part += text
        if text == b"(":
            groups.append(_plain(pattern, token.start()))
        elif text == b")" and groups:
            groups.pop()
    return [*alternatives, (whole, [*parts, part])]


def _plain(pattern: bytes, start: int) -> bytes:
    """Return the opening of the group at a place, or nothing if it repeats, looks around or has alternatives."""
    opening = _PLAIN_GROUP.match(pattern, start)
    depth = 0
    for token in _TOKEN.finditer(pattern, start):
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        if (token[0] == b"|" and depth == 1) or (
            not depth and pattern[token.end() : token.end() + 1] in (b"*", b"+", b"?", b"{")
        ):
            return b""
        if not depth:
            break
    return opening[0] if opening else b""
