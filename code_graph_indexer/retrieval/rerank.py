"""Rank files by all the evidence in them, then show the best chunk of each: every term named, every score a sum.

A question is about a place, and a place is a file before it is a chunk: evidence spread over a file's chunks adds up, its
name counts, and one file does not fill the list. docs/ranking.md explains each term and how its weight was chosen.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.records import SignalRank
from code_graph_indexer.retrieval.fuse import Fused, FusedScores, reciprocal_rank
from code_graph_indexer.retrieval.query import SHORT_STEM, Query, same_word
from code_graph_indexer.storage import ChunkFile
from code_graph_indexer.words import split_identifier

FILE_WORDS, FILE_VECTOR = 1.25, 0.75
"""What a file gets for what its chunks say together: for their hits by words, and for the nearest of them, at most."""

WORD_HITS, EVIDENCE_K = 60, 60
"""Hits of the words signal that count as evidence for their file, and the constant of their reciprocal ranks."""

NEAREST_HITS = 2
"""Chunks of a file whose nearness counts as evidence: one is near by chance more often than two."""

STEM_BOOST = 1.8
"""Every word of the file's name (of its folder's, where the name is generic) is a form of a word of the query."""

PATH_BOOST = 3.0
"""All words of the query are in a path, by a form of each; a share of them has a share of it."""

RECENCY_WEIGHT = 3.0
"""What the file changed last adds, for a question that asks for what is new."""

FOLDER_BOOST = 1.3
"""A folder that the caller prefers: added to a fused score, a factor of one of reciprocal ranks."""

PENALTIES: Mapping[str, float] = {"test": -2.5, "example": -0.5, "generated": -1.0, "vendored": -1.0, "text": -3.0}
"""What stands beside the code repeats its words, and is rarely what is asked for."""

DEPTH_PENALTY, MAX_DEPTH = -1.25, 2
"""For each folder, up to so many, that a file lies deeper than half of what was found: details lie deep."""

LEGACY_PENALTY = -3.0
"""A file kept for old callers: it repeats what has taken its place."""

DECLARATION_PENALTY = -1.0
"""A prototype or an abstract method, where another chunk defines what it declares."""

REPEAT_PENALTY = -7.0
"""For each better chunk of the same file: one file does not fill the list, but a strong second chunk still shows."""

GENERIC_NAMES = frozenset(
    {
        *("api", "base", "common", "core", "d", "helpers", "impl", "index", "init", "internal"),
        *("lib", "main", "mod", "root", "types", "util", "utils"),
    }
)
"""File names that say nothing: their folder's name does."""

LEGACY_WORDS = frozenset({"compat", "deprecated", "legacy", "obsolete"})
"""Words of the path of what is kept for old callers."""

FILES_KEPT = 20_000
"""Files whose names are kept split."""

RRF_PENALTIES: Mapping[str, float] = {"test": 0.7, "example": 0.85, "generated": 0.6, "vendored": 0.6, "text": 0.8}
"""Factors on the scores of reciprocal rank fusion, which are too small for sums."""

_VERSION_FOLDER = re.compile(r"(?<![^/])(v\d+)/")

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Terms = list[tuple[str, float, float]]
Forms = Mapping[str, frozenset[str]]


