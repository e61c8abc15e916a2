"""Read where a file registers code with a framework, such as a route and its handler, by the queries of the framework files."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import Framework, framework_queries, frameworks_of
from code_graph_indexer.languages.conventions import name_by_convention, route_names, singular
from code_graph_indexer.languages.literals import distinct_words
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import Captured
from code_graph_indexer.syntax.constant_texts import PathTexts, quoted_text
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.limits import Captures, query_matches
from code_graph_indexer.syntax.records import Registration, Syntax

PREFIX = "registers."
"""The start of the name of a main capture, which goes on with the kind of the registration."""

TEXT = "'"
"""The mark at the start of a handler that a text names."""

WRAPS = "<"
"""The mark between a call that makes a handler and the function that it gets: `logged()<show` for `logged(show)`."""

SYMBOL = "simple_symbol"
"""The type of a node that names a function by a symbol, as in `before_action :load`."""

FEW_FRAMEWORKS = 12
"""The most frameworks of a language whose marks are found sooner in the text of a file than in its distinct words."""

MAX_NAME = 200
"""Most characters of the name of a route."""

MAX_VIEWS = 20
"""Most templates that get one value."""

KINDS = {
    "route": "The framework calls `@handler` for the path `@name` and the method `@verb`.",
    "inner": "A route of the class around, whose prefix a capture of the kind `prefix` gives.",
    "placed": "A route at the place of the file: where `mount` puts the file, or else at the name that its path gives.",
    "absolute": "A route that gets no prefix from what is around it.",
    "collection": "A route of all elements of the resource around.",
    "element": "A route of one element of the resource around.",
    "step": "A part of a route that a chain of calls gives in parts. A step without any of them ends the route.",
    "resources": "The routes of the key `resources`, of which `@only` and `@except` choose.",
    "command": "A command that runs `@handler`.",
    "task": "A task that runs `@handler`.",
    "listener": "The framework calls `@handler` for the event `@name`.",
    "emit": "The definition around calls the listeners of `@name`.",
    "fixture": "The framework passes what `@handler` makes.",
    "entry": "The framework calls `@handler` for another reason.",
    "dependency": "The definition around calls `@handler`, which the framework passes to it, or its `provider`.",
    "need": "The definition around gets the `provider` of `@handler`, if there is one.",
    "provider": "The definition around gives `@handler` to all that needs `@name`.",
    "proxy": "The class `@handler` has the members of what a `provider` gives for `@name`.",
    "middleware": "The definition around calls `@handler`, and has no row in `cgi routes`.",
    "use": "The definition around gets the fixture `@handler`.",
    "start": "The definition around starts the task `@handler`.",
    "program": "The definition around starts the program `@name` of the repository.",
    "mount": "The router, function or file `@handler` is at the prefix `@name` of `@router`.",
    "remount": "The same, but the prefix replaces that of the router itself.",
    "router": "The variable `@handler` holds a router with the prefix `@name`.",
    "described": "The constant `@handler` describes a route, which another place gives its handler.",
    "prefix": "The routes that a function or class `@handler` has itself are at the prefix `@name`.",
    "folder": "The routes of a file below the folder `@name`, beside this file, are at the prefix of its own folder there.",
    "global": "All routes of the application are at the prefix `@name`.",
    "group": "All that is `@inside`, or in the rest of the chain of calls (`@chain`), is at the prefix `@name`.",
    "nested": "All that is `@inside` belongs to one element of the resource `@name`.",
    "naming": "The names of all routes that are `@inside` begin with `@name`.",
    "helper": "Templates call `@handler` by the name `@name`.",
    "named": "`@handler`, or its route, has the name `@name`.",
    "serves": "`@handler` answers what a schema declares as `@name`, such as a call of gRPC. Of a class, its members do.",
    "declares": "The definition around is what code of the kind `serves` answers, or the nearest function `@name`.",
    "apply": "The definition around runs the helper `@name`.",
    "link": "The definition around uses the name `@name`.",
    "view": "The definition around shows the template `@name`.",
    "shows": "The function `@name` shows the template of its name, if there is one in a folder with a word of its file.",
    "wire": "The definition around calls the route of the path `@name` and the method `@verb`.",
    "context": "The template `@name` gets `@handler` as its variable `@variable`, maybe in the dictionary `@passed`.",
    "owner": "Handlers `@inside` that are texts are members of `@handler`.",
}
"""What a capture `@registers.KIND` means."""

PARTS = {
    "name": "The path, event or name: a text, a sum, a constant of any file. What cannot be read is `{?}`. `/` joins several. "
    '`(#set! path "/x")` goes before it, or around it: `"/v{name}"`.',
    "parameter": "A part of the path that stands for any text: `id` reads `:id`.",
    "verb": "The node that names the method, such as `get`, or all of them, such as `[GET, POST]`. "
    '`(#set! verb "GET")` says what the code does not.',
    "handler": "A definition, an expression or a text. Of several, the last one answers, and those before it run too.",
    "member": "The method of the handler that is called.",
    "named": "The handler, as a name that is looked up everywhere.",
    "list": "A list of handlers.",
    "router": "The variable that gets the route. If `router` or `mount` gives it a prefix, the path begins so.",
    "inside": "The node with all that a `group`, `nested`, `naming` or `owner` holds.",
    "chain": "Marks a `group` that holds the rest of its chain of calls.",
    "only": "The actions that a resource has.",
    "except": "The actions that a resource lacks.",
    "names": "The names of the routes of a resource.",
    "one": "The parameter that tells an element of a resource.",
    "variable": "The variable that gets a value: in a template, or of a router that is a chain of the kind `step`. "
    'With `(#set! expression "${name}")`, the text of a `context` names it. `(#set! variable "dot")` names the whole value.',
    "passed": "The variable of a dictionary of values for a template.",
    "class": "The class whose methods give values to a template.",
}
"""What a capture beside that of the kind means. Names that begin with `_` are for conditions only."""

CONTEXT = "context"
"""The kind of a value that a template gets. Its verb is the name of the variable."""

SERVES = "serves"
"""The kind of what answers a declaration of a schema."""

DECLARES = "declares"
"""The kind of a declaration of a schema, which code of the kind SERVES answers."""

PROVIDER = "provider"
"""The kind of what a container gives to all that asks for a type or name."""

PROXY = "proxy"
"""The kind of a class that stands for what a container gives."""

FIXTURE = "fixture"
"""The kind of a function that makes what tests and other fixtures get."""

NAMED_KINDS = frozenset({"helper", "named", SERVES, PROVIDER, FIXTURE})
"""Kinds of what has a name beside that of its definition, by which templates and code use it."""

UNSURE = "?"
"""The end of the name of a framework that the file does not import. Other files tell which framework it is."""

_METHOD = re.compile(r"get|post|put|patch|delete|del\b|head|options|trace|connect|websocket", re.IGNORECASE)
_VERB_AND_PATH = re.compile(r"/?(?P<verb>[A-Z]+)\s+(?P<path>[/{].*)")
_DOTTED = re.compile(r"(?!true$|false$|null$|nil$|None$)[^\W\d]\w*(?:(?:\.|::)\w+)*", re.IGNORECASE)
_PAIR = re.compile(r"""(\w+)["']?\s*(?:=>|:)\s*["']([^"'\n]+)["']""")
_WORD = re.compile(r"[^\W\d]\w*")

