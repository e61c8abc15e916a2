"""Recover a file that its grammar cannot read whole: cut it into pieces, and mend each piece that has errors.

A parser that meets unknown text gives up the text around it, often the rest of the file. A piece is the text between
two places where the top level of the language surely begins again. Each piece with errors is parsed alone, and the
mends of the language are tried on it in order. A mend stays if fewer bytes are broken.

A mend replaces text by text of equal length, so that every byte keeps its offset. The work is bounded by bytes: a piece
is parsed at most twice for each mend, and the whole file at most three times.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import Language, Mend, load_parser, mends
from code_graph_indexer.syntax.conditionals import blanked, first_branches, halves, one_head
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.limits import parse_text

LINES_BEFORE = 2
"""The lines before a broken line to which a mend applies: the grammar may notice what is wrong only there."""

LOOK_AHEAD = 400
"""The bytes after a broken line that the pattern of a mend may see."""

_CLOSING = b" \t\n)]};,"
_CODE = re.compile(rb"\S")
_INDENTATION = re.compile(rb"[ \t]*")
_BRANCH_BEHIND = re.compile(rb"\s*\n[ \t]*#[ \t]*(?:el|endif)")


class Reading(NamedTuple):
    """A parsed text: the whole of a file, or all blanks but one piece. `spans` are the parts that are broken."""

    text: bytes
    tree: tree_sitter.Tree
    spans: list[Span]

    @property
    def broken(self) -> int:
        """Count the bytes that the grammar could not read. A missing token counts as one byte."""
        return sum(max(1, end - start) for start, end in self.spans)


class Recovery(NamedTuple):
    """The result of a recovery. `text` is the mended file.

    `readings` hold its parts: first the whole file, in which the pieces of the readings that follow are blank. `dropped`
    are pieces as they were before the branches of their conditionals were dropped.
    """

    text: bytes
    readings: list[Reading]
    dropped: list[Reading]

    @property
    def broken(self) -> bool:
        """Return whether any part of the file is still broken."""
        return any(reading.spans for reading in self.readings)


def read_tree(text: bytes, tree: tree_sitter.Tree) -> Reading:
    """Find the parts of a text that its tree could not read."""
    return Reading(text, tree, sorted(node.byte_range for node in _broken_nodes(tree)))


def _broken_nodes(tree: tree_sitter.Tree) -> Iterator[tree_sitter.Node]:
    """Yield the errors of a tree and the tokens that it misses, in no order."""
    nodes = [tree.root_node]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            yield node
        # Below a node without errors nothing is missing, so most of the tree is passed over.
        elif node.has_error:
            nodes += node.children


def recover(whole: Reading, language: Language) -> Recovery:
    """Mend the pieces of a file that have errors, and read the pieces that stay broken apart from the rest.

    What is less broken in the end is returned: the file as it was, the mended file, or the mended pieces.
    """
    text = bytearray(whole.text)
    mender = _Mender(language)
    dropped: list[Span] = []
    broken: list[tuple[Span, int]] = []
    mended = whole
    pieces = _broken_pieces(whole, language)
    for start, end, opens in pieces:
        is_whole = end - start == len(whole.text)
        # What opens a scope is whole only with what closes it.
        tail = b"}" if opens else b""
        piece = mender.mend(whole.text[start:end] + tail, whole if is_whole else None)
        if is_whole:
            mended = piece.reading
        text[start:end] = piece.text[: end - start]
        if piece.dropped:
            dropped.append((start, end))
        # Without what opens the scope, the pieces inside would have no owner.
        if piece.reading.spans and not opens:
            broken.append(((start, end), piece.reading.broken))
    if text != mended.text:
        mended = mender.read_again(whole, bytes(text), [piece[:2] for piece in pieces])
    best = Recovery(mended.text, [mended], [])
    if mended.broken > sum(count for _, count in broken):
        # Something broken takes text with it that could be read. Apart from the rest, it cannot.
        for (start, end), _ in broken:
            text[start:end] = blanked(bytes(text[start:end]))
        apart = [mender.read(bytes(text)), *(mender.read_alone(mended.text, span) for span, _ in broken)]
        if _broken(apart) < mended.broken:
            best = Recovery(mended.text, apart, [])
    if _broken(best.readings) >= whole.broken:
        return Recovery(whole.text, [whole], [])
    return best._replace(dropped=[mender.read_alone(whole.text, span) for span in dropped])


def _broken(readings: Iterable[Reading]) -> int:
    """Count the broken bytes of several readings."""
    return sum(reading.broken for reading in readings)


class _Piece(NamedTuple):
    """A part of a file that is parsed alone. `opens` says that it opens a scope around the pieces that follow."""

    start: int
    end: int
    opens: bool


def _broken_pieces(whole: Reading, language: Language) -> list[_Piece]:
    """List the pieces of the file that contain something broken, but those that only close something."""
    pieces = _cut(whole.text, language.cut)
    starts = [piece.start for piece in pieces]
    positions = {
        position
        for start, end in whole.spans
        for position in range(
            bisect_right(starts, start) - 1, max(bisect_left(starts, end), bisect_right(starts, start))
        )
    }
    # What only closes belongs to what is open around the piece.
    return [
        piece
        for piece in map(pieces.__getitem__, sorted(positions))
        if whole.text[piece.start : piece.end].strip(_CLOSING)
    ]


def _cut(text: bytes, pattern: re.Pattern[bytes] | None) -> list[_Piece]:
    """Cut a text behind the matches of a pattern. A match with a group is a piece of its own, which opens a scope.

    A line that is further in than the first line of its piece is inside of a definition, and thus no cut.
    """
    pieces: list[_Piece] = []
    start = 0
    for match in pattern.finditer(text) if pattern else ():
        first = _CODE.search(text, start)
        if first is None or indentation(text, match.start()) <= indentation(text, first.start()):
            if match.lastindex:
                pieces += [_Piece(start, match.start(), opens=False), _Piece(*match.span(), opens=True)]
            else:
                pieces.append(_Piece(start, match.end(), opens=False))
            start = match.end()
    return [*pieces, _Piece(start, len(text), opens=False)]


def indentation(text: bytes, offset: int) -> int:
    """Return the number of blanks that begin the line of a byte."""
    match = _INDENTATION.match(text, text.rfind(b"\n", 0, offset) + 1)
    return match.end() - match.start() if match else 0


class _Mended(NamedTuple):
    """A mended piece, its reading, and whether branches were dropped."""

    text: bytes
    reading: Reading
    dropped: bool


class _Mender:
    """A mender of the pieces of one file."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.parser = load_parser(language.name)
        self.mends = mends(language.name)

    def read(self, text: bytes) -> Reading:
        """Parse a text."""
        return read_tree(text, parse_text(self.parser, text))

    def read_again(self, reading: Reading, text: bytes, spans: Iterable[Span]) -> Reading:
        """Parse a text that differs from that of a reading in these parts only, and has the same length."""
        tree = reading.tree.copy()
        for start, end in spans:
            if reading.text[start:end] != text[start:end]:
                # Nothing here uses rows, so each place is in the first one.
                tree.edit(start, end, end, (0, start), (0, end), (0, end))
        return read_tree(text, parse_text(self.parser, text, tree))

    def read_alone(self, text: bytes, span: Span) -> Reading:
        """Parse one piece of a text, at its place."""
        start, end = span
        if self.language.condition:
            text = text[:start] + without(text[start:end], halves(text[start:end])) + text[end:]
        # A piece begins a line, so its column is right. Nothing here uses rows.
        piece = tree_sitter.Range(start_byte=start, end_byte=end, start_point=(0, 0), end_point=(end, 0))
        return read_tree(text, parse_text(tree_sitter.Parser(self.parser.language, included_ranges=[piece]), text))

    def mend(self, text: bytes, reading: Reading | None) -> _Mended:
        """Mend a piece. `reading` is its reading if the piece is read already."""
        conditionals = self.language.condition is not None
        lone = halves(text) if conditionals else []
        if lone or reading is None:
            reading = self.read(without(text, lone))
        dropped = False
        if conditionals:
            reading, dropped = self._better(reading, first_branches)
            reading, fewer = self._better(reading, one_head)
            dropped = dropped or fewer
        reading = self._mended(reading)
        if conditionals:
            reading, more = self._better(reading, partial(first_branches, outside=True))
            dropped = dropped or more
            # Only now the grammar may see what else is broken.
            reading = self._mended(reading) if more else reading
        mended = bytearray(reading.text)
        for start, end in lone:
            mended[start:end] = text[start:end]
        return _Mended(bytes(mended), reading, dropped)

    def _mended(self, reading: Reading) -> Reading:
        """Try each mend on a reading."""
        for mend in self.mends:
            reading, better = self._better(reading, partial(_replaced, reading.spans, mend))
            # Of several macros in a row, a pattern matches the last one first.
            if better:
                reading, _ = self._better(reading, partial(_replaced, reading.spans, mend))
        return self._better(reading, partial(_with_missing, reading))[0]

    def _better(self, reading: Reading, change: Callable[[bytes], bytes]) -> tuple[Reading, bool]:
        """Change a broken reading's text and read it anew. Return that and True if less broken, else the old one and False."""
        text = change(reading.text) if reading.spans else reading.text
        if text == reading.text:
            return reading, False
        changed = self.read(text)
        return (changed, True) if changed.broken < reading.broken else (reading, False)


