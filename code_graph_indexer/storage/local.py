"""State for indexing on this machine, in a file beside the index. The file may be deleted at any time.

It has the writer's lock, the times of files, the linker's input for the next update, and the vectors of an interrupted
run.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType

import apsw

from code_graph_indexer.errors import BusyError

_SCHEMA = """
create table if not exists times (
    path text primary key, size integer, mtime_ns integer, content_hash blob
) without rowid;
create table if not exists link_inputs (
    path text primary key, content_hash blob, made_by text, module text, packed blob
) without rowid;
create table if not exists vectors (
    embedder text, content_hash blob, embedding blob, primary key (embedder, content_hash)
) without rowid;
"""
_PROBE = """
select path, size, mtime_ns, content_hash from times limit 0;
select path, content_hash, made_by, module, packed from link_inputs limit 0;
select embedder, content_hash, embedding from vectors limit 0;
"""
"""Queries that fail if another version made the file, because its tables have other columns."""


def is_being_written(index: Path) -> bool:
    """Say whether a process writes an index at this moment, such as the first index of a repository."""
    path = _path_of(index)
    if not path.is_file():
        return False
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.execute(_PROBE)
    except apsw.BusyError:
        return True
    # What else may be wrong with the file concerns only its next writer.
    except apsw.Error:
        return False
    return False


def _path_of(index: Path) -> Path:
    """Return the path of the file with the local state of an index."""
    return index.with_name(index.name + ".local")


class LocalState:
    """The local state of an index. As a context manager it also holds the lock, so that one process writes the index."""

    def __init__(self, index: Path) -> None:
        self._path = _path_of(index)
        self._index = index

    def __enter__(self) -> "LocalState":
        is_new = not self._path.exists()
        try:
            self._connection = self._connect()
        except apsw.BusyError as exc:
            raise BusyError(f"{self._index} is being written by another process; try again when it is done") from exc
        except apsw.FullError:
            if is_new:
                self._path.unlink(missing_ok=True)
            raise
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            self._path.unlink(missing_ok=True)
            self._connection = self._connect()
        return self

    def _connect(self) -> apsw.Connection:
        """Open the file, lock it, and check that its tables have the right columns."""
        connection = apsw.Connection(str(self._path))
        # An exclusively locked SQLite file is a lock that no killed process leaves behind.
        connection.pragma("locking_mode", "exclusive")
        # A loss of power may damage the file, which is then made anew.
        connection.pragma("synchronous", "off")
        connection.execute("begin exclusive")
        connection.execute(_SCHEMA)
        # A table of another version passes the schema but not the probe.
        connection.execute(_PROBE)
        connection.execute("commit")
        connection.execute("begin exclusive")
        connection.execute("commit")
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def times(self) -> dict[str, tuple[int, int, bytes]]:
        """Map each path to size in bytes, modification time in nanoseconds and content hash, as of the last reading."""
        rows = self._connection.execute("select path, size, mtime_ns, content_hash from times")
        return {path: (size, mtime_ns, content_hash) for path, size, mtime_ns, content_hash in rows}

    def set_times(self, times: Mapping[str, tuple[int, int, bytes]]) -> None:
        """Replace the stored sizes, modification times and content hashes of all files."""
        with self._connection:
            self._connection.execute("delete from times")
            self._connection.executemany(
                "insert into times values (?, ?, ?, ?)", ((path, *rest) for path, rest in times.items())
            )

    def link_input(self, path: str, content_hash: bytes, made_by: str) -> tuple[str, bytes] | None:
        """Return a file's module and packed LinkInput (what the linker needs of the file), or None.

        It is None if the file's content or the maker (`made_by`) is not the stored one.
        """
        rows = self._connection.execute(
            "select module, packed from link_inputs where path = ? and content_hash = ? and made_by = ?",
            (path, content_hash, made_by),
        )
        row = next(iter(rows), None)
        # The tables are not strict, so a damaged file may hold values of any type.
        return row if row and isinstance(row[0], str) and isinstance(row[1], bytes) else None

    def keep_link_inputs(self, rows: Iterable[tuple[str, bytes, str, str, bytes]], *, replace: bool = False) -> None:
        """Store rows of path, content hash, maker, module and packed LinkInput.

        With `replace`, remove all earlier rows first.
        """
        with self._connection:
            if replace:
                self._connection.execute("delete from link_inputs")
            self._connection.executemany("insert or replace into link_inputs values (?, ?, ?, ?, ?)", rows)

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
        with self._connection:
            self._connection.executemany(
                "insert or replace into vectors values (?, ?, ?)", ((embedder, *pair) for pair in vectors)
            )

    def drop_vectors(self) -> None:
        """Remove all stored vectors, because they are in the index now."""
        with self._connection:
            self._connection.execute("delete from vectors")
