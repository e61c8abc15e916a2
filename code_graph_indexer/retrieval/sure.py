"""Tell whether the first result of a search is surely right, by signals that do not depend on each other."""

from collections.abc import Sequence
from dataclasses import replace

from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.focus import RESULT_TERM
from code_graph_indexer.retrieval.lead import LEAD, is_clear, lead_of
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.words import query_words

PLAIN_LEAD = 7.0
"""The lead that a question in everyday words needs: its words lead to a file, and seldom to the right one in it."""

QUESTION_AGREES = 3
"""The last rank by the words of the question at which it agrees with its expected words on a first result."""

MAX_DOCUMENTS, MAX_WORDS, MAX_EXAMPLE = 3, 3, 80
"""Most sections of documentation that an unsure answer names, and the most words and characters of a query in its example."""


def is_sure(text: str, contexts: Sequence[RetrievedContext], expect: str = "") -> bool:
    """Return whether the first of the results for a text, and expected words, is surely right. No result is unsure."""
    if not contexts:
        return False
    best = contexts[0]
    # Its file was not clear, or all definitions would not have been compared.
    if any(signal.signal == RESULT_TERM for signal in best.signals):
        return False
    lead = lead_of((context.file_path, context.score) for context in contexts)
    if expect.strip():
        # The question has not been read for the expected words, so that the two are independent.
        ranks = {signal.signal: signal.rank for signal in best.signals}
        return lead >= LEAD and 0 < ranks.get("related", 0) <= QUESTION_AGREES
    return is_clear(best.signals, lead) and (lead >= PLAIN_LEAD or not read_query(text).plain)


def doubt_of(
    retriever: CodeRetriever, text: str, filters: Filters, contexts: Sequence[RetrievedContext], expect: str = ""
) -> Doubt | None:
    """Return the doubt about the results of a query, with what to read and try instead, or None if they are sure."""
    if is_sure(text, contexts, expect):
        return None
    documents: list[RetrievedContext] = []
    if not filters.source_types:
        markdown = replace(filters, source_types=(SourceType.MARKDOWN.value, SourceType.TEXT.value))
        documents = retriever.search(text, markdown, limit=MAX_DOCUMENTS, expect=expect)
    places = tuple(f"{context.file_path}:{context.start_line}" for context in documents)
    return Doubt(places, "" if expect.strip() else _example(text))


def _example(text: str) -> str:
    """Return a query with a beginning of expected words, as a tool or a function takes them."""
    words = " ".join(query_words(text)[:MAX_WORDS])
    return f'"{" ".join(text.split())[:MAX_EXAMPLE]}", expect="{words} …"'
