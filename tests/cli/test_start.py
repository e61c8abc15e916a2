"""What meets somebody who types `cgi` for the first time."""

import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.cli import MODULE_OF, Commands, helps_of
from code_graph_indexer.cli.index import first_questions
from code_graph_indexer.version import VERSION
from tests.cli.conftest import Cgi


def test_cgi_alone_shows_the_first_commands_and_they_exist(cgi: Cgi) -> None:
    ran = cgi()
    assert ran.code == 0
    commands = re.findall(r"^  cgi (\w+)", ran.out, flags=re.MULTILINE)
    assert len(commands) == 5
    assert all(cgi(command, "--help").code == 0 for command in commands)


@pytest.mark.parametrize("command", ["path", "fleet add"])
def test_help_of_a_command_is_its_own_help(cgi: Cgi, command: str) -> None:
    assert cgi("help", *command.split()) == cgi(*command.split(), "--help")


def test_help_lists_all_commands(cgi: Cgi) -> None:
    ran = cgi("help")
    assert ran == cgi("--help")
    assert "communities" in ran.out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_told(cgi: Cgi, option: str) -> None:
    assert cgi(option).out == f"cgi {VERSION}\n"


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("search cart", 0),
        ("search cart --path nowhere/*", 1),
        ("callers add_tax", 0),
        ("callers cancel_order", 1),
        ("callers nobody", 7),
        ("routes", 1),
        ("path add_tax place_order", 1),
        ("unused", 0),
        ("impact cancel_order", 0),
    ],
)
def test_a_question_without_an_answer_ends_as_grep_does(cgi: Cgi, in_shop: Path, question: str, code: int) -> None:
    assert cgi(*shlex.split(question)).code == code


def test_the_first_questions_have_answers(cgi: Cgi, in_shop: Path) -> None:
    with CodeIndexer(in_shop) as indexer:
        questions = first_questions(indexer)
    assert [question.split()[1] for question in questions] == ["callers", "impact", "explore"]
    assert [cgi(*shlex.split(question)[1:]).code for question in questions] == [0, 0, 0]


@pytest.mark.parametrize("arguments", [("--setup", "claude-code"), ("--setup", "claude-code", "--write", "--yes")])
def test_the_setup_of_a_client_is_written_only_if_asked(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cgi("mcp", *arguments)
    assert ran.code == 0
    assert '"mcpServers"' in ran.out
    assert (tmp_path / ".mcp.json").is_file() == ("--write" in arguments)


def test_nothing_is_written_if_nobody_can_be_asked(cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cgi("mcp", "--setup", "claude-code", "--write").code == 2
    assert not (tmp_path / ".mcp.json").exists()


@pytest.mark.parametrize("command", MODULE_OF)
def test_the_list_of_commands_has_the_help_of_each_command(command: str) -> None:
    assert helps_of(MODULE_OF[command])[command] == inspect.cleandoc(Commands()[command].help)


@pytest.mark.slow
def test_help_loads_no_command() -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "code_graph_indexer", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "code_graph_indexer.cli" in run.stderr
    assert "code_graph_indexer.cli.common" not in run.stderr
    assert "rich" not in run.stderr
    assert "while files change, until Ctrl-C. Prints a line" in " ".join(run.stdout.split())


def test_a_set_up_says_that_the_server_lacks_its_package(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cgi("mcp", "--setup", "codex").err == ""
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert "The server needs the package mcp; run: " in cgi("mcp", "--setup", "codex").err
