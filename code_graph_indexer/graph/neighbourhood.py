"""Show a definition between its callers and its callees, folded by folder, file and class."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.fold import LINKS, REST, Fold, nodes_of, places_of, symbol_label, unfold
from code_graph_indexer.graph.sides import CALLEES, CALLERS, CENTER, RowSide, StepSide
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.picture.graph import GraphExport
from code_graph_indexer.results import Certainty, Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_BOXES = 40
"""Largest number of boxes in a picture before you open a fold. Above some thirty no layout can be read at a glance."""

MAX_SIDE = 18
"""Largest number of boxes above each other. More do not fit on a screen."""

MAX_CLASS_SIDE = 12
"""The same beside a class. Its members multiply the edges."""

MAX_MEMBERS = 8
"""Largest number of members that a class shows before you open it."""


class Neighbourhood:
    """The graph around definitions, one hop in each direction, in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._graph = CodeGraph(store)

    def around(self, symbol: Symbol, limits: Limits, opened: Collection[str], boxes: int = MAX_BOXES) -> GraphExport:
        """Return the graph of a definition with its members, its callers and its callees.

        `opened` has the ids of folds to open. Without them, the graph has at most `boxes` nodes.
        """
        members = self._members(symbol)
        center = {node.chunk_id: node for node in (symbol, *members)}
        incoming, outgoing = self._callers(center, limits), self._callees(center, limits)
        degrees = incoming.degrees() + outgoing.degrees() if members else Counter[int]()
        middle = _middle(symbol, self._class_of(symbol), members, degrees, opened)
        left, right = incoming.fold(), outgoing.fold()
        room = max(2, boxes - len(middle))
        # What the right side does not need is room for the left side.
        most = MAX_CLASS_SIDE if members else MAX_SIDE
        callers = unfold(left, min(most, max(room // 2, room - right.count)), opened)
        callees = unfold(right, min(most, room - len(callers)), opened)
        sides = ((middle, CENTER, 0), (callers, CALLERS, -1), (callees, CALLEES, 1))
        nodes, groups = zip(*(nodes_of(folds, side, layer) for folds, side, layer in sides), strict=True)
        places = places_of([*middle, *callers, *callees])
        whole = f"{CENTER}//{symbol.chunk_id}"
        unresolved, unread = self._graph.hidden_callers(symbol)
        counts = incoming.sureness() + outgoing.sureness()
        return GraphExport(
            tuple(node for part in nodes for node in part),
            (*incoming.edges(places, whole), *outgoing.edges(places, whole)),
            groups=tuple(group for part in groups for group in part),
            center=whole,
            certainty=Certainty(**counts, unresolved=unresolved, truncated=False, unread=unread),
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

    def _callers(self, center: Collection[int], limits: Limits) -> RowSide | StepSide:
        """Return the side of what leads to the center, of the graph in memory if it is loaded."""
        spread = self._graph.spread()
        return self._steps(CALLERS, center, limits) if spread is None else RowSide(self._store, spread, center, limits)

    def _callees(self, center: Collection[int], limits: Limits) -> StepSide:
        """Return the side of what the center leads to. The limits restrict it neither to tests nor to code."""
        return self._steps(CALLEES, center, replace(limits, tests=None))

    def _steps(self, side: str, center: Collection[int], limits: Limits) -> StepSide:
        """Return the references between the definitions in the center and all others, as a side of steps.

        The calls of constructors beside those of their classes are left out.
        """
        pairs = self._graph.references(list(center), limits, LINKS, incoming=side == CALLERS)
        return StepSide(
            self._store,
            side,
            [
                (near, step)
                for near, step in pairs
                if step.symbol.chunk_id not in center and limits.tests in (None, step.symbol.is_test)
            ],
        )

    def _class_of(self, symbol: Symbol) -> Symbol | None:
        class_id = self._store.classes_around([symbol.chunk_id]).get(symbol.chunk_id)
        return self._store.nodes([class_id]).get(class_id) if class_id is not None else None


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
    rest.parts.update(hidden)
    return [first, *(fold for key, fold in folds.items() if key in busiest), rest]
