"""Calls are resolved by the types that values have, in each way that a type can be known."""

from pathlib import Path

import pytest

from code_graph_indexer.resolve.annotations import TypeName, read_type
from code_graph_indexer.syntax.expressions import path_of
from tests.indexing.repository import index, write_tree


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
    assert list(read_type(text)) == [TypeName(*name) for name in names]
