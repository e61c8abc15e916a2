"""Read the arguments of calls: what they pass on."""

import re
from collections.abc import Iterable

import tree_sitter

from code_graph_indexer.syntax.captured import Captured, Match, Reader
from code_graph_indexer.syntax.expressions import NULL, NUMBER, TEXT, head_of
from code_graph_indexer.syntax.records import TABLE_ENTRY, Argument, Binding, Reference
from code_graph_indexer.syntax.roles import is_name, listed
from code_graph_indexer.syntax.shapes import labelled_shapes, shape_of

_LITERALS = ("[", "{", TEXT, NUMBER, NULL)
_BRACKET_OR_COMMA = re.compile(
    rb"""[()\[\]{},]|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|/\*.*?\*/|//[^\n]*""", re.DOTALL
)


def read_argument(file: Captured, match: Match) -> None:
    """Read an argument of a call. If it is a name, as in `map(self.load, rows)`, it is also a reference."""
    node, callee_nodes = match.nodes[0], match.captures["callee"]
    start, end = node.byte_range
    if match.kind == "value":
        before, _, name = file.source[start:end].rpartition(b".")
        receiver = file.texts[before.strip()]
        if name and (not receiver or is_name(receiver)):
            file.references.setdefault(end - len(name), ("references", file.texts[name], receiver))
    callee = file.bare_path(*callee_nodes)
    value = file.bare_path(node) if callee else ""
    if value and not value.startswith(_LITERALS):
        keyword = file.first(match, "keyword")
        # Listing the siblings is slow, so the first argument is recognised by the bracket before it.
        is_first = file.source[callee_nodes[-1].end_byte : start].strip() == b"("
        file.arguments[start] = callee, -1 if keyword else 0 if is_first else position_of(node), keyword, value


def _read_name(file: Captured, match: Match) -> None:
    """Read an argument that is a bare name as a reference. `read_passed` adds the argument, once variables are known."""
    start = match.nodes[0].start_byte
    if start not in file.references:
        file.references[start] = "references", file.text(match.nodes[0]), ""
        file.passed_names[start] = match.captures["callee"][-1]


def read_passed(file: Captured, references: Iterable[Reference]) -> None:
    """Read the arguments that are bare names and still references, because no local variable has the name.

    Names in capitals are constants.
    """
    for reference in references if file.passed_names else ():
        callee_node = file.passed_names.get(reference.start)
        if callee_node is None or reference.name.isupper():
            continue
        if callee := file.bare_path(callee_node):
            place = _commas(file.source[callee_node.end_byte : reference.start])
            file.arguments[reference.start] = callee, place, "", reference.name


def _read_entry(file: Captured, match: Match) -> None:
    """Read what a table of functions holds, but no literal, as an argument with the keyword TABLE_ENTRY.

    Its callee is the type or variable of the table, with the name of the entry if it has one: `ops.open`.
    """
    nodes = match.captures.get("value", match.nodes)
    entry = f".{file.first(match, 'entry')}" if "entry" in match.captures else ""
    value = file.bare_path(*nodes)
    if value and not value.startswith(_LITERALS):
        file.arguments[nodes[0].start_byte] = file.first(match, "table") + entry, -1, TABLE_ENTRY, value


def _read_arguments(file: Captured, match: Match) -> None:
    """Read the number of arguments of a call, and describe each by `shape_of`."""
    called = match.captures["called"][0].start_byte
    if file.language.labels:
        shapes = labelled_shapes(match.nodes[0], file.expressions)
        file.given[called] = (len(shapes), shapes)
        return
    # A comment among the arguments is an extra node and no argument.
    shapes = tuple(shape_of(node, file.expressions) for node in listed(match.nodes[0]))
    # In Kotlin, a function after the brackets is one more argument, which another match captures.
    count, before = file.given.get(called, (0, ()))
    file.given[called] = (count + len(shapes), before + shapes)


def _read_arity(file: Captured, match: Match) -> None:
    """Read the number of arguments that the name of a function tells: `run/2`."""
    file.given[match.captures["called"][0].start_byte] = int(file.text(match.nodes[0])), ()


def _read_piped(file: Captured, match: Match) -> None:
    """Count one more argument of a call, because it stands behind a pipe."""
    count, shapes = file.given.get(match.nodes[0].start_byte, (0, ()))
    file.given[match.nodes[0].start_byte] = count + 1, shapes


ARGUMENT_READERS: dict[str, Reader] = {
    "argument": read_argument,
    "argument.name": _read_name,
    "arguments": _read_arguments,
    "arity": _read_arity,
    "entry": _read_entry,
    "entries": _read_entry,
    "piped": _read_piped,
}


def position_of(node: tree_sitter.Node) -> int:
    """Return the position of a node among its named siblings."""
    return node.parent.named_children.index(node) if node.parent else 0


def _commas(text: bytes) -> int:
    """Count the commas directly inside the first bracket of a text, which need not close, but none in texts and comments."""
    if text.isspace() or text == b"(":
        return 0
    depth = commas = 0
    for mark in _BRACKET_OR_COMMA.findall(text):
        depth += (mark in b"([{") - (mark in b")]}")
        commas += mark == b"," and depth == 1
    return commas


def telling_arguments(arguments: Iterable[Argument], bindings: Iterable[Binding]) -> tuple[Argument, ...]:
    """Leave out the arguments that depend on local variables. A parameter that is passed on unchanged is kept.

    The resolver uses these arguments in other files too, so they must not change with every edit of the function around
    them.
    """
    local = {(binding.scope, binding.name) for binding in bindings if binding.scope >= 0 and not binding.owner}
    params = {(binding.scope, binding.name) for binding in bindings if binding.is_param}
    return tuple(
        argument
        for argument in arguments
        if (argument.keyword == TABLE_ENTRY or (argument.scope, head_of(argument.callee)) not in local)
        and ((argument.scope, head_of(argument.value)) not in local or (argument.scope, argument.value) in params)
    )
