"""The pages as text: what each shows, that links hold, and what is refused."""

import json
import re
import shutil
import time
from difflib import unified_diff
from pathlib import Path
from urllib.parse import quote_plus

import httpx
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import UsageError
from code_graph_indexer.indexer import default_index
from code_graph_indexer.storage import update_index
from code_graph_indexer.web.guard import POLICY
from code_graph_indexer.web.server import serve
from tests.web.conftest import LocalSite, served, served_index

pytestmark = pytest.mark.slow

DEFINITION = "/definition/shop/pricing.py?name=shop.pricing.add_tax"


def test_the_start_page_says_what_the_repository_is(site: LocalSite) -> None:
    page = site.text("/")
    for words in ("python", "shop/", "What everybody uses", "Every file was read"):
        assert words in page


def test_words_of_a_question_that_spell_a_name_lead_to_its_definition(tmp_path: Path) -> None:
    more = "class DeleteThing:\n    userKey = 1\n\n\ndef deleteUser():\n    pass\n"
    text = f"readmeNames = []\n\n\ndef sell_all_of_it():\n    pass\n\n\n{more}"
    (tmp_path / "shop.py").write_text(text, "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as running:
        for question, name in (
            ("which readme names are tried", "readmeNames"),
            ("when do we sell all of it?", "sell_all_of_it"),
        ):
            definitions = (
                running.text(f"/search?q={question}").partition("<h2>Definitions")[2].partition("</section>")[0]
            )
            assert name in definitions
        assert "<h2>Definitions" not in running.text("/search?q=readme of all names")
        definitions = running.text("/search?q=delete user").partition("<h2>Definitions")[2].partition("</section>")[0]
        assert re.findall(r"name=shop\.([\w.]+)", definitions) == ["deleteUser", "DeleteThing.userKey"]


def test_hubs_come_by_themselves(site: LocalSite) -> None:
    assert "callers" in site.text("/part/hubs")


def test_a_folder_lists_its_files_with_a_line_about_each(site: LocalSite) -> None:
    page = site.text("/folder/shop")
    assert "/code/shop/cart.py" in page
    assert "lines" in page


def test_code_has_colours_and_links_that_say_how_sure_they_are(site: LocalSite) -> None:
    page = site.text("/code/shop/cart.py?at=24#L24")
    line = re.search(r'<div class="line at" id="L24">.*', page)
    assert line is not None
    assert re.search(r'<a class="proven calls" href="/go/\d+">add_tax</a>', line[0])
    assert "<i class=keyword>def</i>" in page
    assert re.search(r'class="outside \w+" href="/search\?q=\w+"', page)
    assert 'aria-label="Outline"' in page


def test_a_definition_shows_its_callers_and_what_is_not_known(site: LocalSite) -> None:
    page = site.text(DEFINITION)
    assert "Cart.total" in page
    assert "1 proven" in page
    assert "/code/shop/cart.py?at=24#L24" in page
    assert "What changes with it" in page


def test_a_description_stands_apart_from_the_source(shop: Path, tmp_path: Path) -> None:
    root = shutil.copytree(shop, tmp_path / "shop")
    with served(root) as site:
        assert "described by" not in site.text(DEFINITION)
        with update_index(default_index(root)) as writer:
            subjects = site.indexer.store.undescribed()
            writer.put_sentences(
                (content_hash, "<b>m</b>", "Asks <i>who</i> pays the king.") for _, content_hash in subjects
            )
            writer.put_described()
        line = "described by &lt;b&gt;m&lt;/b&gt;: Asks &lt;i&gt;who&lt;/i&gt; pays the king."
        assert f'<p class="about">{line}</p>' in site.text(DEFINITION)
        assert line in site.text(f"/search?q={quote_plus('who does the king ask?')}")


def test_lists_can_leave_out_tests(site: LocalSite) -> None:
    name = "/definition/shop/cart.py?name=shop.cart.Cart.add"
    assert "tests/test_cart.py" in site.text(name)
    assert "tests/test_cart.py" not in site.text(f"{name}&tests=no").partition('id="lists"')[2]


def test_a_class_shows_the_classes_above_it_and_what_is_in_it(site: LocalSite) -> None:
    page = site.text("/definition/shop/cart.py?name=shop.cart.Cart")
    assert "What is in it" in page
    assert "Cart.total" in page
    assert "outside the repository" in site.text("/definition/shop/orders.py?name=shop.orders.EmptyCartError")


def test_what_changes_with_a_definition_names_the_tests(site: LocalSite) -> None:
    part = site.text("/part/impact/shop/pricing.py?name=shop.pricing.add_tax")
    assert "tests/test_cart.py" in part
    assert "1 step away" in part
    assert "tests/test_cart.py" in site.text("/impact?target=add_tax")


def test_a_way_is_a_picture_and_code_step_by_step(site: LocalSite) -> None:
    page = site.text("/way?name=place_order&to=add_tax")
    assert "2 calls" in page
    assert (
        page.index('class="code-picture"')
        < page.index('href="/code/shop/orders.py?at=')
        < page.index("shop/cart.py:24")
    )
    assert 'def</i> <a class="def ' in page
    assert 'href="/way?name=add_tax&amp;to=place_order"' in page
    assert "No way is known" in site.text("/way?name=add_tax&to=place_order")
    name = site.indexer.symbol("__init__")[0]
    chosen = quote_plus(f"{name.file_path}:{name.qualified_name}")
    assert f'href="/way?name=place_order&amp;to={chosen}"' in site.text("/way?name=place_order&to=__init__")


def test_a_pasted_diff_leads_to_an_address_that_names_its_lines(site: LocalSite) -> None:
    text = site.indexer.store.file_text("shop/pricing.py")
    assert text is not None
    lines = text.decode().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("def add_tax"))
    changed = [*lines[: at + 1], "    # <script>\n", *lines[at + 1 :]]
    diff = "".join(unified_diff(lines, changed, "a/shop/pricing.py", "b/shop/pricing.py"))
    diff += "--- /dev/null\n+++ b/shop/<new>.py\n@@ -0,0 +1 @@\n+new\n"
    reply = site.client.post("/impact", data={"patch": diff}, headers={"origin": site.url})
    assert reply.status_code == 303
    where = reply.headers["location"]
    assert f"lines=shop%2Fpricing.py%3A{at + 1}" in where
    page = site.text(where)
    assert "1 step away" in page
    assert "tests/test_cart.py" in page
    assert "shop/&lt;new&gt;.py <small>no definition" in page
    assert "Cart.total" in site.text(f"/part/picture{where.removeprefix('/impact')}")
    assert site.client.post("/impact", data={"patch": "hello"}, headers={"origin": site.url}).status_code == 400
    assert site.get("/impact?lines=no.py:1-999999999&lines=%00&lines=shop/cart.py:0-999999999").status_code == 200


