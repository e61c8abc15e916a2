"""`cgi publish`, `pull`, `repositories`, `unpublish`, and every question to a server."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cgi
from tests.shop import copy_shop

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url(server: Callable[[str], str]) -> str:
    """Return the address of a database for this module."""
    return server("teams")


def test_an_index_is_published_asked_pulled_and_removed(
    cgi: Cgi, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_shop(tmp_path)
    monkeypatch.chdir(root)
    cgi("index")
    monkeypatch.setenv("CGI_DB", url)
    assert cgi("publish", "--settle").out.startswith("published: shop, 14 files, ")
    assert cgi("publish").out.startswith("up to date: shop, 14 files, ")
    assert cgi("publish", "--repo-id", "acme/shop", "--json").code == 0
    assert [line.split()[0] for line in cgi("repositories").out.splitlines()] == ["acme/shop", "shop"]
    row = json.loads(cgi("repositories", "--json").out)["repositories"][0]
    assert row["repo_id"] == "acme/shop" and row["published"].endswith("+00:00")
    assert cgi("unpublish", "acme/shop").out == "removed acme/shop\n"
    refused = cgi("unpublish", "acme/shop")
    assert refused.code == 7 and "published: shop" in refused.err
    # Elsewhere, CGI_DB is what a question reads.
    monkeypatch.chdir(tmp_path)
    assert "shop/shop/pricing.py:" in cgi("symbol", "add_tax").out
    assert cgi("pull", "shop", "--db", "pulled.db").out.startswith("pulled: shop, 14 files, ")
    for command in (
        ("search", "empty cart"),
        ("search", "repo:shop add tax", "--explain"),
        ("callers", "add_tax"),
        ("callees", "Cart.total"),
        ("impact", "add_tax"),
        ("path", "place_order", "add_tax"),
        ("outline", "shop/cart.py"),
        ("tree", "shop"),
        ("hierarchy", "Cart"),
        ("imports", "shop/cart.py"),
        ("dependents", "shop/pricing.py"),
        ("unused",),
        ("cycles",),
        ("hubs",),
        ("communities",),
        ("graph", "add_tax"),
        ("explore", "how is an order placed", "--no-update"),
        ("ask", "who calls add_tax?"),
        ("doctor",),
    ):
        of_server, of_file = cgi(*command, "--db", f"{url}#shop"), cgi(*command, "--db", "pulled.db")
        assert (of_server.code, of_server.out) == (of_file.code, of_file.out), command
        # What has nothing to list ends as grep does.
        assert cgi(*command, "--db", url).code <= 1, command


def test_a_folder_is_indexed_and_published_in_one_step(
    cgi: Cgi, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_shop(tmp_path)
    assert cgi("index", root, "--db", f"{url}#step").out.startswith("indexed 14 files")
    (root / "shop" / "fresh.py").write_text("def fresh():\n    return 1\n", encoding="utf-8")
    assert cgi("index", root, "--db", f"{url}#step").out.startswith("updated: 1 changed")
    assert "shop/fresh.py" in cgi("symbol", "fresh", "--db", f"{url}#step").out
    assert (root / ".cgi" / "index.db").is_file()


def test_what_cannot_be_done_on_a_server_says_what_to_do(cgi: Cgi, url: str, tmp_path: Path) -> None:
    root = copy_shop(tmp_path)
    cgi("index", root, "--db", f"{url}#shop")
    for command, hint in (
        (("verify", str(root)), "cgi pull NAME --db ADDRESS"),
        (("search", "cart", "--db", "other.db"), "publish the index files there"),
    ):
        answer = cgi(*command, "--db", f"{url}#shop")
        assert answer.code == 2 and hint in answer.err
    assert "no server is named" in cgi("publish").err
    wrong = cgi("publish", root / ".cgi" / "index.db", "--to", "mysql://x/y")
    assert wrong.code == 2 and "give one like postgresql://" in wrong.err
    unknown = cgi("search", "cart", "--db", f"{url}#sho")
    assert unknown.code == 7 and "Did you mean 'shop'?" in unknown.err
    unreachable = cgi("search", "cart", "--db", "postgresql://me:hidden@127.0.0.1:1/x")
    assert unreachable.code == 16 and "hidden" not in unreachable.err and "CGI_DB" in unreachable.err
