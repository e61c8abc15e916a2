"""Answers: what the deciding lines depend on, what a framework calls, and when a doubt is said."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.sources import SourceFiles
from code_graph_indexer.explore.topic import Topic
from code_graph_indexer.explore.values import quote_entry
from tests.explore.test_tour import numbers
from tests.indexing.repository import write_tree

TABLES = {
    "table.py": "TABLE = [\n    ('login_retries', {\n        'value': '15',\n        'help': 'x'}),\n]\n",
    "table.go": 'package shop\n\nvar table = map[string]Entry{\n\t"login_retries": {\n\t\tvalue: 15,\n\t},\n}\n',
    "table.js": "export const table = {\n  'login_retries': 15,\n};\n",
    "table.cpp": 'static Table table = {\n\t{"login_retries", Entry("15", INT)},\n};\n',
    "table.rb": "TABLE = {\n  'login_retries' => 15,\n}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", TABLES)
def test_the_default_of_a_setting_is_the_entry_of_a_table_and_no_read_of_it(tmp_path: Path, path: str) -> None:
    readers = "".join(f"def read_{n}(table):\n    return table.get('login_retries', {n})\n\n\n" for n in range(3))
    write_tree(tmp_path, {path: TABLES[path], "readers.py": readers})
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        page = Page(SourceFiles(opened.store, None), 1_000, "# x", Topic(""))
        assert quote_entry(page, opened.store, "login_retries")
    assert "15" in page.text()
    assert [place.path for place in page.places] == [path]


@pytest.mark.slow
def test_a_text_that_hands_on_a_variable_is_no_default(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {"page.py": "def show(login_retries):\n    return {\n        'login_retries': login_retries,\n    }\n"},
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        page = Page(SourceFiles(opened.store, None), 1_000, "# x", Topic(""))
        assert not quote_entry(page, opened.store, "login_retries")


@pytest.mark.slow
def test_callees_with_words_of_the_question_come_before_further_results(tmp_path: Path) -> None:
    reports = "\n\n".join(
        f"def report_conditions_{number}(filters):\n"
        + f"    # conditions of the filters of a report\n    note = {number}\n" * 30
        + f"    return [filter_condition(name) for name in filters]{'  # of a warehouse' * (not number)}\n"
        for number in range(14)
    )
    steps = "".join(f"    part_{number} = name + {number}\n" for number in range(30))
    query = "# filler\n" * 120 + f"def filter_condition(name):\n{steps}    return part_1\n"
    write_tree(tmp_path, {"reports.py": f"from query import filter_condition\n\n\n{reports}", "query.py": query})
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        question, words = "how do filters of a report become conditions?", "report filters conditions warehouse"
        text = opened.explore(question, expect=words).text
    assert set(range(121, 153)) <= set(numbers(text, "query.py"))


@pytest.mark.slow
def test_a_checklist_has_the_shorter_name_that_stands_beside_the_example(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "server.go": 'package shop\n\nfunc read(r R) string {\n\treturn param(r, "x-icon", "icon")\n}\n',
            "flags.go": 'package shop\n\nvar flags = []Flag{\n\t{Name: "icon", Usage: "an address"},\n}\n',
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("where do I add a parameter, such as x-icon?").text
    assert "flags.go:4" in text[: text.index("### ")]


QT = {
    "cart.h": "#include <QObject>\nclass Cart : public QObject {\n\tQ_OBJECT\npublic:\n\tvoid add(int id);\nsignals:\n"
    "\tvoid cartFilled(int id);\n};\n",
    "cart.cpp": '#include "cart.h"\nvoid Cart::add(int id) {\n\temit cartFilled(id);\n}\n',
    "page.h": "#include <QObject>\nclass Cart;\nclass Page : public QObject {\n\tQ_OBJECT\npublic:\n\tPage(Cart *cart);\n"
    "public slots:\n\tvoid showCart(int id);\n};\n",
    "page.cpp": '#include "page.h"\n#include "cart.h"\nPage::Page(Cart *cart) {\n'
    "\tconnect(cart, SIGNAL(cartFilled(int)), this, SLOT(showCart(int)));\n}\n\nvoid Page::showCart(int id) {\n}\n",
}
PYTHON = {
    "signals.py": "from django.dispatch import Signal\n\ncart_filled = Signal()\n",
    "page.py": "from signals import cart_filled\n\n\ndef showCart(sender):\n    pass\n\n\n"
    "def setup():\n    cart_filled.connect(showCart)\n",
    "cart.py": "from signals import cart_filled\n\n\ndef add():\n    cart_filled.send(None)\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("tree", [QT, PYTHON], ids=["qt", "django"])
def test_a_place_that_registers_a_function_is_no_call_of_it(tmp_path: Path, tree: dict[str, str]) -> None:
    write_tree(tmp_path, tree)
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        users = opened.explore("who calls showCart").text
        around = opened.explore("showCart").text
        path = opened.explore("add -> showCart").text
    assert "callers: 1 registered for a framework to call it, 1 guessed by name" in users
    assert "is registered, and not called, at\npage." in users
    assert "(registered here)" in around
    assert "No path of calls is known" not in path


@pytest.mark.slow
def test_of_a_function_and_its_prototype_the_function_is_quoted(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "parcel.h": "// filler\n" * 60 + "int weigh_parcel(int grams);\n",
            "parcel.c": '#include "parcel.h"\n\nint weigh_parcel(int grams) {\n\treturn grams / 1000;\n}\n',
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("how is a parcel weighed?", expect="weigh parcel grams").text
    assert {3, 4, 5} <= set(numbers(text, "parcel.c"))
    assert not numbers(text, "parcel.h")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("are_joined", "expect", "is_said"),
    [
        (False, "parcel step carrier", True),
        (True, "parcel step carrier", False),
        (False, "parcel step", False),
    ],
)
def test_a_doubt_is_said_of_definitions_that_lack_words_and_hardly_call_one_another(
    tmp_path: Path, are_joined: bool, expect: str, is_said: bool
) -> None:
    def step(number: int) -> str:
        if not are_joined:
            steps = "".join(f"    parcel = parcel + {number} * {line}\n" for line in range(60))
            return f"def parcel_step_{number}(parcel):\n{steps}    return parcel\n"
        behind = f"parcel_step_{number + 1}"
        return f"from part_{number + 1} import {behind}\n\n\ndef parcel_step_{number}(parcel):\n    return {behind}(parcel)\n"

    write_tree(tmp_path, {f"part_{number}.py": step(number) for number in range(9)})
    write_tree(tmp_path, {"part_9.py": "def parcel_step_9(parcel):\n    return parcel\n"})
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("which step does a parcel take?", expect=expect).text
    assert ("Not sure" in text) is is_said
    if is_said:
        assert "Words of this code that may help, in `expect`: parcel step" in text
        assert len(text) <= 4_000


@pytest.mark.slow
def test_what_decides_whether_a_message_is_said_is_quoted(tmp_path: Path) -> None:
    check = "def matches_blocked(path, patterns):\n    return next((one for one in patterns if one in path), None)\n"
    steps = "".join(f"    path = path.replace('{number}', '')\n" for number in range(40))
    said = (
        '    if matches_blocked(path, ["key"]):\n        return f"mount rejected: {path} is blocked"\n    return ""\n'
    )
    write_tree(tmp_path, {"mounts.py": f"{check}\n\ndef validate(path):\n{steps}{said}"})
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("mount rejected: /home/key is blocked").text
    assert {1, 2} <= set(numbers(text, "mounts.py"))


@pytest.mark.slow
def test_a_value_is_quoted_with_the_comment_above_it_and_a_call_with_its_arguments(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "limits.py": "FILLER = 1\n" * 20
            + "\n# The most parcels of a van.\n# A bigger van needs a licence.\nMOST_PARCELS = 40\n",
            "van.py": "from limits import MOST_PARCELS\n\n\ndef load_van(parcels, *, is_late):\n"
            "    return parcels[:MOST_PARCELS]\n\n\ndef leave(parcels):\n    return load_van(\n"
            "        parcels,\n        is_late=True,\n    )\n",
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        changed = opened.explore("what breaks if MOST_PARCELS changes").text
        callers = opened.explore("who calls load_van?").text
    assert numbers(changed, "limits.py") == [22, 23, 24]
    assert {8, 9, 10, 11} <= set(numbers(callers, "van.py"))


@pytest.mark.slow
def test_the_function_around_the_only_place_of_a_message_is_whole_and_so_is_who_reads_a_list(tmp_path: Path) -> None:
    steps = "".join(f"    parcel.step_{number}()\n" for number in range(32))
    write_tree(
        tmp_path,
        {
            "van.py": f"def load_van(parcel):\n{steps}    if parcel.late:\n"
            '        raise ValueError("no parcel is this late")\n',
            "ways.py": 'WAYS = [\n    "by-van",\n    "by-bike",\n]\n\n\ndef way_of(parcel):\n'
            + "".join(f"    parcel.look_{number}()\n" for number in range(22))
            + "    return WAYS[parcel.way]\n",
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        message = opened.explore("no parcel is this late").text
        checklist = opened.explore("where do I add another way, such as by-bike?").text
    assert numbers(message, "van.py") == list(range(1, 36))
    assert set(range(7, 31)) <= set(numbers(checklist, "ways.py"))


@pytest.mark.slow
def test_a_message_in_an_attribute_is_code_and_no_comment(tmp_path: Path) -> None:
    variants = "".join(
        f'    #[error("parcel {{id}} {what}")]\n    {name} {{ id: u64 }},\n'
        for name, what in (("Heavy", "weighs more than the cart holds"), ("Lost", "was never handed over"))
    )
    write_tree(
        tmp_path,
        {
            "src/cart.rs": f"use thiserror::Error;\n\n#[derive(Error, Debug)]\npub enum CartError {{\n{variants}}}\n",
            "src/notes.rs": "// A parcel was never seen to be handed on.\npub fn note() {}\n",
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("I get `parcel 7 was never handed over` at the door. Who says so, and why?").text
    assert "## Lines that hold was never handed over\nsrc/cart.rs:7" in text
    assert {7, 8} <= set(numbers(text, "src/cart.rs"))


@pytest.mark.slow
def test_a_question_is_answered_beyond_the_text_that_it_quotes(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "menu.py": 'ENTRIES = ["new page", "old page"]\n',
            "sidebar.py": "def broadcast_tree(members, page):\n    for member in members:\n        if member.may_see(page):\n"
            "            member.send(page)\n",
        },
    )
    question = (
        "After a click on 'new page', who sends the message to the sidebar of other members, and who is left out?"
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        tour = opened.explore(question, expect="broadcast tree members may_see send page")
    assert tour.route == "phrase"
    assert numbers(tour.text, "menu.py") == [1]
    assert {1, 3, 4} <= set(numbers(tour.text, "sidebar.py"))


@pytest.mark.slow
def test_a_question_is_answered_beyond_the_places_of_its_trace(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "guard.py": "def handle(request):\n    raise ValueError('Too many requests')\n",
            "limits.py": "# How many attempts to log in are allowed, and in which time.\n"
            "LOGIN_ATTEMPTS = 5\nLOGIN_SECONDS = 60\n\n\ndef counter_key(user):\n    return f'attempts:{user}'\n",
        },
    )
    trace = 'Traceback (most recent call last):\n  File "guard.py", line 2, in handle\nValueError: Too many requests\n'
    question = "How many attempts to log in are allowed in which time, and where is the counter of attempts kept?"
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        tour = opened.explore(f"{trace}{question}", expect="login attempts seconds counter key")
    assert tour.route == "trace"
    assert 2 in numbers(tour.text, "guard.py")
    assert {6, 7} <= set(numbers(tour.text, "limits.py"))


@pytest.mark.slow
def test_an_expected_word_that_hardly_any_code_has_is_shown(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "store.py": "def store_document(document):\n    text = document.text()\n    save_document(document, text)\n\n\n"
            "def save_document(document, text):\n    document.write(text)\n",
            "server.py": "OPTIONS = {\n    'port': 80,\n    'wait': {\n        'maxDebounce': 45,\n    },\n}\n"
            + "PORTS = [1]\n" * 30,
        },
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore(
            "how often is the text of a document stored?", expect="store document maxDebounce save"
        ).text
    assert {1, 2, 3} <= set(numbers(text, "store.py"))
    assert {3, 4} <= set(numbers(text, "server.py"))


@pytest.mark.slow
def test_what_a_decorator_registers_is_not_called_there(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.post('/files')\ndef upload_file():\n"
        "    raise ValueError('File too large. Exceeds the limit')\n\n\ndef again():\n    return upload_file()\n",
        encoding="utf-8",
    )
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        text = opened.explore("File too large. Exceeds the limit").text
    assert "## Callers of app.upload_file\napp.py:12  app.again\n" in text


@pytest.mark.slow
def test_a_frame_of_an_installed_package_is_made_of_no_file_here(tmp_path: Path) -> None:
    write_tree(
        tmp_path, {"src/guard.ts": "export class Guard {\n  handleRequest(user: User) {\n    return user;\n  }\n}\n"}
    )
    trace = "Error: Too many requests\n    at ThrottlerGuard.handleRequest (node_modules/throttler/dist/throttler.js:96:13)\n"
    with CodeIndexer(tmp_path) as opened:
        opened.index()
        assert "is made of" not in opened.explore(trace).text
        bundled = trace.replace("node_modules/throttler/dist/throttler.js", "dist/bundle.js")
        assert "bundle.js is made of src/guard.ts" in opened.explore(bundled).text
