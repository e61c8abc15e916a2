"""Overloads are told apart by how many arguments a call gives."""

from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.sites import open_sites
from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.parameters import ANY, read_parameters
from tests.indexing.repository import index, write_tree

JAVA = """\
package boxes;

class Base {
    void close(String how, int times) {}
}

class Box extends Base {
    Box() { this(1); }
    Box(int size) {}
    void close() { close("now", 2); }
    void close(int at) { close(); }
    void all(String... names) {}
    void open(int a, int b) {}

    static void run(Box box) {
        new Box();
        new Box(3);
        box.close(1);
        box.all();
        box.all("a", "b", "c");
        box.open(1);
        box.open(1, /* of */ 2);
        Runnable later = box::close;
    }
}
"""

KOTLIN = """\
package boxes

class Source {
    fun require(bytes: Long) {}
    fun read(from: Int = 0, vararg into: Byte) {}
    fun each(from: Int, then: (Int) -> Unit) {}

    fun run() {
        require(1 > 0) { "never" }
        require(1)
        read()
        read(1, 2, 3)
        each(1) { it }
        each(1)
        pack(1, 2)
    }

    fun pack(one: Int) {}
}

fun pack(one: Int, two: Int) {}
open class Sink {
    open fun flush(now: Boolean = true) {}
}
class Plain : Sink() {
    override fun flush(now: Boolean) {}
}
fun use(plain: Plain) = plain.flush()
"""

CSHARP = """\
namespace Boxes;

public static class Extensions
{
    public static void Pack(this Box box, int size) {}
    public static void Pack(this Box box, int size, string name) {}
}

public class Box
{
    public Box(int size = 1) {}
    public Box(string name, int size) {}
    public void Close(object[] all, params int[] at) {}

    public static void Run(Box box)
    {
        new Box();
        new Box("b", 2);
        box.Pack(1, "c");
        box.Pack(1);
        Extensions.Pack(box, 2);
        box.Close();
        box.Close(null, 1, 2);
        string.Format("{0}", box);
    }

    public void Format(string text) {}
}
"""


def called(root: Path, name: str) -> list[tuple[str, str | None]]:
    """List the calls of a name in the order of the source: the line, and the first line of what it leads to."""
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    sql = (
        "select r.line, f.path, t.start_line from refs as r join chunks as c on c.id = r.source_id join files as f on "
        "f.id = c.file_id left join chunks as t on t.id = r.target_id where r.kind = 'calls' and r.name = ? order by 1, 3"
    )
    found = []
    for line, path, target in connection.execute(sql, (name,)):
        text = (root / path).read_text().splitlines()
        found.append((text[line - 1].strip(), text[target - 1].strip() if target else None))
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "close",
            [
                ('void close() { close("now", 2); }', "void close(String how, int times) {}"),
                ("void close(int at) { close(); }", 'void close() { close("now", 2); }'),
                ("box.close(1);", "void close(int at) { close(); }"),
                ("Runnable later = box::close;", 'void close() { close("now", 2); }'),
            ],
        ),
        (
            "Box",
            [
                ("new Box();", "class Box extends Base {"),
                ("new Box();", "Box() { this(1); }"),
                ("new Box(3);", "class Box extends Base {"),
                ("new Box(3);", "Box(int size) {}"),
            ],
        ),
        ("this", [("Box() { this(1); }", "class Box extends Base {"), ("Box() { this(1); }", "Box(int size) {}")]),
        (
            "all",
            [
                ("box.all();", "void all(String... names) {}"),
                ('box.all("a", "b", "c");', "void all(String... names) {}"),
            ],
        ),
        ("open", [("box.open(1);", None), ("box.open(1, /* of */ 2);", "void open(int a, int b) {}")]),
    ],
)
def test_java(tmp_path: Path, name: str, expected: list[tuple[str, str | None]]) -> None:
    assert called(write_tree(tmp_path / "repo", {"boxes/Box.java": JAVA}), name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("require", [('require(1 > 0) { "never" }', None), ("require(1)", "fun require(bytes: Long) {}")]),
        (
            "read",
            [(call, "fun read(from: Int = 0, vararg into: Byte) {}") for call in ("read()", "read(1, 2, 3)")],
        ),
        ("each", [("each(1) { it }", "fun each(from: Int, then: (Int) -> Unit) {}"), ("each(1)", None)]),
        ("pack", [("pack(1, 2)", "fun pack(one: Int, two: Int) {}")]),
        (
            "flush",
            [
                ("fun use(plain: Plain) = plain.flush()", "override fun flush(now: Boolean) {}"),
            ],
        ),
    ],
)
def test_kotlin(tmp_path: Path, name: str, expected: list[tuple[str, str | None]]) -> None:
    assert called(write_tree(tmp_path / "repo", {"boxes/Source.kt": KOTLIN}), name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "Box",
            [
                ("new Box();", "public class Box"),
                ("new Box();", "public Box(int size = 1) {}"),
                ('new Box("b", 2);', "public class Box"),
                ('new Box("b", 2);', "public Box(string name, int size) {}"),
            ],
        ),
        (
            "Pack",
            [
                ('box.Pack(1, "c");', "public static void Pack(this Box box, int size, string name) {}"),
                ("box.Pack(1);", "public static void Pack(this Box box, int size) {}"),
                ("Extensions.Pack(box, 2);", "public static void Pack(this Box box, int size) {}"),
            ],
        ),
        (
            "Close",
            [
                ("box.Close();", None),
                ("box.Close(null, 1, 2);", "public void Close(object[] all, params int[] at) {}"),
            ],
        ),
        ("Format", [('string.Format("{0}", box);', None)]),
    ],
)
def test_csharp(tmp_path: Path, name: str, expected: list[tuple[str, str | None]]) -> None:
    assert called(write_tree(tmp_path / "repo", {"Box.cs": CSHARP}), name) == expected


CPP = {
    "box.h": """\
#pragma once
namespace boxes {
struct Box {
  void close(int how = 0);
  void close(int how, int times);
};
int copy(int from);
int none(void);
template <typename... Args> void all(Args&&... args);
}
""",
    "box.cpp": """\
#include "box.h"
#include "more.h"
namespace boxes {
void Box::close(int how) { ::close(how, 1, 2); }
void run(Box* box) {
  box->close();
  box->close(1, 2);
  copy(1, 2, 3);
  copy(1);
  none();
  all(1, 2, 3);
}
}
""",
    "more.h": "namespace boxes {\nint copy(int from, int to, int size);\n}\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("close", [(4, None), (6, "box.h:4"), (7, "box.h:5")]),
        ("copy", [(8, "more.h:2"), (9, "box.h:7")]),
        ("none", [(10, "box.h:8")]),
        ("all", [(11, "box.h:9")]),
    ],
)
def test_cpp(tmp_path: Path, name: str, expected: list[tuple[int, str | None]]) -> None:
    root = write_tree(tmp_path / "repo", CPP)
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    sql = (
        "select r.line, f.path || ':' || t.name_line from refs as r left join chunks as t on t.id = r.target_id "
        "left join files as f on f.id = t.file_id where r.kind = 'calls' and r.name = ? order by 1"
    )
    assert connection.execute(sql, (name,)).fetchall() == expected


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


def test_a_call_may_be_of_each_overload_with_as_many_parameters(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", {"Box.java": TIED})
    index(root, root / "index.db")
    with CodeIndexer(root, db=root / "index.db") as indexer:
        found = {
            one.symbol.signature: (one.certainty.proven, one.certainty.unresolved)
            for name in ("put", "fix")
            for one in indexer.graph.callers(name)
        }
        second = next(one for one in indexer.store.symbols(["put"]) if "String" in one.signature)
        sites = open_sites(indexer.store, [second], ())
    assert found == {
        "void put(int one)": (1, 0),
        "void put(String one)": (0, 1),
        "void put(int one, int two)": (0, 0),
        "void fix(int... many)": (0, 0),
        "void fix(int one)": (1, 0),
    }
    assert [(one.file_path, one.line, one.candidate) for one in sites] == [("Box.java", 7, True)]


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
