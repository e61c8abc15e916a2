"""Where the definitions of a file stand, by line."""

import re
from bisect import bisect_left
from typing import NamedTuple

from code_graph_indexer.syntax.parse import CLASS_KINDS, parse

FUNCTION_LIKE = CLASS_KINDS - {"scope"} | {"function", "method", "macro"}
"""Kinds of definitions that a change is said to touch."""


class Span(NamedTuple):
    """A function, class or the like: its name inside its file, and its first and last lines, with the comments above it."""

    dotted: str
    first: int
    last: int


def definition_spans(path: str, source: bytes, language: str) -> list[Span]:
    """List where the definitions of a file stand, outer ones before those inside them."""
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
