"""Choose the retriever that a query is best answered by."""

import logging
from dataclasses import dataclass
from pathlib import Path

from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.route import FastPath, FastPathRouter, Route
from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
from code_graph_indexer.storage import Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The retriever chosen for a query, by what the query was found to be, and why."""

    retriever: BaseRetriever
    path: FastPath
    reason: str


class RAGRouter:
    """Choose the retriever that a query is best answered by."""

    def __init__(self, store: Store, embedder: Embedder | None = None, *, root: Path | None = None) -> None:
        self._store = store
        self._fast = FastPathRouter()
        kinds: tuple[type[BaseRetriever], ...] = (HybridRetriever, SparseRetriever, DenseRetriever, GraphRetriever)
        self._retrievers = {one.name: one(store, embedder, root=root) for one in kinds}
        self._has_vectors = embedder is not None

    def decide(self, query: str) -> RouteDecision:
        """Say which retriever answers a query, and why."""
        text, _ = read_filters(query)
        path = self._fast.route(text)
        name, reason = self._choose(text, path)
        log.info("%s: %s", name, reason)
        return RouteDecision(self._retrievers[name], path, reason)

    async def route(self, query: str) -> RouteDecision:
        """Do the same without holding up an event loop."""
        return await in_thread(self.decide, query)

    def _choose(self, text: str, path: FastPath) -> tuple[str, str]:
        log.debug("signals of %r: %s", text[:200], path)
        if path.route in (Route.GRAPH, Route.PLACE, Route.TRACE):
            return "graph", path.reason
        if path.route in (Route.NAME, Route.PHRASE):
            return "sparse", path.reason
        if self._has_vectors and not self._store.has_words(read_query(text).words):
            return "dense", "no word of it is in the index"
        return "hybrid", path.reason
