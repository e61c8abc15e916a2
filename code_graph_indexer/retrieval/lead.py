"""Tell from the signals of a first result, and from its lead, whether a search is sure of it."""

from collections.abc import Iterable, Sequence

from code_graph_indexer.retrieval.results import SignalRank
from code_graph_indexer.retrieval.signals import SIGNALS, signal_of

CLEAR_LEAD, LEAD = 3.0, 1.5
"""Lead of the first result over the best of another file: so much is sure alone, or if words and vectors agree.

docs/measured/README.md has the share of answers that are right."""


def lead_of(results: Iterable[tuple[object, float]]) -> float:
    """Return how much the score of the first of some results, each as (file, score), exceeds that of another file."""
    ranked = iter(results)
    best_file, best_score = next(ranked)
    return best_score - next((score for file, score in ranked if file != best_file), 0.0)


def is_clear(signals: Sequence[SignalRank], lead: float) -> bool:
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