TOLD = frozenset({"verb", "name", "handler"})
"""Parts of a registration. Of several at the same place, only those with the most parts count."""

NAMING = "naming"
"""The kind of a part of a file in which the names of routes begin alike."""

GROUPS = frozenset({"group", "nested", NAMING, "owner"})
"""Kinds of captures that add to what is registered inside of them, and register nothing."""

ELEMENT = "element"
"""The kind of a route of one element of a resource, which the path names."""

STEP = "step"
"""The kind of one call of a chain that gives the parts of a route."""

PLACES = frozenset({"collection", ELEMENT})
"""Kinds of routes of a resource, beside those that it has anyway."""

ABSOLUTE = "absolute"
"""The kind of a route that gets no prefix from what is around it."""

PLACED = "placed"
"""The kind of a route whose path is that of its file."""

ROUTES = frozenset({"route", "inner", ABSOLUTE, PLACED})
"""Kinds of captures of a route."""

WIRE = "wire"
"""The kind of a call of a route by its path, as over a network."""

DESCRIBED = "described"
"""The kind of a constant that has the path and method of a route."""

ROUTERS = frozenset({"mount", "remount", "router", "prefix", DESCRIBED})
"""Kinds that say where the routes of a router, function, class or constant are."""

NAMED = frozenset({*ROUTES, *ROUTERS, *PLACES, WIRE, "global", "group", "nested", "resources"})
"""Kinds whose names are parts of a URL."""

