"""What is local to this machine, beside the index: the writer's lock, file times, facts for the next update, and vectors of
a run cut short.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import apsw

from code_graph_indexer.errors import BusyError, UsageError

_SCHEMA = """
create table if not exists times (
    path text primary key, size integer, mtime_ns integer, content_hash blob
) without rowid;
create table if not exists facts (
    path text primary key, content_hash blob, made_by text, module text, packed blob
) without rowid;
create table if not exists vectors (
    embedder text, content_hash blob, embedding blob, primary key (embedder, content_hash)
) without rowid;
"""
_PROBE = """
select path, size, mtime_ns, content_hash from times limit 0;
select path, content_hash, made_by, module, packed from facts limit 0;
select embedder, content_hash, embedding from vectors limit 0;
"""
"""Fails on a file that another version has left."""


class LocalState:
    """Hold the lock of an index while it is open; everything in it can be thrown away."""

    def __init__(self, index: Path) -> None:
        self._path = index.with_name(index.name + ".local")
        self._index = index

    def __enter__(self) -> "LocalState":
        try:
            self._connection = self._connect()
        except apsw.BusyError as exc:
            raise BusyError(f"{self._index} is being written by another process; try again when it is done") from exc
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as exc:
            raise UsageError(f"{self._path} cannot be written ({exc}); give another place with --db") from exc
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            self._path.unlink(missing_ok=True)
            self._connection = self._connect()
        return self

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        # An exclusively locked SQLite file is a lock that no killed process leaves behind.
        connection.pragma("locking_mode", "exclusive")
        connection.pragma("synchronous", "off")
        connection.execute("begin exclusive")
        connection.execute(_SCHEMA)
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
        """Return size, modification time and content hash of each file when it was last read."""
        rows = self._connection.execute("select path, size, mtime_ns, content_hash from times")
        return {path: (size, mtime_ns, content_hash) for path, size, mtime_ns, content_hash in rows}

    def set_times(self, times: Mapping[str, tuple[int, int, bytes]]) -> None:
        """Replace all times."""
        with self._connection:
            self._connection.execute("delete from times")
            self._connection.executemany(
                "insert into times values (?, ?, ?, ?)", ((path, *rest) for path, rest in times.items())
            )

    def facts(self, path: str, content_hash: bytes, made_by: str) -> tuple[str, bytes] | None:
        """Return a file's module and packed facts, if they were kept of this content and made in the same way."""
        rows = self._connection.execute(
            "select module, packed from facts where path = ? and content_hash = ? and made_by = ?",
            (path, content_hash, made_by),
        )
        found = next(iter(rows), None)
        return found if found and isinstance(found[0], str) and isinstance(found[1], bytes) else None

    def keep_facts(self, rows: Iterable[tuple[str, bytes, str, str, bytes]], *, others: bool = True) -> None:
        """Keep facts (path, content hash, how they were made, module, packed), with those of other files or instead of them."""
        with self._connection:
            if not others:
                self._connection.execute("delete from facts")
            self._connection.executemany("insert or replace into facts values (?, ?, ?, ?, ?)", rows)

    def vectors(self, embedder: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the vectors kept of a run that was cut short."""
        found: dict[bytes, bytes] = {}
        for one in hashes:
            for (embedding,) in self._connection.execute(
                "select embedding from vectors where embedder = ? and content_hash = ?", (embedder, one)
            ):
                found[one] = embedding
        return found

    def keep_vectors(self, embedder: str, vectors: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep vectors until the index that they are for is written."""
        with self._connection:
            self._connection.executemany(
                "insert or replace into vectors values (?, ?, ?)", ((embedder, *one) for one in vectors)
            )

    def drop_vectors(self) -> None:
        """Forget the kept vectors: the index holds them now."""
        with self._connection:
            self._connection.execute("delete from vectors")
