"""Index a repository into one SQLite file, then search the code, follow its call graph and ask questions about it."""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names
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

# At run time, a module is imported when the first of its names is asked for.
if TYPE_CHECKING:
    from code_graph_indexer.ask.conversation import Turn
    from code_graph_indexer.ask.graph_retriever import GraphRetriever
    from code_graph_indexer.ask.pipeline import RAGPipeline
    from code_graph_indexer.ask.plan import RetrievalRequest, RouterOutput
    from code_graph_indexer.ask.results import Answer, Citation, ContextItem, RAGResult
    from code_graph_indexer.ask.route import FastPathRouter
    from code_graph_indexer.ask.router import RAGRouter
    from code_graph_indexer.ask.tree import generate_codebase_tree
    from code_graph_indexer.describe.run import DescriptionPlan, DescriptionReport
    from code_graph_indexer.embedders import Embedder, create_embedder
    from code_graph_indexer.freshness import Freshness, FreshnessState
    from code_graph_indexer.graph.questions import GraphQuestions
    from code_graph_indexer.graph.results import (
        CallPaths,
        Community,
        FileLinks,
        Hierarchy,
        Hub,
        Impact,
        PathEnd,
        Reach,
        References,
        Route,
        Step,
        Unused,
    )
    from code_graph_indexer.index import Index
    from code_graph_indexer.indexer import CodeIndexer, open_index
    from code_graph_indexer.indexing.run import IndexReport
    from code_graph_indexer.picture.graph import GraphExport
    from code_graph_indexer.results import (
        Certainty,
        Description,
        ExpectedWord,
        ExternalUse,
        FileOutline,
        Filters,
        Neighbour,
        PackageUse,
        Progress,
        Symbol,
        Use,
        to_rows,
    )
    from code_graph_indexer.retrieval.rank import Reranker
    from code_graph_indexer.retrieval.results import Doubt, RelatedDefinition, RetrievedContext, SignalRank
    from code_graph_indexer.retrieval.retriever import CodeRetriever
    from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
    from code_graph_indexer.retrieval.search import HybridSearcher
    from code_graph_indexer.retrieval.walk import GraphWalker
    from code_graph_indexer.scip.write import ScipExport
    from code_graph_indexer.settings import Settings
    from code_graph_indexer.storage.publication import Publication, PublishedRepository

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
    "Description",
    "DescriptionPlan",
    "DescriptionReport",
    "Doubt",
    "Embedder",
    "EmbedderError",
    "EmptyIndexError",
    "ExpectedWord",
    "ExternalUse",
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
    "PackageUse",
    "PathEnd",
    "Progress",
    "Publication",
    "PublishedRepository",
    "RAGPipeline",
    "RAGResult",
    "RAGRouter",
    "Reach",
    "References",
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
    "Use",
    "__version__",
    "create_embedder",
    "generate_codebase_tree",
    "open_index",
    "to_rows",
]

_MODULES = {
    "ask.conversation": "Turn",
    "ask.graph_retriever": "GraphRetriever",
    "ask.pipeline": "RAGPipeline",
    "ask.plan": "RetrievalRequest RouterOutput",
    "ask.results": "Answer Citation ContextItem RAGResult",
    "ask.route": "FastPathRouter",
    "ask.router": "RAGRouter",
    "ask.tree": "generate_codebase_tree",
    "describe.run": "DescriptionPlan DescriptionReport",
    "embedders": "Embedder create_embedder",
    "freshness": "Freshness FreshnessState",
    "graph.questions": "GraphQuestions",
    "graph.results": "CallPaths Community FileLinks Hierarchy Hub Impact PathEnd Reach References Route Step Unused",
    "index": "Index",
    "indexer": "CodeIndexer open_index",
    "indexing.run": "IndexReport",
    "picture.graph": "GraphExport",
    "results": (
        "Certainty Description ExpectedWord ExternalUse FileOutline Filters Neighbour PackageUse Progress Symbol Use to_rows"
    ),
    "retrieval.rank": "Reranker",
    "retrieval.results": "Doubt RelatedDefinition RetrievedContext SignalRank",
    "retrieval.retriever": "CodeRetriever",
    "retrieval.retrievers": "BaseRetriever DenseRetriever HybridRetriever SparseRetriever",
    "retrieval.search": "HybridSearcher",
    "retrieval.walk": "GraphWalker",
    "scip.write": "ScipExport",
    "settings": "Settings",
    "storage.publication": "Publication PublishedRepository",
}
"""The names that are imported when they are first asked for, by their module."""


# Type checkers see the imports above. With this function, they would accept any name.
if not TYPE_CHECKING:
    __getattr__ = late_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
