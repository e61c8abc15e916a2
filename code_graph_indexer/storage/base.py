"""The protocols of a store. Every back-end implements them, and all other folders use only them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.results import Filters, Neighbour, OpenSite, Progress, Symbol
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.publication import Publication, PublishedRepository
from code_graph_indexer.storage.records import (
    ChunkFile,
    Edge,
    ExactUse,
    FileRow,
    History,
    LinkedFile,
    LinkedRegistration,
    LinkRow,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    StoredFile,
    StoredFileIds,
    Sums,
    WordCounts,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage.arrays import GraphArrays, Hits, Ids
    from code_graph_indexer.syntax.records import IndexedFile


Report = Callable[[Progress], None]
"""What is told of the progress of a long run."""


class ChunkReader(Protocol):
    """The methods of a store that read files, chunks and texts."""

    def meta(self) -> Mapping[str, str]:
        """Return the table `meta`: facts about the index by key, such as `dimensions` and `embedder`."""

    def files(self, paths: Collection[str] | None = None) -> list[FileRow]:
        """List all files in order of path, including the files that were skipped. With `paths`, only these files count."""

    def file_text(self, path: str) -> bytes | None:
        """Return the text of a file, or None if it is not indexed."""

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks with these ids, in the order of the ids. Unknown ids are left out."""

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return all chunks that contain one of these chunks, directly or at any depth. Each comes once, in no order."""

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the text of each chunk, in the order of the chunks. It is the file's text from `start_byte` to `end_byte`."""

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file, in the order of its text."""

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Map each of these paths to the file's size in bytes and its content hash, as of indexing.

        Unknown paths are left out.
        """

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map each of these file ids to its file. Unknown ids are left out."""

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Map each of these chunk ids to the file of the chunk. Unknown ids are left out."""

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """Map each file id to the names that the file imports, in order of line."""

    def last_commits(self, paths: Sequence[str]) -> dict[str, int]:
        """Map each path to the time of the last commit that changed the file, in seconds since 1970.

        Files without a commit are left out.
        """

    def tag_time(self, name: str) -> int | None:
        """Return the time of a git tag in seconds since 1970, or None if there is no such tag.

        A leading `v` does not matter. The tag may be a prefix: `2` finds the oldest of `2`, `v2`, `2.0`, `v2.1` and so
        on.
        """

    def changed_together(self, paths: Sequence[str]) -> list[tuple[str, int]]:
        """List the other indexed files that commits changed with one of these, as (path, number of commits).

        The most frequent come first. The same commit counts once for each of the paths.
        """

    def texts(self) -> Iterator[str]:
        """Yield the text of each indexed file, in order of file id."""


class SignalReader(Protocol):
    """The methods of a store that rank chunks by one signal, best first.

    Other methods read the traits of chunks, which are the properties that ranking needs. An empty query text is no
    error.
    """

    def words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        also: Ids | None = None,
        counts: WordCounts | None = None,
    ) -> Hits:
        """Rank the chunks that contain any of the terms, by BM25 or a similar formula, ties by id.

        The fields and their weights are those of scores.WORD_WEIGHTS. The list has the best `limit` chunks, then the
        other matching chunks whose ids are in `also`. With `counts`, those of a set of indexes, a term weighs as much as it
        does in the set, so that the scores of several indexes compare.
        """

    def word_counts(self, terms: Sequence[str]) -> WordCounts:
        """Count the chunks with words, and those that contain each of the terms."""

    def has_words(self, terms: Sequence[str]) -> bool:
        """Return whether at least one of the terms occurs in the index."""

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks whose text contains a substring, in any case.

        Matches in the same case come first, then matches of a whole word, then chunks with more matches.
        """

    def files_holding(self, text: str) -> set[int] | None:
        """Return the ids of the files whose text may contain a text in any case, or None if its words have no three letters.

        Each file that contains it is among them.
        """

    def beside(self, search: Callable[[], Hits]) -> Callable[[], Hits]:
        """Return a function that returns the hits of a search. If reads wait for a server, the search begins now, in a thread.

        Reads of a file wait for nothing, and take a few milliseconds, so a thread would cost more than it saves.
        """

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id."""

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector.

        Chunks without a vector are left out.
        """

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return the ids of those chunks that the filters allow."""

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros."""

    def chunk_marks(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Map chunk ids to their marks, such as `test` (see CHUNK_MARKS). Chunks without a mark are left out."""


class GraphReader(Protocol):
    """The methods of a store that read definitions and the edges between them."""

    def symbols(self, names: Iterable[str], *, exact_case: bool = False, suffix: str = "") -> list[Symbol]:
        """List the definitions with one of these simple names: first chunks, then members, each by path and line.

        `suffix` keeps only definitions whose qualified name ends with it, in any case. An `_` in it matches any
        character. `exact_case` tells whether the case of a simple name matters.
        """

    def symbol_names(self) -> list[str]:
        """List the simple names of all definitions, each once, sorted by their bytes."""

    def nodes(self, chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
        """Map each of these chunk ids to the chunk as a symbol. With None, map all chunks except blocks, texts and sections."""

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that refer to one of these chunks, one entry per reference of this kind.

        The most certain come first, then code before tests, then by path and line.
        """

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that these chunks refer to, one entry per reference of this kind.

        They are in order of the id of the referring chunk, then in the order of its references.
        """

    def callers_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls to each chunk, at most `most` per chunk, in order of caller id. A popular function has thousands."""

    def callees_of(self, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the calls that each chunk makes: at most the first `most` per chunk, in stored order."""

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind at these chunks, in order of source id and ordinal.

        The ordinal numbers the references of a source. If `incoming`, these chunks are the targets of the edges, else
        their sources.
        """

    def all_edges(self, kinds: Sequence[str]) -> list[Edge]:
        """List all edges of these kinds, in order of source id and ordinal, which numbers the references of a source.

        References without a target are left out.
        """

    def graph_arrays(self, *, load: bool = False) -> GraphArrays | None:
        """Return the graph in memory, or None if it is not there. With `load`, it is read first, if this back-end can.

        Reading takes a tenth of a second for 170,000 edges, and pays off in a process that answers many questions.
        """

    def registrations(self) -> list[LinkedRegistration]:
        """List what frameworks call, and where they learn of it, in order of source id and ordinal."""

    def classes_around(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Map the id of each definition to the id of the class that directly contains it.

        Definitions outside of classes are left out.
        """

    def parents(self) -> dict[int, int]:
        """Map each chunk id to the id of the chunk that directly contains it.

        Chunks at the top level of a file are left out.
        """

    def has_kind(self, kind: str) -> bool:
        """Return whether the index has a chunk of this kind."""

    def repositories(self) -> list[str]:
        """List the names of the repositories, sorted. The name is empty if the index does not name its repository."""

    def has_folder(self, folder: str) -> bool:
        """Return whether the index has a file in a folder or below it. The folder has no slash at its end."""

    def unread_files(self) -> list[FileRow]:
        """List the files that were not read whole, by path: the grammar could not, or `error` says why nothing was read."""

    def marked_files(self) -> set[str]:
        """Return the paths of all files that are examples, generated or vendored."""

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of references without a target, of one kind and in these chunks, each once, sorted.

        Such a reference is unresolved or ambiguous. The name includes its receiver, the expression before it:
        `self.cart.add`.
        """

    def open_sources(self, kind: str, chunk_ids: Sequence[int] | None = None) -> set[int]:
        """Return the ids of the chunks, of these or of all, that have a reference of this kind without a target.

        It is unresolved or ambiguous.
        """

    def open_call_names(self) -> dict[str, int]:
        """Map each called name to the number of its calls that have no target (unresolved or ambiguous)."""

    def open_sites(self, names: Sequence[str], chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List calls of these names that have no target and may call one of these chunks, by path, line and column.

        The calls are unresolved or ambiguous. An ambiguous call is left out if none of these chunks is among its
        candidates. It stays if its list of candidates is full, because the index does not store more than
        MAX_CANDIDATES.
        """

    def open_edges(self, chunk_ids: Sequence[int], confidence: float) -> list[Edge]:
        """List the calls of `open_sites` that have the name of one of these chunks, each as an edge to that chunk."""

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the calls in a chunk that have no target, because they are unresolved or ambiguous."""

    def overloads(self, chunk_ids: Sequence[int]) -> dict[int, list[Symbol]]:
        """Map each definition to its overloads: the other definitions in its file with the same qualified name, by id.

        Definitions without overloads are left out.
        """

    def tied_sites(self, chunk_ids: Sequence[int]) -> list[OpenSite]:
        """List the calls to these definitions that may call an overload instead, by path, line and column.

        Such an overload takes the same number of arguments.
        """

    def outside_names(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """Map each path to the last words of the file's imports that have no target: `import os.path` gives `path`."""

    def open_imports(self) -> list[tuple[str, str]]:
        """List the imports without a target, each as (path, name), by path and then by name. Each pair comes once.

        The name is `module name`, or the module alone if it is imported as a whole.
        """

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files that this file's edges of a kind lead to, with the line of each reference.

        If `incoming`, list the files that the edges come from. A file is listed once per reference.
        """

    def links(self, kinds: Sequence[str]) -> list[LinkRow]:
        """List the pairs of files that edges of these kinds join, by source path and target path.

        No file is joined to itself.
        """

    def file_symbols(self, path: str) -> list[Symbol]:
        """List the definitions of a file, including members (such as fields), in order of line.

        A file without definitions gets a list of its sections, such as the headings of a document.
        """

    def file_definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, including members (such as fields), in the order of their chunks."""

    def file_references(self, path: str) -> list[ResolvedReference]:
        """List the resolved references of a file, by line and column."""

    def reference_fates(self, path: str) -> list[ResolvedReference]:
        """List all references of a file, by line and column.

        A resolved reference has a target, an ambiguous one has candidates, an unresolved one has neither.
        """

    def imported_definitions(self, file_id: int) -> list[StoredChunk]:
        """List the definitions that a file imports by name, each once, in the order of the imports. Modules are left out."""


class Store(ChunkReader, SignalReader, GraphReader, Protocol):
    """An open index. It has all methods that a question to the index needs."""

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of the index."""

    def refresh(self) -> None:
        """Reload the index if it was replaced or updated. Call this once per query. In a block of `reading` it does nothing."""

    def reading(self) -> AbstractContextManager[None]:
        """Let the index stay as it is inside a `with` block, for answers that take several reads."""

    def changing(self) -> AbstractContextManager[None]:
        """Let no other thread read inside a `with` block, in which the index changes."""

    def close(self) -> None:
        """Close the index file or the connection to its database."""

    def size(self) -> int:
        """Return how many bytes the index takes on disk. On a server, these are the bytes of all that is published there."""

    def sums(self) -> Sums:
        """Return the numbers of indexed files, of their lines, and of chunks. This is quick."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the statistics of the index: eight groups of counts, each sorted with the largest count first.

        `languages` counts files and `lines` counts lines, both by language. `text` counts the files without a language, by
        the ending of their names. `skipped` counts skipped files by reason. `masked` counts the `secrets` that are masked in
        texts, and their `files`.
        `chunks` and `edges` are by kind. `references` counts the resolved, ambiguous and unresolved calls.
        """

    def contents(self) -> list[tuple[str, list[tuple[Any, ...]]]]:
        """Return the content of the index, to compare it with another: pairs of a table's name and its rows.

        The rows are in no order. A chunk is written as `path:position`, because its id may differ between two builds.
        Of full-text rows, an index file tells how often each word stands in how many chunks. A server does not tell.
        """

    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds, with the way out."""

    def check(self) -> list[str]:
        """List the problems of the index, one sentence per problem. A sound index gives an empty list."""

    def chunk_hashes(self) -> dict[bytes, int]:
        """Map the content hash of each chunk with a text to the id of a chunk with this text."""

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map these chunk ids to the int8 vectors of the chunks, as bytes. Chunks without a vector are left out."""


class Servers(Protocol):
    """What a module of a database server offers: it holds the published indexes of many repositories, and answers as they do.

    `address` is the one of the server. Each function raises ServerError, IndexNotFoundError or IndexFormatError.
    """

    def open_server(self, address: Address | str, *, sign_memory: int = 0) -> Store:
        """Open all published indexes, or those that the address chooses, else raise NotInIndexError.

        `sign_memory` is the memory for the signs of many vectors in MiB.
        """

    def publish_index(self, db: Path, address: Address | str, *, repo_id: str, report: Report = ...) -> Publication:
        """Write an index file in place of what is published under this name, in one transaction.

        Raises BusyError, or UsageError for a name that cannot be used.
        """

    def pull_index(self, address: Address | str, db: Path, *, repo_id: str, report: Report = ...) -> Publication:
        """Write a published index into a file, in place of the index there.

        Raises NotInIndexError, IndexFormatError if another version of cgi made it, BusyError or IndexWriteError.
        """

    def remove_repository(self, address: Address | str, repo_id: str) -> bool:
        """Remove a repository, and return whether it was there."""

    def published_repositories(self, address: Address | str) -> list[PublishedRepository]:
        """List the published repositories, or those that the address chooses, by name."""

    def settle_vectors(self, address: Address | str, *, report: Report = ...) -> int:
        """Move the vectors that were published since the last call into the index of nearest vectors, and count them."""


class LinkReader(Protocol):
    """The methods by which the linker reads the index to resolve references, also inside a writer's transaction."""

    def file(self, path: str) -> StoredFile | None:
        """Return a file with its text, or None if the file is unknown or has no language."""

    def content_hash(self, path: str) -> bytes:
        """Return the hash of a file's content, or empty bytes if the file is unknown."""

    def paths(self, file_ids: Collection[int] | None = None) -> dict[int, str]:
        """Map the id of each indexed file that has a language to its path. With `file_ids`, only these files count."""

    def module_rows(self) -> list[tuple[str, str, str, bool]]:
        """List path, language, module and is_test of each indexed file that has a language, by path."""

    def named(self, name: str) -> list[StoredDefinition]:
        """List the definitions with a simple name, in exact case, by path and then in the order of their chunks."""

    def definitions(self, path: str) -> list[StoredDefinition]:
        """List the definitions of a file, including members (such as fields), in the order of their chunks."""

    def spans(self, file_id: int) -> list[tuple[int, int]]:
        """List the chunks of a file in order, each as its first line and the id of its node in the graph.

        The references from that line on belong to this node, until the next chunk begins. The node is the chunk itself,
        or its parent if the chunk is a `block` or `text`.
        """

    def exact(self, file_id: int) -> list[ExactUse]:
        """List those references of a file that a SCIP index resolved, in order of source id and ordinal.

        The ordinal numbers the references of a source, which is a chunk. References to a removed chunk are left out.
        """

    def lookups(self, file_ids: Collection[int] | None = None) -> Iterable[tuple[int, bytes]]:
        """Yield the id of each file with its lookups: the packed hashes of the names that its linking looked up.

        The pairs are in order of file id. Files without lookups are left out. With `file_ids`, only these files count.
        """

    def texts_named(self, matches: Callable[[str], bool]) -> dict[str, str]:
        """Map the path of each indexed file whose name `matches` to its text, in order of path. The name has no folder."""


class IndexWriter(Protocol):
    """A writer of one index. As a context manager it commits at the end, or keeps the old state after an error."""

    @property
    def links(self) -> LinkReader:
        """Return the reader for the linker, which sees what this writer has not committed yet."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Write facts about the index into its table `meta`, such as its `embedder`."""

    def meta(self, key: str) -> str:
        """Return the value of a key in the table `meta`, or an empty string without one."""

    def put_history(self, head: str, stamp: str, history: History) -> None:
        """Replace the git history in the index by the history at the commit `head`. `stamp` tells it from any other.

        What it says of files that are not indexed is left out.
        """

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file in place of its old version, and return its ids.

        Unchanged chunks keep their ids and their search rows (words, trigrams and vectors).
        """

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write vectors: pairs of a chunk id and an int8 vector."""

    def put_references(self, linked: LinkedFile) -> None:
        """Replace the references of a file."""

    def remove_file(self, path: str) -> None:
        """Remove a file with its chunks, references and search rows. An unknown path is ignored."""
