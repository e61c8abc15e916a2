"""Find the elements and members of library containers, which the repository does not define: lists, maps, tuples, streams."""

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.annotations import CHANNEL_TYPE, MAP_TYPE, RECORD_TYPE, TUPLE_TYPE, field_of
from code_graph_indexer.resolve.steps import EACH, ENTER, PAIRS
from code_graph_indexer.resolve.values import CALLABLE, EXTERNAL, OUTSIDE, UNKNOWN, TypeText, Value, Values, distinct

TUPLES, MAPS = "tuple-endings", "keyed-endings"
"""The keys in languages/containers.toml that list ends of type names."""

PARTS = {"parts": False, "part-calls": True}
"""The keys in that file that list the members of a pair, and whether these are called.

All keys but these list methods of containers.
"""

PAIRS_TYPE = "pairs"
"""The name of a list of pairs of key and value, such as `items()` of a mapping gives."""

Read = Callable[[TypeText], Values]
"""A function that reads the text of a type and returns the possible values of that type."""


@cache
def _methods() -> dict[str, str]:
    """Map each method name of containers to the kind of its result: `get` → `element`, `items` → `pairs`."""
    others = {TUPLES, MAPS, *PARTS}
    return {name: result for result, names in _table().items() if result not in others for name in names}


@cache
def _parts() -> dict[str, tuple[int, bool]]:
    """Map each member of a pair to its position, and whether it is called: `second` → 1, `getValue` → 1 and called."""
    return {
        name: (position, called)
        for key, called in PARTS.items()
        for names in _table()[key]
        for position, name in enumerate(names)
    }


def is_part(name: str) -> bool:
    """Say whether a member of a pair is one of its parts: `second`."""
    return name in _parts()


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("code_graph_indexer.languages").joinpath("containers.toml").read_text(encoding="utf-8"))


@cache
def _tuple_endings() -> tuple[str, ...]:
    """Return the ends of the names of types with a type for each position, in lower case."""
    return (*_table()[TUPLES], TUPLE_TYPE)


@cache
def _map_endings() -> tuple[str, ...]:
    """Return the ends of the names of types that have a key for each value, in lower case."""
    return (*_table()[MAPS], MAP_TYPE)


def _is_map(value: Value) -> bool:
    return len(value.args) > 1 and value.name.lower().endswith(_map_endings())


def callback_parameter(value: Value, parameter: int, language: Language) -> TypeText | None:
    """Return the text of the type of a callback's parameter, counted from 0. None if it is not known.

    `value` is the container method that takes the callback.
    """
    if value.form == CALLABLE and (value.name or len(value.args) == 1):
        if len(value.args) == 2 and language.object_literals:
            # JavaScript gives the value first.
            return value.args[1 - parameter] if parameter < 2 else None
        if len(value.args) == 2 and language.loops_over == "pairs":
            key, element = value.args
            return key._replace(text=f"({key.text}, {element.text})") if parameter == 0 else None
        # What compares elements, or folds them, takes one as its second parameter too. JavaScript gives a position there.
        last = 0 if language.object_literals else 1
        return value.args[0] if 0 <= parameter <= last and len(value.args) == 1 else None
    return None


def container_member(value: Value, name: str, read: Read) -> Values:
    """Return the possible values of a member of a container or record type.

    The result is `OUTSIDE` (not defined in the repository) for unknown methods, and for any member of a container without
    an element type.
    """
    if not value.args:
        return OUTSIDE
    if value.name == RECORD_TYPE:
        text = field_of(tuple(arg.text for arg in value.args), name)
        record = value.args[0]
        return read(record._replace(text=text, around=f"{record.around}.{name}")) if text else UNKNOWN
    if (part := _parts().get(name)) and value.name.lower().endswith(_tuple_endings()):
        position, called = part
        args = value.args[position : position + 1]
        return (Value(CALLABLE, args=args),) if called else distinct(content for arg in args for content in read(arg))
    result = _methods().get(name)
    if (value.name == PAIRS_TYPE and result == "element") or (
        (result == "iterator" or name == "find") and _is_map(value)
    ):
        return (Value(CALLABLE, name=TUPLE_TYPE, args=value.args[:2]),)
    match result:
        case "element" | "iterator":
            return (Value(CALLABLE, args=value.args[-1:]),)
        case "content":
            return (Value(CALLABLE, args=value.args[:1]),)
        case "callback" if value.name.endswith("Result"):
            # `Result<User, Error>` holds a User.
            return (Value(CALLABLE, name=RECORD_TYPE, args=value.args[:1]),)
        case "callback":
            return (Value(CALLABLE, name=RECORD_TYPE, args=value.args),)
        case "pairs":
            return (value._replace(form=CALLABLE, name=PAIRS_TYPE),)
        case "keys":
            return (value._replace(form=CALLABLE, args=value.args[:1]),)
        case "values":
            return (value._replace(form=CALLABLE, args=value.args[-1:]),)
        case "same":
            return (value._replace(form=CALLABLE),)
    return OUTSIDE


def is_position(value: Value, step: str) -> bool:
    """Say whether a step leads to a position of a tuple. Only that has a type for each position, a list has one for all."""
    return step[1:-1].isdigit() and value.name.lower().endswith(_tuple_endings())


def container_element(value: Value, step: str, read: Read, language: Language) -> Values:
    """Return the possible values of an element of a container.

    `step` is `[0]` (at a position or key), `[*]` (in a loop), `[:]` (a pair of key and element) or `[>]` (in a `with`).
    """
    if step == PAIRS:
        key = value.args[0] if len(value.args) > 1 else value.args[0]._replace(text="")
        return (Value(EXTERNAL, name=TUPLE_TYPE, args=(key, value.args[-1])),)
    if value.name == PAIRS_TYPE:
        # The elements of a list are counted: `enumerate`.
        args = value.args if len(value.args) > 1 else (value.args[0]._replace(text=""), *value.args)
        return (value._replace(name=TUPLE_TYPE, args=args),)
    if step == EACH and language.loops_over == "positions" and value.name != CHANNEL_TYPE:
        # A loop with one variable over anything but a channel gives keys or positions.
        return read(value.args[0]) if value.name == MAP_TYPE else UNKNOWN
    if step == EACH and language.loops_over == "pairs" and _is_map(value):
        return (value._replace(name=TUPLE_TYPE, args=value.args[:2]),)
    if is_position(value, step):
        position = int(step[1:-1])
        return read(value.args[position]) if position < len(value.args) else UNKNOWN
    # A loop over a map gives its keys, except in PHP, and where the language writes the map as `[K: V]`.
    gives_key = step in (EACH, ENTER) and language.loops_over != "values"
    key_first = gives_key and not (value.name == MAP_TYPE and len(value.args) == 2)
    return read(value.args[0] if key_first else value.args[-1])
