"""A walk over the graph in memory reaches what a walk over the index file reaches, in the same order."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.folders import MAX_FILES, Dependencies, dependencies, folder_graph, folder_needs
from code_graph_indexer.graph.neighbourhood import Neighbourhood
from code_graph_indexer.graph.results import Impact
from code_graph_indexer.graph.spread import Spread
from code_graph_indexer.graph.walk import Limits, Walk
from code_graph_indexer.picture.graph import GraphExport
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store, is_member
from code_graph_indexer.storage.arrays import EDGE_KINDS
from code_graph_indexer.storage.records import USES
from tests.graph import conftest, test_declared
from tests.indexing.repository import index, write_tree

pytestmark = pytest.mark.slow

MORE = {
    "tag.ts": "function digest() {}\nexport const tag = () => {\n  return async function run() {\n    digest()\n  }\n}\n",
    "tag.test.ts": "import { tag } from './tag'\nit('tags', () => {\n  use(tag())\n})\n",
    "one.test.ts": "import { tag } from './tag'\nit('is a tag', () => {\n  tag()\n})\n",
    "two.test.ts": "import { tag } from './tag'\nit('is no tag', () => {\n  tag()\n})\n",
    "pair.py": (
        "def unit():\n    return 1\n\n"
        "class Base:\n    def size(self):\n        return 0\n\n"
        "class First(Base):\n    def size(self):\n        return unit()\n\n"
        "class Second(Base):\n    def size(self):\n        return unit()\n\n"
        "def use(shape: Base):\n    return shape.size()\n"
    ),
    "kind.py": "class Kind:\n    pass\n\ndef take(kind: Kind) -> Kind:\n    return kind\n\ndef pass_on():\n    take(Kind())\n",
    "test_kind.py": "from kind import Kind\n\ndef test_kind(kind: Kind = None):\n    assert kind is None\n",
    "tool.py": "from kind import pass_on\n\ndef main():\n    pass_on()\n\nif __name__ == '__main__':\n    main()\n",
    "test_tool.py": "import subprocess\nimport sys\n\ndef test_tool():\n    subprocess.run([sys.executable, 'tool.py'])\n",
    "step.py": (
        "from typing import Callable\n\ndef run(step: Callable):\n    step()\n\ndef first(): ...\n\ndef second(): ...\n\n"
        "def start():\n    run(first)\n\ndef stop():\n    run(second)\n"
    ),
    "enter.c": (
        "#ifdef DEBUG\n#define ENTER do { note(); } while (0)\n#else\n#define ENTER do { } while (0)\n#endif\n"
        "int run(int n)\n{\n\tENTER;\n\treturn n;\n}\n"
    ),
    "View.m": "@interface View : Base\n@end\n@implementation View\n- (void)draw { }\n@end\n",
    "Base.m": "@interface Base\n@end\n@implementation Base\n- (void)draw { [self draw]; }\n@end\n",
    **{
        f"tests/test_{number}.c": f'#include "app.h"\nvoid test_{number}(void) {{\n    stop(3);\n}}\n'
        for number in "abc"
    },
}
LIMITS = (
    Limits(5),
    Limits(1),
    Limits(4, dispatch=False),
    Limits(3, 0.9),
    Limits(5, tests=True),
    Limits(5, tests=False),
    Limits(6, to_outer=True),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Open the index of several languages."""
    folder = tmp_path_factory.mktemp("spread")
    root = write_tree(folder / "app", {**conftest.FILES, **test_declared.FILES, **MORE})
    index(root, folder / "index.db")
    with CodeIndexer(root, db=folder / "index.db", update=False) as indexer:
        yield indexer.store


def plain(store: Store, changed: Sequence[Symbol], limits: Limits) -> Impact:
    """Return what a change affects, by walks over the index file."""
    store.refresh()
    store.forget()
    assert store.graph_arrays() is None
    return CodeGraph(store).impact(changed, limits)


@pytest.mark.parametrize("limits", LIMITS)
def test_the_steps_are_those_of_a_walk(store: Store, limits: Limits) -> None:
    kinds = ("calls", "references", "inherits")
    graph = store.graph_arrays(load=True)
    assert graph is not None
    for chunk_id in store.nodes():
        walk = Walk(store, limits, kinds, incoming=True)
        spread = Spread(store, graph)
        rows, truncated = spread.steps([chunk_id], limits, kinds)
        assert spread.read(rows) == walk.steps([chunk_id])
        assert truncated == walk.truncated
        links = ("inherits", "overrides", "calls", "references")
        first = Walk(store, limits, kinds, incoming=True, first=USES)
        assert spread.read(spread.steps([chunk_id], limits, kinds, USES)[0]) == first.steps([chunk_id])
        pairs = Walk(store, limits, links, incoming=True).pairs([chunk_id], 1)
        assert list(spread.pairs([chunk_id], limits, links)) == pairs


