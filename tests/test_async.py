"""Every question has an asynchronous twin, and records become rows for data frames and texts for notebooks."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, Index, to_rows

NO_QUESTIONS = frozenset({"close", "question", "refresh", "fresh_store", "embedder", "stats", "doctor"})
"""Public methods that answer nothing."""


@pytest.fixture(scope="module")
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as opened:
        yield opened


def test_each_question_has_a_twin() -> None:
    names = {name for name, value in vars(Index).items() if callable(value) and not name.startswith("_")}
    twins = {name for name in names if name[0] == "a" and name[1:] in names}
    assert sorted(name for name in names - twins - NO_QUESTIONS if f"a{name}" not in twins) == []


def test_twins_answer_beside_each_other_as_their_questions_do(indexer: CodeIndexer) -> None:
    async def ask_all() -> list[object]:
        return list(
            await asyncio.gather(
                indexer.acallers("add_tax"),
                asyncio.to_thread(indexer.graph.impact, "add_tax"),
                indexer.aexplore("Cart.total -> add_tax"),
                indexer.asymbol("Cart"),
                indexer.aoutline("shop/cart.py"),
            )
        )

    assert asyncio.run(ask_all()) == [
        indexer.callers("add_tax"),
        indexer.graph.impact("add_tax"),
        indexer.explore("Cart.total -> add_tax"),
        indexer.symbol("Cart"),
        indexer.outline("shop/cart.py"),
    ]


def test_rows_are_flat(indexer: CodeIndexer) -> None:
    (row,) = to_rows(indexer.callers("add_tax")[0].steps)
    assert (row["symbol_name"], row["kind"], row["line"]) == ("total", "calls", 24)
    rows = to_rows(indexer.retrieve("add_tax", limit=2))
    assert len(rows) == 2
    assert rows[0].keys() == rows[1].keys()
    assert not {"signals", "related_definitions"} & rows[0].keys()


def test_notebooks_show_texts_as_markdown_and_source_as_text(indexer: CodeIndexer) -> None:
    tour, answer = indexer.explore("add_tax"), indexer.ask("who calls add_tax?")
    assert tour._repr_markdown_() == tour.text
    assert answer._repr_markdown_() == answer.answer._repr_markdown_() == answer.text
    shown = indexer.retrieve("add_tax", limit=1)[0]._repr_html_()
    assert "def add_tax(cents: int) -&gt; int" in shown
    impact, paths = indexer.graph.impact("add_tax"), indexer.graph.paths("place_order", "add_tax")
    assert "<b>affected</b>" in impact._repr_html_()
    assert "<td>shop.cart.Cart.total</td>" in impact._repr_html_()
    assert "<b>paths</b>" in paths._repr_html_()
