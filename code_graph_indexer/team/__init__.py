"""What a team shares: the indexes of many repositories in PostgreSQL, and in `fleet` the workers that keep them current.

Nothing that works alone imports this folder. `storage.servers()` loads it by its name when an address is opened.
"""

from code_graph_indexer.team.postgresql import has_unsettled_vectors, open_server, published_repositories
from code_graph_indexer.team.postgresql_writer import publish_index, pull_index, remove_repository, settle_vectors

__all__ = [
    "has_unsettled_vectors",
    "open_server",
    "publish_index",
    "published_repositories",
    "pull_index",
    "remove_repository",
    "settle_vectors",
]
