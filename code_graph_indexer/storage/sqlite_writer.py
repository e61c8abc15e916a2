"""The writer of the index file. A full build fills a temporary file that replaces the old one. An update is one transaction.

It is a separate module because a reader does not load it, and because its statements are only for SQLite.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import apsw

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import BusyError, CgiError
from code_graph_indexer.storage.apsw_errors import DAMAGE_ERRORS
from code_graph_indexer.storage.columns import meta_number
from code_graph_indexer.storage.identity import FIRST_MEMBER, OldChunk, OldMember, chunk_ids, member_ids, unchanged
from code_graph_indexer.storage.place import APPLICATION_ID, damaged, made_by_schema
from code_graph_indexer.storage.records import (
    HISTORY_KEYS,
    HISTORY_TABLES,
    UNLINKED,
    External,
    History,
    LinkedFile,
    StoredFileIds,
)
from code_graph_indexer.storage.side import OWN_FOLDER, claim
from code_graph_indexer.storage.sqlite import (
    SCHEMA_VERSION,
    SIGNS_PER_BLOCK,
    SqliteLinks,
    connect,
    open_checked,
    schema,
)
from code_graph_indexer.syntax.records import IndexedFile
from code_graph_indexer.words import index_words

# Late, because only an index with an embedder needs NumPy.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays
    from code_graph_indexer.storage import vectors as vector_table
    from code_graph_indexer.storage.arrays import Ids

    Rows = NDArray[np.uint8]
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")
    vector_table = late_module("code_graph_indexer.storage.vectors")

PAGE_SIZE = 8_192
"""Bytes per page of the file. Compressed texts and full-text blocks waste less space than in pages of 4,096 bytes."""

FTS_HASH_BYTES = {"words": 8 << 20, "trigrams": 1 << 20}
"""The memory, for each full-text table, in which FTS5 gathers rows before it writes a segment.

