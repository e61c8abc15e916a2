"""The graph answers who, how far and how sure, and says what it does not know."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, NotInIndexError, Reach, Step, render
from tests.indexing.repository import index, write_tree


def names(steps: tuple[Step, ...]) -> list[tuple[str, int, bool]]:
    return [(step.symbol.qualified_name.rpartition("shapes.")[2], step.depth, step.may) for step in steps]


def only(reaches: list[Reach]) -> Reach:
    assert len(reaches) == 1
    return reaches[0]


def indexed(folder: Path, text: str) -> CodeIndexer:
    """Index a repository of one Python file."""
    index(write_tree(folder, {"a.py": text}), folder / "index.db")
    return CodeIndexer(folder, db=folder / "index.db")


def test_callers_come_level_by_level(indexer: CodeIndexer) -> None:
    reach = only(indexer.callers("describe", depth=3))
    assert names(reach.steps) == [
        ("store.put", 1, False),
        ("tests.test_square.test_describe", 1, False),
        ("base.Shape.keep", 2, False),
        ("store.report", 2, False),
    ]
    assert reach.certainty.proven == 4


def test_callers_of_what_is_overridden_may_run_the_override(indexer: CodeIndexer) -> None:
    reach = only(indexer.callers("Square.area"))
    assert names(reach.steps) == [("square.Tile.area", 1, False), ("base.Shape.describe", 1, True)]
    assert (reach.certainty.proven, reach.certainty.may) == (1, 1)


@pytest.mark.slow
def test_a_call_that_says_which_class_it_means_is_no_dispatch(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def run(self): ...\n\n\nclass One(Base):\n    def run(self):\n        super().run()\n\n\n"
        "class Two(Base):\n    def run(self):\n        Base.run(self)\n\n\nclass Three(Base):\n    def run(self): ...\n\n\n"
        "def made():\n    Base().run()\n\n\ndef given(one: Base):\n    one.run()\n"
    )
    with indexed(tmp_path, text) as indexer:
        assert [step.symbol.name for step in only(indexer.callers("Three.run")).steps] == ["given"]
        (reach,) = indexer.callees("One.run")
        assert [step.symbol.qualified_name for step in reach.steps] == ["a.Base.run"]


@pytest.mark.slow
def test_a_call_with_the_name_of_a_class_makes_no_object_of_it(tmp_path: Path) -> None:
    text = (
        "package shop\n\ntype Cart struct{}\n\ntype Carts interface {\n\tDelete(id int)\n}\n\n"
        "type Store interface {\n\tCart() Carts\n}\n\ntype tables struct{}\n\nfunc (t tables) Delete(id int) {}\n\n"
        "func clear(s Store) {\n\ts.Cart().Delete(1)\n}\n"
    )
    index(write_tree(tmp_path / "app", {"shop.go": text}), tmp_path / "app.db")
    with CodeIndexer(tmp_path / "app", db=tmp_path / "app.db") as indexer:
        assert names(only(indexer.callers("tables.Delete")).steps) == [("shop.clear", 1, True)]


@pytest.mark.slow
def test_a_field_with_the_name_of_its_interface_is_no_class(tmp_path: Path) -> None:
    text = (
        'package shop\n\nimport "os/signal"\n\ntype Notifier interface {\n\tNotify(id int)\n}\n\n'
        "type Orders struct {\n\tNotifier Notifier\n}\n\nfunc (o *Orders) Place() {\n\to.Notifier.Notify(1)\n}\n\n"
        "type Stream struct{}\n\nfunc (s *Stream) Notify(id int) {}\n\n"
        "func wait(on chan os.Signal) {\n\tsignal.Notify(on)\n}\n"
    )
    root = write_tree(tmp_path / "app", {"shop.go": text})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        (reach,) = indexer.callers("Stream.Notify")
        assert [(step.symbol.name, step.may) for step in reach.steps] == [("Place", True)]
        # What is known to lead out of the repository is no call without a target.
        assert reach.certainty.unresolved == 0


@pytest.mark.slow
def test_an_object_that_calls_itself_runs_only_what_it_may_be(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def run(self): ...\n\n    def go(self):\n        self.run()\n\n\n"
        "class One(Base):\n    def run(self): ...\n\n\nclass Two(Base):\n    def start(self):\n        self.run()\n\n\n"
        "class Three(Base):\n    def begin(self):\n        self.run()\n\n\nclass Both(Three, One): ...\n"
    )
    with indexed(tmp_path, text) as indexer:
        assert {step.symbol.name for step in only(indexer.callers("One.run")).steps} == {"go", "begin"}
        (reach,) = indexer.callees("Two.start")
        assert [step.symbol.qualified_name for step in reach.steps] == ["a.Base.run"]


def test_what_lies_behind_a_doubtful_edge_is_no_surer(indexer: CodeIndexer) -> None:
    reach = only(indexer.callers("Tile.area", depth=3))
    assert {step.may for step in reach.steps} == {True}
    assert reach.certainty.proven == 0


def test_callees_include_the_overrides_that_dispatch_may_choose(indexer: CodeIndexer) -> None:
    reach = only(indexer.callees("describe"))
    assert names(reach.steps) == [
        ("base.Shape.area", 1, False),
        ("square.Square.area", 1, True),
        ("square.Tile.area", 1, True),
    ]


def test_tests_can_be_left_out_or_be_all_there_is(indexer: CodeIndexer) -> None:
    assert names(only(indexer.callers("describe", tests=False)).steps) == [("store.put", 1, False)]
    assert names(only(indexer.callers("describe", tests=True)).steps) == [("tests.test_square.test_describe", 1, False)]


def test_tests_are_reached_through_code_that_is_no_test(indexer: CodeIndexer) -> None:
    reach = only(indexer.callers("Square.area", depth=2, tests=True))
    assert names(reach.steps) == [("tests.test_square.test_describe", 2, True)]


def test_what_is_less_sure_can_be_left_out(indexer: CodeIndexer) -> None:
    assert only(indexer.callers("describe", min_confidence=0.99)).steps == ()


def test_a_walk_ends_in_cycles(indexer: CodeIndexer) -> None:
    reach = only(indexer.callers("put", depth=20))
    assert {step.symbol.name for step in reach.steps} == {"keep", "report"}
    assert not reach.certainty.truncated


def test_a_path_is_the_shortest_one(indexer: CodeIndexer) -> None:
    answer = indexer.graph.paths("store.py:report", "Tile.area")
    (path,) = answer.paths
    assert [step.symbol.name for step in path] == ["put", "describe", "area"]
    assert [step.may for step in path] == [False, False, True]
    assert indexer.graph.paths("Tile.area", "put").paths == ()


def test_an_ambiguous_name_is_asked_back_with_what_it_may_mean(indexer: CodeIndexer) -> None:
    with pytest.raises(NotInIndexError, match=r"means 2 definitions(?s:.*)shapes/other.py:1(?s:.*)shapes/store.py:9"):
        indexer.graph.paths("report", "put")


def test_impact_goes_by_distance_and_names_the_tests(indexer: CodeIndexer) -> None:
    impact = indexer.graph.impact("Tile.area")
    assert names(impact.affected)[:2] == [("base.Shape.describe", 1, True), ("store.put", 2, True)]
    assert impact.tests == ("tests/test_square.py",)
    assert [symbol.qualified_name for symbol in impact.changed] == ["shapes.square.Tile.area"]


def test_impact_of_a_file_is_that_of_all_it_holds(indexer: CodeIndexer) -> None:
    impact = indexer.graph.impact("square.py")
    assert {symbol.name for symbol in impact.changed} >= {"Square", "Tile", "area"}
    assert impact.tests == ("tests/test_square.py",)


@pytest.mark.slow
def test_an_impact_without_a_near_test_names_the_nearest_one(tmp_path: Path) -> None:
    loop = "def step_0(): ...\n" + "".join(f"def step_{number}():\n    step_{number - 1}()\n" for number in range(1, 9))
    tests = "from loop import step_{0}\ndef test_{0}():\n    step_{0}()\n"
    files = {"loop.py": loop, "tests/test_near.py": tests.format(6), "tests/test_far.py": tests.format(8)}
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        impact = indexer.graph.impact("step_0")
        assert impact.tests == ("tests/test_near.py",)
        assert [step.symbol.name for step in impact.affected] == [f"step_{number}" for number in range(1, 6)]
        assert impact.certainty.truncated
        assert indexer.graph.impact("step_4").tests == ("tests/test_near.py", "tests/test_far.py")
        assert not indexer.graph.impact("step_0", depth=1).certainty.truncated
        assert indexer.graph.impact("step_0", tests=False).tests == ()


@pytest.mark.slow
def test_a_macro_says_which_files_are_tests(tmp_path: Path) -> None:
    files = {
        "cart.c": "int add(int count) { return count; }\n",
        "tests/cart.c": "int add(int count);\nTEST_CASE(sums) { add(1); }\n",
        "tests/model.c": "int add(int count);\nint twice(int count) { return add(count) * 2; }\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        assert indexer.graph.impact("add").tests == ("tests/cart.c",)


def test_a_hierarchy_has_both_directions(indexer: CodeIndexer) -> None:
    hierarchy = indexer.graph.hierarchy("Square")
    assert names(hierarchy.bases) == [("base.Shape", 1, False)]
    assert names(hierarchy.derived) == [("square.Tile", 1, False)]


def test_implementations_are_overrides_of_a_method_and_classes_of_a_class(indexer: CodeIndexer) -> None:
    assert names(indexer.graph.implementations("Shape.area").steps) == [
        ("square.Square.area", 1, False),
        ("square.Tile.area", 2, False),
    ]
    assert names(indexer.graph.implementations("Shape").steps) == [
        ("square.Square", 1, False),
        ("square.Tile", 2, False),
    ]


def test_files_know_what_they_import_and_who_imports_them(indexer: CodeIndexer) -> None:
    links = indexer.graph.imports("store.py")
    assert [link.path for link in links.files] == ["shapes/base.py"]
    assert links.outside == ("json",)
    assert [link.path for link in indexer.graph.dependents("shapes/base.py").files] == [
        "shapes/square.py",
        "shapes/store.py",
    ]


def test_unused_definitions_are_those_without_a_reference(indexer: CodeIndexer) -> None:
    confidences = {entry.symbol.name: entry.confidence for entry in indexer.graph.unused()}
    assert confidences["never_called_at_all"] == 0.7
    assert confidences["keep"] == 0.7
    assert confidences["report"] == 0.6
    assert not {"put", "area", "Square", "describe"} & confidences.keys()
    assert indexer.graph.unused(min_confidence=1.0) == []


UNUSED = {
    "shop.h": "struct cart { int total; };\n#define LIMIT(x) (x)\n#define RUN(name) run_##name(1)\n"
    "#define START .begin = begin_it\n",
    "shop.cpp": '#include "shop.h"\n'
    "static int run_sale(int a) { return a; }\n"
    "static int run_stale(int a) { return a; }\n"
    "static int begin_it(int a) { return a; }\n"
    "static int plain(int a) { return a; }  // plain\n"
    "static struct cart cart = { LIMIT(1) };\n"
    "struct shop { ~shop() {} bool operator==(int a) { return a; } } shop;\n"
    "int WinMain(int a) { return RUN(sale); }\n",
    "t/t0001-cart.sh": "check_it() {\n    true\n}\n",
    "src/lib.rs": "fn helper() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds_up() {}\n}\n",
}


@pytest.mark.slow
def test_what_runs_without_a_call_of_its_name_is_hardly_unused(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "shop", UNUSED)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db") as indexer:
        confidences = {entry.symbol.name: entry.confidence for entry in indexer.graph.unused(min_confidence=0.0)}
        tested = {entry.symbol.name for entry in indexer.graph.unused(min_confidence=0.0, tests=True)}
    # `RUN(sale)` may mean `run_sale`. No `stale` stands alone. Types and macros are used by their names.
    assert confidences == {
        "run_stale": 0.95,
        "helper": 0.95,
        "plain": 0.6,
        "START": 0.7,
        "shop": 0.4,
        "begin_it": 0.3,
    }
    assert tested >= {"check_it", "adds_up"}


def test_cycles_of_imports_are_found(indexer: CodeIndexer) -> None:
    assert indexer.graph.cycles() == [("shapes/base.py", "shapes/store.py")]


def test_hubs_are_what_most_depends_on(indexer: CodeIndexer) -> None:
    hubs = indexer.graph.hubs(2)
    assert [hub.symbol.name for hub in hubs] == ["area", "describe"]
    assert hubs[0].rank > hubs[1].rank > 0


def test_communities_hold_every_connected_file_once(indexer: CodeIndexer) -> None:
    files = [path for community in indexer.graph.communities() for path in community.files]
    assert sorted(files) == ["shapes/base.py", "shapes/square.py", "shapes/store.py"]


LOOP = """
class Loop:
    def __init__(self, backend):
        self.backend = backend

    def run(self, queue, on_done):
        self.step(queue)
        on_done(queue)

    def step(self, job):
        self.backend.flush_job(job)


