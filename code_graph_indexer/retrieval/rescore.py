"""A second stage: give the first results new scores by a model that reads query and chunk together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from code_graph_indexer.results import RetrievedContext, SignalRank

SIGNAL = "cross-encoder"


class PairScorer(Protocol):
    """Score how well texts answer a query; higher is better."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text."""


def rescore(scorer: PairScorer, query: str, found: Sequence[RetrievedContext], first: int) -> list[RetrievedContext]:
    """Order the first results by the scorer; the others follow as they were, below the last of them.

    The records are frozen: those that get a new score are replaced, with the old terms behind the new one.
    """
    head, rest = found[:first], found[first:]
    if not head:
        return list(found)
    texts = [f"{one.file_path} {one.qualified_name}\n{one.content}" for one in head]
    scored = [
        replace(one, score=score, signals=(SignalRank(SIGNAL, 0, score, score), *one.signals))
        for one, score in zip(head, scorer.scores(query, texts), strict=True)
    ]
    scored.sort(key=lambda one: (-one.score, one.node_id))
    least = scored[-1].score
    return [*scored, *(replace(one, score=least - place) for place, one in enumerate(rest, 1))]
