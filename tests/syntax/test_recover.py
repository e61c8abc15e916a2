"""A file that its grammar cannot read whole loses no more than the text that is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.languages import languages, load_parser, mends
from code_graph_indexer.syntax.parse import parse
from code_graph_indexer.syntax.records import Syntax
from code_graph_indexer.syntax.recover import read_tree, recover

MENDING = sorted(name for name, language in languages().items() if language.mend)
"""The languages with mends for gaps of their grammars."""

FUNCTION = "int {name}(int a)\n{{\n    return callee_of_{name}(a);\n}}\n\n"


def names(syntax: Syntax, *kinds: str) -> list[str]:
    """List the names of the definitions of some kinds, by default the functions and methods."""
    return [
        definition.path_name
        for definition in syntax.definitions
        if definition.kind in (kinds or ("function", "method"))
    ]


def callers(syntax: Syntax) -> dict[str, str]:
    """Map each function that is called to the innermost definition around the call."""
    return {
        reference.name: syntax.definitions[reference.scope].path_name
        for reference in syntax.references
        if reference.kind == "calls" and reference.scope >= 0
    }


LOOPS = """\
unsigned long sum_all(void)
{
    int i;
    for_each_core(i)
        total += load_of(i)->sum;
    for_each_core(i) {
        if (i)
            add_one(i);
    }
    return total;
}

