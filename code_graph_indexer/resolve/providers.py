"""Lead what asks a container for a type or name to what the container gives: a class for an interface, or what makes it."""

from collections.abc import Callable, Sequence

from code_graph_indexer.resolve.facts import PassedArgument
from code_graph_indexer.resolve.registered_names import event_name, named
from code_graph_indexer.resolve.resolution import NOTHING, PEER, TABLE, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.registrations import PROVIDER, TEXT


def provided(
    scope: Scope, needed: str, types: Sequence[Target], registered_at: Callable[[str, PassedArgument], Target | None]
) -> Resolution:
    """Return what containers give for the name `needed`, which means `types` here. NOTHING if that is too much.

    `registered_at` returns what a file registers.
    """
    name = event_name(needed.removeprefix(TEXT))
    targets: dict[Target, None] = {}
    for path, argument in scope.world.arguments_to(named(PROVIDER, name)):
        # Two packages may have a type of the same name.
        meant = scope.at(path).name(name).targets if types else ()
        is_other = bool(meant) and meant[0] not in types
        target = None if is_other or not scope.reachable(path) else registered_at(path, argument)
        if target is not None and target not in types:
            targets[target] = None
    confidence = PEER if len(targets) == 1 else TABLE
    return Resolution(tuple(targets), confidence, all_meant=True) if len(targets) <= MAX_CANDIDATES else NOTHING
