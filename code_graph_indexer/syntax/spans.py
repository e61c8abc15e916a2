"""Where the definitions of a file stand, by line."""

import re
from bisect import bisect_left
from typing import NamedTuple

from code_graph_indexer.syntax.parse import CLASS_KINDS, parse

FUNCTION_LIKE = CLASS_KINDS - {"scope"} | {"function", "method", "macro"}
"""Kinds of definitions that a change is said to touch."""


class Span(NamedTuple):
    """A function, class or the like by its name inside its file, with its lines, those of the comments above it included."""

    dotted: str
    first: int
    last: int


def definition_spans(path: str, source: bytes, language: str) -> list[Span]:
    """List where the definitions of a file stand, outer ones before those inside them."""
    text = source.replace(b"\r\n", b"\n")
    ends = [match.start() for match in re.finditer(b"\n", text)]
    return [
        Span(one.path_name, bisect_left(ends, one.lead) + 1, bisect_left(ends, max(one.end - 1, one.lead)) + 1)
        for one in parse(path, text, language, definitions_only=True).definitions
        if one.kind in FUNCTION_LIKE
    ]
