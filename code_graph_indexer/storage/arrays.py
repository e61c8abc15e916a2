"""Sets of ids and ranked lists as NumPy arrays.

Only a search loads this module, because NumPy takes longer to load than all else that a question to the graph needs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.storage.records import USES

Ids = NDArray[np.int64]
Number = TypeVar("Number", bound=np.integer[Any])

NO_IDS: Ids = np.zeros(0, np.int64)

Array = TypeVar("Array", bound=NDArray[Any])


def frozen(array: Array) -> Array:
    """Return an array after forbidding to write to it, because several threads read it."""
    array.setflags(write=False)
    return array


def distinct(ids: NDArray[Number]) -> NDArray[Number]:
    """Return each id once, in ascending order. For a few hundred ids, it takes a third of the time of np.unique.

    The first np.unique of a process takes 7 ms more, because it loads numpy.ma.
    """
    ordered = np.sort(ids)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def are_in(ids: NDArray[Number], members: NDArray[Number]) -> NDArray[np.bool_]:
    """Return for each id whether it is one of `members`, which must be ascending.

    For a few hundred ids this is faster than np.isin.
    """
    if not len(members):
        return np.zeros(len(ids), np.bool_)
    # An id above all members would point past the end. The last member differs from it, too.
    inside: NDArray[np.bool_] = np.equal(members[np.minimum(np.searchsorted(members, ids), len(members) - 1)], ids)
    return inside


class Hit(NamedTuple):
    """An entry of a signal's ranked list: a chunk and its score. A higher score is better."""

    chunk_id: int
    score: float


class Hits(Sequence[Hit]):
    """A signal's ranked list, best first, as two arrays of equal length: the chunk `ids` and their `scores`."""

    __slots__ = ("ids", "scores")

    def __init__(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        self.ids = ids
        self.scores = scores

    @classmethod
    def of(cls, hits: Iterable[tuple[int, float]]) -> "Hits":
        """Make a ranked list from pairs of chunk id and score that are sorted already, best first."""
        pairs = list(hits)
        ids = np.array([chunk_id for chunk_id, _ in pairs], np.int64)
        return cls(ids, np.array([score for _, score in pairs], np.float64))

    @classmethod
    def best(cls, hits: Iterable[tuple[int, float]], limit: int) -> "Hits":
        """Make a ranked list of the `limit` best pairs of chunk id and score, ties by id.

        The pairs may come in any order. Pairs without a positive score are left out.
        """
        return cls.of(sorted((hit for hit in hits if hit[1] > 0), key=lambda hit: (-hit[1], hit[0]))[:limit])

    def then(self, tail: "Hits") -> "Hits":
        """Return a list with the hits of this list, followed by the hits of `tail`."""
        return Hits(np.concatenate([self.ids, tail.ids]), np.concatenate([self.scores, tail.scores]))

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, position: int) -> Hit: ...

    @overload
    def __getitem__(self, position: slice) -> "Hits": ...

    def __getitem__(self, position: int | slice) -> "Hit | Hits":
        """Return the hit at a position, from 0, or the list of the hits in a slice."""
        if isinstance(position, slice):
            return Hits(self.ids[position], self.scores[position])
        return Hit(int(self.ids[position]), float(self.scores[position]))

    def __iter__(self) -> Iterator[Hit]:
        # Plain numbers, because JSON takes none of numpy's.
        return map(Hit, self.ids.tolist(), self.scores.tolist())

    def __eq__(self, hits: object) -> bool:
        return isinstance(hits, Sequence) and list(self) == list(hits)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Hits.of({list(self)})"


CHUNK_TRAITS = np.dtype([("id", np.int64), ("file_id", np.int64), ("size", np.int64), ("mark", np.int8)])
"""The traits of a chunk, which are what ranking needs: chunk id, file id, size in bytes, and a position in CHUNK_MARKS.

An unknown chunk has zeros.
"""

EDGE_KINDS = ("calls", "imports", "references", "inherits", "overrides", "declares", *USES)
"""The kinds of edges in a GraphArrays. An edge has the position of its kind."""

MODULE, FUNCTION, OTHER = 0, 1, 2
"""The kinds of definitions as a GraphArrays tells them apart. A method or macro counts as a function."""

MAX_LINE = (1 << 31) - 1
"""The largest number of a line in a GraphArrays."""

ARRAY_EDGES = np.dtype([("source", np.int32), ("kind", np.int8), ("line", np.int32), ("confidence", np.float32)])
"""An edge in a GraphArrays. Its source is a position among the nodes."""

DIGITS = 6
"""Digits of a confidence, which an edge holds in four bytes."""

ARRAY_NODES = np.dtype(
    [("id", np.int64), ("file", np.int32), ("parent", np.int32), ("line", np.int32), ("kind", np.int8)]
)
"""A chunk in a GraphArrays. Its file is a position among the paths, and its parent one among the nodes, or -1 without one."""


GRAPH_CHUNK = np.dtype([(name, np.int64) for name in ("id", "file", "parent", "line", "kind")])
GRAPH_REFERENCE = np.dtype(
    [("source", np.int64), ("target", np.int64), ("kind", np.int8), ("line", np.int32), ("confidence", np.float32)]
)
"""The rows that a GraphArrays is made of, with ids. A parent is 0 without one."""


def limits(column: np.dtype[Any]) -> tuple[float, float]:
    """Return the smallest and the largest number that a column is sure to hold."""
    if column.kind == "f":
        return -MAX_LINE, MAX_LINE
    # A float has 53 bits for a number.
    bits = min(8 * column.itemsize, 53)
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


