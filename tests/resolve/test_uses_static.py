"""The uses of names in Rust, Kotlin and Dart, whose members have types and whose arguments have names."""

from pathlib import Path

import pytest

from tests.resolve.test_uses import uses_of

pytestmark = pytest.mark.slow


def test_a_call_of_a_method_does_not_read_the_field_of_its_name(tmp_path: Path) -> None:
    """A field is called in brackets in Rust, and in Scala by its name where no method takes the arguments."""
    rust = "pub struct Test { justfile: u32, run: fn() }\nimpl Test {\n  pub fn justfile(self) -> Self { self }\n}\n"
    rust += "fn t(test: Test) {\n  test.justfile();\n  (test.run)();\n}\n"
    scala = "class Plugin {\n  val images: Seq[Int] = Nil\n  def images(a: Int): Seq[Int] = Nil\n"
    scala += "  def run() =\n    images(3)\n}\n"
    uses = uses_of(tmp_path, {"src/lib.rs": rust, "plugin.scala": scala})
    assert uses["src/lib.rs", 6, "justfile"] == ("calls", "Test.justfile", "src/lib.rs", 3)
    assert uses["src/lib.rs", 7, "run"] == ("reads", "Test.run", "src/lib.rs", 1)
    assert uses["plugin.scala", 5, "images"] == ("calls", "Plugin.images", "plugin.scala", 3)


def test_a_name_alone_means_no_macro_of_rust(tmp_path: Path) -> None:
    """A macro is called by `name!`. A local of its text, and an attribute, is another thing."""
    text = (
        "macro_rules! map { () => { { let mut map = 1; map } } }\nmacro_rules! test { () => {} }\n#[test]\nfn a() {}\n"
    )
    assert not uses_of(tmp_path, {"src/lib.rs": text})


def test_an_associated_type_is_no_type_of_its_name(tmp_path: Path) -> None:
    """`Item` belongs to the trait."""
    text = "pub struct Item;\nfn f() -> impl Iterator<Item = u32> { None.into_iter() }\nfn g(item: Item) {}\n"
    uses = uses_of(tmp_path, {"src/lib.rs": text})
    assert ("src/lib.rs", 2, "Item") not in uses
    assert uses["src/lib.rs", 3, "Item"] == ("types", "Item", "src/lib.rs", 1)


def test_fields_in_arguments_of_a_rust_macro_are_read(tmp_path: Path) -> None:
    """So are members of an enum, in macros of the repository too."""
    text = "pub struct T { pub name: String, n: u32, v: Vec<T> }\nimpl T {\n  fn show(&self) {\n"
    text += '    println!("{}", self.name);\n    assert_eq!(self.v[0].n, 3);\n    for i in 0..self.n {}\n  }\n}\n'
    text += "pub enum Kind { Dup { variable: u32 }, Plain }\nmacro_rules! check { (kind: $k:expr) => { $k } }\n"
    text += "check! { kind: Kind::Dup { variable: 1 } }\nconst LIMIT: u32 = 3;\nfn f() { for i in 0..LIMIT {} }\n"
    uses = uses_of(tmp_path, {"src/lib.rs": text})
    assert uses["src/lib.rs", 4, "name"] == ("reads", "T.name", "src/lib.rs", 1)
    assert uses["src/lib.rs", 5, "v"] == ("reads", "T.v", "src/lib.rs", 1)
    assert uses["src/lib.rs", 5, "n"] == ("reads", "T.n", "src/lib.rs", 1)
    assert uses["src/lib.rs", 6, "n"] == ("reads", "T.n", "src/lib.rs", 1)
    assert uses["src/lib.rs", 11, "Dup"] == ("reads", "Kind.Dup", "src/lib.rs", 9)
    assert uses["src/lib.rs", 13, "LIMIT"] == ("reads", "LIMIT", "src/lib.rs", 12)


def test_shorthand_fields_of_rust_are_written(tmp_path: Path) -> None:
    """The name of a variable is the field's, also in a variant of an enum."""
    text = "pub enum Error { Io { path: String } }\npub struct P { name: String }\n"
    text += "fn e(path: String) -> Error {\n  Error::Io { path }\n}\nfn p(name: String) -> P {\n  P { name }\n}\n"
    uses = uses_of(tmp_path, {"src/lib.rs": text})
    assert uses["src/lib.rs", 4, "path"] == ("writes", "Error.Io.path", "src/lib.rs", 1)
    assert uses["src/lib.rs", 7, "name"] == ("writes", "P.name", "src/lib.rs", 2)


