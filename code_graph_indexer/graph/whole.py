"""Answer questions that need the whole graph: unused definitions, import cycles, hubs, communities and export."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

import networkx as nx
import numpy as np

from code_graph_indexer.graph.declared import DECLARES
from code_graph_indexer.results import Community, GraphEdge, GraphExport, GraphNode, Hub, Symbol, Unused
from code_graph_indexer.storage import Store

CALLABLE_KINDS = frozenset({"function", "method", "macro"})
CANDIDATE_KINDS = CALLABLE_KINDS | {"class", "struct", "interface", "trait", "enum", "type", "protocol", "object"}
"""Kinds of definitions that can be listed as unused."""

USES = ("calls", "references", "inherits", "imports", "overrides")
"""Kinds of edges that prove that their target is used."""

EXPORTED = ("calls", "inherits", "overrides", "references")
"""Kinds of edges in an exported graph around definitions."""

ENTRY_NAMES = re.compile(r"^(main|__\w+__|_start|init|setUp\w*|tearDown\w*|test_?\w*|default)$")
"""Pattern of names that a runtime or a test runner calls by itself, such as `main`."""

NOWHERE_ELSE, ELSEWHERE, OVERRIDABLE, REGISTERED = 0.95, 0.6, 0.4, 0.3
"""Confidence that a definition without a known reference is unused.

In this order: its name occurs nowhere else, its name occurs elsewhere, dynamic dispatch may reach it, a decorator may
register it.
"""

DAMPING, ROUNDS = 0.85, 50
"""Parameters of PageRank (Brin and Page 1998). After fifty rounds the ranks of code graphs no longer change."""

LOUVAIN_SEED = 1
"""Seed of the random numbers in Louvain's algorithm. A fixed seed gives the same communities for the same graph."""

_TOKEN = re.compile(r"[^\W\d]\w*")


