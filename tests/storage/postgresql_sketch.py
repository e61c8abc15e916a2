"""A sketch of a PostgreSQL back-end: it proves that the store seam holds, and is nothing to use.

Reads are those of `storage.sql` in another dialect. The signals are plain loops over all rows.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import psycopg
from numpy.typing import NDArray

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.results import Filters
from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.arrays import Hits, Ids
from code_graph_indexer.storage.identity import OldChunk, chunk_ids, unchanged
from code_graph_indexer.storage.records import History, ReferenceRows, StoredFileIds
from code_graph_indexer.storage.scores import WORD_WEIGHTS, substring_score
from code_graph_indexer.storage.sql import Dialect, SqlLinks, SqlReader
from code_graph_indexer.storage.vectors import VectorTable
from code_graph_indexer.syntax.records import IndexedFile
from code_graph_indexer.words import trigrams

SCHEMA = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


def glob_regex(pattern: str) -> str:
    """Write a glob of SQLite as a regular expression of PostgreSQL. `*` and `?` match a slash too."""
    parts = re.findall(r"\[\^?\]?[^\]]*\]|.", pattern, re.DOTALL)
    wild = {"*": ".*", "?": "."}
    return "^" + "".join(wild.get(part, part if len(part) > 1 else re.escape(part)) for part in parts) + "$"


POSTGRESQL = Dialect(
    ids="select unnest(?::bigint[]) as value",
    names="select unnest(?::text[]) as value",
    same_name="lower({}) = lower({})",
    like="{} ilike ? escape ''",
    glob="{} ~ ?",
    find="strpos",
    ancestors_limit="",
    open_imports="",
    edge_order="order by source_id, ordinal",
    pack=list,
    glob_pattern=glob_regex,
)


def connect(uri: str) -> psycopg.Connection[tuple[Any, ...]]:
    """Open a connection whose statements stand alone until a transaction is begun."""
    return psycopg.connect(uri, autocommit=True)


def query(connection: psycopg.Connection[tuple[Any, ...]], sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run one query whose parameters are written `?`."""
    try:
        return connection.execute(sql.replace("%", "%%").replace("?", "%s").encode(), values).fetchall()
    except (UnicodeEncodeError, psycopg.DataError):
        # Half of a surrogate pair, or a NUL: no index holds such a text.
        return []
    except psycopg.Error as exc:
        raise IndexFormatError(f"the index in PostgreSQL cannot be read ({exc})") from exc


