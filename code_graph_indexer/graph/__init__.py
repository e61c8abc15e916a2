"""Questions to the graph of an index."""

from code_graph_indexer.graph.api import IMPACT_DEPTH, GraphQuestions
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.questions import MAX_PATH_DEPTH, CodeGraph, Limits
from code_graph_indexer.graph.records import (
    PROVEN,
    CallPaths,
    Certainty,
    Community,
    FileLink,
    FileLinks,
    GraphEdge,
    GraphExport,
    GraphNode,
    Hierarchy,
    Hub,
    Impact,
    Reach,
    ScipExport,
    Step,
    Unused,
)

__all__ = [
    "IMPACT_DEPTH",
    "MAX_PATH_DEPTH",
    "PROVEN",
    "CallPaths",
    "Certainty",
    "CodeGraph",
    "Community",
    "FileLink",
    "FileLinks",
    "GraphEdge",
    "GraphExport",
    "GraphNode",
    "GraphQuestions",
    "Hierarchy",
    "Hub",
    "Impact",
    "Limits",
    "Names",
    "Reach",
    "ScipExport",
    "Step",
    "Unused",
]
