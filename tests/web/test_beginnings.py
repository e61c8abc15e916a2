"""The beginnings of programs: what manifests, names and calls at the top of a file say, and what frameworks start."""

import re
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.folders import dependencies
from code_graph_indexer.web.beginnings import DECLARED, DOOR, MAIN, SCRIPT, beginnings, product_code
from tests.indexing.repository import index, write_tree
from tests.web.conftest import served

pytestmark = pytest.mark.slow


def begun(folder: Path, files: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return where programs begin in a tree: why, the definition or file, and the place that says so."""
    root = write_tree(folder / "app", files)
    index(root, folder / "index.db")
    with CodeIndexer(root, db=folder / "index.db", update=False) as indexer:
        store = indexer.store
        code = product_code(store, {file.path: file for file in store.files()})
        return [
            (beginning.kind, beginning.symbol.qualified_name, f"{beginning.file_path}:{beginning.line}")
            for beginning in beginnings(store, dependencies(store), code)
        ]


def tour_of(folder: Path, files: dict[str, str]) -> str:
    """Return the main way of the tour of a tree, as text without marks."""
    root = write_tree(folder / "app", files)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as site:
        way = site.text("/tour").partition("The main way</h2>")[2].partition("<section")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", way).split())


def test_a_manifest_comes_before_names_and_these_before_files_that_nobody_imports(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project.scripts]\nshop = "shop.cli:sell"\n',
        "shop/cli.py": "def sell():\n    pass\n",
        "shop/work.py": "def main():\n    pass\n",
        "shop/__main__.py": "from shop.cli import sell\n\nsell()\n",
        "shop/names.py": "from shop.cli import sell\n",
        "tests/test_shop.py": "from shop.cli import sell\n\nsell()\n",
        "examples/try.py": "from shop.cli import sell\n\nsell()\n",
    }
    assert begun(tmp_path, files) == [
        (DECLARED, "shop.cli.sell", "pyproject.toml:2"),
        (MAIN, "shop.work.main", "shop/work.py:1"),
        (SCRIPT, "shop.__main__", "shop/__main__.py:1"),
    ]


def test_a_package_json_names_programs_and_what_start_runs(tmp_path: Path) -> None:
    call = "import { pay } from '../src/pay';\npay();\n"
    files = {
        "package.json": '{"bin": {"shop": "./bin/shop.js"},\n'
        ' "scripts": {"test": "node bin/try.js",\n "start": "node src/serve.js"}}',
        "bin/shop.js": call,
        "bin/try.js": call,
        "src/serve.js": call,
        "src/pay.js": "export function pay() {}\n",
    }
    places = {(kind, place) for kind, _, place in begun(tmp_path, files)}
    assert places == {(DECLARED, "package.json:1"), (DECLARED, "package.json:3"), (SCRIPT, "bin/try.js:1")}


def test_a_main_that_functions_call_begins_no_program(tmp_path: Path) -> None:
    files = {
        "lib/__init__.py": "class Command:\n    def main(self):\n        pass\n\n    def __call__(self):\n        self.main()\n"
    }
    assert begun(tmp_path, files) == [(DOOR, "__init__.py", "lib/__init__.py:1")]


def test_the_language_with_most_code_begins_first_and_then_what_reaches_most(tmp_path: Path) -> None:
    files = {
        "go.mod": "module shop\n",
        "a/main.go": "package main\n\nfunc main() {\n\tone()\n}\n\nfunc one() {}\n",
        "cmd/shop/main.go": 'package main\n\nimport "shop/core"\n\nfunc main() {\n\tcore.Serve()\n}\n',
        "core/serve.go": "package core\n\nfunc Serve() {\n\tlisten()\n}\n\nfunc listen() {}\n",
        "app.ts": "export function main() {\n  go();\n}\nfunction go() {}\n",
    }
    assert [place for _, _, place in begun(tmp_path, files)] == ["cmd/shop/main.go:5", "a/main.go:3", "app.ts:1"]


def test_a_tour_of_a_program_of_click_says_what_names_it_and_follows_its_commands(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project.scripts]\nshop = "shop:shop"\n',
        "shop.py": "import click\n\n\n@click.group()\ndef shop():\n    pass\n\n\n"
        "@shop.command()\ndef sell():\n    pay()\n\n\ndef pay():\n    pass\n",
    }
    assert tour_of(tmp_path, files) == (
        "A program begins at shop.shop in shop.py:5 , which pyproject.toml:2 names. It calls no other function of this code "
        "for sure. The command sell runs shop.sell in shop.py:10 , which click learns in shop.py:9 . From there, the calls "
        "that lead to most of the code are: it calls shop.pay shop.py:11 pay () The ways from its beginning to "
        "its end as a picture"
    )


def test_a_command_whose_code_is_in_place_is_shown_and_not_a_request_of_a_function_around(tmp_path: Path) -> None:
    files = {
        "go.mod": "module shop\n",
        "main.go": 'package main\n\nimport "github.com/spf13/cobra"\n\nvar root = &cobra.Command{\n\tUse: "shop",\n'
        "\tRun: func(c *cobra.Command, a []string) {\n\t\tpay()\n\t},\n}\n\n"
        "func main() {\n\troot.Execute()\n}\n\nfunc pay() {}\n",
        "web.go": 'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc web(r *gin.Engine) {\n'
        '\tr.GET("/ok", func(c *gin.Context) { pay() })\n}\n',
    }
    way = tour_of(tmp_path, files)
    assert way.startswith("A program begins at main.main in main.go:12 .")
    assert "The command shop runs the code in main.root in main.go:5 , which cobra learns in main.go:6 ." in way
    assert "The request" not in way


def test_a_tour_of_a_library_says_that_no_program_begins(tmp_path: Path) -> None:
    files = {"lib/a.py": "def pay():\n    pass\n", "tests/test_a.py": "from lib.a import pay\n\npay()\n"}
    assert tour_of(tmp_path, files).startswith("No program begins here: no manifest names one,")
