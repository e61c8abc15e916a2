"""Whatever a forged index holds, a value that no index has is refused where it is read."""

import re
from datetime import datetime
from importlib.resources import files

import pytest

from code_graph_indexer.storage.columns import COLUMNS, Columns, UnsoundError, meta_number, refuse_circles

WRONG = {
    "id": (-1, 1 << 63, "1", None, 0.5, b"", True),
    "parent_id": ("1", -1),
    "line": (-1, 1 << 31, "text"),
    "size": (-1, (1 << 53) + 1, float("inf")),
    "is_test": (2, -1, "yes"),
    "confidence": (1.01, -0.1, float("nan"), float("inf"), None),
    "score": (float("nan"), "1"),
    "name": ("a\x1bb", "a\nb", "a\u202eb", "x" * 20_001, b"name", None),
    "signature": ("x" * 100_001, "a\nb"),
    "doc": ("x" * 100_001, None),
    "path": ("", "/etc/x", "../x", "a/../../x", "a\0b", "x" * 8_193, None),
    "repo_id": ("../x", "/x", "a\x1bb", None),
    "source_type": ("zzz", "", None),
    "text": ("text", 7, None),
    "chunk_ids": ([1, -1], ["1"], 7),
    "published": ("2020-01-01", None),
}


@pytest.mark.parametrize(("column", "value"), [(column, value) for column, values in WRONG.items() for value in values])
def test_a_value_that_no_index_has_is_refused_wherever_it_stands(column: str, value: object) -> None:
    sound = {
        "id": 1,
        "parent_id": None,
        "confidence": 0.5,
        "path": "a.py",
        "chunk_ids": [1],
        "published": datetime.now(),
    }
    for rows in ([(value,)], [(sound[column],), (value,)] if column in sound else [(value,), (value,)]):
        with pytest.raises(UnsoundError, match=f"^{column} (is|has) ") as refusal:
            Columns([column]).measure(rows)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("id", "parent_id"), (3, 3)),
        (("start_line", "end_line"), (4, 3)),
        (("start_byte", "end_byte"), (4, 3)),
        (("name_line", "def_end_line"), (4, 3)),
        (("end_line", "lines"), (9, 7)),
        (("target_id", "any_confidence"), (1, None)),
    ],
)
def test_columns_that_do_not_fit_each_other_are_refused(columns: tuple[str, str], row: tuple[object, object]) -> None:
    with pytest.raises(UnsoundError, match=f"{columns[0]}|{columns[1]}"):
        Columns(columns).measure([row])


def test_sound_rows_pass_with_the_memory_that_they_take() -> None:
    rows = [(1, "a/b.py", "größe", None), (2, "a.py", "x" * 100, 1)]
    assert 100 < Columns(["id", "path", "name", "parent_id"]).measure(rows) < 1_000


def test_a_query_that_does_not_say_what_a_column_is_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Columns(["count(*)"])


def test_each_column_of_an_index_is_described() -> None:
    ddl = files("code_graph_indexer.storage").joinpath("sqlite.sql").read_text(encoding="utf-8")
    tables = re.findall(r"^create table \w+ \((.*?)^\)", ddl, re.MULTILINE | re.DOTALL)
    columns = {
        name for table in tables for name in re.findall(r"^\s+(\w+) (?:integer|text|blob|any|real)\b", table, re.M)
    }
    assert len(columns) > 40
    # Two codes, which stand for values, a number that queries name `count`, and what `qualified_name` is made of.
    assert columns - set(COLUMNS) <= {"kind_code", "confidence_code", "block", "scope"}


@pytest.mark.parametrize(
    "parents", [{1: 1}, {1: 2, 2: 1}, {5: 4, 4: 3, 3: 2, 2: 4}, {number: (number + 1) % 99 for number in range(99)}]
)
def test_what_is_a_part_of_itself_is_refused(parents: dict[int, int]) -> None:
    with pytest.raises(UnsoundError, match="is a part of itself"):
        refuse_circles(parents)


def test_a_deep_chain_is_no_circle() -> None:
    refuse_circles({number: number + 1 for number in range(100_000)})


@pytest.mark.parametrize("text", ["", "-1", "1e9", "0x1", "9" * 5_000, "many"])
def test_a_fact_that_is_no_number_is_the_default(text: str) -> None:
    assert meta_number({"dimensions": text}, "dimensions", 7) == 7


@pytest.mark.parametrize(("text", "number"), [("0", 1_600), ("99", 1_600), ("100", 100)])
def test_a_size_of_chunks_that_cuts_no_text_is_the_default(text: str, number: int) -> None:
    assert meta_number({"max_chunk_size": text}, "max_chunk_size", 1_600) == number
