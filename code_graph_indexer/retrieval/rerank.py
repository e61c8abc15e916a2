"""Rank files by all the evidence in them, then show the best chunk of each: every term named, every score a sum.

A question is about a place, and a place is a file before it is a chunk: evidence spread over a file's chunks adds up, its
name counts, and one file does not fill the list. docs/ranking.md explains each term and how its weight was chosen.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from code_graph_indexer.records import SignalRank
from code_graph_indexer.retrieval.fuse import Fused, reciprocal_rank
from code_graph_indexer.retrieval.query import Query, same_word
from code_graph_indexer.retrieval.search import RankedList
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

Terms = tuple[SignalRank, ...]
Forms = Mapping[str, frozenset[str]]


class Reranker:
    """Put fused chunks in the order in which they are shown."""

    def __init__(self, folder_boost: float = FOLDER_BOOST) -> None:
        self._folder_boost = folder_boost

    def rank(
        self,
        fused: Sequence[Fused],
        lists: Sequence[RankedList],
        files: Mapping[int, ChunkFile],
        query: Query,
        *,
        chunk_marks: Mapping[int, str] = MappingProxyType({}),
        folders: Sequence[str] = (),
        recent: Mapping[str, float] = MappingProxyType({}),
        limit: int,
    ) -> list[Fused]:
        """Order chunks whose scores were fused, best first as given, and show the first: each gets the terms of its file."""
        of_file: dict[int, list[Fused]] = defaultdict(list)
        marked = [
            _marked(one, files[one.chunk_id], chunk_marks[one.chunk_id], query) if one.chunk_id in chunk_marks else one
            for one in fused
        ]
        for one in sorted(marked, key=lambda one: (-one.score, one.chunk_id)) if chunk_marks else marked:
            of_file[files[one.chunk_id].id].append(one)
        evidence = _evidence(lists, files)
        paths = {one.path for one in files.values()}
        forms, legacy = _forms(paths, query), _legacy(paths, query)
        depths = sorted([one.path.count("/") for one in files.values()])
        ranked: list[tuple[float, int, int, Fused, Terms]] = []
        for file_id, parts in of_file.items():
            file = files[parts[0].chunk_id]
            terms = _terms(file, evidence.get(file_id, 0.0), query, forms)
            if file.path in legacy:
                terms += (SignalRank("legacy", 0, LEGACY_PENALTY, LEGACY_PENALTY),)
            if folders and _preferred(file, folders):
                terms += (SignalRank("folder", 0, self._folder_boost, self._folder_boost),)
            elif (deeper := min(file.path.count("/") - depths[len(depths) // 2], MAX_DEPTH)) > 0:
                # How deep a folder lies says nothing once it is asked for.
                terms += (SignalRank("depth", 0, deeper, DEPTH_PENALTY * deeper),)
            if weight := recent.get(file.path):
                terms += (SignalRank("recent", 0, weight, RECENCY_WEIGHT * weight),)
            added = sum([term.contribution for term in terms])
            parts[0] = _best_of_file(parts)
            for place, one in enumerate(parts):
                ranked.append((-(one.score + added + REPEAT_PENALTY * place), one.chunk_id, place, one, terms))
        # No two have the same chunk: what follows it is not compared.
        ranked.sort()
        return [
            Fused(chunk_id, -score, (*one.signals, *terms, *_repeated(place)))
            for score, chunk_id, place, one, terms in ranked[:limit]
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


def _evidence(lists: Sequence[RankedList], files: Mapping[int, ChunkFile]) -> dict[int, float]:
    """Weigh what each file's chunks say together.

    By words, the reciprocal ranks of its chunks among the first hits, of which the best file has 1; by meaning, the mean
    similarity of its nearest chunks, of which the nearest chunk of all has 1.
    """
    by_words: dict[int, float] = defaultdict(float)
    nearest: dict[int, list[float]] = defaultdict(list)
    for one in lists:
        if one.signal == "words":
            for rank, hit in enumerate(one.hits[:WORD_HITS], 1):
                if hit.chunk_id in files:
                    by_words[files[hit.chunk_id].id] += reciprocal_rank(rank, EVIDENCE_K)
        elif one.signal == "vector":
            for hit in one.hits:
                if hit.chunk_id in files:
                    nearest[files[hit.chunk_id].id].append(hit.score)
    most = max(by_words.values(), default=1.0)
    found = {file_id: FILE_WORDS * value / most for file_id, value in by_words.items()}
    best = max(map(max, nearest.values()), default=0.0)
    for file_id, scores in nearest.items() if best > 0 else ():
        together = sum(sorted(scores)[-NEAREST_HITS:]) / NEAREST_HITS
        found[file_id] = found.get(file_id, 0.0) + FILE_VECTOR * together / best
    return found


def _forms(paths: Iterable[str], query: Query) -> Forms:
    """Give each word of the paths that is a form of words of the query those words."""
    words = frozenset[str]().union(*map(_path_words, paths), *map(_file_words, paths))
    forms = {word: frozenset(other for other in query.words if same_word(word, other)) for word in words}
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
    terms = {"file": evidence} if evidence else {}
    marks = _marks(file, query)
    # The name of a test repeats that of the code, and its folders are many.
    if "test" not in marks and not (path := _path_words(file.path)).isdisjoint(forms):
        if (name := _file_words(file.path)) and all(word in forms for word in name):
            terms["stem"] = STEM_BOOST
        spoken = frozenset[str]().union(*(forms[word] for word in path if word in forms))
        terms["path"] = PATH_BOOST * len(spoken) / len(query.words)
    for mark in marks:
        terms[mark] = PENALTIES[mark]
    return tuple(SignalRank(name, 0, value, value) for name, value in terms.items())


def _repeated(place: int) -> Terms:
    """Name what a chunk loses by the better ones of its file, which are `place`."""
    return (SignalRank("repeat", place, REPEAT_PENALTY, REPEAT_PENALTY * place),) if place else ()


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


def _best_of_file(parts: Sequence[Fused]) -> Fused:
    """Give the best chunk of a file, the first, the most that any of its chunks has of each signal."""
    if len(parts) == 1:
        return parts[0]
    best: dict[str, SignalRank] = {}
    for one in parts:
        for signal in one.signals:
            if signal.rank and (signal.signal not in best or signal.contribution > best[signal.signal].contribution):
                best[signal.signal] = signal
    signals = (*best.values(), *(term for term in parts[0].signals if not term.rank))
    return Fused(parts[0].chunk_id, sum(one.contribution for one in signals), signals)


def _marked(one: Fused, file: ChunkFile, mark: str, query: Query) -> Fused:
    """Give a chunk the penalty of its own mark, where its file has not got it already."""
    if mark in file.marks or (mark == "test" and query.about_tests):
        return one
    penalty = DECLARATION_PENALTY if mark == "declaration" else PENALTIES[mark]
    return Fused(one.chunk_id, one.score + penalty, (*one.signals, SignalRank(mark, 0, penalty, penalty)))
