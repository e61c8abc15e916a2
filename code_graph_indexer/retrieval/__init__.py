"""From a query to ranked chunks with their context."""

from code_graph_indexer.retrieval.fuse import Fused, fuse_by_rank, fuse_by_score
from code_graph_indexer.retrieval.query import Query, dotted_name, read_query
from code_graph_indexer.retrieval.rerank import Reranker
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
    "fuse_by_rank",
    "fuse_by_score",
    "read_query",
]
