"""Read definitions, also those that no definition in the text declares: fields that are assigned, and members of macros."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.languages.conventions import class_named_by
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.captured import MAX_NAME, Captured, Match, Reader, dotted_name
from code_graph_indexer.syntax.expressions import record_type
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.parameters import ANY, Parameters, read_parameters, type_arguments_at
from code_graph_indexer.syntax.records import (
    CLASS_KINDS,
    CLASS_LIKE_KINDS,
    COMPUTED,
    FUNCTION_KINDS,
    Binding,
    Definition,
)

SIGNATURE_LIMIT = 400
"""Most characters of a signature: enough for a long parameter list, too few for a table of defaults."""

HEAD_LIMIT = 40 * SIGNATURE_LIMIT
"""Most bytes that are read for a signature. Without a limit, a text of nested definitions would be read once for each."""

ANONYMOUS = "<anon>"
"""The name of a class without a name. The second such class in a definition is `<anon:2>`."""


_OPENED = re.compile(rb"\w\s+(\w+)[\s\\]*\{")
"""Pattern of a name behind a keyword and before a brace, in the text of a macro that opens a namespace."""

CODE_KINDS = frozenset({"function", "method"})


def read_definition(file: Captured, match: Match) -> None:
    """Read one definition per captured name.

    It extends from the first node to the last, and includes the wrappers around them, such as decorators.
    """
    kind, captures, language = match.kind, match.captures, file.language
    names, body = captures.get("name", ()), captures.get("body")
    node = match.nodes[0]
    inner = node.start_byte
    # Several patterns match most definitions.
    outer = file.outer.get(node)
    if outer is None:
        outer = node
        while language.wrappers and (parent := outer.parent) is not None and parent.type in language.wrappers:
            outer = parent
        file.outer[node] = outer
    node = outer
    # Neighbours are one definition, from the first to the last: a signature and its body.
    start, end = node.start_byte, max(node.end_byte, match.nodes[-1].end_byte)
    if language.clauses == "whole" and kind == "function":
        end = max(end, _end_of_equations(node))
    if kind in FUNCTION_KINDS and language.twins is not None:
        file.functions.update((name_node.start_byte, node) for name_node in names[:1])
    for name_node in names:
        name = COMPUTED if "computed" in captures else _name(file, match, name_node)
        key = (start, end, name)
        if body and "wrapped" in captures:
            file.wrapped[key] = body[0].start_byte
        elif body:
            file.bodies.add(body[0].start_byte)
        # Of two patterns for one place the first wins: a language's own come before those that it inherits.
        is_name = 0 < len(name) <= MAX_NAME and name not in language.reserved
        if is_name and (key not in file.definitions or match.order < file.definitions[key][0]):
            file.definitions[key] = (
                match.order,
                _definition(
                    file,
                    kind,
                    # In Ruby's `attr_reader :total` a symbol names the method.
                    " ".join(name.split()).removeprefix(":"),
                    (start, end),
                    inner=inner,
                    name_start=name_node.start_byte,
                    body_start=body[0].start_byte if body else end,
                    owner="::".join(map(file.unquoted, captures.get("owner", ()))),
                    type_name=_type(file, match),
                ),
            )


def _name(file: Captured, match: Match, node: tree_sitter.Node) -> str:
    """Return the name in a node, behind the prefix that a symbol gives: `user_name` for Ruby's `delegate :name`."""
    prefix, text = file.first(match, "prefix").lstrip(":"), file.text(node)
    return f"{prefix}_{text.lstrip(':')}" if prefix else file.unquoted(node)


def _type(file: Captured, match: Match) -> str:
    """Return the type that a definition declares, or that a symbol names: `LineItem` for Ruby's `belongs_to :line_item`."""
    declared = file.first(match, "returns") or file.first(match, "type")
    return declared or class_named_by(file.first(match, "type.named"))


def add_definition(file: Captured, kind: str, name: str, span: tuple[int, int], *, name_start: int) -> None:
    """Add a definition with a body that the tree does not show."""
    start, end = span
    definition = _definition(file, kind, name, span, inner=start, name_start=name_start, body_start=end)
    file.definitions[start, end, name] = 0, definition._replace(has_body=True)


