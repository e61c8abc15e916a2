"""Write the index file: a full build into a temporary file that replaces the old one, or an update as one transaction."""

import os
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import apsw

from code_graph_indexer.errors import BusyError, CgiError
from code_graph_indexer.storage.records import ReferenceRows, StoredFileIds
from code_graph_indexer.storage.sqlite import APPLICATION_ID, SCHEMA_VERSION, connect, open_checked, schema
from code_graph_indexer.storage.sqlite_links import SqliteLinks
from code_graph_indexer.syntax.records import Chunk, IndexedFile

PAGE_SIZE = 8_192
"""Bytes of a page: the compressed texts and full-text blocks waste less of it than of 4,096."""

FTS_HASH_BYTES = {"words": 8 << 20, "trigrams": 1 << 20}
"""Memory in which FTS5 gathers rows before it writes a segment: more makes fewer ones, less stays in a core's cache."""

SEARCH_ROWS = 2_000
"""Chunks whose search rows are gathered before they are written: FTS5's memory then stays in the core's cache."""


class _Known(NamedTuple):
    """A chunk that a file had before it was written again."""

    chunk_id: int
    kind: str
    qualified_name: str
    content_hash: bytes
    has_text: int


class _SearchRow(NamedTuple):
    """By what a chunk is searched; `vector` is empty where it has none yet."""

    chunk_id: int
    words: tuple[str, ...]
    grams: str
    vector: bytes


