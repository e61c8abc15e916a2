"""Read the uses of names: calls, bases, values, and expressions that run a method without naming it."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.bindings import place_in
from code_graph_indexer.syntax.captured import MAX_NAME, NO_PATH, Captured, Match, Reader, delayed, dotted_name
from code_graph_indexer.syntax.comments import Comments
from code_graph_indexer.syntax.doc_types import DocType, names_in_types
from code_graph_indexer.syntax.expected import expected
from code_graph_indexer.syntax.expressions import NAMED, OPERATOR, head_of, stepped
from code_graph_indexer.syntax.innermost import Innermost, Span, bounds
from code_graph_indexer.syntax.macro_text import macro_arguments
from code_graph_indexer.syntax.records import (
    FUNCTION_KINDS,
    PAYLOAD,
    SETTER,
    Binding,
    Definition,
    Reference,
    as_records,
)
from code_graph_indexer.syntax.uses import Hidden, NameReader, in_order, names_in_texts

KINDS = {
    "reference.call": "calls",
    "reference.value": "references",
    "inherits": "inherits",
    "requires": "requires",
}
"""The kind of reference for each capture of a name."""

STEPS = {"result": "()", "each": "[*]", "enter": "[>]"}
"""The step of an expression path for each capture `@runs.…`.

Such a capture marks an expression that calls a method without naming it, such as a loop that calls `__iter__`. The steps of all
others are their names.
"""

MAX_RECEIVER = 10_000
"""The most characters of a receiver in the index."""

_NAME = re.compile(r"[^\W\d]\w*")
_VALUE = re.compile(rb"\s*[=:]")
"""Pattern of what follows a new variable with a value."""

_NAME_START = re.compile(rb"[A-Za-z_]\w{2,}")
_SYMBOL = re.compile(r":([^\W\d]\w*[?!]?)")
_TYPE_ARGUMENTS = re.compile(
    rb"\s*(?:<(?:[^<>(){};]|<(?:[^<>(){};]|<[^<>(){};]*>)*>){1,200}>|\[(?:[^\[\](){};]|\[[^\[\](){};]*\]){1,200}\])"
)
"""Pattern of the type arguments behind the name of a base: `<Cart>` or `[Cart]`."""


def read_reference(file: Captured, match: Match) -> None:
    """Read a use of a name. The first match at a byte takes precedence."""
    start, end = match.nodes[0].byte_range
    kind = KINDS[match.name]
    if kind == "calls":
        # A symbol begins with a sign. The method that it defines, if it is delegated, begins there too.
        start += file.source.startswith(b":", start)
    # What the grammar only supposes to stand here is empty.
    if start in file.references or start >= end:
        return
    name, receiver = file.texts[file.source[start:end]], file.receiver(match)
    if not receiver and file.has_implicit_members and file.source[start - 1 : start] == b".":
        receiver = expected(file.expressions, match.nodes[0]) or NO_PATH
    if not receiver and "::" in name and kind == "calls" and file.language.modules == "declared":
        # Perl's `Shop::Cart::total()` and `$self->SUPER::total()` are one word.
        before, _, name = name.rpartition("::")
        receiver = dotted_name(before)
    if name[0] == ":" and (symbol := _SYMBOL.fullmatch(name)):
        # Ruby's `send(:load)` names a method of the object by a symbol.
        name, receiver = symbol[1], receiver or min(file.language.self_names, default="")
    file.references[start] = (kind, name, receiver)
    # A macro may paste a name together with an argument. Where overloads need all arguments, the query captures them.
    if kind == "calls" and name.isupper() and file.language.condition and not file.language.variadic:
        file.given[start] = (-1, macro_arguments(file.source, end))


def _read_bare(file: Captured, match: Match) -> None:
    """Read a name that stands alone. It is a call, unless a local variable has the name."""
    for node in match.nodes:
        file.bare[node.start_byte] = file.text(node)


def _read_bases(file: Captured, match: Match) -> None:
    """Read each base class of a definition as a reference, with its type arguments if the language has type variables."""
    for node in match.nodes:
        read_reference(file, match._replace(nodes=[node]))
        if "typevar" in file.language.captures and (arguments := _TYPE_ARGUMENTS.match(file.source, node.end_byte)):
            file.given[node.start_byte] = (-1, (file.texts[arguments[0].strip()],))


def _read_implicit(file: Captured, match: Match) -> None:
    """Read a member that a pattern names by its name alone: of what is compared with the pattern, or of what that holds."""
    node, value = match.nodes[0], match.captures["value"][0]
    path = file.path(value)
    if "variant" in match.captures:
        variant = match.captures["variant"][0]
        path = stepped(path, f".{file.text(variant)}{PAYLOAD}{place_in(node, variant)}")
    known = file.implicit.get(node.start_byte)
    # Of several values behind it, the nearest is meant.
    if known is None or value.start_byte < known[0]:
        file.implicit[node.start_byte] = value.start_byte, path


def _read_constant(file: Captured, match: Match) -> None:
    """Read that a constant of an enum calls the constructor of its type."""
    file.references.setdefault(match.nodes[0].start_byte, ("constant", file.first(match, "type"), ""))


def _read_run(file: Captured, match: Match) -> None:
    """Read that an expression calls a method without naming it, such as a loop that calls `__iter__`."""
    # Keyed by its end, because a name in the expression may be a reference at its start.
    end, step = match.nodes[0].end_byte, STEPS.get(match.kind) or f"{OPERATOR}{match.kind}"
    if "async" in match.captures:
        file.references[end] = ("runs", delayed(step), file.path(*match.nodes))
    else:
        file.references.setdefault(end, ("runs", step, file.path(*match.nodes)))


def _read_operator(file: Captured, match: Match) -> None:
    """Read that an operator, which is `@sign`, may run a method of its first value: `a + b`."""
    sign = file.first(match, "sign")
    if sign in file.language.operator_methods and (path := file.path(*match.nodes)):
        file.references.setdefault(match.nodes[0].end_byte, ("runs", f"{OPERATOR}{sign}", path))


def _read_start(file: Captured, match: Match) -> None:
    """Read a text to which code may add the rest of a member's name: `visit_`. Any other text is passed over."""
    start, end = match.nodes[0].byte_range
    if _NAME_START.fullmatch(file.source, start, end):
        file.references.setdefault(start, ("runs", f"{NAMED}{file.text(*match.nodes)}", ""))


