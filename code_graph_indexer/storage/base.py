"""The protocol of a database server, and what a long run reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from code_graph_indexer.results import Progress
from code_graph_indexer.storage.address import Address
from code_graph_indexer.storage.publication import Publication, PublishedRepository
from code_graph_indexer.storage.store import Store

Report = Callable[[Progress], None]
"""What is told of the progress of a long run."""


class Servers(Protocol):
    """What a module of a database server offers: it holds the published indexes of many repositories, and answers as they do.

    `address` is the one of the server. Each function raises ServerError, IndexNotFoundError or IndexFormatError.
    """

    def open_server(self, address: Address | str, *, sign_memory: int = 0) -> Store:
        """Open all published indexes, or those that the address chooses, else raise NotInIndexError.

        `sign_memory` is the memory for the signs of many vectors in MiB.
        """

    def publish_index(self, db: Path, address: Address | str, *, repo_id: str, report: Report = ...) -> Publication:
        """Write an index file in place of what is published under this name, in one transaction.

        Raises BusyError, or UsageError for a name that cannot be used.
        """

    def pull_index(self, address: Address | str, db: Path, *, repo_id: str, report: Report = ...) -> Publication:
        """Write a published index into a file, in place of the index there.

        Raises NotInIndexError, IndexFormatError if another version of cgi made it, BusyError or IndexWriteError.
        """

    def remove_repository(self, address: Address | str, repo_id: str) -> bool:
        """Remove a repository, and return whether it was there."""

    def published_repositories(self, address: Address | str) -> list[PublishedRepository]:
        """List the published repositories, or those that the address chooses, by name."""

    def settle_vectors(self, address: Address | str, *, report: Report = ...) -> int:
        """Move the vectors that were published since the last call into the index of nearest vectors, and count them."""
