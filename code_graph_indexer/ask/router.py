"""Choose the retriever that answers a query best."""

import logging
from dataclasses import dataclass

from code_graph_indexer.ask.graph_retriever import GraphRetriever
from code_graph_indexer.ask.route import FastPath, FastPathRouter, Route
from code_graph_indexer.background import twin
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.storage import Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The retriever that was chosen for a query, the kind and content of the query (`path`), and the reason."""

    retriever: BaseRetriever
    path: FastPath
    reason: str


class RAGRouter:
    """A router that chooses the retriever that answers a query best.

    Example:
        >>> from code_graph_indexer import RAGRouter
        >>> decision = RAGRouter(indexer.store).route("who calls add_tax?")
        >>> decision.retriever.name
        'graph'
    """

    def __init__(self, store: Store, embedder: Embedder | None = None, *, root: Root | None = None) -> None:
        self._store = store
        self._fast = FastPathRouter()
        classes: tuple[type[BaseRetriever], ...] = (HybridRetriever, SparseRetriever, DenseRetriever, GraphRetriever)
        self._retrievers = {retriever.name: retriever(store, embedder, root=root) for retriever in classes}
        self._has_vectors = embedder is not None

    def route(self, query: str) -> RouteDecision:
        """Return the retriever for a query. Filters in the query are ignored. Raises UsageError for an invalid filter."""
        text, _ = read_filters(self._store, query)
        path = self._fast.route(text)
        name, reason = self._choose(text, path)
        log.info("%s: %s", name, reason)
        return RouteDecision(self._retrievers[name], path, reason)

    aroute = twin(route)

    def _choose(self, text: str, path: FastPath) -> tuple[str, str]:
        log.debug("signals of %r: %s", text[:200], path)
        if path.route in (Route.GRAPH, Route.PLACE, Route.TRACE):
            return "graph", path.reason
        if path.route in (Route.NAME, Route.PHRASE):
            return "sparse", path.reason
        # If the index has none of the words, only nearness in meaning is left to search by.
        if self._has_vectors and not self._store.has_words(read_query(text).words):
            return "dense", "no word of it is in the index"
        return "hybrid", path.reason
