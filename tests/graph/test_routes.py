"""Each framework's file finds what its fixture registers, in full builds and in updates."""

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer, Route, UsageError, render
from code_graph_indexer.languages import frameworks
from code_graph_indexer.storage import Store, open_store
from code_graph_indexer.storage.sqlite import connect
from code_graph_indexer.syntax.registrations import KINDS, PARTS, PREFIX
from tests.indexing.repository import index, indexed, write_tree

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "frameworks"
FOLDERS = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
EDGES = """
select s.qualified_name || ' calls ' || t.qualified_name || ' ' || r.confidence from refs as r
join chunks as s on s.id = r.source_id join chunks as t on t.id = r.target_id where r.origin = 'framework'
order by 1
"""


def listing(root: Path) -> str:
    """Write what the frameworks of an indexed folder call: the answer of `cgi routes`, the edges, and what seems unused."""
    with CodeIndexer(root, db=root / "index.db", update=False) as indexer:
        text = render.routes([*indexer.graph.routes(tests=True), *many(indexer)])
        unused = [f"unused {entry.symbol.qualified_name}" for entry in indexer.graph.unused(min_confidence=0.6)]
    edges = [edge for (edge,) in connect(root / "index.db").execute(EDGES)]
    return "\n".join([text.strip(), "", *edges, *sorted(unused), ""])


def many(indexer: CodeIndexer) -> list[Route]:
    """List the fixtures and dependencies, which are left out if nobody asks for them."""
    kinds = {row.kind for row in indexer.store.registrations()}
    return [
        route
        for kind in ("dependency", "fixture", "program", "provider")
        if kind in kinds
        for route in indexer.graph.routes(kind=kind, tests=True)
    ]


def test_every_framework_has_a_fixture() -> None:
    assert {name.partition("_")[0] for name in frameworks()} == {name.partition("_")[0] for name in FOLDERS}


def test_every_capture_of_a_framework_has_a_meaning() -> None:
    captures = {
        capture
        for framework in frameworks().values()
        for line in framework.query.splitlines()
        if not line.startswith(";")
        for capture in re.findall(r"(?<!\[)@([a-z][\w.]*)", line)
    }
    kinds = {capture.removeprefix(PREFIX) for capture in captures if capture.startswith(PREFIX)}
    assert kinds <= KINDS.keys()
    assert {capture for capture in captures if not capture.startswith(PREFIX)} <= PARTS.keys()


@pytest.mark.parametrize("name", FOLDERS)
def test_what_a_fixture_registers_matches_its_golden_file(name: str, tmp_path: Path, update_golden: bool) -> None:
    root, golden = tmp_path / name, FIXTURES / f"{name}.golden"
    shutil.copytree(FIXTURES / name, root)
    index(root, root / "index.db")
    text = listing(root)
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


APP = {
    "settings.py": "PREFIX = '/v1'\n",
    "app.py": "from flask import Flask\nfrom settings import PREFIX\nfrom views import carts, show\n\napp = Flask(__name__)\n"
    "app.register_blueprint(carts, url_prefix=PREFIX + '/carts')\napp.add_url_rule('/show', view_func=show)\n",
    "views.py": "from flask import Blueprint\n\ncarts = Blueprint('carts', __name__, url_prefix='/own')\n\n\n"
    "@carts.route('/<int:number>')\ndef cart(number):\n    return number\n\n\ndef show():\n    return 1\n",
    "signals.py": "from django.dispatch import Signal, receiver\n\npaid = Signal()\n\n\n"
    "@receiver(paid)\ndef mail(sender):\n    pass\n",
    "pay.py": "from signals import paid\n\n\ndef pay():\n    paid.send(None)\n",
}
CHANGES = [
    {"views.py": APP["views.py"].replace("'/<int", "'/one/<int").replace("def show", "def display")},
    {"views.py": APP["views.py"]},
    {"settings.py": "# The version of the interface.\nLIMIT = 3\nPREFIX = '/v2'\n"},
    {"settings.py": "LIMIT = 3\n"},
    {"signals.py": "# nothing listens\n"},
    {"signals.py": APP["signals.py"].replace("def mail", "def letter")},
]


def tables(store: Store) -> list[tuple[str, list[str]]]:
    """List the rows of each table in an order that no id decides."""
    return [(name, sorted(map(repr, rows))) for name, rows in store.contents()]


