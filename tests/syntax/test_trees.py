"""Expressions of every language become paths, by the roles that its header gives to nodes."""

from dataclasses import replace

import pytest

from code_graph_indexer.errors import GrammarError
from code_graph_indexer.languages import languages, load_parser
from code_graph_indexer.languages.header import EXPRESSION
from code_graph_indexer.syntax import roles
from code_graph_indexer.syntax.roles import ROLES, roles_of
from code_graph_indexer.syntax.trees import Expressions, Texts

AROUND = {
    "c": "int f() { return %s; }",
    "cpp": "auto f() { return %s; }",
    "csharp": "class A { object F() { return %s; } }",
    "dart": "f() { return %s; }",
    "go": "package a\nfunc f() { x = %s }",
    "java": "class A { Object f() { return %s; } }",
    "kotlin": "fun f() { val a = %s }",
    "php": "<?php return %s;",
    "rust": "fn f() { let a = %s; }",
    "scala": "object A { val a = %s }",
    "solidity": "contract A { function f() public { a = %s; } }",
    "swift": "func f() { let a = %s }",
    "zig": "fn f() void { a = %s; }",
    "lua": "local a = %s",
    "perl": "my $a = %s;",
}
"""What stands around an expression, where a file is no list of expressions."""


def path_of(language: str, text: str) -> str:
    """Return the path of an expression."""
    around = AROUND.get(language, "a = %s")
    source = (around % text).encode()
    start = len(around.partition("%s")[0].encode())
    node = load_parser(language).parse(source).root_node.descendant_for_byte_range(start, start + len(text.encode()))
    assert node is not None
    expressions = Expressions(source, languages()[language], Texts())
    if node.end_byte - node.start_byte != len(text.encode()):
        # Nodes in a row.
        row = [child for child in node.children if start <= child.start_byte < start + len(text)]
        return expressions.path(*row)
    return expressions.path(node)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("self.load(a, 1)[0].name", "self.load(a)[0].name"),
        ("a or B()", "a or B()"),
        ("x if y else z.w()", "x or z.w()"),
        ("(await foo(1)).bar", "foo().bar"),
        ("f('a)b', \"c\")[i]", "f()[]"),
        ("f(g(a[0], {'b': (c,)}), d)(e).h", "f(g(a[0]),d)(e).h"),
        ("f(x, *xs, y)", "f(x)"),
        ("f(x, y=late)", "f(x,y=late)"),
        ("f(g(h(i(j(k)))))", "f(g())"),
        ("a[1].b['c'][10](d)[100]", "a[1].b[][10](d)[]"),
        ("[a, b(c)]", "[a|b()]"),
        ("{'x': a, 'y': b}", "{a|b}"),
        ("'a'", "''"),
        ("[a][0]", "[a][0]"),
        ('f("it\'s", \'a)\', b"""c)""")', "f()"),
        ("None", "null"),
        ("-1", "0"),
        ("a + b", "a.__add__()"),
        ("a < b", ""),
        ("not a", ""),
        ("lambda a: a.b", ""),
        ("cast(Foo, x).bar", "<Foo>.bar"),
        ("sorted(x)[0]", "sorted(x)[0]"),
        ("max(a, key=b)", "max(a,key=b)"),
        ("lru_cache(maxsize=9)(load)", "lru_cache()(load)"),
        ("type(x).y", "type(x).y"),
        ("super(A, self).load()", "<^A>.load()"),
        ("import_module('a.b').c", '"a.b".c'),
        ("(\n  # why\n  a.b\n)", "a.b"),
        ("x.größe", "x.größe"),
    ],
)
def test_an_expression_is_written_as_its_path(text: str, path: str) -> None:
    assert path_of("python", text) == path


