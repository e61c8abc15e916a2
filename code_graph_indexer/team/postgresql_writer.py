"""Publish an index file to a PostgreSQL database, and bring it back.

An index is always built as a file. Publishing is one transaction, which replaces the rows of the files that differ. Readers see
the index as it was before, or as it is afterwards.
"""

import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from itertools import groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import numpy as np
import psycopg

from code_graph_indexer.errors import BusyError, IndexFormatError, NotInIndexError, UsageError
from code_graph_indexer.results import Progress
from code_graph_indexer.storage.address import Address, check_name
from code_graph_indexer.storage.arrays import are_in
from code_graph_indexer.storage.base import Report
from code_graph_indexer.storage.columns import meta_number
from code_graph_indexer.storage.identity import LOCAL_BITS, LOCAL_MASK
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.storage.place import damaged, writable
from code_graph_indexer.storage.publication import Publication
from code_graph_indexer.storage.reading import RowReader
from code_graph_indexer.storage.scores import WORD_WEIGHTS
from code_graph_indexer.storage.side import BUILD, beside, make_folder
from code_graph_indexer.storage.sql import TEXT_WEIGHT
from code_graph_indexer.storage.sqlite import SIGNS_PER_BLOCK, SqliteStore, open_checked, refuse_foreign
from code_graph_indexer.storage.sqlite_writer import IndexWriter, replace_index
from code_graph_indexer.syntax.search_words import word_fields
from code_graph_indexer.team.postgresql import (
    WORD_KINDS,
    Connection,
    PostgresqlStore,
    check_schema,
    checked,
    connect,
    explained,
    fetched,
    has_unsettled_vectors,
    limit_statements,
    read_vectors,
    schema,
    schema_version,
    vector_schema,
)
from code_graph_indexer.team.postings import PLACES, Posting, batches, pack_places
from code_graph_indexer.version import VERSION
from code_graph_indexer.words import words_and_grams

DIGEST_BYTES = 16
"""The length of the hash by which rows are compared."""

LOCK = 0x43474958
"""The number of the advisory lock that keeps two processes from creating the schema at once: the letters `CGIX`."""

WAIT_SECONDS = 600
"""Seconds to wait for another process that is publishing the same repository."""

SETTLE_BATCH = 20_000
"""How many vectors one transaction adds to the HNSW index."""

REBUILD_SHARE = 0.5
"""The share of settled vectors above which the HNSW index is built anew, because that takes less time than to add to it."""

BUILD_MEMORY = "1GB"
"""The memory in which the server builds an HNSW index. A build that does not fit takes ten times as long."""

MAX_PATH = 1_800
"""The longest path in bytes. An index entry has at most 2,704, and the name of the repository is in it."""

STATISTICS = 20
"""How many of the most frequent values of a column the database counts after a publication: 300 times as many rows are read."""

COUNT_SHARE = 0.05
"""The share of all files from which on the database counts its rows after a publication. A smaller one it counts in time."""

POSTING_PARTS = 4_000
"""How many parts of rows with words are joined at once, four of each."""

PULL_SECONDS = 600
"""Seconds after which the server ends a statement that reads for a file. All vectors of a large repository are one."""

PULLED_ROWS = 10_000
"""How many rows are read and checked at once."""

COPY_BYTES = 1 << 18
"""How many bytes are sent at once."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table whose rows SQLite writes as lines of COPY.

    `columns` maps each column of the database to an SQL expression of its text. The rows hang by `joins` on the chunks `c` of a
    file `f`, and `order` is their order inside the file. `by` is the column of their chunk.
    """

    name: str
    columns: Mapping[str, str]
    joins: str
    order: str
    by: str


def _text(column: str) -> str:
    """Return SQL that writes a text as COPY reads it. `\\N` is null."""
    escaped = column
    for character, letter in (("'\\'", "\\"), ("char(9)", "t"), ("char(10)", "n"), ("char(13)", "r")):
        escaped = f"replace({escaped}, {character}, '\\{letter}')"
    # PostgreSQL holds no NUL.
    return f"coalesce(replace({escaped}, char(0), char(65533)), '\\N')"


def _id(column: str) -> str:
    """Return SQL that writes an id of the index file as one of the server. NULL becomes the null of COPY."""
    return f"coalesce({column} + :base, '\\N')"


def _number(column: str) -> str:
    """Return SQL that writes a number. Anything else in a forged file becomes one, and no text that ends the row."""
    return f"({column} + 0)"


def _flag(column: str) -> str:
    return f"iif({column}, 't', 'f')"


def _bytes(column: str) -> str:
    return f"'\\\\x' || hex({column})"


TABLES = (
    _Table(
        "chunks",
        {
            **{name: _id(f"c.{name}") for name in ("id", "file_id", "parent_id")},
            **{name: _number(f"c.{name}") for name in ("position", "start_byte", "end_byte", "start_line", "end_line")},
            **{name: _number(f"c.{name}") for name in ("name_line", "def_end_line")},
            "has_body": _flag("c.has_body"),
            **{name: _text(f"c.{name}") for name in ("kind", "name", "qualified_name", "signature", "doc")},
            "content_hash": _bytes("c.content_hash"),
        },
        "",
        "c.position",
        "id",
    ),
    _Table(
        "descriptions",
        {
            "chunk_id": _id("c.id"),
            "content_hash": _bytes("c.content_hash"),
            **{name: _text(f"s.{name}") for name in ("model", "sentence")},
        },
        "join sentences as s on s.content_hash = c.content_hash",
        "c.position",
        "chunk_id",
    ),
    _Table(
        "members",
        {
            **{name: _id(f"m.{name}") for name in ("chunk_id", "id")},
            **{name: _number(f"m.{name}") for name in ("position", "line", "end_line")},
            "has_body": _flag("m.has_body"),
            **{name: _text(f"m.{name}") for name in ("kind", "name", "qualified_name", "signature", "doc")},
        },
        "join members as m on m.chunk_id = c.id",
        "c.position, m.id",
        "chunk_id",
    ),
    _Table(
        "refs",
        {
            "source_id": _id("r.source_id"),
            "target_id": _id("r.target_id"),
            **{name: _number(f"r.{name}") for name in ("ordinal", "line", "column")},
            "ambiguous": _flag("r.ambiguous"),
            # 17 digits are enough for every number of 64 bits.
            "confidence": "iif(r.confidence is null, '\\N', printf('%!.17g', r.confidence))",
            "kind": _text("r.kind"),
            **{name: _text(f"r.{name}") for name in ("name", "receiver")},
            "origin": _text("r.origin"),
            "external_id": _id("r.external_id"),
        },
        "join refs as r on r.source_id = c.id",
        "c.position, r.ordinal",
        "source_id",
    ),
    _Table(
        "candidates",
        {"source_id": _id("k.source_id"), "chunk_id": _id("k.chunk_id"), "ordinal": _number("k.ordinal")},
        "join candidates as k on k.source_id = c.id",
        "c.position, k.ordinal, k.chunk_id",
        "source_id",
    ),
    _Table(
        "registrations",
        {
            "source_id": _id("g.source_id"),
            "target_id": _id("g.target_id"),
            **{name: _number(f"g.{name}") for name in ("ordinal", "line")},
            **{name: _text(f"g.{name}") for name in ("framework", "kind", "verb", "name", "router", "target_name")},
        },
        "join registrations as g on g.source_id = c.id",
        "c.position, g.ordinal",
        "source_id",
    ),
)
"""The tables whose rows belong to the chunks of a file, in the order in which they are hashed and written."""

BY_CHUNK = {table.name: table.by for table in TABLES}
BY_FILE = {"files": "id", "contents": "file_id", "history": "file_id", "changed_together": "file_id"}
BY_NAME = {"externals": "id", "external_modules": "id"}
"""The columns by which the rows of a chunk, of a file and of a name outside are found, by table."""

FILE_COLUMNS = (
    *("path", "language", "source_type", "size", "lines", "encoding", "module", "content_hash"),
    *("is_test", "is_example", "is_generated", "is_vendored", "is_broken", "secrets", "error"),
)


