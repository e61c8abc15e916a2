"""The bench of uses judges a name by the definition that it leads to."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer.scip import DEFINITION, message

SCRIPT = Path(__file__).parent.parent / "scripts" / "bench" / "bench_uses.py"
ORACLE = Path(__file__).parent.parent / "scripts" / "oracles" / "scip_uses.py"

TRUTH = """\
a.py\t1\t0\tLIMIT\tdefinition\t\t
a.py\t3\t11\tLIMIT\tuse\tconstant\ta.py:1:LIMIT
a.py\t5\t4\tload\tdefinition\t\t
b.py\t1\t14\tLIMIT\timport\tconstant\ta.py:1:LIMIT
b.py\t2\t4\tprint\toutside\t\t
b.py\t2\t10\tlocal\tlocal\t\t
b.py\t3\t4\tload\tcall\tfunction\ta.py:5:load
"""


@pytest.fixture(scope="module")
def bench() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT), run_name="bench_uses")


def judge(bench: dict[str, Any], folder: Path, *uses: tuple[str, int, int, str, int]) -> Any:
    """Judge uses, each given by path, line, column, and the path and line of its target."""
    table = folder / "uses.tsv"
    table.write_text(TRUTH)
    rows = [
        bench["Use"]("reads", "", path, line, column, 0.95, "", target, target_line)
        for path, line, column, target, target_line in uses
    ]
    return bench["Judge"](rows, bench["Truth"].of_table(table, folder).names)


@pytest.mark.parametrize(
    ("uses", "fates"),
    [
        ([], ["missed", "missed"]),
        ([("a.py", 3, 11, "a.py", 1)], ["right", "missed"]),
        ([("a.py", 3, 11, "a.py", 5)], ["wrong", "missed"]),
        ([("a.py", 3, 11, "a.py", 3)], ["another assignment", "missed"]),
        ([("a.py", 3, 11, "a.py", 9)], ["missed"]),
        ([("a.py", 3, 11, "a.py", 5), ("a.py", 3, 11, "a.py", 1)], ["right", "missed"]),
        ([("b.py", 2, 4, "a.py", 5)], ["missed", "missed", "outside"]),
        ([("b.py", 2, 10, "a.py", 5)], ["missed", "missed", "outside"]),
        ([("a.py", 1, 0, "a.py", 5), ("b.py", 3, 4, "a.py", 1), ("b.py", 9, 0, "a.py", 1)], ["missed", "missed"]),
    ],
)
def test_a_use_is_right_only_at_the_definition_that_the_oracle_names(
    bench: dict[str, Any], tmp_path: Path, uses: list[tuple[str, int, int, str, int]], fates: list[str]
) -> None:
    assert [verdict.fate for verdict in judge(bench, tmp_path, *uses).verdicts()] == fates


def test_a_definition_is_falsely_unused_if_no_use_leads_to_it(bench: dict[str, Any], tmp_path: Path) -> None:
    unread, used = judge(bench, tmp_path).unread()
    assert ([name.name for name in unread], used) == (["LIMIT"], 1)
    assert judge(bench, tmp_path, ("b.py", 9, 0, "a.py", 1)).unread() == ([], 1)


def test_a_truth_is_the_same_when_read_again(bench: dict[str, Any], tmp_path: Path) -> None:
    table, stored = tmp_path / "uses.tsv", tmp_path / "truth.json"
    table.write_text(TRUTH)
    truth = bench["Truth"].of_table(table, tmp_path)
    truth.write(stored)
    assert bench["Truth"].of_json(stored) == truth
    assert json.loads(stored.read_text())["names"][1][:4] == ["a.py", 3, 11, "LIMIT"]


SOURCE = """\
from enum import Enum

LIMIT = 10

class State(Enum):
    OPEN = 1

class Cart:
    def __init__(self):
        self.total = LIMIT

    @property
    def size(self):
        return self.total

def close(cart: Cart, state=State.OPEN):
    return close(cart, state), cart.size
"""

OCCURRENCES = (
    ("LIMIT.", DEFINITION, (3, 0, 5)),
    ("LIMIT.", 0, (10, 21, 26)),
    ("State#", DEFINITION, (5, 6, 11)),
    ("State#", 0, (16, 28, 33)),
    ("State#OPEN.", DEFINITION, (6, 4, 8)),
    ("State#OPEN.", 0, (16, 34, 38)),
    ("Cart#", DEFINITION, (8, 6, 10)),
    ("Cart#", 0, (16, 16, 20)),
    ("Cart#total.", DEFINITION, (10, 13, 18)),
    ("Cart#total.", 0, (14, 20, 25)),
    ("Cart#size().", DEFINITION, (13, 8, 12)),
    ("Cart#size().", 0, (17, 36, 40)),
    ("close().", DEFINITION, (16, 4, 9)),
    ("close().", 0, (17, 11, 16)),
    ("close().(state)", 0, (17, 23, 28)),
    ("Cart#size().", 0, (14, 8, 14)),
)
"""The descriptors, role and range of each occurrence. The last one names what is no name of it, as after `import *`."""


def test_the_oracle_names_role_and_kind_of_what_is_used(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SOURCE)
    document = message("Document")(relative_path="shop.py")
    for descriptors, roles, (line, start, end) in OCCURRENCES:
        symbol = f"scip-python python shop 1 shop/{descriptors}"
        document.occurrences.append(
            message("Occurrence")(range=[line - 1, start, end], symbol=symbol, symbol_roles=roles)
        )
    outside = message("Occurrence")(range=[0, 17, 21], symbol="scip-python python stdlib 3 enum/Enum#")
    document.occurrences.append(outside)
    oracle = runpy.run_path(str(ORACLE), run_name="scip_uses")["Oracle"]
    rows = list(oracle(tmp_path, message("Index")(documents=[document])).rows())
    assert [row[1:] for row in rows if row[4] != "definition"] == [
        (1, 17, "Enum", "outside", "import", ""),
        (10, 21, "LIMIT", "use", "constant", "shop.py:3:LIMIT"),
        (14, 20, "total", "use", "field", "shop.py:10:total"),
        (16, 16, "Cart", "use", "class", "shop.py:8:Cart"),
        (16, 28, "State", "use", "class", "shop.py:5:State"),
        (16, 34, "OPEN", "use", "enum_member", "shop.py:6:OPEN"),
        (17, 11, "close", "call", "function", "shop.py:16:close"),
        (17, 23, "state", "local", "", ""),
        (17, 36, "size", "use", "property", "shop.py:13:size"),
    ]
