"""Quote definitions, references and results on a page, whole where they fit."""

from collections.abc import Sequence

from code_graph_indexer.explore.flow import Flow
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.topic import AROUND, heads, windows
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS

CONSTANT_KINDS = frozenset({"constant", "macro", "variable"})
"""Kinds of definitions that are a value with a name."""

HEAD_LINES, MAX_WINDOWS = 12, 15
"""Lines that are quoted of the beginning of a definition that is too long to be quoted whole, and the most calls in it."""

FIRST, OTHERS, LEAST = 0.5, 0.35, 0.2
"""The share of the room that the first definition may take, and any other one. What is longer is quoted in part."""


DESCRIBED = 0.15
"""The share of the room that the sentences of a language model may take."""

SHORT = 20
"""The most lines of a definition that is quoted whole where a line of it is asked for: what is around it costs little."""

LONG, LONG_CLASS = 80, 25
"""The most lines of a definition that is quoted whole although the question is about a part of it, and of such a class."""

MAX_VALUES, VALUE_LINES = 6, 6
"""The most constants whose values are quoted beside the lines that read them, and the most lines of one."""


class Quotes:
    """The quotations of code of one index. Of a definition that is too long, the calls of a flow go first."""

    def __init__(self, store: Store, flow: Flow) -> None:
        self._store = store
        self._flow = flow

    def definition(self, page: Page, symbol: Symbol, *, share: float = 1.0) -> bool:
        """Quote a definition whole if it fits, or else the parts that the question is about. Return whether it is whole."""
        about = self._about(page, symbol)
        if about or not self.whole(page, symbol, share=share):
            self._head(page, symbol, about, share=max(share, OTHERS))
            return False
        return True

    def part(self, page: Page, symbol: Symbol, *, share: float) -> None:
        """Quote a definition whole if it is short and fits in this share of the room, or else what a question is about."""
        span = page.files.span(symbol)
        if span is None or (span[1] - span[0] < SHORT and self.whole(page, symbol, share=share)):
            return
        self._head(page, symbol, self._windows(page, symbol, *span), share=share)

    def _about(self, page: Page, symbol: Symbol) -> list[list[int]]:
        """Return the runs of lines of a long definition that the question is about. Of any other definition, there are none."""
        span = page.files.span(symbol)
        if span is None or span[1] - span[0] < LONG or symbol.kind in CLASS_KINDS:
            return []
        return self._windows(page, symbol, *span)

    @staticmethod
    def _windows(page: Page, symbol: Symbol, first: int, last: int) -> list[list[int]]:
        return windows(page.files.lines(symbol.file_path), first, last, page.topic) if page.topic.words else []

    def whole(self, page: Page, symbol: Symbol, *, share: float = 1.0) -> bool:
        """Quote a definition whole if it fits. Return whether it does."""
        span = page.files.span(symbol)
        if span is None:
            page.note(f"{symbol.qualified_name} is no longer in {symbol.file_path}")
            return False
        first, last = span
        if symbol.kind in CLASS_KINDS:
            last = min(last, self._own_end(page, symbol, last))
        return page.quote(symbol.file_path, range(first, last + 1), share=share)

    def _own_end(self, page: Page, symbol: Symbol, last: int) -> int:
        """Return the last line of a class before its first member, if the class is long."""
        members = [
            chunk.start_line
            for chunk in self._store.file_chunks(symbol.file_path)
            if chunk.parent_id == symbol.chunk_id and chunk.kind != "block"
        ]
        # The methods that a question is about are results of their own.
        long = last - symbol.start_line > (LONG_CLASS if page.topic.words else 10 * HEAD_LINES)
        return min(members) - 1 if members and long else last

    def described(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """List what a language model wrote of definitions. It is no quotation, so it stands apart from the source."""
        descriptions = self._store.descriptions([symbol.node_id for symbol in symbols])
        lines = [
            f"{symbol.qualified_name or symbol.name}  {descriptions[symbol.node_id]}"
            for symbol in symbols
            if symbol.node_id in descriptions
        ]
        page.list("## In the words of a language model, not of the source", lines, share=DESCRIBED)

    def context(self, page: Page, context: RetrievedContext) -> None:
        """Quote a result, if its file is as it was indexed."""
        if not context.stale:
            page.quote(context.file_path, range(context.start_line, context.end_line + 1), share=OTHERS)

    def lines(self, page: Page, symbol: Symbol, number: int, *, whole: bool = False) -> None:
        """Quote a line of a definition in its branch, below its first line, or `whole` if the definition is short."""
        span = page.files.span(symbol)
        if span is None or symbol.file_path in page.files.changed:
            return
        source = page.files.lines(symbol.file_path)
        around = range(max(span[0], number - AROUND), min(span[1], number + AROUND) + 1)
        if whole and span[1] - span[0] < SHORT and symbol.kind not in CLASS_KINDS:
            around = range(span[0], span[1] + 1)
        page.quote(symbol.file_path, {span[0], *heads(source, span[0], number), *around})

    def _head(self, page: Page, symbol: Symbol, about: Sequence[Sequence[int]], *, share: float = 1.0) -> None:
        """Quote the beginning of a definition, and the runs of lines `about` the question, or else its calls.

        All of them take this share of the room at most.
        """
        least = int(page.room * (1 - share))
        span = page.files.span(symbol)
        if span is None:
            return
        first, last = span
        name_line = self._name_line(symbol)
        start = name_line if first <= name_line <= last else first
        # A first line alone says nothing, so it stands with what the question is about.
        is_part = bool(about) and share < OTHERS
        if not is_part:
            page.quote(symbol.file_path, range(start, min(last, start + HEAD_LINES // 2) + 1), share=OTHERS)
        if symbol.kind not in CLASS_KINDS:
            for run in about or self._windows(page, symbol, first, last) or self._calls(page, symbol, start, last):
                if page.room > least:
                    lines = {start, *run} if is_part else run
                    page.quote(symbol.file_path, lines, share=min(OTHERS, 1 - least / page.room))
        page.part(symbol.file_path, first, last, symbol.name)

    def _calls(self, page: Page, symbol: Symbol, start: int, last: int) -> list[range]:
        """Return the lines of the calls in a definition that lead on in the repository, those on the way first."""
        edges = self._store.edges([symbol.chunk_id], "calls", incoming=False)
        edges = sorted(edges, key=lambda edge: (edge.chunk_id not in self._flow.ids, edge.line))
        numbers = [page.files.site(symbol.file_path, edge.line) for edge in edges[:MAX_WINDOWS]]
        return [
            range(max(number - 1, start), min(number + 1, last) + 1)
            for number in numbers
            if number is not None and start <= number <= last
        ]

    def values(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote the constants that the quoted lines of definitions read: their values are a part of the answer."""
        of = {symbol.chunk_id: symbol for symbol in symbols}
        edges = self._store.edges(list(of), "reads", incoming=False)
        read = [edge for edge in edges if page.quotes(of[edge.of].file_path, edge.line)]
        nodes = self._store.nodes(list({edge.chunk_id for edge in read}))
        constants = dict.fromkeys(
            nodes[edge.chunk_id]
            for edge in read
            if edge.chunk_id in nodes
            and nodes[edge.chunk_id].kind in CONSTANT_KINDS
            and not nodes[edge.chunk_id].is_test
        )
        few = [constant for constant in constants if constant.end_line - constant.start_line < VALUE_LINES]
        for constant in few[:MAX_VALUES]:
            self.whole(page, constant, share=OTHERS)

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
