"""Find the functions and classes of a file by line."""

import re
from bisect import bisect_left
from typing import NamedTuple

from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.records import CLASS_KINDS, VALUE_KINDS, function_around

FUNCTION_LIKE = CLASS_KINDS | {"function", "method", "macro"}
"""Kinds of definitions around changed lines that are reported as touched by a change."""

FUNCTIONS = frozenset({"function", "method", "macro"})
"""Kinds of definitions whose own values are no definitions that others change."""

VALUE_LIKE = VALUE_KINDS | {"enum_member", "type"}
"""Kinds of definitions outside of functions that are reported themselves, and not what is around them."""


class Span(NamedTuple):
    """The lines of a parsed or stored definition, from the comments above it to its end.

    `dotted` is its name inside the file.
    """

    dotted: str
    first: int
    last: int


def definition_spans(path: str, source: bytes, language: str) -> list[Span]:
    """List the functions, classes and values of a file with their lines. An outer definition comes before its inner ones."""
    text = source.replace(b"\r\n", b"\n")
    ends = [match.start() for match in re.finditer(b"\n", text)]
    definitions = parse(path, text, language, definitions_only=True).definitions
    return [
        Span(
            definition.path_name,
            bisect_left(ends, definition.lead) + 1,
            bisect_left(ends, max(definition.end - 1, definition.lead)) + 1,
        )
        for definition in definitions
        if definition.kind in FUNCTION_LIKE
        or (definition.kind in VALUE_LIKE and function_around(definitions, definition.parent) < 0)
    ]
