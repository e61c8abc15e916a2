"""The lists of a definition say what they may lack, quote their lines, and stand beside the results of a search."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.indexing.repository import write_tree
from tests.web.conftest import LocalSite, served

pytestmark = pytest.mark.slow

FILES = {
    "store.py": "class Store:\n    limit = 3\n\n    def put(self, key):\n        return key.fold(self.limit)\n",
    "user.py": "from store import Store\n\n\ndef use(anything):\n    Store().put(1)\n    anything.put(2)\n"
    "    return anything.limit\n",
    "far.py": "from user import use\n\n\ndef start():\n    use(1)\n\n\ndef begin():\n    start()\n",
    "Server.zig": "pub fn loop() void {\n    step();\n}\n\nfn step() void {}\n",
    "other.zig": "pub fn loop() void {}\n",
    "torn.rb": "class Torn\n  text <<~A\n    #{ <<~B } x\n      #{ y }\n    B\n    #{[<<~C, <<~D].join\n      c\n    C\n"
    "      d\n    D\n    } end\n  A\n\n  def check\n    1\n  end\nend\n",
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSite]:
    root = write_tree(tmp_path_factory.mktemp("lists") / "repository", FILES)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as running:
        yield running


def words(page: str, section: str) -> str:
    """Return the text of a section of a page."""
    inside = page.partition(f'aria-label="{section}"')[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", inside).split())


def test_calls_without_a_known_target_are_listed(small: LocalSite) -> None:
    page = small.text("/definition/store.py?name=store.Store.put&line=4")
    assert "anything.put user.py:6" in words(page, "Who calls it")
    assert "key.fold store.py:5" in words(page, "What it calls")


def test_lines_that_name_a_field_and_are_linked_to_nothing_are_listed(small: LocalSite) -> None:
    page = small.text("/definition/store.py?name=store.Store.limit&line=2")
    assert "1 line names it and is linked to nothing. Where user.use user.py:7" in words(page, "Who reads it")


def test_a_list_quotes_the_lines(small: LocalSite) -> None:
    page = small.text("/definition/store.py?name=store.Store.put&line=4")
    assert "5 use Store().put(1)" in words(page, "Who calls it")


def test_a_search_shows_who_calls_the_first_definition(small: LocalSite) -> None:
    shown = words(small.text("/search?q=put"), "Definitions")
    assert "Who calls it 1 5 use user.py Store().put(1)" in shown
    assert "Who reads it 1 5 Store.put store.py return key.fold(self.limit)" in words(
        small.text("/search?q=limit"), "Definitions"
    )


def test_a_search_says_how_many_callers_it_leaves_out(tmp_path: Path) -> None:
    users = "".join(f"\n\ndef use{number}():\n    put()\n" for number in range(9))
    root = write_tree(tmp_path, {"store.py": f"def put():\n    return 1\n{users}"})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as running:
        assert "3 more" in words(running.text("/search?q=put"), "Definitions")


def test_a_way_with_one_end_proposes_the_other_one(small: LocalSite) -> None:
    page = small.text("/way?to=store.py:store.Store.put")
    assert page.index("far.begin") < page.index("user.use")
    assert "/way?name=far.py%3Afar.begin&amp;to=store.py%3Astore.Store.put" in page
    assert "Nothing calls it for sure." in small.text("/way?to=far.begin")
    assert "Write where the way ends, or choose" in small.text("/way?name=far.begin")


def test_the_name_of_a_file_tells_definitions_of_one_name_apart(small: LocalSite) -> None:
    assert "Server.zig:2" in small.text("/way?name=Server.loop&to=step")


def test_a_question_in_an_address_is_answered_with_code(small: LocalSite) -> None:
    page = small.text("/ask?q=who+calls+put%3F")
    assert "No language model was asked" in page
    assert "Store().put(1)" in re.sub(r"<[^>]+>", "", page)
    assert ">who calls put?</textarea>" in page


def test_a_file_that_was_not_read_whole_says_so(small: LocalSite) -> None:
    sentence = "not read whole, so definitions may be missing"
    assert f"This file was {sentence}" in small.text("/code/torn.rb").partition('<div class="body">')[2]
    assert f"1 file was {sentence}" in small.text("/")
    assert sentence in words(small.text("/"), "Folders")


def test_a_setting_leads_to_the_field_that_holds_it_and_its_readers(tmp_path: Path) -> None:
    go = 'package shop\n\ntype App struct {\n\tGracePeriod int `json:"grace_period,omitempty"`\n}\n\n'
    go += "func (a App) Stop() bool {\n\treturn a.GracePeriod > 0\n}\n\n"
    go += 'func (o Options) Grace() int {\n\treturn o.read("grace_period")\n}\n\ntype Options struct{}\n'
    settings = "".join(f"case_{number}:\n  grace_period: {number}\n" for number in range(12))
    root = write_tree(tmp_path, {"app.go": go, "settings.yaml": settings})
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as running:
        page = running.text("/search?q=grace_period")
    assert "field shop.App.GracePeriod app.go:4 Who reads it 1 8 App.Stop app.go return a.GracePeriod > 0" in words(
        page, "Definitions"
    ).replace("&gt;", ">")
    assert "method shop.Options.Grace app.go:11" in words(page, "Definitions")
    assert "4 more" in words(page, "Where it is set")


def test_the_best_result_is_the_first_of_several_definitions_of_a_name(tmp_path: Path) -> None:
    files = {
        f"a{number}.py": f"class A{number}:\n    def serve(self):\n        return {number}\n" for number in range(4)
    }
    files["main.py"] = (
        "class Main:\n    def serve(self):\n        '''Serve: where to serve requests, and serve them.'''\n"
    )
    root = write_tree(tmp_path, files)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
        best = indexer.retrieve("serve", limit=1)[0].qualified_name
    with served(root) as running:
        assert words(running.text("/search?q=serve"), "Definitions").startswith(f"> Definitions method {best} ")
