"""The reading room in a real browser: tree, outline, lines in the address, copying and find, by mouse and by keyboard."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web import reading
from tests.web.conftest import LocalSite, Watched, served, watched

pytestmark = pytest.mark.slow

CLIPBOARD = "navigator.clipboard.readText()"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSite]:
    """Serve a file of 3,000 lines, of which a page loads a part."""
    root = tmp_path_factory.mktemp("long")
    body = "".join(f"def f{n}():\n    return f{n - 1}()\n\n" for n in range(1, 1_000))
    (root / "long.py").write_text(f"{body}class Ground:\n    def needle(self):\n        return 'Größe'\n")
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as site:
        yield site


def test_the_tree_shows_the_open_file_and_opens_folders_by_key(tab: Watched) -> None:
    tab.open("/code/shop/cart.py")
    tree = tab.page.locator("#files")
    expect(tree.locator("[aria-current=page]")).to_have_text("cart.py")
    tree.locator("[aria-current=page]").focus()
    tab.page.keyboard.press("ArrowLeft")
    expect(tree.locator("summary >> text=shop")).to_be_focused()
    tab.page.keyboard.press("ArrowLeft")
    expect(tree.locator("[aria-current=page]")).to_be_hidden()
    tab.page.keyboard.press("ArrowDown")
    expect(tree.locator("summary >> text=tests")).to_be_focused()
    tab.page.keyboard.press("ArrowRight")
    expect(tree.locator("text=test_cart.py")).to_be_visible()
    # What was loaded took the place of the folder, and the keys go on there.
    expect(tree.locator("summary >> text=tests")).to_be_focused()
    tab.page.keyboard.press("ArrowRight")
    expect(tree.locator("text=test_cart.py")).to_be_focused()
    tab.page.keyboard.press("End")
    tab.page.keyboard.press("Home")
    tab.page.click("#files >> text=test_cart.py")
    expect(tab.page).to_have_title("tests/test_cart.py · shop")


def test_the_head_says_where_one_is(tab: Watched) -> None:
    tab.page.set_viewport_size({"width": 1300, "height": 300})
    tab.open("/code/shop/cart.py?at=24#L24")
    expect(tab.page.locator("#place")).to_have_text("Cart.total")
    expect(tab.page.locator("#outline [aria-current=location]")).to_have_text("total")
    expect(tab.page.locator(".head .crumbs")).to_be_in_viewport()
    tab.page.click("#outline >> text=add")
    expect(tab.page).to_have_url(re.compile(r"at=\d+#L\d+$"))


def test_lines_of_the_address_are_marked_also_in_parts_that_load_later(browser: Browser, long: LocalSite) -> None:
    with watched(browser, long.url, viewport={"width": 1000, "height": 700}) as tab:
        for address in ("?at=2010-2020", "#L2010-L2020", "?at=2010-2020#L2010"):
            tab.open("/ask")
            tab.open(f"/code/long.py{address}")
            expect(tab.page.locator("#L2010")).to_be_in_viewport()
            expect(tab.page.locator(".line.at")).to_have_count(11)
        tab.open("/code/long.py#L1203")
        expect(tab.page.locator("#L1203.at")).to_be_in_viewport()


def test_a_line_of_a_short_file_is_marked_by_its_number_alone(tab: Watched) -> None:
    for address in ("#L24", "#L10-L14", "?at=24", "?at=24#L24"):
        tab.open("/ask")
        tab.open(f"/code/shop/cart.py{address}")
        expect(tab.page.locator(".line.at")).to_have_count(5 if "-" in address else 1)


@pytest.mark.parametrize("width", [400, 1300, 1700])
def test_a_long_name_loses_its_middle_and_has_all_of_it_in_its_title(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    names = [
        "a_function_with_more_words_in_its_name_than_any_box_has_room_for",
        "a_file_so_named_that_no_box_can_hold_it.py",
    ]
    folder = tmp_path / "a_folder_that_has_a_name_of_many_words_and_an_end"
    folder.mkdir()
    (folder / names[1]).write_text(f"def {names[0]}():\n    pass\n", "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as site, watched(browser, site.url, viewport={"width": width, "height": 800}) as tab:
        tab.open(f"/code/{folder.name}/{names[1]}")
        for side, label, name in (
            *(("#files", "Files", name) for name in (names[1], folder.name)),
            ("#outline", "Outline", names[0]),
        ):
            if width < 900:
                tab.page.click(f".head >> text={label}")
            box = tab.page.locator(f"{side} [title$={name!r}]")
            assert box.text_content() == name
            end = box.locator(".long span + span")
            expect(end).to_be_in_viewport(ratio=1)
            edges = [element.bounding_box() for element in (end, tab.page.locator(side))]
            assert edges[0] and edges[1] and edges[0]["x"] + edges[0]["width"] <= edges[1]["x"] + edges[1]["width"]
            # The name begins where its link does, but for the sign before a folder.
            starts = [element.bounding_box() for element in (box, box.locator(".long"))]
            assert starts[0] and starts[1] and starts[1]["x"] - starts[0]["x"] < 30
            hidden = box.locator(".long span").first
            assert hidden.evaluate("span => span.scrollWidth > span.clientWidth")
            if width < 900:
                tab.page.keyboard.press("Escape")


def test_a_line_number_sets_the_address_and_shift_a_range(tab: Watched) -> None:
    tab.open("/code/shop/cart.py")
    tab.page.click("#L10 .n")
    expect(tab.page).to_have_url(re.compile(r"\?at=10#L10$"))
    tab.page.click("#L14 .n", modifiers=["Shift"])
    expect(tab.page).to_have_url(re.compile(r"\?at=10-14#L10$"))
    expect(tab.page.locator(".line.at")).to_have_count(5)
    tab.page.reload()
    expect(tab.page.locator(".line.at")).to_have_count(5)
    tab.page.go_back()
    expect(tab.page.locator(".line.at")).to_have_count(1)


def test_copied_lines_are_those_of_the_file(browser: Browser, site: LocalSite, shop: Path) -> None:
    with watched(browser, site.url, permissions=["clipboard-read", "clipboard-write"]) as tab:
        tab.open("/code/shop/cart.py")
        tab.page.evaluate("getSelection().selectAllChildren(document.querySelector('.code'))")
        tab.page.keyboard.press("Control+c")
        copied = str(tab.page.evaluate(CLIPBOARD))
        assert copied.strip("\n") == (shop / "shop" / "cart.py").read_text("utf-8").strip("\n")


def test_find_searches_the_whole_of_a_long_file(
    browser: Browser, long: LocalSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The lines that are sent have a limit, and all are counted.
    monkeypatch.setattr(reading, "MAX_FOUND", 100)
    with watched(browser, long.url, viewport={"width": 1000, "height": 700}) as tab:
        tab.open("/code/long.py")
        tab.page.wait_for_load_state("networkidle")
        tab.page.keyboard.press("Control+f")
        tab.page.keyboard.type("größe")
        expect(tab.page.locator("#find output")).to_have_text("1 of 1")
        expect(tab.page.locator("#L3000")).to_be_in_viewport()
        assert tab.page.evaluate("[...CSS.highlights.get('found')].map(String)") == ["Größe"]
        tab.page.fill("#find input", "def f1")
        expect(tab.page.locator("#find output")).to_have_text("1 of 111")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("#find output")).to_have_text("2 of 111")
        expect(tab.page.locator("#L28")).to_be_in_viewport()
        tab.page.fill("#find input", "nothing of that")
        expect(tab.page.locator("#find output")).to_have_text("no match")
        tab.page.keyboard.press("Escape")
        expect(tab.page.locator("#find")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_on_a_narrow_screen_tree_and_outline_are_drawers(browser: Browser, site: LocalSite, script: bool) -> None:
    with watched(browser, site.url, viewport={"width": 400, "height": 800}, java_script_enabled=script) as tab:
        tab.open("/code/shop/cart.py")
        tree = tab.page.locator("#files")
        expect(tree).to_be_hidden()
        tab.page.click(".head >> text=Files")
        expect(tree.locator("[aria-current=page]")).to_be_visible()
        tab.page.keyboard.press("Escape")
        expect(tree).to_be_hidden()
        tab.page.click(".head >> text=Outline")
        tab.page.click("#outline >> text='total'")
        expect(tab.page.locator("#outline")).to_be_hidden()
        expect(tab.page.locator(".line.at")).to_contain_text("def total")
