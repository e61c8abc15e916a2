"""What a store answers: the few questions that retrieval and the graph ask of an index."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.records import Filters
from code_graph_indexer.types import Neighbour, StoredChunk, Symbol


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


class Store(Protocol):
    """An opened index. Methods that take a list of chunk ids answer in its order."""

    def meta(self) -> Mapping[str, str]:
        """Return what the index says of itself."""

    def files(self) -> list[FileRow]:
        """List every file by path, the skipped ones included."""

    def file_text(self, path: str) -> bytes | None:
        """Return a file's text as UTF-8 with `\\n` line ends, or None when it is not indexed."""

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return chunks by id, leaving out those that are not there."""

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks around these chunks, those around them, and so on, each once, in no order."""

    def places_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return a CHUNK_PLACE for each chunk, zeros for one that is not there."""

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Return those of the files that are there, by id."""

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Return the file of each chunk, leaving out chunks that are not there."""

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the own text of each chunk."""

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file in order."""

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids = NO_IDS) -> Hits:
        """Rank chunks by BM25 over the terms, any of which may occur; behind the best, those of `also` that match."""

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank chunks that hold a substring of at least three characters, case-insensitively."""

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank chunks by cosine similarity to a unit vector; of very many, nearly all of the nearest are found."""

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity to a unit vector; those without a vector are left out."""

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return those of the chunks that the filters allow."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False) -> list[Symbol]:
        """List the definitions of these simple names."""

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return what some of these chunks are: a mere `declaration`, or a `test` among code."""

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the sources of the edges of a kind that lead to these chunks, most certain first."""

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the targets of the edges of a kind that leave these chunks, in order of line."""

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List callers of each chunk, at most so many references of each."""

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List what each chunk calls, its first so many references, in order of line."""

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """List the names that each file imports, in order of line."""

    def close(self) -> None:
        """Give the file back."""
