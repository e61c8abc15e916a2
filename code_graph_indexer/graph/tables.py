"""Find paths over a table of functions: one place puts a function in, and another calls what it takes out."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from code_graph_indexer.graph.code_graph import END_DEPTH, END_SECONDS, MAX_POSSIBLE, UNLINKED, CodeGraph
from code_graph_indexer.graph.handed import MAX_TOUCHING, Lines, hands, reached, way
from code_graph_indexer.graph.kept import KEPT, MAX_KEPT
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import VALUE_KINDS


def table_paths(
    graph: CodeGraph, store: Store, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits
) -> list[list[Step]]:
    """Return paths with one step over a table, such as `handlers[name](event)` for what `register("save", save)` put there.

    The known calls are followed from the sources to who takes functions out of the table, and back from the targets to
    what a place keeps in it: there, or by a function that it calls in the same line. There are at most MAX_POSSIBLE, the
    shortest first.
    """
    limits = replace(limits, depth=END_DEPTH, seconds=END_SECONDS)
    below = reached(sources, (step for source in sources for step in graph.callees(source, limits).steps))
    above = reached(targets, (step for target in targets for step in graph.callers(target, limits).steps))
    lines = Lines(store)
    ways: list[list[Step]] = []
    for table, keepers in _tables(store, lines, above, targets).items():
        touching = [edge for kind in ("reads", "writes") for edge in store.edges([table.node_id], kind, incoming=True)]
        if len({edge.chunk_id for edge in touching}) > MAX_TOUCHING:
            continue
        for edge in sorted(touching, key=lambda edge: (edge.chunk_id, edge.line)):
            taker = below.get(edge.chunk_id)
            if taker is None or hands(table.name, lines.at(taker.file_path, edge.line)):
                continue
            before = way(graph, sources, taker, limits)
            for chunk_id, place in keepers.items():
                behind = way(graph, [above[chunk_id]], targets[0], limits)
                if before is not None and behind is not None:
                    kind = f"{KEPT} at {place}, taken out of {table.name}"
                    step = Step(above[chunk_id], kind, taker.file_path, edge.line, UNLINKED, via=taker.qualified_name)
                    ways.append([*before, step, *behind])
    return sorted(ways, key=len)[:MAX_POSSIBLE]


def _tables(
    store: Store, lines: Lines, above: Mapping[int, Symbol], targets: Sequence[Symbol]
) -> Mapping[Symbol, dict[int, str]]:
    """Map tables to the functions that are kept in them, each with the first place that keeps it.

    A table whose entries are functions without a name calls by itself what these call. A method reference, as in
    `register("save", Cart::save)`, and a block in one line are calls of the target.
    """
    tables: dict[Symbol, dict[int, str]] = defaultdict(dict)
    for chunk_id, symbol in above.items():
        if symbol.kind in VALUE_KINDS:
            tables[symbol].setdefault(chunk_id, f"{symbol.file_path}:{symbol.start_line}")
        uses = [use for use in store.callers([chunk_id], "references") if not use.symbol.is_test][:MAX_KEPT]
        for use in uses:
            for table in _tables_at(store, lines, use.symbol, use.line):
                tables[table].setdefault(chunk_id, f"{use.symbol.file_path}:{use.line}")
    for target in targets:
        calls = [use for use in store.callers([target.chunk_id], "calls") if not use.symbol.is_test][:MAX_KEPT]
        for use in calls:
            for table in _registered(store, lines, use.symbol, use.line):
                tables[table].setdefault(target.chunk_id, f"{use.symbol.file_path}:{use.line}")
    return tables


def _tables_at(store: Store, lines: Lines, keeper: Symbol, line: int) -> Iterator[Symbol]:
    """Yield the tables that a line puts a value in, itself or by a function that it calls."""
    if keeper.kind in VALUE_KINDS:
        yield keeper
    for symbol in store.file_symbols(keeper.file_path):
        if symbol.kind in VALUE_KINDS and symbol.start_line < line <= symbol.end_line:
            yield symbol
    yield from _filled(store, lines, keeper, {line})
    yield from _registered(store, lines, keeper, line)


def _registered(store: Store, lines: Lines, keeper: Symbol, line: int) -> Iterator[Symbol]:
    """Yield the tables that the functions which a line calls put values in."""
    called = [edge for edge in store.edges([keeper.chunk_id], "calls", incoming=False) if edge.line == line]
    for registrar in store.nodes([edge.chunk_id for edge in called]).values():
        yield from _filled(store, lines, registrar, set(range(registrar.start_line, registrar.end_line + 1)))


def _filled(store: Store, lines: Lines, symbol: Symbol, numbers: set[int]) -> Iterator[Symbol]:
    """Yield the tables that some lines of a definition put values in."""
    edges = [edge for kind in ("reads", "writes") for edge in store.edges([symbol.chunk_id], kind, incoming=False)]
    nodes = store.nodes([edge.chunk_id for edge in edges if edge.line in numbers])
    for edge in edges:
        table = nodes.get(edge.chunk_id) if edge.line in numbers else None
        if table and table.kind in VALUE_KINDS and hands(table.name, lines.at(symbol.file_path, edge.line)):
            yield table
