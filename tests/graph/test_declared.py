"""Every question speaks of the definition behind a declaration, and names its alternatives."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, Symbol
from code_graph_indexer.scip import DEFINITION, FORWARD_DEFINITION, parsed
from tests.indexing.repository import index, write_tree

FILES = {
    "include/app.h": "int start(int level);\nint stop(int level);\nint unused_one(int level);\n",
    "src/start.c": '#include "app.h"\nint start(int level) {\n    return level;\n}\n',
    "src/unix/stop.c": '#include "app.h"\nint stop(int level) {\n    return start(level);\n}\n',
    "src/win/stop.c": '#include "app.h"\nint stop(int level) {\n    return -start(level);\n}\n',
    "src/main.c": '#include "app.h"\nint run(void) {\n    start(1);\n    return stop(2);\n}\n',
    "src/unused.c": '#include "app.h"\nint unused_one(int level) {\n    return level;\n}\n',
    "tests/test_stop.c": '#include "app.h"\nvoid test_stop(void) {\n    stop(3);\n}\n',
}


@pytest.fixture
def indexer(tmp_path: Path) -> Iterator[CodeIndexer]:
    root = write_tree(tmp_path / "app", FILES)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db") as opened:
        yield opened


def places(symbols: tuple[Symbol, ...]) -> list[str]:
    return [f"{symbol.file_path}:{symbol.start_line}" for symbol in symbols]


def test_callers_of_a_declared_function_are_those_of_its_definition(indexer: CodeIndexer) -> None:
    (reach,) = indexer.callers("start")
    assert places((reach.symbol,)) == ["src/start.c:2"]
    assert places(reach.declarations) == ["include/app.h:1"]
    assert reach.alternatives == ()
    assert [step.symbol.file_path for step in reach.steps] == ["src/main.c", "src/unix/stop.c", "src/win/stop.c"]
    assert {step.confidence for step in reach.steps} == {0.95}
    assert indexer.callers("app.h:start") == [reach]


def test_definitions_for_several_platforms_are_alternatives_and_each_is_followed(indexer: CodeIndexer) -> None:
    unix, win = indexer.callers("stop")
    assert places((unix.symbol, *unix.alternatives)) == ["src/unix/stop.c:2", "src/win/stop.c:2"]
    assert places((win.symbol, *win.alternatives)) == ["src/win/stop.c:2", "src/unix/stop.c:2"]
    assert [step.symbol.name for step in unix.steps] == [step.symbol.name for step in win.steps] == ["run", "test_stop"]
    (callees,) = indexer.callees("run")
    assert [step.symbol.file_path for step in callees.steps] == ["src/start.c", "src/unix/stop.c", "src/win/stop.c"]


def test_a_path_goes_through_the_definition(indexer: CodeIndexer) -> None:
    paths = indexer.graph.paths("test_stop", "start").paths
    assert [[step.symbol.file_path for step in path] for path in paths] == [
        ["src/unix/stop.c", "src/start.c"],
        ["src/win/stop.c", "src/start.c"],
    ]


def test_the_impact_of_a_function_reaches_its_tests(indexer: CodeIndexer) -> None:
    assert indexer.graph.impact("start").tests == ("tests/test_stop.c",)
    # Either definition of `stop` may be the one that a change is about.
    impact = indexer.graph.impact("stop")
    assert places(impact.changed) == ["src/unix/stop.c:2", "src/win/stop.c:2"]
    assert impact.tests == ("tests/test_stop.c",)


def test_a_changed_prototype_is_a_change_of_its_definition(indexer: CodeIndexer) -> None:
    root = Path(indexer.root or "")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    header = root / "include/app.h"
    header.write_text(header.read_text().replace("int start(int level)", "int start(int depth)"))
    indexer.index()
    assert places(indexer.graph.impact(diff="HEAD").changed) == ["src/start.c:2"]


def test_search_and_symbol_list_a_definition_before_its_declarations(indexer: CodeIndexer) -> None:
    assert [symbol.file_path for symbol in indexer.symbol("start")] == ["src/start.c", "include/app.h"]
    paths = [context.file_path for context in indexer.retrieve("start")]
    assert paths.index("src/start.c") < paths.index("include/app.h")


def test_a_declaration_is_neither_used_nor_unused(indexer: CodeIndexer) -> None:
    unused = {unused.symbol.name: unused for unused in indexer.graph.unused()}
    assert unused.keys() == {"unused_one", "run"}
    assert places((unused["unused_one"].symbol,)) == ["src/unused.c:2"]
    # That the header names it is no use of it.
    assert unused["unused_one"].confidence == 0.95


def test_hubs_are_definitions(indexer: CodeIndexer) -> None:
    assert {hub.symbol.file_path for hub in indexer.graph.hubs(limit=3)}.isdisjoint({"include/app.h"})


def test_an_exported_declaration_has_the_symbol_of_its_definition(indexer: CodeIndexer, tmp_path: Path) -> None:
    to = tmp_path / "out.scip"
    indexer.graph.export_scip(to)
    documents = {document.relative_path: document for document in parsed("Index", to.read_bytes()).documents}
    roles = {
        (path, occurrence.symbol_roles)
        for path in ("include/app.h", "src/start.c", "src/main.c")
        for occurrence in documents[path].occurrences
        if occurrence.symbol.endswith("`src/start.c`/start().") or occurrence.symbol.endswith("src/start.c/start().")
    }
    assert roles == {("include/app.h", FORWARD_DEFINITION), ("src/start.c", DEFINITION), ("src/main.c", 0)}