class Reranker:
    """Put fused chunks in the order in which they are shown."""

    def __init__(self, folder_boost: float = FOLDER_BOOST) -> None:
        self._folder_boost = folder_boost

    def rank(
        self,
        fused: FusedScores,
        files: Mapping[int, ChunkFile],
        query: Query,
        *,
        chunk_marks: Mapping[int, str] = MappingProxyType({}),
        folders: Sequence[str] = (),
        recent: Mapping[str, float] = MappingProxyType({}),
        limit: int,
    ) -> list[Fused]:
        """Order chunks whose scores were fused, and show the first: each gets the terms of its file."""
        if not len(fused):
            return []
        by_chunk = [files[one] for one in fused.ids.tolist()]
        ids = np.array([one.id for one in by_chunk])
        _, firsts, of_file = np.unique(ids, return_index=True, return_inverse=True)
        terms = self._terms_of(
            [by_chunk[one] for one in firsts.tolist()],
            sorted([one.path.count("/") for one in by_chunk])[len(by_chunk) // 2],
            _evidence(fused, of_file).tolist(),
            query,
            folders,
            recent,
        )
        marks = _marks_of(fused, by_chunk, chunk_marks, query)
        lost = np.zeros(len(fused))
        lost[list(marks)] = [one.contribution for one in marks.values()]
        added = np.array([sum([term[2] for term in one]) for one in terms])
        order, better, totals = _totals(fused, of_file, lost, added)
        ranked: list[Fused] = []
        for at in np.lexsort((fused.ids[order], -totals))[:limit].tolist():
            place, before = int(order[at]), int(better[at])
            number = of_file[place]
            own = order[at : at + 1] if before else order[of_file[order] == number]
            signals = [*_best_parts(fused, own), *([marks[place]] if place in marks else [])]
            signals += _shown_terms(terms[number], before)
            ranked.append(Fused(int(fused.ids[place]), float(totals[at]), tuple(signals)))
        return ranked

    def _terms_of(
        self,
        files: Sequence[ChunkFile],
        usual_depth: int,
        evidence: Sequence[float],
        query: Query,
        folders: Sequence[str],
        recent: Mapping[str, float],
    ) -> list[Terms]:
        """Name what each file adds to its chunks."""
        paths = {one.path for one in files}
        forms, legacy = _forms(paths, query), _legacy(paths, query)
        found: list[Terms] = []
        for file, together in zip(files, evidence, strict=True):
            terms = _terms(file, together, query, forms)
            if file.path in legacy:
                terms.append(("legacy", LEGACY_PENALTY, LEGACY_PENALTY))
            if folders and _preferred(file, folders):
                terms.append(("folder", self._folder_boost, self._folder_boost))
            elif (deeper := min(file.path.count("/") - usual_depth, MAX_DEPTH)) > 0:
                # How deep a folder lies says nothing once it is asked for.
                terms.append(("depth", deeper, DEPTH_PENALTY * deeper))
            if weight := recent.get(file.path):
                terms.append(("recent", weight, RECENCY_WEIGHT * weight))
            found.append(terms)
        return found

    def weigh(
        self, fused: Sequence[Fused], files: Mapping[int, ChunkFile], query: Query, folders: Sequence[str]
    ) -> list[Fused]:
        """Order chunks whose ranks were fused: each score times the factors of its file."""
        weighed: list[Fused] = []
        for one in fused:
            file, score = files[one.chunk_id], one.score
            factors = {name: RRF_PENALTIES[name] for name in _marks(file, query)}
            if _preferred(file, folders):
                factors["folder"] = self._folder_boost
            signals = list(one.signals)
            for name, factor in factors.items():
                signals.append(SignalRank(name, 0, factor, score * (factor - 1)))
                score *= factor
            weighed.append(Fused(one.chunk_id, score, tuple(signals)))
        return sorted(weighed, key=lambda one: (-one.score, one.chunk_id))


def _evidence(fused: FusedScores, of_file: Places) -> Floats:
    """Weigh what each file's chunks say together.

    By words, the reciprocal ranks of its chunks among the first hits, of which the best file has 1; by meaning, the mean
    similarity of its nearest chunks, of which the nearest chunk of all has 1.
    """
    found = np.zeros(int(of_file.max()) + 1)
    if (words := fused.row("words")) is not None:
        ranks = fused.ranks[words]
        first = np.flatnonzero((ranks > 0) & (ranks <= WORD_HITS))
        by_words = np.bincount(of_file[first], reciprocal_rank(ranks[first], EVIDENCE_K), len(found))
        found += FILE_WORDS * by_words / (by_words.max() or 1.0)
    if (vector := fused.row("vector")) is not None and (best := fused.scores[vector].max()) > 0:
        order = np.lexsort((-fused.scores[vector], of_file))
        place = np.arange(len(order)) - np.searchsorted(of_file[order], of_file[order])
        near = order[place < NEAREST_HITS]
        together = np.bincount(of_file[near], fused.scores[vector][near], len(found)) / NEAREST_HITS
        found += FILE_VECTOR * together / best
    return found


def _forms(paths: Iterable[str], query: Query) -> Forms:
    """Give each word of the paths that is a form of words of the query those words."""
    asked: dict[str, list[str]] = defaultdict(list)
    for word in query.words:
        asked[word[:SHORT_STEM]].append(word)
    words = frozenset[str]().union(*map(_path_words, paths), *map(_file_words, paths))
    forms = {
        word: frozenset(other for other in asked[word[:SHORT_STEM]] if same_word(word, other))
        for word in words
        if word[:SHORT_STEM] in asked
    }
    return {word: others for word, others in forms.items() if others}


def _legacy(paths: Collection[str], query: Query) -> frozenset[str]:
    """Name the files kept for old callers: called so, or in the folder of a version (`v1/`) beside one that is in none."""
    if not LEGACY_WORDS.isdisjoint(query.words):
        return frozenset()
    found = {path for path in paths if not LEGACY_WORDS.isdisjoint(_path_words(path))}
    for path in paths:
        version = _VERSION_FOLDER.search(path)
        if version and path[: version.start()] + path[version.end() :] in paths and version[1] not in query.text:
            found.add(path)
    return frozenset(found)


def _terms(file: ChunkFile, evidence: float, query: Query, forms: Forms) -> Terms:
    """Name what a file adds to its chunks."""
    terms: Terms = [("file", evidence, evidence)] if evidence else []
    marks = _marks(file, query) if file.marks else []
    # The name of a test repeats that of the code, and its folders are many.
    if "test" not in marks and not (path := _path_words(file.path)).isdisjoint(forms):
        if (name := _file_words(file.path)) and all(word in forms for word in name):
            terms.append(("stem", STEM_BOOST, STEM_BOOST))
        spoken = frozenset[str]().union(*(forms[word] for word in path if word in forms))
        share = PATH_BOOST * len(spoken) / len(query.words)
        terms.append(("path", share, share))
    terms += [(mark, PENALTIES[mark], PENALTIES[mark]) for mark in marks]
    return terms


def _shown_terms(terms: Terms, better: int) -> list[SignalRank]:
    """Write the terms of a file, and what its chunk loses by so many better ones of the file."""
    shown = [SignalRank(name, 0, score, contribution) for name, score, contribution in terms]
    return shown + ([SignalRank("repeat", better, REPEAT_PENALTY, REPEAT_PENALTY * better)] if better else [])


def _marks(file: ChunkFile, query: Query) -> list[str]:
    """Name what a file is, where that speaks against it."""
    return [mark for mark in file.marks if mark != "test" or not query.about_tests]


def _preferred(file: ChunkFile, folders: Sequence[str]) -> bool:
    return any(file.path.startswith(folder.strip("/") + "/") for folder in folders)


@lru_cache(maxsize=FILES_KEPT)
def _path_words(path: str) -> frozenset[str]:
    """List the words of a path."""
    return frozenset(split_identifier(path.replace("/", "_")))


@lru_cache(maxsize=FILES_KEPT)
def _file_words(path: str) -> list[str]:
    """List the words of a file's name: of its first part between dots that is not generic, else of its folder."""
    *parents, name = path.split("/")
    parts = name.rpartition(".")[0].split(".") if "." in name.lstrip(".") else [name]
    names = [_name_words(part) for part in (*parts, *parents[-1:])]
    return next((words for words in names if not GENERIC_NAMES.issuperset(words)), names[-1])


def _name_words(name: str) -> list[str]:
    return [word for word in split_identifier(name) if not word.isdigit()]


def _marks_of(
    fused: FusedScores, by_chunk: Sequence[ChunkFile], chunk_marks: Mapping[int, str], query: Query
) -> dict[int, SignalRank]:
    """Name what some chunks are, by their places, where that is held against them."""
    found: dict[int, SignalRank] = {}
    for place in np.flatnonzero(np.isin(fused.ids, list(chunk_marks))).tolist():
        mark = chunk_marks[int(fused.ids[place])]
        if penalty := _mark_penalty(mark, by_chunk[place], query):
            found[place] = SignalRank(mark, 0, penalty, penalty)
    return found


def _totals(fused: FusedScores, of_file: Places, lost: Floats, added: Floats) -> tuple[Places, Places, Floats]:
    """Put the chunks of each file together, best first: return their places, how many better ones of its file each has, and
    its total.

    `lost` is what each chunk loses by its mark, `added` what each file's terms add. The best chunk of a file has, of each
    signal, the most that any chunk of the file has.
    """
    scores = fused.shares.sum(axis=0) + lost
    order = np.lexsort((fused.ids, -scores, of_file))
    starts = np.searchsorted(of_file[order], np.arange(len(added)))
    better = np.arange(len(order)) - starts[of_file[order]]
    totals = scores[order] + REPEAT_PENALTY * better
    most = np.maximum.reduceat(np.where(fused.ranks > 0, fused.shares, -np.inf)[:, order], starts, axis=1)
    totals[starts] = np.where(np.isfinite(most), most, 0).sum(axis=0) + lost[order[starts]]
    return order, better, totals + added[of_file[order]]


def _best_parts(fused: FusedScores, places: Places) -> list[SignalRank]:
    """Of each signal, say the most that it gave to any of these chunks."""
    shares = np.where(fused.ranks[:, places] > 0, fused.shares[:, places], -np.inf)
    best = places[shares.argmax(axis=1)].tolist()
    return [fused.part(row, place) for row, place in enumerate(best) if fused.ranks[row, place]]


def _mark_penalty(mark: str, file: ChunkFile, query: Query) -> float:
    """Give the penalty of a chunk's own mark, nothing where its file has it already."""
    if mark in file.marks or (mark == "test" and query.about_tests):
        return 0.0
    return DECLARATION_PENALTY if mark == "declaration" else PENALTIES[mark]
