"""What an expression may mean, and the records by which that is followed."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.scope import TYPED

LEVELS = 6
"""Values followed one behind the other where no type is declared."""

MAX_VALUES = 4
"""Meanings kept of one expression; more say nothing."""

INSTANCE, TYPE, CALLABLE, MODULE, EXTERNAL = "instance", "type", "callable", "module", "external"
"""What a value may be; the last is something that is not defined in the repository."""

_STEP = re.compile(r"\.?[@$#]{0,2}[^\W\d][\w$]*|\(\)|\[[^\]]*\]|\{\d*\.\d+\}|''|0")


class TypeText(NamedTuple):
    """The text of a type, the file it stands in, the class that `Self` means there, and the namespace around it."""

    path: str
    text: str
    owner: Target | None = None
    around: str = ""


class Value(NamedTuple):
    """One thing that an expression may mean.

    `args` are the arguments of a generic type, `owner` the class through which a member was reached, `paths` the files of a
    module; `above` says that members are to be looked for in the bases only.
    """

    form: str
    target: Target | None = None
    confidence: float = TYPED
    name: str = ""
    args: tuple[TypeText, ...] = ()
    owner: Target | None = None
    paths: tuple[str, ...] = ()
    above: bool = False


class Place(NamedTuple):
    """Where an expression stands: in which function, how far from its start, in which class, and in which definition."""

    frame: Frame | None
    at: int | None
    cls: Target | None
    dotted: str = ""


Values = tuple[Value, ...]
UNKNOWN: Values = ()
OUTSIDE: Values = (Value(EXTERNAL),)


@lru_cache(maxsize=50_000)
def steps_of(path: str) -> tuple[str, ...]:
    """Split a path into its head and its steps."""
    if not path.startswith("<"):
        return tuple(_STEP.findall(path))
    depth = 0
    for place, mark in enumerate(path):
        depth += (mark == "<") - (mark == ">" and path[place - 1] not in "-=")
        if depth == 0:
            return (path[: place + 1], *_STEP.findall(path[place + 1 :]))
    return ()


def distinct(values: Iterable[Value]) -> Values:
    """Keep each value once, and only so many."""
    return tuple(dict.fromkeys(values))[:MAX_VALUES]


def value_of(target: Target, confidence: float) -> Value:
    """Say what naming a definition gives."""
    if target.kind == "module" and not target.dotted:
        return Value(MODULE, target, confidence, paths=(target.path,))
    if target.is_type:
        return Value(TYPE, target, confidence)
    return Value(CALLABLE, target, confidence)
