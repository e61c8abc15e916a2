"""The bench of agents counts a line as seen only if a reply names its path and number."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS / "bench"))
BENCH: dict[str, Any] = runpy.run_path(str(SCRIPTS / "bench" / "bench_agents.py"))
AGENTS: dict[str, Any] = runpy.run_path(str(SCRIPTS / "bench" / "scripted_agents.py"))
PREPARE: dict[str, Any] = runpy.run_path(str(SCRIPTS / "prepare" / "prepare_agents.py"))
FIXTURES = SCRIPTS.parent / "fixtures" / "agents"
PATHS = frozenset({"a.py", "src/b.py"})

FUNCTIONS = """\
import os


def first(value):
    if value:
        second(value)
    return value


class Cart:
    def total(
        self,
        tax,
    ):
        return sum(tax)
"""

BRACES = """\
static int one_more(int value)
{
  if (value > 0) {
    value += step(value);
  }
  return value;
}

class Cart {
  public int total(int tax) {
    return sum(tax);
  }
}
"""


def share(reply: str, *places: str) -> float:
    """Return the share of places that a reply shows."""
    return float(BENCH["score"]([reply], [[BENCH["parse_place"](place) for place in places]], PATHS).share)


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        ("a.py:3: x = 1", 3),
        ("a.py\n3:x = 1\n4-y = 2", 4),
        ("### a.py (2 lines)\n3\tx = 1\n", 3),
        ("calls: `a.py:3`, src/b.py:9", 3),
        ("a.py:3-9 f", 3),
    ],
)
def test_a_line_is_seen_by_its_path_and_number(reply: str, line: int) -> None:
    assert share(reply, f"a.py:{line}") == 1


@pytest.mark.parametrize(
    "reply",
    [
        "a.py:4: x = 1",
        "3\tx = 1",
        "src/b.py\n3\tx = 1",
        "a.py:3-9 f, whose line 5 is not shown, nor is 4",
        "a.py\n31\tx = 1",
    ],
)
def test_a_wrong_path_or_number_is_not_seen(reply: str) -> None:
    assert share(reply, "a.py:5", "a.py:4,6" if ":4" not in reply else "a.py:7") == 0


def test_a_whole_file_that_is_read_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(FUNCTIONS, encoding="utf-8")
    reply = AGENTS["Tree"](tmp_path, "^tests/").read("a.py", 1, len(FUNCTIONS.splitlines()))
    assert share(reply, *(f"a.py:{number}" for number in range(1, 15))) == 1


def test_a_range_needs_any_of_its_lines_and_a_file_its_name() -> None:
    assert share("a.py:5", "a.py:3-9", "src/b.py") == 0.5
    assert share("a.py:2 and src/b.py", "a.py:3-9", "src/b.py") == 0.5


def test_the_best_alternative_counts_up_to_its_last_place() -> None:
    alternatives = [[BENCH["parse_place"](place)] for place in ("a.py:1", "src/b.py:2")]
    score = BENCH["score"](["nothing\n", "src/b.py:2\n", "a.py:9\n"], alternatives, PATHS)
    assert score == (1.0, 2, len("nothing\nsrc/b.py:2\n"), 1.0)


def test_what_stands_behind_the_budget_is_not_read() -> None:
    transcript = AGENTS["Transcript"](10)
    assert transcript.append("123456") == "123456"
    assert transcript.append("7890123") == "7890"
    assert not transcript.is_open
    assert BENCH["cut"](["123456", "7890", "12"], 8) == ["123456", "78"]


@pytest.mark.parametrize(
    ("text", "line", "block"),
    [
        (FUNCTIONS, 6, ("first", 4, 7)),
        (FUNCTIONS, 15, ("total", 11, 15)),
        (FUNCTIONS, 1, None),
        (BRACES, 4, ("one_more", 1, 7)),
        (BRACES, 11, ("total", 10, 12)),
    ],
)
def test_the_function_around_a_line_is_found_by_indent(
    text: str, line: int, block: tuple[str, int, int] | None
) -> None:
    assert AGENTS["block_at"](text.splitlines(), line) == block


def test_chains_become_flows_with_signatures_and_calls() -> None:
    functions = [("a.py", 1, "start"), ("a.py", 5, "middle"), ("b.py", 2, "end")]
    chain = [(function, line) for function, line in zip(functions, (3, 6, 0), strict=True)]
    (task,) = PREPARE["flow_tasks"]("x", 5, [chain], re.compile("py$"))
    assert task["text"] == "start -> end"
    assert task["needed"] == [["a.py:1", "a.py:5", "b.py:2", "a.py:3", "a.py:6"]]


def test_a_test_begins_at_the_marks_above_it() -> None:
    text = "import x\n\n@mark(\n    1)\ndef test_one():\n    pass\n\ndef test_two():\n    pass\n"
    head = re.compile(r"^def (test\w*)")
    assert PREPARE["test_functions"](text, head) == [("test_one", 3, 7), ("test_two", 8, 10)]


def test_the_tasks_are_many_and_hold_places_only() -> None:
    repositories = json.loads((FIXTURES / "repositories.json").read_text(encoding="utf-8"))
    tasks = json.loads((FIXTURES / "tasks.json").read_text(encoding="utf-8"))
    parts = [repositories[task["repository"]]["set"] for task in tasks]
    assert len(tasks) >= 150
    assert parts.count("held-out") >= 100
    assert len({task["id"] for task in tasks}) == len(tasks)
    assert all(BENCH["parse_place"](place).path for task in tasks for places in task["needed"] for place in places)


def test_the_tree_of_a_change_has_the_tests_of_the_commit_and_the_code_to_commit(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        return str(BENCH["git"](tmp_path, *arguments))

    git("init", "--quiet")
    for text in ("1", "2"):
        (tmp_path / "code.py").write_text(text, encoding="utf-8")
        (tmp_path / "test.py").write_text(text, encoding="utf-8")
        git("add", ".")
        git("commit", "--quiet", "-m", text)
    commit = git("rev-parse", "HEAD").strip()
    BENCH["lay_out"](tmp_path, {"kind": "tests", "commit": commit, "code": ["code.py"]}, "")
    assert git("diff", "--name-only", "HEAD").split() == ["code.py"]
    assert git("log", "--format=%s").split("\n")[1:] == ["1", ""]
    assert (tmp_path / "code.py").read_text() == (tmp_path / "test.py").read_text() == "2"


@pytest.mark.slow
def test_without_ripgrep_the_script_says_what_it_needs(tmp_path: Path) -> None:
    command = ["/usr/bin/env", f"PATH={tmp_path}", sys.executable, str(SCRIPTS / "bench" / "bench_agents.py")]
    done = subprocess.run(
        [*command, "--repos", str(tmp_path), "--work", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "ripgrep" in done.stderr


@pytest.mark.slow
def test_the_recorder_writes_the_chains_that_tests_execute(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    lines = ["def total():", "    return [", "        tax(1)", "        for _ in range(1)", "    ]", ""]
    lines += [
        "def tax(amount):",
        "    return round_up(amount)",
        "",
        "@staticmethod",
        "def round_up(amount):",
        "    return amount",
    ]
    (tmp_path / "shop" / "cart.py").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(
        "from shop.cart import total\n\ndef test_total():\n    total()\n", encoding="utf-8"
    )
    command = [sys.executable, str(SCRIPTS / "oracles" / "record_flows.py"), "shop", "flows.jsonl", "--"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    arguments = ["-q", "-p", "no:cacheprovider", "--assert=plain"]
    subprocess.run([*command, *arguments], cwd=tmp_path, check=True, capture_output=True, env=environment)
    (chain,) = map(json.loads, (tmp_path / "flows.jsonl").read_text().splitlines())
    assert chain == [
        ["shop/cart.py", 1, "total", 3],
        ["shop/cart.py", 7, "tax", 8],
        ["shop/cart.py", 11, "round_up", 0],
    ]
