"""Names and paths are completed while they are typed, the likeliest first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.complete import Completion

pytestmark = pytest.mark.slow


@pytest.fixture
def completion(tmp_path: Path) -> Iterator[Completion]:
    names = ("total", "Total", "total_of_all", "subtotal", "sub_total", "toString", "to", "t", "grandTotal")
    (tmp_path / "names.py").write_text("".join(f"def {name}():\n    pass\n\n\n" for name in names), "utf-8")
    (tmp_path / "totals").mkdir()
    (tmp_path / "totals" / "plain.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "total.py").write_text("class Cart:\n    def total_price(self):\n        pass\n", "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        yield Completion(indexer.store)


def names_of(completion: Completion, text: str, limit: int = 20) -> list[str]:
    return [symbol.name for symbol in completion.symbols(text, limit) if symbol.kind != "module"]


def test_names_that_a_text_begins_come_before_names_that_hold_it(completion: Completion) -> None:
    assert names_of(completion, "total") == [
        *("Total", "total", "total_price", "total_of_all", "sub_total", "grandTotal", "subtotal"),
    ]


def test_a_short_text_gives_the_shortest_names_first(completion: Completion) -> None:
    assert names_of(completion, "t")[:3] == ["t", "to", "Total"]
    assert names_of(completion, "t", 2) == ["t", "to"]


def test_parts_before_the_last_are_in_the_qualified_name(completion: Completion) -> None:
    assert names_of(completion, "cart tot") == ["total_price"]
    assert names_of(completion, "Cart.to") == ["total_price"]


def test_nothing_is_completed_from_nothing(completion: Completion) -> None:
    assert names_of(completion, "") == []
    assert names_of(completion, "nowhere") == []
    assert completion.paths("two words", 3) == []


def test_files_whose_names_begin_with_a_text_come_first(completion: Completion) -> None:
    assert completion.paths("total", 5) == ["total.py", "totals/plain.py"]
    assert completion.paths("plain", 5) == ["totals/plain.py"]


def test_tests_fill_no_list_before_all_other_names_are_read(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("def sell():\n    pass\n\n\ndef sells():\n    pass\n", "utf-8")
    (tmp_path / "shop.py").write_text("def sell_it():\n    pass\n\n\ndef seller_of_it():\n    pass\n", "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        completion = Completion(indexer.store)
        assert names_of(completion, "sell", 2) == ["sell_it", "seller_of_it"]
        assert names_of(completion, "sell", 3) == ["sell_it", "seller_of_it", "sell"]