@pytest.mark.parametrize(
    ("language", "text", "path"),
    [
        ("javascript", "c ? d.e() : f", "d.e() or f"),
        ("javascript", "a?.b ?? new C(1)", "a.b or C()"),
        ("javascript", "require('./m').x", '"./m".x'),
        ("javascript", "this.#total()", "this.#total()"),
        ("javascript", "{ ...a, ...b }", "a or b"),
        ("typescript", "(x as Cart).total", "<Cart>.total"),
        ("typescript", "new Map<string, Cart>()", "Map() or <Map<string, Cart>>"),
        ("typescript", "load<Cart>(id)!.total", "load(:=<Cart>,id).total"),
        ("java", "((Foo) x).bar()", "<Foo>.bar()"),
        ("java", "new a.Cart<>(x).total()", "a.Cart(x).total()"),
        ("java", "Cart::new", "Cart.new"),
        ("csharp", "(x as Cart)?.Lid", "<Cart>.Lid"),
        ("csharp", "await Load<Cart>(x)", "Load(:=<Cart>,x)"),
        ("cpp", "static_cast<Foo *>(x)", "<Foo *>"),
        ("cpp", "a::b::make(x)->c", "a.b.make(x).c"),
        ("cpp", "(*x)[1]", "x[1]"),
        ("c", "((struct s *)p)->q", "<struct s *>.q"),
        ("go", "x.(*Foo).bar", "<*Foo>.bar"),
        ("go", "[]*Cart{}", "<[]*Cart>"),
        ("go", "&shop.Cart{Lid: 1}", "shop.Cart()"),
        ("go", 'New[string]("a").Close()', "New().Close()"),
        ("php", "$this->foo::bar()", "$this.foo.bar()"),
        ("php", "self::$shared->total()", "self.shared.total()"),
        ("php", "new \\Shop\\Cart($x)", "Shop.Cart()"),
        ("ruby", "a.b.empty?(1)", "a.b.empty?()"),
        ("ruby", "::Shop::Cart.new", "::Shop.Cart.new"),
        ("rust", "self.0.load()?.lid", "self[0].load()[>].lid"),
        ("rust", "crate::shop::Cart::<i32>::new(x).await", "crate.shop.Cart.new(x).await"),
        ("rust", "if a { b } else { c.d() }", "b or c.d()"),
        ("kotlin", "a?.b ?: Cart(x)", "a.b or Cart(x)"),
        ("kotlin", "run(a) { it }.b", "run(a).b"),
        ("kotlin", "load<Cart>(x)", "load(x)"),
        ("kotlin", "a[0]!!.b", "a[0].b"),
        ("scala", "new Box[Int](x)", "Box() or <Box[Int]>"),
        ("kotlin", "mutableListOf<Cart>()", "mutableListOf(:=<Cart>)"),
        ("swift", "try? load(x)!.lid", "load(x).lid"),
        ("swift", "carts[0].total()", "carts[0].total()"),
        ("swift", ".init", ""),
        ("scala", "load[Cart](x).total", "load(:=<Cart>,x).total"),
        ("scala", "if (a) b else c", "b or c"),
        ("lua", "a:b(1).c or {}", "a.b().c or 0"),
        ("perl", "$self->{cart}->total()", "$self[].total()"),
        ("elixir", "Shop.Cart.total(x)", "Shop.Cart.total()"),
        ("zig", "try a.b.?.load()", "a.b.load()"),
        ("dart", "a.load(x)?.lid", "a.load(x).lid"),
        ("dart", "(x as Cart).total()", "<Cart>.total()"),
        ("julia", "Shop.load(x)[1]", "Shop.load()[1]"),
        ("solidity", "store.load(x).lid", "store.load().lid"),
        ("objectivec", "self.store[0]", "self.store[0]"),
    ],
)
def test_every_language_writes_paths_alike(language: str, text: str, path: str) -> None:
    assert path_of(language, text) == path


@pytest.mark.parametrize(("language", "path"), [("python", "<Foo>"), ("java", "cast(Foo,x)")])
def test_a_function_casts_only_where_its_language_says_so(language: str, path: str) -> None:
    assert path_of(language, "cast(Foo, x)") == path


@pytest.mark.parametrize("text", ["(" * 900 + "a" + ")" * 900, "f(" * 400 + "a" + ")" * 400, "[" * 900 + "]" * 900])
def test_an_expression_without_end_has_no_path(text: str) -> None:
    assert path_of("python", text) in ("", "0", "f()")


def test_a_long_chain_loses_its_arguments_first() -> None:
    assert path_of("python", "a" + ".load(first, second)" * 9) == "a" + ".load()" * 9
    assert path_of("python", "a" + ".load()" * 30) == ""


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("membr attribute object attribute", "has no role of name, text"),
        ("member attribute object", "too few places"),
        ("member atribute object attribute", "the grammar has no nodes 'atribute'"),
    ],
)
def test_a_wrong_row_says_what_is_wrong(row: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    python = languages()["python"]
    entry = python.header[EXPRESSION]._replace(text=row)
    language = replace(python, header={**python.header, EXPRESSION: entry})
    monkeypatch.setattr(roles, "languages", lambda: {"python": language})
    with pytest.raises(GrammarError, match=words):
        roles_of.__wrapped__("python")


@pytest.mark.parametrize("name", sorted(languages()))
def test_the_rows_of_a_language_fit_its_grammar(name: str) -> None:
    assert all(role.read in {read for read, _ in ROLES.values()} for role in roles_of(name).values())