def _last_part(name: str, separator: str) -> str:
    """Return what stands behind the last separator: `M.turn` → `turn`. A title of a test or an operator has no parts."""
    return name if " " in name else name.rpartition(separator)[2] or name


def _read_anonymous(file: Captured, match: Match) -> None:
    """Read a class without a name, and its base: `Base` in `new Base() { … }`."""
    start, end = span = match.nodes[0].byte_range
    definition = _definition(file, "class", ANONYMOUS, span, inner=start, name_start=start, body_start=start)
    file.definitions[start, end, ANONYMOUS] = match.order, definition
    if base := match.captures.get("base"):
        # Keyed by the start of the body, which lies in the scope of the class itself.
        file.bases[start] = file.text(base[0])


def _read_opened(file: Captured, match: Match) -> None:
    """Read the namespaces that a macro opens.

    They have no body, because the grammar puts the code that follows outside them.
    """
    start, end = span = match.nodes[0].byte_range
    for opened in _OPENED.finditer(file.source, start, end):
        name = opened[1].decode("utf-8", "replace")
        place = opened.start(1)
        definition = _definition(file, "namespace", name, span, inner=start, name_start=place, body_start=end)
        file.definitions[start, end, name] = match.order, definition


DEFINITION_READERS: dict[str, Reader] = {
    "anonymous": _read_anonymous,
    "definition": read_definition,
    "opens": _read_opened,
    "scope": read_definition,
}


def _definition(
    file: Captured,
    kind: str,
    name: str,
    span: tuple[int, int],
    *,
    inner: int,
    name_start: int,
    body_start: int,
    owner: str = "",
    type_name: str = "",
) -> Definition:
    """Return the record of a definition, as far as one match tells.

    `span` includes decorators, and `inner` begins behind them. `body_start` is the end of the span if there is no body.
    """
    start, end = span
    language, separator, outer = file.language, file.language.separator, dotted_name(owner)
    parameters = Parameters(0, ANY)
    if kind in CODE_KINDS and language.variadic:
        parameters = read_parameters(file.source, name_start + len(name.encode()), language)
        modifiers = file.source[inner:name_start].decode("utf-8", "replace").split()
        if not language.defaults_elsewhere.isdisjoint([*modifiers, "*"]):
            parameters = parameters._replace(fewest=0)
    elif kind in CLASS_KINDS and language.counts_type_arguments:
        count = type_arguments_at(file.source, name_start + len(name.encode()))
        parameters = Parameters(count, count)
    head = file.source[start : min(body_start if body_start > start else end, start + HEAD_LIMIT)]
    signature = " ".join(head.decode("utf-8", "replace").split())
    return Definition(
        kind=kind,
        name=as_name(name if kind == "scope" else _last_part(name, separator)),
        path_name=as_name(f"{outer}{separator}{name}" if outer else name),
        start=start,
        end=end,
        lead=start,
        name_start=name_start,
        signature=as_name(signature.rstrip(" {:=;")[:SIGNATURE_LIMIT].strip()),
        doc="",
        parent=-1,
        owner=as_name(" ".join(owner.split())) if outer else "",
        type_name=_line(type_name.lstrip(":-> ")),
        has_body=body_start < end,
        fewest=parameters.fewest,
        most=parameters.most,
        types=parameters.types,
        inner=inner,
    )


def _line(text: str) -> str:
    """Return the text of a type on one line, with its records as others are, cut at SIGNATURE_LIMIT."""
    return " ".join(record_type(text).split())[:SIGNATURE_LIMIT]


def _end_of_equations(equation: tree_sitter.Node) -> int:
    """Return the end of the last equation of a function, whose first equation is `equation`."""
    name = equation.child_by_field_name("name")
    end, sibling = equation.end_byte, equation.next_named_sibling
    while name is not None and sibling is not None:
        if not sibling.is_extra:
            next_name = sibling.child_by_field_name("name") if sibling.type == equation.type else None
            if next_name is None or next_name.text != name.text:
                break
            end = sibling.end_byte
        sibling = sibling.next_named_sibling
    return end


