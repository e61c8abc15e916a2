"""Link what a file registers with frameworks: the handlers of routes, the listeners of events, fixtures and mounted routers."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from code_graph_indexer.languages import frameworks, languages
from code_graph_indexer.languages.conventions import ANY_PART, fits_path, is_unread, path_parts, words_of
from code_graph_indexer.resolve.alternatives import Alternatives
from code_graph_indexer.resolve.endings import ending
from code_graph_indexer.resolve.facts import LISTENER, PassedArgument
from code_graph_indexer.resolve.library import is_library
from code_graph_indexer.resolve.modules import VIEW, shared_folders
from code_graph_indexer.resolve.providers import provided
from code_graph_indexer.resolve.references import FileResolver
from code_graph_indexer.resolve.registered_names import NAME_OF_OTHER_METHOD, event_name, named
from code_graph_indexer.resolve.resolution import IMPORT, NOTHING, PEER, SCOPE, TABLE, TYPED, UNIQUE, Resolution
from code_graph_indexer.resolve.rows import Location
from code_graph_indexer.resolve.schemas import answering
from code_graph_indexer.resolve.values import CALLABLE, INSTANCE, LEVELS, TYPE, Point
from code_graph_indexer.storage.records import MAX_CANDIDATES, LinkedRegistration, ResolvedReference, Target
from code_graph_indexer.syntax.constant_texts import constants_in
from code_graph_indexer.syntax.records import FUNCTION_KINDS, VALUE_KINDS, Reference, Registration, function_around
from code_graph_indexer.syntax.registrations import (
    CONTEXT,
    DECLARES,
    DESCRIBED,
    FIXTURE,
    PLACED,
    PROXY,
    ROUTERS,
    SERVES,
    TEXT,
    WIRE,
    WRAPS,
)

ORIGIN = "framework"
"""The origin of edges to what a framework calls."""

PROGRAM = "program"
"""The kind of a place that starts a program of the repository by its name."""

PROGRAM_FILE = "main.rs"
"""The name of the file in which a program begins that has no file of its own name."""

EDGES_ONLY = frozenset(
    {
        "use",
        "emit",
        "start",
        "middleware",
        "apply",
        "link",
        "view",
        "shows",
        "named",
        "need",
        "context",
        "wire",
        PROXY,
        SERVES,
        DECLARES,
    }
)
"""Kinds that lead to code but are no place where a framework learns of it."""

ASKS = {"apply": "helper", "link": "named"}
"""Kinds of uses of what has a name beside that of its definition, each with the kind that gives the name."""

VIEWS = {"view": "", "shows": "./"}
"""Kinds that show a template, each with the start of its name: only one of a near folder is meant by the name of a function."""

MADE = frozenset({"route", "inner", PLACED, "mount", "remount", "group", "prefix"})
"""Kinds that make a route, or a part of its path."""

MAX_PARTS = 3
"""The most fixed parts of a path by which its route is looked up."""

LINK = "link"
"""The kind of a use that names a route and runs nothing."""

NEEDS = frozenset({"dependency", "need"})
"""Kinds of what gets what a container gives."""

LISTENS = "listener"
"""The kind of a place that has a function run when an event happens."""

DEFAULT = "default"
"""The name of what a file exports without a name."""

PREFIX = "prefix"
"""The kind that gives a prefix to the routes that a function or class has itself."""

ALIAS = "alias"
"""The kind of a row that tells of which file a router is that this file imports."""

VALUE = "value"
"""The kind of a row that tells which definition a constant in a path is."""


class Registrations:
    """The registrations of one file: rows for the index, and edges to what they register. `link` fills them."""

    def __init__(self, resolver: FileResolver) -> None:
        self.rows: list[LinkedRegistration] = []
        self.edges: list[ResolvedReference] = []
        self._aliases: set[str] = set()
        self._alternatives = Alternatives(resolver.scope)
        self._resolver = resolver
        self._world = resolver.world
        self._scope = resolver.scope
        self._path = resolver.path
        self._view = resolver.view
        self._syntax = resolver.view.syntax

    def link(self) -> None:
        """Link all registrations."""
        registrations, places = self._syntax.registrations, self._view.places
        for registration, location in zip(registrations, places[len(places) - len(registrations) :], strict=True):
            if not registration.router and (holder := self._holder(registration)):
                registration = registration._replace(router=holder)
            source, row_count = self._view.node(registration.scope), len(self.rows)
            self._link_constants(registration, source, location)
            tells_path = len(self.rows) > row_count or not is_unread(registration.name)
            self._link_alias(registration, location)
            if registration.kind in ROUTERS:
                target_id, name = self._router(registration)
                self.rows.append(_row(registration, source, location, target_id, name))
                continue
            resolutions = self._defined(registration)
            for resolution in resolutions:
                is_read = all(target.holds_value for target in resolution.targets)
                kind = ("reads" if is_read else "references") if registration.kind == LINK else "calls"
                self.edges.extend(_edges(source, location, resolution, kind))
            if registration.kind not in EDGES_ONLY:
                target_id, name = _answering(registration, resolutions)
                # `log.Handle(ctx, record)` looks like a route of which nothing is known.
                if tells_path or target_id is not None or registration.kind != "route":
                    self.rows.append(_row(registration, source, location, target_id, name))

    def _defined(self, registration: Registration) -> list[Resolution]:
        """List what a registration runs: what stands behind a declaration. Nothing if that leads on without an end."""
        resolutions: list[Resolution] = []
        with suppress(RecursionError):
            resolutions += map(self._alternatives.defined, self._resolutions(registration))
        return resolutions

    def _holder(self, registration: Registration) -> str:
        """Return the variable that holds a route, as in `routes = [Route("/carts", show)]`, or no text."""
        definition = self._syntax.definitions[registration.scope] if registration.scope >= 0 else None
        return definition.name if definition is not None and definition.kind in VALUE_KINDS else ""

    def _link_constants(self, registration: Registration, source: int, location: Location) -> None:
        """Add a row for each constant in the path of a registration."""
        for name in constants_in(registration.name) if registration.kind != WIRE else ():
            targets = self._resolved(registration, name, "reads").targets
            if len(targets) == 1 and targets[0].holds_value:
                row = _row(registration, source, location, targets[0].chunk_id, name)
                self.rows.append(row._replace(kind=VALUE, verb="", router="", name=name))

    def _link_alias(self, registration: Registration, location: Location) -> None:
        """Add a row for the router of a registration, if this file imports it. One row tells it for the whole file."""
        name = registration.router.partition(".")[0].removesuffix("()")
        if not name or name in self._aliases or self._world.import_of(self._path, name) is None:
            return
        self._aliases.add(name)
        target_id, imported = self._router(registration._replace(kind="mount", handlers=(name,)))
        module = self._module((self._path,))
        if target_id is not None and module is not None and target_id != module:
            row = _row(registration, module, location, target_id, imported)
            self.rows.append(row._replace(kind=ALIAS, verb="", name=name, router=""))

    def _resolutions(self, registration: Registration) -> Iterator[Resolution]:
        """Yield what a registration runs: each handler with a single meaning, and the methods that the framework calls of it.

        The kind `emit` runs listeners, PROGRAM the start of a program, and `use` the functions that make fixtures.
        """
        if (question := self._QUESTIONS.get(registration.kind)) is not None:
            yield question(self, registration)
            return
        if registration.kind in ("named", CONTEXT, PROXY, SERVES):
            return
        for handler in filter(None, registration.handlers):
            if registration.kind == "use":
                yield self._fixture(registration, handler.lstrip(TEXT))
                continue
            resolution = self._handler(registration, handler)
            if registration.kind in NEEDS:
                given = provided(self._scope, handler, resolution.targets, self._registered_at)
                yield given
                for target in given.targets:
                    yield from self._members(registration, target, given.confidence)
            if len(resolution.targets) == 1 and registration.kind != "need":
                yield resolution
                yield from self._members(registration, resolution.targets[0], resolution.confidence)

    def _members(self, registration: Registration, cls: Target, confidence: float) -> Iterator[Resolution]:
        """Yield the constructor of a class, and the methods that a framework calls of it."""
        if not cls.is_type:
            return
        constructor = self._resolver.inference.constructor(cls)
        scope = self._scope.at(cls.path)
        members = [constructor, *(scope.member(cls, name) for name in registration.members)]
        for member in members:
            if member is not None:
                yield Resolution((member,), confidence)

    def _handler(self, registration: Registration, handler: str) -> Resolution:
        """Return the definition that a handler means: the registered one itself, or what its text or expression names.

        Of a call with a function, it is the function.
        """
        handler, _, wrapped = handler.partition(WRAPS)
        inner = self._handler(registration, wrapped) if wrapped else NOTHING
        if len(inner.targets) == 1 and inner.targets[0].kind in FUNCTION_KINDS:
            return inner
        place = registration.definition
        definition = self._syntax.definitions[place] if place >= 0 else None
        if definition is not None and handler == definition.path_name:
            chunk_id = self._view.nodes[place]
            return Resolution((Target(self._path, handler, definition.kind, chunk_id, True),), SCOPE)
        if handler.startswith(TEXT):
            return self._in_text(handler.removeprefix(TEXT), registration)
        resolution = self._resolved(registration, handler)
        if not resolution.targets and registration.kind == "dependency":
            return self._resolved(registration, handler, "calls")  # An object that can be called: `Depends(is_admin)`.
        if not resolution.targets and "." in handler:
            # A method of a class that is not loaded by name here: `PhotoController.index`.
            head, _, member = handler.rpartition(".")
            classes = [target for target in self._resolved(registration, head).targets if target.is_type]
            found = (self._scope.at(cls.path).member(cls, member) for cls in classes)
            resolution = Resolution(tuple(target for target in found if target is not None), IMPORT)
        return resolution if resolution.targets else self._held(registration, handler)

    def _resolved(self, registration: Registration, expression: str, kind: str = "references") -> Resolution:
        """Resolve an expression as a reference at the place of a registration, or else as the name of a type."""
        receiver, _, name = expression.removesuffix("()").rpartition(".")
        reference = Reference(kind, name, receiver, registration.start, registration.scope, -1)
        try:
            resolution = self._resolver.resolve(reference)
        except RecursionError:
            return NOTHING
        return resolution if resolution.targets else self._type(expression)

    def _held(self, registration: Registration, expression: str) -> Resolution:
        """Return the class of the only object that an expression may be at the place of a registration."""
        point = self._view.point(Reference("reads", expression, "", registration.start, registration.scope, -1))
        values = self._resolver.inference.values(expression, point)
        objects = {value.target: None for value in values if value.form == INSTANCE and value.target}
        return Resolution(tuple(objects), TYPED) if len(objects) == 1 else NOTHING

    def _type(self, expression: str) -> Resolution:
        """Return the class of a name that only types use, as `constructor(private carts: CartService)` does."""
        resolution = self._scope.type_named(expression, "", True)
        return resolution if all(target.is_type for target in resolution.targets) else NOTHING

    def _in_text(self, dotted: str, registration: Registration) -> Resolution:
        """Return the definition that a text names: by its module, by the end of its dotted name, or what is in sight."""
        module, _, name = dotted.replace(":", ".").rpartition(".")
        for path in self._world.find_modules(self._path, module) if module else ():
            if (exported := self._scope.exported(path, name, 1)).targets:
                return exported
        # A member of what a module has: `shop.admin:Admin.run`.
        outer, _, member = dotted.partition(":")
        for path in self._world.find_modules(self._path, outer) if "." in member else ():
            if (target := self._world.definition(path, member)) is not None:
                return Resolution((target,), IMPORT)
        if not module:
            return self._in_sight(dotted, registration)
        return ending(self._scope, dotted, registration.name, self._path)

    def _in_sight(self, name: str, registration: Registration) -> Resolution:
        """Return the member of the classes around a registration, or the definition of the file, that has a name."""
        around = self._syntax.definitions[registration.scope].path_name if registration.scope >= 0 else ""
        while True:
            cls = self._world.definition(self._path, around) if around else None
            is_class = cls is not None and cls.is_type
            target = self._scope.member(cls, name) if cls is not None and is_class else None
            target = target or (None if around else self._world.definition(self._path, name))
            if target is not None:
                return Resolution((target,), SCOPE)
            if not around:
                return NOTHING
            around = around.rpartition(".")[0]

    def _listeners(self, registration: Registration) -> Resolution:
        """Return the functions that listen to an event, in any file. Those of an object itself go first, as `this` has them.

        NOTHING for an event with a common name, and for one with too many listeners.
        """
        if registration.router in self._scope.language.self_names and (own := self._own_listeners(registration)):
            return Resolution(own, TYPED, all_meant=True)
        framework = frameworks().get(registration.framework)
        if framework is not None and registration.name in framework.common:
            return NOTHING
        targets: dict[Target, None] = {}
        for path, argument in self._world.arguments_to(LISTENER + event_name(registration.name)):
            if not self._scope.reachable(path) or not self._is_same_event(registration, path, argument.callee):
                continue
            if (target := self._registered_at(path, argument)) is not None:
                targets[target] = None
        return Resolution(tuple(targets), TABLE, all_meant=True) if len(targets) <= MAX_CANDIDATES else NOTHING

    def _is_same_event(self, registration: Registration, path: str, router: str) -> bool:
        """Say whether what a file listens to may be the event of a registration: of members, it must be the same member."""
        own = self._view.own_class(registration.scope)
        cls = next(iter(self._scope.at(path).type_named(router, "", True).targets), None) if router and own else None
        if own is None or cls is None:
            return True
        name = event_name(registration.name)
        emitted, heard = (self._scope.at(owner.path).member(owner, name) for owner in (own, cls))
        return emitted is None or heard is None or emitted == heard

    def _named(self, registration: Registration) -> Resolution:
        """Return what has a name in any file: the one whose path shares most words with the namespace or else with this file.

        Of several, the one of the nearest folder is meant.
        """
        if registration.kind == LINK and self._is_local(registration):
            return NOTHING
        kind, name = ASKS[registration.kind], registration.name
        passed = self._world.arguments_to(named(kind, name))
        namespace, _, last = name.replace(":", ".").rpartition(".")
        if not passed and namespace:
            passed = self._world.arguments_to(named(kind, last))
        passed = passed or self._world.arguments_to(named(NAME_OF_OTHER_METHOD, name))
        words = words_of(namespace or self._path)
        places: dict[Target, tuple[int, int, bool]] = {}
        for path, argument in passed:
            likeness = len(words & words_of(path)), shared_folders(path, self._path), path == self._path
            if target := self._registered_at(path, argument) or self._world.written(path, argument.value):
                places[target] = max(likeness, places.get(target, likeness))
        best = [target for target, likeness in places.items() if likeness == max(places.values())]
        return Resolution(tuple(best), PEER if len(places) == 1 else TABLE) if len(best) == 1 else NOTHING

    def _is_local(self, registration: Registration) -> bool:
        """Say whether the name of a registration is a variable or a parameter there, which hides a function."""
        around = self._view.around(registration.scope)
        frame, offset = around.point.frame, registration.start - around.start
        return frame is not None and frame.local(registration.name, offset) is not None

    def _served(self, registration: Registration) -> Resolution:
        """Return what answers a declaration of a schema."""
        return answering(self._scope, registration.name, self._registered_at)

    def _called_by_path(self, registration: Registration) -> Resolution:
        """Return the handler of the route that a call over a network fits. The pattern with the most fixed parts counts."""
        parts = path_parts(registration.name)
        handlers: dict[Target, tuple[int, int, int]] = {}
        words = words_of(registration.name)
        fixed = [part for part in parts if part != ANY_PART] if registration.start not in self._route_starts else []
        for path, argument in (
            entry for part in fixed[-MAX_PARTS:] for entry in self._world.arguments_to(named(WIRE, part))
        ):
            route = tuple(argument.callee.split("/"))
            is_method = not (registration.verb and argument.keyword) or registration.verb in argument.keyword.split(",")
            # A test has routes of its own.
            is_seen = self._scope.is_test or not self._world.file(path).is_test
            if is_seen and is_method and fits_path(route, parts) and (target := self._registered_at(path, argument)):
                likeness = sum(part != ANY_PART for part in route), len(words & words_of(path)), len(route)
                handlers[target] = max(likeness, handlers.get(target, (0, 0, 0)))
        best = [target for target, likeness in handlers.items() if likeness == max(handlers.values())]
        return Resolution(tuple(best), TABLE) if len(best) == 1 else NOTHING

    @cached_property
    def _route_starts(self) -> frozenset[int]:
        """Return the bytes at which this file makes routes, or parts of them. `router.get("/carts")` calls no route."""
        return frozenset(row.start for row in self._syntax.registrations if row.kind in MADE)

    def _registered_at(self, path: str, argument: PassedArgument) -> Target | None:
        """Return the definition that a file registers under a name: one of the file itself, or what an expression names."""
        value, _, wrapped = argument.value.partition(WRAPS)
        inner = self._registered_at(path, argument._replace(value=wrapped)) if wrapped else None
        if inner is not None and inner.kind in FUNCTION_KINDS:
            return inner
        argument = argument._replace(value=value)
        if (target := self._world.definition(path, argument.value)) is not None:
            return target
        if "dotted" in languages()[self._world.file(path).language].lookup:
            return self._world.written(path, argument.value)
        inference = self._resolver.inference.at(path)
        cls = next(iter(inference.scope.types_around(argument.dotted)), None)
        values = inference.argument(argument, Point(None, None, cls, argument.dotted), LEVELS, MAX_CANDIDATES)
        targets = (value.target for value in values if value.form in (CALLABLE, TYPE))
        target = next((target for target in targets if target is not None and not is_library(target)), None)
        return target or (self._in_text_of(path, value.removeprefix(TEXT)) if value.startswith(TEXT) else None)

    def _in_text_of(self, path: str, text: str) -> Target | None:
        """Return the only definition or template that a text of another file names, or None."""
        ends = ending(self._scope.at(path), text, path, self._path) if "." in text else NOTHING
        targets = ends.targets or self._shown(text).targets
        return targets[0] if len(targets) == 1 else None

    def _shown_by(self, registration: Registration) -> Resolution:
        """Return the template that a registration shows."""
        return self._shown(VIEWS[registration.kind] + registration.name)

    def _shown(self, name: str) -> Resolution:
        """Return the template of a name that code shows."""
        paths = self._world.find_modules(self._path, VIEW + name)
        modules = (self._world.definition(path, "") for path in paths if path != self._path)
        return Resolution(tuple(module for module in modules if module is not None), IMPORT)

    def _own_listeners(self, registration: Registration) -> tuple[Target, ...]:
        """List the functions of this file that listen to an event of the object itself, in the same class."""
        own = self._view.own_class(registration.scope)
        targets: dict[Target, None] = {}
        for listener in self._syntax.registrations if own is not None else ():
            is_same = (listener.kind, listener.name, listener.router) == (
                LISTENS,
                registration.name,
                registration.router,
            )
            if is_same and self._view.own_class(listener.scope) == own:
                for handler in listener.handlers:
                    targets |= dict.fromkeys(self._handler(listener, handler).targets)
        return tuple(targets)[:MAX_CANDIDATES]

    def _program(self, registration: Registration) -> Resolution:
        """Return where a program begins: the function `main` of the file of its name, or the only such file.

        In Python, it is the file `__main__.py` of the package, or the module of that name.
        """
        name = registration.name
        if self._scope.language.import_lookup != "tree":
            texts = (f"{name}.__main__", name)
            files = [path for text in texts for path in self._world.find_modules(self._path, text)]
            module = self._world.definition(files[0], "") if files else None
            return Resolution((module,), IMPORT) if module is not None else NOTHING
        mains = [
            target
            for target in self._world.definitions_named("main")
            if target.dotted == "main" and target.kind == "function" and self._is_program(target.path, name)
        ]
        own = [target for target in mains if f"/{name}/" in f"/{target.path}" or f"/{name}." in f"/{target.path}"]
        chosen = own or mains
        return Resolution((chosen[0],), IMPORT) if len(chosen) == 1 else NOTHING

    def _is_program(self, path: str, name: str) -> bool:
        """Say whether a program of a name may begin in a file: one of that name, or PROGRAM_FILE, and no test."""
        file_name = path.rpartition("/")[2]
        is_named = file_name == PROGRAM_FILE or file_name.partition(".")[0] == name
        return is_named and not self._world.file(path).is_test

    def _fixture(self, registration: Registration, name: str) -> Resolution:
        """Return the function that makes a fixture: of this file, of the nearest file around, or the only one elsewhere."""
        around = self._syntax.definitions[registration.scope].path_name if registration.scope >= 0 else ""
        for target in self._world.fixtures(self._path, name):
            # A fixture may replace an outer one of its name, which is its parameter.
            if (target.path, target.dotted) != (self._path, around):
                return Resolution((target,), IMPORT)
        if (imported := self._scope.name(name)).targets:
            return imported
        passed = self._world.arguments_to(named(FIXTURE, name))
        made = (self._registered_at(path, argument) for path, argument in passed if self._scope.reachable(path))
        elsewhere = [*dict.fromkeys(target for target in made if target is not None)]
        nearest = max((shared_folders(target.path, self._path) for target in elsewhere), default=0)
        elsewhere = [target for target in elsewhere if shared_folders(target.path, self._path) == nearest]
        return Resolution(tuple(elsewhere), UNIQUE) if len(elsewhere) == 1 else NOTHING

    def _router(self, registration: Registration) -> tuple[int | None, str]:
        """Return the chunk of a mounted router, and the name of its variable, which is empty for all of a file.

        A registration of the kind `router` makes one: the chunk around it, and the name. The chunk is None if it is not found.
        """
        if not registration.handlers:
            return None, ""
        handler = registration.handlers[-1]
        source = self._owner(registration)
        if registration.kind == "router":
            return source, handler
        if registration.kind == DESCRIBED:
            # A short constant has no chunk, but a name as a member of its file.
            targets = self._resolved(registration, handler, "reads").targets
            return (targets[0].chunk_id if len(targets) == 1 else None), ""
        if registration.kind == PREFIX:
            targets = self._handler(registration, handler).targets
            return (targets[0].chunk_id if len(targets) == 1 else None), ""
        if handler.startswith(TEXT):
            module = self._module(self._world.find_modules(self._path, handler.removeprefix(TEXT)))
            if module is None and (targets := self._handler(registration, handler).targets):
                module = self._module((targets[0].path,))
            return module, ""
        parts = handler.removesuffix("()").split(".")
        if (of_module := self._in_module(parts)) is not None:
            return of_module
        if (bound := self._world.import_of(self._path, parts[0])) is not None:
            imported = self._scope.imported(parts[0]).targets
            if imported and imported[0].kind in ("function", "method"):
                return imported[0].chunk_id, ""
            if imported:
                return self._module((imported[0].path,)), imported[0].name
            # `router` need not be a definition: any variable may hold a router.
            name = bound[1] if bound[1] not in (DEFAULT, "*") else ""
            return self._module(self._world.find_modules(self._path, bound[0])), name
        targets = (
            self._resolved(registration, handler).targets or self._resolved(registration, handler, "calls").targets
        )
        functions = [target for target in targets if not target.is_type]
        if len(functions) == 1:
            return functions[0].chunk_id, ""
        return source, parts[0]

    def _in_module(self, parts: Sequence[str]) -> tuple[int | None, str] | None:
        """Return what `_router` returns for a router that is a module, or stands in one. None if no part names a module."""
        for count in range(len(parts), 0, -1):
            paths = self._scope.modules_of(".".join(parts[:count]))
            if paths:
                # A package of Go has several files.
                members = (
                    self._world.definition(path, ".".join(parts[count:])) for path in paths if count < len(parts)
                )
                function = next((member for member in members if member is not None), None)
                if function is not None and function.kind in FUNCTION_KINDS:
                    return function.chunk_id, ""
                return self._module(paths), "".join(parts[count : count + 1])
        return None

    def _owner(self, registration: Registration) -> int:
        """Return the chunk of the function around a registration, or of the file: the place of its variables."""
        return self._view.node(function_around(self._syntax.definitions, registration.scope))

    def _module(self, paths: Sequence[str]) -> int | None:
        module = self._world.definition(paths[0], "") if paths else None
        return module.chunk_id if module is not None else None

    # What a registration runs that names no handler. Bound methods would refer to each file's object for good.
    _QUESTIONS: ClassVar[dict[str, Callable[["Registrations", Registration], Resolution]]] = {
        "emit": _listeners,
        PROGRAM: _program,
        WIRE: _called_by_path,
        DECLARES: _served,
        **dict.fromkeys(ASKS, _named),
        **dict.fromkeys(VIEWS, _shown_by),
    }


def _row(
    registration: Registration, source: int, location: Location, target_id: int | None, name: str
) -> LinkedRegistration:
    """Return the row of a registration in the chunk `source`. `name` is the handler, or the variable of a router."""
    return LinkedRegistration(
        source,
        registration.framework,
        registration.kind,
        registration.verb,
        registration.name,
        registration.router,
        location[0],
        target_id,
        name,
    )


def _edges(source: int, location: Location, resolution: Resolution, kind: str) -> Iterator[ResolvedReference]:
    """Yield a row of a kind from the chunk `source` to each target, but none to itself."""
    for target in resolution.targets:
        if target.chunk_id != source:
            yield ResolvedReference(
                source, kind, target.name, "", *location, target.chunk_id, resolution.confidence, (), ORIGIN
            )


def _answering(registration: Registration, resolutions: Sequence[Resolution]) -> tuple[int | None, str]:
    """Return the chunk of what a registration runs, or None, and the text of its last handler, or an empty text.

    Of several handlers of a route, the last one answers. Of a class with members, the class does.
    """
    targets = [resolution.targets[0] for resolution in resolutions if len(resolution.targets) == 1]
    handler = registration.handlers[-1].lstrip(TEXT).partition(WRAPS)[0] if registration.handlers else ""
    if registration.members and targets:
        # The members follow their class.
        return targets[0].chunk_id, handler
    return targets[-1].chunk_id if targets and (handler or registration.kind == PROGRAM) else None, handler