def test_a_picture_has_links_and_every_format(site: LocalSite) -> None:
    page = site.text("/picture?name=shop/cart.py:shop.cart.Cart.total")
    assert 'href="/picture?name=shop%2Fpricing.py%3Ashop.pricing.add_tax"' in page
    assert 'href="/code/shop/cart.py?at=24#L24"' in page
    assert 'href="/definition/shop/cart.py?name=shop.cart.Cart.total' in page
    for form, beginning in (("svg", "<svg"), ("json", "{"), ("graphml", "<graphml"), ("dot", "digraph")):
        reply = site.get(f"/picture?name=add_tax&format={form}")
        assert reply.text.startswith(beginning)
        assert reply.headers["content-disposition"] == f'attachment; filename="shop-pricing-add-tax.{form}"'
    assert site.get("/picture?name=add_tax&format=png").status_code == 400


def test_pictures_of_folders_classes_and_changes(site: LocalSite) -> None:
    assert "pricing.py" in site.text("/picture?folder=shop")
    assert "tests/" in site.text("/picture")
    assert "test_cart" in site.text("/picture?name=add_tax&show=impact")
    assert "EmptyCartError" in site.text("/picture?name=EmptyCartError&show=hierarchy")
    assert "Did you mean" in site.text("/picture?name=add_taxx")
    assert site.get("/picture?to=add_tax").status_code == 400


