"""Walk the edges of the graph breadth first, within limits, and from a method to its overrides by dynamic dispatch."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from code_graph_indexer.graph.declared import DECLARES, FUNCTIONS, Declared
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.sites import Binding, bindings, open_edges
from code_graph_indexer.results import ALTERNATIVE_DEFINITION, ANOTHER_BUILD, CALLED_BACK, Symbol
from code_graph_indexer.storage import Edge, Store, StoredChunk
from code_graph_indexer.threads import Allowance

OUTER = 0.9
"""Confidence that who uses a function also uses the functions inside of it."""

MAX_NODES = 5_000
"""Largest number of definitions that one walk visits."""

MAX_SECONDS = 5.0
"""Default for the largest number of seconds that a walk takes."""

INNER_CHUNKS = 200
"""Number of functions whose outer functions are read at once. Few functions stand in more than five others."""

MAX_PATH_DEPTH = 20
"""Largest number of calls in a call path."""

MAX_PATHS = 5
"""Largest number of equally short call paths in an answer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a walk: how far it goes, and which edges it follows.

    * `depth`: the largest number of hops.
    * `min_confidence`: the lowest confidence of an edge, between 0.0 and 1.0.
    * `tests`: whether only tests are kept (True), no tests (False) or both (None). Walks to callees ignore it.
    * `dispatch`: whether calls of a method also lead to its overrides.
    * `seconds`: the largest number of seconds of work that the walk takes.
    * `to_outer`: whether a walk to callers goes from a function to the function around it, which gives it out or runs it.
    * `by_name`: whether a walk to callers also follows calls that are linked to nothing, by the name that they call.
    """

    depth: int = 1
    min_confidence: float = 0.0
    tests: bool | None = None
    dispatch: bool = True
    seconds: float = MAX_SECONDS
    by_name: bool = False
    to_outer: bool = False


class Walk:
    """A walk through the graph, breadth first, within limits.

    With `incoming`, the walk goes against the direction of the edges: from a callee to its callers. After the walk,
    `truncated` says whether a limit ended it.
    """

    def __init__(
        self, store: Store, limits: Limits, kinds: Sequence[str], *, incoming: bool, first: Sequence[str] = ()
    ) -> None:
        self._store = store
        self._declared = Declared(store)
        self._limits = limits
        self._kinds = kinds
        self._incoming = incoming
        # Kinds that are followed from the start alone.
        self._first = first
        # Dispatch in a large hierarchy multiplies the edges, so the depth alone does not bound the time.
        self._allowance = Allowance(limits.seconds)
        self._symbols: dict[int, Symbol] = {}
        # The declarations that hold edges of their definitions.
        self._holders: dict[Edge, int] = {}
        self.truncated = False

    def steps(self, starts: Sequence[int], *, to_tests: int = 0) -> list[Step]:
        """List the edges that lead away from the start chunks as steps, nearest first.

        The walk passes through each definition only once, so it also ends in cycles. A walk that met no test goes on to the
        nearest one, up to `to_tests` hops away.
        """
        walked: list[Step] = []
        seen, level = set(starts), list(dict.fromkeys(starts))
        # The surest way to each chunk.
        ways = dict.fromkeys(level, Way())
        for depth in range(1, max(self._limits.depth, to_tests) + 1):
            if depth > self._limits.depth:
                self.truncated = self.truncated or self._limits.depth > 1
                if any(step.symbol.is_test for step in walked):
                    break
            steps, ends = self._level(level, depth, ways)
            walked += steps
            for step in steps:
                target, way = step.symbol.node_id, Way(step.may, -step.confidence, step.alternative)
                if target not in seen:
                    ways[target] = min(ways.get(target, way), way)
            # What was reached before is not left again. So a walk ends in cycles too.
            left = seen | ends
            level = list(dict.fromkeys(step.symbol.node_id for step in steps if step.symbol.node_id not in left))
            # A module is not walked through: who imports a file is not affected by all that its top level calls.
            level = [chunk_id for chunk_id in level if self._symbols[chunk_id].kind != "module"]
            seen.update(level)
            if not level:
                break
            if self.over(len(seen)):
                self.truncated = True
                break
        else:
            # One hop is what the user asked for; only a longer walk that could go on counts as cut off.
            self.truncated = self.truncated or (self._limits.depth > 1 and bool(level))
        # A test mostly reaches a definition through code that is no test, so only the answer is restricted.
        if self._limits.tests and self._incoming:
            return [step for step in walked if step.symbol.is_test]
        return walked

    def paths(self, start: int, goal: int) -> list[list[Step]]:
        """Return the shortest paths between two chunks, at most MAX_PATHS of equal length. Each path is a list of steps.

        The list is empty if there is no path, or if both chunks are the same.
        """
        arrivals: dict[int, list[tuple[int, Step]]] = {start: []}
        level = [start]
        for depth in range(1, min(self._limits.depth, MAX_PATH_DEPTH) + 1):
            fresh: dict[int, list[tuple[int, Step]]] = defaultdict(list)
            for near, step in self.pairs(level, depth):
                # A chunk of an earlier level has a shorter path. More arrivals than MAX_PATHS could not be shown.
                if step.symbol.node_id not in arrivals and len(fresh[step.symbol.node_id]) < MAX_PATHS:
                    fresh[step.symbol.node_id].append((near, step))
            arrivals.update(fresh)
            if goal in fresh or not fresh:
                break
            if self.over(len(arrivals)):
                self.truncated = True
                break
            level = list(fresh)
        return _backwards(start, goal, arrivals) if goal in arrivals and goal != start else []

    def over(self, nodes: int) -> bool:
        """Say whether a walk that has visited so many definitions has to end."""
        return nodes > MAX_NODES or self._allowance.is_over

    def _level(self, level: Sequence[int], depth: int, ways: Mapping[int, "Way"]) -> tuple[list[Step], set[int]]:
        """List the edges that lead away from the chunks of a level, as steps, and the chunks where the walk ends.

        Callers come by certainty, and callees as the source calls them. `ways` has the certainty of the way to each chunk. No
        step is more certain than the way to it.

        With the call `run(save)`, `run` calls `save`, but the other callers of `run` pass something else. Who passes `save`
        refers to it. So a walk that follows such references ends at `run`.
        """
        pairs = self.pairs(level, depth)
        steps = [_weakened(step, ways[near]) for near, step in pairs]
        if not self._incoming:
            return steps, set()
        ends: set[int] = set()
        if "references" in self._kinds:
            ends.update(step.symbol.node_id for _, step in pairs if step.confidence == CALLED_BACK)
            ends.difference_update(step.symbol.node_id for _, step in pairs if step.confidence != CALLED_BACK)
        steps.sort(key=lambda step: (step.may, -step.confidence, step.symbol.is_test, step.file_path, step.line))
        return steps, ends

    def _edges_of(self, level: Sequence[int], depth: int) -> list[tuple[Edge, bool]]:
        """List the edges that lead away from the chunks of a level, each with whether dynamic dispatch decides it."""
        kinds = (*self._kinds, *self._first) if depth == 1 else self._kinds
        edges = [(edge, False) for kind in kinds for edge in self._edges(level, kind)]
        if self._limits.dispatch:
            edges += self.dispatched(level, [edge for edge, _ in edges])
        if self._limits.by_name and self._incoming:
            edges += [(edge, False) for edge in self._by_name(level)]
        if self._limits.to_outer and self._incoming:
            edges += [(edge, False) for edge in self._to_outer(level)]
        return edges

    def pairs(self, level: Sequence[int], depth: int) -> list[tuple[int, Step]]:
        """List the edges that lead away from the chunks of a level, each as (id of the chunk in the level, step)."""
        edges = self._edges_of(level, depth)
        self._load([edge.chunk_id for edge, _ in edges] + list(level))
        alternatives = self._alternatives(edge for edge, _ in edges)
        pairs: list[tuple[int, Step]] = []
        for edge, may in edges:
            near, far = self._symbols.get(edge.of), self._symbols.get(edge.chunk_id)
            if near is None or far is None or (self._limits.tests is False and far.is_test and self._incoming):
                continue
            # The line of an edge lies in the file of its source.
            source = self._symbols.get(self._holders.get(edge, 0), far if self._incoming else near)
            name = near.qualified_name or near.file_path
            confidence, either = edge.confidence, edge in alternatives
            step = Step(far, edge.kind, source.file_path, edge.line, confidence, depth, may, name, either)
            pairs.append((edge.of, step))
        return pairs

    def _alternatives(self, edges: Iterable[Edge]) -> set[Edge]:
        """Return those of these edges that depend on the build, which takes one of several definitions, or not this one."""
        unsure = [edge for edge in edges if edge.confidence <= ALTERNATIVE_DEFINITION]
        targets = {edge.of if self._incoming else edge.chunk_id for edge in unsure}
        symbols = [self._symbols[target] for target in targets if target in self._symbols]
        several = self._declared.alternatives_of(symbols)
        return {
            edge
            for edge in unsure
            if edge.confidence == ANOTHER_BUILD or (edge.of if self._incoming else edge.chunk_id) in several
        }

    def _edges(self, level: Sequence[int], kind: str) -> list[Edge]:
        edges = self._stored(level, kind, incoming=self._incoming)
        return [edge for edge in edges if edge.confidence >= self._limits.min_confidence]

    def _stored(self, level: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind. What a declaration inherits, such as an `@interface`, its definition does."""
        if kind != "inherits":
            return list(self._store.edges(level, kind, incoming=incoming))
        behind = (
            {} if incoming else {edge.chunk_id: edge.of for edge in self._store.edges(level, DECLARES, incoming=True)}
        )
        edges = self._store.edges([*level, *behind], kind, incoming=incoming)
        if incoming:
            ends = [edge.chunk_id for edge in edges]
            behind = {edge.of: edge.chunk_id for edge in self._store.edges(ends, DECLARES, incoming=False)}
        near_or_far = "chunk_id" if incoming else "of"
        moved: list[Edge] = []
        for edge in edges:
            holder = getattr(edge, near_or_far)
            moved.append(edge._replace(**{near_or_far: behind.get(holder, holder)}))
            if holder in behind:
                self._holders[moved[-1]] = holder
        self._load(self._holders.values())
        return moved

    def dispatched(self, level: Sequence[int], direct: Sequence[Edge]) -> list[tuple[Edge, bool]]:
        """List the edges that only dynamic dispatch adds, as (edge, True): a call of an overridden method may run the override.

        If `Dog.speak` overrides `Animal.speak`, the call `animal.speak()` may run `Dog.speak`. So its caller is also a caller
        of `Dog.speak`, and `Dog.speak` is also one of its callees.
        """
        if self._incoming:
            overridden = self._closures(level, "overrides", incoming=False)
            overrides = defaultdict(list)
            for method, bases in overridden.items():
                for base in bases:
                    overrides[base].append(method)
            # Only calls are dispatched. A reference to a base, or inheriting from it, runs nothing.
            edges = [edge for kind in self._kinds if kind == "calls" for edge in self._edges(list(overrides), kind)]
            calls_of: dict[int, list[Edge]] = {method: [] for method in overridden}
            for edge in edges:
                for method in overrides[edge.of]:
                    calls_of[method].append(edge)
            ways = [(edge, edge.chunk_id, method) for method, edges in calls_of.items() for edge in edges]
            return [(edge._replace(of=method), True) for edge, method in self._possible(ways)]
        calls = [edge for edge in direct if edge.kind == "calls"]
        below = self._closures([call.chunk_id for call in calls], "overrides", incoming=True)
        ways = [(call, call.of, method) for call in calls for method in below.get(call.chunk_id, ())]
        return [(call._replace(chunk_id=method), True) for call, method in self._possible(ways)]

    def _to_outer(self, level: Sequence[int]) -> list[Edge]:
        """List the functions around functions of the level, as edges. What a function returns runs where its result is used."""
        self._load(level)
        inner = [self._symbols[chunk_id] for chunk_id in level if chunk_id in self._symbols]
        inner = [symbol for symbol in inner if symbol.kind in FUNCTIONS]
        ids = [symbol.chunk_id for symbol in inner]
        chunks: dict[int, StoredChunk] = {}
        # A store returns so many ancestors at once.
        for start in range(0, len(ids), INNER_CHUNKS):
            part = ids[start : start + INNER_CHUNKS]
            chunks.update((chunk.id, chunk) for chunk in (*self._store.chunks(part), *self._store.ancestors_of(part)))
        edges: list[Edge] = []
        for symbol in inner:
            outer = chunks.get(chunks[symbol.chunk_id].parent_id or 0)
            while outer is not None and outer.kind not in FUNCTIONS:
                outer = chunks.get(outer.parent_id or 0)
            if outer is not None:
                edges.append(Edge(symbol.chunk_id, outer.id, "references", symbol.start_line, OUTER))
        return edges

    def _by_name(self, level: Sequence[int]) -> list[Edge]:
        """List the calls that are linked to nothing, but have the name of a definition of the level, as edges."""
        self._load(level)
        return open_edges(self._store, [self._symbols[chunk_id] for chunk_id in level if chunk_id in self._symbols])

    def _possible(self, ways: Sequence[tuple[Edge, int, int]]) -> list[tuple[Edge, int]]:
        """Return the calls that may run an override, as (call, override).

        Each of `ways` is (call, chunk that contains the call, override).

        `Base.run(self)` names its class and runs no override. `self.run()` runs an override only if one object can be
        an instance of both the class around the call and the class of the override.
        """
        if not ways:
            return []
        languages = self._languages(source for _, source, _ in ways)
        # A call of a method with many overrides occurs in as many ways. It is judged once.
        calls = {call: languages.get(source) for call, source, _ in ways}
        binding = dict(zip(calls, bindings(self._store, list(calls), list(calls.values())), strict=True))
        ways = [way for way in ways if binding[way[0]] is not Binding.EARLY]
        classes = self._store.classes_around([node for _, source, method in ways for node in (source, method)])
        families = self._families(
            {classes[method] for call, _, method in ways if binding[call] is Binding.SELF and method in classes}
        )
        return [
            (call, method)
            for call, source, method in ways
            # Outside of a known class nothing rules the override out, so it stays possible.
            if binding[call] is not Binding.SELF
            or source not in classes
            or method not in classes
            or classes[source] in families[classes[method]]
        ]

    def _families(self, classes: Collection[int]) -> dict[int, set[int]]:
        """Map each class to all classes that an instance of it can have: itself, derived classes, and the bases of these.

        With `class C(A, B)`, an instance of A can be a C, and so also a B. A method of A can then run a method of B on
        `self`.
        """
        below = self._closures(list(classes), "inherits", incoming=True)
        derived = [chunk_id for chunk_ids in below.values() for chunk_id in chunk_ids]
        above = self._closures([*classes, *derived], "inherits", incoming=False)
        families: dict[int, set[int]] = {}
        for class_id in classes:
            members = {class_id, *below.get(class_id, ())}
            families[class_id] = members.union(*(above.get(member, ()) for member in members))
        return families

    def _languages(self, nodes: Iterable[int]) -> dict[int, str | None]:
        chunk_ids = set(nodes)
        self._load(chunk_ids)
        return {chunk_id: self._symbols[chunk_id].language for chunk_id in chunk_ids if chunk_id in self._symbols}

    def _closures(self, nodes: Sequence[int], kind: str, *, incoming: bool) -> dict[int, set[int]]:
        """Map each node to all nodes that it reaches by edges of a kind, directly or through other nodes.

        Nodes without such edges are left out.
        """
        neighbours: dict[int, set[int]] = {}
        # One query reads a whole level. A query for each node would take far longer.
        level = list(dict.fromkeys(nodes))
        while level:
            for chunk_id in level:
                neighbours.setdefault(chunk_id, set())
            for edge in self._stored(level, kind, incoming=incoming):
                neighbours[edge.of].add(edge.chunk_id)
            targets = (chunk_id for chunk_ids in list(neighbours.values()) for chunk_id in chunk_ids)
            level = list(dict.fromkeys(chunk_id for chunk_id in targets if chunk_id not in neighbours))
        return {
            chunk_id: _closure(chunk_id, neighbours) for chunk_id in dict.fromkeys(nodes) if neighbours.get(chunk_id)
        }

    def _load(self, chunk_ids: Collection[int]) -> None:
        missing = [chunk_id for chunk_id in dict.fromkeys(chunk_ids) if chunk_id not in self._symbols]
        if missing:
            self._symbols.update(self._store.nodes(missing))


