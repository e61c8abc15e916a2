"""Reading reports: the title is what a person asks, and names come from the trace."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.retrieval.focus import RESULT_TERM
from code_graph_indexer.retrieval.report import read_report

ISSUE = """Hello everybody,

<!-- Please search first. -->
### Describe the bug
- [x] I have read the guide
An empty cart can be ordered

I called `place_order` in version 3.2.1 on my laptop with a fresh environment, and expected an error, but nothing came.

Traceback (most recent call last):
  File "/srv/handlers.py", line 3, in handle
  File "/srv/totals.py", line 9, in total
"""


@pytest.fixture
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop, workers=1) as opened:
        yield opened


def test_a_report_has_a_title_without_greeting_and_template() -> None:
    report = read_report(ISSUE)
    assert report is not None
    assert report.title == "An empty cart can be ordered"
    assert report.names == ("handle", "total")


@pytest.mark.parametrize("text", ["how is tax added?", "import os\n" + "total = price + tax\n" * 20, ISSUE[:60]])
def test_a_short_text_or_code_is_no_report(text: str) -> None:
    assert read_report(text) is None


def test_a_sign_of_code_in_a_title_makes_no_code_of_a_report() -> None:
    report = read_report(f"[orders] An empty cart can be ordered (since >= 2.0; {{}} is accepted)\n{ISSUE}")
    assert report is not None
    assert report.title.startswith("[orders] An empty cart")


def test_a_report_finds_what_its_title_and_its_names_speak_of(indexer: CodeIndexer) -> None:
    first = indexer.retrieve(ISSUE, limit=1)[0]
    assert RESULT_TERM in {signal.signal for signal in first.signals}
    assert first.qualified_name in {"shop.orders.place_order", "shop.cart.Cart.total"}
