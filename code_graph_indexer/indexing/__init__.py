"""The write path: discover files, index them in workers, link them, store them."""

from code_graph_indexer.indexing.run import index_repository
from code_graph_indexer.indexing.verify import differences, verify_index

__all__ = [
    "differences",
    "index_repository",
    "verify_index",
]