def test_a_name_in_a_text_of_kotlin_is_read(tmp_path: Path) -> None:
    """The grammar reads `"$name"` as two texts. What follows a name in a text assigns nothing."""
    text = 'const val WILD = "*"\nclass Entry(val pkg: String) {\n  fun a() =\n    "$pkg.$WILD"\n  fun b() =\n'
    text += '    """$WILD = 1"""\n  fun c(pkg: Int) =\n    "$pkg $ 3"\n}\n'
    uses = uses_of(tmp_path, {"a.kt": text})
    assert uses["a.kt", 4, "pkg"] == ("reads", "Entry.pkg", "a.kt", 2)
    assert uses["a.kt", 4, "WILD"] == uses["a.kt", 6, "WILD"] == ("reads", "WILD", "a.kt", 1)
    assert ("a.kt", 8, "pkg") not in uses


def test_parameters_of_a_kotlin_class_are_no_properties_of_its_base(tmp_path: Path) -> None:
    """What a class gives to its base is its parameter. A named argument of the base writes the base's property."""
    text = (
        "open class Base(open val id: String, val n: Int)\nclass Sub(id: String, val z: Int) :\n  Base(id = id, 1) {\n"
    )
    text += '  fun own() =\n    id\n}\nfun f() =\n  Sub(id = "x", z = 2)\n'
    uses = uses_of(tmp_path, {"a.kt": text})
    base = ("Base.id", "a.kt", 1)
    assert [kind for (_, line, name), (kind, *_) in uses.items() if (line, name) == (3, "id")] == ["writes"]
    assert uses["a.kt", 3, "id"] == ("writes", *base)
    assert uses["a.kt", 5, "id"] == ("reads", *base)
    assert ("a.kt", 8, "id") not in uses
    assert uses["a.kt", 8, "z"] == ("writes", "Sub.z", "a.kt", 2)


def test_members_of_nested_kotlin_types_are_imported(tmp_path: Path) -> None:
    """Those of a companion without a name are members of its class."""
    files = {
        "a.kt": "package p\nclass Since { enum class Status { STABLE } }\n"
        "class Rule { companion object { val LIMIT = 3; fun make() = 4 } }\n",
        "b.kt": "package q\nimport p.Since.Status.STABLE\nimport p.Rule.Companion.LIMIT\nimport p.Rule.Companion.make\n"
        "fun g() = LIMIT\nfun m() = make()\nfun s() = STABLE\n",
    }
    uses = uses_of(tmp_path, files)
    assert uses["b.kt", 5, "LIMIT"] == ("reads", "p.Rule.LIMIT", "a.kt", 3)
    assert uses["b.kt", 6, "make"] == ("calls", "p.Rule.make", "a.kt", 3)
    assert uses["b.kt", 7, "STABLE"] == ("reads", "p.Since.Status.STABLE", "a.kt", 2)


def test_properties_that_extend_a_type_from_outside_are_read(tmp_path: Path) -> None:
    """They are in sight in their file, in their class, and where their name is imported."""
    files = {
        "e.kt": "package e\nimport org.ext.Tree\nval Tree.lastLeaf: Tree get() = this\nval Tree.both: Int get() =\n"
        "  lastLeaf.hashCode()\nclass E {\n  val Node.last: Int get() = 1\n  fun d(n: Node) =\n    n.last\n}\n",
        "f.kt": "package f\nimport org.ext.Tree\nimport e.lastLeaf\nfun f(n: Tree) = n.lastLeaf\n",
        "g.kt": "package g\nimport org.ext.Tree\nfun f(n: Tree) = n.lastLeaf\n",
    }
    uses = uses_of(tmp_path, files)
    assert uses["e.kt", 5, "lastLeaf"] == uses["f.kt", 4, "lastLeaf"] == ("reads", "e.Tree.lastLeaf", "e.kt", 3)
    assert uses["e.kt", 9, "last"] == ("reads", "e.E.Node.last", "e.kt", 7)
    assert ("g.kt", 3, "lastLeaf") not in uses


