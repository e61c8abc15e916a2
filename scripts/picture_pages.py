"""Take the pictures of docs/web.md and README.md from the pages of `cgi web`, in the system's Chromium.

usage: picture_pages.py REPO [--port PORT] [--to FOLDER] [--page NAME=ADDRESS …]

REPO is an indexed repository. The addresses below are those of encode/httpx; `--page code=/code/x.py` shows another one.
"""

import argparse
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

PAGES = {
    "start": "/",
    "code": "/code/httpx/_client.py?at=900-910#L900",
    "search": "/search?q=redirect+limit",
    "tour": "/tour",
    "folder": "/picture?folder=httpx",
    "picture": "/picture?name=_client.Client.send",
    "impact": "/picture?name=BaseClient.build_request&show=impact",
}
SIZE: ViewportSize = {"width": 1300, "height": 720}
LONGEST_START = 60.0


def main() -> None:
    """Serve the repository, and write a picture of each page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--port", type=int, default=8799)
    parser.add_argument("--to", type=Path, default=Path(__file__).parent.parent / "docs" / "pictures")
    parser.add_argument("--page", action="append", default=[], metavar="NAME=ADDRESS")
    arguments = parser.parse_args()
    pages = PAGES | dict(page.split("=", 1) for page in arguments.page)
    url = f"http://127.0.0.1:{arguments.port}"
    command = [
        sys.executable,
        "-m",
        "code_graph_indexer",
        "web",
        str(arguments.repository),
        "--port",
        str(arguments.port),
    ]
    with subprocess.Popen(command) as server:
        try:
            _wait(f"{url}/healthz")
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                page = browser.new_page(viewport=SIZE)
                for name, address in pages.items():
                    page.goto(url + address)
                    page.wait_for_load_state("networkidle")
                    page.screenshot(path=arguments.to / f"{name}.png")
                browser.close()
        finally:
            server.terminate()


def _wait(address: str) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + LONGEST_START
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()
