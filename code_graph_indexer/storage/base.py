"""What a store answers: the few questions that retrieval and the graph ask of an index."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.records import Filters
from code_graph_indexer.types import Neighbour, StoredChunk, Symbol


def name_inside(qualified_name: str, module: str) -> str:
    """Return the name of a definition inside its file, which is this module's."""
    return qualified_name.removeprefix(f"{module}.") if module else qualified_name


class Hit(NamedTuple):
    """One entry of a signal's ranked list; a higher score is better."""

    chunk_id: int
    score: float


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

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Return the file of each chunk, leaving out chunks that are not there."""

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the own text of each chunk."""

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file in order."""

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Collection[int] = ()) -> list[Hit]:
        """Rank chunks by BM25 over the terms, any of which may occur; behind the best, those of `also` that match."""

    def substrings(self, text: str, filters: Filters, limit: int) -> list[Hit]:
        """Rank chunks that hold a substring of at least three characters, case-insensitively."""

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> list[Hit]:
        """Rank chunks by cosine similarity to a unit vector, exact."""

    def similar(self, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> list[Hit]:
        """Rank these chunks by cosine similarity to a unit vector; those without a vector are left out."""

    def allowed(self, hits: Sequence[Hit], filters: Filters) -> list[Hit]:
        """Keep the hits that the filters allow, in their order."""

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
