"""The signals of a search over an index file: words, substrings, vectors; and what filters mean in SQL."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.results import Filters
from code_graph_indexer.storage.allowed import AllowedChunks
from code_graph_indexer.storage.records import NO_IDS, Hits, Ids, are_in
from code_graph_indexer.storage.sqlite import SqliteFile
from code_graph_indexer.storage.vectors import VectorTable
from code_graph_indexer.words import trigrams

WORD_WEIGHTS = {"name": 5.0, "path": 2.0, "signature": 1.0, "doc": 1.0, "body": 1.0}
"""BM25 weights of the word fields: a chunk named after the query beats one that speaks of it."""

MATCH_LIMIT = 3_000
"""Matches of words that are scored: common words are left out of a query until there are no more."""

FTS5_K1, FTS5_B = 1.2, 0.75
"""The constants of BM25 in FTS5, which cannot be changed."""

LENGTH_B, TYPICAL_COUNT, USUAL_SIZE = 0.2, 2.0, 500
"""How much the length of a chunk counts, the weighted count of a word in it that is assumed, and its usual bytes."""

COUNTS_KEPT = 10_000
"""Words, and trigrams, whose number of matches is remembered."""

GRAMS_ASKED, GRAM_LIMIT = 5, 1_000
"""Trigrams of a substring that are looked for, those with fewest matches; up to so many are counted."""

REMEMBERED = 8
"""Filters whose chunks are remembered, for the next query with the same filters."""

VERIFY_LIMIT = 400
"""Chunks whose text is read to verify a substring; beyond them only the most selective trigrams count."""


def length_factor(size: NDArray[np.int64]) -> NDArray[np.float64]:
    """Take back most of what BM25 as FTS5 computes it holds against a long chunk.

    A chunk is a whole definition: a long one is no padded document, and a short one is often a mere stub. The factor is
    (tf + FTS5_K1 (1 + FTS5_B (r - 1))) / (tf + FTS5_K1 (1 + b (r - 1))) for a chunk of r times the usual size,
    with b = LENGTH_B and a count of TYPICAL_COUNT in place of each word's own.
    """
    longer = size / USUAL_SIZE - 1
    as_fts5 = TYPICAL_COUNT + FTS5_K1 * (1 + FTS5_B * longer)
    return as_fts5 / (TYPICAL_COUNT + FTS5_K1 * (1 + LENGTH_B * longer))


def escape_terms(terms: Iterable[str], operator: str) -> str:
    """Write user text as an FTS5 expression of quoted strings, so that nothing in it is syntax."""
    quoted = ('"' + term.replace('"', '""').replace("\0", "") + '"' for term in terms if term.strip("\0 "))
    return f" {operator} ".join(quoted)


def _filter_sql(filters: Filters) -> tuple[str, list[Any]]:
    """Write filters as a condition over `c` (chunks) and `f` (files)."""
    parts = [*_conditions(filters)]
    if filters.excluded is not None:
        # A file without a language is none of those left out.
        parts += [(f"not coalesce({condition}, 0)", values) for condition, values in _conditions(filters.excluded)]
    return " and ".join(condition for condition, _ in parts), [value for _, values in parts for value in values]


def _conditions(filters: Filters) -> Iterator[tuple[str, list[Any]]]:
    """Yield one condition for each field that restricts."""
    wanted = {
        "f.repo_id": [filters.repo_id] if filters.repo_id is not None else [],
        "f.language": filters.languages,
        "c.kind": filters.chunk_types,
        "f.source_type": filters.source_types,
    }
    for column, values in wanted.items():
        if values:
            yield f"{column} in (select value from json_each(?))", [json.dumps(list(values))]
    if filters.directory and (folder := filters.directory.strip("/").removeprefix("./")) not in ("", "."):
        yield "substr(f.path, 1, ?) = ?", [len(folder) + 1, folder + "/"]
    if filters.file_patterns:
        patterns = [pattern.replace("**/", "*").replace("**", "*") for pattern in filters.file_patterns]
        yield "(" + " or ".join("f.path glob ?" for _ in patterns) + ")", patterns
    if filters.tests is not None:
        yield "f.is_test = ?", [int(filters.tests)]


class SqliteSearch(SqliteFile):
    """Rank the chunks of an index file by one signal at a time."""

    def _open(self) -> None:
        super()._open()
        self._table: VectorTable | None = None
        self._known: dict[tuple[Any, ...], AllowedChunks] = {}
        self._counts: dict[str, dict[str, int]] = {"words": {}, "trigrams": {}}
        self._asked = local()
        self._connection.create_scalar_function("is_allowed", self._is_allowed, 1)

    def words(self, terms: Sequence[str], filters: Filters, limit: int, also: Ids = NO_IDS) -> Hits:
        """Rank chunks by BM25 (Robertson & Zaragoza 2009, as FTS5 computes it) over the weighted fields.

        Behind the best come those of `also` that match.
        """
        expression = self._telling(terms)
        if not expression:
            return Hits.of([])
        weights = ", ".join(str(weight) for weight in WORD_WEIGHTS.values())
        matches = self.rows(
            f"select rowid, bm25(words, {weights}) from words where words match ?{self._scope(filters)} limit ?",
            (expression, MATCH_LIMIT),
        )
        columns = np.fromiter(chain.from_iterable(matches), np.float64, 2 * len(matches)).reshape(-1, 2)
        ids, distances = columns[:, 0].astype(np.int64), columns[:, 1]
        wanted = are_in(ids, also)
        # They come by id: so do those that tie.
        kept = wanted.copy()
        kept[np.argsort(distances, kind="stable")[: 2 * limit]] = True
        known = np.flatnonzero(kept)
        places = self.places_of(ids[known])
        known, places = known[places["id"] > 0], places[places["id"] > 0]
        scores = -distances[known] * length_factor(places["size"])
        order = np.lexsort((ids[known], -scores))
        shown = order[(np.arange(len(order)) < limit) | wanted[known][order]]
        return Hits(ids[known][shown], scores[shown])

    def has_words(self, terms: Sequence[str]) -> bool:
        """Say whether any of the terms is in the index."""
        return any(
            self.rows("select 1 from words where words match ? limit 1", (one,))
            for term in terms
            if (one := escape_terms([term], "OR"))
        )

    def _telling(self, terms: Sequence[str]) -> str:
        """Write the rarest of the terms as an expression, as many as have MATCH_LIMIT matches together.

        A word that is everywhere tells nothing, and its matches take most of the time. When there is no other, it is
        looked for in names.
        """
        counted = sorted(
            (self._matches("words", one, MATCH_LIMIT + 1), one) for term in terms if (one := escape_terms([term], "OR"))
        )
        so_far = accumulate(count for count, _ in counted)
        telling = [one for (_, one), matches in zip(counted, so_far, strict=True) if matches <= MATCH_LIMIT]
        if telling or not counted:
            return " OR ".join(telling)
        in_names = "{name} : " + counted[0][1]
        return in_names if self._matches("words", in_names, MATCH_LIMIT + 1) else counted[0][1]

    def _rarest(self, grams: Sequence[str]) -> Sequence[str]:
        """Keep a few trigrams that have fewest matches: the others would be read to no use, as the text is verified."""
        if len(grams) <= GRAMS_ASKED:
            return grams
        counts = {one: self._matches("trigrams", escape_terms([one], "AND"), GRAM_LIMIT) for one in grams}
        return sorted(grams, key=lambda one: counts[one])[:GRAMS_ASKED]

    def _matches(self, table: str, expression: str, most: int) -> int:
        """Count the matches of an expression, up to so many, which is much cheaper than scoring them."""
        counted = self._counts[table]
        count = counted.get(expression)
        if count is None:
            if len(counted) >= COUNTS_KEPT:
                counted.clear()
            sql = f"select count(*) from (select 1 from {table} where {table} match ? limit ?)"
            count = counted[expression] = sum(row[0] for row in self.rows(sql, (expression, most)))
        return count

    def substrings(self, text: str, filters: Filters, limit: int) -> Hits:
        """Rank the chunks that hold a substring: as it is written, as a whole word, how often."""
        expression = escape_terms(self._rarest(trigrams(text)), "AND")
        if not expression:
            return Hits.of([])
        rows = self.rows(
            f"select rowid from trigrams where trigrams match ?{self._scope(filters)} limit ?",
            (expression, VERIFY_LIMIT),
        )
        sql = "select id, file_id, start_byte, end_byte from chunks where id in (select value from json_each(?))"
        scored = (
            (chunk_id, _substring_score(text, self._text_of(file_id)[start:end].decode("utf-8", "replace")))
            for chunk_id, file_id, start, end in self.rows(sql, (json.dumps([row[0] for row in rows]),))
        )
        return Hits.best(scored, limit)

    def _scope(self, filters: Filters) -> str:
        """Restrict a full-text query to the chunks that the filters allow, each match asked in turn.

        The other way round, the full-text index would be asked once for each chunk that they allow.
        """
        allowed = self._asked.chunks = self._allowed(filters)
        return "" if allowed is None else " and is_allowed(rowid)"

    def _is_allowed(self, *arguments: Any) -> bool:
        """Answer for the filters that this thread has asked with last; the file may have been opened anew since."""
        allowed: AllowedChunks | None = getattr(self._asked, "chunks", None)
        return allowed is None or arguments[0] in allowed

    def allowed(self, chunk_ids: Sequence[int], filters: Filters) -> set[int]:
        """Return those of the chunks that the filters allow."""
        condition, values = _filter_sql(filters)
        if not condition or not chunk_ids:
            return set(chunk_ids)
        sql = (
            f"select c.id from chunks as c join files as f on f.id = c.file_id where {condition} "
            "and c.id in (select value from json_each(?))"
        )
        return {row[0] for row in self.rows(sql, (*values, json.dumps(list(chunk_ids))))}

    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank chunks by cosine similarity.

        The vectors are read once and compared in memory, many times faster than by sqlite-vec's own scan.
        """
        return self._vectors().nearest(vector, limit, allowed=self._allowed(filters))

    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by cosine similarity."""
        return self._vectors().similar(vector, chunk_ids)

    def _allowed(self, filters: Filters) -> AllowedChunks | None:
        """Find the chunks that the filters allow; None when they allow all."""
        condition, values = _filter_sql(filters)
        if not condition:
            return None
        key = (condition, *values)
        with self._lock:
            if key not in self._known:
                while len(self._known) >= REMEMBERED:
                    self._known.pop(next(iter(self._known)))
                self._known[key] = AllowedChunks(self._runs(condition, values))
            return self._known[key]

    def _runs(self, condition: str, values: Sequence[Any]) -> list[tuple[int, int]]:
        """List the first and last ids of runs of chunks that a condition allows."""
        chunks = f"from chunks as c join files as f on f.id = c.file_id where {condition}"
        single = f"select c.id, c.id {chunks}"
        if "c.kind" in condition:
            return self.rows(single, values)
        files = self.rows(f"select min(c.id), max(c.id), count(*), f.id {chunks} group by f.id", values)
        spread = [file_id for first, last, count, file_id in files if last - first >= count]
        found = [row[:2] for row in files if row[1] - row[0] < row[2]]
        if spread:
            found += self.rows(f"{single} and f.id in (select value from json_each(?))", (*values, json.dumps(spread)))
        return found

    def _vectors(self) -> VectorTable:
        with self._lock:
            if self._table is None:
                recorded = self._meta.get("dimensions", "0")
                dimensions = int(recorded) if recorded.isdecimal() else 0
                self._table = VectorTable(*self._packed_vectors(dimensions))
            return self._table

    def _packed_vectors(self, dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Read ids and int8 vectors, as sqlite-vec keeps them: blocks of vectors, and a bit for each that is used.

        Its virtual table gives the same one row at a time, in six times the time.
        """
        sql = (
            "select b.rowids, b.validity, v.vectors from vectors_chunks as b "
            "join vectors_vector_chunks00 as v on v.rowid = b.chunk_id order by b.chunk_id"
        )
        blocks = self.rows(sql) if dimensions else []
        numbers, bits, vectors = (b"".join(parts) for parts in zip(*blocks, strict=True)) if blocks else (b"", b"", b"")
        if len(numbers) != 64 * len(bits) or len(vectors) != 8 * len(bits) * dimensions:
            raise IndexFormatError(f"{self.path} has vectors of other dimensions than it says; do not use it")
        ids = np.frombuffer(numbers, dtype="<i8")
        packed = np.frombuffer(vectors, dtype=np.int8)
        used = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little") == 1
        order = np.flatnonzero(used)[np.argsort(ids[used], kind="stable")]
        return ids[order].astype(np.int64), packed.reshape(len(ids), dimensions or 1)[order]

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
