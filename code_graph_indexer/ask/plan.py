"""What is to be retrieved for a question: one to five requests, each with its own words, filters and reason."""

from dataclasses import dataclass

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import SourceType
from code_graph_indexer.retrieval.query import MAX_QUERY

MAX_RETRIEVAL_REQUESTS = 5
MAX_PATTERNS = 10
"""Folders, and file patterns, of one request."""


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """One search for a question; raises UsageError when it cannot be one.

    `source_types` and `file_patterns` restrict it, `folders` only prefer; `reasoning` says what it is to find.
    """

    query: str
    source_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    reasoning: str = ""

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise UsageError("there is no query; give words, a name or a question")
        if len(self.query) > MAX_QUERY:
            raise UsageError(f"a retrieval request has a query of over {MAX_QUERY:,} characters")
        known = [one.value for one in SourceType]
        if wrong := [one for one in self.source_types if one not in known]:
            raise UsageError(f"there is no source type {wrong[0]!r}. Known: {', '.join(known)}.")
        if len(self.folders) > MAX_PATTERNS or len(self.file_patterns) > MAX_PATTERNS:
            raise UsageError(f"a retrieval request has over {MAX_PATTERNS} folders or file patterns")


@dataclass(frozen=True, slots=True)
class RouterOutput:
    """The requests for a question, the most important first, all distinct; raises UsageError when they cannot be that."""

    requests: tuple[RetrievalRequest, ...]
    reasoning: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.requests) <= MAX_RETRIEVAL_REQUESTS:
            raise UsageError(
                f"a question has {len(self.requests)} requests; one to {MAX_RETRIEVAL_REQUESTS} are possible"
            )
        queries = [" ".join(one.query.casefold().split()) for one in self.requests]
        if len(set(queries)) < len(queries):
            raise UsageError("two requests of a question have the same query")
