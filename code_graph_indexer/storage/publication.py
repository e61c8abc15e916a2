"""The frozen records of what is published on a server."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Publication:
    """A report on a publication: the name of the repository, its numbers of files and chunks, and the time it took.

    `written` is false if the database had the same content already.

    Example:
        >>> from code_graph_indexer import Publication
        >>> Publication("shop", files=12, chunks=80, written=True, seconds=0.1).written
        True
    """

    repo_id: str
    files: int
    chunks: int
    written: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class PublishedRepository:
    """A repository in a database: its name, its commit, a hash of its content, its size, and when it was published.

    Example:
        >>> from datetime import UTC, datetime
        >>> from code_graph_indexer import PublishedRepository
        >>> PublishedRepository("shop", "", "", files=12, chunks=80, lines=400, published=datetime.now(UTC)).files
        12
    """

    repo_id: str
    head: str
    stamp: str
    files: int
    chunks: int
    lines: int
    published: datetime