class Way(NamedTuple):
    """The certainty of a way to a chunk. The surest way is the smallest.

    * `may`: whether dynamic dispatch has to choose the way.
    * `doubt`: the lowest confidence of its edges, below zero.
    * `alternative`: whether one of its edges leads to one of several definitions, of which a build takes one.
    """

    may: bool = False
    doubt: float = -1.0
    alternative: bool = False


def _weakened(step: Step, way: Way) -> Step:
    """Return a step with its certainty lowered to the certainty of the way to it.

    A certain call (0.95) after a guessed call (0.5) is also a guess: its confidence becomes 0.5.
    """
    may, confidence, alternative = step.may or way.may, min(step.confidence, -way.doubt), step.alternative
    alternative = alternative or way.alternative
    if (may, confidence, alternative) == (step.may, step.confidence, step.alternative):
        return step
    return replace(step, may=may, confidence=confidence, alternative=alternative)


def _backwards(start: int, goal: int, arrivals: dict[int, list[tuple[int, Step]]]) -> list[list[Step]]:
    """Return the paths from start to goal, at most MAX_PATHS, by following the steps back from the goal.

    `arrivals` has, for each chunk, the steps that reached it first, each as (id of the chunk before, step).
    """
    if goal == start:
        return [[]]
    paths: list[list[Step]] = []
    for near, step in arrivals[goal]:
        paths += [[*path, step] for path in _backwards(start, near, arrivals)]
        if len(paths) >= MAX_PATHS:
            break
    return paths[:MAX_PATHS]


def _closure(start: int, neighbours: dict[int, set[int]]) -> set[int]:
    """Return the nodes that a node reaches, without itself."""
    reached: set[int] = set()
    waiting = [start]
    while waiting:
        fresh = neighbours.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached - {start}
