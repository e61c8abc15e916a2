"""Show how definitions call each other: as an indented tree, with what lies between two of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from code_graph_indexer.explore.meaning import in_tests
from code_graph_indexer.explore.topic import Topic
from code_graph_indexer.explore.wording import called
from code_graph_indexer.graph.results import Step
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import Edge, Store

MAX_SEEDS = 10
"""The most definitions whose flow a tour for a concept shows."""

MAX_BRIDGES = 5
"""The most definitions that are added to a flow because they lie between two definitions of it."""

MAX_CALLERS = 8
"""The most callers of one definition that are read to find the first outside of tests."""

FIRST_CALLERS = 2
"""The most callers of the first definition that has callers. Of any other, one is shown."""

MAX_ALSO = 4
"""The most further callees that a flow names of a definition."""

RARE = 3
"""The most calls of a callee that tells what its caller does. What is called from everywhere tells nothing."""


class Flow:
    """The calls between definitions of one index.

    `ids` are the definitions of all that was shown. `sites` are the calls between them of what the question is about: the
    caller, and the line of the call. `joined` counts the calls between the last definitions. `roots` are those of them that
    none of the others calls, and `outer` their telling callees, by id.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.ids: set[int] = set()
        self.roots: list[Symbol] = []
        self.outer: dict[int, Symbol] = {}
        self.sites: dict[tuple[Symbol, int], None] = {}
        self.joined = 0

    @cached_property
    def registered(self) -> frozenset[tuple[int, int, int | None]]:
        """Return where a framework gets a definition and nothing calls it, as (node, line, target): `@Post("files")`."""
        return frozenset((row.source_id, row.line, row.target_id) for row in self._store.registrations())

    def registering(self, symbol: Symbol, steps: Sequence[Step]) -> list[Step]:
        """Return the steps from places that register a definition with a framework, and do not call it."""
        proven = [step for step in steps if step.confidence >= PROVEN]
        return [step for step in proven if (step.symbol.node_id, step.line, symbol.node_id) in self.registered]

    def lines(self, symbols: Sequence[Symbol], topic: Topic) -> list[str]:
        """Return the calls between definitions as an indented tree, with what lies between two of them.

        Of further callees, those are named that the topic is about.
        """
        nodes = {symbol.chunk_id: symbol for symbol in symbols}
        nodes.update(self._bridges(nodes))
        self.ids.update(nodes)
        # The call, by callee, for each caller: a proven one, if there is any.
        below: dict[int, dict[int, Edge]] = defaultdict(dict)
        edges = self._calls(list(nodes))
        # The decisive callee need not have a word of the question in its name.
        outer = self._outside([edge for edge in edges if edge.chunk_id not in nodes], topic)
        for edge in sorted(edges, key=lambda edge: (edge.confidence < PROVEN, edge.line, edge.chunk_id)):
            if edge.chunk_id in nodes and edge.chunk_id != edge.of:
                below[edge.of].setdefault(edge.chunk_id, edge)
        in_order = {caller: sorted(calls.values(), key=_by_line) for caller, calls in below.items()}
        self.sites.update(
            ((nodes[edge.of], edge.line), None)
            for calls in in_order.values()
            for edge in calls
            if topic.concerns(nodes[edge.chunk_id])
        )
        self.joined = sum(map(len, below.values()))
        called_ids = {target for calls in below.values() for target in calls}
        # In a cycle everything is called, so the first of the search begins.
        roots = [chunk_id for chunk_id in nodes if chunk_id not in called_ids]
        self.roots = [nodes[chunk_id] for chunk_id in roots if topic.concerns(nodes[chunk_id])]
        lines: list[str] = []
        written: set[int] = set()

        def write(chunk_id: int, depth: int, call: Edge | None = None) -> None:
            possibly = "possibly " if call and call.confidence < PROVEN else ""
            at = f"  ({possibly}called in line {call.line})" if call else ""
            again = "  (see above)" if chunk_id in written else ""
            lines.append(f"{'  ' * depth}{'→ ' if depth else ''}{called(nodes[chunk_id])}{at}{again}")
            if chunk_id not in written and depth < MAX_SEEDS:
                written.add(chunk_id)
                if outer[chunk_id]:
                    places, callees = list(outer[chunk_id]), list(outer[chunk_id].values())
                    names = ", ".join(places[position] for position in topic.ordered(callees)[:MAX_ALSO])
                    more = f" and {len(outer[chunk_id]) - MAX_ALSO} more" if len(outer[chunk_id]) > MAX_ALSO else ""
                    lines.append(f"{'  ' * depth}  also calls {names}{more}")
                for edge in in_order.get(chunk_id, ()):
                    write(edge.chunk_id, depth + 1, edge)

        for chunk_id in (*roots, *nodes):
            if chunk_id not in written:
                write(chunk_id, 0)
        return lines

    def _calls(self, chunk_ids: Sequence[int]) -> list[Edge]:
        """List the calls in definitions, without what they register."""
        edges = self._store.edges(chunk_ids, "calls", incoming=False)
        return [edge for edge in edges if (edge.of, edge.line, edge.chunk_id) not in self.registered]

    def _outside(self, edges: Sequence[Edge], topic: Topic) -> dict[int, dict[str, Symbol]]:
        """Map callers to the telling callees that these edges prove, by name and place, in the order of the lines."""
        callees = self._store.nodes([edge.chunk_id for edge in edges])
        common = self.common(list(callees))
        telling = {chunk_id for chunk_id, node in callees.items() if chunk_id not in common or topic.concerns(node)}
        outer: dict[int, dict[str, Symbol]] = defaultdict(dict)
        for edge in sorted(edges, key=lambda edge: edge.line):
            if edge.chunk_id in telling and edge.confidence >= PROVEN:
                node = callees[edge.chunk_id]
                self.outer[edge.chunk_id] = node
                outer[edge.of].setdefault(f"{node.name} {node.file_path}:{node.start_line}", node)
        return outer

    def common(self, chunk_ids: Sequence[int]) -> set[int]:
        """Return those of some definitions that are called from so many places that a call of them tells little."""
        callers = Counter(edge.of for edge in self._store.callers_of(sorted(set(chunk_ids)), RARE + 1))
        return {chunk_id for chunk_id, count in callers.items() if count > RARE}

    def callers(self, topic: Topic) -> list[tuple[Symbol, int]]:
        """Return who calls the roots, outside of tests, with the lines of the calls: more of the first root than of others.

        Those go first that the topic is about.
        """
        edges = self._store.callers_of([symbol.chunk_id for symbol in self.roots], MAX_CALLERS)
        nodes = self._store.nodes([edge.chunk_id for edge in edges])
        places: dict[tuple[int, int], tuple[Symbol, int]] = {}
        for root in self.roots:
            of_root = [edge for edge in edges if edge.of == root.chunk_id and edge.confidence >= PROVEN]
            outside = [edge for edge in of_root if edge.chunk_id in nodes and not in_tests(nodes[edge.chunk_id])]
            ordered = topic.ordered([nodes[edge.chunk_id] for edge in outside])
            for edge in [outside[position] for position in ordered][: 1 if places else FIRST_CALLERS]:
                places.setdefault((edge.of, edge.chunk_id), (nodes[edge.chunk_id], edge.line))
        return list(places.values())

    def _bridges(self, nodes: Mapping[int, Symbol]) -> dict[int, Symbol]:
        """Return definitions that one of these calls and that call another one, if no direct call ties the two."""
        below: dict[int, set[int]] = defaultdict(set)
        for end in self._store.callees_of(list(nodes), 60):
            below[end.chunk_id].add(end.of)
        above: dict[int, set[int]] = defaultdict(set)
        for end in self._store.callers_of(list(nodes), 60):
            above[end.chunk_id].add(end.of)
        direct = {(caller, callee) for callee, callers in below.items() for caller in callers}
        between: dict[int, int] = {}
        for middle in below.keys() & above.keys() - nodes.keys():
            pairs = {(a, b) for a in below[middle] for b in above[middle] if a != b and (a, b) not in direct}
            if pairs:
                between[middle] = len(pairs)
        best = sorted(between, key=lambda middle: (-between[middle], middle))[:MAX_BRIDGES]
        return (
            {chunk_id: node for chunk_id, node in self._store.nodes(best).items() if not node.is_test} if best else {}
        )


def _by_line(edge: Edge) -> tuple[int, int]:
    return edge.line, edge.chunk_id
