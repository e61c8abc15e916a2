"""Choose what to read in the files that a question led to: the chunks that fit it best, and what these call."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, RetrievedContext, SourceType
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.retriever import CodeRetriever, repository_name
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk

FILES = 8
"""Files looked into, the best first: of thirty questions, each had the places that answer it among the first ten."""

CHOSEN = 30
"""Chunks chosen at most: more than fit into what is given whole."""

WORDS_WEIGHT = 0.75
"""What the words of a chunk count beside its vector, both in standard deviations of the chunks looked at."""

RANK_WEIGHT = 0.75
"""What is taken off for the logarithm of a file's rank."""

CALLED, CALLERS = 1.0, 5
"""What is added where one of so many definitions, those that fit best, calls it: how it works stands further down."""

MAX_CALLS = 200
"""Calls read of each of them."""


class Focus:
    """Choose chunks to read from one opened index. Without an embedder, words alone decide."""

    def __init__(self, store: Store, embedder: Embedder | None, *, root: Path | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    def chosen(self, question: str, contexts: Sequence[RetrievedContext], filters: Filters) -> list[RetrievedContext]:
        """Return chunks of the first code files among the contexts, best first. They may repeat contexts.

        A search ranks files well, but shows only a chunk or two of each, while other chunks tell what the file does.
        The score of a chosen chunk is 0, because no search gave it. Tests are left out, unless the question or the filters
        are about tests.
        """
        query = read_query(question, self._store.meta().get("repo_id") or repository_name(self._root))
        if filters.tests is None and not query.about_tests:
            filters = replace(filters, tests=False)
        chunks, ranks = self._candidates(contexts, filters)
        if not chunks:
            return []
        scores = self._fit(query, chunks) - RANK_WEIGHT * np.log(ranks)
        definitions = [_definition(chunk) for chunk in chunks]
        scores += CALLED * self._are_called(definitions, scores)
        best = np.argsort(-scores, kind="stable")[:CHOSEN].tolist()
        # Pieces of one definition are read in a row.
        places: dict[int, int] = {}
        for position in best:
            places.setdefault(definitions[position], len(places))
        best.sort(key=lambda position: (places[definitions[position]], position))
        reasoning = contexts[0].reasoning
        ranked = [Fused(chunks[position].id, 0.0, ()) for position in best]
        contexts = CodeRetriever(self._store, None, root=self._root).contexts(ranked)
        return [
            replace(context, context_header="", related_definitions=(), reasoning=reasoning) for context in contexts
        ]

    def _candidates(
        self, contexts: Sequence[RetrievedContext], filters: Filters
    ) -> tuple[list[StoredChunk], NDArray[np.int64]]:
        """List the chunks of the first files that the filters allow, by id, and the rank of the file of each."""
        code = [context for context in contexts if context.source_type is SourceType.CODE]
        allowed = self._store.allowed([context.node_id for context in code], filters)
        paths = list(dict.fromkeys(context.file_path for context in code if context.node_id in allowed))[:FILES]
        chunks = [(chunk, rank) for rank, path in enumerate(paths, 1) for chunk in self._store.file_chunks(path)]
        allowed = self._store.allowed([chunk.id for chunk, _ in chunks], filters)
        allowed_chunks = sorted(
            ((chunk, rank) for chunk, rank in chunks if chunk.id in allowed), key=lambda pair: pair[0].id
        )
        return [chunk for chunk, _ in allowed_chunks], np.array([rank for _, rank in allowed_chunks], np.int64)

    def _fit(self, query: Query, chunks: Sequence[StoredChunk]) -> NDArray[np.float64]:
        """Score how well each chunk fits a query, in standard deviations."""
        ids = np.array([chunk.id for chunk in chunks], np.int64)
        words = self._store.words(query.words, Filters(), 1, also=ids)
        fit = WORDS_WEIGHT * _standard(np.log1p(_by_id(ids, words.ids, words.scores)))
        if self._embedder is not None:
            near = self._store.similar(self._embedder.embed(query.text), ids)
            fit += _standard(_by_id(ids, near.ids, near.scores))
        return fit

    def _are_called(self, definitions: Sequence[int], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say of each chunk, of which the definition is given, whether one of the best definitions calls it."""
        best: dict[int, float] = {}
        for definition, score in zip(definitions, scores.tolist(), strict=True):
            best[definition] = max(score, best.get(definition, -math.inf))
        callers = sorted(best, key=lambda definition: (-best[definition], definition))[:CALLERS]
        called = {end.chunk_id for end in self._store.callees_of(callers, MAX_CALLS) if end.chunk_id != end.of}
        return np.array([definition in called for definition in definitions])


def _definition(chunk: StoredChunk) -> int:
    """Return the chunk of the definition that a chunk is, or is a block of."""
    return chunk.parent_id if chunk.kind == "block" and chunk.parent_id is not None else chunk.id


def _by_id(ids: NDArray[np.int64], scored_ids: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of each id, 0 where there is none."""
    score_of = dict(zip(scored_ids.tolist(), scores.tolist(), strict=True))
    return np.array([score_of.get(chunk_id, 0.0) for chunk_id in ids.tolist()])


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values in standard deviations from their mean: 0 where they are all the same."""
    spread = float(values.std())
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
