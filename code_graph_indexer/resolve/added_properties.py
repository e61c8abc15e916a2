"""Find the properties that code adds to a type outside of that type, as far as a file sees them."""

import itertools
from collections.abc import Iterator

from code_graph_indexer.resolve.members import type_names
from code_graph_indexer.resolve.resolution import NOTHING, PASSED, TYPED, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.values import OUTSIDE, Point, Values
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import ADDED_MEMBER

MAX_FILES = 100
"""The most files that are searched for a property. A package may have thousands."""


def added_property(scope: Scope, name: str, receivers: Values, point: Point) -> Resolution:
    """Return the property of a name that code adds to the type of a receiver, or to the type that is extended around a point.

    It is in the same file, in a module from which its name is imported, in the same module, or in a file imported whole.
    """
    language = scope.language
    if not (language.extension_methods or language.open_types):
        return NOTHING
    types = tuple(dict.fromkeys(cls for value in receivers for cls in type_names(scope, value) if cls))
    extended = point.dotted.rpartition(".")[0]
    if not receivers and extended and scope.definition(scope.path, extended) is None:
        types = (extended.rpartition(".")[2],)
    if not types:
        return _imported(scope, name) if not receivers or all(value in OUTSIDE for value in receivers) else NOTHING
    around = [f"{cls.dotted}." for cls in scope.types_around(point.dotted)]
    for path, prefix in ((scope.path, prefix) for prefix in ("", *around)):
        for cls in types:
            if target := scope.definition(path, f"{prefix}{cls}.{name}"):
                return Resolution((target,), TYPED)
    added = next(_added_elsewhere(scope, [f"{cls}.{name}" for cls in types], _files(scope, name)), None)
    return Resolution((added,), TYPED) if added is not None else NOTHING


def _added_elsewhere(scope: Scope, names: list[str], files: Iterator[str]) -> Iterator[Target]:
    """Yield what files near by define under one of these dotted names, then what files anywhere add under them to a type."""
    near = ((path, dotted) for path in files for dotted in names)
    adding = ((path, dotted) for dotted in names for path, _ in scope.world.arguments_to(ADDED_MEMBER + dotted))
    anywhere = ((path, dotted) for path, dotted in adding if scope.reachable(path))
    yield from filter(None, (scope.definition(*place) for place in itertools.chain(near, anywhere)))


def _imported(scope: Scope, name: str) -> Resolution:
    """Return the only property of a name that code adds to a type, and that a file imports by its name."""
    bound = scope.world.import_of(scope.path, name)
    if bound is None or bound[1] != name:
        return NOTHING
    paths = scope.world.find_modules(scope.path, bound[0])[:MAX_FILES]
    members = (target for path in paths for target in scope.world.members_named(path, name))
    added = [target for target in members if scope.definition(target.path, target.dotted.rpartition(".")[0]) is None]
    return Resolution(tuple(added[:1]), PASSED) if len({target.dotted for target in added}) == 1 else NOTHING


def _files(scope: Scope, name: str) -> Iterator[str]:
    """Yield the other files where a property is searched: those of an import of its name, or else near ones, if few."""
    bound = scope.world.import_of(scope.path, name)
    if bound is not None:
        yield from scope.world.find_modules(scope.path, bound[0])[:MAX_FILES]
        return
    reach = (*scope.world.peers(scope.path), *scope.star_reach())
    if len(reach) <= MAX_FILES:
        yield from reach
