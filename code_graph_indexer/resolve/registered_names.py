"""Collect what a file gives to others by name: listeners, helpers of templates, routes, what templates and types get."""

from collections.abc import Iterator, Sequence
from itertools import product

from code_graph_indexer.languages import Language, frameworks
from code_graph_indexer.languages.conventions import ANY_PART, path_parts, route_names, view_names
from code_graph_indexer.resolve.facts import LISTENER, PassedArgument, Slot
from code_graph_indexer.resolve.frames import Frame
from code_graph_indexer.syntax.records import ADDED_MEMBER, ANY_NAME, WRITTEN_KINDS, Registration, Syntax
from code_graph_indexer.syntax.registrations import CONTEXT, NAMED_KINDS, PROVIDER, SERVES, TEXT, UNSURE, WIRE

NAME_OF_OTHER_METHOD = "method"
"""The kind of a route's name where the path has no page: nothing answers GET."""

Passed = tuple[str, PassedArgument]
"""A name, and what a file passes to whoever uses it."""


def registered_names(syntax: Syntax, language: Language) -> Iterator[Passed]:
    """Yield listeners, what has a name beside that of its definition, what templates get, and what types of other files get."""
    prefixes = {row.handlers[-1]: row.name for row in syntax.registrations if row.kind == "router" and row.handlers}
    for row in syntax.registrations:
        around = syntax.definitions[row.scope].path_name if row.scope >= 0 else ""
        if row.kind == CONTEXT:
            yield from _passed_to_view(row.name, row.verb, around)
        elif row.kind == "view" and language.is_template:
            yield from _passed_to_view(row.name, ANY_NAME, "")
        elif row.kind == "listener" or row.kind in NAMED_KINDS:
            keys = [LISTENER + event_name(row.name)] if row.kind == "listener" else _keys(row)
            for key, handler in product(keys, row.handlers):
                yield key, PassedArgument(row.router, -1, LISTENER, handler, around, -1)
        elif row.kind == "route" and row.handlers:
            yield from _of_route(row, prefixes.get(row.router, "") + row.name, around)
    yield from _added_members(syntax, language)
    for import_ in syntax.imports if language.import_lookup == "view" else ():
        yield from _passed_to_view(import_.module, ANY_NAME, "")


def _added_members(syntax: Syntax, language: Language) -> Iterator[Passed]:
    """Yield the fields and properties that the file adds to types, each under the dotted name of it."""
    fields = [definition for definition in syntax.definitions if definition.kind in WRITTEN_KINDS]
    names = {"", *(definition.path_name for definition in syntax.definitions)} if language.split_types else set()
    for definition in fields:
        if definition.parent >= 0:
            is_added = syntax.definitions[definition.parent].kind == "scope"
        else:
            # `Shop::LIMIT = 3` stands outside of `module Shop`, which another file has.
            is_added = language.split_types and definition.path_name.rpartition(".")[0] not in names
        if is_added:
            yield ADDED_MEMBER + definition.path_name, PassedArgument("", -1, "", "", "", -1)


def _of_route(row: Registration, path: str, around: str) -> Iterator[Passed]:
    """Yield the handler of a route under the functions that write its path, and under the last fixed part of the whole path."""
    for key, handler in product(_route_keys(row), row.handlers[-1:]):
        yield key, PassedArgument(row.router, -1, LISTENER, handler, around, -1)
    parts = path_parts(path)
    for part in [part for part in parts if part != ANY_PART][-1:]:
        yield named(WIRE, part), PassedArgument("/".join(parts), -1, row.verb, row.handlers[-1], around, -1)


def _route_functions(row: Registration) -> tuple[str, ...]:
    """Return the endings of the functions that write the path of a route of a framework."""
    framework = frameworks().get(row.framework.rstrip(UNSURE))
    return framework.route_functions if framework is not None else ()


def _keys(row: Registration) -> list[str]:
    """List the keys of a name, and of the functions that write the path of a route of that name."""
    if row.kind == SERVES:
        return [named(SERVES, declared_name(row.name))]
    if row.kind == PROVIDER:
        return [named(PROVIDER, event_name(row.name))]
    return [named(row.kind, row.name + ending) for ending in ("", *_route_functions(row))]


def _route_keys(row: Registration) -> list[str]:
    """List the keys of the functions that write the path of a route, which its framework makes by the path."""
    endings = _route_functions(row)
    if not endings:
        return []
    is_page = "GET" in (row.verb or "GET")
    kind = "named" if is_page else NAME_OF_OTHER_METHOD
    return [named(kind, name + ending) for name in route_names(row.name) for ending in endings]


def _passed_to_view(view: str, variable: str, around: str) -> Iterator[Passed]:
    """Yield a variable that a template gets, or ANY_NAME for all those of this file, which is a template too."""
    for name in _views(view, variable):
        yield named(CONTEXT, name), PassedArgument(name, -1, variable, "", around, -1)


def _views(view: str, variable: str) -> Iterator[str]:
    """Yield the names of the templates that get a variable. Without a name, it is what all templates ask for."""
    yield from view_names(view) if view else (in_all_views(variable),)


def in_all_views(variable: str) -> str:
    """Return the name that stands for all templates where they ask for a variable."""
    return f":{variable}"


def contexts(syntax: Syntax) -> list[Registration]:
    """List the values that code gives to templates."""
    return [row for row in syntax.registrations if row.kind == CONTEXT]


def context_slots(syntax: Syntax, frames: Sequence[Frame | None]) -> Iterator[tuple[str, Slot]]:
    """Yield the values that templates get, each under the key of the template and the name of the variable."""
    for row in contexts(syntax):
        offset = row.start - syntax.definitions[row.scope].start if row.scope >= 0 else 0
        for view in _views(row.name, row.verb):
            for value in row.handlers:
                if not value.startswith(TEXT):
                    yield f"{named(CONTEXT, view)}:{row.verb}", Slot("", value, offset, frames[row.scope])


def named(kind: str, name: str) -> str:
    """Return the key of what has a name beside that of its definition, such as a helper of templates or a route."""
    return f"{LISTENER}{kind}:{name}"


def event_name(text: str) -> str:
    """Return the last word of the expression or text that names an event: `signals.paid` → `paid`."""
    return text.replace("\\", ".").rpartition(".")[2]


def declared_name(text: str) -> str:
    """Return the name of a declaration of a schema as code of any style writes it: `Query/cart_items` → `query.cartitems`."""
    return text.replace("/", ".").replace("_", "").lower()
