"""Rank files by all the evidence in them, and show the best chunk of each. Every score is a sum of named terms.

A question is about a file before it is about a chunk. So the evidence of a file's chunks adds up, the file's name counts, and
one file does not fill the list. docs/explanation/ranking.md explains each term and how its weight was chosen.
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
"""The most that a file gets for all its chunks together: for their hits by words, and for their nearness by vectors."""

WORD_HITS, EVIDENCE_K = 60, 60
"""Hits of the words signal that count as evidence for their file, and the constant of their reciprocal ranks."""

NEAREST_HITS = 2
"""Chunks of a file whose nearness counts as evidence: one is near by chance more often than two."""

STEM_BOOST = 1.8
"""Boost if every word of the file's name is a form of a query word. If the name is generic, its folder's name counts."""

PATH_BOOST = 3.0
"""Boost if all words of the query are in the path, in any form. A share of the words gets this share of the boost."""

RECENCY_WEIGHT = 3.0
"""Boost of the file that was changed last, if the question asks for what is new."""

FOLDER_BOOST = 1.3
"""Boost of a folder that the caller prefers. It is added to a score fused by scores, and multiplies one fused by ranks."""

PENALTIES: Mapping[str, float] = {"test": -2.5, "example": -0.5, "generated": -1.0, "vendored": -1.0, "text": -3.0}
"""Penalties of files that stand beside the code. They repeat its words, and are rarely what the query asks for."""

DEPTH_PENALTY, MAX_DEPTH = -1.25, 2
"""Penalty for each folder that a file lies deeper than the median hit, and the most folders that count: details lie deep."""

LEGACY_PENALTY = -3.0
"""Penalty of a file that stays for old callers: it repeats what has taken its place."""

DECLARATION_PENALTY = -1.0
"""Penalty of a prototype or an abstract method, if another chunk defines what it declares."""

REPEAT_PENALTY = -5.0
"""Penalty for each better chunk of the same file: one file does not fill the list, but a strong second chunk still shows."""

READER_REPEAT_PENALTY = -3.0
"""The same penalty for a list that a language model reads to its end.

There the place is oftener in the second or third chunk of the best file than in the eighth file."""

WORDS_IN_FILE = 0.6
"""How much more the words signal counts when the best chunk of a file is chosen.

All chunks of a file are near its subject in meaning, so their words tell them apart."""

GENERIC_NAMES = frozenset(
    {
        *("api", "base", "common", "core", "d", "helpers", "impl", "index", "init", "internal"),
        *("lib", "main", "mod", "root", "types", "util", "utils"),
    }
)
"""File names that say nothing. The name of their folder is read instead."""

LEGACY_WORDS = frozenset({"compat", "deprecated", "legacy", "obsolete"})
"""Words in the path of a file that stays for old callers."""

FILES_KEPT = 20_000
"""Paths whose words are remembered between queries."""

RRF_PENALTIES: Mapping[str, float] = {"test": 0.7, "example": 0.85, "generated": 0.6, "vendored": 0.6, "text": 0.8}
"""Factors on the scores of reciprocal rank fusion, which are too small for sums."""

_VERSION_FOLDER = re.compile(r"(?<![^/])(v\d+)/")

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class PathName(NamedTuple):
    """The parts of a path that ranking reads.

    `words` are the words of the path, `stems` their first letters. `name_words` are the words of the file's name, up to the
    first dot. If all of these are generic (`index`, `main`), they are the words of the folder's name. `version` is the
    version folder in the path (`v1`), or empty, and `unversioned` the path without that folder.
    """

    words: frozenset[str]
    stems: frozenset[str]
    name_words: tuple[str, ...]
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
    # `cart.test.ts` has the parts `cart` and `test`. The leading dot of `.bashrc` begins no extension.
    parts = name.rpartition(".")[0].split(".") if "." in name.lstrip(".") else [name]
    names = [_name_words(part) for part in (*parts, *parents[-1:])]
    name_words = next((words for words in names if not GENERIC_NAMES.issuperset(words)), names[-1])
    of_path = split_identifier(path.replace("/", "_"))
    words = frozenset(of_path).union(name_words)
    version = _VERSION_FOLDER.search(path)
    return PathName(
        words,
        frozenset(word[:SHORT_STEM] for word in words),
        tuple(name_words),
        len(parents),
        not LEGACY_WORDS.isdisjoint(of_path),
        version[1] if version else "",
        path[: version.start()] + path[version.end() :] if version else path,
    )


class Reranker:
    """Order fused chunks by boosts and penalties, each of which is shown in the result's `signals`.

    `folder_boost` is added for a preferred folder. `repeat_penalty` is added for each better chunk of the same file.

    Example:
        >>> from code_graph_indexer import CodeRetriever
        >>> retriever = CodeRetriever(indexer.store, None, repeat_penalty=-1.0)
        >>> retriever.retrieve("add_tax", limit=1)[0].name
        'add_tax'
    """

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
        """Return the best `limit` chunks. Each gets the terms of its file on top of its fused score.

        `places` are the CHUNK_TRAITS of the chunks, in the order of `fused`. `files` maps file ids to files.
        """
        if not len(fused):
            return []
        # `of_file` maps a chunk to the position of its file, in `ranked_files` and in all arrays by file.
        numbers, of_file = np.unique(places["file_id"], return_inverse=True)
        ranked_files = [files[file_id] for file_id in numbers.tolist()]
        terms = self._terms_of(ranked_files, of_file, _evidence(fused, of_file), query, folders, recent)
        marks = _marks_of(places["mark"], [ranked_files[signal] for signal in of_file.tolist()], query)
        lost = np.zeros(len(fused))
        lost[list(marks)] = [term.contribution for term in marks.values()]
        # From here on, `better`, `scores` and `totals` follow `order`, while `fused` and `of_file` do not.
        order, better, scores = _in_files(fused, of_file, lost)
        totals = (
            scores
            + self._repeat_penalty * better
            + np.sum([position.added for position in terms], axis=0)[of_file[order]]
        )
        ranked: list[Fused] = []
        # Arrays rank all chunks, and only those that are shown become records, which are slow to make.
        for at in np.lexsort((fused.ids[order], -totals))[:limit].tolist():
            place, before = int(order[at]), int(better[at])
            number = of_file[place]
            # The best chunk of a file is scored by the signals of all its chunks, so it shows these.
            members = order[at : at + 1] if before else order[of_file[order] == number]
            signals = [*_best_parts(fused, members), *([marks[place]] if place in marks else [])]
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
        """Return every term, with what it adds to the chunks of each file. `of_file` is the file of each chunk."""
        nothing = np.zeros(len(files))
        names = [_read_path(file.path) for file in files]
        marks = [_marks(file, query) if file.marks else () for file in files]
        depths = np.array([name.depth for name in names])
        # The median is that of the chunks: a file counts once for each of its hits.
        deeper = np.clip(depths - np.sort(depths[of_file])[len(of_file) // 2], 0, MAX_DEPTH)
        preferred = np.array([_preferred(file, folders) for file in files] if folders else nothing, np.float64)
        stem, path = _named(names, marks, query)
        times = np.array([recent.get(file.path, 0.0) for file in files] if recent else nothing)
        return [
            Term("file", evidence, evidence),
            Term("stem", stem, STEM_BOOST * stem),
            Term("path", path, PATH_BOOST * path),
            *(
                Term(mark, values, penalty * values)
                for mark, penalty in PENALTIES.items()
                if (values := np.array([mark in file_marks for file_marks in marks], np.float64)).any()
            ),
            Term("legacy", values := _legacy(files, names, query), LEGACY_PENALTY * values),
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
        for hit in fused:
            file, score = files[hit.chunk_id], hit.score
            factors = {name: RRF_PENALTIES[name] for name in _marks(file, query)}
            if _preferred(file, folders):
                factors["folder"] = self._folder_boost
            signals = list(hit.signals)
            for name, factor in factors.items():
                # What the factor adds, so that the parts of a score still sum up to it.
                signals.append(SignalRank(name, 0, factor, score * (factor - 1)))
                score *= factor
            weighed.append(Fused(hit.chunk_id, score, tuple(signals)))
        return sorted(weighed, key=lambda hit: (-hit.score, hit.chunk_id))


def _evidence(fused: FusedScores, of_file: Places) -> Floats:
    """Score each file by what its chunks say together.

    Words: sum the reciprocal ranks of the file's chunks among the first hits. The best file has 1.
    Vectors: average the similarity of the file's nearest chunks. The nearest chunk of all has 1.
    """
    evidence = np.zeros(int(of_file.max()) + 1)
    if (words := fused.row("words")) is not None:
        ranks = fused.ranks[words]
        first = np.flatnonzero((ranks > 0) & (ranks <= WORD_HITS))
        by_words = np.bincount(of_file[first], reciprocal_rank(ranks[first], EVIDENCE_K), len(evidence))
        evidence += FILE_WORDS * by_words / (by_words.max() or 1.0)
    # Where no similarity is positive, nothing is near.
    if (vector := fused.row("vector")) is not None and (best := fused.scores[vector].max()) > 0:
        order = np.lexsort((-fused.scores[vector], of_file))
        # Sorted by file and then by similarity, `place` counts the chunks of each file from the nearest.
        place = np.arange(len(order)) - np.searchsorted(of_file[order], of_file[order])
        near = order[place < NEAREST_HITS]
        # Divided by two for a single chunk as well: alone, it is near by chance more often.
        together = np.bincount(of_file[near], fused.scores[vector][near], len(evidence)) / NEAREST_HITS
        evidence += FILE_VECTOR * together / best
    return evidence


def _named(names: Sequence[PathName], marks: Sequence[Collection[str]], query: Query) -> tuple[Floats, Floats]:
    """Return two numbers for each file: 1 if query words form its name, and the share of the query words in its path.

    Both are 0 for a test. Its name repeats that of the code, and its folders are many.
    """
    words_by_stem: dict[str, list[str]] = defaultdict(list)
    for word in query.words:
        words_by_stem[word[:SHORT_STEM]].append(word)
    stems, forms = frozenset(words_by_stem), dict[str, frozenset[str]]()
    stem, path = np.zeros(len(names)), np.zeros(len(names))
    for place, name in enumerate(names):
        # Most paths share no first letters with the query, which is quicker to see than to compare their words.
        if name.stems.isdisjoint(stems) or "test" in marks[place]:
            continue
        # Paths repeat their words, so each word is compared with the query only once.
        for word in name.words - forms.keys():
            forms[word] = frozenset(
                query_word for query_word in words_by_stem.get(word[:SHORT_STEM], ()) if same_word(word, query_word)
            )
        path[place] = len(frozenset[str]().union(*(forms[word] for word in name.words))) / len(query.words)
        stem[place] = bool(name.name_words) and all(forms[word] for word in name.name_words)
    return stem, path


def _legacy(files: Sequence[ChunkFile], names: Sequence[PathName], query: Query) -> Floats:
    """Mark the files that stay for old callers: by a word of their path, or in `v1/` if the same path exists without it."""
    legacy = np.zeros(len(files))
    # Who asks for deprecated code wants to see it.
    if LEGACY_WORDS.isdisjoint(query.words):
        there = {file.path for file in files}
        for place, name in enumerate(names):
            replaced = name.version and name.unversioned in there and name.version not in query.text
            legacy[place] = name.legacy or bool(replaced)
    return legacy


def _shown_terms(terms: Sequence[Term], file: int) -> list[SignalRank]:
    """List the terms that add something to a file."""
    return [
        SignalRank(term.name, 0, float(term.scores[file]), float(term.added[file]))
        for term in terms
        if term.added[file]
    ]


def _marks(file: ChunkFile, query: Query) -> list[str]:
    """List the marks of a file that count against it. `test` does not count in a query about tests."""
    return [mark for mark in file.marks if mark != "test" or not query.about_tests]


def _preferred(file: ChunkFile, folders: Sequence[str]) -> bool:
    return any(file.path.startswith(folder.strip("/") + "/") for folder in folders)


def _name_words(name: str) -> list[str]:
    return [word for word in split_identifier(name) if not word.isdigit()]


def _marks_of(marks: NDArray[np.int8], files: Sequence[ChunkFile], query: Query) -> dict[int, SignalRank]:
    """Map positions of chunks to the penalties for their own marks. Chunks without a penalty are left out."""
    penalties: dict[int, SignalRank] = {}
    for place in np.flatnonzero(marks).tolist():
        mark = CHUNK_MARKS[marks[place]]
        if penalty := _mark_penalty(mark, files[place], query):
            penalties[place] = SignalRank(mark, 0, penalty, penalty)
    return penalties


def _in_files(fused: FusedScores, of_file: Places, lost: Floats) -> tuple[Places, Places, Floats]:
    """Sort chunks by file, the best of each file first.

    Returns their positions in that order, how many better chunks of its file each has, and the score of each.
    `lost` is what each chunk loses by its mark. The best chunk of a file gets, of each signal, the most that any chunk of the
    file has.
    """
    scores = fused.shares.sum(axis=0) + lost
    words = fused.row("words")
    merits = scores if words is None else scores + WORDS_IN_FILE * fused.shares[words]
    order = np.lexsort((fused.ids, -merits, of_file))
    starts = np.searchsorted(of_file[order], np.arange(int(of_file.max()) + 1))
    better = np.arange(len(order)) - starts[of_file[order]]
    merged = scores[order]
    # A cosine may be negative. The 0 of a signal that has not found the chunk must not win over it.
    most = np.maximum.reduceat(np.where(fused.ranks > 0, fused.shares, -np.inf)[:, order], starts, axis=1)
    merged[starts] = np.where(np.isfinite(most), most, 0).sum(axis=0) + lost[order[starts]]
    return order, better, merged


def _best_parts(fused: FusedScores, places: Places) -> list[SignalRank]:
    """Return, for each signal, the most that it gave to any of these chunks. `places` are their positions."""
    shares = np.where(fused.ranks[:, places] > 0, fused.shares[:, places], -np.inf)
    best = places[shares.argmax(axis=1)].tolist()
    # argmax also answers for a signal that found none of these chunks. Its rank is 0.
    return [fused.part(row, place) for row, place in enumerate(best) if fused.ranks[row, place]]


def _mark_penalty(mark: str, file: ChunkFile, query: Query) -> float:
    """Return the penalty of a chunk's own mark, or 0 if its whole file has the penalty already."""
    if mark in file.marks or (mark == "test" and query.about_tests):
        return 0.0
    return DECLARATION_PENALTY if mark == "declaration" else PENALTIES[mark]
