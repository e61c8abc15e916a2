"""Pack records of many rows for another process, or the next update: they go column by column, which packs and unpacks in
half the time of rows, and several times faster than records.
"""

import pickle
import zlib
from functools import cache
from io import BytesIO
from itertools import chain
from typing import Any, NoReturn, get_origin, get_type_hints

from code_graph_indexer.types import Argument, Binding, Definition, Import, LinkInput, Reference, Syntax, as_records

ROWS = ("definitions", "references", "imports", "bindings", "arguments")
"""The fields of a syntax that hold rows."""

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
    columns, (typevars, extensions, module, chunk_of) = _PlainUnpickler(BytesIO(_decompress(packed))).load()
    definitions, references, imports, bindings, arguments, places = (zip(*one, strict=True) for one in columns)
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


def unpack_sound(packed: bytes, chunks: int) -> LinkInput | None:
    """Unpack kept rows if they can be those of a file with so many chunks: they may have been damaged, or be forged."""
    try:
        given = unpack(packed)
        syntax = given.syntax
        count = len(syntax.definitions)
        scopes = [one.scope for name in ROWS[1:] for one in getattr(syntax, name)]
        whole = [*syntax.references, *syntax.imports, *syntax.definitions]
        sound = (
            all(_has_columns(getattr(syntax, name)) for name in ROWS)
            and all(-1 <= one < count for one in scopes)
            and all(-1 <= one.parent < place for place, one in enumerate(syntax.definitions))
            and len(given.chunk_of) == count
            and all(0 <= one < chunks for one in given.chunk_of)
            and len(given.places) == len(whole)
            and set(map(type, (part for place in given.places for part in place))) <= {int}
            and all(len(place) == PAIR for place in (*given.places, *syntax.typevars, *syntax.extensions))
            and set(map(type, (part for pair in syntax.typevars for part in pair))) <= {str}
            and all(
                type(place) is int and -1 <= place < count and type(text) is str for place, text in syntax.extensions
            )
            and type(syntax.module) is str
        )
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
    return given if sound else None


@cache
def _column_types(record: type) -> tuple[type, ...]:
    return tuple(get_type_hints(record).values())


def _has_columns(rows: tuple[tuple[object, ...], ...]) -> bool:
    """Say whether each row has the fields of its record, of their types."""
    if not rows:
        return True
    wanted = _column_types(type(rows[0]))
    return {len(row) for row in rows} == {len(wanted)} and all(
        _is_column(column, kind) for column, kind in zip(zip(*rows, strict=True), wanted, strict=True)
    )


def _is_column(column: tuple[Any, ...], kind: type) -> bool:
    """Say whether all values of a column are of its type: a plain one, or tuples of texts."""
    types = set(map(type, column))
    if get_origin(kind) is not tuple:
        return types == {kind}
    return types == {tuple} and set(map(type, chain.from_iterable(column))) <= {str}
