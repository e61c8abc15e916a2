"""Plan the searches for a question: one to five requests. Without a language model, the wording of the question decides."""

import re
from dataclasses import dataclass

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import SourceType
from code_graph_indexer.retrieval.query import MAX_QUERY, read_query

MAX_RETRIEVAL_REQUESTS = 5
MAX_PATTERNS = 10
"""The most folders in one request, and the most file patterns."""

MIN_PART_WORDS = 3
"""The fewest words, without stop words, of a part of a question that is searched alone."""

# A conjunction splits only before a question word, so `save and load` stays together.
_PARTS = re.compile(
    r"[?;.!]\s+|,?\s+(?:and|or|but|then|also|as well as)\s+(?=(?:how|where|what|which|who|why|when|does|do|is|are|can)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """One search for a question. Raises UsageError if a field is not valid.

    `source_types` and `file_patterns` restrict the search. Files in `folders` only rank higher. `reasoning` says what the
    search should find. `expect` has names and words that such code would use, which are searched first.

    Example:
        >>> from code_graph_indexer import RetrievalRequest
        >>> RetrievalRequest("save an order", source_types=("code",)).query
        'save an order'
    """

    query: str
    source_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    reasoning: str = ""
    expect: str = ""

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise UsageError("there is no query; give words, a name or a question")
        if max(len(self.query), len(self.expect)) > MAX_QUERY:
            raise UsageError(f"a retrieval request has a query of over {MAX_QUERY:,} characters")
        source_types = [source_type.value for source_type in SourceType]
        if wrong := [source_type for source_type in self.source_types if source_type not in source_types]:
            raise UsageError(f"there is no source type {wrong[0]!r}. Known: {', '.join(source_types)}.")
        if len(self.folders) > MAX_PATTERNS or len(self.file_patterns) > MAX_PATTERNS:
            raise UsageError(f"a retrieval request has over {MAX_PATTERNS} folders or file patterns")


@dataclass(frozen=True, slots=True)
class RouterOutput:
    """The searches for a question, the most important first. Raises UsageError unless there are one to five distinct queries.

    `expect` has names and words that code for the whole question would use.

    Example:
        >>> from code_graph_indexer import RetrievalRequest, RouterOutput
        >>> output = RouterOutput((RetrievalRequest("save an order"),))
        >>> len(output.requests)
        1
    """

    requests: tuple[RetrievalRequest, ...]
    reasoning: str = ""
    expect: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.requests) <= MAX_RETRIEVAL_REQUESTS:
            raise UsageError(
                f"a question has {len(self.requests)} requests; one to {MAX_RETRIEVAL_REQUESTS} are possible"
            )
        queries = [" ".join(request.query.casefold().split()) for request in self.requests]
        if len(set(queries)) < len(queries):
            raise UsageError("two requests of a question have the same query")


def decompose(question: str) -> RouterOutput:
    """Split a question into requests by its wording. The first request is the question itself."""
    requests = [RetrievalRequest(question, reasoning="the question as it was put")]
    parts = [part.strip(" ,?") for part in _PARTS.split(question)]
    if len(parts) > 1:
        telling = [part for part in parts if len(read_query(part).words) >= MIN_PART_WORDS]
        requests += [RetrievalRequest(part, reasoning=f"a part of it: {part}") for part in telling if part != question]
    query = read_query(question)
    if kinds := query.documents:
        # The words alone: two requests of a question differ in their query.
        words = " ".join(query.words)
        reason = f"{' and '.join(kinds)} only, as it speaks of documentation or configuration"
        requests.append(RetrievalRequest(words, source_types=kinds, reasoning=reason))
    # Reversed, so that of requests with the same words the first one stays.
    distinct = {" ".join(request.query.casefold().split()): request for request in reversed(requests)}
    return RouterOutput(tuple(list(distinct.values())[::-1][:MAX_RETRIEVAL_REQUESTS]), "by its form")
