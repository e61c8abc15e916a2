"""The command `cgi describe`."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.describe import undescribed_subjects
from tests.ask.conftest import KEY
from tests.ask.messages_server import MODEL, MessagesServer, Played, RecordedRequest, broken_off, failed
from tests.cli.conftest import Cgi
from tests.describe.conftest import FILES, sentence_of, write
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MessagesServer]:
    """Serve a model that describes, and work in a small repository."""
    monkeypatch.chdir(write_tree(tmp_path / "repository", FILES))
    with MessagesServer() as serving:
        serving.write_with(write)
        for name, value in {
            "CGI_BASE_URL": serving.url,
            "ANTHROPIC_API_KEY": KEY,
            "CGI_MODEL": MODEL,
            "NO_PROXY": "127.0.0.1",
        }.items():
            monkeypatch.setenv(name, value)
        yield serving


def test_the_cost_is_said_before_and_nothing_is_asked_without_a_yes(cgi: Cgi, server: MessagesServer) -> None:
    ran = cgi("describe")
    assert ran.code == 2
    assert "4 definitions to describe in 1 request to test-model" in ran.err
    assert "unknown price" in ran.err
    assert "cgi describe --yes" in ran.err
    assert server.requests == []


def test_descriptions_are_written_and_shown(cgi: Cgi, server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGI_INPUT_PRICE", "3")
    ran = cgi("describe", "--yes", "--limit", "3")
    assert "the limit leaves 1 for another run" in ran.err
    assert "US dollars" in ran.err
    assert ran.out.startswith(f"described 3 definitions by {MODEL} (")
    assert "1 have no description yet" in ran.out
    report = json.loads(cgi("describe", "--yes", "--json").out)["report"]
    assert (report["described"], report["left"]) == (1, 0)
    assert cgi("describe").out == "every definition that others can name has a description\n"
    line = f"described by {MODEL}: {sentence_of('levy')}"
    assert line in cgi("symbol", "levy").out
    assert line in cgi("search", "levy").out
    assert line in cgi("explore", "levy").out
    assert f"4 {MODEL}" in cgi("stats").out
    symbol = json.loads(cgi("symbol", "levy", "--json").out)["symbols"][0]
    assert symbol["description"] == {"model": MODEL, "sentence": sentence_of("levy")}
    assert "description" not in json.loads(cgi("symbol", "RATE", "--json").out)["symbols"][0]


def test_errors_of_the_model_are_sentences_with_their_codes(
    cgi: Cgi, server: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.queue(failed(401, "authentication_error", "no"))
    ran = cgi("describe", "--yes")
    assert ran.code == 10
    assert "the API key was refused" in ran.err
    for name in ("CGI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name)
    ran = cgi("describe", "--yes")
    assert ran.code == 10
    assert "set ANTHROPIC_API_KEY, or CGI_BASE_URL" in ran.err


def test_after_an_interrupt_the_same_command_goes_on(cgi: Cgi, server: MessagesServer) -> None:
    functions = (f"def pay_{number}():\n    return {number}\n\n\n" for number in range(60))
    write_tree(Path("more"), {"pay.py": "".join(functions)})

    def write_once(request: RecordedRequest) -> Played | str:
        return write(request) if len(server.requests) == 1 else broken_off("1: ", "silence")

    server.write_with(write_once)
    command = [sys.executable, "-m", "code_graph_indexer", "describe", "--yes"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, env={**os.environ, "CGI_WORKERS": "1"}, text=True
    ) as running:
        until = time.monotonic() + 60
        while len(server.requests) < 5 and time.monotonic() < until:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        assert running.stderr.read().endswith("cgi: interrupted; run the same command again to go on\n")
    assert running.returncode == 130
    with CodeIndexer(".") as indexer:
        assert len(undescribed_subjects(indexer.store)) == 64 - 10
    server.write_with(write)
    assert cgi("describe", "--yes").out.startswith("described 54 definitions")
