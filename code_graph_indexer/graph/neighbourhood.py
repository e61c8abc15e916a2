"""Show a definition between its callers and its callees, folded by folder, file and class."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from code_graph_indexer.graph.code_graph import CodeGraph, certainty
from code_graph_indexer.graph.fold import (
    LINKS,
    REST,
    Fold,
    Hop,
    edges_of,
    fold_of,
    nodes_of,
    places_of,
    symbol_label,
    unfold,
    without_constructors,
)
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.picture.graph import GraphExport
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_BOXES = 40
"""Largest number of boxes in a picture before you open a fold. Above some thirty no layout can be read at a glance."""

MAX_SIDE = 18
"""Largest number of boxes above each other. More do not fit on a screen."""

MAX_CLASS_SIDE = 12
"""The same beside a class. Its members multiply the edges."""

MAX_ENDS = 2
"""The most members of a class that a box is joined to."""

MAX_MEMBERS = 8
"""Largest number of members that a class shows before you open it."""

CALLERS, CENTER, CALLEES = "<", "=", ">"
"""The sides of a picture. They begin the ids of its nodes."""


class Neighbourhood:
    """The graph around definitions, one hop in each direction, in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._graph = CodeGraph(store)
        # The classes around the definitions of the picture, by id.
        self._around: dict[int, int] = {}

    def around(self, symbol: Symbol, limits: Limits, opened: Collection[str], boxes: int = MAX_BOXES) -> GraphExport:
        """Return the graph of a definition with its members, its callers and its callees.

        `opened` has the ids of folds to open. Without them, the graph has at most `boxes` nodes.
        """
        members = self._members(symbol)
        center = {node.chunk_id: node for node in (symbol, *members)}
        incoming, outgoing = self._steps(center, limits, incoming=True), self._steps(center, limits, incoming=False)
        ends = {(near, step.symbol.chunk_id) for near, step in (*incoming, *outgoing)} if members else ()
        degrees = Counter(near for near, _ in ends)
        middle = _middle(symbol, self._class_of(symbol), members, degrees, opened)
        left, right = self._side_fold(CALLERS, incoming), self._side_fold(CALLEES, outgoing)
        room = max(2, boxes - len(middle))
        # What the right side does not need is room for the left side.
        most = MAX_CLASS_SIDE if members else MAX_SIDE
        callers = unfold(left, min(most, max(room // 2, room - right.count)), opened)
        callees = unfold(right, min(most, room - len(callers)), opened)
        sides = ((middle, CENTER, 0), (callers, CALLERS, -1), (callees, CALLEES, 1))
        nodes, groups = zip(*(nodes_of(folds, side, layer) for folds, side, layer in sides), strict=True)
        places = places_of([*middle, *callers, *callees])
        whole = f"{CENTER}//{symbol.chunk_id}"
        hops = [
            *_hops(incoming, CALLERS, places, whole),
            *(Hop(hop.target, hop.source, hop.step) for hop in _hops(outgoing, CALLEES, places, whole)),
        ]
        unresolved, unread = self._graph.hidden_callers(symbol)
        steps = [hop.step for hop in hops]
        return GraphExport(
            tuple(node for part in nodes for node in part),
            tuple(edges_of(hops)),
            groups=tuple(group for part in groups for group in part),
            center=whole,
            certainty=certainty(steps, unresolved, False, unread),
            title=symbol.qualified_name or symbol.file_path,
            layers=(
                *((f"used by {left.count:,}",) if incoming else ()),
                "",
                *((f"uses {right.count:,}",) if outgoing else ()),
            ),
        )

    def _members(self, symbol: Symbol) -> list[Symbol]:
        """List the definitions directly inside a class, in order of line. A symbol of another kind has none."""
        if symbol.kind not in CLASS_KINDS:
            return []
        nodes = self._store.nodes([chunk.id for chunk in self._store.file_chunks(symbol.file_path)])
        classes = self._store.classes_around(list(nodes))
        members = [node for node in nodes.values() if classes.get(node.chunk_id) == symbol.chunk_id]
        return sorted(members, key=lambda node: node.start_line)

    def _steps(self, center: Collection[int], limits: Limits, *, incoming: bool) -> list[tuple[int, Step]]:
        """List the references between the definitions in the center and all others, as (id in the center, step).

        `incoming` asks for those that lead to the center, which alone are restricted by the limits to tests or to code. The
        calls of constructors beside those of their classes are left out.
        """
        pairs = [
            (near, step)
            for near, step in self._graph.references(list(center), limits, LINKS, incoming=incoming)
            if step.symbol.chunk_id not in center
            and (limits.tests is None or not incoming or step.symbol.is_test == limits.tests)
        ]
        ends = {chunk_id for near, step in pairs for chunk_id in (near, step.symbol.chunk_id)}
        classes = self._store.classes_around(list(ends))
        self._around |= classes
        return without_constructors(pairs, classes)

    def _class_of(self, symbol: Symbol) -> Symbol | None:
        class_id = self._store.classes_around([symbol.chunk_id]).get(symbol.chunk_id)
        return self._store.nodes([class_id]).get(class_id) if class_id is not None else None

    def _side_fold(self, side: str, steps: Sequence[tuple[int, Step]]) -> Fold:
        """Return the fold of a side of the picture: the far ends of its steps, by folder, file and class."""
        symbols = {step.symbol.chunk_id: step.symbol for _, step in steps}
        around = {chunk_id: self._around[chunk_id] for chunk_id in symbols if chunk_id in self._around}
        classes = self._store.nodes(list(set(around.values())))
        parents = {chunk_id: classes[class_id] for chunk_id, class_id in around.items() if class_id in classes}
        return fold_of(side, list(symbols.values()), parents)


def _hops(pairs: Sequence[tuple[int, Step]], side: str, places: Mapping[str, str], whole: str) -> list[Hop]:
    """Return the references (id in the center, step) between the boxes of a side and those of the center.

    `places` maps the id of a fold to that of the box that shows it. A box with references to many members is joined to the
    definition as a `whole`, because such edges cross all others.
    """
    hops = [Hop(places[f"{side}//{step.symbol.chunk_id}"], places[f"{CENTER}//{near}"], step) for near, step in pairs]
    ends: dict[str, set[str]] = defaultdict(set)
    for hop in hops:
        ends[hop.source].add(hop.target)
    return [hop if len(ends[hop.source]) <= MAX_ENDS else hop._replace(target=whole) for hop in hops]


def _middle(
    symbol: Symbol,
    parent: Symbol | None,
    members: Sequence[Symbol],
    degrees: Mapping[int, int],
    opened: Collection[str],
) -> list[Fold]:
    """Return the folds of a definition and of its members: first those with most edges, as far as MAX_MEMBERS allows.

    `parent` is the class around the definition. `degrees` counts the edges of members.
    """
    first = Fold(
        f"{CENTER}//{symbol.chunk_id}",
        symbol_label(symbol, parent),
        symbol.kind,
        symbol.file_path,
        symbol,
        symbol.is_test,
    )
    folds = {
        node.chunk_id: Fold(f"{CENTER}//{node.chunk_id}", node.name, node.kind, node.file_path, node, node.is_test)
        for node in members
    }
    rest = Fold(f"{first.id}{REST}", "more members", "rest", symbol.file_path)
    busiest = sorted((key for key in folds if degrees.get(key)), key=lambda key: -degrees[key])[:MAX_MEMBERS]
    hidden = {fold.id: fold for key, fold in folds.items() if key not in busiest}
    if rest.id in opened or not hidden:
        return [first, *folds.values()]
    rest.parts = hidden
    return [first, *(fold for key, fold in folds.items() if key in busiest), rest]
