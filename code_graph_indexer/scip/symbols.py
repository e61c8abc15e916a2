"""Symbols of SCIP: `scheme manager package version descriptors`, each descriptor a name with a suffix that tells its kind.

The grammar stands in https://github.com/sourcegraph/scip/blob/main/scip.proto, at the message Symbol.
"""

import re
from functools import lru_cache

MAX_LENGTH = 10_000
"""Characters of a symbol that is read; longer ones are not trusted."""

_PACKAGE = re.compile(r"(?:(?:[^ ]|  )*+ ){4}")
_NAME = r"`((?:[^`]|``)++)`|([\w+\-$]++)"
_DESCRIPTOR = re.compile(rf"(?:{_NAME})(?:\([\w+\-$]*+\)\.|[/#.:!])|\[(?:{_NAME})\]|\((?:{_NAME})\)")
_PLAIN = re.compile(r"[\w+\-$]+", re.ASCII)


@lru_cache(maxsize=100_000)
def symbol_name(symbol: str) -> str:
    """Return the name that a use of a symbol is written as; empty for local symbols, modules and what cannot be read.

    A constructor under a made-up name (`<init>`) is written as its class.
    """
    parts = _descriptors(symbol) if symbol[-1:] not in ("/", ":") else []
    while parts and parts[-1][1].startswith("<"):
        parts.pop()
    return parts[-1][1] if parts else ""


@lru_cache(maxsize=100_000)
def owner_of(symbol: str) -> str:
    """Return the symbol of the class whose constructor under a made-up name this is; else the symbol itself."""
    parts = _descriptors(symbol)
    while parts and parts[-1][1].startswith("<"):
        symbol = symbol[: parts.pop()[0]]
    return symbol


def package_of(symbol: str) -> str:
    """Return the scheme, manager, package and version of a symbol, as they stand there."""
    found = _PACKAGE.match(symbol) if len(symbol) <= MAX_LENGTH else None
    return found[0] if found else ""


def escaped(name: str) -> str:
    """Write a name as it stands in a descriptor."""
    return name if _PLAIN.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def _descriptors(symbol: str) -> list[tuple[int, str]]:
    """List where each descriptor starts, and its name; nothing for a symbol that breaks the grammar."""
    place = len(package_of(symbol))
    parts: list[tuple[int, str]] = []
    while place and place < len(symbol):
        found = _DESCRIPTOR.match(symbol, place)
        if found is None:
            return []
        name = next(one for one in found.groups() if one is not None)
        parts.append((place, name.replace("``", "`")))
        place = found.end()
    return parts
