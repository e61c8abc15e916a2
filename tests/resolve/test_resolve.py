"""References are linked to the definition a reader would jump to, or stay open."""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from tests.indexing.repository import index, raw, write_tree

FILES = {
    "pkg/__init__.py": "from pkg.shapes import Shape\nfrom .tools import *\nfrom .tools import measure as gauge\n",
    "pkg/shapes.py": """\
class Shape:
    def area(self):
        return self.width()

    def width(self):
        return 1

    def clone_shape(self) -> "Shape":
        return Shape()


class Square(Shape):
    def width(self):
        return super().width()

    def both(self):
        self.area()
""",
    "pkg/tools.py": """\
from pkg.shapes import Square as Box


def measure(box: Box):
    box.both()
    box.area()


def make() -> Box:
    return Box()


def open_box():
    return make()
""",
    "pkg/use.py": """\
import os
import pkg.tools as t
from pkg import Shape, gauge, measure as star_measure
from . import tools
from .shapes import Square


def by_alias():
    t.make()


def by_relative():
    tools.open_box()


def by_reexport():
    gauge(Square())
    star_measure(None)
    Shape().clone_shape()


def by_constructor():
    box = Square()
    box.both()


def by_return():
    made = t.make()
    made.both()
    t.make().area()


def by_with():
    with Square() as box:
        box.both()


def shadowed(measure):
    measure()


def nested():
    def make():
        return None
    make()


def outside():
    os.getcwd()
    os.path.clone_shape()
    unknown_thing()


def by_name_only(thing):
    thing.clone_shape()
    thing.both_of_them()


class Holder:
    def __init__(self, shape: Shape):
        self.shape: Shape = shape
        self.box = Square()

    def run(self):
        self.shape.area()
        self.box.both()
        self.missing()
""",
    "two/a.py": "def only_in_tests(): ...\n",
    "tests/test_it.py": "from pkg.use import by_alias\n\n\ndef helper_of_tests():\n    by_alias()\n\n\nhelper_of_tests()\n",
    "pkg/calls_test_code.py": "def go(x):\n    helper_of_tests()\n    x.method_of_tests()\n",
    "tests/more.py": "class T:\n    def method_of_tests(self): ...\n",
    "c/one.c": "int work(void) { return 1; }\n",
    "c/two.c": "int work(void) { return 2; }\n",
    "c/main.c": "int main(void) { return work(); }\n",
    "js/base.js": "export class Base { open() {} }\nexport default function start() {}\n",
    "js/index.js": 'export { Base as Root } from "./base";\nexport * from "./base";\n',
    "js/use.js": """\
import { Base } from ".";
import * as base from "./base";
import axios from "axios";
class Child extends Base { go() { this.open(); super.open(); } }
function run() { const child = new Child(); child.open(); base.start(); axios.open(); }
""",
    "g/go.mod": "module example.com/g\n",
    "g/store/store.go": "package store\n\ntype DB struct{}\n\nfunc Open() *DB { return &DB{} }\n\nfunc (d *DB) Ping() {}\n",
    "g/main.go": 'package main\n\nimport "example.com/g/store"\n\nfunc main() {\n\tdb := store.Open()\n\tdb.Ping()\n}\n',
}


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    folder = tmp_path_factory.mktemp("resolve")
    index(write_tree(folder / "repository", FILES), folder / "index.db")
    with raw(folder / "index.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def targets(connection: apsw.Connection) -> Callable[[str], dict[str, object]]:
    """Return a function that gives the targets of the calls inside a definition, by `receiver.name`."""

    def of(qualified_name: str) -> dict[str, object]:
        sql = (
            "select iif(r.receiver = '', r.name, r.receiver || '.' || r.name), "
            "iif(r.ambiguous, 'ambiguous', t.qualified_name) from refs as r "
            "join chunks as s on s.id = r.source_id left join chunks as t on t.id = r.target_id "
            "where r.kind = 'calls' and s.qualified_name = ?"
        )
        return {str(name): target for name, target in connection.execute(sql, (qualified_name,))}

    return of


Targets = Callable[[str], dict[str, object]]


def rows(connection: apsw.Connection, sql: str, *values: str) -> list[tuple[object, ...]]:
    return list(connection.execute(sql, values))


@pytest.mark.parametrize(
    ("caller", "calls"),
    [
        ("pkg.shapes.Shape.area", {"self.width": "pkg.shapes.Shape.width"}),
        ("pkg.shapes.Square.width", {"super().width": "pkg.shapes.Shape.width", "super": None}),
        ("pkg.shapes.Square.both", {"self.area": "pkg.shapes.Shape.area"}),
        ("pkg.tools.measure", {"box.both": "pkg.shapes.Square.both", "box.area": "pkg.shapes.Shape.area"}),
        ("pkg.tools.make", {"Box": "pkg.shapes.Square"}),
        ("pkg.tools.open_box", {"make": "pkg.tools.make"}),
        ("pkg.use.by_alias", {"t.make": "pkg.tools.make"}),
        ("pkg.use.by_relative", {"tools.open_box": "pkg.tools.open_box"}),
        ("pkg.use.by_constructor", {"Square": "pkg.shapes.Square", "box.both": "pkg.shapes.Square.both"}),
        ("pkg.use.by_with", {"Square": "pkg.shapes.Square", "box.both": "pkg.shapes.Square.both"}),
        ("pkg.use.shadowed", {"measure": None}),
        ("pkg.use.nested", {"make": "pkg.use.nested.make"}),
        ("pkg.use.outside", {"os.getcwd": None, "os.path.clone_shape": None, "unknown_thing": None}),
        (
            "pkg.use.by_name_only",
            {"thing.clone_shape": "pkg.shapes.Shape.clone_shape", "thing.both_of_them": None},
        ),
        (
            "pkg.use.Holder.run",
            {
                "self.shape.area": "pkg.shapes.Shape.area",
                "self.box.both": "pkg.shapes.Square.both",
                "self.missing": None,
            },
        ),
        (
            "pkg.use.by_reexport",
            {
                "gauge": "pkg.tools.measure",
                "Square": "pkg.shapes.Square",
                "star_measure": "pkg.tools.measure",
                "Shape().clone_shape": "pkg.shapes.Shape.clone_shape",
                "Shape": "pkg.shapes.Shape",
            },
        ),
        (
            "pkg.use.by_return",
            {
                "t.make": "pkg.tools.make",
                "made.both": "pkg.shapes.Square.both",
                "t.make().area": "pkg.shapes.Shape.area",
            },
        ),
        ("js.use.Child.go", {"this.open": "js.base.Base.open", "super.open": "js.base.Base.open"}),
        (
            "js.use.run",
            {
                "Child": "js.use.Child",
                "child.open": "js.base.Base.open",
                "base.start": "js.base.start",
                "axios.open": None,
            },
        ),
        ("main.main", {"store.Open": "store.Open", "db.Ping": "store.DB.Ping"}),
    ],
)  # fmt: skip
def test_calls_lead_where_a_reader_would_jump(targets: Targets, caller: str, calls: dict[str, object]) -> None:
    assert targets(caller) == calls


def test_production_code_is_never_linked_to_tests(targets: Targets) -> None:
    assert targets("pkg.calls_test_code.go") == {"helper_of_tests": None, "x.method_of_tests": None}


def test_tests_are_linked_to_what_they_test(targets: Targets) -> None:
    assert targets("tests.test_it.helper_of_tests") == {"by_alias": "pkg.use.by_alias"}


def test_an_ambiguous_call_keeps_its_candidates(connection: apsw.Connection, targets: Targets) -> None:
    assert targets("main") == {"work": "ambiguous"}
    sql = (
        "select f.path from candidates as k join chunks as c on c.id = k.chunk_id join files as f on f.id = c.file_id "
        "order by 1"
    )
    assert rows(connection, sql) == [("c/one.c",), ("c/two.c",)]


def test_bases_and_imports_are_edges(connection: apsw.Connection) -> None:
    sql = (
        "select s.qualified_name, t.qualified_name from edges as e join chunks as s on s.id = e.source_id "
        "join chunks as t on t.id = e.target_id where e.kind = ? and s.qualified_name like 'pkg%' order by 1, 2"
    )
    assert rows(connection, sql, "inherits") == [("pkg.shapes.Square", "pkg.shapes.Shape")]
    imports = rows(connection, sql, "imports")
    assert ("pkg.tools", "pkg.shapes.Square") in imports
    assert ("pkg.use", "pkg.tools") in imports


def test_every_edge_has_a_confidence_between_zero_and_one(connection: apsw.Connection) -> None:
    assert rows(connection, "select count(*) > 50 from edges") == [(1,)]
    assert rows(connection, "select count(*) from edges where confidence <= 0 or confidence > 1") == [(0,)]


def test_includes_that_include_each_other_end(tmp_path: Path) -> None:
    files = {
        f"h{i}.h": "".join(f'#include "h{(i * 7 + j * j + 1) % 60}.h"\n' for j in range(10)) + f"int f{i}(int);\n"
        for i in range(60)
    }
    files["main.c"] = '#include "h0.h"\nint main(void) { f3(1); return unknown(); }\n'
    stars = {f"s{i}.py": "".join(f"from s{j} import *\n" for j in range(12)) + "missing()\n" for i in range(12)}
    index(write_tree(tmp_path / "repository", {**files, **stars}), tmp_path / "index.db")
    with raw(tmp_path / "index.db") as connection:
        sql = "select r.name, t.name from refs as r left join chunks as t on t.id = r.target_id where r.kind = 'calls'"
        found = set(rows(connection, sql))
    assert found == {("f3", "f3"), ("unknown", None), ("missing", None)}


def test_a_name_that_no_file_of_packages_has_that_import_each_other_is_sought_in_reasonable_time(
    tmp_path: Path,
) -> None:
    count = 30
    text = (
        "package {own};\n\nimport {other}.*;\nimport {other}.Missing;\n\n"
        "class {own}{i} {{\n    void go() {{\n        Missing.run();\n    }}\n}}\n"
    )
    packages = [("p", "q"), ("q", "p")]
    files = {
        f"{own}/{own}{i}.java": text.format(own=own, other=other, i=i) for own, other in packages for i in range(count)
    }
    index(write_tree(tmp_path / "repository", files), tmp_path / "index.db")
    with raw(tmp_path / "index.db") as connection:
        sql = "select count(*) from refs where kind = 'calls' and name = 'run' and target_id is null"
        assert connection.execute(sql).fetchone() == (2 * count,)


def test_what_a_file_imports_is_passed_on_only_where_the_language_does_so(tmp_path: Path) -> None:
    files = {
        "a/Tool.java": "package a;\n\npublic class Tool {\n    public static void run() {\n    }\n}\n",
        "b/Other.java": "package b;\n\nimport a.*;\n\npublic class Other {\n}\n",
        "c/Use.java": "package c;\n\nimport b.*;\n\nclass Use {\n    void go() {\n        Tool.run();\n    }\n}\n",
        "tool.py": "def run():\n    pass\n",
        "other.py": "from tool import *\n",
        "use.py": "from other import *\n\nrun()\n",
    }
    index(write_tree(tmp_path / "repository", files), tmp_path / "index.db")
    with raw(tmp_path / "index.db") as connection:
        sql = (
            "select f.path, r.confidence from refs as r join chunks as c on c.id = r.source_id "
            "join files as f on f.id = c.file_id where r.kind = 'calls' and r.target_id is not null"
        )
        assert connection.execute(sql).fetchall() == [("use.py", 0.8)]


STRUCTURAL = {
    "go.mod": "module example.org/shop\n",
    "store/store.go": "package store\n\ntype Closer interface {\n\tClose() error\n}\n\n"
    "type Store interface {\n\tCloser\n\tSave(name string) error\n}\n",
    "disk/disk.go": "package disk\n\ntype Disk struct{}\n\nfunc (d *Disk) Save(name string) error { return nil }\n"
    "func (d *Disk) Close() error { return nil }\n\n"
    "type Half struct{}\n\nfunc (h Half) Save(name string) error { return nil }\n",
}


def test_a_type_with_the_methods_of_an_interface_implements_it(tmp_path: Path) -> None:
    root, db = write_tree(tmp_path / "repository", STRUCTURAL), tmp_path / "index.db"
    index(root, db)
    sql = (
        "select s.qualified_name, e.kind, t.qualified_name, e.confidence from edges as e "
        "join chunks as s on s.id = e.source_id "
        "join chunks as t on t.id = e.target_id where e.kind in ('overrides', 'inherits') order by 1, 2, 3"
    )
    with raw(db) as connection:
        assert list(connection.execute(sql)) == [
            ("disk.Disk", "inherits", "store.Closer", 0.7),
            ("disk.Disk", "inherits", "store.Store", 0.9),
            ("disk.Disk.Close", "overrides", "store.Closer.Close", 0.7),
            ("disk.Disk.Save", "overrides", "store.Store.Save", 0.9),
            ("store.Store", "inherits", "store.Closer", 0.98),
        ]
