"""Find the interfaces that a type implements by having their methods, without saying so."""

from collections.abc import Iterator

from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.infer import Inference
from code_graph_indexer.resolve.scope import Found
from code_graph_indexer.storage.records import ResolvedReference

SATISFIED, SATISFIED_BY_ONE = 0.9, 0.7
"""How sure it is that a type with the methods of an interface implements it, and one whose only method has a common name;
parameters are not compared."""

MAX_METHODS = 40
"""Methods of an interface that is looked at."""


def satisfied(
    inference: Inference, name: str, cls: Target, row: ResolvedReference
) -> Iterator[tuple[ResolvedReference, Found]]:
    """Yield the methods of interfaces that a method of a type implements, as the type has all that they ask for.

    `row` is what is said of the method; once for each interface, with its first method, the type itself inherits.
    """
    scope, world = inference.scope, inference.world
    for asked in world.named(name):
        owner = asked.dotted.rpartition(".")[0]
        interface = world.definition(asked.path, owner) if asked.kind == "method" and owner else None
        if interface is None or interface.kind != "interface" or not scope.reachable(asked.path):
            continue
        if inference.has_outside_base(interface):
            # What it asks for is not all known.
            continue
        own, methods = _asked_for(inference, interface)
        if len(methods) <= MAX_METHODS and all(scope.at(cls.path).member(cls, each) for each in sorted(methods)):
            confidence = SATISFIED if len(methods) > 1 else SATISFIED_BY_ONE
            row = row._replace(receiver=interface.dotted)
            yield row, Found((asked,), confidence)
            if cls.path == scope.path and name == min(own):
                # Said once for the type: with the first of the methods.
                whole = row._replace(source_id=cls.chunk_id, kind="inherits", name=interface.name, receiver="")
                yield whole, Found((interface,), confidence)


def _asked_for(inference: Inference, interface: Target) -> tuple[set[str], set[str]]:
    """List the methods that an interface asks for: its own, and with those of the interfaces in it."""
    found: set[str] = set()
    own: set[str] = set()
    for one in (interface, *inference.scope.at(interface.path).ancestors(interface)):
        found.update(inference.world.fact(one.path, f"m:{one.dotted}") or ())
        own = own or set(found)
    return own, found
