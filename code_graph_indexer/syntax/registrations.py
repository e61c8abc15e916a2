"""Read where a file registers code with a framework, such as a route and its handler, by the queries of the framework files."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import Framework, frameworks_of, load_framework_query
from code_graph_indexer.languages.conventions import name_by_convention
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import Captured
from code_graph_indexer.syntax.limits import Captures, query_matches
from code_graph_indexer.syntax.records import Registration, Syntax

PREFIX = "registers."
"""The start of the name of a main capture, which goes on with the kind of the registration."""

TEXT = "'"
"""The mark at the start of a handler that a text names."""

SYMBOL = "simple_symbol"
"""The type of a node that names a function by a symbol, as in `before_action :load`."""

MAX_NAME = 200
"""Most characters of the name of a route."""

_METHOD = re.compile(r"get|post|put|patch|delete|head|options|trace|connect|websocket", re.IGNORECASE)
_QUOTED = re.compile(
    r"""^(?:[rbfuRBFU]{0,2}|[@$]{0,2}|:)(?P<quote>["'`]{3}|["'`])(?P<text>.*)(?P=quote)#*$""", re.DOTALL
)
_WORD = re.compile(r"[^\W\d]\w*")

TOLD = frozenset({"verb", "name", "handler"})
"""Parts of a registration. Of several at the same place, only those with the most parts count."""

GROUPS = frozenset({"group", "nested"})
"""Kinds of captures that add a prefix to what is registered inside of them, and register nothing."""

PLACES = {"collection": "", "element": "/:id"}
"""Kinds of routes of a resource, beside those that it has anyway: of all its elements, or of one, which the path names."""

NAMED = frozenset({"route", "mount", "router", "group", "nested", "resources", *PLACES})
"""Kinds whose names are parts of a URL."""


class _Group(NamedTuple):
    """A part of a file whose routes get a prefix."""

    start: int
    end: int
    prefix: str


class _Reading:
    """The registrations of one file while they are collected. Those of the same place and name are merged into one."""

    def __init__(self, path: str, file: Captured, syntax: Syntax) -> None:
        self._path = path
        self._file = file
        self._definitions = {definition.name_start: place for place, definition in enumerate(syntax.definitions)}
        self._starts = [definition.start for definition in syntax.definitions]
        self._syntax = syntax
        self.groups: list[_Group] = []
        self.rows: dict[tuple[str, int, int, str, str], Registration] = {}
        self._places: dict[tuple[str, int, int, str, str], tuple[int, int]] = {}
        self._handlers_of: dict[tuple[str, int, int, str, str], dict[int, str]] = {}
        self._resources: dict[int, tuple[Framework, tree_sitter.Node, str, Captures]] = {}

    def add(self, framework: Framework, captures: Captures) -> None:
        """Add what a match of a framework's query registers."""
        main = next((name for name in captures if name.startswith(PREFIX)), "")
        kind = main.removeprefix(PREFIX)
        if not kind:
            return
        node = captures[main][0]
        name = self._name(framework, captures, url=kind in NAMED)
        inside = captures.get("inside", [_chain(node) if "chain" in captures else node] if kind in GROUPS else [])
        if kind in GROUPS:
            # What is nested in a resource belongs to one of its elements.
            prefix = f"{name}/:{_singular(name)}_id" if kind == "nested" else name
            self.groups += [_Group(part.start_byte, part.end_byte, prefix) for part in inside]
            return
        if kind == "emit" and name in framework.common and not self._is_own(captures):
            return
        if kind == "resources":
            # A pattern with the actions of a resource matches after the pattern without them.
            self._resources.setdefault(node.start_byte, (framework, node, name, {}))[3].update(captures)
            return
        definition, handlers = self._handlers(framework, captures)
        if "handler" in captures and not any(handlers.values()) and kind not in ("route", "mount", "command"):
            return
        self._put(framework, kind, node, self._verb(captures, url=kind in NAMED), name, captures, handlers, definition)

    def _is_own(self, captures: Captures) -> bool:
        """Say whether what sends an event, which is `@router`, is the object itself, such as `this`."""
        routers = captures.get("router", ())
        return any(self._file.text(router) in self._file.language.self_names for router in routers)

    def _put(
        self,
        framework: Framework,
        kind: str,
        node: tree_sitter.Node,
        verb: str,
        name: str,
        captures: Captures,
        handlers: Mapping[int, str],
        definition: int,
    ) -> None:
        """Record a registration at the name in a node, or else at the node.

        One of the same kind, place, verb and name gets these handlers too, and the framework that the file names.
        """
        label = framework.name.partition("_")[0]
        # The calls of a chain begin at the same byte, but each has its own name.
        names = [
            part.start_byte for part in captures.get("name", ()) if node.start_byte <= part.start_byte < node.end_byte
        ]
        start = names[0] if names else node.start_byte
        key = (kind, start, 0 if names else node.end_byte, verb, name)
        self._places[key] = node.start_byte, node.end_byte
        self._handlers_of.setdefault(key, {}).update(handlers)
        row = self.rows.get(key)
        if row is not None:
            # Two frameworks write the same: the file says which of them it uses.
            framework_name = row.framework if self._names(row.framework) or not self._names(label) else label
            self.rows[key] = row._replace(framework=framework_name, definition=max(row.definition, definition))
            return
        router = self._file.bare_path(*captures["router"]) if "router" in captures else ""
        self.rows[key] = Registration(
            *(label, kind, verb, as_name(name), as_name(router), (), framework.members, definition, start, -1)
        )

    def _names(self, framework: str) -> bool:
        """Say whether the text of the file has the name of a framework."""
        return framework.encode() in self._file.source

    def _verb(self, captures: Captures, *, url: bool) -> str:
        """Return the HTTP verbs that a match names, as in `GET,POST`, or an empty text if its name is no `url`."""
        if not url:
            return ""
        text = " ".join(self._file.text(node) for node in captures.get("verb", ()))
        return ",".join(dict.fromkeys(verb.upper() for verb in _METHOD.findall(text)))

    def _name(self, framework: Framework, captures: Captures, *, url: bool) -> str:
        """Return the name that a match registers, or that the path of the file tells, by the rules of the framework.

        If it is a `url`, it begins with a slash, and the name of a value stands in braces.
        """
        if "name" in captures:
            text = self._file.text(captures["name"][0])
            name = unquoted(text)
            if url and name == text and "." in text.strip("./") and "/" not in text:
                # `settings.prefix` is no text, but names a value.
                name = f"{{{text}}}"
        else:
            match = framework.path.search(self._path) if framework.path else None
            name = next((group for group in match.groups() if group), "") if match else ""
        if framework.cut:
            name = framework.cut.sub("", name)
        if framework.owner and framework.owner[0] in name:
            token, ending = framework.owner
            place = self._scope(captures[next(iter(captures))][0].start_byte)
            owner = self._syntax.definitions[place].name if place >= 0 else ""
            name = name.replace(token, owner.removesuffix(ending))
        name = " ".join(name.split())[:MAX_NAME]
        # Frameworks do not agree on whether a path begins with a slash. A pattern begins with `^`.
        return f"/{name.lstrip('/')}" if url and name and not name.startswith(("^", "*")) else name

    def _handlers(self, framework: Framework, captures: Captures) -> tuple[int, dict[int, str]]:
        """Return the position of the definition that is registered, or -1, and the handlers by their first byte.

        A function without a name has an empty handler. If the match has `@member`, each handler is that member of what
        it names.
        """
        definition, handlers = -1, {}
        for node in captures.get("handler", ()):
            place = self._definitions.get(node.start_byte, -1)
            if place >= 0:
                definition = place
            handlers[node.start_byte] = self._handler(framework, node, place)
        if "member" in captures:
            member = unquoted(self._file.text(captures["member"][0]))
            is_named = framework.text is not None and re.fullmatch(framework.text[1], f"x#{member}")
            for start, handler in handlers.items():
                # `get :feed` below `resources :articles` is written `articles#feed` elsewhere.
                is_text = is_named and handler.startswith(TEXT)
                handlers[start] = (
                    TEXT + _named(framework, f"{handler[1:]}#{member}") if is_text else f"{handler}.{member}"
                )
        return definition, handlers

    def _handler(self, framework: Framework, node: tree_sitter.Node, place: int) -> str:
        """Return the name of the definition at `place`, or else the path of a node, or what it means as a text or symbol.

        The mark TEXT begins a name that a text or symbol tells.
        """
        if place >= 0:
            return self._syntax.definitions[place].path_name
        text = self._file.text(node)
        quoted = _QUOTED.match(text)
        if node.type == SYMBOL:
            return TEXT + text.lstrip(":")
        if quoted:
            return TEXT + _named(framework, quoted["text"])
        path = self._file.bare_path(node)
        return framework.factories.sub("", path) if framework.factories else path

    def _actions(self, framework: Framework, captures: Captures) -> Iterator[Sequence[str]]:
        """Yield the verb, the end of the path and the name of each action of a resource that the code does not leave out."""
        only, but = (
            set(_WORD.findall(" ".join(self._file.text(node) for node in captures.get(name, ()))))
            for name in ("only", "except")
        )
        for resource in framework.resources:
            if (not only or resource[-1] in only) and resource[-1] not in but:
                yield resource

    def _resource_handlers(self, framework: Framework, captures: Captures, name: str) -> Iterator[str]:
        """Yield the handlers of a resource, or else the one that the framework finds by the name of the resource."""
        yield from filter(None, self._handlers(framework, captures)[1].values())
        if "handler" not in captures and framework.text:
            yield TEXT + _named(framework, f"{name.strip('/').rpartition('/')[2]}#").rstrip(".")

    def registrations(self) -> Iterator[Registration]:
        """Yield the registrations in the order of the text, with the prefixes around them."""
        for framework, node, name, captures in self._resources.values():
            self._add_resource(framework, node, name, captures)
        rows = {key: row._replace(handlers=_in_order(self._handlers_of[key])) for key, row in self.rows.items()}
        # A pattern with fewer captures matches the same place once more, and says less.
        telling = {(row.kind, self._places[key], what) for key, row in rows.items() for what in self._told(row)}
        placed = {row.start for row in rows.values() if row.kind in PLACES}
        for key, row in sorted(rows.items(), key=lambda entry: entry[1].start):
            if any((row.kind, self._places[key], what) in telling for what in TOLD - self._told(row)):
                continue
            if row.kind == "entry" and row.start in placed:
                continue
            groups = sorted(group for group in set(self.groups) if group.start <= row.start < group.end)
            prefix = "".join(group.prefix.rstrip("/") for group in groups) if row.kind in NAMED else ""
            if row.kind in PLACES:
                prefix = prefix.rpartition("/:")[0] + PLACES[row.kind]
                row = row._replace(kind="route")
            yield row._replace(
                name=f"{prefix}{row.name}" if row.name != "/" or not prefix else prefix,
                scope=self._scope(row.start, row.definition),
            )

    def _add_resource(self, framework: Framework, node: tree_sitter.Node, name: str, captures: Captures) -> None:
        """Add the routes of a resource, which are those that the framework makes, or those that the code lists."""
        owners = tuple(self._resource_handlers(framework, captures, name))
        for verb, suffix, action in self._actions(framework, captures):
            path = f"{name}/{suffix}".replace("//", "/").rstrip("/") or "/"
            handlers = {place: f"{owner}.{action}" for place, owner in enumerate(owners)}
            self._put(framework, "route", node, verb, path, captures, handlers, -1)

    def _told(self, row: Registration) -> frozenset[str]:
        """Return which of verb, name and handler a registration has. A name that is only that of the handler is none."""
        is_named = bool(row.name) and (row.name,) != tuple(handler.rpartition(".")[2] for handler in row.handlers)
        return frozenset(
            part for part, has in (("verb", row.verb), ("name", is_named), ("handler", any(row.handlers))) if has
        )

    def _scope(self, start: int, registered: int = -1) -> int:
        """Return the position of the innermost definition around a byte, or -1. The registered definition does not count."""
        place = bisect_right(self._starts, start) - 1
        # A decorator is outside of what it decorates.
        while place >= 0:
            definition = self._syntax.definitions[place]
            if definition.inner <= start < definition.end and place != registered:
                return place
            place = definition.parent
        return -1


def read_registrations(path: str, file: Captured, tree: tree_sitter.Tree, syntax: Syntax) -> tuple[Registration, ...]:
    """Read the registrations of a file. Only the frameworks whose mark the file has are looked for."""
    reading: _Reading | None = None
    for framework, mark in frameworks_of(file.language.name):
        if (framework.path and not framework.path.search(path)) or (mark and not mark.is_in(file.source)):
            continue
        reading = reading or _Reading(path, file, syntax)
        for _, captures in query_matches(load_framework_query(framework.name, file.language.name), tree):
            reading.add(framework, captures)
    return tuple(reading.registrations()) if reading is not None else ()


def _in_order(handlers: Mapping[int, str]) -> tuple[str, ...]:
    """Return the different handlers in the order of the text. One without a name stays only if it is the last of several."""
    texts = [handlers[start] for start in sorted(handlers)]
    return tuple(dict.fromkeys(text for place, text in enumerate(texts) if text or place + 1 == len(texts) > 1))


def _chain(node: tree_sitter.Node) -> tree_sitter.Node:
    """Return the longest chain of calls that begins with a call: `scope("/x").route(…).route(…)`."""
    while node.parent is not None and node.parent.start_byte == node.start_byte and "statement" not in node.parent.type:
        node = node.parent
    return node


def unquoted(text: str) -> str:
    """Return the text of a string literal, or the text itself if it is none."""
    match = _QUOTED.match(text.strip())
    return match["text"] if match else text.strip().lstrip(":")


def _named(framework: Framework, text: str) -> str:
    """Return the dotted name of the definition that a text names, by the framework's convention, or else the text itself."""
    return (name_by_convention(framework.text, text) if framework.text else "") or text


def _singular(name: str) -> str:
    """Return the last part of a path in the singular: `/shop/entries` → `entry`."""
    word = name.strip("/").rpartition("/")[2]
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
