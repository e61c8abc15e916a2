"""Walk the graph of an index: callers and callees to any depth, paths, impact, class hierarchy, imports."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from code_graph_indexer.results import (
    PROVEN,
    CallPaths,
    Certainty,
    FileLink,
    FileLinks,
    Hierarchy,
    Impact,
    OpenSite,
    Reach,
    Step,
    Symbol,
)
from code_graph_indexer.storage import Edge, Store
from code_graph_indexer.words import split_identifier

MAX_NODES = 5_000
"""Definitions that one question visits."""

MAX_SECONDS = 5.0
"""Time that one question takes at most."""

MAX_OPEN_SITES = 100
"""Calls that could not be linked that an answer holds; more are only counted."""

TEST_WORDS = frozenset({"test", "tests", "spec", "should"})
"""Words in the names of tests and of the files that hold them."""

MAX_PATH_DEPTH = 20
MAX_PATHS = 5
"""Calls of the longest path that is looked for, and paths shown of those that are equally short."""

CALLS = ("calls",)
AFFECTING = ("calls", "references", "inherits")
"""Kinds of edges along which a change is felt, against their direction; overrides are followed as dispatch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a walk follows and how far; `tests` keeps only tests (True) or none (False)."""

    depth: int = 1
    min_confidence: float = 0.0
    tests: bool | None = None
    dispatch: bool = True


class CodeGraph:
    """Answer questions to the graph of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def callers(self, symbol: Symbol, limits: Limits) -> Reach:
        """List who calls a definition, those included that may reach it by dynamic dispatch."""
        return self._reach(symbol, limits, incoming=True)

    def callees(self, symbol: Symbol, limits: Limits) -> Reach:
        """List what a definition calls, the overrides included that dynamic dispatch may choose."""
        return self._reach(symbol, limits, incoming=False)

    def _reach(self, symbol: Symbol, limits: Limits, *, incoming: bool) -> Reach:
        walk = _Walk(self._store, limits, CALLS, incoming=incoming)
        steps = walk.steps([symbol.chunk_id])
        unresolved = len(self._open_sites([symbol], ())) if incoming else self._store.open_calls_in(symbol.chunk_id)
        return Reach(symbol, tuple(steps), certainty(steps, unresolved, walk.truncated))

    def paths(self, source: Symbol, target: Symbol, limits: Limits) -> CallPaths:
        """Find the shortest ways along calls from one definition to another."""
        walk = _Walk(self._store, limits, CALLS, incoming=False)
        found = walk.paths(source.chunk_id, target.chunk_id)
        steps = [step for path in found for step in path]
        unresolved = 0 if found else self._store.open_calls_in(source.chunk_id)
        return CallPaths(source, target, tuple(map(tuple, found)), certainty(steps, unresolved, walk.truncated))

    def impact(
        self, changed: Sequence[Symbol], limits: Limits, unmapped: Sequence[str] = (), removed: Sequence[str] = ()
    ) -> Impact:
        """List who is affected when these definitions change, by distance, and the test files that reach them."""
        walk = _Walk(self._store, limits, AFFECTING, incoming=True)
        first: dict[int, Step] = {}
        for step in walk.steps([one.chunk_id for one in changed]):
            first.setdefault(step.symbol.chunk_id, step)
        starts = {one.chunk_id for one in changed}
        affected = [step for chunk_id, step in first.items() if chunk_id not in starts]
        sites = self._open_sites([one for one in changed if not one.is_test], removed)
        return Impact(
            tuple(changed),
            tuple(affected),
            tuple(_tests(changed, affected)),
            certainty(affected, len(sites), walk.truncated),
            tuple(unmapped),
            tuple(removed),
            tuple(sites[:MAX_OPEN_SITES]),
        )

    def _open_sites(self, symbols: Sequence[Symbol], removed: Sequence[str]) -> list[OpenSite]:
        from code_graph_indexer.graph.sites import open_sites

        return open_sites(self._store, symbols, removed)

    def hierarchy(self, symbol: Symbol, depth: int) -> Hierarchy:
        """List the classes above and below a class."""
        limits = Limits(depth=depth, dispatch=False)
        above = _Walk(self._store, limits, ("inherits",), incoming=False).steps([symbol.chunk_id])
        below = _Walk(self._store, limits, ("inherits",), incoming=True).steps([symbol.chunk_id])
        outside = self._store.open_names([symbol.chunk_id], "inherits")
        return Hierarchy(symbol, tuple(above), tuple(below), tuple(outside))

    def implementations(self, symbol: Symbol, depth: int = MAX_PATH_DEPTH) -> Reach:
        """List what implements or overrides a method, or the classes derived from one."""
        method = symbol.kind in ("method", "function", "property")
        limits = Limits(depth=depth, dispatch=False)
        walk = _Walk(self._store, limits, ("overrides" if method else "inherits",), incoming=True)
        steps = walk.steps([symbol.chunk_id])
        return Reach(symbol, tuple(steps), certainty(steps, 0, walk.truncated))

    def imports(self, path: str) -> FileLinks:
        """List what a file imports."""
        outside = self._store.open_names([one.id for one in self._store.file_chunks(path)], "imports")
        return FileLinks(
            path, _file_links(self._store.file_edges("imports", path, incoming=False), path), tuple(outside)
        )

    def dependents(self, path: str) -> FileLinks:
        """List the files that import a file."""
        return FileLinks(path, _file_links(self._store.file_edges("imports", path, incoming=True), path))