class PostgresqlLinks(SqlLinks):
    """Read through the connection of a writer, inside its transaction."""

    dialect = POSTGRESQL
    location = "postgresql"

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one query."""
        return query(self._connection, sql, values)


class PostgresqlStore(SqlReader):
    """Read an index."""

    dialect = POSTGRESQL
    location = "postgresql"

    def __init__(self, uri: str) -> None:
        self._connection = connect(uri)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one query."""
        return query(self._connection, sql, values)

    @property
    def stamp(self) -> tuple[int, ...]:
        """Return the number of commits."""
        return tuple(self.rows("select number from revision")[0])

    def refresh(self) -> None:
        """Do nothing: this store caches nothing."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def check(self) -> list[str]:
        """Compare the number of search rows with that of the chunks. PostgreSQL checks the keys."""
        chunks = self.rows("select count(*) from chunks where end_byte > start_byte")[0][0]
        words = self.rows("select count(*) from words")[0][0]
        return [] if words == chunks else [f"words: {words} rows for {chunks} chunks"]

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids | None = None) -> Hits:
        """Rank chunks by the weighted counts of the terms, the rare terms first."""
        allowed = self._allowed_chunks(filters)
        scores: dict[int, float] = {}
        rows = [
            (row[0], [field.split() for field in row[1:]])
            for row in self.rows("select chunk_id, name, path, signature, doc, body from words order by chunk_id")
        ]
        for term in {term.lower() for term in terms}:
            counts = {
                chunk_id: sum(
                    weight * field.count(term) for weight, field in zip(WORD_WEIGHTS.values(), fields, strict=True)
                )
                for chunk_id, fields in rows
            }
            matches = [chunk_id for chunk_id, weighted in counts.items() if weighted]
            for chunk_id in matches:
                if allowed is None or chunk_id in allowed:
                    scores[chunk_id] = scores.get(chunk_id, 0.0) + counts[chunk_id] * math.log1p(
                        len(rows) / len(matches)
                    )
        hits = Hits.best(scores.items(), len(scores))
        required = set() if also is None else set(also.tolist())
        return Hits.of(hit for position, hit in enumerate(hits) if position < limit or hit.chunk_id in required)

    def has_words(self, terms: Sequence[str]) -> bool:
        """Say whether any of the terms is in the index."""
        return len(self.words(terms, Filters(), 1)) > 0

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Score the texts of all allowed chunks."""
        if not trigrams(text):
            return Hits.of([])
        allowed = self._allowed_chunks(filters)
        chunks = [chunk for file in self.files() for chunk in self.file_chunks(file.path)]
        chunks = [chunk for chunk in chunks if allowed is None or chunk.id in allowed]
        scored = zip(chunks, self.chunk_texts(chunks), strict=True)
        return Hits.best(((chunk.id, substring_score(text, content)) for chunk, content in scored), limit)

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank chunks by cosine similarity."""
        return self._vector_table().nearest(vector, limit, allowed=self._allowed_chunks(filters))

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity."""
        return self._vector_table().similar(vector, chunk_ids)

    def _vector_table(self) -> VectorTable:
        rows = self.rows("select chunk_id, embedding from vectors order by chunk_id")
        packed = np.array([np.frombuffer(vector, np.int8) for _, vector in rows], np.int8)
        return VectorTable(np.array([chunk_id for chunk_id, _ in rows], np.int64), packed.reshape(len(rows), -1))

    def _allowed_chunks(self, filters: Filters) -> AllowedChunks | None:
        condition, values = self.filter_condition(filters)
        return AllowedChunks(self.allowed_runs(condition, values)) if condition else None


