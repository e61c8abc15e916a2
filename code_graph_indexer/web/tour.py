"""Make a tour of a repository from its graph: where it begins, its parts, its main way, what everybody uses, its tests."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from code_graph_indexer.graph.code_graph import CALLS, CodeGraph
from code_graph_indexer.graph.folders import Dependencies
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.syntax.records import FUNCTION_KINDS
from code_graph_indexer.web.start import about_files, about_folder, is_aside

MAX_PARTS = 7
"""Most parts of a repository that a tour names. Nobody remembers more."""

MAX_WAY = 7
"""Most calls of the main way."""

LOOK_AHEAD = 4
"""Calls that are looked ahead to see which way goes on."""

MAX_REACH = 200
"""Definitions after which a way surely goes on."""

MAX_NEEDS = 3
"""Most parts that are named of those that a part needs."""

MAIN_SHARE = 0.8
"""A folder with more than this share of the code is opened, and its parts are shown instead."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a repository, a folder or a file: its numbers, and the parts that it needs with their numbers of references."""

    path: str
    is_file: bool
    files: int
    lines: int
    about: str
    needs: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour. `way` are the calls from `begin`, each at its line. `tests` are folders with their numbers of test files."""

    parts: tuple[Part, ...]
    begin: Symbol | None
    way: tuple[Step, ...]
    tests: tuple[tuple[str, int], ...]


def tour(store: Store, dependencies: Dependencies, files: Mapping[str, FileRow], entries: Sequence[Symbol]) -> Tour:
    """Return the tour of a repository. `entries` are where its programs may begin."""
    marked = store.marked_files(tests=True)
    code = {
        path: row
        for path, row in files.items()
        if row.source_type == "code"
        and row.error is None
        and path not in marked
        and not is_aside(path.partition("/")[0])
    }
    begin, way = _main_way(CodeGraph(store), [symbol for symbol in entries if symbol.kind in FUNCTION_KINDS])
    tests = Counter(path.rpartition("/")[0] for path in dependencies.test_paths())
    return Tour(_parts(store, code, dependencies), begin, way, tuple(tests.most_common(MAX_PARTS)))


def _parts(store: Store, code: Mapping[str, FileRow], dependencies: Dependencies) -> tuple[Part, ...]:
    """List the folders and files with most code, those that nobody needs first. A folder that holds nearly all is opened."""
    below = ""
    while True:
        members: dict[str, list[FileRow]] = {}
        for path, row in code.items():
            if path.startswith(below):
                members.setdefault(below + path[len(below) :].partition("/")[0], []).append(row)
        lines = {name: sum(row.lines for row in rows) for name, rows in members.items()}
        largest = sorted(lines, key=lambda name: (-lines[name], name))[:MAX_PARTS]
        if not largest or largest[0] in code or lines[largest[0]] < MAIN_SHARE * sum(lines.values()):
            break
        below = f"{largest[0]}/"
    between: dict[str, Counter[str]] = {name: Counter() for name in largest}
    needed: Counter[str] = Counter()
    depth = below.count("/") + 1
    places = {name: place for place, name in enumerate(largest)}
    parts = [places.get("/".join(path.split("/")[:depth]), -1) for path in dependencies.files]
    for source, target, weight in dependencies.between(parts):
        between[largest[source]][largest[target]] += weight
        needed[largest[target]] += weight
    largest.sort(key=lambda name: needed[name] - between[name].total())
    about = about_files(store, [code[name] for name in largest if name in code])
    return tuple(
        Part(
            name,
            name in code,
            len(members[name]),
            lines[name],
            about[name] if name in code else about_folder(store, name, members[name]),
            tuple(between[name].most_common(MAX_NEEDS)),
        )
        for name in largest
    )


def _main_way(graph: CodeGraph, entries: Sequence[Symbol]) -> tuple[Symbol | None, tuple[Step, ...]]:
    """Return the longest way of proven calls from a place where a program begins, up to MAX_WAY calls."""
    calls: dict[int, list[Step]] = {}

    def called(callers: Sequence[Symbol]) -> list[Step]:
        """Return the calls of some functions, which are read together."""
        unread = list({caller.node_id: None for caller in callers if caller.node_id not in calls})
        calls.update((node_id, []) for node_id in unread)
        for node_id, step in graph.references(unread, Limits(1, PROVEN), CALLS, incoming=False) if unread else ():
            if step.symbol.kind in FUNCTION_KINDS:
                calls[node_id].append(step)
        return [step for caller in callers for step in calls[caller.node_id]]

    best: tuple[Symbol | None, tuple[Step, ...]] = None, ()
    for entry in entries:
        way = tuple(_way(entry, called))
        if len(way) > len(best[1]) or best[0] is None:
            best = entry, way
    return best


def _way(entry: Symbol, called: Callable[[Sequence[Symbol]], list[Step]]) -> list[Step]:
    """Follow from each call the one from which most can be reached in a few calls."""
    way: list[Step] = []
    passed = {entry.node_id}
    symbol = entry
    while len(way) < MAX_WAY:
        steps = [step for step in called([symbol]) if step.symbol.node_id not in passed]
        if not steps:
            break
        called([step.symbol for step in steps])
        step = max(steps, key=lambda step: (_reach(step.symbol, called, passed), -step.line))
        way.append(step)
        symbol = step.symbol
        passed.add(symbol.node_id)
    return way


def _reach(symbol: Symbol, called: Callable[[Sequence[Symbol]], list[Step]], passed: set[int]) -> int:
    """Count the definitions that can be reached from one in LOOK_AHEAD calls, up to MAX_REACH."""
    met = passed | {symbol.node_id}
    layer = [symbol]
    for _ in range(LOOK_AHEAD):
        if len(met) - len(passed) >= MAX_REACH:
            break
        targets = {step.symbol.node_id: step.symbol for step in called(layer)}
        layer = [target for node_id, target in targets.items() if node_id not in met]
        met.update(target.node_id for target in layer)
    return len(met) - len(passed)
