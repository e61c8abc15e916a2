"""What the lookup of a name answers: the definitions that the name may mean, and the confidence in them.

Each way to find a definition has its own confidence.
"""

from collections.abc import Iterable
from typing import NamedTuple

from code_graph_indexer.storage.records import Target

SCOPE, IMPORT, INCLUDED, SELF = 0.98, 0.95, 0.95, 0.95
INHERITED = TYPED = PEER = 0.9
STAR, PASSED, UNIQUE, TABLE, UNIQUE_METHOD = 0.8, 0.75, 0.7, 0.6, 0.5
"""Confidence of each way to resolve a reference.

PASSED is for values that callers pass as arguments, and for elements of a list that is written out. TABLE is for functions that
a table of functions holds. UNIQUE and UNIQUE_METHOD are for guesses by name.
"""

MAX_DEPTH = 8
"""The most hops along re-exports, base classes or chained types."""

MAX_PARTS = 20
"""The most parts of a dotted name that is looked up. Nobody writes a longer one."""

METHODS = frozenset({"method"})
GLOBALS = frozenset({"function", "macro", "class", "struct", "type", "union", "enum", "module", "protocol"})
"""Kinds of definitions that may be guessed by name alone: METHODS for a name with a receiver, GLOBALS for a name without."""

VALUES = frozenset({"constant", "variable", "enum_member"})
"""Kinds of definitions that a use may be guessed to mean by name alone, beside GLOBALS."""


class Resolution(NamedTuple):
    """The definitions that a name may mean, and the confidence in them. Lookups by name return a `Resolution`.

    Several targets make the name ambiguous, unless `all_meant` says that the name means all of them. `tied` says that several
    overloads take the same number of arguments, so that their parameter types must decide.
    """

    targets: tuple[Target, ...]
    confidence: float
    all_meant: bool = False
    tied: bool = False

    @property
    def of_types(self) -> bool:
        """Say whether there are targets, and all are types."""
        return bool(self.targets) and all(target.is_type for target in self.targets)


NOTHING = Resolution((), 0.0)

ELSEWHERE = Resolution((), SCOPE)
"""The answer for a name that is bound in sight, but to nothing in the repository. No further place is searched."""


def first(resolutions: Iterable[Resolution]) -> Resolution:
    """Return the first resolution with a target, or NOTHING. Those after it are not worked out."""
    return next((resolution for resolution in resolutions if resolution.targets), NOTHING)
