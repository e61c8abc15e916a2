"""Choose which chunks to read in the best files of a search: those that fit the question, and those that they call."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.focus import by_id
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever, repository_name
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk, definition_id

FILES = 8
"""The most files from which chunks are chosen, best first. For each of thirty questions, the first ten files had the answer."""

CHOSEN = 30
"""The most chunks that are chosen. So many do not fit into the budget for whole chunks, so more would be useless."""

WORDS_WEIGHT = 0.75
"""Weight of a chunk's word score, if its vector score weighs 1. Both are in standard deviations over all these chunks."""

RANK_WEIGHT = 0.75
"""Score that a chunk loses, multiplied by the natural logarithm of its file's rank (from 1)."""

CALLED, CALLERS = 1.0, 5
"""Score that a chunk gains if one of the best definitions calls it, and the number of these best definitions.

A good definition often leaves the work to the functions that it calls.
"""

MAX_CALLS = 200
"""The most calls that are read from the index for each of these definitions."""


class Focus:
    """A chooser of chunks to read, from one opened index. Without an embedder, only words, calls and file ranks count."""

    def __init__(self, store: Store, embedder: Embedder | None, *, root: Root | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    def chosen(
        self, question: str, contexts: Sequence[RetrievedContext], filters: Filters, expect: str = ""
    ) -> list[RetrievedContext]:
        """Return chunks of the best code files among the contexts, best first. They may repeat contexts.

        A search ranks files well, but returns only one or two chunks of each file. Often, other chunks show what the file
        does. The score of a chosen chunk is 0, because no search found it. Tests are left out, unless the question or the
        filters are about tests.
        """
        query = read_query(question, self._store.meta().get("repo_id") or repository_name(self._root), expect)
        if filters.tests is None and not query.about_tests:
            filters = replace(filters, tests=False)
        chunks, ranks = self._candidates(contexts, filters)
        if not chunks:
            return []
        scores = self._fit(query, chunks) - RANK_WEIGHT * np.log(ranks)
        definitions = [definition_id(chunk) for chunk in chunks]
        # The callers are the best by the scores so far, so this term comes last.
        scores += CALLED * self._are_called(definitions, scores)
        best = np.argsort(-scores, kind="stable")[:CHOSEN].tolist()
        # Pieces of one definition are read in a row.
        places: dict[int, int] = {}
        for position in best:
            places.setdefault(definitions[position], len(places))
        best.sort(key=lambda position: (places[definitions[position]], position))
        reasoning = contexts[0].reasoning
        # The record needs a score, but these chunks come from no search.
        ranked = [Fused(chunks[position].id, 0.0, ()) for position in best]
        contexts = CodeRetriever(self._store, None, root=self._root).contexts(ranked)
        return [
            replace(context, context_header="", related_definitions=(), reasoning=reasoning) for context in contexts
        ]

    def _candidates(
        self, contexts: Sequence[RetrievedContext], filters: Filters
    ) -> tuple[list[StoredChunk], NDArray[np.int64]]:
        """Return the allowed chunks of the best files, in order of id, and for each chunk the rank of its file (from 1)."""
        code = [context for context in contexts if context.source_type is SourceType.CODE]
        allowed = self._store.allowed([context.node_id for context in code], filters)
        paths = list(dict.fromkeys(context.file_path for context in code if context.node_id in allowed))[:FILES]
        # A file's chunks are filtered again, because only some of them may be allowed.
        chunks = [(chunk, rank) for rank, path in enumerate(paths, 1) for chunk in self._store.file_chunks(path)]
        allowed = self._store.allowed([chunk.id for chunk, _ in chunks], filters)
        allowed_chunks = sorted(
            ((chunk, rank) for chunk, rank in chunks if chunk.id in allowed), key=lambda pair: pair[0].id
        )
        return [chunk for chunk, _ in allowed_chunks], np.array([rank for _, rank in allowed_chunks], np.int64)

    def _fit(self, query: Query, chunks: Sequence[StoredChunk]) -> NDArray[np.float64]:
        """Return how well each chunk fits a query, by words and vector, in standard deviations. Keep the order of `chunks`."""
        ids = np.array([chunk.id for chunk in chunks], np.int64)
        # The limit of 1 is there because only the chunks of `also` count, however low they rank.
        words = self._store.words(query.words, Filters(), 1, also=ids)
        fit = WORDS_WEIGHT * _standard(np.log1p(by_id(ids, words)))
        if self._embedder is not None:
            near = self._store.similar(self._embedder.embed(query.text), ids)
            fit += _standard(by_id(ids, near))
        return fit

    def _are_called(self, definitions: Sequence[int], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return for each chunk whether one of the best definitions calls the chunk's definition. Recursion does not count.

        `definitions` and `scores` have one entry per chunk: the id of its definition, and its score so far.
        """
        best: dict[int, float] = {}
        for definition, score in zip(definitions, scores.tolist(), strict=True):
            best[definition] = max(score, best.get(definition, -math.inf))
        callers = sorted(best, key=lambda definition: (-best[definition], definition))[:CALLERS]
        called = {end.chunk_id for end in self._store.callees_of(callers, MAX_CALLS) if end.chunk_id != end.of}
        return np.array([definition in called for definition in definitions])


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each value's distance from the mean, in standard deviations. If all values are equal, return zeros."""
    spread = float(values.std())
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