REFERENCE_READERS: dict[str, Reader] = {
    "implicit": _read_implicit,
    "constant": _read_constant,
    "inherits": _read_bases,
    "reference": read_reference,
    "requires": _read_bases,
    "reference.bare": _read_bare,
    "runs": _read_run,
    "runs.named": _read_start,
    "runs.operator": _read_operator,
}


EMBEDDED_KINDS = frozenset({"field", "module"})
"""Kinds of definitions that may be bases of what they stand in: an embedded type of Go, and `ClassMethods` in Ruby."""


def references(
    file: Captured,
    scopes: Innermost,
    comments: Comments,
    name_starts: Set[int],
    definitions: Sequence[Definition],
    bindings: Iterable[Binding],
    doc_types: Iterable[DocType],
) -> tuple[Reference, ...]:
    """List the references. Names of definitions, names of local variables and names in comments are left out."""
    variables = _add_bare_calls(file, scopes, name_starts, definitions, bindings) if file.bare else set()
    for start, base in file.bases.items():
        file.references.setdefault(start, ("inherits", dotted_name(base), ""))
    for start, _ in file.spans("written"):
        file.references.pop(start, None)
    starts = list(file.references)
    # What assigns a variable that stands elsewhere, or one of the object, is a hint to its type alone.
    made = file.made | _assigned_globals(file, scopes, bindings)
    undeclared = name_starts | made | dict(file.spans("reassigned")).keys()
    hidden = _hidden(file, definitions, bindings, undeclared)
    self_words, reserved = file.language.self_names | file.language.self_types, file.language.reserved
    rows = (
        (
            kind,
            as_name(name),
            as_name(receiver) if len(receiver) <= MAX_RECEIVER else NO_PATH,
            start,
            _holder(definitions, scope, start) if kind == "inherits" else scope,
            *file.given.get(start, (-1, ())),
        )
        for (start, (kind, name, receiver)), scope, in_comment, is_silent in zip(
            file.references.items(),
            scopes.around(starts),
            comments.hold(starts),
            Comments(file.source, file.spans("silent")).hold(starts),
            strict=True,
        )
        # A constant of an enum is both a definition and a call of the constructor, at the same byte.
        if (start not in name_starts or kind in ("constant", "inherits"))
        and not (in_comment or is_silent)
        and name not in reserved
        and len(name) <= MAX_NAME
        # What a local variable holds is followed from where it is called. Its name alone says nothing.
        and not (
            kind == "references"
            and scope >= 0
            and not receiver
            and name not in self_words
            and hidden.holds(name, start, scope)
        )
    )
    # `impl Cart` names a type that is defined elsewhere.
    blocks = {definition.name_start for definition in definitions if definition.kind == "scope"}
    # What declares a type variable does not use it.
    declared = name_starts | variables | dict(file.spans("typevar")).keys()
    uses = _uses(file, scopes, declared - blocks, bindings, hidden, made)
    return tuple(as_records(Reference, (*rows, *uses, *_types_in_texts(file, scopes, doc_types))))


