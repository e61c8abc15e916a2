"""The protocols of a store. Every back-end keeps them, and all other folders are typed on them."""

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
    FileRow,
    Hits,
    Ids,
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
    """Read files, chunks and texts."""

    def meta(self) -> Mapping[str, str]:
        """Return what the index says of itself."""

    def files(self) -> list[FileRow]:
        """List every file by path, the skipped files included."""

    def file_text(self, path: str) -> bytes | None:
        """Return a file's text, or None if it is not indexed."""

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return chunks in the order of their ids in the list. Unknown ids are left out."""

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks around these chunks, at every level, each once, in no order."""

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the own text of each chunk, in the order of the list."""

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file in their order."""

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Return the size in bytes and the content hash of each of these files at indexing."""

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map file ids to files. Unknown ids are left out."""

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Map chunk ids to the files of the chunks. Unknown ids are left out."""

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """List the names that each file imports, in order of line."""

    def last_commits(self, paths: Sequence[str]) -> dict[str, int]:
        """Return when a commit last changed each of these files, in seconds since 1970. Files without a commit are left out."""

    def tag_time(self, name: str) -> int | None:
        """Return the time of a tag, in seconds since 1970, or None. `2` and `v2` stand for the first of 2, v2, 2.0, v2.1 …"""

    def texts(self) -> Iterator[str]:
        """Yield the text of every file, in order of file id."""


class SignalReader(Protocol):
    """Rank chunks by one signal at a time, best first, and read the traits that ranking weighs. No text is an error."""

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids = NO_IDS) -> Hits:
        """Rank chunks by BM25 or the like over the fields of scores.WORD_WEIGHTS, ties by id.

        After the best `limit` chunks come those of `also` that match.
        """

    def has_words(self, terms: Sequence[str]) -> bool:
        """Say whether any of the terms is in the index."""

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks that hold a substring: in the same case first, then as a whole word, then by its count."""

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow by cosine similarity to a unit vector, ties by id."""

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity to a unit vector. Chunks without a vector are left out."""

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return those of the chunks that the filters allow."""

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return the CHUNK_TRAITS of each chunk, in the order of the list. An unknown id has zeros."""

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return the CHUNK_MARKS of these chunks. Chunks without a mark are left out."""


class GraphReader(Protocol):
    """Read definitions and edges."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions of these simple names: chunks, then members, both by path and line.

        `suffix` keeps only those whose qualified names end with it, in any case. `_` in it stands for any character.
        """

    def symbol_names(self) -> list[str]:
        """List every name that is defined, once, in the order of its bytes."""

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Map chunk ids to the definitions that the chunks hold. None stands for all chunks that hold one."""

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List what refers to these chunks, the most certain first, then code before tests, by path and line."""

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List what these chunks refer to, by chunk id and then in the order of the references."""

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls of each chunk, at most `most` of each, by the id of the caller. A hub has thousands."""

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the first `most` calls in each chunk, in their order."""

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind that lead to these chunks, or leave them, by source and then in order."""

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List every edge of these kinds that has a target, by source and then in order."""

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Map definitions to the classes directly around them. Definitions outside classes are left out."""

    def parents(self) -> dict[int, int]:
        """Map every chunk to the chunk around it. Chunks at the top of a file are left out."""

    def has_kind(self, kind: str) -> bool:
        """Say whether a chunk of this kind is in the index."""

    def has_folder(self, folder: str) -> bool:
        """Say whether the index has a file below a folder, a path without a slash at its end."""

    def marked_files(self) -> set[str]:
        """Return the paths of the files that are examples, generated or vendored."""

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names in the unresolved references of a kind in these chunks, with receivers, each once, sorted."""

    def open_sources(self, kind: str) -> set[int]:
        """Return the chunks that hold an unresolved reference of a kind."""

    def open_call_names(self) -> dict[str, int]:
        """Count the unresolved calls by the name that they call."""

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the unresolved calls of these names that may mean one of the chunks, by path, line and column.

        An ambiguous call is left out if none of its candidates is one of the chunks. It stays if it may have more
        candidates than the index keeps.
        """

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the unresolved calls in a chunk."""

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """Map definitions to the other definitions with their qualified name in their file, by id."""

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls of these definitions that may mean an overload with as many parameters, by path, line and column."""

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """Map files to the last words of their unresolved imports. For `import os.path` that is `path`."""

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files at the far end of a file's edges of a kind, with the line of each reference."""

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, members included, in order of line. A file without any has its sections listed."""

    def file_definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, members included, in the order of their chunks."""

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the references of a file that have a target, by line and column."""

    def reference_fates(self, path: str) -> list[ResolvedReference]:
        """List every reference of a file by line and column: with its target, its candidates, or neither."""

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by name, each once, in the order of the imports."""


