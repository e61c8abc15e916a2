"""Pack the records of a file into bytes, for another process or for the next update of the index.

The rows are packed column by column. That takes half the time of packing rows, and several times less than packing
records.
"""

import pickle
import zlib
from io import BytesIO
from itertools import accumulate, chain
from operator import sub
from typing import Any, NoReturn, get_origin, get_type_hints

from code_graph_indexer.syntax.records import (
    Argument,
    Arm,
    Binding,
    Branch,
    Definition,
    Import,
    Reference,
    Registration,
    Syntax,
    as_records,
)

TABLES: dict[str, type[tuple[Any, ...]]] = {
    # This one is packed alone, before the others, so that it can be read alone.
    "imports": Import,
    "definitions": Definition,
    "references": Reference,
    "bindings": Binding,
    "arguments": Argument,
    "branches": Branch,
    "registrations": Registration,
    "arms": Arm,
    "typevars": tuple,
    "extensions": tuple,
    "places": tuple,
}
"""The fields of `Syntax` that hold rows, each with the type of its rows."""

PAIRS: dict[str, dict[str, type]] = {
    "typevars": {"name": str, "bound": str},
    "extensions": {"scope": int, "type": str},
    "places": {"line": int, "column": int},
}
"""The names and types of the columns of rows that are no records."""

COLUMNS: dict[str, dict[str, type]] = {
    name: PAIRS.get(name) or get_type_hints(record) for name, record in TABLES.items()
}
"""The names and types of the columns of each table."""

POSITIONS = {"scope": "definitions", "definition": "definitions", "arm": "arms"}
"""The columns that hold positions, or -1, each with the table that they are positions in."""

PLACED = ("definitions", "references", "imports", "registrations")
"""The fields whose rows have a place in the text, in the order of the places."""

RISING = frozenset({"start", "end", "inner", "lead", "name_start", "line"})
"""The columns whose numbers rise from row to row in most tables. Each is packed as its first number and the differences."""

FORMAT = 2
"""A number that is raised when the same rows are packed into other bytes."""

COMPRESSION = 6
"""The level of zlib: a tenth smaller than level 1, for half a percent of the time of a build."""

MAX_UNPACKED = 1 << 28
"""Most bytes that one file's rows may unpack to."""

BROKEN = (
    pickle.UnpicklingError,
    zlib.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    TypeError,
    ValueError,
)
"""What reading damaged or forged bytes raises."""


class _PlainUnpickler(pickle.Unpickler):
    """An unpickler that accepts only numbers, texts and tuples.

    Anybody may have written the file beside an index, so it must not run code.
    """

    def find_class(self, module_name: str, global_name: str) -> NoReturn:
        """Raise UnpicklingError for anything that would have to be imported."""
        raise pickle.UnpicklingError(f"packed rows hold no {module_name}.{global_name}")


def _part(packed: bytes) -> tuple[Any, bytes]:
    """Return the first part of packed bytes, unpacked, and the bytes after it."""
    unpacker = zlib.decompressobj()
    # A forged file of a few bytes may unpack to any size, so there is a limit.
    plain = unpacker.decompress(packed, MAX_UNPACKED)
    return _PlainUnpickler(BytesIO(plain)).load(), unpacker.unused_data


def pack(syntax: Syntax) -> bytes:
    """Pack the input of the resolver for one file into bytes."""
    imports, *tables = [
        tuple(
            _differences(column) if field in RISING else column
            for field, column in zip(fields, zip(*getattr(syntax, name), strict=True), strict=False)
        )
        for name, fields in COLUMNS.items()
    ]
    parts = imports, (tables, syntax.module, syntax.chunk_of, syntax.member_of)
    return b"".join(zlib.compress(pickle.dumps(part, protocol=5), COMPRESSION) for part in parts)


def unpack(packed: bytes) -> Syntax:
    """Unpack the bytes that `pack` returned in this run. They are not checked."""
    return _syntax(*_load(packed))


