"""Overloads are told apart by how many arguments a call gives."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.sites import open_sites
from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.parameters import ANY, read_parameters
from tests.indexing.repository import index, write_tree

TIED = """\
class Box {
    void put(int one) {}
    void put(String one) {}
    void put(int one, int two) {}
    void fix(int... many) {}
    void fix(int one) {}
    void run(Unknown any) { put(any.thing()); fix(2); }
}
"""


@pytest.mark.slow
def test_a_call_may_be_of_each_overload_with_as_many_parameters(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", {"Box.java": TIED})
    index(root, root / "index.db")
    with CodeIndexer(root, db=root / "index.db") as indexer:
        certainties = {
            caller.symbol.signature: (caller.certainty.proven, caller.certainty.unresolved)
            for name in ("put", "fix")
            for caller in indexer.graph.callers(name)
        }
        second = next(symbol for symbol in indexer.store.symbols(["put"]) if "String" in symbol.signature)
        sites = open_sites(indexer.store, [second], ())
    assert certainties == {
        "void put(int one)": (1, 0),
        "void put(String one)": (0, 1),
        "void put(int one, int two)": (0, 0),
        "void fix(int... many)": (0, 0),
        "void fix(int one)": (1, 0),
    }
    assert [(site.file_path, site.line, site.candidate) for site in sites] == [("Box.java", 7, True)]


@pytest.mark.parametrize(
    ("language", "text", "counts"),
    [
        ("java", "()", (0, 0)),
        ("java", "(final Map<String, List<Integer>> by, @Named(a, b) int[] c) {", (2, 2)),
        ("java", "(int a, // of, all\n int... b)", (1, ANY)),
        ("kotlin", "(a: (Int, Int) -> Unit = { x, y -> f(x, y) }, b: Map<A, B>?)", (1, 2)),
        ("kotlin", '(a: String = ",", noinline b: () -> A)', (1, 2)),
        ("csharp", '<T, U>(this T one, [In] ref U two, string c = "a,b") where T : class', (2, 3)),
        ("java", " = 3;", (0, ANY)),
        ("java", "(int a", (0, ANY)),
        ("java", "(" + "int a, " * 5000 + "int b)", (0, ANY)),
    ],
)
def test_parameters_are_counted(language: str, text: str, counts: tuple[int, int]) -> None:
    assert read_parameters(f"name{text}".encode(), 4, languages()[language])[:2] == counts
