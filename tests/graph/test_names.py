"""Names are found by any suffix, and where no name ends so, by their parts in order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, NotInIndexError
from tests.indexing.repository import index, write_tree

FILES = {
    "a.py": "class Cart:\n class Inner:\n  def save(self): pass\n\nclass MyCart:\n def save(self): pass\n",
    "b.py": "class Cart:\n def save(self): pass\n\nclass cart_x:\n def save(self): pass\n",
    "d.js": "class Hono {\n #dispatch() {}\n fetch() { this.#dispatch(); }\n}\n",
    "web/respond.ts": "export function respond() {}\n",
    "web/use.ts": "import { respond } from './respond';\nfunction use() { respond(); }\n",
    "c.py": "class BigOrder:\n def close(self): pass\n\nclass Order:\n class Part:\n  def close(self): pass\n",
}


@pytest.fixture(scope="module")
def indexer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    root = write_tree(tmp_path_factory.mktemp("names") / "repository", FILES)
    index(root, root.parent / "index.db")
    with CodeIndexer(root, db=root.parent / "index.db") as indexer:
        yield indexer


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("save", ["a.Cart.Inner.save", "a.MyCart.save", "b.Cart.save", "b.cart_x.save"]),
        ("Cart.save", ["b.Cart.save"]),
        ("cart.SAVE", ["b.Cart.save"]),
        ("a.py:Cart.save", ["a.Cart.Inner.save"]),
        ("cart_x.save", ["b.cart_x.save"]),
        ("Order.close", ["c.Order.Part.close"]),
        ("Hono.dispatch", ["d.Hono.#dispatch"]),
        ("respond", ["web.respond.respond"]),
        ("web.respond", ["web.respond"]),
    ],
)
def test_a_name_is_found_by_its_suffix_or_its_parts(indexer: CodeIndexer, name: str, matches: list[str]) -> None:
    assert [symbol.qualified_name for symbol in indexer.symbol(name)] == matches
    with pytest.raises(NotInIndexError, match="no definition of"):
        indexer.symbol(f"Basket.{name.rpartition('.')[2]}")


@pytest.mark.slow
def test_a_name_without_a_definition_is_answered_with_its_calls(tmp_path: Path) -> None:
    calls = "".join(f"int use{number}(void) {{ return tree_find({number}); }}\n" for number in range(4))
    root = write_tree(tmp_path / "repository", {"use.c": f"MAKE_TREE(tree)\n{calls}"})
    index(root, tmp_path / "index.db")
    places = "use.c:2, use.c:3, use.c:4 and 1 more"
    with CodeIndexer(root, db=tmp_path / "index.db") as indexer:
        with pytest.raises(NotInIndexError, match=f"It is called at {places}: a library, or a macro"):
            indexer.symbol("tree_find")
        with pytest.raises(NotInIndexError, match=r"It is called at use\.c:1"):
            indexer.symbol("MAKE_TREE")


@pytest.mark.slow
def test_a_whole_qualified_name_means_the_definition_of_that_name(tmp_path: Path) -> None:
    code = "int run() { return 1; }\nstruct Shop { int run() { return 2; } };\nint main() { return run(); }\n"
    root = write_tree(tmp_path / "repository", {"shop.cpp": code})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db") as indexer:
        assert [symbol.start_line for symbol in indexer.symbol("run")] == [1, 2]
        assert [symbol.start_line for symbol in indexer.graph.impact("run").changed] == [1]
