"""Answers on functions of several hundred lines, on who calls them, and on names that do not exist."""

from collections.abc import Iterator

import pytest

from code_graph_indexer import CodeIndexer
from tests.explore.test_tour import numbers
from tests.indexing.repository import write_tree

STEPS = "\n".join(f"    case OP_step_{n}:\n        push(frame, {n});\n        break;" for n in range(150))
MACHINE = (
    "void push(struct frame *frame, int value) {\n    frame->top = value;\n}\n\n"
    "void freeze_ledger(struct frame *frame, int value) {\n    frame->top = -value;\n}\n\n"
    "int run_frame(struct frame *frame, int op) {\n    switch (op) {\n"
    f"{STEPS}\n"
    "    case OP_freeze_one:\n        freeze_ledger(frame, 1);\n        return 7;\n    }\n    return 0;\n}\n\n"
    "int start_frame(struct frame *frame) {\n    return run_frame(frame, 1);\n}\n"
)
FREEZE = MACHINE[: MACHINE.index("case OP_freeze_one")].count("\n") + 1
START = MACHINE[: MACHINE.index("int start_frame")].count("\n") + 1


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = tmp_path_factory.mktemp("machine")
    ledger = "class Ledger:\n    def store_entry(self):\n        return 1\n\n    def close(self):\n        return 2\n"
    write_tree(root, {"machine.c": MACHINE, "ledger.py": ledger, "huge.c": "int huge(void) { return 1; }\n" * 900})
    with CodeIndexer(root, workers=1, max_file_size=len(MACHINE) + 1) as opened:
        opened.index()
        yield opened


pytestmark = pytest.mark.slow


def test_callees_that_few_others_call_come_before_those_that_are_called_from_everywhere(machine: CodeIndexer) -> None:
    text = machine.explore("run_frame").text
    callees = text[text.index("## run_frame calls\n") :].splitlines()[1:3]
    assert [line.split()[1].partition("(")[0] for line in callees] == ["freeze_ledger", "push"]
    assert FREEZE + 1 in numbers(text, "machine.c")


def test_callees_are_chosen_by_the_further_words_of_a_question(machine: CodeIndexer) -> None:
    text = machine.explore("what does run_frame call to push a value?").text
    callees = text[text.index(" calls ") :].splitlines()[1:3]
    assert [line.split()[1].partition("(")[0] for line in callees] == ["push", "freeze_ledger"]


def test_the_branch_of_a_name_in_the_question_is_quoted(machine: CodeIndexer) -> None:
    text = machine.explore("what does run_frame return for OP_freeze_one of a frame?").text
    assert {FREEZE, FREEZE + 1, FREEZE + 2} <= set(numbers(text, "machine.c"))


def test_callers_come_before_the_body_of_what_they_call(machine: CodeIndexer) -> None:
    text = machine.explore("who calls run_frame?").text
    assert numbers(text, "machine.c")[:2] == [START, START + 1]
    assert len(numbers(text, "machine.c")) < 12


def test_beside_an_unknown_member_stand_those_of_its_class(machine: CodeIndexer) -> None:
    text = machine.explore("Ledger.store_entries").text
    nearest = text[text.index("## Nearest") :].splitlines()[1:4]
    assert [line.split()[1].partition("(")[0] for line in nearest] == ["Ledger", "Ledger.store_entry", "Ledger.close"]


def test_a_name_that_nothing_is_like_gets_no_neighbours_but_the_files_that_were_not_read(machine: CodeIndexer) -> None:
    text = machine.explore("zzzznothing").text
    assert "## Nearest" not in text
    assert "Nothing in the index is like this name" in text
    assert "huge.c is not in the index: too large" in text
