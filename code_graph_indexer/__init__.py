"""Index a repository into one SQLite file, then search the code, follow its call graph and ask questions about it."""

from importlib import import_module
from typing import TYPE_CHECKING

from code_graph_indexer.errors import (
    AnswerError,
    ApiKeyError,
    BusyError,
    CgiError,
    ContextSizeError,
    EmbedderError,
    EmptyIndexError,
    GrammarError,
    IndexFormatError,
    IndexNotFoundError,
    IndexWriteError,
    NotInIndexError,
    OverloadError,
    RefusalError,
    ServerError,
    UsageError,
)
from code_graph_indexer.version import VERSION as __version__

# At run time, `__getattr__` imports a module when the first of its names is asked for. So a command loads only what it uses.
if TYPE_CHECKING:
    from code_graph_indexer.ask.conversation import Turn
    from code_graph_indexer.ask.graph_retriever import GraphRetriever
    from code_graph_indexer.ask.pipeline import RAGPipeline
    from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput
    from code_graph_indexer.ask.route import FastPathRouter
    from code_graph_indexer.ask.router import RAGRouter
    from code_graph_indexer.ask.tree import generate_codebase_tree
    from code_graph_indexer.embedders import Embedder, create_embedder
    from code_graph_indexer.graph import GraphQuestions
    from code_graph_indexer.index import Index
    from code_graph_indexer.indexer import CodeIndexer, open_index
    from code_graph_indexer.results import (
        Answer,
        CallPaths,
        Certainty,
        Citation,
        Community,
        ContextItem,
        Doubt,
        FileLinks,
        FileOutline,
        Filters,
        Freshness,
        FreshnessState,
        GraphExport,
        Hierarchy,
        Hub,
        Impact,
        IndexReport,
        Neighbour,
        PathEnd,
        Progress,
        Publication,
        PublishedRepository,
        RAGResult,
        Reach,
        RelatedDefinition,
        RetrievedContext,
        Route,
        ScipExport,
        SignalRank,
        Step,
        Symbol,
        Unused,
    )
    from code_graph_indexer.retrieval import (
        BaseRetriever,
        CodeRetriever,
        DenseRetriever,
        GraphWalker,
        HybridRetriever,
        HybridSearcher,
        Reranker,
        SparseRetriever,
    )
    from code_graph_indexer.settings import Settings

__all__ = [
    "Answer",
    "AnswerError",
    "ApiKeyError",
    "BaseRetriever",
    "BusyError",
    "CallPaths",
    "Certainty",
    "CgiError",
    "Citation",
    "CodeIndexer",
    "CodeRetriever",
    "Community",
    "ContextItem",
    "ContextSizeError",
    "DenseRetriever",
    "Doubt",
    "Embedder",
    "EmbedderError",
    "EmptyIndexError",
    "FastPathRouter",
    "FileLinks",
    "FileOutline",
    "Filters",
    "Freshness",
    "FreshnessState",
    "GrammarError",
    "GraphExport",
    "GraphQuestions",
    "GraphRetriever",
    "GraphWalker",
    "Hierarchy",
    "Hub",
    "HybridRetriever",
    "HybridSearcher",
    "Impact",
    "Index",
    "IndexFormatError",
    "IndexNotFoundError",
    "IndexReport",
    "IndexWriteError",
    "Neighbour",
    "NotInIndexError",
    "OverloadError",
    "PathEnd",
    "Progress",
    "Publication",
    "PublishedRepository",
    "RAGPipeline",
    "RAGResult",
    "RAGRouter",
    "Reach",
    "RefusalError",
    "RelatedDefinition",
    "Reranker",
    "RetrievalRequest",
    "RetrievedContext",
    "Route",
    "RouterOutput",
    "ScipExport",
    "ServerError",
    "Settings",
    "SignalRank",
    "SparseRetriever",
    "Step",
    "Symbol",
    "Turn",
    "Unused",
    "UsageError",
    "__version__",
    "create_embedder",
    "generate_codebase_tree",
    "open_index",
]

_MODULES = {
    "Turn": "ask.conversation",
    "GraphRetriever": "ask.graph_retriever",
    "RAGPipeline": "ask.pipeline",
    "RetrievalRequest": "ask.plan",
    "RouterOutput": "ask.plan",
    "FastPathRouter": "ask.route",
    "RAGRouter": "ask.router",
    "generate_codebase_tree": "ask.tree",
    "Embedder": "embedders",
    "create_embedder": "embedders",
    "GraphQuestions": "graph",
    "Index": "index",
    "CodeIndexer": "indexer",
    "open_index": "indexer",
    "Answer": "results",
    "CallPaths": "results",
    "Certainty": "results",
    "Citation": "results",
    "Community": "results",
    "ContextItem": "results",
    "Doubt": "results",
    "FileLinks": "results",
    "FileOutline": "results",
    "Filters": "results",
    "Freshness": "results",
    "FreshnessState": "results",
    "GraphExport": "results",
    "Hierarchy": "results",
    "Hub": "results",
    "Impact": "results",
    "IndexReport": "results",
    "Neighbour": "results",
    "PathEnd": "results",
    "Progress": "results",
    "Publication": "results",
    "PublishedRepository": "results",
    "RAGResult": "results",
    "Reach": "results",
    "RelatedDefinition": "results",
    "RetrievedContext": "results",
    "ScipExport": "results",
    "SignalRank": "results",
    "Step": "results",
    "Symbol": "results",
    "Route": "results",
    "Unused": "results",
    "BaseRetriever": "retrieval",
    "CodeRetriever": "retrieval",
    "DenseRetriever": "retrieval",
    "GraphWalker": "retrieval",
    "HybridRetriever": "retrieval",
    "HybridSearcher": "retrieval",
    "Reranker": "retrieval",
    "SparseRetriever": "retrieval",
    "Settings": "settings",
}
"""The module of each name that is imported when it is first asked for."""


# Type checkers see the imports above. With this function, they would accept any name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        # The next use finds the name without a call of this function.
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
