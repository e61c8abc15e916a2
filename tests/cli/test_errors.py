"""Every way to fail has its exit code and a message that says the way out. A traceback only with --debug."""

import shutil
from pathlib import Path

import apsw
import pytest

from code_graph_indexer.storage.local import LocalState
from tests.ask.messages_server import MessagesServer, failed
from tests.cli.conftest import Cgi, run_process

KEY = "sk-test-1f0c5e"


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["index", "no/such/folder"], 2, "is not a folder; give the folder of a repository"),
        (["search", "cart", "--language", "pyhton"], 2, "there is no language 'pyhton'. Did you mean 'python'?"),
        (["search", "cart", "--language", "golang"], 2, "there is no language 'golang'. Did you mean 'go'?"),
        (["search", "cart", "--source", "codes"], 2, "there is no source type 'codes'. Did you mean 'code'?"),
        (["search", "cart", "--kind", "functoin"], 2, "there is no kind of chunk 'functoin'. Did you mean 'function'?"),
        (["stats", "--db", "nowhere.db"], 3, "make one with: cgi index"),
        (["stats", "--db", "README.md"], 4, "is not a readable index"),
        (["index", ".", "--db", "README.md"], 4, "is not an index of cgi and is left alone"),
        (["search", "cart", "--embedder", "hashnig"], 5, "Did you mean 'hashing'?"),
        (["search", "cart", "--embedder", "hashing:512"], 5, "the index was made with the embedder 'static'"),
        (["symbol", "Carl"], 7, "Did you mean"),
        (["callers", "nothing_is_named_so"], 7, "no definition of 'nothing_is_named_so'"),
        (["callers", "a.NothingIsNamedSo"], 7, "in the index. Search for it: cgi search NothingIsNamedSo"),
        (["ask", " "], 2, "there is no query; give words, a name or a question"),
        (["callees", "nothing_is_named_so"], 7, "no definition of 'nothing_is_named_so'"),
        (["outline", "shop/crat.py"], 7, "Did you mean shop/cart.py"),
        (["outline", "no.such"], 7, "no file is named 'no.such'"),
        (["tree", "shoop"], 7, "no indexed file is below 'shoop'"),
    ],
)
def test_an_error_says_what_to_do_next(cgi: Cgi, in_shop: Path, arguments: list[str], code: int, part: str) -> None:
    ran = cgi(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("cgi: ")
    assert part in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["serch", "cart"], "Did you mean 'search'?"),
        (["search", "cart", "--limitt", "3"], "--limit"),
        (["search"], "Missing argument"),
        (["search", "cart", "-n", "0"], "--limit"),
        (["search", "cart", "-n", "many"], "--limit"),
        (["outline", "a.py", "b.py"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_explained(cgi: Cgi, in_shop: Path, arguments: list[str], part: str) -> None:
    ran = cgi(*arguments)
    assert ran.code == 2
    assert part in ran.err
    assert "Traceback" not in ran.err


def test_without_an_index_every_reading_command_says_how_to_make_one(
    cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    part = f"cgi: there is no index at {tmp_path}/.cgi/index.db; make one with: cgi index {tmp_path}\n"
    for command in ("search", "ask", "symbol", "callers", "callees", "outline"):
        ran = cgi(command, "x")
        assert (ran.code, ran.err) == (3, part)
    for command in ("tree", "stats", "doctor", "verify"):
        assert cgi(command).code == 3


@pytest.mark.slow
def test_an_index_of_another_version_is_to_be_rebuilt(
    cgi: Cgi, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_shop)
    connection = apsw.Connection(".cgi/index.db")
    connection.pragma("user_version", 99)
    connection.close()
    ran = cgi("stats")
    assert ran.code == 4
    assert "schema version 99" in ran.err
    assert cgi("index", "--full").code == 0
    assert cgi("stats").code == 0


def test_a_damaged_index_is_reported_not_read(cgi: Cgi, own_shop: Path) -> None:
    db = own_shop / ".cgi" / "index.db"
    whole = db.read_bytes()
    db.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    for command in (["search", "cart"], ["stats"], ["symbol", "Cart"], ["doctor"]):
        ran = cgi(*command, "--db", db)
        assert ran.code in (1, 4), command
        assert "Traceback" not in ran.err
        assert "unexpected" not in ran.err


@pytest.mark.slow
def test_two_writers_do_not_meet(cgi: Cgi, own_shop: Path) -> None:
    with LocalState(own_shop / ".cgi" / "index.db"):
        ran = cgi("index", own_shop)
    assert ran.code == 8
    assert "being written by another process; try again" in ran.err


@pytest.mark.slow
def test_a_grammar_that_cannot_be_loaded_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "stray").mkdir()
    (tmp_path / "stray" / "tree_sitter_go.py").write_text("raise ImportError('no such wheel')\n", encoding="utf-8")
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "main.go").write_text("package main\n", encoding="utf-8")
    ran = run_process("index", folder=tmp_path / "repository", PYTHONPATH=str(tmp_path / "stray"))
    assert ran.code == 6
    assert "the grammar of go cannot be loaded" in ran.err
    assert "pip install" in ran.err
    assert not (tmp_path / "repository" / ".cgi" / "index.db").exists()


def test_a_setting_that_cannot_be_used_is_named(cgi: Cgi, in_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGI_LIMIT", "many")
    ran = cgi("search", "cart")
    assert (ran.code, ran.err) == (2, "cgi: CGI_LIMIT must be int, not 'many'\n")


@pytest.mark.slow
def test_a_refused_key_is_an_error_that_does_not_show_it(
    cgi: Cgi, in_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with MessagesServer() as server:
        monkeypatch.setenv("CGI_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        server.queue(failed(401, "authentication_error", f"invalid x-api-key {KEY}"))
        ran = cgi("ask", "how is an order placed?")
    assert ran.code == 10
    assert "check ANTHROPIC_API_KEY" in ran.err
    assert KEY not in ran.out + ran.err


@pytest.mark.slow
def test_a_traceback_is_shown_with_debug_alone(cgi: Cgi, in_shop: Path) -> None:
    silent = cgi("symbol", "nothing")
    debugged = run_process("--debug", "symbol", "nothing", folder=in_shop)
    assert "Traceback" not in silent.err
    assert "Traceback" in debugged.err
    assert "NotInIndexError" in debugged.err


def test_a_root_that_is_gone_is_a_clear_error(cgi: Cgi, own_shop: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.db"
    shutil.copy(own_shop / ".cgi" / "index.db", moved)
    assert cgi("search", "cart", "--db", moved).code == 0
    ran = cgi("verify", tmp_path / "gone", "--db", moved)
    assert ran.code == 2
    assert "is not a folder" in ran.err
