"""What a team shares: the indexes of many repositories in PostgreSQL, and in `fleet` the workers that keep them current.

Nothing that works alone imports this folder. `storage.servers()` loads it by its name when an address is opened.
"""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names
from code_graph_indexer.team.postgresql import has_unsettled_vectors, open_server, published_repositories

__all__ = [
    "has_unsettled_vectors",
    "open_server",
    "publish_index",
    "published_repositories",
    "pull_index",
    "remove_repository",
    "settle_vectors",
]

# At run time, what publishes is imported when it is first asked for: a question needs none of it, and of NumPy only to search.
if TYPE_CHECKING:
    from code_graph_indexer.team.postgresql_writer import (
        publish_index,
        pull_index,
        remove_repository,
        settle_vectors,
    )
else:
    writes = "publish_index pull_index remove_repository settle_vectors"
    __getattr__ = late_names(__name__, {"postgresql_writer": writes})
