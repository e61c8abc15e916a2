"""Find functions that are called as methods of a type that they do not stand in."""

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.overloads import overloads, runs
from code_graph_indexer.resolve.scope import NOTHING, TYPED, UNIQUE, Found, Scope
from code_graph_indexer.resolve.values import Place, Value, Values
from code_graph_indexer.syntax.records import Reference


def extension(inference: Inference, reference: Reference, place: Place, receivers: Values | None = None) -> Found:
    """Find the function that extends the type of a call's receivers; or else the only one that it may be.

    The receivers of a call without any are the objects around it. Where the type is not known, a function may be meant that
    extends some type and stands in the same file or is imported by its name, if that is no common one and no class has a
    method of it. It is not the one that the call stands in, unless that has overloads: a function rather calls what it is
    named after.
    """
    scope = inference.scope
    if not scope.language.extension_methods:
        return NOTHING
    if receivers is None:
        receivers = inference.objects_around(place)
    types = {name for one in receivers for name in _type_names(scope, one)}
    imports = [found[0] for key in ("i", "j") if (found := scope.world.fact(scope.path, f"{key}:{reference.name}"))]
    fitting: list[Target] = []
    others: list[Target] = []
    in_sight: list[Target] = []
    for one, extends, extended in scope.world.extensions(reference.name):
        if not extended.isdisjoint(types):
            found = fitting
        elif extends and reference.receiver:
            found = others
        elif one.path == scope.path or any(_holds(scope, one, text) for text in imports):
            found = in_sight
        else:
            continue
        # What it extends is its first parameter; no number of arguments is -1.
        given = reference.arguments + (extends and reference.arguments >= 0)
        if scope.reachable(one.path) and one in runs(scope, one, given)[:1]:
            found.append(one)
    is_typed = bool(reference.receiver) and any(one.target or one.name for one in receivers)
    is_telling = not is_typed and reference.name not in scope.language.common
    named = (one for one, _, _ in scope.world.extensions(reference.name) if one.kind == "method")
    if in_sight and is_telling and all(inference.class_around(one) is None for one in named):
        others += in_sight
    meant = fitting or [
        one for one in others if (one.path, one.dotted) != (scope.path, place.dotted) or overloads(scope, one)[1:]
    ]
    if len({one.dotted for one in meant}) != 1:
        return NOTHING
    # One name in several files is one function for each platform.
    nearest = max(meant, key=lambda one: shared_folders(one.path, scope.path))
    return Found((nearest,), TYPED if fitting else UNIQUE)


def _type_names(scope: Scope, value: Value) -> set[str]:
    """List the names of the types that a value has: its own, and those of its bases."""
    if value.target is None:
        return {value.name.rpartition(".")[2]}
    return {one.name for one in (value.target, *scope.at(value.target.path).ancestors(value.target))}


def _holds(scope: Scope, one: Target, imported: str) -> bool:
    """Say whether the full name that an import gives lies in the module of a definition."""
    return f"{imported}.".startswith(f"{scope.world.file(one.path).module}.")
