"""Cut a file into chunks: ordered, disjoint, covering; one a definition, with blocks for what is too long."""

import re
from bisect import bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.syntax.records import Chunk, Definition, Member, Syntax, as_records

NODE_KINDS = frozenset(
    {
        *("class", "interface", "struct", "enum", "trait", "union", "object", "protocol"),
        *("function", "method", "macro", "module", "section"),
    }
)
"""Kinds that are nodes of the graph however short they are."""

NEVER_CHUNKS = frozenset({"scope", "namespace"})
"""Kinds that only give names to what is inside."""

MIN_CHUNK_LINES = 4
"""Lines from which a constant, a field or a type is a chunk of its own and not part of its neighbour."""

SMALL_GAP_LINES = 2
"""Lines of code between two definitions up to which they stay with the chunk above (`method.short_description = …`)."""

BREAK_WINDOW = 0.5
"""Share of a block that may be given up to end it at a better line."""

_WORD = re.compile(rb"\w")


class Chunks(NamedTuple):
    """The chunks of a file, its members, and for each definition the position of the chunk that stands for it."""

    chunks: tuple[Chunk, ...]
    members: tuple[Member, ...]
    chunk_of: tuple[int, ...]


class _Segment(NamedTuple):
    """A stretch of text owned by one definition (-1: the module); `head` says that the definition starts here."""

    start: int
    end: int
    owner: int
    head: bool


def newlines(source: bytes) -> NDArray[np.int64]:
    """Find the line ends of a text."""
    return np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n"))


