"""Quote definitions, references and results on a page, whole where they fit."""

from code_graph_indexer.explore.flow import Flow
from code_graph_indexer.explore.page import Page
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS

HEAD_LINES, MAX_WINDOWS = 12, 15
"""Lines that are quoted of the beginning of a definition that is too long to be quoted whole, and the most calls in it."""

FIRST, OTHERS = 0.6, 0.35
"""The share of the room that the first definition may take, and any other one. What is longer is quoted in part."""


class Quotes:
    """The quotations of code of one index. Of a definition that is too long, the calls of a flow go first."""

    def __init__(self, store: Store, flow: Flow) -> None:
        self._store = store
        self._flow = flow

    def definition(self, page: Page, symbol: Symbol, *, share: float = 1.0) -> bool:
        """Quote a definition whole if it fits, or else its beginning. Return whether it is whole."""
        if self.whole(page, symbol, share=share):
            return True
        self.head(page, symbol)
        span = page.files.span(symbol)
        if span is not None and page.quotes(symbol.file_path, span[0]):
            page.note(f"{symbol.file_path}:{span[0]}-{span[1]} {symbol.name} is quoted in part")
        return False

    def whole(self, page: Page, symbol: Symbol, *, share: float = 1.0) -> bool:
        """Quote a definition whole if it fits. Return whether it does."""
        span = page.files.span(symbol)
        if span is None:
            page.note(f"{symbol.qualified_name} is no longer in {symbol.file_path}")
            return False
        first, last = span
        if symbol.kind in CLASS_KINDS:
            last = min(last, self._own_end(symbol, last))
        return page.quote(symbol.file_path, range(first, last + 1), share=share)

    def _own_end(self, symbol: Symbol, last: int) -> int:
        """Return the last line of a class before its first member, if the class is long."""
        members = [
            chunk.start_line
            for chunk in self._store.file_chunks(symbol.file_path)
            if chunk.parent_id == symbol.chunk_id and chunk.kind != "block"
        ]
        long = last - symbol.start_line > 10 * HEAD_LINES
        return min(members) - 1 if members and long else last

    def context(self, page: Page, context: RetrievedContext) -> None:
        """Quote a result, if its file is as it was indexed."""
        if not context.stale:
            page.quote(context.file_path, range(context.start_line, context.end_line + 1), share=OTHERS)

    def head(self, page: Page, symbol: Symbol) -> None:
        """Quote the beginning of a definition, and the calls in it that lead on in the repository."""
        span = page.files.span(symbol)
        if span is None:
            return
        first, last = span
        name_line = self._name_line(symbol)
        start = name_line if first <= name_line <= last else first
        page.quote(symbol.file_path, range(start, min(last, start + HEAD_LINES // 2) + 1), share=OTHERS)
        if symbol.kind in CLASS_KINDS:
            return
        edges = self._store.edges([symbol.chunk_id], "calls", incoming=False)
        # The calls on the way go first.
        edges = sorted(edges, key=lambda edge: (edge.chunk_id not in self._flow.ids, edge.line))
        for edge in edges[:MAX_WINDOWS]:
            number = page.files.site(symbol.file_path, edge.line)
            if number is not None and start <= number <= last:
                page.quote(symbol.file_path, range(max(number - 1, start), min(number + 1, last) + 1), share=OTHERS / 2)

    def site(self, page: Page, around: Symbol, path: str, line: int) -> bool:
        """Quote the line of a reference below the first line of the definition around it. Return whether it is quoted."""
        number = page.files.site(path, line)
        if number is None:
            return False
        names = [self._name_line(around)] if around.file_path == path and around.kind != "module" else []
        return page.quote(path, [*names, number])

    def _name_line(self, symbol: Symbol) -> int:
        chunks = self._store.chunks([symbol.chunk_id])
        return chunks[0].name_line if chunks else symbol.start_line