def test_a_name_that_means_several_definitions_lets_choose(site: LocalSite) -> None:
    for page in (
        site.text("/picture?name=__init__"),
        site.text("/impact?target=__init__"),
        site.text("/picture?name=ttal"),
    ):
        assert 'role="alert"' in page
    several = site.indexer.symbol("__init__")
    assert len(several) > 1
    page = site.text("/picture?name=__init__")
    name = f"{several[0].file_path}:{several[0].qualified_name}"
    assert f'href="/picture?name={quote_plus(name)}"' in page
    assert f'href="/impact?target={quote_plus(name)}"' in site.text("/impact?target=__init__")
    assert f"to={quote_plus(name)}" in site.text("/picture?name=add_tax&to=__init__")


def test_a_summary_without_a_language_model_has_links(site: LocalSite) -> None:
    reply = site.client.post(
        "/ask", data={"q": "who calls add_tax?"}, headers={"origin": site.url}, follow_redirects=True
    )
    assert '(<a href="/code/shop/cart.py?at=24#L24" class="citation">shop/cart.py:24</a>)' in reply.text


def test_a_link_from_code_leads_to_the_address_that_holds(site: LocalSite) -> None:
    chunk_id = site.indexer.symbol("add_tax")[0].chunk_id
    reply = site.get(f"/go/{chunk_id}")
    assert reply.status_code == 302
    assert reply.headers["location"].startswith(DEFINITION)
    assert site.get("/go/999999").status_code == 404


def test_a_name_that_is_read_or_names_a_type_is_a_link(site: LocalSite) -> None:
    page = site.text("/code/shop/pricing.py")
    assert re.search(r'<a class="proven reads" href="/go/\d+">TAX_PERCENT</a>', page)
    assert re.search(r'<a class="def variable" href="/definition/shop/pricing.py[^"]+">TAX_PERCENT</a>', page)
    assert re.search(r'<a class="proven types" href="/go/\d+">Item</a>', site.text("/code/shop/cart.py"))


def test_a_name_in_an_import_is_a_link_wherever_its_module_stands(site: LocalSite) -> None:
    assert re.search(r'<a class="proven imports" href="/go/\d+">formatPrice</a>', site.text("/code/web/src/cart.ts"))
    assert re.search(r'<a class="proven imports" href="/go/\d+">Item</a>', site.text("/code/shop/cart.py"))


def test_a_link_to_a_constant_leads_to_its_line(site: LocalSite) -> None:
    constant = site.indexer.symbol("TAX_PERCENT")[0]
    assert site.get(f"/go/{constant.member_id}").headers["location"] == "/code/shop/pricing.py?at=3#L3"


def test_a_definition_shows_who_reads_it_and_who_names_it_as_a_type(site: LocalSite) -> None:
    page = site.text("/definition/shop/pricing.py?name=shop.pricing.TAX_PERCENT")
    assert "Who reads it" in page
    assert "/code/shop/pricing.py?at=14#L14" in page
    assert "Who calls it" not in page
    page = site.text("/definition/shop/items.py?name=shop.items.Item")
    assert "Who names it as a type" in page
    assert "/code/shop/cart.py?at=13#L13" in page


def test_a_card_says_signature_and_callers(site: LocalSite) -> None:
    chunk_id = site.indexer.symbol("add_tax")[0].chunk_id
    card = site.text(f"/part/card?ids={chunk_id}")
    assert "def add_tax(" in card
    assert "1 caller" in card


def test_the_box_suggests_definitions_and_files_while_one_types(site: LocalSite) -> None:
    assert "shop.pricing.add_tax" in site.text("/part/suggest?q=add_t")
    assert "shop.cart.Cart.total" in site.text("/part/suggest?q=cart+tot")
    assert "/code/shop/pricing.py" in site.text("/part/suggest?q=pricing.p")
    assert "All results for" in site.text("/part/everything?q=refuse+an+empty+cart")


