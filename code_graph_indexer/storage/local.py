"""State for indexing on this machine, in a file beside the index. The file may be deleted at any time.

It has the writer's lock, the files and folders as the last run saw them, the linker's input for the next update, and the
vectors of an interrupted run.
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw

from code_graph_indexer.errors import BusyError, IndexWriteError
from code_graph_indexer.storage.apsw_errors import DAMAGE_ERRORS
from code_graph_indexer.storage.objects import objects_in, require_objects
from code_graph_indexer.storage.side import (
    LOCAL,
    LOCAL_MARK,
    WATCHER,
    beside,
    claim,
    refuse_foreign_journals,
    refuse_links,
)
from code_graph_indexer.storage.snapshot import Differences, Listing, SeenFile, SeenFolder, SeenRule, Snapshot

READER_MS = 300
"""Milliseconds that the next writer waits for a question that reads the file. Reading it takes a fraction of this."""

LOCK_POLL_SECONDS = 0.02
"""Seconds between two tries to get the lock."""

_SCHEMA = """
create table if not exists times (
    path text primary key, size integer, mtime_ns integer, content_hash blob
) without rowid;
create table if not exists link_inputs (
    path text primary key, content_hash blob, made_by text, module text, packed blob
);
create table if not exists vectors (
    embedder text, content_hash blob, embedding blob, primary key (embedder, content_hash)
) without rowid;
create table if not exists folders (path text primary key, time_ns integer, names blob) without rowid;
create table if not exists rules (
    path text primary key, repository text, size integer, time_ns integer, digest blob
) without rowid;
create table if not exists lookups (shard integer primary key, packed blob);
create table if not exists facts (key text primary key, value text) without rowid;
"""
_FILES = "select path, size, mtime_ns, content_hash from times"
_TIMES = "times values (?, ?, ?, ?)"


def is_being_written(index: Path) -> bool:
    """Say whether a process writes an index at this moment, such as the first index of a repository."""
    path = local_path(index)
    if not path.is_file():
        return False
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            objects_in(connection)
    except apsw.BusyError:
        return True
    # What else may be wrong with the file concerns only its next writer.
    except apsw.Error:
        return False
    return False


def local_path(index: Path) -> Path:
    """Return the path of the file with the local state of an index."""
    return beside(index, LOCAL)


def read_snapshot(index: Path) -> Snapshot | None:
    """Return what the last run saw, without the lock. None if nothing is stored or it cannot be read.

    Raises BusyError while another process writes the index.
    """
    path = local_path(index)
    if not path.is_file():
        return None
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            return _snapshot(connection)
    except apsw.BusyError as exc:
        raise _busy(index) from exc
    # A file that is damaged or of another version is of no use, and the next run makes it anew.
    except (apsw.Error, UnicodeDecodeError):
        return None


def _snapshot(connection: apsw.Connection) -> Snapshot | None:
    """Return the snapshot in a file of local state. None if it has none, or a path that no file system takes."""
    # One transaction, as the rows of two runs would not fit together.
    with connection:
        require_objects(connection, _SCHEMA)
        facts = dict(connection.execute("select key, value from facts"))
        # The file may be of anybody, and its values of any type.
        if not str(facts.get("max_file_size", "")).isdecimal():
            return None
        files = {path: SeenFile(*row) for path, *row in connection.execute(_FILES)}
        folders = {_path(path): SeenFolder(*row) for path, *row in connection.execute("select * from folders")}
        rules = {
            _path(path): SeenRule(None if repository is None else _path(repository), *row)
            for path, repository, *row in connection.execute("select * from rules")
        }
    # A path that no file system takes is damage or forgery.
    if not all(isinstance(path, str) and "\0" not in path for path in chain(files, folders, rules)):
        return None
    return Snapshot(
        files, Listing(facts.get("made_by", ""), int(facts["max_file_size"]), folders, rules), facts.get("index", "")
    )


@contextmanager
def sole_watcher(index: Path) -> Iterator[None]:
    """Be the only process that watches a repository and updates its index, inside a `with` block.

    Raises BusyError if another process is.
    """
    path = beside(index, WATCHER)
    if path.exists() and path.stat().st_size:
        raise BusyError(f"{path} is no file of cgi, which needs this name to watch; move it, or give another --db")
    claim(path)
    with closing(apsw.Connection(str(path))) as connection:
        try:
            # A lock that no killed process leaves behind.
            connection.execute("begin exclusive")
        except apsw.BusyError as exc:
            raise BusyError(f"another process already watches for {index}; nothing is to be done") from exc
        yield


def _path(stored: str | bytes) -> str:
    """Return a path as Python writes it, from a column that `_storable` filled."""
    return stored if isinstance(stored, str) else os.fsdecode(stored)


def _storable(path: str) -> str | bytes:
    """Return a path as SQLite can store it: as bytes if it is not UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def _busy(index: Path) -> BusyError:
    return BusyError(f"{index} is being written by another process; try again when it is done")


