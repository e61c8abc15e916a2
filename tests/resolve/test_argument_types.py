"""Overloads that take as many arguments are told apart by the types of what a call gives."""

from pathlib import Path

import apsw
import pytest

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.parameters import read_parameters
from tests.indexing.repository import indexed

JAVA = """\
package boxes;

class Thing {}
class Gem extends Thing {}
class Box {
    void put(String one) {}
    void put(char one) {}
    void put(long one) {}
    void put(double one) {}
    void put(boolean one) {}
    void put(Thing one) {}
    void put(char[] many) {}
    void both(String one, Thing two) {}
    void both(Thing one, Thing two) {}
    void each(String... names) {}
    void each(Thing... things) {}
    Box(int size) {}
    Box(String name) { this(1); }
    void text() { put("a"); }
    void character() { put('a'); }
    void number() { put(-1); }
    void measured() { put("a".length()); }
    void joined(Thing thing) { put("a" + thing); }
    void fraction() { put(1.5f); }
    void truth() { put(true); }
    void thing(Thing thing) { put(thing); }
    void base(Gem gem) { put(gem); }
    void made() { put(new Gem()); }
    void given(String name) { put(name); }
    void called() { put(name()); }
    String name() { return ""; }
    void second(Thing thing) { both("a", thing); }
    void variadic(Thing thing) { each(thing, thing); }
    void unknown(Other other) { put(other.thing()); }
    void constructor() { new Box("a"); }
    void put(int[] many) { put(many[0].thing()); }
}
"""

OTHERS = {
    "kotlin": (
        "Box.kt",
        """\
class Thing
class Box {
    fun put(one: String) {}
    fun put(one: Int) {}
    fun put(one: Thing?) {}
    fun text() {
        put("a")
    }
    fun number() {
        put(1)
    }
    fun thing(thing: Thing) {
        put(thing)
    }
}
""",
        {"text": 3, "number": 4, "thing": 5},
    ),
    "csharp": (
        "Box.cs",
        """\
class Thing {}
class Box {
    void Put(string one) {}
    void Put(int one) {}
    void Put(Thing one) {}
    void Put([Some] params Thing[] many) {}
    void text() { Put("a"); }
    void number() { Put(1); }
    void thing(Thing thing) { Put(thing); }
}
""",
        {"text": 3, "number": 4, "thing": 5},
    ),
    "cpp": (
        "box.cpp",
        """\
struct Thing {};
struct Box {
    void put(const std::string& one) {}
    void put(int one) {}
    void put(const Thing& one) {}
    void put(const char*) {}
    void text() { put("a"); }
    void number() { put(1); }
    void thing(Thing thing) { put(thing); }
};
""",
        {"text": 6, "number": 4, "thing": 5},
    ),
}


def called(root: Path, caller: str) -> list[tuple[int | None, int]]:
    """Give the lines of the definitions that a function calls, and whether others may be meant."""
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "select t.start_line, r.ambiguous from refs as r join chunks as c on c.id = r.source_id "
        "join chunks as t on t.id = r.target_id where r.kind = 'calls' and c.name = ? "
        "and t.kind in ('method', 'function') and t.name <> 'name' order by c.start_line, t.start_line",
        (caller,),
    )
    return [(row[0], row[1]) for row in rows]


def edges(root: Path, condition: str) -> list[tuple[int, int]]:
    """Give the lines of the references that a condition holds for, and those of what they lead to."""
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "select r.line, t.start_line from refs as r join chunks as s on s.id = r.source_id "
        f"join chunks as t on t.id = r.target_id where {condition} order by 1, 2"
    )
    return [(row[0], row[1]) for row in rows]


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(tmp_path_factory.mktemp("overloads") / "repo", {"boxes/Box.java": JAVA})


@pytest.mark.parametrize(
    ("caller", "line"),
    [
        ("text", 6),
        ("character", 7),
        ("number", 8),
        ("fraction", 9),
        ("truth", 10),
        *((name, 11) for name in ("thing", "base", "made")),
        *((name, 6) for name in ("given", "called")),
        ("second", 13),
        ("variadic", 16),
        ("constructor", 18),
        ("joined", 6),
    ],
)
def test_java(java: Path, caller: str, line: int) -> None:
    assert called(java, caller) == [(line, 0)]


@pytest.mark.parametrize("caller", ["unknown", "measured"])
def test_an_argument_of_unknown_type_tells_nothing(java: Path, caller: str) -> None:
    assert called(java, caller) == [(6, 1)]


def test_an_overload_rather_calls_another_one_than_itself(java: Path) -> None:
    assert called(java, "put") == [(6, 1)]


ARRAYS = """\
package boxes;

class Thing {}
class Box {
    void put(boolean[] many) {}
    void put(byte[] many) {}
    void put(Object[] many) {}
    void put(Object one) {}
    void put(boolean one) {}
    void put(String one) {}
    void put(Iterable one) {}
    void bytes(byte[] many) { put(many); }
    void cast(Object one) { put((byte[]) one); }
    void things(Thing[] many) { put(many); }
    void thing(Thing one) { put(one); }
    void compared(int one) { put(one > 1); }
    void both(int one, int two) { put(one == 1 && two == 2); }
    void spelt(Other other) { put(other.toString()); }
    void taken(Other other) { put(other.thing()); }
}
"""


@pytest.mark.parametrize(
    ("caller", "line"),
    [
        ("bytes", 6),
        ("cast", 6),
        ("things", 7),
        ("thing", 8),
        ("compared", 9),
        ("both", 9),
        ("spelt", 10),
        ("taken", 8),
    ],
)
def test_arrays_objects_and_what_expressions_give(tmp_path: Path, caller: str, line: int) -> None:
    root = indexed(tmp_path / "repo", {"Box.java": ARRAYS})
    assert called(root, caller) == [(line, 0)]


CONSTANTS = """\
package boxes;

enum Size {
    SMALL(1), LARGE("l") { void f() {} },
    NONE;
    Size(int many) {}
    Size(String name) {}
    Size() {}
}
enum Plain { A }
"""


def test_constants_of_an_enum_are_made_by_its_constructors(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"Size.java": CONSTANTS})
    assert edges(root, "r.kind = 'calls' and r.name = 'Size' and s.name = 'Size'") == [(4, 6), (4, 7), (5, 8)]


OVERRIDES = """\
package boxes;

class Base<T> {
    void put(String one) {}
    void put(String one, int two) {}
    void put(char one) {}
    void take(T one) {}
}
class Box extends Base<String> {
    void put(char one) {}
    void put(String one, int two) {}
    void put(String one, int two, int three) {}
    void take(String one) {}
}
"""


def test_a_method_overrides_the_overload_with_its_parameters(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"Box.java": OVERRIDES})
    assert edges(root, "r.kind = 'overrides'") == [(10, 6), (11, 5), (13, 7)]


@pytest.mark.parametrize(
    ("language", "caller", "line"),
    [(language, *one) for language, (_, _, cases) in OTHERS.items() for one in cases.items()],
)
def test_other_languages(tmp_path: Path, language: str, caller: str, line: int) -> None:
    path, text, _ = OTHERS[language]
    root = indexed(tmp_path / "repo", {path: text})
    assert called(root, caller) == [(line, 0)]


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
