"""Each case is a text file with code whose lines say which uses they have: `//= reads Name=Person.Name`, `#= none`.

A line `=== path` begins a file. A mark lists all reads, writes and types of its line that lead somewhere. Lines without a
mark may have any.
"""

import re
from pathlib import Path

import pytest

from tests.resolve.test_uses import indexed_uses

pytestmark = pytest.mark.slow

CASES = sorted((Path(__file__).parent / "uses").glob("*.txt"))

MARK = re.compile(r"[ \t]*(?://|#)= (.*)$", re.MULTILINE)

USES = ("reads", "writes", "types")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_uses_lead_where_the_case_says(case: Path, tmp_path: Path) -> None:
    parts = re.split(r"(?m)^=== (\S+)\n", case.read_text(encoding="utf-8"))[1:]
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    expected = {
        (path, number): sorted(mark[1].split(", ")) if mark[1] != "none" else []
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
    }
    rows = indexed_uses(tmp_path, {path: MARK.sub("", text) for path, text in files.items()})
    actual = {
        (path, number): sorted(
            f"{row[3]} {row[2]}={row[4]}" for row in rows if row[:2] == (path, number) and row[3] in USES
        )
        for path, number in expected
    }
    assert expected
    assert actual == expected
