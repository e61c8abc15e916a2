"""Judge whether the retrieved chunks suffice for an answer, by the words and names of the question that they contain."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from code_graph_indexer.retrieval.query import read_query, same_word
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.words import index_words

ENOUGH, THIN = 0.6, 0.25
"""Shares of the question's words that the context contains: from ENOUGH on it suffices, below THIN it says nothing."""


class Decision(StrEnum):
    """The next step after retrieval: write the answer, search again, or warn the model that the context is thin."""

    SYNTHESIZE = "synthesize"
    RETRIEVE = "re-retrieve"
    INSUFFICIENT = "insufficient"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A decision, its confidence (0 to 1), and the words and names of the question that were not found."""

    decision: Decision
    confidence: float
    missing: tuple[str, ...] = ()


def evaluate(question: str, contexts: Sequence[RetrievedContext]) -> Evaluation:
    """Judge retrieved chunks without a language model, by the share of the question's words that they contain.

    If a name of the question is missing, the decision is always to search again.
    """
    query = read_query(question)
    if not contexts:
        return Evaluation(Decision.RETRIEVE, 0.0, (*query.names, *query.words))
    text = "\n".join(f"{context.file_path} {context.qualified_name} {context.content}" for context in contexts)
    words_there = set(index_words(text).split())
    missing_names = tuple(name for name in query.names if name not in text)
    lowered = {name.lower() for name in missing_names}
    # A missing name is listed as written, and not once more as a word.
    missing = tuple(
        word
        for word in query.words
        if word not in lowered and not any(same_word(word, word_there) for word_there in words_there)
    )
    share = 1 - len(missing) / len(query.words) if query.words else 1.0
    if missing_names:
        return Evaluation(Decision.RETRIEVE, share / 2, (*missing_names, *missing))
    if share < THIN:
        # Confidence in this decision grows as fewer words are there.
        return Evaluation(Decision.INSUFFICIENT, 1 - share, missing)
    return Evaluation(Decision.SYNTHESIZE if share >= ENOUGH else Decision.RETRIEVE, share, missing)
