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
    """A question of a conversation, the answer to it, and the names that it was about."""

    question: str
    answer: str
    names: tuple[str, ...] = ()


def turn_of(question: str, result: RAGResult) -> Turn:
    """Keep of an answer what a follow-up may speak of: its text, and the names of what it was given first."""
    names = dict.fromkeys(one.qualified_name for one in result.sources if one.qualified_name and one.type != "module")
    asked = [one for one in names if one.rpartition(".")[2] in read_query(question).names]
    return Turn(question, result.text, tuple(asked or list(names)[:1]))


def standalone(question: str, history: Sequence[Turn]) -> str:
    """Write a follow-up so that it can be searched for by itself: with the names that the last turn was about."""
    if not history or read_query(question).names:
        return question
    follows = _POINTING.search(question) or _FOLLOWING.match(question) or len(query_words(question)) < 2
    focus = next((one.names for one in reversed(history) if one.names), ())
    if not follows or not focus:
        return question
    if len(focus) == 1 and _POINTING.search(question):
        return _POINTING.sub(lambda _: focus[0], question, count=1)
    return f"{question.rstrip('?')} ({', '.join(focus[:MAX_FOCUS])})?"
