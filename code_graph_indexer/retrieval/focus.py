"""Go from the best files for a report to the definitions in them that have to change: all of them are compared with it.

docs/explanation/ranking.md explains the terms of the score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.fuse import Fused, reciprocal_rank
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.retrieval.results import SignalRank
from code_graph_indexer.retrieval.search import VectorOf
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.records import StoredChunk, definition_id
from code_graph_indexer.syntax.records import CLASS_KINDS

FILES, POOL = 8, 30
"""The most files whose definitions are compared, best first, and the number of results from which they are taken."""

RESULT_TERM, RESULT, RESULT_K = "result", 5.0, 10
"""Name, weight and constant of the reciprocal rank that a definition has in the search itself."""

CHOSEN = 30
"""The most definitions that come before all other results. What has to change is often several functions of a file."""

FILE_RANK = -0.75
"""Weight of the natural logarithm of the rank of a definition's file, from 1."""

NO_FUNCTION = -3.0
"""What classes, fields and the statements of a file lose. A fix edits functions, not whole classes."""

_NO_FUNCTIONS = CLASS_KINDS | {"field", "property", "variable", "constant", "module"}

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Definitions:
    """The definitions of the best files.

    * `chunks`: their chunks, in order of id. A long definition has several.
    * `of`: for each chunk, the position of its definition in the arrays by definition.
    * `first`: for each definition, the position of its first chunk.
    * `ranks`: for each definition, the rank of its file.
    """

    chunks: Sequence[StoredChunk]
    of: Positions
    first: Positions
    ranks: Positions