def _holder(definitions: Sequence[Definition], scope: int, start: int) -> int:
    """Return the definition that has a base. A field or module that is a base by its own name is one of what it stands in."""
    is_embedded = scope >= 0 and definitions[scope].name_start == start and definitions[scope].kind in EMBEDDED_KINDS
    return definitions[scope].parent if is_embedded else scope


def _types_in_texts(file: Captured, scopes: Innermost, doc_types: Iterable[DocType]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the types that comments and texts name: `@param Cart $cart`, `"Cart"` in Python."""
    texts = [(start, file.source[start:end]) for start, end in file.spans("type_text")]
    texts += [(start, (type_name or result).encode()) for *_, type_name, result, start in doc_types]
    names = [*names_in_types(sorted(texts))]
    for (start, name, receiver), scope in zip(names, scopes.around(start for start, *_ in names), strict=True):
        if len(name) <= MAX_NAME:
            yield "types", as_name(name), as_name(receiver), start, scope, -1, ()


def _assigned_globals(file: Captured, scopes: Innermost, bindings: Iterable[Binding]) -> set[int]:
    """Return the first bytes of the assignments in functions to variables of the module, as Python's `global total` says."""
    named = [(match.nodes[0].start_byte, file.text(match.nodes[0])) for match in file.marked["global"]]
    outer = {(scope, name) for scope, (_, name) in zip(scopes.around(start for start, _ in named), named, strict=True)}
    return {binding.start for binding in bindings if (binding.scope, binding.name) in outer} if outer else set()


def _uses(
    file: Captured,
    scopes: Innermost,
    binding_starts: Set[int],
    bindings: Iterable[Binding],
    hidden: Hidden,
    made: Set[int],
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the uses of names that are no calls.

    Definitions and variables begin at `binding_starts`, and `hidden` tells where names mean local variables. Assignments to
    fields and to variables of the module begin at `made`.
    """
    # Ruby's `cart.total = 1` runs the method `total=`, if there is one.
    written = {
        node.start_byte: SETTER if match.kind == "setter" else ""
        for match in file.marked["written"]
        for node in match.nodes
    }
    tested = dict(file.spans("reassigned"))
    linked = {start for start, row in file.references.items() if row[0] not in ("references", "requires", "runs")}
    bound = {
        binding.start
        for binding in bindings
        if binding.name and not (binding.owner or (binding.name == binding.value and _is_unwrapped(file, binding)))
    }
    bound -= made | tested.keys()
    imported = {word for module, name, alias in file.imports for word in (name, alias, *_NAME.findall(module)) if word}
    implicit = {start: path for start, (_, path) in file.implicit.items()} if file.has_implicit_members else None
    names = NameReader(file.source, file.language, file.expressions, file.names, imported, implicit)
    taken = binding_starts | bound | linked | dict(file.spans("silent")).keys()
    # A key may stand where a variable does. Else most names go here.
    listed = in_order(file.names.nodes, taken - {key.start_byte for key in file.names.keys})
    listed += names_in_texts(file.source, (match.nodes[0] for match in file.marked["template"]))
    for row in names.uses(listed, scopes.around(start for start, *_ in listed), hidden, taken):
        yield ("writes", row[1] + written[row[3]], *row[2:]) if row[3] in written else row


def _hidden(
    file: Captured, definitions: Sequence[Definition], bindings: Iterable[Binding], undeclared: Set[int]
) -> Hidden:
    """Tell where names mean local variables. What assigns a variable that stands elsewhere has `undeclared` bytes."""
    tested = dict(file.spans("reassigned"))
    whole: list[Binding] = []
    parts: dict[str, list[Span]] = {}
    for binding in bindings:
        part = _part(file, definitions, binding) if binding.name and not binding.owner else None
        if part is None and binding.start not in undeclared:
            whole.append(binding)
        elif part is not None and binding.start not in tested:
            parts.setdefault(binding.name, []).append(part)
    return Hidden(_visible_locals(definitions, whole), {name: bounds(spans) for name, spans in parts.items()})


def _part(file: Captured, definitions: Sequence[Definition], binding: Binding) -> Span | None:
    """Return where a variable is seen, or None if that is all of the definition around it.

    Where variables end with a block, the value of a new one may name an older one: `let total = total`.
    """
    start, end = binding.from_byte, binding.to_byte
    if binding.value.startswith(binding.name) and file.marked["block"] and not binding.is_param:
        is_own = head_of(binding.value) == binding.name and start in (0, binding.start)
        if is_own and (end or binding.scope >= 0):
            name = binding.name.encode()
            first = binding.start + len(name)
            if not _is_unwrapped(file, binding):
                first = max(first, file.source.find(name, first) + len(name))
            return first, end or definitions[binding.scope].end
    return (start, end) if end else None


def _is_unwrapped(file: Captured, binding: Binding) -> bool:
    """Say whether no value is written behind a variable whose value is known to have its own name: `if let total`."""
    return bool(file.marked["block"]) and not _VALUE.match(file.source, binding.start + len(binding.name.encode()))


def _add_bare_calls(
    file: Captured,
    scopes: Innermost,
    name_starts: Set[int],
    definitions: Sequence[Definition],
    bindings: Iterable[Binding],
) -> set[int]:
    """Add the names that stand alone to the references, as calls, but for those in `name_starts`, where definitions have names.

    A name that a local variable in sight has is no call either. Return the first bytes of these.
    """
    parts: dict[tuple[int, str], list[tuple[int, int]]] = {}
    binding_starts: set[int] = set()
    variables: set[int] = set()
    for binding in bindings:
        # What a function returns is a binding without a name.
        if binding.name:
            binding_starts.add(binding.start)
        if not binding.owner:
            parts.setdefault((binding.scope, binding.name), []).append((binding.from_byte, binding.to_byte))
    starts = [start for start in file.bare if not (start in file.references or start in binding_starts)]
    for start, innermost in zip(starts, scopes.around(starts), strict=True):
        name, scope = file.bare[start], innermost
        while not (hidden := any(not end or first <= start < end for first, end in parts.get((scope, name), ()))):
            scope = definitions[scope].parent if scope >= 0 else scope
            # The variables of a class or file are not seen in its methods.
            if scope < 0 or definitions[scope].kind not in FUNCTION_KINDS:
                break
        if hidden:
            variables.add(start)
        elif start not in name_starts:
            file.references[start] = "calls", name, ""
    return variables


def _visible_locals(definitions: Sequence[Definition], bindings: Iterable[Binding]) -> list[Set[str]]:
    """List, for each definition, the names of the local variables that it can see.

    These are the variables of the definition itself and of all definitions around it, if they are functions.
    """
    local_names: dict[int, set[str]] = {}
    for binding in bindings:
        if binding.scope >= 0 and not binding.owner and definitions[binding.scope].kind in FUNCTION_KINDS:
            local_names.setdefault(binding.scope, set()).add(binding.name)
    visible: list[Set[str]] = []
    for position, definition in enumerate(definitions):
        # A parent comes before its children, so that its set is complete here.
        outer = visible[definition.parent] if definition.parent >= 0 else frozenset()
        visible.append(outer | local_names[position] if position in local_names else outer)
    return visible
