"""Read the definitions in macros that choose between them: `cfg_if! { if #[cfg(unix)] { … } else { … } }`."""

import re

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.recover import without

_BRACE = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|r(\#*)".*?"\1|"(?:[^"\\]|\\.)*"|'(?:\\.[^']{0,8}|[^'\\])'|(?P<brace>[{}])""", re.DOTALL
)
"""Pattern of a brace, or of a comment or text that may hold one."""

MAX_BRACES = 20_000
"""Most braces of a chain. A longer one is left as it is."""


def without_chains(source: bytes, language: Language, wrappers: dict[int, str]) -> bytes:
    """Blank all of the chains in a text but the definitions in them. Every byte keeps its place.

    `wrappers` gets the names of the macros by their first byte.
    """
    for name in sorted(language.item_chains):
        head = name.encode() + b"!"
        if head not in source:
            continue
        chains: list[Span] = []
        for match in re.finditer(rb"\b(?:\w+::)?(%b)!\s*\{" % re.escape(name.encode()), source):
            spans = _frame(source, match.start(), match.end())
            chains += spans
            if spans:
                wrappers[match.start(1)] = name
        source = without(source, chains)
    return source


def _frame(source: bytes, start: int, inside: int) -> list[Span]:
    """List the spans of a chain that are no definitions: heads and braces. `inside` is behind its first brace.

    The list is empty if the chain has no end.
    """
    spans: list[Span] = []
    depth, first = 1, start
    for count, match in enumerate(_BRACE.finditer(source, inside)):
        if count > MAX_BRACES:
            return []
        if not match["brace"]:
            continue
        is_open = match["brace"] == b"{"
        depth += 1 if is_open else -1
        if depth == 0 or (is_open and depth == 2):
            # `if #[cfg(unix)] {`, `} else {`, or the last brace
            spans.append((first, match.end()))
        elif not is_open and depth == 1:
            first = match.start()
        if depth == 0:
            return spans
    return []
