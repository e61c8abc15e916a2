"""Pack records of many rows for another process, or the next update: they go column by column, which packs and unpacks in
half the time of rows, and several times faster than records.
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

FIELDS = tuple(get_type_hints(one) for one in (Definition, Reference, Import, Binding, Argument))
"""The columns of each, with their types."""

COMPRESSION = 1
"""A quarter of the size, in a tenth of the time that sending it takes."""

MAX_UNPACKED = 1 << 28
"""Bytes that the rows of one file may have."""

PAIR = 2


class _PlainUnpickler(pickle.Unpickler):
    """Load numbers, texts and tuples, and nothing else: what lies beside an index may come from anybody."""

    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        """Refuse whatever would have to be imported."""
        raise pickle.UnpicklingError(f"packed rows hold no {module_name}.{global_name}")


def _decompress(packed: bytes) -> bytes:
    return zlib.decompressobj().decompress(packed, MAX_UNPACKED)


def pack(given: LinkInput) -> bytes:
    """Pack what the resolver needs of a file."""
    syntax = given.syntax
    columns = [tuple(zip(*rows, strict=True)) for rows in (*(getattr(syntax, name) for name in ROWS), given.places)]
    rest = (syntax.typevars, syntax.extensions, syntax.module, given.chunk_of)
    return zlib.compress(pickle.dumps((columns, rest), protocol=5), COMPRESSION)


def unpack(packed: bytes) -> LinkInput:
    """Unpack it."""
    return _of_columns(*_load(packed))


def unpack_sound(packed: bytes, chunks: int) -> LinkInput | None:
    """Unpack kept rows if they can be those of a file with so many chunks: they may have been damaged, or be forged."""
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
    """Return the columns of each field with rows, those of the places behind them, and the rest."""
    return _PlainUnpickler(BytesIO(_decompress(packed))).load()


def _of_columns(columns: Any, rest: Any) -> LinkInput:
    definitions, references, imports, bindings, arguments, places = (zip(*one, strict=True) for one in columns)
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
    named = [dict(zip(fields, table, strict=False)) for fields, table in zip(FIELDS, tables, strict=True)]
    count = _length(tables[0])
    return (
        all(-1 <= scope < count for table in named for scope in set(table.get("scope", ())))
        and all(-1 <= parent < place for place, parent in enumerate(named[0].get("parent", ())))
        and len(chunk_of) == count
        and all(0 <= one < chunks for one in chunk_of)
        and _length(places) == sum(map(_length, tables[:3]))
        and len(places) in (0, PAIR)
        and all(_is_column(one, int) for one in places)
        and all(len(one) == PAIR for one in (*typevars, *extensions))
        and set(map(type, (part for pair in typevars for part in pair))) <= {str}
        and all(type(place) is int and -1 <= place < count and type(text) is str for place, text in extensions)
        and type(module) is str
    )


def _length(columns: Any) -> int:
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
