"""Tell from the signals of a first result, and from its lead, whether a search is sure of it."""

from collections.abc import Iterable, Sequence

from code_graph_indexer.retrieval.results import SignalRank

CLEAR_LEAD, LEAD = 3.0, 1.5
"""Lead of the first result over the best of another file: so much is sure alone, or if words and vectors agree.

docs/measured/README.md has the share of answers that are right."""

AGREED_VECTOR, AGREED_WORDS = 2, 3
"""The ranks up to which the signals `vector` and `words` agree on the first result."""

NAMED = 2.5
"""The most that the definition signal adds for a name in a longer query. A name that is the whole query gets more."""


def lead_of(results: Iterable[tuple[object, float]]) -> float:
    """Return how much the score of the first of some results, each as (file, score), exceeds that of another file."""
    ranked = iter(results)
    best_file, best_score = next(ranked)
    return best_score - next((score for file, score in ranked if file != best_file), 0.0)


def is_clear(signals: Sequence[SignalRank], lead: float) -> bool:
    """Return whether a first result is sure, by its signals and its lead over another file (see `lead_of`)."""
    by_name = {signal.signal: signal for signal in signals}
    ranks = {name: signal.rank for name, signal in by_name.items() if signal.rank}
    if "definition" in by_name and by_name["definition"].contribution > NAMED:
        return True
    # What a chunk gets for its callees is no evidence of its own.
    lead -= by_name["calls"].contribution if "calls" in by_name else 0.0
    agreed = 0 < ranks.get("vector", 0) <= AGREED_VECTOR and 0 < ranks.get("words", 0) <= AGREED_WORDS
    # Words and vectors agree on a quoted text because both have read it.
    return lead >= (LEAD if agreed and ranks.keys().isdisjoint({"quoted", "trigram"}) else CLEAR_LEAD)
