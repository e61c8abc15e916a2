"""Find extension functions: functions that are called like methods of a type, but are defined outside of that type."""

import re

from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.members import type_names
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.overloads import overloads, runs
from code_graph_indexer.resolve.resolution import NOTHING, TYPED, UNIQUE, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.values import Point, Values
from code_graph_indexer.resolve.world import Extended
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.expressions import TEXT
from code_graph_indexer.syntax.records import Reference

_VARIABLE = re.compile(r"[A-Z]\d?$")
"""The name of a type variable, as people write it. A function that extends it extends all types."""


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
    if not scope.language.extension_methods or (not reference.receiver and scope.is_outside(reference.name)):
        return NOTHING
    if receivers is None:
        receivers = inference.objects_around(point)
    is_typed = bool(reference.receiver) and any(receiver.target or receiver.name for receiver in receivers)
    types = _types_called_on(scope, reference, point, receivers, is_typed=is_typed)
    fitting, unrelated, in_sight = _candidates(scope, reference, types, is_typed=is_typed)
    targets = fitting or _guesses(scope, reference, point, unrelated, in_sight, is_typed=is_typed)
    # What a class has inside can be called in this class alone, so another class's function of that name is not meant.
    around = point.dotted.partition(".")[0]
    targets = [
        target for target in targets if target.path == scope.path and target.dotted.partition(".")[0] == around
    ] or targets
    # A member of the class itself goes before what is added to it elsewhere.
    targets = [target for target in targets if scope.class_around(target) is not None] or targets
    if len({target.dotted for target in targets}) != 1:
        return NOTHING
    # A name in several files is one function for each platform.
    nearest = max(targets, key=lambda target: shared_folders(target.path, scope.path))
    return Resolution((nearest,), TYPED if fitting else UNIQUE)


def _types_called_on(
    scope: Scope, reference: Reference, point: Point, receivers: Values, *, is_typed: bool
) -> set[str]:
    """Return the simple names of the types that a call may be made on. `is_typed` says that something is known of them."""
    language = scope.language
    types = {name for receiver in receivers for name in type_names(scope, receiver)}
    if reference.receiver.rpartition(".")[2] in language.class_getters:
        # `Cart::class` is an object of the first type that describes types.
        types.update(language.type_of[:1])
    if reference.receiver == TEXT and language.literal_types:
        types.update(language.literal_types[0])
    if not reference.receiver and point.frame is not None:
        # In a function that extends a type, calls without a receiver are made on the object it is called on.
        types.add(point.frame.dotted.rpartition(".")[0].rpartition(".")[2])
    if is_typed and not any(receiver.target for receiver in receivers):
        types |= language.platform_bases
    return types


def _guesses(
    scope: Scope, reference: Reference, point: Point, unrelated: list[Target], in_sight: list[Target], *, is_typed: bool
) -> list[Target]:
    """List which of the functions in two lists of `_candidates` a call may mean, if none extends its receiver's type.

    See `extension`. `is_typed` says that something is known of the receiver.
    """
    if not unrelated and not in_sight:
        return []
    has_members = any(
        scope.class_around(target) is not None and runs(scope, target, reference.arguments)
        for target, extended in scope.world.extensions(reference.name).items()
        if target.kind == "method" and not extended.is_outside
    )
    # If nothing is known of the receiver, a method of a class may be meant as well.
    guesses = [] if has_members and not is_typed else [*unrelated]
    if not has_members:
        guesses += in_sight
    caller = (scope.path, point.dotted)
    return [
        target
        for target in guesses
        if (target.path, target.dotted) != caller or (not is_typed and overloads(scope, target)[1:])
    ]


def _candidates(
    scope: Scope, reference: Reference, types: set[str], *, is_typed: bool
) -> tuple[list[Target], list[Target], list[Target]]:
    """Return three lists of functions with the call's name.

    The first list extends one of `types`, the second extends another type, and the third is in sight: in the same file
    or imported. The third is empty if something is known of the receiver (`is_typed`), or the name is common.
    """
    may_be_in_sight = not is_typed and reference.name not in scope.language.common
    bound = (
        scope.world.import_of(scope.path, reference.name),
        scope.world.second_import_of(scope.path, reference.name),
    )
    modules, own_module = [import_[0] for import_ in bound if import_], scope.world.module(scope.path)
    # A class of the repository is not the class of that name which is imported from outside. But a function may extend that.
    own_types = {name for name in types if not scope.is_outside(name)}
    fitting: list[Target] = []
    unrelated: list[Target] = []
    in_sight: list[Target] = []
    for target, extended in scope.world.extensions(reference.name).items():
        if _fits(scope, target, extended, types, own_types) or _is_for_all(scope, extended.types):
            group = fitting
        elif extended.is_outside and reference.receiver:
            group = unrelated
        elif may_be_in_sight and (
            _is_near(scope, target, own_module) or any(_is_from(scope, target, module) for module in modules)
        ):
            group = in_sight
        else:
            continue
        # What it extends may be its first parameter. An unknown number of arguments stays -1.
        is_first = extended.is_outside and "extended.parameter" in scope.language.captures
        arguments = reference.arguments + (is_first and reference.arguments >= 0)
        if scope.reachable(target.path) and target in runs(scope, target, arguments)[:1]:
            group.append(target)
    return fitting, unrelated, in_sight


def _fits(scope: Scope, target: Target, extended: Extended, types: set[str], own_types: set[str]) -> bool:
    """Say whether a function is of one of `types`. A method of a class is of one of `own_types`, which are among these."""
    if extended.types.isdisjoint(types):
        return False
    is_added = extended.is_outside or scope.class_around(target) is None
    return is_added or not extended.types.isdisjoint(own_types)


def _is_for_all(scope: Scope, extended: frozenset[str]) -> bool:
    """Say whether a function extends a type variable, and thereby all types."""
    return any(_VARIABLE.match(name) and not scope.world.definitions_named(name) for name in extended)


def _is_near(scope: Scope, target: Target, own_module: str) -> bool:
    """Say whether a definition is in the same file, or in the module of this file."""
    return target.path == scope.path or scope.world.module(target.path) == own_module != ""


def _is_from(scope: Scope, target: Target, imported: str) -> bool:
    """Say whether an imported full name begins with the module of a definition: `a.b.total` begins with `a.b`."""
    return f"{imported}.".startswith(f"{scope.world.module(target.path)}.")
