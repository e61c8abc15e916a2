"""Answer questions that need the whole graph: import cycles, hubs, communities and export."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.graph.declared import Declared
from code_graph_indexer.graph.fold import short_name
from code_graph_indexer.graph.folders import FILE_USES
from code_graph_indexer.graph.layers import layered
from code_graph_indexer.graph.results import Community, Hub
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import Edge, Store
from code_graph_indexer.storage.arrays import EDGE_KINDS, GraphArrays, distinct

EXPORTED = ("calls", "inherits", "overrides", "references")
"""Kinds of edges in an exported graph around definitions."""

DAMPING, ROUNDS = 0.85, 50
"""Parameters of PageRank (Brin and Page 1998). After fifty rounds the ranks of code graphs no longer change."""

READ_HUBS = 100
"""How many definitions are read at once, of which hubs are listed."""

LOUVAIN_SEED = 1
"""Seed of the random numbers in Louvain's algorithm. A fixed seed gives the same communities for the same graph."""


Pairs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Ids of definitions in order, and for each pair of them the positions of its source and of its target, in order."""


class WholeGraph:
    """The questions to the graph of a store that need all of its edges."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, shortest first. Each cycle is a tuple of paths.

        Each strongly connected group of files (every file reaches every other) gives one cycle.
        """
        graph = nx.DiGraph((link.source, link.target) for link in self._store.links(["imports"]))
        groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
        cycles = [tuple(_shortest_cycle(graph, sorted(group))) for group in groups]
        return sorted(cycles, key=lambda cycle: (len(cycle), cycle))

    def hubs(self, limit: int, *, tests: bool = False, by_callers: bool = False) -> list[Hub]:
        """List the definitions on which most of the code depends, highest PageRank first, at most `limit`.

        The rank is computed over calls and inheritance. `tests` includes definitions in tests. With `by_callers`, only
        proven references count, and those with most callers come first.
        """
        least = PROVEN if by_callers else 0.0
        ids, sources, targets = (
            self._pairs(tests, least) if (graph := self._store.graph_arrays()) is None else _pairs(graph, tests, least)
        )
        ranks = page_rank(sources, targets, len(ids))
        callees, callers = (np.bincount(end, minlength=len(ids)) for end in (sources, targets))
        ranking = np.lexsort((ids, -ranks, -callers) if by_callers else (ids, -ranks))
        declared = Declared(self._store)
        hubs: list[Hub] = []
        shown: set[int] = set()
        for start in range(0, len(ranking), READ_HUBS):
            places = ranking[start : start + READ_HUBS].tolist()
            nodes = self._store.nodes(ids[places].tolist())
            for place in places:
                symbol = nodes.get(int(ids[place]))
                if len(hubs) >= limit:
                    return hubs
                # A module stands for the top level of its file, not for a definition.
                if symbol is not None and symbol.kind != "module" and symbol.chunk_id not in shown:
                    alternatives = tuple(declared.alternatives(symbol))
                    # One definition for each platform is one hub.
                    shown.update(alternative.chunk_id for alternative in alternatives)
                    counts = int(callers[place]), int(callees[place])
                    hubs.append(Hub(symbol, *counts, float(ranks[place]), alternatives))
        return hubs

    def _pairs(self, tests: bool, least: float) -> Pairs:
        """Return all pairs of definitions that calls and inheritance join, without `tests` only those outside of tests.

        `least` is the lowest confidence of an edge.
        """
        edges = self._store.all_edges(["calls", "inherits"])
        pairs = {(edge.of, edge.chunk_id) for edge in edges if edge.of != edge.chunk_id and edge.confidence >= least}
        # Edges from tests would rank what is tested most, not what the code depends on.
        in_tests = {symbol.chunk_id for symbol in self._store.nodes().values() if symbol.is_test and not tests}
        shown = [pair for pair in sorted(pairs) if in_tests.isdisjoint(pair)]
        ids, ends = np.unique(np.array(shown, np.int64).reshape(-1, 2), return_inverse=True)
        sources, targets = ends.reshape(-1, 2).T
        return ids, sources, targets

    def communities(self, *, tests: bool = False) -> list[Community]:
        """List groups of files that refer to each other more than to other files, largest group first.

        The groups come from Louvain's algorithm (Blondel et al. 2008). `tests` includes files with tests.
        """
        graph: nx.Graph[str] = nx.Graph()
        left_out = set() if tests else {symbol.file_path for symbol in self._store.nodes().values() if symbol.is_test}
        incoming: Counter[str] = Counter()
        for source, target, weight, *_ in self._store.links(FILE_USES):
            if source not in left_out and target not in left_out:
                # The graph has no direction, so references in both directions add up to one edge.
                before = graph.get_edge_data(source, target, {"weight": 0})["weight"]
                graph.add_edge(source, target, weight=before + weight)
                incoming[target] += weight
        groups = nx.community.louvain_communities(graph, seed=LOUVAIN_SEED) if graph else []
        communities = [_community(graph, sorted(group), incoming) for group in groups]
        return sorted(communities, key=lambda community: (-len(community.files), community.folder))

    def export_files(self, limit: int) -> GraphExport:
        """Return the graph of the `limit` files with most references.

        One edge combines all references from one file to another. Its weight is their number.
        """
        links = self._store.links(["calls", "imports", "inherits"])
        degree = Counter(end for link in links for end in link[:2] for _ in range(min(link.weight, 9)))
        paths = {path for path, _ in degree.most_common(limit)}
        nodes = tuple(GraphNode(path, PurePosixPath(path).name, "file", path) for path in sorted(paths))
        edges = (
            GraphEdge(link.source, link.target, "refers", link.weight, link.confidence, link.source, link.line)
            for link in links
            if link.source in paths and link.target in paths
        )
        return GraphExport(*layered(nodes, list(edges)), len(paths) < len(degree))

    def export_around(self, starts: Sequence[Symbol], depth: int, limit: int) -> GraphExport:
        """Return the graph around definitions, at most `depth` hops away and with at most `limit` nodes.

        Hops follow calls, references, inheritance and overriding, in both directions.
        """
        symbols, truncated = self._around(starts, depth, limit)
        nodes = tuple(
            GraphNode(
                str(chunk_id),
                short_name(symbol),
                symbol.kind,
                symbol.file_path,
                symbol.start_line,
                symbol.qualified_name,
                is_test=symbol.is_test,
            )
            for chunk_id, symbol in symbols.items()
        )
        between: dict[tuple[int, int, str], list[Edge]] = defaultdict(list)
        for kind in EXPORTED:
            # Outgoing edges are enough: every edge between two of the nodes leaves one of them.
            for edge in self._store.edges(list(symbols), kind, incoming=False):
                if edge.chunk_id in symbols:
                    between[edge.of, edge.chunk_id, kind].append(edge)
        edges = []
        for (source, target, kind), references in between.items():
            surest = max(references, key=lambda edge: edge.confidence)
            place = symbols[source].file_path, surest.line
            sureness = "proven" if surest.confidence >= PROVEN else "guessed"
            weight, confidence = len(references), surest.confidence
            edges.append(GraphEdge(str(source), str(target), kind, weight, confidence, *place, sureness))
        return GraphExport(*layered(nodes, edges), truncated)

    def _around(self, starts: Sequence[Symbol], depth: int, limit: int) -> tuple[dict[int, Symbol], bool]:
        """Return the nodes within `depth` hops by chunk id, at most `limit`, and whether the limit left out any nodes."""
        reached = dict.fromkeys(symbol.chunk_id for symbol in starts)
        level = list(reached)
        truncated = False
        for _ in range(depth):
            neighbours = (
                edge.chunk_id
                for kind in EXPORTED
                for incoming in (False, True)
                for edge in self._store.edges(level, kind, incoming=incoming)
            )
            level = [chunk_id for chunk_id in dict.fromkeys(neighbours) if chunk_id not in reached]
            truncated = truncated or len(reached) + len(level) > limit
            level = level[: max(0, limit - len(reached))]
            reached.update(dict.fromkeys(level))
        return self._store.nodes(list(reached)), truncated


def _shortest_cycle(graph: "nx.DiGraph[str]", group: Sequence[str]) -> list[str]:
    """Return a shortest cycle in a group of files, searched from its first fifty files."""
    inside = graph.subgraph(group)
    # Fifty starts bound the time in very large groups.
    best: list[str] = []
    for start in group[:50]:
        for after in sorted(inside.successors(start)):
            path = nx.shortest_path(inside, after, start)
            if not best or len(path) < len(best):
                best = [start, *path[:-1]]
        # No cycle is shorter than two files.
        if len(best) == 2:
            break
    return best


def _community(graph: "nx.Graph[str]", group: list[str], incoming: Counter[str]) -> Community:
    """Return a group of files as a community, with its folder, its three hubs and the numbers of its references.

    `incoming` has the number of references to each file.
    """
    members = set(group)
    inside = outside = 0
    weighted: Iterable[tuple[str, str, int]] = graph.edges(group, data="weight")
    for source, target, weight in weighted:
        if source in members and target in members:
            inside += weight
        else:
            outside += weight
    folders = Counter(str(parent) for path in group for parent in PurePosixPath(path).parents if str(parent) != ".")
    # The deepest folder that holds more than half of the files names the group.
    deep = [folder for folder, count in folders.items() if count > len(group) / 2]
    folder = max(deep, key=lambda path: (path.count("/"), path), default="")
    hubs = sorted(group, key=lambda path: (-incoming[path], path))[:3]
    return Community(folder, tuple(group), tuple(hubs), inside, outside)


def _pairs(graph: GraphArrays, tests: bool, least: float) -> Pairs:
    """Return all pairs of definitions that calls and inheritance join in a graph in memory, as `WholeGraph` does."""
    count, edges = len(graph.nodes), graph.edges
    targets = np.repeat(np.arange(count), np.diff(graph.first))
    followed = np.isin(edges["kind"], [EDGE_KINDS.index("calls"), EDGE_KINDS.index("inherits")])
    followed &= edges["source"] != targets
    # An edge holds its confidence in four bytes, in which 0.9 is a little less.
    followed &= edges["confidence"] >= np.float32(least)
    if not tests:
        followed &= ~(graph.tests[edges["source"]] | graph.tests[targets])
    # A pair as a single number is sorted many times faster than as two.
    keys = distinct(edges["source"][followed].astype(np.int64) * count + targets[followed])
    sources, targets = np.divmod(keys, max(1, count))
    ends = np.zeros(count, np.bool_)
    ends[sources] = ends[targets] = True
    places = np.cumsum(ends) - 1
    return graph.nodes["id"][ends], places[sources], places[targets]


def page_rank(source: NDArray[np.int64], target: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return the PageRank (Brin and Page 1998) of each of `count` nodes with edges. The ranks add up to 1.

    The nodes at the ends of the edges are numbers from 0.
    """
    # In order of the target, the sums are written one after the other, in a third of the time.
    order = np.argsort(target, kind="stable")
    source, target = source[order], target[order]
    out = np.bincount(source, minlength=count)
    divisor = np.maximum(out, 1)
    rank = np.full(count, 1 / max(1, count))
    for _ in range(ROUNDS if count else 0):
        share = np.bincount(target, weights=(rank / divisor)[source], minlength=count)
        # Nodes without outgoing edges spread their rank over all nodes.
        lost = rank[out == 0].sum() / count
        rank = (1 - DAMPING) / count + DAMPING * (share + lost)
    return rank