class Store(ChunkReader, SignalReader, GraphReader, Protocol):
    """An opened index: all that a question may ask."""

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that differ after each change of the index."""

    def refresh(self) -> None:
        """Follow an index that was replaced or updated. Callers do so once a query."""

    def close(self) -> None:
        """Release the index."""

    def sums(self) -> Sums:
        """Count the indexed files, their lines, and the chunks, which is quick."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Count what the index holds, in six groups, each with the largest count first.

        `languages` and `lines` are by language, `skipped` by reason, `chunks` and `edges` by kind. `references` counts the
        resolved, ambiguous and unresolved calls.
        """

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return all that the index says, table by table, rows in no order. `path:position` stands for a chunk's id."""

    def check(self) -> list[str]:
        """List what is wrong with the index, one sentence a problem. A sound index has none."""

    def chunk_hashes(self) -> dict[bytes, int]:
        """Map the content hashes of the chunks that have a text to a chunk with that text."""

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map chunks to their int8 vectors. Chunks without one are left out."""


class LinkReader(Protocol):
    """Read what linking needs, also inside the transaction of a writer."""

    def file(self, path: str) -> StoredFile | None:
        """Return a file that has a language, with its text, or None."""

    def paths(self) -> dict[int, str]:
        """Map the ids of all files that have a language to their paths."""

    def module_rows(self) -> list[tuple[str, str, str, bool]]:
        """List path, language, module and whether it is a test, of every file that has a language, by path."""

    def named(self, name: str) -> list[StoredDefinition]:
        """List the definitions of a simple name, by path and then in the order of their chunks."""

    def definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, members included, in the order of their chunks."""

    def spans(self, file_id: int) -> list[tuple[int, int]]:
        """List the first lines of a file's chunks, each with the node of the graph that its references belong to."""

    def exact(self, file_id: int) -> list[StoredUse]:
        """List the references of a file that a SCIP index resolved, in order. References to a removed chunk are left out."""

    def lookups(self) -> Iterable[tuple[int, bytes]]:
        """Yield the packed lookups of each file that has some, by file id."""

    def texts_named(self, matches: Callable[[str], bool]) -> dict[str, str]:
        """Map the paths of the files whose names match to their texts, in order of path."""


class IndexWriter(Protocol):
    """Write one index. As a context manager it commits at the end, and an error in it keeps the old state."""

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
        """Return what the index says of itself under a key, empty if nothing."""

    def put_history(self, head: str, files: Mapping[str, tuple[int, int]], tags: Mapping[str, int]) -> None:
        """Replace the history: last commit and number of authors by path, and tags, as of the commit `head`."""

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file over its old version. Unchanged chunks keep their ids and search rows."""

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write pairs of chunk id and int8 vector."""

    def put_references(self, file_id: int, references: ReferenceRows, lookups: bytes) -> None:
        """Replace the references of a file. `lookups` are the packed hashes of the names that its linking looked up."""

    def remove_file(self, path: str) -> None:
        """Remove a file and all that came from it."""
