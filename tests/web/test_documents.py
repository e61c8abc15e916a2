"""Notebooks and reStructuredText are read as pages: nothing in them runs, is read from disk, or takes long."""

import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.prose import Places
from code_graph_indexer.web.restructured import is_restructured, restructured
from tests.web.conftest import LocalSite, served, watched
from tests.web.test_browser import AXE, serious_faults

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
HTML = "<script>alert(1)</script>"
PLACES = Places({"docs/a.rst", "docs/intro.rst", "logo.png", "shop.py"}, {"", "docs"}, lambda names: {})
KEY = "AKIA" + "2345" * 4

RST = f"""
Shelf
=====

.. note:: Read `books <https://example.org/>`_ or :doc:`intro`.

.. code-block:: python
   :caption: How

   def lend(): pass

.. versionadded:: 2.0
   Now **bold**, :func:`lend`, |name|.

.. |name| replace:: a name

== ==
a  b
== ==

.. raw:: html

   {HTML}

.. include:: /etc/passwd
"""


def cells() -> list[dict[str, object]]:
    outputs = [
        {"output_type": "stream", "text": ["\x1b[31mred\x1b[0m\n", f"key = '{KEY}'\n"]},
        {"output_type": "display_data", "data": {"image/png": base64.b64encode(PNG).decode(), "text/html": HTML}},
        {"output_type": "display_data", "data": {"image/png": base64.b64encode(HTML.encode()).decode()}},
        {"output_type": "display_data", "data": {"text/html": HTML, "image/svg+xml": HTML}},
        {"output_type": "stream", "text": "long " * 10_000},
        {"output_type": "error", "traceback": ["Error: 1", "there"]},
        "no output",
    ]
    return [
        {"cell_type": "markdown", "source": ["# Loans\n", f"See [it](shelf.py). {HTML}"]},
        {"cell_type": "code", "outputs": outputs, "source": ["from shelf import lend\n", "\n", "lend()"]},
        {"cell_type": "markdown", "source": "# Loans"},
        {"cell_type": "raw", "source": HTML},
    ]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSite]:
    root = tmp_path_factory.mktemp("papers")
    (root / "shelf.py").write_text("def lend():\n    pass\n")
    (root / "README.rst").write_text(RST)
    (root / "loans.ipynb").write_text(json.dumps({"cells": cells()}, indent=1))
    (root / "broken.ipynb").write_text('{"cells": [')
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as site:
        yield site


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name: value or "" for name, value in attrs}


def html(text: str) -> str:
    return str(restructured(text, "docs/a.rst", PLACES).html)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n=\n\nb\n-\n", '<h2 id="h-b">b</h2>'),
        ("`x <intro.rst>`_", 'href="/code/docs/intro.rst"'),
        (":doc:`intro`", 'href="/code/docs/intro.rst"'),
        (
            ".. toctree::\n   :maxdepth: 2\n\n   The start <intro>\n",
            'href="/code/docs/intro.rst" rel="noreferrer">The start',
        ),
        ("x__\n\n__ https://example.org/\n", 'href="https://example.org/"'),
        ("see there_\n\n.. _there:\n\ntext", 'href="#h-there"'),
        (":func:`~shop.run`", "<code>shop.run</code>"),
        (".. image:: ../logo.png\n   :alt: A logo", '<img src="/raw/logo.png" alt="A logo"'),
        (".. deprecated:: 2.0\n   **x**", "<strong>x</strong>"),
        ("==  ==\na   b\n==  ==\nc   d\n==  ==\n", "<th>"),
        ("term\n   what it is", "<dt>term</dt>"),
        (":param a: b", "<dt>param a</dt>"),
        ("|a|\n\n.. |a| replace:: word", "<p>word</p>"),
        ("|a|\n\n.. |a| replace:: |a| |a|", "<p>a a</p>"),
        (".. code-block:: none\n   :emphasize-lines: 1\n\n   x", '<pre class="snippet" tabindex="0">x</pre>'),
        ("see shop.py:3", 'href="/code/shop.py?at=3#L3"'),
    ],
)
def test_restructured_text_is_written_as_its_marks_say(text: str, shown: str) -> None:
    assert shown in html(text)


@pytest.mark.parametrize(
    "text",
    [
        f".. raw:: html\n\n   {HTML}\n",
        ".. include:: /etc/passwd\n",
        ".. csv-table:: x\n   :file: /etc/passwd\n",
        ".. role:: evil(raw)\n   :format: html\n\n:evil:`<script>`",
        "`x <javascript:alert(1)>`_",
        ".. image:: https://example.org/x.png\n   :target: javascript:alert(1)\n",
        '.. class:: " onload=x\n\ntext',
        '.. _" onload=x: javascript:x\n',
    ],
)
def test_nothing_in_restructured_text_runs_or_reads_a_file(text: str) -> None:
    reader = Tags()
    reader.feed(html(text))
    assert "script" not in reader.tags and "img" not in reader.tags
    assert set(reader.attributes) <= {"href", "id", "class", "rel", "tabindex"}
    assert "javascript:" not in reader.attributes.get("href", "")
    assert "root:" not in html(text)