INSIDE = frozenset({*ROUTES, "mount", "remount", "command"})
"""Kinds whose handler may be a function without a name."""


class _Group(NamedTuple):
    """A part of a file whose routes get one of several prefixes, or whose handlers belong to an owner.

    The kind NAMING gives prefixes to the names of routes, all others to their paths.
    """

    kind: str
    start: int
    end: int
    prefixes: tuple[str, ...]
    owner: str
    is_unnamed: bool
    """Whether the names of routes inside are those without the prefix, as in a `scope` of Rails."""


class _Step(NamedTuple):
    """One call of a chain that gives the parts of a route: what its pattern sets, and its captures."""

    end: int
    framework: Framework
    label: str
    order: int
    settings: Mapping[str, str | None]
    captures: Captures


class _Reading:
    """The registrations of one file while they are collected. Those of the same place and name are merged into one."""

    def __init__(self, path: str, file: Captured, syntax: Syntax) -> None:
        self._path = path
        self._file = file
        self._paths = PathTexts(file)
        self._definitions = {definition.name_start: place for place, definition in enumerate(syntax.definitions)}
        self._scopes = Innermost([(definition.inner, definition.end) for definition in syntax.definitions])
        self._syntax = syntax
        self.groups: dict[_Group, int] = {}
        self._labels: defaultdict[_Group, set[str]] = defaultdict(set)
        self.rows: dict[tuple[str, int, int, str, str], Registration] = {}
        self._places: dict[tuple[str, int, int, str, str], tuple[int, int]] = {}
        self._handlers_of: dict[tuple[str, int, int, str, str], dict[int, str]] = {}
        self._resources: dict[int, tuple[Framework, str, tree_sitter.Node, str, Captures]] = {}
        self._views: defaultdict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
        self._held: list[tuple[Framework, str, Captures]] = []
        self._steps: defaultdict[tuple[str, int], list[_Step]] = defaultdict(list)

    def add(
        self, framework: Framework, label: str, order: int, settings: Mapping[str, str | None], captures: Captures
    ) -> None:
        """Add what a match of the pattern number `order` of a framework registers. `label` is the framework's name.

        `settings` are what the pattern sets: the method `verb`, and the `path` before the name.
        """
        main = next((name for name in captures if name.startswith(PREFIX)), "")
        kind = main.removeprefix(PREFIX)
        if not kind:
            return
        node = captures[main][0]
        if kind == STEP:
            step = _Step(node.end_byte, framework, label, order, settings, captures)
            self._steps[framework.name, node.start_byte].append(step)
            return
        names = self._names(framework, settings.get("path") or "", captures, url=kind in NAMED)
        if kind in GROUPS:
            self._add_group(framework, label, kind, order, node, names, captures, is_unnamed="unnamed" in settings)
            return
        if kind == "emit" and names[0] in framework.common and not self._is_own(captures):
            return
        if kind == "resources":
            # A pattern with the actions of a resource matches after the pattern without them.
            self._resources.setdefault(node.start_byte, (framework, label, node, names[0], {}))[-1].update(captures)
            return
        if kind == CONTEXT:
            self._add_context(framework, label, names[0], captures, settings)
            return
        verb = settings.get("verb") or self._verb(framework, captures, url=kind in NAMED)
        if "list" in captures:
            part = captures["list"][0]
            for place, handler in enumerate(self._listed(part)):
                self._put(framework, label, kind, node, verb, names[0], {}, {part.start_byte: handler}, -1, place)
            return
        definition, handlers = self._handlers(framework, captures, wraps=kind in ROUTES)
        if (
            "handler" in captures
            and not any(handlers.values())
            and kind not in ("route", ABSOLUTE, "mount", "remount", "command")
        ):
            return
        for name in names:
            verb_and_path = _verb_and_path(verb, name) if kind in ROUTES else (verb, name)
            self._put(framework, label, kind, node, *verb_and_path, captures, handlers, definition)

    def _add_group(
        self,
        framework: Framework,
        label: str,
        kind: str,
        order: int,
        node: tree_sitter.Node,
        names: Sequence[str],
        captures: Captures,
        *,
        is_unnamed: bool,
    ) -> None:
        """Record the prefixes or the owner of what is inside of a group."""
        inside = captures.get("inside", [_chain(node) if "chain" in captures else node])
        owner = ""
        if kind == "nested":
            # What is nested in a resource belongs to one of its elements.
            names = [f"{name}/:{singular(name)}_{self._one(captures)}" for name in names]
        elif kind == "owner":
            owner = next(iter(self._handlers(framework, captures)[1].values()), "")
            if owner.startswith(TEXT):
                owner = TEXT + name_by_convention(("{Name}", r"(?P<Name>.*)"), owner[1:])
        for part in inside:
            group = _Group(kind, part.start_byte, part.end_byte, tuple(names), owner, is_unnamed)
            self._labels[group].add(label)
            self.groups.setdefault(group, order)

    def _add_context(
        self, framework: Framework, label: str, view: str, captures: Captures, settings: Mapping[str, str | None]
    ) -> None:
        """Add a value that a template gets. Without `@variable`, the name of the value is that of the variable.

        A match may have the value and `@passed`, the variable of a dictionary with it, or the template alone. If the value is
        a text that names a variable, the setting `expression` says how code writes that, with the text at the place `{name}`.
        The setting `variable` names a value that has no name in the code.
        """
        if "handler" not in captures:
            self._views[self._holder_of(captures)].append((captures["name"][0].start_byte, view))
        elif "passed" in captures:
            self._held.append((framework, label, captures))
        else:
            self._put_context(framework, label, view, captures, settings)

    def _add_chains(self) -> None:
        """Add the routes of the chains of calls. Those without a handler are the paths of variables, so they go first."""
        chains = [_joined(steps) for steps in self._steps.values()]
        for chain in sorted(chains, key=lambda chain: "handler" in chain.captures):
            captures = chain.captures
            known = self._routers() if "router" in captures else ()
            routers = [node for node in captures.pop("router", ()) if self._file.bare_path(node) in known]
            if routers:
                captures["router"] = routers[:1]
            if not (chain.settings.get("path") or captures.keys() & {"name", "parameter", "router"}):
                continue
            if "handler" not in captures and "variable" in captures:
                captures |= {f"{PREFIX}router": captures.pop(f"{PREFIX}route"), "handler": captures["variable"]}
            if "handler" in captures:
                self.add(chain.framework, chain.label, chain.order, chain.settings, captures)

    def _routers(self) -> set[str]:
        """Return the variables of the file that hold a router."""
        return {next(iter(self._handlers_of[key].values()), "") for key in self.rows if key[0] == "router"}

    def _holder_of(self, captures: Captures) -> tuple[int, str]:
        """Return what holds the values for a template: a class, or a function and the name of its variable."""
        if "class" in captures:
            return self._definitions.get(captures["class"][0].start_byte, -1), ""
        passed = captures["passed"][0]
        return self._scope(passed.start_byte), self._file.text(passed)

    def _add_held(self, framework: Framework, label: str, captures: Captures) -> None:
        """Add a value in a dictionary, for the templates that get the dictionary below, and for that of the class around."""
        scope, name = self._holder_of(captures)
        views = self._views.get((scope, name), ())
        below = bisect_right(views, (captures["passed"][0].start_byte, ""))
        of_class = self._views.get((self._syntax.definitions[scope].parent, ""), ()) if scope >= 0 else ()
        for _, view in (*views[below : below + MAX_VIEWS], *of_class[:MAX_VIEWS]):
            self._put_context(framework, label, view, captures)

    def _put_context(
        self,
        framework: Framework,
        label: str,
        view: str,
        captures: Captures,
        settings: Mapping[str, str | None] = MappingProxyType({}),
    ) -> None:
        """Record the values that a template gets. `settings` are those of `_add_context`."""
        for node in captures["handler"]:
            handler = self._handler(framework, node, -1)
            if expression := settings.get("expression"):
                handler = _behind(expression, unquoted(self._file.text(node)))
            variable = settings.get("variable") or unquoted(self._file.text(captures.get("variable", [node])[0]))
            key = (CONTEXT, node.start_byte, node.end_byte, variable, view)
            self.rows[key] = Registration(
                *(label, CONTEXT, as_name(variable), as_name(view), "", (), (), -1, node.start_byte, -1)
            )
            self._places[key], self._handlers_of[key] = (node.start_byte, node.end_byte), {node.start_byte: handler}

    def _listed(self, node: tree_sitter.Node) -> list[str]:
        """List the expression paths of a list, which may be the arguments of a macro: `[show, carts::list]`."""
        parts = self._file.text(node).strip("[](){} \n").split(",")
        return [part.strip().replace("::", ".") for part in parts if part.strip()]

    def _is_own(self, captures: Captures) -> bool:
        """Say whether what sends an event, which is `@router`, is the object itself, such as `this`."""
        routers = captures.get("router", ())
        return any(self._file.text(router) in self._file.language.self_names for router in routers)

    def _put(
        self,
        framework: Framework,
        label: str,
        kind: str,
        node: tree_sitter.Node,
        verb: str,
        name: str,
        captures: Captures,
        handlers: Mapping[int, str],
        definition: int,
        place: int = 0,
    ) -> None:
        """Record a registration at the name in a node, or else at the node, as number `place` of a list.

        One of the same kind, place, verb and name gets these handlers too, and the surer name of the framework.
        """
        # The calls of a chain begin at the same byte, but each has its own name.
        names = [
            part.start_byte for part in captures.get("name", ()) if node.start_byte <= part.start_byte < node.end_byte
        ]
        start = names[0] if names else node.start_byte
        key = (kind, start, 0 if names else node.end_byte + place, verb, name)
        self._places[key] = node.start_byte, node.end_byte
        self._handlers_of.setdefault(key, {}).update(handlers)
        row = self.rows.get(key)
        if row is not None:
            # Two frameworks write the same: the file says which of them it uses.
            self.rows[key] = row._replace(
                framework=_surer(row.framework, label), definition=max(row.definition, definition)
            )
            return
        router = self._file.bare_path(*captures["router"]) if "router" in captures else ""
        self.rows[key] = Registration(
            *(label, kind, verb, as_name(name), as_name(router), (), framework.members, definition, start, -1)
        )

    def _verb(self, framework: Framework, captures: Captures, *, url: bool) -> str:
        """Return the HTTP verbs that a match names, as in `GET,POST`, if its name is a `url`, or that of the file's path."""
        text = " ".join(self._file.text(node) for node in captures.get("verb", ())) if url else ""
        verbs = (verb.upper() for verb in _METHOD.findall(text))
        verb = ",".join(dict.fromkeys("DELETE" if verb == "DEL" else verb for verb in verbs))
        match = framework.path.search(self._path) if framework.path and not verb else None
        return (match.groupdict().get("verb") or "").upper() if match else verb

    def _names(self, framework: Framework, before: str, captures: Captures, *, url: bool) -> list[str]:
        """List the names that a match registers, or that the path of the file tells. `before` is put before each."""
        match = framework.path.search(self._path) if framework.path else None
        of_path = next((group for group in match.groups() if group), "") if match else ""
        before = before.replace("{path}", of_path)
        nodes = sorted(captures.get("name", []) + captures.get("parameter", []), key=lambda node: node.start_byte)
        if url and nodes and nodes[0].start_byte not in self._definitions:
            parameters = captures.get("parameter", ())
            texts = (
                [f":{unquoted(self._file.text(node))}"] if node in parameters else self._paths.of(node)
                for node in nodes
            )
            names = ["/".join(parts) for parts in product(*texts)]
        elif nodes:
            names = ["/".join(unquoted(self._file.text(node)) for node in nodes)]
        else:
            names = [of_path]
        names = [_behind(before, name) for name in names]
        return [self._name(framework, name, captures, url=url) for name in dict.fromkeys(names)]

    def _name(self, framework: Framework, name: str, captures: Captures, *, url: bool) -> str:
        """Return a name by the rules of the framework. If it is a `url`, it begins with a slash."""
        for text, pattern in framework.replace:
            name = re.sub(pattern, text, name)
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

    def _wrapped(self, node: tree_sitter.Node) -> str:
        """Return the name of the function that a call may wrap: its only argument that is a name, or such a call."""
        arguments = node.child_by_field_name("arguments") if "call" in node.type else None
        names = [
            self._file.bare_path(part) if _DOTTED.fullmatch(self._file.text(part)) else self._wrapped(part)
            for part in (arguments.named_children if arguments is not None else ())
        ]
        names = [name for name in names if name]
        return names[0] if len(names) == 1 else ""

    def _handlers(self, framework: Framework, captures: Captures, *, wraps: bool = False) -> tuple[int, dict[int, str]]:
        """Return the position of the definition that is registered, or -1, and the handlers by their first byte.

        If it `wraps`, the handler of a call has the function that the call gets behind the mark WRAPS.

        A function without a name has an empty handler. If the match has `@member`, each handler is that member of what
        it names.
        """
        definition, handlers = -1, {}
        for node in captures.get("handler", ()):
            place = self._definitions.get(node.start_byte, -1)
            if place >= 0:
                definition = place
            handlers[node.start_byte] = self._handler(framework, node, place)
            if wraps and place < 0 and (wrapped := self._wrapped(node)):
                handlers[node.start_byte] += WRAPS + wrapped
        for node in captures.get("named", ()):
            handlers[node.start_byte] = TEXT + self._file.text(node).replace("::", ".")
        if "member" in captures:
            member = unquoted(self._file.text(captures["member"][0]))
            is_named = framework.text is not None and re.fullmatch(framework.text[1], f"x#{member}")
            for start, handler in handlers.items():
                # `get :feed` below `resources :articles` is written `articles#feed` elsewhere.
                is_text = is_named and handler.startswith(TEXT) and "named" not in captures
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
        if node.type == SYMBOL:
            return TEXT + text.lstrip(":")
        if (quoted := quoted_text(text)) is not None:
            return TEXT + _named(framework, quoted)
        path = self._file.bare_path(node)
        return framework.factories.sub("", path) if framework.factories else path

    def _actions(self, framework: Framework, captures: Captures) -> Iterator[Sequence[str]]:
        """Yield the verb, the end of the path and the name of each action of a resource that the code does not leave out."""
        only, but = (
            set(_WORD.findall(" ".join(self._file.text(node) for node in captures.get(name, ()))))
            for name in ("only", "except")
        )
        for resource in framework.resources:
            # `only: []` leaves none.
            if ("only" not in captures or resource[-1] in only) and resource[-1] not in but:
                yield resource

    def _one(self, captures: Captures) -> str:
        """Return the name by which paths tell one element of a resource."""
        return unquoted(self._file.text(captures["one"][0])) if "one" in captures else "id"

    def _resource_handlers(self, framework: Framework, captures: Captures, name: str) -> Iterator[str]:
        """Yield the handlers of a resource, or else the one that the framework finds by the name of the resource."""
        handlers = list(filter(None, self._handlers(framework, captures)[1].values()))
        if "handler" not in captures and framework.text:
            handlers.append(TEXT + name.strip("/"))
        for handler in handlers:
            is_text = handler.startswith(TEXT)
            yield TEXT + _named(framework, f"{handler.removeprefix(TEXT)}#").rstrip(".#") if is_text else handler

    def registrations(self) -> Iterator[Registration]:
        """Yield the registrations in the order of the text, with the prefixes around them."""
        self._add_chains()
        for framework, label, node, name, captures in self._resources.values():
            self._add_resource(framework, label, node, name, captures)
        for views in self._views.values():
            views.sort()
        for held in self._held:
            self._add_held(*held)
        rows = {key: row._replace(handlers=_in_order(self._handlers_of[key])) for key, row in self.rows.items()}
        # A pattern with fewer captures matches the same place once more, and says less.
        telling = {(_listed_as(row), self._places[key], what) for key, row in rows.items() for what in self._told(row)}
        placed = {row.start for row in rows.values() if row.kind in PLACES}
        for key, row in sorted(rows.items(), key=lambda entry: entry[1].start):
            if any((_listed_as(row), self._places[key], what) in telling for what in TOLD - self._told(row)):
                continue
            if row.kind in ("entry", "route") and row.start in placed:
                continue
            scope = self._scope(row.start, row.definition)
            groups = [group for group in self.groups if group.start <= row.start < group.end]
            # Of two with the same part, that of the first pattern is outside.
            groups.sort(key=lambda group: (group.start, -group.end, self.groups[group]))
            row = row._replace(scope=scope, handlers=tuple(_owned(handler, groups) for handler in row.handlers))
            for prefix in self._prefixes(row, groups):
                name = f"{prefix}{row.name}" if row.name != "/" or not prefix else prefix
                yield row._replace(kind=_listed_as(row), name=name)
            yield from self._named_alone(row, groups)

    def _named_alone(self, row: Registration, groups: Sequence[_Group]) -> Iterator[Registration]:
        """Yield the names of a page that do not have the prefixes of all groups around it."""
        named = [group for group in groups if not group.is_unnamed]
        if len(named) < len(groups) and row.kind in NAMED and row.verb in ("", "GET"):
            for prefix in self._prefixes(row, named):
                for name in route_names(f"{prefix}{row.name}"):
                    yield row._replace(kind="named", name=name, verb="")

    def _prefixes(self, row: Registration, groups: Sequence[_Group]) -> list[str]:
        """List the prefixes that the groups around a registration give to its name. Without any, there is an empty one."""
        if row.kind == "named":
            return ["".join(group.prefixes[0] for group in groups if group.kind == NAMING)]
        if row.kind not in NAMED or row.kind == ABSOLUTE:
            return [""]
        # A call in a group of routes is no part of it.
        groups = [group for group in groups if row.kind != WIRE or row.framework in self._labels[group]]
        paths = (group.prefixes for group in groups if group.kind != NAMING)
        prefixes = ["".join(part.rstrip("/") for part in parts) for parts in product(*paths)]
        if row.kind in PLACES:
            return [_place(prefix, row.kind) for prefix in prefixes]
        return prefixes

    def _add_resource(
        self, framework: Framework, label: str, node: tree_sitter.Node, name: str, captures: Captures
    ) -> None:
        """Add the routes of a resource, which are those that the framework makes, or those that the code lists."""
        owners, resource = tuple(self._resource_handlers(framework, captures, name)), name.lstrip("/")
        names = dict(_PAIR.findall(" ".join(self._file.text(part) for part in captures.get("names", ()))))
        # `photos.comments` are the comments of one photo.
        *outer, last = name.split(".")
        name = "/".join([*(f"{part}/{{{singular(part)}}}" for part in outer), last])
        for verb, suffix, action in self._actions(framework, captures):
            path = f"{name}/{suffix}".replace("//", "/").rstrip("/") or "/"
            path = path.replace("{one}", f"{{{singular(last).replace('-', '_')}}}")
            path = path.replace("/:id", f"/:{self._one(captures)}")
            handlers = {place: f"{owner}.{action}" for place, owner in enumerate(owners)}
            self._put(framework, label, "route", node, verb, path, captures, handlers, -1)
            # Links name such a route by its resource and action: `carts.index`.
            self._put(
                framework, label, "named", node, "", names.get(action, f"{resource}.{action}"), captures, handlers, -1
            )

    def _told(self, row: Registration) -> frozenset[str]:
        """Return which of verb, name and handler a registration has. A name that is only that of the handler is none."""
        is_named = bool(row.name) and (row.name,) != tuple(handler.rpartition(".")[2] for handler in row.handlers)
        return frozenset(
            part for part, has in (("verb", row.verb), ("name", is_named), ("handler", any(row.handlers))) if has
        )

    def _scope(self, start: int, registered: int = -1) -> int:
        """Return the position of the innermost definition around a byte, or -1. The registered definition does not count."""
        (place,) = self._scopes.around([start])
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
    text, frameworks = "", frameworks_of(file.language.name)
    words = distinct_words(file.source) if len(frameworks) > FEW_FRAMEWORKS else file.source
    for framework, mark in frameworks:
        if (framework.path and not framework.path.search(path)) or (mark and not mark.is_in(file.source, words)):
            continue
        if reading is None:
            reading, text = _Reading(path, file, syntax), file.source.decode(errors="replace")
            query_of = framework_queries(file.language.name, tree)
        label = framework.name.partition("_")[0]
        if framework.imported is not None and not framework.imported.search(text):
            label += UNSURE
        query = query_of(framework.name)
        for order, captures in query_matches(query, tree):
            reading.add(framework, label, order, query.pattern_settings(order), captures)
    return tuple(reading.registrations()) if reading is not None else ()


