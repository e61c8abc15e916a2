"""Read and write SCIP symbols: `scheme manager package version descriptors`.

A descriptor is a name with a suffix for its kind, as in `cgi . shop . cart/Cart#total().`. The grammar is in
https://github.com/sourcegraph/scip/blob/main/scip.proto, at the message Symbol.
"""

import re
from functools import lru_cache

MAX_LENGTH = 10_000
"""The most characters of a symbol. A longer symbol counts as broken."""

# Possessive quantifiers (`*+`, `++`) keep a hostile symbol from making the patterns backtrack.
# A blank ends each part of the package. Two blanks stand for a blank inside a part.
_PACKAGE = re.compile(r"(?:(?:[^ ]|  )*+ ){4}")
_NAME = r"`((?:[^`]|``)++)`|([\w+\-$]++)"
_DESCRIPTOR = re.compile(rf"(?:{_NAME})(?:\([\w+\-$]*+\)\.|[/#.:!])|\[(?:{_NAME})\]|\((?:{_NAME})\)")
_PLAIN = re.compile(r"[\w+\-$]+", re.ASCII)


@lru_cache(maxsize=100_000)
def symbol_name(symbol: str) -> str:
    """Return the name that source code uses for a symbol, or an empty text.

    Local symbols, modules and broken symbols have no name. A constructor with an artificial name (`<init>`) has the name of its
    class.
    """
    # `/` ends a namespace, `:` a meta descriptor. Source code uses neither by its name.
    parts = _descriptors(symbol) if symbol[-1:] not in ("/", ":") else []
    while parts and parts[-1][1].startswith("<"):
        parts.pop()
    return parts[-1][1] if parts else ""


@lru_cache(maxsize=100_000)
def owner_of(symbol: str) -> str:
    """Return the class's symbol for a constructor with an artificial name (`<init>`), else the symbol itself."""
    parts = _descriptors(symbol)
    while parts and parts[-1][1].startswith("<"):
        symbol = symbol[: parts.pop()[0]]
    return symbol


def package_of(symbol: str) -> str:
    """Return the package part of a symbol, with its last blank: scheme, manager, package name and version.

    Return an empty text if the symbol has no package part.
    """
    match = _PACKAGE.match(symbol) if len(symbol) <= MAX_LENGTH else None
    return match[0] if match else ""


def escaped(name: str) -> str:
    """Return a name as it is written in a descriptor: in backticks if it has special characters."""
    return name if _PLAIN.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def _descriptors(symbol: str) -> list[tuple[int, str]]:
    """List the descriptors of a symbol as (start in the symbol, name). The list is empty for a broken symbol."""
    position = len(package_of(symbol))
    parts: list[tuple[int, str]] = []
    # Position 0 means that the symbol has no package, so it breaks the grammar.
    while position and position < len(symbol):
        match = _DESCRIPTOR.match(symbol, position)
        if match is None:
            return []
        name = next(group for group in match.groups() if group is not None)
        parts.append((position, name.replace("``", "`")))
        position = match.end()
    return parts
