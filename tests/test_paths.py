"""A path or revision that cannot be is one sentence, at every door."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.mcp.repositories import Repositories
from code_graph_indexer.mcp.server import build_server
from code_graph_indexer.outside import path_of
from tests.web.conftest import LocalSite, served

LONG = "x" * 5_000
ODD_PATHS = ("~nosuchuser", "~nosuchuser/x", LONG, f"a/{LONG}", "a\0b")
ODD_REVISIONS = ("\0", "a\0b", LONG, "~nosuchuser", "\x1b[31m", "a b", "..", "--output=x", "HEAD^{/x", "\u2028")


@pytest.mark.parametrize("path", ODD_PATHS)
def test_a_path_that_cannot_be_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match=r"give (a|another) path") as caught:
        path_of(path)
    assert len(str(caught.value)) < 300
    with pytest.raises(UsageError, match=r"give (a|another) path"):
        CodeIndexer(path)
    with pytest.raises(UsageError, match=r"give (a|another) path"):
        CodeIndexer.open_many([path])


def test_a_path_that_could_be_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/somewhere")
    assert path_of("~/x") == Path("/somewhere/x")
    assert path_of("a/\udcff") == tmp_path / "a" / "\udcff"
    assert path_of(Path("b")) == tmp_path / "b"


@pytest.fixture(scope="module")
def site(shop: Path) -> Iterator[LocalSite]:
    with served(shop) as running:
        yield running


@pytest.mark.parametrize("text", [*ODD_PATHS, *ODD_REVISIONS, "\udcff"])
@pytest.mark.parametrize("page", ["/impact?diff=", "/code?path=", "/search?q=", "/folder?path=", "/definition?name="])
def test_the_page_answers(site: LocalSite, page: str, text: str) -> None:
    address = page + quote(text.encode("utf-8", "surrogateescape"))
    assert site.get(address).status_code < 500


@pytest.mark.parametrize("text", [*ODD_PATHS, *ODD_REVISIONS])
def test_the_agents_server_answers(own_shop: Path, text: str) -> None:
    async def session() -> None:
        repositories = Repositories([own_shop])
        async with Client(build_server(repositories)) as client:
            for tool, arguments in (
                ("impact", {"diff": text}),
                ("impact", {"target": text}),
                ("explore", {"query": text}),
                ("explore", {"query": "add_tax", "repo": text}),
            ):
                reply = await client.call_tool(tool, arguments)
                (block,) = reply.content
                assert "Error executing tool" not in block.text  # type: ignore[union-attr]
        repositories.close()

    asyncio.run(session())
