"""Every language file is checked against its fixture, written out as annotated source."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import tree_sitter

from code_graph_indexer.languages import (
    framework_queries,
    languages,
    load_outer_query,
    load_parser,
    load_query,
    query_for,
    registry,
)
from code_graph_indexer.languages.registry import frameworks, load_framework_query, load_grammar
from code_graph_indexer.syntax.parse import parse
from tests.languages.annotate import annotate

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"


def fixture_of(language: str) -> Path:
    paths = [path for path in FIXTURES.glob(f"{language}.*") if path.suffix != ".golden"]
    assert len(paths) == 1, f"fixtures/languages/{language}.<extension> must exist, once"
    return paths[0]


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_facts_of_a_language_fixture_match_its_golden_file(language: str, update_golden: bool) -> None:
    path = fixture_of(language)
    text = path.read_text(encoding="utf-8")
    annotated = annotate(text, parse(f"src/{path.name}", text.encode(), language))
    golden = path.with_suffix(".golden")
    if update_golden:
        golden.write_text(annotated, encoding="utf-8")
    assert annotated == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_language_fixture_parses_whole_and_shows_the_main_facts(language: str) -> None:
    path = fixture_of(language)
    syntax = parse(path.name, path.read_bytes(), language)
    assert not syntax.broken
    if languages()[language].source_type == "markdown":
        assert {definition.kind for definition in syntax.definitions} == {"section"}
        return
    if languages()[language].template_lines.tags is not None:
        # No grammar reads such a template, and nobody comments on its functions.
        assert syntax.imports or syntax.registrations or syntax.references
        return
    kinds = {reference.kind for reference in syntax.references}
    if "dotted" not in languages()[language].lookup:
        # Blocks are written there in place of functions.
        assert "calls" in kinds
        assert any(definition.kind in ("function", "method") for definition in syntax.definitions)
    assert kinds or syntax.registrations
    assert any(definition.doc for definition in syntax.definitions)


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(languages()))
def test_the_definitions_alone_are_those_of_the_whole(language: str) -> None:
    path = fixture_of(language)
    whole, alone = (
        [
            (definition.kind, definition.path_name, definition.lead, definition.end)
            for definition in syntax.definitions
            # What an assignment makes spans its name alone, and no query for definitions looks for it.
            if definition.end != definition.name_start + len(definition.name.encode()) or definition.kind != "field"
        ]
        for syntax in (
            parse(path.name, path.read_bytes(), language),
            parse(path.name, path.read_bytes(), language, definitions_only=True),
        )
    )
    assert whole == alone


FRAMEWORK_FILES = sorted((FIXTURES.parent / "frameworks").glob("*/*.*"))


def spans(query: tree_sitter.Query, tree: tree_sitter.Tree) -> list[dict[str, list[tuple[int, int]]]]:
    """List the matches of a query in order, as the spans of the nodes of each capture."""
    matches = tree_sitter.QueryCursor(query).matches(tree.root_node)
    return [{name: [node.byte_range for node in nodes] for name, nodes in captures.items()} for _, captures in matches]


KEPT: list[object] = []
"""The functions that hold the queries which tests compiled."""


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this test compile its queries itself. Those of the other tests stay."""
    for name in ("_tags", "_framework_patterns"):
        find = cache(getattr(registry, name).__wrapped__)
        # The binding of tree-sitter may crash after a query with predicates is freed.
        KEPT.append(find)
        monkeypatch.setattr(registry, name, find)


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_patterns_that_a_tree_needs_match_what_the_whole_query_matches(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [path for path in FRAMEWORK_FILES if path.suffix in languages()[language].extensions]
    whole = load_query(language)
    for path in (fixture_of(language), *paths[:4]):
        tree = load_parser(language).parse(path.read_bytes())
        forget(monkeypatch)
        needed = query_for(language, tree)
        assert needed.pattern_count <= whole.pattern_count
        assert spans(needed, tree) == spans(whole, tree)


@pytest.mark.parametrize("language", sorted({name for entry in frameworks().values() for name in entry.languages}))
def test_the_patterns_of_a_framework_that_a_tree_needs_match_what_all_do(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [path for path in FRAMEWORK_FILES if path.suffix in languages()[language].extensions]
    trees = [load_parser(language).parse(path.read_bytes()) for path in paths[:12]]
    names = [name for name, entry in frameworks().items() if language in entry.languages]
    wholes = {name: load_framework_query(name, language) for name in names}
    for tree in trees:
        forget(monkeypatch)
        query_of = framework_queries(language, tree)
        assert [spans(query_of(name), tree) for name in names] == [spans(wholes[name], tree) for name in names]


def test_a_small_tree_needs_few_patterns_and_many_trees_the_whole_query(monkeypatch: pytest.MonkeyPatch) -> None:
    count = load_query("cpp").pattern_count
    forget(monkeypatch)
    tree = load_parser("cpp").parse(b"int main() { return 0; }")
    needed = query_for("cpp", tree)
    assert needed.pattern_count < 30 < count
    assert query_for("cpp", load_parser("cpp").parse(b"int other() { return 1; }")) is query_for("cpp", tree)
    for path in (fixture_of("cpp"), fixture_of("c"), *(path for path in FRAMEWORK_FILES if path.suffix == ".cpp")):
        query = query_for("cpp", load_parser("cpp").parse(path.read_bytes()))
    assert query is load_query("cpp")


def test_languages_with_the_same_patterns_share_a_compiled_query() -> None:
    for load in (load_query, load_outer_query):
        assert load("vue") is load("svelte") is load("typescript")
        # The grammar of JSX is another one.
        assert load("tsx") is not load("typescript")


def test_no_query_uses_a_predicate_that_always_holds() -> None:
    # The binding of tree-sitter evaluates `#not-any-of?` as true. `#not-match?` says the same.
    queries = {name: language.query for name, language in languages().items()}
    queries |= {name: framework.query for name, framework in frameworks().items()}
    assert [name for name, query in queries.items() if "#not-any-of?" in query] == []


ENTRIES = 30
"""Entries of an object, call or dictionary. Of twice as many, a query has about twice as many matches, and not four times."""

_SCRIPT = "v 's' [v] {a:v} f(v) ()=>v true a.b"
VALUES = {
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "python": "v 's' [v] {'a':v} f(v) True a.b",
    "ruby": "v 's' [v] f(v) :s true a.b A::B",
    "php": "$v 's' [$v] f($v) true A::class",
}
"""Values of all kinds in each language. A pattern may ask for two entries with different ones."""

LARGE = {
    "javascript": {
        "k{0}: {1}": "a.route({ % })\nexport default { % }\nb = { % }",
        "{1}": "a.route(%)\nb = [%]",
        "c = {{ k: {1} }}; a.r('s', c)": "function f() { & }",
    },
    "typescript": {
        "k{0}: {1}": "@A({ % })\nclass B { c = a.route({ % }) }\nb = { % }",
        "{1}": "@A(%)\nclass B {}\na.route(%)",
    },
    "python": {
        "k{0}={1}": "a.route(dict(%))\n@a(%)\ndef f(): pass",
        "'k{0}': {1}": "b = {%}\na.route({%})",
        "{1}": "@a(%)\ndef f(): pass\nb = [%]",
        "c = {{'k': {1}}}; r(v, 's', c); c['k'] = {1}": "def f():\n  &\nclass A:\n  & ",
    },
    "ruby": {
        "k{0}: {1}": "route a, { % }\nc = { % }\nget %",
        "{1}": "get %\na.b(%)\nc = [%]",
        "c = {{ k: {1} }}; r 's', c": "def f\n & \nend",
    },
    "php": {
        "'k{0}' => {1}": "<?php $a->route([%]); $b = [%];",
        "{1}": "<?php $a->route(%); $b = [%]; A::get(%);",
        "$c = ['k' => {1}]; r('s', $c)": "<?php function f() { &; }",
    },
}
"""Code with large objects (`%`) and long blocks (`&`), for each form of an entry."""

_PREDICATE = re.compile(r'\(#(?:"(?:\\.|[^"\\])*"|[^")])*\)')


@cache
def entries(language: str, form: str, count: int) -> tree_sitter.Tree:
    values = VALUES[language].split()
    texts = [form.format(number, values[number % len(values)]) for number in range(count)]
    return load_parser(language).parse(
        LARGE[language][form].replace("%", ", ".join(texts)).replace("&", "; ".join(texts)).encode()
    )


@pytest.mark.parametrize("language", LARGE)
def test_no_framework_tries_each_pair_of_the_entries_of_an_object(language: str) -> None:
    slow = []
    for name, framework in frameworks().items():
        if language not in framework.languages:
            continue
        # A predicate is asked of each match, so that the pairs that it refuses cost as much as others.
        query = tree_sitter.Query(load_grammar(language), _PREDICATE.sub("", framework.query))
        for form in LARGE[language]:
            few, many = (
                Counter(
                    order
                    for order, _ in tree_sitter.QueryCursor(query).matches(entries(language, form, count).root_node)
                )
                for count in (ENTRIES, 2 * ENTRIES)
            )
            slow += [(name, form, order) for order in many if many[order] > 2.6 * few[order] + 4]
    assert slow == []


LINES = 600
"""Lines of a large mapping, and the states of a query that grow with them and not with their square."""


@pytest.mark.parametrize("framework", [name for name, entry in frameworks().items() if "yaml" in entry.languages])
def test_no_framework_goes_on_for_each_line_of_a_large_mapping(framework: str) -> None:
    lines = "".join(f"  k{number}: {{}}\n  j{number}: v\n" for number in range(LINES))
    text = f"kind: Service\nmetadata:\n{lines}  name: a\nspec:\n  selector:\n{lines}data:\n{lines}services:\n{lines}"
    cursor = tree_sitter.QueryCursor(load_framework_query(framework, "yaml"), match_limit=LINES)
    cursor.matches(load_parser("yaml").parse(text.encode()).root_node)
    assert not cursor.did_exceed_match_limit
