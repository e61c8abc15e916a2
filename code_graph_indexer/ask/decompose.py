"""Turn a question into retrieval requests without a language model: itself, its parts, and the kinds of text it asks for."""

import re

from code_graph_indexer.ask.plan import MAX_RETRIEVAL_REQUESTS, RetrievalRequest, RouterOutput
from code_graph_indexer.results import SourceType
from code_graph_indexer.retrieval.query import read_query

MIN_PART_WORDS = 3
"""Telling words of a part that is searched for by itself: fewer are better found together with the rest."""

_PARTS = re.compile(
    r"[?;.!]\s+|,?\s+(?:and|or|but|then|also|as well as)\s+(?=(?:how|where|what|which|who|why|when|does|do|is|are|can)\b)",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|documented|readme|guides?|tutorials?|changelog|release notes|contributing|manual)\b",
    re.I,
)
_CONFIG = re.compile(
    r"\b(?:config(?:uration)? files?|settings? files?|workflows?|ci pipelines?|github actions|manifests?|build files?"
    r"|dependencies (?:declared|listed)|env files?|dockerfile|docker compose)\b",
    re.I,
)


def decompose(question: str) -> RouterOutput:
    """Write the requests for a question, itself first."""
    requests = [RetrievalRequest(question, reasoning="the question as it was put")]
    parts = [one.strip(" ,?") for one in _PARTS.split(question)]
    if len(parts) > 1:
        telling = [one for one in parts if len(read_query(one).words) >= MIN_PART_WORDS]
        requests += [RetrievalRequest(one, reasoning=f"a part of it: {one}") for one in telling if one != question]
    spoken = ((SourceType.MARKDOWN, _DOCS), (SourceType.TEXT, _CONFIG))
    kinds = [kind.value for kind, form in spoken if form.search(question)]
    if kinds:
        # The words alone: two requests of a question differ in their query.
        words = " ".join(read_query(question).words)
        reason = f"{' and '.join(kinds)} only, as it speaks of documentation or configuration"
        requests.append(RetrievalRequest(words, source_types=tuple(kinds), reasoning=reason))
    distinct = {" ".join(one.query.casefold().split()): one for one in reversed(requests)}
    return RouterOutput(tuple(list(distinct.values())[::-1][:MAX_RETRIEVAL_REQUESTS]), "by its form")
