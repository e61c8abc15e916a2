"""Fuse the ranked lists, then weigh each chunk by what its file is: every step named, every score explainable."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.retrieval.search import RankedList
from code_graph_indexer.types import SignalRank, StoredChunk

SIGNAL_WEIGHTS: Mapping[str, float] = {"symbol": 1.6, "words": 1.0, "trigram": 0.6, "vector": 0.5}
"""Weights of the signals in the fusion: a definition of the very name asked for counts most; hashed vectors know words only."""

RRF_FOLDER_BOOST = 1.3
"""A chunk in a folder that the caller prefers."""

QUALIFIED_BOOST = 1.5
"""The definition whose qualified name the query spells: among its namesakes, no other can be meant."""

TEST_PENALTY, EXAMPLE_PENALTY, GENERATED_PENALTY, VENDORED_PENALTY = 0.7, 0.85, 0.6, 0.6
"""What stands beside the code: it repeats the words of the code, and is rarely what is asked for."""

TEXT_PENALTY = 0.8
"""Configuration and prose: code that says the same comes first."""


def reciprocal_rank(rank: int, k: int) -> float:
    """Score a rank (from 1) by 1 / (k + rank): Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009)."""
    return 1.0 / (k + rank)


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk with its fused score and what each signal and boost added; the contributions of boosts are factors."""

    chunk_id: int
    score: float
    signals: tuple[SignalRank, ...]


class Reranker:
    """Fuse by weighted reciprocal ranks, then apply named boosts and penalties."""

    def __init__(self, *, k: int = 60, weights: Mapping[str, float] = SIGNAL_WEIGHTS) -> None:
        self._k = k
        self._weights = weights

    def fuse(self, lists: Sequence[RankedList]) -> list[Fused]:
        """Return every chunk of the lists once, best first; the order of the lists does not matter."""
        found: dict[int, list[SignalRank]] = defaultdict(list)
        for one in sorted(lists, key=lambda ranked: ranked.signal):
            weight = self._weights.get(one.signal, 1.0)
            for rank, hit in enumerate(one.hits, 1):
                share = weight * reciprocal_rank(rank, self._k)
                found[hit.chunk_id].append(SignalRank(one.signal, rank, hit.score, share))
        fused = (Fused(one, sum(r.contribution for r in ranks), tuple(ranks)) for one, ranks in found.items())
        return sorted(fused, key=lambda one: (-one.score, one.chunk_id))

    def boost(
        self, fused: Sequence[Fused], chunks: Mapping[int, StoredChunk], query: Query, folders: Sequence[str]
    ) -> list[Fused]:
        """Apply boosts and penalties, and sort again."""
        boosted: list[Fused] = []
        for one in fused:
            factors = _factors(chunks[one.chunk_id], query, folders)
            score = one.score
            for factor in factors.values():
                score *= factor
            named = (SignalRank(name, 0, factor, factor) for name, factor in factors.items())
            boosted.append(Fused(one.chunk_id, score, (*one.signals, *named)))
        return sorted(boosted, key=lambda one: (-one.score, one.chunk_id))


def _factors(chunk: StoredChunk, query: Query, folders: Sequence[str]) -> dict[str, float]:
    """Name the boosts and penalties that a chunk gets."""
    factors: dict[str, float] = {}
    if chunk.qualified_name and any(f".{chunk.qualified_name}".endswith(f".{name}") for name in query.qualified):
        factors["qualified"] = QUALIFIED_BOOST
    if chunk.is_test and not query.about_tests:
        factors["test"] = TEST_PENALTY
    if chunk.is_example:
        factors["example"] = EXAMPLE_PENALTY
    if chunk.is_generated:
        factors["generated"] = GENERATED_PENALTY
    if chunk.is_vendored:
        factors["vendored"] = VENDORED_PENALTY
    if chunk.source_type != "code":
        factors[chunk.source_type] = TEXT_PENALTY
    if any(chunk.path.startswith(folder.strip("/") + "/") for folder in folders):
        factors["folder"] = RRF_FOLDER_BOOST
    return factors
