"""The index as one SQLite file: opened, checked, read and ranked. Only connect() opens a connection.

`sqlite_writer.py` writes the file. It is a separate module because a reader does not need it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import apsw

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import BusyError, IndexFormatError, IndexNotFoundError
from code_graph_indexer.programs import find_program, run_program
from code_graph_indexer.results import Filters
from code_graph_indexer.storage.apsw_errors import DAMAGE_ERRORS
from code_graph_indexer.storage.columns import is_inside, meta_number
from code_graph_indexer.storage.identity import FIRST_MEMBER
from code_graph_indexer.storage.limits import single_queries
from code_graph_indexer.storage.objects import Object, objects_in, objects_of
from code_graph_indexer.storage.place import APPLICATION_ID, damaged, is_foreign, way_out
from code_graph_indexer.storage.reading import RowReader
from code_graph_indexer.storage.records import USES
from code_graph_indexer.storage.scores import WORD_WEIGHTS
from code_graph_indexer.storage.side import claim, refuse_foreign_journals
from code_graph_indexer.storage.sql import MAX_ANCESTORS, Dialect, LinkReader, SqlRows
from code_graph_indexer.storage.store import Store

# Late, because questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays, vectors
    from code_graph_indexer.storage.allowed import AllowedChunks
    from code_graph_indexer.storage.arrays import GraphArrays, Hits, Ids
    from code_graph_indexer.storage.vectors import Packed, VectorTable, Words
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")
    vectors = late_module("code_graph_indexer.storage.vectors")

SCHEMA_VERSION = 16
"""The version of sqlite.sql. Raise it with every change there.

An index of another version is built again, never migrated.
"""

BUSY_TIMEOUT_MS = 5_000
"""How many milliseconds a connection waits for a locked file. A commit of an update locks the file for a moment."""

SIGNS_PER_BLOCK = 1_024
"""How many chunk ids share a row of `vectors`."""

MAX_BLOCK = 1 << 52
"""A number that no row of `vectors` has, because an id has 63 bits."""

READ_BLOCKS = 64
"""How many rows of `vectors` one query reads: 8 MB of 256 dimensions. All at once would take twice their memory."""

MAX_IN_MEMORY = 200_000
"""The most vectors that the second question of a process reads into memory, where a question takes less time.

200,000 take 50 MB. The first question reads only those of its shortlist, because most processes ask one.
"""

GRAPH_CHUNKS = 20_000
"""The number of chunks whose references one query reads into memory. It takes some fifty milliseconds."""

MAX_DIMENSIONS = 65_536
"""The largest length of a vector that is believed. No embedder has a tenth of it."""

CACHE_KIB = 32_000
"""The size of a connection's page cache in KiB.

With SQLite's default of 2,000, each signal of a search evicts the pages of the signal before. A larger cache would only
cost memory in a build.
"""

WORD_COLUMNS = ("body", "name", "path", "signature", "doc")
"""The columns of `words`, in their order, in which FTS5 takes their weights."""

MATCHES_KEPT = 500_000
"""How many matches of single words are cached between questions, in 8 MB."""

IN_NAMES = "{name} : "
"""What restricts the expression after it to the full-text field of names."""

SETTINGS, NUMBERS = (
    ("version", "languages", "embedder", "dimensions", "max_chunk_size", "repo_id"),
    ("dimensions", "max_chunk_size"),
)
"""The keys that `meta` always has, and those whose values are numbers."""

MISFITS = {
    "refs: {} targets are missing": "refs where target_id is not null "
    "and target_id not in (select id from text_chunks union all select id from members)",
    "refs: {} lines are not in their file": "refs as r join text_chunks as c on c.id = r.source_id "
    "join files as f on f.id = c.file_id where r.line > f.lines + 1",
    "chunks: {} are not in their file": "text_chunks as c join files as f on f.id = c.file_id "
    "where c.def_end_line > f.lines + 1",
    "contents: {} files have no text": "files where error is null and id not in (select file_id from contents)",
    "words_config: {} settings are not ours": "words_config where k not in ('version', 'hashsize')",
    "trigrams_config: {} settings are not ours": "trigrams_config where k not in ('version', 'hashsize')",
    "described_config: {} settings are not ours": "described_config where k not in ('version', 'hashsize')",
    "members: {} are not in their file": "members as m join text_chunks as c on c.id = m.chunk_id "
    "join files as f on f.id = c.file_id where m.end_line > f.lines + 1",
}
"""The rows that do not fit others: for each kind a sentence with a gap for their number, and where they are."""

TABLES = {
    "meta": "select key, value from meta",
    "files": "select id, path, repo_id, language, source_type, size, lines, encoding, module, content_hash, is_test, "
    "is_example, is_generated, is_vendored, is_broken, error from files",
    "contents": "select file_id, text from contents",
    "lookups": "select file_id, hashes from lookups",
    "history": "select path, last_commit, authors from history",
    "changed_together": "select path, partner, commits from changed_together",
    "text_chunks": "select c.id, c.file_id, c.parent_id, c.position, c.kind, c.name, c.qualified_name, c.signature, c.doc, "
    "c.start_byte, c.end_byte, c.start_line, c.end_line, c.name_line, c.def_end_line, c.has_body, c.content_hash, f.lines "
    "from text_chunks as c join files as f on f.id = c.file_id",
    "members": "select id, chunk_id, position, kind, name, qualified_name, signature, doc, line, end_line, has_body "
    "from members",
    "refs": "select source_id, ordinal, kind, name, receiver, line, column, target_id, "
    "confidence as any_confidence, ambiguous, origin, external_id from refs",
    "externals": "select id, module_id, name from externals",
    "external_modules": "select id, ecosystem, module, package, version from external_modules",
    "candidates": "select source_id, ordinal, chunk_id from candidates",
    "registrations": "select source_id, ordinal, framework, kind, verb, name, router, line, target_id, target_name "
    "from registrations",
    "sentences": "select content_hash, model, sentence from sentences",
    "vectors": "select block as count, signs, steps from vectors",
}
"""The queries that read each table whole, so that the reader checks every value of it."""

SQLITE = Dialect(
    ids="select value from json_each(?)",
    names="select value from json_each(?)",
    in_ids="in (select value from json_each(?))",
    in_names="in (select value from json_each(?))",
    same_name="{} = {} collate nocase",
    like="{} like ?",
    glob="{} glob ?",
    find="instr",
    ancestors_limit=f"limit {MAX_ANCESTORS}",
    open_imports="indexed by refs_open_imports",
    open_names="",
    same_repository="",
    # Both refs_by_target and the primary key are in this order. Asked for it, SQLite takes ten times as long.
    edge_order="",
    pack=lambda values: json.dumps(list(values)),
    glob_pattern=str,
)


def _joined(*columns: str, type: str = "integer") -> str:
    """Return the SQL of columns whose numbers are joined to a text each. What is no number in a forged file becomes one."""
    return ", ".join(f"group_concat(cast({column} as {type})) as numbers" for column in columns)


def first_number(record: bytes) -> int:
    """Return the number at the start of a record of FTS5. It has seven bits in each byte, the highest first."""
    number = 0
    for byte in record[:9]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def schema() -> str:
    """Return the SQL statements that create the tables of an index file."""
    return files(__package__).joinpath("sqlite.sql").read_text(encoding="utf-8")


def connect(path: Path, *, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """Open a SQLite file. Raises IndexWriteError if a file of the user stands where SQLite keeps its own beside it."""
    refuse_foreign_journals(path)
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    # The file may come from anybody, so its schema is not trusted.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    # A negative size counts in KiB, a positive one in pages.
    connection.pragma("cache_size", -CACHE_KIB)
    return connection


def open_checked(path: Path, *, write: bool = False) -> apsw.Connection:
    """Open an index file and check that it is an index of this version, with our tables and views and no others.

    Raises IndexNotFoundError if there is no file, IndexFormatError if the file is damaged or forged, is not an index or has
    another schema version, and BusyError if it is locked.
    """
    if not path.is_file():
        raise IndexNotFoundError(f"there is no index at {path}; make one with: cgi index")
    try:
        # Writable for readers too, because they roll back what a killed update left. SQLite falls back by itself.
        connection = connect(path)
        connection.pragma("query_only", not write)
        application = connection.pragma("application_id")
        version = connection.pragma("user_version")
        is_ours = application == APPLICATION_ID and version == SCHEMA_VERSION
        objects = objects_in(connection) if is_ours else frozenset()
    except apsw.BusyError as exc:
        raise BusyError(f"{path} is being written by another process; try again in a moment") from exc
    except apsw.CantOpenError as exc:
        raise IndexFormatError(
            f"{path} cannot be opened ({exc}); see whether you may read it, and how many files may be open (ulimit -n)"
        ) from exc
    except (apsw.Error, UnicodeDecodeError) as exc:
        raise IndexFormatError(f"{path} is not a readable index ({exc}); {way_out(path)}") from exc
    if application != APPLICATION_ID:
        raise IndexFormatError(f"{path} is not an index of cgi; {way_out(path)}")
    if version != SCHEMA_VERSION:
        raise IndexFormatError(f"{path} has schema version {version}, this cgi reads {SCHEMA_VERSION}; {way_out(path)}")
    _refuse_other_objects(path, objects)
    return connection


def _refuse_other_objects(path: Path, objects: frozenset[Object]) -> None:
    """Raise IndexFormatError if the schema is not ours.

    A view in place of a table, or a trigger, would run a stranger's SQL.
    """
    if other := min(objects - objects_of(schema()), key=repr, default=None):
        raise IndexFormatError(
            f"{path} holds the {ascii(other[0])[1:-1]} {ascii(other[1])[:60]}, which is not that of an index; "
            f"do not use the file, or {way_out(path)}"
        )
    if missing := min(objects_of(schema()) - objects, key=repr, default=None):
        raise IndexFormatError(f"{path} lacks the {missing[0]} {missing[1]!r}; {way_out(path)}")


def refuse_foreign(location: Path) -> None:
    """Raise IndexFormatError if the location holds something other than an index, which a build must not overwrite.

    In the default place any file is ours, whatever became of it.
    """
    if not location.exists():
        return
    if location.is_dir():
        raise IndexFormatError(f"{location} is a folder; give the path of an index file, or remove it")
    if is_foreign(location):
        raise IndexFormatError(f"{location} is not an index of cgi and is left alone; {way_out(location)}")


def copy_index(source: Path, target: Path) -> None:
    """Copy an index file as it is between two updates. Where the file system can, the copies share their blocks.

    Raises IndexFormatError or BusyError if the source cannot be read, and apsw.Error or OSError if the target cannot be
    written.
    """
    _make_empty(target)
    with closing(open_checked(source)) as connection:
        # While a transaction reads, no update can write to the file.
        with connection:
            connection.execute("select count(*) from sqlite_schema").fetchall()
            # In a process of its own: to close the file in this one would end the lock of the transaction.
            option = "-c" if sys.platform == "darwin" else "--reflink=auto"
            if (program := find_program("cp")) is not None:
                command = [program, option, "--", str(source), str(target)]
                if not run_program(command, environment={}, seconds=None, most=0).code:
                    return
        _make_empty(target)
        with closing(apsw.Connection(str(target))) as copy, copy.backup("main", connection, "main") as backup:
            backup.step()


def _make_empty(path: Path) -> None:
    """Remove a file or link. In the own folder, make the file anew, so that only its owner can read it."""
    path.unlink(missing_ok=True)
    claim(path)


def word_counts(path: Path) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Return what the full-text tables of an index file hold, to compare it with another: pairs of a table and its rows.

    A row tells for a word how many chunks or files have it, and how often.
    """
    counts = {
        "words": "select term, col, doc, cnt from temp.counts",
        "trigrams": "select term, doc, cnt from temp.counts",
    }
    tables = []
    with closing(open_checked(path)) as connection:
        # Only the temporary tables are written.
        connection.pragma("query_only", False)
        for (table, sql), form in zip(counts.items(), ("col", "row"), strict=True):
            connection.execute(f"create virtual table temp.counts using fts5vocab(main, {table}, {form})")
            tables.append((table, connection.execute(sql).fetchall()))
            connection.execute("drop table temp.counts")
    return tables


class _FileRows(SqlRows):
    """The rows of an index file, through its one reader."""

    dialect = SQLITE
    _reader: RowReader
    _path: Path

    @property
    def location(self) -> Path:
        """Return the path of the index file."""
        return self._path

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Raises IndexFormatError if the file is damaged or forged."""
        return self._reader.rows(sql, tuple(values))

    def count(self, size: int) -> None:
        """Count bytes that are unpacked. Raises IndexFormatError if they are too many for the question at hand."""
        self._reader.count(size)

    @property
    def room(self) -> int:
        """Return how many bytes the question at hand may still take."""
        return self._reader.room

    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds, with the way out."""
        return damaged(self._path, reason)


class SqliteLinks(_FileRows, LinkReader):
    """A reader of what the linker needs, through a writer's connection and inside its transaction."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        # An update asks as much as the changes need.
        self._reader = RowReader(connection, path, single_queries=True)
        self._path = path


class SqliteStore(_FileRows, Store):
    """An open index file for reading. Several threads may share one store: its connection is locked for each query."""

    def __init__(self, path: Path) -> None:
        self._path = path
        super().__init__()
        self._open()

    def _open(self) -> None:
        """Connect to the file and start with empty caches, because old entries may be out of date."""
        self.forget()
        self._connection = open_checked(self._path)
        self._is_closed = False
        self._reader = RowReader(self._connection, self._path)
        self._connection.create_scalar_function("is_allowed", self._is_allowed, 1)
        self._identity = self._stat()
        self._version = self._connection.pragma("data_version")
        self._matches_by_word: dict[tuple[str, str, int], tuple[Ids, NDArray[np.float64]]] = {}
        self._cached_matches = 0
        self._vectors: VectorTable | None = None
        self._signed: tuple[Ids, Words] | None = None
        self._has_rows = False
        self._questions = 0
        self._full_text_rows: dict[str, int] = {}
        self._scope_of_thread = local()
        self._meta = super().meta()

    def _stat(self) -> tuple[int, int]:
        """Return device and inode of the file. They change when another file replaces it."""
        status = self._path.stat()
        return status.st_dev, status.st_ino

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of the index: inode, size, time and SQLite's counter of commits."""
        status = self._path.stat()
        with self._path.open("rb") as stream:
            header = stream.read(28)
        # SQLite counts its commits there. Size and time may be the same after an update.
        return status.st_ino, status.st_size, status.st_mtime_ns, int.from_bytes(header[24:28], "big")

    def size(self) -> int:
        """Return how many bytes the file has."""
        return self._path.stat().st_size

    def refresh(self) -> None:
        """Open the file again if it was replaced or updated. Call this once per query.

        Raises IndexNotFoundError if the file was removed.
        """
        if self._turns.is_reading or not self._is_outdated():
            return
        with self._turns.changing(), self._lock:
            # Another thread may have been faster.
            if self._is_outdated():
                self._connection.close()
                # If it cannot be opened now, the next question tries again.
                self._is_closed = True
                self._open()

    def _is_outdated(self) -> bool:
        """Say whether the file was written or replaced since it was opened. Raises IndexNotFoundError if it is gone."""
        try:
            identity = self._stat()
        except OSError as exc:
            raise IndexNotFoundError(f"the index {self._path} is gone; make it again with: cgi index") from exc
        with self._lock:
            # The version changes with another's commit, but not if the file is replaced.
            return self._is_closed or identity != self._identity or self._data_version() != self._version

    def _data_version(self) -> Any:
        """Return SQLite's number of the state of the file, or None if the file is damaged."""
        try:
            return self._connection.pragma("data_version")
        except (*DAMAGE_ERRORS, apsw.IOError):
            return None

    def close(self) -> None:
        """Close the file, as soon as no other thread reads. A thread that was about to read opens it again."""
        with self._turns.changing(), self._lock:
            self._connection.close()
            self._is_closed = True

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Errors of the driver become those of the module `errors`."""
        try:
            with self._lock:
                if self._is_closed:
                    self._open()
                return super().rows(sql, values)
        except apsw.BusyError as exc:
            raise BusyError(f"{self._path} is being written by another process; try again in a moment") from exc
        except UnicodeEncodeError:
            # A text that is no Unicode (half of a surrogate pair) is in no index.
            return []
        # The connection is closed if the file was found damaged.
        except (apsw.FullError, apsw.IOError, apsw.SQLError, apsw.ConnectionClosedError) as exc:
            raise self.damaged(exc) from exc

    def graph_arrays(self, *, load: bool = False) -> GraphArrays | None:
        """Return the graph in memory, or None if it is not there. With `load`, it is read first."""
        if load and self._graph is None:
            stamp = self.stamp
            graph = self._read_graph()
            # An update while it is read leaves parts of two versions.
            self._graph = graph if self.stamp == stamp else None
        return self._graph

    def _read_graph(self) -> GraphArrays:
        """Read all chunks and all references with a target as arrays, GRAPH_CHUNKS chunks at a time."""
        kinds = " ".join(f"when '{kind}' then {number}" for number, kind in enumerate(arrays.EDGE_KINDS))
        kind = f"case kind {kinds} else {len(arrays.EDGE_KINDS)} end"
        references = (
            f"select {_joined('source_id', 'target_id', kind, 'line')}, {_joined('confidence', type='real')} from refs "
            f"where source_id between ? and ? and target_id is not null and kind_code < {len(arrays.EDGE_KINDS)} "
            f"and (target_id < {FIRST_MEMBER} or kind_code < {len(arrays.EDGE_KINDS) - len(USES)})"
        )
        kind = (
            f"case when kind = 'module' then {arrays.MODULE} "
            f"when kind in ('function', 'method', 'macro') then {arrays.FUNCTION} else {arrays.OTHER} end"
        )
        columns = _joined("id", "file_id", "coalesce(parent_id, 0)", "name_line", kind)
        chunks = f"select {columns} from text_chunks where id between ? and ?"
        # Each query holds the lock, and answers to others come between two of them.
        sql = (
            "select min(id) as first_id, max(id) as last_id "
            "from (select id from text_chunks where id > ? order by id limit ?)"
        )
        bounds: list[tuple[int, int]] = []
        while (bound := self.rows(sql, (bounds[-1][1] if bounds else -1, GRAPH_CHUNKS))[0])[0] is not None:
            bounds.append((int(bound[0]), int(bound[1])))

        def rows_of(sql: str, form: np.dtype[np.void]) -> NDArray[np.void]:
            parts = [np.zeros(0, form)]
            for bound in bounds:
                part = [arrays.numbers_of(text) for text in self.rows(sql, bound)[0]]
                if len(set(map(len, part))) > 1:
                    raise self.damaged("a row of the graph has no value")
                rows = np.zeros(len(part[0]), form)
                for name, numbers in zip(form.names or (), part, strict=True):
                    # A damaged index may have any number, and no column holds all of them.
                    low, high = arrays.limits(form[name])
                    rows[name] = np.clip(numbers, low, high)
                parts.append(rows)
            return np.concatenate(parts)

        files = [(int(row[0]), str(row[1]), bool(row[2])) for row in self.rows("select id, path, is_test from files")]
        rows = rows_of(chunks, arrays.GRAPH_CHUNK), rows_of(references, arrays.GRAPH_REFERENCE)
        graph = arrays.GraphArrays.of(*rows, files)
        if arrays.has_circle(graph.nodes["parent"]):
            raise self.damaged("a chunk is a part of itself")
        return graph

    def meta(self) -> Mapping[str, str]:
        """Return the table `meta`: facts about the index by key, such as `dimensions` and `embedder`."""
        return self._meta

    # Signals.

    def _word_matches(
        self, expressions: Sequence[str], filters: Filters, most: int, *, only_names: bool, table: str = "words"
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Return the allowed chunks that contain one of the words, ascending, at most `most`, and their BM25 scores."""
        prefix = IN_NAMES if only_names else ""
        # BM25 is a sum over the words, in their order.
        words = [self._matches_of(prefix + expression, filters, most, table) for expression in expressions]
        ids = np.concatenate([matching for matching, _ in words])
        matching = arrays.distinct(ids)
        places = np.searchsorted(matching, ids)
        scores = np.bincount(places, np.concatenate([scores for _, scores in words]), len(matching))
        return matching[:most], scores[:most].astype(np.float64)

    def _matches_of(self, expression: str, filters: Filters, most: int, table: str) -> tuple[Ids, NDArray[np.float64]]:
        """Return the first `most` allowed chunks that match an expression, ascending, and their BM25 scores.

        Those without filters are cached, because questions about a repository repeat their words.
        """
        key, allowed = (table, expression, most), self.allowed_chunks(filters)
        matches = self._matches_by_word.get(key)
        if matches is None:
            matches = self._read_matches(expression, Filters(), most, table)
            with self._lock:
                # Another thread may have read them in the meantime.
                if self._matches_by_word.setdefault(key, matches) is matches:
                    self._cached_matches += len(matches[0])
                while self._cached_matches > MATCHES_KEPT:
                    oldest = next(iter(self._matches_by_word))
                    self._cached_matches -= len(self._matches_by_word.pop(oldest)[0])
        if allowed is None:
            return matches
        if len(matches[0]) == most:
            # Those that the filters allow may come after the first.
            return self._read_matches(expression, filters, most, table)
        places = allowed.positions(matches[0])
        return matches[0][places], matches[1][places]

    def _read_matches(
        self, expression: str, filters: Filters, most: int, table: str
    ) -> tuple[Ids, NDArray[np.float64]]:
        weights = [str(WORD_WEIGHTS[column]) for column in WORD_COLUMNS] if table == "words" else []
        # A number for each match, joined by SQLite, takes half the time of a checked row for each.
        rows = self.rows(
            f"select {_joined('id')}, {_joined('score', type='real')} from "
            f"(select rowid as id, bm25({', '.join([table, *weights])}) as score from {table} "
            f"where {table} match ?{self._scope(filters)} limit ?)",
            (expression, most),
        )
        # A text that is no Unicode has no row.
        ids, scores = rows[0] if rows else ("", "")
        matching, ranks = arrays.numbers_of(ids).astype(np.int64), arrays.numbers_of(scores)
        if len(matching) != len(ranks):
            raise self.damaged("a match of a word has no score")
        # FTS5 gives the better match the lower number.
        return arrays.frozen(matching), arrays.frozen(-ranks)

    def _count_matches(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Count the matches of each expression in `words`, `described` or `trigrams`, and stop at `most`."""
        sql = f"select count(*) as count from (select 1 from {table} where {table} match ? limit ?)"
        return [sum(row[0] for row in self.rows(sql, (expression, most))) for expression in expressions]

    def _row_count(self, table: str) -> int:
        """Return the number of rows of `words` or `described`. It is read once."""
        if table not in self._full_text_rows:
            # FTS5 keeps the number of rows at the start of this record. To count them takes longer in a large index.
            rows = self.rows(f"select block as packed from {table}_data where id = 1")
            self._full_text_rows[table] = first_number(rows[0][0]) if rows else 0
        return self._full_text_rows[table]

    def _count_in_names(self, expression: str) -> int:
        """Count the chunks whose field `name` contains a word. Counts are cached."""
        return self._cached_counts("names", [IN_NAMES + expression], self._row_count("words"))[0]

    def _holding_all(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Return the ids of the rows of `words` or `trigrams` that contain all expressions, ascending, at most `most`."""
        sql = f"select rowid as id from {table} where {table} match ? limit ?"
        return [row[0] for row in self.rows(sql, (" AND ".join(expressions), most))]

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id."""
        allowed = self.allowed_chunks(filters)
        self._questions += 1
        return self._vector_table().nearest(vector, limit, allowed=allowed)

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector."""
        return self._vector_table().similar(vector, chunk_ids)

    def _scope(self, filters: Filters) -> str:
        """Return the SQL that restricts a full-text query to the allowed chunks, or an empty string if all are allowed.

        The SQL calls a function for each match. A join would query the full-text table once for each allowed chunk.
        """
        # Another thread may have other filters, and the function that checks a match gets only an id.
        allowed = self._scope_of_thread.chunks = self.allowed_chunks(filters)
        return "" if allowed is None else " and is_allowed(rowid)"

    def _is_allowed(self, *arguments: Any) -> bool:
        """Return whether the last filters of this thread allow the chunk id, which is the only argument.

        If the file was opened again after _scope(), every chunk is allowed.
        """
        allowed: AllowedChunks | None = getattr(self._scope_of_thread, "chunks", None)
        return allowed is None or arguments[0] in allowed

    def _vector_table(self) -> VectorTable:
        """Return the table of the vectors. The second question reads all of them into memory, unless there are many."""
        with self._lock:
            if self._vectors is None:
                ids, signs = self._signs()
                self._vectors = vectors.VectorTable(ids, lambda positions: self._vectors_of(ids[positions]), signs)
            elif self._questions > 1 and not self._has_rows and len(self._vectors.ids) <= MAX_IN_MEMORY:
                self._vectors = self._vectors.with_rows(self._vectors_of(self._vectors.ids))
                self._has_rows = True
            return self._vectors

    def _dimensions(self) -> int:
        """Return the dimensions of the vectors, or 0 without vectors."""
        return min(meta_number(self._meta, "dimensions"), MAX_DIMENSIONS)

    def _signs(self) -> tuple[Ids, Words]:
        """Return all chunk ids that have a vector, ascending, and their rows of signs. They are read once."""
        if self._signed is None:
            self._signed = self._read_signs()
        return self._signed

    def _read_signs(self) -> tuple[Ids, Words]:
        size = vectors.sign_row_size(self._dimensions() or 1)
        blocks = self.rows("select block as count, length(signs) as size from vectors order by block")
        most = sum(length for _, length in blocks) // size
        ids, signs, count = np.empty(most, np.int64), np.empty((most, size // 8), vectors.WORD_TYPE), 0
        sql = "select block as count, signs from vectors where block >= ? order by block limit ?"
        for start in range(0, len(blocks), READ_BLOCKS):
            for block, packed in self.rows(sql, (blocks[start][0], READ_BLOCKS)):
                is_whole = len(packed) % size == 0 and len(packed) <= size * SIGNS_PER_BLOCK and abs(block) < MAX_BLOCK
                if not is_whole or count + len(packed) // size > most:
                    raise self.damaged("its signs have other dimensions than it says")
                rows = np.frombuffer(packed, vectors.WORD_TYPE).reshape(-1, size // 8)
                # A row without a bit is of a chunk that is gone, or has no vector.
                slots = np.flatnonzero(rows.any(axis=1))
                ids[count : count + len(slots)] = slots + block * SIGNS_PER_BLOCK
                signs[count : count + len(slots)] = rows[slots]
                count += len(slots)
        return ids[:count], signs[:count]

    def _vectors_of(self, ids: Ids) -> Packed:
        """Return the vectors of these chunk ids, which are ascending, one row per id. A missing one is zeros."""
        dimensions = self._dimensions()
        size = vectors.step_row_size(dimensions)
        steps = np.zeros((len(ids), size), np.uint8)
        blocks = ids // SIGNS_PER_BLOCK
        numbers = arrays.distinct(blocks)
        sql = f"select block as count, steps from vectors where block {self.dialect.in_ids} order by block"
        for start in range(0, len(numbers), READ_BLOCKS):
            for block, packed in self.rows(sql, (self.dialect.pack(numbers[start : start + READ_BLOCKS].tolist()),)):
                if not size or len(packed) % size:
                    raise self.damaged("its vectors have other dimensions than it says")
                first, end = np.searchsorted(blocks, (block, block + 1))
                rows = np.frombuffer(packed, np.uint8).reshape(-1, size)
                slots = ids[first:end] - block * SIGNS_PER_BLOCK
                # In a damaged index a row may be missing.
                steps[first:end][slots < len(rows)] = rows[slots[slots < len(rows)]]
        embedded, signs = self._signs()
        signs_of_ids = np.zeros((len(ids), vectors.sign_row_size(dimensions) // 8), vectors.WORD_TYPE)
        places = np.flatnonzero(arrays.are_in(ids, embedded))
        signs_of_ids[places] = signs[np.searchsorted(embedded, ids[places])]
        return vectors.unpacked(signs_of_ids, steps, dimensions)

    def packed_vectors(self) -> tuple[Ids, Packed]:
        """Return all chunk ids that have a vector, ascending, and their vectors, one row per id."""
        ids, _ = self._signs()
        return ids, self._vectors_of(ids)

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map these chunk ids to the vectors of the chunks: the bytes of quantise(). Chunks without a vector are left out."""
        ids = arrays.distinct(np.array(chunk_ids, np.int64))
        ids = ids[arrays.are_in(ids, self._signs()[0])]
        return dict(zip(ids.tolist(), (row.tobytes() for row in self._vectors_of(ids)), strict=True))

    # Checks.

    def check(self) -> list[str]:
        """List the problems of the file, one sentence per problem. A sound file gives an empty list.

        The checks are SQLite's own, foreign keys, targets of references, and the numbers of full-text and vector rows.
        """
        problems: list[str] = []
        try:
            with single_queries():
                problems.extend(self._problems())
        except IndexFormatError as exc:
            problems.append(str(exc))
        return problems

    def _problems(self) -> Iterator[str]:
        """Yield one sentence per problem of the file."""
        for (problem,) in self.rows("select integrity_check as problem from pragma_integrity_check limit 20"):
            if problem != "ok":
                yield problem
        for table, row, target in self.rows(
            'select "table" as name, coalesce(rowid, 0) as count, parent as name from pragma_foreign_key_check'
        ):
            yield f"{table}: row {row} refers to a missing {target}"
        for sentence, sql in MISFITS.items():
            if count := self.rows(f"select count(*) as count from {sql}")[0][0]:
                yield sentence.format(count)
        expected = self.rows("select count(*) as count from text_chunks where end_byte > start_byte")[0][0]
        # FTS5 has a row for each chunk in this table of its own.
        words = self.rows("select count(*) as count from words_docsize")[0][0]
        for table, count, rows in (
            ("words", words, expected),
            ("vectors", len(self._signs()[0]), expected if self._dimensions() else 0),
            (
                "described",
                self.rows("select count(*) as count from described_docsize")[0][0],
                self.rows("select count(*) as count from descriptions")[0][0],
            ),
        ):
            if count != rows:
                yield f"{table}: {count} rows for {rows} chunks"
        if (counted := self._row_count("words")) != expected:
            yield f"words: they say that they are of {counted} chunks, and {expected} have words"
        if self._dimensions():
            signs, steps = vectors.sign_row_size(self._dimensions()), vectors.step_row_size(self._dimensions())
            sql = "select count(*) as count from vectors where length(signs) * ? != length(steps) * ?"
            if count := self.rows(sql, (steps, signs))[0][0]:
                yield f"vectors: {count} rows have not as many signs as vectors"
        yield from self._unsound_values()

    def _unsound_values(self) -> Iterator[str]:
        """Yield a sentence for each table or setting that holds what no index does, and for the first text that ends early."""
        for table, sql in TABLES.items():
            if reason := self._reader.problem(sql):
                yield f"{table}: {reason}"
        for key in SETTINGS:
            value = self._meta.get(key)
            if value is None or (key in NUMBERS and str(meta_number(self._meta, key, default=-2)) != value):
                yield f"meta: {key} is {value!r:.60}"
        if not is_inside(self._meta.get("repo_id", "")):
            yield "meta: repo_id is no name of a repository"
        sql = (
            "select t.text, f.size, (select coalesce(max(end_byte), 0) from text_chunks where file_id = f.id) as end_byte "
            "from contents as t join files as f on f.id = t.file_id"
        )
        try:
            self.parents()
            for packed, size, end in self._reader.stream(sql):
                if len(self.unpacked(packed, size)) < end:
                    yield "chunks: some end behind the text of their file"
                    break
        except IndexFormatError as exc:
            yield str(exc)
