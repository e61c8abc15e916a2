"""Templates with marks that nothing ends are read in a time that grows as they do."""

import time
from pathlib import Path

import pytest

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import Language, languages
from code_graph_indexer.languages.header import read_header
from code_graph_indexer.languages.scan import matches
from code_graph_indexer.syntax.embedded import scripts_of
from code_graph_indexer.syntax.template import template_uses

SIZE, SECONDS = 100_000, 10
WORDS = """{# {% {{ {{{ {{!-- {{! {{-- {{/* {!! ${ ~{ *{ @{ @* @( @php @if( @a( @model|a| @includeIf( @foreach( <!-- <%-- <%
<%@|include <%= <jsp:include <partial <partial|name=" <script <script> asp-for=" th:each=" {%|comment {%|raw|%} {%|verbatim|%}
{%|macro|a|%} {%|from|"a"|import|a |:a=" ~H\""" ---| a.a( | ( = < =\"a"""
MARKS = WORDS.split()
FILES = [path for path in Path("fixtures/languages").iterdir() if path.suffix != ".golden" and path.is_file()]


def _uses(text: bytes, language: Language) -> list[tuple[str, str, int]]:
    """List what a template uses."""
    return [(use.kind, use.name, use.name_start) for use in template_uses(text, scripts_of(text, language), language)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, language in languages().items() if language.template or language.script]
)
def test_marks_without_an_end(name: str) -> None:
    language, started = languages()[name], time.process_time()
    for mark in MARKS:
        text = mark.replace("|", " ").encode()
        few, many = (_uses(text * count, language) for count in (4, SIZE // len(text)))
        assert {use[:2] for use in few} == {use[:2] for use in many if len(use[1]) < 99}, mark
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    "name", [name for name, language in languages().items() if language.template or language.script]
)
def test_matches_are_those_of_the_engine(name: str) -> None:
    language = languages()[name]
    lines = language.template_lines
    patterns = [language.script, lines.tags, *(pattern for _, pattern in lines.patterns)]
    for text in (path.read_bytes() for path in FILES):
        for pattern in filter(None, patterns):
            spans = [match.span() for match in pattern.finditer(text)]
            assert [match.span() for match in matches(pattern, text)] == spans


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jinja", "twig"])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b'{% from "a" import b' + b" " * SIZE + b"c %}", {"b" + " " * SIZE + "c"}),
        (b'{% from "a" import ' + b" " * SIZE + b"+ %}", set()),
        (b"{{ {# }}" * (SIZE // 8) + b"#}", set()),
    ],
)
def test_spaces_and_marks_inside_of_others(name: str, text: bytes, names: set[str]) -> None:
    uses = list(template_uses(text, text, languages()[name]))
    assert {use.groups["names"] for use in uses if "names" in use.groups} == names


@pytest.mark.parametrize("pattern", ["(?s)a(?:b.*?c|d)", "(?s)a(?=.*?b)", "a.*b", "a.*?b", "(?s)(?:a.*?b)+"])
def test_gaps_that_are_refused(pattern: str) -> None:
    with pytest.raises(GrammarError, match="where its end is searched from each start"):
        Language(name="x", query="", header=read_header("x.scm", f"; template: calls {pattern}\n")).template  # noqa: B018
