"""Rank files by all the evidence in them, then show the best chunk of each: every term named, every score a sum.

A question is about a place, and a place is a file before it is a chunk: evidence spread over a file's chunks adds up, its
name counts, and one file does not fill the list. docs/ranking.md explains each term and how its weight was chosen.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.results import SignalRank
from code_graph_indexer.retrieval.fuse import Fused, FusedScores, reciprocal_rank
from code_graph_indexer.retrieval.query import SHORT_STEM, Query, same_word
from code_graph_indexer.storage import CHUNK_MARKS, ChunkFile
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

REPEAT_PENALTY = -5.0
"""For each better chunk of the same file: one file does not fill the list, but a strong second chunk still shows."""

READER_REPEAT_PENALTY = -3.0
"""The same for who reads all of the list, as a language model does: the place is oftener in the second or third chunk of the
best file than in the eighth file."""

WORDS_IN_FILE = 0.6
"""How much more the words signal counts when the best chunk of a file is chosen: what a file is about all its chunks are near
to in meaning, their words tell them apart."""

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


class PathName(NamedTuple):
    """What ranking reads in a path.

    `words` of the path, the first letters of each as `stems`; `own` words of the file's name: of its first part between dots
    that is not generic, else of its folder; whether it is called `legacy`; the folder of a `version` in it (empty: none), and
    the path without that.
    """

    words: frozenset[str]
    stems: frozenset[str]
    own: tuple[str, ...]
    depth: int
    legacy: bool
    version: str
    unversioned: str


class Term(NamedTuple):
    """A boost or a penalty: its score for each file, and what it adds to the file's chunks."""

    name: str
    scores: Floats
    added: Floats


@lru_cache(maxsize=FILES_KEPT)
def _read_path(path: str) -> PathName:
    *parents, name = path.split("/")
    parts = name.rpartition(".")[0].split(".") if "." in name.lstrip(".") else [name]
    names = [_name_words(part) for part in (*parts, *parents[-1:])]
    own = next((words for words in names if not GENERIC_NAMES.issuperset(words)), names[-1])
    of_path = split_identifier(path.replace("/", "_"))
    words = frozenset(of_path).union(own)
    version = _VERSION_FOLDER.search(path)
    return PathName(
        words,
        frozenset(word[:SHORT_STEM] for word in words),
        tuple(own),
        len(parents),
        not LEGACY_WORDS.isdisjoint(of_path),
        version[1] if version else "",
        path[: version.start()] + path[version.end() :] if version else path,
    )


