"""Answer a question in words, and check the citations in the answer.

The package itself imports from its modules, not from here, because a search needs few of them.
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names

if TYPE_CHECKING:
    from code_graph_indexer.ask.answer import configured_model
    from code_graph_indexer.ask.graph_retriever import GraphRetriever
    from code_graph_indexer.ask.pipeline import RAGPipeline
    from code_graph_indexer.ask.route import FastPathRouter, places_of_report
    from code_graph_indexer.ask.trace import read_frames
else:
    __getattr__ = late_names(
        __name__,
        {
            "answer": "configured_model",
            "graph_retriever": "GraphRetriever",
            "pipeline": "RAGPipeline",
            "route": "FastPathRouter places_of_report",
            "trace": "read_frames",
        },
    )

__all__ = [
    "FastPathRouter",
    "GraphRetriever",
    "RAGPipeline",
    "configured_model",
    "places_of_report",
    "read_frames",
]
