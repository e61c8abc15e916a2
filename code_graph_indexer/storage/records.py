"""The frozen records that every store returns or takes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

MAX_CANDIDATES = 10
"""Candidates that the index keeps of an ambiguous reference. A longer list says nothing."""


class StoredChunk(NamedTuple):
    """A chunk with the path, language, source type and repository of its file.

    Bytes are offsets into the file's text, half-open. Lines are 1-based and inclusive.
    """

    id: int
    file_id: int
    parent_id: int | None
    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    name_line: int
    def_end_line: int
    path: str
    language: str | None
    source_type: str
    repo_id: str


class ResolvedReference(NamedTuple):
    """A reference with its fate: a target, candidates if it is ambiguous, or neither. Ends are chunk ids.

    `column` counts bytes from the start of the line. `tied` says that other overloads take as many arguments.
    """

    source_id: int
    kind: str
    name: str
    receiver: str
    line: int
    column: int
    target_id: int | None
    confidence: float | None
    candidates: tuple[int, ...] = ()
    origin: str = "resolver"
    tied: bool = False


def name_inside(qualified_name: str, module: str) -> str:
    """Return the name of a definition inside its file: `Cart.add` for `shop.cart.Cart.add` in the module `shop.cart`."""
    return qualified_name.removeprefix(f"{module}.") if module else qualified_name


Ids = NDArray[np.int64]


NO_IDS: Ids = np.zeros(0, np.int64)


def distinct(ids: Ids) -> Ids:
    """List each id once, ascending. For a few hundred ids this takes a third of the time of np.unique."""
    ordered = np.sort(ids)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def are_in(ids: Ids, members: Ids) -> NDArray[np.bool_]:
    """Say of each id whether it is among `members`, which ascend. For some hundreds this is faster than np.isin."""
    if not len(members):
        return np.zeros(len(ids), np.bool_)
    # An id above all members would point behind the end. The last member differs from it, too.
    return np.equal(members[np.minimum(np.searchsorted(members, ids), len(members) - 1)], ids)


class Hit(NamedTuple):
    """An entry of a signal's ranked list. A higher score is better."""

    chunk_id: int
    score: float


class Hits(Sequence[Hit]):
    """A signal's ranked list, best first, as two arrays of equal length: the `ids` of chunks, and their `scores`."""

    __slots__ = ("ids", "scores")

    def __init__(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        self.ids = ids
        self.scores = scores

    @classmethod
    def of(cls, hits: Iterable[tuple[int, float]]) -> "Hits":
        """Make a list of chunk ids and scores that are in order."""
        pairs = list(hits)
        ids = np.array([chunk_id for chunk_id, _ in pairs], np.int64)
        return cls(ids, np.array([score for _, score in pairs], np.float64))

    @classmethod
    def best(cls, hits: Iterable[tuple[int, float]], limit: int) -> "Hits":
        """Make a list of the best chunks, ties by id. Chunks without a positive score are left out."""
        return cls.of(sorted((hit for hit in hits if hit[1] > 0), key=lambda hit: (-hit[1], hit[0]))[:limit])

    def then(self, tail: "Hits") -> "Hits":
        """Append another list."""
        return Hits(np.concatenate([self.ids, tail.ids]), np.concatenate([self.scores, tail.scores]))

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, position: int) -> Hit: ...

    @overload
    def __getitem__(self, position: slice) -> "Hits": ...

    def __getitem__(self, position: int | slice) -> "Hit | Hits":
        """Return one hit, or a part of the list."""
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


class FileRow(NamedTuple):
    """A file without its text. `error` says why it is not indexed, `size` is in bytes."""

    id: int
    path: str
    language: str | None
    source_type: str
    size: int
    lines: int
    module: str
    content_hash: bytes
    error: str | None


class ChunkFile(NamedTuple):
    """The file of a chunk, as ranking sees it. `marks` are a choice of test, example, generated, vendored and text."""

    id: int
    path: str
    marks: tuple[str, ...] = ()


class Edge(NamedTuple):
    """An edge of the chunk `of`, seen from there: `chunk_id` is its far end, whichever way it leads.

    `line` is where the reference stands, 1-based. `receiver` is what stands before the name, as `self.cart` in
    `self.cart.add()`.
    """

    of: int
    chunk_id: int
    kind: str
    line: int
    confidence: float
    receiver: str = ""


CHUNK_MARKS = ("", "declaration", "test")
"""What a chunk itself may be that ranking holds against it. The `mark` of CHUNK_TRAITS is a position in this tuple.

A `declaration`, such as a prototype, has no body while another chunk of its name has one. A `test` stands in a module of
tests inside a file of code, as in Rust."""


CHUNK_TRAITS = np.dtype([("id", np.int64), ("file_id", np.int64), ("size", np.int64), ("mark", np.int8)])
"""What ranking must know of a chunk: its file, its size in bytes, and a position in CHUNK_MARKS. Zeros for no chunk."""


class StoredFile(NamedTuple):
    """A file with its text, as linking reads it. `chunk_ids` are in the order of the chunks."""

    id: int
    path: str
    language: str
    is_test: bool
    text: bytes
    chunk_ids: list[int]
    content_hash: bytes


class StoredDefinition(NamedTuple):
    """A definition, chunk or member. `dotted` is its name inside its file, `line` the 1-based line of its name.

    `chunk_id` is the node of the graph that holds it. `language` is empty if the file has none.
    """

    path: str
    language: str
    line: int
    name: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool
    signature: str
    doc: str


class StoredUse(NamedTuple):
    """A reference that a SCIP index resolved. The fields of the target are None if it lies outside the repository.

    `line` is 1-based, `column` counts bytes. The target is named by `path`, `dotted`, `target_kind` and `target_id`.
    """

    line: int
    column: int
    kind: str
    name: str
    source_id: int
    path: str | None
    dotted: str | None
    target_kind: str | None
    target_id: int | None
    has_body: bool | None


class Sums(NamedTuple):
    """How many indexed files, lines and chunks an index holds."""

    files: int
    lines: int
    chunks: int


class StoredFileIds(NamedTuple):
    """The ids of a file that was written and of its chunks. `fresh` are the positions of the new and changed chunks."""

    file_id: int
    chunk_ids: list[int]
    fresh: frozenset[int]


class ReferenceRows(NamedTuple):
    """References as rows of the tables `refs` and `candidates`."""

    rows: list[tuple[Any, ...]]
    candidates: list[tuple[int, int, int]]

    @classmethod
    def of(cls, references: Iterable[ResolvedReference]) -> "ReferenceRows":
        """Number the references of each chunk from 0, in the order of the list."""
        rows: list[tuple[Any, ...]] = []
        candidates: list[tuple[int, int, int]] = []
        ordinals: dict[int, int] = defaultdict(int)
        for source_id, kind, name, receiver, line, column, target, confidence, chunk_ids, origin, tied in references:
            ordinal = ordinals[source_id]
            ordinals[source_id] = ordinal + 1
            if chunk_ids:
                candidates += [(source_id, ordinal, chunk_id) for chunk_id in chunk_ids]
            ambiguous = 1 if tied or chunk_ids else 0
            # The resolver made nearly all of them, and a null is smaller.
            stored_origin = None if origin == "resolver" else origin
            rows.append(
                (source_id, ordinal, kind, name, receiver, line, column, target, confidence, ambiguous, stored_origin)
            )
        return cls(rows, candidates)
