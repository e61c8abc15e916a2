"""Questions to the graph as a whole: what is unused, cycles of imports, hubs, communities, and its export."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

import networkx as nx
import numpy as np

from code_graph_indexer.results import Community, GraphEdge, GraphExport, GraphNode, Hub, Symbol, Unused
from code_graph_indexer.storage import Store

CALLABLE_KINDS = frozenset({"function", "method", "macro"})
CANDIDATE_KINDS = CALLABLE_KINDS | {"class", "struct", "interface", "trait", "enum", "type", "protocol", "object"}
"""Kinds of definitions that may be called unused."""

USES = ("calls", "references", "inherits", "imports", "overrides")
"""Kinds of edges that show that their target is used."""

ENTRY_NAMES = re.compile(r"^(main|__\w+__|_start|init|setUp\w*|tearDown\w*|test_?\w*|default)$")
"""Names that a runtime calls by itself."""

NOWHERE_ELSE, ELSEWHERE, OVERRIDABLE, REGISTERED = 0.95, 0.6, 0.4, 0.3
"""How sure it is that a definition without a known reference is unused, by what else speaks of it."""

DAMPING, ROUNDS = 0.85, 50
"""Of PageRank (Brin and Page 1998); after fifty rounds ranks of graphs of code no longer move."""

LOUVAIN_SEED = 1
"""Communities are found by chance moves; a fixed seed gives the same ones each time."""

_TOKEN = re.compile(r"[^\W\d]\w*")


class WholeGraph:
    """Answer questions that need all edges of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def unused(self, *, min_confidence: float = ELSEWHERE, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, surest first.

        Left out are entry points, what a call that could not be linked may mean by its name, and what is exported.
        """
        nodes = self._store.nodes()
        used = {one.chunk_id for one in self._store.all_edges(USES) if one.of != one.chunk_id}
        overriding = {one.of for one in self._store.all_edges(["overrides"])}
        # A base outside the repository may call what it declares.
        outside = self._store.open_sources("inherits")
        open_names = self._store.open_call_names()
        parents = self._store.parents()
        marked = self._store.marked_files()
        candidates = [
            one
            for one in nodes.values()
            if one.kind in CANDIDATE_KINDS
            and one.chunk_id not in used
            and one.file_path not in marked
            and (tests or not one.is_test)
            and one.name not in open_names
            and not ENTRY_NAMES.match(one.name)
        ]
        mentions = self._mentions({one.name for one in candidates})
        found: list[Unused] = []
        for one in candidates:
            dispatched = one.chunk_id in overriding or (one.kind == "method" and parents.get(one.chunk_id) in outside)
            verdict = _verdict(one, mentions[one.name], dispatched=dispatched)
            if verdict.confidence >= min_confidence:
                found.append(verdict)
        return sorted(found, key=lambda each: (-each.confidence, each.symbol.file_path, each.symbol.start_line))

    def _mentions(self, names: set[str]) -> Counter[str]:
        """Count how often each of these names stands in the texts of all files."""
        counts: Counter[str] = Counter()
        for text in self._store.texts():
            counts.update(token for token in _TOKEN.findall(text) if token in names)
        return counts

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, one for each group, shortest first."""
        graph = nx.DiGraph((source, target) for source, target, _ in self._file_edges(["imports"]) if source != target)
        groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
        found = [tuple(_shortest_cycle(graph, sorted(group))) for group in groups]
        return sorted(found, key=lambda cycle: (len(cycle), cycle))

    def hubs(self, limit: int, *, tests: bool = False) -> list[Hub]:
        """List the definitions that most depends on, by PageRank in the graph of calls."""
        nodes = self._store.nodes()
        pairs = {
            (one.of, one.chunk_id) for one in self._store.all_edges(["calls", "inherits"]) if one.of != one.chunk_id
        }
        kept = {chunk_id for chunk_id, one in nodes.items() if tests or not one.is_test}
        pairs = {pair for pair in pairs if pair[0] in kept and pair[1] in kept}
        ranks = page_rank(sorted(pairs))
        callers, callees = Counter(b for _, b in pairs), Counter(a for a, _ in pairs)
        best = sorted(ranks, key=lambda one: (-ranks[one], one))
        named = [one for one in best if nodes[one].kind != "module"][:limit]
        return [Hub(nodes[one], callers[one], callees[one], ranks[one]) for one in named]

    def communities(self, *, tests: bool = False) -> list[Community]:
        """Group files that refer to each other more than to others (Louvain, Blondel et al. 2008), largest first."""
        graph: nx.Graph[str] = nx.Graph()
        left_out = set() if tests else {one.file_path for one in self._store.nodes().values() if one.is_test}
        incoming: Counter[str] = Counter()
        for source, target, weight in self._file_edges(["calls", "imports", "inherits", "references"]):
            if source != target and source not in left_out and target not in left_out:
                known = graph.get_edge_data(source, target, {"weight": 0})["weight"]
                graph.add_edge(source, target, weight=known + weight)
                incoming[target] += weight
        groups = nx.community.louvain_communities(graph, seed=LOUVAIN_SEED) if graph else []
        found = [_community(graph, sorted(group), incoming) for group in groups]
        return sorted(found, key=lambda one: (-len(one.files), one.folder))

    def export_files(self, limit: int) -> GraphExport:
        """Give the graph of files: an edge for all references from one file to another."""
        weights = {(a, b): weight for a, b, weight in self._file_edges(["calls", "imports", "inherits"]) if a != b}
        degree = Counter(end for pair, weight in weights.items() for end in pair for _ in range(min(weight, 9)))
        kept = {path for path, _ in degree.most_common(limit)}
        nodes = tuple(GraphNode(path, PurePosixPath(path).name, "file", path) for path in sorted(kept))
        edges = (GraphEdge(a, b, "refers", weight, 1.0) for (a, b), weight in sorted(weights.items()) if {a, b} <= kept)
        return GraphExport(nodes, tuple(edges), len(kept) < len(degree))

    def export_around(self, starts: Sequence[Symbol], depth: int, limit: int) -> GraphExport:
        """Give the graph of definitions around some of them, both ways along calls, inheritance and overriding."""
        kinds = ("calls", "inherits", "overrides", "references")
        kept = dict.fromkeys(one.chunk_id for one in starts)
        level = list(kept)
        truncated = False
        for _ in range(depth):
            near = (
                edge.chunk_id
                for kind in kinds
                for incoming in (False, True)
                for edge in self._store.edges(level, kind, incoming=incoming)
            )
            level = [one for one in dict.fromkeys(near) if one not in kept]
            truncated = truncated or len(kept) + len(level) > limit
            level = level[: max(0, limit - len(kept))]
            kept.update(dict.fromkeys(level))
        symbols = self._store.nodes(list(kept))
        nodes = tuple(
            GraphNode(str(one), _label(symbols[one]), symbols[one].kind, symbols[one].file_path) for one in symbols
        )
        weights: Counter[tuple[int, int, str]] = Counter()
        sure: dict[tuple[int, int, str], float] = {}
        for kind in kinds:
            for edge in self._store.edges(list(symbols), kind, incoming=False):
                if edge.chunk_id in symbols:
                    key = (edge.of, edge.chunk_id, kind)
                    weights[key] += 1
                    sure[key] = max(sure.get(key, 0.0), edge.confidence)
        edges = tuple(
            GraphEdge(str(a), str(b), kind, count, sure[a, b, kind]) for (a, b, kind), count in weights.items()
        )
        return GraphExport(nodes, edges, truncated)

    def _file_edges(self, kinds: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        files = {chunk_id: one.file_path for chunk_id, one in self._store.nodes().items()}
        weights = Counter((files.get(one.of), files.get(one.chunk_id)) for one in self._store.all_edges(kinds))
        for (source, target), weight in weights.items():
            if source is not None and target is not None:
                yield source, target, weight


def _label(one: Symbol) -> str:
    return ".".join(one.qualified_name.split(".")[-2:]) or one.file_path


def _verdict(one: Symbol, mentions: int, *, dispatched: bool) -> Unused:
    if one.signature.startswith("@") or one.signature.startswith("#["):
        return Unused(one, REGISTERED, "it is decorated, and may be registered by that")
    if dispatched:
        return Unused(
            one, OVERRIDABLE, "it overrides, or its class has a base outside the repository, which may call it"
        )
    if mentions > 1:
        return Unused(
            one, ELSEWHERE, f"its name stands in {mentions - 1} more places, as text or as another thing of that name"
        )
    return Unused(one, NOWHERE_ELSE, "its name stands nowhere else")


def _shortest_cycle(graph: "nx.DiGraph[str]", group: Sequence[str]) -> list[str]:
    """Find a shortest cycle through the first file of a group that has one."""
    inside = graph.subgraph(group)
    best: list[str] = []
    for start in group[:50]:
        for after in sorted(inside.successors(start)):
            path = nx.shortest_path(inside, after, start)
            if not best or len(path) < len(best):
                best = [start, *path[:-1]]
        if len(best) == 2:
            break
    return best


def _community(graph: "nx.Graph[str]", group: list[str], incoming: Counter[str]) -> Community:
    own = set(group)
    inside = outside = 0
    weighted: Iterable[tuple[str, str, int]] = graph.edges(group, data="weight")
    for source, target, weight in weighted:
        if source in own and target in own:
            inside += weight
        else:
            outside += weight
    folders = Counter(str(parent) for path in group for parent in PurePosixPath(path).parents if str(parent) != ".")
    deep = [folder for folder, count in folders.items() if count > len(group) / 2]
    folder = max(deep, key=lambda one: (one.count("/"), one), default="")
    hubs = sorted(group, key=lambda path: (-incoming[path], path))[:3]
    return Community(folder, tuple(group), tuple(hubs), inside, outside)


def page_rank(pairs: Sequence[tuple[int, int]]) -> dict[int, float]:
    """Rank the nodes of a directed graph by PageRank (Brin and Page 1998); the ranks add up to 1."""
    nodes = sorted({one for pair in pairs for one in pair})
    if not nodes:
        return {}
    position = {one: place for place, one in enumerate(nodes)}
    source = np.array([position[a] for a, _ in pairs])
    target = np.array([position[b] for _, b in pairs])
    out = np.bincount(source, minlength=len(nodes))
    rank = np.full(len(nodes), 1 / len(nodes))
    for _ in range(ROUNDS):
        share = np.bincount(target, weights=rank[source] / out[source], minlength=len(nodes))
        lost = rank[out == 0].sum() / len(nodes)
        rank = (1 - DAMPING) / len(nodes) + DAMPING * (share + lost)
    return dict(zip(nodes, rank.tolist(), strict=True))
