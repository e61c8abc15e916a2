"""Every question speaks of the definition behind a declaration, and names its alternatives."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from code_graph_indexer import Certainty, CodeIndexer, Symbol, render
from code_graph_indexer.results import ANOTHER_BUILD
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


@contextmanager
def opened(folder: Path, files: Mapping[str, str]) -> Iterator[CodeIndexer]:
    """Write files, index them, and open the index."""
    root = write_tree(folder / "app", files)
    index(root, folder / "index.db")
    with CodeIndexer(root, db=folder / "index.db", workers=1) as indexer:
        yield indexer


@pytest.fixture(scope="module")
def indexer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    """Open the index of FILES. Do not change it."""
    with opened(tmp_path_factory.mktemp("declared"), FILES) as indexer:
        yield indexer


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


@pytest.mark.slow
def test_a_changed_prototype_is_a_change_of_its_definition(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as indexer:
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
    assert unused["unused_one"].confidence == 0.7


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


def test_a_step_to_one_of_several_definitions_depends_on_the_build(indexer: CodeIndexer) -> None:
    (callees,) = indexer.callees("run")
    assert [(step.symbol.name, step.alternative) for step in callees.steps] == [
        ("start", False),
        ("stop", True),
        ("stop", True),
    ]
    assert callees.certainty == Certainty(proven=1, alternative=2)
    # Both definitions are called in their own file, which decides nothing.
    assert [reach.certainty for reach in indexer.callers("stop")] == [Certainty(alternative=2)] * 2
    # What comes after such a step depends on the build too.
    paths = indexer.graph.paths("test_stop", "start")
    assert [[step.alternative for step in path] for path in paths.paths] == [[True, False], [True, False]]
    assert paths.certainty == Certainty(proven=2, alternative=2)
    impact = indexer.graph.impact("start")
    steps = {step.symbol.qualified_name.rpartition(".")[2]: step for step in impact.affected}
    assert {name: step.alternative for name, step in steps.items()} == {"run": False, "stop": False, "test_stop": True}
    assert steps["test_stop"].confidence == 0.8


@pytest.mark.slow
def test_the_macro_beside_a_prototype_is_an_alternative_of_the_definition(tmp_path: Path) -> None:
    files = {
        "log.h": "#ifdef QUIET\n#define say(text) 0\n#else\nint say(const char *text);\n#endif\n",
        "log.c": '#include "log.h"\nint say(const char *text) { return 1; }\n',
        "main.c": '#include "log.h"\nint main(void) { return say("x"); }\n',
    }
    with opened(tmp_path, files) as indexer:
        assert [places(reach.alternatives) for reach in indexer.callers("say")] == [["log.h:2"], ["log.c:2"]]
        (callees,) = indexer.callees("main")
        assert callees.certainty == Certainty(alternative=2)


@pytest.mark.slow
def test_definitions_for_several_builds_are_one_hub(tmp_path: Path) -> None:
    files = {
        "a.c": "#ifdef A\n#define ERR(x) -(x)\n#else\n#define ERR(x) (x)\n#endif\nint f(int a) { return ERR(a); }\n"
    }
    with opened(tmp_path, files) as indexer:
        hubs = [(hub.symbol.name, hub.symbol.start_line, places(hub.alternatives)) for hub in indexer.graph.hubs()]
        assert hubs == [("ERR", 2, ["a.c:4"]), ("f", 6, [])]


@pytest.mark.slow
def test_callers_name_the_places_that_use_a_function_as_a_value(tmp_path: Path) -> None:
    files = {
        "main.c": "static int log_it(int a) { return a; }\n"
        "static int add_it(int a) { return a; }\n"
        'static struct { const char *name; int (*run)(int); } commands[] = { { "log", log_it }, { "add", &add_it } };\n'
        "int main(void) { return add_it(1); }\n"
    }
    with opened(tmp_path, files) as indexer:
        (log_it,), (add_it,) = indexer.callers("log_it"), indexer.callers("add_it")
        for reach in (log_it, add_it):
            assert [(step.kind, step.file_path, step.line) for step in reach.references] == [
                ("references", "main.c", 3)
            ]
        assert indexer.callees("log_it")[0].references == ()
        assert render.reach([log_it], direction="callers").splitlines()[1:] == [
            "  none known; used as a value at main.c:3, so it may be called"
        ]
        assert render.reach([add_it], direction="callers").splitlines()[1] == "    used as a value at main.c:3"


CLASSES = {
    "Animal.h": "@interface Animal : NSObject\n- (void)speak;\n@end\n",
    "Animal.m": '#import "Animal.h"\n@implementation Animal\n- (void)speak { }\n- (void)rest { [self speak]; }\n@end\n',
    "Dog.h": '#import "Animal.h"\n@interface Dog : Animal\n@end\n',
    "Dog.m": '#import "Dog.h"\n@implementation Dog\n- (void)speak { }\n- (void)awakeFromNib { }\n@end\n',
}


@pytest.mark.slow
def test_a_class_has_the_bases_of_its_interface(tmp_path: Path) -> None:
    with opened(tmp_path, CLASSES) as indexer:
        dog, animal = indexer.graph.hierarchy("Dog"), indexer.graph.hierarchy("Animal")
        assert places((dog.symbol, *(step.symbol for step in dog.bases))) == ["Dog.m:2", "Animal.m:2"]
        assert [(step.file_path, step.line) for step in dog.bases] == [("Dog.h", 2)]
        assert places((animal.symbol, *(step.symbol for step in animal.derived))) == ["Animal.m:2", "Dog.m:2"]
        assert animal.outside == ("NSObject",)
        # An object that is `self` in `Animal` may be a `Dog`.
        (callees,) = indexer.callees("rest")
        assert [(step.symbol.file_path, step.may) for step in callees.steps] == [("Animal.m", False), ("Dog.m", True)]
        # What a class outside the repository declares may be called from there.
        with_bases = {entry.symbol.qualified_name: entry.confidence for entry in indexer.graph.unused(min_confidence=0)}
        assert with_bases["Animal.rest"] == 0.4


@pytest.mark.slow
def test_a_step_to_a_function_under_the_opposite_condition_depends_on_the_build(tmp_path: Path) -> None:
    files = {
        "only.h": "int only(int level);\n",
        "only.c": '#include "only.h"\n#ifdef _WIN32\nint only(int level) { return level; }\n#endif\n',
        "use.c": '#include "only.h"\n'
        "int use(void) {\n#ifndef _WIN32\n    return only(1);\n#endif\n}\nint main(void) { return use(); }\n",
    }
    with opened(tmp_path, files) as indexer:
        reach = indexer.graph.callers("only", depth=2)[0]
    assert [(step.symbol.name, step.confidence, step.alternative) for step in reach.steps] == [
        ("use", ANOTHER_BUILD, True),
        ("main", ANOTHER_BUILD, True),
    ]
    assert (reach.certainty.alternative, reach.certainty.guessed) == (2, 0)
