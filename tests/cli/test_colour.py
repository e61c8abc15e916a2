"""A terminal gets colours and links. A file, a pipe, and whoever sets NO_COLOR get plain text."""

import re
import sys
from pathlib import Path

import pytest

from code_graph_indexer.cli.colour import coloured, linked_folders
from code_graph_indexer.settings import has_colours
from tests.cli.conftest import Cgi

ANSWER = """callers of function shop.pricing.add_tax  shop/pricing.py:12
  shop/cart.py:24  shop.cart.Cart.total  (0.95)
  → web/src/cart.ts:16  web.src.cart.CartView.render  (0.50)
  = 1 proven"""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take standard output for a terminal."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def plain(text: str) -> str:
    return re.sub(r"\x1b\]8;;.*?\x1b\\|\x1b\[[0-9;]*m", "", text)


def test_places_are_links_and_edges_have_the_colour_of_their_sureness(terminal: None, tmp_path: Path) -> None:
    linked_folders.set({"": tmp_path})
    text = coloured(ANSWER)
    assert plain(text) == ANSWER
    assert f"\x1b]8;;{(tmp_path / 'shop' / 'cart.py').as_uri()}\x1b\\" in text
    assert "\x1b[32m(0.95)" in text
    assert "\x1b[33m(0.50)" in text


def test_a_place_outside_of_the_repository_is_no_link(terminal: None, tmp_path: Path) -> None:
    linked_folders.set({"": tmp_path})
    assert "file://" not in coloured("  ../../etc/passwd:1  name  (0.95)")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colours_gets_none(terminal: None, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    assert has_colours()
    monkeypatch.setenv(name, value)
    assert coloured(ANSWER) == ANSWER


def test_a_pipe_gets_plain_text(cgi: Cgi, in_shop: Path) -> None:
    assert "\x1b" not in cgi("callers", "add_tax").out
