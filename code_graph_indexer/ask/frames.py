"""Find the definitions at the frames of a stack trace, also of a trace of another version or from another machine."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from code_graph_indexer.ask.trace import INSTALLED, TraceFrame
from code_graph_indexer.graph.names import Names, parts_of
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import definition_id
from code_graph_indexer.syntax.records import FUNCTION_KINDS

LEAST_NAME = 5
"""The letters that the name of a function has at least which alone tells its file. A bundler makes shorter ones."""

_FRAME_NAME = re.compile(r"[^\W\d]\w*")
"""Matches each part of the name of a frame. The function is the last that the file has: `pkg.(*File).Read.func1`."""


@dataclass(frozen=True, slots=True)
class Places:
    """The chunks at the frames of a trace, the innermost first.

    `moved` says which lines are no longer in the function of their frame, `compiled` which files of the trace are made of
    files of the index, and `outside` counts the files that are not in the index.
    """

    chunk_ids: tuple[int, ...]
    moved: tuple[str, ...]
    compiled: tuple[str, ...]
    outside: int


class TracePlaces:
    """A finder of what stands at the frames of a trace."""

    def __init__(self, store: Store, names: Names) -> None:
        self._store = store
        self._names = names

    def places(self, frames: Sequence[TraceFrame]) -> Places:
        """Find the chunks at stack frames.

        A frame whose line is no longer in the function that it names, as in a trace of another version, means the function.
        So does a frame in a file that a compiler made: `dist/cart.js` is made of `src/cart.ts`.
        """
        functions = self._functions(frames)
        paths = {frame: self._path(frame, functions[frame]) for frame in frames}
        if not any(paths.values()):
            paths = {frame: _source(frame, functions[frame], only=True) for frame in frames}
        chunks: dict[TraceFrame, list[int]] = {}
        moved: list[str] = []
        compiled: dict[str, None] = {}
        for frame, path in paths.items():
            if path is None:
                continue
            symbols = _named_first(functions[frame], path)
            is_compiled = _name_of(path) != _name_of(frame.path)
            is_inside = any(symbol.start_line <= frame.line <= symbol.end_line for symbol in symbols)
            if is_compiled:
                compiled[f"{frame.path} is made of {path}, so its functions count, and not its lines"] = None
            elif symbols and not is_inside and frame.line:
                moved.append(f"line {frame.line} is no longer in {symbols[0].name}, {path}:{symbols[0].start_line}")
            by_name = symbols and (is_compiled or not is_inside)
            chunks[frame] = [symbol.chunk_id for symbol in symbols] if by_name else self._chunks_at(path, frame)
        ordered = list(chunks.values())
        if not self._is_innermost_first(ordered):
            ordered.reverse()
        outside = {frame.path for frame in frames} - {frame.path for frame in chunks}
        return Places(tuple(dict.fromkeys(chain(*ordered))), tuple(moved), tuple(compiled), len(outside))

    def _functions(self, frames: Sequence[TraceFrame]) -> dict[TraceFrame, list[Symbol]]:
        """Map frames to the functions that have the last part of their names which any function has."""
        names = {frame: _FRAME_NAME.findall(frame.name)[::-1] for frame in frames}
        functions: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in self._store.symbols({name for parts in names.values() for name in parts}, exact_case=True):
            if symbol.kind in FUNCTION_KINDS:
                functions[symbol.name].append(symbol)
        # `pkg.(*File).Read.func1` is in Read, and the file has it.
        return {
            frame: [symbol for name in parts for symbol in functions.get(name, ())] for frame, parts in names.items()
        }

    def _path(self, frame: TraceFrame, functions: Sequence[Symbol]) -> str | None:
        """Return the indexed file of a frame: the one that shares the longest end of its path, or that it is made of."""
        files = self._names.files_ending_as(frame.path)
        holding = [file for file in files if any(symbol.file_path == file for symbol in functions)]
        files = holding or files
        if len(files) == 1 and (holding or not _is_of_another(frame, files[0])):
            return files[0]
        return _source(frame, functions)

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


def _named_first(functions: Sequence[Symbol], path: str) -> list[Symbol]:
    """Return the functions of a file that have the first name of some functions which it has."""
    symbols = [symbol for symbol in functions if symbol.file_path == path]
    return [symbol for symbol in symbols if symbol.name == symbols[0].name]


def _source(frame: TraceFrame, functions: Sequence[Symbol], *, only: bool = False) -> str | None:
    """Return the file that a compiled file is made of: it is named alike, and defines the function of the frame.

    With `only`, a function is enough that one file alone defines, as in a bundle that is made of many files. A package of
    others has functions of many names.
    """
    files = list(dict.fromkeys(symbol.file_path for symbol in functions if not symbol.is_test))
    alike = [file for file in files if _stem(file) == _stem(frame.path)]
    folders = set(parts_of(frame.path))
    if alike:
        return max(alike, key=lambda file: len(folders.intersection(file.split("/"))))
    only = only and not re.search(INSTALLED, frame.path)
    return files[0] if only and len(files) == 1 and len(functions[0].name) >= LEAST_NAME else None


def _is_of_another(frame: TraceFrame, file: str) -> bool:
    """Say whether a file that lacks the function of a frame shares its name alone: a library has a `models.py` too."""
    folders = parts_of(frame.path)[:-1]
    return frame.name.isidentifier() and bool(folders) and folders[-1:] != parts_of(file)[-2:-1]


def _name_of(path: str) -> str:
    """Return the name of a file."""
    return parts_of(path)[-1] if parts_of(path) else ""


def _stem(path: str) -> str:
    """Return the name of a file without its endings."""
    return _name_of(path).partition(".")[0]