class _Lines:
    """Translate bytes into 1-based lines."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0, *(newlines(source) + 1).tolist()]

    def of(self, offset: int) -> int:
        """Return the line on which the byte stands."""
        return bisect_right(self._starts, offset)

    def last(self, start: int, end: int) -> int:
        """Return the line of the last byte of a span, or of its start when it is empty."""
        return self.of(max(start, end - 1))


def chunk_code(source: bytes, syntax: Syntax, *, module: str, max_size: int) -> Chunks:
    """Cut a file with definitions; the first chunk stands for the module and may be empty.

    `max_size` is in bytes: a longer stretch goes on in `block` chunks under the chunk it belongs to.
    """
    return _Chunker(source, syntax, module, max_size).chunks()


def chunk_text(source: bytes, *, name: str, max_size: int) -> Chunks:
    """Cut a file without definitions by lines."""
    lines = _Lines(source)
    spans = _split(source, 0, len(source), max_size)
    chunks = tuple(
        Chunk(
            "text",
            name,
            "",
            "",
            "",
            start,
            end,
            first := lines.of(start),
            last := lines.last(start, end),
            first,
            last,
            True,
            -1,
        )
        for start, end in spans
    )
    return Chunks(chunks, (), ())


class _Chunker:
    def __init__(self, source: bytes, syntax: Syntax, module: str, max_size: int) -> None:
        self.source = source
        self.syntax = syntax
        self.definitions = syntax.definitions
        self.module = module
        self.max_size = max_size
        self.lines = _Lines(source)
        self.owners = self._choose_owners()

    def _choose_owners(self) -> list[int]:
        """For each definition, the definition whose chunk stands for it: itself, one around it, or -1."""
        owners: list[int] = []
        seen: set[tuple[int, int]] = set()
        for position, definition in enumerate(self.definitions):
            span = (definition.start, definition.end)
            lines = self.lines.last(*span) - self.lines.of(definition.start) + 1
            own = definition.kind in NODE_KINDS or lines >= MIN_CHUNK_LINES
            if own and definition.kind not in NEVER_CHUNKS and span not in seen and definition.end > definition.start:
                seen.add(span)
                owners.append(position)
            else:
                owners.append(owners[definition.parent] if definition.parent >= 0 else -1)
        return owners

    def chunks(self) -> Chunks:
        segments = self._merge_small_gaps(self._segments())
        chunks: list[Chunk] = []
        chunk_at: dict[int, int] = {}
        parents = self._parents()
        for segment in segments:
            pieces = _split(self.source, segment.start, segment.end, self.max_size)
            named = self._named_piece(segment, pieces)
            for number, (start, end) in enumerate(pieces):
                if number == named:
                    chunk_at[segment.owner] = len(chunks)
                    chunks.append(self._head(segment.owner, start, end, parents))
                else:
                    chunks.append(self._block(segment.owner, start, end))
        rows = ((*one[:-1], chunk_at[one.parent] if one.parent >= -1 else -1) for one in chunks)
        placed = tuple(as_records(Chunk, rows))
        chunk_of = tuple(chunk_at[owner] for owner in self.owners)
        return Chunks(placed, self._members(placed), chunk_of)

    def _named_piece(self, segment: _Segment, pieces: list[tuple[int, int]]) -> int:
        """Choose the piece that stands for a definition: the one with its name, which a long comment may precede."""
        if not segment.head:
            return -1
        name_start = self.definitions[segment.owner].name_start if segment.owner >= 0 else segment.start
        return next((number for number, (start, end) in enumerate(pieces) if start <= name_start < end), 0)

    def _head(self, owner: int, start: int, end: int, parents: dict[int, int]) -> Chunk:
        first, last = self.lines.of(start), self.lines.last(start, end)
        if owner < 0:
            name = self.module.rpartition(".")[2]
            whole = self.lines.last(0, len(self.source))
            return Chunk(
                "module", name, self.module, "", self.syntax.module_doc, start, end, first, last, 1, whole, True, -2
            )
        one = self.definitions[owner]
        return Chunk(
            kind=one.kind,
            name=one.name,
            qualified_name=_qualified(self.syntax.module, one),
            signature=one.signature,
            doc=one.doc,
            start=start,
            end=end,
            start_line=first,
            end_line=last,
            name_line=self.lines.of(one.name_start),
            def_end_line=self.lines.last(one.start, one.end),
            has_body=one.has_body,
            parent=parents[owner],
        )

    def _block(self, owner: int, start: int, end: int) -> Chunk:
        first, last = self.lines.of(start), self.lines.last(start, end)
        return Chunk("block", "", "", "", "", start, end, first, last, first, last, True, owner)

    def _parents(self) -> dict[int, int]:
        """For each definition with a chunk, the definition whose chunk is its parent, or -1 for the module.

        A method outside its type (`func (e *Engine) Run`, an impl block) is a child of the type when that is in the file.
        """
        types = {
            one.path_name: position
            for position, one in reversed(list(enumerate(self.definitions)))
            if self.owners[position] == position and one.kind in NODE_KINDS and one.kind not in ("function", "method")
        }
        parents: dict[int, int] = {}
        for position, owner in enumerate(self.owners):
            if owner != position:
                continue
            one = self.definitions[position]
            lexical = self.owners[one.parent] if one.parent >= 0 else -1
            named = types.get(one.path_name.rpartition(".")[0], -1) if one.kind == "method" else -1
            parents[position] = named if named >= 0 and named != position else lexical
        return parents

    def _members(self, chunks: tuple[Chunk, ...]) -> tuple[Member, ...]:
        starts = [chunk.start for chunk in chunks]
        return tuple(
            Member(
                kind=one.kind,
                name=one.name,
                qualified_name=_qualified(self.syntax.module, one),
                signature=one.signature,
                doc=one.doc,
                line=self.lines.of(one.name_start),
                end_line=self.lines.last(one.start, one.end),
                has_body=one.has_body,
                chunk=bisect_right(starts, one.name_start) - 1,
            )
            for position, one in enumerate(self.definitions)
            if self.owners[position] != position and one.kind != "scope"
        )

    def _segments(self) -> list[_Segment]:
        """Cut the file where a definition with a chunk starts or ends."""
        segments: list[_Segment] = []
        stack: list[tuple[int, int]] = [(len(self.source), -1)]
        begun: set[int] = set()
        at = 0

        def cut(to: int) -> None:
            nonlocal at
            owner = stack[-1][1]
            if to > at or owner not in begun:
                segments.append(_Segment(at, max(to, at), owner, owner not in begun))
                begun.add(owner)
            at = max(to, at)

        for position, owner in enumerate(self.owners):
            if owner != position:
                continue
            one = self.definitions[position]
            while len(stack) > 1 and stack[-1][0] <= one.start:
                cut(self._line_end(stack[-1][0], stack[-2][0]))
                stack.pop()
            cut(self._lead(one, at))
            stack.append((min(one.end, stack[-1][0]), position))
        while stack:
            cut(self._line_end(stack[-1][0], stack[-2][0]) if len(stack) > 1 else len(self.source))
            stack.pop()
        return segments

    def _lead(self, one: Definition, floor: int) -> int:
        """Move the start of a definition up over its indentation and the comments right above it."""
        for start in (one.lead, one.start):
            line_start = self.source.rfind(b"\n", 0, start) + 1
            if line_start >= floor and not self.source[line_start:start].strip():
                return line_start
        return one.start

    def _line_end(self, end: int, ceiling: int) -> int:
        """Move the end of a definition over what closes its line (`;`, `,`, a trailing comment)."""
        if self.source[end - 1 : end] == b"\n":
            return end
        newline = self.source.find(b"\n", end)
        line_end = len(self.source) if newline < 0 else newline + 1
        rest = self.source[end:line_end]
        return (
            line_end if line_end <= ceiling and (not _WORD.search(rest) or rest.lstrip()[:1] in (b"#", b"/")) else end
        )

    def _merge_small_gaps(self, segments: list[_Segment]) -> list[_Segment]:
        named = sorted(
            one.name_start
            for position, one in enumerate(self.definitions)
            if self.owners[position] != position and one.kind not in NEVER_CHUNKS
        )
        scopes = sorted(self._lead(one, 0) for one in self.definitions if one.kind in NEVER_CHUNKS)
        merged: list[_Segment] = []
        start = 0
        for segment in segments:
            segment = _Segment(start, segment.end, segment.owner, segment.head)
            start = segment.end
            if merged and not segment.head and self._is_small(segment, named):
                # What opens a scope (`impl A for B {`) goes with the definition that follows.
                place = bisect_right(scopes, segment.start - 1)
                opens = place < len(scopes) and scopes[place] < segment.end and segment.end < len(self.source)
                start = scopes[place] if opens else segment.end
                merged[-1] = merged[-1]._replace(end=start)
            else:
                merged.append(segment)
        return merged

    def _is_small(self, segment: _Segment, named: list[int]) -> bool:
        """Say whether a stretch has few lines of code and defines nothing; `named` are the places of names."""
        if bisect_right(named, segment.end - 1) > bisect_right(named, segment.start - 1):
            return False
        lines = self.source[segment.start : segment.end].split(b"\n")
        return sum(1 for line in lines if _WORD.search(line)) <= SMALL_GAP_LINES


def _qualified(module: str, one: Definition) -> str:
    return f"{module}.{one.path_name}" if module and one.kind != "section" else one.path_name


def _split(source: bytes, start: int, end: int, max_size: int) -> list[tuple[int, int]]:
    """Cut a span into pieces of at most `max_size` bytes, at the best line end near the limit."""
    pieces: list[tuple[int, int]] = []
    while end - start > max_size:
        cut = _best_cut(source, start, start + max_size)
        pieces.append((start, cut))
        start = cut
    return [*pieces, (start, end)]


def _best_cut(source: bytes, start: int, limit: int) -> int:
    """Choose the end of a piece: after a blank line, else before the least indented line, else in the line."""
    floor = start + int((limit - start) * (1 - BREAK_WINDOW))
    blank = source.rfind(b"\n\n", floor, limit)
    if blank >= 0:
        return blank + 2
    best, best_indent = -1, 1 << 30
    newline = source.find(b"\n", floor, limit)
    while newline >= 0:
        line = source[newline + 1 : newline + 81]
        indent = len(line) - len(line.lstrip())
        if indent <= best_indent:
            best, best_indent = newline + 1, indent
        newline = source.find(b"\n", newline + 1, limit)
    if best > start:
        return best
    newline = source.rfind(b"\n", start, limit)
    if newline >= start:
        return newline + 1
    while limit > start + 1 and source[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit
