"""Run the requests (searches) of a question, drop filters if a request finds nothing, and merge the results."""

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from code_graph_indexer.ask.plan import RetrievalRequest
from code_graph_indexer.background import twin
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.fuse import reciprocal_rank
from code_graph_indexer.retrieval.rank import READER_REPEAT_PENALTY
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store

log = logging.getLogger(__name__)

FOREIGN = frozenset({"vendored", "generated"})
"""The marks of files that answer no question about the code of a repository, if other code does."""

FIRST_WEIGHT = 2.0
"""Weight of the first request in the merge. It is the question itself. The other requests are parts of it, and weigh 1."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The results of one request, best first. `steps` are sentences that say which filters were dropped, and why."""

    request: RetrievalRequest
    contexts: tuple[RetrievedContext, ...]
    steps: tuple[str, ...] = ()


class Gatherer:
    """A runner of requests against one index."""

    def __init__(
        self, store: Store, embedder: Embedder | None, settings: Settings, *, root: Root | None = None
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._root = root

    def gather(
        self, requests: Sequence[RetrievalRequest], filters: Filters, *, keyword_only: bool = False
    ) -> list[Gathered]:
        """Run the requests one after the other, and return the results of each, in the order of the requests.

        Threads would take 1.5 times as long: Python runs one thread at a time, and a new connection has an empty cache.
        """
        return [self._run(request, filters, keyword_only) for request in requests]

    agather = twin(gather)

    def _run(self, request: RetrievalRequest, filters: Filters, keyword_only: bool) -> Gathered:
        embedder = None if keyword_only else self._embedder
        retriever = CodeRetriever(
            self._store,
            embedder,
            root=self._root,
            folder_boost=self._settings.rrf_folder_boost,
            repeat_penalty=READER_REPEAT_PENALTY,
        )
        steps: list[str] = []
        contexts: list[RetrievedContext] = []
        for loosened, step in _loosened(request):
            if step:
                log.info("%r: %s", request.query[:200], step)
                steps.append(step)
            contexts = retriever.search(
                loosened.query,
                _restricted(filters, loosened),
                limit=self._settings.top_k_per_request,
                pool_size=self._settings.pool_size,
                folders=loosened.folders,
                expect=loosened.expect,
            )
            if contexts:
                break
        return Gathered(request, tuple(self._own(contexts)), tuple(steps))

    def _own(self, contexts: list[RetrievedContext]) -> list[RetrievedContext]:
        """Return the contexts of the product's own code and texts, or all of them if they are foreign or generated."""
        if not contexts:
            return []
        traits = self._store.traits_of(np.array([context.node_id for context in contexts], np.int64))
        files = self._store.files_by_id(traits["file_id"])
        marks = [files[file_id].marks if file_id in files else () for file_id in traits["file_id"].tolist()]
        own = [context for context, mark in zip(contexts, marks, strict=True) if FOREIGN.isdisjoint(mark)]
        return own if any(context.source_type is SourceType.CODE for context in own) else contexts


def merge(gathered: Sequence[Gathered], *, k: int, limit: int) -> list[RetrievedContext]:
    """Merge the results of several requests by weighted reciprocal rank fusion. Return at most `limit`, best first.

    Each chunk is returned once, with the `reasoning` of the first request that found it. A single request keeps its order
    and scores. `k` is the constant of the formula.
    """
    # A list by itself has scores that say more than its ranks.
    if len(gathered) == 1:
        return [replace(context, reasoning=gathered[0].request.reasoning) for context in gathered[0].contexts[:limit]]
    scores: dict[int, float] = defaultdict(float)
    first: dict[int, RetrievedContext] = {}
    for place, entry in enumerate(gathered):
        weight = FIRST_WEIGHT if place == 0 else 1.0
        for rank, context in enumerate(entry.contexts, 1):
            scores[context.node_id] += weight * reciprocal_rank(rank, k)
            first.setdefault(context.node_id, replace(context, reasoning=entry.request.reasoning))
    ranked = sorted(first.values(), key=lambda context: (-scores[context.node_id], context.node_id))
    return [replace(context, score=scores[context.node_id]) for context in ranked[:limit]]


def _restricted(filters: Filters, request: RetrievalRequest) -> Filters:
    """Add the filters of a request to the user's filters. If both set the same field, the user's value is used."""
    return replace(
        filters,
        source_types=request.source_types if not filters.source_types else filters.source_types,
        file_patterns=request.file_patterns if not filters.file_patterns else filters.file_patterns,
    )


def _loosened(request: RetrievalRequest) -> Iterator[tuple[RetrievalRequest, str]]:
    """Yield the request as it is, then with fewer and fewer filters, each with a sentence on the filter just dropped.

    File patterns are dropped first, then folders, then source types. For the unchanged request, the sentence is empty.
    """
    yield request, ""
    for name, what in (("file_patterns", "file patterns"), ("folders", "folders"), ("source_types", "source types")):
        if values := getattr(request, name):
            nothing: dict[str, Any] = {name: ()}
            request = replace(request, **nothing)
            yield request, f"nothing found; without the {what} {', '.join(values)}"
