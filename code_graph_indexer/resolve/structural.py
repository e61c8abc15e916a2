"""Find the interfaces that a type implements by having their methods, without naming them."""

from collections.abc import Iterator

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.scope import Resolution
from code_graph_indexer.storage.records import ResolvedReference

SATISFIED, SATISFIED_BY_ONE = 0.9, 0.7
"""Confidence that a type implements an interface whose methods it has, and the same for an interface of one method.

Parameters are not compared.
"""

MAX_METHODS = 40
"""Methods of the largest interface that is compared."""


def satisfied(
    inference: Inference, name: str, cls: Target, row: ResolvedReference
) -> Iterator[tuple[ResolvedReference, Resolution]]:
    """Yield the interface methods that the method `name` of a type implements, each with its row.

    `row` is the reference of the method. With the first method of an interface comes a row that says: the type inherits
    from the interface.
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
    """Return the methods in the body of an interface, and all that it requires: with those of the interfaces in it."""
    required: set[str] = set()
    body: set[str] = set()
    for part in (interface, *inference.scope.at(interface.path).ancestors(interface)):
        required.update(inference.world.methods(part.path, part.dotted))
        body = body or set(required)
    return body, required
