"""Understand follow-up questions: the earlier turns tell what "it" and "that class" mean."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from code_graph_indexer.ask.results import RAGResult
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.words import query_words

MAX_TURNS = 6
"""The most earlier turns that the language model reads."""

MAX_FOCUS = 3
"""The most names that are added to a follow-up question."""

_POINTING = re.compile(
    r"\b(?:(?:this|that|the|these|those) (?:class|function|method|module|file|code|type|struct|trait|ones?|part|same|former)"
    r"|it|its|they|them|their|this|that|these|those|he|she|there)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"^\W*(?:and|but|so|what about|how about|why|also|where else|then|ok|yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation, its answer, and the qualified names of the definitions that the question was about.

    Example:
        >>> from code_graph_indexer import Turn
        >>> history = [Turn("what is add_tax?", "It adds tax.", ("shop.pricing.add_tax",))]
        >>> indexer.ask("who calls it?", history=history).route
        'graph'
    """

    question: str
    answer: str
    names: tuple[str, ...] = ()


def turn_of(question: str, result: RAGResult) -> Turn:
    """Return an answered question as a turn of the conversation.

    The names of the turn are the definitions among the sources that the question names. If it names none, the first
    definition is used.
    """
    names = dict.fromkeys(
        source.qualified_name for source in result.sources if source.qualified_name and source.type != "module"
    )
    names_in_question = [name for name in names if name.rpartition(".")[2] in read_query(question).names]
    return Turn(question, result.text, tuple(names_in_question or list(names)[:1]))


def standalone(question: str, history: Sequence[Turn]) -> str:
    """Return a follow-up question with the names of the last turn in it, so that the earlier turns are not needed.

    After a turn about `Cart`, "who calls it?" becomes "who calls Cart?". Any other question is returned unchanged.
    """
    # A question with a name in it is understood without the earlier turns.
    if not history or read_query(question).names:
        return question
    # A question of one telling word is too little to search for.
    follows = _POINTING.search(question) or _FOLLOWING.match(question) or len(query_words(question)) < 2
    focus = next((turn.names for turn in reversed(history) if turn.names), ())
    if not follows or not focus:
        return question
    # One name can take the place of the pronoun. Of several, it is unknown which one is meant.
    if len(focus) == 1 and _POINTING.search(question):
        return _POINTING.sub(lambda _: focus[0], question, count=1)
    return f"{question.rstrip('?')} ({', '.join(focus[:MAX_FOCUS])})?"
