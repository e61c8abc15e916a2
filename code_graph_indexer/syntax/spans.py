"""Find the functions and classes of a file by line."""

import re
from bisect import bisect_left
from typing import NamedTuple

from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.records import CLASS_KINDS

FUNCTION_LIKE = CLASS_KINDS | {"function", "method", "macro"}
"""Kinds of definitions that are reported as touched by a change."""


class Span(NamedTuple):
    """The lines of a parsed or stored function or class, from the comments above it to its end.

    `dotted` is its name inside the file.
    """

    dotted: str
    first: int
    last: int


def definition_spans(path: str, source: bytes, language: str) -> list[Span]:
    """List the functions and classes of a file with their lines. An outer definition comes before its inner ones."""
    text = source.replace(b"\r\n", b"\n")
    ends = [match.start() for match in re.finditer(b"\n", text)]
    return [
        Span(
            definition.path_name,
            bisect_left(ends, definition.lead) + 1,
            bisect_left(ends, max(definition.end - 1, definition.lead)) + 1,
        )
        for definition in parse(path, text, language, definitions_only=True).definitions
        if definition.kind in FUNCTION_LIKE
    ]
