"""Quote definitions, references and results on a page, whole where they fit."""

import re
from collections.abc import Sequence

from code_graph_indexer.explore.flow import Flow
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.topic import AROUND, branch_end, comment_start, heads, windows
from code_graph_indexer.explore.values import OPENING, quote_first_value, quote_keys, quote_settings
from code_graph_indexer.graph.results import Step
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS, VALUE_KINDS

CONSTANT_KINDS = frozenset({"constant", "macro", "variable"})
"""Kinds of definitions that are a value with a name."""

HEAD_LINES, MAX_WINDOWS = 12, 15
"""Lines that are quoted of the beginning of a definition that is too long to be quoted whole, and the most calls in it."""

FIRST, OTHERS, LEAST = 0.5, 0.35, 0.2
"""The share of the room that the first definition may take, and any other one. What is longer is quoted in part."""

BEST = (0.7, 0.5, 0.35)
"""The share of what is left of the room that each of the best functions of an answer may take, to be quoted whole."""

REPEATED, LEAST_LINES = 0.6, 4
"""The share of different lines from which a definition is a copy of what is quoted, and the fewest of it."""

FORWARDS = 6
"""The most lines of a definition that mostly hands on to another."""

MAX_HOPS, LEAST_WORDS = 4, 2
"""The most callees that are quoted because of their names, and the fewest words of the question that such a name has."""

DESCRIBED = 0.15
"""The share of the room that the sentences of a language model may take."""

SHORT = 20
"""The most lines of a definition that is quoted whole where a line of it is asked for: what is around it costs little."""

LONG, LONG_CLASS = 80, 25
"""The most lines of a definition that is quoted whole although the question is about a part of it, and of such a class."""

CALL_LINES = 3
"""The most lines below that of a call which are quoted with it: its arguments."""

MAX_VALUES, VALUE_LINES = 6, 6
"""The most constants whose values are quoted beside the lines that read them, and the most lines of one."""

MAX_DECIDING, MAX_COMPARED = 6, 24
"""The most callees in conditions that are quoted, and fields whose values are, and the most fields that are looked at."""

_COMPARES, _WITH_LITERAL = re.compile(r"\s[<>]=?\s|[=!]="), re.compile(r"[=!]==?\s*[\"'\d]")
"""Match a comparison, and a comparison with a value that stands there."""

AHEAD, FEW_USERS = 8, 12
"""The lines before a call that are quoted with it, and the most calls with which they are."""


