"""Find the parameters that labelled arguments go to: `run(with: cart, then: …)`."""

from collections.abc import Iterator, Sequence

from code_graph_indexer.resolve.facts import Parameter
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import Target


def taking(
    world: World, function: Target, labels: Sequence[str]
) -> Iterator[tuple[tuple[Parameter, ...], Sequence[int]]]:
    """Yield the parameters of each overload of a function that takes arguments with these labels, and where they go."""
    for number in range(len(world.overloads(function.path, function.dotted))):
        parameters = world.parameters(function.path, function.dotted, number)
        places = _places(parameters, labels)
        if places is not None:
            yield parameters, places


def _places(parameters: Sequence[Parameter], labels: Sequence[str]) -> list[int] | None:
    """List the positions of the parameters with these labels. None if there are no such parameters in this order.

    Parameters with a default value may be left out.
    """
    places: list[int] = []
    place = 0
    for label in labels:
        while place < len(parameters) and parameters[place].name != label:
            place += 1
        if place == len(parameters):
            return None
        places.append(place)
        place += 1
    return places
