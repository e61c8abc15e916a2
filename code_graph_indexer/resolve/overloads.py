"""Choose among overloads, which are functions of the same name, by the number of arguments of a call."""

from code_graph_indexer.resolve.facts import CALLABLE_KINDS, Overload
from code_graph_indexer.resolve.resolution import Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import Definition


def fitting(scope: Scope, resolution: Resolution, arguments: int) -> Resolution:
    """Replace each target of a call by the overloads that take the call's number of arguments.

    The result has no targets if no overload fits. It is `tied` if several fit equally well. The resolution is returned
    unchanged if `arguments` is -1 (unknown) or no target has overloads.
    """
    if arguments < 0 or not any(_has_overloads(scope, target) for target in resolution.targets):
        return resolution
    fits = [overloads for target in resolution.targets if (overloads := runs(scope, target, arguments))]
    # If no overload takes the arguments, the call means something else, and no target is left.
    targets = tuple(dict.fromkeys(overloads[0] for overloads in fits))
    is_labelled = any(scope.at(target.path).language.labels for target in targets)
    return resolution._replace(targets=targets, tied=is_labelled or any(len(overloads) > 1 for overloads in fits))


def runs(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads that a call with this number of arguments may run. The list is empty if no overload fits.

    They are searched in the function's file, then in other files of its module, then in the bases of its class. If several fit,
    the target comes first, and the types of their parameters decide later (overloads_by_type.py).

    The list is the target itself if it is no function, if its language has no overloads, or if `arguments` is -1 (unknown).
    """
    if arguments < 0 or target.kind not in CALLABLE_KINDS:
        return (target,)
    candidates = overloads(scope, target)
    if candidates and scope.at(target.path).language.labels:
        return _labelled(scope, target, arguments)
    fits = _taking(candidates, target, arguments) if candidates else (target,)
    return fits or _in_module(scope, target, arguments) or _inherited(scope, target, arguments)


def _labelled(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads in all files, or else in bases, that take this number of arguments. Their labels decide later."""
    namesakes = scope.world.definitions_of(target.dotted)
    paths = dict.fromkeys((target.path, *(namesake.path for namesake in namesakes if scope.reachable(namesake.path))))
    fits = (
        overload.target
        for path in paths
        for overload in scope.world.overloads(path, target.dotted)
        if overload.fewest <= arguments <= overload.most
    )
    return tuple(sorted(dict.fromkeys(fits), key=lambda fit: fit != target)) or _inherited(scope, target, arguments)


def _in_module(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads in another file of the same module that take exactly this number of arguments.

    Overloads with default values do not fit fewer arguments, because the default values may be written in yet another file.
    """
    module = scope.world.module(target.path)
    for namesake in scope.world.definitions_of(target.dotted):
        path = namesake.path
        if path != target.path and scope.world.module(path) == module and scope.reachable(path):
            fits = [overload.target for overload in overloads(scope, namesake) if overload.most == arguments]
            if fits:
                return tuple(fits)
    return ()


def _inherited(scope: Scope, target: Target, arguments: int) -> tuple[Target, ...]:
    """List the fitting overloads of a method in the bases of its class. The nearest base that has any wins."""
    owner = scope.world.definition(target.path, target.dotted.rpartition(".")[0]) if target.kind == "method" else None
    for base in scope.at(owner.path).ancestors(owner) if owner is not None and owner.is_type else ():
        member = scope.own_member(base, target.name)
        if member is not None and (fits := _taking(overloads(scope, member), member, arguments)):
            return fits
    return ()


def overridden(scope: Scope, target: Target, method: Definition) -> Target | None:
    """Return the overload of a base's method that `method` overrides, or None.

    It is the first overload with the same parameter types, or else the first with the same number of parameters. In a language
    without overloads it is `target`.
    """
    candidates = overloads(scope, target)
    same_count = [overload for overload in candidates if overload.most == method.most]
    same_types = [overload for overload in same_count if overload.types == method.types]
    return next((overload.target for overload in same_types or same_count), None) if candidates else target


def parameter_types(scope: Scope, target: Target) -> tuple[str, ...]:
    """List the names of a function's parameter types, in their order. The list is empty in a language without overloads."""
    overload = signature(scope, target)
    return overload.types if overload else ()


def signature(scope: Scope, target: Target) -> Overload | None:
    """Return the number and the types of a function's parameters, or None in a language without overloads."""
    return next((overload for overload in overloads(scope, target) if overload.target == target), None)


def overloads(scope: Scope, target: Target) -> tuple[Overload, ...]:
    """List the overloads of a function in its file. The list is empty in a language without overloads."""
    if not _has_overloads(scope, target):
        return ()
    candidates = scope.world.overloads(target.path, target.dotted)
    if len(candidates) < 2 or "static" not in scope.at(target.path).language.captures:
        return candidates
    # A method of a class and one of its objects may be alike. They are no overloads of each other.
    of_class = scope.world.class_method(target.path, target.dotted)
    alike = {(candidate.most, candidate.types) for candidate in candidates if candidate.target == target}
    return tuple(
        candidate
        for candidate in candidates
        if candidate.target == target
        or of_class not in (candidate.target, target)
        or (candidate.most, candidate.types) not in alike
    )


def _has_overloads(scope: Scope, target: Target) -> bool:
    """Say whether the target's language allows several functions of one name with different parameters."""
    return bool(scope.at(target.path).language.variadic)


def _taking(candidates: tuple[Overload, ...], target: Target, arguments: int) -> tuple[Target, ...]:
    """List the overloads that take this number of arguments, `target` first, then those with a body.

    Overloads that need default values or a variable parameter come last.
    """
    fits = [overload for overload in candidates if overload.fewest <= arguments <= overload.most]
    # Java, C# and Kotlin too prefer an overload that needs no default value and no variable parameter.
    fits.sort(key=lambda fit: (fit.most != arguments, fit.target != target, not fit.target.has_body))
    return tuple(fit.target for fit in fits)
