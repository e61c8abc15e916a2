"""Find the definition whose dotted name ends as a text says, such as the handler of a route: `Admin.CartsController.show`."""

from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.resolution import NOTHING, UNIQUE, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.storage.records import Target

NAMESPACE = "\\"
"""What stands between the parts of a namespace in PHP."""


def ending(scope: Scope, dotted: str, place: str, path: str) -> Resolution:
    """Return the only definition whose dotted name ends so, as the file of a scope sees it.

    Of several, its path must share most words with `place`, or else most folders with `path`, or it has that whole name.
    """
    name = dotted.replace(":", ".").rpartition(".")[2]
    end = f".{dotted.replace('::', '.').replace(NAMESPACE, '.')}"
    targets = _targets(scope, name, end)
    while not targets and end.count(".") > 2 and not _owners(scope, end):
        # The modules of a text may be folders. A class of that name that lacks the member is meant all the same.
        end = f".{end[1:].partition('.')[2]}"
        targets = _targets(scope, name, end)
    words = set(place.lower().strip("/").split("/"))
    # A controller of a namespace stands in the folder of that name, and of an application beside its routes.
    likeness = [
        (
            len(words.intersection(target.path.lower().split("/"))),
            shared_folders(target.path, path),
            f".{target.dotted}" == end,
        )
        for target in targets
    ]
    best = [target for target, like in zip(targets, likeness, strict=True) if like == max(likeness)]
    return Resolution(tuple(best), UNIQUE) if len(best) == 1 else NOTHING


def _targets(scope: Scope, name: str, end: str) -> list[Target]:
    """List the definitions of a name whose dotted names end so, or else what classes whose names do inherit.

    A controller inherits so from its traits.
    """
    if targets := _with_end(scope, name, end):
        return targets
    members = (scope.at(cls.path).inherited(cls, name) for cls in _owners(scope, end))
    return [*dict.fromkeys(member for member in members if member is not None)]


def _owners(scope: Scope, end: str) -> list[Target]:
    """List the classes that a dotted name names before its last part."""
    owner = end.rpartition(".")[0]
    return [cls for cls in _with_end(scope, owner.rpartition(".")[2], owner) if cls.is_type]


def _with_end(scope: Scope, name: str, end: str) -> list[Target]:
    """List the definitions of a name whose dotted names end so, maybe behind those of their namespaces."""
    targets = []
    for target in scope.world.definitions_named(name):
        dotted = f".{target.dotted.replace('::', '.')}"
        if len(end) > len(dotted) and end.endswith(dotted):
            dotted = f".{scope.world.module(target.path).replace(NAMESPACE, '.')}{dotted}"
        if dotted.endswith(end) and scope.reachable(target.path):
            targets.append(target)
    return targets