class PostgresqlWriter:
    """Write an index in one transaction."""

    def __init__(self, uri: str, *, fresh: bool) -> None:
        self._connection = connect(uri)
        self._connection.execute("begin")
        if fresh:
            self._connection.execute("drop schema public cascade; create schema public")
            self._connection.execute(SCHEMA.encode())
        self.links = PostgresqlLinks(self._connection)
        self._fresh_ids = count(self._highest("chunks") + 1)
        self._file_ids = count(self._highest("files") + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._connection.execute("update revision set number = number + 1")
        self._connection.execute("commit" if kind is None else "rollback")
        self._connection.close()

    def _highest(self, table: str) -> int:
        return int(self.links.rows(f"select coalesce(max(id), 0) from {table}")[0][0])

    def _insert(self, table: str, rows: Iterable[Sequence[Any]], suffix: str = "") -> None:
        """Insert rows. NUL characters are left out, because PostgreSQL cannot store them."""
        clean = [[cell.replace("\0", "") if isinstance(cell, str) else cell for cell in row] for row in rows]
        if clean:
            marks = ", ".join(["%s"] * len(clean[0]))
            with self._connection.cursor() as cursor:
                cursor.executemany(f"insert into {table} values ({marks}) {suffix}".encode(), clean)

    def _delete(self, table: str, column: str, ids: Sequence[int]) -> None:
        self._connection.execute(f"delete from {table} where {column} = any(%s)".encode(), [list(ids)])

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Record what the index says of itself."""
        self._insert("meta", sorted(values.items()), "on conflict (key) do update set value = excluded.value")

    def meta(self, key: str) -> str:
        """Return what the index says of itself under a key, empty if nothing."""
        rows = self.links.rows("select value from meta where key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def put_history(self, head: str, history: History) -> None:
        """Replace the history."""
        self.set_meta({"head": head})
        for table in ("history", "tags", "changed_together"):
            self._connection.execute(f"delete from {table}".encode())
        paths = {path for (path,) in self.links.rows("select path from files")}
        self._insert("history", [(path, *numbers) for path, numbers in sorted(history.files.items()) if path in paths])
        self._insert("tags", sorted(history.tags.items()))
        together = [
            (path, partner, commits)
            for path, partners in sorted(history.together.items())
            for partner, commits in sorted(partners)
            if path in paths and partner in paths
        ]
        self._insert("changed_together", together)

    def put_file(self, indexed: IndexedFile, *, repo_id: str) -> StoredFileIds:
        """Write a file over its old version. Unchanged chunks keep their ids and search rows."""
        source = indexed.source
        rows = self.links.rows("select id from files where path = ?", (source.path,))
        file_id = rows[0][0] if rows else next(self._file_ids)
        old_chunks = self._remove_rows(file_id)
        cells = (file_id, source.path, repo_id, source.language, str(source.source_type), source.size, indexed.lines)
        flags = (source.is_test, source.is_example, source.is_generated, source.is_vendored, indexed.broken)
        self._insert("files", [(*cells, source.encoding, indexed.module, source.content_hash, *flags, source.error)])
        if source.error is not None:
            self._remove_search_rows([chunk.chunk_id for chunk in old_chunks])
            return StoredFileIds(file_id, [], frozenset())
        self._insert("contents", [(file_id, indexed.compressed, b"")])
        ids = chunk_ids(indexed, old_chunks, self._fresh_ids)
        same = unchanged(indexed, ids, old_chunks)
        self._remove_search_rows([chunk.chunk_id for chunk in old_chunks if chunk.chunk_id not in same])
        self._insert(
            "chunks",
            [
                (ids[i], file_id, ids[chunk.parent] if chunk.parent >= 0 else None, i, *chunk[:-1], indexed.hashes[i])
                for i, chunk in enumerate(indexed.chunks)
            ],
        )
        columns = "members (chunk_id, kind, name, qualified_name, signature, doc, line, end_line, has_body)"
        self._insert(columns, [(ids[member.chunk], *member[:-1]) for member in indexed.members])
        fresh = [i for i, chunk in enumerate(indexed.chunks) if chunk.end > chunk.start and ids[i] not in same]
        self._insert("words", [(ids[i], *indexed.words[i]) for i in fresh])
        self.put_vectors((ids[i], indexed.vectors[i]) for i in fresh if indexed.vectors)
        return StoredFileIds(file_id, ids, frozenset(fresh))

    def put_vectors(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Write pairs of chunk id and int8 vector."""
        self._insert("vectors", vectors)

    def put_references(self, file_id: int, references: ReferenceRows, lookups: bytes) -> None:
        """Replace the references of a file."""
        chunks = [chunk_id for (chunk_id,) in self.links.rows("select id from chunks where file_id = ?", (file_id,))]
        self._delete("refs", "source_id", chunks)
        self._connection.execute("update contents set lookups = %s where file_id = %s", (lookups, file_id))
        self._insert("refs", [(*row[:9], bool(row[9]), row[10]) for row in references.rows])
        self._insert("candidates", references.candidates, "on conflict do nothing")

    def remove_file(self, path: str) -> None:
        """Remove a file and all that came from it."""
        for (file_id,) in self.links.rows("select id from files where path = ?", (path,)):
            self._remove_search_rows([chunk.chunk_id for chunk in self._remove_rows(file_id)])

    def _remove_rows(self, file_id: int) -> list[OldChunk]:
        rows = self.links.rows(
            "select id, kind, qualified_name, content_hash, end_byte > start_byte from chunks "
            "where file_id = ? order by position",
            (file_id,),
        )
        self._delete("files", "id", [file_id])
        return [OldChunk(*row) for row in rows]

    def _remove_search_rows(self, ids: Sequence[int]) -> None:
        self._delete("words", "chunk_id", ids)
        self._delete("vectors", "chunk_id", ids)