class Quotes:
    """The quotations of code of one index. Of a definition that is too long, the calls of a flow go first."""

    def __init__(self, store: Store, flow: Flow) -> None:
        self._store = store
        self._flow = flow

    def best(self, page: Page, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Quote the best definitions of an answer, the first functions whole. Return those that are copies, and left out."""
        shares, copies = list(BEST), []
        for symbol in symbols:
            if self._repeats(page, symbol):
                copies.append(symbol)
            elif symbol.kind in CLASS_KINDS or not shares:
                # A long definition must not take the room of all others.
                self.definition(page, symbol, share=OTHERS)
            else:
                self.definition(page, symbol, share=shares.pop(0), whole=True)
        return copies

    @staticmethod
    def _repeats(page: Page, symbol: Symbol) -> bool:
        """Say whether most lines of a definition are quoted already, of a copy of it."""
        span = page.files.span(symbol)
        if span is None or page.quotes(symbol.file_path, span[0]):
            return False
        lines = {line.strip() for line in page.files.lines(symbol.file_path)[span[0] - 1 : span[1]]}
        lines = {line for line in lines if any(map(str.isalnum, line))}
        return len(lines) >= LEAST_LINES and len(lines & page.quoted_lines()) >= REPEATED * len(lines)

    def definition(self, page: Page, symbol: Symbol, *, share: float = 1.0, whole: bool = False) -> bool:
        """Quote a definition whole if it fits, or else the parts that the question is about. Return whether it is whole.

        A long one is quoted in part also if it fits, unless it should be `whole`.
        """
        about = [] if whole and self.whole(page, symbol, share=share) else self._about(page, symbol)
        if about or not self.whole(page, symbol, share=share):
            self._head(page, symbol, about, share=max(share, OTHERS))
            return False
        return True

    def opening(self, page: Page, symbol: Symbol) -> None:
        """Quote a definition whole if it is not long, or else how it begins."""
        span = page.files.span(symbol)
        if not self.whole(page, symbol, share=OTHERS) and span is not None:
            page.quote(symbol.file_path, range(span[0], span[0] + HEAD_LINES // 2))
            page.part(symbol.file_path, *span, symbol.name)

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
        topic = page.topic.within(symbol)
        return windows(page.files.lines(symbol.file_path), first, last, topic) if topic.words else []

    def whole(self, page: Page, symbol: Symbol, *, share: float = 1.0) -> bool:
        """Quote a definition whole if it fits. Return whether it does."""
        span = page.files.span(symbol)
        if span is None:
            page.note(f"{symbol.qualified_name} is no longer in {symbol.file_path}")
            return False
        first, last = span
        if symbol.kind in CLASS_KINDS:
            last = min(last, self._own_end(page, symbol, last))
        elif symbol.kind in CONSTANT_KINDS:
            first = comment_start(page.files.lines(symbol.file_path), first)
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
        if span is None or page.files.site(symbol.file_path, number) is None:
            return
        source = page.files.lines(symbol.file_path)
        # The branch that a condition opens tells what comes of it.
        last = max(number + AROUND, branch_end(source, number))
        around = range(max(span[0], number - AROUND), min(span[1], last) + 1)
        if whole and span[1] - span[0] < SHORT and symbol.kind not in CLASS_KINDS:
            around = range(span[0], span[1] + 1)
        page.quote(symbol.file_path, {span[0], *heads(source, span[0], number), *around})

    def hop(self, page: Page, before: Symbol, step: Step) -> None:
        """Quote the line in which a definition leads to a step of a path, in its branch unless that is in another file."""
        self.site(page, before, step.file_path, step.line)
        if step.file_path == before.file_path:
            self.lines(page, before, step.line)

    def registrars(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote the functions that get definitions as a value where these are kept: they put them into a table."""
        for symbol in symbols:
            places = self._store.edges([symbol.chunk_id], "references", incoming=True)
            lines = {(edge.chunk_id, edge.line) for edge in places}
            calls = self._store.edges([edge.chunk_id for edge in places], "calls", incoming=False)
            called = [edge.chunk_id for edge in calls if (edge.of, edge.line) in lines]
            for registrar in list(self._store.nodes(list(dict.fromkeys(called))).values())[:MAX_HOPS]:
                self.definition(page, registrar, share=LEAST)

    def calls_between(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote the lines in which some definitions call one another: how a trace came to its end."""
        of = {symbol.chunk_id: symbol for symbol in symbols}
        for edge in self._store.edges(list(of), "calls", incoming=False):
            if edge.chunk_id in of and edge.chunk_id != edge.of:
                self.lines(page, of[edge.of], edge.line)

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
        """Return the lines of the calls in a definition that lead on in the repository: those on the way, then the rare."""
        edges = self._store.edges([symbol.chunk_id], "calls", incoming=False)
        common = self._flow.common([edge.chunk_id for edge in edges])
        edges = sorted(
            edges, key=lambda edge: (edge.chunk_id not in self._flow.ids, edge.chunk_id in common, edge.line)
        )
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

    def hops(self, page: Page, callees: Sequence[Symbol]) -> None:
        """Quote the callees whose names have several words of the question: where the answer goes on."""
        telling = [callee for callee in callees if len(page.topic.hits(callee.name)) >= LEAST_WORDS]
        for position in page.topic.ordered(telling)[:MAX_HOPS]:
            self.definition(page, telling[position], share=OTHERS)

    def doers(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote what short definitions call in their own files: these hand on, and the work is done there."""
        of = {symbol.chunk_id: symbol for symbol in symbols if symbol.end_line - symbol.start_line < FORWARDS}
        calls = self._store.edges(list(of), "calls", incoming=False)
        nodes = self._store.nodes(list(dict.fromkeys(edge.chunk_id for edge in calls if edge.confidence >= PROVEN)))
        callees = (
            nodes[edge.chunk_id]
            for edge in calls
            if edge.chunk_id in nodes and nodes[edge.chunk_id].file_path == of[edge.of].file_path
        )
        for callee in dict.fromkeys(callees):
            self.definition(page, callee, share=LEAST)

    def settings(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote the settings that short functions read which the quoted lines of definitions call."""
        of = {symbol.chunk_id: symbol for symbol in symbols}
        calls = [edge for edge in self._store.edges(list(of), "calls", incoming=False) if edge.confidence >= PROVEN]
        callees = {edge.chunk_id: None for edge in calls if page.quotes(of[edge.of].file_path, edge.line)}
        quote_settings(page, self._store, list(self._store.nodes(list(callees)).values()))
        quote_keys(page, self._store, symbols)

    def deciding(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Quote what the conditions in quoted definitions depend on: telling callees, and the first values of fields."""
        of = {symbol.chunk_id: symbol for symbol in symbols}
        telling = {**self._store.nodes(sorted(self._flow.ids - of.keys())), **self._flow.outer}
        calls = [edge for edge in self._store.edges(list(of), "calls", incoming=False) if edge.confidence >= PROVEN]
        calls = [
            edge for edge in calls if edge.chunk_id in telling and _decides(page, of[edge.of].file_path, edge.line)
        ]
        callees = list(dict.fromkeys(telling[edge.chunk_id] for edge in calls))
        for position in page.topic.ordered(callees)[:MAX_DECIDING]:
            self.definition(page, callees[position], share=LEAST)
        reads = self._store.edges(list(of), "reads", incoming=False)
        # All that a short function reads decides.
        reads = [
            edge
            for edge in reads
            if of[edge.of].end_line - of[edge.of].start_line < SHORT
            or _decides(page, of[edge.of].file_path, edge.line, among_names=True)
        ]
        rank = {symbol.chunk_id: position for position, symbol in enumerate(symbols)}
        compared = list(dict.fromkeys(edge.chunk_id for edge in sorted(reads, key=lambda edge: rank[edge.of])))
        nodes = self._store.nodes(compared[:MAX_COMPARED])
        fields = [nodes[chunk_id] for chunk_id in compared if chunk_id in nodes and not nodes[chunk_id].is_test]
        quoted = 0
        for field in sorted(fields, key=lambda field: not page.topic.concerns(field)):
            if field.kind in VALUE_KINDS and quoted < MAX_DECIDING:
                quoted += quote_first_value(page, self._store, field)

    def site(self, page: Page, around: Symbol, path: str, line: int, *, ahead: int = 0) -> bool:
        """Quote the line of a reference below the first line of the definition around it. Return whether it is quoted.

        With `ahead`, that many lines before it and its branches are quoted too.
        """
        number = page.files.site(path, line)
        if number is None:
            return False
        names = [self._name_line(around)] if around.file_path == path and around.kind != "module" else []
        lines = page.files.lines(path)
        if names and ahead:
            names += [*heads(lines, names[0], number), *range(max(names[0], number - ahead), number)]
        # A call goes on below its line if that ends with a bracket.
        last = (
            min(branch_end(lines, number), number + CALL_LINES)
            if lines[number - 1].rstrip().endswith(OPENING)
            else number
        )
        return page.quote(path, [*names, *range(number, last + 1)])

    def sites(self, page: Page, steps: Sequence[Step], *, wide: bool) -> int:
        """Quote the places of steps, the nearest first, and if `wide` what leads to few. Return how many have no room."""
        ordered = sorted(steps, key=lambda step: (step.depth, step.symbol.is_test, step.may, -step.confidence))
        # How it comes to a call tells whoever asks for the callers, where these are few.
        ahead = AHEAD if wide and len(ordered) <= FEW_USERS else 0
        return sum(not self.site(page, step.symbol, step.file_path, step.line, ahead=ahead) for step in ordered)

    def _name_line(self, symbol: Symbol) -> int:
        chunks = self._store.chunks([symbol.chunk_id])
        return chunks[0].name_line if chunks else symbol.start_line


def _decides(page: Page, path: str, number: int, *, among_names: bool = False) -> bool:
    """Say whether a line is quoted and decides what comes next: it opens a branch or compares, if need be only names."""
    lines = page.files.lines(path)
    if not page.quotes(path, number) or (among_names and _WITH_LITERAL.search(lines[number - 1])):
        return False
    return branch_end(lines, number) > number or _COMPARES.search(lines[number - 1]) is not None
