"""Read the text of a type in any language: the names it is made of, with their arguments."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

CALLABLE_TYPE = "()"
"""The name given to the type of a function; its arguments are the types of its parameters, then of its result."""

TUPLE_TYPE = "(,)"
RECORD_TYPE = "{}"
LIST_TYPE = "[]"
MAP_TYPE = "[:]"
"""The names given to types that are written with brackets alone."""

WRAPPERS = frozenset(
    {
        *("Optional", "Option", "Annotated", "Final", "ClassVar", "Required", "NotRequired"),
        *("Readonly", "Partial", "NonNullable"),
        *(
            "Promise",
            "PromiseLike",
            "Awaitable",
            "Coroutine",
            "Future",
            "Task",
            "CompletableFuture",
            "Awaited",
            "Deferred",
        ),
        *("Box", "Rc", "Arc", "RefCell", "Cell", "Mutex", "RwLock", "Pin", "Cow", "Weak", "Ref", "RefMut"),
        *("shared_ptr", "unique_ptr", "weak_ptr", "reference_wrapper", "optional", "Lazy", "Provider", "NonNull"),
    }
)
"""Generic types that pass the calls on to what they wrap, where the repository has no type of that name."""

_UNION = frozenset({"Union", "Either"})
_NULLS = frozenset({"None", "null", "undefined", "nil", "void", "never", "NoneType", "NoReturn", "unit", "Unit"})
_WORDS = re.compile(
    r"\b(?:const|mut|ref|dyn|impl|var|let|final|static|readonly|struct|enum|union|unsigned|volatile|keyof|typeof|unique|some|any"
    r"|out|in|inout|class|typename|escaping|async|sealed|infer|asserts)\s+(?=\S)|\?\s+(?:extends|super)\s+|@\w+\s+|'\w+\s+(?=\w)|'_\b"
)
_HEAD = re.compile(r"[\s*&^@~?!:\\]*((?:[A-Za-z_$][\w$]*)(?:\s*(?:\.|::|\\|->)\s*[A-Za-z_$][\w$]*)*)")
_NAMED = re.compile(r"^(?:\.\.\.)?\w+(?:\??\s*:\s*|\s+(?=[\w*&\[(.]))")
_FUNCTION = re.compile(r"^(?:func\b|fn\b|Fn(?:Mut|Once)?\(|\(.*\)\s*(?:=>|->))", re.DOTALL)
_LISTED = re.compile(r"\.\.\.|\[\]|(?:<-\s*)?chan\b(?:\s*<-)?\s*")
_OPEN, _CLOSE = "([{<", ")]}>"


class TypeName(NamedTuple):
    """A name of a type, dotted, with the texts of its arguments."""

    name: str
    args: tuple[str, ...] = ()


@lru_cache(maxsize=50_000)
def read_type(text: str) -> tuple[TypeName, ...]:
    """List the alternatives of a type, without nulls: `Optional[a.B]` and `*const B<T>` are about a.B and B."""
    bare = _WORDS.sub("", text.strip().lstrip(":").strip().strip("\"'` "))
    bare = re.sub(r"^(?:->|=>)\s*", "", bare)
    return tuple(dict.fromkeys(_alternatives(bare)))


def wrapped(one: TypeName) -> str:
    """Return the text of the type that a wrapper passes calls on to; empty for any other type."""
    last = one.name.rpartition(".")[2]
    if last not in WRAPPERS or not one.args:
        return ""
    # Of a coroutine the last argument is the result.
    return one.args[-1] if last == "Coroutine" else one.args[0]


def base_name(text: str) -> str:
    """Name the type that a base class's text is about."""
    return next((one.name for one in read_type(text)), "")


def dots(text: str) -> str:
    """Write a name of any language with dots."""
    for mark in ("::", "->", "?.", "\\"):
        if mark in text:
            text = text.replace(mark, ".")
    return text.strip(".")


def _alternatives(text: str) -> Iterator[TypeName]:
    if _FUNCTION.match(text):
        yield TypeName(CALLABLE_TYPE, _parts_of(text))
        return
    for part in _split(text, "|&"):
        yield from _one(part.strip())


