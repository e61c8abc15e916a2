"""Find the chunks that answer a query, and return them ranked, with the code around them.

The package itself imports from its modules, not from here, because its records are needed without a search.
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

if TYPE_CHECKING:
    from code_graph_indexer.retrieval.expected import expected_words
    from code_graph_indexer.retrieval.filters import as_tuple, build_filters, check_limit, read_filters
    from code_graph_indexer.retrieval.parents import examples, find_symbols, with_parents
    from code_graph_indexer.retrieval.query import read_query
    from code_graph_indexer.retrieval.rank import Reranker
    from code_graph_indexer.retrieval.retriever import CodeRetriever
    from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
    from code_graph_indexer.retrieval.search import HybridSearcher
    from code_graph_indexer.retrieval.stale import Checkouts
    from code_graph_indexer.retrieval.sure import doubt_of
    from code_graph_indexer.retrieval.walk import GraphWalker
else:
    __getattr__ = late_names(
        __name__,
        {
            "expected": "expected_words",
            "filters": "as_tuple build_filters check_limit read_filters",
            "parents": "examples find_symbols with_parents",
            "query": "read_query",
            "rank": "Reranker",
            "retriever": "CodeRetriever",
            "retrievers": "BaseRetriever DenseRetriever HybridRetriever SparseRetriever",
            "search": "HybridSearcher",
            "stale": "Checkouts",
            "sure": "doubt_of",
            "walk": "GraphWalker",
        },
    )

__all__ = [
    "BaseRetriever",
    "Checkouts",
    "CodeRetriever",
    "DenseRetriever",
    "GraphWalker",
    "HybridRetriever",
    "HybridSearcher",
    "Reranker",
    "SparseRetriever",
    "as_tuple",
    "build_filters",
    "check_limit",
    "doubt_of",
    "examples",
    "expected_words",
    "find_symbols",
    "read_filters",
    "read_query",
    "with_parents",
]