"""


@pytest.mark.slow
@pytest.mark.parametrize(("path", "language"), [("a.c", "c"), ("a.cpp", "cpp")])
def test_a_loop_by_a_macro_does_not_swallow_the_functions_below(path: str, language: str) -> None:
    syntax = parse(path, (LOOPS + FUNCTION.format(name="next")).encode(), language)
    assert names(syntax) == ["sum_all", "next"]
    assert callers(syntax) | {"for_each_core": ""} == {
        "for_each_core": "",
        "load_of": "sum_all",
        "add_one": "sum_all",
        "callee_of_next": "next",
    }
    assert not syntax.broken


def test_what_cannot_be_mended_stays_broken_and_takes_nothing_with_it() -> None:
    wrong = "int wrong(int a)\n{\n    if (a @@ { [[ ( ' \n    lost(a);\n}\n\n"
    text = FUNCTION.format(name="first") + wrong + "".join(FUNCTION.format(name=f"f{n}") for n in range(5))
    syntax = parse("a.c", text.encode(), "c")
    assert syntax.broken
    assert {"first", "f0", "f1", "f2", "f3", "f4"} <= set(names(syntax))
    assert all(callers(syntax)[f"callee_of_{name}"] == name for name in ("first", "f0", "f4"))


MENDED = {
    "macros around a type": ("c", "static void __init setup(struct cpu __user *cpu, int flags UNUSED)\n{\n}\n"),
    "several macros in a row": ("c", "linkage __seen void __late setup(void)\n{\n}\n"),
    "a macro behind the parameters": ("c", "void setup(void) NO_RETURN;\nvoid other(void) __must_hold(&lock)\n{\n}\n"),
    "a macro behind a variable": ("c", "int limit __read_mostly = 4;\nvoid setup(void)\n{\n}\n"),
    "a type as an argument": ("c", "void setup(void)\n{\n    use(outer_of(x, struct item, node), (char *)0);\n}\n"),
    "a macro that declares": ("c", "static DEFINE_LIST(struct item, all_items);\nvoid setup(void)\n{\n}\n"),
    "two heads of one body": (
        "c",
        "#ifdef WIDE\nint setup(long a) {\n#else\nint setup(int a) {\n#endif\n    return a;\n}\n",
    ),
    "directives between the values of a table": (
        "c",
        'struct row rows[] = {\n#include "more.h"\n  ROW(a, "a"),\n#undef ROW\n  ROW(b, "b"),\n};\nint setup(void);\n',
    ),
    "a comment in a macro": (
        "c",
        "#define SETUP(a) do { \\\n    /* why */ \\\n    use(a); \\\n} while (0)\nint setup(void);\n",
    ),
    "a pointer that is read": (
        "csharp",
        "class Memory\n{\n    unsafe void setup(byte* a, byte* b)\n    {\n        a[1] = *(int*)(b + 1);\n    }\n}\n",
    ),
    "a context": ("kotlin", "context(project: Project)\ninternal fun setup(): Int = 1\n"),
    "a name that is a word elsewhere": ("kotlin", "fun setup() {\n    in1.close()\n    open = true\n}\n"),
    "an exported type": ("typescript", "export type * from './types'\nexport function setup() {}\n"),
    "a type of a module": ("typescript", "type Rows = import('rows').Row[]\nfunction setup(rows: Rows) {}\n"),
}


@pytest.mark.parametrize("case", MENDED)
def test_a_gap_of_the_grammar_is_mended(case: str) -> None:
    language, text = MENDED[case]
    tree = load_parser(language).parse(text.encode())
    assert tree.root_node.has_error
    syntax = parse("a.x", text.encode(), language)
    assert not syntax.broken
    assert any(name.rpartition(".")[2] == "setup" for name in names(syntax))


def test_texts_are_those_of_the_file_and_not_of_the_mend() -> None:
    text = "public ref partial struct Reader\n{\n    public int Read(ref Span<int> rows) { return Next(); }\n}\n"
    syntax = parse("a.cs", text.encode(), "csharp")
    reader, read = syntax.definitions
    assert (reader.kind, reader.signature) == ("struct", "public ref partial struct Reader")
    assert text[read.start : read.end] == "public int Read(ref Span<int> rows) { return Next(); }"
    assert callers(syntax) == {"Next": "Reader.Read"}
    assert not syntax.broken


def test_call_signatures_without_semicolons_do_not_swallow_the_file() -> None:
    text = (
        "interface Make {\n  // one\n  <A extends X>(a: A): A\n\n  // two\n  <\n    A extends X,\n    B extends X\n"
        "  >(a: A, b: B): B\n}\n\nexport const make = () => run()\n\nexport class Factory {\n  create() { make() }\n}\n"
    )
    syntax = parse("a.ts", text.encode(), "typescript")
    assert names(syntax, "interface", "class", "method") == ["Make", "Make.(", "Make.(", "Factory", "Factory.create"]
    assert not syntax.broken


def test_the_members_of_a_class_around_a_broken_one_are_methods_of_it() -> None:
    method = "    fun {name}(): Int {{\n        return 1\n    }}\n\n"
    wrong = "    fun wrong(): Int {\n        val x = ((( @ ]] when\n    }\n\n"
    text = "class Cart {\n" + method.format(name="first") + wrong + method.format(name="last") + "}\n\nclass Next {}\n"
    syntax = parse("a.kt", text.encode(), "kotlin")
    assert syntax.broken
    assert {"Cart.first", "Cart.last"} <= set(names(syntax))
    assert "Next" in names(syntax, "class")


def test_a_call_in_a_branch_that_was_dropped_is_kept() -> None:
    text = "#ifdef A\nint f(int a) {\n    one();\n#else\nint f(long a) {\n    two();\n#endif\n    return a;\n}\n"
    syntax = parse("a.c", text.encode(), "c")
    assert {"one", "two"} <= callers(syntax).keys()
    assert not syntax.broken


@pytest.mark.parametrize(
    "language", ["c", "java", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cpp", "objectivec"))]
)
def test_no_function_is_named_inside_another(language: str) -> None:
    assert languages()[language].flat_functions
    # Without its end, the first function holds the second one, wherever the file is cut.
    text = "int outer(int a)\n{\n    if (a) {\n        use(a);\n\nint inner(int a)\n{\n    return use(a);\n}\n"
    syntax = parse("a.x", text.encode(), language)
    assert "outer.inner" not in names(syntax)


def test_a_statement_inside_of_a_function_is_no_function() -> None:
    text = "int outer(int a)\n{\n    @@ each_row(a) {\n        int x(int);\n    } ((\n}\n"
    assert names(parse("a.c", text.encode(), "c")) in (["outer"], [])


@pytest.mark.parametrize(
    "language", [MENDING[0], *(pytest.param(name, marks=pytest.mark.slow) for name in MENDING[1:])]
)
@given(st.text("ab_AB (){}[]<>;:,*\"'\n\t#\\/@=.", max_size=120))
def test_a_mended_text_has_the_length_and_the_lines_of_the_file(language: str, text: str) -> None:
    source = text.encode()
    whole = read_tree(source, load_parser(language).parse(source))
    recovery = recover(whole, languages()[language])
    assert len(recovery.text) == len(source)
    assert sum(reading.broken for reading in recovery.readings) <= whole.broken


@pytest.mark.parametrize("language", MENDING)
def test_a_replacement_is_not_longer_than_a_byte(language: str) -> None:
    # A mend is skipped where its replacement is longer than the group, so the shortest one always fits.
    assert {len(mend.replacement) for mend in mends(language)} == {1}


@pytest.mark.slow
def test_a_name_of_signs_or_words_is_kept_whole() -> None:
    text = 'defmodule Kernel do\n  defmacro first..last do\n    1\n  end\n\n  test "fails on v1.2: ..." do\n    2\n  end\nend\n'
    definitions = parse("kernel.ex", text.encode(), "elixir").definitions
    assert [definition.name for definition in definitions] == ["Kernel", "..", "fails on v1.2: ..."]
