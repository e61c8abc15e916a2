"""Find the elements and members of library containers, which the repository does not define: lists, maps, tuples, streams."""

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.annotations import MAP_TYPE, RECORD_TYPE, TUPLE_TYPE, field_of
from code_graph_indexer.resolve.steps import EACH, ENTER, PAIRS
from code_graph_indexer.resolve.values import CALLABLE, EXTERNAL, OUTSIDE, UNKNOWN, TypeText, Value, Values

TUPLES = "tuple-endings"
"""The key in languages/containers.toml that lists ends of type names. All other keys list methods of containers."""

Read = Callable[[TypeText], Values]
"""A function that reads the text of a type and returns the possible values of that type."""


@cache
def _methods() -> dict[str, str]:
    """Map each method name of containers to the kind of its result: `get` → `element`, `items` → `pairs`."""
    return {name: result for result, names in _table().items() if result != TUPLES for name in names}


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("code_graph_indexer.languages").joinpath("containers.toml").read_text(encoding="utf-8"))


@cache
def _tuple_endings() -> tuple[str, ...]:
    """Return the ends of the names of types with a type for each position, in lower case."""
    return (*_table()[TUPLES], TUPLE_TYPE)


def callback_parameter(value: Value, parameter: int, language: Language) -> TypeText | None:
    """Return the text of the type of a callback's parameter, counted from 0. None if it is not known.

    `value` is the container method that takes the callback, or a value of a library function type (`Consumer<User>`).
    """
    if value.form == CALLABLE and value.name:
        return value.args[0] if parameter == 0 and len(value.args) == 1 else None
    is_function = value.form == EXTERNAL and value.args and value.name.rpartition(".")[2] in language.callback_types
    return value.args[min(parameter, len(value.args) - 1)] if is_function else None


def container_member(value: Value, name: str, read: Read) -> Values:
    """Return the possible values of a member of a container or record type.

    The result is `OUTSIDE` (not defined in the repository) for unknown methods, and for any member of a container without
    an element type.
    """
    if not value.args:
        return OUTSIDE
    if value.name == RECORD_TYPE:
        text = field_of(tuple(arg.text for arg in value.args), name)
        return read(value.args[0]._replace(text=text)) if text else UNKNOWN
    match _methods().get(name):
        case "element":
            return (Value(CALLABLE, args=value.args[-1:]),)
        case "content":
            return (Value(CALLABLE, args=value.args[:1]),)
        case "callback":
            return (Value(CALLABLE, name=RECORD_TYPE, args=value.args),)
        case "pairs":
            return (value._replace(form=CALLABLE, name="pairs"),)
        case "keys":
            return (value._replace(form=CALLABLE, args=value.args[:1]),)
        case "values":
            return (value._replace(form=CALLABLE, args=value.args[-1:]),)
        case "same":
            return (value._replace(form=CALLABLE),)
    return OUTSIDE


def container_element(value: Value, step: str, read: Read) -> Values:
    """Return the possible values of an element of a container.

    `step` is `[0]` (at a position or key), `[*]` (in a loop), `[:]` (a pair of key and element) or `[>]` (in a `with`).
    """
    if step == PAIRS:
        key = value.args[0] if len(value.args) > 1 else value.args[0]._replace(text="")
        return (Value(EXTERNAL, name=TUPLE_TYPE, args=(key, value.args[-1])),)
    if value.name == "pairs":
        return (value._replace(name=TUPLE_TYPE),)
    number = step[1:-1]
    # Only a tuple has a type for each position. A list has one for all of them.
    if number.isdigit() and value.name.lower().endswith(_tuple_endings()):
        position = int(number)
        return read(value.args[position]) if position < len(value.args) else UNKNOWN
    # A loop over a map gives its keys, except where the language writes the map as `[K: V]`.
    key_first = step in (EACH, ENTER) and not (value.name == MAP_TYPE and len(value.args) == 2)
    return read(value.args[0] if key_first else value.args[-1])