class _Source:
    """The index file that is published."""

    def __init__(self, db: Path, connection: apsw.Connection) -> None:
        self.db = db
        self._reader = RowReader(connection, db)
        # The full-text tables can be read only through tables of their words, which are temporary.
        connection.pragma("query_only", False)
        for name in (*WORD_KINDS, "trigrams"):
            connection.execute(f"create virtual table temp.{name}_places using fts5vocab('main', '{name}', 'instance')")
        connection.pragma("query_only", True)

    def rows(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Run a query and yield its rows. Raises IndexFormatError if the file is damaged or forged."""
        try:
            yield from self._reader.stream(sql, values)
        except apsw.SQLError as exc:
            raise damaged(self.db, exc) from exc

    def fingerprint(self) -> bytes:
        """Return a hash of all that decides the content: the settings, the files, exact references and git's history."""
        digest = blake2b(digest_size=DIGEST_BYTES)
        for query in (
            "select key, value from meta order by key",
            f"select {', '.join(FILE_COLUMNS)} from files order by path",
            "select source_id, ordinal, target_id from refs where origin = 'scip' order by 1, 2",
            "select path, last_commit, authors from history order by path",
            "select content_hash, model, sentence from sentences order by content_hash",
        ):
            for row in self.rows(query):
                digest.update(repr(row).encode("utf-8", "replace"))
        return digest.digest()

    def lines(self, table: _Table, base: int, file_ids: Sequence[int] | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield each file id with the rows of the file as lines of COPY, in order of id. Files without rows are left out."""
        line = " || char(9) || ".join(table.columns.values())
        files = "files" if file_ids is None else "(select value as id from json_each(:files))"
        # Equal rows must come in the same order each time, or equal files would have other hashes.
        sql = (
            f"select f.id, group_concat({line} || char(10), '' order by {table.order}) as copied from {files} as f "
            f"join text_chunks as c on c.file_id = f.id {table.joins} group by f.id order by f.id"
        )
        values: dict[str, Any] = {"base": base}
        if file_ids is not None:
            values["files"] = "[" + ",".join(map(str, file_ids)) + "]"
        for file_id, text in self.rows(sql, values):
            yield file_id, text.encode()

    def postings(self) -> Iterator[tuple[str, list[Posting]]]:
        """Yield the words and trigrams with their kind, then the number of words of each chunk, and the vectors.

        They come in lists, because a call for each of them takes as long as to write it.
        """
        field = " ".join(f"when '{name}' then {number}" for number, name in enumerate(WORD_WEIGHTS))
        chunk_ids = np.fromiter((row[0] for row in self.rows("select id from text_chunks order by id")), np.int64)
        for table, (kind, length_kind) in WORD_KINDS.items():
            lengths = np.zeros(len(chunk_ids), np.int64)
            for terms, counts, numbers in batches(self._places(table, f"doc * {PLACES} + case col {field} end")):
                holders = numbers // PLACES
                if not are_in(holders, chunk_ids).all():
                    raise damaged(self.db, "words of no chunk")
                lengths += np.bincount(np.searchsorted(chunk_ids, holders), minlength=len(lengths))
                yield kind, pack_places(terms, counts, numbers, counted=True)
            repeated = np.repeat(chunk_ids * PLACES, lengths)
            # Most indexes have no descriptions.
            if table == "words" or len(repeated):
                yield length_kind, pack_places([""], [len(repeated)], repeated, counted=True)
        for terms, counts, numbers in batches(self._places("trigrams", f"doc * {PLACES}")):
            yield "t", pack_places(terms, counts, numbers, counted=False)
        for block, signs, steps in self.rows("select block as count, signs, steps from vectors order by block"):
            if not 0 <= block <= LOCAL_MASK // SIGNS_PER_BLOCK:
                raise damaged(self.db, "signs of no chunk")
            yield "s", [Posting(str(block), 0, signs)]
            yield "v", [Posting(str(block), 0, steps)]

    def _places(self, table: str, place: str) -> Iterator[tuple[Any, ...]]:
        """Yield each term of a full-text table, the number of its places, and these, which are SQL of a number, as a text."""
        return self.rows(
            f"select term, count(*) as count, group_concat({place}) as numbers from {table}_places group by term"
        )

    def word_total(self, table: str) -> int:
        """Return the number of words in all rows of a full-text table."""
        return int(next(self.rows(f"select count(*) as count from {table}_places"))[0])


def publish_index(
    db: Path, address: Address | str, *, repo_id: str, report: Report = lambda progress: None
) -> Publication:
    """Write an index file to a database in place of what is published under this name, in one transaction.

    Only what differs is written. The schema is made at the first publication.

    Raises ServerError, IndexNotFoundError, IndexFormatError, BusyError, or UsageError for a name that cannot be used.
    """
    started = time.perf_counter()
    address = Address.of(address)
    check_name(repo_id)
    with closing(open_checked(db)) as reader, connect(address) as connection:
        source = _Source(db, reader)
        ensure_schema(connection, address)
        # What publishes may take long, and reads nothing of the server that it does not write.
        limit_statements(connection, 0)
        # Of the file as it is now, however long publishing takes.
        with reader, explained(address, "cannot be written"), connection.transaction():
            publisher = _Publisher(source, connection, address, repo_id, report)
            written = publisher.run()
        files, chunks = publisher.sums
    return Publication(repo_id, files, chunks, written, time.perf_counter() - started)


def ensure_schema(connection: Connection, address: Address) -> None:
    """Create the schema if the database has none. Raises ServerError if the role may not, or pgvector is missing."""
    with explained(address, "cannot be written"), connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        # The name of a type must be found, wherever an administrator has put the extension.
        if _has_schema(connection):
            check_schema(connection, address)
            _set_path(connection, address)
            return
        # A role that may not create it gets the sentence of vector_schema().
        try:
            with connection.transaction():
                connection.execute("create extension if not exists vector")
        except psycopg.Error:
            pass
        _set_path(connection, address)
        connection.execute(schema().encode())
        connection.execute(f"comment on schema cgi is '{schema_version()}'".encode())


def _has_schema(connection: Connection) -> bool:
    row = connection.execute("select to_regnamespace('cgi') is not null").fetchone()
    return bool(row and row[0])


def _set_path(connection: Connection, address: Address) -> None:
    """Let this connection find the functions of PostgreSQL and of pgvector, and nothing else, without their schemas."""
    path = f"pg_catalog, {vector_schema(connection, address)}"
    connection.execute("select set_config('search_path', %s, false)", (path,))


class _Publisher:
    """A transaction that publishes an index file."""

    def __init__(self, source: _Source, connection: Connection, address: Address, repo_id: str, report: Report) -> None:
        self._source = source
        self._connection = connection
        self._address = address
        self._repo_id = repo_id
        self._report = report
        self._number = 0
        self._base = 0
        self.sums = (0, 0)

    def run(self) -> bool:
        """Publish, and return whether anything differed from what was published before."""
        fingerprint = self._source.fingerprint()
        self._check_names()
        is_new = not self._take(fingerprint)
        self.sums = next(
            self._source.rows(
                "select (select count(*) from files where error is null) as count, count(*) as count from text_chunks"
            )
        )
        if is_new is False and self._fingerprint == fingerprint:
            return False
        digests = self._digests() if not is_new else {}
        old = {} if is_new else self._old_files()
        if is_new:
            changed = [row[0] for row in self._source.rows("select id from files order by id")]
        else:
            changed = sorted(file_id for file_id, digest in digests.items() if old.get(file_id) != digest)
        gone = sorted(old.keys() - digests.keys()) if not is_new else []
        old_chunks = self._remove(sorted({*changed, *gone} & old.keys()))
        digests = self._copy_rows(changed, digests, everything=is_new)
        self._copy_files(changed, digests)
        self._copy_vectors(changed, old_chunks)
        self._write_postings(is_new)
        self._write_history()
        self._finish(fingerprint)
        self._count_rows(changed)
        return True

    def _check_names(self) -> None:
        """Raise UsageError if a path has more bytes than an entry of an index of the database may have."""
        for name, size in self._source.rows(
            "select path, length(cast(path as blob)) as size from files where length(cast(path as blob)) > ? limit 1",
            (MAX_PATH,),
        ):
            raise UsageError(
                f"{name[:60]!r}… has {size:,} bytes, and a server holds paths of at most {MAX_PATH:,}; "
                "rename it, or leave the file out (.cgiignore)"
            )

    # What is published, and what differs.

    def _take(self, fingerprint: bytes) -> bool:
        """Lock the repository for this transaction, make its row if there is none, and say whether it was published before."""
        self._connection.execute(f"set local lock_timeout = '{WAIT_SECONDS}s'")
        try:
            self._connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, %s))", (self._repo_id, LOCK))
        except psycopg.errors.LockNotAvailable as exc:
            raise BusyError(f"another process is publishing {self._repo_id}; try again when it is done") from exc
        row = self._connection.execute(
            "select repository, fingerprint from cgi.repositories where repo_id = %s", (self._repo_id,)
        ).fetchone()
        self._fingerprint = bytes(row[1]) if row else b""
        if row is None:
            row = self._connection.execute(
                "insert into cgi.repositories (repo_id, recorded_id, fingerprint, revision, published, files, lines, chunks, "
                "chunks_with_text, words, descriptions, description_words) "
                "values (%s, '', %s, nextval('cgi.revisions'), now(), 0, 0, 0, 0, 0, 0, 0) "
                "returning repository",
                (self._repo_id, fingerprint),
            ).fetchone()
        assert row is not None
        self._number = int(row[0])
        self._base = self._number << LOCAL_BITS
        return bool(self._fingerprint)

    def _old_files(self) -> dict[int, bytes]:
        """Return the digest of each published file by its id in the index file."""
        rows = self._connection.execute("select id, digest from cgi.files where id between %s and %s", self._range())
        return {file_id - self._base: bytes(digest) for file_id, digest in rows}

    def _range(self) -> tuple[int, int]:
        """Return the first and the last id that rows of this repository may have on the server."""
        return self._base, self._base + (1 << LOCAL_BITS) - 1

    def _digests(self) -> dict[int, bytes]:
        """Return a hash of all rows of each file, by the id of the file."""
        hashes = self._file_hashes()
        for table in TABLES:
            for file_id, lines in self._source.lines(table, self._base):
                hashes[file_id].update(lines)
        return {file_id: digest.digest() for file_id, digest in hashes.items()}

    def _file_hashes(self) -> dict[int, "blake2b"]:
        """Return a hash object with the row of each file, by id. Its rows in TABLES are added to it in their order."""
        sql = f"select f.id, {', '.join(f'f.{name}' for name in FILE_COLUMNS)}, t.hashes as rows "
        rows = self._source.rows(f"{sql} from files as f left join lookups as t on t.file_id = f.id")
        return {row[0]: blake2b(repr(row).encode("utf-8", "replace"), digest_size=DIGEST_BYTES) for row in rows}

    # Rows.

    def _remove(self, file_ids: Sequence[int]) -> dict[int, bytes]:
        """Delete the rows of files, but for their vectors. Return the content hash of each of their chunks, by its id."""
        if not file_ids:
            return {}
        files = [self._base + file_id for file_id in file_ids]
        rows = self._connection.execute("select id, content_hash from cgi.chunks where file_id = any(%s)", (files,))
        chunks = {chunk_id: bytes(content_hash) for chunk_id, content_hash in rows}
        for table, column in BY_CHUNK.items():
            self._connection.execute(f"delete from cgi.{table} where {column} = any(%s)".encode(), (list(chunks),))
        for table, column in BY_FILE.items():
            self._connection.execute(f"delete from cgi.{table} where {column} = any(%s)".encode(), (files,))
        return chunks

    @contextmanager
    def _copying(
        self, table: str, columns: Sequence[str], *, binary: bool = False
    ) -> Iterator[Callable[[bytes], None]]:
        """Yield a function that sends bytes of COPY to a table. They are gathered into few messages."""
        statement = _copy(table, columns) + (b" (format binary)" if binary else b"")
        buffer = bytearray()
        with self._connection.cursor() as cursor, cursor.copy(statement) as copy:

            def send(block: bytes) -> None:
                buffer.extend(block)
                if len(buffer) >= COPY_BYTES:
                    copy.write(bytes(buffer))
                    buffer.clear()

            yield send
            copy.write(bytes(buffer))

    def _copy_rows(self, changed: Sequence[int], digests: dict[int, bytes], *, everything: bool) -> dict[int, bytes]:
        """Write the rows of the changed files, or of all (`everything`), into TABLES. Return the digest of each file, by id.

        `digests` are returned as they are. Only with `everything` they are made here, from the rows that are written anyway.
        """
        hashes = self._file_hashes() if everything else {}
        for number, table in enumerate(TABLES):
            self._report(Progress("publish", number, len(TABLES) + 3))
            with self._copying(table.name, list(table.columns)) as send:
                for file_id, lines in self._source.lines(table, self._base, None if everything else changed):
                    send(lines)
                    if everything:
                        hashes[file_id].update(lines)
        return {file_id: digest.digest() for file_id, digest in hashes.items()} if everything else digests

    def _copy_files(self, changed: Sequence[int], digests: Mapping[int, bytes]) -> None:
        """Write the rows of changed files, and their texts."""
        chosen = "[" + ",".join(map(str, changed)) + "]"
        flags = {name for name in FILE_COLUMNS if name.startswith("is_")}
        columns = ("id", "full_path", "digest", *FILE_COLUMNS)
        with self._connection.cursor() as cursor, cursor.copy(_copy("files", columns)) as copy:
            sql = f"select id, {', '.join(FILE_COLUMNS)} from files where id in (select value from json_each(?)) order by id"
            for file_id, *cells in self._source.rows(sql, (chosen,)):
                row = [
                    bool(cell) if name in flags else _storable_text(cell)
                    for name, cell in zip(FILE_COLUMNS, cells, strict=True)
                ]
                full_path = f"{self._repo_id}/{row[0]}"
                copy.write_row((self._base + file_id, full_path, digests[file_id], *row))
        head = struct.Struct(">hiqi")
        with self._copying("contents", ("file_id", "text", "lookups"), binary=True) as send:
            send(COPY_SIGNATURE)
            sql = (
                "select t.file_id, t.text, coalesce(l.hashes, x'') as hashes from contents as t "
                "left join lookups as l using (file_id) "
                "where t.file_id in (select value from json_each(?)) order by 1"
            )
            for file_id, text, lookups in self._source.rows(sql, (chosen,)):
                send(
                    head.pack(3, 8, self._base + file_id, len(text)) + text + struct.pack(">i", len(lookups)) + lookups
                )
            send(COPY_END)

    def _copy_vectors(self, changed: Sequence[int], old_chunks: Mapping[int, bytes]) -> None:
        """Write the vectors of the chunks in changed files, but not of chunks whose text is as it was.

        `old_chunks` maps the ids of the published chunks of these files to the hashes of their texts. Vectors of what is gone
        are deleted.
        """
        self._report(Progress("publish", len(TABLES), len(TABLES) + 3))
        chosen = "[" + ",".join(map(str, changed)) + "]"
        sql = "select id, content_hash from text_chunks where file_id in (select value from json_each(?))"
        new_chunks = {
            self._base + chunk_id: content_hash for chunk_id, content_hash in self._source.rows(sql, (chosen,))
        }
        stale = [chunk_id for chunk_id, content_hash in old_chunks.items() if new_chunks.get(chunk_id) != content_hash]
        if stale:
            self._connection.execute("delete from cgi.vectors where chunk_id = any(%s)", (stale,))
        fresh = {chunk_id for chunk_id, content_hash in new_chunks.items() if old_chunks.get(chunk_id) != content_hash}
        # A file that was read again may have kept chunks of a file before it, whose vectors stand.
        if fresh and old_chunks:
            self._connection.execute("delete from cgi.vectors where chunk_id = any(%s)", (sorted(fresh),))
        if not fresh:
            return
        with closing(SqliteStore(self._source.db)) as store:
            local_ids, packed = store.packed_vectors()
        ids = local_ids + self._base
        rows = np.flatnonzero(np.isin(ids, np.fromiter(fresh, np.int64, len(fresh))))
        with self._copying("vectors", ("chunk_id", "embedding"), binary=True) as send:
            send(COPY_SIGNATURE)
            for start in range(0, len(rows), SETTLE_BATCH):
                part = rows[start : start + SETTLE_BATCH]
                send(_vector_rows(ids[part], packed[part]))
            send(COPY_END)

    def _write_postings(self, is_new: bool) -> None:
        """Write the words and trigrams that differ, and delete those that are gone. With `is_new`, the server has none yet."""
        self._report(Progress("publish", len(TABLES) + 1, len(TABLES) + 3))
        old: dict[tuple[str, str], bytes] = {}
        if not is_new:
            rows = self._connection.execute(
                "select kind, term, sha256(packed) from cgi.postings where repository = %s", (self._number,)
            )
            old = {(_letter(kind), term): digest for kind, term, digest in rows}
        # Rows to replace must go first, and COPY allows no other statement in between.
        fresh: list[tuple[str, Posting]] = []
        with self._posting_rows() as write:
            for kind, postings in self._source.postings():
                digests = [old.pop((kind, posting.term), None) for posting in postings] if old else []
                write(kind, [posting for posting, digest in zip_longest(postings, digests) if digest is None])
                fresh += [
                    (kind, posting)
                    for posting, digest in zip(postings, digests, strict=False)
                    if digest is not None and digest != sha256(posting.packed).digest()
                ]
        replaced = [*old, *((kind, posting.term) for kind, posting in fresh)]
        for kind, keys in groupby(sorted(replaced), key=itemgetter(0)):
            self._connection.execute(
                'delete from cgi.postings where repository = %s and kind = %s::"char" and term = any(%s)',
                (self._number, kind, [term for _, term in keys]),
            )
        if fresh:
            with self._posting_rows() as write:
                for kind, posting in fresh:
                    write(kind, [posting])

    @contextmanager
    def _posting_rows(self) -> Iterator[Callable[[str, list[Posting]], None]]:
        """Yield a function that sends the postings of a kind (a letter) to the server."""
        head, size, number = struct.Struct(">hiiiiici").pack, struct.Struct(">i").pack, self._number
        with self._copying("postings", ("repository", "chunks", "kind", "term", "packed"), binary=True) as send:
            send(COPY_SIGNATURE)

            def write(kind: str, postings: list[Posting]) -> None:
                letter = kind.encode()
                parts: list[bytes] = []
                for name, chunks, packed in postings:
                    term = _storable_text(name).encode()
                    parts += (head(5, 4, number, 4, chunks, 1, letter, len(term)), term, size(len(packed)), packed)
                    if len(parts) > POSTING_PARTS:
                        send(b"".join(parts))
                        parts.clear()
                send(b"".join(parts))

            yield write
            send(COPY_END)

    def _write_history(self) -> None:
        """Replace the settings, git's history and the names outside, which are few rows."""
        self._connection.execute(b"delete from cgi.meta where repository = %s", (self._number,))
        for table, column in {
            **BY_NAME,
            **{table: BY_FILE[table] for table in ("history", "changed_together")},
        }.items():
            delete = f"delete from cgi.{table} where {column} between %s and %s"
            self._connection.execute(delete.encode(), self._range())
        pairs = (
            ("meta", ("repository", "key", "value"), "select :number as repository, key, value from meta"),
            (
                "history",
                ("file_id", "last_commit", "authors"),
                "select f.id + :base as global_id, h.last_commit, h.authors from history as h "
                "join files as f on f.path = h.path",
            ),
            (
                "changed_together",
                ("file_id", "partner_id", "commits"),
                "select f.id + :base as global_id, p.id + :base as global_id, t.commits from changed_together as t "
                "join files as f on f.path = t.path join files as p on p.path = t.partner",
            ),
            (
                "externals",
                ("id", "module_id", "name"),
                "select id + :base as global_id, module_id + :base as global_id, name from externals",
            ),
            (
                "external_modules",
                ("id", "ecosystem", "module", "package", "version"),
                "select id + :base as global_id, ecosystem, module, package, version from external_modules",
            ),
        )
        for table, columns, sql in pairs:
            with self._connection.cursor() as cursor, cursor.copy(_copy(table, columns)) as copy:
                for row in self._source.rows(sql, _values_in(sql, {"base": self._base, "number": self._number})):
                    copy.write_row([_storable_text(cell) for cell in row])

    def _finish(self, fingerprint: bytes) -> None:
        """Write the totals of the repository, its fingerprint, and the next number of a publication."""
        recorded = next(
            self._source.rows("select coalesce((select value from meta where key = 'repo_id'), '') as value")
        )[0]
        lines, with_text = next(
            self._source.rows(
                "select (select coalesce(sum(lines), 0) from files where error is null) as lines, count(*) as count "
                "from text_chunks "
                "where end_byte > start_byte"
            )
        )
        ((described,),) = self._source.rows("select count(*) as count from descriptions")
        files, chunks = self.sums
        self._connection.execute(
            "update cgi.repositories set recorded_id = %s, fingerprint = %s, revision = nextval('cgi.revisions'), "
            "published = now(), files = %s, lines = %s, chunks = %s, chunks_with_text = %s, words = %s, descriptions = %s, "
            "description_words = %s where repository = %s",
            (
                *(_storable_text(recorded), fingerprint, files, lines, chunks, with_text),
                *(self._source.word_total("words"), described, self._source.word_total("described"), self._number),
            ),
        )

    def _count_rows(self, changed: Sequence[int]) -> None:
        """Let the database count its rows anew if many of them are new, because it plans by these counts."""
        ((published,),) = self._connection.execute("select sum(files) from cgi.repositories").fetchall()
        if len(changed) < COUNT_SHARE * int(published):
            return
        self._connection.execute(f"set local default_statistics_target = {STATISTICS}".encode())
        for table in ("files", "contents", "chunks", "members", "refs", "candidates", "postings", "vectors_fresh"):
            # Another publication or the server itself may be counting the same rows.
            self._connection.execute(f"analyze (skip_locked) cgi.{table}".encode())


def _copy(table: str, columns: Iterable[str]) -> bytes:
    """Return the statement that copies rows with these columns into a table."""
    return ("copy cgi.{} ({}) from stdin".format(table, ", ".join(f'"{column}"' for column in columns))).encode()


def _values_in(sql: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the values that a query names, such as `:base`."""
    return {name: value for name, value in values.items() if f":{name}" in sql}


def _letter(value: object) -> str:
    """Return a value of the type "char", which the driver gives as bytes or text, as text."""
    return value.decode() if isinstance(value, bytes) else str(value)


def _storable_text(cell: Any) -> Any:
    """Return a cell as the database can hold it. It holds no NUL in a text."""
    return cell.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(cell, str) else cell


COPY_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)
"""The bytes before the first row of a binary COPY."""

COPY_END = b"\xff\xff"
"""The bytes after the last row of a binary COPY."""


def _vector_rows(ids: Any, packed: Any) -> bytes:
    """Return vectors as rows of a binary COPY: the chunk id, and a halfvec of the same numbers."""
    dimensions = packed.shape[1]
    row = np.dtype(
        [
            *(("columns", ">i2"), ("id_size", ">i4"), ("id", ">i8"), ("size", ">i4")),
            *(("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f2", (dimensions,))),
        ]
    )
    rows = np.zeros(len(ids), row)
    rows["columns"], rows["id_size"], rows["size"], rows["dimensions"] = 2, 8, 4 + 2 * dimensions, dimensions
    rows["id"], rows["vector"] = ids, packed
    return rows.tobytes()


def remove_repository(address: Address | str, repo_id: str) -> bool:
    """Remove a repository from a database, and return whether it was there. Raises ServerError or IndexNotFoundError."""
    address = Address.of(address)
    with connect(address) as connection, explained(address, "cannot be written"), connection.transaction():
        check_schema(connection, address)
        limit_statements(connection, 0)
        connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, %s))", (repo_id, LOCK))
        row = connection.execute(
            "delete from cgi.repositories where repo_id = %s returning repository", (repo_id,)
        ).fetchone()
        if row is None:
            return False
        base = int(row[0]) << LOCAL_BITS
        # A number that no other repository gets again, so what a reader still holds is found nowhere.
        for table, column in {**BY_CHUNK, **BY_FILE, **BY_NAME, "vectors": "chunk_id"}.items():
            connection.execute(
                f"delete from cgi.{table} where {column} between %s and %s".encode(),
                (base, base + (1 << LOCAL_BITS) - 1),
            )
        for table in ("meta", "postings"):
            connection.execute(f"delete from cgi.{table} where repository = %s".encode(), (row[0],))
    return True


# Back to a file.


class _Pulled(NamedTuple):
    """A table of an index file, and where its rows are in the database.

    `columns` are the names of its columns. A `#` marks an id, which is smaller in the file. `source` is SQL.
    """

    table: str
    columns: str
    source: str

    @property
    def names(self) -> list[str]:
        """List the columns of the table in the file."""
        return [name.lstrip("#") for name in self.columns.split()]

    @property
    def sql(self) -> str:
        """Return the query that reads the rows from the database."""
        columns = [
            EXPRESSIONS.get(name) or (f"{name[1:]} - %(base)s as {name[1:]}" if name[0] == "#" else f'"{name}"')
            for name in self.columns.split()
        ]
        return f"select {', '.join(columns)} from cgi.{self.source}"


EXPRESSIONS = {
    "repo_id": "%(recorded_id)s as repo_id",
    "hashes": "lookups as hashes",
    "confidence": "confidence as any_confidence",
    "path": "f.path",
    "partner": "p.path as partner",
}
"""What is read in place of a column, where the database has it under another name."""

FILE_TABLES = (
    _Pulled("meta", "key value", "meta where repository = %(number)s order by key"),
    _Pulled("files", f"#id repo_id {' '.join(FILE_COLUMNS)}", "files as f where {id} order by id"),
    _Pulled("contents", "#file_id text", "contents where {file_id} order by 1"),
    _Pulled("lookups", "#file_id hashes", "contents where length(lookups) > 0 and {file_id} order by 1"),
    _Pulled(
        "text_chunks",
        "#id #file_id #parent_id position kind name qualified_name signature doc start_byte end_byte start_line end_line "
        "name_line def_end_line has_body content_hash",
        "chunks where {id} order by file_id, position",
    ),
    # Chunks that are alike share a sentence.
    _Pulled(
        "sentences",
        "content_hash model sentence",
        "descriptions where {chunk_id} group by 1, 2, 3 order by content_hash",
    ),
    _Pulled(
        "members",
        "#id #chunk_id position kind name qualified_name signature doc line end_line has_body",
        "members where {id} order by id",
    ),
    _Pulled(
        "refs",
        "#source_id ordinal kind name receiver line column #target_id confidence ambiguous origin #external_id",
        "refs where {source_id} order by source_id, ordinal",
    ),
    _Pulled("externals", "#id #module_id name", "externals where {id} order by id"),
    _Pulled("external_modules", "#id ecosystem module package version", "external_modules where {id} order by id"),
    _Pulled("candidates", "#source_id ordinal #chunk_id", "candidates where {source_id} order by 1, 2, 3"),
    _Pulled(
        "registrations",
        "#source_id ordinal framework kind verb name router line #target_id target_name",
        "registrations where {source_id} order by 1, 2",
    ),
    _Pulled(
        "history",
        "path last_commit authors",
        "history as h join cgi.files as f on f.id = h.file_id where {file_id} order by 1",
    ),
    _Pulled(
        "changed_together",
        "path partner commits",
        "changed_together as t join cgi.files as f on f.id = t.file_id join cgi.files as p on p.id = t.partner_id "
        "where {file_id} order by 1, 2",
    ),
)
"""The tables of an index file. A column in braces stands for the condition that its id is of the repository."""


class _OfRepository(dict[str, str]):
    """The conditions that an id in a column is of the repository that is pulled."""

    def __missing__(self, column: str) -> str:
        return f"{column} between %(base)s and %(last)s"


def pull_index(
    address: Address | str, db: Path, *, repo_id: str, report: Report = lambda progress: None
) -> Publication:
    """Write a published index into a file, in place of the index there. Its answers are those of the index that was published.

    Raises ServerError, NotInIndexError, IndexFormatError if another version of cgi made it, BusyError or IndexWriteError.
    """
    started = time.perf_counter()
    address = Address.of(address)
    refuse_foreign(db)
    make_folder(db.parent)
    temporary = beside(db, BUILD)
    with writable(db), LocalState(db), closing(PostgresqlStore(replace(address, repositories=(repo_id,)))) as store:
        made_by = store.meta().get("version", "")
        if made_by != VERSION:
            raise IndexFormatError(
                f"version {made_by or 'unknown'} of cgi published {repo_id}, and this is {VERSION}; "
                "publish it again with this version, or pull it with that one"
            )
        try:
            with connect(address, statement_seconds=PULL_SECONDS) as connection, explained(address):
                files, chunks = _Puller(connection, store, address, repo_id, report).write(temporary)
            replace_index(temporary, db)
        finally:
            temporary.unlink(missing_ok=True)
    return Publication(repo_id, files, chunks, True, time.perf_counter() - started)


class _Puller:
    """The reading of a published index into a file."""

    def __init__(
        self, connection: Connection, store: PostgresqlStore, address: Address, repo_id: str, report: Report
    ) -> None:
        self._connection = connection
        self._store = store
        self._address = address
        self._repo_id = repo_id
        self._report = report

    def write(self, path: Path) -> tuple[int, int]:
        """Write the file, and return its numbers of indexed files and of chunks."""
        dimensions = meta_number(self._store.meta(), "dimensions")
        # All queries see the same publication, even if there is another meanwhile.
        with self._connection.transaction():
            self._connection.execute("set transaction isolation level repeatable read, read only")
            published = fetched(
                self._address,
                self._connection.execute(
                    "select repository, recorded_id as repo_id, files, chunks from cgi.repositories where repo_id = %s",
                    (self._repo_id,),
                ),
            )
            if not published:
                raise NotInIndexError(f"{self._repo_id} is no longer published")
            ((number, recorded_id, files, chunks),) = published
            base = number << LOCAL_BITS
            values = {"number": number, "base": base, "last": base + LOCAL_MASK, "recorded_id": recorded_id}
            with IndexWriter.create(path) as writer:
                for pulled in FILE_TABLES:
                    rows = self._rows(pulled.sql, values)
                    if pulled.table == "refs":
                        writer.put_reference_rows(rows)
                    elif pulled.table == "text_chunks":
                        writer.put_chunk_rows(rows)
                    else:
                        writer.put_rows(pulled.table, pulled.names, rows)
                self._write_search_rows(writer, values, chunks, dimensions)
                writer.put_described()
        return files, chunks

    def _rows(self, sql: str, values: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the checked rows of a query, in which a column in braces stands for the condition of one repository."""
        with self._connection.cursor(name="pull") as cursor:
            cursor.execute(sql.format_map(_OfRepository()).encode(), values)
            columns = [column.name for column in cursor.description or ()]
            while rows := cursor.fetchmany(PULLED_ROWS):
                yield from checked(self._address, columns, rows)

    def _write_search_rows(self, writer: IndexWriter, values: Mapping[str, Any], chunks: int, dimensions: int) -> None:
        """Make the words and trigrams of each file anew from its text, as indexing does, and add its vectors.

        `values` are those of the queries, `chunks` their number for the progress. With 0 dimensions there are no vectors.
        """
        sql = (
            "select c.id - %(base)s as id, f.path, f.id - %(base)s as file_id, c.start_byte, c.end_byte, c.name, "
            "c.qualified_name, c.signature, c.doc, "
            "array(select m.name::text from cgi.members as m where m.chunk_id = c.id order by m.id) as names "
            "from cgi.chunks as c join cgi.files as f on f.id = c.file_id "
            "where c.id between %(base)s and %(last)s order by c.file_id, c.position"
        )
        vectors: dict[int, bytes] = {}
        if dimensions:
            condition = "cgi.vectors where chunk_id between %(base)s and %(last)s"
            global_ids, packed = read_vectors(self._connection, condition, values, dimensions)
            ids = (global_ids - values["base"]).tolist()
            vectors = dict(zip(ids, (row.tobytes() for row in packed), strict=True))
        done = 0
        for path, rows in groupby(self._rows(sql, values), key=itemgetter(1)):
            file_rows = list(rows)
            text = writer.links.text_of(file_rows[0][2])
            # The writer's own reader knows nothing of the size of what is published.
            self._store.count(TEXT_WEIGHT * len(text))
            bodies, grams = words_and_grams(text[row[3] : row[4]].decode("utf-8", "replace") for row in file_rows)
            members = [(position, name) for position, row in enumerate(file_rows) for name in row[9]]
            named = [_Named(*row[5:9]) for row in file_rows]
            fields = word_fields(path, named, members, bodies)
            writer.put_search_rows(
                (row[0], words, vectors.get(row[0], b""))
                for row, words in zip(file_rows, fields, strict=True)
                if row[4] > row[3]
            )
            writer.put_grams(file_rows[0][2], grams)
            done += len(file_rows)
            self._report(Progress("pull", done, chunks))


class _Named(NamedTuple):
    """A chunk, as far as its words are concerned."""

    name: str
    qualified_name: str
    signature: str
    doc: str


# The HNSW index.


def settle_vectors(address: Address | str, *, report: Report = lambda progress: None) -> int:
    """Move the vectors that were published since the last call into the HNSW index, and return how many.

    Until then, a question to many repositories compares them one by one. The index is made as soon as there are more vectors
    than a reader holds in memory, and made anew if more is new than old. Raises ServerError or IndexNotFoundError.
    """
    address = Address.of(address)
    moved = 0
    if not has_unsettled_vectors(address):
        return 0
    with connect(address) as connection, explained(address, "cannot be written"):
        check_schema(connection, address)
        limit_statements(connection, 0)
        _set_path(connection, address)
        # One process at a time. Another finds nothing left to do.
        row = connection.execute("select pg_try_advisory_lock(%s)", (LOCK + 1,)).fetchone()
        if row is None or not row[0]:
            return 0
        fresh, settled = _count(connection, "vectors_fresh"), _count(connection, "vectors_settled")
        dimensions = [
            int(row[0])
            for row in connection.execute(
                "select distinct value::integer from cgi.meta where key = 'dimensions' and value ~ '^[1-9][0-9]*$'"
            ).fetchall()
        ]
        if fresh > settled * REBUILD_SHARE:
            for size in dimensions:
                connection.execute(f"drop index if exists cgi.{_hnsw(size)}".encode())
        while True:
            # Rows that a publication is deleting are left to the next call.
            part = connection.execute(
                "with part as (select ctid from cgi.vectors_fresh limit %s for update skip locked), "
                "gone as (delete from cgi.vectors_fresh where ctid in (select ctid from part) returning chunk_id, embedding) "
                "insert into cgi.vectors_settled (chunk_id, settled, embedding) select chunk_id, true, embedding from gone",
                (SETTLE_BATCH,),
            ).rowcount
            if not part:
                break
            moved += part
            report(Progress("settle", moved, max(fresh, moved)))
        # A build that fits into this memory takes a tenth of the time.
        connection.execute(f"set maintenance_work_mem = '{BUILD_MEMORY}'".encode())
        for size in dimensions:
            connection.execute(
                f"create index if not exists {_hnsw(size)} on cgi.vectors_settled "
                f"using hnsw ((embedding::halfvec({size})) halfvec_cosine_ops) where vector_dims(embedding) = {size}".encode()
            )
        for table in ("vectors_fresh", "vectors_settled"):
            connection.execute(f"analyze cgi.{table}".encode())
    return moved


def _hnsw(dimensions: int) -> str:
    return f"vectors_hnsw_{dimensions}"


def _count(connection: Connection, table: str) -> int:
    row = connection.execute(f"select count(*) from cgi.{table}".encode()).fetchone()
    return int(row[0]) if row else 0
