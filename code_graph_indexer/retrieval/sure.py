"""Tell whether the first result of a search is surely right, by signals that do not depend on each other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.focus import RESULT_TERM
from code_graph_indexer.retrieval.query import read_query, same_word
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext, SignalRank
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.signals import SIGNALS, signal_of
from code_graph_indexer.words import index_words, query_words, telling_identifiers, whole_word

CLEAR_LEAD, LEAD = 3.0, 1.5
"""Lead of the first result over the best of another file: so much is sure alone, or if words and vectors agree.

docs/measured/README.md has the share of answers that are right."""

PLAIN_LEAD = 7.0
"""The lead that a question in everyday words needs: its words lead to a file, and seldom to the right one in it."""

QUESTION_AGREES = 3
"""The last rank by the words of the question at which it agrees with its expected words on a first result."""

MATCHED = 0.5
"""The least share of the words of a query, or of the expected words, that a sure first result has."""

MAX_DOCUMENTS, MAX_WORDS, MAX_EXAMPLE = 3, 3, 80
"""Most sections of documentation that an unsure answer names, and the most words and characters of a query in its example."""


def lead_of(results: Iterable[tuple[object, float]]) -> float:
    """Return how much the score of the first of some results, each as (file, score), exceeds that of another file."""
    ranked = iter(results)
    best_file, best_score = next(ranked)
    return best_score - next((score for file, score in ranked if file != best_file), 0.0)


def _is_clear(signals: Sequence[SignalRank], lead: float) -> bool:
    """Return whether a first result is sure, by its signals and its lead over another file (see `lead_of`)."""
    by_name = {signal.signal: signal for signal in signals}
    ranks = {name: signal.rank for name, signal in by_name.items() if signal.rank}
    # A name in a longer query adds the weight at most. A name that is the whole query gets more.
    if any(
        signal.is_absolute and part.contribution > signal.by_score
        for part in signals
        for signal in [signal_of(part.signal)]
    ):
        return True
    # What a chunk gets for its callees is no evidence of its own.
    lead -= by_name["calls"].contribution if "calls" in by_name else 0.0
    agreed = all(0 < ranks.get(name, 0) <= signal.agrees for name, signal in SIGNALS.items() if signal.agrees)
    # Words and vectors agree on a quoted text because both have read it.
    return lead >= (LEAD if agreed and not any(signal_of(name).is_literal for name in ranks) else CLEAR_LEAD)


def is_sure(text: str, contexts: Sequence[RetrievedContext], expect: str = "") -> bool:
    """Return whether the first of the results for a text, and expected words, is surely right. No result is unsure."""
    if not contexts:
        return False
    best = contexts[0]
    # A report wants several functions, and its first result says little of the others.
    if any(signal.signal == RESULT_TERM for signal in best.signals):
        return False
    query = read_query(text)
    if _matched(expect.strip() or text, best) < MATCHED:
        return False
    lead = lead_of((context.file_path, context.score) for context in contexts)
    if expect.strip():
        # The question has not been read for the expected words, so that the two are independent.
        ranks = {signal.signal: signal.rank for signal in best.signals}
        return lead >= LEAD and 0 < ranks.get("question", 0) <= QUESTION_AGREES
    return _is_clear(best.signals, lead) and (lead >= PLAIN_LEAD or not query.plain)


def _matched(text: str, context: RetrievedContext) -> float:
    """Return the share of the words of a text that a result has, in any form."""
    present = index_words(f"{context.file_path} {context.qualified_name} {context.content}").split()
    wholes = [whole for word in telling_identifiers(text) if (whole := whole_word(word))]
    matches = [whole for whole in wholes if any(same_word(whole, word) for word in present)]
    return len(matches) / len(wholes) if wholes else 1.0


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
    """Return a query with a beginning of expected words, as a tool or a function takes them. Empty for a single name."""
    if len(text.split()) < 2:
        return ""
    words = " ".join(query_words(text)[:MAX_WORDS])
    return f'"{" ".join(text.split())[:MAX_EXAMPLE]}", expect="{words} …"'
