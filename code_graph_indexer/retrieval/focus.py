"""Go from the best files of a search to the definitions in them that answer: all their chunks are compared with the query.

A search finds the file of a question in other words than the code's more often than the right function of it.
docs/explanation/ranking.md explains the terms of the score.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, SignalRank
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.retrieval.signals import query_vector
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.records import StoredChunk, definition_id
from code_graph_indexer.syntax.records import CLASS_KINDS

FILES, POOL = 8, 50
"""The most files whose chunks are compared, best first, and the number of results from which they are taken."""

CHOSEN, CHOSEN_IN_REPORT = 4, 30
"""The most definitions that come before all other results."""

VECTOR, WORDS, RELATED = 0.7, 1.0, 0.3
"""Weights of a definition's similarity, word score and score by related words, in standard deviations over all chunks."""

FILE_RANK = -0.6
"""Weight of the natural logarithm of the rank of a definition's file, from 1."""

REPEAT = -1.0
FILE_GAP, FILE_RANK = 0.7, -0.3
FILE_RANK_IN_REPORT = -0.75
RESULT, RESULT_K = 5.0, 10
"""Weight and constant of the reciprocal rank of a definition that is a result of the search itself."""

VALUE, CLASS, CLASS_IN_REPORT = -3.0, 0.5, -3.0
"""What a field or constant loses, and a class gains. For a report it loses, because a fix edits functions."""

_VALUES = frozenset({"field", "property", "variable", "constant"})

Floats = NDArray[np.float64]