def type_variables(file: Captured, definitions: Sequence[Definition]) -> tuple[tuple[str, str], ...]:
    """Pair the dotted name of each type variable, such as `Box.T`, with its bounds, joined by `&`. They are in their order."""
    bounds: dict[str, dict[str, None]] = {}
    marked = file.marked["typevar"]
    starts = [definition.start for definition in definitions] if marked else []
    for start, name, bound in sorted(
        (match.nodes[0].start_byte, file.text(match.nodes[0]), file.first(match, "type")) for match in marked
    ):
        # What declares the variable may begin before its own definition does: `template <typename T> class Box`.
        scope = bisect_right(starts, start) - 1
        while scope >= 0 and (definitions[scope].end <= start or definitions[scope].name == name):
            scope = definitions[scope].parent
        dotted = f"{definitions[scope].path_name}.{name}" if scope >= 0 else name
        bounds.setdefault(dotted, {})[bound] = None
    return tuple((dotted, " & ".join(filter(None, texts))) for dotted, texts in bounds.items())


def is_local_function(language: Language, kind: str, signature: str) -> bool:
    """Return whether only the file of a definition, and files that include it, see it.

    Examples are `static` functions in C, and `local` functions and variables in Lua.
    """
    return bool(
        kind in ("function", "variable") and language.local_functions and language.local_functions.match(signature)
    )


def made_fields(file: Captured, definitions: Sequence[Definition], bindings: Iterable[Binding]) -> Iterator[Definition]:
    """Yield the fields of the object itself that no class declares, each where it is first assigned.

    A constructor goes before the other methods.
    """
    language, names = file.language, {definition.path_name for definition in definitions}

    def constructed_first(binding: Binding) -> tuple[bool, int]:
        """Return a key that sorts assignments in constructors before others."""
        return binding.scope < 0 or definitions[binding.scope].name not in language.constructors, binding.start

    for binding in sorted((binding for binding in bindings if binding.start in file.made), key=constructed_first):
        # An instance variable of Ruby is its own owner, and a module is an object too.
        is_own = binding.owner == binding.name
        scope = binding.scope if is_own or binding.owner in language.self_names else -1
        while scope >= 0 and definitions[scope].kind not in (*CLASS_LIKE_KINDS, "module" if is_own else ""):
            scope = definitions[scope].parent
        path_name = f"{definitions[scope].path_name}{language.separator}{binding.name}" if scope >= 0 else ""
        if is_own and binding.scope < 0:
            # The blocks of a test share the variables of an object that has no name.
            path_name = binding.name
        if path_name and path_name not in names:
            names.add(path_name)
            yield _made_field(file.source, binding, path_name, scope)


def macro_members(file: Captured, scopes: Innermost, definitions: Sequence[Definition]) -> Iterator[Definition]:
    """Yield the members that macros make, each with the type around it. A member of an enum without a name may have none."""
    places = scopes.around(member.start for member in file.members)
    names = {definition.path_name for definition in definitions}
    for member, place in zip(file.members, places, strict=True):
        is_inside = place >= 0 and definitions[place].kind in CLASS_LIKE_KINDS
        around = definitions[place].path_name + file.language.separator if is_inside else ""
        path_name = around + member.path_name
        if (is_inside or member.kind == "enum_member") and path_name not in names:
            names.add(path_name)
            yield member._replace(path_name=path_name, parent=place if is_inside else -1)


def _made_field(source: bytes, binding: Binding, path_name: str, parent: int) -> Definition:
    """Return a field that an assignment makes, with its line as its signature. It has a body only if its type is known."""
    start, end = binding.start, binding.start + len(binding.name.encode())
    newline = source.find(b"\n", end)
    line = source[source.rfind(b"\n", 0, start) + 1 : newline if newline >= 0 else len(source)]
    signature = line.decode("utf-8", "replace").strip()[:SIGNATURE_LIMIT]
    return Definition(
        *("field", binding.name, path_name, start, end, start, start, signature, "", parent),
        *("", binding.type_name, bool(binding.type_name), 0, ANY, (), start),
    )
