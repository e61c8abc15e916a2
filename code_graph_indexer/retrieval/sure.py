"""Tell whether the first result of a search is surely right, by signals that do not depend on each other."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.retrieval.asides import accompanying
from code_graph_indexer.retrieval.focus import RESULT_TERM
from code_graph_indexer.retrieval.query import Query, read_query, same_word
from code_graph_indexer.retrieval.results import EXPECT_ARGUMENT, Doubt, RetrievedContext, SignalRank
from code_graph_indexer.retrieval.signals import SIGNALS, signal_of
from code_graph_indexer.storage import Store
from code_graph_indexer.words import STOP_WORDS, index_words, query_words, telling_identifiers, tokens, whole_word

CLEAR_LEAD, LEAD = 3.0, 1.5
"""Lead of the first result over the best of another file: so much is sure alone, or if words and vectors agree.

docs/measured/README.md has the share of answers that are right."""

PLAIN_LEAD = 7.0
"""The lead that a question in everyday words needs: its words lead to a file, and seldom to the right one in it."""

MATCHED = 0.5
"""The least weight of the words of a query that a sure first result has of all their weight."""

EXPECTED_LEAD, COMPARED = 0.1, 5
"""The part of the weight of expected words by which a sure first result has more than each of the next, and how many count."""

LITTLE = 0.2
"""The weight of words below which nothing found is likely to answer. In 3 of 10 questions, an answer is among eight results.