def test_a_role_of_one_document_means_nothing_in_the_next() -> None:
    html(".. role:: loud(strong)\n\n.. default-role:: strong\n")
    assert "<strong>" not in html(":loud:`x` `y`")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "a) b\n\n" * 40_000,
        "".join(" " * depth + "- a\n" for depth in range(600)),
        ".. |a| replace:: "
        + "|b| " * 400
        + "\n.. |b| replace:: "
        + "|a| " * 400
        + "\n\n"
        + ("|a| " * 500 + "\n") * 100,
        "".join("   " * depth + ".. no::\n\n" for depth in range(200)),
        "x" * 300_000,
    ],
)
def test_hostile_restructured_text_is_shown_soon(text: str) -> None:
    started = time.process_time()
    assert html(text)
    assert time.process_time() - started < 20


def test_a_text_is_restructured_by_its_ending_or_by_its_marks() -> None:
    assert is_restructured("a.rst", b"x")
    assert is_restructured("a.txt", b"x\n\n.. note:: y\n")
    assert not is_restructured("a.txt", b"x")
    assert not is_restructured("a.cfg", b".. note:: y\n")


@pytest.mark.slow
def test_a_readme_in_restructured_text_is_a_page_with_its_source_one_click_away(papers: LocalSite) -> None:
    page = papers.text("/code/README.rst")
    assert '<h1 id="h-shelf">Shelf</h1>' in page
    assert 'href="/definition/shelf.py?name=shelf.lend' in page
    assert "root:" not in page
    assert HTML not in page
    assert 'href="/code/README.rst?source=1"' in page
    assert 'id="L3"' in papers.text("/code/README.rst?source=1")
    assert '<h1 id="h-shelf">' in papers.text("/")


@pytest.mark.slow
def test_a_notebook_is_a_page_of_its_cells(papers: LocalSite) -> None:
    page = papers.text("/code/loans.ipynb")
    assert '<h1 id="h-loans">Loans</h1>' in page
    assert '<h1 id="h-loans-1">Loans</h1>' in page
    assert 'href="/code/shelf.py"' in page
    # The code has the links that it has in the source, and its lines are those of the source.
    assert re.search(r'<a class="proven calls" href="/go/\d+">lend</a>', page)
    first, last = re.search(r'href="/code/loans.ipynb\?at=(\d+)-(\d+)#L\d+"', page).groups()  # type: ignore[union-attr]
    assert int(last) == int(first) + 2
    assert f'class="line at" id="L{first}"' in papers.text(f"/code/loans.ipynb?at={first}")
    assert "red\n" in page
    assert "Error: 1\nthere" in page


@pytest.mark.slow
def test_outputs_are_text_and_images_alone(papers: LocalSite) -> None:
    page = papers.text("/code/loans.ipynb")
    assert "<script" not in page.partition("<main")[2]
    assert "An output of text/html, image/svg+xml is not shown." in page
    assert page.count("long ") < 3_000
    assert KEY not in page
    sources = re.findall(r'src="(/raw/[^"]+)"', page)
    assert sources == ["/raw/loans.ipynb?output=1-1"]
    image = papers.get(sources[0])
    assert (image.content, image.headers["content-type"]) == (PNG, "image/png")
    for place in ("1-2", "1-3", "9-0", "1-99", "x", ""):
        assert papers.get(f"/raw/loans.ipynb?output={place}").status_code == 404


@pytest.mark.slow
def test_a_notebook_that_is_not_the_indexed_one_is_shown_as_code(papers: LocalSite, tmp_path: Path) -> None:
    assert papers.get("/code/broken.ipynb").status_code == 404
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells()}, indent=1))
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    (tmp_path / "a.ipynb").unlink()
    with served(tmp_path, update=False) as site:
        assert 'id="L1"' in site.text("/code/a.ipynb")


@pytest.mark.slow
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/code/README.rst", "/code/loans.ipynb"])
def test_documents_are_read_on_every_screen(browser: Browser, papers: LocalSite, path: str, scheme: str) -> None:
    with watched(browser, papers.url, color_scheme=scheme, bypass_csp=True) as tab:
        for width in (400, 1300):
            tab.page.set_viewport_size({"width": width, "height": 800})
            tab.open(path)
            tab.page.wait_for_load_state("networkidle")
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious_faults(tab) == []


@pytest.mark.slow
def test_the_reader_of_restructured_text_is_loaded_when_it_is_needed() -> None:
    code = "import code_graph_indexer.web.server, sys; print('docutils' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
