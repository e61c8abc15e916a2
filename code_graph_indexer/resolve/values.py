"""Describe what an expression may mean, and the point in the program that it is seen from."""

from collections.abc import Iterable
from typing import NamedTuple

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.scope import TYPED

LEVELS = 6
"""Values followed one behind the other where no type is declared."""

MAX_VALUES = 4
"""Values kept of one expression. More say nothing."""

INSTANCE, TYPE, CALLABLE, MODULE, EXTERNAL = "instance", "type", "callable", "module", "external"
"""The forms of a value. The last one is anything that is not defined in the repository."""


class TypeText(NamedTuple):
    """The text of a type and where it stands: in which file, in which class (`owner`), in which class or namespace (`around`).

    `Self` in the text means the owner.
    """

    path: str
    text: str
    owner: Target | None = None
    around: str = ""


class Value(NamedTuple):
    """One of the things that an expression may mean.

    `args` are the arguments of a generic type. `owner` is the class that a member was reached through. `paths` are the files
    of a module. If `above` is set, members are looked up in the bases only (`super()`).
    """

    form: str
    target: Target | None = None
    confidence: float = TYPED
    name: str = ""
    args: tuple[TypeText, ...] = ()
    owner: Target | None = None
    paths: tuple[str, ...] = ()
    above: bool = False


class Point(NamedTuple):
    """The point in a file that an expression is seen from.

    `frame` is the function that it stands in, `offset` counts from the start of that function, None for its end. `cls` is
    the class around it, and `dotted` the innermost definition.
    """

    frame: Frame | None
    offset: int | None
    cls: Target | None
    dotted: str = ""


Values = tuple[Value, ...]
UNKNOWN: Values = ()
OUTSIDE: Values = (Value(EXTERNAL),)


def distinct(values: Iterable[Value]) -> Values:
    """List the first `MAX_VALUES` different values."""
    return tuple(dict.fromkeys(values))[:MAX_VALUES]


def value_of(target: Target, confidence: float) -> Value:
    """Return the value of an expression that names a definition."""
    if target.kind == "module" and not target.dotted:
        return Value(MODULE, target, confidence, paths=(target.path,))
    if target.is_type:
        return Value(TYPE, target, confidence)
    return Value(CALLABLE, target, confidence)