class LocalState:
    """The local state of an index, for the thread that writes the index.

    As a context manager it also holds the lock, so that one process writes the index.

    `wait` is how many seconds to wait for the process that holds the lock.
    """

    def __init__(self, index: Path, *, wait: float = 0.0) -> None:
        self._path = local_path(index)
        self._index = index
        self._wait = wait

    def __enter__(self) -> "LocalState":
        is_new = not self._path.exists()
        refuse_links(self._index)
        refuse_foreign_journals(self._index)
        claim(self._path, LOCAL_MARK)
        try:
            self._connection = self._waited()
        except apsw.BusyError as exc:
            raise _busy(self._index) from exc
        except apsw.FullError:
            if is_new:
                self._path.unlink(missing_ok=True)
            raise
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            self._path.unlink(missing_ok=True)
            self._connection = self._connect()
        return self

    def _waited(self) -> apsw.Connection:
        """Connect, as soon as no other process holds the lock. Raises apsw.BusyError if that takes too long."""
        deadline = time.monotonic() + self._wait
        while True:
            try:
                return self._connect()
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(LOCK_POLL_SECONDS)

    def _connect(self) -> apsw.Connection:
        """Open the file, lock it, and check that its tables have the right columns."""
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(self._path.absolute().as_uri(), flags=flags)
        # A question may be reading what the last run saw. SQLite itself waits in steps of up to a tenth of a second.
        connection.set_busy_timeout(READER_MS)
        # An exclusively locked SQLite file is a lock that no killed process leaves behind.
        connection.pragma("locking_mode", "exclusive")
        # A loss of power may damage the file, which is then made anew.
        connection.pragma("synchronous", "off")
        connection.execute("begin exclusive")
        connection.execute(_SCHEMA)
        # A table of another version, or something else in its place, passes the statement above.
        require_objects(connection, _SCHEMA)
        connection.pragma("application_id", LOCAL_MARK)
        connection.execute("commit")
        connection.execute("begin exclusive")
        connection.execute("commit")
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write in one transaction. A damaged file is removed.

        Raises IndexWriteError then, because what the next run reads there must be whole or not be there. Inside of another
        transaction, that one sees to it.
        """
        if not self._connection.getautocommit():
            yield
            return
        try:
            with self._connection:
                yield
        except DAMAGE_ERRORS as exc:
            raise self._damaged() from exc

    def _damaged(self) -> IndexWriteError:
        """Remove the damaged file, and return the error that says so."""
        self._connection.close()
        self._path.unlink(missing_ok=True)
        return IndexWriteError(f"{self._path} was damaged and is removed; run the same command again")

    def _put(self, values: str, rows: Iterable[Sequence[object]], *, replace: bool = False) -> None:
        """Write rows into a table, with `replace` in place of all that it holds. `values` is SQL: `times values (?, ?)`."""
        with self._writing():
            if replace:
                self._connection.execute(f"delete from {values.split()[0]}")
            self._connection.executemany(f"insert or replace into {values}", rows)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query. In a damaged file there are none."""
        try:
            return list(self._connection.execute(sql, values))
        except DAMAGE_ERRORS:
            return []

    def snapshot(self) -> Snapshot | None:
        """Return what the last run saw, or None if no run stored it or the file is damaged."""
        try:
            return _snapshot(self._connection)
        except DAMAGE_ERRORS:
            return None

    def times(self) -> dict[str, SeenFile]:
        """Map each path to its file as it was at the last reading. In a damaged file there are none."""
        return {path: SeenFile(*row) for path, *row in self._rows(_FILES)}

    def set_times(self, files: Mapping[str, SeenFile]) -> None:
        """Replace the stored state of all files."""
        self._put(_TIMES, ((path, *seen) for path, seen in files.items()), replace=True)

    def put_times(self, files: Mapping[str, SeenFile]) -> None:
        """Store the state of these files, and leave that of the others as it is."""
        self._put(_TIMES, ((path, *seen) for path, seen in files.items()))

    def put_seen(self, seen: Differences) -> None:
        """Store the new times of files, folders and rules that are otherwise the same."""
        self.put_times(seen.files)
        with self._writing():
            self._put_places(seen.folders, seen.rules)

    def set_listing(self, listing: Listing) -> None:
        """Replace the stored folders and rules."""
        with self._writing():
            self._put_places(listing.folders, listing.rules, replace=True)
            self._put_fact("made_by", listing.made_by)
            self._put_fact("max_file_size", str(listing.max_file_size))

    def _put_places(
        self, folders: Mapping[str, SeenFolder], rules: Mapping[str, SeenRule], *, replace: bool = False
    ) -> None:
        """Write folders and ignore rules that discovery saw, with `replace` in place of all that are stored."""
        rows = ((_storable(path), *seen) for path, seen in folders.items())
        self._put("folders values (?, ?, ?)", rows, replace=replace)
        rule_rows = (
            (_storable(path), None if repository is None else _storable(repository), *seen)
            for path, (repository, *seen) in rules.items()
        )
        self._put("rules values (?, ?, ?, ?, ?)", rule_rows, replace=replace)

    def index(self) -> str:
        """Return the stamp of the index that the last run left, or an empty text."""
        return self._fact("index")

    def set_index(self, stamp: str) -> None:
        """Store the stamp of the index that the run leaves. With another stamp, what is stored is of another index."""
        if stamp != self.index():
            self._put_fact("index", stamp)

    def boundary(self) -> str:
        """Return where git's history ended when it was read, or an empty text."""
        return self._fact("boundary")

    def set_boundary(self, boundary: str) -> None:
        """Store where git's history ends."""
        self._put_fact("boundary", boundary)

    def shards_of(self) -> str:
        """Return the stamp of the index whose lookups are stored, or an empty text."""
        return self._fact("lookups")

    def shards(self, numbers: Iterable[int]) -> dict[int, bytes]:
        """Map the numbers of shards to these shards of the lookups. Empty ones are left out."""
        shards: dict[int, bytes] = {}
        try:
            for number in numbers:
                for (packed,) in self._connection.execute("select packed from lookups where shard = ?", (number,)):
                    shards[number] = packed
        except DAMAGE_ERRORS as exc:
            raise self._damaged() from exc
        # The tables are not strict, so a damaged file may hold values of any type.
        return {number: packed for number, packed in shards.items() if isinstance(packed, bytes)}

    def set_shards(self, shards: Iterable[tuple[int, bytes]], stamp: str, *, replace: bool = False) -> None:
        """Store shards of the lookups of the index with this stamp, by number. `replace` removes all earlier ones first."""
        with self._writing():
            self._put("lookups values (?, ?)", shards, replace=replace)
            self._put_fact("lookups", stamp)

    def _fact(self, key: str) -> str:
        """Return a stored fact, or an empty text, which is no stamp, if there is none or it cannot be read."""
        return "".join(str(value) for (value,) in self._rows("select value from facts where key = ?", (key,)))

    def _put_fact(self, key: str, value: str) -> None:
        self._put("facts values (?, ?)", [(key, value)])

    def link_input(self, path: str, content_hash: bytes, made_by: str) -> tuple[str, bytes] | None:
        """Return a file's module and packed syntax, which the linker reads, or None.

        It is None if the file's content or the maker (`made_by`) is not the stored one.
        """
        sql = "select module, packed from link_inputs where path = ? and content_hash = ? and made_by = ?"
        for module, packed in self._rows(sql, (path, content_hash, made_by)):
            # The tables are not strict, so a damaged file may hold values of any type.
            if isinstance(module, str) and isinstance(packed, bytes):
                return module, packed
        return None

    def keep_link_inputs(self, rows: Iterable[tuple[str, bytes, str, str, bytes]], *, replace: bool = False) -> None:
        """Store rows of path, content hash, maker, module and packed syntax.

        With `replace`, remove all earlier rows first.
        """
        self._put("link_inputs values (?, ?, ?, ?, ?)", rows, replace=replace)

    def adopt_link_inputs(self, index: Path) -> None:
        """Copy the LinkInputs that lie beside another index. Each has the hash of its content, so none can be wrong here.

        If another process holds them, none is copied, and an update parses the texts again.
        """
        path = local_path(index)
        if not path.is_file():
            return
        try:
            self._connection.execute("attach ? as source", (f"{path.absolute().as_uri()}?mode=ro",))
        except apsw.Error:
            return
        try:
            with self._writing():
                require_objects(self._connection, _SCHEMA, "source")
                self._connection.execute("insert or ignore into link_inputs select * from source.link_inputs")
        # A file that is locked, damaged or of another version.
        except apsw.Error:
            return
        finally:
            self._connection.execute("detach source")

    def vectors(self, embedder: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Map content hashes to int8 vectors that an interrupted run stored. Unknown hashes are left out."""
        vectors: dict[bytes, bytes] = {}
        for content_hash in hashes:
            for (embedding,) in self._connection.execute(
                "select embedding from vectors where embedder = ? and content_hash = ?", (embedder, content_hash)
            ):
                vectors[content_hash] = embedding
        return vectors

    def keep_vectors(self, embedder: str, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Store pairs of content hash and int8 vector until they are in the index."""
        self._put("vectors values (?, ?, ?)", ((embedder, *pair) for pair in vectors))

    def drop_vectors(self) -> None:
        """Remove all stored vectors, because they are in the index now."""
        with self._writing():
            self._connection.execute("delete from vectors")
