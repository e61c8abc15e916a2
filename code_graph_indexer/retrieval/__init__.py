"""From a query to ranked chunks with their context."""

from code_graph_indexer.retrieval.decompose import decompose
from code_graph_indexer.retrieval.fuse import Fused, fuse_by_rank, fuse_by_score
from code_graph_indexer.retrieval.gather import Gathered, Gatherer, merge
from code_graph_indexer.retrieval.graph_retriever import Finding, GraphFinder
from code_graph_indexer.retrieval.inline import read_filters
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.relations import Relation
from code_graph_indexer.retrieval.requests import RetrievalRequest, RouterOutput
from code_graph_indexer.retrieval.rerank import Reranker
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.retrievers import (
    BaseRetriever,
    DenseRetriever,
    GraphRetriever,
    HybridRetriever,
    RAGRouter,
    RouteDecision,
    SparseRetriever,
)
from code_graph_indexer.retrieval.router import FastPath, FastPathRouter, Route
from code_graph_indexer.retrieval.search import HybridSearcher, RankedList
from code_graph_indexer.retrieval.stale import StaleCheck
from code_graph_indexer.retrieval.trace import read_frames
from code_graph_indexer.retrieval.walk import GraphWalker

__all__ = [
    "BaseRetriever",
    "CodeRetriever",
    "DenseRetriever",
    "FastPath",
    "FastPathRouter",
    "Finding",
    "Fused",
    "Gathered",
    "Gatherer",
    "GraphFinder",
    "GraphRetriever",
    "GraphWalker",
    "HybridRetriever",
    "HybridSearcher",
    "Query",
    "RAGRouter",
    "RankedList",
    "Relation",
    "Reranker",
    "RetrievalRequest",
    "Route",
    "RouteDecision",
    "RouterOutput",
    "SparseRetriever",
    "StaleCheck",
    "decompose",
    "fuse_by_rank",
    "fuse_by_score",
    "merge",
    "read_filters",
    "read_frames",
    "read_query",
]