def test_an_update_gives_what_a_full_build_gives(tmp_path: Path) -> None:
    root = indexed(tmp_path / "updated", APP)
    listings = [listing(root)]
    files = dict(APP)
    for number, change in enumerate(CHANGES):
        files |= change
        write_tree(root, change)
        index(root, root / "index.db")
        full = indexed(tmp_path / f"full{number}", files)
        with closing(open_store(root / "index.db")) as updated, closing(open_store(full / "index.db")) as fresh:
            assert tables(updated) == tables(fresh)
        listings.append(listing(root))
    assert "GET /v1/carts/<int:number>" in listings[0]
    assert "GET /v1/carts/one/<int:number>" in listings[1]
    assert "GET /v2/carts/<int:number>" in listings[3]
    assert "GET /{?}/carts/<int:number>" in listings[4]
    assert "signals.mail" in listings[0]
    assert "signals.mail" not in listings[5]
    assert "pay.pay calls signals.letter" in listings[6]


@pytest.fixture
def app(tmp_path: Path) -> CodeIndexer:
    """Index a small application."""
    root = indexed(tmp_path / "app", APP)
    return CodeIndexer(root, db=root / "index.db", update=False)


def test_routes_are_filtered(app: CodeIndexer) -> None:
    assert [route.name for route in app.graph.routes("carts")] == ["/v1/carts/<int:number>"]
    assert [route.name for route in app.graph.routes(kind="listener")] == ["paid"]
    assert {route.file_path for route in app.graph.routes(framework="flask")} == {"app.py", "views.py"}
    assert app.graph.routes(path="nowhere") == []


def test_an_unknown_kind_names_the_kinds_of_the_index(app: CodeIndexer) -> None:
    with pytest.raises(UsageError, match="no kind 'rout'; it has listener, route"):
        app.graph.routes(kind="rout")


def test_a_handler_has_its_framework_as_caller_and_is_not_unused(app: CodeIndexer) -> None:
    (callers,) = app.graph.callers("cart")
    assert [(step.symbol.file_path, step.line) for step in callers.steps] == [("views.py", 6)]
    assert not {"cart", "show", "mail"} & {entry.symbol.name for entry in app.graph.unused(min_confidence=0.1)}


def test_tests_that_start_a_program_reach_all_that_it_runs(tmp_path: Path) -> None:
    steps = "\n".join(f"def step{number}():\n    step{number + 1}()\n" for number in range(12))
    files = {
        "shop/__init__.py": "",
        "shop/__main__.py": "from shop.cart import step0\n\nstep0()\n",
        "shop/cart.py": f"{steps}\ndef step12():\n    pass\n\n\ndef unrelated():\n    pass\n",
        "tests/test_cli.py": "import subprocess\n\n\ndef test_sells():\n"
        "    subprocess.run(['python', '-m', 'shop'], check=True)\n",
        "tests/test_cart.py": "from shop.cart import step12\n\n\ndef test_step():\n    step12()\n",
    }
    root = indexed(tmp_path, files)
    with CodeIndexer(root, db=root / "index.db", update=False) as indexer:
        # With the graph in memory, the answer is the same.
        for _ in range(2):
            assert indexer.graph.impact("step12").tests == ("tests/test_cart.py", "tests/test_cli.py")
            assert indexer.graph.impact("unrelated").tests == ()
            indexer.store.graph_arrays(load=True)


def test_a_route_of_which_nothing_is_known_is_none(tmp_path: Path) -> None:
    source = (
        'package shop\n\nimport "net/http"\n\nfunc show(w http.ResponseWriter, r *http.Request) {}\n\n'
        "func serve(mux *http.ServeMux, path string, log Log, record Record) {\n"
        "\tmux.Handle(path, show)\n\tlog.Handle(path, record)\n\tmux.Handle(PATH, unknown)\n}\n\n"
        'const PATH = "/carts"\n'
    )
    root = indexed(tmp_path, {"shop.go": source})
    with closing(open_store(root / "index.db")) as store:
        rows = [(row.kind, row.name, row.line) for row in store.registrations() if row.kind == "route"]
    assert rows == [("route", "/{?path}", 8), ("route", "/{?PATH}", 10)]
