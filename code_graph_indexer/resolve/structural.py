"""Find the interfaces that a type implements without naming them, because it has all their methods."""

from collections.abc import Iterator

from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.scope import Resolution
from code_graph_indexer.storage.records import ResolvedReference, Target

SATISFIED, SATISFIED_BY_ONE = 0.9, 0.7
"""Confidence that a type implements an interface: with several methods, and with only one.

It is below 1 because only the names of methods are compared, not their parameters.
"""

MAX_METHODS = 40
"""The most methods that an interface may have. Larger interfaces are not compared."""


def satisfied(
    inference: Inference, name: str, cls: Target, row: ResolvedReference
) -> Iterator[tuple[ResolvedReference, Resolution]]:
    """Yield the interface methods that the method `name` of the type `cls` implements, each with its row for the index.

    `row` is the row to fill in. The first method of each interface (by name) also yields a row of kind `inherits`.
    """
    scope, world = inference.scope, inference.world
    for candidate in world.definitions_named(name):
        owner = candidate.dotted.rpartition(".")[0]
        interface = world.definition(candidate.path, owner) if candidate.kind == "method" and owner else None
        if interface is None or interface.kind != "interface" or not scope.reachable(candidate.path):
            continue
        if scope.has_outside_base(interface):
            # Some of the methods that it requires are not known.
            continue
        body, required = _methods_of(inference, interface)
        if len(required) > MAX_METHODS:
            continue
        # Sorted, because the first method that is missing ends the lookups, which the index stores.
        if all(scope.at(cls.path).member(cls, method) for method in sorted(required)):
            confidence = SATISFIED if len(required) > 1 else SATISFIED_BY_ONE
            row = row._replace(receiver=interface.dotted)
            yield row, Resolution((candidate,), confidence)
            # Each method of the interface comes here once. Only the first by name reports the inheritance.
            if cls.path == scope.path and name == min(body):
                inherits = row._replace(source_id=cls.chunk_id, kind="inherits", name=interface.name, receiver="")
                yield inherits, Resolution((interface,), confidence)


def _methods_of(inference: Inference, interface: Target) -> tuple[set[str], set[str]]:
    """Return two sets of method names: those in the interface's body, and those with its base interfaces.

    The first set is that of the nearest base if the body has no methods.
    """
    required: set[str] = set()
    body: set[str] = set()
    for part in (interface, *inference.scope.at(interface.path).ancestors(interface)):
        required.update(inference.world.methods(part.path, part.dotted))
        body = body or set(required)
    return body, required
