"""No secret leaves the files it stands in: not into the index or what lies beside it, and not through any door."""

import json
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from code_graph_indexer import CodeIndexer
from code_graph_indexer.cli import app
from code_graph_indexer.explore.page import Tour
from code_graph_indexer.explore.scan import scan
from code_graph_indexer.mcp.repositories import Repositories
from tests.indexing.repository import write_tree
from tests.syntax.test_secrets import KEY, TOKENS, WORD, chars
from tests.web.conftest import served

START, SECRET = TOKENS["github"]
TOKEN = START + SECRET
PARTS = [part for part in re.findall(r"[0-9A-Za-z]{12,}", SECRET + KEY) if not part.startswith("PRIVATE")]
"""Pieces of the secrets. None may stand anywhere."""

PASSWORD = chars(WORD, 30)
NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": [f"token = '{TOKEN}'\n", "def in_notebook():\n", "    return 1\n"]}]
}
FILES: dict[str, str | bytes] = {
    "app/login.py": f'''"""Log in."""

TOKEN = "{TOKEN}"
KEY = """{KEY}"""


def connect(token="{TOKEN}"):
    """Connect with {TOKEN}."""
    # The token is {TOKEN}
    return send(token, "{TOKEN}")


def send(token, name):
    return [token, name]
''',
    "app/named.py": f"def {START}{SECRET}():\n    return connect()\n",
    "README.md": f"# Use {TOKEN}\n\nCall connect with it.\n",
    "deploy/config.yaml": f"name: shop\ntoken: {TOKEN}\nregion: north\n",
    "deploy/account.json": json.dumps({"private_key": KEY, "name": "robot"}, indent=1),
    "notes.txt": f"connect with {TOKEN} please\n".encode("utf-16"),
    "work.ipynb": json.dumps(NOTEBOOK),
    ".env": f"PASSWORD={PASSWORD}\n",
    "deploy/ID_RSA": f"{PASSWORD}\n",
    ".env.example": "PASSWORD=\n",
}


def is_clean(content: str | bytes) -> bool:
    """Say whether a text or the bytes of a file hold no part of a secret."""
    text = content if isinstance(content, str) else content.decode("latin-1")
    return not any(part in text for part in (*PARTS, PASSWORD))


def explored(query: str, indexer: CodeIndexer, budget: int) -> Tour:
    return indexer.explore(query, budget=budget)


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an indexed repository with secrets, of which a function with one in its name was removed."""
    root = write_tree(tmp_path_factory.mktemp("secrets"), FILES)
    git(root, "init", "-q")
    git(root, "add", "-Af")
    git(root, "commit", "-qm", "one")
    (root / "app/named.py").write_text("def plain():\n    return connect()\n", encoding="utf-8")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


@pytest.fixture
def indexer(root: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(root) as opened:
        yield opened


def test_the_lines_around_a_secret_are_there(indexer: CodeIndexer) -> None:
    text = (indexer.store.file_text("app/login.py") or b"").decode()
    assert 'KEY = """-----BEGIN RSA PRIVATE KEY-----\nREDACTED' in text
    assert f'return send(token, "{START}REDACTED' in text
    assert text.count("\n") == str(FILES["app/login.py"]).count("\n")
    assert indexer.symbol("connect")[0].start_line == str(FILES["app/login.py"]).split("def connect")[0].count("\n") + 1
    assert [step.symbol.name for step in indexer.callers("send")[0].steps] == ["connect"]
    assert indexer.symbol("in_notebook")


def test_neither_the_index_nor_a_file_beside_it_holds_a_secret(indexer: CodeIndexer, root: Path) -> None:
    indexer.retrieve(f"who takes {START}REDACTED", limit=5)
    files = [file for file in (root / ".cgi").rglob("*") if file.is_file()]
    assert {"index.db", "index.db.local"} <= {file.name for file in files}
    assert [file.name for file in files if not is_clean(file.read_bytes())] == []
    texts = [indexer.store.file_text(file.path) or b"" for file in indexer.store.files()]
    assert all(map(is_clean, texts))
    rows = [value for _, table in indexer.store.contents() for row in table for value in row]
    assert all(is_clean(value) for value in rows if isinstance(value, str | bytes))


