"""From a folder to an index file: discover, parse, chunk, resolve, embed, store."""

from code_graph_indexer.indexing.git import run_git
from code_graph_indexer.indexing.parse import FUNCTION_LIKE, Span, definition_spans
from code_graph_indexer.indexing.pipeline import index_repository
from code_graph_indexer.indexing.read import content_hash, read_regular
from code_graph_indexer.indexing.verify import differences, verify_index

__all__ = [
    "FUNCTION_LIKE",
    "Span",
    "content_hash",
    "definition_spans",
    "differences",
    "index_repository",
    "read_regular",
    "run_git",
    "verify_index",
]