Above it, that is so in 8 of 10 (questions with expected words, on repositories outside)."""

LEAST_SAID, DATA_MARKS = 0.2, frozenset("\"'{[]}<,(")
"""The least share of stop words in prose, and how the lines of data begin."""

MAX_JOINED, _JOINED = 0.05, re.compile(r"""(["'])\s*[:,]\s*\1""")
"""The most signs alone between two quoted texts, as in `"a": "b"`, that prose has for each of its words."""

MAX_DOCUMENTS, MAX_WORDS, MAX_EXAMPLE = 3, 3, 80
"""Most sections of documentation that an unsure answer names, and the most words and characters of a query in its example."""

DOCUMENTS_READ = 20
"""The sections of documentation among which these are chosen."""


def lead_of(results: Iterable[tuple[object, float]]) -> float:
    """Return how much the score of the first of some results, each as (file, score), exceeds that of another file."""
    ranked = iter(results)
    best_file, best_score = next(ranked)
    return best_score - next((score for file, score in ranked if file != best_file), 0.0)


def _is_named(signals: Sequence[SignalRank]) -> bool:
    """Return whether the whole query is the name of a first result, by its signals."""
    # A name in a longer query adds the weight at most. A name that is the whole query gets more.
    return any(
        signal.is_absolute and part.contribution > signal.by_score
        for part in signals
        for signal in [signal_of(part.signal)]
    )


def _is_clear(signals: Sequence[SignalRank], lead: float) -> bool:
    """Return whether a first result is sure, by its signals and its lead over another file (see `lead_of`)."""
    by_name = {signal.signal: signal for signal in signals}
    ranks = {name: signal.rank for name, signal in by_name.items() if signal.rank}
    # What a chunk gets for its callees is no evidence of its own.
    lead -= by_name["calls"].contribution if "calls" in by_name else 0.0
    agreed = all(0 < ranks.get(name, 0) <= signal.agrees for name, signal in SIGNALS.items() if signal.agrees)
    # Words and vectors agree on a quoted text because both have read it.
    return lead >= (LEAD if agreed and not any(signal_of(name).is_literal for name in ranks) else CLEAR_LEAD)


def is_sure(store: Store, text: str, contexts: Sequence[RetrievedContext], expect: str = "") -> bool:
    """Return whether the first of the results for a text, and expected words, is surely in the right place."""
    # A report wants several functions, and its first result says little of the others.
    if not contexts or any(signal.signal == RESULT_TERM for signal in contexts[0].signals):
        return False
    is_named = _is_named(contexts[0].signals)
    if expect.strip():
        place = contexts[0].file_path, contexts[0].qualified_name
        # A long definition is several results, which have the same words.
        rivals = [context for context in contexts[1:COMPARED] if (context.file_path, context.qualified_name) != place]
        share, *others = _matched(store, expect, [contexts[0], *rivals])
        return is_named or share >= max(LITTLE, max(others, default=0.0) + EXPECTED_LEAD)
    lead = lead_of((context.file_path, context.score) for context in contexts)
    is_clear = _is_clear(contexts[0].signals, lead) and (lead >= PLAIN_LEAD or not read_query(text).plain)
    return (is_named or is_clear) and _matched(store, text, contexts[:1])[0] >= MATCHED


def _matched(store: Store, text: str, contexts: Sequence[RetrievedContext]) -> list[float]:
    """Return the share of a text's words that each result has, in any form. A word weighs the more the fewer chunks have it."""
    texts = [f"{context.file_path} {context.qualified_name} {context.content}" for context in contexts]
    return _shares(store, text, texts)


def _is_weak(store: Store, text: str, contexts: Sequence[RetrievedContext], share: float) -> bool:
    """Say whether the first result lacks nearly all of a text's words, also in what a language model wrote of it."""
    if share >= LITTLE or not contexts or contexts[0].description is None:
        return share < LITTLE
    return share + _shares(store, text, [contexts[0].description.sentence])[0] < LITTLE


def _shares(store: Store, text: str, texts: Iterable[str]) -> list[float]:
    """Return, for each of some texts, the share of a text's words that it has, by their weight."""
    wholes = list(dict.fromkeys(whole for word in telling_identifiers(text) if (whole := whole_word(word))))
    counts = store.word_counts(wholes)
    weights = {word: math.log1p(counts.chunks / (1 + counts.having.get(word, 0))) for word in wholes}
    total = sum(weights.values()) or 1.0
    shares = []
    for candidate in texts:
        present = set(index_words(candidate).split())
        matched = sum(weights[word] for word in wholes if any(same_word(word, term) for term in present))
        shares.append(matched / total if wholes else 1.0)
    return shares


def doubt_of(
    store: Store, text: str, filters: Filters, contexts: Sequence[RetrievedContext], expect: str = ""
) -> Doubt | None:
    """Return the doubt about the results of a query, with what to read and try instead, or None if they are sure."""
    if is_sure(store, text, contexts, expect):
        return None
    share = next(iter(_matched(store, expect.strip() or text, contexts[:1])), 0.0)
    places = () if filters.source_types else _documents(store, read_query(text, expect=expect), filters)
    # Vectors have a nearest chunk for any text, even for one without meaning.
    signals = {part.signal for context in contexts for part in context.signals if part.signal in SIGNALS}
    weak = _is_weak(store, expect.strip() or text, contexts, share)
    return Doubt(places, "" if expect.strip() else _example(text), signals == {"vector"}, weak, share)


def _documents(store: Store, query: Query, filters: Filters) -> tuple[str, ...]:
    """Return the places of the sections of documentation with most words of a query, without change logs and the like."""
    words = (*query.words, *query.question)
    markdown = replace(filters, source_types=(SourceType.MARKDOWN.value, SourceType.TEXT.value))
    ids = store.words(words, markdown, DOCUMENTS_READ).ids.tolist()
    files = store.files_of(ids)
    ids = [chunk_id for chunk_id in ids if chunk_id in files and (filters.tests or "test" not in files[chunk_id].marks)]
    # A word such as `change` or `history` asks a question for more than change logs, and a doubt leads to none of them.
    is_aside = accompanying((), [files[chunk_id] for chunk_id in ids]).tolist()
    chunks = store.chunks([chunk_id for chunk_id, aside in zip(ids, is_aside, strict=True) if not aside])
    texts = store.chunk_texts(chunks)
    # A document that has a common word of the question alone is none of its matter.
    shares = _shares(store, " ".join(words), texts)
    places = [
        f"{chunk.path}:{chunk.start_line}"
        for chunk, text, share in zip(chunks, texts, shares, strict=True)
        if share >= MATCHED and (chunk.source_type == SourceType.MARKDOWN or is_prose(text))
    ]
    return tuple(places[:MAX_DOCUMENTS])


def is_prose(text: str) -> bool:
    """Say whether a text without a language is written for people, and not data, a table of values or a script.

    >>> is_prose("When the memory is full, keys are evicted."), is_prose('"a": {"b": "c"}')
    (True, False)
    """
    words = tokens(text.lower())
    starts = [line.lstrip()[:1] for line in text.split("\n") if line.strip()]
    said = sum(word in STOP_WORDS for word in words)
    is_data = 2 * sum(start in DATA_MARKS for start in starts) >= len(starts)
    return said >= LEAST_SAID * len(words) and not is_data and len(_JOINED.findall(text)) <= MAX_JOINED * len(words)


def _example(text: str) -> str:
    """Return a query with a beginning of expected words, as a tool or a function takes them. Empty for a single name."""
    if len(text.split()) < 2:
        return ""
    words = " ".join(query_words(text)[:MAX_WORDS])
    return f'"{" ".join(text.split())[:MAX_EXAMPLE]}"{EXPECT_ARGUMENT}"{words} …"'
