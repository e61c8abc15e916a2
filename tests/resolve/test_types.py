"""Calls are resolved by the types that values have, in each way that a type can be known."""

from pathlib import Path

import pytest

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.annotations import TypeName, field_of, inside, read_type
from code_graph_indexer.syntax.expressions import bare
from tests.indexing.repository import index, write_tree


@pytest.mark.slow
def test_types_that_lead_to_each_other_end(tmp_path: Path) -> None:
    text = "A = B\nB = A\nx = y\ny = x\n\n\ndef f(a: A, b: 'B'):\n    a.g()\n    x.g()\n    return f(a, b).g()\n"
    files = {"a.py": text, "b.rs": "pub use self::c::d;\nmod c { pub use super::d; }\nfn f() { d::e(); }\n"}
    root = write_tree(tmp_path / "repo", files)
    assert index(root, root / "index.db").files == 2


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("first(carts).total(_,x=b(c))", "first().total()"),
        ("<(a: A) => B>.run(c) or each{1.0:carts}", "<(a: A) => B>.run() or each{1.0}"),
        ("a.b[0]", "a.b[0]"),
    ],
)
def test_a_path_may_be_written_without_its_arguments(path: str, short: str) -> None:
    assert bare(path) == short


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "Optional[a.B]", [("Optional", ("a.B",))]),
        ("python", "'A | None'", [("A", ())]),
        ("python", "Union[A, List[B]]", [("Union", ("A", "List[B]"))]),
        ("python", "Callable[[A], B]", [("()", ("A", "B"))]),
        ("python", "", []),
        ("go", "map[string]*Route", [("[:]", ("string", "*Route"))]),
        ("go", "<-chan *Route", [("[<]", ("*Route",))]),
        ("go", "chan<- Route", [("[<]", ("Route",))]),
        ("go", "func(a A) B", [("()", ("A", "B"))]),
        ("go", "(lid *Lid, err error)", [("(,)", ("*Lid", "error"))]),
        ("rust", "&'a mut Vec<Foo>", [("Vec", ("Foo",))]),
        ("rust", "Fn(A) -> B", [("()", ("A", "B"))]),
        ("typescript", "(a: A) => Promise<B>", [("()", ("A", "Promise<B>"))]),
        ("typescript", "{ a: A; b?: B }", [("{}", ("a: A", "b?: B"))]),
        ("cpp", "const std::vector<Foo> &", [("std.vector", ("Foo",))]),
        ("java", "Map<? extends A, @Nullable B>", [("Map", ("A", "B"))]),
        ("scala", "List[A] => B", [("()", ("List[A]", "B"))]),
        ("kotlin", "suspend A.(B) -> C", [("()", ("B", "C"))]),
        ("dart", "A Function(B, C)?", [("()", ("B", "C", "A"))]),
        ("typescript", "{ a: A\n f: (b: B) => C }", [("{}", ("a: A\n f: (b: B) => C",))]),
    ],
)
def test_a_type_is_read_in_its_language(language: str, text: str, names: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(read_type(text, language)) == [TypeName(*name) for name in names]


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("rust", "chan::Tx<T>", TypeName("chan.Tx", ("T",))),
        ("python", "map[A]", TypeName("map", ("A",))),
        ("cpp", "func<A>", TypeName("func", ("A",))),
        ("go", "void", TypeName("void")),
        ("python", "Either[A, B]", TypeName("Either", ("A", "B"))),
    ],
)
def test_a_word_of_another_language_is_an_ordinary_name(language: str, text: str, name: TypeName) -> None:
    assert read_type(text, language) == (name,)


@pytest.mark.parametrize(
    ("language", "inner"), [("rust", ()), ("swift", ("User",)), ("python", ()), ("typescript", ())]
)
def test_a_wrapper_passes_calls_on_only_in_its_own_languages(language: str, inner: tuple[str, ...]) -> None:
    assert inside(TypeName("Mutex", ("User",)), languages()[language]) == inner


@pytest.mark.parametrize(
    ("name", "text"), [("id", "number"), ("name", "string"), ("first name", "Text"), ("key", "Key"), ("absent", "")]
)
def test_a_field_is_found_behind_its_modifiers(name: str, text: str) -> None:
    parts = ("readonly id: number", "name?: string", "'first name': Text", 'readonly "key": Key')
    assert field_of(parts, name) == text
