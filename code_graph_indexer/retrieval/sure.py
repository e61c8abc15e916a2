"""Tell whether the first result of a search is surely right, by signals that do not depend on each other."""

from collections.abc import Sequence
from dataclasses import replace

from code_graph_indexer.results import Doubt, Filters, RetrievedContext, SourceType
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage import Store

CLEAR_LEAD, LEAD = 3.0, 1.5
"""Lead of the first result over the best of another file: so much is sure alone, or if words and vectors agree.

docs/measured/README.md has the share of answers that are right."""

AGREED_VECTOR, AGREED_WORDS = 2, 3
"""The ranks up to which the signals `vector` and `words` agree on the first result."""

NAMED = 1.25
"""What the definition signal adds if the query has a definition's name as it is written."""

AGREED_PART = 3
"""The rank up to which the title of a report and the names in it agree."""

MAX_DOCUMENTS, MAX_WORDS = 3, 6
"""Most sections of documentation, and most other words, that an unsure answer names."""


def is_sure(contexts: Sequence[RetrievedContext]) -> bool:
    """Return whether the first of some search results is surely right. No result is unsure."""
    if not contexts:
        return False
    best = contexts[0]
    signals = {signal.signal: signal for signal in best.signals}
    ranks = {name: signal.rank for name, signal in signals.items() if signal.rank}
    if "title" in ranks or "names" in ranks:
        return all(0 < ranks.get(part, 0) <= AGREED_PART for part in ("title", "names"))
    if "definition" in signals and signals["definition"].contribution >= NAMED:
        return True
    if {"quoted", "trigram"} & ranks.keys():
        return True
    lead = best.score - next((context.score for context in contexts if context.file_path != best.file_path), 0.0)
    # What a chunk gets for its callees is no evidence of its own.
    lead -= signals["calls"].contribution if "calls" in signals else 0.0
    agreed = 0 < ranks.get("vector", 0) <= AGREED_VECTOR and 0 < ranks.get("words", 0) <= AGREED_WORDS
    return lead >= (LEAD if agreed else CLEAR_LEAD)


def doubt_of(
    store: Store, retriever: CodeRetriever, text: str, filters: Filters, contexts: Sequence[RetrievedContext]
) -> Doubt | None:
    """Return the doubt about the results of a query, with what to read and try instead, or None if they are sure."""
    if is_sure(contexts):
        return None
    query = read_query(text)
    counts = store.word_counts(query.related).having if query.related else {}
    words = [word for word in query.related if counts.get(word)]
    # A rare word leads to few places, so it is the better one to try.
    words.sort(key=lambda word: counts[word])
    documents: list[RetrievedContext] = []
    if not filters.source_types:
        markdown = replace(filters, source_types=(SourceType.MARKDOWN.value, SourceType.TEXT.value))
        documents = retriever.search(text, markdown, limit=MAX_DOCUMENTS)
    return Doubt(tuple(f"{context.file_path}:{context.start_line}" for context in documents), tuple(words[:MAX_WORDS]))
