"""Find the parts of a text that a page shows in colours: comments, strings, numbers, types and keywords."""

import sys
from typing import NamedTuple

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import languages, load_parser, parsing_language
from code_graph_indexer.languages.colors import load_color_query
from code_graph_indexer.syntax.embedded import scripts_of
from code_graph_indexer.syntax.limits import HardTextError, parse_text, query_captures
from code_graph_indexer.syntax.parse import without_foreign

MAX_COLORED = 2_000_000
"""Most bytes of a text that gets colours. A megabyte takes some two seconds."""

PLAIN = "plain"
"""The colour of code inside of a string, such as in `f"{total}"`."""


class Color(NamedTuple):
    """A run of bytes, [start, end), with one colour."""

    start: int
    end: int
    name: str


def colors(path: str, source: bytes, language: str, start: int = 0, end: int = MAX_COLORED) -> list[Color]:
    """Return the coloured runs of a text, in order and disjoint. The innermost node decides. Of a template only code has any.

    `start` and `end` are the bytes between which all colours are needed. A text that is very long or takes too much work, or
    whose grammar cannot be loaded, has none.
    """
    if len(source) > MAX_COLORED or language not in languages():
        return []
    language = parsing_language(path, language)
    code = scripts_of(source, languages()[language])
    try:
        tree = parse_text(load_parser(language), without_foreign(code, language))
        captures = query_captures(load_color_query(language), tree, start, end)
    except (HardTextError, GrammarError):
        return []
    nodes = [(node.start_byte, -node.end_byte, name) for name, nodes in captures.items() for node in nodes]
    return _flat(sorted(nodes))


def _flat(nodes: list[tuple[int, int, str]]) -> list[Color]:
    """Return disjoint runs, but no plain ones, for nested nodes, given as (start, -end, colour), outer nodes first."""
    flat: list[Color] = []
    # The nodes that are open, outermost first, each as its end and colour.
    stack: list[tuple[int, str]] = []
    position = 0
    # The last node begins behind all others, so that they end.
    for start, negative_end, name in [*nodes, (sys.maxsize, 0, PLAIN)]:
        while stack and stack[-1][0] <= start:
            end, color = stack.pop()
            if end > position:
                if color != PLAIN:
                    flat.append(Color(position, end, color))
                position = end
        if start > position:
            if stack and stack[-1][1] != PLAIN:
                flat.append(Color(position, start, stack[-1][1]))
            position = start
        stack.append((-negative_end, name))
    return flat
