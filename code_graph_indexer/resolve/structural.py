"""Find the interfaces that a type implements without naming them, because it has all their methods."""

from collections.abc import Iterator, Mapping

from code_graph_indexer.languages import ecosystem_of
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.library import library_facts, library_paths
from code_graph_indexer.resolve.resolution import NOTHING, Resolution
from code_graph_indexer.storage.records import External, ResolvedReference, Target

SATISFIED, SATISFIED_BY_ONE = 0.9, 0.7
"""Confidence that a type implements an interface: with several methods, and with only one or a base that is not known.

It is below 1 because of the methods only their names and the numbers of their parameters and results are compared.
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
    yield from ((_outside(row, method, scope.language.name), NOTHING) for method in _in_library(inference, name, cls))
    for candidate in world.definitions_named(name):
        owner = candidate.dotted.rpartition(".")[0]
        interface = world.definition(candidate.path, owner) if candidate.kind == "method" and owner else None
        if interface is None or interface.kind != "interface" or not scope.reachable(candidate.path):
            continue
        # Most methods of that name are ruled out here, before the others of the interface are looked up.
        if not _fits(inference, cls, name, world.shape(candidate.path, candidate.dotted)):
            continue
        body, required = _methods_of(inference, interface)
        is_known = not scope.has_outside_base(interface)
        if len(required) > MAX_METHODS or (len(required) == 1 and not is_known):
            # Of a base outside, the methods that it requires are not known. One method alone would say little.
            continue
        if _has_all(inference, cls, required):
            confidence = SATISFIED if len(required) > 1 and is_known else SATISFIED_BY_ONE
            row = row._replace(receiver=interface.dotted)
            yield row, Resolution((candidate,), confidence)
            # Each method of the interface comes here once. Only the first by name reports the inheritance.
            if cls.path == scope.path and name == min(body):
                inherits = row._replace(source_id=cls.chunk_id, kind="inherits", name=interface.name, receiver="")
                yield inherits, Resolution((interface,), confidence)


def _in_library(inference: Inference, name: str, cls: Target) -> Iterator[Target]:
    """Yield the methods of the library's interfaces that the method `name` of a type implements."""
    for path in library_paths(inference.language.name):
        scope = inference.scope.at(path)
        for method in library_facts(path).by_name.get(name, ()):
            interface = scope.class_around(method) if method.kind == "method" else None
            if interface is None or interface.kind != "interface":
                continue
            if _has_all(inference, cls, _methods_of(inference, interface)[1]):
                yield method


def _outside(row: ResolvedReference, method: Target, language: str) -> ResolvedReference:
    """Return the row of a method that implements one of the library: `encoding_json_Marshaler` is of `encoding/json`."""
    ecosystem = ecosystem_of(language)
    if ecosystem is None:
        return row
    module, _, name = method.dotted.rpartition("_")
    return row._replace(external=External(ecosystem.name, module.replace("_", "/"), name), confidence=SATISFIED_BY_ONE)


def _has_all(inference: Inference, cls: Target, required: Mapping[str, str]) -> bool:
    """Say whether a type has all methods of an interface, whose shapes `required` has by name."""
    # Sorted, because the first method that is missing ends the lookups, which the index stores.
    return all(_fits(inference, cls, method, shape) for method, shape in sorted(required.items()))


def _fits(inference: Inference, cls: Target, method: str, shape: str) -> bool:
    """Say whether a type has a method with this name and shape. A shape that is not known fits."""
    member = inference.scope.at(cls.path).member(cls, method)
    if member is None:
        return False
    own = inference.world.shape(member.path, member.dotted)
    return not own or not shape or own == shape


def _methods_of(inference: Inference, interface: Target) -> tuple[set[str], dict[str, str]]:
    """Return the names of the methods in the interface's body, and the shapes of these and of its base interfaces' methods.

    The names are those of the nearest base if the body has no methods.
    """
    required: dict[str, str] = {}
    body: set[str] = set()
    for part in (interface, *inference.scope.at(interface.path).ancestors(interface)):
        for method in inference.world.methods(part.path, part.dotted):
            required.setdefault(method, inference.world.shape(part.path, f"{part.dotted}.{method}"))
        body = body or set(required)
    return body, required
