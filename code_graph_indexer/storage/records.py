"""The frozen records that every store returns or takes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

MAX_CANDIDATES = 10
"""Candidates kept of an ambiguous reference; more say nothing."""


class StoredChunk(NamedTuple):
    """A chunk as it stands in the store, with what its file says of it."""

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
    """A reference and what became of it: a target, or `candidates` when it is ambiguous; ends are chunk ids.

    `column` counts bytes from the start of the line. `tied` says that the target is one of several overloads that take as many
    arguments.
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
    """Return the name of a definition inside its file, which is this module's."""
    return qualified_name.removeprefix(f"{module}.") if module else qualified_name


Ids = NDArray[np.int64]


NO_IDS: Ids = np.zeros(0, np.int64)


def distinct(ids: Ids) -> Ids:
    """List each id once, ascending: of a few hundred, in a third of the time that np.unique takes."""
    ordered = np.sort(ids)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def are_in(ids: Ids, others: Ids) -> NDArray[np.bool_]:
    """Say of each id whether it is one of the others, which ascend: of some hundreds, faster than np.isin."""
    if not len(others):
        return np.zeros(len(ids), np.bool_)
    return np.equal(others[np.minimum(np.searchsorted(others, ids), len(others) - 1)], ids)


class Hit(NamedTuple):
    """One entry of a signal's ranked list; a higher score is better."""

    chunk_id: int
    score: float


class Hits(Sequence[Hit]):
    """A signal's ranked list, best first, as two arrays of one length: `ids` of chunks, and their `scores`."""

    __slots__ = ("ids", "scores")

    def __init__(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        self.ids = ids
        self.scores = scores

    @classmethod
    def of(cls, hits: Iterable[tuple[int, float]]) -> "Hits":
        """Make a list of chunks and their scores, which are in order."""
        found = list(hits)
        return cls(np.array([one for one, _ in found], np.int64), np.array([score for _, score in found], np.float64))

    @classmethod
    def best(cls, hits: Iterable[tuple[int, float]], limit: int) -> "Hits":
        """Make a list of the best of some chunks, those that tie by id; what scores nothing is left out."""
        return cls.of(sorted((one for one in hits if one[1] > 0), key=lambda one: (-one[1], one[0]))[:limit])

    def then(self, others: "Hits") -> "Hits":
        """Put others behind."""
        return Hits(np.concatenate([self.ids, others.ids]), np.concatenate([self.scores, others.scores]))

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> "Hits": ...

    def __getitem__(self, place: int | slice) -> "Hit | Hits":
        """Return one hit, or a part of the list."""
        if isinstance(place, slice):
            return Hits(self.ids[place], self.scores[place])
        return Hit(int(self.ids[place]), float(self.scores[place]))

    def __iter__(self) -> Iterator[Hit]:
        return map(Hit, self.ids.tolist(), self.scores.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Hits.of({list(self)})"


class FileRow(NamedTuple):
    """What the store keeps of a file, without its text."""

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
    """The file of a chunk, as ranking sees it; `marks` are those of test, example, generated, vendored and text that hold."""

    id: int
    path: str
    marks: tuple[str, ...] = ()


class Edge(NamedTuple):
    """An edge of the chunk `of`: to `chunk_id`, or from it; `line` is where the reference stands, `receiver` before it."""

    of: int
    chunk_id: int
    kind: str
    line: int
    confidence: float
    receiver: str = ""


class EdgeEnd(NamedTuple):
    """The other end of an edge of the chunk `of`; `line` is where the reference stands."""

    of: int
    chunk_id: int
    line: int
    confidence: float


CHUNK_MARKS = ("", "declaration", "test")
"""What a chunk may be itself, where ranking goes by it, in the order of the numbers of CHUNK_PLACES: it only declares, as a
prototype does, what another chunk of its name defines; it stands in a module of tests inside a file of code."""


CHUNK_PLACE = np.dtype([("id", np.int64), ("file_id", np.int64), ("size", np.int64), ("mark", np.int8)])
"""What ranking goes by of a chunk: its file, its bytes, and a number of CHUNK_MARKS; of one that is not there, zeros."""


class StoredFile(NamedTuple):
    """A stored file with its text; `chunk_ids` in the order of its chunks."""

    id: int
    path: str
    language: str
    is_test: bool
    text: bytes
    chunk_ids: list[int]
    content_hash: bytes


class StoredDefinition(NamedTuple):
    """A definition by name; `dotted` is its name inside its file."""

    path: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool
    language: str


class PlacedDefinition(NamedTuple):
    """A definition of a file by the line of its name; `dotted` is its name inside the file."""

    line: int
    name: str
    dotted: str
    kind: str
    chunk_id: int
    has_body: bool
    signature: str
    doc: str


class StoredUse(NamedTuple):
    """A reference that is exactly known; the target's columns are None when it lies outside the repository."""

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
    """How much an index holds."""

    files: int
    lines: int
    chunks: int


class StoredFileIds(NamedTuple):
    """The rows of a file that was written; `fresh` are the positions of the chunks that are new or have changed."""

    file_id: int
    chunk_ids: list[int]
    fresh: frozenset[int]


class ReferenceRows(NamedTuple):
    """References as the index keeps them: rows of `refs`, and of `candidates`."""

    rows: list[tuple[Any, ...]]
    candidates: list[tuple[int, int, int]]

    @classmethod
    def of(cls, references: Iterable[ResolvedReference]) -> "ReferenceRows":
        """Number the references of each chunk."""
        rows: list[tuple[Any, ...]] = []
        candidates: list[tuple[int, int, int]] = []
        ordinals: dict[int, int] = defaultdict(int)
        for source_id, kind, name, receiver, line, column, target, confidence, several, origin, tied in references:
            ordinal = ordinals[source_id]
            ordinals[source_id] = ordinal + 1
            if several:
                candidates += [(source_id, ordinal, chunk_id) for chunk_id in several]
            ambiguous = 1 if tied or several else 0
            made_by = None if origin == "resolver" else origin
            rows.append(
                (source_id, ordinal, kind, name, receiver, line, column, target, confidence, ambiguous, made_by)
            )
        return cls(rows, candidates)