def test_fields_of_dart_are_written_by_constructors(tmp_path: Path) -> None:
    """So are they by named arguments. The declaration of `Box.named` is no use of its class."""
    text = "class Box {\n  final int text;\n  int cost;\n  Box(this.text, {this.cost = 0});\n"
    text += "  Box.named(int t) : text = t, cost = 1;\n"
    text += "  factory Box.make() =>\n    Box.named(1);\n}\nvoid g() {\n  Box(1, cost: 2);\n  new Box(1, cost: 3);\n}\n"
    uses = uses_of(tmp_path, {"box.dart": text})
    assert uses["box.dart", 4, "text"] == ("writes", "Box.text", "box.dart", 2)
    cost = ("writes", "Box.cost", "box.dart", 3)
    assert uses["box.dart", 4, "cost"] == uses["box.dart", 10, "cost"] == uses["box.dart", 11, "cost"] == cost
    assert ("box.dart", 5, "Box") not in uses
    assert ("box.dart", 6, "Box") not in uses
    assert uses["box.dart", 7, "Box"] == ("types", "Box", "box.dart", 1)


def test_getters_of_a_dart_extension_are_read_in_other_files(tmp_path: Path) -> None:
    """The type may be of the repository or from outside."""
    files = {
        "code.dart": "class Code {}\n",
        "ext.dart": "import 'code.dart';\nimport 'package:ext/ext.dart';\n"
        "extension CodeX on Code { String get marked => ''; }\n"
        "extension TokenX on Token { bool get hasComma => true; }\nvoid f(Token t) { print(t.hasComma); }\n",
        "run.dart": "import 'ext.dart';\nimport 'code.dart';\nvoid main(Code c) { print(c.marked); }\n",
    }
    uses = uses_of(tmp_path, files)
    assert uses["ext.dart", 5, "hasComma"] == ("reads", "Token.hasComma", "ext.dart", 4)
    assert uses["run.dart", 3, "marked"] == ("reads", "Code.marked", "ext.dart", 3)


def test_elements_and_covariant_parameters_of_dart_have_types(tmp_path: Path) -> None:
    """A member of a list gives an element without a call."""
    text = "class Box { int cost = 1; }\nclass S {\n  void h(covariant Box c) {\n    c.cost;\n  }\n}\n"
    text += "void f(List<Box> boxes) {\n  boxes.last.cost;\n  boxes[0].cost;\n}\n"
    uses = uses_of(tmp_path, {"box.dart": text})
    cost = ("reads", "Box.cost", "box.dart", 1)
    assert uses["box.dart", 4, "cost"] == uses["box.dart", 8, "cost"] == uses["box.dart", 9, "cost"] == cost


def test_a_pattern_of_dart_gives_its_type_to_what_it_takes_apart(tmp_path: Path) -> None:
    """It holds in the case. A name behind a dollar sign in a text is read."""
    text = "class Box { String text = '';\n  String f() =>\n    '$text';\n}\nvoid g(Object code) {\n  switch (code) {\n"
    text += "    case Box(text: 'a'):\n      code.text;\n    default:\n      code.text;\n  }\n"
    text += "  if (code case Box(:var other)) {\n"
    text += (
        "    code.text;\n  }\n  var x = switch (code) {\n    Box(text: 'b') =>\n      code.text,\n    _ => 1 };\n}\n"
    )
    uses = uses_of(tmp_path, {"box.dart": text})
    read = ("reads", "Box.text", "box.dart", 1)
    assert [uses["box.dart", line, "text"] for line in (3, 8, 13, 17)] == [read] * 4
    assert ("box.dart", 10, "text") not in uses


def test_a_test_of_a_field_or_variable_does_not_hide_it(tmp_path: Path) -> None:
    """It says of which type that is, and declares nothing."""
    files = {
        "a.dart": "class Box { Object part = 1; int cost = 1;\n  void f() {\n    if (part is Box) {\n      g(part);\n    }\n"
        "    g(part);\n  }\n}\n",
        "a.kt": "class Box(val part: Any, val cost: Int) {\n  fun f() {\n    if (part is Box) {\n      g(part.cost)\n    }\n"
        "    g(part)\n  }\n}\n",
        "a.ts": "let part: any = 1;\nclass Box { cost = 1; }\nfunction f() {\n  if (part instanceof Box) {\n"
        "    g(part.cost);\n  }\n  g(part);\n}\n",
        "b.py": "part = 3\nclass Box:\n    cost = 1\ndef f():\n    if isinstance(part, Box):\n        print(part.cost)\n"
        "    print(part)\n",
    }
    uses = uses_of(tmp_path, files)
    lines = {path: [line for name, line, word in uses if (name, word) == (path, "part")] for path in files}
    assert lines == {"a.dart": [3, 4, 6], "a.kt": [3, 4, 6], "a.ts": [4, 5, 7], "b.py": [5, 6, 7]}
