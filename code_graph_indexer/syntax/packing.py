"""Pack records of many rows for another process, or for the next update.

They are packed column by column. That takes half the time of rows, and several times less than records.
"""

import pickle
import zlib
from io import BytesIO
from itertools import chain
from typing import Any, NoReturn, get_origin, get_type_hints

from code_graph_indexer.syntax.records import (
    Argument,
    Binding,
    Definition,
    Import,
    LinkInput,
    Reference,
    Syntax,
    as_records,
)

ROWS = ("definitions", "references", "imports", "bindings", "arguments")
"""The fields of a syntax that hold rows."""

FIELDS = tuple(get_type_hints(record) for record in (Definition, Reference, Import, Binding, Argument))
"""The fields of the records in each of ROWS, with their types."""

COMPRESSION = 1
"""The level of zlib: a quarter of the size, in a tenth of the time that sending the bytes takes."""

MAX_UNPACKED = 1 << 28
"""Bytes that the rows of one file may have."""

PAIR = 2
"""Columns of a place: its line and its column."""


class _PlainUnpickler(pickle.Unpickler):
    """Load numbers, texts and tuples, and nothing else: what lies beside an index may come from anybody."""

    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        """Refuse whatever would have to be imported."""
        raise pickle.UnpicklingError(f"packed rows hold no {module_name}.{global_name}")


def _decompress(packed: bytes) -> bytes:
    """Decompress rows, up to MAX_UNPACKED bytes."""
    # A forged file of a few bytes may unpack to any size, so there is a limit.
    return zlib.decompressobj().decompress(packed, MAX_UNPACKED)


def pack(link_input: LinkInput) -> bytes:
    """Pack what the resolver needs of a file."""
    syntax = link_input.syntax
    columns = [
        tuple(zip(*rows, strict=True)) for rows in (*(getattr(syntax, name) for name in ROWS), link_input.places)
    ]
    rest = (syntax.typevars, syntax.extensions, syntax.module, link_input.chunk_of)
    return zlib.compress(pickle.dumps((columns, rest), protocol=5), COMPRESSION)


def unpack(packed: bytes) -> LinkInput:
    """Unpack what `pack` made in this run. It is not checked."""
    return _of_columns(*_load(packed))


def unpack_sound(packed: bytes, chunks: int) -> LinkInput | None:
    """Unpack stored rows, which may be damaged or forged. Return None unless they fit a file with so many chunks."""
    try:
        columns, rest = _load(packed)
        return _of_columns(columns, rest) if _is_sound(columns, rest, chunks) else None
    except (
        pickle.UnpicklingError,
        zlib.error,
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        TypeError,
        ValueError,
    ):
        return None


def _load(packed: bytes) -> Any:
    """Return the columns of each of ROWS and behind them those of the places, and the fields without rows."""
    return _PlainUnpickler(BytesIO(_decompress(packed))).load()


def _of_columns(columns: Any, rest: Any) -> LinkInput:
    """Make the input of the linker from columns."""
    definitions, references, imports, bindings, arguments, places = (zip(*table, strict=True) for table in columns)
    typevars, extensions, module, chunk_of = rest
    syntax = Syntax(
        definitions=tuple(as_records(Definition, definitions)),
        references=tuple(as_records(Reference, references)),
        imports=tuple(as_records(Import, imports)),
        bindings=tuple(as_records(Binding, bindings)),
        arguments=tuple(as_records(Argument, arguments)),
        typevars=typevars,
        extensions=extensions,
        module=module,
    )
    return LinkInput(syntax, chunk_of, tuple(places))


def _is_sound(columns: Any, rest: Any, chunks: int) -> bool:
    """Say whether all that was packed has the types of its records, and every position points at something."""
    *tables, places = columns
    typevars, extensions, module, chunk_of = rest
    if len(tables) != len(FIELDS) or not all(map(_has_columns, tables, FIELDS)):
        return False
    columns_of = [dict(zip(fields, table, strict=False)) for fields, table in zip(FIELDS, tables, strict=True)]
    count = _length(tables[0])
    return (
        all(-1 <= scope < count for table in columns_of for scope in set(table.get("scope", ())))
        # A parent stands before its children, so that no chain of parents is a circle.
        and all(-1 <= parent < place for place, parent in enumerate(columns_of[0].get("parent", ())))
        and len(chunk_of) == count
        and all(0 <= position < chunks for position in chunk_of)
        and _length(places) == sum(map(_length, tables[:3]))
        and len(places) in (0, PAIR)
        and all(_is_column(column, int) for column in places)
        and all(len(pair) == PAIR for pair in (*typevars, *extensions))
        and set(map(type, (part for pair in typevars for part in pair))) <= {str}
        # A truth value is an `int` to isinstance, so the types themselves are compared.
        and all(type(place) is int and -1 <= place < count and type(text) is str for place, text in extensions)
        and type(module) is str
    )


def _length(columns: Any) -> int:
    """Return how many rows the columns hold."""
    return len(columns[0]) if columns else 0


def _has_columns(columns: Any, fields: dict[str, type]) -> bool:
    """Say whether there is no row, or a column of each field of a record, of its type."""
    return not columns or (len(columns) == len(fields) and all(map(_is_column, columns, fields.values())))


def _is_column(column: tuple[Any, ...], kind: type) -> bool:
    """Say whether all values of a column are of its type: a plain one, or tuples of texts."""
    types = set(map(type, column))
    if get_origin(kind) is not tuple:
        return types == {kind}
    return types == {tuple} and set(map(type, chain.from_iterable(column))) <= {str}
