"""Find the chunks that answer a query, and return them ranked, with the code around them."""

from code_graph_indexer.retrieval.filters import build_filters, parse_filters, read_filters
from code_graph_indexer.retrieval.fuse import Fused, fuse_by_rank, fuse_by_score
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.rank import Reranker
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.retrievers import BaseRetriever, DenseRetriever, HybridRetriever, SparseRetriever
from code_graph_indexer.retrieval.signals import HybridSearcher, RankedList
from code_graph_indexer.retrieval.stale import StaleCheck
from code_graph_indexer.retrieval.walk import GraphWalker

__all__ = [
    "BaseRetriever",
    "CodeRetriever",
    "DenseRetriever",
    "Fused",
    "GraphWalker",
    "HybridRetriever",
    "HybridSearcher",
    "Query",
    "RankedList",
    "Reranker",
    "SparseRetriever",
    "StaleCheck",
    "build_filters",
    "fuse_by_rank",
    "fuse_by_score",
    "parse_filters",
    "read_filters",
    "read_query",
]
