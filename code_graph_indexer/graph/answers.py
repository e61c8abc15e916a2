"""Show answers as graphs in layers: call paths, the hierarchy of a class, and what a change affects."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from code_graph_indexer.graph.fold import Fold, Hop, edges_of, fold_of, nodes_of, places_of, short_name, unfold
from code_graph_indexer.graph.results import CallPaths, Hierarchy, Impact, Step
from code_graph_indexer.picture.graph import GraphExport, GraphNode
from code_graph_indexer.results import Symbol

MAX_BOXES = 40
"""Largest number of boxes of all layers together, before you open a fold."""

MIN_LAYER, MAX_LAYER = 6, 18
"""The fewest boxes that a layer has room for, and the most."""

NARROW_LAYER = 2
"""The fewest boxes of a layer with long names."""

WIDTH, GAP, MAX_LABEL = 170, 4, 42
"""Characters of a layer that fit on most screens beside each other, those that lie between two boxes, and most of a box."""


class _Layers:
    """The definitions of an answer by layer. A definition stays in the layer that it comes to first."""

    def __init__(self) -> None:
        self._symbols: dict[int, dict[int, Symbol]] = defaultdict(dict)
        self._layer: dict[int, int] = {}
        self._names: dict[tuple[int, str], int] = {}

    def add(self, symbol: Symbol, layer: int) -> None:
        """Put a definition into a layer."""
        if symbol.chunk_id not in self._layer:
            self._layer[symbol.chunk_id] = layer
            self._symbols[layer][symbol.chunk_id] = symbol
        # A step names the definition before it, not its id.
        self._names.setdefault((layer, symbol.qualified_name or symbol.file_path), symbol.chunk_id)

    def before(self, step: Step, layer: int) -> int | None:
        """Return the id of the definition that a step comes from, which lies in a layer."""
        return self._names.get((layer, step.via))

    def nodes(self, opened: Collection[str]) -> tuple[list[GraphNode], dict[int, str]]:
        """Return the nodes of all layers, folded where there are many, and the node that shows each definition."""
        room = max(MIN_LAYER, min(MAX_LAYER, MAX_BOXES // max(1, len(self._symbols))))
        nodes: list[GraphNode] = []
        shown: dict[int, str] = {}
        for layer, symbols in sorted(self._symbols.items()):
            side = f"{layer}:"
            names = {f"{side}//{chunk_id}": short_name(symbol) for chunk_id, symbol in symbols.items()}
            folds = _fitting(fold_of(side, list(symbols.values()), {}), room, opened, names)
            place = places_of(folds)
            shown.update((chunk_id, place[f"{side}//{chunk_id}"]) for chunk_id in symbols)
            nodes += [
                replace(node, group="", label=names.get(node.id, node.label))
                for node in nodes_of(folds, side, layer)[0]
            ]
        return nodes, shown


def _fitting(root: Fold, room: int, opened: Collection[str], names: Mapping[str, str]) -> list[Fold]:
    """Unfold a root to at most `room` boxes, or to so many fewer that their labels fit into WIDTH beside each other.

    `opened` are the ids of the folds that a reader opened. `names` are the labels of definitions, by the ids of their folds.
    """
    folds: list[Fold] = []
    for boxes in range(room, NARROW_LAYER - 1, -1):
        folds = unfold(root, boxes, opened)
        if (
            sum(min(MAX_LABEL, max(len(names.get(fold.id, fold.label)), len(fold.path))) + GAP for fold in folds)
            <= WIDTH
        ):
            break
    return folds


def paths_graph(answer: CallPaths, opened: Collection[str] = ()) -> GraphExport:
    """Return call paths as a graph: a layer for each call."""
    layers = _Layers()
    layers.add(answer.source, 0)
    hops: list[tuple[int, int, Step]] = []
    for path in answer.paths:
        before = answer.source.chunk_id
        for layer, step in enumerate(path, 1):
            layers.add(step.symbol, layer)
            hops.append((before, step.symbol.chunk_id, step))
            before = step.symbol.chunk_id
    if not answer.paths:
        layers.add(answer.target, 1)
    title = f"{short_name(answer.source)} to {short_name(answer.target)}"
    # Several paths may share a call.
    distinct = {(source, target, step.file_path, step.line): (source, target, step) for source, target, step in hops}
    return _graph(layers, distinct.values(), opened, title, answer.source)


def hierarchy_graph(answer: Hierarchy, opened: Collection[str] = ()) -> GraphExport:
    """Return a class between its bases, on the left, and what is derived from it."""
    layers = _Layers()
    layers.add(answer.symbol, 0)
    for step in answer.bases:
        layers.add(step.symbol, -step.depth)
    for step in answer.derived:
        layers.add(step.symbol, step.depth)
    hops: list[tuple[int, int, Step]] = []
    for step in answer.bases:
        if (derived := layers.before(step, 1 - step.depth)) is not None:
            hops.append((derived, step.symbol.chunk_id, step))
    for step in answer.derived:
        if (base := layers.before(step, step.depth - 1)) is not None:
            hops.append((step.symbol.chunk_id, base, step))
    return _graph(layers, hops, opened, f"hierarchy of {short_name(answer.symbol)}", answer.symbol)


def impact_graph(answer: Impact, opened: Collection[str] = ()) -> GraphExport:
    """Return what a change affects as a graph: the changed definitions on the left, and a layer for each hop."""
    layers = _Layers()
    for symbol in answer.changed:
        layers.add(symbol, 0)
    for step in answer.affected:
        layers.add(step.symbol, step.depth)
    hops: list[tuple[int, int, Step]] = []
    for step in answer.affected:
        if (before := layers.before(step, step.depth - 1)) is not None:
            hops.append((before, step.symbol.chunk_id, replace(step, kind="affects")))
    center = answer.changed[0] if len(answer.changed) == 1 else None
    counts = Counter(step.depth for step in answer.affected)
    headings = [f"changed: {len(answer.changed):,}"]
    headings += [f"{depth} {'hop' if depth == 1 else 'hops'}: {counts[depth]:,}" for depth in sorted(counts)]
    graph = _graph(layers, hops, opened, "impact of the change", center)
    return replace(graph, certainty=answer.certainty, layers=tuple(headings) if answer.changed else ())


def _graph(
    layers: _Layers,
    hops: Iterable[tuple[int, int, Step]],
    opened: Collection[str],
    title: str,
    center: Symbol | None,
) -> GraphExport:
    """Return the graph of the nodes in layers, with an edge for the references between two nodes.

    Each of `hops` is (source, target, step), with chunk ids. `center` is the definition that the picture is about, if it is
    about one.
    """
    nodes, shown = layers.nodes(opened)
    edges = edges_of(Hop(shown[source], shown[target], step) for source, target, step in hops)
    middle = shown[center.chunk_id] if center is not None else ""
    return GraphExport(tuple(nodes), tuple(edges), center=middle, title=title)
