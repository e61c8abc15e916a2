"""Parse the text of a type in any language into type names with their arguments.

`read_type("Optional[list[User]]")` gives `Optional` with the argument `list[User]`. The caller reads the arguments in turn.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

CALLABLE_TYPE = "()"
"""The type name of every function type. Its arguments are the types of the parameters, then the type of the result."""

TUPLE_TYPE = "(,)"
RECORD_TYPE = "{}"
LIST_TYPE = "[]"
MAP_TYPE = "[:]"
"""The names that we give to types written with brackets only: `(A, B)`, `{a: A}`, `[A]` and `[K: V]`."""

_WORD_LISTS = tomllib.loads(files("code_graph_indexer.languages").joinpath("types.toml").read_text(encoding="utf-8"))
WRAPPERS = frozenset(_WORD_LISTS["wrappers"])
"""Generic types that are read as their argument: `Optional[User]` as `User`. languages/types.toml explains the lists."""

_UNIONS = frozenset(_WORD_LISTS["unions"])
_NULLS = frozenset(_WORD_LISTS["nulls"])
_RESULT_LAST = frozenset(_WORD_LISTS["result-last"])
_FUNCTION_TYPES = frozenset(_WORD_LISTS["function-types"])
_MODIFIERS = "|".join(_WORD_LISTS["modifiers"])
_WORDS = re.compile(rf"\b(?:{_MODIFIERS})\s+(?=\S)|\?\s+(?:extends|super)\s+|@\w+\s+|'\w+\s+(?=\w)|'_\b")
_HEAD = re.compile(r"[\s*&^@~?!:\\]*((?:[A-Za-z_$][\w$]*)(?:\s*(?:\.|::|\\|->)\s*[A-Za-z_$][\w$]*)*)")
_NAMED = re.compile(r"^(?:\.\.\.)?\w+(?:\??\s*:\s*|\s+(?=[\w*&\[(.]))")
_FUNCTION = re.compile(r"^(?:func\b|fn\b|Fn(?:Mut|Once)?\(|\(.*\)\s*(?:=>|->))", re.DOTALL)
_LISTED = re.compile(r"\.\.\.|\[\]|(?:<-\s*)?chan\b(?:\s*<-)?\s*")
_OPEN, _CLOSE = "([{<", ")]}>"


class TypeName(NamedTuple):
    """The dotted name of a type, with the texts of its type arguments: `a::Map<K, V>` → `a.Map` with `K` and `V`."""

    name: str
    args: tuple[str, ...] = ()


@lru_cache(maxsize=50_000)
def read_type(text: str) -> tuple[TypeName, ...]:
    """List the alternatives of a type, without nulls: `User | list[int] | None` → `User`, and `list` with argument `int`."""
    bare = _WORDS.sub("", text.strip().lstrip(":").strip().strip("\"'` "))
    bare = re.sub(r"^(?:->|=>)\s*", "", bare)
    return tuple(dict.fromkeys(_alternatives(bare)))


def wrapped(type_name: TypeName) -> str:
    """Return the text of the type inside a wrapper type: `Optional[User]` → `User`. Empty for any other type."""
    last = type_name.name.rpartition(".")[2]
    if last not in WRAPPERS or not type_name.args:
        return ""
    return type_name.args[-1] if last in _RESULT_LAST else type_name.args[0]


def base_name(text: str) -> str:
    """Return the dotted name of a base class without its type arguments: `Box<User>` → `Box`. Empty if there is no name."""
    return next((type_name.name for type_name in read_type(text)), "")


def dots(text: str) -> str:
    """Replace the separators in a name of any language by dots: `a::b` → `a.b`."""
    for mark in ("::", "->", "?.", "\\"):
        if mark in text:
            text = text.replace(mark, ".")
    return text.strip(".")


def _alternatives(text: str) -> Iterator[TypeName]:
    # A function goes first, because its parameters may contain `|` and `&`.
    if _FUNCTION.match(text):
        yield TypeName(CALLABLE_TYPE, _parts_of(text))
        return
    for part in _split(text, "|&"):
        yield from _alternative(part.strip())


def _alternative(text: str) -> Iterator[TypeName]:
    if text.startswith("(") and _closing(text, 0) == len(text) - 1:
        parts = [_NAMED.sub("", part) for part in _split(text[1:-1], ",")]
        # Brackets around a single type only group it.
        if len(parts) == 1:
            yield from read_type(parts[0])
        elif parts:
            yield TypeName(TUPLE_TYPE, tuple(parts))
        return
    if listed := _LISTED.match(text):
        yield TypeName(LIST_TYPE, (text[listed.end() :],))
        return
    if text.startswith("{"):
        # TypeScript writes `{ name: string; age: number }`.
        yield TypeName(RECORD_TYPE, tuple(_split(text[1 : _closing(text, 0)], ",;")))
        return
    if text.startswith("["):
        yield from _bracketed(text)
        return
    if text.startswith("map["):
        # Go writes `map[K]V`.
        end = _closing(text, 3)
        yield TypeName(MAP_TYPE, (text[4:end], text[end + 1 :]))
        return
    head = _HEAD.match(text)
    if not head:
        return
    name = re.sub(r"\s*(?:::|\\|->)\s*", ".", head[1]).strip(".")
    rest = text[head.end() :].lstrip("?! *&")
    args: tuple[str, ...] = ()
    # `User[]` and `User...` are lists of users.
    if rest.startswith(("[]", "...")):
        yield TypeName(LIST_TYPE, (name + rest.removeprefix("[]").removeprefix("..."),))
        return
    if rest[:1] in ("<", "["):
        end = _closing(rest, 0)
        args = tuple(_split(rest[1:end], ","))
        behind = rest[end + 1 :].strip()
        # `Map<K, V>[]` is a list of maps.
        if behind.startswith(("[]", "...")):
            inner = rest[: end + 1] + behind.removeprefix("[]").removeprefix("...")
            yield TypeName(LIST_TYPE, (text[: head.end()] + inner,))
            return
    yield from _named_type(name, args)


def _named_type(name: str, args: tuple[str, ...]) -> Iterator[TypeName]:
    last = name.rpartition(".")[2]
    if last in _NULLS:
        return
    if last in _UNIONS:
        for arg in args:
            yield from read_type(arg)
    elif last in _FUNCTION_TYPES and args:
        # `Callable[[A, B], C]`: the list of parameters, then the result.
        params = _split(args[0].strip("[]"), ",") if len(args) > 1 else []
        yield TypeName(CALLABLE_TYPE, (*params, args[-1]))
    else:
        yield TypeName(name, args)


def _bracketed(text: str) -> Iterator[TypeName]:
    """Yield the type that is written with square brackets: `[T]`, `[K: V]`, `[T; 3]`, `[3]T` or `[A, B]`."""
    end = _closing(text, 0)
    inside, behind = text[1:end], text[end + 1 :].strip()
    # Go and Zig write `[3]T`. The mark after Swift's `[T]?` is no type.
    if behind and behind[0] not in "?!":
        yield TypeName(LIST_TYPE, (behind,))
    elif len(parts := _split(inside, ",")) > 1:
        yield TypeName(TUPLE_TYPE, tuple(parts))
    elif len(pair := _split(inside, ":")) == 2:
        yield TypeName(MAP_TYPE, tuple(pair))
    elif inside:
        yield TypeName(LIST_TYPE, (_split(inside, ";")[0],))


def _parts_of(text: str) -> tuple[str, ...]:
    """Return the types of a function type's parameters, then of its result: `(a: A, B) => C` → `A`, `B`, `C`."""
    start = text.find("(")
    end = _closing(text, start)
    result = re.sub(r"^\s*(?:=>|->)\s*", "", text[end + 1 :]).strip()
    params = [_NAMED.sub("", param) for param in _split(text[start + 1 : end], ",")]
    return (*params, result)


def field_of(parts: tuple[str, ...], name: str) -> str:
    """Return the text of the type of the field `name` in a record type. Empty if there is no such field.

    `parts` are the texts of the record's fields: `{ id: number, name?: string }` has `id: number` and `name?: string`.
    """
    for part in parts:
        field, colon, text = part.partition(":")
        if colon and field.strip().rstrip("?").removeprefix("readonly ").strip("\"' ") == name:
            return text.strip()
    return ""


def _closing(text: str, start: int) -> int:
    """Return the position of the bracket that closes the bracket at `start`. If none does, return the length of the text."""
    depth = 0
    for position in range(start, len(text)):
        mark = text[position]
        if mark == ">" and text[position - 1] in "-=":
            # An arrow.
            continue
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0:
            return position
    return len(text)


def _split(text: str, marks: str) -> list[str]:
    """Split a text at each of the characters `marks` that is outside of brackets. Empty parts are left out."""
    parts: list[str] = []
    depth = 0
    start = 0
    for position, mark in enumerate(text):
        if mark == ">" and text[position - 1 : position] in ("-", "="):
            continue
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0 and mark in marks:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
