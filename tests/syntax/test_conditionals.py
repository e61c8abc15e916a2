"""Functions that a preprocessor's conditionals cut in pieces are read whole."""

import pytest

from code_graph_indexer.syntax.conditionals import first_branches
from code_graph_indexer.syntax.parse import parse

CUT = """\
#ifdef WIDE
int widen(int a) { return a; }
#else
int widen(long a) { return a; }
#endif

int first(int a)
{
#ifdef DEBUG
    if (a > 1) {
        trace("{");
#else
    if (a > 2) {
        log_it();
#endif
        widen(a);
    }
#if 0
    never(;
#else
    always(a);
#endif
    return a; /* } */
}

int second(int a)
{
    return first(a);
}
"""


def test_of_branches_inside_of_braces_the_first_one_stays() -> None:
    first = first_branches(CUT.encode()).decode()
    assert len(first) == len(CUT)
    assert first.count("\n") == CUT.count("\n")
    assert "trace" in first and "always" in first
    assert "log_it" not in first and "never" not in first
    # Outside of braces, all stay.
    assert first.count("widen(int a)") == first.count("widen(long a)") == first.count("#ifdef WIDE") == 1


@pytest.mark.parametrize(
    "text",
    [
        "#endif\n#else\nint a;\n",
        'extern "C" {\n#ifdef A\nint a;\n#else\nint b;\n#endif\n}\n',
        "/* {\n#if A\n*/\nint a;\n",
        "int f() { return '{'; }\n#if A\nint a;\n#elif B\nint b;\n#endif\n",
        "#define A \\\n  {\nint a;\n#if B\nint b;\n#endif\n",
        "#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\n#if B\nint b;\n#else\nint c;\n#endif\n",
        "",
    ],
)
def test_what_is_outside_of_braces_stays_as_it_is(text: str) -> None:
    assert first_branches(text.encode()).decode() == text


def test_a_conditional_that_does_not_end_is_read_to_the_end() -> None:
    assert first_branches(b"int f() {\n#if A\na();\n#else\nb();\n").split() == [b"int", b"f()", b"{", b"a();"]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "language"), [("a.c", "c"), ("a.cpp", "cpp")])
def test_definitions_are_found_and_calls_of_all_branches(path: str, language: str) -> None:
    syntax = parse(path, CUT.encode(), language)
    assert [definition.name for definition in syntax.definitions if definition.kind == "function"] == [
        "widen",
        "widen",
        "first",
        "second",
    ]
    assert {reference.name for reference in syntax.references} >= {"trace", "log_it", "widen", "always", "first"}
    assert {
        syntax.definitions[reference.scope].name for reference in syntax.references if reference.name == "log_it"
    } == {"first"}


@pytest.mark.slow
def test_a_definition_in_another_branch_is_found_too() -> None:
    text = "namespace a {\n#if A\nint one() { return 1; }\n#else\nint two() { return 2; }\n#endif\n" + CUT + "}\n"
    names = [
        definition.path_name
        for definition in parse("a.cpp", text.encode(), "cpp").definitions
        if definition.kind == "function"
    ]
    assert names == ["a.one", "a.two", "a.widen", "a.widen", "a.first", "a.second"]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "language"), [("a.c", "c"), ("a.h", "cpp")])
def test_a_macro_that_says_inline_is_no_type(path: str, language: str) -> None:
    text = "static_inline my_bool is_set(my_flags flags, int one) {\n    return flags & one;\n}\n"
    text += "static __always_inline int two(void) { return 2; }\n"
    syntax = parse(path, text.encode(), language)
    assert [(definition.kind, definition.path_name) for definition in syntax.definitions] == [
        ("function", "is_set"),
        ("function", "two"),
    ]
    assert not syntax.broken


@pytest.mark.parametrize("asks", ["#ifdef A", "#if defined(A)", "#if A"])
@pytest.mark.parametrize("denies", ["#ifndef A", "#if !defined(A) /* why */", "#if !A"])
def test_branches_of_one_name_do_not_contradict_each_other(asks: str, denies: str) -> None:
    opened = f"int f() {{\n{asks}\na();\n#else\nif (b()) {{\n#endif\nc();\n{denies}\n}}\n#endif\n}}\n"
    assert first_branches(opened.encode()).split() == [b"int", b"f()", b"{", b"a();", b"c();", b"}"]
