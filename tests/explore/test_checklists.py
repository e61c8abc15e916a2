"""Checklists for adding another of a kind: every place that lists the example, and little of what only mentions it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.explore.test_tour import numbers
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

PARROT = "package parrot\n\n// Parrot speaks.\ntype Parrot struct{}\n\n" + "".join(
    f'func (p *Parrot) Say{n}() string {{\n\treturn call("parrot", {n})\n}}\n\n' for n in range(30)
)
FILES = {
    "go.mod": "module zoo\n",
    "usage.py": 'USAGE = """\n  --wingspan  the width\n"""\n\n\ndef read(option):\n    return option == "--wingspan"\n',
    "kinds.rs": "/// Birds\npub enum Kind {\n    /// A parrot speaks.\n    Parrot,\n}\n",
    "birds/parrot/parrot.go": PARROT,
    "birds/parrot/parrot_test.go": PARROT.replace("Say", "TestSay"),
    "birds/rates.go": 'package birds\n\nvar rates = map[string]int{\n\t"parrot": 20,\n}\n',
    "config/kinds.go": 'package config\n\nconst (\n\tParrotKind = "parrot"\n)\n',
    "commands/fly.go": 'package commands\n\nfunc flyCommand() Command {\n\treturn Command{\n\t\tName: "fly",\n\t}\n}\n',
    "commands/all.go": "package commands\n\nfunc All() []Command {\n\treturn []Command{\n\t\tflyCommand(),\n\t}\n}\n",
    "tasks/Task.java": "package tasks;\n\npublic interface Task {\n    String title();\n\n    void run();\n}\n",
    **{
        f"tasks/{name}Task.java": f"package tasks;\n\npublic class {name}Task implements Task {{\n"
        f'    public String title() {{\n        return "{name}";\n    }}\n\n    public void run() {{\n    }}\n}}\n'
        for name in ("Feed", "Clean", "Count", "Close")
    },
    "app/Plan.java": "package app;\n\nimport java.util.List;\nimport tasks.Task;\n\nclass Plan {\n"
    "    void start(List<Task> all) {\n        all.forEach(Task::run);\n    }\n\n    Task last;\n}\n",
    "keeper.py": "def feed(bird):\n    if bird.tame:\n        give(bird)\n\n\ndef give(bird):\n"
    '    raise ValueError("there are no more seeds")\n',
    "codes.h": "CODE(halt_slow, 3)\nCODE(halt_quickly, 4)\n",
    "codes.c": 'enum code {\n#define CODE(id, size) CODE_ ## id,\n#include "codes.h"\n};\n\n'
    "int run(int code) {\n    switch (code) {\n    case CODE_halt_quickly:\n        return 4;\n    }\n    return 0;\n}\n",
    **{f"docs/guide.{language}.md": "# Birds\n\nA parrot speaks.\n" for language in ("de", "fr", "it", "ja", "pt")},
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = tmp_path_factory.mktemp("zoo")
    write_tree(root, FILES)
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        yield opened


def listed(indexer: CodeIndexer, query: str) -> list[str]:
    """Return the places in the first list of an answer."""
    text = indexer.explore(query).text
    return text[text.index("\n## ") + 1 :].partition("\n\n")[0].splitlines()[1:]


def test_the_file_of_the_example_comes_once_and_behind_what_lists_it(zoo: CodeIndexer) -> None:
    places = [place.split()[0].partition(":")[0] for place in listed(zoo, "where do I add a bird, such as parrot?")]
    assert set(places[:3]) == {"birds/rates.go", "config/kinds.go", "kinds.rs"}
    assert places[3] == "birds/parrot/parrot.go"
    assert places.count("birds/parrot/parrot.go") == 1


def test_a_line_of_code_below_a_comment_is_the_place_and_a_line_of_help_is_no_comment(zoo: CodeIndexer) -> None:
    assert "kinds.rs:4  Parrot," in listed(zoo, "where do I add a bird, such as parrot?")
    assert any(place.startswith("usage.py:2") for place in listed(zoo, "where do I add an option, such as --wingspan?"))


def test_documents_that_repeat_one_another_are_counted(zoo: CodeIndexer) -> None:
    places = listed(zoo, "where do I add a bird, such as parrot?")
    assert sum(place.startswith("docs/") for place in places) == 3
    assert "and 2 more documents" in places


def test_an_example_with_any_mark_is_looked_for_without_it_and_leads_to_what_registers_it(zoo: CodeIndexer) -> None:
    text = zoo.explore("where do I add a command, such as /fly?").text
    assert "commands/fly.go:5" in text
    assert "## Callers of commands.flyCommand\ncommands/all.go:5" in text


@pytest.mark.parametrize("query", ["where do I add a code, such as CODE_halt_quickly?", "CODE_halt_quickly"])
def test_a_name_that_a_macro_pastes_together_is_listed_where_its_end_is_written(zoo: CodeIndexer, query: str) -> None:
    places = listed(zoo, query)
    assert any(place.startswith("codes.h:2") for place in places)
    assert not any(place.startswith("codes.h:1") for place in places)


def test_a_class_is_added_beside_others_that_implement_the_same_and_are_collected(zoo: CodeIndexer) -> None:
    text = zoo.explore("where do I add another task, such as `CleanTask`?").text
    assert "## Task is implemented by 4, and is used outside of them by\napp/Plan.java:7  app.Plan.start\n" in text
    assert {4, 6} <= set(numbers(text, "tasks/Task.java"))
    assert {5, 8} <= set(numbers(text, "tasks/CleanTask.java"))
    assert {7, 8} <= set(numbers(text, "app/Plan.java"))
    assert not numbers(text, "tasks/FeedTask.java")


def test_a_caller_is_shown_with_the_condition_of_its_call(zoo: CodeIndexer) -> None:
    assert numbers(zoo.explore("who calls give, and in which case?").text, "keeper.py")[:3] == [1, 2, 3]


def test_a_message_that_a_question_quotes_is_looked_up_before_the_change_that_it_asks_for(zoo: CodeIndexer) -> None:
    query = "It ends with `there are no more seeds`. What does it check, and would another `bird_feeder` change what it says?"
    text = zoo.explore(query).text
    assert text.index("## Lines that hold there are no more seeds\nkeeper.py:7") < len(text) / 2
    assert "no definition" not in text


@pytest.mark.slow
def test_labels_above_one_another_open_one_branch(tmp_path: Path) -> None:
    branch = "".join(f"      step({number});\n" for number in range(9))
    (tmp_path / "peg.c").write_text(
        f"void run(int rule) {{\n  switch (rule) {{\n    case RULE_THRU:\n    case RULE_TO: {{\n{branch}      break;\n    }}\n"
        + "".join(f"    case {number}:\n      other();\n      break;\n" for number in range(9))
        + "  }\n}\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("where do I add another rule, such as RULE_THRU?").text
    assert set(range(3, 15)) <= set(numbers(text, "peg.c"))
