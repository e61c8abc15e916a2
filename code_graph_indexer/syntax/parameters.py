"""How many arguments a function takes, and of which types, as its list of parameters says."""

import re
from typing import NamedTuple

from code_graph_indexer.languages import Language

ANY = 1_000_000
"""More arguments than any call has."""

LIST_LIMIT = 4_000
"""Bytes of the longest list of parameters that is read."""

_TOKEN = re.compile(
    r"""\s+|/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[-=]>|[()\[\]{}<>,]|[^\s"'()\[\]{}<>,/=-]+|.""",
    re.DOTALL,
)
_COMMENTS = ("//", "/*")


class Parameters(NamedTuple):
    """The fewest and the most arguments that a function takes, and the simple name of each parameter's type, if it has one.

    An array or list of any number is written `T[]`, a pointer `T*`.
    """

    fewest: int
    most: int
    types: tuple[str, ...] = ()


def read_parameters(source: bytes, name_end: int, language: Language) -> Parameters:
    """Read the parameters of the function whose name ends there.

    (0, ANY) where there is no list. A parameter with a default may be left out; one that the language's words for it mark
    takes any number.
    """
    parameters = _parameters(source[name_end : name_end + LIST_LIMIT].decode("utf-8", "replace"))
    if parameters is None:
        return Parameters(0, ANY)
    if parameters == [["void"]]:
        return Parameters(0, 0)
    variadic = [not language.variadic.isdisjoint(one) for one in parameters]
    needed = sum("=" not in one and not many for one, many in zip(parameters, variadic, strict=True))
    named = [_type_of(one) for one in parameters]
    types = tuple(one + "[]" * (many and not one.endswith("[]")) for one, many in zip(named, variadic, strict=True))
    return Parameters(needed, ANY if any(variadic) else len(parameters), types)


def _type_of(words: list[str]) -> str:
    """Name the type of a parameter by its words: before its name, or behind a colon; empty for a function's."""
    if "=" in words:
        words = words[: words.index("=")]
    if ">" in words:
        return ""
    marks = "".join(mark for mark in ("[]", "*") if mark in words)
    for place, word in enumerate(words):
        if word == ":" and ":" not in words[max(place - 1, 0) : place] + words[place + 1 : place + 2]:
            return next((one for one in reversed(words[place:]) if one.isidentifier()), "") + marks
    names = [one for one in words if one.isidentifier()]
    is_named = len(names) > 1 and [one for one in words if one != "[]"][-1] == names[-1]
    return (names[-2] if is_named else names[-1] if names else "") + marks


def _parameters(text: str) -> list[list[str]] | None:
    """List the words of each parameter, without what stands in brackets inside of it; None where no list is."""
    found: list[list[str]] = []
    words: list[str] = []
    depth = 0
    opened = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.isspace() or token.startswith(_COMMENTS):
            continue
        if token in ("(", "[", "{", "<"):
            if token == "[" and depth == 1 and words:
                words.append("[]")
            opened = opened or (depth == 0 and token == "(")
            depth += 1
        elif token in (")", "]", "}", ">"):
            depth -= 1
            if depth == 0 and opened:
                return [one for one in (*found, words) if one]
        elif depth == 0:
            return None
        elif opened and depth == 1:
            if token == ",":
                found.append(words)
                words = []
            else:
                words += [token] if token.isalnum() else re.findall(r"\.\.\.|\w+|[^\w\s]", token)
    return None
