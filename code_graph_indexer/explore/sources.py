"""Read the lines of indexed files to quote them: as they were indexed, or as they are on disk if a file has changed since."""

from code_graph_indexer.languages import detect_language
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.stale import Root, StaleCheck, place_on_disk
from code_graph_indexer.storage import Store, name_inside
from code_graph_indexer.syntax.definition_spans import definition_spans
from code_graph_indexer.syntax.read import source_on_disk

MAX_STALE_BYTES = 2_000_000
"""The most bytes of a changed file that are read from disk for one answer."""


class SourceFiles:
    """The lines of the indexed files, for quotation. A line that is quoted has the number that it has on disk."""

    def __init__(self, store: Store, root: Root | None) -> None:
        self._store = store
        self._root = root
        self._check = StaleCheck(store, root)
        self._lines: dict[str, list[str]] = {}
        self._modules: dict[str, str] | None = None
        self.changed: set[str] = set()

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file without line ends, or an empty list if the file is gone or cannot be read."""
        if path not in self._lines:
            if self._check.stale([path]):
                self.changed.add(path)
                self._lines[path] = _split(self._on_disk(path))
            else:
                self._lines[path] = _split(self._store.file_text(path) or b"")
        return self._lines[path]

    def span(self, symbol: Symbol) -> tuple[int, int] | None:
        """Return the first and the last line of a definition, or None if it is no longer in its file."""
        count = len(self.lines(symbol.file_path))
        if symbol.file_path not in self.changed:
            return (symbol.start_line, min(symbol.end_line, count)) if symbol.start_line <= count else None
        source = self._on_disk(symbol.file_path)
        language = detect_language(symbol.file_path, source) if source else None
        if language is None:
            return None
        dotted = name_inside(symbol.qualified_name, self._module(symbol.file_path))
        spans = definition_spans(symbol.file_path, source, language)
        return next(((span.first, span.last) for span in spans if span.dotted == dotted), None)

    def site(self, path: str, line: int) -> int | None:
        """Return the number of the line of a reference, or None if the file has changed since, so that it is not known."""
        return line if 1 <= line <= len(self.lines(path)) and path not in self.changed else None

    def _module(self, path: str) -> str:
        if self._modules is None:
            self._modules = {file.path: file.module for file in self._store.files()}
        return self._modules.get(path, "")

    def _on_disk(self, path: str) -> bytes:
        """Return the text of a changed file as it is now, empty if it must not be read. A forged index may name any file."""
        on_disk = place_on_disk(self._root, path)
        if on_disk is None or file_patterns().why_unread(path):
            return b""
        return source_on_disk(on_disk)[:MAX_STALE_BYTES]


def _split(source: bytes) -> list[str]:
    text = source.decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []
