"""The index as one SQLite file: opened, checked, read and ranked. Only connect() opens a connection.

`sqlite_writer.py` writes the file. It is a separate module because a reader does not need it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from importlib.util import find_spec
from itertools import accumulate, chain
from pathlib import Path
from threading import RLock, local
from typing import TYPE_CHECKING, Any, cast

import apsw

from code_graph_indexer.errors import BusyError, IndexFormatError, IndexNotFoundError
from code_graph_indexer.results import Filters
from code_graph_indexer.storage.apsw_errors import DAMAGE_ERRORS
from code_graph_indexer.storage.records import ChunkFile, FileRow
from code_graph_indexer.storage.scores import WORD_WEIGHTS, length_factor, substring_score
from code_graph_indexer.storage.sql import MAX_ANCESTORS, Dialect, SqlLinks, SqlReader
from code_graph_indexer.words import trigrams

# The signals import NumPy, because questions to the graph do without it and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage.allowed import AllowedChunks
    from code_graph_indexer.storage.arrays import Hits, Ids
    from code_graph_indexer.storage.vectors import VectorTable

APPLICATION_ID = 0x43474958
"""The letters `CGIX`, which SQLite stores in the header of every index file."""

SCHEMA_VERSION = 7
"""The version of sqlite.sql. Raise it with every change there.

An index of another version is built again, never migrated.
"""

BUSY_TIMEOUT_MS = 5_000
"""How many milliseconds a connection waits for a locked file. A commit of an update locks the file for a moment."""

INT8_SCALE = 127.0
"""The factor that turns a component of a unit vector into its int8."""

CACHE_KIB = 32_000
"""The size of a connection's page cache in KiB.

With SQLite's default of 2,000, each signal of a search evicts the pages of the signal before. A larger cache would only
cost memory in a build.
"""

TEXT_CACHE_BYTES = 64_000_000
"""The size limit of the cache of unpacked texts, in bytes. The results of the next query are often in the same files."""

TRAIT_ROWS = 1 << 18
"""The rows of the cache of traits, which takes 7 MB. A chunk's traits are in the row of its id modulo this number."""

FILTER_CACHE = 8
"""How many filters have their allowed chunks in the cache, for the next query with the same filters."""

COUNT_CACHE = 10_000
"""How many expressions have their number of matches in the cache, for words and for trigrams separately."""

MATCH_LIMIT = 3_000
"""The largest number of word matches that are scored. Common words are left out of a query until it has no more matches."""

MAX_GRAMS, GRAM_LIMIT = 5, 1_000
"""How many trigrams of a substring are searched, and the number at which the counting of their matches stops.

The trigrams with the fewest matches are searched.
"""

VERIFY_LIMIT = 400
"""The largest number of chunks whose texts are read to check that they contain a substring."""

SQLITE = Dialect(
    ids="select value from json_each(?)",
    names="select value from json_each(?)",
    same_name="{} = {} collate nocase",
    like="{} like ?",
    glob="{} glob ?",
    find="instr",
    ancestors_limit=f"limit {MAX_ANCESTORS}",
    open_imports="indexed by refs_open_imports",
    # Both refs_by_target and the primary key are in this order. Asked for it, SQLite takes ten times as long.
    edge_order="",
    pack=lambda values: json.dumps(list(values)),
    glob_pattern=str,
)


def schema() -> str:
    """Return the SQL statements that create the tables of an index file."""
    return files(__package__).joinpath("sqlite.sql").read_text(encoding="utf-8")


def connect(path: Path, *, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """Open a SQLite file and load the vector functions of sqlite-vec."""
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.enable_load_extension(True)
    connection.load_extension(_vector_extension())
    # Off again, because no statement may load code.
    connection.enable_load_extension(False)
    # The file may come from anybody, so its schema is not trusted.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    # A negative size counts in KiB, a positive one in pages.
    connection.pragma("cache_size", -CACHE_KIB)
    return connection


def _vector_extension() -> str:
    """Return the path of the extension of sqlite-vec, without the suffix of the platform."""
    # `sqlite_vec.loadable_path()` would do, but the package imports NumPy.
    package = find_spec("sqlite_vec")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the package sqlite-vec is missing; run: pip install sqlite-vec")
    return str(Path(package.origin).with_name("vec0"))


def open_checked(path: Path, *, write: bool = False) -> apsw.Connection:
    """Open an index file and check that it is an index of this version.

    Raises IndexNotFoundError if there is no file, IndexFormatError if the file is damaged, is not an index or has
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
        schema_query = "select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name"
        entries = connection.execute(schema_query).fetchall() if application == APPLICATION_ID else []
    except apsw.BusyError as exc:
        raise BusyError(f"{path} is being written by another process; try again in a moment") from exc
    except (apsw.Error, UnicodeDecodeError) as exc:
        raise IndexFormatError(f"{path} is not a readable index ({exc}); rebuild it with: cgi index --full") from exc
    if application != APPLICATION_ID:
        raise IndexFormatError(f"{path} is not an index of cgi; give another --db, or remove the file")
    if version != SCHEMA_VERSION:
        raise IndexFormatError(
            f"{path} has schema version {version}, this cgi reads {SCHEMA_VERSION}; rebuild it with: cgi index --full"
        )
    _refuse_triggers(path, entries)
    return connection


def copy_index(source: Path, target: Path) -> None:
    """Copy an index file as it is between two updates. Where the file system can, the copies share their blocks.

    Raises IndexFormatError or BusyError if the source cannot be read, and apsw.Error or OSError if the target cannot be
    written.
    """
    with closing(open_checked(source)) as connection:
        # While a transaction reads, no update can write to the file.
        with connection:
            connection.execute("select count(*) from sqlite_schema").fetchall()
            # In a process of its own: to close the file in this one would end the lock of the transaction.
            command = ["cp", "-c"] if sys.platform == "darwin" else ["cp", "--reflink=auto"]
            try:
                if not subprocess.run(
                    [*command, str(source), str(target)], capture_output=True, check=False
                ).returncode:
                    return
            # A system without this command.
            except OSError:
                pass
        target.unlink(missing_ok=True)
        with closing(apsw.Connection(str(target))) as copy, copy.backup("main", connection, "main") as backup:
            backup.step()


def _refuse_triggers(path: Path, entries: Sequence[tuple[Any, ...]]) -> None:
    """Raise IndexFormatError if the index has a trigger. A stranger may have added it, and the next update would run it."""
    if any(kind == "trigger" for kind, _, _ in entries):
        raise IndexFormatError(f"{path} holds triggers, which no index does; do not use it")


def escape_terms(terms: Iterable[str], operator: str) -> str:
    """Return user text as an FTS5 expression: quoted strings with the operator between them, so that no text is syntax."""
    quoted = ('"' + term.replace('"', '""').replace("\0", "") + '"' for term in terms if term.strip("\0 "))
    return f" {operator} ".join(quoted)


class SqliteLinks(SqlLinks):
    """A reader of what the linker needs, through a writer's connection and inside its transaction."""

    dialect = SQLITE

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    @property
    def location(self) -> Path:
        """Return the path of the index file."""
        return self._path

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Raises IndexFormatError if the file is damaged."""
        try:
            return self._connection.execute(sql, tuple(values)).fetchall()
        except DAMAGE_ERRORS as exc:
            raise IndexFormatError(f"{self._path} is damaged ({exc}); rebuild it with: cgi index --full") from exc


class SqliteStore(SqlReader):
    """An open index file for reading. Several threads may share one store, and only one query runs at a time."""

    dialect = SQLITE

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = RLock()
        self._open()

    def _open(self) -> None:
        """Connect to the file and start with empty caches, because old entries may be out of date."""
        self._connection = open_checked(self._path)
        self._connection.create_scalar_function("is_allowed", self._is_allowed, 1)
        self._identity = self._stat()
        self._version = self._connection.pragma("data_version")
        self._files: dict[int, ChunkFile] = {}
        self._traits: NDArray[np.void] | None = None
        self._imports: dict[int, list[str]] = {}
        self._unread: list[FileRow] | None = None
        self._texts: dict[int, bytes] = {}
        self._text_bytes = 0
        self._vectors: VectorTable | None = None
        self._allowed: dict[tuple[Any, ...], AllowedChunks] = {}
        self._counts: dict[str, dict[str, int]] = {"words": {}, "trigrams": {}}
        self._scope_of_thread = local()
        self._meta = super().meta()

    def _stat(self) -> tuple[int, int]:
        """Return device and inode of the file. They change when another file replaces it."""
        status = self._path.stat()
        return status.st_dev, status.st_ino

    @property
    def location(self) -> Path:
        """Return the path of the index file."""
        return self._path

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of the index: inode, size, time and SQLite's counter of commits."""
        status = self._path.stat()
        with self._path.open("rb") as stream:
            header = stream.read(28)
        # SQLite counts its commits there. Size and time may be the same after an update.
        return status.st_ino, status.st_size, status.st_mtime_ns, int.from_bytes(header[24:28], "big")

    def refresh(self) -> None:
        """Open the file again if it was replaced or updated. Call this once per query.

        Raises IndexNotFoundError if the file was removed.
        """
        try:
            identity = self._stat()
        except OSError as exc:
            raise IndexNotFoundError(f"the index {self._path} is gone; make it again with: cgi index") from exc
        with self._lock:
            version = self._connection.pragma("data_version")
            # The version changes with another's commit, but not if the file is replaced.
            if identity != self._identity or version != self._version:
                self._connection.close()
                self._open()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Errors of the driver become those of the module `errors`."""
        try:
            with self._lock:
                return cast("list[tuple[Any, ...]]", self._connection.execute(sql, tuple(values)).fetchall())
        except (*DAMAGE_ERRORS, apsw.FullError, apsw.IOError) as exc:
            raise IndexFormatError(f"{self._path} is damaged ({exc}); rebuild it with: cgi index --full") from exc
        except apsw.BusyError as exc:
            raise BusyError(f"{self._path} is being written by another process; try again in a moment") from exc
        except UnicodeEncodeError:
            # A text that is no Unicode (half of a surrogate pair) is in no index.
            return []
        except apsw.SQLError as exc:
            raise IndexFormatError(
                f"{self._path} lacks what an index has ({exc}); rebuild it: cgi index --full"
            ) from exc

    # Reads of `sql`, with a cache in front of those that a query repeats.

    def meta(self) -> Mapping[str, str]:
        """Return the table `meta`: facts about the index by key, such as `dimensions` and `embedder`."""
        return self._meta

    def text_of(self, file_id: int) -> bytes:
        """Return the text of the file with this id, or empty bytes if it has none. Texts are cached."""
        with self._lock:
            if file_id not in self._texts:
                text = self._texts[file_id] = super().text_of(file_id)
                self._text_bytes += len(text)
                # The oldest text goes first, and the one just read stays however long it is.
                while self._text_bytes > TEXT_CACHE_BYTES and len(self._texts) > 1:
                    self._text_bytes -= len(self._texts.pop(next(iter(self._texts))))
            return self._texts[file_id]

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros.

        The rows are cached, because several signals ask for the same chunks.
        """
        import numpy as np

        from code_graph_indexer.storage.arrays import CHUNK_TRAITS

        # Each id has one row, from which it drives the id before. An empty row has the id 0, which no chunk has.
        rows = chunk_ids % TRAIT_ROWS
        with self._lock:
            if self._traits is None:
                self._traits = np.zeros(TRAIT_ROWS, CHUNK_TRAITS)
            traits = self._traits[rows]
            missing = np.flatnonzero(traits["id"] != chunk_ids)
            if len(missing):
                traits[missing] = self._traits[rows[missing]] = super().traits_of(chunk_ids[missing])
        return traits

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map each of these file ids to its file. Unknown ids are left out. Files are cached."""
        import numpy as np

        from code_graph_indexer.storage.arrays import distinct

        # Another thread may open the file anew and start another cache.
        ids, cache = distinct(file_ids).tolist(), self._files
        missing = [file_id for file_id in ids if file_id not in cache]
        if missing:
            cache.update(super().files_by_id(np.array(missing, np.int64)))
        return {file_id: cache[file_id] for file_id in ids if file_id in cache}

    def imports_of(self, file_ids: Sequence[int]) -> dict[int, list[str]]:
        """Map each file id to the names that the file imports, in order of line. The names are cached."""
        cache = self._imports
        missing = [file_id for file_id in file_ids if file_id not in cache]
        if missing:
            cache.update(super().imports_of(missing))
        return {file_id: cache[file_id] for file_id in file_ids}

    def unread_files(self) -> list[FileRow]:
        """List the files that were not read whole, by path: the grammar could not, or `error` says why. The list is cached."""
        if self._unread is None:
            self._unread = super().unread_files()
        return self._unread

    # Signals.

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids | None = None) -> Hits:
        """Rank the chunks that contain one of the rarest terms, by BM25 over the weighted fields, ties by id.

        The formula is BM25 as FTS5 computes it (Robertson & Zaragoza 2009), times length_factor(). The list has the
        best `limit` chunks, then the other matching chunks whose ids are in `also`.
        """
        import numpy as np

        from code_graph_indexer.storage.arrays import NO_IDS, Hits, are_in

        expression = self._rare_terms(terms)
        if not expression:
            return Hits.of([])
        weights = ", ".join(str(weight) for weight in WORD_WEIGHTS.values())
        matches = self.rows(
            f"select rowid, bm25(words, {weights}) from words where words match ?{self._scope(filters)} limit ?",
            (expression, MATCH_LIMIT),
        )
        columns = np.fromiter(chain.from_iterable(matches), np.float64, 2 * len(matches)).reshape(-1, 2)
        ids, distances = columns[:, 0].astype(np.int64), columns[:, 1]
        required = are_in(ids, NO_IDS if also is None else also)
        # FTS5 returns rows by id, and a stable sort keeps that order among ties.
        candidates = required.copy()
        # Twice the limit, because the length factor below changes the order.
        candidates[np.argsort(distances, kind="stable")[: 2 * limit]] = True
        positions = np.flatnonzero(candidates)
        traits = self.traits_of(ids[positions])
        # A damaged index may have words of chunks that are gone.
        positions, traits = positions[traits["id"] > 0], traits[traits["id"] > 0]
        # FTS5 gives the better match the lower number.
        scores = -distances[positions] * length_factor(traits["size"])
        order = np.lexsort((ids[positions], -scores))
        order = order[(np.arange(len(order)) < limit) | required[positions][order]]
        return Hits(ids[positions][order], scores[order])

    def has_words(self, terms: Sequence[str]) -> bool:
        """Return whether at least one of the terms occurs in the index."""
        return any(
            self.rows("select 1 from words where words match ? limit 1", (expression,))
            for term in terms
            if (expression := escape_terms([term], "OR"))
        )

    def _rare_terms(self, terms: Sequence[str]) -> str:
        """Return an FTS5 expression of the rarest terms. Together, they have at most MATCH_LIMIT matches.

        A word that occurs everywhere says little, and its matches take most of the time. If all terms are that common,
        the rarest is searched in names only.
        """
        counted = sorted(
            (self._matches("words", expression, MATCH_LIMIT + 1), expression)
            for term in terms
            if (expression := escape_terms([term], "OR"))
        )
        totals = accumulate(count for count, _ in counted)
        rare = [expression for (_, expression), total in zip(counted, totals, strict=True) if total <= MATCH_LIMIT]
        if rare or not counted:
            return " OR ".join(rare)
        in_names = "{name} : " + counted[0][1]
        return in_names if self._matches("words", in_names, MATCH_LIMIT + 1) else counted[0][1]

    def _rare_grams(self, grams: Sequence[str]) -> Sequence[str]:
        """Return at most MAX_GRAMS trigrams, the ones with the fewest matches.

        More are not needed, because each match is checked against the text of its chunk.
        """
        if len(grams) <= MAX_GRAMS:
            return grams
        counts = {gram: self._matches("trigrams", escape_terms([gram], "AND"), GRAM_LIMIT) for gram in grams}
        return sorted(grams, key=lambda gram: counts[gram])[:MAX_GRAMS]

    def _matches(self, table: str, expression: str, most: int) -> int:
        """Count the matches of an FTS5 expression, and stop at `most`.

        This is much cheaper than scoring them. Counts are cached.
        """
        counts = self._counts[table]
        count = counts.get(expression)
        if count is None:
            if len(counts) >= COUNT_CACHE:
                counts.clear()
            sql = f"select count(*) from (select 1 from {table} where {table} match ? limit ?)"
            count = counts[expression] = sum(row[0] for row in self.rows(sql, (expression, most)))
        return count

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks whose text contains a substring, in any case.

        Matches in the same case come first, then matches of a whole word, then chunks with more matches. At most
        VERIFY_LIMIT chunks are read.
        """
        from code_graph_indexer.storage.arrays import Hits

        grams = trigrams(text)
        rare = self._rare_grams(grams)
        if not rare:
            return Hits.of([])
        sql = f"select rowid from trigrams where trigrams match ?{self._scope(filters)} limit ?"
        matches = self.rows(sql, (escape_terms(rare, "AND"), VERIFY_LIMIT))
        # Even the rarest may be common, as those of `default_name`. All together they leave few chunks, but take longer.
        if len(matches) == VERIFY_LIMIT and len(rare) < len(grams):
            matches = self.rows(sql, (escape_terms(grams, "AND"), VERIFY_LIMIT))
        sql = f"select id, file_id, start_byte, end_byte from chunks where id in ({self.dialect.ids})"
        scored = (
            (chunk_id, substring_score(text, self.text_of(file_id)[start:end].decode("utf-8", "replace")))
            for chunk_id, file_id, start, end in self.rows(sql, (self.dialect.pack([row[0] for row in matches]),))
        )
        return Hits.best(scored, limit)

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id.

        All vectors are read into memory at the first use. To compare them there is many times faster than a scan by
        sqlite-vec.
        """
        return self._vector_table().nearest(vector, limit, allowed=self._allowed_chunks(filters))

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector.

        Chunks without a vector are left out.
        """
        return self._vector_table().similar(vector, chunk_ids)

    def _scope(self, filters: Filters) -> str:
        """Return the SQL that restricts a full-text query to the allowed chunks, or an empty string if all are allowed.

        The SQL calls a function for each match. A join would query the full-text table once for each allowed chunk.
        """
        # Another thread may have other filters, and the function that checks a match gets only an id.
        allowed = self._scope_of_thread.chunks = self._allowed_chunks(filters)
        return "" if allowed is None else " and is_allowed(rowid)"

    def _is_allowed(self, *arguments: Any) -> bool:
        """Return whether the last filters of this thread allow the chunk id, which is the only argument.

        If the file was opened again after _scope(), every chunk is allowed.
        """
        allowed: AllowedChunks | None = getattr(self._scope_of_thread, "chunks", None)
        return allowed is None or arguments[0] in allowed

    def _allowed_chunks(self, filters: Filters) -> AllowedChunks | None:
        """Return the chunks that the filters allow, or None if they allow all. The last FILTER_CACHE filters are cached."""
        condition, values = self.filter_condition(filters)
        if not condition:
            return None
        key = (condition, *values)
        with self._lock:
            if key not in self._allowed:
                while len(self._allowed) >= FILTER_CACHE:
                    self._allowed.pop(next(iter(self._allowed)))
                from code_graph_indexer.storage.allowed import AllowedChunks

                self._allowed[key] = AllowedChunks(self.allowed_runs(condition, values))
            return self._allowed[key]

    def _vector_table(self) -> VectorTable:
        """Return the table of all vectors in memory. The first call reads them."""
        from code_graph_indexer.storage.vectors import VectorTable

        with self._lock:
            if self._vectors is None:
                recorded = self._meta.get("dimensions", "0")
                # A damaged index may say anything.
                dimensions = int(recorded) if recorded.isdecimal() else 0
                self._vectors = VectorTable(*self._packed_vectors(dimensions))
            return self._vectors

    def _packed_vectors(self, dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Return all chunk ids that have a vector, ascending, and their int8 vectors, one row per id.

        They are read from sqlite-vec's internal tables, which store blocks of vectors. Its virtual table returns one
        row at a time, which takes six times as long.
        """
        import numpy as np

        sql = (
            "select b.rowids, b.validity, v.vectors from vectors_chunks as b "
            "join vectors_vector_chunks00 as v on v.rowid = b.chunk_id order by b.chunk_id"
        )
        blocks = self.rows(sql) if dimensions else []
        numbers, bits, vectors = (b"".join(parts) for parts in zip(*blocks, strict=True)) if blocks else (b"", b"", b"")
        # Each slot of a block has 8 bytes of id, one bit, and a byte a component.
        if len(numbers) != 64 * len(bits) or len(vectors) != 8 * len(bits) * dimensions:
            raise IndexFormatError(f"{self._path} has vectors of other dimensions than it says; do not use it")
        ids = np.frombuffer(numbers, dtype="<i8")
        packed = np.frombuffer(vectors, dtype=np.int8)
        # A bit for each slot of a block says whether a vector is in it.
        used = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little") == 1
        order = np.flatnonzero(used)[np.argsort(ids[used], kind="stable")]
        return ids[order].astype(np.int64), packed.reshape(len(ids), dimensions or 1)[order]

    # Checks.

    def check(self) -> list[str]:
        """List the problems of the file, one sentence per problem. A sound file gives an empty list.

        The checks are SQLite's own, foreign keys, targets of references, and the numbers of full-text and vector rows.
        """
        problems: list[str] = []
        try:
            problems.extend(self._problems())
        except IndexFormatError as exc:
            problems.append(str(exc))
        return problems

    def _problems(self) -> Iterator[str]:
        """Yield one sentence per problem of the file."""
        yield from (str(line) for (line,) in self.rows("pragma integrity_check(20)") if line != "ok")
        for row in self.rows("pragma foreign_key_check"):
            yield f"{row[0]}: row {row[1]} refers to a missing {row[2]}"
        targets = "select count(*) from refs where target_id is not null and target_id not in (select id from chunks)"
        if missing := self.rows(targets)[0][0]:
            yield f"refs: {missing} targets are missing"
        expected = self.rows("select count(*) from chunks where end_byte > start_byte")[0][0]
        # FTS5 and sqlite-vec have a row for each chunk in these tables of theirs.
        for table in ("words_docsize", *(("vectors_rowids",) if self._meta.get("dimensions", "0") != "0" else ())):
            if (count := self.rows(f"select count(*) from {table}")[0][0]) != expected:
                yield f"{table.partition('_')[0]}: {count} rows for {expected} chunks"
