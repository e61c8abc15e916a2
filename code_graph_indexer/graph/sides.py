"""Tell what is on a side of the picture of a definition: its callers or its callees, as a fold, and the edges to it.

A side is made of steps, or of rows of the graph in memory. A hub has ten thousands of callers, and a picture shows a few
folders of them, so rows are counted by file, and only the definitions that a box shows are read. Tests compare both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.graph.code_graph import sureness
from code_graph_indexer.graph.fold import (
    LINKS,
    Fold,
    Hop,
    edge_between,
    edges_of,
    file_fold,
    fill_file,
    fold_of,
    without_constructors,
)
from code_graph_indexer.graph.results import CERTAINTIES, Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.picture.graph import GraphEdge
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store

# Late, because a picture of steps does without NumPy.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.graph.spread import Rows, Spread
    from code_graph_indexer.storage import arrays
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")

MAX_ENDS = 2
"""The most members of a class that a box is joined to."""

CALLERS, CENTER, CALLEES = "<", "=", ">"
"""The sides of a picture. They begin the ids of its nodes."""


class StepSide:
    """A side that is made of steps, as (id in the center, step). The ends of calls are not asked twice for their classes."""

    def __init__(self, store: Store, side: str, pairs: Sequence[tuple[int, Step]]) -> None:
        ends = {chunk_id for near, step in pairs for chunk_id in (near, step.symbol.chunk_id)}
        around = store.classes_around(list(ends))
        self._side = side
        self._pairs = without_constructors(pairs, around)
        self._symbols = {step.symbol.chunk_id: step.symbol for _, step in self._pairs}
        self._classes = _classes(store, list(self._symbols), around)

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def fold(self) -> Fold:
        """Return the far ends as a fold, by folder, file and class."""
        return fold_of(self._side, list(self._symbols.values()), self._classes)

    def degrees(self) -> Counter[int]:
        """Count the definitions at the far end for each definition in the center."""
        return Counter(near for near, _ in {(near, step.symbol.chunk_id) for near, step in self._pairs})

    def edges(self, places: Mapping[str, str], whole: str) -> list[GraphEdge]:
        """Return the edges between the boxes of the side and those of the center.

        `places` maps the id of a fold to that of the box that shows it. A box with references to many members is joined to the
        definition as a `whole`, because such edges cross all others.
        """
        hops = [
            Hop(places[f"{self._side}//{step.symbol.chunk_id}"], places[f"{CENTER}//{near}"], step)
            for near, step in self._pairs
        ]
        ends: dict[str, set[str]] = defaultdict(set)
        for hop in hops:
            ends[hop.source].add(hop.target)
        hops = [hop if len(ends[hop.source]) <= MAX_ENDS else hop._replace(target=whole) for hop in hops]
        if self._side == CALLEES:
            hops = [Hop(hop.target, hop.source, hop.step) for hop in hops]
        return edges_of(hops)

    def sureness(self) -> Counter[str]:
        """Count the steps by how sure they are."""
        return Counter(sureness(step) for _, step in self._pairs)


class RowSide:
    """The side of the callers, made of rows of the graph in memory."""

    def __init__(self, store: Store, spread: Spread, center: Collection[int], limits: Limits) -> None:
        self._store, self._spread, self._graph = store, spread, spread.graph
        rows = spread.edges(list(center), limits, LINKS)
        rows = rows[~np.isin(rows["far"], spread.nodes(list(center)))]
        if limits.tests is not None:
            rows = rows[spread.are_tests(rows) == limits.tests]
        ids = self._graph.nodes["id"]
        ends = np.unique([rows["near"], rows["far"]])
        self._around = store.classes_around(ids[ends].tolist()) if len(ends) else {}
        self._rows = self._without_constructors(rows)
        far, first = np.unique(self._rows["far"], return_index=True)
        # The far ends in the order of their first rows, and the place of the file of each.
        self._far: NDArray[np.int64] = far[np.argsort(first)].astype(np.int64)
        self._files: NDArray[np.int64] = self._graph.nodes["file"][self._far].astype(np.int64)

    def __bool__(self) -> bool:
        return len(self._rows) > 0

    def _without_constructors(self, rows: Rows) -> Rows:
        """Drop the calls of constructors that stand beside the call of their class, as `without_constructors` does."""
        if not self._around:
            return rows
        # The class around each end, or an end that no row has.
        classes = np.full(len(self._graph.nodes), len(self._graph.nodes), np.int64)
        classes[self._spread.nodes(list(self._around))] = self._spread.nodes(list(self._around.values()))
        files = self._graph.nodes["file"][rows["holder"]].astype(np.int64)
        _, place = np.unique(files << 32 | rows["line"], return_inverse=True)
        near, far = rows["near"].astype(np.int64), rows["far"].astype(np.int64)
        double = np.zeros(len(rows), np.bool_)
        for node in np.unique(near).tolist():
            calls = near == node
            keys = far[calls] << 32 | place[calls]
            double[calls] |= np.isin(classes[far[calls]] << 32 | place[calls], keys)
            members = classes[near] == node
            double[members] |= np.isin(far[members] << 32 | place[members], keys)
        return rows[~double]

    def fold(self) -> Fold:
        """Return the far ends as a fold of files, whose definitions are read when somebody looks at them."""
        root = Fold(CALLERS, "", "folder", "")
        distinct, first, counts = np.unique(self._files, return_index=True, return_counts=True)
        order = np.argsort(first)
        tests = self._graph.tests[self._far[first]]
        columns = (column[order].tolist() for column in (distinct, counts, tests))
        for file, count, is_test in zip(*columns, strict=True):
            fold = file_fold(root, self._spread.path(file))
            fold.read_later(count, is_test, partial(self._read_file, file))
        return root

    def _read_file(self, file: int, fold: Fold) -> None:
        """Put the far ends in a file into its fold."""
        ids = self._graph.nodes["id"][self._far[self._files == file]].tolist()
        symbols = self._store.nodes(ids)
        members = [symbols[chunk_id] for chunk_id in ids if chunk_id in symbols]
        fill_file(fold, CALLERS, members, _classes(self._store, ids, self._around))

    def degrees(self) -> Counter[int]:
        """Count the definitions at the far end for each definition in the center."""
        ends = np.unique(self._rows["near"].astype(np.int64) << 32 | self._rows["far"])
        nodes, counts = np.unique(ends >> 32, return_counts=True)
        return Counter(dict(zip(self._graph.nodes["id"][nodes].tolist(), counts.tolist(), strict=True)))

    def edges(self, places: Mapping[str, str], whole: str) -> list[GraphEdge]:
        """Return the edges between the boxes of the side and those of the center, as a StepSide does."""
        rows, ids = self._rows, self._graph.nodes["id"]
        sources, targets = list(dict.fromkeys(places.values())), [whole]
        numbers = {box: number for number, box in enumerate(sources)}
        box_of = np.full(len(self._graph.nodes), -1, np.int64)
        box_of[self._far] = self._boxes(places, numbers)
        near, member = np.unique(rows["near"], return_inverse=True)
        targets += [places[f"{CENTER}//{chunk_id}"] for chunk_id in ids[near].tolist()]
        # What the store no longer has is in no box.
        shown = box_of[rows["far"]] >= 0
        rows, target = rows[shown], member.reshape(-1)[shown] + 1
        source = box_of[rows["far"]]
        pairs = np.unique(source * len(targets) + target)
        ends = np.bincount(pairs // len(targets), minlength=len(sources))
        target = np.where(ends[source] > MAX_ENDS, 0, target)
        keys = source * len(targets) + target
        rank = self._spread.sureness(rows)
        # The surest row of each edge comes first, and of equals the first.
        order = np.lexsort((-rows["confidence"], rank, keys))
        distinct, begins, counts = np.unique(keys[order], return_index=True, return_counts=True)
        firsts = np.unique(keys, return_index=True)[1]
        edges: list[GraphEdge] = []
        for edge in np.argsort(firsts).tolist():
            inside = order[begins[edge] : begins[edge] + counts[edge]]
            kinds = {arrays.EDGE_KINDS[kind] for kind in np.unique(rows["kind"][inside]).tolist()}
            from_box, to_box = divmod(int(distinct[edge]), len(targets))
            between = sources[from_box], targets[to_box]
            edges += [edge_between(between, step, kinds, len(inside)) for step in self._spread.read(rows[inside[:1]])]
        return edges

    def _boxes(self, places: Mapping[str, str], numbers: Mapping[str, int]) -> list[int]:
        """Return the number of the box of each far end: that of its file, or of itself if somebody looked into the file."""
        ids = self._graph.nodes["id"][self._far].tolist()
        of_files = {
            file: places.get(f"{CALLERS}{self._spread.path(file)}", "") for file in np.unique(self._files).tolist()
        }
        boxes = (
            of_files[file] or places.get(f"{CALLERS}//{chunk_id}", "")
            for file, chunk_id in zip(self._files.tolist(), ids, strict=True)
        )
        return [numbers.get(box, -1) for box in boxes]

    def sureness(self) -> Counter[str]:
        """Count the rows by how sure they are."""
        counts = np.bincount(self._spread.sureness(self._rows), minlength=len(CERTAINTIES)).tolist()
        return Counter(dict(zip(CERTAINTIES, counts, strict=True)))


def _classes(store: Store, chunk_ids: Sequence[int], around: Mapping[int, int]) -> dict[int, Symbol]:
    """Map those of these definitions that are in a class to the class, by `around`, which has its id."""
    inside = {chunk_id: around[chunk_id] for chunk_id in chunk_ids if chunk_id in around}
    classes = store.nodes(list(set(inside.values()))) if inside else {}
    return {chunk_id: classes[class_id] for chunk_id, class_id in inside.items() if class_id in classes}
