"""Find paths that lead over a queue, a channel or a table: one function hands a value over, another one takes it there."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from code_graph_indexer.graph.code_graph import END_DEPTH, END_SECONDS, MAX_POSSIBLE, UNLINKED, CodeGraph
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import VALUE_KINDS
from code_graph_indexer.words import sub_words

MAX_TOUCHING = 12
"""Most functions that use a field which hands values from one to another. A logger has more."""

MAX_LINE = 1_000
"""Most characters of a line that are read. A person writes no longer ones, and the patterns would take long."""

_HANDS = r"(?<!\w){name}(?:\s*<-|\[[^\]]*\]\s*=\s*[A-Za-z_]|(?:\.|->)\w+\((?!\s*\)))"
"""Pattern of a line that hands a value over: `queue <- value`, `self.queue.put(value)`, `handlers[name] = run`."""

_RECEIVES = r"(?<![=!<>])=(?!=)[^=]*\b{name}(?:\.|->)\w+\("
"""Pattern of a line that keeps what a call on it gives: `item = self.queue.get(timeout=1)`."""

_TAKES = r"(?:(?<![=!<>])=(?!=)|<-|\b(?:return|yield|await|in)\b)[^=]*\b{name}\b"
"""Pattern of a line that takes a value out: `return self.inbound`, `for run in handlers`, `batch := <-queue`."""

_RUNS = r"(?<!\w){name}(?:(?:\.|->)\w+\([^()]*\)|\[[^\]]*\])\s*\)?\s*(?:\?\.|\.|->|\()"
"""Pattern of a line that takes a value out and uses it at once: `handlers.get(name).accept(event)`, `handlers[name](event)`."""

Way = Sequence[Step]
"""The steps to a definition: none to the definition where the walk starts."""


class Lines:
    """The lines of the indexed files."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files: dict[str, list[str]] = {}

    def at(self, path: str, number: int) -> str:
        """Return the beginning of a line of a file by its number from 1, or an empty text."""
        if path not in self._files:
            self._files[path] = (self._store.file_text(path) or b"").decode("utf-8", "replace").split("\n")
        return self._files[path][number - 1][:MAX_LINE] if 0 < number <= len(self._files[path]) else ""


def hands(name: str, line: str) -> bool:
    """Say whether a line hands a value over in a field or variable of this name.

    >>> hands("handlers", "handlers.set(action, handler)"), hands("handlers", "handlers.get(action).run(event)")
    (True, False)
    """
    is_taken = any(re.search(pattern.format(name=re.escape(name)), line) for pattern in (_TAKES, _RUNS))
    return re.search(_HANDS.format(name=re.escape(name)), line) is not None and not is_taken


def handed_paths(
    graph: CodeGraph, store: Store, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits
) -> list[list[Step]]:
    """Return paths with one step that is no call: a value is put into a field, and taken out of it elsewhere.

    The known calls are followed from the sources to who puts it there, and back from the targets to who takes it, or to who
    calls a function that does. The kind of the step names the field. There are at most MAX_POSSIBLE. Those
    over the field that fewest functions use come first, then the shortest.
    """
    limits = replace(limits, depth=END_DEPTH, seconds=END_SECONDS)
    below = reached(sources, (step for source in sources for step in graph.callees(source, limits).steps))
    above = reached(targets, (step for target in targets for step in graph.callers(target, limits).steps))
    takers = dict.fromkeys(above, 0)
    for edge in store.edges(list(above), "calls", incoming=False):
        takers.setdefault(edge.chunk_id, edge.of)
    puts = _handing(store, below, above)
    fields = store.nodes(list(puts))
    nodes, takes = _taking(store, fields)
    ways: list[tuple[int, int, list[Step]]] = []
    for field_id, (giver, line) in puts.items():
        taking = takes.get(field_id, {})
        # Who touches the field without taking a value out counts too: a logger has many such.
        is_narrow = len(taking) <= MAX_TOUCHING
        takers_here = [taker for taker in sorted(taking) if taking[taker] and taker in takers and taker not in below]
        for taker in takers_here if is_narrow else ():
            caller = takers[taker]
            kind = f"possible: handed over in {fields[field_id].qualified_name}"
            steps = [Step(nodes[taker], kind, below[giver].file_path, line, UNLINKED, via=below[giver].qualified_name)]
            if caller:
                call = next(
                    edge.line for edge in store.edges([caller], "calls", incoming=False) if edge.chunk_id == taker
                )
                kind = "possible: takes it with this call"
                steps.append(Step(nodes.get(caller, above[caller]), kind, above[caller].file_path, call, UNLINKED))
            before = way(graph, sources, below[giver], limits)
            behind = way(graph, [above[caller or taker]], targets[0], limits)
            if before is not None and behind is not None:
                ways.append((len(taking), len(before) + len(behind), [*before, *steps, *behind]))
    return [steps for *_, steps in sorted(ways, key=lambda path: path[:2])[:MAX_POSSIBLE]]


