"""The signals of a search over an index file: words, substrings, vectors; and what filters mean in SQL."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage.base import Hit
from code_graph_indexer.storage.sqlite import SqliteFile
from code_graph_indexer.types import Filters
from code_graph_indexer.words import trigrams

WORD_WEIGHTS = {"name": 5.0, "path": 4.0, "signature": 1.0, "doc": 1.0, "body": 1.0}
"""BM25 weights of the word fields: a chunk named after the query beats one that speaks of it."""

VERIFY_LIMIT = 400
"""Chunks whose text is read to verify a substring; beyond them only the most selective trigrams count."""


def escape_terms(terms: Iterable[str], operator: str) -> str:
    """Write user text as an FTS5 expression of quoted strings, so that nothing in it is syntax."""
    quoted = ('"' + term.replace('"', '""').replace("\0", "") + '"' for term in terms if term.strip("\0 "))
    return f" {operator} ".join(quoted)


def _filter_sql(filters: Filters) -> tuple[str, list[Any]]:
    """Write filters as a condition over `c` (chunks) and `f` (files)."""
    conditions: list[str] = []
    values: list[Any] = []

    def one_of(column: str, wanted: Sequence[str]) -> None:
        if wanted:
            conditions.append(f"{column} in (select value from json_each(?))")
            values.append(json.dumps(list(wanted)))

    if filters.repo_id is not None:
        one_of("f.repo_id", [filters.repo_id])
    one_of("f.language", filters.languages)
    one_of("c.kind", filters.chunk_types)
    one_of("f.source_type", filters.source_types)
    if filters.directory and (folder := filters.directory.strip("/").removeprefix("./")) not in ("", "."):
        conditions.append("substr(f.path, 1, ?) = ?")
        values += [len(folder) + 1, folder + "/"]
    if filters.file_patterns:
        conditions.append("(" + " or ".join("f.path glob ?" for _ in filters.file_patterns) + ")")
        values += [pattern.replace("**/", "*").replace("**", "*") for pattern in filters.file_patterns]
    if filters.tests is not None:
        conditions.append("f.is_test = ?")
        values.append(int(filters.tests))
    return " and ".join(conditions), values


class SqliteSearch(SqliteFile):
    """Rank the chunks of an index file by one signal at a time."""

    def _open(self) -> None:
        super()._open()
        self._matrix: tuple[NDArray[np.int64], NDArray[np.float32]] | None = None

    def words(self, terms: Sequence[str], filters: Filters, limit: int) -> list[Hit]:
        """Rank chunks by BM25 (Robertson & Zaragoza 2009, as FTS5 computes it) over the weighted fields."""
        expression = escape_terms(terms, "OR")
        if not expression:
            return []
        weights = ", ".join(str(weight) for weight in WORD_WEIGHTS.values())
        scope, values = self._scope(filters)
        rows = self.rows(
            f"select rowid, bm25(words, {weights}) as distance from words where words match ?{scope} "
            "order by distance, rowid limit ?",
            (expression, *values, limit),
        )
        return [Hit(row[0], -row[1]) for row in rows]

    def substrings(self, text: str, filters: Filters, limit: int) -> list[Hit]:
        """Rank the chunks that hold a substring: as it is written, as a whole word, how often."""
        expression = escape_terms(trigrams(text), "AND")
        if not expression:
            return []
        scope, values = self._scope(filters)
        rows = self.rows(
            f"select rowid from trigrams where trigrams match ?{scope} limit ?", (expression, *values, VERIFY_LIMIT)
        )
        chunks = self.chunks([row[0] for row in rows])
        scored = (
            Hit(chunk.id, _substring_score(text, found))
            for chunk, found in zip(chunks, self.chunk_texts(chunks), strict=True)
        )
        return sorted((hit for hit in scored if hit.score > 0), key=lambda hit: (-hit.score, hit.chunk_id))[:limit]

    def _scope(self, filters: Filters) -> tuple[str, list[Any]]:
        """Restrict a full-text query to the chunks that the filters allow."""
        condition, values = _filter_sql(filters)
        if not condition:
            return "", []
        return (
            f" and rowid in (select c.id from chunks as c join files as f on f.id = c.file_id where {condition})",
            values,
        )

    def allowed(self, hits: Sequence[Hit], filters: Filters) -> list[Hit]:
        """Keep the hits that the filters allow, in their order."""
        condition, values = _filter_sql(filters)
        if not condition or not hits:
            return list(hits)
        sql = (
            f"select c.id from chunks as c join files as f on f.id = c.file_id where {condition} "
            "and c.id in (select value from json_each(?))"
        )
        kept = {row[0] for row in self.rows(sql, (*values, json.dumps([hit.chunk_id for hit in hits])))}
        return [hit for hit in hits if hit.chunk_id in kept]

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> list[Hit]:
        """Rank chunks by cosine similarity.

        The vectors are read once and multiplied in memory: exact like sqlite-vec's own scan, several times faster.
        """
        ids, matrix = self._vectors()
        if not len(ids):
            return []
        scores = matrix @ vector.astype(np.float32)
        if not filters.empty:
            condition, values = _filter_sql(filters)
            sql = f"select c.id from chunks as c join files as f on f.id = c.file_id where {condition}"
            allowed = np.fromiter((row[0] for row in self.rows(sql, values)), dtype=np.int64)
            scores = np.where(np.isin(ids, allowed, assume_unique=True), scores, -np.inf)
        kept = min(limit, len(ids))
        # All that tie with the last one kept are sorted with it, so that a longer list begins with the shorter one.
        best = np.flatnonzero(scores >= -np.partition(-scores, kept - 1)[kept - 1])
        best = best[np.lexsort((ids[best], -scores[best]))][:kept]
        return [Hit(int(ids[i]), float(scores[i])) for i in best if scores[i] > 0]

    def similarities(self, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> list[Hit]:
        """Rank these chunks by cosine similarity; those without a vector, or unlike, are left out."""
        ids, matrix = self._vectors()
        places = np.flatnonzero(np.isin(ids, np.array(chunk_ids, dtype=np.int64), assume_unique=True))
        scores = matrix[places] @ vector.astype(np.float32)
        hits = (Hit(int(ids[i]), float(score)) for i, score in zip(places, scores, strict=True) if score > 0)
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))

    def _vectors(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if self._matrix is None:
            recorded = self._meta.get("dimensions", "0")
            dimensions = int(recorded) if recorded.isdecimal() else 0
            rows = self.rows("select chunk_id, embedding from vectors order by chunk_id") if dimensions else []
            ids = np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
            packed = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.int8)
            if len(packed) != len(rows) * dimensions:
                raise IndexFormatError(f"{self.path} has vectors of other dimensions than it says; do not use it")
            matrix = packed.reshape(len(rows), dimensions or 1).astype(np.float32)
            norms = np.linalg.norm(matrix, axis=1, keepdims=True)
            matrix /= np.where(norms == 0, 1, norms)
            self._matrix = ids, matrix
        return self._matrix

    def chunk_hashes(self) -> dict[bytes, int]:
        """Return a chunk id for each content hash that has a vector."""
        return {
            row[0]: row[1] for row in self.rows("select content_hash, id from chunks where end_byte > start_byte", ())
        }

    def vectors_of(self, chunk_ids: Sequence[int]) -> dict[int, bytes]:
        """Return the int8 vectors of these chunks."""
        sql = "select chunk_id, embedding from vectors where chunk_id in (select value from json_each(?))"
        return {row[0]: row[1] for row in self.rows(sql, (json.dumps(list(chunk_ids)),))}


def _substring_score(wanted: str, text: str) -> float:
    """Score a verified substring: 1 for its presence, more as written, as a whole word, and if it comes often."""
    exact = text.count(wanted)
    count = exact or text.lower().count(wanted.lower())
    if not count:
        return 0.0
    place = text.find(wanted) if exact else text.lower().find(wanted.lower())
    around = text[place - 1 : place] + text[place + len(wanted) : place + len(wanted) + 1]
    whole = not any(char.isalnum() or char == "_" for char in around)
    return 1.0 + 2.0 * bool(exact) + 1.0 * whole + min(count, 10) / 20
