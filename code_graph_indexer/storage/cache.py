"""The cache of query results: a SQLite file beside the index, or a Redis server."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

import apsw

from code_graph_indexer.errors import IndexWriteError
from code_graph_indexer.storage.objects import require_objects
from code_graph_indexer.storage.side import CACHE_MARK, claim

_SCHEMA = """
create table if not exists entries (
    scope text not null, query text not null, vector blob not null, result text not null, created real not null,
    primary key (scope, query)
) without rowid;
create index if not exists entries_by_time on entries (created);
"""


class CacheEntry(NamedTuple):
    """An answered query: its text, its vector as bytes, and its result as JSON."""

    query: str
    vector: bytes
    result: str


class CacheStore(Protocol):
    """A cache of entries by scope. A scope is a key for the index in its present state and the filters of the query."""

    def entries(self, scope: str) -> list[CacheEntry]:
        """List the entries of a scope that have not expired."""

    def put(self, scope: str, entry: CacheEntry) -> None:
        """Add an entry to a scope. A full cache drops old entries."""

    def close(self) -> None:
        """Close the file or connection."""


class SqliteCache:
    """A cache in a SQLite file that may be deleted at any time. If the file is locked or not writable, nothing is cached.

    Several threads may share it: its connection is locked for each statement.

    `ttl` is the lifetime of an entry in seconds, `limit` the number of entries in the file. A damaged file is made
    anew.
    """

    def __init__(self, path: Path, *, ttl: float, limit: int) -> None:
        self._ttl = ttl
        self._limit = limit
        self._lock = Lock()
        self._connection: apsw.Connection | None
        try:
            claim(path, CACHE_MARK)
            self._connection = self._open(path)
        except IndexWriteError:
            # Another program's file has this name.
            self._connection = None
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError):
            path.unlink(missing_ok=True)
            self._connection = self._open(path)
        except apsw.Error:
            # A folder that cannot be written, such as that of an index on a shared disk.
            self._connection = None

    @staticmethod
    def _open(path: Path) -> apsw.Connection:
        """Open the file and check that its table has the right columns."""
        connection = apsw.Connection(str(path))
        # A query must not wait long for its cache.
        connection.set_busy_timeout(200)
        connection.pragma("synchronous", "off")
        connection.execute(_SCHEMA)
        require_objects(connection, _SCHEMA)
        connection.pragma("application_id", CACHE_MARK)
        return connection

    def entries(self, scope: str) -> list[CacheEntry]:
        """List the entries of a scope that have not expired."""
        sql = "select query, vector, result from entries where scope = ? and created > ?"
        return [CacheEntry(*row) for row in self._run(sql, (scope, time.time() - self._ttl))]

    def put(self, scope: str, entry: CacheEntry) -> None:
        """Add an entry to a scope. Remove expired entries, and the oldest entries above the limit."""
        now = time.time()
        self._run("insert or replace into entries values (?, ?, ?, ?, ?)", (scope, *entry, now))
        self._run("delete from entries where created <= ?", (now - self._ttl,))
        self._run(
            "delete from entries where (scope, query) in "
            # SQLite takes an offset only after a limit, and -1 is no limit.
            "(select scope, query from entries order by created desc limit -1 offset ?)",
            (self._limit,),
        )

    def _run(self, sql: str, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows. If the cache fails, the list is empty."""
        try:
            with self._lock:
                return [] if self._connection is None else self._connection.execute(sql, tuple(values)).fetchall()
        except apsw.Error:
            return []

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


class RedisCache:
    """A cache on a Redis server, for several processes or machines. If the server does not answer, nothing is cached.

    Several threads may share it, because the client gives each command a connection of its own.
    A scope is a Redis hash with one field per query. The whole hash expires `ttl` seconds after its last entry. `limit`
    is the number of entries per scope.
    """

    def __init__(self, url: str, *, ttl: float, limit: int) -> None:
        # Not every installation has the client.
        import redis

        # The last three are for entries that something else wrote.
        self._errors: tuple[type[Exception], ...] = (redis.RedisError, OSError, ValueError, LookupError, TypeError)
        self._client = redis.Redis.from_url(url, socket_timeout=1.0, socket_connect_timeout=1.0)
        self._ttl = ttl
        self._limit = limit

    def entries(self, scope: str) -> list[CacheEntry]:
        """List the entries of a scope that have not expired."""
        try:
            packed_entries = self._client.hgetall(f"cgi:{scope}")
            read = [
                # An option in the address makes the client return texts instead of bytes.
                (str(query, "utf-8") if isinstance(query, bytes) else query, json.loads(packed))
                for query, packed in packed_entries.items()
            ]
            now = time.time()
            return [
                CacheEntry(query, bytes.fromhex(entry["vector"]), entry["result"])
                for query, entry in read
                if now - entry["created"] < self._ttl
            ]
        except self._errors:
            return []

    def put(self, scope: str, entry: CacheEntry) -> None:
        """Add an entry to a scope. A full scope is emptied first."""
        packed = json.dumps({"vector": entry.vector.hex(), "result": entry.result, "created": time.time()})
        try:
            # Finding the oldest entry would read them all, as a hash has no order.
            if self._client.hlen(f"cgi:{scope}") >= self._limit:
                self._client.delete(f"cgi:{scope}")
            self._client.hset(f"cgi:{scope}", entry.query, packed)
            # An expiry of 0 would remove the scope at once.
            self._client.expire(f"cgi:{scope}", max(1, int(self._ttl)))
        except self._errors:
            return

    def close(self) -> None:
        """Close the connection to the server."""
        self._client.close()
