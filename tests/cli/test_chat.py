"""`cgi chat`: one question after another, each may speak of the ones before."""

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.ask.messages_server import MessagesServer, broken_off
from tests.cli.conftest import Cgi


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


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


@pytest.mark.slow
def test_an_answer_that_does_not_come_can_be_interrupted(shop: Path) -> None:
    with MessagesServer() as server:
        server.queue(broken_off("So ", "silence"))
        command = [sys.executable, "-m", "code_graph_indexer", "ask", "how is an order placed?"]
        surroundings = {"CGI_BASE_URL": server.url, "CGI_MODEL": "test-model", "NO_PROXY": "127.0.0.1"}
        with subprocess.Popen(
            command, cwd=shop, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as ran:
            assert ran.stdout is not None
            # The beginning of the answer is there: what follows is silence.
            assert ran.stdout.read(2) == b"So"
            # Python misses a signal that comes in the microseconds before it begins to wait for the server.
            time.sleep(0.5)
            ran.send_signal(signal.SIGINT)
            assert ran.wait(timeout=20) == 130