def _joined(steps: Sequence[_Step]) -> _Step:
    """Join the steps of a chain of calls, from the inner to the outer, to one of a route. A step without parts ends it."""
    settings: dict[str, str | None] = {}
    captures: Captures = {}
    for step in sorted(steps, key=lambda step: step.end):
        parts = {name: nodes for name, nodes in step.captures.items() if not name.startswith((PREFIX, "_"))}
        if not parts and not step.settings:
            break
        settings |= step.settings
        for name, nodes in parts.items():
            captures[name] = [*captures.get(name, ()), *nodes]
        captures[f"{PREFIX}route"] = step.captures[f"{PREFIX}{STEP}"]
    return steps[0]._replace(settings=settings, captures=captures)


def _place(prefix: str, kind: str) -> str:
    """Return the path of a resource, or of one of its elements, from the prefix of what is nested: `/posts/:post_id`."""
    path, _, name = prefix.rpartition("/:")
    one = name.removeprefix(f"{singular(path.rpartition('/')[2])}_")
    return f"{path}/:{one}" if kind == ELEMENT else path


def _behind(before: str, name: str) -> str:
    """Return a name behind the path that its pattern sets, or at the place `{name}` of that path."""
    if "{name}" in before:
        return before.replace("{name}", name)
    return f"{before.rstrip('/')}/{name.lstrip('/')}" if before and name else before or name


