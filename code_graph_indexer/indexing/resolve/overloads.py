"""Tell overloads apart by how many arguments a call gives."""

from typing import cast

from code_graph_indexer.indexing.resolve.facts import CALLABLE_KINDS, Overload, Target
from code_graph_indexer.indexing.resolve.scope import Found, Scope


def fitting(scope: Scope, found: Found, arguments: int) -> Found:
    """Put the definitions that a call with so many arguments runs in the place of those that its name means."""
    fits = (runs(scope, one, arguments) for one in found.targets)
    return found._replace(targets=tuple(dict.fromkeys(one for one in fits if one is not None)))


def runs(scope: Scope, target: Target, arguments: int) -> Target | None:
    """Find the definition that a call of a function with so many arguments runs: one of its overloads, or of those that its
    class inherits.

    None when the repository has no such overload. What is no function, or in a language that has no overloads, is meant as
    it is; so is everything when it is not known how many arguments the call gives (-1).
    """
    if arguments < 0 or target.kind not in CALLABLE_KINDS:
        return target
    overloads = _overloads(scope, target)
    if not overloads:
        return target
    found = _first(overloads, target, arguments)
    owner = scope.world.definition(target.path, target.dotted.rpartition(".")[0]) if target.kind == "method" else None
    for base in scope.at(owner.path).ancestors(owner) if found is None and owner is not None and owner.is_type else ():
        inherited = scope.own_member(base, target.name)
        found = _first(_overloads(scope, inherited), inherited, arguments) if inherited is not None else None
        if found is not None:
            break
    return found


def _overloads(scope: Scope, target: Target) -> tuple[Overload, ...]:
    return cast("tuple[Overload, ...]", scope.world.fact(target.path, f"o:{target.dotted}") or ())


def _first(overloads: tuple[Overload, ...], target: Target, arguments: int) -> Target | None:
    """Take the target itself if it fits, or else the first overload that does; one with a body goes before a declaration."""
    fits = [one.target for one in overloads if one.fewest <= arguments <= one.most]
    return min(fits, key=lambda one: (one != target, not one.has_body), default=None)
