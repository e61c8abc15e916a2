"""Read the arguments of calls: what they pass on, and what each is, so that the resolver can choose between overloads."""

import re
from collections.abc import Iterable

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.captured import Captured, Match, Reader
from code_graph_indexer.syntax.expressions import NULL, NUMBER, SOURCE_LIMIT, TEXT, bare, cast_to, head_of
from code_graph_indexer.syntax.parameters import LABEL
from code_graph_indexer.syntax.records import TABLE_ENTRY, Argument, Binding, Reference
from code_graph_indexer.syntax.roles import listed
from code_graph_indexer.syntax.trees import Expressions

_LITERALS = ("[", "{", TEXT, NUMBER, NULL)
_NUMBER = re.compile(r"-?(\d[\w.]*)")
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
        if name and (not receiver or receiver.isidentifier()):
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


def labelled_shapes(node: tree_sitter.Node, expressions: Expressions) -> tuple[str, ...]:
    """Describe each argument of a call by its label and its shape, with `LABEL` between them.

    `node` is what stands behind the callee, or a message with its selector. The label of a function behind the brackets is `*`.
    """
    source = expressions.source
    if methods := node.children_by_field_name("method"):
        selector = [source[method.start_byte : method.end_byte].decode("utf-8", "replace") for method in methods]
        has_arguments = any(child.type == ":" for child in node.children)
        return tuple(f"{label}{LABEL}" for label in ("", *selector[1:])) if has_arguments else ()
    shapes: list[str] = []
    label = "*"
    for part in node.named_children:
        if part.type.endswith("identifier"):
            # The label of one more function behind the brackets.
            label = source[part.start_byte : part.end_byte].decode("utf-8", "replace")
        elif part.type.endswith("arguments"):
            for argument in part.named_children if source[part.start_byte : part.start_byte + 1] == b"(" else ():
                value = argument.child_by_field_name("value")
                # `run(with:)` names a function by its labels.
                name = argument.child_by_field_name("name") or argument.child_by_field_name("reference_specifier")
                text = source[name.start_byte : name.end_byte].decode("utf-8", "replace") if name is not None else ""
                shapes.append(f"{text}{LABEL}{shape_of(value, expressions) if value is not None else ''}")
        elif not part.is_extra:
            shapes.append(f"{label}{LABEL}")
    return tuple(shapes)


def shape_of(node: tree_sitter.Node, expressions: Expressions) -> str:
    """Return the expression path of an argument, or the kind of literal that its value is.

    The kinds are `"` (text), `'` (character), `1` (whole number), `1.` (fraction), `true` and `null`. The text is empty
    if the type of the argument cannot be told.
    """
    language = expressions.language
    if node.end_byte - node.start_byte > SOURCE_LIMIT:
        return ""
    # Some grammars wrap each argument in a node of its own.
    while len(node.named_children) == 1 and node.type.endswith("argument"):
        node = node.named_children[0]
    if any(child.type in language.comparisons for child in node.children):
        return "true"
    text = expressions.text(node)
    if number := _NUMBER.fullmatch(text):
        return _shape_of_number(text, number[1], language)
    if text in language.truth_values:
        return "true"
    path = bare(expressions.path(node))
    if path.endswith(language.text_calls):
        return '"'
    if path == "''":
        return "'" if text.endswith("'") else '"'
    if not path and text.startswith('"') and "+" in text:
        # A text with something added is a text.
        return '"'
    return "" if path.startswith(("''", "0")) else path


def _shape_of_number(text: str, digits: str, language: Language) -> str:
    """Return the shape of a number: `1`, `1.`, a cast to the type of its suffix, or nothing. `digits` is `text` unsigned."""
    # In a hexadecimal number, `d` and `f` are digits.
    suffix = "" if digits[:2].lower() == "0x" else digits[-1].lower()
    wide = (name for group in language.literal_types[2:3] for name in group if name.lower() == "long")
    if suffix == "l" and (name := next(wide, "")):
        return cast_to(name)
    # `1m` is a decimal of C#, for which there is no kind of literal.
    return "" if suffix == "m" else "1." if "." in text or suffix in ("f", "d") else "1"


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
