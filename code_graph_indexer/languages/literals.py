"""Find the texts that a regular expression needs, because searching for these takes a fraction of its time."""

import re
from collections.abc import Iterable, Iterator

LEAST_LITERAL = 3
"""Characters of the shortest literal that is searched for. Nearly every text has a shorter one."""

MOST_LITERALS = 32
"""Most texts that the parts of a pattern are joined to: `@` and `(?:get|put)` to `@get` and `@put`."""

_ATOM = re.compile(
    r"(?P<group>\((?:\?:)?)|(?P<end>[|)])|(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\]|\\[A-Za-z0-9]|[.^$])|(?P<literal>\\.|[^\\])",
    re.DOTALL,
)
_RUN = re.compile(rb"\w+")
_WORDS = bytes(code if chr(code).isalnum() or code in b"_" or code > 127 else 32 for code in range(256))
"""The table that puts a blank for each byte of a text that is no part of a word."""

_REPEAT = re.compile(r"[*+?]\??\+?|\{(\d*),?\d*\}\??")


class Mark:
    """A pattern of bytes that few texts match.

    Its alternatives are searched for one by one. An alternative that begins with a literal is found in a fraction of the time
    that several take together, and most have a literal that the text lacks.
    """

    def __init__(self, pattern: str) -> None:
        self._alternatives = [
            (
                [
                    (max(_RUN.findall(literal), key=len, default=b""), literal)
                    for literal in literals_of(part) or (b"",)
                ],
                re.compile(part.encode(), re.MULTILINE).search,
            )
            for part in _split(pattern)
        ]

    def is_in(self, text: bytes, words: bytes) -> bool:
        """Say whether the pattern matches anywhere in a text. `words` are its `distinct_words`, or the text again."""
        for literals, search in self._alternatives:
            # A loop, because most texts have no literal, and a generator costs more than to look for two.
            for word, literal in literals:
                if word in words and literal in text:
                    if search(text) is not None:
                        return True
                    break
        return False


def distinct_words(text: bytes) -> bytes:
    """Return the distinct words of a text in one line. They are a fraction of the text, in which to look for many words."""
    return b" ".join({*text.translate(_WORDS).split()})


class UnknownPatternError(Exception):
    """A signal that a pattern has parts of which the literals are not known."""


def literals_of(pattern: str) -> tuple[bytes, ...]:
    """Return literals of which a text has at least one if a pattern matches in it. Empty if there are none that help."""
    try:
        texts, _, end = _alternatives(pattern, 0)
    except UnknownPatternError:
        return ()
    if end < len(pattern) or _weight(texts) < LEAST_LITERAL:
        return ()
    # Where a literal stands, the literals in it stand too.
    shortest = (text for text in texts if not any(inner in text for inner in texts - {text}))
    return tuple(sorted(text.encode() for text in shortest))


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


def _alternatives(pattern: str, start: int) -> tuple[frozenset[str], bool, int]:
    """Return the literals of the alternatives that begin at an offset, if they are all that these match, and the end."""
    texts: set[str] = set()
    is_exact = True
    while True:
        best, is_whole, start = _sequence(pattern, start)
        texts |= best
        is_exact = is_exact and is_whole
        if pattern[start : start + 1] != "|":
            return frozenset(texts), is_exact, start
        start += 1


def _sequence(pattern: str, start: int) -> tuple[frozenset[str], bool, int]:
    """Return the literals that best tell whether a sequence can match, if they are all that it matches, and its end."""
    sets: list[frozenset[str]] = []
    run = frozenset([""])
    for texts, is_exact, end in _atoms(pattern, start):
        start = end
        if is_exact and len(run) * len(texts) <= MOST_LITERALS:
            run = frozenset(before + text for before in run for text in texts)
        else:
            sets += run, texts
            run = frozenset([""])
    return max([*sets, run], key=_weight), not sets, start


def _atoms(pattern: str, start: int) -> Iterator[tuple[frozenset[str], bool, int]]:
    """Yield the parts of a sequence: texts of which it has one, whether that is all it matches, and the end.

    What is neither a character nor a group, such as `.`, has an empty text. Raises UnknownPatternError for other groups.
    """
    while (match := _ATOM.match(pattern, start)) and match["end"] is None:
        is_exact, start = match["literal"] is not None, match.end()
        texts = frozenset([(match["literal"] or "").removeprefix("\\")])
        if match["group"]:
            looks_ahead = pattern.startswith(("?=", "?!"), start)
            if pattern[start : start + 1] == "?" and not looks_ahead:
                raise UnknownPatternError(pattern)
            texts, is_exact, start = _alternatives(pattern, start + 2 * looks_ahead)
            if looks_ahead:
                # What follows may stand in the text or not.
                texts, is_exact = frozenset([""]), False
            start += 1
        repeat = _REPEAT.match(pattern, start)
        start = repeat.end() if repeat else start
        if repeat and repeat[0][0] != "?":
            # What is repeated ends a run, since it may stand there more than once.
            is_exact = False
        if repeat and repeat[0][0] != "+" and (repeat[1] or "0") == "0":
            texts |= {""}
        yield texts, is_exact, start
