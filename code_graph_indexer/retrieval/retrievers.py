"""Retrievers that share one shape: hybrid, sparse and dense. `ask` adds one that answers from the graph."""

from abc import ABC, abstractmethod
from pathlib import Path

from code_graph_indexer.background import in_thread
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.storage import Store


class BaseRetriever(ABC):
    """Retrieve chunks from one opened index. The base of all retrievers.

    A subclass has a `name` and the method `retrieve`. `root` is the folder of the repository, which shows stale results.

    Example:
        >>> from code_graph_indexer import BaseRetriever, SparseRetriever
        >>> retriever = SparseRetriever(indexer.store)
        >>> isinstance(retriever, BaseRetriever)
        True
    """

    name = ""

    def __init__(self, store: Store, embedder: Embedder | None = None, *, root: Path | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    @abstractmethod
    def retrieve(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return at most `limit` chunks, best first.

        The query may hold filters (`lang:go path:web/*`). Raises UsageError for a filter or limit that is not valid.
        """

    async def aretrieve(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Do what `retrieve` does on another thread, so that an event loop goes on."""
        return await in_thread(self.retrieve, query, filters, limit=limit)


class _SignalRetriever(BaseRetriever):
    """Retrieve by some of the signals."""

    signals: tuple[str, ...] = SIGNALS

    def retrieve(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return at most `limit` chunks, best first. Raises UsageError for a filter or limit that is not valid."""
        retriever = CodeRetriever(self._store, self._embedder, root=self._root, signals=self.signals)
        return retriever.retrieve(query, filters, limit=limit)


class HybridRetriever(_SignalRetriever):
    """Retrieve by all signals, which answers most questions best.

    Example:
        >>> from code_graph_indexer import HybridRetriever
        >>> retriever = HybridRetriever(indexer.store, indexer.embedder())
        >>> retriever.retrieve("lang:python refuse an empty cart", limit=1)[0].language
        'python'
    """

    name = "hybrid"


class SparseRetriever(_SignalRetriever):
    """Retrieve by names, words and substrings, without an embedder.

    Example:
        >>> from code_graph_indexer import SparseRetriever
        >>> SparseRetriever(indexer.store).retrieve("add_tax", limit=1)[0].qualified_name
        'shop.pricing.add_tax'
    """

    name = "sparse"
    signals = tuple(signal for signal in SIGNALS if signal != "vector")


class DenseRetriever(_SignalRetriever):
    """Retrieve by meaning alone, for questions that share no word with the code.

    Example:
        >>> from code_graph_indexer import DenseRetriever
        >>> retriever = DenseRetriever(indexer.store, indexer.embedder())
        >>> {signal.signal for signal in retriever.retrieve("refuse an empty cart", limit=1)[0].signals} >= {"vector"}
        True
    """

    name = "dense"
    signals = ("vector",)
