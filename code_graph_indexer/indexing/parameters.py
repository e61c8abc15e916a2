"""How many arguments a function takes, as its list of parameters says."""

import re

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


def argument_counts(source: bytes, name_end: int, language: Language) -> tuple[int, int]:
    """Return the fewest and the most arguments that the function takes whose name ends there.

    (0, ANY) where that is not known. A parameter with a default may be left out; one that the language's words for it mark
    takes any number.
    """
    parameters = _parameters(source[name_end : name_end + LIST_LIMIT].decode("utf-8", "replace"))
    if parameters is None:
        return 0, ANY
    if parameters == [["void"]]:
        return 0, 0
    words = [set(one) for one in parameters]
    variadic = [not one.isdisjoint(language.variadic) for one in words]
    needed = sum("=" not in one and not many for one, many in zip(words, variadic, strict=True))
    return needed, ANY if any(variadic) else len(parameters)


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
