"""Judge whether what was retrieved suffices for an answer, by the words and names of the question that it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from code_graph_indexer.results import RetrievedContext
from code_graph_indexer.retrieval import read_query
from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.words import index_words

ENOUGH, THIN = 0.6, 0.25
"""Share of the question's telling words in the context above which it suffices, and below which it says nothing."""


class Decision(StrEnum):
    """What to do with what was retrieved."""

    SYNTHESIZE = "synthesize"
    RETRIEVE = "re-retrieve"
    INSUFFICIENT = "insufficient"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A decision, how sure it is (0 to 1), and the words and names of the question that were not found."""

    decision: Decision
    confidence: float
    missing: tuple[str, ...] = ()


def evaluate(question: str, contexts: Sequence[RetrievedContext]) -> Evaluation:
    """Judge a context without a language model."""
    query = read_query(question)
    if not contexts:
        return Evaluation(Decision.RETRIEVE, 0.0, (*query.names, *query.words))
    text = "\n".join(f"{context.file_path} {context.qualified_name} {context.content}" for context in contexts)
    words_there = set(index_words(text).split())
    missing_names = tuple(name for name in query.names if name not in text)
    lowered = {name.lower() for name in missing_names}
    missing = tuple(
        word
        for word in query.words
        if word not in lowered and not any(same_word(word, word_there) for word_there in words_there)
    )
    share = 1 - len(missing) / len(query.words) if query.words else 1.0
    if missing_names:
        return Evaluation(Decision.RETRIEVE, share / 2, (*missing_names, *missing))
    if share < THIN:
        return Evaluation(Decision.INSUFFICIENT, 1 - share, missing)
    return Evaluation(Decision.SYNTHESIZE if share >= ENOUGH else Decision.RETRIEVE, share, missing)
