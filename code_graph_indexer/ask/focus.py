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
    """Choose from one store; `embedder` None goes by words alone."""

    def __init__(self, store: Store, embedder: Embedder | None, *, root: Path | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    def chosen(self, question: str, found: Sequence[RetrievedContext], filters: Filters) -> list[RetrievedContext]:
        """Return chunks of the first code files of what was found, best first; they may be among what was found.

        A search ranks files well, and shows of each a chunk or two; what a file does is mostly told by others of it.
        Their score is 0: it is not that of a search. Tests are left out, unless the question or the filters are about them.
        """
        query = read_query(question, self._store.meta().get("repo_id") or repository_name(self._root))
        if filters.tests is None and not query.about_tests:
            filters = replace(filters, tests=False)
        chunks, ranks = self._candidates(found, filters)
        if not chunks:
            return []
        scores = self._fit(query, chunks) - RANK_WEIGHT * np.log(ranks)
        definitions = [_definition(one) for one in chunks]
        scores += CALLED * self._are_called(definitions, scores)
        best = np.argsort(-scores, kind="stable")[:CHOSEN].tolist()
        # Pieces of one definition are read in a row.
        places: dict[int, int] = {}
        for one in best:
            places.setdefault(definitions[one], len(places))
        best.sort(key=lambda one: (places[definitions[one]], one))
        reasoning = found[0].reasoning
        ranked = [Fused(chunks[one].id, 0.0, ()) for one in best]
        contexts = CodeRetriever(self._store, None, root=self._root).contexts(ranked)
        return [replace(one, context_header="", related_definitions=(), reasoning=reasoning) for one in contexts]

    def _candidates(
        self, found: Sequence[RetrievedContext], filters: Filters
    ) -> tuple[list[StoredChunk], NDArray[np.int64]]:
        """List the chunks of the first files that the filters allow, by id, and the rank of the file of each."""
        code = [one for one in found if one.source_type is SourceType.CODE]
        allowed = self._store.allowed([one.node_id for one in code], filters)
        paths = list(dict.fromkeys(one.file_path for one in code if one.node_id in allowed))[:FILES]
        chunks = [(one, rank) for rank, path in enumerate(paths, 1) for one in self._store.file_chunks(path)]
        allowed = self._store.allowed([one.id for one, _ in chunks], filters)
        kept = sorted(((one, rank) for one, rank in chunks if one.id in allowed), key=lambda pair: pair[0].id)
        return [one for one, _ in kept], np.array([rank for _, rank in kept], np.int64)

    def _fit(self, query: Query, chunks: Sequence[StoredChunk]) -> NDArray[np.float64]:
        """Score how well each chunk fits a query, in standard deviations."""
        ids = np.array([one.id for one in chunks], np.int64)
        words = self._store.words(query.words, Filters(), 1, also=ids)
        fit = WORDS_WEIGHT * _standard(np.log1p(_by_id(ids, words.ids, words.scores)))
        if self._embedder is not None:
            near = self._store.similar(self._embedder.embed(query.text), ids)
            fit += _standard(_by_id(ids, near.ids, near.scores))
        return fit

    def _are_called(self, definitions: Sequence[int], scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say of each chunk, of which the definition is given, whether one of the best definitions calls it."""
        best: dict[int, float] = {}
        for one, score in zip(definitions, scores.tolist(), strict=True):
            best[one] = max(score, best.get(one, -math.inf))
        callers = sorted(best, key=lambda one: (-best[one], one))[:CALLERS]
        called = {one.chunk_id for one in self._store.callees_of(callers, MAX_CALLS) if one.chunk_id != one.of}
        return np.array([one in called for one in definitions])


def _definition(chunk: StoredChunk) -> int:
    """Return the chunk of the definition that a chunk is, or is a block of."""
    return chunk.parent_id if chunk.kind == "block" and chunk.parent_id is not None else chunk.id


def _by_id(ids: NDArray[np.int64], known: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of each id, 0 where there is none."""
    given = dict(zip(known.tolist(), scores.tolist(), strict=True))
    return np.array([given.get(one, 0.0) for one in ids.tolist()])


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values in standard deviations from their mean: 0 where they are all the same."""
    spread = float(values.std())
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