class WholeGraph:
    """The questions to the graph of a store that need all of its edges."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def unused(self, *, min_confidence: float = ELSEWHERE, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, most certain first.

        Entry points (`main`), definitions in example, generated or vendored files, and names of unresolved calls are left
        out. `tests` includes definitions in tests.
        """
        nodes = self._store.nodes()
        # A function that only calls itself is unused.
        used = {edge.chunk_id for edge in self._store.all_edges(USES) if edge.of != edge.chunk_id}
        declarations = self._store.all_edges([DECLARES])
        # A definition stands for its declarations, which nothing leads to.
        used.update(edge.of for edge in declarations)
        declared = Counter(edge.chunk_id for edge in declarations)
        overriding = {edge.of for edge in self._store.all_edges(["overrides"])}
        # A base outside the repository may call what it declares.
        outside = self._store.open_sources("inherits")
        open_names = self._store.open_call_names()
        parents = self._store.parents()
        marked = self._store.marked_files()
        candidates = [
            symbol
            for symbol in nodes.values()
            if symbol.kind in CANDIDATE_KINDS
            and symbol.chunk_id not in used
            and symbol.file_path not in marked
            and (tests or not symbol.is_test)
            # An unresolved call of that name may mean this definition.
            and symbol.name not in open_names
            and not ENTRY_NAMES.match(symbol.name)
        ]
        mentions = self._mentions({symbol.name for symbol in candidates})
        verdicts: list[Unused] = []
        for symbol in candidates:
            inherited = symbol.kind == "method" and parents.get(symbol.chunk_id) in outside
            dispatched = symbol.chunk_id in overriding or inherited
            # A declaration names the definition, and is no use of it.
            mentioned = mentions[symbol.name] - declared[symbol.chunk_id]
            verdict = _verdict(symbol, mentioned, dispatched=dispatched)
            if verdict.confidence >= min_confidence:
                verdicts.append(verdict)
        return sorted(
            verdicts, key=lambda verdict: (-verdict.confidence, verdict.symbol.file_path, verdict.symbol.start_line)
        )

    def _mentions(self, names: set[str]) -> Counter[str]:
        """Count how often each name occurs as a whole word in the texts of all files."""
        counts: Counter[str] = Counter()
        for text in self._store.texts():
            counts.update(token for token in _TOKEN.findall(text) if token in names)
        return counts

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, shortest first. Each cycle is a tuple of paths.

        Each strongly connected group of files (every file reaches every other) gives one cycle.
        """
        graph = nx.DiGraph((source, target) for source, target, _ in self._file_edges(["imports"]) if source != target)
        groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
        cycles = [tuple(_shortest_cycle(graph, sorted(group))) for group in groups]
        return sorted(cycles, key=lambda cycle: (len(cycle), cycle))

    def hubs(self, limit: int, *, tests: bool = False) -> list[Hub]:
        """List the definitions on which most of the code depends, highest PageRank first, at most `limit`.

        The rank is computed over calls and inheritance. `tests` includes definitions in tests.
        """
        nodes = self._store.nodes()
        edges = self._store.all_edges(["calls", "inherits"])
        pairs = {(edge.of, edge.chunk_id) for edge in edges if edge.of != edge.chunk_id}
        # Edges from tests would rank what is tested most, not what the code depends on.
        eligible = {chunk_id for chunk_id, symbol in nodes.items() if tests or not symbol.is_test}
        pairs = {pair for pair in pairs if pair[0] in eligible and pair[1] in eligible}
        ranks = page_rank(sorted(pairs))
        callers, callees = Counter(target for _, target in pairs), Counter(source for source, _ in pairs)
        ranking = sorted(ranks, key=lambda chunk_id: (-ranks[chunk_id], chunk_id))
        # A module stands for the top level of its file, not for a definition.
        best = [chunk_id for chunk_id in ranking if nodes[chunk_id].kind != "module"][:limit]
        return [Hub(nodes[chunk_id], callers[chunk_id], callees[chunk_id], ranks[chunk_id]) for chunk_id in best]

    def communities(self, *, tests: bool = False) -> list[Community]:
        """List groups of files that refer to each other more than to other files, largest group first.

        The groups come from Louvain's algorithm (Blondel et al. 2008). `tests` includes files with tests.
        """
        graph: nx.Graph[str] = nx.Graph()
        left_out = set() if tests else {symbol.file_path for symbol in self._store.nodes().values() if symbol.is_test}
        incoming: Counter[str] = Counter()
        for source, target, weight in self._file_edges(["calls", "imports", "inherits", "references"]):
            if source != target and source not in left_out and target not in left_out:
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
        weights = {(a, b): weight for a, b, weight in self._file_edges(["calls", "imports", "inherits"]) if a != b}
        degree = Counter(end for pair, weight in weights.items() for end in pair for _ in range(min(weight, 9)))
        paths = {path for path, _ in degree.most_common(limit)}
        nodes = tuple(GraphNode(path, PurePosixPath(path).name, "file", path) for path in sorted(paths))
        edges = (
            GraphEdge(a, b, "refers", weight, 1.0) for (a, b), weight in sorted(weights.items()) if {a, b} <= paths
        )
        return GraphExport(nodes, tuple(edges), len(paths) < len(degree))

    def export_around(self, starts: Sequence[Symbol], depth: int, limit: int) -> GraphExport:
        """Return the graph around definitions, at most `depth` hops away and with at most `limit` nodes.

        Hops follow calls, references, inheritance and overriding, in both directions.
        """
        symbols, truncated = self._around(starts, depth, limit)
        nodes = tuple(
            GraphNode(str(chunk_id), _label(symbol), symbol.kind, symbol.file_path)
            for chunk_id, symbol in symbols.items()
        )
        weights: Counter[tuple[int, int, str]] = Counter()
        confidences: dict[tuple[int, int, str], float] = {}
        for kind in EXPORTED:
            # Outgoing edges are enough: every edge between two of the nodes leaves one of them.
            for edge in self._store.edges(list(symbols), kind, incoming=False):
                if edge.chunk_id in symbols:
                    key = (edge.of, edge.chunk_id, kind)
                    weights[key] += 1
                    confidences[key] = max(confidences.get(key, 0.0), edge.confidence)
        edges = tuple(
            GraphEdge(str(a), str(b), kind, count, confidences[a, b, kind]) for (a, b, kind), count in weights.items()
        )
        return GraphExport(nodes, edges, truncated)

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

    def _file_edges(self, kinds: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        """Yield (source path, target path, number of edges) for each pair of files with edges of these kinds."""
        files = {chunk_id: symbol.file_path for chunk_id, symbol in self._store.nodes().items()}
        weights = Counter((files.get(edge.of), files.get(edge.chunk_id)) for edge in self._store.all_edges(kinds))
        for (source, target), weight in weights.items():
            if source is not None and target is not None:
                yield source, target, weight


def _label(symbol: Symbol) -> str:
    return ".".join(symbol.qualified_name.split(".")[-2:]) or symbol.file_path


def _verdict(symbol: Symbol, mentions: int, *, dispatched: bool) -> Unused:
    """Return how certain it is that a definition is unused, with the reason.

    `mentions` is the number of times that its name occurs in all texts, with the definition itself. `dispatched` says whether
    dynamic dispatch may reach the definition.
    """
    # `@route` is a decorator or annotation, `#[test]` an attribute of Rust. A framework may call what has one.
    if symbol.signature.startswith("@") or symbol.signature.startswith("#["):
        return Unused(symbol, REGISTERED, "it is decorated, and may be registered by that")
    if dispatched:
        reason = "it overrides, or its class has a base outside the repository, which may call it"
        return Unused(symbol, OVERRIDABLE, reason)
    if mentions > 1:
        reason = f"its name stands in {mentions - 1} more places, as text or as another thing of that name"
        return Unused(symbol, ELSEWHERE, reason)
    return Unused(symbol, NOWHERE_ELSE, "its name stands nowhere else")


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


def page_rank(pairs: Sequence[tuple[int, int]]) -> dict[int, float]:
    """Return the PageRank (Brin and Page 1998) of each node of a directed graph. The ranks add up to 1."""
    nodes = sorted({node for pair in pairs for node in pair})
    if not nodes:
        return {}
    position = {node: index for index, node in enumerate(nodes)}
    source = np.array([position[a] for a, _ in pairs])
    target = np.array([position[b] for _, b in pairs])
    out = np.bincount(source, minlength=len(nodes))
    rank = np.full(len(nodes), 1 / len(nodes))
    for _ in range(ROUNDS):
        share = np.bincount(target, weights=rank[source] / out[source], minlength=len(nodes))
        # Nodes without outgoing edges spread their rank over all nodes.
        lost = rank[out == 0].sum() / len(nodes)
        rank = (1 - DAMPING) / len(nodes) + DAMPING * (share + lost)
    return dict(zip(nodes, rank.tolist(), strict=True))
