"""Tell overloads apart by the number of arguments of a call."""

from code_graph_indexer.resolve.facts import CALLABLE_KINDS, Overload, Target
from code_graph_indexer.resolve.scope import Resolution, Scope
from code_graph_indexer.syntax.records import Definition


def fitting(scope: Scope, resolution: Resolution, arguments: int) -> Resolution:
    """Replace the definitions that a call's name means by the overloads that the call may run."""
    if arguments < 0 or not any(_has_overloads(scope, target) for target in resolution.targets):
        return resolution
    fits = [overloads for target in resolution.targets if (overloads := runs(scope, target, arguments))]
    # If no overload takes the arguments, the call means something else, and no target is left.
    targets = tuple(dict.fromkeys(overloads[0] for overloads in fits))
    return resolution._replace(targets=targets, tied=any(len(overloads) > 1 for overloads in fits))


def runs(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the definitions that a call with this number of arguments may run. The list is empty if no overload fits.

    These are the function's overloads, else an overload in another file of its module, else one that its class inherits. If
    several fit, the target comes first, and the types of their parameters decide (argument_types.py).

    The target itself is the answer if it is no function, if its language has no overloads, or if `arguments` is -1.
    """
    if arguments < 0 or target.kind not in CALLABLE_KINDS:
        return (target,)
    candidates = overloads(scope, target)
    fits = _taking(candidates, target, arguments) if candidates else (target,)
    return fits or _in_module(scope, target, arguments) or _inherited(scope, target, arguments)


def _in_module(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads in another file of the same module that take exactly this number of arguments.

    Fewer arguments do not fit: the default values may stand elsewhere.
    """
    module = scope.world.file(target.path).module
    for namesake in scope.world.definitions_of(target.dotted):
        path = namesake.path
        if path != target.path and scope.world.file(path).module == module and scope.reachable(path):
            # The number must be exact: the default values may be written in another file.
            fits = [overload.target for overload in overloads(scope, namesake) if overload.most == arguments]
            if fits:
                return tuple(fits)
    return ()


def _inherited(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads in the nearest base of the class around a method that has one."""
    owner = scope.world.definition(target.path, target.dotted.rpartition(".")[0]) if target.kind == "method" else None
    for base in scope.at(owner.path).ancestors(owner) if owner is not None and owner.is_type else ():
        member = scope.own_member(base, target.name)
        if member is not None and (fits := _taking(overloads(scope, member), member, arguments)):
            return fits
    return ()


def overridden(scope: Scope, target: Target, method: Definition) -> Target | None:
    """Find the overload of a base's method that a method of the same name overrides.

    It is the first one whose parameters have the same types, or else the first one that takes as many arguments.
    """
    candidates = overloads(scope, target)
    same_count = [overload for overload in candidates if overload.most == method.most]
    same_types = [overload for overload in same_count if overload.types == method.types]
    return next((overload.target for overload in same_types or same_count), None) if candidates else target


def parameter_types(scope: Scope, target: Target) -> tuple[str, ...]:
    """List the names of the types of a function's parameters, in a language that has overloads."""
    return next((overload.types for overload in overloads(scope, target) if overload.target == target), ())


def overloads(scope: Scope, target: Target) -> tuple[Overload, ...]:
    """List the overloads of a function in its file. The list is empty in a language that has no overloads."""
    return scope.world.overloads(target.path, target.dotted) if _has_overloads(scope, target) else ()


def _has_overloads(scope: Scope, target: Target) -> bool:
    """Say whether the target's language tells functions of one name apart by their parameters."""
    return bool(scope.at(target.path).language.variadic)


def _taking(candidates: tuple[Overload, ...], target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads that take this number of arguments. Those that need default values only count if no other fits."""
    fits = [overload for overload in candidates if overload.fewest <= arguments <= overload.most]
    # Java, C# and Kotlin too prefer an overload that needs no default value and no variable parameter.
    exact = [overload.target for overload in fits if overload.most == arguments]
    targets = exact or [overload.target for overload in fits]
    return tuple(sorted(targets, key=lambda overload: (overload != target, not overload.has_body)))
