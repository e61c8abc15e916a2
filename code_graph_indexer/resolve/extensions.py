"""Find functions that are called as methods of a type that they do not stand in."""

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.overloads import overloads, runs
from code_graph_indexer.resolve.scope import NOTHING, TYPED, UNIQUE, Resolution, Scope
from code_graph_indexer.resolve.values import Point, Value, Values
from code_graph_indexer.syntax.records import Reference


def extension(inference: Inference, reference: Reference, point: Point, receivers: Values | None = None) -> Resolution:
    """Find the function that extends the type of a call's receivers.

    A call without receivers is made on the objects around it. If the type is not known, the answer is the only function of
    the name that extends some type and is in sight: in the same file or imported. Then the name must be no common one, and
    no class may have a method of it. The function that the call stands in is no answer, unless it has overloads.
    """
    scope = inference.scope
    if not scope.language.extension_methods:
        return NOTHING
    if receivers is None:
        receivers = inference.objects_around(point)
    types = {name for receiver in receivers for name in _type_names(scope, receiver)}
    fitting, unrelated, in_sight = _candidates(scope, reference, types)
    is_typed = bool(reference.receiver) and any(receiver.target or receiver.name for receiver in receivers)
    is_telling = not is_typed and reference.name not in scope.language.common
    candidates = scope.world.extensions(reference.name)
    methods = (candidate.target for candidate in candidates if candidate.target.kind == "method")
    # A function that is merely in sight counts only if nothing is known of the receiver.
    if in_sight and is_telling and all(scope.class_around(method) is None for method in methods):
        unrelated += in_sight
    caller = (scope.path, point.dotted)
    targets = fitting or [
        target for target in unrelated if (target.path, target.dotted) != caller or overloads(scope, target)[1:]
    ]
    if len({target.dotted for target in targets}) != 1:
        return NOTHING
    # A name in several files is one function for each platform.
    nearest = max(targets, key=lambda target: shared_folders(target.path, scope.path))
    return Resolution((nearest,), TYPED if fitting else UNIQUE)


def _candidates(scope: Scope, reference: Reference, types: set[str]) -> tuple[list[Target], list[Target], list[Target]]:
    """List the functions of a name that extend one of the types, those that extend another type, and those in sight."""
    bound = (
        scope.world.import_of(scope.path, reference.name),
        scope.world.second_import_of(scope.path, reference.name),
    )
    modules = [import_[0] for import_ in bound if import_]
    fitting: list[Target] = []
    unrelated: list[Target] = []
    in_sight: list[Target] = []
    for target, extends, extended in scope.world.extensions(reference.name):
        if not extended.isdisjoint(types):
            group = fitting
        elif extends and reference.receiver:
            group = unrelated
        elif target.path == scope.path or any(_is_from(scope, target, module) for module in modules):
            group = in_sight
        else:
            continue
        # What it extends is its first parameter. An unknown number of arguments stays -1.
        arguments = reference.arguments + (extends and reference.arguments >= 0)
        if scope.reachable(target.path) and target in runs(scope, target, arguments)[:1]:
            group.append(target)
    return fitting, unrelated, in_sight


def _type_names(scope: Scope, value: Value) -> set[str]:
    """Return the names of the types that a value has: its type and the bases of it."""
    if value.target is None:
        return {value.name.rpartition(".")[2]}
    return {cls.name for cls in (value.target, *scope.at(value.target.path).ancestors(value.target))}


def _is_from(scope: Scope, target: Target, imported: str) -> bool:
    """Say whether the full name in an import lies in the module of a definition."""
    return f"{imported}.".startswith(f"{scope.world.file(target.path).module}.")
