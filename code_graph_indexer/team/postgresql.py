"""The indexes of many repositories in one PostgreSQL database, read and ranked.

`postgresql_writer.py` publishes index files to the database. The schema is in postgresql.sql.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import apsw
import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import IndexFormatError, IndexNotFoundError, NotInIndexError, ServerError
from code_graph_indexer.printable import in_line
from code_graph_indexer.results import Filters
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.columns import Columns, Row, UnsoundError, meta_number
from code_graph_indexer.storage.identity import LOCAL_BITS, LOCAL_MASK
from code_graph_indexer.storage.limits import Allowance, spending_of
from code_graph_indexer.storage.publication import PublishedRepository
from code_graph_indexer.storage.records import HISTORY_KEYS, Edge
from code_graph_indexer.storage.scores import bm25
from code_graph_indexer.storage.sql import Dialect, SqlRows
from code_graph_indexer.storage.sqlite import SIGNS_PER_BLOCK
from code_graph_indexer.storage.store import MAX_FILES, Store
from code_graph_indexer.threads import per_thread

# Late, because questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import arrays, vectors
    from code_graph_indexer.storage.arrays import Hits, Ids
    from code_graph_indexer.storage.vectors import Packed, VectorTable
    from code_graph_indexer.team import postings, signs
    from code_graph_indexer.team.postings import Places
    from code_graph_indexer.team.signs import Block, RepositorySigns
else:
    np = late_module("numpy")
    arrays = late_module("code_graph_indexer.storage.arrays")
    vectors = late_module("code_graph_indexer.storage.vectors")
    postings = late_module("code_graph_indexer.team.postings")
    signs = late_module("code_graph_indexer.team.signs")

Connection = psycopg.Connection[tuple[Any, ...]]

SCOPES = ("cgi_one", "cgi_some", "cgi_all")
"""The schemas whose views show one repository, some, or all."""

MIN_VECTOR_VERSION = (0, 8, 4)
"""The oldest version of pgvector that is safe: an older one may damage its HNSW index at a vacuum."""

STATEMENT_SECONDS = 60
"""Seconds after which the server ends a query."""

CHUNK_BYTES = 1_400
"""The bytes of an index file per chunk, by which a question may take as much as of the file."""

CONNECT_SECONDS = 10
"""Seconds to wait for a connection."""

MAX_CONNECTIONS = 8
"""The most connections of a store. Each answers a query at a time."""

VECTORS_IN_MEMORY = 200_000
"""The most vectors that the second question of a process reads into memory, where a question takes less time.

200,000 take 50 MB. Of more vectors, it reads only the signs.
"""

MAX_STATEMENTS = 1_000
"""How many statements have the names of their columns in memory."""

LIST_SHARE = 8
"""The part of the memory for vectors that the lists of words may take beside them: one of so many, which is 64 of 512 MiB."""

LIST_SIZE, PLACE_SIZE, HOLDER_SIZE = 1_000, 13, 64
"""The bytes of memory of a list of a word, of each of its places, and of each number of a repository beside it."""

HAVING_CACHE = 2_000_000
"""How many numbers of repositories that hold a word or trigram are cached, which take 16 MB."""

SIGN_MEMORY = 512
"""The memory for signs in MiB. It has room for 11 million vectors of 256 dimensions."""

EF_SEARCH = 400
"""How many vectors HNSW gathers in each round of a search."""

EXACT_CHUNKS, EXACT_SHARE = 100_000, 0.1
"""The most chunks that are compared one by one: this many, or this share of all that are published."""

LONG_LIST = 1_000
"""The length of a list from which on a statement is planned for its values. A plan for any values takes lists for short."""

ARRAY_HEADER = 20
"""The bytes before the first element of an array of one dimension that the server sends as it holds it."""

READ_VECTORS = 20_000
"""How many vectors one query reads."""

WORD_KINDS = {"words": ("w", "l"), "described": ("d", "m")}
"""The kinds of postings for each full-text table of words: where words stand, and how many each chunk has."""

_OF_SIGNS = "kind = 's' and repository = any(?::integer[])"
"""The condition of the rows that hold the signs of vectors."""

LOOKS = (6_000, 20_000)
"""How many near vectors HNSW looks at first and, if filters leave too few of them, at last.

