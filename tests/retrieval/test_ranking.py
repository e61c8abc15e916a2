"""Golden rankings over fixtures/shop: where the wanted chunk stands, then the whole list, so that a change shows.

`pytest --update-golden tests/retrieval` rewrites them. target_rank then tells whether the change is for the better.
"""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.retrieval.results import RetrievedContext

GOLDEN = Path(__file__).parents[2] / "fixtures" / "ranking"
SHOWN = 6

QUERIES = {
    "place_order": "shop.orders.place_order",
    "Cart.total": "shop.cart.Cart.total",
    "sendOrder": "web.src.api.ApiClient.sendOrder",
    "format price": "web.src.format.formatPrice",
    "how is tax added to a price?": "shop.pricing.add_tax",
    "where are orders written to the database": "shop.storage.OrderStore.save",
    "retry a carrier that does not answer": "worker.deliverWithRetry",
    "exponential backoff": "worker.deliverWithRetry",
    "what happens when the queue is empty": "worker.Queue.Pop",
    "error status of the server": "web.src.api.ApiError",
    "find items by the words of their title": "shop.items.Catalogue.search_titles",
    "free shipping": "shop.pricing.shipping_cost",
    "test that a negative count takes items out": "tests.test_cart.test_a_negative_count_takes_items_out",
    "create table if not exists orders": "shop.storage.OrderStore.__init__",
    "max_attempts": "config/shop.toml",
}
"""Each query with the chunk that it is after: its qualified name, or its path where it has none."""


def golden_text(query: str, target: str, results: list[RetrievedContext]) -> str:
    names = [result.qualified_name or result.file_path for result in results]
    rank = names.index(target) + 1 if target in names else 0
    spans = [f"{result.file_path}:{result.start_line}-{result.end_line} {result.type}" for result in results]
    lines = [
        f"{'→' if name == target else ' '} {place}. {span} {name}"
        for place, (span, name) in enumerate(zip(spans, names, strict=True), 1)
    ]
    return "\n".join([f"target_rank: {rank}", f"query: {query}", f"target: {target}", "", *lines, ""])


def golden_path(query: str) -> Path:
    return GOLDEN / ("".join(letter if letter.isalnum() else "-" for letter in query).strip("-") + ".golden")


@pytest.mark.parametrize("query", QUERIES)
def test_a_ranking_is_the_golden_one(shop: Path, query: str, update_golden: bool) -> None:
    with CodeIndexer(shop) as indexer:
        now = golden_text(query, QUERIES[query], indexer.retrieve(query, limit=SHOWN))
    path = golden_path(query)
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8")


def test_every_golden_file_has_its_query() -> None:
    assert sorted(GOLDEN.glob("*.golden")) == sorted(map(golden_path, QUERIES))


def test_what_is_asked_for_stands_at_the_top() -> None:
    """Check the mean reciprocal rank. A query without an answer yet (rank 0) stays in the list."""
    ranks = [int(path.read_text(encoding="utf-8").split()[1]) for path in GOLDEN.glob("*.golden")]
    assert sum(1 / rank for rank in ranks if rank) / len(ranks) > 0.75
