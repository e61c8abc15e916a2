"""Citations: found where they are meant, checked against what was given, marked where they do not hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.ask.citations import check_citations
from code_graph_indexer.ask.results import Citation
from tests.ask.sources import PARSE, SPLIT, numbered_lines, source

APP = source("src/app.py", 10, numbered_lines(20, 10))
APP_NEXT = source("src/app.py", 30, numbered_lines(10, 30))
APP_FAR = source("src/app.py", 100, numbered_lines(10, 100))
PAGE = source("app/[id]/page one.tsx", 1, numbered_lines(9))
MAKEFILE = source("Makefile", 1, numbered_lines(9))
COMMA = source("notes, old.md", 1, numbered_lines(9))
SOURCES = [APP, APP_NEXT, APP_FAR, PAGE, MAKEFILE, COMMA]

NOT_GIVEN = "not in the sources"
LINES_NOT_GIVEN = "lines not in the sources"


def found(text: str) -> list[tuple[str, int, int, str]]:
    return [
        (citation.path, citation.start_line, citation.end_line, citation.problem)
        for citation in check_citations(text, SOURCES).citations
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("It is [src/app.py:12-18].", [("src/app.py", 12, 18)]),
        ("It is [src/app.py:12].", [("src/app.py", 12, 12)]),
        ("It is[src/app.py:12].", [("src/app.py", 12, 12)]),
        ("[./src/app.py:12]", [("src/app.py", 12, 12)]),
        ("[src/app.py:L12-L18]", [("src/app.py", 12, 18)]),
        ("[src/app.py: 12 – 18]", [("src/app.py", 12, 18)]),
        ("[`src/app.py:12-18`] and `[src/app.py:13]`", [("src/app.py", 12, 18), ("src/app.py", 13, 13)]),
        ("[`src/app.py`:12-18]", [("src/app.py", 12, 18)]),
        ("[src/app.py:12-18; Makefile:3]", [("src/app.py", 12, 18), ("Makefile", 3, 3)]),
        ("[src/app.py:12-18, 21, 23-24]", [("src/app.py", 12, 18), ("src/app.py", 21, 21), ("src/app.py", 23, 24)]),
        ("[app/[id]/page one.tsx:2-3]", [("app/[id]/page one.tsx", 2, 3)]),
        ("[notes, old.md:1-9]", [("notes, old.md", 1, 9)]),
        ("[see src/app.py:12]", [("src/app.py", 12, 12)]),
        ("[[src/app.py:12]]", [("src/app.py", 12, 12)]),
        ("[as [src/app.py:12] says]", [("src/app.py", 12, 12)]),
        ("[src/app.py:12](src/app.py)", [("src/app.py", 12, 12)]),
        ("```\n[src/app.py:12]\n```", [("src/app.py", 12, 12)]),
        ("[src/app.py:25-35] runs over two sources", [("src/app.py", 25, 35)]),
        ("[src/app.py:12] twice [src/app.py:12]", [("src/app.py", 12, 12)]),
    ],
)
def test_a_citation_of_what_was_given_holds(text: str, places: list[tuple[str, int, int]]) -> None:
    assert found(text) == [(*place, "") for place in places]
    assert check_citations(text, SOURCES).text == text


@pytest.mark.parametrize(
    ("text", "problems", "marked"),
    [
        ("[src/ghost.py:1-2]", [NOT_GIVEN], "[src/ghost.py:1-2 — not in the sources]"),
        ("[app.py:12]", [NOT_GIVEN], "[app.py:12 — not in the sources]"),
        ("[../../etc/passwd:1]", [NOT_GIVEN], "[../../etc/passwd:1 — not in the sources]"),
        ("[/etc/passwd:1-3]", [NOT_GIVEN], "[/etc/passwd:1-3 — not in the sources]"),
        ("[C:\\app.py:3]", [NOT_GIVEN], "[C:\\app.py:3 — not in the sources]"),
        ("[Dockerfile:3]", [NOT_GIVEN], "[Dockerfile:3 — not in the sources]"),
        ("`[src/ghost.py:1]`", [NOT_GIVEN], "`[src/ghost.py:1 — not in the sources]`"),
        ("[src/app.py:0]", [LINES_NOT_GIVEN], "[src/app.py:0 — lines not in the sources]"),
        ("[src/app.py:5-12]", [LINES_NOT_GIVEN], "[src/app.py:5-12 — lines not in the sources]"),
        ("[src/app.py:35-105]", [LINES_NOT_GIVEN], "[src/app.py:35-105 — lines not in the sources]"),
        ("[src/app.py:18-12]", ["ends before it starts"], "[src/app.py:18-12 — ends before it starts]"),
        ("[src/app.py:1-999999999]", [LINES_NOT_GIVEN], "[src/app.py:1-999999999 — lines not in the sources]"),
        (
            "[src/app.py:12; ghost.py:3 , Makefile:2]",
            ["", NOT_GIVEN, ""],
            "[src/app.py:12; ghost.py:3 — not in the sources, Makefile:2]",
        ),
        ("[src/app.py:12, 50]", ["", LINES_NOT_GIVEN], "[src/app.py:12, 50 — lines not in the sources]"),
    ],
)
def test_a_citation_that_does_not_hold_is_marked(text: str, problems: list[str], marked: str) -> None:
    checked = check_citations(text, SOURCES)
    assert [citation.problem for citation in checked.citations] == problems
    assert checked.text == marked


@pytest.mark.parametrize(
    "text",
    [
        "[1:2] and [10:30-11]",
        "dict[key:3]",
        "take `rows[start:10]` of it",
        "`x[self.first:10]`",
        "`x[n/2:10]`",
        "```python\nrows[a.b:3] = [key:4]\n```",
        "~~~\n[key:4]\n~~~",
        "```\nnever closed\n[key:4]",
        "[key:value]",
        "[note: 3] and [step one:3]",
        "[http://localhost:8080]",
        "[a link](http://localhost:8080)",
        "- [ ] a task",
        "[src/app.py]",
        "[src/app.py:12\n-18]",
        "[:12] [ :12] [] [;] [src/app.py:] [src/app.py:-3]",
    ],
)
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    checked = check_citations(text, SOURCES)
    assert checked.citations == ()
    assert checked.text == text


def test_the_place_of_a_caller_or_callee_may_be_cited_but_not_more_of_it() -> None:
    checked = check_citations("[src/cli.py:37] [src/cli.py:30-39] [src/lexer.py:5] [src/lexer.py:6]", [PARSE])
    assert [citation.problem for citation in checked.citations] == ["", LINES_NOT_GIVEN, "", LINES_NOT_GIVEN]


def test_without_sources_no_citation_holds() -> None:
    assert [citation.valid for citation in check_citations("[src/app.py:12] [Makefile:1]", []).citations] == [
        False,
        False,
    ]


def test_a_number_of_many_digits_costs_nothing() -> None:
    (only,) = check_citations(f"[src/app.py:1-{'9' * 5000}]", SOURCES).citations
    assert only.problem == LINES_NOT_GIVEN


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["[", "[a", "[a]", "[[a]", "`", "` ``", "a:", ":1", "1 ", " ", ";", "[a.py:1", "[a:1;", "```\n", "\\"]
)
def test_a_hostile_text_is_read_in_good_time(unit: str) -> None:
    for text in (unit * 20_000, f"[{unit * 20_000}]", f"[{unit * 20_000}:1]"):
        check_citations(text, SOURCES)


paths = st.from_regex(r"\A[a-z]{1,5}/[a-z _()é]{0,5}[a-z]\.[a-z]{1,3}\Z")
prose = st.text(st.characters(exclude_characters="[]`~", exclude_categories=["Cs"]), max_size=20)


@pytest.mark.slow
@given(paths, st.integers(1, 500), st.integers(1, 60), st.integers(-70, 600), st.integers(-5, 70), prose, prose)
def test_a_citation_holds_exactly_when_its_lines_were_given(
    path: str, start: int, length: int, offset: int, extent: int, before: str, after: str
) -> None:
    given_source = source(path, start, numbered_lines(length))
    first = max(0, start + offset)
    last = max(0, first + extent)
    cited = f"[{path}:{first}-{last}]"
    checked = check_citations(f"{before}{cited}{after}", [given_source])
    holds = start <= first <= last < start + length
    assert [
        (citation.path, citation.start_line, citation.end_line, citation.valid) for citation in checked.citations
    ] == [(path, first, last, holds)]
    assert (checked.text == f"{before}{cited}{after}") == holds


@given(st.lists(st.sampled_from(["[", "]", "a.py", "b", ":", "1", "-", "20", ";", ",", " ", "`", "```\n", "\n", "/"])))
def test_marks_only_add_and_are_final(tokens: list[str]) -> None:
    text = "".join(tokens)
    sources = [source("a.py", 1, numbered_lines(5))]
    checked = check_citations(text, sources)
    stripped = checked.text
    for problem in (LINES_NOT_GIVEN, NOT_GIVEN, "ends before it starts"):
        stripped = stripped.replace(f" — {problem}", "")
    assert stripped.replace(" ", "") == text.replace(" ", "")
    again = check_citations(checked.text, sources)
    assert again.text == checked.text
    assert all(citation.valid for citation in again.citations)


@given(st.text())
def test_any_text_can_be_checked(text: str) -> None:
    checked = check_citations(text, [PARSE, SPLIT])
    assert isinstance(checked.citations, tuple)
    assert all(isinstance(citation, Citation) for citation in checked.citations)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("`parse` splits on blanks [src/parser.py:10-12].", ""),
        ("`parser.parse()` calls `nothing_like_it` [src/parser.py:10-12].", ""),
        ("It is called by `main` [src/cli.py:37].", ""),
        ("First `nothing_like_it` runs. Then it parses [src/parser.py:10-12].", ""),
        ("`a b` and `1 + 1` are no names [src/parser.py:10-12].", ""),
        ("`nothing_like_it` does it [src/parser.py:10-12].", "what is quoted does not stand there"),
        ("`crypto::sign` does it [src/lexer.py:5-6].", "what is quoted does not stand there"),
    ],
)
def test_names_that_are_quoted_stand_in_what_is_cited(text: str, problem: str) -> None:
    (citation,) = check_citations(text, [PARSE, SPLIT]).citations
    assert citation.problem == problem
