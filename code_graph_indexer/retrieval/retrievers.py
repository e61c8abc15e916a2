"""Retrievers that share one shape, and the router that chooses among them."""

from abc import ABC, abstractmethod
from pathlib import Path

from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, RetrievedContext
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.storage import Store


class BaseRetriever(ABC):
    """Answer queries from one store."""

    name = ""

    def __init__(self, store: Store, embedder: Embedder | None = None, *, root: Path | None = None) -> None:
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
