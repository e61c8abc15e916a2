"""What is kept for the next update is believed only when it is whole: it may come from anybody."""

import os
import pickle
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer.indexing.file import read_link_input
from code_graph_indexer.resolve import whole_imports
from code_graph_indexer.syntax.packing import pack, unpack, unpack_imports, unpack_sound
from code_graph_indexer.syntax.records import Import, SourceFile

TEXT = b"import os\n\n\nclass A:\n    def f(self, x):\n        y = os.path\n        return g(x)\n\n\ndef g(x):\n    return A\n"
CHUNKS = 3
MEMBERS = 0


@pytest.fixture(scope="module")
def facts() -> bytes:
    """Return the packed facts of a small file."""
    return read_link_input(SourceFile("a.py", "python"), TEXT, 4_000)[1]


def changed(facts: bytes, **fields: Any) -> bytes:
    return pack(replace(unpack(facts), **fields))


def test_what_was_packed_comes_back(facts: bytes) -> None:
    unpacked = unpack(facts)
    assert [definition.path_name for definition in unpacked.definitions] == ["A", "A.f", "g"]
    assert unpack(pack(unpacked)) == unpacked
    assert unpack_sound(facts, max(unpacked.chunk_of) + 1, MEMBERS)


class _Bomb:
    def __init__(self, place: Path) -> None:
        self.place = str(place)

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, (self.place,))


def test_nothing_that_was_packed_can_run(tmp_path: Path) -> None:
    bomb = zlib.compress(pickle.dumps(_Bomb(tmp_path / "made")))
    for forged in (bomb, zlib.compress(pickle.dumps(())) + bomb):
        assert not unpack_sound(forged, CHUNKS, MEMBERS)
        assert not unpack_imports(forged)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "forged", [b"", b"x", zlib.compress(b"x"), zlib.compress(pickle.dumps([1, 2])), zlib.compress(pickle.dumps(1))]
)
def test_what_is_no_facts_is_not_believed(forged: bytes) -> None:
    assert not unpack_sound(forged, CHUNKS, MEMBERS)
    assert not unpack_imports(forged)


def test_imports_are_read_alone() -> None:
    source = SourceFile("a.c", "c")
    _, packed = read_link_input(source, b'#include "b.h"\n#include <c.h>\nint main(void) { return 0; }\n', 4_000)
    imports = unpack_imports(packed)
    assert imports is not None
    assert imports == unpack(packed).imports
    assert whole_imports(imports, "c") == ("b.h", "c.h")


def test_imports_of_wrong_types_are_not_believed(facts: bytes) -> None:
    row = Import("a", "b", "", 1, -1)
    assert unpack_imports(changed(facts, imports=(row,))) == (row,)
    number: Any = 5
    assert unpack_imports(changed(facts, imports=(row._replace(module=number),))) is None


def test_positions_are_packed_as_differences_and_only_numbers_are_added_up(facts: bytes) -> None:
    rows = tuple(Import("a", "b", "", start, -1) for start in (7, 9, 30))
    assert unpack_imports(changed(facts, imports=rows)) == rows
    for column in (((1,), (2,)), ("x", "y"), (1, "x"), (1.5, 2)):
        table = ("a", "a"), ("b", "b"), ("", ""), column, (-1, -1)
        assert unpack_imports(zlib.compress(pickle.dumps(table))) is None


def test_rows_that_do_not_fit_are_not_believed(facts: bytes) -> None:
    syntax = unpack(facts)
    assert unpack_sound(changed(facts), CHUNKS + 1, MEMBERS)
    assert not unpack_sound(changed(facts), 1, MEMBERS)
    assert not unpack_sound(changed(facts, chunk_of=(0,)), CHUNKS + 1, MEMBERS)
    assert not unpack_sound(changed(facts, member_of=(0, -1, -1)), CHUNKS + 1, MEMBERS)
    assert unpack_sound(changed(facts, member_of=(0, -1, -1)), CHUNKS + 1, 1)
    assert not unpack_sound(changed(facts, places=()), CHUNKS + 1, MEMBERS)
    for name, field, value in (
        ("references", "scope", 99),
        ("references", "name", 5),
        ("references", "given", ("a", 5)),
        ("references", "given", 5),
        ("bindings", "scope", -7),
        ("definitions", "parent", 2),
        ("arguments", "place", "0"),
    ):
        rows = getattr(syntax, name)
        assert not unpack_sound(
            changed(facts, **{name: (rows[0]._replace(**{field: value}), *rows[1:])}), CHUNKS + 1, MEMBERS
        )
