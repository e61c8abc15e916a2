"""Find the chunks that answer a query, and return them ranked, with the code around them.

The package itself imports from its modules, not from here, because its records are needed without a search.
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

if TYPE_CHECKING:
    from code_graph_indexer.retrieval.query import read_query
    from code_graph_indexer.retrieval.rank import Reranker
    from code_graph_indexer.retrieval.retriever import CodeRetriever
    from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
    from code_graph_indexer.retrieval.search import HybridSearcher
    from code_graph_indexer.retrieval.walk import GraphWalker
else:
    __getattr__ = late_names(
        __name__,
        {
            "read_query": "query",
            "Reranker": "rank",
            "CodeRetriever": "retriever",
            "BaseRetriever": "retrievers",
            "DenseRetriever": "retrievers",
            "HybridRetriever": "retrievers",
            "SparseRetriever": "retrievers",
            "HybridSearcher": "search",
            "GraphWalker": "walk",
        },
    )

__all__ = [
    "BaseRetriever",
    "CodeRetriever",
    "DenseRetriever",
    "GraphWalker",
    "HybridRetriever",
    "HybridSearcher",
    "Reranker",
    "SparseRetriever",
    "read_query",
]
