"""Answer questions to the graph of an index, such as who calls a function."""

from code_graph_indexer.graph.answers import hierarchy_graph, impact_graph, paths_graph
from code_graph_indexer.graph.code_graph import CodeGraph, by_distance
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.questions import IMPACT_DEPTH, GraphQuestions
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH, Limits

__all__ = [
    "IMPACT_DEPTH",
    "MAX_PATH_DEPTH",
    "CodeGraph",
    "GraphQuestions",
    "Limits",
    "Names",
    "by_distance",
    "hierarchy_graph",
    "impact_graph",
    "paths_graph",
]
