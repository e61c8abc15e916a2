"""Divide a graph into layers, so that most edges lead from left to right, and find the edges that close a cycle."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from code_graph_indexer.picture.graph import GraphEdge, GraphNode


def layered(
    nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]
) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
    """Return nodes with their layers, and edges with a mark at those that close a cycle."""
    weights = {(edge.source, edge.target): edge.weight for edge in edges if edge.source != edge.target}
    order = {node_id: place for place, node_id in enumerate(_order([node.id for node in nodes], weights))}
    forward = [(source, target) for source, target in weights if order[source] < order[target]]
    layers = _longest_paths(sorted(order, key=order.__getitem__), forward)
    marked = tuple(replace(edge, cyclic=True) if order[edge.source] > order[edge.target] else edge for edge in edges)
    cyclic = _in_cycles(marked)
    return tuple(replace(node, layer=layers[node.id], cyclic=node.id in cyclic) for node in nodes), marked


def _in_cycles(edges: Sequence[GraphEdge]) -> set[str]:
    """Return the ids of the nodes on a cycle. Each edge that is marked as `cyclic` closes a cycle."""
    targets, sources = _neighbours((edge.source, edge.target) for edge in edges)
    members: set[str] = set()
    for edge in edges:
        if edge.cyclic and not {edge.source, edge.target} <= members:
            members |= _reached(edge.target, targets) & _reached(edge.source, sources)
    return members


def _neighbours(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Map nodes to their targets, and nodes to their sources."""
    targets: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        targets[source].add(target)
        sources[target].add(source)
    return targets, sources


def _reached(start: str, neighbours: Mapping[str, set[str]]) -> set[str]:
    """Return the nodes that a node reaches, with the node itself."""
    reached: set[str] = {start}
    waiting = [start]
    while waiting:
        fresh = neighbours.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached


def without_implied(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> tuple[GraphEdge, ...]:
    """Return edges without those that a way of edges as heavy implies. What is left reaches what all edges reach.

    If a depends on b and b on c, it is no news that a depends on c a little. A heavy edge is news in spite of any longer way.
    """
    layer = {node.id: node.layer or 0 for node in nodes}
    direct: list[GraphEdge] = []
    targets: dict[str, set[str]] = defaultdict(set)
    # Of edges as heavy, short ones come first, because long ones follow from them, and edges to the left last.
    for edge in sorted(
        edges, key=lambda edge: (-edge.weight, edge.cyclic, abs(layer[edge.target] - layer[edge.source]))
    ):
        if edge.target not in _reached(edge.source, targets):
            direct.append(edge)
            targets[edge.source].add(edge.target)
    return tuple(direct)


def _order(ids: Sequence[str], weights: Mapping[tuple[str, str], int]) -> list[str]:
    """Order nodes so that edges of little weight lead backwards (Eades, Lin and Smyth 1993)."""
    out: dict[str, dict[str, int]] = {node_id: {} for node_id in ids}
    into: dict[str, dict[str, int]] = {node_id: {} for node_id in ids}
    for (source, target), weight in weights.items():
        out[source][target] = weight
        into[target][source] = weight
    first: list[str] = []
    last: list[str] = []
    left = dict.fromkeys(ids)
    while left:
        sinks = [node_id for node_id in left if not out[node_id]]
        sources = [node_id for node_id in left if not into[node_id] and out[node_id]]
        # In a cycle, what gives more than it takes goes to the left.
        batch = (
            sinks
            or sources
            or [max(left, key=lambda node_id: sum(out[node_id].values()) - sum(into[node_id].values()))]
        )
        for node_id in batch:
            del left[node_id]
            for target in out.pop(node_id):
                into[target].pop(node_id, None)
            for source in into.pop(node_id):
                out[source].pop(node_id, None)
            out[node_id], into[node_id] = {}, {}
        if sinks:
            last += batch
        else:
            first += batch
    return [*first, *reversed(last)]


def _longest_paths(order: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Map nodes to layers: each is right of all that lead to it. A node that nothing leads to stands left of its first target.

    Layers may be negative. `order` has the source of every edge before its target.
    """
    sources: dict[str, list[str]] = defaultdict(list)
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        sources[target].append(source)
        targets[source].append(target)
    layers: dict[str, int] = {}
    for node_id in order:
        layers[node_id] = max((layers[source] + 1 for source in sources[node_id]), default=0)
    for node_id in reversed(order):
        if targets[node_id] and not sources[node_id]:
            layers[node_id] = min(layers[target] for target in targets[node_id]) - 1
    return layers