def _verb_and_path(verb: str, name: str) -> tuple[str, str]:
    """Return the verb and the path of a route, which some frameworks write in one text: `GET /carts`."""
    match = _VERB_AND_PATH.fullmatch(name)
    return (match["verb"], f"/{match['path'].lstrip('/')}") if match else (verb, name)


def _listed_as(row: Registration) -> str:
    """Return the kind under which the index has a registration."""
    return "route" if row.kind in (*PLACES, ABSOLUTE) else row.kind


def _surer(label: str, other: str) -> str:
    """Return which of two frameworks a file uses, or both if it imports neither: other files tell."""
    if label.endswith(UNSURE) and other.endswith(UNSURE):
        return label if other in label else label + other
    return other if label.endswith(UNSURE) else label


def _owned(handler: str, groups: Sequence[_Group]) -> str:
    """Return a handler that a text names as a member of the owners around it."""
    if not handler.startswith(TEXT):
        return handler
    owners = [group.owner for group in groups if group.owner]
    path = ".".join([*(owner.lstrip(TEXT) for owner in owners), handler.removeprefix(TEXT)])
    return path if owners and not owners[-1].startswith(TEXT) else TEXT + path


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
    quoted = quoted_text(text.strip())
    return text.strip().lstrip(":") if quoted is None else quoted


def _named(framework: Framework, text: str) -> str:
    """Return the dotted name of the definition that a text names, by the framework's convention, or else the text itself."""
    return (name_by_convention(framework.text, text) if framework.text else "") or text
