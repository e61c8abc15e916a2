"""Walk to all that uses some definitions over a graph in memory, and show only the steps that a reader looks at.

The steps are those of a `Walk`, many times faster where there are thousands of them. Tests compare both.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.graph.declared import Declared
from code_graph_indexer.graph.results import CERTAINTIES, Step, UsesOfKind
from code_graph_indexer.graph.walk import OUTER, Limits, Walk
from code_graph_indexer.results import ALTERNATIVE_DEFINITION, ANOTHER_BUILD, CALLED_BACK, PROVEN, Symbol
from code_graph_indexer.storage import FIRST_MEMBER, Edge, Store
from code_graph_indexer.storage.arrays import DIGITS, EDGE_KINDS, FUNCTION, MODULE, GraphArrays, positions

Rows = NDArray[np.void]
"""Steps as rows of STEP."""

Nodes = NDArray[np.int64]
"""Positions among the nodes of a graph."""

STEP = np.dtype(
    [
        ("near", np.int32),
        ("far", np.int32),
        ("holder", np.int32),
        ("kind", np.int8),
        ("line", np.int32),
        ("confidence", np.float64),
        ("depth", np.int16),
        ("may", np.bool_),
        ("alternative", np.bool_),
    ]
)
"""A step: the nodes at both ends, the node that holds the reference, and the rest of a `Step`."""

MAX_REMEMBERED = 1_000_000
"""Most steps by dispatch that are remembered, in 30 MB. In a large hierarchy each override has all calls of its base."""


class Spread:
    """Walks from definitions to all that uses them, over a graph in memory."""

    def __init__(self, store: Store, graph: GraphArrays) -> None:
        self._store = store
        self.graph = graph
        self._declared = Declared(store)
        # What was found out of single nodes: whether they have alternatives, or -1, and their steps by dispatch.
        self._has_alternatives = np.full(len(graph.nodes), -1, np.int8)
        self._by_dispatch: dict[int, Rows] = {}
        self._remembered = 0

    def nodes(self, chunk_ids: Sequence[int]) -> Nodes:
        """Return the nodes of these chunks. Unknown ids are left out."""
        wanted, ids = np.array(chunk_ids, np.int64), self.graph.nodes["id"]
        places = positions(wanted, ids)
        return places[ids[places] == wanted] if len(ids) else places[:0]

    def paths(self, rows: Rows) -> NDArray[np.int32]:
        """Return the position of the path of each step's definition."""
        files: NDArray[np.int32] = self.graph.nodes["file"][rows["far"]]
        return files

    def path(self, position: int) -> str:
        """Return the path at a position."""
        return self.graph.paths[position]

    def are_tests(self, rows: Rows) -> NDArray[np.bool_]:
        """Return for each step whether it leads to a test."""
        tests: NDArray[np.bool_] = self.graph.tests[rows["far"]]
        return tests

    def holds(self, node_ids: Sequence[int]) -> bool:
        """Say whether all of these are chunks of the graph, and none is a member, such as a constant."""
        return len(self.nodes(node_ids)) == len(node_ids)

    def steps(
        self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str], first: Sequence[str] = ()
    ) -> tuple[Rows, bool]:
        """Return the steps of a walk in their order, and whether a limit ended it. `by_name` is not followed.

        `first` are kinds that are followed from the start alone. The graph has no members, such as constants, so from those
        the first steps are read from the store.
        """
        walk = Walk(self._store, limits, kinds, incoming=True, first=first)
        start_ids = list(dict.fromkeys(chunk_ids))
        starts = self.nodes(start_ids)
        count = len(self.graph.nodes)
        seen = np.zeros(count, np.bool_)
        seen[starts] = True
        # The surest way to each node.
        ways = np.zeros(count + 1, STEP)
        # The last one is that to any member.
        ways["confidence"][[*starts, -1]] = 1.0
        walked, level, truncated = [np.zeros(0, STEP)], starts, False
        for depth in range(1, limits.depth + 1):
            followed = (*kinds, *first) if depth == 1 else kinds
            is_stored = depth == 1 and len(starts) < len(start_ids)
            rows = self._stored(walk.pairs(start_ids, 1)) if is_stored else self._edges(level, followed, limits)
            rows, ends = self._level(rows, followed, ways)
            rows["depth"] = depth
            walked.append(rows)
            targets = rows["far"]
            fresh = rows[~seen[targets]]
            # The last row of a node stays, which is its surest.
            surest = fresh[np.lexsort((fresh["alternative"], -fresh["confidence"], fresh["may"]))[::-1]]
            ways[surest["far"]] = surest
            nodes, place = np.unique(fresh["far"], return_index=True)
            level = nodes[np.argsort(place)].astype(np.int64)
            level = level[(self.graph.nodes["kind"][level] != MODULE) & ~np.isin(level, ends)]
            seen[level] = True
            if not len(level):
                break
            if walk.over(int(seen.sum())):
                truncated = True
                break
        else:
            truncated = limits.depth > 1 and len(level) > 0
        rows = np.concatenate(walked)
        return (rows[self.are_tests(rows)] if limits.tests else rows), truncated

    def _level(self, rows: Rows, kinds: Sequence[str], ways: Rows) -> tuple[Rows, Nodes]:
        """Return the steps that lead away from a level, the surest first, and the nodes where the walk ends, as in `Walk`.

        None is more certain than the way to it (`ways`).
        """
        is_end = (rows["confidence"] == CALLED_BACK) & ("references" in kinds)
        ends = np.setdiff1d(rows["far"][is_end], rows["far"][~is_end]).astype(np.int64)
        # No step is more certain than the way to it.
        before = ways[np.maximum(rows["near"], -1)]
        rows["may"] |= before["may"]
        rows["confidence"] = np.minimum(rows["confidence"], before["confidence"])
        rows["alternative"] |= before["alternative"]
        files = self.graph.nodes["file"][rows["holder"]]
        return rows[np.lexsort((rows["line"], files, self.are_tests(rows), -rows["confidence"], rows["may"]))], ends

    def _stored(self, pairs: Sequence[tuple[int, Step]]) -> Rows:
        """Return steps of a `Walk` as rows. A member at the near end is counted from -1 down."""
        ids, files = self.graph.nodes["id"], self.graph.nodes["file"]
        rows = np.zeros(len(pairs), STEP)
        near = np.array([node_id for node_id, _ in pairs], np.int64)
        rows["near"] = np.where(near < FIRST_MEMBER, positions(near, ids), FIRST_MEMBER - 1 - near)
        rows["far"] = positions(np.array([step.symbol.chunk_id for _, step in pairs], np.int64), ids)
        # A declaration holds the edge of its definition, in a file of its own. Of that, any node will do.
        places = {path: place for place, path in enumerate(self.graph.paths)}
        paths = np.array([places[step.file_path] for _, step in pairs], np.int64)
        in_file, first = np.unique(files, return_index=True)
        rows["holder"] = np.where(files[rows["far"]] == paths, rows["far"], first[positions(paths, in_file)])
        rows["kind"] = [EDGE_KINDS.index(step.kind) for _, step in pairs]
        for name in ("line", "confidence", "may", "alternative"):
            rows[name] = [getattr(step, name) for _, step in pairs]
        return rows

    def _edges(self, level: Nodes, kinds: Sequence[str], limits: Limits) -> Rows:
        """Return the edges to the nodes of a level that the limits allow, as steps in the order of `Walk.pairs`."""
        parts = [self._direct(level, kinds)]
        overrides = self.graph.outgoing[level] >> EDGE_KINDS.index("overrides") & 1 == 1
        if limits.dispatch and "calls" in kinds and overrides.any():
            parts.append(self._dispatched(level[overrides]))
        rows = np.concatenate(parts)
        rows = rows[rows["confidence"] >= limits.min_confidence]
        if limits.to_outer:
            rows = np.concatenate([rows, self._to_outer(level)])
        if limits.tests is False:
            rows = rows[~self.are_tests(rows)]
        unsure = np.flatnonzero(rows["confidence"] <= ALTERNATIVE_DEFINITION)
        rows["alternative"][unsure] = (rows["confidence"][unsure] == ANOTHER_BUILD) | np.isin(
            rows["near"][unsure], self._with_alternatives(np.unique(rows["near"][unsure]))
        )
        return rows

    def _direct(self, level: Nodes, kinds: Sequence[str]) -> Rows:
        """Return the edges to the nodes of a level as steps: by kind, and then in order of source and ordinal."""
        graph = self.graph
        first, count = graph.first[level], graph.first[level + 1] - graph.first[level]
        # The places of all edges: each run counts up from its first place.
        runs = np.repeat(first - np.concatenate([[0], np.cumsum(count)[:-1]]), count) if len(level) else first
        places = runs + np.arange(len(runs))
        near = np.repeat(level, count)
        # Kinds that are not followed have no rank.
        rank = np.full(len(EDGE_KINDS) + 1, -1, np.int8)
        rank[[EDGE_KINDS.index(kind) for kind in kinds]] = np.arange(len(kinds))
        ranks = rank[graph.edges["kind"][places]]
        order = np.lexsort((graph.numbers[places], ranks))
        order = order[ranks[order] >= 0]
        edges = graph.edges[places[order]]
        rows = np.zeros(len(edges), STEP)
        rows["near"], rows["holder"], rows["kind"], rows["line"] = (
            near[order],
            edges["source"],
            edges["kind"],
            edges["line"],
        )
        rows["confidence"] = np.round(edges["confidence"].astype(np.float64), DIGITS)
        inherits = edges["kind"] == EDGE_KINDS.index("inherits")
        # What a declaration inherits, such as an `@interface`, its definition does.
        rows["far"] = np.where(inherits, self.graph.behind[edges["source"]], edges["source"])
        return rows

    def _calls(self, edges: Sequence[Edge]) -> Rows:
        """Return calls as steps."""
        ids = self.graph.nodes["id"]
        rows = np.zeros(len(edges), STEP)
        rows["near"] = positions(np.array([edge.of for edge in edges], np.int64), ids)
        rows["far"] = rows["holder"] = positions(np.array([edge.chunk_id for edge in edges], np.int64), ids)
        rows["kind"] = EDGE_KINDS.index("calls")
        rows["line"] = [edge.line for edge in edges]
        rows["confidence"] = [edge.confidence for edge in edges]
        return rows

    def _dispatched(self, level: Nodes) -> Rows:
        """Return the steps that only dynamic dispatch adds. They are cached by node, at most MAX_REMEMBERED."""
        walk = Walk(self._store, Limits(), ("calls",), incoming=True)
        # Another thread may begin a new memory meanwhile.
        memory = self._by_dispatch
        missing = np.array([node for node in level.tolist() if node not in memory], np.int64)
        rows = self._calls([edge for edge, _ in walk.dispatched(self.graph.nodes["id"][missing].tolist(), ())])
        rows["may"] = True
        order = np.argsort(rows["near"], kind="stable")
        bounds = np.searchsorted(rows["near"][order], np.stack([missing, missing + 1]))
        for node, start, end in zip(missing.tolist(), *bounds.tolist(), strict=True):
            memory[node] = rows[order[start:end]]
        steps = np.concatenate([memory[node] for node in level.tolist()])
        self._remembered += len(rows)
        if self._remembered > MAX_REMEMBERED:
            self._by_dispatch, self._remembered = {}, 0
        return steps

    def _to_outer(self, level: Nodes) -> Rows:
        """Return the steps from functions of the level to the functions around them. Classes in between are passed."""
        kinds, parents = self.graph.nodes["kind"], self.graph.nodes["parent"]
        inner = level[kinds[level] == FUNCTION]
        outer = parents[inner]
        while len(open_ends := np.flatnonzero((outer >= 0) & (kinds[outer] != FUNCTION))):
            outer[open_ends] = parents[outer[open_ends]]
        has_outer = outer >= 0
        rows = np.zeros(int(has_outer.sum()), STEP)
        rows["near"], rows["far"], rows["holder"] = inner[has_outer], outer[has_outer], outer[has_outer]
        rows["kind"], rows["confidence"] = EDGE_KINDS.index("references"), OUTER
        rows["line"] = self.graph.nodes["line"][rows["near"]]
        return rows

    def _with_alternatives(self, nodes: Nodes) -> Nodes:
        """Return those of these nodes that are one of several definitions, of which a build takes one."""
        missing = nodes[self._has_alternatives[nodes] < 0]
        functions = self._symbols(missing[self.graph.nodes["kind"][missing] == FUNCTION].tolist())
        self._has_alternatives[missing] = 0
        self._has_alternatives[self.nodes(list(self._declared.alternatives_of(list(functions.values()))))] = 1
        several: Nodes = nodes[self._has_alternatives[nodes] == 1]
        return several

    def _symbols(self, nodes: Iterable[int]) -> dict[int, Symbol]:
        """Map nodes to their definitions. Those that the store no longer has are left out."""
        chunk_ids = self.graph.nodes["id"]
        ids = {node: int(chunk_ids[node]) if node >= 0 else FIRST_MEMBER - 1 - node for node in dict.fromkeys(nodes)}
        symbols = self._store.nodes(list(ids.values())) if ids else {}
        return {node: symbols[chunk_id] for node, chunk_id in ids.items() if chunk_id in symbols}

    def symbols_in(self, rows: Rows, paths: Collection[str]) -> list[Symbol]:
        """List the definitions of these steps that are in some files."""
        if not paths:
            return []
        files = np.flatnonzero(np.isin(np.array(self.graph.paths), list(paths)))
        return list(self._symbols(np.unique(rows["far"][np.isin(self.paths(rows), files)]).tolist()).values())

    def read(self, rows: Rows) -> list[Step]:
        """Return these rows as steps."""
        return [step for _, step in self._read(rows)]

    def pairs(self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str]) -> Iterator[tuple[int, Step]]:
        """Yield the edges to some chunks, each as (id of the chunk, step), in the order of `Walk.pairs`."""
        return self._read(self.edges(chunk_ids, limits, kinds))

    def edges(self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str]) -> Rows:
        """Return the edges to some chunks as rows, in the order of `Walk.pairs`."""
        rows = self._edges(self.nodes(chunk_ids), kinds, limits)
        rows["depth"] = 1
        return rows

    @staticmethod
    def sureness(rows: Rows) -> NDArray[np.int64]:
        """Return how sure each step is, as a position in CERTAINTIES."""
        sure = (rows["confidence"] >= ALTERNATIVE_DEFINITION) | (rows["confidence"] == ANOTHER_BUILD)
        masks = {"may": rows["may"], "proven": rows["confidence"] >= PROVEN, "alternative": rows["alternative"] & sure}
        places = [CERTAINTIES.index(name) for name in masks]
        return np.select(list(masks.values()), places, CERTAINTIES.index("guessed"))

    def _read(self, rows: Rows) -> Iterator[tuple[int, Step]]:
        """Yield rows as steps, each with the chunk id of its near end. An end that the store no longer has drops the row."""
        symbols = self._symbols(np.unique([rows["near"], rows["far"], rows["holder"]]).tolist())
        names = {node: symbol.qualified_name or symbol.file_path for node, symbol in symbols.items()}
        kinds = dict(enumerate(EDGE_KINDS))
        for near, far, holder, kind, line, confidence, depth, may, alternative in rows.tolist():
            if near in symbols and far in symbols and holder in symbols:
                path = symbols[holder].file_path
                yield (
                    symbols[near].chunk_id,
                    Step(symbols[far], kinds[kind], path, line, confidence, depth, may, names[near], alternative),
                )

    def uses(self, chunk_id: int, limits: Limits, kinds: Sequence[str], most: int | None) -> list[UsesOfKind]:
        """List what uses a chunk directly, by kind and at most `most` of each, code before tests, then by path and line."""
        rows, _ = self.steps([chunk_id], limits, kinds)
        rows = rows[np.lexsort((rows["line"], self.graph.nodes["file"][rows["holder"]], self.are_tests(rows)))]
        by_kind = {kind: rows[rows["kind"] == EDGE_KINDS.index(kind)] for kind in kinds}
        return [
            UsesOfKind(kind, tuple(self.read(uses[:most])), len(uses)) for kind, uses in by_kind.items() if len(uses)
        ]

    def walked(self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str]) -> "ReachedRows":
        """Return the steps of a walk."""
        return ReachedRows(self, *self.steps(chunk_ids, limits, kinds))

    def reached(
        self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str], first: Sequence[str]
    ) -> "ReachedRows":
        """Return the first step to each definition that uses some chunks, directly or not."""
        rows, truncated = self.steps(chunk_ids, limits, kinds, first)
        # Steps come nearest and surest first, so the first step to a definition is its best.
        _, place = np.unique(rows["far"], return_index=True)
        firsts = rows[np.sort(place)]
        # A changed definition may call another changed one. It is listed as changed only.
        return ReachedRows(self, firsts[~np.isin(firsts["far"], self.nodes(chunk_ids))], truncated)

    def distances_of(
        self,
        wanted: Collection[int],
        chunk_ids: Sequence[int],
        limits: Limits,
        kinds: Sequence[str],
        first: Sequence[str],
    ) -> dict[int, int]:
        """Map those of the `wanted` chunks that a walk reaches to their numbers of hops."""
        rows, _ = self.steps(chunk_ids, limits, kinds, first)
        rows = rows[np.isin(rows["far"], self.nodes(list(wanted)))]
        nodes, place = np.unique(rows["far"], return_index=True)
        ids = self.graph.nodes["id"][nodes]
        return dict(zip(ids.tolist(), rows["depth"][place].tolist(), strict=True))

    def uses_in_tests(
        self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str], dispatch: int, first: Sequence[str]
    ) -> "ReachedRows":
        """Return the steps to tests, nearest first. Dispatch is followed up to the distance `dispatch`."""
        rows, truncated = self.steps(chunk_ids, limits, kinds, first)
        rows = rows[self.are_tests(rows) & (~rows["may"] | (rows["depth"] <= dispatch))]
        return ReachedRows(self, rows[np.lexsort((-rows["confidence"], rows["may"], rows["depth"]))], truncated)


