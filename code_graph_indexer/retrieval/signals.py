"""The signals of a search: what each needs, and what it weighs wherever the search puts signals together.

docs/explanation/ranking.md says how the weights were chosen. What a weight is a part of differs from place to place, so the
weights of one column compare, and those of a row do not.
"""

from dataclasses import dataclass

from code_graph_indexer.storage.arrays import Hits


@dataclass(frozen=True, slots=True)
class Signal:
    """A source of ranking.

    * `by_score`: its weight in fusion by scores. Its best hit gets the whole weight, other hits a part of it.
    * `of_definitions`: its weight, in standard deviations, among the definitions of the best files. 0: it is not asked.
    * `needs_embedder`: whether a search without an embedder goes without it.
    * `is_absolute`: whether a score of 1 always means a certain match, so that scores are not divided by the best.
    * `is_literal`: whether it finds the text of the query itself, so that words and vectors agree on it in any case.
    * `agrees`: the last rank at which it agrees on a first result, 0 if it is not asked.
    """

    name: str
    by_score: float = 1.0
    of_definitions: float = 0.0
    needs_embedder: bool = False
    is_absolute: bool = False
    is_literal: bool = False
    agrees: int = 0


SIGNALS: dict[str, Signal] = {
    signal.name: signal
    for signal in (
        Signal("definition", by_score=2.5, is_absolute=True),
        Signal("words", by_score=2.5, of_definitions=1.0, agrees=3),
        Signal("question", by_score=1.0),
        Signal("related", by_score=3.0, of_definitions=0.3),
        Signal("described", by_score=5.0),
        Signal("trigram", by_score=1.0, is_literal=True),
        Signal("quoted", by_score=4.0, is_literal=True),
        Signal("vector", by_score=6.0, of_definitions=0.7, needs_embedder=True, agrees=2),
    )
}
"""The signals by name, in the order of the lists of a search."""

SIGNAL_NAMES = tuple(SIGNALS)


@dataclass(frozen=True, slots=True)
class RankedList:
    """The hits of one signal, best first."""

    signal: str
    hits: Hits


def signal_of(name: str) -> Signal:
    """Return a signal. One that is not in the table weighs 1."""
    return SIGNALS.get(name) or Signal(name)