def _one(text: str) -> Iterator[TypeName]:
    if text.startswith("(") and _closing(text, 0) == len(text) - 1:
        parts = [_NAMED.sub("", one) for one in _split(text[1:-1], ",")]
        if len(parts) == 1:
            yield from read_type(parts[0])
        elif parts:
            yield TypeName(TUPLE_TYPE, tuple(parts))
        return
    if listed := _LISTED.match(text):
        yield TypeName(LIST_TYPE, (text[listed.end() :],))
        return
    if text.startswith("{"):
        yield TypeName(RECORD_TYPE, tuple(_split(text[1 : _closing(text, 0)], ",;")))
        return
    if text.startswith("["):
        yield from _bracketed(text)
        return
    if text.startswith("map["):
        end = _closing(text, 3)
        yield TypeName(MAP_TYPE, (text[4:end], text[end + 1 :]))
        return
    head = _HEAD.match(text)
    if not head:
        return
    name = re.sub(r"\s*(?:::|\\|->)\s*", ".", head[1]).strip(".")
    rest = text[head.end() :].lstrip("?! *&")
    args: tuple[str, ...] = ()
    if rest.startswith(("[]", "...")):
        yield TypeName(LIST_TYPE, (name + rest.removeprefix("[]").removeprefix("..."),))
        return
    if rest[:1] in ("<", "["):
        end = _closing(rest, 0)
        args = tuple(_split(rest[1:end], ","))
        behind = rest[end + 1 :].strip()
        if behind.startswith(("[]", "...")):
            inner = rest[: end + 1] + behind.removeprefix("[]").removeprefix("...")
            yield TypeName(LIST_TYPE, (text[: head.end()] + inner,))
            return
    yield from _named(name, args)


def _named(name: str, args: tuple[str, ...]) -> Iterator[TypeName]:
    last = name.rpartition(".")[2]
    if last in _NULLS:
        return
    if last in _UNION:
        for one in args:
            yield from read_type(one)
    elif last == "Callable" and args:
        given = _split(args[0].strip("[]"), ",") if len(args) > 1 else []
        yield TypeName(CALLABLE_TYPE, (*given, args[-1]))
    else:
        yield TypeName(name, args)


def _bracketed(text: str) -> Iterator[TypeName]:
    """Read `[T]`, `[K: V]`, `[T; 3]`, `[3]T` and `[A, B]`."""
    end = _closing(text, 0)
    inside, behind = text[1:end], text[end + 1 :].strip()
    if behind and behind[0] not in "?!":
        yield TypeName(LIST_TYPE, (behind,))
    elif len(parts := _split(inside, ",")) > 1:
        yield TypeName(TUPLE_TYPE, tuple(parts))
    elif len(pair := _split(inside, ":")) == 2:
        yield TypeName(MAP_TYPE, tuple(pair))
    elif inside:
        yield TypeName(LIST_TYPE, (_split(inside, ";")[0],))


def _parts_of(text: str) -> tuple[str, ...]:
    """List the types of a function's parameters and of its result: what follows its arrow, or its parameters."""
    start = text.find("(")
    end = _closing(text, start)
    result = re.sub(r"^\s*(?:=>|->)\s*", "", text[end + 1 :]).strip()
    given = [_NAMED.sub("", one) for one in _split(text[start + 1 : end], ",")]
    return (*given, result)


def field_of(parts: tuple[str, ...], name: str) -> str:
    """Return the type that a record gives a field; empty when it has none."""
    for part in parts:
        field, colon, text = part.partition(":")
        if colon and field.strip().rstrip("?").removeprefix("readonly ").strip("\"' ") == name:
            return text.strip()
    return ""


def _closing(text: str, start: int) -> int:
    """Find the bracket that closes the one at `start`; the end of the text when there is none."""
    depth = 0
    for place in range(start, len(text)):
        mark = text[place]
        if mark == ">" and text[place - 1] in "-=":
            continue
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0:
            return place
    return len(text)


def _split(text: str, marks: str) -> list[str]:
    """Split a text at marks outside of brackets; empty parts are left out."""
    parts: list[str] = []
    depth = 0
    start = 0
    for place, mark in enumerate(text):
        if mark == ">" and text[place - 1 : place] in ("-", "="):
            continue
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0 and mark in marks:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