def unpack_sound(packed: bytes, chunks: int, members: int) -> Syntax | None:
    """Unpack stored bytes, which may be damaged or forged.

    Return None unless they fit a file with so many chunks and members.
    """
    try:
        tables, module, chunk_of, member_of = _load(packed)
        is_sound = (
            all(_has_columns(table, COLUMNS[name]) for name, table in tables.items())
            and _has_sound_positions(tables)
            and type(module) is str
            and len(chunk_of) == len(member_of) == _length(tables["definitions"])
            and all(0 <= position < chunks for position in chunk_of)
            and all(-1 <= position < members for position in member_of)
        )
        return _syntax(tables, module, chunk_of, member_of) if is_sound else None
    except BROKEN:
        return None


def unpack_imports(packed: bytes) -> tuple[Import, ...] | None:
    """Unpack only the imports of stored bytes, which may be damaged or forged. Return None then.

    It takes a tenth of the time of all records. A file includes hundreds of headers, of which only this is asked.
    """
    try:
        table = _numbers("imports", _part(packed)[0])
        is_sound = _has_columns(table, COLUMNS["imports"])
        return tuple(as_records(Import, zip(*table, strict=True))) if is_sound else None
    except BROKEN:
        return None


def _load(packed: bytes) -> tuple[dict[str, Any], Any, Any, Any]:
    """Return the tables by name, each as its columns, then the module, and the chunks and members of the definitions."""
    imports, others = _part(packed)
    (tables, module, chunk_of, member_of), _ = _part(others)
    columns = {name: _numbers(name, table) for name, table in zip(TABLES, (imports, *tables), strict=True)}
    return columns, module, chunk_of, member_of


def _differences(column: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first number of a column, and the difference of each further one from the one before it."""
    return (column[0], *map(sub, column[1:], column))


def _numbers(name: str, table: Any) -> tuple[Any, ...]:
    """Return the columns of a stored table, with numbers in place of differences. What is no column of numbers stays."""
    return tuple(
        tuple(accumulate(column)) if field in RISING and _is_column(column, int) else column
        for field, column in zip(COLUMNS[name], table, strict=False)
    )


def _syntax(tables: dict[str, Any], module: str, chunk_of: tuple[int, ...], member_of: tuple[int, ...]) -> Syntax:
    """Build the link input from its tables."""
    rows: dict[str, Any] = {
        name: tuple(as_records(TABLES[name], zip(*table, strict=True))) for name, table in tables.items()
    }
    return Syntax(module=module, chunk_of=chunk_of, member_of=member_of, **rows)


def _has_sound_positions(tables: dict[str, Any]) -> bool:
    """Return whether all positions point into their lists, each parent comes before its children, and all have their place."""
    parents = dict(zip(COLUMNS["definitions"], tables["definitions"], strict=False)).get("parent", ())
    return (
        all(
            -1 <= position < _length(tables[POSITIONS[field]])
            for name, table in tables.items()
            for field, column in zip(COLUMNS[name], table, strict=False)
            if field in POSITIONS
            for position in set(column)
        )
        # A parent comes before its children, so that no chain of parents is a circle.
        and all(-1 <= parent < place for place, parent in enumerate(parents))
        and _length(tables["places"]) == sum(_length(tables[name]) for name in PLACED)
    )


def _length(columns: Any) -> int:
    """Return the number of rows in a table of columns."""
    return len(columns[0]) if columns else 0


def _has_columns(columns: Any, fields: dict[str, type]) -> bool:
    """Return whether a table is empty, or has one column of the right type per field."""
    return not columns or (len(columns) == len(fields) and all(map(_is_column, columns, fields.values())))


def _is_column(column: tuple[Any, ...], kind: type) -> bool:
    """Return whether all values of a column have the type `kind`: a plain type, or a tuple of texts."""
    # A truth value is an `int` to isinstance, so the types themselves are compared.
    types = set(map(type, column))
    if get_origin(kind) is not tuple:
        return types == {kind}
    return types == {tuple} and set(map(type, chain.from_iterable(column))) <= {str}
