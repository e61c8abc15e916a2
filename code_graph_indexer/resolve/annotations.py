"""Parse the text of a type in any language into type names with their arguments.

`read_type("Optional[list[User]]", "python")` gives `Optional` with the argument `list[User]`. The caller reads the
arguments in turn. The words of a language, such as its wrapper types, stand in the header of its file.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages

CALLABLE_TYPE = "()"
"""The type name of every function type. Its arguments are the types of the parameters, then the type of the result."""

TUPLE_TYPE = "(,)"
RECORD_TYPE = "{}"
LIST_TYPE = "[]"
MAP_TYPE = "[:]"
"""The names that we give to types written with brackets only: `(A, B)`, `{a: A}`, `[A]` and `[K: V]`."""

CHANNEL_TYPE = "[<]"
"""The name of a type of channels, such as `chan A`."""

_HEAD = re.compile(r"[\s*&^@~?!:\\]*((?:[A-Za-z_$][\w$]*)(?:\s*(?:\.|::|\\|->)\s*[A-Za-z_$][\w$]*)*)")
_NAMED = re.compile(r"^(?:\.\.\.)?\w+(?:\??\s*:\s*|\s+(?=[\w*&\[(.]))")
_LAST_NAME = re.compile(r"(?<=[\w>?\])])\s+\w+$")
_FUNCTION = re.compile(r"^\(.*\)\s*(?:=>|->)", re.DOTALL)
_ARROW = re.compile(r"=>|->")
_BEFORE_ARROW = re.compile(r"[@\w.$\[\]<>, ]*")
_TYPED_FUNCTION = re.compile(r"([\w.<>, ]*?)\b(\w+)\s*\(")
_WORD = re.compile(r"(\w+)\s*([(\[]?)")
_LISTED = re.compile(r"\.\.\.|\[\]")
_CHANNEL = re.compile(r"(?:<-\s*)?(\w+)(?:\s*<-)?(?:\s+|(?=\())")
_FIELD = re.compile(r"""([\w$#-]+|"[^"]*"|'[^']*')\s*\??\s*$""")
_CONDITION = re.compile(r"\sextends\s")
_OPEN, _CLOSE = "([{<", ")]}>"


class TypeName(NamedTuple):
    """The dotted name of a type, with the texts of its type arguments: `a::Map<K, V>` → `a.Map` with `K` and `V`."""

    name: str
    args: tuple[str, ...] = ()


@lru_cache(maxsize=50_000)
def read_type(text: str, language: str) -> tuple[TypeName, ...]:
    """List the alternatives of a type, without nulls: `User | list[int] | None` → `User`, and `list` with argument `int`."""
    words = languages()[language]
    bare = text.strip().lstrip(":").strip().strip("\"'` ")
    if words.type_decoration is not None:
        bare = words.type_decoration.sub("", bare)
    bare = re.sub(r"^(?:->|=>)\s*", "", bare)
    return tuple(dict.fromkeys(_alternatives(bare, words)))


def inside(type_name: TypeName, language: Language) -> tuple[str, ...]:
    """Return the texts of the types that a wrapper or union stands for: `Optional[User]` → `User`. Empty for any other type."""
    last = type_name.name.rpartition(".")[2]
    if last in language.union_types:
        return type_name.args
    return type_name.args[:1] if last in language.wrapper_types else ()


def base_name(text: str, language: str) -> str:
    """Return the dotted name of a base class without its type arguments: `Box<User>` → `Box`. Empty if there is no name."""
    return next((type_name.name for type_name in read_type(text, language)), "")


def unwrapped_base(text: str, language: Language) -> str:
    """Return the base that a type with arguments stands for: `Omit<User, "id">` → `User`. Any other base stays as it is."""
    names = read_type(text, language.name) if text.endswith((">", "]")) else ()
    return next(iter(inside(names[0], language)), text) if len(names) == 1 else text


def dots(text: str) -> str:
    """Replace the separators in a name of any language by dots: `a::b` → `a.b`."""
    for mark in ("::", "->", "?.", "\\"):
        if mark in text:
            text = text.replace(mark, ".")
    return text.strip(".")


def _alternatives(text: str, language: Language) -> Iterator[TypeName]:
    """Yield the types that a text joins by `|` or `&`, or chooses: `A extends B ? C : D` is C or D.

    A function type is one type as a whole, with all that it contains. Its type variables stand in front: `<T>(a: T) => T`.
    """
    if text.startswith("<") and (signature := text[_closing(text, 0) + 1 :].strip()).startswith("("):
        text = signature
    # A function goes first, because its parameters may contain `|` and `&`.
    word = _WORD.match(text)
    is_named_function = word and word[2] == "(" and word[1] in language.function_types
    if is_named_function or (_FUNCTION.match(text) and _closing(text, 0) < len(text) - 1):
        yield TypeName(CALLABLE_TYPE, _parts_of(text))
        return
    if _CONDITION.search(text) and len(branches := _split(text, "?:")) > 2:
        for branch in branches:
            if not _CONDITION.search(branch):
                yield from _alternatives(branch, language)
        return
    if parts := _written_around(text, language):
        yield TypeName(CALLABLE_TYPE, parts)
        return
    for part in _split(text, "|&"):
        yield from _alternative(part.strip(), language)


def _alternative(text: str, language: Language) -> Iterator[TypeName]:
    """Yield the type that a text without `|` and `&` at its top means, by how it begins.

    It begins with brackets, a list mark (`[]`, `...`), a word for channels or maps, or a name. If round brackets only group a
    type, its alternatives are yielded. Nothing is yielded for any other text, and for a null.
    """
    # The mark after Swift's `(any Shape)?` is no type.
    if text.startswith("(") and not text[_closing(text, 0) + 1 :].strip("?! "):
        strip = _LAST_NAME if language.types_first else _NAMED
        parts = [strip.sub("", part) for part in _split(text[1 : _closing(text, 0)], ",")]
        # Brackets around a single type only group it.
        if len(parts) == 1:
            yield from read_type(parts[0], language.name)
        elif parts:
            yield TypeName(TUPLE_TYPE, tuple(parts))
        return
    listed = _LISTED.match(text)
    if listed is None and (channel := _CHANNEL.match(text)) and channel[1] in language.type_words:
        yield TypeName(CHANNEL_TYPE, (text[channel.end() :],))
        return
    if listed:
        yield TypeName(LIST_TYPE, (text[listed.end() :],))
        return
    if text.startswith("{"):
        # Fields end with a comma or a semicolon.
        yield TypeName(RECORD_TYPE, tuple(_split(text[1 : _closing(text, 0)], ",;")))
        return
    if text.startswith("["):
        yield from _bracketed(text)
        return
    word = _WORD.match(text)
    if word and word[2] == "[" and word[1] in language.type_words:
        end = _closing(text, word.end() - 1)
        yield TypeName(MAP_TYPE, (text[word.end() : end], text[end + 1 :]))
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
    yield from _named_type(name, args, language)


def _named_type(name: str, args: tuple[str, ...], language: Language) -> Iterator[TypeName]:
    """Yield the type that a name with arguments means: a function type as CALLABLE_TYPE, and nothing for a null."""
    last = name.rpartition(".")[2]
    if last in language.null_words:
        return
    if last in language.function_types and args:
        # `Callable[[A, B], C]`: the list of parameters, then the result.
        is_listed = args[0].startswith("[") or len(args) < 3
        params = (_split(args[0].strip("[]"), ",") if is_listed else args[:-1]) if len(args) > 1 else []
        yield TypeName(CALLABLE_TYPE, (*params, args[-1]))
    elif last in language.type_of and not args and last != name:
        # Swift's `Cart.Type`
        yield TypeName(last, (name.removesuffix(f".{last}"),))
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
    elif "::" not in inside and len(pair := _split(inside, ":")) == 2:
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


def _written_around(text: str, language: Language) -> tuple[str, ...]:
    """Return the types of a function type that begins with another word: `A => B`, `A.(B) -> C`, `C Function(A, B)`.

    The types are those of the parameters, then of the result. The tuple is empty for any other type.
    """
    if language.types_first:
        match = _TYPED_FUNCTION.match(text)
        if match is None or match[2] not in language.function_types:
            return ()
        return (*_split(text[match.end() : _closing(text, match.end() - 1)], ","), match[1].strip())
    arrow = _ARROW.search(text) if ">" in text else None
    while arrow and _depth(text[: arrow.start()]):
        arrow = _ARROW.search(text, arrow.end())
    if arrow is None:
        return ()
    left, result = text[: arrow.start()].strip(), text[arrow.end() :].strip()
    opening = left.find("(")
    if not _BEFORE_ARROW.fullmatch(left if opening < 0 else left[:opening]):
        # A union, or the fields of a record.
        return ()
    if opening < 0:
        return left, result
    # In front stand modifiers, and the type of the object itself, which is no parameter.
    params = _split(left[opening + 1 : _closing(left, opening)], ",")
    return (*(_NAMED.sub("", param) for param in params), result)


def _depth(text: str) -> int:
    """Return how many brackets of a text are open at its end."""
    return sum(
        (mark in _OPEN) - (mark in _CLOSE and not (mark == ">" and text[position - 1 : position] in ("-", "=")))
        for position, mark in enumerate(text)
    )


def field_of(parts: tuple[str, ...], name: str) -> str:
    """Return the text of the type of the field `name` in a record type. Empty if there is no such field.

    `parts` are the texts of the record's fields: `{ id: number, name?: string }` has `id: number` and `name?: string`.
    """
    for part in parts:
        field, colon, text = part.partition(":")
        # Modifiers may stand before the name.
        match = _FIELD.search(field)
        if colon and match and match[1].strip("\"'") == name:
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