class Focus:
    """A sorter of the definitions in the best files of a search, by some of its signals."""

    def __init__(self, store: Store, vector_of: VectorOf | None, signals: Sequence[str]) -> None:
        self._store = store
        self._vector_of = vector_of
        self._signals = signals

    def ranked(
        self,
        queries: Sequence[tuple[Query, float]],
        hits: Sequence[Fused],
        filters: Filters,
    ) -> list[Fused]:
        """Return the definitions of the best code files among the hits, best first, and behind them the other hits.

        `queries` are the texts that the definitions are compared with, each with its share. The hit of a definition is its
        best chunk. Tests are left out of the comparison, unless the query or the filters are about them.
        """
        no_tests = filters.tests is None and not any(query.about_tests for query, _ in queries)
        definitions = self._definitions(hits[:POOL], replace(filters, tests=False) if no_tests else filters)
        if definitions is None:
            return list(hits)
        ids = np.array([chunk.id for chunk in definitions.chunks], np.int64)
        fit, merits = self._fit(queries, filters, ids, definitions.of)
        places = {hit.chunk_id: rank for rank, hit in enumerate(hits[:POOL], 1)}
        result_ranks = np.array([places.get(chunk.id, 0) for chunk in definitions.chunks])
        results = np.where(result_ranks > 0, RESULT * reciprocal_rank(result_ranks, RESULT_K), 0.0)
        terms = {
            **fit,
            "file": FILE_RANK * np.log(definitions.ranks),
            RESULT_TERM: _most(results, definitions.of),
            "kind": np.array([_kind(definitions.chunks[at].kind) for at in definitions.first.tolist()]),
        }
        totals = np.sum(list(terms.values()), axis=0)
        signal_ranks = {name: _ranks(terms[name]) for name in fit}
        chosen: list[Fused] = []
        seen: set[int] = set()
        for at in np.argsort(-totals, kind="stable")[:CHOSEN].tolist():
            pieces = np.flatnonzero(definitions.of == at)
            parts = tuple(
                SignalRank(
                    name, int(signal_ranks[name][at]) if name in fit else 0, float(scores[at]), float(scores[at])
                )
                for name, scores in terms.items()
                if scores[at] or name == RESULT_TERM
            )
            chosen.append(Fused(int(ids[pieces[merits[pieces].argmax()]]), float(totals[at]), parts))
            seen.update(ids[pieces].tolist())
        rest = [hit for hit in hits if hit.chunk_id not in seen]
        return [*chosen, *_behind(rest, chosen[-1].score)]

    def _definitions(self, hits: Sequence[Fused], filters: Filters) -> _Definitions | None:
        """Return the allowed definitions of the best code files among the hits, or None if there is none."""
        files = self._store.files_of([hit.chunk_id for hit in hits])
        allowed = self._store.allowed([hit.chunk_id for hit in hits], filters)
        best: dict[str, None] = {}
        for hit in hits:
            file = files.get(hit.chunk_id)
            if file is not None and hit.chunk_id in allowed and "text" not in file.marks:
                best.setdefault(file.path)
        paths = list(best)[:FILES]
        of_files = [(chunk, rank) for rank, path in enumerate(paths, 1) for chunk in self._store.file_chunks(path)]
        # Only some chunks of a file may be allowed.
        allowed = self._store.allowed([chunk.id for chunk, _ in of_files], filters)
        pairs = sorted((pair for pair in of_files if pair[0].id in allowed), key=lambda pair: pair[0].id)
        if not pairs:
            return None
        chunks = [chunk for chunk, _ in pairs]
        owners = [definition_id(chunk) for chunk in chunks]
        _, first, of = np.unique(owners, return_index=True, return_inverse=True)
        return _Definitions(chunks, of, first, np.array([rank for _, rank in pairs], np.int64)[first])

    def _fit(
        self,
        queries: Sequence[tuple[Query, float]],
        filters: Filters,
        ids: Positions,
        of: Positions,
    ) -> tuple[dict[str, Floats], Floats]:
        """Return, by signal, how well each definition fits the queries, and how well each chunk does by all signals."""
        fit: dict[str, Floats] = {}
        merits = np.zeros(len(ids))
        for query, share in queries:
            for name, scores in self._scores(query, filters, ids):
                most = _most(scores, of)
                # If all are equal, they say nothing.
                weight = share * SIGNALS[name].of_definitions / (float(most.std()) or 1.0)
                fit[name] = fit.get(name, 0.0) + weight * (most - most.mean())
                merits += weight * scores
        return fit, merits

    def _scores(self, query: Query, filters: Filters, ids: Positions) -> list[tuple[str, Floats]]:
        """Return the score of each chunk by each signal."""
        # The limit of 1 is there because only the chunks of `also` count, however low they rank.
        scores = [
            (name, np.log1p(by_id(ids, self._store.words(words, filters, 1, also=ids))))
            for name, words in (("words", query.words), ("related", query.related))
            if name in self._signals and words
        ]
        if self._vector_of is not None:
            scores.append(("vector", by_id(ids, self._store.similar(self._vector_of(query), ids))))
        return scores


def _kind(kind: str) -> float:
    return NO_FUNCTION if kind in _NO_FUNCTIONS else 0.0


def _behind(hits: Sequence[Fused], score: float) -> list[Fused]:
    """Return hits in their order, none with a score above this."""
    lost = min(0.0, score - hits[0].score) if hits else 0.0
    if not lost:
        return list(hits)
    part = SignalRank("behind", 0, lost, lost)
    return [Fused(hit.chunk_id, hit.score + lost, (*hit.signals, part)) for hit in hits]


def by_id(ids: Positions, hits: Hits) -> Floats:
    """Return one score for each of `ids`, in their order. An id without a score gets 0."""
    score_of = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
    return np.array([score_of.get(chunk_id, 0.0) for chunk_id in ids.tolist()])


def _most(scores: Floats, of: Positions) -> Floats:
    """Return the largest score of each definition. `of` has, for each chunk, the position of its definition."""
    most = np.full(int(of.max()) + 1, -np.inf)
    np.maximum.at(most, of, scores)
    return most


def _ranks(scores: Floats) -> Positions:
    """Return the rank of each score, from 1 for the largest."""
    ranks = np.empty(len(scores), np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks
