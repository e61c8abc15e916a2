"""What a store is: the protocols that every back-end keeps, and that all other folders are typed on."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.results import Filters, Neighbour, OpenSite, Symbol
from code_graph_indexer.storage.records import (
    NO_IDS,
    ChunkFile,
    Edge,
    EdgeEnd,
    FileRow,
    Hits,
    Ids,
    PlacedDefinition,
    ReferenceRows,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    StoredFile,
    StoredFileIds,
    StoredUse,
    Sums,
)
from code_graph_indexer.syntax.records import IndexedFile


class ChunkReader(Protocol):
    """Read files, chunks and texts. Methods that take a list of chunk ids answer in its order."""

    def meta(self) -> Mapping[str, str]:
        """Return what the index says of itself."""

    def files(self) -> list[FileRow]:
        """List every file by path, the skipped ones included."""

    def file_text(self, path: str) -> bytes | None:
        """Return a file's text, or None when it is not indexed."""

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return chunks by id, in the order given."""

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks around these chunks, those around them, and so on, each once, in no order."""

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the own text of each chunk."""

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file in order."""

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Return the size and content hash of each of these files when it was indexed."""

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Return those of the files that are there, by id; those of a pool are few, and kept."""

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Return the file of each chunk that is there."""

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """List the names that each file imports, in order of line; those of results are few, and kept."""

    def last_commits(self, paths: Sequence[str]) -> dict[str, int]:
        """Return when each of these files was last changed by a commit, in seconds since 1970, as far as that is known."""

    def tag_time(self, name: str) -> int | None:
        """Return the time of a tag, with or without its `v`; of `2`, that of the first release 2."""

    def texts(self) -> Iterator[str]:
        """Yield the text of every file."""


class SignalReader(Protocol):
    """Rank chunks by one signal at a time, and give what ranking goes by."""

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids = NO_IDS) -> Hits:
        """Rank chunks by BM25 (Robertson & Zaragoza 2009, as FTS5 computes it) over the weighted fields.

        Behind the best come those of `also` that match.
        """

    def has_words(self, terms: Sequence[str]) -> bool:
        """Say whether any of the terms is in the index."""

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks that hold a substring: as it is written, as a whole word, how often."""

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank chunks by cosine similarity.

        The vectors are read once and compared in memory, many times faster than by sqlite-vec's own scan.
        """

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity."""

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return those of the chunks that the filters allow."""

    def places_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return a CHUNK_PLACE for each of these chunks: several signals ask for the same ones, and later queries."""

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return what some of these chunks are, where ranking goes by it."""


class GraphReader(Protocol):
    """Read definitions and edges."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions of these simple names, chunks before members, by path and line.

        `suffix` leaves out those whose qualified names do not end with it, in any case; `_` in it stands for any character.
        """

    def symbol_names(self) -> list[str]:
        """List every name that is defined, once."""

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Return the definition that each chunk holds, or those of all chunks that hold one."""

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List who refers to these chunks, most certain first."""

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List what these chunks refer to, in order of line."""

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List the callers of each chunk, at most `most` references of each, in no fair order: a hub has thousands."""

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[EdgeEnd]:
        """List what each chunk calls, its first `most` references, in order of line."""

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind that lead to these chunks, or leave them, in order of place."""

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List every edge of these kinds, from its source."""

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Return the class that each of these definitions stands in, for those that do."""

    def parents(self) -> dict[int, int]:
        """Return the chunk that each chunk stands in."""

    def marked_files(self) -> set[str]:
        """Collect the files that are examples, generated or vendored."""

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of the references of a kind in these chunks that have no target, each once."""

    def open_sources(self, kind: str) -> set[int]:
        """Collect the chunks that hold a reference of a kind without a target."""

    def open_call_names(self) -> dict[str, int]:
        """Count the calls without a target by the name they call."""

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls of these names that have no target and may mean one of the chunks, by path and line.

        A call that may mean several definitions is left out when these are none of them, unless there are more than are kept.
        """

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the calls inside a chunk that have no target."""

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """For each of these definitions, list the others of its name in its file."""

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls that lead to these definitions, but may mean overloads that take as many arguments."""

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """For each of these files, collect the last words of its imports that lead outside the repository."""

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files at the other end of a file's edges of a kind, with the line of each reference."""

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, members included, in order of line."""

    def file_definitions(self, path: str) -> list[PlacedDefinition]:
        """List the definitions of a file in order, with the node of the graph that holds each."""

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the references of a file that have a target."""

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by their names."""


class Store(ChunkReader, SignalReader, GraphReader, Protocol):
    """An opened index: all that a question may ask of it."""

    @property
    def stamp(self) -> tuple[int, ...]:
        """Tell the index as it is now from what it was before any update: its file, and SQLite's counter of changes."""

    def refresh(self) -> None:
        """Follow a file that was replaced or updated since it was opened; called once a query."""

    def close(self) -> None:
        """Give the file back."""

    def sums(self) -> Sums:
        """Count files, lines and chunks, which is quick."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Count files by language and by reason for being skipped, chunks by kind, edges by kind, references by fate."""

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return all that the index says, table by table, with paths and places instead of ids."""

    def check(self) -> list[str]:
        """List what is wrong with the file: SQLite's own check, foreign keys, full-text and vector rows."""

    def chunk_hashes(self) -> dict[bytes, int]:
        """Return a chunk id for each content hash that has a vector."""

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Return the int8 vectors of these chunks."""


class LinkReader(Protocol):
    """Read what linking needs of an index, which may be in the middle of being written."""

    def file(self, path: str) -> StoredFile | None:
        """Return a file of a known language, or None."""

    def paths(self) -> dict[int, str]:
        """Return the path of every file of a known language, by file id."""

    def module_rows(self) -> list[tuple[str, str, str, bool]]:
        """List path, language, module and whether it is a test, of every file of a known language, by path."""

    def named(self, name: str) -> list[StoredDefinition]:
        """List the definitions of a simple name, by path and place."""

    def definitions(self, path: str) -> list[PlacedDefinition]:
        """List the definitions of a file in order."""

    def spans(self, file_id: int) -> list[tuple[int, int]]:
        """List the lines at which the chunks of a file start, with the chunk that a reference there is said to stand in."""

    def exact(self, file_id: int) -> list[StoredUse]:
        """List the references of a file that are exactly known, those whose target is gone left out."""

    def lookups(self) -> Iterable[tuple[int, bytes]]:
        """Yield the packed lookups of each file."""

    def texts_named(self, wanted: Callable[[str], bool]) -> dict[str, str]:
        """Return the texts of the files whose names are wanted, by path."""


class IndexWriter(Protocol):
    """Write one index. A context manager: it commits at the end, and keeps the old state when an error leaves it."""

    @property
    def links(self) -> LinkReader:
        """Return what linking reads, inside the transaction."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Record what the index says of itself."""

    def meta(self, key: str) -> str:
        """Return what the index says of itself under a key; empty when it says nothing."""

    def put_history(self, head: str, files: Mapping[str, tuple[int, int]], tags: Mapping[str, int]) -> None:
        """Record when each file was last changed, in place of what was known, as of a commit."""

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file in place of what stood there; chunks that are the same keep their ids and search rows."""

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write int8 vectors by chunk id."""

    def put_references(self, file_id: int, references: ReferenceRows, lookups: bytes) -> None:
        """Write the references of a file in place of those that stood there, with the names they were looked up by."""

    def remove_file(self, path: str) -> None:
        """Remove a file and all that came from it."""
