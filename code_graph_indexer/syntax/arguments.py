"""Describe an argument of a call, so that the resolver can choose between overloads."""

import re

import tree_sitter

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.expressions import SOURCE_LIMIT, path_of

_NUMBER = re.compile(r"-?(\d[\w.]*)")


def shape_of(node: tree_sitter.Node, source: bytes, language: Language) -> str:
    """Return the expression path of an argument, or the kind of literal that its value is.

    The kinds are `"` (text), `'` (character), `1` (whole number), `1.` (fraction), `true` and `null`. The text is empty
    if the type of the argument cannot be told.
    """
    if node.end_byte - node.start_byte > SOURCE_LIMIT:
        return ""
    # Some grammars wrap each argument in a node of its own.
    while len(node.named_children) == 1 and node.type.endswith("argument"):
        node = node.named_children[0]
    if any(child.type in language.comparisons for child in node.children):
        return "true"
    text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if number := _NUMBER.fullmatch(text):
        # In a hexadecimal number, `d` and `f` are digits.
        suffix = "" if number[1][:2].lower() == "0x" else number[1][-1].lower()
        # `1m` is a decimal of C#, for which there is no kind of literal.
        return "" if suffix == "m" else "1." if "." in text or suffix in ("f", "d") else "1"
    if text in language.truth_values:
        return "true"
    path = path_of(text, language.name)
    if path.endswith(language.text_calls):
        return '"'
    if path == "''":
        return "'" if text.endswith("'") else '"'
    if not path and text.startswith('"') and "+" in text:
        # A text with something added is a text.
        return '"'
    return "" if path.startswith(("''", "0")) else path
