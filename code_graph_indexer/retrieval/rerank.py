"""Rank files by all the evidence in them, then show the best chunk of each: every term named, every score a sum.

A question is about a place, and a place is a file before it is a chunk: evidence spread over a file's chunks adds up, its
name counts, and one file does not fill the list. docs/ranking.md explains each term and how its weight was chosen.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from code_graph_indexer.retrieval.fuse import Fused, reciprocal_rank
from code_graph_indexer.retrieval.query import Query, same_word
from code_graph_indexer.retrieval.search import RankedList
from code_graph_indexer.types import SignalRank, StoredChunk
from code_graph_indexer.words import split_identifier

FILE_WEIGHT = 1.25
"""What the file with the most hits among the first WORD_HITS of the words signal gets; others in proportion."""

WORD_HITS, EVIDENCE_K = 60, 60
"""Hits of the words signal that count as evidence for their file, and the constant of their reciprocal ranks."""

STEM_BOOST = 2.2
"""Every word of the file's name (of its folder's, where the name is generic) is a form of a word of the query."""

FOLDER_BOOST = 1.3
"""A folder that the caller prefers."""

PENALTIES: Mapping[str, float] = {"test": -1.5, "example": -0.5, "generated": -1.0, "vendored": -1.0, "text": -1.0}
"""What stands beside the code repeats its words, and is rarely what is asked for."""

REPEAT_PENALTY = -3.0
"""For each better chunk of the same file: one file does not fill the list, but a strong second chunk still shows."""

GENERIC_NAMES = frozenset(
    {
        *("api", "base", "common", "core", "helpers", "impl", "index", "init", "internal"),
        *("lib", "main", "mod", "root", "types", "util", "utils"),
    }
)
"""File names that say nothing: their folder's name does."""

RRF_FOLDER_BOOST = 1.3
RRF_PENALTIES: Mapping[str, float] = {"test": 0.7, "example": 0.85, "generated": 0.6, "vendored": 0.6, "text": 0.8}
"""Factors on the scores of reciprocal rank fusion, which are too small for sums."""


class Reranker:
    """Put fused chunks in the order in which they are shown."""

    def rank(
        self,
        fused: Sequence[Fused],
        lists: Sequence[RankedList],
        chunks: Mapping[int, StoredChunk],
        query: Query,
        folders: Sequence[str],
    ) -> list[Fused]:
        """Order chunks whose scores were fused, best first as given: each gets the terms of its file."""
        of_file: dict[int, list[Fused]] = defaultdict(list)
        for one in fused:
            of_file[chunks[one.chunk_id].file_id].append(one)
        evidence = _evidence(lists, chunks)
        ranked: list[Fused] = []
        for file_id, parts in of_file.items():
            terms = _terms(chunks[parts[0].chunk_id], evidence.get(file_id, 0.0), query, folders)
            ranked.append(_with(_best_of_file(parts), terms))
            for place, one in enumerate(parts[1:], 1):
                repeat = SignalRank("repeat", place, REPEAT_PENALTY, REPEAT_PENALTY * place)
                ranked.append(_with(one, (*terms, repeat)))
        return sorted(ranked, key=lambda one: (-one.score, one.chunk_id))

    def weigh(
        self, fused: Sequence[Fused], chunks: Mapping[int, StoredChunk], query: Query, folders: Sequence[str]
    ) -> list[Fused]:
        """Order chunks whose ranks were fused: each score times the factors of its file."""
        weighed: list[Fused] = []
        for one in fused:
            chunk, score = chunks[one.chunk_id], one.score
            factors = {name: RRF_PENALTIES[name] for name in _marks(chunk, query)}
            if _preferred(chunk, folders):
                factors["folder"] = RRF_FOLDER_BOOST
            signals = list(one.signals)
            for name, factor in factors.items():
                signals.append(SignalRank(name, 0, factor, score * (factor - 1)))
                score *= factor
            weighed.append(Fused(one.chunk_id, score, tuple(signals)))
        return sorted(weighed, key=lambda one: (-one.score, one.chunk_id))


def _evidence(lists: Sequence[RankedList], chunks: Mapping[int, StoredChunk]) -> dict[int, float]:
    """Sum the reciprocal ranks of each file's chunks among the first hits of the words signal; the best file has 1."""
    found: dict[int, float] = defaultdict(float)
    for one in lists:
        if one.signal == "words":
            for rank, hit in enumerate(one.hits[:WORD_HITS], 1):
                if hit.chunk_id in chunks:
                    found[chunks[hit.chunk_id].file_id] += reciprocal_rank(rank, EVIDENCE_K)
    best = max(found.values(), default=1.0)
    return {file_id: value / best for file_id, value in found.items()}


def _terms(chunk: StoredChunk, evidence: float, query: Query, folders: Sequence[str]) -> tuple[SignalRank, ...]:
    """Name what a file adds to its chunks."""
    terms = {"file": FILE_WEIGHT * evidence} if evidence else {}
    if _names_file(chunk.path, query):
        terms["stem"] = STEM_BOOST
    if _preferred(chunk, folders):
        terms["folder"] = FOLDER_BOOST
    terms |= {name: PENALTIES[name] for name in _marks(chunk, query)}
    return tuple(SignalRank(name, 0, value, value) for name, value in terms.items())


def _marks(chunk: StoredChunk, query: Query) -> list[str]:
    """Name what a file is, where that speaks against it."""
    marks = {
        "test": chunk.is_test and not query.about_tests,
        "example": chunk.is_example,
        "generated": chunk.is_generated,
        "vendored": chunk.is_vendored,
        "text": chunk.source_type != "code",
    }
    return [name for name, holds in marks.items() if holds]


def _preferred(chunk: StoredChunk, folders: Sequence[str]) -> bool:
    return any(chunk.path.startswith(folder.strip("/") + "/") for folder in folders)


def _names_file(path: str, query: Query) -> bool:
    """Say whether the query names a file: every word of its name is a form of one of the query's."""
    *parents, name = path.split("/")
    words = _name_words(name.partition(".")[0])
    if set(words) <= GENERIC_NAMES and parents:
        words = _name_words(parents[-1])
    return bool(words) and all(any(same_word(word, other) for other in query.words) for word in words)


def _name_words(name: str) -> list[str]:
    return [word for word in split_identifier(name) if not word.isdigit()]


def _best_of_file(parts: Sequence[Fused]) -> Fused:
    """Give the best chunk of a file, the first, the most that any of its chunks has of each signal."""
    best: dict[str, SignalRank] = {}
    for one in parts:
        for signal in one.signals:
            if signal.signal not in best or signal.contribution > best[signal.signal].contribution:
                best[signal.signal] = signal
    return Fused(parts[0].chunk_id, sum(one.contribution for one in best.values()), tuple(best.values()))


def _with(one: Fused, terms: Sequence[SignalRank]) -> Fused:
    return Fused(one.chunk_id, one.score + sum(term.contribution for term in terms), (*one.signals, *terms))
