"""Tours: what each kind of query shows, that every quoted line is true, and that no budget is exceeded."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer import CodeIndexer, UsageError
from code_graph_indexer.explore import Explorer
from code_graph_indexer.words import ASCII_PER_TOKEN, estimate_tokens

QUOTED = re.compile(r"(\d+)\t(.*)")

QUERIES = (
    "Cart.total -> add_tax",
    "add_tax -> place_order",
    "who calls add_tax",
    "what does place_order call",
    "tests of add_tax",
    "what breaks if add_tax changes",
    "implementations of OrderStore",
    "what does shop/cart.py import",
    "shop/cart.py",
    "shop/cart.py:22",
    "Cart",
    "Cart.total add_tax place_order",
    "how are orders stored",
    '"a message of the program that is nowhere"',
    "lang:go what retries a parcel",
    "no_such_name",
)


@pytest.fixture(scope="module")
def indexer(shop: Path) -> Iterator[CodeIndexer]:
    with CodeIndexer(shop) as opened:
        yield opened


def quoted(text: str) -> list[tuple[str, int, str]]:
    """Return the source lines that a tour quotes, as (path, number, line)."""
    lines: list[tuple[str, int, str]] = []
    path = ""
    for line in text.split("\n"):
        if line.startswith("### "):
            path = line[4:]
        elif match := QUOTED.fullmatch(line):
            lines.append((path, int(match[1]), match[2]))
    return lines


def numbers(text: str, path: str) -> list[int]:
    return [number for quoted_path, number, _ in quoted(text) if quoted_path == path]


@pytest.mark.parametrize("query", QUERIES)
def test_every_quoted_line_is_that_line_of_its_file(indexer: CodeIndexer, shop: Path, query: str) -> None:
    tour = indexer.explore(query)
    for path, number, line in quoted(tour.text):
        assert (shop / path).read_text(encoding="utf-8").split("\n")[number - 1] == line
    places = {(place.path, number) for place in tour.places for number in range(place.start_line, place.end_line + 1)}
    assert places == {(path, number) for path, number, _ in quoted(tour.text)}


@pytest.mark.slow
@given(st.sampled_from(QUERIES), st.integers(200, 2_000))
def test_no_tour_exceeds_its_budget(indexer: CodeIndexer, query: str, budget: int) -> None:
    text = indexer.explore(query, budget=budget).text
    assert estimate_tokens(text) <= budget
    assert len(text) <= budget * ASCII_PER_TOKEN


def test_a_path_shows_each_call_along_the_way_and_the_definitions(indexer: CodeIndexer) -> None:
    text = indexer.explore("place_order -> add_tax").text
    assert "called at shop/orders.py:26" in text
    assert {26} <= set(numbers(text, "shop/orders.py"))
    assert set(numbers(text, "shop/cart.py")) >= {21, 22, 23, 24}
    assert set(numbers(text, "shop/pricing.py")) >= {12, 13, 14}


def test_a_path_that_leads_the_other_way_round_is_shown_as_that(indexer: CodeIndexer) -> None:
    text = indexer.explore("add_tax -> place_order").text
    assert "No path of calls is known from add_tax to place_order." in text
    assert "The other way round there is one" in text


def test_the_callers_of_a_definition_are_quoted_at_their_calls(indexer: CodeIndexer) -> None:
    text = indexer.explore("who calls add_tax").text
    assert "callers: 1 proven" in text
    assert numbers(text, "shop/cart.py") == [21, 22, 23, 24]


def test_tests_are_found_through_the_code_between(indexer: CodeIndexer) -> None:
    assert numbers(indexer.explore("tests of add_tax").text, "tests/test_cart.py") == [8, 12, 15, 19]


def test_several_names_are_shown_with_the_calls_between_them(indexer: CodeIndexer) -> None:
    text = indexer.explore("add_tax, Cart.total, place_order").text
    order, total, tax = (text.index(f"{name}(") for name in ("place_order", "Cart.total", "  add_tax"))
    assert order < total < tax


def test_a_short_file_that_is_mostly_quoted_is_quoted_whole(indexer: CodeIndexer) -> None:
    assert numbers(indexer.explore("Cart").text, "shop/cart.py") == list(range(1, 29))


def test_a_question_in_words_shows_the_flow_through_what_it_is_about(indexer: CodeIndexer) -> None:
    text = indexer.explore("how is an order placed and stored").text
    assert "→ shop/storage.py:13  OrderStore.save" in text
    assert set(numbers(text, "shop/orders.py")) >= set(range(22, 29))


def test_a_stack_trace_shows_the_innermost_definition_first(indexer: CodeIndexer) -> None:
    trace = 'Traceback\n  File "/srv/shop/orders.py", line 26, in place_order\n  File "/srv/shop/cart.py", line 24, in total\n'
    text = indexer.explore(trace).text
    assert text.index("shop/orders.py:22") < text.index("shop/cart.py:21")
    assert set(numbers(text, "shop/cart.py")) >= {21, 22, 23, 24}


@pytest.mark.parametrize("query", ["OrderStor", "who calls OrderStor?", "OrderStor -> add_tax"])
def test_a_name_that_is_not_there_gets_the_nearest_names_and_little_else(indexer: CodeIndexer, query: str) -> None:
    text = indexer.explore(query).text
    assert "Did you mean OrderStore" in text
    assert "shop/storage.py:6  OrderStore" in text
    assert not quoted(text)
    assert len(text) <= 1_500


@pytest.mark.slow
def test_a_question_that_describes_a_function_is_no_question_on_a_name(indexer: CodeIndexer) -> None:
    text = indexer.explore("who calls the function that adds the Levy to an amount?", expect="add tax amount").text
    assert "no definition of" not in text
    assert "shop/pricing.py" in text
    assert "no definition of 'Levy' in the index" in indexer.explore("who calls Levy?").text


def test_hints_are_no_commands_of_a_shell(indexer: CodeIndexer) -> None:
    queries = (*QUERIES, "zzz_nothing_like_it", "zzz qqq xxx")
    assert not [query for query in queries if "cgi " in indexer.explore(query).text]


def test_a_wrong_filter_is_an_error(indexer: CodeIndexer) -> None:
    with pytest.raises(UsageError, match="there is no language 'klingon'"):
        indexer.explore("lang:klingon anything")


def test_lines_of_a_changed_file_are_those_on_disk(own_shop: Path) -> None:
    path = own_shop / "shop" / "pricing.py"
    path.write_text("# new\n# lines\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with CodeIndexer(own_shop, update=False) as indexer:
        text = indexer.explore("who calls add_tax").text
    assert numbers(text, "shop/pricing.py") == [14, 15, 16]
    assert "shop/pricing.py has changed on disk since it was indexed" in text


def test_a_definition_that_is_gone_from_its_file_is_not_quoted(own_shop: Path) -> None:
    (own_shop / "shop" / "pricing.py").write_text("VAT = 19\n", encoding="utf-8")
    with CodeIndexer(own_shop, update=False) as indexer:
        text = indexer.explore("add_tax").text
    assert "shop.pricing.add_tax is no longer in shop/pricing.py" in text
    assert numbers(text, "shop/pricing.py") == []


def test_the_tour_of_a_change_names_tests_and_quotes_each_use(indexer: CodeIndexer) -> None:
    tour = indexer.explore_change("add_tax")
    assert numbers(tour.text, "tests/test_cart.py") == [8, 12, 15, 19]
    assert numbers(tour.text, "shop/cart.py") == [24]
    assert estimate_tokens(indexer.explore_change("add_tax", budget=250).text) <= 250


@pytest.mark.slow
def test_a_definition_that_is_too_long_is_quoted_in_part(tmp_path: Path) -> None:
    body = "\n".join(f"    step_{number}()" for number in range(3_000))
    (tmp_path / "long.py").write_text(f"def run():\n{body}\n\n\ndef use():\n    run()\n", encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        text = indexer.explore("run", budget=1_000).text
    assert numbers(text, "long.py")[:3] == [1, 2, 3]
    assert 3_005 in numbers(text, "long.py")
    quoted = sum(number <= 3_001 for number in numbers(text, "long.py"))
    assert f"long.py:1-3001 run is quoted in part: {quoted} of 3001 lines" in text
    assert estimate_tokens(text) <= 1_000


@pytest.mark.slow
def test_a_tour_is_of_the_files_on_disk(own_shop: Path) -> None:
    path = own_shop / "shop" / "pricing.py"
    path.write_text("# new\n# lines\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with CodeIndexer(own_shop) as indexer:
        text = indexer.explore("who calls add_tax").text
    assert numbers(text, "shop/pricing.py") == [14, 15, 16]
    assert "has changed on disk" not in text


def test_the_tests_of_a_class_are_those_of_its_methods(indexer: CodeIndexer) -> None:
    assert 12 in numbers(indexer.explore("tests of Cart").text, "tests/test_cart.py")


@pytest.mark.slow
def test_a_signature_begins_behind_the_name_and_not_in_a_type(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text(
        "package a\n\nfunc (m MatcherSet) Match(r int) bool { return true }\n", encoding="utf-8"
    )
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        assert "MatcherSet.Match(r int) bool" in indexer.explore("Match").text


def test_a_tour_whose_time_is_over_gives_what_is_there(indexer: CodeIndexer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("code_graph_indexer.explore.page.DEADLINE", 0.0)
    text = indexer.explore("Cart.total").text
    assert {21, 22, 23, 24} <= set(numbers(text, "shop/cart.py"))
    assert "Callers of" not in text
    assert "the time ran out, so that lists may be missing" in text


@pytest.mark.slow
def test_uses_of_a_member_that_are_linked_to_nothing_are_shown_with_the_callers(tmp_path: Path) -> None:
    tax = "class Tax:\n    @property\n    def percentage(self):\n        return 19\n"
    source = f"{tax}\n\ndef show(tax):\n    return tax.percentage\n"
    (tmp_path / "tax.py").write_text(source, encoding="utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        text = indexer.explore("who calls Tax.percentage").text
    assert "## Uses of the name that are linked to nothing\ntax.py:8  tax.show" in text
    assert {7, 8} <= set(numbers(text, "tax.py"))


def test_a_long_note_is_cut_and_not_left_out(indexer: CodeIndexer) -> None:
    note = "a file changed on disk: " + ", ".join(f"folder/file{number}.py" for number in range(200))
    text = Explorer(indexer.store, None, indexer.settings).tour("add_tax", 500, note=note).text
    assert "- a file changed on disk: folder/file0.py" in text
    assert estimate_tokens(text) <= 500


def test_what_has_to_change_in_a_file_is_a_change_of_these_definitions(indexer: CodeIndexer) -> None:
    text = indexer.explore(
        "add_tax and apply_discount in shop/pricing.py have to change. What has to change with them?"
    ).text
    changed = text.partition("## Changed\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in changed.split("\n")] == ["shop/pricing.py:7", "shop/pricing.py:12"]


@pytest.mark.slow
def test_a_name_that_is_no_definition_is_shown_where_the_text_holds_it(tmp_path: Path) -> None:
    (tmp_path / "setup.h").write_text(
        "#ifdef FAST_BUILD\n#define HAVE_THREADS\n#endif\nint run(void);\n", encoding="utf-8"
    )
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
        text = indexer.explore("Where is FAST_BUILD defined?").text
    assert "## Lines that hold FAST_BUILD\nsetup.h:1" in text
    assert 1 in numbers(text, "setup.h")


OPTIONS = """\
#include "options.h"
static const struct option options[] = {
    {"dry-run", OPT_DRY_RUN},
    {"keep-going", OPT_KEEP_GOING},
};
int set_option(struct config *config, int option) {
    switch(option) {
    case OPT_DRY_RUN:
        config->dry_run = 1;
        break;
    case OPT_KEEP_GOING:
        config->keep_going = 1;
        break;
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeIndexer]:
    """Give the index of a program with options, settings, messages and a function that is too long."""
    root = tmp_path_factory.mktemp("options")
    (root / "options.c").write_text(OPTIONS, encoding="utf-8")
    (root / "README.md").write_text("# Options\n\n`--dry-run` changes nothing.\n", encoding="utf-8")
    (root / "settings.py").write_text(
        'PROXY = "APP_NO_PROXY"\n\n\n'
        'def wants_proxy(environ):\n    """Say whether APP_NO_PROXY is not set."""\n    return PROXY not in environ\n\n\n'
        "def connect(environ):\n    return wants_proxy(environ)\n\n\n"
        'def take(lock):\n    if lock.held:\n        raise OSError(f"{lock.path} is locked by {lock.owner} already")\n',
        encoding="utf-8",
    )
    steps = "\n".join(f"    if kind == {number}:\n        prepare_{number}(kind)" for number in range(240))
    (root / "giant.py").write_text(
        f"def dispatch(kind, parcel):\n    is_late = parcel.due < now()\n{steps}\n"
        "    if kind == 99:\n        if is_late:\n            return refund(parcel)\n    return parcel\n\n\n"
        "def refund(parcel):\n    return parcel.price\n\n\n"
        + "\n\n".join(f"def prepare_{number}(kind):\n    return kind\n" for number in range(240)),
        encoding="utf-8",
    )
    with CodeIndexer(root, workers=1) as opened:
        opened.index()
        yield opened


@pytest.mark.slow
def test_an_option_is_shown_where_it_is_handled_before_where_it_is_mentioned(options: CodeIndexer) -> None:
    text = options.explore("--dry-run").text
    assert text.index("options.c:3") < text.index("README.md:3")
    assert {3, 8, 9} <= set(numbers(text, "options.c"))


def test_an_example_of_what_to_add_is_a_checklist_of_its_places(options: CodeIndexer) -> None:
    text = options.explore("where do I add an option, such as --dry-run?").text
    listed = text[: text.index("### ")]
    for place in ("options.c:3", "options.c:8", "options.c:9", "README.md:3"):
        assert place in listed


def test_an_example_of_one_letter_is_looked_for_by_its_long_name(options: CodeIndexer) -> None:
    text = options.explore("where do I add an option, such as -n (dry run)?").text
    assert "options.c:3" in text[: text.index("### ")]


def test_marks_that_code_adds_itself_are_left_out(options: CodeIndexer) -> None:
    text = options.explore("where do I add an option, such as --keep_going?").text
    assert "options.c:4" in text[: text.index("### ")]


def test_what_holds_a_text_leads_to_the_code_that_acts_on_it(options: CodeIndexer) -> None:
    text = options.explore("APP_NO_PROXY").text
    assert "settings.PROXY is defined at settings.py:1, and is read by\nsettings.py:6  settings.wants_proxy" in text
    assert {1, 4, 6} <= set(numbers(text, "settings.py"))


def test_a_message_is_found_although_it_has_values_in_it(options: CodeIndexer) -> None:
    text = options.explore("OSError: /srv/a.lock is locked by 4711 already").text
    assert "## Lines that hold is locked by\nsettings.py:15" in text


def test_of_a_giant_function_a_question_shows_the_branch_it_is_about(options: CodeIndexer) -> None:
    text = options.explore("when does dispatch refund a parcel?", expect="dispatch refund parcel").text
    # The line, the branches that it stands in, and where the name in its condition gets its value.
    assert {1, 2, 483, 484, 485} <= set(numbers(text, "giant.py"))
    assert len(numbers(text, "giant.py")) < 60
    assert "→ giant.py:489  refund(parcel)" in text[: text.index("### ")]


def test_a_question_that_hardly_finds_anything_gets_candidates_without_source(options: CodeIndexer) -> None:
    text = options.explore("how are penguins migrated across the antarctic option glaciers?").text
    assert "## Candidates, without their source" in text
    assert not quoted(text)
    assert len(text) <= 4_000


def test_a_frame_of_another_version_means_the_function_that_it_names(indexer: CodeIndexer) -> None:
    trace = 'Traceback\n  File "/old/shop/orders.py", line 3, in place_order\n  File "/old/shop/cart.py", line 24, in total\n'
    text = indexer.explore(trace).text
    assert "line 3 is no longer in place_order, shop/orders.py:22" in text
    assert 22 in numbers(text, "shop/orders.py")


@pytest.mark.slow
def test_a_path_leads_to_the_place_that_keeps_a_function_to_be_called_later(tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text(
        "def report(text):\n    print(text)\n\n\n"
        "def connect(hub):\n    hub.handlers.append(report)\n\n\ndef main(hub):\n    connect(hub)\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path, workers=1) as opened:
        opened.index()
        text = opened.explore("main -> report").text
    assert "report is not called on the way, but kept to be called later" in text
    assert "called at jobs.py:6" in text
    assert {6, 10} <= set(numbers(text, "jobs.py"))


def test_the_tests_of_a_change_say_how_they_reach_it(indexer: CodeIndexer) -> None:
    text = indexer.explore_change("add_tax").text
    assert "## Tests that tell most, and why\n" in text
    assert "tests/test_cart.py:12  test_total_has_tax_and_shipping  (over shop.cart.Cart.total)" in text


@pytest.mark.slow
def test_the_same_question_gets_the_same_text_in_each_process(options: CodeIndexer) -> None:
    program = (
        "import sys\nfrom code_graph_indexer import CodeIndexer\n"
        "with CodeIndexer(sys.argv[1]) as indexer:\n"
        "    for query in ('when does dispatch refund a parcel?', '--dry-run', 'penguins of the option glaciers', 'no_such'):\n"
        "        print(indexer.explore(query).text)\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program, str(options.root)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1


def test_a_message_behind_the_name_of_an_error_is_no_question_of_what_changes(options: CodeIndexer) -> None:
    text = options.explore("wants_proxy: the parcel is locked by 4711 already").text
    assert "## Lines that hold is locked by" in text


@pytest.mark.slow
def test_a_path_leads_over_a_queue_with_that_step_as_possible(tmp_path: Path) -> None:
    (tmp_path / "bus.py").write_text(
        "import asyncio\n\n\n"
        "class Bus:\n"
        "    def __init__(self):\n"
        "        self.inbound = asyncio.Queue()\n\n"
        "    async def publish(self, message):\n"
        "        await self.inbound.put(message)\n\n"
        "    async def consume(self):\n"
        "        return await self.inbound.get()\n"
    )
    (tmp_path / "loop.py").write_text(
        "from bus import Bus\n\n\n"
        "async def receive(bus: Bus):\n"
        '    await bus.publish("hello")\n\n\n'
        "async def run(bus: Bus):\n"
        "    dispatch(await bus.consume())\n\n\n"
        "def dispatch(message):\n"
        "    print(message)\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("receive -> dispatch").text
    assert "handed over in bus.Bus.inbound)  called at bus.py:9" in text
    assert "run(bus: Bus)  (possible: takes it with this call)  called at loop.py:9" in text


@pytest.mark.slow
def test_a_checklist_has_what_is_named_as_the_example_and_who_reads_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        'USAGE = "--seq  parse a sequence"\n'
        "SEQ = 1\n\n\n"
        "def read(word, options):\n"
        '    if word == "seq":\n'
        "        options |= SEQ\n"
        "    return options\n\n\n"
        "def write(options):\n"
        "    return options & SEQ\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("where do I add an option, such as --seq?").text
    assert 'main.py:6  if word == "seq":' in text
    assert {1, 2, 6, 7, 12} <= set(numbers(text, "main.py"))


@pytest.mark.slow
def test_an_answer_has_the_values_of_the_constants_that_its_lines_read(tmp_path: Path) -> None:
    (tmp_path / "retry.py").write_text(
        "COOLDOWN = 60\n" + "# filler\n" * 60 + "def is_primary_available(age):\n    return age >= COOLDOWN\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("when is the primary available again?", expect="primary available").text
    assert {1, 62, 63} <= set(numbers(text, "retry.py"))


@pytest.mark.parametrize(
    "trace",
    [
        "FAILED shop/cart.py::Cart::total - AssertionError",
        "shop/cart.py(24,9): error TS2304: Cannot find name",
        "Error: x\n    at total (webpack://shop/./shop/cart.py?1a2b:24:9)",
        "/srv/shop/cart.py\n  24:9  error  'x' is never used  no-unused-vars",
    ],
)
def test_places_are_read_from_test_runs_compilers_and_bundlers(indexer: CodeIndexer, trace: str) -> None:
    tour = indexer.explore(trace)
    assert tour.text.splitlines()[1].startswith("1 places of 1 are in the index.")
    assert 24 in numbers(tour.text, "shop/cart.py")


def test_a_trace_of_elsewhere_says_so_and_is_short(indexer: CodeIndexer) -> None:
    trace = "Uncaught TypeError: n is not a function\n    at r (index-BqY3.js:2:18734)\n    at t (index-BqY3.js:2:991)"
    text = indexer.explore(trace).text
    assert text.splitlines()[1] == "None of the files named is in the index: index-BqY3.js."
    assert len(text) < 4_000


@pytest.mark.slow
def test_a_checklist_quotes_the_function_that_a_line_registers(tmp_path: Path) -> None:
    (tmp_path / "table.py").write_text(
        "from shapes import draw_circle\n\nSHAPES = {\n    'circle': draw_circle,\n}\n", encoding="utf-8"
    )
    (tmp_path / "shapes.py").write_text("def draw_circle(pen):\n    pen.arc(360)\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# Shapes\n\n## `circle`\n\nA round one.\n", encoding="utf-8")
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("where do I add a shape, such as circle?").text
    assert {1, 2} <= set(numbers(text, "shapes.py"))


@pytest.mark.slow
def test_the_flow_names_no_callees_that_are_called_from_everywhere(tmp_path: Path) -> None:
    callers = "\n\n".join(f"def caller_{number}(kind):\n    return clean(kind)\n" for number in range(9))
    (tmp_path / "mail.py").write_text(
        f"def clean(text):\n    return text\n\n\n{callers}\n\ndef post(letter):\n    return seal(clean(letter))\n\n\n"
        "def seal(letter):\n    return letter\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        listed = opened.explore("post, caller_1").text.partition("###")[0]
    assert "also calls seal mail.py" in listed
    assert "also calls clean" not in listed


@pytest.mark.slow
def test_a_path_leads_over_a_function_that_is_kept_as_a_value_or_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "bell.py").write_text(
        "class Bell:\n"
        "    def set_ring_callback(self, callback):\n        self.ring_callback = callback\n\n"
        "    def press(self, hooks):\n        ring_callback = self.ring_callback\n        ring_callback(self)\n"
        '        emit(hooks, "door_open")\n\n\n'
        "def emit(hooks, signal):\n    for hook in hooks:\n        getattr(hook, 'after_' + signal)()\n",
        encoding="utf-8",
    )
    (tmp_path / "house.py").write_text(
        "def wire(bell):\n    bell.set_ring_callback(wake)\n    bell.configure(sleep)\n\n\n"
        "def wake(bell):\n    print(bell)\n\n\ndef sleep(bell):\n    print(bell)\n\n\n"
        "class Light:\n    def after_door_open(self):\n        print('on')\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        ring = opened.explore("Bell.press -> wake").text
        light = opened.explore("Bell.press -> Light.after_door_open").text
        unrelated = opened.explore("Bell.press -> sleep").text
    assert "house.py:6  wake(bell)  (possible: kept as a value at house.py:2, called as ring_callback)" in ring
    assert {2, 6} <= set(numbers(ring, "house.py"))
    assert "(possible: its name has 'door_open')  called at bell.py:8" in light
    assert "possible: kept" not in unrelated


@pytest.mark.slow
def test_a_path_leads_over_a_queue_that_two_classes_hold(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "class Reader:\n    def __init__(self, work_queue):\n        self.work_queue = work_queue\n\n"
        "    def read(self, message):\n        self.work_queue.put(message)\n\n\n"
        "class Worker:\n    def __init__(self, work_queue):\n        self.work_queue = work_queue\n\n"
        "    def run(self):\n        message = self.work_queue.get(timeout=1)\n        self.handle(message)\n\n"
        "    def handle(self, message):\n        print(message)\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("Reader.read -> Worker.handle").text
    assert "Worker.run(self)  (possible: handed over in work.Reader.work_queue)  called at work.py:6" in text


@pytest.mark.slow
def test_the_tests_that_tell_most_are_run_by_themselves(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("def total(prices):\n    return sum(prices)\n", encoding="utf-8")
    (tmp_path / "test_cart.py").write_text(
        "from cart import total\n\n\ndef checked(prices):\n    return total(prices) > 0\n\n\n"
        "def test_total():\n    assert total([1]) == 1\n\n\ndef test_sign():\n    assert checked([1])\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("what breaks if total changes").text
    telling = text.partition("## Tests that tell most, and why\n")[2].partition("\n\n")[0].split("\n")
    assert telling == ["test_cart.py:9  test_total  (calls it)", "test_cart.py:13  test_sign  (over test_cart.checked)"]


@pytest.mark.slow
def test_what_breaks_shows_who_does_the_work_and_how_it_comes_to_each_call(tmp_path: Path) -> None:
    (tmp_path / "ids.py").write_text(
        "def new_id(path):\n    return _made(path, False)\n\n\ndef _made(path, lower):\n    return hash(path)\n",
        encoding="utf-8",
    )
    (tmp_path / "shop.py").write_text(
        "from ids import new_id\n\n\ndef add(path):\n    if path.exists():\n        name = path.name\n"
        "        return new_id(name)\n",
        encoding="utf-8",
    )
    (tmp_path / "test_ids.py").write_text(
        "from ids import new_id\n\n\ndef test_new_id():\n    assert new_id('a')\n", encoding="utf-8"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("what breaks if new_id changes").text
    assert {1, 2, 5, 6} <= set(numbers(text, "ids.py"))
    assert {4, 5, 6, 7} <= set(numbers(text, "shop.py"))
    assert text.index("### shop.py") < text.index("### test_ids.py")


@pytest.mark.slow
def test_a_message_that_is_made_at_two_places_is_shown_at_both(tmp_path: Path) -> None:
    (tmp_path / "door.py").write_text(
        "def refuse(reason):\n    log(f'Rejected visitor at {gate()}: {reason}')\n\n\n"
        "def enter(house):\n    if house.full:\n        refuse(f'House is full (max {house.most} guests)')\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("Rejected visitor at 4: House is full (max 100 guests)").text
    assert {2, 7} <= set(numbers(text, "door.py"))


@pytest.mark.slow
def test_only_the_value_that_gets_a_text_is_said_to_be_written_with_it(tmp_path: Path) -> None:
    (tmp_path / "flags.py").write_text(
        "class Flag:\n"
        "    mark: str\n"
        "    name: str\n"
        "    usage: str\n\n\n"
        "def fill(flag: Flag):\n"
        '    flag.mark = "mark"\n'
        '    flag.name = "compress-all"; flag.usage = "pack"\n'
        "    flag.usage = (\n"
        '        "compress-wide")\n\n\n'
        "def show(flag: Flag):\n"
        "    return flag.mark + flag.name + flag.usage\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        every = opened.explore("where do I add a flag, such as compress-all?").text
        wide = opened.explore("where do I add a flag, such as compress-wide?").text
    assert re.findall("^## (.*)", every, re.M)[1:] == ["flags.Flag.name is written at flags.py:9, and is read by"]
    assert re.findall("^## (.*)", wide, re.M)[1:] == ["flags.Flag.usage is written at flags.py:10, and is read by"]


@pytest.mark.slow
def test_a_guessed_call_is_shown_as_possible(tmp_path: Path) -> None:
    (tmp_path / "relay.py").write_text(
        "class Relay:\n"
        "    def forward_parcel(self, parcel):\n"
        "        return parcel\n\n\n"
        "def deliver_parcel(parcel, relay):\n"
        "    return relay.forward_parcel(check_parcel(parcel))\n\n\n"
        "def check_parcel(parcel):\n"
        "    return parcel\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("how is a parcel delivered?", expect="deliver forward check parcel").text
    assert "forward_parcel(self, parcel)  (possibly called in line 7)" in text
    assert "check_parcel(parcel)  (called in line 7)" in text


@pytest.mark.slow
def test_the_best_function_is_whole_with_what_its_conditions_depend_on(tmp_path: Path) -> None:
    steps = "".join(f"        note_{number} = parcel.field_{number} + {number}\n" for number in range(90))
    (tmp_path / "depot.py").write_text(
        "class Depot:\n"
        "    def __init__(self, max_parcels: int = 40, limit=None):\n"
        "        self.max_parcels = max_parcels\n"
        "        self.due = limit\n\n"
        "    def store_parcel(self, parcel):\n"
        f"{steps}"
        "        if unfit(parcel):\n"
        "            return None\n"
        "        if len(self.rows) > self.max_parcels:\n"
        "            return None\n"
        "        return self.rows\n"
    )
    (tmp_path / "rules.py").write_text("def unfit(case):\n    return case.weight > 30\n")
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("when does the depot refuse to store a parcel?", expect="store parcel depot").text
    assert set(range(6, 102)) <= set(numbers(text, "depot.py"))
    assert 2 in numbers(text, "depot.py")


@pytest.mark.slow
def test_a_copy_of_what_is_quoted_takes_no_room(tmp_path: Path) -> None:
    body = "".join(f"    rows = select(rows, {number}, 'step {number} of the report')\n" for number in range(20))
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(f"def build_report(rows):\n{body}    return '{name}', rows\n")
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("how is a report built?", expect="build report rows").text
    whole = [name for name in ("first", "second") if len(numbers(text, f"{name}.py")) == 22]
    assert len(whole) == 1


@pytest.mark.slow
def test_what_nothing_known_calls_is_shown_where_its_name_stands(tmp_path: Path) -> None:
    (tmp_path / "timer.py").write_text(
        "class Server:\n"
        "    def check_silence(self):\n"
        "        return self.rows\n\n\n"
        "def start(timer, server):\n"
        "    timer.bind('check_silence', server, seconds=15)\n"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("when is silence checked?", expect="check silence").text
    assert "check_silence is linked; its name stands at\ntimer.py:7" in text
    assert {6, 7} <= set(numbers(text, "timer.py"))


@pytest.mark.slow
def test_a_checklist_has_the_names_that_are_made_of_a_word(tmp_path: Path) -> None:
    (tmp_path / "senders.py").write_text(
        "def send(entry, settings):\n"
        + "    entry.mark()\n" * 30
        + "    if settings.rowanEnabled:\n        RowanClient(settings.rowan_url).add(entry)\n"
    )
    (tmp_path / "settings.py").write_text("class Form:\n    rowan_url = ''\n    ROWAN_KEY = ''\n    prowand = ''\n")
    (tmp_path / "trees.py").write_text('TREES = ["oak",\n    "rowan",\n]\n')
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore(
            "where do I add another client that entries are sent to, such as rowan?",
            expect="send entry client settings",
        ).text
    listed = text[: text.index("### ")]
    # The lines below each other are one place, and the list of trees has no other word of the question.
    assert listed.index("senders.py:32") < listed.index("settings.py:2") < listed.index("trees.py:2")
    assert "settings.py:3" not in listed
    assert {32, 33} <= set(numbers(text, "senders.py"))


@pytest.mark.slow
def test_a_test_among_code_comes_behind_the_code(tmp_path: Path) -> None:
    tests = "".join(f"    fn pack_parcel_twice_{number}() {{\n        run(1);\n    }}\n" for number in range(12))
    (tmp_path / "lib.rs").write_text(f"mod tests {{\n{tests}}}\n\npub fn pack_box(n: u32) -> u32 {{\n    n + 1\n}}\n")
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("how is a parcel packed twice?", expect="pack parcel box twice").text
    assert text.index("pack_box(n: u32)") < text.index("pack_parcel_twice_")


@pytest.mark.slow
def test_a_caller_shows_the_branch_that_its_condition_opens_and_the_default_by_name(tmp_path: Path) -> None:
    (tmp_path / "sync.py").write_text(
        "class Settings:\n"
        "    def __init__(self, table):\n"
        "        self.frequency = table.get('frequency')\n\n"
        "    def is_due(self, age):\n"
        "        return age > self.frequency\n"
    )
    (tmp_path / "end.py").write_text(
        "from sync import Settings\n\n\n"
        "def finish(settings: Settings, age):\n"
        + "    age = age + 1\n" * 20
        + "    if settings.is_due(age):\n"
        + "".join(f"        step_{number}()\n" for number in range(9))
    )
    (tmp_path / "defaults.py").write_text("def defaults(table):\n    table.set('frequency', 'often')\n")
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("when is a sync due?", expect="is_due frequency settings").text
    assert set(range(25, 35)) <= set(numbers(text, "end.py"))
    assert 2 in numbers(text, "defaults.py")
