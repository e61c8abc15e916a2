"""Each file of tests/resolve/cases shows where its calls lead."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.resolve.cases import CASES, differences, index_case, read_case, write_case

pytestmark = pytest.mark.slow

FILES = sorted(CASES.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_calls_lead_where_the_case_says(file: Path, tmp_path: Path, update_golden: bool) -> None:
    text = file.read_text(encoding="utf-8")
    expected = read_case(text)
    actual = index_case(expected, tmp_path)
    if update_golden:
        file.write_text(write_case(actual), encoding="utf-8")
        return
    assert not differences(expected, actual), f"{file.name}\n" + "\n".join(differences(expected, actual))
    assert write_case(expected) == text, "run --update-golden: the case is not written as the runner writes it"


EXAMPLE = """\
A call leads to the method of its own class.

=== shapes.py
class Store:
    def load(self): ...

    def reload(self):
        self.load()  # -> shapes.Store.load 0.95
        unknown()  # -> none
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("shapes.Store.load", "shapes.Store.save", "expected shapes.Store.save 0.95, got shapes.Store.load 0.95"),
        ("load 0.95", "load 0.9", "expected shapes.Store.load 0.9, got shapes.Store.load 0.95"),
        ("shapes.Store.load 0.95", "none", "expected none, got shapes.Store.load 0.95"),
        ("  # -> shapes.Store.load 0.95", "", "expected no call, got shapes.Store.load 0.95"),
        ("self.load()", "pass", "expected shapes.Store.load 0.95, got no call"),
    ],
)
def test_a_wrong_mark_is_told_with_file_line_and_both_answers(
    tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    case = read_case(EXAMPLE.replace(right, wrong))
    assert differences(case, index_case(case, tmp_path)) == [f"shapes.py:5: {message}"]


def test_a_case_is_written_as_it_is_read(tmp_path: Path) -> None:
    case = read_case(EXAMPLE)
    assert write_case(case) == EXAMPLE
    assert not differences(case, index_case(replace(case, marks={}), tmp_path))
