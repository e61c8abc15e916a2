"""Describe the arguments of a call by their shapes, by which the resolver chooses between overloads."""

import re

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.expressions import SOURCE_LIMIT, bare, cast_to
from code_graph_indexer.syntax.parameters import LABEL
from code_graph_indexer.syntax.trees import Expressions

_NUMBER = re.compile(r"-?(\d[\w.]*)")


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
    start, end = node.byte_range
    if end - start > SOURCE_LIMIT:
        return ""
    key = node.kind_id, expressions.source[start:end]
    shape = expressions.shapes.get(key)
    if shape is None:
        shape = expressions.shapes[key] = _read_shape(node, expressions)
    return shape


def _read_shape(node: tree_sitter.Node, expressions: Expressions) -> str:
    """Read the shape of an argument, which is not too long."""
    language = expressions.language
    # Some grammars wrap each argument in a node of its own.
    while node.type.endswith("argument") and node.named_child_count == 1:
        node = node.named_children[0]
    # Most arguments are names or literals, which have no parts.
    if node.child_count and any(child.type in language.comparisons for child in node.children):
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
