"""List what frameworks call: routes with the prefixes of the routers above them, commands, tasks, listeners and fixtures."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, starmap
from posixpath import commonprefix, dirname, normpath

from code_graph_indexer.graph.results import Route
from code_graph_indexer.languages import frameworks
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import LinkedRegistration, Store
from code_graph_indexer.syntax.constant_texts import CONSTANT, UNKNOWN
from code_graph_indexer.syntax.records import FUNCTION_KINDS, VALUE_KINDS
from code_graph_indexer.syntax.registrations import DESCRIBED, PLACED, ROUTERS, UNSURE

MAX_MOUNTS = 8
"""The most routers one inside the other that are followed."""

MAX_PREFIXES = 10
"""The most places where the same router is mounted."""

ROUTES = frozenset({"route", "inner"})
"""Kinds of registrations of a route. The second needs the prefix of the class around."""

MOUNTS = frozenset({"mount", "remount"})
"""Kinds that put a router below another one. The second replaces the prefix that the router has itself."""

SILENT = ROUTERS | {"folder", "global", "value", "alias"}
"""Kinds of registrations that say more about routes, and are no answer themselves."""

MANY = frozenset({"dependency", "fixture", "program", "provider"})
"""Kinds that are listed only if they are asked for."""

_VALUE = re.compile(
    r"""[=:]\s*(?:&?'?\w+\s*=\s*)?[rbu@]?(?P<quote>["'`])(?P<text>[^"'`\n]*)(?P=quote)(?:\s+as const|\.freeze)?[;,]?$"""
)


class Routes:
    """The registrations of an index, with full names."""

    def __init__(self, store: Store) -> None:
        rows = store.registrations()
        chunk_ids = {row.source_id for row in rows} | {row.target_id for row in rows if row.target_id is not None}
        self._nodes = store.nodes([*chunk_ids]) if rows else {}
        label, values = _Labels(rows), self._values(rows)
        self._rows = [
            _filled(row._replace(framework=label.of(row.framework)), values)
            for row in rows
            if row.source_id in self._nodes
        ]
        # The prefixes of all routes of a framework, with the file that gives them.
        self._globals: dict[str, list[tuple[str, str]]] = defaultdict(list)
        # The folders whose files are loaded as routes.
        self._folders: list[str] = []
        # The routes of each class.
        self._inner: dict[int, list[LinkedRegistration]] = defaultdict(list)
        # The routers that a file imports, by its path and their name there.
        self._aliases: dict[tuple[str, str], LinkedRegistration] = {}
        # What routes with a path of their own run.
        self._routed = {row.target_id for row in self._rows if row.kind == "route" and row.target_id is not None}
        # The routers that are put below another one, by the file or function of the router.
        self._mounts: dict[str | int, list[LinkedRegistration]] = defaultdict(list)
        for row in self._rows:
            self._note(row)

    def _placed(self, row: LinkedRegistration) -> LinkedRegistration:
        """Return a registration, or the route that it is by the place of its file: where it is mounted, else by its path."""
        if row.kind != PLACED:
            return row
        mounts = self._mounts.get(self._nodes[row.source_id].file_path, ())
        return row._replace(kind="route", name="" if any(mount.kind in MOUNTS for mount in mounts) else row.name)

    def _values(self, rows: Sequence[LinkedRegistration]) -> dict[tuple[int, str], tuple[str, str]]:
        """Map each place of a constant in a path, and its name, to the method and the path that it holds, if they are known."""
        described = {row.target_id: (row.verb, row.name) for row in rows if row.kind == DESCRIBED}
        values: dict[tuple[int, str], tuple[str, str]] = {}
        for row in rows:
            if row.kind == "value" and row.target_id in self._nodes:
                text = value(self._nodes[row.target_id].signature)
                if held := described.get(row.target_id) or (text is not None and ("", text)):
                    values[row.source_id, row.name] = held
        return values

    def _note(self, row: LinkedRegistration) -> None:
        """Note what a registration says of the routes of others, by its kind."""
        source = self._nodes[row.source_id]
        target = self._nodes.get(row.target_id) if row.target_id is not None else None
        if row.kind == "inner":
            for node in dict.fromkeys((row.source_id, row.target_id)):
                if node is not None:
                    self._inner[node].append(row)
        if row.kind == "alias" and target is not None:
            self._aliases[source.file_path, row.name] = row
        if row.kind == "folder":
            self._folders.append(normpath(f"{dirname(source.file_path)}/{row.name}").lstrip("/") + "/")
        if row.kind == "global" and not source.is_test:
            self._globals[row.framework].append((source.file_path, row.name))
        # What a test mounts is not where the application has it.
        if row.kind in ROUTERS and target is not None and (target.is_test or not source.is_test):
            self._mounts[target.chunk_id].append(row)
            if target.kind == "module":
                self._mounts[target.file_path].append(row)

    def all(self) -> list[Route]:
        """List all routes and other registrations, by path and line."""
        rows = [self._placed(row) for row in self._rows if row.kind not in SILENT and not self._is_said(row)]
        routes = [self._route(row, prefix) for row in rows for prefix in self._prefixes(row)]
        return sorted(routes, key=lambda route: (route.kind != "route", route.file_path, route.line, route.name))

    def _is_said(self, row: LinkedRegistration) -> bool:
        """Say whether other rows say more: the routes in a class, one by one, or its own method, or a route with a path."""
        if row.kind == PLACED:
            return row.target_id in self._routed
        inner = self._inner.get(row.target_id, ()) if row.target_id is not None else ()
        if row.kind == "route":
            return any(inner) and any(mount.kind == "prefix" for mount in self._mounts.get(row.target_id or 0, ()))
        methods = (route for route in inner if route.source_id == row.target_id)
        return row.kind == "inner" and any((route.verb, route.name) == (row.verb, row.name) for route in methods)

    def _route(self, row: LinkedRegistration, prefix: str) -> Route:
        """Return the route of a registration, whose name gets the prefix before it. Other kinds keep their name."""
        handler = self._nodes.get(row.target_id) if row.target_id is not None else None
        name = self._path(row, prefix) if row.kind in ROUTES else row.name
        source = self._nodes[row.source_id]
        return Route(
            "route" if row.kind in ROUTES else row.kind,
            row.framework,
            row.verb,
            name,
            source.file_path,
            row.line,
            row.target_name,
            handler,
            source.is_test,
        )

    def _path(self, row: LinkedRegistration, prefix: str) -> str:
        """Return the path of a route behind a prefix, by the rules of its framework."""
        path, framework = joined(prefix, row.name), frameworks().get(row.framework)
        return framework.cut.sub("", path) if framework is not None and framework.cut else path

    def _prefixes(self, row: LinkedRegistration) -> Sequence[str]:
        """List the prefixes of a registered route, at most MAX_PREFIXES. Without any, there is an empty one."""
        if row.kind not in ROUTES:
            return ("",)
        source = self._nodes[row.source_id]
        # What a function or class has at a place of its own is nowhere else.
        prefixes = self._own(row) or ([f"/{UNKNOWN}"] if row.kind == "inner" else [*self._above(source, row.router, 0)])
        if upper := self._global(row, source):
            prefixes = [joined(upper, prefix) for prefix in prefixes]
        return list(dict.fromkeys(prefixes))[:MAX_PREFIXES] or ("",)

    def _global(self, row: LinkedRegistration, source: Symbol) -> str:
        """Return the prefix of all routes of an application, which the nearest file gives that has one."""
        prefixes = self._globals.get(row.framework, ())
        folders = source.file_path.split("/")
        likeness = [(len(commonprefix([path.split("/"), folders])), prefix) for path, prefix in prefixes]
        return max(likeness, default=(0, ""))[1]

    def _own(self, row: LinkedRegistration) -> list[str]:
        """List the prefixes of the function that is the handler of a route, or of the class around it."""
        target = self._nodes.get(row.target_id) if row.target_id is not None else None
        ids = [row.source_id]
        if target is not None and (row.kind == "inner" or target.kind in FUNCTION_KINDS):
            ids.append(target.chunk_id)
        mounts = [mount for node_id in ids for mount in self._mounts.get(node_id, ()) if mount.kind == "prefix"]
        return [prefix for mount in mounts for prefix in self._with(mount, 0)]

    def _rows_of(self, source: Symbol, router: str) -> Sequence[LinkedRegistration]:
        """List where a router is made or mounted, by its expression: in the definition `source`, or else in its file."""
        heads = {router.partition(".")[0].removesuffix("()")}
        if source.kind in VALUE_KINDS:
            # `const api = new Hono().get(…)`: the router is the value of the definition.
            heads.add(source.name)
        heads.discard("")
        # A variable of a function goes before that of the file.
        local = [row for row in self._mounts[source.chunk_id] if row.target_name in heads]
        return local or [row for row in self._mounts[source.file_path] if row.target_name in heads]

    def _mounts_around(self, source: Symbol, mounts: Sequence[LinkedRegistration]) -> Sequence[LinkedRegistration]:
        """List the mounts of the file or function around, which name no variable, without those in `mounts`."""
        around = dict.fromkeys((*self._mounts[source.file_path], *self._mounts[source.chunk_id]))
        return [row for row in around if row.kind in MOUNTS and not row.target_name and row not in mounts]

    def _above(self, source: Symbol, router: str, depth: int) -> Iterator[str]:
        """Yield the prefixes under which the routes of a router stand, through all mounts. Without any, it yields an empty one.

        `router` is its expression, which the definition or file `source` names. `depth` counts the mounts so far, up to
        MAX_MOUNTS.
        """
        if depth > MAX_MOUNTS:
            return
        rows = self._rows_of(source, router)
        alias = self._aliases.get((source.file_path, router.partition(".")[0].removesuffix("()"))) if not rows else None
        if alias is not None and alias.target_id is not None:
            yield from self._above(self._nodes[alias.target_id], alias.target_name or router, depth + 1)
            return
        own = [row for row in rows if row.kind == "router"]
        mounts = self._mounts_of(source, rows)
        replaced = [prefix for row in mounts if row.kind == "remount" for prefix in self._with(row, depth)]
        yield from replaced[:MAX_PREFIXES]
        uppers = [prefix for row in mounts if row.kind == "mount" for prefix in self._with(row, depth)]
        if replaced and not uppers:
            return
        uppers = uppers or [self._folder(source.file_path)]
        lowers = [prefix for row in own for prefix in self._within(row, depth)] or [""]
        yield from starmap(joined, product(uppers[:MAX_PREFIXES], lowers[:MAX_PREFIXES]))

    def _folder(self, path: str) -> str:
        """Return the prefix that a file has by its place in a folder whose files are loaded as routes, or no text."""
        roots = [root for root in self._folders if path.startswith(root)]
        return dirname(f"/{path.removeprefix(max(roots, key=len))}").rstrip("/") if roots else ""

    def _mounts_of(self, source: Symbol, rows: Sequence[LinkedRegistration]) -> list[LinkedRegistration]:
        """List the mounts among the rows of a router, and those of its file or function if it is mounted in no other way."""
        mounts = [row for row in rows if row.kind in MOUNTS]
        is_inner = any(self._nodes[row.source_id].file_path == source.file_path for row in mounts)
        is_on_another = any(row.kind == "router" and row.router for row in rows)
        return mounts if is_inner or is_on_another else [*mounts, *self._mounts_around(source, mounts)]

    def _within(self, row: LinkedRegistration, depth: int) -> list[str]:
        """Return the own prefix of a router, behind those of the router that it is made of, if any."""
        return self._with(row, depth) if row.router else [row.name]

    def _with(self, row: LinkedRegistration, depth: int) -> list[str]:
        """Return the path of a mount behind each prefix of the router that it is mounted on. `depth` is that of `_above`."""
        above = self._above(self._nodes[row.source_id], row.router, depth + 1)
        return [joined(prefix, row.name) for prefix in above] or [row.name]


class _Labels:
    """The names of frameworks. If a file does not import the framework that it uses, other files tell which one it is."""

    def __init__(self, rows: Sequence[LinkedRegistration]) -> None:
        self._counts = Counter(row.framework for row in rows if not row.framework.endswith(UNSURE))
        self._names: dict[str, str] = {}

    def of(self, label: str) -> str:
        """Return the name of a framework for the label of a registration, which may be `actix?`."""
        if not label.endswith(UNSURE):
            return label
        if label not in self._names:
            labels = label.strip(UNSURE).split(UNSURE)
            alike = [name for name, framework in frameworks().items() if {name, *framework.inherits} & {*labels}]
            candidates = [name for name in (*labels, *alike) if self._counts[name]]
            self._names[label] = max(
                candidates, key=lambda name: (name in labels, self._counts[name]), default=labels[0]
            )
        return self._names[label]


def value(signature: str) -> str | None:
    """Return the text that a constant has, by its signature, or None if it has no simple one.

    Example:
        >>> value("PREFIX: str = '/api'")
        '/api'
    """
    match = _VALUE.search(signature)
    return match["text"] if match else None


def _filled(row: LinkedRegistration, values: Mapping[tuple[int, str], tuple[str, str]]) -> LinkedRegistration:
    """Return a registration with the values of the constants in its name, and with the method of one if it has none."""
    if "{?" not in row.name or row.kind == "value":
        return row
    verb = row.verb

    def filled(match: re.Match[str]) -> str:
        nonlocal verb
        method, text = values.get((row.source_id, match["name"]), ("", UNKNOWN))
        verb = verb or method
        is_empty = not text and match.string.startswith("/", match.end())
        return text if is_empty or text.startswith("/") else match["slash"] + text

    name = CONSTANT.sub(filled, row.name)
    return row._replace(name=name, verb=verb)


def joined(prefix: str, name: str) -> str:
    """Join two parts of a URL with a single slash: `/api/` and `/carts` give `/api/carts`.

    Example:
        >>> joined("/api", "/")
        '/api/'
    """
    if not prefix or prefix == "/":
        return name
    return f"{prefix.rstrip('/')}/{name.removeprefix('^').lstrip('/')}" if name else prefix