def _replaced(spans: Sequence[Span], mend: Mend, text: bytes) -> bytes:
    """Apply a mend to the lines of a text that are broken, and to the LINES_BEFORE each of them.

    The last group of its pattern, or else the match, is replaced, and the rest of it becomes blanks. One that is
    shorter than the replacement stays.
    """
    result = bytearray(text)
    last = 0
    for start, end in spans:
        first = start
        for _ in range(LINES_BEFORE + 1):
            first = text.rfind(b"\n", 0, max(first, 0))
        first += 1
        first, last = max(first, last), max(last, text.find(b"\n", end) % (len(text) + 1))
        # The pattern may look at what follows, so the search must not end where the lines end.
        for match in mend.pattern.finditer(text, first, last + LOOK_AHEAD):
            if match.start() > last:
                break
            group = match.lastindex or 0
            span = match.span(group)
            if span[1] - span[0] >= len(mend.replacement):
                result[slice(*span)] = mend.replacement + blanked(match[group][len(mend.replacement) :])
    return bytes(result)


def _with_missing(reading: Reading, text: bytes) -> bytes:
    """Write the semicolons that the parser misses in a text, where there is a blank for them."""
    result = bytearray(text)
    for node in _broken_nodes(reading.tree):
        offset = node.start_byte
        if _BRANCH_BEHIND.match(text, offset):
            # The head of a function that each branch of a conditional writes in another way.
            continue
        if node.is_missing and node.type == ";" and text[offset : offset + 1].isspace():
            result[offset : offset + 1] = node.type.encode()
    return bytes(result)


def without(text: bytes, spans: Iterable[Span]) -> bytes:
    """Blank out parts of a text."""
    result = bytearray(text)
    for start, end in spans:
        result[start:end] = blanked(text[start:end])
    return bytes(result)