@dataclass(frozen=True, slots=True)
class GraphArrays:
    """The graph of an index in memory, for walks over many thousands of edges. No array of it can be written to.

    * `nodes`: all chunks in order of id. Elsewhere, a node is a position in this array.
    * `edges`: all edges between chunks in order of target, source and ordinal. Those to node `n` are
      `edges[first[n] : first[n + 1]]`.
    * `numbers`: the place of each edge in order of source and ordinal.
    * `paths`: the paths of the files in order.
    * `tests`: which nodes are in files with tests.
    * `behind`: the definition behind each node that is a declaration. Any other node stands for itself.
    * `incoming` and `outgoing`: the kinds of the edges to and from each node. Bit `k` stands for EDGE_KINDS[k]. Edges of
      USES from a node count only if they lead to a chunk.
    """

    nodes: NDArray[np.void]
    edges: NDArray[np.void]
    first: NDArray[np.int64]
    numbers: NDArray[np.int32]
    paths: tuple[str, ...]
    tests: NDArray[np.bool_]
    behind: NDArray[np.int32]
    incoming: NDArray[np.uint16]
    outgoing: NDArray[np.uint16]

    @classmethod
    def of(
        cls,
        chunks: NDArray[np.void],
        references: NDArray[np.void],
        files: Sequence[tuple[int, str, bool]],
    ) -> "GraphArrays":
        """Make the arrays of rows in any order.

        Chunks are rows of GRAPH_CHUNK, and references of GRAPH_REFERENCE in order of source and ordinal. A file has id, path
        and whether it holds tests.
        """
        files = sorted(files, key=lambda file: file[1])
        file_ids = np.array([file[0] for file in files], np.int64)
        by_id = np.argsort(file_ids)
        chunks = chunks[np.argsort(chunks["id"], kind="stable")]
        ids = chunks["id"]
        nodes = np.zeros(len(chunks), ARRAY_NODES)
        nodes["id"], nodes["line"], nodes["kind"] = ids, np.clip(chunks["line"], 0, MAX_LINE), chunks["kind"]
        nodes["file"] = by_id[positions(chunks["file"], file_ids[by_id])] if len(files) else 0
        nodes["parent"] = np.where(are_in(chunks["parent"], ids), positions(chunks["parent"], ids), -1)
        sources, targets = references["source"], references["target"]
        incoming, outgoing = np.zeros((2, len(nodes)), np.uint16)
        has_source = are_in(sources, ids)
        for kind in range(len(EDGE_KINDS)):
            # Such an edge may lead to a member, which is no node.
            outgoing[positions(sources[has_source & (references["kind"] == kind)], ids)] |= 1 << kind
        # A damaged index may have references of chunks that are gone.
        whole = has_source & are_in(targets, ids)
        references, sources, targets = references[whole], positions(sources[whole], ids), positions(targets[whole], ids)
        numbers = np.argsort(targets, kind="stable")
        edges = np.zeros(len(numbers), ARRAY_EDGES)
        edges["source"] = sources[numbers]
        for name in ("kind", "line", "confidence"):
            # A line of a damaged index may be any number.
            edges[name] = np.maximum(references[name][numbers], -1)
        first = np.searchsorted(targets[numbers], np.arange(len(nodes) + 1))
        tests = np.array([file[2] for file in files], np.bool_)
        # A damaged index may have chunks of no file.
        tests = tests[nodes["file"]] if len(files) else np.zeros(len(nodes), np.bool_)
        behind = np.arange(len(nodes), dtype=np.int32)
        # Of several definitions behind a declaration, the last counts.
        declares = references["kind"] == EDGE_KINDS.index("declares")
        behind[sources[declares]] = targets[declares]
        for kind in range(len(EDGE_KINDS)):
            incoming[targets[references["kind"] == kind]] |= 1 << kind
        paths = tuple(file[1] for file in files)
        places = numbers.astype(np.int32)
        for array in (nodes, edges, first, places, tests, behind, incoming, outgoing):
            frozen(array)
        return cls(nodes, edges, first, places, paths, tests, behind, incoming, outgoing)

    def with_edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[int]:
        """Return those of these nodes that may have an edge of a kind, to them or from them, in the same order.

        Those that the graph does not know stay, such as members.
        """
        ids, wanted = self.nodes["id"], np.array(chunk_ids, np.int64)
        is_unknown = kind not in EDGE_KINDS or (kind in USES and not incoming)
        if is_unknown or not len(ids):
            return list(chunk_ids)
        places = positions(wanted, ids)
        kinds = self.incoming if incoming else self.outgoing
        having = (ids[places] != wanted) | ((kinds[places] >> EDGE_KINDS.index(kind) & 1) == 1)
        return [int(chunk_id) for chunk_id in wanted[having].tolist()]


def has_circle(parents: NDArray[np.int32]) -> bool:
    """Return whether a node is above itself. `parents` has the node above each node, or -1."""
    above = parents
    # Each round doubles the number of steps, and real nodes have few above them.
    for _ in range(len(parents).bit_length() + 1):
        if not (above >= 0).any():
            return False
        above = np.where(above >= 0, above[above], -1)
    return bool((above >= 0).any())


def positions(ids: Ids, members: Ids) -> NDArray[np.int64]:
    """Return the position of each id among `members`, which must be ascending. An unknown id gets a position that is wrong."""
    return np.minimum(np.searchsorted(members, ids), max(0, len(members) - 1))


def numbers_of(text: str | None) -> NDArray[np.float64]:
    """Read numbers that commas separate. A database joins them in a fraction of the time that rows take."""
    return np.fromstring(text, sep=",") if text else np.zeros(0)
