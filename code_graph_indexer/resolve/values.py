"""Define the values that an expression may have, and the point in a program where an expression is read."""

from collections.abc import Iterable
from typing import NamedTuple

from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.resolution import TYPED
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import VALUE_KINDS

LEVELS = 6
"""The most steps to follow from variable to variable where no type is declared: `a = b`, then `b = load()`, and so on."""

UNBOUND = "?"
"""The start of the name of a value whose type is a type variable that nothing binds: `?T`."""

MAX_VALUES = 4
"""The most values of one expression. The rest is dropped, because many possible values tell little."""

INSTANCE, TYPE, CALLABLE, MODULE, EXTERNAL = "instance", "type", "callable", "module", "external"
"""The forms (sorts) of a value: an object, a type, a function, a module, or anything defined outside the repository."""


class TypeText(NamedTuple):
    """The text of a type, with the place where the text is written.

    `path` is the file. `owner` is the class that `Self` in the text refers to. `around` is the dotted name of the class or
    namespace around the text. `given` are the type variables in the text that are bound, each with what it stands for.
    """

    path: str
    text: str
    owner: Target | None = None
    around: str = ""
    given: "Given" = ()


class Value(NamedTuple):
    """A possible value of an expression, such as "an object of the class `Cart`".

    `form` is one of the constants above. `target` is the function, the type, or the type of the object. `name` is that of
    a type from outside, of a module, or of a type variable that nothing binds (UNBOUND). `args` are the arguments of a generic
    type. `owner` is the class of the receiver on which a member was found. `paths` are the files of a module, or the file in
    which the name of a type from outside is written. If `above` is set, members are looked up in the bases only, as for
    `super()`.
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
    """A point in a file, from which the names in an expression are looked up.

    `frame` has the local names of the function around the point. `offset` counts bytes from the start of that function, and
    None is its end. `cls` is the class around the point. `dotted` is the dotted name of the innermost definition around it.
    """

    frame: Frame | None
    offset: int | None
    cls: Target | None
    dotted: str = ""


Values = tuple[Value, ...]
Given = tuple[tuple[str, Values], ...]
"""Bound type variables: their names, each with the possible values of that type."""

UNKNOWN: Values = ()
OUTSIDE: Values = (Value(EXTERNAL),)


def distinct(values: Iterable[Value]) -> Values:
    """Return the values without repetitions, in their order, at most `MAX_VALUES`."""
    listed = tuple(values)
    # Most expressions have one value, and to compare values takes long.
    return listed if len(listed) < 2 else tuple(dict.fromkeys(listed))[:MAX_VALUES]


def object_of(cls: Target, confidence: float, args: tuple[TypeText, ...] = ()) -> Value:
    """Return an object of a class. That of a library's class is a value from outside, which the library describes."""
    if is_library(cls):
        return Value(EXTERNAL, cls, confidence, cls.name, args)
    return Value(INSTANCE, cls, confidence, args=args)


def is_declared(value: Value) -> bool:
    """Say whether a library declares a value."""
    return value.target is not None and is_library(value.target)


def value_of(target: Target, confidence: float) -> Value:
    """Return the value of an expression that names a definition: a module, a type, or a function."""
    # A file as a module has no name. A module inside a file, as in Ruby, is a type.
    if target.kind == "module" and not target.dotted:
        return Value(MODULE, target, confidence, paths=(target.path,))
    if target.is_type:
        return Value(TYPE, target, confidence)
    # A variable is a definition only if it holds functions, as a class does.
    if target.kind in VALUE_KINDS:
        return Value(INSTANCE, target, confidence)
    return Value(CALLABLE, target, confidence)
