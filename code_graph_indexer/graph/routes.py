"""List what frameworks call: routes with the prefixes of the routers above them, commands, tasks, listeners and fixtures."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product, starmap

from code_graph_indexer.graph.results import Route
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import LinkedRegistration, Store

MAX_MOUNTS = 8
"""The most routers one inside the other that are followed."""

MAX_PREFIXES = 10
"""The most places where the same router is mounted."""

ROUTERS = frozenset({"mount", "router"})
"""Kinds of registrations that give a prefix to routes, and are no answer themselves."""

HOLDERS = frozenset({"variable", "constant"})
"""Kinds of definitions that hold a router."""

MANY = frozenset({"dependency", "fixture", "program"})
"""Kinds that are listed only if they are asked for."""


class Routes:
    """The registrations of an index, with full names."""

    def __init__(self, store: Store) -> None:
        rows = store.registrations()
        chunk_ids = {row.source_id for row in rows} | {row.target_id for row in rows if row.target_id is not None}
        self._nodes = store.nodes([*chunk_ids]) if rows else {}
        self._rows = [row for row in rows if row.source_id in self._nodes]
        # The routers that are put below another one, by the file or function of the router.
        self._mounts: dict[str | int, list[LinkedRegistration]] = defaultdict(list)
        for row in self._rows:
            target = self._nodes.get(row.target_id) if row.target_id is not None else None
            # What a test mounts is not where the application has it.
            is_trial = target is not None and self._nodes[row.source_id].is_test and not target.is_test
            if row.kind in ROUTERS and target is not None and not is_trial:
                self._mounts[target.chunk_id].append(row)
                if target.kind == "module":
                    self._mounts[target.file_path].append(row)

    def all(self) -> list[Route]:
        """List all routes and other registrations, by path and line."""
        routes = [
            self._route(row, prefix) for row in self._rows if row.kind not in ROUTERS for prefix in self._prefixes(row)
        ]
        return sorted(routes, key=lambda route: (route.kind != "route", route.file_path, route.line, route.name))

    def _route(self, row: LinkedRegistration, prefix: str) -> Route:
        """Return the route of a registration, whose name gets the prefix before it. Other kinds keep their name."""
        handler = self._nodes.get(row.target_id) if row.target_id is not None else None
        name = joined(prefix, row.name) if row.kind == "route" else row.name
        source = self._nodes[row.source_id]
        return Route(
            row.kind,
            row.framework,
            row.verb,
            name,
            source.file_path,
            row.line,
            row.target_name,
            handler,
            source.is_test,
        )

    def _prefixes(self, row: LinkedRegistration) -> Sequence[str]:
        """List the prefixes of a registered route, at most MAX_PREFIXES. Without any, there is an empty one."""
        if row.kind != "route":
            return ("",)
        source = self._nodes[row.source_id]
        prefixes = dict.fromkeys(self._above(source, row.router, 0))
        return list(prefixes)[:MAX_PREFIXES] or ("",)

    def _rows_of(self, source: Symbol, router: str) -> Sequence[LinkedRegistration]:
        """List where a router is made or mounted, by its expression: in the definition `source`, or else in its file."""
        heads = {router.partition(".")[0].removesuffix("()")}
        if source.kind in HOLDERS:
            # `const api = new Hono().get(…)`: the router is the value of the definition.
            heads.add(source.name)
        heads.discard("")
        # A variable of a function goes before that of the file.
        local = [row for row in self._mounts[source.chunk_id] if row.target_name in heads]
        return local or [row for row in self._mounts[source.file_path] if row.target_name in heads]

    def _mounts_around(self, source: Symbol, mounts: Sequence[LinkedRegistration]) -> Sequence[LinkedRegistration]:
        """List the mounts of the file or function around, which name no variable, without those in `mounts`."""
        around = dict.fromkeys((*self._mounts[source.file_path], *self._mounts[source.chunk_id]))
        return [row for row in around if not row.target_name and row not in mounts]

    def _above(self, source: Symbol, router: str, depth: int) -> Iterator[str]:
        """Yield the prefixes under which the routes of a router stand, through all mounts. Without any, it yields an empty one.

        `router` is its expression, which the definition or file `source` names. `depth` counts the mounts so far, up to
        MAX_MOUNTS.
        """
        if depth > MAX_MOUNTS:
            return
        rows = self._rows_of(source, router)
        own = [row for row in rows if row.kind == "router"]
        mounts = [row for row in rows if row.kind == "mount"]
        is_inner = any(self._nodes[row.source_id].file_path == source.file_path for row in mounts)
        if not is_inner and not any(row.router for row in own):
            mounts += self._mounts_around(source, mounts)
        uppers = [prefix for row in mounts for prefix in self._with(row, depth)] or [""]
        lowers = [prefix for row in own for prefix in (self._with(row, depth) if row.router else [row.name])] or [""]
        yield from starmap(joined, product(uppers[:MAX_PREFIXES], lowers[:MAX_PREFIXES]))

    def _with(self, row: LinkedRegistration, depth: int) -> list[str]:
        """Return the path of a mount behind each prefix of the router that it is mounted on. `depth` is that of `_above`."""
        above = self._above(self._nodes[row.source_id], row.router, depth + 1)
        return [joined(prefix, row.name) for prefix in above] or [row.name]


def joined(prefix: str, name: str) -> str:
    """Join two parts of a URL with a single slash: `/api/` and `/carts` give `/api/carts`.

    Example:
        >>> joined("/api", "/")
        '/api/'
    """
    if not prefix or prefix == "/":
        return name
    return f"{prefix.rstrip('/')}/{name.removeprefix('^').lstrip('/')}" if name else prefix
