"""Find the definitions at the frames of a stack trace, also of a trace of another version or from another machine."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from code_graph_indexer.ask.trace import TraceFrame
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph.names import Names
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import definition_id
from code_graph_indexer.syntax.records import FUNCTION_KINDS

_FRAME_NAME = re.compile(r"[^\W\d]\w*")
"""Matches each part of the name of a frame. The function is the last that the file has: `pkg.(*File).Read.func1`."""


@dataclass(frozen=True, slots=True)
class Places:
    """The chunks at the frames of a trace, the innermost first.

    `moved` says which lines are no longer in the function of their frame, and `outside` counts the files that are not in the
    index.
    """

    chunk_ids: tuple[int, ...]
    moved: tuple[str, ...]
    outside: int


class TracePlaces:
    """A finder of what stands at the frames of a trace."""

    def __init__(self, store: Store, names: Names) -> None:
        self._store = store
        self._names = names

    def places(self, frames: Sequence[TraceFrame]) -> Places:
        """Find the chunks at stack frames.

        A frame whose line is no longer in the function that it names, as in a trace of another version, means the function.
        """
        paths = {path: self._path(path) for path in dict.fromkeys(frame.path for frame in frames)}
        chunks: dict[TraceFrame, list[int]] = {}
        moved: list[str] = []
        for frame, functions in self._functions(frames, paths).items():
            path = paths[frame.path] or ""
            is_elsewhere = bool(functions) and not any(
                symbol.start_line <= frame.line <= symbol.end_line for symbol in functions
            )
            if is_elsewhere and frame.line:
                moved.append(f"line {frame.line} is no longer in {functions[0].name}, {path}:{functions[0].start_line}")
            chunks[frame] = [symbol.chunk_id for symbol in functions] if is_elsewhere else self._chunks_at(path, frame)
        ordered = list(chunks.values())
        if not self._is_innermost_first(ordered):
            ordered.reverse()
        chunk_ids = dict.fromkeys(chain(*ordered))
        return Places(tuple(chunk_ids), tuple(moved), sum(path is None for path in paths.values()))

    def _functions(self, frames: Sequence[TraceFrame], paths: dict[str, str | None]) -> dict[TraceFrame, list[Symbol]]:
        """Map the frames in indexed files to the functions of their file that they name. Mostly it is one."""
        names = {frame: _FRAME_NAME.findall(frame.name)[::-1] for frame in frames if paths[frame.path] is not None}
        functions: dict[tuple[str, str | None], list[Symbol]] = defaultdict(list)
        for symbol in self._store.symbols({name for parts in names.values() for name in parts}, exact_case=True):
            if symbol.kind in FUNCTION_KINDS:
                functions[symbol.name, symbol.file_path].append(symbol)
        return {
            frame: next(
                (functions[name, paths[frame.path]] for name in parts if (name, paths[frame.path]) in functions),
                [],
            )
            for frame, parts in names.items()
        }

    def _is_innermost_first(self, frames: Sequence[Sequence[int]]) -> bool:
        """Say whether frames, each as chunk ids, are called by the next ones more often than they call them.

        Python's traces are the other way round, and a trace without known calls is read so.
        """
        definition_of = {chunk.id: definition_id(chunk) for chunk in self._store.chunks(sorted({*chain(*frames)}))}
        definitions = [
            {definition_of[chunk_id] for chunk_id in inside if chunk_id in definition_of} for inside in frames
        ]
        edges = self._store.edges(sorted({*chain(*definitions)}), "calls", incoming=False)
        calls = {(edge.of, edge.chunk_id) for edge in edges}
        upwards = sum(any((b, a) in calls for a in first for b in second) for first, second in pairwise(definitions))
        downwards = sum(any((a, b) in calls for a in first for b in second) for first, second in pairwise(definitions))
        return len(frames) == 1 or upwards > downwards

    def _chunks_at(self, path: str, frame: TraceFrame) -> list[int]:
        """List the ids of the chunks at the lines of a frame: the last if the line is behind the end of the file."""
        last, chunks = max(frame.end_line, frame.line), self._store.file_chunks(path)
        inside = [chunk.id for chunk in chunks if chunk.start_line <= last and frame.line <= chunk.end_line]
        return inside or [chunk.id for chunk in chunks[-1:]]

    def _path(self, frame_path: str) -> str | None:
        """Return the indexed file for a path from another machine: the file that shares the longest end. None without one."""
        parts = [part for part in frame_path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
        for start in range(len(parts)):
            try:
                return self._names.file("/".join(parts[start:]))
            except NotInIndexError:
                continue
        return None
