"""The facade: one object opens an index, keeps it current, searches it, walks it and asks it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer import (
    CodeIndexer,
    EmbedderError,
    IndexNotFoundError,
    NotInIndexError,
    Progress,
    Settings,
    UsageError,
)
from code_graph_indexer.ask.llm import Prompt, Reply
from code_graph_indexer.indexer import find_index
from code_graph_indexer.retrieval.results import RetrievedContext
from tests.shop import copy_shop


class Citing:
    """A language model that answers with one citation."""

    def stream(self, prompt: Prompt, on_text: Callable[[str], None]) -> Reply:
        on_text("By it [shop/orders.py:22-28].")
        return Reply("By it [shop/orders.py:22-28].", "citing")


@pytest.fixture(scope="module")
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as opened:
        yield opened


@pytest.mark.slow
def test_a_first_run_builds_the_next_one_reads_what_changed(tmp_path: Path) -> None:
    root = copy_shop(tmp_path)
    seen: list[Progress] = []
    with CodeIndexer(root, workers=1) as indexer:
        first = indexer.index(report=seen.append)
        assert (first.full, first.files, first.changed, first.skipped) == (True, 14, 14, {})
        assert first.edges["calls"] > 20
        assert {progress.stage for progress in seen} == {"index", "resolve"}
        assert all(0 < progress.done <= progress.total for progress in seen)
        again = indexer.index()
        assert (again.full, again.changed, again.removed) == (False, 0, 0)
        assert indexer.retrieve("place_order")


def test_the_index_of_a_folder_above_is_found(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_index(shop / "web" / "src") == shop / ".cgi" / "index.db"
    monkeypatch.chdir(shop / "web" / "src")
    with CodeIndexer() as indexer:
        assert indexer.root == shop
        assert indexer.symbol("Cart")


def test_a_root_given_is_the_root(shop: Path) -> None:
    with CodeIndexer(shop / "web") as inner, pytest.raises(IndexNotFoundError, match="cgi index"):
        inner.symbol("Cart")


@pytest.mark.parametrize("root", ["nowhere", "README.md"])
def test_a_root_that_is_no_folder_is_refused(shop: Path, root: str) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        CodeIndexer(shop / root)


def test_the_address_of_a_server_is_no_index_file() -> None:
    with pytest.raises(UsageError, match=r"postgresql://me:\*\*\*@host/code is a database server, .* open_index"):
        CodeIndexer(db="postgresql://me:hidden@host/code")


def test_an_unknown_keyword_is_refused(shop: Path) -> None:
    with pytest.raises(UsageError, match="there is no setting 'limits'"):
        CodeIndexer(shop, limits=3)


def test_an_index_alone_cannot_be_updated_without_its_folder(shop: Path, tmp_path: Path) -> None:
    db = tmp_path / "moved.db"
    db.write_bytes((shop / ".cgi" / "index.db").read_bytes())
    with CodeIndexer(db=db) as moved:
        assert moved.root is None
        assert moved.retrieve("cart")
        assert not any(result.stale for result in moved.retrieve("cart"))
        with pytest.raises(UsageError, match="give the folder"):
            moved.index()
        with pytest.raises(UsageError, match="give the folder"):
            moved.verify()


def test_a_closed_indexer_opens_again_when_asked(shop: Path) -> None:
    indexer = CodeIndexer(shop)
    indexer.close()
    assert indexer.symbol("Cart")
    indexer.close()
    indexer.close()


def paths(results: list[RetrievedContext]) -> set[str]:
    return {result.file_path for result in results}


@pytest.mark.parametrize(
    ("filters", "allows"),
    [
        ({"language": "go"}, lambda result: result.language == "go"),
        ({"language": ["go", "python"]}, lambda result: result.language in ("go", "python")),
        ({"directory": "shop"}, lambda result: result.file_path.startswith("shop/")),
        ({"directory": "./web/"}, lambda result: result.file_path.startswith("web/")),
        ({"chunk_type": "method"}, lambda result: result.type == "method"),
        ({"chunk_type": ("class", "function")}, lambda result: result.type in ("class", "function")),
        ({"source_types": ["markdown"]}, lambda result: result.source_type == "markdown"),
        ({"source_types": "text"}, lambda result: result.source_type == "text"),
        ({"file_patterns": ["*.ts"]}, lambda result: result.file_path.endswith(".ts")),
        ({"tests": True}, lambda result: result.file_path.startswith("tests/")),
        ({"tests": False}, lambda result: not result.file_path.startswith("tests/")),
        ({"repo_id": ""}, lambda result: True),
    ],
)
def test_a_filter_gives_what_it_allows_and_all_of_it(
    indexer: CodeIndexer, filters: dict[str, Any], allows: Callable[[RetrievedContext], bool]
) -> None:
    query = "cart order item parcel total price worker"
    results = indexer.retrieve(query, limit=100, keyword_only=True, **filters)
    everything = indexer.retrieve(query, limit=100, keyword_only=True)
    assert results
    assert {result.node_id for result in results} == {result.node_id for result in everything if allows(result)}


def test_a_filter_that_nothing_can_pass_is_refused(indexer: CodeIndexer) -> None:
    with pytest.raises(UsageError, match="this index does not name its repository"):
        indexer.retrieve("cart", repo_id="another")
    with pytest.raises(UsageError, match="there is no folder 'no/such' in the index"):
        indexer.retrieve("cart", directory="no/such")


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"language": "pyton"}, "there is no language 'pyton'. Did you mean 'python'"),
        ({"source_types": ["prose"]}, "there is no source type 'prose'. Known: code, markdown, text"),
        ({"chunk_type": "klass"}, "there is no kind of chunk 'klass'. Did you mean 'class'"),
    ],
)
def test_a_filter_value_that_does_not_exist_is_an_error(
    indexer: CodeIndexer, filters: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        indexer.retrieve("cart", **filters)
    assert message in str(caught.value)


def test_the_limit_is_a_setting_and_an_argument(shop: Path) -> None:
    with CodeIndexer(shop, limit=2) as indexer:
        assert len(indexer.retrieve("cart")) == 2
        assert len(indexer.retrieve("cart", limit=4)) == 4


def test_another_embedder_than_the_one_of_the_index_is_refused(shop: Path) -> None:
    with CodeIndexer(shop, embedder="hashing:64") as indexer:
        with pytest.raises(EmbedderError, match=r"made with the embedder 'static'.*cgi index --full --embedder"):
            indexer.retrieve("cart")
        assert indexer.retrieve("cart", keyword_only=True)


def test_a_question_is_answered_from_what_the_filters_allow(indexer: CodeIndexer) -> None:
    heard: list[str] = []
    answer = indexer.ask("how is an order placed?", language_model=Citing(), on_text=heard.append, directory="shop")
    assert "".join(heard) == answer.text == "By it [shop/orders.py:22-28]."
    assert [(citation.path, citation.valid) for citation in answer.citations] == [("shop/orders.py", True)]
    assert all(source.file_path.startswith("shop/") for source in answer.sources)


def test_without_a_language_model_the_context_is_the_answer(indexer: CodeIndexer) -> None:
    answer = indexer.ask("how is an order placed?")
    assert not answer.generated
    assert "place_order" in answer.text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("place_order", ["shop.orders.place_order"]),
        ("orders.place_order", ["shop.orders.place_order"]),
        ("shop.orders.place_order", ["shop.orders.place_order"]),
        ("place_order()", ["shop.orders.place_order"]),
        ("Cart", ["shop.cart.Cart"]),
        ("CART", ["shop.cart.Cart", "web.src.cart"]),
        ("Cart::total", ["shop.cart.Cart.total"]),
        ("OrderStore#save", ["shop.storage.OrderStore.save"]),
        ("Queue.Pop", ["worker.Queue.Pop"]),
        ("Item.price", ["shop.items.Item.price"]),
        ("shop.Item", ["shop.items.Item"]),
        ("shop.place_order", ["shop.orders.place_order"]),
        ("shop.Cart.total", ["shop.cart.Cart.total"]),
        ("__init__", ["shop.cart.Cart.__init__", "shop.items.Catalogue.__init__", "shop.storage.OrderStore.__init__"]),
    ],
)
def test_a_symbol_is_found_by_any_name_it_goes_by(indexer: CodeIndexer, name: str, expected: list[str]) -> None:
    assert [symbol.qualified_name for symbol in indexer.symbol(name)] == expected


@pytest.mark.parametrize("name", ["nothing", "", "cart.Order", "Item.shop", "."])
def test_a_name_that_is_not_there_is_an_error(indexer: CodeIndexer, name: str) -> None:
    with pytest.raises(NotInIndexError, match="no definition of"):
        indexer.symbol(name)


def test_callers_are_listed_for_each_definition_with_what_is_not_known(indexer: CodeIndexer) -> None:
    (save,) = indexer.callers("save")
    assert [step.symbol.name for step in save.steps] == ["place_order", "cancel_order"]
    assert [step.line for step in save.steps] == [27, 33]
    assert save.certainty.unresolved == 0
    (deliver,) = indexer.callers("Deliver")
    assert deliver.symbol.qualified_name == "worker.Carrier.Deliver"
    assert all(0 < step.confidence <= 1 for step in (*save.steps, *deliver.steps))
    assert len(indexer.callers("__init__")) == 3
    assert len(indexer.callers("save", limit=1)[0].steps) == 1


def test_callees_stand_in_order_of_line_with_the_calls_that_are_open(indexer: CodeIndexer) -> None:
    (answer,) = indexer.callees("OrderStore.__init__")
    assert answer.steps == ()
    assert answer.certainty.unresolved == 0
    assert [use.qualified_name for use in answer.external] == ["sqlite3.connect", "sqlite3.connect().execute"]
    (total,) = indexer.callees("Cart.total")
    assert {step.symbol.name for step in total.steps} == {
        "apply_discount",
        "subtotal",
        "add_tax",
        "shipping_cost",
        "weight",
    }
    assert [step.line for step in total.steps] == sorted(step.line for step in total.steps)


def test_an_outline_nests_as_the_file_does(indexer: CodeIndexer) -> None:
    outline = indexer.outline("src/api.ts")
    assert outline.path == "web/src/api.ts"
    depths = {
        symbol.qualified_name.removeprefix("web.src.api."): outline.depths[symbol.chunk_id]
        for symbol in outline.symbols
    }
    assert (depths["ApiClient"], depths["ApiClient.request"]) == (0, 1)


@pytest.mark.parametrize("path", ["api.ts", "./web/src/api.ts", "web\\src\\api.ts"])
def test_a_file_is_found_by_the_end_of_its_path(indexer: CodeIndexer, path: str) -> None:
    assert indexer.outline(path).path == "web/src/api.ts"


@pytest.mark.parametrize("path", ["pi.ts", "nothing.py", ""])
def test_a_file_that_is_not_there_is_an_error(indexer: CodeIndexer, path: str) -> None:
    with pytest.raises(NotInIndexError):
        indexer.outline(path)


def test_a_tree_counts_lines_below_a_folder(indexer: CodeIndexer, shop: Path) -> None:
    assert indexer.tree("worker") == {"worker/queue.go": 33, "worker/ship.go": 35}
    assert indexer.tree() == indexer.tree(".") == indexer.tree("./")
    for path, lines in indexer.tree().items():
        assert len((shop / path).read_text(encoding="utf-8").splitlines()) == lines
    with pytest.raises(NotInIndexError):
        indexer.tree("work")


@pytest.mark.slow
def test_stats_count_what_the_report_counted(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return g()\n", encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1, repo_id="acme") as indexer:
        report = indexer.index()
        stats = indexer.stats()
    assert stats["repo_id"] == "acme"
    assert stats["languages"] == {"python": 1}
    assert stats["edges"] == report.edges
    assert stats["references"] == report.references == {"unresolved": 1}
    assert stats["size"] == (tmp_path / ".cgi" / "index.db").stat().st_size


@pytest.mark.slow
def test_an_index_is_verified_against_a_fresh_build(own_shop: Path) -> None:
    with CodeIndexer(own_shop, workers=1) as indexer:
        assert indexer.doctor() == []
        assert indexer.verify() == []
        (own_shop / "shop" / "cart.py").write_text("def total():\n    return 0\n", encoding="utf-8")
        assert any("shop/cart.py" in difference for difference in indexer.verify())


@pytest.mark.slow
def test_settings_come_from_the_repository_too(own_shop: Path) -> None:
    (own_shop / "cgi.toml").write_text("limit = 1\n", encoding="utf-8")
    with CodeIndexer(own_shop) as indexer:
        assert indexer.settings == Settings(limit=1)
        assert len(indexer.retrieve("cart")) == 1


@pytest.mark.slow
def test_several_ask_one_indexer_at_once(shop: Path) -> None:
    questions = ["how is an order placed", "where are prices rounded", "Order", "cancel an order", "shipping"]
    filters: list[dict[str, Any]] = [{}, {"tests": False}, {"directory": "shop"}, {"chunk_type": "method"}]
    calls = [(question, arguments) for question in questions for arguments in filters] * 4

    async def at_once(indexer: CodeIndexer) -> list[list[RetrievedContext]]:
        # Another thread reads texts, and walks the graph.
        walking = asyncio.to_thread(lambda: [indexer.callers("Order") for _ in range(20)])
        searching = asyncio.gather(*(indexer.aretrieve(question, **arguments) for question, arguments in calls))
        results, _ = await asyncio.gather(searching, walking)
        return results

    with CodeIndexer(shop) as indexer:
        alone = [
            indexer.retrieve(question, **arguments) for question, arguments in calls[: len(questions) * len(filters)]
        ]
    with CodeIndexer(shop) as indexer:
        assert asyncio.run(at_once(indexer)) == alone * 4


def test_a_linked_worktree_has_no_index_from_above(own_shop: Path) -> None:
    linked, submodule = own_shop / "trees" / "w1", own_shop / "sub"
    for folder, git_folder in ((linked, "worktrees/w1"), (submodule, "modules/sub")):
        (folder / "lib").mkdir(parents=True)
        (folder / ".git").write_text(f"gitdir: ../.git/{git_folder}\n", encoding="utf-8")
    assert find_index(submodule / "lib") == find_index(own_shop) is not None
    assert find_index(linked / "lib") is None
