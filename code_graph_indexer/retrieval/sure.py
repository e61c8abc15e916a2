"""Tell whether the first result of a search is surely right, by signals that do not depend on each other."""

from collections.abc import Sequence
from dataclasses import replace

from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.focus import RESULT_TERM
from code_graph_indexer.retrieval.lead import is_clear, lead_of
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage import Store

PLAIN_LEAD = 7.0
"""The lead that a question in everyday words needs: its words lead to a file, and seldom to the right one in it."""

MAX_DOCUMENTS, MAX_WORDS = 3, 6
"""Most sections of documentation, and most other words, that an unsure answer names."""


def is_sure(text: str, contexts: Sequence[RetrievedContext]) -> bool:
    """Return whether the first of the results for a text is surely right. No result is unsure."""
    if not contexts:
        return False
    best = contexts[0]
    # Its file was not clear, or all definitions would not have been compared.
    if any(signal.signal == RESULT_TERM for signal in best.signals):
        return False
    lead = lead_of((context.file_path, context.score) for context in contexts)
    return is_clear(best.signals, lead) and (lead >= PLAIN_LEAD or not read_query(text).plain)


def doubt_of(
    store: Store, retriever: CodeRetriever, text: str, filters: Filters, contexts: Sequence[RetrievedContext]
) -> Doubt | None:
    """Return the doubt about the results of a query, with what to read and try instead, or None if they are sure."""
    if is_sure(text, contexts):
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