def test_filters_are_chips_and_scores_are_explained(site: LocalSite) -> None:
    page = site.text("/search?q=cart+test:no&explain=1")
    assert 'aria-label="Remove the filter test:no"' in page
    assert "score " in page
    assert "tests/test_cart.py" not in page
    wrong = site.text("/search?q=lang:pythn+cart")
    assert "Did you mean &#39;python&#39;" in wrong


def test_a_question_without_a_key_is_answered_by_the_cited_code(site: LocalSite) -> None:
    reply = site.client.post(
        "/ask", data={"q": "who calls add_tax?"}, headers={"origin": site.url}, follow_redirects=True
    )
    assert "No language model was asked" in reply.text
    assert "/code/shop/pricing.py?at=" in reply.text


def test_a_question_may_bring_the_words_of_its_code(site: LocalSite) -> None:
    form = {"q": "what does the state get of it?", "expect": "add tax levy"}
    for reply in (
        site.client.post("/ask", data=form, headers={"origin": site.url}, follow_redirects=True).text,
        json.loads(site.client.post("/ask/stream", data=form, headers={"origin": site.url}).text.splitlines()[-1])[
            "html"
        ],
    ):
        assert "levy (none)" in reply
        assert "add_tax" in reply.partition("<section")[2].partition("</section>")[0]
    unsure = site.client.post("/ask", data={"q": form["q"]}, headers={"origin": site.url}, follow_redirects=True).text
    assert "Words that its code would use find more." in unsure


def test_a_doubtful_search_asks_for_the_words_of_its_code(site: LocalSite) -> None:
    unsure = site.text("/search?q=what+does+the+state+get+of+it")
    assert 'name="expect"' in unsure
    assert "expect=" not in unsure.partition("<main")[2]
    again = site.text("/search?q=what+does+the+state+get+of+it&expect=add+tax")
    assert 'value="add tax"' in again
    assert "add_tax" in again.partition('class="result"')[2].partition("</section>")[0]


def test_a_streamed_answer_ends_with_its_html_and_goes_on_in_the_conversation(site: LocalSite) -> None:
    headers = {"origin": site.url}
    reply = site.client.post("/ask/stream", data={"q": "what is add_tax?"}, headers=headers)
    last = json.loads(reply.text.splitlines()[-1])
    assert "shop/pricing.py" in last["html"]
    follow = site.client.post("/ask/stream", data={"q": "who calls it?", "talk": last["talk"]}, headers=headers)
    assert "Cart.total" in json.loads(follow.text.splitlines()[-1])["html"]


@pytest.mark.parametrize(
    "path",
    [
        *("/code/../../etc/passwd", "/code/%2e%2e/%2e%2e/etc/passwd", "/code//etc/passwd", "/code/.git/config"),
        *("/static/../views.py", "/static/%2e%2e/views.py", "/part/excerpt/../../etc/passwd?at=1", "/nothing"),
        *("/definition/shop/cart.py?name=no.such", "/folder/no", "/reference/shop/cart.py?at=1-1", "/go/x"),
    ],
)
def test_nothing_outside_of_the_index_has_a_page(site: LocalSite, path: str) -> None:
    request = httpx.Request("GET", site.url)
    # As it is written, without the client's own tidying of dots.
    request.url = request.url.copy_with(raw_path=path.encode())
    reply = site.client.send(request)
    assert reply.status_code == 404
    assert "root:" not in reply.text
    assert "import" not in reply.text


@pytest.mark.parametrize(
    "headers",
    [
        *({"host": "evil.example"}, {"host": "evil.example:80"}, {"host": ""}, {"host": "127.0.0.1.evil.example"}),
        *({"origin": "http://evil.example"}, {"origin": "null"}),
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
    ],
)
def test_other_sites_are_refused(site: LocalSite, headers: dict[str, str]) -> None:
    assert site.get("/", **headers).status_code == 403
    assert site.client.post("/ask", data={"q": "x"}, headers=headers).status_code == 403


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_the_user_named_may_stand_before_the_server(site: LocalSite, scheme: str) -> None:
    headers = {"host": "code.example.org", "origin": f"{scheme}://code.example.org"}
    assert site.get("/", **headers).status_code == 200
    assert site.client.post("/impact", data={"patch": "hello"}, headers=headers).status_code == 400
    foreign = {**headers, "origin": "https://evil.example"}
    assert site.client.post("/impact", data={"patch": "hello"}, headers=foreign).status_code == 403


