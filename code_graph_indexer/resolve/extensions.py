"""Find extension functions: functions that are called like methods of a type, but are defined outside of that type."""

from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.overloads import overloads, runs
from code_graph_indexer.resolve.scope import NOTHING, TYPED, UNIQUE, Resolution, Scope
from code_graph_indexer.resolve.values import Point, Value, Values
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import Reference


def extension(inference: Inference, reference: Reference, point: Point, receivers: Values | None = None) -> Resolution:
    """Return the extension function that a call means: in Kotlin, `cart.total()` may mean `fun Cart.total()`.

    `receivers` are the possible values of the receiver. A call without a receiver is made on the objects around it.

    The function extends the type of a receiver, or a base of that type. If there is no such function, the answer is a guess:

    * The only function of the name that extends another type, if the call has a receiver.
    * The only function of the name in the same file or imported, if the receiver's type is not known, the name is not
      common, and no class has a method of that name.

    A guess is never the function that contains the call, unless that function has overloads and the receiver's type is not
    known.
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
        target
        for target in unrelated
        if (target.path, target.dotted) != caller or (not is_typed and overloads(scope, target)[1:])
    ]
    if len({target.dotted for target in targets}) != 1:
        return NOTHING
    # A name in several files is one function for each platform.
    nearest = max(targets, key=lambda target: shared_folders(target.path, scope.path))
    return Resolution((nearest,), TYPED if fitting else UNIQUE)


def _candidates(scope: Scope, reference: Reference, types: set[str]) -> tuple[list[Target], list[Target], list[Target]]:
    """Return three lists of functions with the call's name.

    The first list extends one of `types`, the second extends another type, and the third is in sight: in the same file
    or imported.
    """
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
    """Return the simple names of a value's type and of the bases of that type."""
    if value.target is None:
        return {value.name.rpartition(".")[2]}
    return {cls.name for cls in (value.target, *scope.at(value.target.path).ancestors(value.target))}


def _is_from(scope: Scope, target: Target, imported: str) -> bool:
    """Say whether an imported full name begins with the module of a definition: `a.b.total` begins with `a.b`."""
    return f"{imported}.".startswith(f"{scope.world.module(target.path)}.")
