"""Work out what is around each definition of a file: its parent, its dotted name, its doc and its namesakes."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

import tree_sitter

from code_graph_indexer.syntax.captured import Captured
from code_graph_indexer.syntax.comments import Comments, read_doc
from code_graph_indexer.syntax.definitions import ANONYMOUS, CODE_KINDS, is_local_function
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.records import (
    CLASS_LIKE_KINDS,
    FUNCTION_KINDS,
    Definition,
)
from code_graph_indexer.syntax.recover import indentation

MAX_NESTING = 50
"""The deepest nesting of definitions.

A deeper definition, which no person writes, is only text of the definition around it.
"""

BEGINNING = 80
"""Most bytes of a statement that tell whether it chooses between functions."""


def captured_definitions(file: Captured, comments: Comments) -> list[Definition]:
    """List the captured definitions, outer ones before those inside of them. `nested` relies on this order."""
    for key, body_start in file.wrapped.items():
        # In `load = memo(function inner() {})`, the function is `load`.
        if body_start in file.bodies:
            file.definitions.pop(key, None)
    ordered = sorted(
        file.definitions.values(), key=lambda pair: (pair[1].start, -pair[1].end, pair[0], pair[1].name_start)
    )
    captured = _without_the_deepest(definition for _, definition in ordered)
    return _flat(captured, file.source, comments) if file.language.flat_functions else captured


def nested(
    file: Captured, captured: Sequence[Definition], comments: Comments, doc_of: Mapping[int, Span]
) -> list[Definition]:
    """Give each captured definition its parent, its name in the file, and its doc. They are sorted by start.

    `doc_of` maps the position of a definition to the span of its docstring.
    """
    separator = file.language.separator
    statics, defined = dict(file.spans("static")), _defined_variables(file, captured)
    definitions: list[Definition] = []
    bodies = sorted(file.bodies)
    # The end and the position of each definition that is open.
    stack: list[tuple[int, int]] = []
    unnamed: Counter[int] = Counter()
    for position, definition in enumerate(captured):
        kind, name, path_name, start, end, *_ = definition
        # What ends before this definition does cannot be around it, even where the two overlap.
        while stack and (
            stack[-1][0] < end or (kind == "function" and _is_beside(definitions[stack[-1][1]], definition))
        ):
            stack.pop()
        parent = stack[-1][1] if stack else -1
        if kind == "field" and parent >= 0 and _is_in_head(bodies, definitions[parent], start):
            # A constructor's parameter that declares a field.
            parent = definitions[parent].parent
        outer = definitions[parent] if parent >= 0 else None
        if name == ANONYMOUS:
            unnamed[parent] += 1
            name = path_name = f"<anon:{unnamed[parent]}>" if unnamed[parent] > 1 else ANONYMOUS
        # An owner is a type that is named outside of its body, as in `func (e *Engine) Run()`.
        if kind == "function" and (definition.owner or (outer is not None and outer.kind in CLASS_LIKE_KINDS)):
            kind = "method"
        above = comments.above(start)
        definitions.append(
            definition._replace(
                kind=kind,
                name=name,
                path_name=f"{outer.path_name}{separator}{path_name}" if outer is not None else path_name,
                lead=above[0] if above else start,
                doc=read_doc(file.source, doc_of.get(position) or above),
                parent=parent,
                is_local=is_local_function(file.language, kind, definition.signature),
                is_static=definition.inner in statics,
                has_body=definition.has_body | (definition.inner in defined),
            )
        )
        stack.append((end, position))
    _mark_twins(file, definitions)
    return definitions


def _is_in_head(bodies: Sequence[int], outer: Definition, start: int) -> bool:
    """Return whether a place in a definition is in the head of a method. `bodies` are the first bytes of all bodies."""
    return outer.kind == "method" and bisect_left(bodies, outer.start) == bisect_right(bodies, start)


def _defined_variables(file: Captured, captured: Sequence[Definition]) -> Set[int]:
    """Return the inner starts of the variables that `@declared` does not mark. Empty in a language without this capture."""
    if "declared" not in file.language.captures:
        return frozenset()
    variables = {definition.inner for definition in captured if definition.kind == "variable"}
    return variables - dict(file.spans("declared")).keys()


def _mark_twins(file: Captured, definitions: list[Definition]) -> None:
    """Mark in the list the functions of one name in one scope that stand under conditions.

    Of each group, one may stand under none. Readers and writers of a property are no twins.
    """
    getter = file.language.getter
    groups: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for position, definition in enumerate(definitions):
        if definition.kind in FUNCTION_KINDS and definition.has_body and definition.name_start in file.functions:
            scope = definition.parent
            while scope >= 0 and definitions[scope].kind == "module":
                scope = definitions[scope].parent
            # Where functions may be overloaded, those with other parameters are no twins.
            head = definition.signature if file.language.variadic else ""
            groups[scope, definition.path_name, head].append(position)
    imported = {alias or name for _, name, alias in file.imports}
    for (scope, path_name, _), positions in groups.items():
        # `try: from fast import load` and `except ImportError: def load(): …` are twins too.
        namesakes = len(positions) + (scope < 0 and path_name in imported)
        if namesakes < 2 or (getter and any(getter.search(definitions[at].signature) for at in positions)):
            continue
        plain = sum(not _is_chosen(file, file.functions[definitions[at].name_start]) for at in positions)
        if plain < len(positions) and plain < 2:
            for at in positions:
                definitions[at] = definitions[at]._replace(is_twin=True)


def _is_chosen(file: Captured, node: tree_sitter.Node) -> bool:
    """Say whether a function, or a node around it, begins with what the `twins` of its language match, such as `#[cfg`."""
    begins, around = file.language.twins, node.parent
    while begins is not None and around is not None:
        if begins.match(file.source[node.start_byte : node.start_byte + BEGINNING].decode("utf-8", "replace")):
            return True
        node, around = around, around.parent
    return False


def _is_beside(outer: Definition, definition: Definition) -> bool:
    """Say whether `outer` is a function with the span of another definition: one macro makes both, beside each other."""
    return outer.kind == "function" and (outer.start, outer.end) == (definition.start, definition.end)


def _without_the_deepest(definitions: Iterable[Definition]) -> list[Definition]:
    """Leave out the definitions that are nested deeper than MAX_NESTING.

    The total length of their dotted names would grow with the square of the depth.
    """
    ends: list[int] = []
    shallow: list[Definition] = []
    for definition in definitions:
        while ends and ends[-1] < definition.end:
            ends.pop()
        if len(ends) < MAX_NESTING:
            ends.append(definition.end)
            shallow.append(definition)
    return shallow


def _flat(captured: list[Definition], source: bytes, comments: Comments) -> list[Definition]:
    """Take the functions out of the functions that swallowed them, in a language where no function contains another.

    A function that begins a line no further in than the function around it ends that function. A function further in is
    no definition: the grammar took a statement for it. A variable may hold a function anywhere. Itself it is local there.
    """
    flat: list[Definition] = []
    # The positions of the definitions that are open.
    stack: list[int] = []
    for definition in captured:
        while stack and flat[stack[-1]].end < definition.end:
            stack.pop()
        outer = flat[stack[-1]] if stack else None
        is_code = outer is not None and outer.kind in CODE_KINDS
        if (
            outer is not None
            and is_code
            and definition.kind == "variable"
            and _is_further_in(source, definition, outer)
        ):
            continue
        is_inside = is_code and definition.kind in CODE_KINDS
        if outer is not None and is_inside and not (_is_beside(outer, definition) or _is_variable(source, definition)):
            # Each branch of a conditional may write the head of a function in another way.
            is_head = definition.name == outer.name and not definition.has_body
            if is_head or _is_further_in(source, definition, outer):
                continue
            above = comments.above(definition.start)
            flat[stack.pop()] = outer._replace(end=max(above[0] if above else definition.start, outer.name_start))
        stack.append(len(flat))
        flat.append(definition)
    return flat


def _is_further_in(source: bytes, definition: Definition, outer: Definition) -> bool:
    """Return whether the line of a definition begins further in than that of another."""
    return indentation(source, definition.start) > indentation(source, outer.start)


def _is_variable(source: bytes, definition: Definition) -> bool:
    """Return whether a function is the value of a variable, as in `auto add = [](int a) { … }`."""
    name_end = definition.name_start + len(definition.name.encode())
    return source[name_end : name_end + 2].lstrip().startswith(b"=")
