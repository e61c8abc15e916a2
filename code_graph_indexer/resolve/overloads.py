"""Tell overloads apart by how many arguments a call gives."""

from code_graph_indexer.resolve.facts import CALLABLE_KINDS, Overload, Target
from code_graph_indexer.resolve.scope import Found, Scope
from code_graph_indexer.syntax.records import Definition


def fitting(scope: Scope, found: Found, arguments: int) -> Found:
    """Put the definitions that a call with so many arguments runs in the place of those that its name means."""
    if arguments < 0 or not any(_has_overloads(scope, one) for one in found.targets):
        return found
    fits = [each for one in found.targets if (each := runs(scope, one, arguments))]
    targets = tuple(dict.fromkeys(one[0] for one in fits))
    return found._replace(targets=targets, tied=any(len(one) > 1 for one in fits))


def runs(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the definitions that a call of a function with so many arguments may run: its overloads, or else one of those in
    other files of its module, or one that its class inherits.

    Several are told apart by the types of their parameters (argument_types.py); the target itself comes first. None when
    the repository has no such overload. What is no function, or in a language that has no overloads, is meant as it is; so is
    everything when it is not known how many arguments the call gives (-1).
    """
    if arguments < 0 or target.kind not in CALLABLE_KINDS:
        return (target,)
    several = overloads(scope, target)
    found = _taking(several, target, arguments) if several else (target,)
    return found or _in_module(scope, target, arguments) or _inherited(scope, target, arguments)


def _in_module(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List an overload in another file of the same module: one that takes just so many, as its defaults may stand elsewhere."""
    module = scope.world.file(target.path).module
    for one in scope.world.named_in_full(target.dotted):
        if one.path != target.path and scope.world.file(one.path).module == module and scope.reachable(one.path):
            found = [each.target for each in overloads(scope, one) if each.most == arguments]
            if found:
                return tuple(found)
    return ()


def _inherited(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads in the nearest base of the class around a method that has one."""
    owner = scope.world.definition(target.path, target.dotted.rpartition(".")[0]) if target.kind == "method" else None
    for base in scope.at(owner.path).ancestors(owner) if owner is not None and owner.is_type else ():
        inherited = scope.own_member(base, target.name)
        if inherited is not None and (found := _taking(overloads(scope, inherited), inherited, arguments)):
            return found
    return ()


def overridden(scope: Scope, target: Target, method: Definition) -> Target | None:
    """Find which overload of a base's method a method of that name overrides: one whose parameters have the same types, or else
    the first that takes as many arguments.
    """
    several = overloads(scope, target)
    same = [one for one in several if one.most == method.most]
    exact = [one for one in same if one.types == method.types]
    return next((one.target for one in exact or same), None) if several else target


def parameter_types(scope: Scope, target: Target) -> tuple[str, ...]:
    """List the names of the types of a function's parameters, where its language has overloads."""
    return next((one.types for one in overloads(scope, target) if one.target == target), ())


def overloads(scope: Scope, target: Target) -> tuple[Overload, ...]:
    """List the overloads of a function in its file; none in a language that has none."""
    found: tuple[Overload, ...] = ()
    if _has_overloads(scope, target):
        found = scope.world.fact(target.path, f"o:{target.dotted}") or ()
    return found


def _has_overloads(scope: Scope, target: Target) -> bool:
    """Say whether functions of one name differ by their parameters in the language of a definition."""
    return bool(scope.at(target.path).language.variadic)


def _taking(several: tuple[Overload, ...], target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads that take so many arguments: those that take no more go before all others."""
    fits = [one for one in several if one.fewest <= arguments <= one.most]
    exact = [one.target for one in fits if one.most == arguments]
    return tuple(sorted(exact or [one.target for one in fits], key=lambda one: (one != target, not one.has_body)))
