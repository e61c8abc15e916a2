"""Cut a file into chunks that are ordered, disjoint and cover the file: one per definition, and blocks for long text."""

import re
from bisect import bisect_right
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.syntax.records import Chunk, Definition, Syntax, as_records

NODE_KINDS = frozenset(
    {
        *("class", "interface", "struct", "enum", "trait", "union", "object", "protocol"),
        *("function", "method", "macro", "module", "section"),
    }
)
"""Kinds of definitions that are chunks, and thus nodes of the graph, even if they are short."""

NEVER_CHUNKS = frozenset({"scope", "namespace"})
"""Kinds that are never chunks, because they only give names to the definitions inside them."""

MIN_CHUNK_LINES = 4
"""Fewest lines of a constant, a field or a type that is a chunk of its own."""

SMALL_GAP_LINES = 2
"""Most lines of code between two definitions that are joined to the chunk above them.

An example is `method.short_description = …`.
"""

BREAK_WINDOW = 0.5
"""The share of a block's size that may be given up, to end the block at a better line."""

_WORD = re.compile(rb"\w")


class Chunks(NamedTuple):
    """The chunks and members of a file.

    `chunk_of` holds, for each definition, the position of the chunk that represents it. `member_of` holds the position of the
    member that it is, or -1.
    """

    chunks: tuple[Chunk, ...]
    members: tuple[Chunk, ...]
    chunk_of: tuple[int, ...]
    member_of: tuple[int, ...]


class _Segment(NamedTuple):
    """A stretch of text that belongs to one definition, or to the module.

    `owner` is the position of the definition, or -1 for the module. `head` says that this is the first stretch of its
    owner.
    """

    start: int
    end: int
    owner: int
    head: bool


def newlines(source: bytes) -> NDArray[np.int64]:
    """Return the byte offsets of the line ends in a text."""
    return np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n"))