class ReachedRows:
    """What a walk in memory reached. It has the methods of `Reached`, and reads only the definitions that are asked for."""

    def __init__(self, spread: Spread, rows: Rows, truncated: bool) -> None:
        self._spread = spread
        self._rows = rows
        self.truncated = truncated

    def nearest(self, most: int | None) -> list[Step]:
        """Return the first `most` steps of each distance, of code and of tests, or with None all steps."""
        rows = self._rows
        if most is not None:
            keys = rows["depth"].astype(np.int64) * 2 + self._spread.are_tests(rows)
            shown = [np.flatnonzero(keys == key)[:most] for key in np.unique(keys)]
            rows = rows[np.sort(np.concatenate(shown))] if shown else rows
        return self._spread.read(rows)

    def sureness(self) -> dict[str, int]:
        """Count the steps by how sure they are."""
        counts = np.bincount(self._spread.sureness(self._rows), minlength=len(CERTAINTIES)).tolist()
        return dict(zip(CERTAINTIES, counts, strict=True))

    def distances(self) -> list[int]:
        """Count the definitions that are no tests at each distance, from 1."""
        counts: list[int] = np.bincount(self._rows["depth"][~self._spread.are_tests(self._rows)])[1:].tolist()
        return counts

    def files(self) -> dict[str, tuple[int, float]]:
        """Map the path of each file with tests to its distance: a number of hops, and the doubt below zero."""
        rows = self._rows[self._spread.are_tests(self._rows)]
        _, place = np.unique(self._spread.paths(rows), return_index=True)
        rows = rows[np.sort(place)]
        # What only dispatch may reach counts as one hop farther.
        distances = zip((rows["depth"] + rows["may"]).tolist(), (-rows["confidence"]).tolist(), strict=True)
        return dict(zip(map(self._spread.path, self._spread.paths(rows).tolist()), distances, strict=True))

    def symbols_in(self, paths: Collection[str]) -> list[Symbol]:
        """List the definitions of the steps that are in some files."""
        return self._spread.symbols_in(self._rows, paths)
