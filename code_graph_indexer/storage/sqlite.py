"""The index as one SQLite file: opening, checking and reading it. connect() is the only door to the driver."""

import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from itertools import compress
from pathlib import Path
from threading import RLock
from typing import Any, cast

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from code_graph_indexer.errors import BusyError, IndexFormatError, IndexNotFoundError
from code_graph_indexer.storage.records import CHUNK_PLACE, ChunkFile, FileRow, Ids, StoredChunk, distinct
from code_graph_indexer.syntax.records import as_records

APPLICATION_ID = 0x43474958
"""`CGIX`, in the header of every index file."""

SCHEMA_VERSION = 5
"""Raised with every change of sqlite.sql; an index of another version is rebuilt, never migrated."""

BUSY_TIMEOUT_MS = 5_000
"""How long a reader waits for the moment in which an update is committed."""

INT8_SCALE = 127.0
"""A component of a unit vector times this is its int8."""

CACHE_KIB = 32_000
"""Pages that a connection keeps: with SQLite's own 2,000 each signal of a search reads again what the last one drove out, and
more would only take memory of a build."""

TEXTS_HELD = 64_000_000
"""Bytes of texts that are kept unpacked, for the next query whose results stand in the same files."""

MAX_TEXT = 256_000_000
"""Bytes of a text that is unpacked: a shipped index must not fill the memory of who opens it."""

_CHUNK_COLUMNS = """
select c.id, c.file_id, c.parent_id, c.kind, c.name, c.qualified_name, c.signature, c.doc, c.start_byte, c.end_byte,
    c.start_line, c.end_line, c.name_line, c.def_end_line, f.path, f.language, f.source_type, f.repo_id
"""

_CHUNK = f"{_CHUNK_COLUMNS}from chunks as c join files as f on f.id = c.file_id\n"

MARKS = ("test", "example", "generated", "vendored", "text")
"""What a file may be that speaks against it, in the order of _CHUNK_FILE."""


CHUNK_PLACES = """
select id, file_id, max(0, min(end_byte - start_byte, 1 << 40)), case
    when not has_body and kind in ('function', 'method') and exists (
        -- Without the first condition, the index of names, which leaves out those without one, cannot be used.
        select 1 from chunks as d
        where d.name != '' and d.name = c.name collate nocase and d.name = c.name and d.has_body
    ) then 1
    when qualified_name || '.' glob '*.tests.*' or qualified_name || '.' glob '*.test.*' then 2
    else 0
end
from chunks as c where id in (select value from json_each(?))
"""

MAX_ANCESTORS = 1_000
"""Chunks around those of a list of results; no real nesting comes near, and a damaged index could have a very long chain."""

_ANCESTORS = f"""
with recursive above (id) as (
    select parent_id from chunks where id in (select value from json_each(?)) and parent_id is not null
    union
    select c.parent_id from above join chunks as c on c.id = above.id where c.parent_id is not null
    limit {MAX_ANCESTORS}
)
{_CHUNK_COLUMNS}
-- In this order: the other one would look through all chunks above for each.
from above cross join chunks as c on c.id = above.id join files as f on f.id = c.file_id
"""


PLACES_KEPT = 1 << 18
"""Chunks of which that is remembered, each in the row of its id modulo so many: 7 MB."""

_CHUNK_FILE = """
select id, path, is_test, is_example, is_generated, is_vendored, source_type != 'code' from files
where id in (select value from json_each(?))
"""


def schema() -> str:
    """Return the DDL of the index file."""
    return files(__package__).joinpath("sqlite.sql").read_text(encoding="utf-8")


def connect(path: Path, *, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """Open a SQLite file with the vector functions loaded."""
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("cache_size", -CACHE_KIB)
    return connection


def open_checked(path: Path, *, write: bool = False) -> apsw.Connection:
    """Open an index file that is one.

    Raises IndexNotFoundError, or IndexFormatError for a file that is damaged, foreign or of another version.
    """
    if not path.is_file():
        raise IndexNotFoundError(f"there is no index at {path}; make one with: cgi index")
    try:
        # Writable for readers too: rolling back what a killed update left needs it. SQLite falls back by itself.
        connection = connect(path)
        connection.pragma("query_only", not write)
        application = connection.pragma("application_id")
        version = connection.pragma("user_version")
        schema_of = "select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name"
        found = connection.execute(schema_of).fetchall() if application == APPLICATION_ID else []
    except apsw.BusyError as exc:
        raise BusyError(f"{path} is being written by another process; try again in a moment") from exc
    except apsw.Error as exc:
        raise IndexFormatError(f"{path} is not a readable index ({exc}); rebuild it with: cgi index --full") from exc
    if application != APPLICATION_ID:
        raise IndexFormatError(f"{path} is not an index of cgi; give another --db, or remove the file")
    if version != SCHEMA_VERSION:
        raise IndexFormatError(
            f"{path} has schema version {version}, this cgi reads {SCHEMA_VERSION}; rebuild it with: cgi index --full"
        )
    _refuse_triggers(path, found)
    return connection


def _refuse_triggers(path: Path, found: Sequence[tuple[Any, ...]]) -> None:
    """Refuse an index that somebody gave triggers to: they would run with the next update."""
    if any(kind == "trigger" for kind, _, _ in found):
        raise IndexFormatError(f"{path} holds triggers, which no index does; do not use it")


class SqliteFile:
    """Read files and chunks of an index file; several threads may use it, whose statements take turns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._open()

    def _open(self) -> None:
        self._connection = open_checked(self.path)
        self._identity = self._stat()
        self._version = self._connection.pragma("data_version")
        self._files: dict[int, ChunkFile] = {}
        self._places = np.zeros(PLACES_KEPT, CHUNK_PLACE)
        self._imports: dict[int, list[str]] = {}
        self._texts: dict[int, bytes] = {}
        self._texts_held = 0
        self._meta = dict(cast("list[tuple[str, str]]", self.rows("select key, value from meta", ())))

    def _stat(self) -> tuple[int, int]:
        status = self.path.stat()
        return status.st_dev, status.st_ino

    @property
    def stamp(self) -> tuple[int, ...]:
        """Tell the index as it is now from what it was before any update: its file, and SQLite's counter of changes."""
        status = self.path.stat()
        with self.path.open("rb") as stream:
            header = stream.read(28)
        return status.st_ino, status.st_size, status.st_mtime_ns, int.from_bytes(header[24:28], "big")

    def refresh(self) -> None:
        """Follow a file that was replaced or updated since it was opened; called once a query."""
        try:
            identity = self._stat()
        except OSError as exc:
            raise IndexNotFoundError(f"the index {self.path} is gone; make it again with: cgi index") from exc
        with self._lock:
            version = self._connection.pragma("data_version")
            if identity != self._identity or version != self._version:
                self._connection.close()
                self._open()

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._connection.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one query; map the driver's errors to ours."""
        try:
            with self._lock:
                return cast("list[tuple[Any, ...]]", self._connection.execute(sql, tuple(values)).fetchall())
        except (apsw.CorruptError, apsw.NotADBError, apsw.FullError, apsw.IOError, UnicodeDecodeError) as exc:
            raise IndexFormatError(f"{self.path} is damaged ({exc}); rebuild it with: cgi index --full") from exc
        except apsw.BusyError as exc:
            raise BusyError(f"{self.path} is being written by another process; try again in a moment") from exc
        except UnicodeEncodeError:
            # A text that is no Unicode (half of a surrogate pair) is in no index.
            return []
        except apsw.SQLError as exc:
            raise IndexFormatError(
                f"{self.path} lacks what an index has ({exc}); rebuild it: cgi index --full"
            ) from exc

    def meta(self) -> Mapping[str, str]:
        """Return what the index says of itself."""
        return self._meta

    def files(self) -> list[FileRow]:
        """List every file by path, the skipped ones included."""
        rows = self.rows(
            "select id, path, language, source_type, size, lines, module, content_hash, error from files order by path",
            (),
        )
        return [FileRow(*row) for row in rows]

    def file_text(self, path: str) -> bytes | None:
        """Return a file's text, or None when it is not indexed."""
        rows = self.rows("select id from files where path = ? and error is null", (path,))
        return self._text_of(rows[0][0]) if rows else None

    def _text_of(self, file_id: int) -> bytes:
        with self._lock:
            if file_id not in self._texts:
                rows = self.rows("select text from contents where file_id = ?", (file_id,))
                text = self._texts[file_id] = self.unpacked(rows[0][0]) if rows else b""
                self._texts_held += len(text)
                while self._texts_held > TEXTS_HELD and len(self._texts) > 1:
                    self._texts_held -= len(self._texts.pop(next(iter(self._texts))))
            return self._texts[file_id]

    def unpacked(self, packed: bytes) -> bytes:
        """Unpack a stored text; raise IndexFormatError for one that is damaged or without end."""
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(packed, MAX_TEXT)
        except zlib.error as exc:
            raise IndexFormatError(f"{self.path} is damaged ({exc}); rebuild it with: cgi index --full") from exc
        if unpacker.unconsumed_tail:
            raise IndexFormatError(
                f"{self.path} holds a text of over {MAX_TEXT:,} bytes, which no index does; do not use it"
            )
        return text

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return chunks by id, in the order given."""
        rows = self.rows(_CHUNK + "where c.id in (select value from json_each(?))", (json.dumps(list(chunk_ids)),))
        found = {one.id: one for one in as_records(StoredChunk, rows)}
        return [found[one] for one in chunk_ids if one in found]

    def ancestors_of(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks around these chunks, those around them, and so on, each once, in no order."""
        return list(as_records(StoredChunk, self.rows(_ANCESTORS, (json.dumps(list(chunk_ids)),))))

    def last_commits(self, paths: Sequence[str]) -> dict[str, int]:
        """Return when each of these files was last changed by a commit, in seconds since 1970, as far as that is known."""
        sql = "select path, last_commit from history where path in (select value from json_each(?))"
        return {row[0]: row[1] for row in self.rows(sql, (json.dumps(list(paths)),))}

    def tag_time(self, name: str) -> int | None:
        """Return the time of a tag, with or without its `v`; of `2`, that of the first release 2."""
        bare = name.lstrip("v")
        sql = "select min(committed) from tags where ltrim(name, 'v') = ?1 or ltrim(name, 'v') glob ?1 || '.*'"
        rows = self.rows(sql, (bare,))
        return int(rows[0][0]) if rows and rows[0][0] is not None else None

    def places_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return a CHUNK_PLACE for each of these chunks: several signals ask for the same ones, and later queries."""
        rows = chunk_ids % PLACES_KEPT
        with self._lock:
            places = self._places[rows]
            unknown = np.flatnonzero(places["id"] != chunk_ids)
            if len(unknown):
                asked = chunk_ids[unknown].tolist()
                found = {row[0]: row for row in self.rows(CHUNK_PLACES, (json.dumps(asked),))}
                places[unknown] = np.array([found.get(one, (0, 0, 0, 0)) for one in asked], CHUNK_PLACE)
                self._places[rows[unknown]] = places[unknown]
        return places

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Return those of the files that are there, by id; those of a pool are few, and kept."""
        # Another thread may open the file anew, and begin another table.
        asked, known = distinct(file_ids).tolist(), self._files
        unknown = [one for one in asked if one not in known]
        rows = self.rows(_CHUNK_FILE, (json.dumps(unknown),)) if unknown else []
        known.update({row[0]: ChunkFile(row[0], row[1], tuple(compress(MARKS, row[2:]))) for row in rows})
        return {one: known[one] for one in asked if one in known}

    def files_of(self, chunk_ids: Sequence[int]) -> dict[int, ChunkFile]:
        """Return the file of each chunk that is there."""
        places = self.places_of(np.array(chunk_ids, np.int64))
        files = self.files_by_id(places["file_id"])
        found = zip(chunk_ids, places["file_id"].tolist(), strict=True)
        return {chunk_id: files[file_id] for chunk_id, file_id in found if file_id in files}

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """List the names that each file imports, in order of line; those of results are few, and kept."""
        sql = (
            "select c.file_id, r.name from chunks as c join refs as r on r.source_id = c.id "
            "where c.file_id in (select value from json_each(?)) and r.kind = 'imports' "
            "order by r.line, r.source_id, r.ordinal"
        )
        unknown = [one for one in file_ids if one not in self._imports]
        found: dict[int, list[str]] = {one: [] for one in unknown}
        for file_id, name in self.rows(sql, (json.dumps(unknown),)) if unknown else ():
            found[file_id].append(name)
        self._imports.update(found)
        return {one: self._imports[one] for one in file_ids}

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the own text of each chunk."""
        return [
            self._text_of(chunk.file_id)[chunk.start_byte : chunk.end_byte].decode("utf-8", "replace")
            for chunk in chunks
        ]

    def file_chunks(self, path: str) -> list[StoredChunk]:
        """List the chunks of a file in order."""
        return list(as_records(StoredChunk, self.rows(_CHUNK + "where f.path = ? order by c.position", (path,))))

    def file_states(self, paths: Collection[str]) -> dict[str, tuple[int, bytes]]:
        """Return the size and content hash of each of these files when it was indexed."""
        sql = "select path, size, content_hash from files where path in (select value from json_each(?))"
        return {path: (size, content_hash) for path, size, content_hash in self.rows(sql, (json.dumps(list(paths)),))}
