"""A second stage: give the first results new scores by a model that reads query and chunk together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from code_graph_indexer.results import RetrievedContext, SignalRank

SIGNAL = "cross-encoder"


class PairScorer(Protocol):
    """Score how well texts answer a query. A higher score is better."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text."""


def rescore(scorer: PairScorer, query: str, contexts: Sequence[RetrievedContext], first: int) -> list[RetrievedContext]:
    """Order the first results by the scorer. The remaining results follow in their order, below the last of them.

    A result with a new score keeps its old signals behind the new one.
    """
    head, rest = contexts[:first], contexts[first:]
    if not head:
        return list(contexts)
    texts = [f"{context.file_path} {context.qualified_name}\n{context.content}" for context in head]
    scored = [
        replace(context, score=score, signals=(SignalRank(SIGNAL, 0, score, score), *context.signals))
        for context, score in zip(head, scorer.scores(query, texts), strict=True)
    ]
    scored.sort(key=lambda context: (-context.score, context.node_id))
    # Scores of a search do not compare with the model's. The rest falls by one a place, below the lowest.
    lowest = scored[-1].score
    return [*scored, *(replace(context, score=lowest - place) for place, context in enumerate(rest, 1))]
