"""Uses of macros outside of functions are read, although the grammar takes them for the head of what follows."""

import pytest

from code_graph_indexer.syntax.macro_text import unread_uses
from code_graph_indexer.syntax.parse import parse


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        ("GENERATE(tree, node)\nstatic int f(void);\n", ["GENERATE(tree, node)"]),
        ("GENERATE(tree,\n    (a, b))\n\nint f(void) { return 1; }\n", ["GENERATE(tree,\n    (a, b))"]),
        # The grammar reads these itself.
        ("GENERATE(tree, node);\n", []),
        ("GENERATE(tree) {\n}\n", []),
        ("GENERATE(tree)\n{\n}\n", []),
        ("int x = 1;\n  GENERATE(tree)\n", []),
        # A macro around the type of a function.
        ("EXPORT(int)\nf(void) { return 1; }\n", []),
        ("GENERATE(tree)\n  .run = 1\n", []),
        ("GENERATE\nint f(void);\n", []),
    ],
)
def test_a_use_stands_on_lines_of_its_own(source: str, uses: list[str]) -> None:
    spans = [source[start:end] for start, _, end in unread_uses(source.encode(), "c", [])]
    assert spans == uses


def test_a_use_is_a_call_with_its_arguments_and_leaves_the_next_function_whole() -> None:
    source = "GENERATE(tree, node,\n    compare)\nint f(int a)\n{\n    return a;\n}\n"
    syntax = parse("a.c", source.encode(), "c")
    assert {(reference.kind, reference.name) for reference in syntax.references} == {
        ("calls", "GENERATE"),
        ("references", "tree"),
        ("references", "node"),
        ("references", "compare"),
    }
    assert [reference.given for reference in syntax.references if reference.kind == "calls"] == [
        ("tree", "node", "compare")
    ]
    assert [(definition.kind, definition.signature) for definition in syntax.definitions] == [
        ("function", "GENERATE(tree, node, compare)"),
        ("function", "int f(int a)"),
    ]


def test_the_text_of_a_macro_tells_the_functions_that_it_makes_from_those_that_it_calls() -> None:
    source = (
        "#define MAKE(name, kind) \\\n  kind *name##_find(int a) \\\n  { return start_##name(a); } \\\n"
        "  int name##_declared(int a);\n"
        "#define RUN(name) return name##_find(1)\n"
    )
    references = parse("a.h", source.encode(), "c").references
    assert {(reference.kind, reference.name) for reference in references} == {
        ("makes", "{0}_find"),
        ("expands", "start_{0}"),
        ("expands", "{0}_find"),
    }
