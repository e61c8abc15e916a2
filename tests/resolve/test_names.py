"""What a name means where a variable, a field, a function, an enum or a package may bear it."""

from pathlib import Path

import pytest

from tests.indexing.repository import callees, indexed

LID = """\
package com.boxes.parts;

public class Lid {
  public static final Lid SPARE = new Lid();
  public void open() {}
  public enum Size { SMALL, LARGE; public Lid lid() { return null; } }
}
"""

BOX = """\
package com.boxes;

import static com.boxes.parts.Lid.SPARE;
import static com.boxes.parts.Lid.Size.LARGE;
import com.boxes.parts.Lid;
import org.other.Knob;

class Holder { void shut() {} }

class Base {
  Lid lid() { return null; }
}
class Box extends Base {
  private Holder data;
  private String content;
  Lid data() { return null; }
  Lid content(int at) { return null; }

  void localOfItsName() { Lid lid = lid(); lid.open(); }
  void parameterOfItsName(boolean lid) { lid(); }
  void chain(Lid lid) { lid().open(); }
  void field() { data.shut(); }
  void fieldOfThis() { this.data.shut(); }
  void method() { data().open(); }
  void fieldOfOther(Box other) { other.data.shut(); }
  void methodOfOther(Box other) { other.data().open(); }
  void outside() { content.open(); }
  void constant() { Lid.Size.SMALL.lid().open(); }
  void constantKept() { var size = Lid.Size.LARGE; size.lid(); }
  void constantImported() { LARGE.lid(); }
  void staticImported() { SPARE.open(); }
  void fullName(com.boxes.parts.Knob.Turn turn, Object thing) { ((com.boxes.parts.Lid) thing).open(); }
  void fullNameOfHidden(com.boxes.parts.Knob knob) { knob.turn(); }
  void loop(java.util.List<com.boxes.parts.Lid> lids) { for (com.boxes.parts.Lid one : lids) one.open(); }
  void many(Lid... lids) { lids[0].open(); }
  class Inner { void outer() { Box.this.data().open(); } }
}
"""

KNOB = """\
package com.boxes.parts;

public class Knob { public void turn() {} }
"""


MANY = {
    "python": (
        "use.py",
        """\
class Lid:
    def open(self): ...
def use(*lids: "Lid"):
    for lid in lids:
        lid.open()
""",
    ),
    "go": (
        "use.go",
        """\
package box

type Lid interface{ open() }

func use(lids ...Lid) {
	for _, lid := range lids {
		lid.open()
	}
}
""",
    ),
    "kotlin": (
        "Use.kt",
        """\
class Lid {
    fun open() {}
}
fun use(vararg lids: Lid) {
    for (lid in lids) lid.open()
}
""",
    ),
    "swift": (
        "Use.swift",
        """\
class Lid {
    func open() {}
}
func use(_ lids: Lid...) {
    for lid in lids { lid.open() }
}
""",
    ),
    "scala": (
        "Use.scala",
        """\
class Lid {
  def open(): Unit = {}
}
object Use {
  def use(lids: Lid*) = {
    for (lid <- lids) lid.open()
  }
}
""",
    ),
    "php": (
        "use.php",
        """\
<?php
class Lid {
    function open() {}
}
function use_all(Lid ...$lids) {
    foreach ($lids as $lid) { $lid->open(); }
}
""",
    ),
}

GENERIC = """\
package box

func get[T any](key string) (one T) { return }
func two[T any](key string, n int) (one T) { return }
func use(all []func(int, int)) { _ = get[int]("a"); _ = two[int]("a", 1); all[0](1, 2) }
"""


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {"com/boxes/parts/Lid.java": LID, "com/boxes/parts/Knob.java": KNOB, "com/boxes/Box.java": BOX}
    return indexed(tmp_path_factory.mktemp("names") / "repo", files)


