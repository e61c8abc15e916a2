"""Turn a repository into one SQLite file that answers where, what, who calls it and how it works."""

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import (
    AnswerError,
    BusyError,
    CgiError,
    EmbedderError,
    GrammarError,
    IndexFormatError,
    IndexNotFoundError,
    NotInIndexError,
    UsageError,
)
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.retrieval import CodeRetriever, GraphWalker, HybridSearcher, Reranker
from code_graph_indexer.settings import Settings
from code_graph_indexer.types import (
    Answer,
    CallSites,
    Citation,
    FileOutline,
    Filters,
    IndexReport,
    Neighbour,
    Progress,
    RelatedDefinition,
    RetrievedContext,
    SignalRank,
    Symbol,
)
from code_graph_indexer.version import VERSION as __version__

__all__ = [
    "Answer",
    "AnswerError",
    "BusyError",
    "CallSites",
    "CgiError",
    "Citation",
    "CodeIndexer",
    "CodeRetriever",
    "Embedder",
    "EmbedderError",
    "FileOutline",
    "Filters",
    "GrammarError",
    "GraphWalker",
    "HybridSearcher",
    "IndexFormatError",
    "IndexNotFoundError",
    "IndexReport",
    "Neighbour",
    "NotInIndexError",
    "Progress",
    "RelatedDefinition",
    "Reranker",
    "RetrievedContext",
    "Settings",
    "SignalRank",
    "Symbol",
    "UsageError",
    "__version__",
    "create_embedder",
]
