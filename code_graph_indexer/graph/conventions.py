"""Find the definitions whose names show that something outside of the code calls them by a convention."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable

from code_graph_indexer.languages import OWN_CLASS, Language
from code_graph_indexer.results import Symbol
from code_graph_indexer.syntax.records import CLASS_KINDS

MIN_CONVENTION = 4
"""The fewest definitions without a known reference that show a convention."""

MIN_SHARE = 0.75
"""The least part of the definitions with a name or word that nothing is known to use, if a convention calls them."""

_CAMEL_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of(name: str) -> list[str]:
    """Return the words of a name in small letters, with `#` for each number: `version`, `#` for `version_12`.

    >>> words_of("loadCart2")
    ['load', 'cart', '#']
    """
    return ["#" if word.isdigit() else word.lower() for word in _CAMEL_WORD.findall(name)]


def owner_name(symbol: Symbol) -> str:
    """Return the name of what a definition stands in."""
    return symbol.qualified_name.removesuffix(f".{symbol.name}").rpartition(".")[2]


def is_constructor(symbol: Symbol, language: Language) -> bool:
    """Say whether a method makes an object of its class, by its name."""
    by_class = OWN_CLASS in language.constructors and symbol.name == owner_name(symbol)
    return by_class or symbol.name in language.constructors


def called_by_convention(symbols: Iterable[Symbol], unused: Collection[int]) -> set[int]:
    """Return the ids of those of these definitions that share a name, or its first or last word, with others like them.

    Nothing is known to use most of them: they are named for a loader, a router or a library. `unused` are the ids of the
    definitions without a known reference.
    """
    groups: dict[tuple[str | None, bool, str, str], set[int]] = defaultdict(set)
    for symbol in symbols:
        for place, word in _traits(symbol):
            groups[symbol.language, symbol.kind in CLASS_KINDS, place, word].add(symbol.chunk_id)
    shown = ((group, group.intersection(unused)) for group in groups.values())
    return set().union(
        *(lost for group, lost in shown if len(lost) >= MIN_CONVENTION and len(lost) >= MIN_SHARE * len(group))
    )


def _traits(symbol: Symbol) -> list[tuple[str, str]]:
    """List what a name may have in common with others. A name of one word has no first and last word."""
    if symbol.kind not in CLASS_KINDS | {"function", "method"}:
        return []
    words = words_of(symbol.name)
    return (
        [("whole", symbol.name), *zip(("first", "last"), (words[0], words[-1]), strict=True)]
        if words[1:]
        else [("whole", symbol.name)]
    )