More memory makes fewer segments. Less memory fits into the cache of a processor core.
"""

SEARCH_ROWS = 2_000
"""The number of chunks whose search rows are written together, so that FTS5's memory stays in the core's cache."""

KIND_CODES = {
    kind: code
    for code, kind in enumerate(
        ("calls", "imports", "references", "inherits", "overrides", "declares", "reads", "writes", "types")
    )
}
"""The numbers that stand for the kinds of references in `refs.kind_code`. Another kind stands there itself."""

PRIVATE_SINCE = 11
"""The first version of the schema whose index in the own folder was made for its owner alone."""

UPDATE_DAMAGE_ERRORS = (*DAMAGE_ERRORS, apsw.SQLError)
"""What the driver raises when an update meets damage. The vector table reports its own damage as a general error."""


class IndexWriter:
    """A writer of one index file, for one thread.

    As a context manager it commits at the end, or keeps the old state after an error.
    """

    def __init__(self, connection: apsw.Connection, path: Path, *, fresh: bool) -> None:
        self._connection = connection
        self.links = SqliteLinks(connection, path)
        self._path = path
        self._fresh = fresh
        self._late_indexes: list[str] = []
        # For each chunk: its id, full-text fields and int8 vector, which may be empty.
        self._search_rows: list[tuple[int, tuple[str, ...], bytes]] = []
        self._gram_rows: list[tuple[int, str]] = []
        # The rows of signs and of steps of blocks of vectors that wait to be written.
        self._vector_blocks: dict[int, tuple[Rows, ...]] = {}
        self._fresh_ids = count(self._highest("text_chunks") + 1)
        self._fresh_members = count(max(self._highest("members") + 1, FIRST_MEMBER))
        self._next_file = self._highest("files") + 1
        self.externals = ExternalNames(connection, self.links)
        self._has_sentences = bool(self._value("select 1 as count from sentences limit 1"))

    @classmethod
    def create(cls, path: Path) -> "IndexWriter":
        """Create an index file and return its writer. An old file at this path is removed."""
        path.unlink(missing_ok=True)
        claim(path)
        connection = connect(path, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        # It has no effect once there is a table.
        connection.pragma("page_size", PAGE_SIZE)
        # A build that fails is thrown away. SQLite refuses `off` to a defensive connection.
        connection.pragma("journal_mode", "memory")
        connection.pragma("synchronous", "off")
        connection.execute("begin exclusive")
        connection.execute(schema())
        for table, size in FTS_HASH_BYTES.items():
            connection.execute(f"insert into {table} ({table}, rank) values ('hashsize', ?)", (size,))
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", SCHEMA_VERSION)
        writer = cls(connection, path, fresh=True)
        writer.delay_indexes("refs", "candidates")
        return writer

    @classmethod
    def update(cls, path: Path) -> "IndexWriter":
        """Start a transaction on an existing index and return its writer.

        Raises BusyError if another process writes the index, and IndexFormatError if the index is damaged.
        """
        connection = open_checked(path, write=True)
        # Without spilling, readers are kept out only for the moment of the commit.
        connection.pragma("cache_spill", False)
        # Removing a file relies on cascades, and SQLite changes this only outside of a transaction.
        connection.pragma("foreign_keys", True)
        try:
            connection.execute("begin immediate")
            return cls(connection, path, fresh=False)
        except apsw.BusyError as exc:
            raise BusyError(f"{path} is being written by another process; try again when it is done") from exc
        except UPDATE_DAMAGE_ERRORS as exc:
            raise damaged(path, exc) from exc

    def __enter__(self) -> "IndexWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._commit()
        except UPDATE_DAMAGE_ERRORS as exc:
            if self._fresh:
                raise
            error = exc
        finally:
            # The file of a build that failed is removed by its maker. After some errors SQLite has rolled back by itself.
            if not self._fresh and self._connection.in_transaction:
                self._connection.execute("rollback")
            self._connection.close()
        if isinstance(error, UPDATE_DAMAGE_ERRORS) and not self._fresh:
            raise damaged(self._path, error) from error

    def delay_indexes(self, *tables: str) -> None:
        """Drop the SQL indexes of these tables until the commit, which makes them again.

        To sort all rows at once takes less than half of the time.
        """
        names = ", ".join(f"'{table}'" for table in tables)
        sql = f"select name, sql as text from sqlite_schema where type = 'index' and sql is not null and tbl_name in ({names})"
        for name, ddl in self._connection.execute(sql).fetchall():
            self._connection.execute(f"drop index {name}")
            self._late_indexes.append(str(ddl))

    def _commit(self) -> None:
        """Write the search rows that still wait, make the delayed SQL indexes, and commit.

        Raises BusyError if a reader does not release the file.
        """
        self._write_search_rows()
        self._write_vector_blocks(sorted(self._vector_blocks))
        if self._fresh and self._has_sentences:
            sql = "delete from sentences where content_hash not in (select content_hash from text_chunks)"
            self._connection.execute(sql)
        for ddl in self._late_indexes:
            self._connection.execute(ddl)
        try:
            self._connection.execute("commit")
        except apsw.BusyError as exc:
            raise BusyError(f"{self._path} is held by a reader; try again in a moment") from exc
        if self._fresh:
            self._connection.execute("vacuum") if self._connection.pragma("freelist_count") else None

    def _highest(self, table: str) -> int:
        """Return the highest id in a table, or 0 if the table is empty."""
        return int(self._value(f"select coalesce(max(id), 0) as id from {table}"))

    def _value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Run a query and return the first column of its first row, or None if there is no row."""
        rows = self.links.rows(sql, values)
        return rows[0][0] if rows else None

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Write facts about the index into its table `meta`, such as its `embedder`."""
        self._connection.executemany("insert or replace into meta (key, value) values (?, ?)", sorted(values.items()))

    def _remove_meta(self, *keys: str) -> None:
        """Remove settings of the index."""
        self._connection.executemany("delete from meta where key = ?", [(key,) for key in keys])

    def meta(self, key: str) -> str:
        """Return the value of a key in the table `meta`, or an empty string without one."""
        return str(self._value("select value from meta where key = ?", (key,)) or "")

    def put_history(self, head: str, stamp: str, history: History) -> None:
        """Replace the git history in the index by the history at the commit `head`. `stamp` tells it from any other."""
        self._remove_meta(*HISTORY_KEYS)
        self.set_meta({key: value for key, value in zip(HISTORY_KEYS, (head, stamp), strict=True) if value})
        for table in HISTORY_TABLES:
            self._connection.execute(f"delete from {table}")
        # Git also tells of files that are not indexed.
        indexed = {path for (path,) in self.links.rows("select path from files")}
        rows = ((path, *numbers) for path, numbers in sorted(history.files.items()) if path in indexed)
        self._connection.executemany("insert into history values (?, ?, ?)", rows)
        pairs = (
            (path, partner, commits)
            for path, partners in sorted(history.together.items())
            for partner, commits in sorted(partners)
            if path in indexed and partner in indexed
        )
        self._connection.executemany("insert into changed_together values (?, ?, ?)", pairs)

    def _distrust_history(self) -> None:
        """Let the next run read git's history again, unless this is a full build: what it tells of new files is not stored."""
        if not self._fresh:
            self._remove_meta("history")

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file in place of its old version, and return its ids."""
        source = indexed.source
        file_id = None if self._fresh else self._value("select id from files where path = ?", (source.path,))
        old_chunks, old_members = self._remove_rows(file_id) if file_id is not None else ([], [])
        if file_id is None:
            file_id, self._next_file = self._next_file, self._next_file + 1
            self._distrust_history()
        self._connection.execute(
            "insert into files (id, path, repo_id, language, source_type, size, lines, encoding, module, content_hash, "
            "is_test, is_example, is_generated, is_vendored, is_broken, secrets, error) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file_id, source.path, repo_id, source.language, source.source_type, source.size, indexed.lines),
                *(source.encoding, indexed.module, source.content_hash, int(source.is_test), int(source.is_example)),
                *(int(source.is_generated), int(source.is_vendored), int(indexed.broken)),
                *(source.secrets, source.error),
            ),
        )
        if source.error is not None:
            self._remove_search_rows(old_chunks)
            return StoredFileIds(file_id, [], frozenset(), [])
        self._connection.execute("insert into contents (file_id, text) values (?, ?)", (file_id, indexed.compressed))
        ids = chunk_ids(indexed, old_chunks, self._fresh_ids)
        same = unchanged(indexed, ids, old_chunks)
        self._remove_search_rows(chunk for chunk in old_chunks if chunk.chunk_id not in same)
        ids_of_members = member_ids(indexed, old_members, self._fresh_members)
        self._put_chunks(file_id, indexed, ids, ids_of_members)
        fresh = [i for i, chunk in enumerate(indexed.chunks) if chunk.end > chunk.start and ids[i] not in same]
        vectors = indexed.vectors or [b""] * len(ids)
        self.put_search_rows((ids[i], indexed.words[i], vectors[i]) for i in fresh)
        self.put_grams(file_id, indexed.grams)
        if self._has_sentences:
            self.put_described([ids[i] for i in fresh])
        return StoredFileIds(file_id, ids, frozenset(fresh), ids_of_members)

    def put_sentences(self, sentences: Iterable[tuple[bytes, str, str]]) -> None:
        """Write what a language model wrote of definitions, as (hash of the content, model, sentence).

        A search finds it once put_described() was called for the chunks with these contents.
        """
        self._connection.executemany("insert or replace into sentences values (?, ?, ?)", sentences)
        self._has_sentences = True

    def put_described(self, chunk_ids: Sequence[int] | None = None) -> None:
        """Write the words of the descriptions of these chunks, or of all. A chunk without a description is left out."""
        chosen = "" if chunk_ids is None else f" where chunk_id {self.links.dialect.in_ids}"
        values = () if chunk_ids is None else (self.links.dialect.pack(chunk_ids),)
        rows = self.links.rows(f"select chunk_id, sentence from descriptions{chosen} order by chunk_id", values)
        self._connection.executemany(
            "insert or replace into described (rowid, body) values (?, ?)",
            ((chunk_id, index_words(sentence)) for chunk_id, sentence in rows),
        )

    def _put_chunks(self, file_id: int, indexed: IndexedFile, ids: list[int], ids_of_members: list[int]) -> None:
        """Write the chunks of a file and their members, with these ids in the same order."""
        self.put_chunk_rows(
            (ids[i], file_id, ids[chunk.parent] if chunk.parent >= 0 else None, i, *chunk[:-1], indexed.hashes[i])
            for i, chunk in enumerate(indexed.chunks)
        )
        self._connection.executemany(
            "insert into members values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    ids_of_members[i],
                    ids[member.parent],
                    i,
                    *member[:5],
                    member.name_line,
                    member.def_end_line,
                    member.has_body,
                )
                for i, member in enumerate(indexed.members)
            ),
        )

    def put_chunk_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `text_chunks`, as other back-ends have them: with the whole qualified name."""
        self._connection.executemany(
            "insert into text_chunks values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((*row[:6], _scope(row[5], row[6]), *row[7:]) for row in rows),
        )

    def _write_search_rows(self) -> None:
        """Write the search rows that wait, one table after the other."""
        rows, self._search_rows = self._search_rows, []
        self._connection.executemany(
            "insert into words (rowid, name, path, signature, doc, body) values (?, ?, ?, ?, ?, ?)",
            ((chunk_id, *words) for chunk_id, words, _ in rows),
        )
        grams, self._gram_rows = self._gram_rows, []
        self._connection.executemany("insert into trigrams (rowid, body) values (?, ?)", grams)
        if vectors := [(chunk_id, vector) for chunk_id, _, vector in rows if vector]:
            self.put_vectors(vectors)

    def put_rows(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of a table as they are, ids included, as another back-end holds them."""
        marks = ", ".join("?" * len(columns))
        names = ", ".join(f'"{column}"' for column in columns)
        self._connection.executemany(f'insert into "{table}" ({names}) values ({marks})', rows)

    def put_grams(self, file_id: int, grams: str) -> None:
        """Write the trigrams of a file. `grams` are its distinct tokens, separated by blanks."""
        self._gram_rows.append((file_id, grams))

    def put_search_rows(self, rows: Iterable[tuple[int, tuple[str, ...], bytes]]) -> None:
        """Write search rows: the id of a chunk, its full-text fields, and its int8 vector, which may be empty."""
        self._search_rows += rows
        if len(self._search_rows) >= SEARCH_ROWS:
            self._write_search_rows()

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write vectors: pairs of a chunk id and an int8 vector."""
        rows = list(vectors)
        if not rows:
            return
        packed = np.frombuffer(b"".join(vector for _, vector in rows), np.int8).reshape(len(rows), -1)
        signs = vector_table.sign_rows(packed).view(np.uint8)
        self._put_vector_rows(np.array([chunk_id for chunk_id, _ in rows]), signs, vector_table.step_rows(packed))

    def _put_vector_rows(self, ids: "Ids", signs: "Rows", steps: "Rows") -> None:
        """Write the rows of signs and of steps of these chunks into their blocks."""
        blocks = ids // SIGNS_PER_BLOCK
        for block in arrays.distinct(blocks).tolist():
            if block not in self._vector_blocks:
                self._vector_blocks[block] = self._vector_block(block, signs.shape[1], steps.shape[1])
            places = np.flatnonzero(blocks == block)
            slots = ids[places] - block * SIGNS_PER_BLOCK
            for rows, part in zip(self._vector_blocks[block], (signs, steps), strict=True):
                rows[slots] = part[places]
        # The next chunks of a build are in the last block.
        self._write_vector_blocks(sorted(self._vector_blocks)[:-1])

    def _vector_block(self, block: int, *sizes: int) -> "tuple[Rows, ...]":
        """Return the rows of signs and of steps of a block in the index, padded to a whole block."""
        stored = self.links.rows("select signs, steps from vectors where block = ?", (block,)) or [(b"", b"")]
        blocks = []
        for packed, size in zip(stored[0], sizes, strict=True):
            if len(packed) > size * SIGNS_PER_BLOCK:
                raise damaged(self._path, "its vectors have other dimensions than it says")
            padded = np.frombuffer(packed.ljust(size * SIGNS_PER_BLOCK, b"\0"), np.uint8)
            blocks.append(padded.reshape(-1, size).copy())
        return tuple(blocks)

    def _write_vector_blocks(self, numbers: Iterable[int]) -> None:
        """Write these blocks, up to their last vector."""
        for block in numbers:
            signs, steps = self._vector_blocks.pop(block)
            end = np.flatnonzero(signs.any(axis=1))[-1:].sum() + 1
            values = (block, signs[:end].tobytes(), steps[:end].tobytes())
            self._connection.execute("insert or replace into vectors values (?, ?, ?)", values)

    def put_reference_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows of `refs`, as LinkedFile and other back-ends have them: with kind and confidence themselves.

        The last column is what a reference means outside the repository, or the id of that.
        """
        # Name by name: `*others` would make a list of each of millions of rows, which takes five times as long.
        code, hundredths, number = KIND_CODES.get, _hundredths, self.externals.number
        coded = (
            (
                source_id,
                place,
                code(kind, kind),
                name,
                receiver,
                line,
                column,
                target,
                hundredths(sure),
                tied,
                origin,
                number(external) if isinstance(external, External) else external,
            )
            for source_id, place, kind, name, receiver, line, column, target, sure, tied, origin, external in rows
        )
        self._connection.executemany("insert into refs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", coded)

    def put_references(self, linked: LinkedFile) -> None:
        """Replace the references of a file."""
        if not self._fresh:
            for table in ("refs", "registrations"):
                sql = f"delete from {table} where source_id in (select id from text_chunks where file_id = ?)"
                self._connection.execute(sql, (linked.file_id,))
            self._connection.execute("delete from lookups where file_id = ?", (linked.file_id,))
            sql = "update files set error = null where id = ? and error like ?"
            self._connection.execute(sql, (linked.file_id, f"%{UNLINKED}"))
        if linked.error is not None:
            self._connection.execute("update files set error = ? where id = ?", (linked.error, linked.file_id))
        if linked.lookups:
            self._connection.execute("insert into lookups values (?, ?)", (linked.file_id, linked.lookups))
        # Rows that come in the order of the key fill the pages of the file.
        self.put_reference_rows(sorted(linked.rows, key=itemgetter(0, 1)))
        self._connection.executemany("insert or ignore into candidates values (?, ?, ?)", linked.candidates)
        sql = "insert into registrations values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._connection.executemany(sql, linked.registrations)

    def remove_file(self, path: str) -> None:
        """Remove a file with its chunks, references and search rows. An unknown path is ignored."""
        file_id = self._value("select id from files where path = ?", (path,))
        if file_id is not None:
            self._remove_search_rows(self._remove_rows(file_id)[0])
            self._connection.execute("delete from history where path = ?", (path,))
            self._connection.execute("delete from changed_together where ? in (path, partner)", (path,))

    def _remove_rows(self, file_id: int) -> tuple[list[OldChunk], list[OldMember]]:
        """Remove a file with its trigrams, but not its chunks' search rows. Return the removed chunks and members in order."""
        rows = self.links.rows(
            "select id, kind, qualified_name, content_hash, end_byte > start_byte as has_text from text_chunks "
            "where file_id = ? order by position",
            (file_id,),
        )
        members = self.links.members(file_id)
        # What still waits to be written may be among what goes.
        self._write_search_rows()
        # Chunks, members, references and the text go with the file by cascade. Full-text rows have none.
        self._connection.execute("delete from files where id = ?", (file_id,))
        self._connection.execute("delete from trigrams where rowid = ?", (file_id,))
        return [OldChunk(*row) for row in rows], members

    def _remove_search_rows(self, chunks: Iterable[OldChunk]) -> None:
        """Remove the words, the described words, vectors and signs of chunks."""
        ids = [(chunk.chunk_id,) for chunk in chunks if chunk.has_text]
        if not ids:
            return
        for table in ("words", "described") if self._has_sentences else ("words",):
            self._connection.executemany(f"delete from {table} where rowid = ?", ids)
        if dimensions := meta_number({"dimensions": self.meta("dimensions")}, "dimensions"):
            sizes = vector_table.sign_row_size(dimensions), vector_table.step_row_size(dimensions)
            signs, steps = (np.zeros((len(ids), size), np.uint8) for size in sizes)
            self._put_vector_rows(np.array(ids)[:, 0], signs, steps)


def _scope(name: str, qualified_name: str) -> str | bytes | None:
    """Return what is stored of a qualified name: what stands before the name, None if it is empty, bytes with another end."""
    if not qualified_name:
        return None
    return qualified_name.removesuffix(name) if qualified_name.endswith(name) else qualified_name.encode()


class ExternalNames:
    """The names outside the repository that the references of an index mean, and the modules and packages of these."""

    def __init__(self, connection: apsw.Connection, links: SqliteLinks) -> None:
        self._connection = connection
        self._links = links
        self._modules: dict[tuple[str, str], int] = {}
        self._names: dict[tuple[int, str], int] | None = None

    def number(self, external: External) -> int:
        """Return the id of a name, which is written when it comes first."""
        ecosystem, module, name = external
        if self._names is None:
            self._modules = {(row[1], row[2]): row[0] for row in self.modules()}
            rows = self._links.rows("select id, module_id, name from externals")
            self._names = {(row[1], row[2]): row[0] for row in rows}
        if (module_id := self._modules.get((ecosystem, module))) is None:
            module_id = self._modules[ecosystem, module] = len(self._modules) + 1
            row = (module_id, ecosystem, module)
            self._connection.execute("insert into external_modules values (?, ?, ?, '', '')", row)
        if (number := self._names.get((module_id, name))) is None:
            number = self._names[module_id, name] = len(self._names) + 1
            self._connection.execute("insert into externals values (?, ?, ?)", (number, module_id, name))
        return number

    def modules(self) -> list[tuple[int, str, str]]:
        """List the modules, each as (id, ecosystem, module)."""
        rows = self._links.rows("select id, ecosystem, module from external_modules order by id")
        return [(number, ecosystem, module) for number, ecosystem, module in rows]

    def has_unnamed(self) -> bool:
        """Say whether a module has no package yet, because an update brought it."""
        return bool(self._links.rows("select id from external_modules where package = '' limit 1"))

    def data_paths(self) -> list[str]:
        """List the paths of the files that are not indexed because they hold data, such as lock files."""
        return [path for (path,) in self._links.rows("select path from files where error = 'data' order by path")]

    def put_packages(self, packages: Iterable[tuple[str, str, int]]) -> None:
        """Write the package and version of modules, each with the id of the module."""
        sql = "update external_modules set package = ?, version = ? where id = ?"
        self._connection.executemany(sql, packages)


@lru_cache(maxsize=1_000)
def _hundredths(confidence: float | None) -> float | None:
    """Return a confidence as it is stored: as whole hundredths, or as it is if it has more digits. None stays None."""
    if confidence is None:
        return None
    code = round(confidence * 100)
    return code if code / 100 == confidence else confidence


def replace_index(temporary: Path, path: Path) -> None:
    """Put a finished build in the place of the old index, and wait until it is on disk.

    A killed update may have left a journal beside the old file. The journal is rolled back first, because SQLite would
    apply it to the new file.
    """
    journal = path.with_name(path.name + "-journal")
    if journal.exists():
        try:
            open_checked(path).close()
        # The old file cannot be read, so there is nothing in it to save.
        except CgiError:
            path.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)
    # After a crash, the new name must not point at a file that was never written out.
    with temporary.open("rb") as stream:
        os.fsync(stream.fileno())
    # Who may read an index stays as the user has set it. In the own folder, an older version set it.
    if path.exists() and (path.parent.name != OWN_FOLDER or made_by_schema(path) >= PRIVATE_SINCE):
        temporary.chmod(path.stat().st_mode & 0o777)
    temporary.replace(path)
    # The renaming is written with the folder. Windows cannot open one.
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
