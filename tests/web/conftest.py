"""Fixtures of the tests of the page: sites on loopback, and a real browser."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from code_graph_indexer import CodeIndexer, Index
from code_graph_indexer.web.server import Server, guarded
from code_graph_indexer.web.site import Site

CHROMIUM = shutil.which("chromium")
LONGEST_START = 20.0

expect.set_options(timeout=20_000)


@dataclass(frozen=True, slots=True)
class LocalSite:
    """A site that is served: its address, and a client for it."""

    url: str
    indexer: Index
    client: httpx.Client

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers)

    def text(self, path: str) -> str:
        reply = self.get(path)
        assert reply.status_code == 200, reply.text
        return reply.text


@contextmanager
def served(root: Path, **settings: Any) -> Iterator[LocalSite]:
    """Serve the index of a folder while the context lasts."""
    with served_index(CodeIndexer(root, **settings)) as running:
        yield running


@contextmanager
def served_index(indexer: Index, prefix: str = "") -> Iterator[LocalSite]:
    """Serve opened indexes while the context lasts."""
    site = Site(indexer)
    site.follow()
    server = Server(site, prefix)
    config = uvicorn.Config(
        guarded(server, ["127.0.0.1", "code.example.org"]), host="127.0.0.1", port=0, log_level="warning"
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        deadline = time.monotonic() + LONGEST_START
        while not running.started:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        port = running.servers[0].sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, trust_env=False) as client:
            yield LocalSite(url, indexer, client)
    finally:
        running.should_exit = True
        thread.join()
        server.close()
        site.close()


@pytest.fixture(scope="package")
def site(shop: Path) -> Iterator[LocalSite]:
    """Serve the fixture repository, which no test changes."""
    with served(shop) as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium. It ends with the folder, because its event loop would be in the way of other tests."""
    if CHROMIUM is None:
        pytest.skip("no chromium is installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        yield started
        started.close()


@dataclass(slots=True)
class Watched:
    """A page of the browser, with all that went wrong on it: messages of the console, and requests to elsewhere."""

    page: Page
    url: str
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)


@contextmanager
def watched(browser: Browser, url: str, **options: object) -> Iterator[Watched]:
    """Open a page on which nothing may go wrong."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(10_000)
    record = Watched(page, url)
    page.on("console", lambda message: record.faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: record.faults.append(str(error)))
    page.on(
        "request", lambda request: None if request.url.startswith(url) else record.faults.append(f"asked {request.url}")
    )
    yield record
    context.close()
    assert record.faults == []


@pytest.fixture
def tab(browser: Browser, site: LocalSite) -> Iterator[Watched]:
    """Open a tab on the fixture repository."""
    with watched(browser, site.url) as record:
        yield record
