"""Find the routes that a path means: as frameworks write it, `/carts/:id`, or as a browser shows it, `/carts/7`."""

import re
from collections.abc import Sequence

from code_graph_indexer.graph.results import Route

_QUERY = re.compile(r"(?:[A-Z]+ )?(/[^\s?]*)")
_PARAMETER = re.compile(r"[:{<*\[$(]")
"""Pattern of the start of a part of a path that stands for any text."""


def query_path(query: str) -> str:
    """Return the path that a query is, with or without the verb before it, or an empty text."""
    match = _QUERY.fullmatch(query)
    return match[1] if match else ""


def routes_named(routes: Sequence[Route], query: str) -> list[Route]:
    """List the routes whose path is that of a query, those that are written alike first, and then those that begin with it."""
    path = query_path(query)
    verb = query.removesuffix(path).strip()
    parts = _parts(path)
    alike: list[tuple[int, Route]] = []
    for route in routes:
        own = _parts(route.name)
        if (verb and route.verb and route.verb.upper() != verb) or len(own) < len(parts) or not own:
            continue
        if all(map(_fits, own, parts)):
            alike.append((len(own) - len(parts) + sum(map(str.__ne__, own, parts)), route))
    return [route for _, route in sorted(alike, key=lambda pair: pair[0])]


def _parts(path: str) -> list[str]:
    return [part for part in path.removesuffix("(.:format)").split("/") if part]


def _fits(part: str, asked: str) -> bool:
    """Say whether a part of a route's path may be a part that was asked for. Either may stand for any text."""
    return part == asked or bool(_PARAMETER.match(part)) or (bool(_PARAMETER.match(asked)) and not part.isalpha())
