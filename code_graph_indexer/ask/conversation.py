"""Follow-up questions: what "it" and "that class" mean, by the turns before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from code_graph_indexer.results import RAGResult
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.words import query_words

MAX_TURNS = 6
"""Turns before a question that a language model is shown."""

MAX_FOCUS = 3
"""Names that a pronoun may stand for."""

_POINTING = re.compile(
    r"\b(?:(?:this|that|the|these|those) (?:class|function|method|module|file|code|type|struct|trait|ones?|part|same|former)"
    r"|it|its|they|them|their|this|that|these|those|he|she|there)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"^\W*(?:and|but|so|what about|how about|why|also|where else|then|ok|yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a conversation, the answer to it, and the qualified names that it was about.

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
    """Keep of an answer what a follow-up may speak of: its text, and the names of what it was given first."""
    names = dict.fromkeys(
        source.qualified_name for source in result.sources if source.qualified_name and source.type != "module"
    )
    names_in_question = [name for name in names if name.rpartition(".")[2] in read_query(question).names]
    return Turn(question, result.text, tuple(names_in_question or list(names)[:1]))


def standalone(question: str, history: Sequence[Turn]) -> str:
    """Write a follow-up so that it can be searched for by itself: with the names that the last turn was about."""
    if not history or read_query(question).names:
        return question
    follows = _POINTING.search(question) or _FOLLOWING.match(question) or len(query_words(question)) < 2
    focus = next((turn.names for turn in reversed(history) if turn.names), ())
    if not follows or not focus:
        return question
    if len(focus) == 1 and _POINTING.search(question):
        return _POINTING.sub(lambda _: focus[0], question, count=1)
    return f"{question.rstrip('?')} ({', '.join(focus[:MAX_FOCUS])})?"
