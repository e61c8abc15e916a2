"""Behind a proxy, all works below a path. What a browser has is not sent again."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import UsageError
from code_graph_indexer.web.server import read_prefix
from tests.web.conftest import LocalSite, served_index, watched

pytestmark = pytest.mark.slow

PREFIX = "/team/code"


@contextmanager
def proxied(address: str) -> Iterator[tuple[str, list[str]]]:
    """Run a proxy that passes on what is below the prefix, and yield its address and what it was asked for beside that."""
    strays: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        """Passes requests on as they are."""

        def do_GET(self) -> None:
            if not self.path.startswith(f"{PREFIX}/"):
                strays.append(self.path)
                self.send_error(404)
                return
            length = int(self.headers.get("content-length", 0))
            upstream = http.client.HTTPConnection(urlsplit(address).netloc)
            upstream.request(self.command, self.path, self.rfile.read(length), dict(self.headers))
            reply = upstream.getresponse()
            body = reply.read()
            self.send_response(reply.status)
            for name, value in reply.getheaders():
                if name.lower() not in ("transfer-encoding", "content-length", "connection", "date", "server"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            upstream.close()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}", strays
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def below(shop: Path) -> Iterator[LocalSite]:
    with served_index(CodeIndexer(shop), PREFIX) as running:
        yield running


def test_every_page_behind_a_proxy_stays_below_its_path(browser: Browser, below: LocalSite) -> None:
    with proxied(below.url) as (url, strays), watched(browser, url) as tab:
        paths, seen = {"/", "/tour", "/picture", "/impact?target=add_tax", "/way?name=checkout&to=add_tax"}, set[str]()
        while paths - seen and len(seen) < 40:
            path = min(paths - seen, key=lambda path: (path.count("?"), path))
            seen.add(path)
            tab.open(path)
            tab.page.wait_for_load_state("networkidle")
            links = tab.page.eval_on_selector_all("a[href^='/']", "links => links.map(a => a.getAttribute('href'))")
            assert [link for link in links if not link.startswith(f"{PREFIX}/")] == []
            paths |= {link.removeprefix(PREFIX) for link in links if "format=" not in link}
        assert len(seen) > 20
        assert strays == []


def test_what_script_does_behind_a_proxy_stays_below_its_path(browser: Browser, below: LocalSite) -> None:
    with proxied(below.url) as (url, strays), watched(browser, url) as tab:
        tab.open("/")
        tab.page.fill("#q", "add_tax")
        expect(tab.page.locator("#first [role=option]").first).to_be_visible()
        expect(tab.page.locator("#rest #all")).to_be_visible()
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url(f"{url}/search?q=add_tax*")
        tab.open("/code/shop/cart.py")
        tab.page.locator("a.calls[href*='/go/']").first.hover()
        expect(tab.page.locator("#card")).to_be_visible()
        tab.page.locator("a.calls[href*='/go/']").first.click()
        tab.page.wait_for_url(f"{url}/definition/**")
        tab.open("/picture?name=add_tax")
        with tab.page.expect_download() as download:
            tab.page.locator("a[download]", has_text="svg").click()
        assert "<svg" in download.value.path().read_text(encoding="utf-8")
        tab.page.locator(".picture svg a.box").first.click()
        assert tab.page.url.startswith(url)
        tab.open("/impact")
        tab.page.fill("#patch", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n")
        tab.page.locator("form[method=post] button").click()
        tab.page.wait_for_url(f"{url}/impact?lines=*")
        tab.open("/ask")
        tab.page.fill("#question", "how is tax added?")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("#talk .citation").first).to_be_visible()
        tab.page.locator("#talk .citation").first.click()
        expect(tab.page.locator("#beside .code")).to_be_visible()
        assert tab.page.url.startswith(f"{url}/ask/")
        tab.page.reload()
        expect(tab.page.locator("#talk .citation").first).to_be_visible()
        assert strays == []


def test_without_its_path_the_server_leads_to_it(below: LocalSite) -> None:
    assert [below.get(path).headers.get("location") for path in ("/", PREFIX)] == [f"{PREFIX}/"] * 2
    assert below.get("/tour").status_code == 404
    assert below.text(f"{PREFIX}/healthz") == "ok\n"
    assert f'href="{PREFIX}/"' in below.get("/tour").text


@pytest.mark.parametrize(("text", "prefix"), [("", ""), ("/", ""), ("code/", "/code"), ("/a/b.c", "/a/b.c")])
def test_a_prefix_is_read_with_or_without_slashes(text: str, prefix: str) -> None:
    assert read_prefix(text) == prefix


@pytest.mark.parametrize("text", ["/a b", "//a//b", 'x"y', "https://example.org/", "a?b", "\\1"])
def test_what_is_no_prefix_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--prefix"):
        read_prefix(text)


@pytest.mark.parametrize("path", ["/", "/tour", "/code/shop/cart.py", "/search?q=tax", "/picture", "/folder/shop"])
def test_a_page_that_the_browser_has_is_not_sent_again(site: LocalSite, path: str) -> None:
    tag = site.get(path).headers["etag"]
    again = site.get(path, **{"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert site.get(path, **{"if-none-match": 'W/"other"'}).status_code == 200


def test_a_page_is_sent_again_when_the_index_has_changed(own_shop: Path) -> None:
    with served_index(CodeIndexer(own_shop)) as site:
        path = "/code/shop/pricing.py"
        tag = site.get(path).headers["etag"]
        text = (own_shop / "shop" / "pricing.py").read_text()
        (own_shop / "shop" / "pricing.py").write_text(f"{text}\n\ndef later() -> None:\n    pass\n")
        again = site.get(path, **{"if-none-match": tag})
        assert again.status_code == 200
        assert "later" in again.text


@pytest.mark.parametrize("path", ["/impact?diff=HEAD", "/picture?diff=HEAD", "/ask", "/stamp", "/nothing"])
def test_what_does_not_depend_on_the_index_alone_has_no_tag(site: LocalSite, path: str) -> None:
    assert "etag" not in site.get(path).headers


def test_scripts_and_styles_are_kept_for_ever_at_their_address(site: LocalSite) -> None:
    page = site.text("/picture?name=add_tax")
    for name in ("page.css", "picture.css", "page.js", "icon.svg"):
        address = next(text for text in page.split('"') if text.endswith(name) and text.startswith("/static/"))
        reply = site.get(address)
        assert reply.status_code == 200
        assert "immutable" in reply.headers["cache-control"]
    assert site.get("/static/older/page.js").status_code == 404
    assert site.get("/").headers["cache-control"] == "no-cache"
