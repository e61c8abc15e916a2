"""Read the query matches of one file into definitions, references, imports and bindings, by the names of their captures."""

from collections.abc import Iterable

from code_graph_indexer.syntax.arguments import ARGUMENT_READERS
from code_graph_indexer.syntax.bindings import BINDING_READERS
from code_graph_indexer.syntax.captured import Captured, Match, Reader
from code_graph_indexer.syntax.definitions import DEFINITION_READERS
from code_graph_indexer.syntax.imports import IMPORT_READERS
from code_graph_indexer.syntax.limits import Captures
from code_graph_indexer.syntax.macros import MACRO_READERS
from code_graph_indexer.syntax.records import as_record
from code_graph_indexer.syntax.references import REFERENCE_READERS

MARKS = (
    "arm",
    "block",
    "comment",
    "declared",
    "doc",
    "extended",
    "global",
    "module",
    "reassigned",
    "silent",
    "static",
    "template",
    "type_text",
    "typevar",
    "written",
)
"""The captures that are only kept, until all definitions of the file are known."""

MAIN = ("reference.bare", "expands", "entry", "entries")
"""The captures that are the main ones of a match, whatever comes before them."""


def _mark(file: Captured, match: Match) -> None:
    """Keep a match in `file.marked`, under the name of its main capture up to a dot."""
    file.marked[match.name.partition(".")[0]].append(match)


READERS: dict[str, Reader] = {
    **dict.fromkeys(MARKS, _mark),
    **ARGUMENT_READERS,
    **BINDING_READERS,
    **DEFINITION_READERS,
    **IMPORT_READERS,
    **MACRO_READERS,
    **REFERENCE_READERS,
}
"""The functions that read a match, by the name of its main capture or by the part of that up to a dot."""


_NONE: tuple[str, Reader] = ("", _mark)
"""What reads a match without a main capture, which has no nodes of it."""


def read_captures(file: Captured, matches: Iterable[tuple[int, Captures]]) -> None:
    """Read matches of the file, each by the name of its main capture.

    A pattern has the same main capture in nearly every match, so the choice is remembered per pattern.
    """
    readers: dict[int, tuple[str, Reader]] = {}
    for order, captures in matches:
        name, reader = readers.get(order, _NONE)
        nodes = captures.get(name)
        # A pattern with alternatives has another main capture in some of its matches.
        if not nodes:
            name, reader = readers[order] = _main(captures)
            nodes = captures.get(name)
        if nodes:
            reader(file, as_record(Match, (order, name, nodes, captures)))


def _main(captures: Captures) -> tuple[str, Reader]:
    """Return the name of the main capture of a match, and what reads it. It is _NONE if nothing reads any of its captures."""
    for name in (*MAIN, *captures):
        reader = READERS.get(name) or READERS.get(name.partition(".")[0])
        if reader is not None and name in captures:
            return name, reader
    return _NONE