class SqliteWriter:
    """Write one index; a context manager that commits at the end, and leaves the old state when it is left by an error."""

    def __init__(self, connection: apsw.Connection, path: Path, *, fresh: bool) -> None:
        self._connection = connection
        self.links = SqliteLinks(connection)
        self._path = path
        self._fresh = fresh
        self._late_indexes: list[str] = []
        self._search_rows: list[_SearchRow] = []
        self._next_chunk = self._highest("chunks") + 1
        self._next_file = self._highest("files") + 1

    @classmethod
    def create(cls, path: Path, *, dimensions: int) -> "SqliteWriter":
        """Start a new index file; `dimensions` is 0 for an index without vectors."""
        path.unlink(missing_ok=True)
        connection = connect(path, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        connection.pragma("page_size", PAGE_SIZE)
        # A build that fails is thrown away; `off` is refused to a defensive connection.
        connection.pragma("journal_mode", "memory")
        connection.pragma("synchronous", "off")
        connection.execute("begin exclusive")
        connection.execute(schema())
        for table, size in FTS_HASH_BYTES.items():
            connection.execute(f"insert into {table} ({table}, rank) values ('hashsize', ?)", (size,))
        if dimensions:
            connection.execute(
                "create virtual table vectors using vec0"
                f"(chunk_id integer primary key, embedding int8[{dimensions}] distance_metric=cosine)"
            )
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", SCHEMA_VERSION)
        writer = cls(connection, path, fresh=True)
        writer._put_off_indexes("refs", "candidates")
        return writer

    @classmethod
    def update(cls, path: Path) -> "SqliteWriter":
        """Start a transaction on an existing index."""
        connection = open_checked(path, write=True)
        # Without spilling, readers are kept out only for the moment of the commit.
        connection.pragma("cache_spill", False)
        connection.pragma("foreign_keys", True)
        try:
            connection.execute("begin immediate")
        except apsw.BusyError as exc:
            raise BusyError(f"{path} is being written by another process; try again when it is done") from exc
        return cls(connection, path, fresh=False)

    def __enter__(self) -> "SqliteWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._commit()
        elif not self._fresh:
            self._connection.execute("rollback")
        self._connection.close()

    def _put_off_indexes(self, *tables: str) -> None:
        """Make the indexes of these tables only at the end: sorting all rows at once takes less than half of the time."""
        names = ", ".join(f"'{one}'" for one in tables)
        sql = f"select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in ({names})"
        for name, made_by in self.rows(sql):
            self._connection.execute(f"drop index {name}")
            self._late_indexes.append(made_by)

    def _commit(self) -> None:
        self._write_search_rows()
        for made_by in self._late_indexes:
            self._connection.execute(made_by)
        try:
            self._connection.execute("commit")
        except apsw.BusyError as exc:
            self._connection.execute("rollback")
            raise BusyError(f"{self._path} is held by a reader; try again in a moment") from exc
        if self._fresh:
            self._connection.execute("vacuum") if self._connection.pragma("freelist_count") else None

    def _highest(self, table: str) -> int:
        return int(self._one(f"select coalesce(max(id), 0) from {table}"))

    def _one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        row = self._connection.execute(sql, tuple(values)).fetchone()
        return row[0] if row else None

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Read inside the transaction."""
        return self._connection.execute(sql, tuple(values)).fetchall()

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Record what the index says of itself."""
        self._connection.executemany("insert or replace into meta (key, value) values (?, ?)", sorted(values.items()))

    def meta(self, key: str) -> str:
        """Return what the index says of itself under a key; empty when it says nothing."""
        return str(self._one("select value from meta where key = ?", (key,)) or "")

    def put_history(self, head: str, files: Mapping[str, tuple[int, int]], tags: Mapping[str, int]) -> None:
        """Record when each file was last changed, in place of what was known, as of a commit."""
        self.set_meta({"head": head})
        self._connection.execute("delete from history")
        self._connection.execute("delete from tags")
        known = {path for (path,) in self.rows("select path from files")}
        rows = ((path, *facts) for path, facts in sorted(files.items()) if path in known)
        self._connection.executemany("insert into history values (?, ?, ?)", rows)
        self._connection.executemany("insert into tags values (?, ?)", sorted(tags.items()))

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file in place of what stood there; chunks that are the same keep their ids and search rows."""
        source = indexed.source
        file_id = None if self._fresh else self._one("select id from files where path = ?", (source.path,))
        known = self._remove_rows(file_id) if file_id is not None else []
        if file_id is None:
            file_id, self._next_file = self._next_file, self._next_file + 1
        self._connection.execute(
            "insert into files (id, path, repo_id, language, source_type, size, lines, encoding, module, content_hash, "
            "is_test, is_example, is_generated, is_vendored, is_broken, error) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file_id, source.path, repo_id, source.language, source.source_type, source.size, indexed.lines),
                *(source.encoding, indexed.module, source.content_hash, int(source.is_test), int(source.is_example)),
                *(int(source.is_generated), int(source.is_vendored), int(indexed.broken), source.error),
            ),
        )
        if source.error is not None:
            self._remove_search_rows(known)
            return StoredFileIds(file_id, [], frozenset())
        self._connection.execute(
            "insert into contents (file_id, text, lookups) values (?, ?, x'')", (file_id, indexed.compressed)
        )
        ids = self._chunk_ids(indexed, known)
        before = {one.chunk_id: one.content_hash for one in known if one.has_text}
        same = {one for i, one in enumerate(ids) if before.get(one) == indexed.hashes[i]}
        self._remove_search_rows(one for one in known if one.chunk_id not in same)
        self._put_chunks(file_id, indexed, ids)
        fresh = [i for i, chunk in enumerate(indexed.chunks) if chunk.end > chunk.start and ids[i] not in same]
        self._put_search_rows(indexed, ids, fresh)
        return StoredFileIds(file_id, ids, frozenset(fresh))

    def _chunk_ids(self, indexed: IndexedFile, known: Sequence[_Known]) -> list[int]:
        """Give each chunk the id of the one it was: of the same text first, else of the same name, else a new one."""
        if not known:
            first, self._next_chunk = self._next_chunk, self._next_chunk + len(indexed.chunks)
            return [*range(first, self._next_chunk)]
        by_text: dict[tuple[str, str, bytes], deque[int]] = defaultdict(deque)
        by_name: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        for one in known:
            by_text[one.kind, one.qualified_name, one.content_hash].append(one.chunk_id)
        ids: list[int | None] = []
        for chunk, content_hash in zip(indexed.chunks, indexed.hashes, strict=True):
            same = by_text.get((chunk.kind, chunk.qualified_name, content_hash))
            ids.append(same.popleft() if same else None)
        used = set(ids)
        for one in known:
            if one.chunk_id not in used:
                by_name[one.kind, one.qualified_name].append(one.chunk_id)
        return [
            one if one is not None else self._id_by_name(chunk, by_name)
            for one, chunk in zip(ids, indexed.chunks, strict=True)
        ]

    def _id_by_name(self, chunk: Chunk, by_name: dict[tuple[str, str], deque[int]]) -> int:
        same = by_name.get((chunk.kind, chunk.qualified_name))
        if same:
            return same.popleft()
        self._next_chunk += 1
        return self._next_chunk - 1

    def _put_chunks(self, file_id: int, indexed: IndexedFile, ids: list[int]) -> None:
        self._connection.executemany(
            "insert into chunks values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (ids[i], file_id, ids[chunk.parent] if chunk.parent >= 0 else None, i, *chunk[:-1], indexed.hashes[i])
                for i, chunk in enumerate(indexed.chunks)
            ),
        )
        self._connection.executemany(
            "insert into members (chunk_id, kind, name, qualified_name, signature, doc, line, end_line, has_body) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((ids[member.chunk], *member[:-1]) for member in indexed.members),
        )

    def _put_search_rows(self, indexed: IndexedFile, ids: list[int], fresh: Sequence[int]) -> None:
        vectors = indexed.vectors or [b""] * len(ids)
        self._search_rows += [_SearchRow(ids[i], indexed.words[i], indexed.grams[i], vectors[i]) for i in fresh]
        if len(self._search_rows) >= SEARCH_ROWS:
            self._write_search_rows()

    def _write_search_rows(self) -> None:
        rows, self._search_rows = self._search_rows, []
        self._connection.executemany(
            "insert into words (rowid, name, path, signature, doc, body) values (?, ?, ?, ?, ?, ?)",
            ((one.chunk_id, *one.words) for one in rows),
        )
        self._connection.executemany(
            "insert into trigrams (rowid, body) values (?, ?)", ((one.chunk_id, one.grams) for one in rows)
        )
        if vectors := [(one.chunk_id, one.vector) for one in rows if one.vector]:
            self.put_vectors(vectors)

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write int8 vectors by chunk id."""
        self._connection.executemany("insert into vectors (chunk_id, embedding) values (?, vec_int8(?))", vectors)

    def put_references(self, file_id: int, references: ReferenceRows, lookups: bytes) -> None:
        """Write the references of a file in place of those that stood there, with the names they were looked up by."""
        if not self._fresh:
            sql = "delete from refs where source_id in (select id from chunks where file_id = ?)"
            self._connection.execute(sql, (file_id,))
        self._connection.execute("update contents set lookups = ? where file_id = ?", (lookups, file_id))
        self._connection.executemany("insert into refs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", references.rows)
        self._connection.executemany("insert or ignore into candidates values (?, ?, ?)", references.candidates)

    def remove_file(self, path: str) -> None:
        """Remove a file and all that came from it."""
        file_id = self._one("select id from files where path = ?", (path,))
        if file_id is not None:
            self._remove_search_rows(self._remove_rows(file_id))

    def _remove_rows(self, file_id: int) -> list[_Known]:
        """Remove a file's rows but those it is searched by; return the chunks it had, in order."""
        rows = self.rows(
            "select id, kind, qualified_name, content_hash, end_byte > start_byte from chunks "
            "where file_id = ? order by position",
            (file_id,),
        )
        self._connection.execute("delete from files where id = ?", (file_id,))
        return [_Known(*row) for row in rows]

    def _remove_search_rows(self, chunks: Iterable[_Known]) -> None:
        ids = [(one.chunk_id,) for one in chunks if one.has_text]
        if not ids:
            return
        self._write_search_rows()
        self._connection.executemany("delete from words where rowid = ?", ids)
        self._connection.executemany("delete from trigrams where rowid = ?", ids)
        if self._has_vectors():
            self._connection.executemany("delete from vectors where chunk_id = ?", ids)

    def _has_vectors(self) -> bool:
        return bool(self._one("select 1 from sqlite_schema where name = 'vectors'"))


def replace_index(temporary: Path, path: Path) -> None:
    """Put a finished build in the place of the old index, durably.

    A journal that a killed update left beside the old file must be rolled back first: it would be played into the new one.
    """
    journal = path.with_name(path.name + "-journal")
    if journal.exists():
        try:
            open_checked(path).close()
        except CgiError:
            path.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)
    with temporary.open("rb") as stream:
        os.fsync(stream.fileno())
    temporary.replace(path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
