"""Find the branches of a preprocessor that stand under a simple condition, such as `#ifdef DEBUG`.

A call and a function under opposite conditions are in no build together.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.records import Branch

MAX_CONDITIONS = 20
"""Most conditions around a branch that are read, the outermost first."""

NOT = "!"
"""The mark before a name that is not set."""

OTHER = "?"
"""The name of a condition that is no single name."""


def branches(source: bytes, language_name: str) -> tuple[Branch, ...]:
    """List the branches of a file, in order. Each holds up to the start of the next one.

    A condition on a name that the file defines itself says nothing of the build, so it counts as any other condition.

    Example:
        >>> branches(b"#ifdef DEBUG\\nlog();\\n#else\\nrun();\\n#endif\\n", "c")
        (Branch(start=12, names=('DEBUG',)), Branch(start=25, names=('!DEBUG',)), Branch(start=38, names=()))
    """
    pattern = languages()[language_name].condition
    if pattern is None:
        return ()
    # Of each open conditional, what holds in its current branch, and what holds in those after the first.
    opened: list[tuple[str, str]] = []
    stretches: list[tuple[int, tuple[str, ...]]] = []
    own: set[str] = set()
    for directive in pattern.finditer(source):
        start, end = directive.span()
        if source[source.rfind(b"\n", 0, start) + 1 : start].strip():
            # What stands behind other text is no directive.
            continue
        word = directive.lastgroup or ""
        name = directive[word].decode("utf-8", "replace") if word in ("set", "unset", "defined") else ""
        if word == "defined":
            own.add(name)
            if opened and opened[-1] == (f"{NOT}{name}", name):
                # `#ifndef READ_H` and `#define READ_H`: what follows is in every build.
                opened[-1] = ("", OTHER)
                stretches.append((end, tuple(names for names, _ in opened[:MAX_CONDITIONS] if names)))
            continue
        if word in ("else", "end"):
            _, otherwise = opened.pop() if opened else ("", "")
            if word == "else":
                opened.append((otherwise, otherwise))
        elif word == "other":
            opened.append((OTHER, OTHER))
        else:
            opened.append((name, f"{NOT}{name}") if word == "set" else (f"{NOT}{name}", name))
        stretches.append((end, tuple(names for names, _ in opened[:MAX_CONDITIONS] if names)))
    return tuple(_branches(stretches, own))


def _branches(stretches: Iterable[tuple[int, tuple[str, ...]]], own: set[str]) -> Iterable[Branch]:
    """Yield a branch for each stretch, unless it is as the one before. Names that the file defines, in `own`, become OTHER."""
    before: tuple[str, ...] = ()
    for start, conditions in stretches:
        names = tuple(dict.fromkeys(OTHER if name.removeprefix(NOT) in own else name for name in conditions))
        if names != before:
            yield Branch(start, names)
        before = names


def names_at(file_branches: Sequence[Branch], byte: int) -> tuple[str, ...]:
    """Return the names that are set at a byte of a file.

    Example:
        >>> names_at([Branch(12, ("DEBUG",)), Branch(25, ())], 13)
        ('DEBUG',)
    """
    position = bisect_right(file_branches, byte, key=itemgetter(0))
    return file_branches[position - 1].names if position else ()


def are_opposite(names: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether no build has both: one list has a name, and the other list has that name as not set.

    Example:
        >>> are_opposite(("DEBUG",), ("!DEBUG", "FAST"))
        True
    """
    opposites = {name.removeprefix(NOT) if name.startswith(NOT) else f"{NOT}{name}" for name in names}
    return not opposites.isdisjoint(others)


def holds(names: Sequence[str], within: Sequence[str]) -> bool:
    """Say whether a branch under `names` is in every build that has a branch under the names `within`.

    Example:
        >>> holds(("DEBUG",), ("DEBUG", "FAST")), holds((OTHER,), (OTHER,))
        (True, False)
    """
    return OTHER not in names and set(names) <= set(within)