Queries of a few words lie far from all code, where HNSW loses its way after fewer. The recall is in docs/measured.
"""


def _storable(values: Collection[Any]) -> list[Any]:
    """Return those of the values that the database can hold. Left out are texts with half of a surrogate pair or a NUL."""
    return [
        value
        for value in values
        if not isinstance(value, str) or ("\0" not in value and value.isascii()) or _is_storable(value)
    ]


def _is_storable(text: str) -> bool:
    return "\0" not in text and text.encode("utf-8", "replace").decode() == text


def _glob_regex(pattern: str) -> str:
    """Return a glob of SQLite as a regular expression. `*` and `?` match a slash too, and a class such as `[a-z]` stays."""
    parts = re.findall(r"\[\^?\]?[^\]]*\]|.", pattern, re.DOTALL)
    wild = {"*": ".*", "?": "."}
    return "^" + "".join(wild.get(part, _class_or_character(part)) for part in parts) + "$"


def _class_or_character(part: str) -> str:
    """Return a part of a glob, which is a class or a single character, as a regular expression."""
    # Backslashes are characters in a class of SQLite, and begin an escape in one of PostgreSQL.
    return part.replace("\\", "\\\\") if len(part) > 1 else re.sub(r"(\W)", r"\\\1", part)


POSTGRESQL = Dialect(
    ids="select unnest(?::bigint[]) as value",
    names="select unnest(?::text[]) as value",
    # For `in (select unnest(…))`, the planner expects 200 rows and then sorts 40,000 into thousands of files.
    in_ids="= any(?::bigint[])",
    in_names="= any(?::text[])",
    same_name="cgi.folded({0}) = cgi.folded({1}) and lower({0}) = lower({1})",
    like="{} ilike ? escape ''",
    glob="{} ~ ?",
    find="strpos",
    ancestors_limit="",
    open_imports="",
    open_names="and octet_length(r.name) < 2000",
    same_repository=f"and r.source_id >> {LOCAL_BITS} = t.id >> {LOCAL_BITS}",
    edge_order="order by source_id, ordinal",
    pack=_storable,
    glob_pattern=_glob_regex,
)


def schema() -> str:
    """Return the SQL statements that create the tables and views."""
    text = files(__package__).joinpath("postgresql.sql").read_text(encoding="utf-8")
    tables, _, views = text.partition("-- views\n")
    conditions = {
        "cgi_one": f"$1 >> {LOCAL_BITS} = current_setting('cgi.repository')::bigint",
        "cgi_some": f"$1 >> {LOCAL_BITS} = any (cgi.chosen())",
        "cgi_all": "true",
    }
    parts = [tables]
    for scope, condition in conditions.items():
        path, repo_id = ("path", "recorded_id") if scope == "cgi_one" else ("full_path", "repo_id")
        parts.append(
            f"create schema {scope};\ncreate function {scope}.contains(id bigint) returns boolean language sql stable "
            f"parallel safe as $$ select {condition} $$;\n"
        )
        parts.append(views.replace("$scope", scope).replace("$path", path).replace("$repo_id", repo_id))
    return "".join(parts)


@cache
def schema_version() -> str:
    """Return what the comment of the schema `cgi` says: a hash of the statements that created it."""
    return f"code_graph_indexer {blake2b(schema().encode(), digest_size=6).hexdigest()}"


@contextmanager
def explained(address: Address, doing: str = "cannot be read") -> Iterator[None]:
    """Turn errors of the driver inside the `with` block into those of the module `errors`, without passwords."""
    try:
        yield
    except (errors.QueryCanceled, errors.LockNotAvailable) as exc:
        raise ServerError(f"{address} took longer than {STATEMENT_SECONDS} s; ask for less, or try again") from exc
    except errors.InsufficientPrivilege as exc:
        raise ServerError(f"{address} {doing}: {address.hide(str(exc))}; ask with a role that may") from exc
    except (errors.UndefinedTable, errors.InvalidSchemaName, errors.UndefinedColumn) as exc:
        raise IndexFormatError(f"{address} lacks what an index has ({address.hide(str(exc))})") from exc
    except (PoolTimeout, PoolClosed) as exc:
        raise ServerError(f"{address} gave no connection within {CONNECT_SECONDS} s; try again") from exc
    except psycopg.OperationalError as exc:
        raise ServerError(f"{address} {doing}: {address.hide(str(exc))}; check the address and the server") from exc
    except psycopg.Error as exc:
        raise ServerError(f"{address} {doing}: {address.hide(str(exc))}") from exc


def connect(address: Address, *, statement_seconds: float = STATEMENT_SECONDS) -> Connection:
    """Open a connection whose statements stand alone until a transaction begins. Raises ServerError.

    The server ends a statement after so many seconds.
    """
    with explained(address, "cannot be reached"):
        try:
            connection = psycopg.connect(
                address.url, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="cgi"
            )
        except psycopg.ProgrammingError as exc:
            # The text of the driver quotes the address.
            raise ServerError(f"{address} is no address of PostgreSQL; see docs/how-to/postgresql.md") from exc
        limit_statements(connection, statement_seconds)
        return connection


def limit_statements(connection: Connection, seconds: float) -> None:
    """Let the server end each statement after so many seconds, or none with 0."""
    connection.execute("select set_config('statement_timeout', %s, false)", (str(int(seconds * 1000)),))


def vector_schema(connection: Connection, address: Address) -> str:
    """Return the schema that holds pgvector. Raises ServerError if it is missing or too old."""
    row = connection.execute(
        "select n.nspname, e.extversion from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace "
        "where e.extname = 'vector'"
    ).fetchone()
    if row is None:
        raise ServerError(
            f"{address} lacks the extension pgvector; let an administrator run there: create extension vector"
        )
    version = tuple(int(part) for part in re.findall(r"\d+", row[1]))
    if version < MIN_VECTOR_VERSION:
        least = ".".join(map(str, MIN_VECTOR_VERSION))
        raise ServerError(
            f"{address} has pgvector {row[1]}, and {least} or later is needed: older ones lose rows of an HNSW index; "
            "install it, then run there: alter extension vector update"
        )
    return str(row[0])


@cache
def _table_names() -> list[str]:
    """List the tables that the schema makes."""
    return re.findall(r"^create table cgi\.(\w+)", schema(), re.MULTILINE)


def check_schema(connection: Connection, address: Address) -> None:
    """Check that the tables are ours, before anything is read of them.

    Raises IndexNotFoundError if nothing was ever published, or IndexFormatError if another version of cgi published, or if a
    table is replaced by something that would run a stranger's SQL.
    """
    row = connection.execute("select obj_description(to_regnamespace('cgi')::oid, 'pg_namespace')").fetchone()
    if row is None or row[0] is None:
        raise IndexNotFoundError(f"nothing is published to {address}; publish an index: cgi publish --db URL")
    if row[0] != schema_version():
        raise IndexFormatError(
            f"{address} has the schema {row[0]!r}, and this cgi reads {schema_version()!r}; "
            "remove it (drop schema cgi, cgi_one, cgi_some, cgi_all cascade), and publish again"
        )
    # A view may compute without end, and a trigger or rule may run anything as whoever publishes.
    tables = connection.execute(
        "select t.name from unnest(%s::text[]) as t (name) left join pg_class as c "
        "on c.relname = t.name and c.relnamespace = 'cgi'::regnamespace "
        "where (c.relkind in ('r', 'p') and not c.relhasrules and not c.relhastriggers) is not true order by 1",
        (_table_names(),),
    ).fetchall()
    if tables:
        raise IndexFormatError(
            f"{address} has something other than a plain table at cgi.{tables[0][0]}, so do not use it; "
            "remove the schema (drop schema cgi, cgi_one, cgi_some, cgi_all cascade), and publish again"
        )


def checked(address: Address, names: Sequence[str], rows: list[Row]) -> list[Row]:
    """Return rows, checked as columns of these names. Raises IndexFormatError if one holds what no index does."""
    try:
        Columns(names).measure(rows)
    except UnsoundError as exc:
        raise forged(address, exc) from exc
    return rows


def forged(address: Address, reason: object) -> IndexFormatError:
    """Return the error for something on a server that no index holds."""
    return IndexFormatError(f"{address} holds what no index does ({reason}); publish the index again")


def fetched(address: Address, cursor: psycopg.Cursor[Row]) -> list[Row]:
    """Return the rows of a query, checked."""
    return checked(address, [column.name for column in cursor.description or ()], cursor.fetchall())


@lru_cache(maxsize=1_000)
def _numbered(sql: str) -> bytes:
    """Return a query with the driver's parameters in place of each `?`."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _sent(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the parameters of a query as the driver gets them: ids as text, because it takes long to convert a list."""
    return tuple(
        f"{{{','.join(map(str, value))}}}" if isinstance(value, list) and value and type(value[0]) is int else value
        for value in values
    )


@dataclass(frozen=True, slots=True)
class _Repository:
    """A repository in scope. `rows_of` and `words_of` count the rows with words and these words, by full-text table."""

    number: int
    repo_id: str
    revision: int
    chunks: int
    rows_of: Mapping[str, int]
    words_of: Mapping[str, int]


