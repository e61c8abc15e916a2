"""Markdown of a repository is read as a page: links lead to its files, and nothing in it runs or leaves the page."""

import re
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.results import Symbol
from code_graph_indexer.web.guard import IMAGE_POLICY
from code_graph_indexer.web.prose import Places, document
from tests.web.conftest import LocalSite, served

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
ADD_TAX = Symbol(1, "function", "add_tax", "shop.pricing.add_tax", "", "", "shop/pricing.py", 3, 4, "python", False)
PLACES = Places(
    {"docs/a.md", "docs/b.md", "shop/pricing.py", "logo.png", "x (1).py"},
    {"", "docs", "shop"},
    lambda names: {"add_tax": ADD_TAX},
)


def html(text: str) -> str:
    return str(document(text, "docs/a.md", PLACES).html)


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("[x](b.md)", "/code/docs/b.md"),
        ("[x](b.md#how-to)", "/code/docs/b.md#h-how-to"),
        ("[x](../shop/)", "/folder/shop"),
        ("[x](/shop/pricing.py#L3-L9)", "/code/shop/pricing.py?at=3-9#L3"),
        ("[x](#how)", "#h-how"),
        ("[x](https://example.org/)", "https://example.org/"),
        ("`add_tax`", "/definition/shop/pricing.py?name=shop.pricing.add_tax&amp;line=3"),
        ("`../shop/pricing.py`", "/code/shop/pricing.py"),
        ("see shop/pricing.py:3-9", "/code/shop/pricing.py?at=3-9#L3"),
        ('<p align="center"><a href="b.md"><b>x</b></a></p>', "/code/docs/b.md"),
    ],
)
def test_links_lead_to_files_folders_and_definitions(text: str, href: str) -> None:
    assert f'href="{href}"' in html(text)


@pytest.mark.parametrize(
    "text",
    [
        *("[x](../../etc/passwd)", "[x](no.md)", "[x](javascript:alert(1))", "[x](data:text/html,x)", "[x](//[)"),
        *('<a href="javascript:alert(1)">x</a>', "<div><a href=no.md>x</a></div>", "[x](file:///etc/passwd)"),
    ],
)
def test_what_is_not_here_is_text(text: str) -> None:
    assert "href" not in html(text)
    assert "x" in html(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>\n\nx",
        "<div onclick=alert(1)><p>x</div></main></article>",
        "x <b onmouseover=alert(1)>y</b> <style>*{}</style>",
        "<a href='b.md' onclick=alert(1)>x",
        '![x](logo.png"onload=alert(1))',
        "<img src='logo.png' onerror='alert(1)' alt='\"><script>'>",
        "```py onload=x\n</code></pre><script>\n```",
    ],
)
def test_html_in_it_is_dropped(text: str) -> None:
    shown = html(text)
    assert re.findall(r"<script|<style| on\w+=(?![^<>]*&)|</main|</article|<div", shown) == []
    assert shown.count("<a ") == shown.count("</a>")


def test_a_tag_that_html_does_not_have_is_text() -> None:
    assert html("<path> is *where* <b>x</b> <Secret>z").strip() == (
        "<p>&lt;path&gt; is <em>where</em> x &lt;Secret&gt;z</p>"
    )


def test_images_are_those_of_the_repository() -> None:
    assert html("![x](../logo.png)") == '<p><img src="/raw/logo.png" alt="x" loading="lazy"></p>\n'
    assert "<img" not in html("![x](https://example.org/x.png) ![x](../shop/pricing.py) ![x](../no.png)")


@pytest.mark.parametrize(
    "text", ['<div><img alt="x" src="http://[x"></div>', "![x](http://[x)", "<div>\n<![foo[x]]>\n</div>"]
)
def test_what_no_parser_understands_is_text(text: str) -> None:
    assert "x" in html(text)
    assert "<img" not in html(text)
    assert "<![" not in html(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a" * 190_000, f"<p>{'a' * 190_000}</p>\n"),
        ("_a*" * 60_000, f"<p>{'_a*' * 60_000}</p>\n"),
        ("<div>\n" + "x<br>" * 3_000, f"<p>\n{'x<br>' * 3_000}</p>\n"),
        ("<div>\n" + "<a " * 6_000, f"<p>\n{'&lt;a ' * 6_000}</p>\n"),
        ("<div>\n" + "<a " * 60_000, f"<p>&lt;div&gt;\n{'&lt;a ' * 60_000}</p>\n"),
    ],
)
def test_a_long_text_is_shown_at_once(text: str, shown: str) -> None:
    assert html(text).rstrip("\n") == shown.rstrip("\n")


@pytest.mark.slow
def test_the_rest_of_a_very_long_document_is_shown_as_source() -> None:
    shown = html("*x*\n\n" * 50_000 + "*last* <b>")
    assert shown.startswith("<p><em>x</em></p>")
    assert shown.endswith("*last* &lt;b&gt;</pre>\n")


def test_headings_have_ids_of_their_own() -> None:
    shown = document("# Main\n## Main\n## `q` & more\n", "docs/a.md", PLACES)
    assert [(heading.level, heading.id) for heading in shown.headings] == [
        (1, "h-main"),
        (2, "h-main-1"),
        (2, "h-q--more"),
    ]
    assert 'id="h-main-1"' in shown.html


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shelf")
    (root / "shelf").mkdir()
    (root / "README.md").write_text("# Shelf\n\nA shelf of books. See [books](shelf/books.py).\n\n![logo](logo.png)\n")
    (root / "logo.png").write_bytes(PNG)
    (root / "shelf" / "README.md").write_text("Holds what is read.\n")
    (root / "shelf" / "books.py").write_text("class Book:\n    pass\n\n\ndef lend(book: Book) -> None:\n    pass\n")
    (root / "desk").mkdir()
    (root / "desk" / "use.py").write_text("from shelf.books import lend\n\n\ndef ask() -> None:\n    lend(None)\n")
    (root / "link.png").symlink_to("/etc/passwd")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


@pytest.mark.slow
def test_a_document_is_a_page_with_its_source_one_click_away(shelf: Path) -> None:
    with served(shelf) as site:
        page = site.text("/code/README.md")
        assert '<h1 id="h-shelf">Shelf</h1>' in page
        assert 'href="/code/README.md?source=1"' in page
        assert 'id="L3"' in site.text("/code/README.md?source=1")
        assert 'class="line at" id="L3"' in site.text("/code/README.md?at=3")
        image = site.get("/raw/logo.png")
        assert (image.content, image.headers["content-type"]) == (PNG, "image/png")
        assert image.headers["content-security-policy"] == IMAGE_POLICY
        for path in ("/raw/shelf/books.py", "/raw/link.png", "/raw/../logo.png", "/raw/no.png"):
            assert site.get(path).status_code == 404


@pytest.mark.slow
def test_a_folder_says_what_it_is_what_it_needs_and_who_needs_it(shelf: Path) -> None:
    with served(shelf) as site:
        page = site.text("/folder/shelf")
        assert page.count("Holds what is read.") >= 2
        assert "Book, lend" in page or "lend, Book" in page
        assert "/folder/desk" in page.partition("Who needs it")[2]
        assert "/folder/shelf" in site.text("/folder/desk").partition("It needs")[2]


@pytest.mark.slow
def test_a_folder_names_its_tests_and_its_routes(site: LocalSite) -> None:
    assert "/code/tests/test_cart.py" in site.text("/folder/shop").partition("Its tests")[2]
    assert site.get("/part/routes/shop").status_code == 200