def test_a_link_from_elsewhere_may_lead_here_and_a_form_may_not(site: LocalSite) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert site.get("/", **link).status_code == 200
    assert site.client.post("/ask", data={"q": "x"}, headers=link).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_the_server_only_reads(site: LocalSite, method: str) -> None:
    assert site.client.request(method, "/").status_code == 403
    assert site.client.post("/").status_code == 405
    assert site.client.post("/ask", content=b"q=" + b"x" * 30_000, headers={"origin": site.url}).status_code == 413


@pytest.mark.parametrize("path", ["/", "/code/shop/cart.py", "/static/page.js", "/nothing", "/part/hubs"])
def test_every_answer_forbids_what_is_not_its_own(site: LocalSite, path: str) -> None:
    headers = site.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"


def test_no_page_holds_a_script_or_style_of_its_own(site: LocalSite) -> None:
    for path in ("/", "/code/shop/cart.py", DEFINITION, "/search?q=cart", "/impact?target=add_tax", "/ask", "/picture"):
        page = site.text(path)
        assert re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=", page) == []


def test_the_page_works_from_the_index_alone(shop: Path, tmp_path: Path) -> None:
    db = tmp_path / "alone.db"
    db.write_bytes((shop / ".cgi" / "index.db").read_bytes())
    with served(tmp_path, db=db) as site:
        assert "add_tax" in site.text("/code/shop/pricing.py")
        assert "Cart.total" in site.text(DEFINITION)
        assert "git" in site.text("/impact?diff=HEAD")


def test_a_damaged_index_is_built_anew_while_the_server_runs(own_shop: Path) -> None:
    with served(own_shop, workers=1) as running:
        assert "add_tax" in running.text(DEFINITION)
        default_index(own_shop).write_bytes(b"garbage" * 500)
        reply = running.get(DEFINITION)
        # The thread that follows the files may have begun to build it before.
        assert reply.status_code in (200, 503)
        deadline = time.monotonic() + 60
        while (reply := running.get(DEFINITION)).status_code == 503:
            assert "is being built anew" in reply.text
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert (reply.status_code, "add_tax" in reply.text) == (200, True)


def test_a_forged_index_elsewhere_is_an_error_on_each_page(own_shop: Path, tmp_path: Path) -> None:
    db = shutil.copyfile(own_shop / ".cgi" / "index.db", tmp_path / "x.db")
    with served_index(CodeIndexer(db=db)) as running:
        db.write_bytes(b"garbage" * 500)
        for path in ("/", "/search?q=tax", DEFINITION):
            reply = running.get(path)
            assert (reply.status_code, "give another --db" in reply.text) == (400, True), path
        assert db.read_bytes() == b"garbage" * 500


def test_a_search_shows_the_lines_that_match_with_the_words_marked(site: LocalSite) -> None:
    page = site.text("/search?q=discount+percent")
    assert "<mark>discount</mark>" in page
    line = re.search(r'href="/code/shop/cart.py\?at=(\d+)#L\1">\1</a><code>.*<mark>', page)
    assert line is not None
    groups = re.findall(r'<section class="result" aria-label="([^"]+)"', page)
    assert len(groups) == len(set(groups)) > 1


def test_results_are_counted_by_folder_and_kind_and_a_count_is_a_filter(site: LocalSite) -> None:
    page = site.text("/search?q=cart")
    link = re.search(r'<a href="(/search[^"]+)">tests/</a> (\d+)', page)
    assert link is not None
    assert int(link[2]) > 0
    only = site.text(link[1].replace("&amp;", "&"))
    assert set(re.findall(r'<section class="result" aria-label="([^/"]+/)', only)) == {"tests/"}
    assert re.search(r'type%3Afunction">function</a> \d+', page)


