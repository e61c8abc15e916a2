"""What was found is given again to queries that mean the same, and never after the index has changed."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever

REDIS = shutil.which("redis-server")


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the queries that were really searched for."""
    requests: list[str] = []
    search = CodeRetriever.search

    def counted(self: CodeRetriever, text: str, *rest: object, **options: object) -> list[RetrievedContext]:
        requests.append(text)
        return search(self, text, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(CodeRetriever, "search", counted)
    return requests


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a real Redis server on loopback."""
    if REDIS is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("redis")
    command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"
        server.terminate()


@pytest.fixture(params=["file", "redis"])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    url = request.getfixturevalue("redis_url") if request.param == "redis" else None
    return {"cache": True, "cache_url": url, "workers": 1}


@pytest.mark.slow
def test_the_same_query_is_searched_for_once(own_shop: Path, searches: list[str], options: dict[str, Any]) -> None:
    with CodeIndexer(own_shop, **options) as indexer:
        first = indexer.retrieve("how is an order placed")
    with CodeIndexer(own_shop, **options) as indexer:
        assert indexer.retrieve("how is an order placed") == first
        assert indexer.retrieve("how is an order placed?") == first
        assert len(searches) == 1
        indexer.retrieve("how is an order placed", limit=3)
        indexer.retrieve("how is an order placed", directory="shop")
        assert len(searches) == 3


def test_other_names_are_other_queries(own_shop: Path, searches: list[str], options: dict[str, Any]) -> None:
    with CodeIndexer(own_shop, **{**options, "cache_threshold": 0.01}) as indexer:
        indexer.retrieve("where is place_order called")
        indexer.retrieve("where is cancel_order called")
        indexer.retrieve("where is place_order called 2 times")
        assert len(searches) == 3
        indexer.retrieve("where is place_order used")
        assert len(searches) == 3


def test_a_threshold_is_applied_to_what_is_kept(own_shop: Path, searches: list[str]) -> None:
    with CodeIndexer(own_shop, cache=True, workers=1) as indexer:
        best = indexer.retrieve("refuse an empty cart", threshold=1.0)
        unlimited = indexer.retrieve("refuse an empty cart")
        assert len(best) == 1 < len(unlimited)
        assert indexer.retrieve("refuse an empty cart", threshold=1.0) == best
        assert len(searches) == 1


def test_results_by_keyword_are_kept_apart(own_shop: Path, searches: list[str]) -> None:
    with CodeIndexer(own_shop, cache=True, workers=1) as indexer:
        indexer.retrieve_by_keyword("refuse an empty cart")
        indexer.retrieve("refuse an empty cart")
        assert len(searches) == 2


@pytest.mark.slow
def test_after_an_update_nothing_old_is_given(own_shop: Path, searches: list[str], options: dict[str, Any]) -> None:
    with CodeIndexer(own_shop, **options) as indexer:
        indexer.retrieve("refund an order")
        (own_shop / "shop" / "refunds.py").write_text("def refund_order(order):\n    return order\n", encoding="utf-8")
        indexer.index()
        assert indexer.retrieve("refund an order")[0].name == "refund_order"
        assert len(searches) == 2


def test_a_result_grows_old(own_shop: Path, searches: list[str], options: dict[str, Any]) -> None:
    with CodeIndexer(own_shop, **{**options, "cache_ttl": 0.05}) as indexer:
        indexer.retrieve("cart")
        time.sleep(0.1)
        indexer.retrieve("cart")
        assert len(searches) == 2


def test_only_so_many_are_kept(own_shop: Path, searches: list[str]) -> None:
    with CodeIndexer(own_shop, cache=True, cache_limit=2, workers=1) as indexer:
        for query in ("cart", "order", "tax", "cart"):
            indexer.retrieve(query)
        assert len(searches) == 4
        indexer.retrieve("cart")
        assert len(searches) == 4


def test_without_it_every_query_is_searched_for(own_shop: Path, searches: list[str]) -> None:
    with CodeIndexer(own_shop) as indexer:
        indexer.retrieve("cart")
        indexer.retrieve("cart")
    assert len(searches) == 2
    assert not (own_shop / ".cgi" / "index.db.cache").exists()


def test_a_damaged_cache_is_thrown_away(own_shop: Path) -> None:
    (own_shop / ".cgi" / "index.db.cache").write_bytes(b"no database" * 100)
    with CodeIndexer(own_shop, cache=True) as indexer:
        results = indexer.retrieve("cart")
        assert [replace(result, signals=()) for result in indexer.retrieve("cart")] == [
            replace(result, signals=()) for result in results
        ]


def test_a_server_that_is_gone_caches_nothing(own_shop: Path) -> None:
    with CodeIndexer(own_shop, cache=True, cache_url="redis://127.0.0.1:1/0") as indexer:
        assert indexer.retrieve("cart")


def test_a_wrong_url_is_an_error(own_shop: Path) -> None:
    with (
        CodeIndexer(own_shop, cache=True, cache_url="http://nowhere") as indexer,
        pytest.raises(UsageError, match="redis://"),
    ):
        indexer.retrieve("cart")
