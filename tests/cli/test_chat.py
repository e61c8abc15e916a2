"""`cgi chat`: one question after another, each may speak of the ones before."""

import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cgi


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{one}\n" for one in lines)))


def test_a_follow_up_is_understood(cgi: Cgi, in_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "add_tax", "who calls it?", "", "never asked")
    ran = cgi("chat", "--json")
    assert ran.code == 0
    first, end = json.JSONDecoder().raw_decode(ran.out)
    second = json.loads(ran.out[end:])
    assert (first["route"], second["route"]) == ("name", "graph")
    assert second["summary"].startswith("1 callers of shop.pricing.add_tax")


def test_a_question_that_fails_does_not_end_it(cgi: Cgi, in_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "test:perhaps cart", "who calls add_tax", "exit")
    ran = cgi("chat")
    assert ran.code == 0
    assert "neither test:yes nor test:no" in ran.err
    assert ran.out.startswith("1 callers of shop.pricing.add_tax")


def test_how_an_answer_came_about_is_explained(cgi: Cgi, in_shop: Path) -> None:
    ran = cgi("ask", "how is an order placed?", "--explain")
    assert "route: concept" in ran.err
    assert "found for: how is an order placed?" in ran.err
    assert "times: " in ran.err
