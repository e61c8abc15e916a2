"""`cgi search` and `cgi ask`, and the graph commands, as text."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ask.messages_server import MODEL, MessagesServer
from tests.cli.conftest import Cgi, run_process

pytestmark = pytest.mark.slow

KEY = "sk-test-1f0c5e"
QUESTION = "how is an order placed?"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    with MessagesServer() as serving:
        monkeypatch.setenv("CGI_BASE_URL", serving.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield serving


def test_a_result_shows_place_kind_name_and_numbered_lines(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("search", "place_order", "-n", "1").out
    assert out.startswith(
        "1. shop/orders.py:22-30  function shop.orders.place_order\n"
        "     22 def place_order(customer: str, cart: Cart, store: OrderStore) -> Order:\n"
    )


def test_explain_shows_what_each_signal_added(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("search", "apply_discount", "-n", "1", "--explain").out
    assert "definition #1 (+7.5000), " in out
    assert "words #" in out


def test_a_first_result_is_as_sure_alone_as_before_others(cgi: Cgi, in_shop: Path) -> None:
    query = "what happens to things that nobody wants"
    few, many = (cgi("search", query, "-n", count).out for count in ("1", "10"))
    assert few.startswith("What is found has hardly one of these words") and few.splitlines()[0] == many.splitlines()[0]
    assert "\n1. " in few and "\n2. " not in few


def test_a_search_for_words_that_no_code_has_ends_as_one_that_found_nothing(cgi: Cgi, in_shop: Path) -> None:
    ran = cgi("search", "zzqqxxyy")
    assert ran.out.startswith("Nothing found has these words")
    assert (ran.code, cgi("search", "place_order").code) == (1, 0)


def test_full_shows_the_whole_chunk(cgi: Cgi, tmp_path: Path) -> None:
    body = "".join(f"    step_{number}()\n" for number in range(30))
    (tmp_path / "long.py").write_text(f"def long():\n{body}", encoding="utf-8")
    cgi("index", tmp_path)
    db = tmp_path / ".cgi" / "index.db"
    short, whole = cgi("search", "long", "--db", db).out, cgi("search", "long", "--db", db, "--full").out
    assert "step_29" not in short
    assert "more lines" in short
    assert "step_29()" in whole


@pytest.mark.parametrize(
    ("options", "only"),
    [
        (["--language", "go"], "worker/"),
        (["-l", "typescript"], "web/"),
        (["--directory", "config"], "config/"),
        (["--path", "*.go"], "worker/"),
        (["--path", "web/**/*.ts"], "web/"),
        (["--kind", "interface", "-l", "typescript"], "web/src/api.ts"),
        (["--source", "markdown"], "README.md"),
        (["--tests"], "tests/"),
    ],
)
def test_filters_narrow_the_results(cgi: Cgi, in_shop: Path, options: list[str], only: str) -> None:
    printed = json.loads(cgi("search", "order item cart parcel title total worker", *options, "--json").out)
    paths = [result["file_path"] for result in printed["results"]]
    assert paths
    assert [path for path in paths if not path.startswith(only)] == []


@pytest.mark.parametrize(
    "query", ["", "   ", "\t\n", "???", "the", '"', "a AND", "NEAR(", "x" * 10_000, "*", "-", "--"]
)
def test_any_query_is_answered(cgi: Cgi, in_shop: Path, query: str) -> None:
    ran = cgi("search", "--", query)
    # Without a result it ends as grep does.
    assert ran.code in (0, 1)
    assert ran.err == ""


def test_a_query_may_come_without_quotes(cgi: Cgi, in_shop: Path) -> None:
    assert cgi("search", "place", "order", "--json").out == cgi("search", "place order", "--json").out


def test_without_a_key_the_cited_context_is_the_answer(cgi: Cgi, in_shop: Path) -> None:
    ran = cgi("ask", QUESTION)
    assert (ran.code, ran.err) == (0, "")
    assert "## shop/orders.py:22-30  function shop.orders.place_order" in ran.out
    assert "set ANTHROPIC_API_KEY" in ran.out


def test_an_answer_is_printed_once_and_its_wrong_citations_are_told(
    cgi: Cgi, in_shop: Path, server: MessagesServer
) -> None:
    server.queue("By `place_order` [shop/orders.py:22-28], see [shop/ghost.py:1].")
    ran = cgi("ask", QUESTION, "--model", MODEL)
    assert ran.code == 0
    assert ran.out == "By `place_order` [shop/orders.py:22-28], see [shop/ghost.py:1].\n"
    assert "1 of 2 citations do not hold: shop/ghost.py:1-1" in ran.err
    assert KEY not in ran.out + ran.err


def test_an_answer_in_json_has_its_citations_checked(cgi: Cgi, in_shop: Path, server: MessagesServer) -> None:
    server.queue("By `place_order` [shop/orders.py:22-28].")
    answer = json.loads(cgi("ask", QUESTION, "--json").out)["answer"]
    assert answer["generated"] is True
    assert answer["citations"] == [{"path": "shop/orders.py", "start_line": 22, "end_line": 28, "problem": ""}]
    assert [request.key for request in server.requests] == [KEY]


def test_a_hostile_answer_cannot_steer_the_terminal(cgi: Cgi, in_shop: Path, server: MessagesServer) -> None:
    server.queue("red \x1b[31m and a title \x1b]0;gone\x07.")
    ran = cgi("ask", QUESTION)
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out


def test_a_hostile_repository_cannot_steer_the_terminal(cgi: Cgi, tmp_path: Path) -> None:
    (tmp_path / "ev\x1b[31mil.py").write_text(
        '"""Doc \x1b]0;title\x07."""\n\ndef steal(x="\x1b[2J\x9b1m"):\n    """Ring \x07 the bell."""\n    return steal(x)\n',
        encoding="utf-8",
    )
    db = tmp_path / ".cgi" / "index.db"
    cgi("index", tmp_path)
    queries = [[command, "steal"] for command in ("search", "symbol", "callers", "callees", "ask")]
    unknown = [["outline", "ev\x1b[31mil.py"], ["outline", "evil.py"], ["symbol", "ste\x1b[31mal"]]
    for command in (*queries, *unknown, ["tree"], ["stats"], ["search", "steal", "--json"]):
        ran = cgi(*command, "--db", db)
        assert not {"\x1b", "\x07", "\x9b"} & set(ran.out + ran.err), command


def test_a_reader_that_leaves_early_is_no_error(shop: Path) -> None:
    command = [sys.executable, "-m", "code_graph_indexer", "search", "order item cart", "-n", "60", "--full"]
    process = subprocess.Popen(command, cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    stderr = process.stderr.read()
    process.stderr.close()
    assert (process.wait(30), stderr) == (0, "")


def test_names_that_no_encoding_of_the_terminal_holds_do_not_stop_it(shop: Path) -> None:
    ran = run_process("search", "formatPrice", folder=shop, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ran.code == 0
    assert "formatPrice" in ran.out


def test_callers_show_place_confidence_and_what_is_unresolved(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("callers", "OrderStore.save").out
    assert out.startswith("callers of method shop.storage.OrderStore.save  shop/storage.py:13\n")
    assert "shop/orders.py:27  shop.orders.place_order" in out
    assert "none known" in cgi("callers", "cancel_order").out


def test_references_stand_by_kind_each_with_its_line(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("references", "Cart").out
    heads = [line.strip() for line in out.splitlines() if not line.startswith("    ")]
    assert heads == [
        "references to class shop.cart.Cart  shop/cart.py:7",
        "called (2)",
        "named as a type (1)",
        "imported (3)",
        "the name also stands on 1 line of 1 file that is not linked to it",
    ]
    assert "    shop/orders.py:5  shop.orders  (proven)  from shop.cart import Cart\n" in out
    assert "called" not in cgi("references", "Cart", "--kind", "imports", "--no-tests").out
    assert "shop/orders.py" not in cgi("references", "Cart", "--file", "tests/").out
    assert "… and 2 more (--all" in cgi("references", "Cart", "--kind", "imports", "-n", "1").out


def test_an_unknown_kind_of_reference_says_which_there_are(cgi: Cgi, in_shop: Path) -> None:
    ran = cgi("references", "Cart", "--kind", "looks")
    assert ran.code == 2
    assert "there are no uses of the kind 'looks'; a kind is calls, references, reads" in ran.err


def test_callees_stand_in_order_of_line(cgi: Cgi, in_shop: Path) -> None:
    out = cgi("callees", "place_order").out
    assert out.index("EmptyCartError") < out.index("shop.cart.Cart.total") < out.index("shop.storage.OrderStore.save")


def test_an_outline_is_nested(cgi: Cgi, in_shop: Path) -> None:
    lines = cgi("outline", "shop/cart.py").out.splitlines()
    assert lines[0] == "shop/cart.py"
    assert lines[1].split(maxsplit=1) == ["7-28", "class class Cart"]
    assert lines[2].index("method") > lines[1].index("class")


def test_an_ambiguous_file_is_asked_back(cgi: Cgi, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.py").write_text("x = 1\n", encoding="utf-8")
    cgi("index", tmp_path)
    ran = cgi("outline", "same.py", "--db", tmp_path / ".cgi" / "index.db")
    assert ran.code == 7
    assert "several files are named 'same.py'" in ran.err
    assert "a/same.py, b/same.py" in ran.err


def test_a_tree_goes_as_deep_as_asked(cgi: Cgi, in_shop: Path) -> None:
    assert "  src/  (3 files, 70 lines)" in cgi("tree").out
    assert "cart.ts" not in cgi("tree").out
    assert "    cart.ts  (26 lines)" in cgi("tree", "--depth", "3").out
    assert "README" not in cgi("tree", "web", "--depth", "3").out


def test_help_and_version_need_no_index(cgi: Cgi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cgi("--version").out.startswith("cgi ")
    assert "Exit codes" in cgi("--help").out
    assert "--keyword-only" in cgi("search", "-h").out


@pytest.mark.parametrize("command", ["search", "explore", "ask"])
def test_a_question_may_bring_the_words_of_its_code(cgi: Cgi, in_shop: Path, command: str) -> None:
    question = "what does the state get of it?"
    assert (
        f'ask again with four to eight names and words that such code would use: "{question}" --expect "'
        in cgi(command, question).out
    )
    output = cgi(command, question, "--expect", "add tax levy").out
    assert "Expected words: add (9), tax (7), levy (none)." in output
    assert "add_tax" in output
    assert "ask again with" not in output
