"""An open index: the questions of `sql.py` with caches in front, and the part of the signals that all back-ends share."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import accumulate
from threading import RLock
from typing import TYPE_CHECKING, Any

from code_graph_indexer.doors import late_module
from code_graph_indexer.results import Description, Filters
from code_graph_indexer.storage.identity import LOCAL_BITS
from code_graph_indexer.storage.records import ChunkFile, Edge, FileRow, StoredChunk, WordCounts
from code_graph_indexer.storage.scores import idf, length_factor, match_offsets, substring_score
from code_graph_indexer.storage.sql import SqlReader
from code_graph_indexer.threads import Turns
from code_graph_indexer.words import index_words, tokens, trigrams

# Late, because questions to the graph do without NumPy and start in half the time.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.storage import allowed, arrays
    from code_graph_indexer.storage.allowed import AllowedChunks
    from code_graph_indexer.storage.arrays import GraphArrays, Hits, Ids
else:
    np = late_module("numpy")
    allowed = late_module("code_graph_indexer.storage.allowed")
    arrays = late_module("code_graph_indexer.storage.arrays")

TEXT_CACHE_BYTES = 64_000_000
"""The size limit of the cache of unpacked texts, in bytes. The results of the next query are often in the same files."""

TEXTS_AT_ONCE = 50
"""How many texts are read at once. The search for a substring ends with the texts that bring enough chunks."""

TRAIT_ROWS = 1 << 18
"""The rows of the cache of traits, which takes 7 MB. A chunk's traits are in a row that its id decides."""

TRAIT_STEP = 40_503
"""The rows between the first chunks of two repositories of a set, so that they do not drive out one another."""

NO_CHUNK = -(1 << 63)
"""The id in an empty row of the cache of traits."""

FILTER_CACHE = 8
"""How many filters have their allowed chunks in the cache, for the next query with the same filters."""

COUNT_CACHE = 10_000
"""How many expressions have their number of matches in the cache, for words and for trigrams separately."""

MATCH_LIMIT = 3_000
"""The largest number of word matches that are scored. Common words are left out of a query until it has no more matches."""

MATCH_CACHE = 4
"""How many lists of word matches are cached: those of a query and of its related words, for two threads."""

MAX_GRAMS, GRAM_LIMIT = 5, 1_000
"""How many trigrams of a substring are searched, and the number at which the counting of their matches stops.

The trigrams with the fewest matches are searched.
"""

VERIFY_LIMIT = 400
"""The largest number of files whose texts are read to check that they contain a substring, and of chunks that are scored."""

MANY_FILES = 100
"""The number of files from which on it takes less time to look for all trigrams in them than to read them."""

INNER_LIMIT = 3_000
"""The largest number of chunks with all inner words of a substring by which the search for it begins."""

_ChunkPlace = tuple[int, int, int, int]
"""A chunk: its id, the id of its file, and its first byte and end in the text of the file."""

MAX_FILES = 1 << 31
"""More files than an index has."""


def quoted(term: str) -> str:
    """Return user text as an FTS5 expression: a quoted string, so that no text is syntax. Empty if the text has no word."""
    return '"' + term.replace('"', '""').replace("\0", "") + '"' if term.strip("\0 ") else ""


def _compounds(words: Sequence[str]) -> list[str]:
    """Return the FTS5 expression of each of these tokens, each once. One without words has none."""
    # The last word of a token is its compound, which does not depend on upper and lower case.
    compounds = [index_words(token).split()[-1:] for token in words]
    return list(dict.fromkeys(quoted(word) for (word,) in filter(None, compounds)))


def _corrected(store: Store, ids: Ids, bm25: NDArray[np.float64], required: NDArray[np.bool_], limit: int) -> Hits:
    """Rank the best `limit` of some matches, and all that are required, by BM25 with a correction for their length."""
    # The matches come by id, and a stable sort keeps that order among ties.
    candidates = required.copy()
    # Twice the limit, because the length factor below changes the order.
    candidates[np.argsort(-bm25, kind="stable")[: 2 * limit]] = True
    positions = np.flatnonzero(candidates)
    traits = store.traits_of(ids[positions])
    # A damaged index may have words of chunks that are gone.
    present = traits["id"] == ids[positions]
    positions, traits = positions[present], traits[present]
    scores = bm25[positions] * length_factor(traits["size"])
    order = np.lexsort((ids[positions], -scores))
    order = order[(np.arange(len(order)) < limit) | required[positions][order]]
    return arrays.Hits(ids[positions][order], scores[order])


