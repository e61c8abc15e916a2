"""From a query to ranked chunks with their context."""

from code_graph_indexer.retrieval.query import Query, dotted_name, read_query
from code_graph_indexer.retrieval.rerank import Fused, Reranker
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.search import HybridSearcher, RankedList
from code_graph_indexer.retrieval.stale import StaleCheck
from code_graph_indexer.retrieval.walk import GraphWalker

__all__ = [
    "CodeRetriever",
    "Fused",
    "GraphWalker",
    "HybridSearcher",
    "Query",
    "RankedList",
    "Reranker",
    "StaleCheck",
    "dotted_name",
    "read_query",
]
