"""From a folder to an index file: discover, parse, chunk, resolve, embed, store."""

from code_graph_indexer.indexing.git import run_git
from code_graph_indexer.indexing.parse import defined_at
from code_graph_indexer.indexing.pipeline import index_repository
from code_graph_indexer.indexing.read import read_regular
from code_graph_indexer.indexing.verify import differences, verify_index

__all__ = ["defined_at", "differences", "index_repository", "read_regular", "run_git", "verify_index"]