class Store(SqlReader):
    """An open index. It has all methods that a question to the index needs.

    Several threads may share it: a lock guards what changes, and arrays that are cached never do.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._turns = Turns()
        self.forget()

    @property
    @abstractmethod
    def stamp(self) -> tuple[int, ...]:
        """Return numbers that change with every change of the index."""

    @abstractmethod
    def refresh(self) -> None:
        """Reload the index if it was replaced or updated. Call this once per query. In a block of `reading` it does nothing."""

    @abstractmethod
    def close(self) -> None:
        """Close the index file or the connection to its database."""

    @abstractmethod
    def size(self) -> int:
        """Return how many bytes the index takes on disk. On a server, these are the bytes of all that is published there."""

    @abstractmethod
    def check(self) -> list[str]:
        """List the problems of the index, one sentence per problem. A sound index gives an empty list."""

    def reading(self) -> AbstractContextManager[None]:
        """Let the index stay as it is inside a `with` block, for answers that take several reads."""
        return self._turns.reading()

    def changing(self) -> AbstractContextManager[None]:
        """Let no other thread read inside a `with` block, in which the index changes."""
        return self._turns.changing()

    def forget(self) -> None:
        """Start with empty caches, because old entries may be out of date."""
        self._files: dict[int, ChunkFile] = {}
        self._traits: NDArray[np.void] | None = None
        self._imports: dict[int, list[str]] = {}
        self._unread: list[FileRow] | None = None
        self._texts: dict[int, bytes] = {}
        self._text_bytes = 0
        self._allowed: dict[tuple[Any, ...], AllowedChunks] = {}
        self._matches: dict[tuple[tuple[str, ...], Filters, bool], tuple[Ids, NDArray[np.float64]]] = {}
        self._graph: GraphArrays | None = None
        self._counts: dict[str, dict[str, int]] = {
            "words": {},
            "names": {},
            "documents": {},
            "trigrams": {},
            "described": {},
        }

    def text_of(self, file_id: int) -> bytes:
        """Return the text of the file with this id, or empty bytes if it has none. Texts are cached."""
        with self._lock:
            if file_id not in self._texts:
                self._keep_text(file_id, super().text_of(file_id))
            return self._texts[file_id]

    def read_texts(self, file_ids: Iterable[int]) -> None:
        """Read the texts of several files into the cache, if one query for all is faster than one for each."""

    def _keep_text(self, file_id: int, text: bytes) -> None:
        """Cache the text of a file. The oldest texts go if all are longer than TEXT_CACHE_BYTES."""
        self._texts[file_id] = text
        self._text_bytes += len(text)
        # The oldest text goes first, and the one just read stays however long it is.
        while self._text_bytes > TEXT_CACHE_BYTES and len(self._texts) > 1:
            self._text_bytes -= len(self._texts.pop(next(iter(self._texts))))

    def chunk_texts(self, chunks: Sequence[StoredChunk]) -> list[str]:
        """Return the text of each chunk, in the order of the chunks. It is the file's text from `start_byte` to `end_byte`."""
        self.read_texts(chunk.file_id for chunk in chunks)
        return super().chunk_texts(chunks)

    def descriptions(self, chunk_ids: Sequence[int]) -> dict[int, Description]:
        """Map these chunk ids to what a language model wrote of the definitions. Most indexes have nothing of this sort."""
        return super().descriptions(chunk_ids) if self._row_count("described") else {}

    def traits_of(self, chunk_ids: Ids) -> NDArray[np.void]:
        """Return one row of CHUNK_TRAITS for each chunk id, in the order of the ids. An unknown id gets zeros.

        The rows are cached, because several signals ask for the same chunks.
        """
        # Each id has one row, from which it drives the id before.
        rows: Ids = (chunk_ids + (chunk_ids >> LOCAL_BITS) * TRAIT_STEP) % TRAIT_ROWS
        with self._lock:
            if self._traits is None:
                self._traits = np.zeros(TRAIT_ROWS, arrays.CHUNK_TRAITS)
                self._traits["id"] = NO_CHUNK
            traits = self._traits[rows]
            missing = np.flatnonzero(traits["id"] != chunk_ids)
            if len(missing):
                traits[missing] = super().traits_of(chunk_ids[missing])
                known = missing[traits["id"][missing] == chunk_ids[missing]]
                self._traits[rows[known]] = traits[known]
        return traits

    def files_by_id(self, file_ids: Ids) -> dict[int, ChunkFile]:
        """Map each of these file ids to its file. Unknown ids are left out. Files are cached."""
        # Another thread may open the index anew and start another cache.
        ids, cache = arrays.distinct(file_ids).tolist(), self._files
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

    def graph_arrays(self, *, load: bool = False) -> GraphArrays | None:
        """Return the graph in memory, or None if it is not there. With `load`, it is read first, if this back-end can."""
        return self._graph

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind at these chunks, in order of source id and ordinal.

        The graph in memory tells which chunks have none. Else, all edges to a chunk are read to find those of a kind.
        """
        if self._graph is not None:
            chunk_ids = self._graph.with_edges(chunk_ids, kind, incoming=incoming)
        return super().edges(chunk_ids, kind, incoming=incoming) if chunk_ids else []

    def allowed_chunks(self, filters: Filters) -> AllowedChunks | None:
        """Return the chunks that the filters allow, or None if they allow all. The last FILTER_CACHE filters are cached."""
        condition, values = self.filter_condition(filters)
        if not condition:
            return None
        # A back-end may pass a list of ids or names as a list, which is no key.
        key = (condition, *(tuple(value) if isinstance(value, list) else value for value in values))
        with self._lock:
            if key not in self._allowed:
                while len(self._allowed) >= FILTER_CACHE:
                    self._allowed.pop(next(iter(self._allowed)))
                self._allowed[key] = allowed.AllowedChunks(self.allowed_runs(condition, values))
            return self._allowed[key]

    # Signals.

    def words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        also: Ids | None = None,
        counts: WordCounts | None = None,
    ) -> Hits:
        """Rank the chunks that contain any of the terms, by BM25 or a similar formula, ties by id.

        The fields and their weights are those of scores.WORD_WEIGHTS. The list has the best `limit` chunks, then the
        other matching chunks whose ids are in `also`. With `counts`, those of a set of indexes, a term weighs as much as it
        does in the set, so that the scores of several indexes compare.
        """
        rare, only_names = self._rare_terms(terms)
        if not rare:
            return arrays.Hits.of([])
        if counts is None:
            ids, bm25 = self._last_matches(tuple(rare.values()), filters, only_names=only_names)
        else:
            ids, bm25 = self._weighed_matches(rare, filters, counts, only_names=only_names)
        required = arrays.are_in(ids, arrays.NO_IDS if also is None else also)
        return _corrected(self, ids, bm25, required, limit)

    def _last_matches(
        self, expressions: tuple[str, ...], filters: Filters, *, only_names: bool
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Do what _word_matches() does. The last few matches are cached, because a search asks twice: for all, for some."""
        key, cache = (expressions, filters, only_names), self._matches
        # Looked up once, because another thread may drop it.
        matches = cache.get(key)
        if matches is None:
            ids, scores = self._word_matches(expressions, filters, MATCH_LIMIT, only_names=only_names)
            matches = arrays.frozen(ids), arrays.frozen(scores)
            with self._lock:
                if len(cache) >= MATCH_CACHE:
                    cache.pop(next(iter(cache)))
                cache[key] = matches
        return matches

    def _weighed_matches(
        self, rare: Mapping[str, str], filters: Filters, counts: WordCounts, *, only_names: bool
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Do what _word_matches() does for each term, with the term's weight by these counts in place of the index's own.

        BM25 is a sum over the terms, in which each term's part is a multiple of its weight.
        """
        chunks = self._row_count("words")
        ids, parts = [], []
        for term, expression in rare.items():
            matching, scores = self._word_matches([expression], filters, MATCH_LIMIT, only_names=only_names)
            weight = idf(counts.having.get(term, 0), counts.chunks)
            count = self._cached_counts("documents", [expression], chunks)[0]
            having = self._count_in_names(expression) if only_names else count
            ids.append(matching)
            parts.append(scores * weight / idf(having, chunks))
        matching, positions = np.unique(np.concatenate(ids), return_inverse=True)
        return matching, np.bincount(positions, np.concatenate(parts), len(matching)).astype(np.float64)

    def word_counts(self, terms: Sequence[str]) -> WordCounts:
        """Count the chunks with words, and those that contain each of the terms. Counts are cached."""
        chunks = self._row_count("words")
        expressions = {term: expression for term in terms if (expression := quoted(term))}
        counts = self._cached_counts("documents", list(expressions.values()), chunks)
        return WordCounts(chunks, dict(zip(expressions, counts, strict=True)))

    def described(self, terms: Sequence[str], filters: Filters, limit: int) -> Hits:
        """Rank the best `limit` chunks whose description contains any of the terms, by BM25, ties by id."""
        # Most indexes have no descriptions, and then nothing else is asked.
        rare = self._rare_terms(terms, "described")[0] if self._row_count("described") else {}
        if not rare:
            return arrays.Hits.of([])
        matches = list(rare.values())
        ids, scores = self._word_matches(matches, filters, MATCH_LIMIT, only_names=False, table="described")
        order = np.lexsort((ids, -scores))[:limit]
        return arrays.Hits(ids[order], scores[order])

    @abstractmethod
    def _row_count(self, table: str) -> int:
        """Return the number of chunks with words, or of those with a description, by the name of the full-text table."""

    @abstractmethod
    def _word_matches(
        self, expressions: Sequence[str], filters: Filters, most: int, *, only_names: bool, table: str = "words"
    ) -> tuple[Ids, NDArray[np.float64]]:
        """Return the allowed chunks that contain one of the words, ascending, at most `most`, and their BM25 scores.

        The expressions come from quoted(). With `only_names`, only the field `name` counts. `table` may be `described`.
        """

    @abstractmethod
    def _count_matches(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Count the matches of each expression in `words`, `described` or `trigrams`, and stop at `most`."""

    @abstractmethod
    def _count_in_names(self, expression: str) -> int:
        """Count the chunks whose field `name` contains a word."""

    def has_words(self, terms: Sequence[str]) -> bool:
        """Return whether at least one of the terms occurs in the index."""
        expressions = list(filter(None, map(quoted, terms)))
        return any(self._count_matches("words", expressions, 1))

    def _rare_terms(self, terms: Sequence[str], table: str = "words") -> tuple[dict[str, str], bool]:
        """Map the rarest terms to their expressions, and return whether to search them in names only.

        Together, they have at most MATCH_LIMIT matches. A word that occurs everywhere says little, and its matches take most of
        the time. If all terms are that common, the rarest is searched in names only.
        """
        expressions = {term: expression for term in terms if (expression := quoted(term))}
        counts = self._cached_counts(table, list(expressions.values()), MATCH_LIMIT + 1)
        # A word that the index lacks is not read.
        counted = sorted(entry for entry in zip(counts, expressions.values(), expressions, strict=True) if entry[0])
        totals = accumulate(count for count, _, _ in counted)
        rare = {
            term: expression
            for (_, expression, term), total in zip(counted, totals, strict=True)
            if total <= MATCH_LIMIT
        }
        if rare or not counted:
            return rare, False
        _, rarest, term = counted[0]
        return {term: rarest}, table == "words" and self._count_in_names(rarest) > 0

    def _rare_grams(self, grams: Sequence[str]) -> Sequence[str]:
        """Return at most MAX_GRAMS trigrams, the ones with the fewest matches.

        More are not needed, because each match is checked against the text of its chunk.
        """
        if len(grams) <= MAX_GRAMS:
            return grams
        expressions = [quoted(gram) for gram in grams]
        counts = dict(zip(grams, self._cached_counts("trigrams", expressions, GRAM_LIMIT), strict=True))
        return sorted(grams, key=lambda gram: counts[gram])[:MAX_GRAMS]

    def _cached_counts(self, cache: str, expressions: Collection[str], most: int) -> list[int]:
        """Count the matches of each expression, and stop at `most`, which is always the same for a cache.

        This is much cheaper than scoring them.
        """
        counts = self._counts[cache]
        table = cache if cache in ("trigrams", "described") else "words"
        # A copy, because another thread may clear the cache at any moment.
        count_of = {expression: counts[expression] for expression in expressions if expression in counts}
        if missing := [expression for expression in dict.fromkeys(expressions) if expression not in count_of]:
            fresh = dict(zip(missing, self._count_matches(table, missing, most), strict=True))
            with self._lock:
                if len(counts) + len(fresh) > COUNT_CACHE:
                    counts.clear()
                counts.update(fresh)
            count_of |= fresh
        return [count_of[expression] for expression in expressions]

    def beside(self, search: Callable[[], Hits]) -> Callable[[], Hits]:
        """Return a function that returns the hits of a search. If reads wait for a server, the search begins now, in a thread.

        Reads of a file wait for nothing, and take a few milliseconds, so a thread would cost more than it saves.
        """
        return search

    def substrings(self, text: str, filters: Filters, limit: int, *, whole: bool = False) -> Hits:
        """Rank the chunks whose text contains a substring, in any case.

        Matches in the same case come first, then matches of a whole word, then chunks with more matches. At most
        VERIFY_LIMIT files are read. With `whole`, only chunks with all its words count, which takes a fifth of the time.
        """
        rows = self._holding_words(text, filters) if whole else self._containing(text, filters)
        self.read_texts(file_id for _, file_id, _, _ in rows)
        scored = (
            (chunk_id, substring_score(text, self.text_of(file_id)[start:end].decode("utf-8", "replace")))
            for chunk_id, file_id, start, end in rows
        )
        return arrays.Hits.best(scored, limit)

    def _containing(self, text: str, filters: Filters) -> list[_ChunkPlace]:
        """Return allowed chunks among which are those that contain a substring, at most VERIFY_LIMIT."""
        grams = trigrams(text)
        rare = self._rare_grams(grams)
        if not rare:
            return []
        if (chunk_ids := self._with_inner_words(text)) is not None:
            return self._chunks_among(chunk_ids, rare, filters)[:VERIFY_LIMIT]
        file_ids = self._allowed_gram_files(rare, filters)
        # Even the rarest may be common, as those of `default_name`. Then chunks come first that surely contain it.
        rows = self._holding_words(text, filters) if len(file_ids) == VERIFY_LIMIT else []
        if rows:
            return rows
        # All trigrams together take longer, but leave few files.
        if len(file_ids) > MANY_FILES and len(rare) < len(grams):
            file_ids = self._allowed_gram_files(grams, filters)
        return self._chunks_with(text, file_ids, filters)

    @abstractmethod
    def nearest(self, vector: NDArray[np.float32], filters: Filters, limit: int) -> Hits:
        """Rank the chunks that the filters allow, by the cosine similarity of their vectors to a unit vector, ties by id."""

    @abstractmethod
    def similar(self, vector: NDArray[np.float32], chunk_ids: Ids) -> Hits:
        """Rank these chunks by the cosine similarity of their vectors to a unit vector.

        Chunks without a vector are left out.
        """

    def files_holding(self, text: str) -> set[int] | None:
        """Return the ids of the files whose text may contain a text in any case, or None if its words have no three letters.

        Each file that contains it is among them.
        """
        grams = trigrams(text)
        expressions = list(map(quoted, self._rare_grams(grams)))
        return set(self._holding_all("trigrams", expressions, MAX_FILES)) if grams else None

    def _with_inner_words(self, text: str) -> list[int] | None:
        """Return the ids of the chunks with all inner words of a substring, ascending.

        It is None if the substring has no inner word, or too many chunks have them. A word between two others is whole, so a
        chunk with the substring has it. A phrase has common trigrams, and to read all files that hold them would take long.
        """
        expressions = _compounds(tokens(text)[1:-1])
        if not expressions:
            return None
        chunk_ids = self._holding_all("words", expressions, INNER_LIMIT + 1)
        return chunk_ids if len(chunk_ids) <= INNER_LIMIT else None

    def _holding_words(self, text: str, filters: Filters) -> list[_ChunkPlace]:
        """Return allowed chunks that have all words of a substring, by id, at most VERIFY_LIMIT. Without words, there are none.

        Most of them contain the substring. Chunks in which it is only a part of a word are not among them.
        """
        expressions = _compounds(tokens(text))
        chunk_ids = self._holding_all("words", expressions, INNER_LIMIT) if expressions else []
        return self._places_of(sorted(self.allowed(chunk_ids, filters))[:VERIFY_LIMIT])

    def _places_of(self, chunk_ids: Sequence[int]) -> list[_ChunkPlace]:
        """Return the places of these chunks, by id."""
        sql = f"select id, file_id, start_byte, end_byte from text_chunks where id {self.dialect.in_ids} order by id"
        return [(int(row[0]), row[1], row[2], row[3]) for row in self.rows(sql, (self.dialect.pack(chunk_ids),))]

    def _chunks_among(self, chunk_ids: Sequence[int], grams: Sequence[str], filters: Filters) -> list[_ChunkPlace]:
        """Return those of some chunks that the filters allow and whose files have all of the trigrams."""
        allowed = np.array(sorted(self.allowed(chunk_ids, filters)), np.int64)
        file_ids = set(self._holding_all("trigrams", list(map(quoted, grams)), MAX_FILES)) if len(allowed) else ()
        of_file = self.traits_of(allowed)["file_id"].tolist()
        # Few are left, so the place in the text is read of these alone.
        return self._places_of(
            [chunk for chunk, file in zip(allowed.tolist(), of_file, strict=True) if file in file_ids]
        )

    def _allowed_gram_files(self, grams: Sequence[str], filters: Filters) -> list[int]:
        """Return the ids of the files with all of the trigrams and with an allowed chunk, ascending, at most VERIFY_LIMIT."""
        condition, values = self.filter_condition(filters)
        if not condition:
            return self._holding_all("trigrams", list(map(quoted, grams)), VERIFY_LIMIT)
        sql = (
            f"select f.id from files as f where f.id {self.dialect.in_ids} and exists "
            f"(select 1 from text_chunks as c where c.file_id = f.id and {condition}) order by f.id limit ?"
        )
        packed = self.dialect.pack(self._holding_all("trigrams", list(map(quoted, grams)), MAX_FILES))
        return [row[0] for row in self.rows(sql, (packed, *values, VERIFY_LIMIT))]

    def _chunks_with(self, text: str, file_ids: Sequence[int], filters: Filters) -> list[_ChunkPlace]:
        """Return the allowed chunks of some files that a substring begins in, by file, at most VERIFY_LIMIT."""
        sql = (
            "select id, file_id, start_byte, end_byte from text_chunks where end_byte > start_byte "
            f"and file_id {self.dialect.in_ids} order by file_id, position"
        )
        places: list[_ChunkPlace] = []
        # A common text is in most of the files, so a few of them have enough chunks with it.
        for start in range(0, len(file_ids), TEXTS_AT_ONCE):
            part = file_ids[start : start + TEXTS_AT_ONCE]
            self.read_texts(part)
            matches = ((file_id, match_offsets(text, self.text_of(file_id))) for file_id in part)
            offsets = {file_id: starts for file_id, starts in matches if starts}
            rows = [
                (chunk_id, file_id, start_byte, end_byte)
                for chunk_id, file_id, start_byte, end_byte in self.rows(sql, (self.dialect.pack(list(offsets)),))
                if bisect_left(offsets[file_id], start_byte) < bisect_left(offsets[file_id], end_byte)
            ]
            allowed = self.allowed([row[0] for row in rows], filters)
            places += [row for row in rows if row[0] in allowed]
            if len(places) >= VERIFY_LIMIT:
                break
        return places[:VERIFY_LIMIT]

    @abstractmethod
    def _holding_all(self, table: str, expressions: Sequence[str], most: int) -> list[int]:
        """Return the ids of the rows of `words` or `trigrams` that contain all expressions, ascending, at most `most`.

        The expressions come from quoted().
        """