COMMANDS = (
    ("search", "connect token"),
    ("search", "REDACTED"),
    ("search", "--explain", "private_key robot"),
    ("ask", "how does connect send the token"),
    ("explore", "connect"),
    ("explore", "app/login.py"),
    ("explore", "deploy/config.yaml"),
    ("symbol", "connect"),
    ("symbol", "TOKEN"),
    ("callers", "send"),
    ("callees", "connect"),
    ("path", "connect", "send"),
    ("outline", "app/login.py"),
    ("outline", "README.md"),
    ("tree",),
    ("stats",),
    ("impact", "send"),
    ("impact", "--diff", "HEAD"),
    ("unused", "--min-confidence", "0"),
    ("routes",),
    *(("graph", "connect", "--format", form) for form in ("dot", "mermaid", "graphml", "svg")),
)


@pytest.mark.parametrize("json_option", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_shows_a_secret(
    root: Path, command: tuple[str, ...], json_option: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    ran = CliRunner().invoke(app, [*command, *json_option])
    # Nothing in it is a route.
    assert ran.exit_code == (command[0] == "routes"), ran.output
    assert is_clean(ran.output)


def test_an_exported_index_holds_no_secret(indexer: CodeIndexer, tmp_path: Path) -> None:
    indexer.graph.export_scip(tmp_path / "index.scip")
    assert is_clean((tmp_path / "index.scip").read_bytes())


@pytest.mark.slow
def test_agents_and_the_page_see_no_secret(root: Path) -> None:
    repositories = Repositories([root])
    (repository,) = repositories.named("")
    for query in ("connect", "deploy/account.json", "app/login.py:4"):
        reply = repository.answer(query, partial(explored, query), 6_000)
        assert "connect" in reply or "private_key" in reply
        assert is_clean(reply)
    repositories.close()
    with served(root) as site:
        for path in FILES.keys() - {".env", "deploy/ID_RSA", "app/named.py"}:
            page = site.text(f"/code/{path}")
            assert "REDACTED" in page or path == ".env.example"
            assert is_clean(page)
        assert is_clean(site.text("/search?q=connect"))


def test_files_that_have_no_index_yet_are_searched_without_secrets(root: Path) -> None:
    text = "".join(scan(root, name, budget=6_000) for name in ("connect", "token", "private_key", "PASSWORD"))
    places = ("app/login.py", "notes.txt", ".env.example", "deploy/config.yaml", "deploy/account.json")
    assert all(f"### {path}" in text for path in places)
    assert "REDACTED" in text
    assert "### .env\n" not in text
    assert is_clean(text)


@pytest.mark.slow
def test_a_file_that_changed_since_is_quoted_without_secrets(root: Path, tmp_path: Path) -> None:
    copy = write_tree(tmp_path / "copy", FILES)
    with CodeIndexer(copy, workers=1) as indexer:
        indexer.index()
    changed = "# first\n" + str(FILES["app/login.py"])
    write_tree(copy, {"app/login.py": changed})
    with CodeIndexer(copy, update=False) as indexer:
        text = indexer.explore("connect").text
    assert f"# The token is {START}REDACTED" in text
    assert is_clean(text)


@pytest.mark.slow
def test_an_update_masks_as_a_full_build_does(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {"a.py": "x = 1\n", "b.py": f"y = '{TOKEN}'\n", "big.md": "words\n" * 9})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        for files in (
            {"a.py": f"x = '{TOKEN}'\n"},
            {"b.py": "y = 1\n", "big.md": "words\n" * 9 + KEY},
            {"a.py": f"x = '{TOKEN}'\nz = '{TOKEN[:-1]}z'\n", ".env": "A=1\n"},
        ):
            write_tree(root, files)
            indexer.index()
            assert indexer.verify() == []
        assert indexer.stats()["masked"] == {"secrets": 3, "files": 2}
        assert all(is_clean(file.read_bytes()) for file in (root / ".cgi").iterdir())


def test_statistics_count_secrets_by_name_and_by_form(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    stats = json.loads(CliRunner().invoke(app, ["stats", "--json"]).output)
    assert stats["skipped"]["secret"] == 2
    assert stats["masked"]["files"] == 6
    lines = CliRunner().invoke(app, ["stats"]).output.splitlines()
    (masked,) = (place for place, line in enumerate(lines) if line.startswith("masked "))
    assert lines[masked].endswith(f"{stats['masked']['secrets']} secrets, 6 files")
    assert "also in one that .cgiignore forces in" in lines[masked + 1]
    assert any("add its path to .cgiignore: !/build/ or !/.env" in line for line in lines)


@pytest.mark.slow
def test_a_file_that_is_forced_in_has_its_tokens_masked(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "repository", {".env": f"NAME=shop\nTOKEN={TOKEN}\n", ".cgiignore": "!/.env\n"})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        assert (indexer.store.file_text(".env") or b"").startswith(f"NAME=shop\nTOKEN={START}REDACTED".encode())
