"""Find the texts that a regular expression needs, because searching for these takes a fraction of its time."""

import re
from collections.abc import Iterable, Iterator

LEAST_LITERAL = 3
"""Characters of the shortest literal that is searched for. Nearly every text has a shorter one."""

_ATOM = re.compile(
    r"(?P<group>\((?:\?:)?)|(?P<end>[|)])|(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\]|\\[A-Za-z0-9]|[.^$])|(?P<literal>\\.|[^\\])",
    re.DOTALL,
)
_REPEAT = re.compile(r"[*+?]\??\+?|\{(\d*),?\d*\}\??")


class Mark:
    """A pattern of bytes that few texts match.

    Its alternatives are searched for one by one. An alternative that begins with a literal is found in a fraction of the time
    that several take together, and most have a literal that the text lacks.
    """

    def __init__(self, pattern: str) -> None:
        self._alternatives = [
            (literals_of(part), re.compile(part.encode(), re.MULTILINE).search) for part in _split(pattern)
        ]

    def is_in(self, text: bytes) -> bool:
        """Say whether the pattern matches anywhere in a text."""
        for literals, search in self._alternatives:
            # A loop, because most texts have no literal, and a generator costs more than to look for two.
            for literal in literals or (b"",):
                if literal in text:
                    if search(text) is not None:
                        return True
                    break
        return False


class UnknownPatternError(Exception):
    """A signal that a pattern has parts of which the literals are not known."""


def literals_of(pattern: str) -> tuple[bytes, ...]:
    """Return literals of which a text has at least one if a pattern matches in it. Empty if there are none that help."""
    try:
        texts, end = _alternatives(pattern, 0)
    except UnknownPatternError:
        return ()
    is_whole = end == len(pattern)
    return tuple(sorted(text.encode() for text in texts)) if is_whole and _weight(texts) >= LEAST_LITERAL else ()


def _split(pattern: str) -> list[str]:
    """Split a pattern at the bars outside of its brackets."""
    parts, depth = [""], 0
    for match in _ATOM.finditer(pattern):
        depth += bool(match["group"]) - (match["end"] == ")")
        if match["end"] == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += match[0]
    return parts


def _weight(texts: Iterable[str]) -> int:
    """Return the length of the shortest literal, by which the best of several sets is chosen."""
    return min(map(len, texts), default=0)


def _alternatives(pattern: str, start: int) -> tuple[frozenset[str], int]:
    """Return the literals of the alternatives that begin at an offset, and the offset of what ends them."""
    texts: set[str] = set()
    while True:
        best, start = _sequence(pattern, start)
        # One alternative without a literal may match anywhere.
        texts.add("") if not best else texts.update(best)
        if pattern[start : start + 1] != "|":
            return frozenset(texts), start
        start += 1


def _sequence(pattern: str, start: int) -> tuple[frozenset[str], int]:
    """Return the literals that best tell whether a sequence can match, and the offset where the sequence ends."""
    sets: list[frozenset[str]] = []
    run = ""
    for atom, texts, is_needed, end in _atoms(pattern, start):
        start = end
        if is_needed and atom:
            run += atom
            continue
        sets.append(frozenset([run]))
        run = ""
        if is_needed:
            sets.append(texts)
    return max([*sets, frozenset([run])], key=_weight), start


def _atoms(pattern: str, start: int) -> Iterator[tuple[str, frozenset[str], bool, int]]:
    """Yield the parts of a sequence: a plain character or else empty, the literals of a group, whether it is needed, its end.

    What is neither, such as `.` or a set, has no character and an empty literal. Raises UnknownPatternError for other groups.
    """
    while (match := _ATOM.match(pattern, start)) and match["end"] is None:
        atom, texts, start = (match["literal"] or "").removeprefix("\\"), frozenset([""]), match.end()
        if match["group"]:
            looks_ahead = pattern.startswith(("?=", "?!"), start)
            if pattern[start : start + 1] == "?" and not looks_ahead:
                raise UnknownPatternError(pattern)
            texts, start = _alternatives(pattern, start + 2 * looks_ahead)
            # What follows may stand in the text or not.
            texts = frozenset([""]) if looks_ahead else texts
            start += 1
        repeat = _REPEAT.match(pattern, start)
        start = repeat.end() if repeat else start
        if repeat and repeat[0][0] != "{" and repeat[0][0] != "+":
            yield atom, texts, False, start
        elif repeat:
            # What is repeated ends a run, since it may stand there more than once.
            texts = frozenset([atom]) if atom else texts
            yield "", texts, repeat[0][0] == "+" or (repeat[1] or "0") != "0", start
        else:
            yield atom, texts, True, start