@pytest.mark.parametrize("limits", LIMITS[:-1])
def test_the_impact_is_that_of_a_walk(store: Store, limits: Limits) -> None:
    members = [symbol for row in store.files() for symbol in store.file_symbols(row.path) if is_member(symbol.node_id)]
    changes = [[symbol] for symbol in (*store.nodes().values(), *members)]
    # A class comes with what is in it.
    changes += [
        [symbol, *(member for member in members if member.chunk_id == symbol.chunk_id)]
        for symbol in store.nodes().values()
    ]
    expected = [plain(store, changed, limits) for changed in changes]
    store.graph_arrays(load=True)
    graph = CodeGraph(store)
    for changed, impact in zip(changes, expected, strict=True):
        assert graph.impact(changed, limits) == impact
    assert any(len(impact.tests) > 1 for impact in expected) == (limits.tests is not False and limits.depth > 0)


@pytest.mark.parametrize("is_loaded", [False, True])
def test_a_limit_shortens_the_lists_and_changes_no_count(store: Store, *, is_loaded: bool) -> None:
    changed = [symbol for symbol in store.nodes().values() if symbol.name == "stop" and symbol.kind == "function"]
    whole = plain(store, changed, Limits(5))
    store.graph_arrays(load=is_loaded)
    short = CodeGraph(store).impact(changed, Limits(5), most=1)
    assert replace(short, affected=(), test_steps=()) == replace(whole, affected=(), test_steps=())
    assert [step for step in whole.affected if step in short.affected] == list(short.affected)
    assert len(short.affected) < len(whole.affected)
    assert len(whole.affected) > sum(whole.distances) > 0


def test_a_change_of_the_index_drops_the_graph_in_memory(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "app", {"one.py": "def one():\n    pass\n"})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        graph = indexer.store.graph_arrays(load=True)
        assert graph is not None
        assert indexer.store.graph_arrays() is graph
        (root / "one.py").write_text("def one():\n    two()\n\ndef two():\n    pass\n")
        index(root, tmp_path / "index.db")
        indexer.store.refresh()
        assert indexer.store.graph_arrays() is None
        fresh = indexer.store.graph_arrays(load=True)
        assert fresh is not None
        assert len(fresh.nodes) > len(graph.nodes)
        assert len(fresh.edges) == len(graph.edges) + 1


def test_an_empty_index_has_an_empty_graph(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "app", {})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        graph = indexer.store.graph_arrays(load=True)
        assert graph is not None
        assert len(graph.nodes) == len(graph.edges) == 0
        assert len(Spread(indexer.store, graph).steps([1], Limits(2), ("calls",))[0]) == 0


def test_the_graph_in_memory_hides_no_edge(store: Store) -> None:
    """Every edge is there as before, also those of members, which are no nodes of that graph."""
    symbols = [symbol for file in store.files() for symbol in store.file_symbols(file.path)]
    node_ids = sorted({node_id for symbol in symbols for node_id in (symbol.node_id, symbol.chunk_id)})
    asked = [(kind, incoming) for kind in EDGE_KINDS for incoming in (False, True)]
    store.refresh()
    store.forget()
    expected = [store.edges(node_ids, kind, incoming=incoming) for kind, incoming in asked]
    assert any(is_member(edge.chunk_id) and edge.kind == "calls" for edges in expected for edge in edges)
    store.graph_arrays(load=True)
    assert [store.edges(node_ids, kind, incoming=incoming) for kind, incoming in asked] == expected


def test_uses_are_listed_alike(store: Store) -> None:
    symbols = [symbol for file in store.files() for symbol in store.file_symbols(file.path)]
    store.refresh()
    store.forget()
    expected = [CodeGraph(store).uses_by_kind(symbol, Limits(), 1) for symbol in symbols]
    store.graph_arrays(load=True)
    assert [CodeGraph(store).uses_by_kind(symbol, Limits(), 1) for symbol in symbols] == expected
    assert any(uses.total > len(uses.steps) for answer in expected for uses in answer)


@pytest.mark.parametrize("boxes", [4, 40])
@pytest.mark.parametrize("limits", [Limits(1), Limits(1, 0.9), Limits(1, tests=True), Limits(1, tests=False)])
def test_pictures_are_alike(store: Store, limits: Limits, boxes: int) -> None:
    symbols = [symbol for file in store.files() for symbol in store.file_symbols(file.path)]

    def pictures() -> list[GraphExport]:
        """Return the pictures of all definitions, each with its folds closed, and then with all of them open."""
        around = [Neighbourhood(store).around(symbol, limits, (), boxes) for symbol in symbols]
        folds = [[node.id for node in graph.nodes if node.count] for graph in around]
        pairs = zip(symbols, folds, strict=True)
        return around + [
            Neighbourhood(store).around(symbol, limits, opened, boxes) for symbol, opened in pairs if opened
        ]

    store.refresh()
    store.forget()
    expected = pictures()
    store.graph_arrays(load=True)
    assert pictures() == expected
    assert boxes > 4 or any(node.count for graph in expected for node in graph.nodes)


def test_a_picture_of_a_hub_reads_no_caller_that_it_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"{folder}/{name}/f{number}.py": "from lib import pay\n\n"
        + "".join(f"def f{n}():\n    pay()\n\n" for n in range(9))
        for folder in "ab"
        for name in "abcdefghij"
        for number in range(3)
    }
    root = write_tree(tmp_path / "app", {**files, "lib.py": "def pay():\n    pass\n"})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        store = indexer.store
        (pay,) = store.symbols(["pay"])
        store.graph_arrays(load=True)
        read = 0
        nodes = store.nodes

        def counted(chunk_ids: Sequence[int] | None = None) -> dict[int, Symbol]:
            nonlocal read
            symbols = nodes(chunk_ids)
            read += len(symbols)
            return symbols

        monkeypatch.setattr(store, "nodes", counted)
        graph = Neighbourhood(store).around(pay, Limits(1), ())
    assert graph.layers[0] == "used by 540"
    assert sum(edge.weight for edge in graph.edges) == 540
    assert read < 200


def test_files_depend_on_each_other_as_the_index_file_says(store: Store) -> None:
    store.refresh()
    store.forget()
    expected = dependencies(store)
    store.graph_arrays(load=True)
    files = dependencies(store)
    assert files.paths == expected.paths
    assert files.test_paths() == expected.test_paths()
    assert _named(files) == _named(expected) != []
    assert folder_graph(files, "", ()) == folder_graph(expected, "", ())
    assert folder_needs(files, "tests") == folder_needs(expected, "tests")


def _named(files: Dependencies) -> list[tuple[str, str, int, float, int]]:
    return [(files.files[source], files.files[target], *rest) for source, target, *rest in files.links.tolist()]


def test_a_picture_and_a_tour_count_what_a_folder_needs_alike_without_tests_and_guesses(tmp_path: Path) -> None:
    use = "from lib.pay import pay\n\n\ndef work():\n    pay()\n"
    files = {
        **{f"app/work{number}.py": use for number in range(13)},
        **{f"app/test_work{number}.py": use.replace("work", "test_work") for number in range(13)},
        "app/guess.py": "def guess(cart):\n    cart.pay_all()\n",
        "lib/pay.py": "def pay():\n    pass\n\n\nclass Cart:\n    def pay_all(self):\n        pass\n",
        "tests/test_pay.py": use.replace("work", "test_pay"),
        "notes/guess.py": "def guess(cart):\n    cart.pay_all()\n",
        # With so many others, the folder stays one box.
        **{f"other{number}/work.py": "def work():\n    pass\n" for number in range(MAX_FILES)},
    }
    index(write_tree(tmp_path / "root", files), tmp_path / "index.db")
    with CodeIndexer(tmp_path / "root", db=tmp_path / "index.db", update=False) as indexer:
        needs = dependencies(indexer.store)
        folders = [path.partition("/")[0] for path in needs.files]
        ((*_, references),) = needs.between(
            [["app", "lib"].index(folder) if folder in ("app", "lib") else -1 for folder in folders]
        )
        edges = {edge.source: (edge.weight, edge.certainty) for edge in folder_graph(needs, "", ()).edges}
        assert references == 26
        assert dict(folder_needs(needs, "app").needs) == {"lib": references}
        assert edges == {
            "app/": (references, "proven"),
            "tests/test_pay.py": (2, "proven"),
            "notes/guess.py": (1, "guessed"),
        }
