"""Questions to the graph of an index."""

from code_graph_indexer.graph.code_graph import MAX_PATH_DEPTH, CodeGraph, Limits
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.questions import IMPACT_DEPTH, GraphQuestions

__all__ = [
    "IMPACT_DEPTH",
    "MAX_PATH_DEPTH",
    "CodeGraph",
    "GraphQuestions",
    "Limits",
    "Names",
]
