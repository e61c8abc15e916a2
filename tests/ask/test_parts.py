"""The tree of a code base, the judgement by words, and follow-up questions."""

from dataclasses import replace

import pytest

from code_graph_indexer import Turn, generate_codebase_tree
from code_graph_indexer.ask.conversation import standalone
from code_graph_indexer.ask.judge import Decision, evaluate
from code_graph_indexer.words import estimate_tokens
from tests.ask.sources import PARSE, SPLIT

PATHS = ["README.md", "src/app.py", "src/db/store.py", "src/db/sql/v1/deep.sql", "node_modules/left/pad.js"]


def test_the_tree_shows_folders_and_files_to_a_depth() -> None:
    assert generate_codebase_tree(PATHS, max_depth=3).split("\n") == [
        "README.md",
        "src/",
        "  app.py",
        "  db/",
        "    store.py",
        "    … 1 files deeper",
    ]


def test_a_large_folder_is_given_by_its_types() -> None:
    paths = [f"lib/m{place}.py" for place in range(30)] + [f"lib/t{place}.txt" for place in range(3)]
    assert generate_codebase_tree(paths).split("\n") == ["lib/", "  30 .py files, 3 .txt files"]


def test_the_tree_keeps_to_its_budget() -> None:
    paths = [f"a{place}/b{place}/c{place}/d.py" for place in range(300)]
    assert estimate_tokens(generate_codebase_tree(paths, token_budget=500)) <= 500


@pytest.mark.parametrize(
    ("question", "decision", "missing"),
    [
        ("how is text parsed and split into tokens", Decision.SYNTHESIZE, ()),
        ("how does parse_json read text", Decision.RETRIEVE, ("parse_json",)),
        ("xylophone zebra quagga okapi giraffe", Decision.INSUFFICIENT, ("xylophone", "zebra")),
    ],
)
def test_a_context_is_judged_by_the_words_it_holds(question: str, decision: Decision, missing: tuple[str, ...]) -> None:
    evaluation = evaluate(question, [PARSE, SPLIT])
    assert evaluation.decision is decision
    assert evaluation.missing[: len(missing)] == missing
    assert 0 <= evaluation.confidence <= 1


def test_a_missing_name_is_listed_once() -> None:
    assert evaluate("how does AutoLayout read text", [PARSE]).missing.count("AutoLayout") == 1
    assert "autolayout" not in evaluate("how does AutoLayout read text", [PARSE]).missing


def test_nothing_found_is_to_be_searched_again() -> None:
    assert evaluate("how is text parsed", []).decision is Decision.RETRIEVE


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("who calls it?", "who calls app.Flask.run?"),
        ("what does that method return?", "what does app.Flask.run return?"),
        ("and why?", "and why (app.Flask.run)?"),
        ("who calls Blueprint.register?", "who calls Blueprint.register?"),
        ("how are cookies signed in a session", "how are cookies signed in a session"),
    ],
)
def test_a_follow_up_speaks_of_the_turn_before(question: str, rewritten: str) -> None:
    history = [Turn("old", "old", ("other.thing",)), Turn("what is run?", "It runs.", ("app.Flask.run",))]
    assert standalone(question, history) == rewritten
    assert standalone(question, []) == question


def test_a_turn_without_names_is_looked_past() -> None:
    history = [Turn("what is run?", "It runs.", ("app.Flask.run",)), Turn("thanks", "")]
    assert standalone("who calls it?", history) == "who calls app.Flask.run?"
    assert replace(history[0], names=()).names == ()