class Focus:
    """A sorter of the definitions in the best files of a search. Without an embedder, words and file ranks count."""

    def __init__(self, store: Store, embedder: Embedder | None, signals: Sequence[str]) -> None:
        self._store = store
        self._embedder = embedder
        self._signals = signals

    def ranked(
        self, queries: Sequence[tuple[Query, float]], hits: Sequence[Fused], filters: Filters, *, report: bool
    ) -> list[Fused]:
        """Return the definitions of the best code files among the hits, best first, and behind them the other hits.

        `queries` are the texts that the definitions are compared with, each with its share. A definition is its best chunk.
        Tests are left out of the comparison, unless the
        query or the filters are about them.
        """
        no_tests = filters.tests is None and not any(query.about_tests for query, _ in queries)
        chunks, ranks = self._candidates(hits[:POOL], replace(filters, tests=False) if no_tests else filters)
        if not chunks:
            return list(hits)
        ids = np.array([chunk.id for chunk in chunks], np.int64)
        # `of` maps a chunk to the position of its definition, in `owners` and in all arrays by definition.
        owners, first, of = np.unique([definition_id(chunk) for chunk in chunks], return_index=True, return_inverse=True)
        places = {hit.chunk_id: place for place, hit in enumerate(hits[:POOL], 1)}
        results = np.array([RESULT / (RESULT_K + places[chunk.id]) if chunk.id in places else 0.0 for chunk in chunks])
        files = self._store.files_of([hit.chunk_id for hit in hits])
        best_of: dict[str, float] = {}
        for hit in hits[:POOL]:
            if hit.chunk_id in files and "text" not in files[hit.chunk_id].marks and ("test" not in files[hit.chunk_id].marks or not no_tests):
                best_of.setdefault(files[hit.chunk_id].path, hit.score)
        gaps = np.array(list(best_of.values())[:FILES]); gaps = gaps - gaps[0]
        fit, merits = self._fit(queries, filters, ids, of)
        terms = {
            **fit,
            "file": (FILE_RANK_IN_REPORT * np.log(ranks[first]) if report else FILE_RANK * np.log(ranks[first]) + FILE_GAP * gaps[ranks[first] - 1]),
            "result": _most(results, of),
            "kind": np.array([_kind(chunks[at], report) for at in first.tolist()]),
        }
        totals = np.sum(list(terms.values()), axis=0)
        order = np.argsort(-totals, kind="stable")
        if not report:
            better = dict[int, int]()
            lost = np.zeros(len(order))
            for at in order.tolist():
                number = int(ranks[first[at]])
                lost[at] = REPEAT * better.get(number, 0)
                better[number] = better.get(number, 0) + 1
            totals = totals + lost
            order = np.argsort(-totals, kind="stable")
        rank_of = {name: _ranks(values) for name, values in terms.items() if name in self._signals}
        chosen: list[Fused] = []
        seen: set[int] = set()
        for at in order[: CHOSEN_IN_REPORT if report else CHOSEN].tolist():
            pieces = np.flatnonzero(of == at)
            pieces = pieces[np.argsort(-merits[pieces], kind="stable")]
            parts = tuple(
                SignalRank(name, int(rank_of[name][at]) if name in rank_of else 0, float(values[at]), float(values[at]))
                for name, values in terms.items()
                if values[at] or name in rank_of
            )
            chosen.append(Fused(int(ids[pieces[0]]), float(totals[at]), parts))
            seen.update(ids[pieces].tolist())
        rest = [hit for hit in hits if hit.chunk_id not in seen]
        return [*chosen, *_behind(rest, min(hit.score for hit in chosen))]

    def _candidates(self, hits: Sequence[Fused], filters: Filters) -> tuple[list[StoredChunk], NDArray[np.int64]]:
        """Return the allowed chunks of the best code files, in order of id, and for each chunk the rank of its file."""
        files = self._store.files_of([hit.chunk_id for hit in hits])
        allowed = self._store.allowed([hit.chunk_id for hit in hits], filters)
        paths = [
            files[hit.chunk_id].path
            for hit in hits
            if hit.chunk_id in allowed and hit.chunk_id in files and "text" not in files[hit.chunk_id].marks
        ]
        paths = list(dict.fromkeys(paths))[:FILES]
        chunks = [(chunk, rank) for rank, path in enumerate(paths, 1) for chunk in self._store.file_chunks(path)]
        allowed = self._store.allowed([chunk.id for chunk, _ in chunks], filters)
        pairs = sorted(((chunk, rank) for chunk, rank in chunks if chunk.id in allowed), key=lambda pair: pair[0].id)
        return [chunk for chunk, _ in pairs], np.array([rank for _, rank in pairs], np.int64)

    def _fit(
        self, queries: Sequence[tuple[Query, float]], filters: Filters, ids: NDArray[np.int64], of: NDArray[np.int64]
    ) -> tuple[dict[str, Floats], Floats]:
        """Return, by signal, how well each definition fits the queries, in standard deviations over all of them, weighted.

        Also return how well each chunk fits, to choose one of a definition.
        """
        count = int(of.max()) + 1
        fit = {name: np.zeros(count) for name in ("vector", "words", "related")}
        merits = np.zeros(len(ids))

        def add(name: str, weight: float, values: Floats) -> None:
            most = _most(values, of)
            spread = float(most.std()) or 1.0
            fit[name] += weight / spread * (most - most.mean())
            merits[:] += weight / spread * values

        for query, share in queries:
            if "words" in self._signals:
                add("words", share * WORDS, self._by_words(query.words, filters, ids))
            if "related" in self._signals and query.related:
                add("related", share * RELATED, self._by_words(query.related, filters, ids))
            if self._embedder is not None and "vector" in self._signals:
                near = self._store.similar(query_vector(self._embedder, query), ids)
                add("vector", share * VECTOR, _by_id(ids, near))
        return {name: values for name, values in fit.items() if values.any()}, merits

    def _by_words(self, words: Sequence[str], filters: Filters, ids: NDArray[np.int64]) -> Floats:
        # The limit of 1 is there because only the chunks of `also` count, however low they rank.
        return np.log1p(_by_id(ids, self._store.words(words, filters, 1, also=ids)))


def _most(values: Floats, of: NDArray[np.int64]) -> Floats:
    """Return the largest value of each definition."""
    most = np.full(int(of.max()) + 1, -np.inf)
    np.maximum.at(most, of, values)
    return most


def _kind(chunk: StoredChunk, report: bool) -> float:
    if chunk.kind in _VALUES:
        return VALUE
    if chunk.kind in CLASS_KINDS:
        return CLASS_IN_REPORT if report else CLASS
    return VALUE if report and chunk.kind == "module" else 0.0


def _behind(hits: Sequence[Fused], score: float) -> list[Fused]:
    """Return hits, in their order, with scores below a score."""
    if not hits or hits[0].score < score:
        return list(hits)
    lost = score - hits[0].score
    return [
        Fused(hit.chunk_id, hit.score + lost, (*hit.signals, SignalRank("behind", 0, lost, lost))) for hit in hits
    ]


def _by_id(ids: NDArray[np.int64], hits: Hits) -> Floats:
    """Return one score for each of `ids`, in their order. An id without a score gets 0."""
    score_of = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
    return np.array([score_of.get(chunk_id, 0.0) for chunk_id in ids.tolist()])


def _ranks(values: Floats) -> NDArray[np.int64]:
    ranks = np.empty(len(values), np.int64)
    ranks[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return ranks
