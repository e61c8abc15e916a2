"""Overloads that take as many arguments are told apart by the types of what a call gives."""

import pytest

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.parameters import read_parameters


@pytest.mark.parametrize(
    ("language", "text", "types"),
    [
        (
            "java",
            "(final @Nullable String one, List<Thing> two, int[] three, Thing... four)",
            ["String", "List", "int[]", "Thing[]"],
        ),
        (
            "kotlin",
            "(one: kotlin.String?, two: List<Thing> = listOf(), vararg three: Int, four: (Int) -> Unit)",
            ["String", "List", "Int[]", ""],
        ),
        ("csharp", "([In] ref string one, params object[] two)", ["string", "object[]"]),
        ("cpp", "(const std::string& one, char* two, int, unsigned)", ["string", "char*", "int", "unsigned"]),
    ],
)
def test_the_types_of_parameters_are_named(language: str, text: str, types: list[str]) -> None:
    assert list(read_parameters(f"name{text}".encode(), 4, languages()[language]).types) == types