OPEN = ("open", "com.boxes.parts.Lid.open")
LID_OF_BASE = ("lid", "com.boxes.Base.lid")
SHUT = ("shut", "com.boxes.Holder.shut")
DATA = ("data", "com.boxes.Box.data")
OF_SIZE = ("lid", "com.boxes.parts.Lid.Size.lid")


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("localOfItsName", [LID_OF_BASE, OPEN]),
        ("parameterOfItsName", [LID_OF_BASE]),
        ("chain", [LID_OF_BASE, OPEN]),
    ],
)
def test_a_variable_does_not_hide_a_method_that_is_called(
    java: Path, caller: str, expected: list[tuple[str, str]]
) -> None:
    assert callees(java, caller) == expected


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("field", [SHUT]),
        ("fieldOfThis", [SHUT]),
        ("method", [DATA, OPEN]),
        ("fieldOfOther", [SHUT]),
        ("methodOfOther", [DATA, OPEN]),
        ("outside", [("open", None)]),
        ("outer", [DATA, OPEN]),
    ],
)
def test_a_field_and_a_method_of_one_name_are_two_things(
    java: Path, caller: str, expected: list[tuple[str, str | None]]
) -> None:
    assert callees(java, caller) == expected


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("constant", [OF_SIZE, OPEN]),
        ("constantKept", [OF_SIZE]),
        ("constantImported", [OF_SIZE]),
        ("staticImported", [OPEN]),
    ],
)
def test_a_constant_of_an_enum_or_class_has_its_type(java: Path, caller: str, expected: list[tuple[str, str]]) -> None:
    assert callees(java, caller) == expected


@pytest.mark.parametrize(
    ("caller", "expected"),
    [("fullName", [OPEN]), ("fullNameOfHidden", [("turn", "com.boxes.parts.Knob.turn")]), ("loop", [OPEN])],
)
def test_a_full_name_needs_no_import(java: Path, caller: str, expected: list[tuple[str, str]]) -> None:
    assert callees(java, caller) == expected


def test_a_parameter_of_any_number_is_a_list(java: Path) -> None:
    assert callees(java, "many") == [OPEN]


@pytest.mark.parametrize("language", MANY)
def test_a_parameter_of_any_number_is_a_list_in_other_languages(tmp_path: Path, language: str) -> None:
    path, text = MANY[language]
    root = indexed(tmp_path / "repo", {path: text})
    called = callees(root, "use_all" if language == "php" else "use")
    assert [str(target).endswith("Lid.open") for _, target in called] == [True]


def test_a_generic_function_with_its_types_is_called(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"a.go": GENERIC})
    assert callees(root, "use") == [("get", "box.get"), ("two", "box.two"), ("all", None)]


OTHERS = {
    "go": (
        "use.go",
        """\
package box

type Lid struct{}

func (l *Lid) open() {}
func lid() *Lid { return nil }
func use() {
	lid := lid()
	lid.open()
}
""",
    ),
    "rust": (
        "src/lib.rs",
        """\
struct Lid;
impl Lid { fn open(&self) {} }
fn lid() -> Lid { Lid }
fn user() {
    let lid = lid();
    lid.open();
}
""",
    ),
    "kotlin": (
        "Use.kt",
        """\
class Lid {
    fun open() {}
}
class Box {
    fun lid(): Lid = Lid()
    fun use() {
        val lid = lid()
        lid.open()
    }
    fun lift(times: Int) {}
    fun useFunction(lift: () -> Lid) {
        lift()
    }
}
""",
    ),
    "elixir": (
        "lib/box.ex",
        """\
defmodule Box do
  def lid(), do: 1
  def use(lid) do
    lid = lid()
    lid
  end
end
""",
    ),
}


@pytest.mark.parametrize("language", OTHERS)
def test_a_variable_is_given_what_a_function_of_its_name_returns(tmp_path: Path, language: str) -> None:
    path, text = OTHERS[language]
    root = indexed(tmp_path / "repo", {path: text})
    called = callees(root, "user" if language == "rust" else "use")
    assert [name for name, target in called if target is not None] == [
        "lid",
        *(["open"] if language != "elixir" else []),
    ]


def test_a_function_in_a_variable_is_called_where_no_other_takes_the_arguments(tmp_path: Path) -> None:
    path, text = OTHERS["kotlin"]
    root = indexed(tmp_path / "repo", {path: text})
    assert callees(root, "useFunction") == [("lift", None)]


LAMBDAS = """\
package boxes;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

class Lid { void open() {} Lid next() { return null; } }
class Use {
  private List<Lid> lids;
  void each(String name) { lids.forEach(lid -> { if (name.equals("a")) lid.open(); }); }
  void filtered() { lids.stream().filter(lid -> lid.next() != null).findFirst().get().open(); }
  void wild(Function<? super Lid, ? extends Lid> one) { wild(lid -> lid.next()); }
  void pair(BiConsumer<Lid, Use> one) { pair((lid, use) -> { lid.open(); use.pair(one); }); }
  void kept() { Function<Lid, Lid> one = lid -> lid.next(); }
  void rows(Lid[][] rows) { rows[0][1].open(); for (Lid[] row : rows) row[0].next(); }
}
"""


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("each", [("open", "boxes.Lid.open")]),
        ("filtered", [("next", "boxes.Lid.next"), ("open", "boxes.Lid.open")]),
        ("wild", [("wild", "boxes.Use.wild"), ("next", "boxes.Lid.next")]),
        ("pair", [("pair", "boxes.Use.pair"), ("open", "boxes.Lid.open"), ("pair", "boxes.Use.pair")]),
        ("kept", [("next", "boxes.Lid.next")]),
        ("rows", [("open", "boxes.Lid.open"), ("next", "boxes.Lid.next")]),
    ],
)
def test_a_lambda_is_passed_what_its_receiver_or_type_says(
    tmp_path: Path, caller: str, expected: list[tuple[str, str]]
) -> None:
    root = indexed(tmp_path / "repo", {"Use.java": LAMBDAS})
    assert [one for one in callees(root, caller) if one[1]] == expected


WRAPPERS = """\
class Box<T> { open(): void {} }
class Lid { shut(): void {} }
function own(box: Box<Lid>, later: Promise<Lid>) { box.open(); later.shut(); }
"""


def test_a_wrapper_that_the_repository_defines_is_a_type_of_its_own(tmp_path: Path) -> None:
    root = indexed(tmp_path / "repo", {"use.ts": WRAPPERS})
    assert callees(root, "own") == [("open", "use.Box.open"), ("shut", "use.Lid.shut")]


NESTED = """\
namespace boxes {
class Lid { public: void open(); Lid** rest(); };
class Box {
 public:
  class Part { void turn(); void use(); };
 private:
  Lid* lid_ LID_GUARDED_BY(lock_);
  Lid spare_ LID_GUARDED_BY(lock_) = Lid();
  void guarded();
  void counted();
};
void Box::Part::turn() {}
void Box::Part::use() { turn(); }
inline int LID_COUNT(const void* lids) { return 0; }
void Box::counted() { LID_COUNT(lid_); }
void Box::guarded() { lid_->open(); spare_.open(); lid_->rest()[0]->open(); }
}
"""


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("use", [("turn", "boxes.Box.Part.turn")]),
        ("counted", [("LID_COUNT", "boxes.LID_COUNT")]),
        ("guarded", [("open", "boxes.Lid.open")] * 2 + [("rest", "boxes.Lid.rest"), ("open", "boxes.Lid.open")]),
    ],
)
def test_a_method_defined_outside_of_nested_classes_is_one_of_theirs(
    tmp_path: Path, caller: str, expected: list[tuple[str, str]]
) -> None:
    root = indexed(tmp_path / "repo", {"box.cc": NESTED})
    assert callees(root, caller) == expected


SEVERAL = """\
class Lid:
    def open(self): ...

class Knob:
    def turn(self): ...

def both() -> tuple[Lid, Knob]: ...

first = second = Lid()

def used():
    first.open()
    second.open()

class Box:
    def __init__(self):
        self.lid, self.knob = both()
        self.one = self.other = Lid()

    def use(self):
        self.lid.open()
        self.knob.turn()
        self.one.open()
        self.other.open()

def local():
    a = b = Lid()
    a.open()
    b.open()
    (c := Knob()).turn()
"""


@pytest.mark.parametrize(
    ("caller", "expected"),
    [
        ("used", ["open", "open"]),
        ("use", ["open", "turn", "open", "open"]),
        ("local", ["Lid", "open", "open", "Knob", "turn"]),
    ],
)
def test_a_statement_gives_several_names_a_value(tmp_path: Path, caller: str, expected: list[str]) -> None:
    root = indexed(tmp_path / "repo", {"several.py": SEVERAL})
    assert [name for name, target in callees(root, caller) if target] == expected