class _Lines:
    """The lines of a text: a table from byte offsets to 1-based lines."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0, *(newlines(source) + 1).tolist()]

    def of(self, offset: int) -> int:
        """Return the line that contains a byte offset."""
        return bisect_right(self._starts, offset)

    def last(self, start: int, end: int) -> int:
        """Return the line of the last byte of a span, or the line of `start` if the span is empty."""
        return self.of(max(start, end - 1))

    def chunk(self, kind: str, name: str, start: int, end: int, parent: int) -> Chunk:
        """Return the chunk of a span that is no definition."""
        first, last = self.of(start), self.last(start, end)
        return Chunk(kind, name, "", "", "", start, end, first, last, first, last, True, parent)


def chunk_code(source: bytes, syntax: Syntax, *, module: str, max_size: int) -> Chunks:
    """Cut a file with definitions into chunks. The first chunk is the module's own, and may be empty.

    `max_size` is in bytes. Text of a chunk beyond that size is put into chunks of the kind `block`, children of that
    chunk.
    """
    return _Chunker(source, syntax, module, max_size).chunks()


def chunk_text(source: bytes, *, name: str, max_size: int) -> Chunks:
    """Cut a file without definitions into chunks of at most `max_size` bytes, at line ends where possible."""
    lines = _Lines(source)
    spans = _split(source, 0, len(source), max_size)
    return Chunks(tuple(lines.chunk("text", name, start, end, -1) for start, end in spans), (), (), ())


class _Chunker:
    """A chunker of one file with definitions."""

    def __init__(self, source: bytes, syntax: Syntax, module: str, max_size: int) -> None:
        self.source = source
        self.syntax = syntax
        self.definitions = syntax.definitions
        self.module = module
        self.max_size = max_size
        self.lines = _Lines(source)
        self.owners = self._choose_owners()

    def _choose_owners(self) -> list[int]:
        """Return, for each definition, the position of its owner: the definition whose chunk represents it.

        The owner is the definition itself, one around it, or -1 for the module.
        """
        owners: list[int] = []
        # Two definitions may have the same span, as a macro and the namespace that it opens. One chunk represents both.
        seen: dict[tuple[int, int], int] = {}
        for position, definition in enumerate(self.definitions):
            span = (definition.start, definition.end)
            lines = self.lines.last(*span) - self.lines.of(definition.start) + 1
            # A value with a body is one that code stands in, as in `const route = get(() => …)`.
            has_code = definition.kind == "constant" and definition.has_body
            is_node = definition.kind in NODE_KINDS or lines >= MIN_CHUNK_LINES or has_code
            if (
                is_node
                and definition.kind not in NEVER_CHUNKS
                and span not in seen
                and definition.end > definition.start
            ):
                seen[span] = position
                owners.append(position)
            else:
                outer = owners[definition.parent] if definition.parent >= 0 else -1
                owners.append(seen.get(span, outer) if is_node else outer)
        return owners

    def chunks(self) -> Chunks:
        """Cut the file, and connect each chunk with its parent."""
        segments = self._merge_small_gaps(self._segments())
        chunks: list[Chunk] = []
        chunk_at: dict[int, int] = {}
        parents = self._parents()
        for segment in segments:
            pieces = _split(self.source, segment.start, segment.end, self.max_size)
            head_number = self._named_piece(segment, pieces)
            for number, (start, end) in enumerate(pieces):
                if number == head_number:
                    chunk_at[segment.owner] = len(chunks)
                    chunks.append(self._head(segment.owner, start, end, parents))
                else:
                    # Text of an owner outside the main chunk of the owner.
                    chunks.append(self.lines.chunk("block", "", start, end, segment.owner))
        # The records hold positions of definitions so far. Only now is the chunk of each definition known.
        rows = ((*chunk[:-1], chunk_at[chunk.parent] if chunk.parent >= -1 else -1) for chunk in chunks)
        placed = tuple(as_records(Chunk, rows))
        members = self._members(placed)
        numbers = count()
        member_of = tuple(next(numbers) if self._is_member(at) else -1 for at in range(len(self.definitions)))
        return Chunks(placed, members, self._chunk_of(chunk_at, placed, members, member_of), member_of)

    def _chunk_of(
        self,
        chunk_at: dict[int, int],
        chunks: tuple[Chunk, ...],
        members: tuple[Chunk, ...],
        member_of: tuple[int, ...],
    ) -> tuple[int, ...]:
        """Return, for each definition, the position of the chunk that represents it in the index.

        For a member it is the chunk that contains its name. A `block` stands for its parent, and the module for a
        namespace, since the line that opens a namespace may be in the chunk of its first definition. `chunk_at` maps
        owners to their chunks, and `member_of` has the position of the member that a definition is, or -1.
        """
        chunk_of: list[int] = []
        for owner, member, definition in zip(self.owners, member_of, self.definitions, strict=True):
            if member < 0:
                chunk_of.append(chunk_at[owner])
                continue
            place = 0 if definition.kind in NEVER_CHUNKS else members[member].parent
            chunk_of.append(chunks[place].parent if chunks[place].kind == "block" else place)
        return tuple(chunk_of)

    def _named_piece(self, segment: _Segment, pieces: list[tuple[int, int]]) -> int:
        """Return the position of the piece that represents the segment's owner: the piece with the owner's name.

        It is not always the first piece, because a long comment may come before the name. Return -1 if the segment is
        not the head of its owner.
        """
        if not segment.head:
            return -1
        name_start = self.definitions[segment.owner].name_start if segment.owner >= 0 else segment.start
        return next((number for number, (start, end) in enumerate(pieces) if start <= name_start < end), 0)

    def _head(self, owner: int, start: int, end: int, parents: dict[int, int]) -> Chunk:
        """Return the chunk that represents a definition, or the module if `owner` is -1.

        Its `parent` is still the position of a definition, by `parents`, or -2 for the module, which has none.
        """
        if owner < 0:
            # -2 marks the chunk of the module, which has no parent. -1 would say that its parent is the module.
            chunk = self.lines.chunk("module", self.module.rpartition(".")[2], start, end, -2)
            whole = self.lines.last(0, len(self.source))
            return chunk._replace(
                qualified_name=self.module, doc=self.syntax.module_doc, name_line=1, def_end_line=whole
            )
        return self._defined(self.definitions[owner], start, end, parents[owner])

    def _defined(self, definition: Definition, start: int, end: int, parent: int) -> Chunk:
        """Return the chunk of a definition, with the text from `start` to `end`."""
        return Chunk(
            kind=definition.kind,
            name=definition.name,
            qualified_name=_qualified(self.syntax.module, definition),
            signature=definition.signature,
            doc=definition.doc,
            start=start,
            end=end,
            start_line=self.lines.of(start),
            end_line=self.lines.last(start, end),
            name_line=self.lines.of(definition.name_start),
            def_end_line=self.lines.last(definition.start, definition.end),
            has_body=definition.has_body,
            parent=parent,
        )

    def _parents(self) -> dict[int, int]:
        """Map each definition with a chunk to the definition whose chunk is its parent, or to -1 for the module.

        A method outside its type (`func (e *Engine) Run`, an impl block) is a child of the type if the type is in the
        same file.
        """
        # Reversed, so that of several types with one name the first one stays.
        types = {
            definition.path_name: position
            for position, definition in reversed(list(enumerate(self.definitions)))
            if self.owners[position] == position
            and definition.kind in NODE_KINDS
            and definition.kind not in ("function", "method")
        }
        parents: dict[int, int] = {}
        for position, owner in enumerate(self.owners):
            if owner != position:
                continue
            definition = self.definitions[position]
            lexical = self.owners[definition.parent] if definition.parent >= 0 else -1
            type_position = (
                types.get(definition.path_name.rpartition(".")[0], -1) if definition.kind == "method" else -1
            )
            parents[position] = type_position if type_position >= 0 and type_position != position else lexical
        return parents

    def _is_member(self, position: int) -> bool:
        """Say whether a definition has no chunk of its own. A scope is none: it is part of the class that it names."""
        return self.owners[position] != position and self.definitions[position].kind != "scope"

    def _members(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        """List the definitions without a chunk of their own, each with the chunk that contains its name as its parent."""
        starts = [chunk.start for chunk in chunks]
        return tuple(
            self._defined(definition, place, place, bisect_right(starts, place) - 1)
            for position, definition in enumerate(self.definitions)
            if self._is_member(position)
            for place in [definition.name_start]
        )

    def _segments(self) -> list[_Segment]:
        """Cut the file where a definition with a chunk starts or ends, into segments of the innermost such definition."""
        segments: list[_Segment] = []
        stack: list[tuple[int, int]] = [(len(self.source), -1)]
        begun: set[int] = set()
        offset = 0

        def close_segment(to: int) -> None:
            """Close the open segment at an offset."""
            nonlocal offset
            owner = stack[-1][1]
            # A definition gets its chunk even if that is empty, because a child may start where it starts.
            if to > offset or owner not in begun:
                segments.append(_Segment(offset, max(to, offset), owner, owner not in begun))
                begun.add(owner)
            offset = max(to, offset)

        for position, owner in enumerate(self.owners):
            if owner != position:
                continue
            definition = self.definitions[position]
            while len(stack) > 1 and stack[-1][0] <= definition.start:
                close_segment(self._line_end(stack[-1][0], stack[-2][0]))
                stack.pop()
            close_segment(self._lead(definition, offset))
            # Chunks must nest even where two definitions overlap.
            stack.append((min(definition.end, stack[-1][0]), position))
        while stack:
            close_segment(self._line_end(stack[-1][0], stack[-2][0]) if len(stack) > 1 else len(self.source))
            stack.pop()
        return segments

    def _lead(self, definition: Definition, floor: int) -> int:
        """Return the start of a definition, moved up over its indentation and the comments right above it.

        The result is never below `floor`, the end of the text that already belongs to a chunk.
        """
        # The comments above may begin after code, or in the chunk before. Then the definition starts at its own line.
        for start in (definition.lead, definition.start):
            line_start = self.source.rfind(b"\n", 0, start) + 1
            if line_start >= floor and not self.source[line_start:start].strip():
                return line_start
        return definition.start

    def _line_end(self, end: int, ceiling: int) -> int:
        """Return the end of a definition, moved past the rest of its line if that is `;`, `,` or a comment.

        The result is never above `ceiling`, the end of the definition around it.
        """
        if self.source[end - 1 : end] == b"\n":
            return end
        newline = self.source.find(b"\n", end)
        line_end = len(self.source) if newline < 0 else newline + 1
        # Code after the definition on its line stays apart from it. A comment does not.
        rest = self.source[end:line_end]
        return (
            line_end if line_end <= ceiling and (not _WORD.search(rest) or rest.lstrip()[:1] in (b"#", b"/")) else end
        )

    def _merge_small_gaps(self, segments: list[_Segment]) -> list[_Segment]:
        """Join each short segment without a head or names to the one above. What opens a scope goes with the one below."""
        name_starts = sorted(
            definition.name_start
            for position, definition in enumerate(self.definitions)
            if self.owners[position] != position and definition.kind not in NEVER_CHUNKS
        )
        scopes = sorted(self._lead(definition, 0) for definition in self.definitions if definition.kind in NEVER_CHUNKS)
        merged: list[_Segment] = []
        start = 0
        for segment in segments:
            segment = _Segment(start, segment.end, segment.owner, segment.head)
            start = segment.end
            if merged and not segment.head and self._is_small(segment, name_starts):
                # What opens a scope (`impl A for B {`) goes with the definition that follows.
                position = bisect_right(scopes, segment.start - 1)
                opens = position < len(scopes) and scopes[position] < segment.end and segment.end < len(self.source)
                start = scopes[position] if opens else segment.end
                merged[-1] = merged[-1]._replace(end=start)
            else:
                merged.append(segment)
        return merged

    def _is_small(self, segment: _Segment, name_starts: list[int]) -> bool:
        """Return whether a segment has few lines of code and contains none of the names.

        `name_starts` are the sorted offsets of the names of the definitions without a chunk.
        """
        if bisect_right(name_starts, segment.end - 1) > bisect_right(name_starts, segment.start - 1):
            return False
        lines = self.source[segment.start : segment.end].split(b"\n")
        return sum(1 for line in lines if _WORD.search(line)) <= SMALL_GAP_LINES


def _qualified(module: str, definition: Definition) -> str:
    """Return the qualified name of a definition: the module and the name inside the file. A section has no module."""
    return f"{module}.{definition.path_name}" if module and definition.kind != "section" else definition.path_name


def _split(source: bytes, start: int, end: int, max_size: int) -> list[tuple[int, int]]:
    """Cut a span into pieces of at most `max_size` bytes, each at the best line end near the limit."""
    pieces: list[tuple[int, int]] = []
    while end - start > max_size:
        cut = _best_cut(source, start, start + max_size)
        pieces.append((start, cut))
        start = cut
    return [*pieces, (start, end)]


def _best_cut(source: bytes, start: int, limit: int) -> int:
    """Return where a piece from `start` ends, at most at `limit`: behind the last blank line of its second half.

    Else it ends before the last of the lines with the least indentation there, else at its last line end, else inside
    its line.
    """
    floor = start + int((limit - start) * (1 - BREAK_WINDOW))
    blank = source.rfind(b"\n\n", floor, limit)
    if blank >= 0:
        return blank + 2
    best, best_indent = -1, 1 << 30
    newline = source.find(b"\n", floor, limit)
    while newline >= 0:
        line = source[newline + 1 : newline + 81]
        indent = len(line) - len(line.lstrip())
        # `<=`, because a later cut makes a fuller chunk.
        if indent <= best_indent:
            best, best_indent = newline + 1, indent
        newline = source.find(b"\n", newline + 1, limit)
    if best > start:
        return best
    newline = source.rfind(b"\n", start, limit)
    if newline >= start:
        return newline + 1
    # A character of several bytes is not cut: all its bytes but the first begin with 10.
    while limit > start + 1 and source[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit
