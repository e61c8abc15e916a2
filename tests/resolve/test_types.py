"""Calls are resolved by the types that values have, in each way that a type can be known."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import apsw
import pytest

from code_graph_indexer.resolve.annotations import TypeName, read_type
from code_graph_indexer.syntax.expressions import path_of
from tests.indexing.repository import index, write_tree

TARGETS = (
    "select t.qualified_name from refs as r join chunks as c on c.id = r.source_id left join chunks as t on t.id = r.target_id "
    "where r.kind = 'calls' and r.name = ? and c.qualified_name like '%' || ? order by 1"
)

PYTHON = """\
from __future__ import annotations
import contextlib
import os
import typing as t
from typing import Callable, Optional

Visit = Callable[[Box], None]


class Box:
    lid: Lid

    def __init__(self, lid: Lid, parts=None):
        self.lid_given = lid
        self.parts: list[Lid] = parts or []
        self.by_name = {}
        self.made = Lid()
        self.later: Lid | None = None

    def __enter__(self) -> Lid:
        return self.lid

    def __iter__(self) -> t.Iterator[Lid]:
        yield self.lid

    def __getitem__(self, key) -> Lid:
        return self.parts[key]

    @property
    def top(self) -> Lid:
        return self.lid

    def copy_me(self) -> t.Self:
        return self

    def visit(self, fn: Visit) -> None:
        fn(self)


class Small(Box):
    pass


class Lid:
    def open(self):
        return None

    def itself(self):
        return self


def make():
    box = Box(Lid())
    return box


def wrapped() -> Optional[Lid]:
    return None


@contextlib.contextmanager
def opened() -> t.Iterator[Lid]:
    yield Lid()


def annotated(lid: Lid): lid.open()
def optional(lid: "Lid | None" = None): lid.open()
def constructed():
    lid = Lid()
    lid.open()
def by_field(box: Box): box.lid.open()
def by_field_given(box: Box): box.lid_given.open()
def by_field_made(box: Box): box.made.open()
def by_field_of_nothing_yet(box: Box): box.later.open()
def by_property(box: Box): box.top.open()
def by_declared_result(): wrapped().open()
def by_inferred_result(): make().lid.open()
def by_container(box: Box):
    for lid in box.parts:
        lid.open()
def by_element(box: Box): box.parts[0].open()
def by_mapping(lids: dict[str, Lid]):
    for key, lid in lids.items():
        lid.open()
def by_values(lids: dict[str, Lid]): [lid.open() for lid in lids.values()]
def by_get(lids: dict[str, Lid]): lids.get("a").open()
def by_sorted(lids: list[Lid]):
    for lid in sorted(lids, key=str):
        lid.open()
def by_next(lids: t.Iterator[Lid]): next(lids).open()
def by_enter(box: Box):
    with box as lid:
        lid.open()
def by_contextmanager():
    with opened() as lid:
        lid.open()
def by_iter(box: Box):
    for lid in box:
        lid.open()
def by_getitem(box: Box): box[0].open()
def by_self_type(small: Small): small.copy_me().top.open()
def by_alternative(lid: Lid | None): (lid or Lid()).open()
def by_cast(thing): t.cast("Lid", thing).open()
def by_isinstance(thing):
    if isinstance(thing, Lid):
        thing.open()
def by_unpacking():
    lid, number = pair()
    lid.open()
def pair() -> tuple[Lid, int]: ...
def by_list_of_names(lid: Lid):
    number, (first, other) = 1, (lid, 2)
    first.open()
def func(): return Lid()
def by_a_name_that_is_a_keyword_elsewhere():
    lid = func()
    lid.open()
def by_callback(box: Box): box.visit(lambda each: each.lid.open())
def by_alias_of_a_function():
    maker = make
    maker().lid.open()
def by_walrus():
    if (lid := wrapped()):
        lid.open()
def by_chain(lid: Lid): lid.itself().itself().open()
def reassigned():
    lid = Lid()
    lid = os.environ
    lid.open()
def hidden(open): open()
def outside(path: os.PathLike): path.open()
def literal(): "".open()
def comprehended(lids): [lid for lid in lids]; lid.open()
"""

FOUND = (
    *("annotated", "optional", "constructed", "by_field", "by_field_given", "by_field_made", "by_property"),
    *("by_declared_result", "by_inferred_result", "by_container", "by_element", "by_mapping", "by_values", "by_get"),
    *(
        "by_sorted",
        "by_next",
        "by_enter",
        "by_contextmanager",
        "by_iter",
        "by_getitem",
        "by_self_type",
        "by_alternative",
    ),
    *("by_cast", "by_isinstance", "by_unpacking", "by_callback", "by_alias_of_a_function", "by_walrus", "by_chain"),
    *("by_field_of_nothing_yet", "by_list_of_names", "by_a_name_that_is_a_keyword_elsewhere"),
)

OTHERS: dict[str, tuple[Mapping[str, str], list[tuple[str, str, str]]]] = {
    "typescript": (
        {
            "src/lid.ts": """\
export class Lid { open() {} }
export namespace util { export function shut(lid: Lid) { lid.open(); } }
""",
            "src/index.ts": "export * from './lid';\nexport * as lids from './lid';\n",
            "src/use.ts": """\
import { Lid, util, lids } from './index';
interface Box { lids: Lid[]; named: { top: Lid }; }
function each(fn: (lid: Lid, n: number) => void) {}
function byElement(box: Box) { box.lids[0].open(); }
function byCallback(box: Box) { box.lids.forEach((lid) => lid.open()); }
function byParameter() { each((lid) => { lid.open(); }); }
function byRecord({ named }: Box, box: Box) { box.named.top.open(); }
function byDestructuring(box: Box) { const { lids } = box; lids[0].open(); }
function byOptional(box?: Box) { box?.named!.top.open(); }
function byAwait(lid: Promise<Lid>) { async () => { (await lid).open(); } }
function byAs(thing: unknown) { (thing as Lid).open(); }
function byInstanceof(thing: unknown) { if (thing instanceof Lid) { thing.open(); } }
function byNamespace(lid: Lid) { util.shut(lid); }
function byModule() { new lids.Lid().open(); }
function byBound<T extends Lid>(lid: T) { lid.open(); }
type Handler<T> = (lid: Lid, times: number) => void;
type Choice = Handler<string> | string;
const byTypedConstant: Handler<string> = (lid) => { lid.open(); };
const byTypeOfTypes: Choice = lid => lid.open();
const byWrittenType: (lid: Lid) => void = function (lid) { lid.open(); };
function byReturnedFunction(): Handler<string> { return (lid, times) => { lid.open(); }; }
const byReturnedArrow = (): Handler<string> => (lid) => lid.open();
class Kept {
  #lid: Lid = new Lid();
  byHandler: Handler<string> = (lid) => lid.open();
  byPrivateField() { this.#lid.open(); }
}
class Base { shut() {} }
class Other { shut() {} }
export { Base as Renamed };
""",
            "src/more.ts": """\
import { Renamed } from './use';
class Derived extends Renamed { byRenamedBase() { this.shut(); } }
""",
        },
        [
            *(
                (f"by{one}", "open", "lid.Lid.open")
                for one in ["Element", "Callback", "Parameter", "Record", "Destructuring", "Optional"]
            ),
            *((f"by{one}", "open", "lid.Lid.open") for one in ["Await", "As", "Instanceof", "Module", "Bound"]),
            *((f"by{one}", "open", "lid.Lid.open") for one in ["TypedConstant", "TypeOfTypes", "WrittenType"]),
            *(
                (f"by{one}", "open", "lid.Lid.open")
                for one in ["ReturnedFunction", "ReturnedArrow", "Handler", "PrivateField"]
            ),
            ("byNamespace", "shut", "lid.util.shut"),
            ("byRenamedBase", "shut", "use.Base.shut"),
        ],
    ),
    "go": (
        {
            "lid.go": """\
package box

type Lid struct{ Knob }
type Knob struct{}

func (k *Knob) Turn() {}
func (l *Lid) Open() *Lid { return l }
func New() (lid *Lid, err error) { return nil, nil }

var Default = &Lid{}
""",
            "use.go": """\
package box

type Opener interface{ Open() *Lid }

func byTuple() { lid, err := New(); _ = err; lid.Open() }
func byEmbedding(lid *Lid) { lid.Turn() }
func byRange(lids map[string]*Lid) { for _, lid := range lids { lid.Open() } }
func byVariable() { Default.Open() }
func byAssertion(thing any) { thing.(*Lid).Open() }
func bySwitch(thing any) { switch one := thing.(type) { case *Lid: one.Open() } }
func byLiteral() { (&Lid{}).Open() }
func byNew() { lid := new(Lid); lid.Open() }
""",
        },
        [
            *(
                (f"by{one}", "Open", "Lid.Open")
                for one in ["Tuple", "Range", "Variable", "Assertion", "Literal", "New"]
            ),
            ("bySwitch", "Open", "Lid.Open"),
            ("byEmbedding", "Turn", "Knob.Turn"),
        ],
    ),
    "java": (
        {
            "Box.java": """\
package boxes;

class Base { Base() {} void shut() {} }
class Lid extends Base {
  Lid() { super(); }
  Lid(int n) { this(); }
  void open() {}
  void reset() { shut(); }
}
class Box {
  private Lid lid = new Lid();
  void byField() { lid.open(); }
  void byThis() { this.lid.open(); }
  void byVar() { var one = new Lid(); one.open(); }
  void byPattern(Object thing) { if (thing instanceof Lid one) { one.open(); } }
  Runnable byAnonymous() { return new Runnable() { public void run() { byField(); } }; }
}
""",
        },
        [
            *((f"by{one}", "open", "boxes.Lid.open") for one in ["Field", "This", "Var", "Pattern"]),
            ("byAnonymous.<anon>.run", "byField", "boxes.Box.byField"),
            ("Lid.reset", "shut", "boxes.Base.shut"),
        ],
    ),
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> apsw.Connection:
    """Index the Python file."""
    root = write_tree(tmp_path_factory.mktemp("types") / "repo", {"boxes.py": PYTHON})
    index(root, root / "index.db")
    return apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)


def targets(connection: apsw.Connection, caller: str, name: str) -> list[str | None]:
    return [cast("str | None", row[0]) for row in connection.execute(TARGETS, (name, f".{caller}"))]


@pytest.mark.parametrize("caller", FOUND)
def test_a_receiver_is_typed(python: apsw.Connection, caller: str) -> None:
    assert targets(python, caller, "open") == ["boxes.Lid.open"]


@pytest.mark.parametrize("caller", ["reassigned", "hidden", "outside", "literal", "comprehended"])
def test_what_is_something_else_is_not_linked_by_name(python: apsw.Connection, caller: str) -> None:
    assert targets(python, caller, "open") == [None]


VALUES = """\
class Handler:
    limit = 3

    def setup(self, register, other):
        register(self.on_done)
        register(key=helper)
        self.kept = helper
        other(other, self.limit, 3)
        return Handler

    def on_done(self):
        pass


def helper(): ...
TABLE = {"a": helper, "b": 3}
"""


def test_functions_and_classes_that_are_passed_kept_or_returned_are_references(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", {"a.py": VALUES, "b.ts": "function f() {}\nfunction g(f2) { g(f); g(f2); }\n"})
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    sql = (
        "select r.line, t.qualified_name from refs as r join chunks as t on t.id = r.target_id join chunks as c "
        "on c.id = r.source_id join files as f on f.id = c.file_id where r.kind = 'references' order by f.path, r.line"
    )
    assert connection.execute(sql).fetchall() == [
        (5, "a.Handler.on_done"),
        (6, "a.helper"),
        (7, "a.helper"),
        (9, "a.Handler"),
        (16, "a.helper"),
        (2, "b.f"),
    ]
    assert connection.execute(
        "select count(*) from refs where kind = 'references' and target_id is null"
    ).fetchall() == [(0,)]


def test_an_instantiation_leads_to_the_class_and_to_its_constructor(python: apsw.Connection) -> None:
    assert targets(python, "make", "Box") == ["boxes.Box", "boxes.Box.__init__"]


@pytest.mark.parametrize(
    ("language", "caller", "name", "target"),
    [(language, *one) for language, (_, cases) in OTHERS.items() for one in cases],
)
def test_other_languages_are_typed_by_their_captures(
    tmp_path: Path, language: str, caller: str, name: str, target: str
) -> None:
    root = write_tree(tmp_path / "repo", OTHERS[language][0])
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    assert [one and one.endswith(target) for one in targets(connection, caller, name)] == [True]


def test_a_constructor_calls_that_of_its_base_and_of_itself(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repo", OTHERS["java"][0])
    index(root, root / "index.db")
    connection = apsw.Connection(str(root / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    assert targets(connection, "Lid.Lid", "super") == ["boxes.Base", "boxes.Base.Base"]
    assert targets(connection, "Lid.Lid", "this") == ["boxes.Lid", "boxes.Lid.Lid"]


def test_types_that_lead_to_each_other_end(tmp_path: Path) -> None:
    text = "A = B\nB = A\nx = y\ny = x\n\n\ndef f(a: A, b: 'B'):\n    a.g()\n    x.g()\n    return f(a, b).g()\n"
    files = {"a.py": text, "b.rs": "pub use self::c::d;\nmod c { pub use super::d; }\nfn f() { d::e(); }\n"}
    root = write_tree(tmp_path / "repo", files)
    assert index(root, root / "index.db").files == 2


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("self.load(a, b)[0].name", "self.load()[0].name"),
        ("a or B()", "a or B()"),
        ("x if y else z.w()", "x or z.w()"),
        ("c ? d.e() : f", "d.e() or f"),
        ("((Foo) x).bar()", "<Foo>.bar()"),
        ("(await foo(1)).bar", "foo().bar"),
        ("$this->foo::bar", "$this.foo.bar"),
        ("static_cast<Foo *>(x)", "<Foo *>"),
        ("x.(*Foo).bar", "<*Foo>.bar"),
        ("f('a)b', \"c\")[i]", "f()[]"),
        ("f(g(a[0], {'b': (c,)}), d)(e).h", "f()().h"),
        ("f(g(h(i(j(k)))))", "f()"),
        ("a[1].b['c'][10](d)[100]", "a[1].b[][10]()[]"),
        ("[a, b(c)]", "0"),
        ("'a'", "''"),
        ("[a][0]", "0[0]"),
        ('f("it\'s", \'a)\', b"""c)""")', "f()"),
        ("a(b", "a()"),
        ("a + b", ""),
        ("lambda x: x", ""),
        ("None", "null"),
    ],
)
def test_an_expression_is_shortened_to_its_path(text: str, path: str) -> None:
    assert path_of(text, "python") == path


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Optional[a.B]", [("Optional", ("a.B",))]),
        ("'A | None'", [("A", ())]),
        ("Union[A, List[B]]", [("A", ()), ("List", ("B",))]),
        ("map[string]*Route", [("[:]", ("string", "*Route"))]),
        ("(a: A) => Promise<B>", [("()", ("A", "Promise<B>"))]),
        ("Callable[[A], B]", [("()", ("A", "B"))]),
        ("(lid *Lid, err error)", [("(,)", ("*Lid", "error"))]),
        ("&'a mut Vec<Foo>", [("Vec", ("Foo",))]),
        ("{ a: A; b?: B }", [("{}", ("a: A", "b?: B"))]),
        ("const std::vector<Foo> &", [("std.vector", ("Foo",))]),
        ("", []),
    ],
)
def test_a_type_is_read_in_any_language(text: str, names: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(read_type(text)) == [TypeName(*one) for one in names]
