"""Find all references to a definition: what calls, reads, writes, names, imports or inherits from it, and what texts do."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cached_property

from code_graph_indexer.graph.results import References
from code_graph_indexer.results import SourceType, Symbol, Use
from code_graph_indexer.storage import FileRow, Store

USE_KINDS = (
    *("calls", "references", "reads", "writes", "types"),
    *("inherits", "overrides", "imports", "docs"),
)
"""The kinds of uses, in the order in which an answer shows them."""

BY_NAME = 0.5
"""Confidence that a text which holds the name of a definition means it."""

MAX_FILES = 2_000
"""Most files that are searched for a name."""

MAX_LINE = 200
"""Most characters of a line of source in an answer."""


class UseFinder:
    """A finder of the uses of definitions in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: dict[str, list[str]] = {}

    def references(
        self, symbol: Symbol, *, kinds: Collection[str] = (), path: str = "", tests: bool | None = None
    ) -> References:
        """Return the uses of a definition, those of some kinds, in files whose path begins so, in tests or in code alone."""
        linked = self._store.uses([symbol.node_id])
        places = {(use.file_path, use.line) for use in linked}
        named = [use for use in self._unlinked_lines(symbol, places) if use.file_path.startswith(path)]
        docs = [use for use in named if use.kind == "docs"]
        uses = [
            replace(use, text=self._line(use.file_path, use.line))
            for use in (*linked, *docs)
            if (not kinds or use.kind in kinds)
            and use.file_path.startswith(path)
            and (tests is None or use.is_test == tests)
        ]
        uses.sort(key=lambda use: (USE_KINDS.index(use.kind), use.is_test, use.file_path, use.line, use.column))
        elsewhere = {(use.file_path, use.line) for use in named if use.kind != "docs"}
        return References(symbol, tuple(uses), len(elsewhere), len({file_path for file_path, _ in elsewhere}))

    def _unlinked_lines(self, symbol: Symbol, linked: Collection[tuple[str, int]]) -> Iterator[Use]:
        """Yield the lines with the name of a definition outside of the places `linked`. Those of prose have the kind `docs`."""
        word = re.compile(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])")
        holders = self._store.files_holding(symbol.name)
        files = [file for file in self._files if holders is None or file.id in holders]
        for file in files[:MAX_FILES]:
            for number, line in enumerate(self._lines_of(file.path), 1):
                if symbol.name not in line or (match := word.search(line)) is None:
                    continue
                place = file.path, number
                if place in linked or place == (symbol.file_path, symbol.start_line):
                    continue
                column = len(line[: match.start()].encode())
                kind = "docs" if file.source_type != SourceType.CODE else ""
                yield Use(kind, file.path, number, column, symbol.name, "", BY_NAME, False)

    @cached_property
    def _files(self) -> list[FileRow]:
        return [file for file in self._store.files() if file.error is None]

    def _lines_of(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = (self._store.file_text(path) or b"").decode("utf-8", "replace").split("\n")
        return self._lines[path]

    def _line(self, path: str, number: int) -> str:
        lines = self._lines_of(path)
        return lines[number - 1].strip()[:MAX_LINE] if number <= len(lines) else ""
