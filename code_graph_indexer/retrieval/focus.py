"""Go from the best files of a search to the definitions in them that answer: all of them are compared with the query.

A search finds the file of a question in other words than the code's more often than the right function in it.
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
from code_graph_indexer.storage.arrays import Hits, distinct
from code_graph_indexer.storage.records import StoredChunk, definition_id
from code_graph_indexer.syntax.records import CLASS_KINDS

FILES, POOL = 8, 30
"""The most files whose definitions are compared, best first, and the number of results from which they are taken."""

MOST_DEVIATIONS = 4.0
"""The most standard deviations that count. A word that a single definition has would else outweigh all."""

RESULT_TERM, RESULT, RESULT_K = "result", 5.0, 10
"""Name, weight and constant of the reciprocal rank that a definition has in the search itself."""

VALUE = -3.0
"""What a field, variable or constant loses."""

_VALUES = frozenset({"field", "property", "variable", "constant"})

Floats = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Manner:
    """A manner of ranking definitions.

    * `chosen`: the most definitions that come before all other results.
    * `file_rank`: weight of the natural logarithm of the rank of a definition's file, from 1.
    * `file_gap`: weight of what the best result of the file has less than the best result of all.
    * `repeat`: what a definition loses for each better definition of its file.
    * `classes`, `modules`: what a class gains, and what a file's imports and statements gain.
    """

    chosen: int
    file_rank: float
    file_gap: float
    repeat: float
    classes: float
    modules: float


QUESTION = Manner(chosen=2, file_rank=-0.3, file_gap=0.7, repeat=-2.0, classes=0.5, modules=-0.5)
"""For a question, a few definitions come first. Behind them stay the results of the search, which are of more files."""

REPORT = Manner(chosen=30, file_rank=-0.75, file_gap=0.0, repeat=0.0, classes=-3.0, modules=-3.0)
"""A report wants the functions to change, which are often several of a file. A fix edits functions, not whole classes."""


@dataclass(frozen=True, slots=True)
class _Definitions:
    """The definitions of the best files.

    * `chunks`: their chunks, in order of id. A long definition has several.
    * `of`: for each chunk, the position of its definition in the arrays by definition.
    * `first`: for each definition, the position of its first chunk.
    * `ranks`, `gaps`: for each definition, the rank of its file, and how much less its best result has than the best of all.
    """

    chunks: Sequence[StoredChunk]
    of: Positions
    first: Positions
    ranks: Positions
    gaps: Floats


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
        manner: Manner,
        tests: Hits | None = None,
    ) -> list[Fused]:
        """Return the definitions of the best code files among the hits, best first, and behind them the other hits.

        `queries` are the texts that the definitions are compared with, each with its share. The hit of a definition is its
        best chunk. `tests` are the hits of that signal. Tests themselves are left out of the comparison, unless the query or
        the filters are about them.
        """
        no_tests = filters.tests is None and not any(query.about_tests for query, _ in queries)
        definitions = self._definitions(hits[:POOL], replace(filters, tests=False) if no_tests else filters)
        if definitions is None:
            return list(hits)
        ids = np.array([chunk.id for chunk in definitions.chunks], np.int64)
        fit, merits = self._fit(queries, filters, ids, definitions.of, tests)
        places = {hit.chunk_id: rank for rank, hit in enumerate(hits[:POOL], 1)}
        result_ranks = np.array([places.get(chunk.id, 0) for chunk in definitions.chunks])
        results = np.where(result_ranks > 0, RESULT * reciprocal_rank(result_ranks, RESULT_K), 0.0)
        terms = {
            **fit,
            "file": manner.file_rank * np.log(definitions.ranks) + manner.file_gap * definitions.gaps,
            RESULT_TERM: _most(results, definitions.of),
            "kind": np.array([_kind(definitions.chunks[at].kind, manner) for at in definitions.first.tolist()]),
        }
        repeats = manner.repeat * _better(np.sum(list(terms.values()), axis=0), definitions.ranks)
        terms["repeat"] = repeats
        totals = np.sum(list(terms.values()), axis=0)
        signal_ranks = {name: _ranks(terms[name]) for name in fit}
        chosen: list[Fused] = []
        seen: set[int] = set()
        for at in np.argsort(-totals, kind="stable")[: manner.chosen].tolist():
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
        best: dict[str, float] = {}
        for hit in hits:
            file = files.get(hit.chunk_id)
            if file is not None and hit.chunk_id in allowed and "text" not in file.marks:
                best.setdefault(file.path, hit.score)
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
        ranks = np.array([rank for _, rank in pairs], np.int64)[first]
        scores = np.array(list(best.values()))
        return _Definitions(chunks, of, first, ranks, scores[ranks - 1] - scores[0])

    def _fit(
        self,
        queries: Sequence[tuple[Query, float]],
        filters: Filters,
        ids: Positions,
        of: Positions,
        tests: Hits | None,
    ) -> tuple[dict[str, Floats], Floats]:
        """Return, by signal, how well each definition fits the queries, and how well each chunk does by all signals."""
        fit: dict[str, Floats] = {}
        merits = np.zeros(len(ids))
        for query, share in queries:
            lent = [("tests", by_id(ids, tests))] if tests is not None else []
            for name, scores in (*self._scores(query, filters, ids), *lent):
                most = _most(scores, of)
                # If all are equal, they say nothing.
                whole = share * SIGNALS[name].of_definitions
                weight = whole / (float(most.std()) or 1.0)
                highest = whole * MOST_DEVIATIONS
                fit[name] = fit.get(name, 0.0) + np.minimum(weight * (most - most.mean()), highest)
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


def _kind(kind: str, manner: Manner) -> float:
    if kind in _VALUES:
        return VALUE
    return manner.classes if kind in CLASS_KINDS else manner.modules if kind == "module" else 0.0


def _better(scores: Floats, files: Positions) -> Positions:
    """Return for each definition the number of better definitions in its file."""
    better = np.zeros(len(scores), np.int64)
    for file in distinct(files).tolist():
        inside = np.flatnonzero(files == file)
        better[inside] = _ranks(scores[inside]) - 1
    return better


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
