"""The server, asked by the SDK's own client: in memory, over standard input and output, and over HTTP."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import ListRootsResult, Root
from pydantic import FileUrl

from code_graph_indexer import CodeIndexer
from code_graph_indexer.mcp.repositories import Repositories
from code_graph_indexer.mcp.server import build_server
from code_graph_indexer.mcp.tools import INSTRUCTIONS
from code_graph_indexer.storage.local import LocalState, is_being_written
from code_graph_indexer.words import estimate_tokens

ERAS = pytest.mark.parametrize("era", [{}, {"mode": "legacy"}], ids=["without handshake", "with handshake"])

MAX_TOKENS = 1_200
"""Tokens of the instructions and of the definitions of all tools, which every session of an agent pays for."""


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@pytest.fixture
def repositories(own_shop: Path) -> Iterator[Repositories]:
    held = Repositories([own_shop])
    yield held
    held.close()


async def ask(client: Client, tool: str, **arguments: Any) -> str:
    """Return the text of a reply, which must be one text block without structured content and no error."""
    reply = await client.call_tool(tool, arguments)
    assert not reply.is_error
    assert reply.structured_content is None
    (block,) = reply.content
    return str(block.text)  # type: ignore[union-attr]


@pytest.mark.slow
@ERAS
def test_both_eras_get_the_same_answers(repositories: Repositories, era: dict[str, Any]) -> None:
    async def session() -> None:
        async with Client(build_server(repositories), raise_exceptions=True, **era) as client:
            assert "callers: 1 proven" in await ask(client, "explore", query="who calls add_tax")
            assert "tests/test_cart.py" in await ask(client, "impact", target="add_tax")
            unsure = await ask(client, "explore", query="what does the state get of it?")
            assert "ask again" in unsure and '"what does the state get of it?", expect="' in unsure
            sought = await ask(client, "explore", query="what does the state get of it?", expect="add tax levy")
            assert "Expected words: add (9), tax (7), levy (none)." in sought and "def add_tax" in sought

    asyncio.run(session())


def test_the_tools_cost_few_tokens_and_only_read(
    repositories: Repositories, capsys: pytest.CaptureFixture[str]
) -> None:
    async def session() -> list[Any]:
        async with Client(build_server(repositories)) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(session())
    schema = json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools], ensure_ascii=False)
    tokens = estimate_tokens(schema) + estimate_tokens(INSTRUCTIONS)
    with capsys.disabled():
        print(f"\ntokens of the tools and instructions: {tokens} of {MAX_TOKENS}")
    assert tokens <= MAX_TOKENS
    assert len(tools) <= 3
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert all(tool.output_schema is None for tool in tools)
    assert all(tool.meta == {"anthropic/alwaysLoad": True} for tool in tools)


@pytest.mark.slow
def test_what_is_wrong_with_a_question_is_said_as_text(repositories: Repositories) -> None:
    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            assert "Did you mean OrderStore" in await ask(client, "explore", query="OrderStor")
            assert "there is no language" in await ask(client, "explore", query="lang:klingon words")
            assert "no definition of 'nowhere'" in await ask(client, "impact", target="nowhere")
            assert "no repository is named 'other'" in await ask(client, "explore", query="add_tax", repo="other")
            assert "git" in await ask(client, "impact")

    asyncio.run(session())


@ERAS
def test_a_call_that_is_not_understood_is_told_what_is(repositories: Repositories, era: dict[str, Any]) -> None:
    async def session() -> None:
        async with Client(build_server(repositories), **era) as client:
            assert "takes no argument 'symbol'" in await ask(client, "impact", symbol="add_tax")
            assert "is a whole number" in await ask(client, "explore", query="add_tax", budget="all")
            assert await ask(client, "explore", query="add_tax", budget=None, repo=None) == await ask(
                client, "explore", query="add_tax"
            )
            with pytest.raises(MCPError, match="no tool 'search'; the tools are explore, impact"):
                await client.call_tool("search", {"query": "add_tax"})

    asyncio.run(session())


@pytest.mark.slow
def test_absolute_paths_are_understood(repositories: Repositories, own_shop: Path) -> None:
    path = own_shop / "shop" / "pricing.py"

    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            for target in (f"{path}", f"{path}:add_tax"):
                assert "shop/pricing.py:12  add_tax" in await ask(client, "impact", target=target)
                assert "def add_tax" in await ask(client, "explore", query=target)

    asyncio.run(session())


def test_a_reply_never_exceeds_the_size_that_hosts_show_at_once(repositories: Repositories) -> None:
    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            assert len(await ask(client, "explore", query="def", budget=1_000_000)) <= 24_000
            assert len(await ask(client, "explore", query="Cart", budget=500)) <= 2_000

    asyncio.run(session())


@pytest.mark.slow
def test_without_an_index_the_first_question_builds_it(own_shop: Path) -> None:
    shutil.rmtree(own_shop / ".cgi")
    repositories = Repositories([own_shop])

    async def session() -> str:
        async with Client(build_server(repositories)) as client:
            text = await ask(client, "explore", query="who calls add_tax")
            if "The index is being built" in text:
                assert "### shop/pricing.py\n12\tdef add_tax(cents: int) -> int:" in text
                (repository,) = repositories.named("")
                assert repository.build is not None
                await asyncio.to_thread(repository.build.wait, 60)
                text = await ask(client, "explore", query="who calls add_tax")
            return text

    try:
        assert "callers: 1 proven" in asyncio.run(session())
    finally:
        repositories.close()


def asked(repositories: Repositories, query: str = "who calls add_tax", **options: Any) -> str:
    """Ask `explore`, and return its text."""

    async def session() -> str:
        async with Client(build_server(repositories), **options) as client:
            return await ask(client, "explore", query=query)

    return asyncio.run(session())


@pytest.mark.slow
def test_each_question_during_the_build_gets_lines_from_the_files(
    own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(own_shop / ".cgi")
    monkeypatch.setattr("code_graph_indexer.mcp.repositories.BUILD_SECONDS", 0.0)
    repositories = Repositories([own_shop])
    (repository,) = repositories.named("")

    async def session() -> list[str]:
        texts: list[str] = []
        async with Client(build_server(repositories)) as client:
            while not texts or "The index is being built" in texts[-1]:
                texts.append(await ask(client, "explore", query="who calls add_tax"))
        return texts

    try:
        *early, last = asyncio.run(session())
    finally:
        repositories.close()
    assert repository.build is not None
    assert repository.build.wait(30)
    assert len(early) > 1
    assert all("### shop/pricing.py\n12\tdef add_tax(cents: int) -> int:" in text for text in early)
    assert "callers: 1 proven" in last


def test_while_another_process_builds_the_files_are_searched(own_shop: Path) -> None:
    db = own_shop / ".cgi" / "index.db"
    db.unlink()
    repositories = Repositories([own_shop])
    with LocalState(db):
        for _ in range(2):
            text = asked(repositories)
            assert "Another process is writing the index." in text
            assert "12\tdef add_tax(cents: int) -> int:" in text
    assert repositories.named("")[0].build is None
    repositories.close()


@pytest.mark.slow
def test_a_build_outlives_the_server_that_began_it(tmp_path: Path) -> None:
    for number in range(400):
        functions = "".join(f"def f{number}_{part}(x):\n    return f{number}_{part}(x)\n\n" for part in range(60))
        (tmp_path / f"m{number}.py").write_text(functions, encoding="utf-8")
    command = [sys.executable, "-m", "code_graph_indexer", "mcp", str(tmp_path)]
    call = {"id": 2, "method": "tools/call", "params": {"name": "explore", "arguments": {"query": "who calls f7_7"}}}
    db = tmp_path / ".cgi" / "index.db"
    deadline = time.monotonic() + 120
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stdin is not None
        for message in ({"id": 1, "method": "initialize", "params": HELLO}, call):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        while not is_being_written(db) and not db.exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        # The client of this server is killed, and the server with it.
        process.kill()
    repositories = Repositories([tmp_path])
    try:
        while "callers: 1 proven" not in (text := asked(repositories, "who calls f7_7")):
            assert "Another process is writing the index." in text
            assert time.monotonic() < deadline
        # This server had nothing to build.
        assert repositories.named("")[0].build is None
    finally:
        repositories.close()


def test_a_folder_that_is_no_repository_is_not_indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "project" / "pictures").mkdir(parents=True)
    (home / "notes.py").write_text("def f(): pass\n", encoding="utf-8")
    (home / "project" / "pictures" / "a.jpg").write_bytes(b"\xff\xd8")
    monkeypatch.setenv("HOME", str(home))
    for folder in (Path("/"), home, tmp_path, home / "project"):
        monkeypatch.chdir(folder)
        for repositories in (Repositories([]), Repositories([folder])):
            text = asked(repositories, "f")
            assert str(folder) in text
            assert "Start the server for the folder of a repository: cgi mcp FOLDER" in text
            assert repositories.named("")[0].build is None
            repositories.close()
    assert not [*tmp_path.rglob(".cgi")]
    # A home folder in git makes no repository of what is below.
    (home / ".git").mkdir()
    assert Repositories([home / "project"]).named("")[0].root == home / "project"


def test_an_index_that_is_there_is_used_wherever_it_is(own_shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(own_shop))
    repositories = Repositories([own_shop])
    assert "callers: 1 proven" in asked(repositories)
    repositories.close()


def test_only_where_nothing_else_tells_the_folders_of_an_old_client_are_used(
    own_shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "a b"
    empty.mkdir()

    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(folder.as_uri())) for folder in (empty, own_shop)])

    monkeypatch.chdir(empty)
    old: dict[str, Any] = {"mode": "legacy", "list_roots_callback": roots}
    repositories = Repositories([])
    assert "callers: 1 proven" in asked(repositories, **old)
    assert [repository.root for repository in repositories.named("")] == [own_shop]
    repositories.close()
    cases: list[tuple[dict[str, Any], list[Path]]]
    cases = [({"list_roots_callback": roots}, []), ({"mode": "legacy"}, []), (old, [empty])]
    for options, folders in cases:
        repositories = Repositories(folders)
        assert "holds no source" in asked(repositories, **options)
        repositories.close()
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(empty))
    assert "holds no source" in asked(Repositories([]), **old)


SERVER = """
import sys
from code_graph_indexer.cli import main
from code_graph_indexer.mcp.repositories import Repositories
from code_graph_indexer.mcp.server import build_server
from pathlib import Path
build_server(Repositories([Path(sys.argv[1])]))
print(*sys.modules)
"""


@pytest.mark.slow
def test_a_server_starts_without_what_only_questions_need(shop: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SERVER, str(shop)], check=True, capture_output=True, text=True)
    package = "code_graph_indexer"
    # The doors of these packages are loaded, and nothing behind them.
    late = (f"{package}.explore.", f"{package}.retrieval.", f"{package}.indexing.", f"{package}.resolve", "numpy")
    assert [module for module in done.stdout.split() if module.startswith(late)] == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system has no /proc")
def test_the_handshake_takes_little_more_processor_time_than_the_import_of_the_sdk(shop: Path) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    serving = [sys.executable, "-m", "code_graph_indexer", "mcp", str(shop)]
    # Where other processes keep the cores busy, both take longer.
    importing = [sys.executable, "-c", "import mcp.server; print('serverInfo'); input()"]
    seconds: dict[str, list[float]] = {"serving": [], "importing": []}
    for _ in range(3):
        for name, command in (("serving", serving), ("importing", importing)):
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps(hello).encode() + b"\n")
                process.stdin.flush()
                assert b"serverInfo" in process.stdout.readline()
                text = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
                ticks = text.rpartition(")")[2].split()[11:13]
                seconds[name].append(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"))
                process.stdin.close()
    assert min(seconds["serving"]) < 1.6 * min(seconds["importing"])


@pytest.mark.slow
def test_a_running_server_has_a_damaged_index_built_anew(own_shop: Path) -> None:
    db = own_shop / ".cgi" / "index.db"
    repositories = Repositories([own_shop])

    async def session() -> str:
        async with Client(build_server(repositories)) as client:
            assert "callers: 1 proven" in await ask(client, "explore", query="who calls add_tax")
            db.write_bytes(b"garbage" * 500)
            text = await ask(client, "explore", query="who calls add_tax")
            if "The index is being built" in text:
                (repository,) = repositories.named("")
                assert repository.build is not None
                await asyncio.to_thread(repository.build.wait, 60)
                text = await ask(client, "explore", query="who calls add_tax")
            return text

    try:
        assert "callers: 1 proven" in asyncio.run(session())
    finally:
        repositories.close()


@pytest.mark.slow
def test_a_build_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("def f(): pass\n", encoding="utf-8")
    monkeypatch.setenv("CGI_WORKERS", "many")
    repositories = Repositories([tmp_path])

    async def session() -> str:
        async with Client(build_server(repositories)) as client:
            return await ask(client, "explore", query="f")

    try:
        assert "CGI_WORKERS" in asyncio.run(session())
    finally:
        repositories.close()


@pytest.mark.slow
def test_several_repositories_are_asked_at_once_or_by_name(own_shop: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "tax.py").write_text("def add_tax(cents):\n    return cents\n", encoding="utf-8")
    with CodeIndexer(library, workers=1) as indexer:
        indexer.index()
    repositories = Repositories([own_shop, library])

    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            both = await ask(client, "explore", query="add_tax")
            assert both.index("# Repository shop") < both.index("shop/pricing.py") < both.index("# Repository library")
            assert "### tax.py" in both
            single = await ask(client, "explore", query="add_tax", repo="library")
            assert "### tax.py" in single
            assert "shop/pricing.py" not in single

    try:
        asyncio.run(session())
    finally:
        repositories.close()


@pytest.mark.slow
def test_a_worktree_of_a_repository_is_answered_for_and_no_other_folder(own_shop: Path, tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        subprocess.run(["git", "-C", str(own_shop), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    git("worktree", "add", "-q", str(tmp_path / "wt"))
    (tmp_path / "wt" / "shop" / "pricing.py").write_text("def add_vat(cents):\n    return cents\n", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    repositories = Repositories([own_shop])

    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            assert "add_vat" in await ask(client, "explore", query="add_vat", repo=str(tmp_path / "wt"))
            refused = await ask(client, "explore", query="add_vat", repo=str(tmp_path / "elsewhere"))
            assert "is no repository of this server" in refused

    try:
        asyncio.run(session())
    finally:
        repositories.close()


@pytest.mark.slow
@ERAS
def test_a_client_talks_over_standard_input_and_output(own_shop: Path, era: dict[str, Any]) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "code_graph_indexer", "mcp", str(own_shop)])

    async def session() -> None:
        async with Client(parameters, **era) as client:
            assert "callers: 1 proven" in await ask(client, "explore", query="who calls add_tax")
            # A process is forked to read this file while a thread waits for the next message.
            source = "from shop.pricing import add_tax\n\n\ndef total():\n    return add_tax(1)\n"
            (own_shop / "shop" / "total.py").write_text(source, encoding="utf-8")
            assert "callers: 2 proven" in await ask(client, "explore", query="who calls add_tax")

    asyncio.run(session())


@pytest.mark.slow
def test_half_of_a_character_gets_an_answer(own_shop: Path) -> None:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"id": 2, "method": "tools/call", "params": {"name": "explore", "arguments": {"query": "add_tax \ud800"}}},
    ]
    command = [sys.executable, "-m", "code_graph_indexer", "mcp", str(own_shop)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for message in messages:
            # JSON writes it as an escape.
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()
            reply = json.loads(process.stdout.readline())
        process.stdin.close()
    assert "def add_tax" in reply["result"]["content"][0]["text"]


@pytest.mark.slow
def test_the_server_ends_with_its_client(own_shop: Path) -> None:
    command = [sys.executable, "-m", "code_graph_indexer", "mcp", str(own_shop)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.fixture
def http_server(own_shop: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "code_graph_indexer", "mcp", str(own_shop), "--http", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
        process.send_signal(signal.SIGINT)
        process.wait(30)


@pytest.mark.slow
def test_http_answers_its_own_host_and_no_other(http_server: str) -> None:
    async def session() -> None:
        async with Client(http_server) as client:
            assert "callers: 1 proven" in await ask(client, "explore", query="who calls add_tax")

    asyncio.run(session())
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        assert httpx.post(http_server, json=body, headers={**accepts, **headers}).status_code in (403, 421)


@pytest.mark.slow
def test_a_session_sees_each_change_of_the_files(repositories: Repositories, own_shop: Path) -> None:
    path = own_shop / "shop" / "pricing.py"

    async def session() -> None:
        async with Client(build_server(repositories)) as client:
            for number in range(4):
                path.write_text(f"# {number}\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
                assert f"{13 + number}\tdef add_tax" in await ask(client, "explore", query="who calls add_tax")
            (own_shop / "new" / "deep").mkdir(parents=True)
            (own_shop / "new" / "deep" / "duty.py").write_text("def add_duty():\n    return 1\n", encoding="utf-8")
            assert "1\tdef add_duty" in await ask(client, "explore", query="add_duty")
            with CodeIndexer(own_shop) as indexer:
                path.unlink()
                indexer.index()
            assert "no definition of 'add_tax'" in await ask(client, "impact", target="add_tax")

    asyncio.run(session())


@pytest.mark.slow
def test_after_a_large_change_the_answer_names_it_and_the_index_follows(
    repositories: Repositories, own_shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("code_graph_indexer.freshness.MAX_UPDATE_FILES", 2)

    async def session() -> str:
        async with Client(build_server(repositories)) as client:
            await ask(client, "explore", query="add_tax")
            for number in range(5):
                (own_shop / f"more{number}.py").write_text(f"def more{number}():\n    pass\n", encoding="utf-8")
            first = await ask(client, "explore", query="who calls add_tax")
            assert "5 files changed on disk since the index was updated" in first
            (repository,) = repositories.named("")
            assert repository.build is not None
            await asyncio.to_thread(repository.build.wait, 60)
            return await ask(client, "explore", query="more3")

    assert "1\tdef more3" in asyncio.run(session())


@pytest.mark.slow
def test_published_repositories_are_asked_alone_and_together(own_shop: Path, server: Callable[[str], str]) -> None:
    from code_graph_indexer.storage.address import Address
    from code_graph_indexer.team import publish_index

    url = server("agents")
    publish_index(own_shop / ".cgi" / "index.db", url, repo_id="acme/shop")
    held = Repositories([], address=Address.of(url))

    async def session() -> None:
        async with Client(build_server(held), raise_exceptions=True) as client:
            assert "acme/shop/tests/test_cart.py" in await ask(client, "impact", target="add_tax")
            alone = await ask(client, "impact", target="add_tax", repo="acme/shop")
            assert "tests/test_cart.py" in alone and "acme/shop/tests" not in alone
            assert "answers for: acme/shop" in await ask(client, "explore", query="add_tax", repo="other")

    asyncio.run(session())
    held.close()
