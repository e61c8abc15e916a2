"""Guess what a call means of whose receiver nothing is known: by the name, and by what is near."""

import posixpath

from code_graph_indexer.resolve.resolution import NOTHING, PASSED, UNIQUE_METHOD, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.values import Point
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.expressions import TEXT
from code_graph_indexer.syntax.records import COMPUTED, INTERFACE_KINDS, Reference


def in_namesake(scope: Scope, reference: Reference) -> Resolution:
    """Return the member of an object of the same folder that has the name of the receiver, whose value is not known.

    With `app.start = function` in a file beside it, `this.app.start()` most likely means that function.
    """
    holder, folder = reference.receiver.rpartition(".")[2], posixpath.dirname(scope.path)
    names = [reference.name]
    if reference.name in scope.language.computed_members:
        names.append(COMPUTED)
    members = [
        target
        for name in names
        for target in scope.world.definitions_named(name)
        if target.dotted == f"{holder}.{name}"
        and posixpath.dirname(target.path) == folder
        and scope.reachable(target.path)
    ]
    return Resolution(tuple(members), UNIQUE_METHOD) if len(members) == 1 else NOTHING


def only_method(scope: Scope, reference: Reference) -> Resolution:
    """Return the only method of that name, or the one that all others override.

    Nothing is guessed if the name is too common (`get`, unlike `load_user`), or if the receiver is a class, a literal,
    `self` or imported from outside the repository.
    """
    is_telling = "_" in reference.name.strip("_") or reference.name.lower() != reference.name
    if not is_telling or reference.name in scope.language.common:
        return NOTHING
    if reference.receiver in scope.language.self_names | scope.language.super_names:
        return NOTHING
    head = reference.receiver.partition(".")[0]
    is_platform = head == TEXT or any(head in names for names in scope.language.literal_types)
    # What a template gets may begin with a capital letter, as every name that others see.
    is_class = head[:1].isupper() and not (scope.language.is_template and scope.language.capital_methods)
    if is_class or is_platform or scope.is_external(head):
        return NOTHING
    resolution = _members_named(scope, reference.name)
    root = scope.root_method(reference.name) if len(resolution.targets) > 1 else None
    if root is not None:
        return Resolution((root,), resolution.confidence)
    declared = _in_interfaces(scope, reference.name) if resolution.targets else ()
    if not declared:
        # Where every method begins with a capital letter, a name of one word says little.
        is_common = scope.language.capital_methods and reference.name[1:].islower()
        return NOTHING if is_common else resolution
    # What an interface declares is a better guess than the method of a class that has nothing to do with it. Where objects
    # need not name their interfaces, either may be meant.
    is_named = not (scope.language.structural or scope.language.object_literals)
    targets = declared if is_named else dict.fromkeys((*declared, *resolution.targets))
    return resolution._replace(targets=tuple(targets)[:MAX_CANDIDATES])


def _members_named(scope: Scope, name: str) -> Resolution:
    """Return the methods of a name that a receiver may have. A template calls a helper by its name alone."""
    resolution, helpers = scope.unique(name, methods=True), scope.language.helpers
    if helpers is None:
        return resolution
    members = (target for target in resolution.targets if not helpers.search(target.path))
    return resolution._replace(targets=tuple(members))


def _in_interfaces(scope: Scope, name: str) -> tuple[Target, ...]:
    """List the methods of a name that interfaces declare without a body."""
    declared = [
        method
        for method in scope.world.definitions_named(name)
        if method.kind == "method" and not method.has_body and scope.reachable(method.path)
    ]
    owners = ((method, scope.class_around(method)) for method in declared[:MAX_CANDIDATES])
    return tuple(method for method, owner in owners if owner is not None and owner.kind in INTERFACE_KINDS)


def below(scope: Scope, reference: Reference, point: Point) -> Resolution:
    """Return the methods that classes below the class around a call have, where that class itself has none.

    A mixin calls so what the classes that include it define.
    """
    if not scope.language.late_members or point.cls is None or reference.kind != "calls":
        return NOTHING
    if scope.language.helpers is not None:
        # A template with helpers sees no functions of the class behind it.
        return NOTHING
    targets: dict[str, Target] = {}
    for method in scope.world.definitions_named(reference.name):
        owner = scope.class_around(method) if method.kind == "method" else None
        if owner is None or not scope.reachable(method.path):
            continue
        if point.cls in scope.at(owner.path).ancestors(owner):
            # A class may have a method of that name for its objects and another one for itself.
            targets.setdefault(method.dotted, scope.world.definition(method.path, method.dotted) or method)
        if len(targets) > MAX_CANDIDATES:
            return NOTHING
    return Resolution(tuple(targets.values()), PASSED)