def _taking(store: Store, fields: Mapping[int, Symbol]) -> tuple[Mapping[int, Symbol], dict[int, dict[int, bool]]]:
    """Return the definitions outside of tests that touch fields, and for each field whether each takes a value out of it.

    One queue is often a field of several classes, of one name. A name of several words is taken for that.
    """
    of = {field_id: field_id for field_id in fields}
    telling = {field.name: field_id for field_id, field in fields.items() if len(sub_words(field.name)) > 1}
    for symbol in store.symbols(sorted(telling), exact_case=True):
        if symbol.kind in VALUE_KINDS and not symbol.is_test:
            of.setdefault(symbol.node_id, telling[symbol.name])
    edges = [edge for kind in ("reads", "writes") for edge in store.edges(list(of), kind, incoming=True)]
    nodes = store.nodes(list({edge.chunk_id for edge in edges}))
    takes: dict[int, dict[int, bool]] = defaultdict(dict)
    lines = Lines(store)
    for edge in edges:
        if edge.chunk_id not in nodes or nodes[edge.chunk_id].is_test:
            continue
        field_id = of[edge.of]
        name, text = re.escape(fields[field_id].name), lines.at(nodes[edge.chunk_id].file_path, edge.line)
        is_taken = re.search(_TAKES.format(name=name), text) and not re.search(_HANDS.format(name=name), text)
        is_received = re.search(_RECEIVES.format(name=name), text)
        takes[field_id][edge.chunk_id] = bool(is_taken or is_received) or takes[field_id].get(edge.chunk_id, False)
    return nodes, takes


def reached(symbols: Iterable[Symbol], steps: Iterable[Step]) -> dict[int, Symbol]:
    """Map the chunks of symbols, and of those that steps lead to outside of tests, to the symbols."""
    reached = {symbol.chunk_id: symbol for symbol in symbols}
    for step in steps:
        if not step.symbol.is_test:
            reached.setdefault(step.symbol.chunk_id, step.symbol)
    return reached


def _handing(store: Store, below: dict[int, Symbol], above: Collection[int]) -> dict[int, tuple[int, int]]:
    """Map the fields that definitions hand a value over in to the first of these definitions, with the line."""
    puts: dict[int, tuple[int, int]] = {}
    ids = [chunk_id for chunk_id in below if chunk_id not in above]
    edges = [edge for kind in ("reads", "writes") for edge in store.edges(ids, kind, incoming=False)]
    fields = store.nodes(list({edge.chunk_id for edge in edges}))
    order = {chunk_id: number for number, chunk_id in enumerate(ids)}
    lines = Lines(store)
    for edge in sorted(edges, key=lambda edge: order[edge.of]):
        field = fields.get(edge.chunk_id)
        if field is None or edge.chunk_id in puts or field.kind not in VALUE_KINDS:
            continue
        if re.search(_HANDS.format(name=re.escape(field.name)), lines.at(below[edge.of].file_path, edge.line)):
            puts[edge.chunk_id] = (edge.of, edge.line)
    return puts


def way(graph: CodeGraph, sources: Sequence[Symbol], target: Symbol, limits: Limits) -> Way | None:
    """Return the first path of known calls, without steps if the target is a source. None if there is no path."""
    if any(source.chunk_id == target.chunk_id for source in sources):
        return ()
    answer = graph.paths(sources, [target], limits)
    return answer.paths[0] if answer.paths else None
