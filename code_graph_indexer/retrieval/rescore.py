"""Give the first results new scores from a model that reads query and chunk together, the second stage of ranking."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from code_graph_indexer.retrieval.results import RetrievedContext, SignalRank

SIGNAL = "cross-encoder"


class PairScorer(Protocol):
    """A model that scores how well texts answer a query."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, in the order of `texts`. A higher score is better."""


def rescore(scorer: PairScorer, query: str, contexts: Sequence[RetrievedContext], first: int) -> list[RetrievedContext]:
    """Return the results with the first `first` of them sorted by their scores from `scorer`. The rest keep their order.

    The rest get lower scores than the sorted results. A sorted result lists the new signal before its old signals.
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
