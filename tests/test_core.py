"""The core stays in a head: what `scripts/count_core.py` counts does not grow again."""

import runpy
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
COUNT: dict[str, Any] = runpy.run_path(str(REPOSITORY / "scripts" / "count_core.py"))

MAX_PART = 450
"""Most lines of a part of the inference."""

MOST_WAYS, BRANCHED = 26, 9
"""The ways through the most branched function of the core, and how many of its functions have too many."""

BARS = {
    "fields of Language": 130,
    "keys set by one language only": 43,
    "lines of the longest class": 450,
    "late imports of own modules": 15,
}
"""The figures that were reached. A change may lower them, and then lowers its bar here."""


@pytest.mark.parametrize("name", BARS)
def test_the_core_grows_no_heavier(name: str) -> None:
    assert COUNT["figures"](REPOSITORY)[name] <= BARS[name]


def test_functions_of_the_core_branch_no_more() -> None:
    ways = [size.figure for size in COUNT["functions"](REPOSITORY, COUNT["CORE"])]
    assert max(ways) <= MOST_WAYS
    assert sum(figure > COUNT["MANY_BRANCHES"] for figure in ways) <= BRANCHED


def test_no_part_of_the_inference_is_longer_than_a_reader_follows() -> None:
    parts = ("infer", "names", "members", "calls", "passing", "generics", "declared", "evaluator")
    sizes = [
        size for size in COUNT["classes"](REPOSITORY) if size.place.startswith(tuple(f"resolve/{p}.py" for p in parts))
    ]
    assert sizes
    assert [size for size in sizes if size.figure > MAX_PART] == []


def test_ways_are_counted_as_mccabe_does(tmp_path: Path) -> None:
    source = "def f(a):\n    if a and a.b:\n        return [x for x in a if x]\n    return 1 if a else 2\n"
    path = tmp_path / "code_graph_indexer" / "f.py"
    path.parent.mkdir()
    path.write_text(source, encoding="utf-8")
    # The function, `if`, `and`, the comprehension and its condition, and the choice.
    assert [size.figure for size in COUNT["functions"](tmp_path)] == [6]
