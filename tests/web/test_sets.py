"""The page of several repositories: of index files, of a folder of them, and of a database server."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from code_graph_indexer import CodeIndexer, open_index
from code_graph_indexer.cli import app
from tests.web.conftest import LocalSite, served_index, watched

pytestmark = pytest.mark.slow

PAGES = (
    *(
        "/",
        "/folder/shop",
        "/code/shop/shop/cart.py",
        "/search?q=cart",
        "/picture",
        "/picture?folder=shop/shop",
        "/ask",
    ),
    "/definition/shop/shop/pricing.py?name=shop.pricing.add_tax",
    "/definition/till/till.py?name=till.ring",
    *("/picture?name=add_tax", "/impact?target=add_tax", "/part/hubs", "/folder/till"),
)


@pytest.fixture(scope="module")
def repositories(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two indexed repositories."""
    folder = tmp_path_factory.mktemp("several")
    shutil.copytree(shop, folder / "shop")
    till = folder / "till"
    till.mkdir()
    (till / "README.md").write_text("# Till\n\nA till that rings when it opens.\n", "utf-8")
    (till / "till.py").write_text("def ring():\n    return bell()\n\n\ndef bell():\n    return 1\n", "utf-8")
    with CodeIndexer(till, workers=1) as indexer:
        indexer.index()
    return folder


@pytest.fixture(scope="module", params=["files", "server"])
def several(
    request: pytest.FixtureRequest, repositories: Path, server: Callable[[str], str] | None
) -> Iterator[LocalSite]:
    """Serve both repositories, from their index files or from a database server."""
    if request.param == "files":
        with served_index(open_index(repositories)) as site:
            yield site
        return
    assert server is not None
    url = server("several_pages")
    for name in ("shop", "till"):
        with CodeIndexer(repositories / name) as indexer:
            indexer.publish(url, repo_id=name)
    with served_index(open_index(url)) as site:
        yield site


@pytest.mark.parametrize("path", PAGES)
def test_every_page_works_on_several_repositories(several: LocalSite, path: str) -> None:
    several.text(path)


def test_the_start_page_lists_the_repositories(several: LocalSite) -> None:
    page = several.text("/")
    assert "<h1>2 repositories</h1>" in page
    assert '<a href="/folder/till">till/</a>' in page
    assert "A till that rings when it opens." in page


def test_a_search_can_be_of_a_single_repository(several: LocalSite) -> None:
    assert "/code/till/till.py" not in several.text("/search?q=total&repo=shop")
    page = several.text("/search?q=bell&repo=till")
    assert "/code/till/till.py" in page
    assert "/code/shop/" not in page.partition("<main")[2]
    assert "<option selected>till</option>" in page
    assert "till.bell" in several.text("/part/suggest?q=bel&repo=till")
    assert "till.bell" not in several.text("/part/suggest?q=bel&repo=shop")


def test_a_link_from_code_leads_into_its_repository(several: LocalSite) -> None:
    chunk_id = several.indexer.symbol("bell")[0].chunk_id
    assert several.get(f"/go/{chunk_id}").headers["location"].startswith("/definition/till/till.py?name=till.bell")


def test_a_single_repository_of_a_server_looks_as_it_does_alone(
    repositories: Path, server: Callable[[str], str]
) -> None:
    url = server("single_page")
    for name in ("shop", "till"):
        with CodeIndexer(repositories / name) as indexer:
            indexer.publish(url, repo_id=name)
    with served_index(open_index(f"{url}#till")) as site:
        assert "<h1>till</h1>" in site.text("/")
        assert "bell" in site.text("/code/till.py")


def test_what_changed_is_asked_of_each_checkout(repositories: Path) -> None:
    with served_index(open_index(repositories)) as site:
        assert "/impact?diff=HEAD&amp;repository=till" in site.text("/impact")
        # The fixtures have no history, and git says so.
        assert "git" in site.text("/impact?diff=HEAD&repository=till")


def test_the_box_keeps_the_repository_that_was_chosen(browser: Browser, repositories: Path) -> None:
    with (
        served_index(open_index(repositories)) as site,
        watched(browser, site.url) as tab,
    ):
        tab.open("/")
        tab.page.select_option("#scope", "till")
        tab.page.fill("#q", "e")
        expect(tab.page.locator("#first [role=option]").first).to_contain_text("till")
        tab.page.click("text=till/ >> nth=0")
        expect(tab.page.locator("#scope")).to_have_value("till")
        tab.page.fill("#q", "ring")
        expect(tab.page.locator("#first [role=option]").first).to_contain_text("ring")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("h1")).to_have_text("Results for “ring repo:till”")


def test_a_page_of_several_follows_each_index(browser: Browser, repositories: Path, tmp_path: Path) -> None:
    shutil.copytree(repositories, tmp_path / "all")
    with (
        served_index(open_index(tmp_path / "all")) as site,
        watched(browser, site.url) as tab,
    ):
        tab.open("/code/till/till.py")
        source = tmp_path / "all" / "till" / "till.py"
        source.write_text(source.read_text("utf-8") + "\n\ndef hush():\n    return 0\n", "utf-8")
        expect(tab.page.locator("#outline")).to_contain_text("hush", timeout=30_000)


def test_a_folder_and_several_indexes_are_refused(repositories: Path) -> None:
    till = str(repositories / "till")
    result = CliRunner().invoke(app, ["web", till, "--db", till, "--db", str(repositories / "shop")])
    assert result.exit_code != 0
