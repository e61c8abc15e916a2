"""Define the retrievers: hybrid, sparse and dense. The `ask` package adds a retriever that reads the graph."""

from abc import ABC, abstractmethod

from code_graph_indexer.background import twin
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.signals import SIGNAL_NAMES, SIGNALS
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.storage import Store


class BaseRetriever(ABC):
    """The base class of all retrievers, which find chunks in one opened index.

    A subclass has a `name` and the method `retrieve`. `root` is the folder of the repository. Without it, no result is marked
    stale (changed on disk since it was indexed).

    Example:
        >>> from code_graph_indexer import BaseRetriever, SparseRetriever
        >>> retriever = SparseRetriever(indexer.store)
        >>> isinstance(retriever, BaseRetriever)
        True
    """

    name = ""

    def __init__(self, store: Store, embedder: Embedder | None = None, *, root: Root | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._root = root

    @abstractmethod
    def retrieve(
        self, query: str, filters: Filters | None = None, *, limit: int = 10, expect: str = ""
    ) -> list[RetrievedContext]:
        """Return the chunks that answer a query, best first, at most `limit`.

        The query may hold filters (`lang:go path:web/*`). `expect` has names and words that such code would use.
        Raises UsageError for a filter or limit that is not valid.
        """

    aretrieve = twin(retrieve)


class _SignalRetriever(BaseRetriever):
    """A retriever that uses only the signals in `signals`."""

    signals: tuple[str, ...] = SIGNAL_NAMES

    def retrieve(
        self, query: str, filters: Filters | None = None, *, limit: int = 10, expect: str = ""
    ) -> list[RetrievedContext]:
        """Return the chunks that answer a query, best first, at most `limit`.

        Raises UsageError for a filter or limit that is not valid.
        """
        retriever = CodeRetriever(self._store, self._embedder, root=self._root, signals=self.signals)
        return retriever.retrieve(query, filters, limit=limit, expect=expect)


class HybridRetriever(_SignalRetriever):
    """A retriever that uses all signals, the best choice for most questions.

    Example:
        >>> from code_graph_indexer import HybridRetriever
        >>> retriever = HybridRetriever(indexer.store, indexer.embedder())
        >>> retriever.retrieve("lang:python refuse an empty cart", limit=1)[0].language
        'python'
    """

    name = "hybrid"


class SparseRetriever(_SignalRetriever):
    """A retriever by names, words and substrings, without an embedder.

    Example:
        >>> from code_graph_indexer import SparseRetriever
        >>> SparseRetriever(indexer.store).retrieve("add_tax", limit=1)[0].qualified_name
        'shop.pricing.add_tax'
    """

    name = "sparse"
    signals = tuple(name for name, signal in SIGNALS.items() if not signal.needs_embedder)


class DenseRetriever(_SignalRetriever):
    """A retriever by meaning alone (vectors), for questions that share no word with the code.

    Example:
        >>> from code_graph_indexer import DenseRetriever
        >>> retriever = DenseRetriever(indexer.store, indexer.embedder())
        >>> {signal.signal for signal in retriever.retrieve("refuse an empty cart", limit=1)[0].signals} >= {"vector"}
        True
    """

    name = "dense"
    signals = ("vector",)
