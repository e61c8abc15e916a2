"""Lead what a schema declares, such as a call of gRPC or an operation of OpenAPI, to the code that answers it."""

import posixpath
from collections.abc import Callable

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.facts import PassedArgument
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.registered_names import declared_name, named
from code_graph_indexer.resolve.resolution import NOTHING, TABLE, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.records import FUNCTION_KINDS
from code_graph_indexer.syntax.registrations import SERVES


def answering(scope: Scope, name: str, registered_at: Callable[[str, PassedArgument], Target | None]) -> Resolution:
    """Return what answers a declaration of a schema: what a framework registers for it, or the nearest function of its name.

    Of a class that is registered for all that is around the declaration, it is the member. `registered_at` returns what a
    file registers.
    """
    key, last = declared_name(name), name.rpartition(".")[2]
    targets: dict[Target, None] = {}
    for question in (key, key.rpartition(".")[0]):
        for path, argument in scope.world.arguments_to(named(SERVES, question)) if question else ():
            target = registered_at(path, argument)
            if target is not None and question != key:
                target = scope.at(target.path).member(target, last) if target.is_type else None
            if target is not None:
                targets[target] = None
    functions = [] if targets else _called(scope, name, last)
    folders = [shared_folders(function.path, scope.path) for function in functions]
    nearest = [function for function, count in zip(functions, folders, strict=True) if count == max(folders)]
    targets |= dict.fromkeys(nearest if len(nearest) == 1 else ())
    return Resolution(tuple(targets), TABLE, all_meant=True) if len(targets) <= MAX_CANDIDATES else NOTHING


def _called(scope: Scope, name: str, last: str) -> list[Target]:
    """List the functions of other languages, outside of tests, whose dotted path ends with a name: `shop.carts.show`."""
    functions = [target for target in scope.world.definitions_named(last) if target.kind in FUNCTION_KINDS]
    return [
        target
        for target in functions
        if f".{posixpath.splitext(target.path)[0].replace('/', '.')}.{target.dotted}".endswith(f".{name}")
        and languages()[scope.world.file(target.path).language].family != scope.language.family
        and not scope.world.file(target.path).is_test
    ]
