"""The page in a real browser: find, read, follow, ask, by mouse and by keyboard, and nothing goes wrong on the way."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Dialog, expect

from code_graph_indexer import CodeIndexer
from code_graph_indexer.libraries import Repository, cache_of
from tests.ask.messages_server import MODEL, MessagesServer
from tests.indexing.repository import write_tree
from tests.web.conftest import LocalSite, Watched, served, watched

pytestmark = pytest.mark.slow

AXE = Path(__file__).parent.parent.parent / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
DEFINITION = "/definition/shop/pricing.py?name=shop.pricing.add_tax"
PICTURE = "/picture?name=shop/cart.py:shop.cart.Cart.total"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGES = (
    *(
        "/",
        "/search?q=cart&explain=1",
        "/folder/shop",
        "/code/shop/cart.py?at=24",
        DEFINITION,
        "/impact?target=add_tax",
    ),
    *("/code/README.md", "/search?q=zzqqxx", "/tour"),
    *("/way", "/way?name=Cart.total&to=add_tax", "/impact?lines=shop/pricing.py:14"),
    *("/ask", "/no", PICTURE, "/picture", "/picture?folder=shop", "/picture?name=Cart&show=hierarchy"),
    *("/picture?name=__init__", "/picture?name=add_tax&show=impact", "/picture?folder=shop&to=shop"),
)


def test_search_open_follow_and_back(tab: Watched) -> None:
    tab.open("/")
    tab.page.fill("#q", "add_t")
    tab.page.click("#panel [role=option] >> text=shop.pricing.add_tax")
    expect(tab.page).to_have_title("shop.pricing.add_tax · shop")
    tab.page.click("#callers .place")
    expect(tab.page.locator("#L24.at")).to_contain_text("add_tax")
    tab.page.click("#L24 a.calls >> text=add_tax")
    expect(tab.page).to_have_title("shop.pricing.add_tax · shop")
    tab.page.go_back()
    expect(tab.page.locator("#L24")).to_be_in_viewport()
    tab.page.reload()
    expect(tab.page.locator("#L24.at")).to_be_in_viewport()


def test_all_by_keyboard(tab: Watched) -> None:
    tab.open("/impact")
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("add_tax")
    expect(tab.page.locator("#first [role=option]").first).to_be_visible()
    tab.page.keyboard.press("ArrowDown")
    expect(tab.page.locator("#q")).to_have_attribute("aria-activedescendant", "o1")
    tab.page.keyboard.press("Enter")
    expect(tab.page).to_have_title("shop.pricing.add_tax · shop")
    # The title is there before the script that answers the keys.
    tab.page.wait_for_load_state()
    tab.page.keyboard.press("Tab")
    expect(tab.page.locator(".skip")).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("#main")).to_be_focused()
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("empty cart")
    expect(tab.page.locator("#rest [role=option]").first).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.page.locator("#panel")).to_be_hidden()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("h1")).to_have_text("Results for “empty cart”")


def test_results_go_on_with_the_next_page_by_keyboard(tab: Watched) -> None:
    tab.open("/search?q=cart")
    first = tab.page.locator("section.result").all_inner_texts()
    tab.page.locator("a", has_text="Next page").focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page).to_have_url(re.compile(r"page=2$"))
    assert set(first).isdisjoint(tab.page.locator("section.result").all_inner_texts())
    tab.page.locator("a", has_text="Previous page").focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page).to_have_url(re.compile(r"q=cart$"))


def test_the_picture_is_walked_three_steps_and_back(tab: Watched) -> None:
    tab.open(DEFINITION)
    tab.page.click("p.actions >> text=Picture")
    heading = tab.page.locator("h1")
    names = ["shop.cart.Cart.total", "shop.orders.place_order", "shop.storage.OrderStore.save"]
    expect(heading).to_contain_text("shop.pricing.add_tax")
    for name in names:
        tab.page.click(f"svg a.box[aria-label*='{name},']")
        expect(heading).to_contain_text(name)
    for name in ["shop.orders.place_order", "shop.cart.Cart.total", "shop.pricing.add_tax"]:
        tab.page.go_back()
        expect(heading).to_contain_text(name)
    tab.page.go_forward()
    expect(heading).to_contain_text("shop.cart.Cart.total")
    tab.page.reload()
    tab.page.locator("svg a.edge[aria-label*='add_tax']").focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("#L24.at")).to_contain_text("add_tax")


def test_the_ways_between_two_definitions_are_drawn(tab: Watched) -> None:
    tab.open("/picture?name=place_order")
    tab.page.fill("#to", "add_tax")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("svg a.edge")).to_have_count(2)
    tab.page.click("text=The other way round")
    expect(tab.page.locator("main")).to_contain_text("No way is known")


def test_a_fold_opens_on_click_and_closes_again(browser: Browser, tmp_path: Path) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        calls = "".join(f"def {folder}{n}():\n    return ground()\n\n\n" for n in range(30))
        (tmp_path / folder / "use.py").write_text(f"from base import ground\n\n\n{calls}")
    (tmp_path / "base.py").write_text("def ground():\n    return 1\n")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as site, watched(browser, site.url) as tab:
        tab.open("/picture?name=ground")
        boxes = tab.page.locator("svg a.box")
        assert boxes.count() <= 40
        folded = boxes.count()
        tab.page.click("svg a.fold >> nth=0")
        expect(tab.page.locator("text=Close all folds")).to_be_visible()
        assert boxes.count() > folded
        tab.page.go_back()
        expect(boxes).to_have_count(folded)


def test_a_picture_is_saved_as_a_file(tab: Watched, tmp_path: Path) -> None:
    tab.open(PICTURE)
    for form, beginning in (("svg", "<svg"), ("mermaid", "flowchart"), ("dot", "digraph")):
        with tab.page.expect_download() as download:
            tab.page.click(f"main a[download] >> text={form}")
        target = tmp_path / download.value.suggested_filename
        download.value.save_as(target)
        assert target.name == f"shop-cart-Cart-total.{form}"
        assert target.read_text("utf-8").startswith(beginning)


def test_a_card_tells_what_a_link_leads_to(tab: Watched) -> None:
    tab.open("/code/shop/cart.py?at=24#L24")
    link = tab.page.locator("#L24 a.calls >> text=add_tax")
    link.focus()
    expect(tab.page.locator("#card")).to_contain_text("def add_tax(")
    tab.page.keyboard.press("Escape")
    expect(tab.page.locator("#card")).to_be_hidden()
    link.hover()
    expect(tab.page.locator("#card")).to_contain_text("1 caller")


def test_a_name_outside_leads_into_its_package(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CGI_LIBRARIES", str(tmp_path / "cache"))
    files = {
        "node_modules/kit/package.json": '{"name": "kit", "version": "2.0.0"}',
        "node_modules/kit/index.js": "export function load(path) { return path; }\n",
        "package.json": '{"name": "app", "dependencies": {"kit": "^2.0.0"}}',
        "app.js": 'import { load } from "kit";\nimport { lost } from "nobody";\n\nload("p");\nlost();\n',
    }
    root = write_tree(tmp_path / "app", files)
    with CodeIndexer(root, embedder="hashing") as indexer:
        indexer.index()
        cache = cache_of(indexer.settings)
        for package in Repository(indexer.store, indexer.folders).installed:
            cache.add(package)
    with served(root) as running, watched(browser, running.url) as tab:
        tab.open("/code/app.js")
        expect(tab.page.locator("#L5 a.outside")).to_have_attribute("title", "nobody.lost of nobody")
        link = tab.page.locator("#L4 a.outside")
        expect(link).to_have_attribute("title", "kit.load of kit")
        link.click()
        expect(tab.page.locator("main")).to_contain_text("kit@2.0.0/index.js")


def test_the_gutter_leads_to_the_callers(tab: Watched) -> None:
    tab.open("/code/shop/pricing.py")
    tab.page.click("a.g >> nth=0")
    expect(tab.page.locator("#callers")).to_be_in_viewport()


def test_a_change_says_what_it_breaks(tab: Watched) -> None:
    tab.open("/")
    tab.page.click("nav >> text=Change")
    tab.page.fill("#target", "add_tax")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("main")).to_contain_text("tests/test_cart.py")


def test_parts_that_take_longer_come_after_the_page(tab: Watched) -> None:
    tab.open(DEFINITION)
    expect(tab.page.locator("#impact")).to_contain_text("tests/test_cart.py")


def test_it_can_be_read_without_script(browser: Browser, site: LocalSite) -> None:
    with watched(browser, site.url, java_script_enabled=False) as tab:
        tab.open("/")
        tab.page.fill("#q", "refuse an empty cart")
        tab.page.keyboard.press("Enter")
        tab.page.click(".result p a >> nth=0")
        expect(tab.page.locator("main")).to_contain_text("place_order")
        tab.open("/ask")
        tab.page.fill("#question", "who calls add_tax?")
        tab.page.click("main button")
        expect(tab.page.locator("main")).to_contain_text("shop/pricing.py")


@pytest.fixture(scope="module")
def model() -> Iterator[MessagesServer]:
    with MessagesServer() as serving:
        yield serving


def test_an_answer_is_streamed_and_its_citations_open_the_code(
    browser: Browser, shop: Path, model: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    place = CodeIndexer(shop).symbol("add_tax")[0]
    text = f"`add_tax` adds **tax** [{place.file_path}:{place.start_line}-{place.end_line}]. <b>raw</b>"
    model.queue(text, "It is called by the cart.")
    settings = {"api_key": "sk-test", "base_url": model.url, "model": MODEL, "llm_router": False, "evaluator": False}
    with served(shop, **settings) as site, watched(browser, site.url) as tab:
        tab.open("/ask")
        tab.page.fill("#question", "what does add_tax do?")
        tab.page.keyboard.press("Enter")
        answer = tab.page.locator("#talk article")
        expect(answer.locator("strong")).to_have_text("tax")
        expect(answer.locator(".prose")).to_contain_text("<b>raw</b>")
        answer.locator(".prose a.citation").click()
        expect(tab.page.locator("#beside .line.at").first).to_contain_text("def add_tax")
        tab.page.fill("#question", "who calls it?")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("#talk article >> nth=1")).to_contain_text("It is called by the cart.")
        assert [turn for turn, _ in model.requests[-1].earlier] == ["user", "assistant"]


def test_a_page_follows_the_index(browser: Browser, own_shop: Path) -> None:
    with served(own_shop) as site, watched(browser, site.url) as tab:
        tab.open("/code/shop/pricing.py")
        pricing = own_shop / "shop" / "pricing.py"
        pricing.write_text(pricing.read_text("utf-8") + "\n\ndef double_tax() -> int:\n    return 2\n", "utf-8")
        expect(tab.page.locator("#status")).to_contain_text("The index was updated", timeout=20_000)
        expect(tab.page.locator("#outline")).to_contain_text("double_tax")


def test_a_long_file_is_loaded_as_it_is_read(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("".join(f"def f{n}():\n    return f{n - 1}()\n\n" for n in range(1, 1_000)))
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as site, watched(browser, site.url, viewport={"width": 1000, "height": 700}) as tab:
        tab.open("/code/long.py?at=1498#L1498")
        expect(tab.page.locator("#L1498")).to_be_in_viewport()
        height = tab.page.evaluate("document.documentElement.scrollHeight")
        assert tab.page.locator(".gap").count() > 10
        tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(tab.page.locator("#L2995")).to_be_in_viewport()
        # What is loaded takes the room that was kept for it, so nothing jumps.
        assert abs(tab.page.evaluate("document.documentElement.scrollHeight") - height) <= 2


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an indexed repository that tries to run script wherever a page may show its text."""
    root = tmp_path_factory.mktemp("hostile")
    folder = root / "a<img src=x onerror=alert(3)>"
    folder.mkdir()
    (folder / '"><svg onload=alert(4)>.py').write_text(
        f'"""{HOSTILE}"""\n\n\ndef run(text="{HOSTILE}"):\n    """{HOSTILE}\n\n    [x](javascript:alert(5))"""\n'
        f"    # {HOSTILE} \u202e\n    return run(`{HOSTILE}`)\n\n\ndef main():\n    run()\n",
        encoding="utf-8",
    )
    (root / "README.md").write_text(f"{HOSTILE} is a hostile repository\n\n[x](javascript:alert(6))\n", "utf-8")
    (root / "page.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(7)'/>", "utf-8")
    (root / "javascript:alert(8).py").write_text(f"class A:\n    '''{HOSTILE}'''\n", "utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    return root


def test_a_hostile_repository_runs_nothing(browser: Browser, hostile: Path) -> None:
    with served(hostile) as site, watched(browser, site.url) as tab:
        dialogs: list[str] = []

        def dismiss(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        tab.page.on("dialog", dismiss)
        paths = {"/", "/search?q=run", f"/search?q={HOSTILE}", "/impact?target=run", f"/impact?target={HOSTILE}"}
        paths |= {
            "/ask",
            f"/ask?q={HOSTILE}",
            f"/code/{HOSTILE}",
            f"/folder/{HOSTILE}",
            "/part/suggest?q=run",
            "/picture",
        }
        paths |= {"/picture?name=run", f"/picture?name={HOSTILE}", f"/picture?folder={HOSTILE}&open={HOSTILE}"}
        seen: set[str] = set()
        # Every page that links lead to is opened too.
        while paths - seen and len(seen) < 60:
            path = min(paths - seen)
            seen.add(path)
            tab.open(path)
            tab.page.wait_for_load_state("networkidle")
            paths |= set(
                tab.page.eval_on_selector_all("a[href^='/']", "links => links.map(a => a.getAttribute('href'))")
            )
            paths = {path for path in paths if "format=" not in path}
            foreign = (
                "links => links.map(a => new URL(a.getAttribute('href'), location).protocol).filter(p => p !== 'http:')"
            )
            assert tab.page.eval_on_selector_all("a[href]", foreign) == []
        tab.page.fill("#q", "run")
        expect(tab.page.locator("#first [role=option]").first).to_be_visible()
        tab.open("/ask")
        tab.page.fill("#question", f"what does run do? {HOSTILE}")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("#talk details")).to_be_visible()
        assert dialogs == []
        # Refused addresses are named on the console, which is no fault here.
        tab.faults[:] = [fault for fault in tab.faults if "404" not in fault and "400" not in fault]
        assert len(seen) > 15


def serious_faults(tab: Watched) -> list[object]:
    """Return what axe finds on the open page that is in the way of a screen reader."""
    tab.page.add_script_tag(path=str(AXE))
    return [
        (violation["id"], [node["html"] for node in violation["nodes"]][:3])
        for violation in tab.page.evaluate("axe.run()")["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed")
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_in_the_way_of_a_screen_reader(browser: Browser, site: LocalSite, path: str) -> None:
    # The policy of the page forbids this script, as any other, so only this test lifts it.
    with watched(browser, site.url, bypass_csp=True) as tab:
        for scheme in SCHEMES:
            tab.page.emulate_media(color_scheme=scheme)
            tab.open(path)
            tab.page.wait_for_load_state("networkidle")
            assert serious_faults(tab) == [], scheme
        tab.faults[:] = [fault for fault in tab.faults if "404" not in fault]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_wider_than_its_window(browser: Browser, site: LocalSite, path: str) -> None:
    with watched(browser, site.url) as tab:
        for width in (400, 1200, 2560):
            tab.page.set_viewport_size({"width": width, "height": 800})
            tab.open(path)
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        tab.faults[:] = [fault for fault in tab.faults if "404" not in fault]


def test_on_a_narrow_screen_a_picture_begins_with_the_callers(browser: Browser, site: LocalSite) -> None:
    with watched(browser, site.url, viewport={"width": 400, "height": 800}) as tab:
        tab.open(PICTURE)
        tab.page.wait_for_load_state("networkidle")
        hidden = """() => {
          const frame = document.querySelector(".picture");
          const boxes = [...frame.querySelectorAll(".box")].map((box) => box.getBoundingClientRect().left);
          return frame.scrollWidth > frame.clientWidth && Math.min(...boxes) < frame.getBoundingClientRect().left;
        }"""
        assert tab.page.evaluate("document.querySelector('.picture').scrollWidth") > 400
        assert not tab.page.evaluate(hidden)
