"""The uses of names in Rust, Kotlin and Dart, whose members have types and whose arguments have names."""

from pathlib import Path

from tests.resolve.test_uses import uses_of


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