class _ServerRows(SqlRows):
    """The connections to a server, the repositories in scope, and the rows of a query, each of them checked.

    Several threads may share it, because its pool lends a connection for each query.
    """

    dialect = POSTGRESQL
    _repositories: tuple[_Repository, ...] = ()

    def __init__(self, address: Address, statement_seconds: float) -> None:
        self._address = address
        self._statement_seconds = statement_seconds
        # By statement: the names of columns are those of the statement, and to look them up takes longer.
        self._columns: dict[tuple[bytes, bool], Columns] = {}
        self._connect()

    def _connect(self) -> None:
        """Check the schema, find the repositories in scope, and open the pool of connections. Raises what these steps raise."""
        with connect(self._address, statement_seconds=self._statement_seconds) as connection, explained(self._address):
            check_schema(connection, self._address)
            self._vector_schema = vector_schema(connection, self._address)
            self._repositories = self._scope(connection)
        self._is_single = len(self._address.repositories) == 1
        self._pool = ConnectionPool(
            self._address.url,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            timeout=CONNECT_SECONDS,
            configure=self._configure,
            kwargs={"autocommit": True, "application_name": "cgi", "connect_timeout": CONNECT_SECONDS},
            open=True,
        )

    def _configure(self, connection: Connection) -> None:
        """Make a connection read-only, with the views of the repositories in scope in its search path."""
        numbers = [repository.number for repository in self._repositories]
        scope = SCOPES[0] if self._is_single else SCOPES[1] if self._address.repositories else SCOPES[2]
        values = {
            # First the server's own functions: in the schema of the extension, strangers may create some of the same names.
            "search_path": f"pg_catalog, {scope}, cgi, {self._vector_schema}",
            "default_transaction_read_only": "on",
            "statement_timeout": str(int(self._statement_seconds * 1000)),
            "cgi.repository": str(numbers[0] if numbers else 0),
            "cgi.repositories": "{" + ",".join(map(str, numbers)) + "}",
            "hnsw.ef_search": str(EF_SEARCH),
            # Further rounds follow, whose vectors are sorted afterwards.
            "hnsw.iterative_scan": "relaxed_order",
            # It counts all vectors that were compared, of which each query says how many it wants.
            "hnsw.max_scan_tuples": "1000000",
            "hnsw.scan_mem_multiplier": "8",
            # In the 4 MB that are usual, groups of 100,000 files go to disk in thousands of parts.
            "work_mem": "64MB",
            # Of a statement that comes again, the plan is that of short lists, if this costs no more. See LONG_LIST.
            "plan_cache_mode": "auto",
            # On disks without moving heads, and in memory, a page elsewhere costs little more than the next one.
            "random_page_cost": "1.1",
        }
        for key, value in values.items():
            connection.execute("select set_config(%s, %s, false)", (key, value))
        # The server reads a statement that comes again only once.
        connection.prepare_threshold = 2

    def _scope(self, connection: Connection) -> tuple[_Repository, ...]:
        """Return the repositories in scope. Raises NotInIndexError if a chosen one is not published."""
        chosen = list(self._address.repositories)
        rows = fetched(
            self._address,
            connection.execute(
                "select repository, repo_id, revision, chunks, chunks_with_text, descriptions, words, description_words "
                "from cgi.repositories "
                "where repo_id = any(%s) or %s order by repository",
                (_storable(chosen), not chosen),
            ),
        )
        repositories = tuple(
            _Repository(
                number,
                repo_id,
                revision,
                chunks,
                dict(zip(WORD_KINDS, counts[:2], strict=True)),
                dict(zip(WORD_KINDS, counts[2:], strict=True)),
            )
            for number, repo_id, revision, chunks, *counts in rows
        )
        if missing := sorted({*chosen} - {repository.repo_id for repository in repositories}):
            raise NotInIndexError(
                f"{self._address} has no repository {missing[0]!r}.{_nearest(connection, missing[0])}"
            )
        return repositories

    @property
    def location(self) -> str:
        """Return the address without its password."""
        return str(self._address)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Yield a connection of the pool. Errors of the driver become those of the module `errors`."""
        with explained(self._address), self._pool.connection() as connection:
            yield connection

    def _run(self, read: Callable[[Connection], Any]) -> Any:
        """Run a query on a connection, and once more on another if the server has closed the first.

        A value that no column can hold is in no index, so such a query has no rows. A timeout is an error at once.
        """
        try:
            with explained(self._address):
                try:
                    with self._pool.connection() as connection:
                        return read(connection)
                except (errors.QueryCanceled, errors.LockNotAvailable, PoolTimeout):
                    raise
                # The server was restarted. All connections that the pool still holds are of the time before.
                except psycopg.OperationalError:
                    self._pool.check()
                    with self._pool.connection() as connection:
                        return read(connection)
        except ServerError as exc:
            if isinstance(exc.__cause__, psycopg.DataError):
                # A number or text that no column can hold is in no index.
                return []
            raise

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows. Errors of the driver become those of the module `errors`."""
        try:
            return self._rows(_numbered(sql), values, binary=False)
        except UnicodeEncodeError:
            # Half of a surrogate pair is in no index.
            return []

    def _binary_rows(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """Run a query and return its rows, read in the binary format: the server need not write bytes as text."""
        return self._rows(_numbered(sql), values, binary=True)

    def _rows(self, statement: bytes, values: Sequence[Any], *, binary: bool) -> list[Row]:
        """Run a query and return its rows, checked and counted. Raises IndexFormatError if they are wrong or too many."""

        def read(connection: Connection) -> list[Row]:
            is_long = any(isinstance(value, list) and len(value) >= LONG_LIST for value in values)
            # Only a statement that is not prepared is planned anew each time.
            prepare = False if is_long else None
            cursor = connection.cursor(binary=binary).execute(statement, _sent(values), prepare=prepare)
            columns = self._columns.get((statement, binary))
            if columns is None:
                if len(self._columns) >= MAX_STATEMENTS:
                    self._columns.clear()
                columns = Columns([column.name for column in cursor.description or ()])
                self._columns[statement, binary] = columns
            rows = cursor.fetchall()
            try:
                self.count(columns.measure(rows))
            except UnsoundError as exc:
                raise self.damaged(exc) from exc
            return rows

        return cast("list[Row]", self._run(read))

    def count(self, size: int) -> None:
        """Count bytes that are read. Raises IndexFormatError if they are too many for the question at hand."""
        spending = spending_of(self)
        spending.size += size
        if spending.size > self._allowance.size:
            raise IndexFormatError(
                f"{self._address} makes this question take more than indexes of their size do; ask for less, or let who "
                "published them see whether they are sound: cgi doctor"
            )

    @property
    def room(self) -> int:
        """Return how many bytes the question at hand may still take."""
        return max(0, self._allowance.size - spending_of(self).size)

    @property
    def _allowance(self) -> Allowance:
        return Allowance.of(CHUNK_BYTES * sum(repository.chunks for repository in self._repositories))

    def damaged(self, reason: object) -> IndexFormatError:
        """Return the error for something that no index holds."""
        return forged(self._address, reason)


class _Vocabulary:
    """The words and trigrams of published repositories: which of them hold one, where it stands, and how long chunks are.

    What was read is cached, the lists of places in so many bytes of `memory`. `rows` runs a query whose rows hold bytes.
    """

    def __init__(self, rows: Callable[[str, Sequence[Any]], list[Row]], numbers: Sequence[int], memory: int) -> None:
        self._rows = rows
        self._numbers = numbers
        self._memory = memory
        self._lock = Lock()
        # By kind and word, the least recently used first: the repositories that were read, and the places there.
        self._lists: dict[tuple[str, str], tuple[frozenset[int], Places]] = {}
        self._lists_size = 0
        self._having: dict[tuple[str, str], tuple[int, Ids]] = {}
        self._having_size = 0
        self._word_counts: dict[str, dict[int, tuple[Ids, NDArray[np.int32]]]] = {
            kind: {} for _, kind in WORD_KINDS.values()
        }

    def places(self, kind: str, terms: Sequence[str], numbers: Sequence[int] | None = None) -> dict[str, Places]:
        """Map each of these words that occurs to its places, ascending, in some repositories, or in all in scope.

        There may be places of more repositories, as far as they are in memory.
        """
        if numbers is None:
            holders = [holding for _, holding in self.having(kind, terms).values()]
            numbers = arrays.distinct(np.concatenate([arrays.NO_IDS, *holders])).tolist()
        wanted, nowhere = frozenset(numbers), postings.Places.of([])
        with self._lock:
            # What is asked for moves to the end.
            lists = {term: self._lists.pop((kind, term), (frozenset[int](), nowhere)) for term in dict.fromkeys(terms)}
            self._lists.update({(kind, term): listed for term, listed in lists.items() if listed[0]})
        missing: dict[frozenset[int], list[str]] = {}
        for term, (holding, _) in lists.items():
            if rest := wanted - holding:
                missing.setdefault(rest, []).append(term)
        for rest, words in missing.items():
            places_there = self._read(kind, words, sorted(rest))
            for term in words:
                holding, places = lists[term]
                lists[term] = holding | rest, places.joined(places_there.get(term, nowhere))
                self._keep((kind, term), *lists[term])
        return {term: places for term, (_, places) in lists.items() if len(places.chunk_ids)}

    def _keep(self, key: tuple[str, str], holding: frozenset[int], places: Places) -> None:
        """Put a list into the memory, and drop those that were used the longest ago if it is full."""
        if (size := _list_size(holding, places)) > self._memory:
            return
        for column in places:
            column.setflags(write=False)
        with self._lock:
            old = self._lists.pop(key, None)
            self._lists_size += size - (_list_size(*old) if old else 0)
            self._lists[key] = holding, places
            while self._lists_size > self._memory:
                self._lists_size -= _list_size(*self._lists.pop(next(iter(self._lists))))

    def _read(self, kind: str, terms: Sequence[str], numbers: Sequence[int]) -> dict[str, Places]:
        """Map each of these words that occurs to its places, ascending, in some repositories."""
        # Lists of all repositories are unpacked together, because most have only a few bytes.
        sql = (
            "select term, array_agg(repository order by repository) as repositories, "
            "array_agg(octet_length(packed) order by repository) as sizes, "
            f"string_agg(packed, ''::bytea order by repository) as packed from postings where {self._of_terms} group by term"
        )
        places: dict[str, Places] = {}
        for term, owners, sizes, packed in self._rows(sql, (numbers, kind, _storable(terms))):
            local, counts = postings.unpack_places(packed, np.array(sizes, np.int64), counted=kind != "t")
            bases = np.array(owners, np.int64) << LOCAL_BITS
            places[term] = local._replace(chunk_ids=local.chunk_ids + np.repeat(bases, counts))
        return places

    @property
    def _of_terms(self) -> str:
        """Return the condition for the rows of `postings` of some repositories, a kind and some terms."""
        # The numbers let the server jump to the rows.
        return f"repository = any(?::integer[]) and kind = ? and term {POSTGRESQL.in_names}"

    def sizes(self, kind: str, chunk_ids: Ids) -> Ids:
        """Return the number of words of each chunk (kind l) or description (m). Those of a repository are read once."""
        numbers = (chunk_ids >> LOCAL_BITS).astype(np.int64)
        sizes = np.ones(len(chunk_ids), np.int64)
        cache = self._word_counts[kind]
        missing = sorted({*np.unique(numbers).tolist()} - cache.keys())
        if missing:
            sql = f"select repository, packed from postings where kind = ? and repository {POSTGRESQL.in_ids}"
            for number, packed in self._rows(sql, (kind, missing)):
                places, _ = postings.unpack_places(packed, np.array([len(packed)]), counted=True)
                cache[number] = places.chunk_ids, places.counts
        for number in np.unique(numbers).tolist():
            known, counts = cache.get(number, (np.zeros(0, np.int64), np.zeros(0, np.int32)))
            if len(known):
                rows = np.flatnonzero(numbers == number)
                local_ids = chunk_ids[rows] & ((1 << LOCAL_BITS) - 1)
                sizes[rows] = counts[np.minimum(np.searchsorted(known, local_ids), len(known) - 1)]
        return sizes

    def having(self, kind: str, terms: Collection[str]) -> dict[str, tuple[int, Ids]]:
        """Map each of these words or trigrams to the number of chunks or files that hold it, and to their repositories.

        The answers are cached.
        """
        # Another thread may start another cache.
        cache = self._having
        answers = {term: answer for term in terms if (answer := cache.get((kind, term)))}
        if missing := sorted({*terms} - answers.keys()):
            answers.update(dict.fromkeys(missing, (0, arrays.NO_IDS)))
            sql = (
                "select term, cast(sum(chunks) as bigint) as chunks, array_agg(repository) as repositories from postings "
                f"where {self._of_terms} group by term"
            )
            for term, count, holding in self._rows(sql, (list(self._numbers), kind, _storable(missing))):
                answers[term] = count, np.array(holding, np.int64)
            self._having_size += len(missing) + sum(len(answers[term][1]) for term in missing)
            if self._having_size > HAVING_CACHE:
                cache = self._having = {}
                self._having_size = sum(1 + len(holding) for _, holding in answers.values())
            cache.update({(kind, term): answer for term, answer in answers.items()})
        return answers


class PostgresqlStore(_ServerRows, Store):
    """The indexes of one repository, some, or all of a database.

    Several threads may share one store. With one repository chosen, the answers are those of its index file. With several, a
    path begins with the repo_id.
    """

    def __init__(
        self, address: Address, *, statement_seconds: float = STATEMENT_SECONDS, sign_memory: int = SIGN_MEMORY
    ) -> None:
        _ServerRows.__init__(self, address, statement_seconds)
        self._sign_memory = sign_memory
        self._signs: RepositorySigns | None = None
        self._questions = 0
        self._threads = ThreadPoolExecutor(MAX_CONNECTIONS, "cgi-search")
        Store.__init__(self)

    def forget(self) -> None:
        """Start with empty caches, because old entries may be out of date."""
        super().forget()
        self._vectors: VectorTable | None = None
        self._has_rows = False
        self._with_vectors: list[int] | None = None
        self._totals: tuple[int, int] | None = None
        numbers = [repository.number for repository in self._repositories]
        self._vocabulary = _Vocabulary(self._binary_rows, numbers, (self._sign_memory << 20) // LIST_SHARE)
        self._meta: Mapping[str, str] | None = None

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every publication or removal in scope."""
        return tuple(self._revisions())

    def _revisions(self) -> list[int]:
        """Return the numbers of `stamp`: id and revision of each chosen repository, or count and last revision of all."""
        sql = "select repository, revision from cgi.repositories where repo_id = any(?::text[]) order by 1"
        if not self._address.repositories:
            # Each publication has the next number, and a removal changes the count.
            numbers = "count(*) as count, coalesce(max(revision), 0) as revision"
            sql = f"select {numbers} from cgi.repositories where ?::text[] is not null"
        return [int(number) for row in self.rows(sql, (list(self._address.repositories),)) for number in row]

    def refresh(self) -> None:
        """Forget what was read if a repository in scope was published again or removed. Call this once per query."""
        if self._turns.is_reading or self._revisions() == self._known_revisions():
            return
        with self._turns.changing(), self._lock:
            numbers = [repository.number for repository in self._repositories]
            with self._connection() as connection:
                self._repositories = self._scope(connection)
            # A repository that was removed and published again has another number, which the connections know.
            if self._address.repositories and numbers != [repository.number for repository in self._repositories]:
                self._pool.close()
                self._connect()
            self.forget()

    def _known_revisions(self) -> list[int]:
        """Return the numbers of `_revisions` as they were when the repositories in scope were last read."""
        if self._address.repositories:
            return [number for row in self._repositories for number in (row.number, row.revision)]
        return [len(self._repositories), max((row.revision for row in self._repositories), default=0)]

    def close(self) -> None:
        """Close the connections, as soon as no other thread reads."""
        with self._turns.changing():
            self._threads.shutdown()
            self._pool.close()

    def size(self) -> int:
        """Return how many bytes the tables and their indexes have, of all that is published there."""
        sql = (
            "select cast(coalesce(sum(pg_total_relation_size(c.oid)), 0) as bigint) as size from pg_class as c "
            "where c.relnamespace = 'cgi'::regnamespace and c.relkind = 'r'"
        )
        return int(self.rows(sql)[0][0])

    # Reads that differ from those of `sql`.

    def repositories(self) -> list[str]:
        """List the names of the repositories, sorted."""
        # The files of one repository bear the name in its index file.
        return super().repositories() if self._is_single else sorted(row.repo_id for row in self._repositories)

    def conditions(self, filters: Filters) -> Iterator[tuple[str, list[Any]]]:
        """Yield an SQL condition and its parameters for each filter field that is set."""
        if filters.repo_ids and not self._is_single:
            yield f"f.id >> {LOCAL_BITS} {self.dialect.in_ids}", [self._repository_numbers(filters.repo_ids)]
            filters = replace(filters, repo_id=None)
        yield from super().conditions(filters)

    def _repository_numbers(self, names: Collection[str]) -> list[int]:
        """Return the numbers of the repositories in scope that have one of these names."""
        return [repository.number for repository in self._repositories if repository.repo_id in names]

    def meta(self) -> Mapping[str, str]:
        """Return the facts about the index by key. Of several repositories, it has the keys whose value is that of most."""
        if self._meta is None:
            values: dict[str, dict[str, int]] = {}
            for key, value, count in self.rows(
                "select key, value, count(*) as count from meta group by 1, 2 order by 1, 3, 2"
            ):
                values.setdefault(key, {})[value] = count
            shared = {key: max(counts, key=lambda value: counts[value]) for key, counts in values.items()}
            if not self._is_single:
                # The names and commits of single repositories are not those of the set.
                shared = {key: value for key, value in shared.items() if key not in ("repo_id", *HISTORY_KEYS)}
            self._meta = shared
        return self._meta

    def read_texts(self, file_ids: Iterable[int]) -> None:
        """Read the texts of several files into the cache, with one query."""
        missing = sorted({file_id for file_id in file_ids if file_id not in self._texts})
        if missing:
            sql = (
                "select t.file_id, t.text, f.size from contents as t join files as f on f.id = t.file_id "
                f"where t.file_id {self.dialect.in_ids}"
            )
            rows = self._binary_rows(sql, (missing,))
            with self._lock:
                for file_id, packed, size in rows:
                    if file_id not in self._texts:
                        self._keep_text(file_id, self.unpacked(packed, size))

    def _first_edges(self, near: str, far: str, chunk_ids: Sequence[int], most: int) -> list[Edge]:
        """List the first `most` calls of each chunk. `near` is the column for the chunk: `source_id` or `target_id`."""
        # A union of many queries takes the server long to plan.
        rows = self.rows(
            f"select e.* from unnest(?::bigint[]) with ordinality as ids (value, place) cross join lateral ("
            f"select {near}, {far}, kind, line, confidence, receiver from refs where {near} = ids.value and kind = 'calls' "
            f"and target_id is not null {self.dialect.edge_order} limit {int(most)}) as e order by ids.place",
            (self.dialect.pack(chunk_ids),),
        )
        return [Edge(*row) for row in rows]

    def _of_repositories(self, column: str, chunk_ids: Sequence[int]) -> str:
        """Return a condition that ids are of the repositories of these chunks, or an empty text without chunks."""
        numbers = sorted({int(chunk_id) >> LOCAL_BITS for chunk_id in chunk_ids})
        return f"and {column} >> {LOCAL_BITS} in ({', '.join(map(str, numbers))}) " if numbers else ""

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Map these chunk ids to the vectors of the chunks: the bytes of quantise(). Chunks without a vector are left out."""
        sql = f"select chunk_id, embedding::text as value from vectors where chunk_id {self.dialect.in_ids}"
        return {chunk_id: _int8_of_text(text) for chunk_id, text in self.rows(sql, (self.dialect.pack(chunk_ids),))}

    # Signals.

    def _word_matches(
        self, expressions: Sequence[str], filters: Filters, most: int, *, only_names: bool, table: str = "words"
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Return the chunks that match one of the expressions, ascending, and their BM25 scores, which add up over expressions.

        An expression of several words matches where one field has all of them, with `only_names` the name. The filters hold
        first, and then at most `most` chunks are scored.
        """
        kind, length_kind = WORD_KINDS[table]
        tokens = {expression: _tokens(table, expression) for expression in expressions}
        places = self._vocabulary.places(kind, [token for group in tokens.values() for token in group])
        matches = [_phrase([places.get(token) for token in tokens[key]], only_names) for key in expressions]
        ids = arrays.distinct(np.concatenate([arrays.NO_IDS, *(chunk_ids for chunk_ids, _ in matches)]))
        rows = self._row_count(table)
        length = sum(repository.words_of[table] for repository in self._repositories) / max(rows, 1)
        allowed = ids[self._allowed_rows(ids, filters)][:most]
        scores = np.zeros(len(allowed))
        sizes = self._vocabulary.sizes(length_kind, allowed)
        for chunk_ids, frequencies in matches:
            counts = np.zeros(len(allowed))
            if len(chunk_ids):
                at = np.minimum(np.searchsorted(chunk_ids, allowed), len(chunk_ids) - 1)
                counts = np.where(chunk_ids[at] == allowed, frequencies[at], 0.0)
            scores += bm25(counts, sizes, matches=len(chunk_ids), rows=rows, length=length)
        return allowed, scores

    def _count_matches(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Count the matches of each expression by its rarest word (at most `most`) or trigram (all). There may be fewer."""
        tokens = [_tokens(table, expression) for expression in expressions]
        # Many trigrams are in as many files of many repositories, and the rarest of them are to be told.
        most = MAX_FILES if table == "trigrams" else most
        counts = self._vocabulary.having(table[0], {token for group in tokens for token in group})
        # A chunk with all words of a phrase is among those with the rarest of them.
        return [min(most, *(counts[token][0] for token in group)) if group else 0 for group in tokens]

    def _row_count(self, table: str) -> int:
        """Return the number of chunks with words, or of those with a description, by the name of the full-text table."""
        return sum(repository.rows_of[table] for repository in self._repositories)

    def _count_in_names(self, expression: str) -> int:
        """Count the chunks whose field `name` contains a word. Of several words, the rarest counts."""
        places = self._vocabulary.places("w", _tokens("words", expression))
        return min((int((rows.fields == 0).sum()) for rows in places.values()), default=0)

    def _holding_all(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Return the ids of the rows of `words` or `trigrams` that contain all expressions, ascending, at most `most`."""
        having = self._vocabulary.having(table[0], {token for key in expressions for token in _tokens(table, key)})
        ids: Ids | None = None
        numbers = sorted(set.intersection(*({*holders.tolist()} for _, holders in having.values()))) if having else []
        # The rarest first. A common one is then read only of the repositories where the rarer ones are.
        for term in sorted(having, key=lambda term: having[term][0]):
            column = self._vocabulary.places(table[0], [term], numbers).get(term) if numbers else None
            if column is None:
                return []
            holding = column.chunk_ids
            ids = arrays.distinct(holding) if ids is None else ids[arrays.are_in(ids, holding)]
            numbers = arrays.distinct(ids >> LOCAL_BITS).tolist()
        return [] if ids is None else cast("list[int]", ids[:most].tolist())

    def _allowed_rows(self, chunk_ids: Ids, filters: Filters) -> NDArray[np.bool_] | slice:
        """Return a mask of these ascending ids that the filters allow, or a slice of all if there are no filters."""
        if not self.filter_condition(filters)[0]:
            return slice(None)
        if self._in_memory:
            mask = np.zeros(len(chunk_ids), np.bool_)
            allowed = self.allowed_chunks(filters)
            assert allowed is not None
            mask[allowed.positions(chunk_ids)] = True
            return mask
        allowed_ids = self.allowed(chunk_ids.tolist(), filters)
        return np.array([chunk_id in allowed_ids for chunk_id in chunk_ids.tolist()], np.bool_)

    @property
    def _in_memory(self) -> bool:
        """Whether the vectors in scope are few enough to be compared in memory."""
        return sum(repository.chunks for repository in self._repositories) <= VECTORS_IN_MEMORY

    def beside(self, search: Callable[[], Hits]) -> Callable[[], Hits]:
        """Begin a search in a thread, and return a function that waits for its hits."""
        return self._threads.submit(search).result

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id.

        The signs of few vectors are read into memory at the first question, those of many at the second, because most processes
        ask once. Without signs, the server compares all that the filters allow or, if these are too many, those that its HNSW
        index finds near.
        """
        self._questions += 1
        if (table := self._vector_table()) is not None:
            return table.nearest(vector, limit, allowed=self.allowed_chunks(filters))
        if limit < 1 or not len(vector):
            return arrays.Hits(arrays.NO_IDS, vector[:0].astype("float64"))
        numbers = self._numbers_with_vectors(filters)
        chosen = {*numbers}
        size = sum(repository.chunks for repository in self._repositories if repository.number in chosen)
        is_filtered = bool(self.filter_condition(filters)[0]) or len(chosen) < self._published()[0]
        ids: list[int] = []
        for look in LOOKS:
            # HNSW leaves out much of what few allowed chunks hold. Only a filter that allows many is worth the second look.
            if len(ids) >= limit or not self._are_many(size):
                break
            ids = self._near(vector, filters, numbers, limit, look)
            if is_filtered and len(ids) < limit and (allowed := self.allowed_chunks(filters)) is not None:
                size = min(size, len(allowed))
        if len(ids) < limit:
            ids = self._compared(vector, filters, numbers, limit)
        return self.similar(vector, np.array(sorted(ids), np.int64))

    def _are_many(self, chunks: int) -> bool:
        """Return whether this many chunks are too many to compare all of their vectors."""
        return chunks > max(EXACT_CHUNKS, EXACT_SHARE * self._published()[1])

    def _published(self) -> tuple[int, int]:
        """Return the numbers of published repositories and of their chunks, in scope or not. They are cached."""
        if self._totals is None:
            ((count, chunks),) = self.rows(
                "select count(*) as count, cast(coalesce(sum(chunks), 0) as bigint) as chunks from cgi.repositories"
            )
            self._totals = int(count), int(chunks)
        return self._totals

    def _numbers_with_vectors(self, filters: Filters) -> list[int]:
        """Return the repositories whose vectors are compared: those with the most common embedder that the filters allow."""
        if self._with_vectors is None:
            embedders = self.rows(
                "select value, array_agg(repository) as repositories from meta where key = 'embedder' group by 1"
            )
            shared = self.meta().get("embedder")
            self._with_vectors = next((numbers for value, numbers in embedders if value == shared), [])
        names = filters.repo_ids
        if self._is_single or not names:
            return self._with_vectors
        chosen = set(self._repository_numbers(names))
        return [number for number in self._with_vectors if number in chosen]

    def _near(
        self, vector: NDArray[np.float32], filters: Filters, numbers: Sequence[int], limit: int, look: int
    ) -> list[int]:
        """Return the nearest `limit` allowed chunks in repositories (`numbers`), of the `look` that HNSW finds."""
        dimensions = len(vector)
        distance = f"embedding::halfvec({dimensions}) <=> ?::halfvec({dimensions})"
        part = (
            f"(select chunk_id, {distance} as distance from cgi.vectors_{{}} where vector_dims(embedding) = {dimensions} "
            f"order by {distance} limit {look})"
        )
        condition, values = self.filter_condition(filters)
        sql = (
            f"with near as materialized ({part.format('settled')} union all {part.format('fresh')}) "
            "select near.chunk_id from near "
            f"{'join text_chunks as c on c.id = near.chunk_id join files as f on f.id = c.file_id ' if condition else ''}"
            f"where near.chunk_id >> {LOCAL_BITS} {self.dialect.in_ids} {'and ' if condition else ''}{condition} "
            f"order by near.distance, near.chunk_id limit {limit}"
        )
        return [row[0] for row in self.rows(sql, (*[_vector_text(vector)] * 4, list(numbers), *values))]

    def _compared(self, vector: NDArray[np.float32], filters: Filters, numbers: Sequence[int], limit: int) -> list[int]:
        """Return the nearest `limit` of all allowed chunks in these repositories. Each vector is compared."""
        dimensions = len(vector)
        allowed = None
        if self.filter_condition(replace(filters, repo_id=None))[0]:
            allowed = self.allowed_chunks(filters)
        firsts = [number << LOCAL_BITS for number in numbers]
        lasts = [first + LOCAL_MASK for first in firsts]
        if allowed is not None:
            firsts, lasts = allowed.runs()
        sql = (
            "select v.chunk_id from unnest(?::bigint[], ?::bigint[]) as run (first, last) cross join lateral ("
            f"select chunk_id, embedding <=> ?::halfvec({dimensions}) as distance from cgi.vectors "
            f"where chunk_id between run.first and run.last and vector_dims(embedding) = {dimensions} offset 0) as v "
            f"where v.chunk_id >> {LOCAL_BITS} {self.dialect.in_ids} order by v.distance, v.chunk_id limit {limit}"
        )
        return [row[0] for row in self.rows(sql, (firsts, lasts, _vector_text(vector), list(numbers)))]

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector."""
        if (table := self._vector_table()) is None:
            ids = arrays.distinct(chunk_ids)
            table = vectors.VectorTable.of(ids, self._vectors_of(ids, len(vector)))
        return table.similar(vector, chunk_ids)

    def _vector_table(self) -> VectorTable | None:
        """Return the table of the vectors in scope, or None if the server is to find the nearest of them itself.

        That is so for many vectors (not `_in_memory`) at the first question, or if their signs take more than the memory for
        them. The vectors of few are read whole at the second question.
        """
        with self._lock:
            dimensions = meta_number(self.meta(), "dimensions")
            is_far = not self._in_memory
            if self._vectors is None:
                numbers = {*self._numbers_with_vectors(Filters())} if dimensions else set()
                chosen = [repository for repository in self._repositories if repository.number in numbers]
                chunks = sum(repository.chunks for repository in chosen)
                if is_far and (self._questions < 2 or not self._has_room(signs.RepositorySigns(dimensions), chunks)):
                    return None
                sized = is_far and self._has_room(signs.RepositorySigns(dimensions, sized=True), chunks)
                if self._signs is None or (self._signs.dimensions, self._signs.sized) != (dimensions, sized):
                    self._signs = signs.RepositorySigns(dimensions, sized=sized)
                self._signs.update({row.number: row.revision for row in chosen}, self._sign_sizes, self._sign_blocks)
                ids, sign_rows, step_rows = self._signs.ids, self._signs.signs, self._signs.steps
                self._vectors = vectors.VectorTable(
                    ids,
                    lambda positions: (
                        vectors.unpacked(sign_rows[positions], step_rows[positions], dimensions)
                        if sized
                        else self._vectors_of(ids[positions], dimensions)
                    ),
                    sign_rows,
                    shortlist=vectors.FAR_SHORTLIST if is_far else vectors.SHORTLIST,
                    estimated=vectors.ESTIMATED if is_far else 0,
                )
            if not is_far and self._questions > 1 and not self._has_rows:
                self._vectors = self._vectors.with_rows(self._vectors_of(self._vectors.ids, dimensions))
                self._has_rows = True
            return self._vectors

    def _has_room(self, rows: RepositorySigns, chunks: int) -> bool:
        """Return whether rows of vectors of this many chunks fit into the memory for them."""
        return chunks * rows.bytes_per_chunk <= self._sign_memory << 20

    def _sign_sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return how many bytes the signs of each of these repositories have."""
        sql = f"select repository, cast(sum(octet_length(packed)) as bigint) as size from postings where {_OF_SIGNS} group by 1"
        return {number: int(size) for number, size in self.rows(sql, (list(numbers),))}

    def _sign_blocks(self, numbers: Sequence[int]) -> Iterator[Block]:
        """Yield the signs of these repositories, in order of the chunk ids, with the sizes if those are held too."""
        steps = "''::bytea"
        if self._signs is not None and self._signs.sized:
            block = "(v.repository, v.kind, v.term) = (s.repository, 'v', s.term)"
            steps = f"(select v.packed from postings as v where {block})"
        sql = f"select term::bigint as count, packed as signs, {steps} as steps from postings as s where {_OF_SIGNS} order by 1"
        for number in sorted(numbers):
            for block, packed, sizes in self._binary_rows(sql, ([number],)):
                yield number, block * SIGNS_PER_BLOCK, packed, sizes

    def _vectors_of(self, ids: Ids, dimensions: int) -> Packed:
        """Return the int8 vectors of these chunk ids, one row per id. A missing one is zeros."""
        vectors = np.zeros((len(ids), dimensions), np.int8)
        order = np.argsort(ids)
        # All vectors in a row take less time than a row for each.
        sql = (
            "select array_agg(chunk_id order by chunk_id) as chunk_ids, array_agg(embedding order by chunk_id) as rows "
            "from cgi.vectors "
            f"where chunk_id = any(?::bigint[]) and vector_dims(embedding) = {dimensions}"
        )
        # In an array, its size stands before each halfvec, which begins with its dimensions.
        row_type = np.dtype([("head", "V8"), ("vector", ">f2", (dimensions,))])
        for start in range(0, len(ids), READ_VECTORS):
            wanted = ids[order[start : start + READ_VECTORS]].tolist()
            for chunk_ids, packed in self._binary_rows(sql, (wanted,)):
                places = order[np.searchsorted(ids, chunk_ids or [], sorter=order)]
                if packed and len(packed) != ARRAY_HEADER + len(places) * row_type.itemsize:
                    raise self.damaged("vectors of other dimensions than it says")
                rows = np.frombuffer(packed or b"", row_type, len(places), ARRAY_HEADER if packed else 0)
                vectors[places] = rows["vector"].astype(np.int8)
        return vectors

    # Checks.

    def check(self) -> list[str]:
        """List the problems of the published indexes, one sentence per problem. Sound indexes give an empty list."""
        problems = []
        queries = {
            "refs: {} targets are missing": "select count(*) as count from refs as r where r.target_id is not null "
            "and not exists (select 1 from cgi.chunks as c where c.id = r.target_id) "
            "and not exists (select 1 from cgi.members as m where m.id = r.target_id)",
            "chunks: {} have no file": "select count(*) as count from text_chunks as c "
            "where not exists (select 1 from cgi.files as f where f.id = c.file_id)",
        }
        if meta_number(self.meta(), "dimensions"):
            queries["vectors: {} chunks have none"] = (
                "select count(*) as count from text_chunks as c where c.end_byte > c.start_byte "
                "and not exists (select 1 from cgi.vectors as v where v.chunk_id = c.id)"
            )
        for sentence, sql in queries.items():
            if count := self.rows(sql)[0][0]:
                problems.append(sentence.format(count))
        expected = sum(repository.chunks for repository in self._repositories)
        if (count := self.rows("select count(*) as count from text_chunks")[0][0]) != expected:
            problems.append(f"chunks: {count} rows, and {expected} were published")
        return problems


COPY_HEADER = 19
"""The bytes before the first row of a binary copy."""


def read_vectors(
    connection: Connection, source: str, values: Sequence[Any] | Mapping[str, Any], dimensions: int
) -> tuple[Ids, NDArray[np.int8]]:
    """Return chunk ids, ascending, and their int8 vectors, one row per id. `source` is a table and a condition."""
    sql = (
        f"copy (select chunk_id, embedding from {source} and vector_dims(embedding) = {dimensions} order by chunk_id) "
        "to stdout (format binary)"
    )
    raw = b""
    if dimensions:
        with connection.cursor() as cursor, cursor.copy(sql.encode(), values) as copy:
            raw = b"".join(copy)
    # A row is a count of columns, then each column after its size. A halfvec begins with its dimensions.
    row = np.dtype([("head", "V6"), ("id", ">i8"), ("size", "V8"), ("vector", ">f2", (max(dimensions, 1),))])
    count = max(len(raw) - COPY_HEADER, 0) // row.itemsize
    rows = np.frombuffer(raw, row, count=count, offset=COPY_HEADER if count else 0)
    return rows["id"].astype(np.int64), rows["vector"].astype(np.int8)


def _vector_text(vector: NDArray[np.float32]) -> str:
    """Return a vector, rotated as the stored ones are, as the database reads it."""
    return "[" + ",".join(format(component, ".6g") for component in vectors.rotated(vector).tolist()) + "]"


def _int8_of_text(text: str) -> bytes:
    """Return a vector that the database wrote as text, such as `[1,-2]`, as int8 bytes."""
    return bytes(component & 0xFF for component in json.loads(text))


def _list_size(holding: Collection[int], places: Places) -> int:
    """Return about how many bytes of memory the list of a word takes, with the numbers of the repositories read for it."""
    return LIST_SIZE + PLACE_SIZE * len(places.chunk_ids) + HOLDER_SIZE * len(holding)


def _phrase(parts: Sequence[Places | None], only_names: bool) -> tuple[Ids, NDArray[np.float64]]:
    """Return the chunks with all words of an expression in one field, ascending, and the weighted frequency there.

    `parts` are the places of each word, or None for a word that is nowhere: then there are no chunks. `only_names` asks for the
    field of the name.
    """
    places = [part for part in parts if part is not None]
    if len(places) < len(parts) or not places:
        return np.zeros(0, np.int64), np.zeros(0)
    chosen = places[0]
    # Where the words stand in a field is not stored, so the words of a phrase need not be in order.
    for part in places[1:]:
        keys, others = (
            chosen.chunk_ids * postings.PLACES + chosen.fields,
            part.chunk_ids * postings.PLACES + part.fields,
        )
        chosen = chosen.at(np.isin(keys, others))
    if only_names:
        chosen = chosen.at(chosen.fields == 0)
    return chosen.weighted()


class _Tokenizers:
    """The tokenizers of FTS5, which split and stem a query exactly as the words of an index file were, for one thread."""

    @cached_property
    def words(self) -> Callable[..., list[str]]:
        """Return the tokenizer of words."""
        return self._tokenizer("porter", ["unicode61", "remove_diacritics", "2"])

    @cached_property
    def trigrams(self) -> Callable[..., list[str]]:
        """Return the tokenizer of trigrams."""
        return self._tokenizer("trigram", [])

    @cached_property
    def _connection(self) -> apsw.Connection:
        return apsw.Connection(":memory:")

    def _tokenizer(self, name: str, arguments: list[str]) -> Callable[..., list[str]]:
        """Return a function that splits a text as SQLite's full text does, so that both stores have the same words."""
        tokenizer = self._connection.fts5_tokenizer(name, arguments)

        def split(text: str) -> list[str]:
            encoded = text.encode("utf-8", "replace")
            return cast(
                "list[str]",
                tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False),
            )

        return split


@per_thread
def _tokenizers() -> _Tokenizers:
    return _Tokenizers()


@lru_cache(maxsize=10_000)
def _tokens(table: str, expression: str) -> tuple[str, ...]:
    """Return the keys of the words or trigrams in an expression of quoted(). `table` is a full-text table."""
    text = expression[1:-1].replace('""', '"') if expression[:1] == '"' and len(expression) > 1 else expression
    split = _tokenizers().trigrams if table == "trigrams" else _tokenizers().words
    return tuple(postings.term_key(token) for token in split(text))


def _nearest(connection: Connection, name: str) -> str:
    """Return what an error adds about a repository that is not published: the closest name, and the first ten."""
    rows = connection.execute("select repo_id from cgi.repositories order by 1").fetchall()
    names = [in_line(str(row[0])) for row in rows]
    close = get_close_matches(name, names, n=1, cutoff=0.4)
    listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
    return (f" Did you mean {close[0]!r}?" if close else "") + (f" Published: {listed}." if names else "")


def open_server(address: Address | str, *, sign_memory: int = SIGN_MEMORY) -> PostgresqlStore:
    """Open the published indexes of a database, all or those that the address chooses."""
    return PostgresqlStore(Address.of(address), sign_memory=sign_memory)


def published_repositories(address: Address | str) -> list[PublishedRepository]:
    """List the published repositories by name. Raises ServerError, IndexNotFoundError or IndexFormatError."""
    address = Address.of(address)
    with connect(address) as connection, explained(address):
        check_schema(connection, address)
        rows = fetched(
            address,
            connection.execute(
                "select r.repo_id, coalesce(m.value, '') as head, encode(r.fingerprint, 'hex') as fingerprint, r.files, "
                "r.chunks, r.lines, r.published from cgi.repositories as r "
                "left join cgi.meta as m on m.repository = r.repository and m.key = 'head' "
                "where r.repo_id = any(%s) or %s order by 1",
                (_storable(list(address.repositories)), not address.repositories),
            ),
        )
    return [PublishedRepository(*row) for row in rows]


def has_unsettled_vectors(address: Address | str) -> bool:
    """Return whether vectors are to be settled: fresh ones, if there are more than readers hold in memory.

    Raises ServerError, IndexNotFoundError or IndexFormatError.
    """
    address = Address.of(address)
    with connect(address) as connection, explained(address):
        check_schema(connection, address)
        row = connection.execute(
            "select exists (select from cgi.vectors_fresh) and "
            "(select coalesce(sum(chunks), 0) from cgi.repositories) > %s",
            (VECTORS_IN_MEMORY,),
        ).fetchone()
    return bool(row and row[0])


def wait_for(address: Address, seconds: float) -> None:
    """Wait until the server takes connections, which it does not while it starts. Raises ServerError after that time."""
    end = time.monotonic() + seconds
    while True:
        try:
            connect(address).close()
        except ServerError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return