def test_results_have_a_next_page(site: LocalSite) -> None:
    first = site.text("/search?q=cart")
    assert 'href="/search?q=cart&amp;page=2">Next page' in first
    second = site.text("/search?q=cart&page=2")
    assert ">Previous page" in second
    lines = 'aria-label="Lines of [^"]+"'
    assert set(re.findall(lines, first)).isdisjoint(re.findall(lines, second))
    assert site.get("/search?q=cart&page=-3x").status_code == 200


def test_a_search_says_if_nothing_has_its_words(site: LocalSite) -> None:
    page = site.text("/search?q=zzqqxx+wibblefrotz")
    assert "No match for “zzqqxx wibblefrotz”" in page
    assert "Nothing found" in page or "Nothing was found" in page


def test_an_answer_has_an_address(site: LocalSite) -> None:
    headers = {"origin": site.url}
    reply = site.client.post("/ask", data={"q": "who calls add_tax?"}, headers=headers)
    assert reply.status_code == 303
    place = reply.headers["location"]
    assert re.fullmatch(r"/ask/[\w-]+\?q=who\+calls\+add_tax%3F", place)
    assert "Cart.total" in site.text(place)
    talk = place.partition("?")[0].rpartition("/")[2]
    site.client.post("/ask", data={"q": "and what is it?", "talk": talk}, headers=headers)
    page = site.text(place)
    assert page.index("<h2>who calls add_tax?") < page.index("<h2>and what is it?")
    assert f'name="talk" value="{talk}"' in page
    reply = site.get("/ask/gone?q=who+calls+add_tax%3F")
    assert reply.status_code == 404
    gone = reply.text
    assert "no longer remembered" in gone
    assert ">who calls add_tax?</textarea>" in gone


def test_a_tour_leads_through_the_parts_and_the_main_way(site: LocalSite, tmp_path: Path) -> None:
    page = site.text("/tour")
    assert re.search(r"/folder/tests\">tests/</a> <small>\(\d+ files?\)", page)
    assert 'data-part="/part/hubs"' in page
    files = {
        "pyproject.toml": "",
        "app/main.py": "from core.work import work\n\n\ndef main():\n    greet()\n    work(1)\n\n\ndef greet():\n    pass\n",
        "core/work.py": "from core.tools import tool\n\n\ndef work(n):\n    return tool(n)\n",
        "core/tools.py": "def tool(n):\n    return n\n",
        "tests/test_work.py": "from core.work import work\n\n\ndef test_work():\n    assert work(1)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as running:
        page = running.text("/tour")
    parts, way = page.partition("The main way")[::2]
    assert re.findall(r'<li><a href="/folder/(\w+)">', parts) == ["app", "core"]
    assert '/picture?folder=app&amp;to=core">core</a> <small>(' in parts
    assert re.findall(r"it calls <a [^>]*>([\w.]+)</a> <a [^>]*>([^<]+)<", way) == [
        ("core.work.work", "app/main.py:6"),
        ("core.tools.tool", "core/work.py:5"),
    ]


def test_a_folder_file_that_only_passes_names_on_is_no_beginning(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text('"""Nothing but names."""\n\nfrom pkg.a import go\n', "utf-8")
    (tmp_path / "pkg" / "a.py").write_text("def go():\n    pass\n", "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as running:
        assert "Where it begins" not in running.text("/")
        assert running.text("/healthz") == "ok\n"


def test_pages_are_sent_compressed_and_a_reply_in_pieces_is_not(site: LocalSite) -> None:
    assert site.get("/code/shop/cart.py").headers["content-encoding"] == "gzip"
    reply = site.client.post("/ask/stream", data={"q": "what is add_tax?"}, headers={"origin": site.url})
    assert "content-encoding" not in reply.headers


def test_a_port_in_use_is_one_sentence(site: LocalSite) -> None:
    port = int(site.url.rpartition(":")[2])
    with pytest.raises(UsageError, match=rf"cannot serve at 127.0.0.1:{port}: .*; give another --port"):
        serve(site.indexer, host="127.0.0.1", port=port)
