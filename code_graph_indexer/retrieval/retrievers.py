"""Retrievers that share one shape, and the router that chooses among them."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.records import Filters, RetrievedContext
from code_graph_indexer.retrieval.graph_retriever import GraphFinder
from code_graph_indexer.retrieval.inline import read_filters
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.router import FastPath, FastPathRouter, Route
from code_graph_indexer.retrieval.search import SIGNALS
from code_graph_indexer.storage import SqliteStore

log = logging.getLogger(__name__)


class BaseRetriever(ABC):
    """Answer queries from one store."""

    name = ""

    def __init__(self, store: SqliteStore, embedder: Embedder | None = None, *, root: Path | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    @abstractmethod
    def retrieve_now(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return at most `limit` chunks, best first."""

    async def retrieve(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Do the same on another thread."""
        return await in_thread(self.retrieve_now, query, filters, limit=limit)


class _BySignals(BaseRetriever):
    """Search by some of the signals."""

    signals: tuple[str, ...] = SIGNALS

    def retrieve_now(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return at most `limit` chunks, best first."""
        text, filters = read_filters(query, filters)
        searcher = CodeRetriever(self._store, self._embedder, root=self._root, signals=self.signals)
        return searcher.retrieve(text, filters, limit=limit)


class HybridRetriever(_BySignals):
    """Search by all signals: what answers most questions best."""

    name = "hybrid"


class SparseRetriever(_BySignals):
    """Search by names, words and substrings; needs no embedder."""

    name = "sparse"
    signals = tuple(one for one in SIGNALS if one != "vector")


class DenseRetriever(_BySignals):
    """Search by meaning alone: for questions that share no word with the code."""

    name = "dense"
    signals = ("vector",)


class GraphRetriever(BaseRetriever):
    """Answer questions on relations, and look places up; nothing for other questions."""

    name = "graph"

    def retrieve_now(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return the definitions asked about, then what they are related to."""
        text, filters = read_filters(query, filters)
        return self.answer(FastPathRouter().route(text), filters, limit=limit)[0]

    def answer(self, path: FastPath, filters: Filters, *, limit: int) -> tuple[list[RetrievedContext], str]:
        """Return the chunks that the graph has for a query that was read, and what it says in words."""
        found = GraphFinder(self._store).find(path)
        allowed = self._store.allowed([one.chunk_id for one in found.ranked], filters)
        ranked = [one for one in found.ranked if one.chunk_id in allowed][:limit]
        return CodeRetriever(self._store, None, root=self._root).contexts(ranked), found.summary


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The retriever chosen for a query, by what the query was found to be, and why."""

    retriever: BaseRetriever
    path: FastPath
    reason: str


class RAGRouter:
    """Choose the retriever that a query is best answered by."""

    def __init__(self, store: SqliteStore, embedder: Embedder | None = None, *, root: Path | None = None) -> None:
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
