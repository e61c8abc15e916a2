"""What people and programs are shown: shaped in one place, free of what steers a terminal."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer import render
from code_graph_indexer.graph.results import CallPaths, Impact, Reach, Step
from code_graph_indexer.indexing.run import IndexReport
from code_graph_indexer.results import Certainty, FileOutline, OpenSite, Symbol
from code_graph_indexer.retrieval.results import RetrievedContext, SignalRank

REPORT = IndexReport(
    files=3,
    changed=3,
    removed=0,
    lines=1_200,
    chunks=40,
    edges={"calls": 7, "child_of": 37},
    references={"unresolved": 5, "resolved": 7},
    skipped={"binary": 2},
    full=True,
    seconds=0.5,
)
RESULT = RetrievedContext(
    node_id=1,
    file_path="a/b.py",
    content="\n".join(f"line {number}" for number in range(5, 25)) + "\n",
    score=0.03,
    type="function",
    start_line=5,
    end_line=24,
    name="f",
    qualified_name="a.b.f",
    signals=(SignalRank("words", 2, 7.5, 0.0161), SignalRank("test", 0, 0.7, -0.0048)),
)
SYMBOL = Symbol(9, "function", "f", "a.b.f", "def f(x)", "First.\n\nSecond.", "a/b.py", 5, 24, "python")
CONTROLS = st.text(alphabet=st.sampled_from("a\x00\x07\x1b\x7f\x85\x9b\u202e\u2066\n\t é"))


def test_a_full_build_says_what_was_done() -> None:
    assert render.report(REPORT, "x.db").splitlines() == [
        "indexed 3 files, 1,200 lines in 0.5 s (2,400 lines/s)",
        "  40 chunks; edges: 37 child_of, 7 calls",
        "  calls: 7 resolved, 5 unresolved",
        "  skipped: 2 binary",
        "  x.db",
    ]


def test_an_update_says_what_changed_and_when_nothing_did() -> None:
    updated = replace(REPORT, full=False, changed=1, removed=2)
    assert render.report(updated, "x.db").startswith("updated: 1 changed, 2 removed (0.50 s)\n")
    assert render.report(replace(updated, changed=0, removed=0), "x.db").startswith("up to date: 3 files (0.50 s)\n")


def test_a_snippet_is_numbered_and_says_what_it_leaves_out() -> None:
    lines = render.results([RESULT]).splitlines()
    assert lines[0] == "1. a/b.py:5-24  function a.b.f"
    assert lines[1] == "      5 line 5"
    assert len(lines) == 2 + render.SNIPPET_LINES
    assert lines[-1].strip() == "… 8 more lines"
    assert "more lines" not in render.results([RESULT], full=True)


def test_a_snippet_shows_the_lines_that_hold_the_words_of_the_query() -> None:
    lines = render.results([RESULT], "line 22").splitlines()
    assert lines[1:5] == ["      5 line 5", "      6 line 6", "      7 line 7", "        … 7 more lines"]
    assert "     22 line 22" in lines
    assert len(lines) == 3 + render.SNIPPET_LINES
    assert lines[-1].strip() == "… 1 more line"


def test_a_long_line_is_cut_with_a_mark() -> None:
    text = "x" * (render.LINE_LENGTH + 1)
    lines = render.results([replace(RESULT, content=f"{text[1:]}\n{text}\n")]).splitlines()
    assert lines[1].endswith("x")
    assert lines[2].endswith("x …")


def test_a_score_is_explained_by_what_each_signal_and_penalty_added() -> None:
    line = render.results([RESULT], explain=True).splitlines()[1]
    assert line.strip() == "score 0.0300 = words #2 (+0.0161), test (-0.0048)"


def test_a_stale_result_says_so() -> None:
    assert "[changed on disk since]" in render.results([replace(RESULT, stale=True)])


def test_nothing_found_says_what_to_try() -> None:
    assert "try other words" in render.results([])


def test_a_symbol_has_place_signature_and_doc() -> None:
    assert render.symbols([SYMBOL]) == "a/b.py:5-24  function a.b.f\n    def f(x)\n      First.\n      Second."


@pytest.mark.parametrize(
    ("direction", "site"),
    [("callers", "a/b.py:30  a.b.f  (0.95)"), ("callees", "a/b.py:30 → a/b.py:5  a.b.f  (0.95)")],
)
def test_what_is_reached_says_where_how_sure_and_what_is_not_known(direction: str, site: str) -> None:
    answer = Reach(SYMBOL, (Step(SYMBOL, "calls", "a/b.py", 30, 0.95),), Certainty(1, 2, 3, 4, True))
    assert render.reach([answer], direction=direction).splitlines() == [
        f"{direction} of function a.b.f  a/b.py:5",
        f"  {site}",
        "  = 1 proven, 2 guessed by name, 3 only by dynamic dispatch, "
        "4 call sites unresolved (outside the index, or not known), cut off by a limit",
    ]


def test_steps_are_indented_by_depth_and_marked_where_dispatch_decides() -> None:
    step = Step(SYMBOL, "inherits", "a/b.py", 30, 0.9, depth=2, may=True)
    assert render.reach([Reach(SYMBOL, (step,), Certainty())], direction="callers").splitlines()[1] == (
        "    a/b.py:30  a.b.f  (0.90, may, inherits)"
    )


def test_a_step_that_the_build_decides_is_marked_and_counted_apart() -> None:
    step = Step(SYMBOL, "calls", "a/b.py", 30, 0.8, alternative=True)
    answer = Reach(SYMBOL, (step,), Certainty(guessed=1, alternative=1))
    assert render.reach([answer], direction="callers").splitlines()[1:] == [
        "  a/b.py:30  a.b.f  (0.80, alternative)",
        "  = 0 proven, 1 dependent on the build, 1 guessed by name",
    ]
    paths = render.paths(CallPaths(SYMBOL, SYMBOL, ((step,),), Certainty(alternative=1))).splitlines()
    assert paths[2:] == ["  a/b.py:30  → a.b.f  (0.80, alternative)", "  = 0 proven, 1 dependent on the build"]


def test_the_same_callers_of_another_definition_are_listed_once() -> None:
    unix, win = (
        replace(SYMBOL, chunk_id=chunk_id, file_path=f"{name}.c") for chunk_id, name in ((1, "unix"), (2, "win"))
    )
    step = Step(SYMBOL, "calls", "a/b.py", 30, 0.8, alternative=True)
    answers = [Reach(symbol, (step,), Certainty(alternative=1)) for symbol in (unix, win)]
    blocks = render.reach(answers, direction="callers").split("\n\n")
    assert blocks[1].splitlines()[2:] == ["  the same as for unix.c:5, above", "  = 0 proven, 1 dependent on the build"]


def test_nothing_reached_is_said_to_be_none_known() -> None:
    assert "none known" in render.reach([Reach(SYMBOL, (), Certainty())], direction="callers")


def test_an_empty_diff_is_said_to_change_nothing() -> None:
    assert render.impact(Impact((), (), (), Certainty())) == "nothing changed"


def test_an_impact_lists_what_is_affected_by_distance_and_the_tests_apart() -> None:
    test = replace(SYMBOL, qualified_name="tests.t", file_path="tests/t.py", is_test=True)
    steps = (Step(SYMBOL, "calls", "a/b.py", 30, 0.95, 2, via="x"), Step(test, "calls", "tests/t.py", 3, 0.95, 1))
    lines = render.impact(Impact((SYMBOL,), steps, ("tests/t.py",), Certainty(2), ("gone.py",))).splitlines()
    assert lines == [
        "changed:",
        "  function a.b.f  a/b.py:5",
        "  gone.py  (no definition of the index)",
        "affected, 2 steps away: 1",
        "  a/b.py:30  a.b.f  (0.95)  via x",
        "tests to run, likeliest first: 1",
        "  tests/t.py",
        "  = 2 proven",
    ]


def test_long_parts_of_an_impact_are_cut_and_counted() -> None:
    steps = tuple(Step(replace(SYMBOL, chunk_id=i), "calls", "a/b.py", i, 0.95, 1, via="x") for i in range(60))
    sites = tuple(OpenSite("c.py", i, "f", "", "python", False, i == 0) for i in range(2))
    impact = Impact((SYMBOL,), steps, (), Certainty(60), removed=("a/b.py:old",), open_sites=sites)
    text = render.impact(impact, tests=False, limit=40)
    assert "  a/b.py:old  (removed)" in text
    assert "  … and 20 more (--all lists them)" in text
    assert text.count("by its name") == 1
    assert "tests to run" not in text
    assert "no test is known" not in text


def reaches(steps: int, definitions: int) -> list[Reach]:
    """Return the callers of some definitions, each with as many steps."""
    step = Step(SYMBOL, "calls", "a/b.py", 30, 0.95)
    return [Reach(SYMBOL, (step,) * steps, Certainty(steps))] * definitions


def test_every_list_of_a_text_is_cut_at_the_limit_and_says_what_is_left_out() -> None:
    text = render.reach(reaches(steps=9, definitions=5), direction="callers", limit=2)
    assert text.count("callers of") == 2
    assert text.count("  a/b.py:30") == 4
    assert text.count("  … and 7 more (--all lists them)") == 2
    assert text.endswith("\n… and 3 more (--all lists them)")
    assert text.count("= 9 proven") == 2


def test_every_list_of_json_is_cut_at_the_limit_and_counts_what_is_left_out() -> None:
    printed = json.loads(render.listing("callers", 2, name="f", definitions=reaches(steps=9, definitions=5)))
    assert [len(definition["steps"]) for definition in printed["definitions"]] == [2, 2]
    assert printed["left_out"] == 3 + 2 * 7
    whole = json.loads(render.listing("callers", None, name="f", definitions=reaches(steps=9, definitions=5)))
    assert [len(definition["steps"]) for definition in whole["definitions"]] == [9] * 5
    assert whole["left_out"] == 0
    assert json.loads(render.listing("tree", 1, files={"a": 1, "b": 2})) == {
        "command": "tree",
        "files": {"a": 1},
        "left_out": 1,
    }


@given(st.integers(0, 300), st.integers(1, 400))
def test_a_listing_is_as_long_as_fits(entries: int, width: int) -> None:
    lines = [f"{number:>{width}}" for number in range(entries)]
    text = render.bounded(lambda most: "\n".join(lines[:most]), None)
    shown = len(text.splitlines())
    assert len(text) <= render.MAX_LISTING
    assert shown == min(entries, render.MAX_ENTRIES, (render.MAX_LISTING + 1) // (max(width, 3) + 1)) or width < 3
    assert render.bounded(lambda most: "\n".join(lines[:most]), 5) == "\n".join(lines[:5])
    assert render.bounded(lambda most: "\n".join(lines[:most]), 5, everything=True) == "\n".join(lines)


def test_one_entry_is_shown_however_long_it_is() -> None:
    assert render.bounded(lambda most: "x" * render.MAX_LISTING * (most or 9), None) == "x" * render.MAX_LISTING
    assert len(render.bounded(lambda most: "xy" * render.MAX_LISTING * (most or 9), None)) == 2 * render.MAX_LISTING


def test_an_outline_indents_what_is_inside() -> None:
    inner = replace(SYMBOL, chunk_id=10, name="g", signature="def g()", start_line=7, end_line=8)
    text = render.outline(FileOutline("a/b.py", (SYMBOL, inner), {9: 0, 10: 1}))
    assert text.splitlines() == ["a/b.py", "     5-24     function def f(x)", "     7-8        function def g()"]


def test_a_tree_counts_what_it_does_not_show() -> None:
    files = {"a/b/c.py": 10, "a/d.py": 5, "e.py": 1}
    assert render.tree(files, depth=1).splitlines() == ["a/  (2 files, 15 lines)", "e.py  (1 lines)"]
    assert render.tree(files, depth=3).splitlines() == [
        "a/  (2 files, 15 lines)",
        "  b/  (1 files, 10 lines)",
        "    c.py  (10 lines)",
        "  d.py  (5 lines)",
        "e.py  (1 lines)",
    ]


@given(CONTROLS)
def test_cleaned_text_keeps_lines_and_letters_alone(text: str) -> None:
    assert set(render.clean(text)) <= set("a\n\t é")
    assert render.clean(text).count("\n") == text.count("\n")


@given(CONTROLS)
def test_json_escapes_what_steers_a_terminal_and_loses_nothing(text: str) -> None:
    text_of_json = render.to_json("search", query=text)
    assert not set(text_of_json) & set("\x00\x07\x1b\x7f\x85\x9b\u202e\u2066\t")
    assert json.loads(text_of_json) == {"command": "search", "query": text}


def test_records_become_plain_objects_all_the_way_down() -> None:
    plain = json.loads(render.to_json("search", results=[RESULT]))
    assert plain["results"][0]["signals"][0] == {"signal": "words", "rank": 2, "score": 7.5, "contribution": 0.0161}
