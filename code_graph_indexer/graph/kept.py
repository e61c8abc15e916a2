"""Find paths over a function that is kept to be called later: as a value, or by its name as a text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from code_graph_indexer.graph.code_graph import END_DEPTH, END_SECONDS, MAX_POSSIBLE, UNLINKED, CodeGraph
from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.handed import Lines, reached, way
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.words import sub_words

MAX_READ, MAX_LINES = 100, 400
"""The most functions whose text is read, and the most lines of one."""

MAX_KEPT = 20
"""The most places that keep one function as a value and are compared with a call."""

LEAST_SHARED, LEAST_SHARE = 2, 0.4
"""The words of the place that keeps a function which the lines of a call have at least, and their share of its words."""

_CALL = re.compile(r"(?<!\w)((?:\w+(?:\.|->|::))*)(\w+)\)?\(")
_TAKES = re.compile(r"(\w+)\((?:[^()]|\([^()]*\))*(?<=[^(\s])\s*\{\s*(?:\|[^|]*\|\s*)?$")
"""Matches a line that ends inside the brackets of a call, where a block begins: `service.SetHandler(func(job Job) {`."""

_TEXT = re.compile(r"(['\"])(\w+)\1")

KEPT = "possible: kept as a value"
"""How the kind of a step begins that runs a function which is kept elsewhere."""


class Hop(NamedTuple):
    """A call that may run a function. The less its rank, the more words it shares with the place that keeps the function."""

    rank: int
    caller: int
    line: int
    callee: int
    kind: str


class HandOver(NamedTuple):
    """A place at which a function hands over one without a name: the words of what takes it, and the files that define that."""

    caller: int
    place: str
    words: frozenset[str]
    files: frozenset[str]


def kept_paths(
    graph: CodeGraph, store: Store, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits
) -> list[list[Step]]:
    """Return paths with one step that is a call of a variable or field, or of a function by its name as a text.

    Such a call may run any function that is used as a value. Those are taken whose place shares words with the lines of the
    call. There are at most MAX_POSSIBLE paths, those with most shared words first, then the shortest.
    """
    limits = replace(limits, depth=END_DEPTH, seconds=END_SECONDS)
    below = reached(sources, (step for source in sources for step in graph.callees(source, limits).steps))
    above = reached(targets, (step for target in targets for step in graph.callers(target, limits).steps))
    lines = Lines(store)
    ways: list[tuple[int, int, list[Step]]] = []
    callers = [symbol for symbol in list(below.values())[:MAX_READ] if symbol.kind in FUNCTIONS]
    hops = {
        *_by_value(store, lines, callers, above),
        *_by_text(lines, callers, above),
        *_by_hand_over(store, lines, callers, above),
    }
    for hop in sorted(hops)[: 2 * MAX_POSSIBLE]:
        caller, callee = below[hop.caller], above[hop.callee]
        before, behind = way(graph, sources, caller, limits), way(graph, [callee], targets[0], limits)
        if before is not None and behind is not None:
            step = Step(callee, hop.kind, caller.file_path, hop.line, UNLINKED, via=caller.qualified_name)
            ways.append((hop.rank, len(before) + len(behind), [*before, step, *behind]))
    return [steps for *_, steps in sorted(ways, key=lambda path: path[:2])[:MAX_POSSIBLE]]


def _by_value(store: Store, lines: Lines, callers: Iterable[Symbol], above: Mapping[int, Symbol]) -> Iterator[Hop]:
    """Yield the calls of variables and fields that may run what is kept as a value."""
    kept = {chunk_id: _places(store, lines, chunk_id) for chunk_id in above}
    for caller in callers if any(kept.values()) else ():
        for line, name, words in _calls_of_values(store, lines, caller):
            for chunk_id, places in kept.items():
                shared = [
                    (len(words & near), place) for place, near in places.items() if place != (caller.file_path, line)
                ]
                count, place = max(shared, default=(0, ("", 0)))
                if count >= max(LEAST_SHARED, LEAST_SHARE * len(places.get(place, ()))) and chunk_id != caller.chunk_id:
                    kind = f"{KEPT} at {place[0]}:{place[1]}, called as {name}"
                    yield Hop(-count, caller.chunk_id, line, chunk_id, kind)


def _places(store: Store, lines: Lines, chunk_id: int) -> dict[tuple[str, int], set[str]]:
    """Map the places outside of tests that use a function as a value, by path and line, to the words of the line."""
    uses = [use for use in store.callers([chunk_id], "references") if not use.symbol.is_test][:MAX_KEPT]
    return {(use.symbol.file_path, use.line): set(sub_words(lines.at(use.symbol.file_path, use.line))) for use in uses}


def _calls_of_values(store: Store, lines: Lines, caller: Symbol) -> Iterator[tuple[int, str, set[str]]]:
    """Yield the calls of variables and fields in a function: line, name, and the words of the lines that have the name."""
    linked = {edge.line for edge in store.edges([caller.chunk_id], "calls", incoming=False)}
    body = _body(lines, caller)
    text = "\n".join(body.values())
    for number, line in body.items():
        for receiver, name in _CALL.findall(line) if number not in linked else ():
            # A variable is also named without a call. A field of some object need not be.
            if receiver or re.search(rf"(?<![\w.>]){re.escape(name)}\s*(?:[,;=)]|:(?!:))", text):
                with_name = [near for near in body.values() if re.search(rf"\b{re.escape(name)}\b", near)]
                yield number, f"{receiver}{name}", set(sub_words(" ".join(with_name)))


def _by_text(lines: Lines, callers: Iterable[Symbol], above: Mapping[int, Symbol]) -> Iterator[Hop]:
    """Yield the lines that have the name of a function as a text, whole or behind a prefix: `emit("order_placed")`."""
    for caller in callers:
        for number, line in _body(lines, caller).items():
            for _, text in _TEXT.findall(line):
                for chunk_id, symbol in above.items() if len(sub_words(text)) > 1 else ():
                    if f"_{symbol.name}".endswith(f"_{text}") and chunk_id != caller.chunk_id:
                        # Of `emit_before("retry")` and `emit_after("retry")`, the latter runs `after_retry`.
                        shared = len(set(sub_words(symbol.name)) & set(sub_words(line)))
                        yield Hop(-shared, caller.chunk_id, number, chunk_id, f"possible: its name has {text!r}")


def _by_hand_over(store: Store, lines: Lines, callers: Iterable[Symbol], above: Mapping[int, Symbol]) -> Iterator[Hop]:
    """Yield the calls of variables and fields that may run a function without a name, which was handed over.

    In `service.SetHandler(func(job Job) {`, what stands deeper is run by `service.handler(job)`. A name of one word is enough
    where what takes the function is defined in the file of the call.
    """
    hand_overs = [hand_over for symbol in above.values() for hand_over in _hand_overs(store, lines, symbol, above)]
    for caller in callers if hand_overs else ():
        for line, name, _ in _calls_of_values(store, lines, caller):
            words = set(sub_words(re.split(r"\W+", name)[-1]))
            for hand_over in hand_overs:
                is_near = caller.file_path in hand_over.files
                if (
                    words <= hand_over.words
                    and (is_near or len(words) >= LEAST_SHARED)
                    and hand_over.caller != caller.chunk_id
                ):
                    kind = f"possible: handed over at {hand_over.place}, called as {name}"
                    yield Hop(-len(words) - LEAST_SHARED * is_near, caller.chunk_id, line, hand_over.caller, kind)


def _hand_overs(store: Store, lines: Lines, symbol: Symbol, above: Mapping[int, Symbol]) -> Iterator[HandOver]:
    """Yield where a function hands over one without a name in which it calls what leads on."""
    edges = store.edges([symbol.chunk_id], "calls", incoming=False) if symbol.kind in FUNCTIONS else []
    leading = [edge.line for edge in edges if edge.chunk_id in above]
    text = [lines.at(symbol.file_path, number) for number in range(1, max(leading, default=0) + 1)]
    for number in dict.fromkeys(head for line in leading for head in _heads(text, symbol.start_line, line)):
        if taker := _TAKES.search(text[number - 1]):
            nodes = store.nodes([edge.chunk_id for edge in edges if edge.line == number])
            files = frozenset(node.file_path for node in nodes.values() if node.name == taker[1])
            place = f"{symbol.file_path}:{number}"
            yield HandOver(symbol.chunk_id, place, frozenset(sub_words(taker[1])), files)


def _heads(text: Sequence[str], first: int, line: int) -> Iterator[int]:
    """Yield the lines above a line, behind the first of its function, that open the blocks around it, by indentation."""
    width = len(text[line - 1]) - len(text[line - 1].lstrip())
    for number in range(line - 1, first, -1):
        indent = len(text[number - 1]) - len(text[number - 1].lstrip())
        if text[number - 1].strip() and indent < width:
            width = indent
            yield number


def _body(lines: Lines, function: Symbol) -> dict[int, str]:
    """Return the lines of a function by their numbers, without the first."""
    last = min(function.end_line, function.start_line + MAX_LINES)
    return {number: lines.at(function.file_path, number) for number in range(function.start_line + 1, last + 1)}