def start(queue):
    Loop(queue).run(queue, None)


def dispatch(handlers, name):
    # handlers["name"](1) in a comment
    size = (int)(name)
    return handlers[name](size)
"""

BACKENDS = """
class File:
    def flush_job(self, job):
        write(job)


class Memory:
    def flush_job(self, job): ...


def write(job): ...


def finished(queue):
    close(queue)


def close(queue): ...


def alone(): ...


HANDLERS = [finished]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "leading", "rest"),
    [
        ("write", ["loop.py:11  flush_job(…) in loop.Loop.step  might call back.File.flush_job"], []),
        (
            "close",
            ["loop.py:8  on_done(…) in loop.Loop.run  might call back.finished"],
            ["loop.py:11  flush_job(…) in loop.Loop.step  might call back.File.flush_job, back.Memory.flush_job"],
        ),
        (
            "alone",
            [],
            ["loop.py:11  flush_job(…) in loop.Loop.step  might call back.File.flush_job, back.Memory.flush_job"],
        ),
    ],
)
def test_where_no_path_is_known_the_ends_of_the_known_calls_are_said(
    target: str, leading: list[str], rest: list[str], tmp_path: Path
) -> None:
    root = write_tree(tmp_path / "repository", {"loop.py": LOOP, "back.py": BACKENDS})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        answer = indexer.graph.paths("start", target)
        tour = indexer.explore(f"start -> {target}").text
        finding = indexer.ask(f"how does start reach {target}?").summary
    assert [str(end) for end in answer.ends if end.leads] == leading
    assert [str(end) for end in answer.ends if not end.leads] == rest
    text = render.paths(answer)
    heads = {"a call without a known target might lead on to it": leading, "the known calls end at calls": rest}
    assert all((head in text) == bool(ends) for head, ends in heads.items())
    # A tour writes the way itself where a name leads on.
    assert all(end.partition("  ")[0] in tour for end in (*leading, *rest)[:1])
    assert all(end in finding for end in (*leading, *rest))


@pytest.mark.slow
def test_a_call_of_what_an_expression_gives_might_run_any_function_that_is_a_value(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {"loop.py": LOOP, "back.py": BACKENDS})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        (end,) = indexer.graph.paths("dispatch", "close").ends
        assert indexer.graph.paths("dispatch", "alone").ends == ()
    assert str(end) == "loop.py:21  handlers[name](…) in loop.dispatch  might call back.finished"


@pytest.mark.slow
def test_a_call_that_is_linked_to_nothing_may_lie_on_a_path(tmp_path: Path) -> None:
    source = (
        "def start(thing):\n    middle(thing)\n\n\ndef middle(thing):\n    thing.render_row()\n\n\n"
        "class Row:\n    def render_row(self):\n        end()\n\n\nclass Line:\n    def render_row(self):\n        pass\n\n\n"
        "def end():\n    pass\n"
    )
    root = write_tree(tmp_path / "repository", {"rows.py": source})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        assert indexer.graph.paths("start", "end").paths == ()
        text = indexer.explore("start -> end").text
    assert "There may be one over a call that is linked to nothing" in text
    assert "Row.render_row(self)  (guessed by name)  called at rows.py:6" in text


@pytest.mark.slow
def test_a_test_is_found_by_the_name_of_a_call_where_none_is_known(tmp_path: Path) -> None:
    files = {
        "filters.py": (
            "class Strip:\n    def clean_up(self):\n        return 1\n\n    @property\n    def width(self):\n        return 2\n"
        ),
        "other.py": "class Trim:\n    def clean_up(self):\n        return 1\n",
        "stack.py": "def run(filters):\n    for filter_ in filters:\n        filter_.clean_up()\n",
        "tests/test_stack.py": "from stack import run\n\ndef test_run():\n    run([])\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        impact = indexer.graph.impact("Strip.clean_up")
        assert impact.tests == ("tests/test_stack.py",)
        assert [step.confidence for step in impact.test_steps] == [0.2]
        assert not impact.silent
        (way,) = indexer.graph.impact("Strip.width").silent
        assert way.startswith("width is a property: ")


@pytest.mark.slow
def test_a_test_of_a_function_is_a_test_of_those_inside(tmp_path: Path) -> None:
    files = {
        "tag.ts": "function digest() {}\nexport const tag = () => {\n  return async function run() {\n    digest()\n  }\n}\n",
        "tag.test.ts": "import { tag } from './tag'\nit('tags', () => {\n  use(tag())\n})\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        assert indexer.graph.impact("digest").tests == ("tag.test.ts",)


@pytest.mark.slow
def test_a_change_reaches_who_passes_a_function_and_not_who_passes_another(tmp_path: Path) -> None:
    files = {
        "shop.py": (
            "from typing import Callable\n\n"
            "def checked(f: Callable):\n    def inner(self):\n        return f(self)\n    return inner\n\n"
            "class Shop:\n    @checked\n    def open(self): ...\n\n    @checked\n    def close(self): ...\n\n"
            "def run(step: Callable):\n    step()\n\n"
            "def first(): ...\n\ndef second(): ...\n\n"
            "def start():\n    run(first)\n\ndef stop():\n    run(second)\n"
        ),
        "tests/test_open.py": "from shop import Shop, start\n\ndef test_open():\n    Shop().open()\n    start()\n",
        "tests/test_close.py": "from shop import Shop, stop\n\ndef test_close():\n    Shop().close()\n    stop()\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        assert indexer.graph.impact("Shop.close").tests == ("tests/test_close.py",)
        impact = indexer.graph.impact("first")
        assert impact.tests == ("tests/test_open.py",)
        affected = {step.symbol.name for step in impact.affected}
        assert {"run", "start"} <= affected
        assert "stop" not in affected


@pytest.mark.slow
def test_a_decorator_belongs_to_what_it_decorates_and_not_to_the_class(tmp_path: Path) -> None:
    files = {
        "cart.py": (
            "from functools import lru_cache\n\nLIMIT = 3\n\nclass Cart:\n"
            "    @lru_cache(LIMIT)\n    def size(self):\n        return 1\n\n    def total(self):\n        return 2\n"
        ),
        "tests/test_size.py": "from cart import Cart\n\ndef test_size():\n    assert Cart().size()\n",
        "tests/test_total.py": "from cart import Cart\n\ndef test_total():\n    assert Cart().total()\n",
    }
    index(write_tree(tmp_path, files), tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as indexer:
        assert indexer.graph.impact("LIMIT").tests == ("tests/test_size.py",)


@pytest.mark.slow
def test_a_walk_goes_over_a_macro_that_is_a_member(tmp_path: Path) -> None:
    macro = "#ifdef HAS\n# define NEXT __attribute__((fallthrough))\n#else\n# define NEXT do {} while (0)\n#endif\n"
    header = macro + "".join(f"#define SIZE_{number} {number}\n" for number in range(60))
    source = (
        '#include "next.h"\nint step(int n) {\n    switch (n) {\n    case 1: NEXT;\n    default: return n;\n    }\n}\n'
    )
    write_tree(tmp_path, {"next.h": header, "run.c": f"{source}int run(int n) {{ return step(n); }}\n"})
    index(tmp_path, tmp_path / "index.db")
    with CodeIndexer(tmp_path, db=tmp_path / "index.db") as opened:
        steps = only(opened.callees("run", depth=3)).steps
    assert [(step.symbol.name, step.depth) for step in steps] == [("step", 1), ("NEXT", 2), ("NEXT", 2)]


def test_the_tests_of_a_class_are_those_of_its_members_and_of_its_file(tmp_path: Path) -> None:
    files = {
        "shop.py": "class Shop:\n    def add(self):\n        pass\n\n    def pay(self):\n        pass\n\n\nshop = Shop()\n",
        "test_add.py": "from shop import Shop\n\ndef test_add(mine: Shop):\n    mine.add()\n",
        "test_pay.py": "from shop import shop\n\ndef test_pay():\n    shop.pay()\n",
    }
    index(write_tree(tmp_path / "root", files), tmp_path / "index.db")
    with CodeIndexer(tmp_path / "root", db=tmp_path / "index.db", update=False) as indexer:
        ask = indexer.graph.impact
        whole = ask("Shop")
        assert [symbol.name for symbol in whole.changed] == ["Shop"]
        assert set(whole.tests) == set(ask("shop.py").tests) == {"test_add.py", "test_pay.py"}
        assert ask("Shop.pay").tests == ("test_pay.py",)


def test_an_impact_of_an_interface_reaches_what_implements_it(tmp_path: Path) -> None:
    text = (
        "interface Shape { double area(int x); }\n"
        "class Circle implements Shape { public double area(int x) { return 1; } }\n"
        "class Disk extends Circle { public double area(int x) { return 2; } }\n"
        "class Main { static double run() { return new Circle().area(2); } }\n"
    )
    (tmp_path / "Shapes.java").write_text(text, "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        graph = indexer.graph
        assert ("Circle.area", 1) in {step[:2] for step in names(graph.impact("Shape.area").affected)}
        assert ("Main.run", 2) in {step[:2] for step in names(graph.impact("Shape.area").affected)}
        # What a class does inside is no promise.
        assert ("Disk.area", 1) not in {step[:2] for step in names(graph.impact("Circle.area").affected)}
