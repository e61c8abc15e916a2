"""Pack records of many rows for another process: rows go as plain tuples, which pickle several times faster than records."""

import pickle
from collections.abc import Iterable
from functools import partial
from typing import TypeVar

from code_graph_indexer.types import Argument, Binding, Definition, Import, LinkInput, Reference, Syntax

ROWS = ("definitions", "references", "imports", "bindings", "arguments")
"""The fields of a syntax that hold rows."""

Row = TypeVar("Row", bound=tuple[object, ...])


def plain(rows: Iterable[tuple[object, ...]]) -> tuple[tuple[object, ...], ...]:
    """Strip the records of their class."""
    return tuple(map(tuple, rows))


def records(cls: type[Row], rows: Iterable[tuple[object, ...]]) -> Iterable[Row]:
    """Make plain rows records again."""
    return map(partial(tuple.__new__, cls), rows)


def pack(given: LinkInput) -> bytes:
    """Pack what the resolver needs of a file."""
    syntax = given.syntax
    rows = [plain(getattr(syntax, name)) for name in ROWS]
    rest = (syntax.typevars, syntax.extensions, syntax.module, given.chunk_of, given.places)
    return pickle.dumps((rows, rest), protocol=5)


def unpack(packed: bytes) -> LinkInput:
    """Unpack it."""
    rows, (typevars, extensions, module, chunk_of, places) = pickle.loads(packed)
    definitions, references, imports, bindings, arguments = rows
    syntax = Syntax(
        definitions=tuple(records(Definition, definitions)),
        references=tuple(records(Reference, references)),
        imports=tuple(records(Import, imports)),
        bindings=tuple(records(Binding, bindings)),
        arguments=tuple(records(Argument, arguments)),
        typevars=typevars,
        extensions=extensions,
        module=module,
    )
    return LinkInput(syntax, chunk_of, places)
