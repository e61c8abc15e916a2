"""The whole path of a query: every score explains itself, stale files are marked, nothing outside the root is read."""

import math
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import IndexFormatError, UsageError
from code_graph_indexer.retrieval.retriever import CodeRetriever, repository_name
from code_graph_indexer.storage.sqlite import SqliteStore

QUERIES = ("place_order", "how is tax added?", "test the cart total", "max_attempts", "Cart queue 'total'")


@pytest.fixture
def indexer(own_shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(own_shop) as opened:
        yield opened


@pytest.mark.parametrize("query", QUERIES)
def test_a_score_is_the_sum_of_its_terms(store: SqliteStore, embedder: Embedder, query: str) -> None:
    results = CodeRetriever(store, embedder).retrieve(query, limit=30, folders=["shop"])
    assert results
    for result in results:
        assert result.score == pytest.approx(math.fsum(signal.contribution for signal in result.signals))


@pytest.mark.parametrize("query", QUERIES)
def test_a_shorter_list_is_the_head_of_a_longer_one(store: SqliteStore, embedder: Embedder, query: str) -> None:
    retriever = CodeRetriever(store, embedder)
    assert retriever.retrieve(query, limit=3) == retriever.retrieve(query, limit=10)[:3]


def test_no_result_is_asked_for_and_none_given(store: SqliteStore) -> None:
    with pytest.raises(UsageError, match="the limit is 0"):
        CodeRetriever(store, None).retrieve("cart", limit=0)
    assert CodeRetriever(store, None).retrieve(" \0 ") == []


def test_the_text_of_a_result_is_that_of_its_lines(store: SqliteStore, shop: Path) -> None:
    for result in CodeRetriever(store, None).retrieve("cart order parcel item price", limit=40):
        lines = (shop / result.file_path).read_text(encoding="utf-8").splitlines(keepends=True)
        assert result.content == "".join(lines[result.start_line - 1 : result.end_line])


def test_a_preferred_folder_comes_first(store: SqliteStore) -> None:
    retriever = CodeRetriever(store, None)
    rank = {result.file_path: place for place, result in reversed([*enumerate(retriever.retrieve("cart", limit=40))])}
    preferred = retriever.retrieve("cart", limit=40, folders=["web/src"])
    assert [result.file_path for result in preferred].index("web/src/cart.ts") <= rank["web/src/cart.ts"]
    assert any(signal.signal == "folder" for signal in preferred[0].signals)


def test_a_repository_is_called_as_the_folder_of_its_checkout(tmp_path: Path) -> None:
    below = tmp_path / "shop" / "src" / "api"
    below.mkdir(parents=True)
    assert repository_name(below) == "api"
    (tmp_path / "shop" / ".git").mkdir()
    assert (repository_name(below), repository_name(tmp_path / "shop"), repository_name(None)) == ("shop", "shop", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "settings", "lifted"),
    [("other", {}, True), ("orders", {}, False), ("other", {"repo_id": "Orders"}, False)],
)
def test_the_name_of_the_repository_does_not_lift_a_file_of_that_name(
    shop: Path, tmp_path: Path, folder: str, settings: dict[str, Any], lifted: bool
) -> None:
    root = shutil.copytree(shop, tmp_path / folder, ignore=shutil.ignore_patterns(".cgi"))
    with CodeIndexer(root, workers=1, **settings) as indexer:
        indexer.index()
        results = indexer.retrieve("how are orders cancelled", limit=20)
        terms = {
            signal.signal for result in results for signal in result.signals if result.file_path == "shop/orders.py"
        }
        assert ("stem" in terms) is lifted


def test_a_changed_or_lost_file_makes_its_results_stale(own_shop: Path) -> None:
    with CodeIndexer(own_shop, update=False) as indexer:
        assert not any(result.stale for result in indexer.retrieve("cart", limit=40))
        (own_shop / "web" / "src" / "cart.ts").unlink()
        (own_shop / "shop" / "cart.py").write_text("cart = 1\n", encoding="utf-8")
        stale = {result.file_path for result in indexer.retrieve("cart", limit=40) if result.stale}
    assert stale == {"web/src/cart.ts", "shop/cart.py"}


def test_a_file_that_was_only_touched_is_not_stale(indexer: CodeIndexer, own_shop: Path) -> None:
    os.utime(own_shop / "shop" / "cart.py", (1, 1))
    assert not any(result.stale for result in indexer.retrieve("cart"))


@pytest.mark.parametrize("path", ["../outside.py", "/etc/hostname", "shop/../../outside.py"])
def test_a_forged_path_is_not_read(own_shop: Path, path: str) -> None:
    (own_shop.parent / "outside.py").write_text("cart = 1\n", encoding="utf-8")
    connection = apsw.Connection(str(own_shop / ".cgi" / "index.db"))
    connection.execute("update files set path = ? where path = 'shop/cart.py'", (path,))
    connection.close()
    with CodeIndexer(own_shop, update=False) as opened, pytest.raises(IndexFormatError, match="path is"):
        opened.retrieve("Cart.total")


@pytest.mark.slow
def test_an_open_index_follows_an_update(indexer: CodeIndexer, own_shop: Path) -> None:
    assert indexer.retrieve("wrapping_paper", keyword_only=True) == []
    (own_shop / "shop" / "gifts.py").write_text("def wrapping_paper():\n    return 'red'\n", encoding="utf-8")
    with CodeIndexer(own_shop, workers=1) as second:
        second.index()
    assert indexer.retrieve("wrapping_paper")[0].qualified_name == "shop.gifts.wrapping_paper"