class Reranker:
    """Put fused chunks in the order in which they are shown."""

    def __init__(self, folder_boost: float = FOLDER_BOOST, repeat_penalty: float | None = None) -> None:
        self._folder_boost = folder_boost
        self._repeat_penalty = REPEAT_PENALTY if repeat_penalty is None else repeat_penalty

    def rank(
        self,
        fused: FusedScores,
        places: NDArray[np.void],
        files: Mapping[int, ChunkFile],
        query: Query,
        *,
        folders: Sequence[str] = (),
        recent: Mapping[str, float] = MappingProxyType({}),
        limit: int,
    ) -> list[Fused]:
        """Order chunks whose scores were fused, and show the first: each gets the terms of its file.

        `places` has the CHUNK_PLACE of each chunk, `files` each file by its id.
        """
        if not len(fused):
            return []
        numbers, of_file = np.unique(places["file_id"], return_inverse=True)
        found = [files[one] for one in numbers.tolist()]
        terms = self._terms_of(found, of_file, _evidence(fused, of_file), query, folders, recent)
        marks = _marks_of(places["mark"], [found[one] for one in of_file.tolist()], query)
        lost = np.zeros(len(fused))
        lost[list(marks)] = [one.contribution for one in marks.values()]
        order, better, scores = _in_files(fused, of_file, lost)
        totals = scores + self._repeat_penalty * better + np.sum([one.added for one in terms], axis=0)[of_file[order]]
        ranked: list[Fused] = []
        for at in np.lexsort((fused.ids[order], -totals))[:limit].tolist():
            place, before = int(order[at]), int(better[at])
            number = of_file[place]
            own = order[at : at + 1] if before else order[of_file[order] == number]
            signals = [*_best_parts(fused, own), *([marks[place]] if place in marks else [])]
            signals += _shown_terms(terms, number)
            if before:
                signals.append(SignalRank("repeat", before, self._repeat_penalty, self._repeat_penalty * before))
            ranked.append(Fused(int(fused.ids[place]), float(totals[at]), tuple(signals)))
        return ranked

    def _terms_of(
        self,
        files: Sequence[ChunkFile],
        of_file: Places,
        evidence: Floats,
        query: Query,
        folders: Sequence[str],
        recent: Mapping[str, float],
    ) -> list[Term]:
        """Name what each file adds to its chunks."""
        none = np.zeros(len(files))
        names = [_read_path(one.path) for one in files]
        marks = [_marks(one, query) if one.marks else () for one in files]
        depths = np.array([one.depth for one in names])
        deeper = np.clip(depths - np.sort(depths[of_file])[len(of_file) // 2], 0, MAX_DEPTH)
        preferred = np.array([_preferred(one, folders) for one in files] if folders else none, np.float64)
        stem, path = _named(names, marks, query)
        times = np.array([recent.get(one.path, 0.0) for one in files] if recent else none)
        return [
            Term("file", evidence, evidence),
            Term("stem", stem, STEM_BOOST * stem),
            Term("path", path, PATH_BOOST * path),
            *(
                Term(mark, held, penalty * held)
                for mark, penalty in PENALTIES.items()
                if (held := np.array([mark in one for one in marks], np.float64)).any()
            ),
            Term("legacy", held := _legacy(files, names, query), LEGACY_PENALTY * held),
            Term("folder", preferred, self._folder_boost * preferred),
            # How deep a folder lies says nothing once it is asked for.
            Term("depth", deeper, DEPTH_PENALTY * deeper * (1 - preferred)),
            Term("recent", times, RECENCY_WEIGHT * times),
        ]

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


def _named(names: Sequence[PathName], marks: Sequence[Collection[str]], query: Query) -> tuple[Floats, Floats]:
    """Say of each file whether its name is of words of the query, and which share of the query its path speaks of.

    The name of a test repeats that of the code, and its folders are many: neither counts.
    """
    asked: dict[str, list[str]] = defaultdict(list)
    for word in query.words:
        asked[word[:SHORT_STEM]].append(word)
    stems, forms = frozenset(asked), dict[str, frozenset[str]]()
    stem, path = np.zeros(len(names)), np.zeros(len(names))
    for place, name in enumerate(names):
        if name.stems.isdisjoint(stems) or "test" in marks[place]:
            continue
        for word in name.words - forms.keys():
            forms[word] = frozenset(other for other in asked.get(word[:SHORT_STEM], ()) if same_word(word, other))
        path[place] = len(frozenset[str]().union(*(forms[word] for word in name.words))) / len(query.words)
        stem[place] = bool(name.own) and all(forms[word] for word in name.own)
    return stem, path


def _legacy(files: Sequence[ChunkFile], names: Sequence[PathName], query: Query) -> Floats:
    """Mark the files kept for old callers: called so, or in the folder of a version (`v1/`) beside one that is in none."""
    held = np.zeros(len(files))
    if LEGACY_WORDS.isdisjoint(query.words):
        there = {one.path for one in files}
        for place, name in enumerate(names):
            replaced = name.version and name.unversioned in there and name.version not in query.text
            held[place] = name.legacy or bool(replaced)
    return held


def _shown_terms(terms: Sequence[Term], file: int) -> list[SignalRank]:
    """Write the terms of a file."""
    return [
        SignalRank(one.name, 0, float(one.scores[file]), float(one.added[file])) for one in terms if one.added[file]
    ]


def _marks(file: ChunkFile, query: Query) -> list[str]:
    """Name what a file is, where that speaks against it."""
    return [mark for mark in file.marks if mark != "test" or not query.about_tests]


def _preferred(file: ChunkFile, folders: Sequence[str]) -> bool:
    return any(file.path.startswith(folder.strip("/") + "/") for folder in folders)


def _name_words(name: str) -> list[str]:
    return [word for word in split_identifier(name) if not word.isdigit()]


def _marks_of(marks: NDArray[np.int8], files: Sequence[ChunkFile], query: Query) -> dict[int, SignalRank]:
    """Name what some chunks are, by their places, where that is held against them."""
    found: dict[int, SignalRank] = {}
    for place in np.flatnonzero(marks).tolist():
        mark = CHUNK_MARKS[marks[place]]
        if penalty := _mark_penalty(mark, files[place], query):
            found[place] = SignalRank(mark, 0, penalty, penalty)
    return found


def _in_files(fused: FusedScores, of_file: Places, lost: Floats) -> tuple[Places, Places, Floats]:
    """Put the chunks of each file together, best first: return their places, how many better ones of its file each has, and
    what each has by itself.

    `lost` is what each chunk loses by its mark. The best chunk of a file has, of each signal, the most that any chunk of the
    file has.
    """
    scores = fused.shares.sum(axis=0) + lost
    words = fused.row("words")
    merits = scores if words is None else scores + WORDS_IN_FILE * fused.shares[words]
    order = np.lexsort((fused.ids, -merits, of_file))
    starts = np.searchsorted(of_file[order], np.arange(int(of_file.max()) + 1))
    better = np.arange(len(order)) - starts[of_file[order]]
    found = scores[order]
    most = np.maximum.reduceat(np.where(fused.ranks > 0, fused.shares, -np.inf)[:, order], starts, axis=1)
    found[starts] = np.where(np.isfinite(most), most, 0).sum(axis=0) + lost[order[starts]]
    return order, better, found


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