def certainty(steps: Iterable[Step], unresolved: int, truncated: bool) -> Certainty:
    """Count the edges of an answer by how sure they are."""
    counts = Counter("may" if one.may else "proven" if one.confidence >= PROVEN else "guessed" for one in steps)
    return Certainty(counts["proven"], counts["guessed"], counts["may"], unresolved, truncated)


def _tests(changed: Sequence[Symbol], affected: Sequence[Step]) -> list[str]:
    """List the test files that hold what changed, then those that are affected, nearest and surest first.

    Files beside the tests (models, helpers) are left out where some are named as tests, or hold something that is.
    """
    order = {one.file_path: (0, 0.0) for one in changed if one.is_test}
    for step in sorted(affected, key=lambda one: (one.depth, one.may, -one.confidence)):
        if step.symbol.is_test:
            order.setdefault(step.symbol.file_path, (step.depth + step.may, -step.confidence))
    symbols = [one for one in (*changed, *(step.symbol for step in affected)) if one.is_test]
    tests = {one.file_path for one in symbols if _is_named_as_test(one)}
    return sorted((one for one in order if one in tests or not tests), key=lambda path: (order[path], path))


def _is_named_as_test(symbol: Symbol) -> bool:
    words = [*split_identifier(symbol.name), *split_identifier(symbol.file_path.rpartition("/")[2].partition(".")[0])]
    return not TEST_WORDS.isdisjoint(words)


def _file_links(rows: Iterable[tuple[str, int]], own: str) -> tuple[FileLink, ...]:
    lines: dict[str, list[int]] = defaultdict(list)
    for path, line in rows:
        if path != own:
            lines[path].append(line)
    return tuple(FileLink(path, tuple(sorted(set(found)))) for path, found in sorted(lines.items()))


def _along(step: Step, may: bool, confidence: float) -> Step:
    """Return a step as sure as the way to it."""
    if step.may >= may and step.confidence <= confidence:
        return step
    return replace(step, may=step.may or may, confidence=min(step.confidence, confidence))


class _Walk:
    """One walk through the graph, breadth first, within limits."""

    def __init__(self, store: Store, limits: Limits, kinds: Sequence[str], *, incoming: bool) -> None:
        self._store = store
        self._limits = limits
        self._kinds = kinds
        self._incoming = incoming
        self._deadline = time.monotonic() + MAX_SECONDS
        self._symbols: dict[int, Symbol] = {}
        self.truncated = False

    def steps(self, starts: Sequence[int]) -> list[Step]:
        """List the edges away from the starts, level by level; each definition is left only once."""
        found: list[Step] = []
        seen, level = set(starts), list(dict.fromkeys(starts))
        # The surest way to each definition: whether it may not be taken at all, and its weakest edge.
        ways = dict.fromkeys(level, (False, 1.0))
        for depth in range(1, self._limits.depth + 1):
            steps = self._level(level, depth, ways)
            found += steps
            for one in steps:
                way = (one.may, one.confidence)
                if one.symbol.chunk_id not in seen:
                    ways[one.symbol.chunk_id] = min(
                        ways.get(one.symbol.chunk_id, way), way, key=lambda each: (each[0], -each[1])
                    )
            level = list(dict.fromkeys(one.symbol.chunk_id for one in steps if one.symbol.chunk_id not in seen))
            # Who imports a file is not affected by all that its top level calls.
            level = [one for one in level if self._symbols[one].kind != "module"]
            seen.update(level)
            if not level:
                break
            if self._over(len(seen)):
                self.truncated = True
                break
        else:
            self.truncated = self.truncated or (self._limits.depth > 1 and bool(level))
        return found

    def paths(self, start: int, goal: int) -> list[list[Step]]:
        """Find the shortest paths, a few of those that are equally short."""
        before: dict[int, list[tuple[int, Step]]] = {start: []}
        level = [start]
        for depth in range(1, min(self._limits.depth, MAX_PATH_DEPTH) + 1):
            arrived: dict[int, list[tuple[int, Step]]] = defaultdict(list)
            for near, step in self._pairs(level, depth):
                if step.symbol.chunk_id not in before and len(arrived[step.symbol.chunk_id]) < MAX_PATHS:
                    arrived[step.symbol.chunk_id].append((near, step))
            before.update(arrived)
            if goal in arrived or not arrived:
                break
            if self._over(len(before)):
                self.truncated = True
                break
            level = list(arrived)
        return _backwards(start, goal, before) if goal in before and goal != start else []

    def _over(self, nodes: int) -> bool:
        return nodes > MAX_NODES or time.monotonic() > self._deadline

    def _level(self, level: Sequence[int], depth: int, ways: Mapping[int, tuple[bool, float]]) -> list[Step]:
        """List the edges that leave a level, each as sure as the way to it."""
        steps = [_along(step, *ways[near]) for near, step in self._pairs(level, depth)]
        if self._incoming:
            return sorted(
                steps, key=lambda one: (one.may, -one.confidence, one.symbol.is_test, one.file_path, one.line)
            )
        return steps

    def _pairs(self, level: Sequence[int], depth: int) -> list[tuple[int, Step]]:
        """List the edges that leave a level, each with the chunk of the level that it belongs to."""
        edges = [(one, False) for kind in self._kinds for one in self._edges(level, kind)]
        if self._limits.dispatch:
            edges += self._dispatched(level, [one for one, _ in edges])
        self._load([one.chunk_id for one, _ in edges] + list(level))
        pairs: list[tuple[int, Step]] = []
        for edge, may in edges:
            near, other = self._symbols.get(edge.of), self._symbols.get(edge.chunk_id)
            if near is None or other is None:
                continue
            if self._limits.tests is not None and other.is_test != self._limits.tests and self._incoming:
                continue
            stands = other if self._incoming else near
            name = near.qualified_name or near.file_path
            pairs.append(
                (edge.of, Step(other, edge.kind, stands.file_path, edge.line, edge.confidence, depth, may, name))
            )
        return pairs

    def _edges(self, level: Sequence[int], kind: str) -> list[Edge]:
        found = self._store.edges(level, kind, incoming=self._incoming)
        return [one for one in found if one.confidence >= self._limits.min_confidence]

    def _dispatched(self, level: Sequence[int], direct: Sequence[Edge]) -> list[tuple[Edge, bool]]:
        """List the edges that dynamic dispatch may take: calls of what is overridden run the override."""
        if self._incoming:
            above = self._closures(level, "overrides", incoming=False)
            owners = defaultdict(list)
            for method, overridden in above.items():
                for one in overridden:
                    owners[one].append(method)
            edges = [one for kind in self._kinds if kind == "calls" for one in self._edges(list(owners), kind)]
            ways = [(edge, edge.chunk_id, method) for edge in edges for method in owners[edge.of]]
            return [(edge._replace(of=method), True) for edge, method in self._possible(ways)]
        calls = [one for one in direct if one.kind == "calls"]
        below = self._closures([one.chunk_id for one in calls], "overrides", incoming=True)
        ways = [(edge, edge.of, method) for edge in calls for method in below.get(edge.chunk_id, ())]
        return [(edge._replace(chunk_id=method), True) for edge, method in self._possible(ways)]

    def _possible(self, ways: Sequence[tuple[Edge, int, int]]) -> list[tuple[Edge, int]]:
        """Of calls, the definitions they stand in and the overrides they might run, keep those that can be.

        A call that says whose method it runs runs no other; an object that calls itself is of the class around the call, so
        that only the methods of what may be such an object too are run.
        """
        if not ways:
            return []
        from code_graph_indexer.graph.sites import Binding, bindings

        language_of = self._languages(source for _, source, _ in ways)
        calls = {edge: language_of.get(source) for edge, source, _ in ways}
        bound = dict(zip(calls, bindings(self._store, list(calls), list(calls.values())), strict=True))
        ways = [way for way in ways if bound[way[0]] is not Binding.EARLY]
        classes = self._store.classes_around([node for _, source, method in ways for node in (source, method)])
        own = {classes[method] for edge, _, method in ways if bound[edge] is Binding.SELF and method in classes}
        below = self._closures(list(own), "inherits", incoming=True)
        above = self._closures([*own, *(one for found in below.values() for one in found)], "inherits", incoming=False)
        families = {one: {one, *below.get(one, ())} for one in own}
        families = {one: members.union(*(above.get(each, ()) for each in members)) for one, members in families.items()}
        return [
            (edge, method)
            for edge, source, method in ways
            if bound[edge] is not Binding.SELF
            or source not in classes
            or method not in classes
            or classes[source] in families[classes[method]]
        ]

    def _languages(self, nodes: Iterable[int]) -> dict[int, str | None]:
        wanted = set(nodes)
        self._load(wanted)
        return {one: self._symbols[one].language for one in wanted if one in self._symbols}

    def _closures(self, nodes: Sequence[int], kind: str, *, incoming: bool) -> dict[int, set[int]]:
        """For each node, collect what edges of a kind lead to, or come from, directly or not."""
        near: dict[int, set[int]] = {}
        level = list(dict.fromkeys(nodes))
        while level:
            for one in level:
                near.setdefault(one, set())
            for edge in self._store.edges(level, kind, incoming=incoming):
                near[edge.of].add(edge.chunk_id)
            level = [one for found in list(near.values()) for one in found if one not in near]
            level = list(dict.fromkeys(level))
        return {one: _closure(one, near) for one in dict.fromkeys(nodes) if near.get(one)}

    def _load(self, chunk_ids: Collection[int]) -> None:
        missing = [one for one in dict.fromkeys(chunk_ids) if one not in self._symbols]
        if missing:
            self._symbols.update(self._store.nodes(missing))


def _backwards(start: int, goal: int, before: dict[int, list[tuple[int, Step]]]) -> list[list[Step]]:
    """Read the paths from the steps by which each chunk was first reached."""
    if goal == start:
        return [[]]
    found: list[list[Step]] = []
    for near, step in before[goal]:
        found += [[*path, step] for path in _backwards(start, near, before)]
        if len(found) >= MAX_PATHS:
            break
    return found[:MAX_PATHS]


def _closure(start: int, near: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        fresh = near.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found - {start}
