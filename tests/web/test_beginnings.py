"""The beginnings of programs: what manifests, names and calls at the top of a file say, and what frameworks start."""

import html
import re
from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.graph.folders import dependencies
from code_graph_indexer.web.beginnings import DECLARED, DOOR, MAIN, MARKED, NAMED, beginnings, product_code
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


def page_of(folder: Path, files: dict[str, str], address: str) -> str:
    """Return a page of a tree."""
    root = write_tree(folder / "app", files)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as site:
        return site.text(address)


def plain(html: str) -> str:
    """Return a text without marks."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def tour_of(folder: Path, files: dict[str, str]) -> str:
    """Return the main way of the tour of a tree, as text without marks."""
    return plain(page_of(folder, files, "/tour").partition("The main way</h2>")[2].partition("<section")[0])


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
        (NAMED, "shop.__main__", "shop/__main__.py:1"),
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
    assert places == {(DECLARED, "package.json:1"), (DECLARED, "package.json:3")}


@pytest.mark.parametrize(
    ("starter", "text", "begun_at"),
    [
        ("Procfile", "release: shop/move.py\nweb: gunicorn -w 2 shop.wsgi:app\n", "Procfile:2"),
        ("Dockerfile", 'COPY shop/move.py .\nCMD ["gunicorn", \\\n  "shop.wsgi"]\n', "Dockerfile:3"),
        ("etc/Dockerfile.web", "ENTRYPOINT python /srv/app/shop/wsgi.py\n", "etc/Dockerfile.web:1"),
        ("compose.yaml", "services:\n  web:\n    command:\n      - shop/wsgi.py\n", "compose.yaml:4"),
        ("etc/shop.service", "[Service]\nExecStart=/usr/bin/python shop/wsgi.py\n", "etc/shop.service:2"),
    ],
)
def test_what_a_deployment_names_is_a_beginning(tmp_path: Path, starter: str, text: str, begun_at: str) -> None:
    call = "from shop.pay import pay\n\npay()\n"
    files = {starter: text, "shop/wsgi.py": call, "shop/move.py": call, "shop/pay.py": "def pay():\n    pass\n"}
    assert begun(tmp_path, files) == [(DECLARED, "shop.wsgi", begun_at)]


def test_a_file_begins_by_a_server_that_names_it_and_by_its_first_line_and_not_if_it_returns_to_who_loads_it(
    tmp_path: Path,
) -> None:
    load = "<?php\n$app = require_once __DIR__ . '/../start/app.php';\n$app->run();\n"
    files = {
        "public/index.php": load,
        "public/.htaccess": "RewriteEngine On\nRewriteRule ^ index.php [L]\n",
        "other/index.php": load,
        "empty/index.php": "<?php\n// Silence\n",
        "shop": "#!/usr/bin/env php\n<?php\nrequire __DIR__ . '/start/app.php';\n",
        "start/app.php": "<?php\nreturn new App();\n",
        "start/names.php": "<?php\nrequire 'app.php';\nreturn strlen(name());\n",
        "src/App.php": "<?php\nclass App { function run() {} }\nfunction name() { return 'a'; }\n",
    }
    assert begun(tmp_path, files) == [
        (DECLARED, "index.php", "public/.htaccess:2"),
        (NAMED, "index.php", "other/index.php:1"),
        (MARKED, "shop", "shop:1"),
    ]


def test_a_program_that_loads_what_a_framework_starts_ends_there_and_a_request_goes_on_from_its_handler(
    tmp_path: Path,
) -> None:
    files = {
        "config.ru": "require_relative 'config/routes'\nrun Shop\n",
        "config/routes.rb": "Rails.application.routes.draw do\n  get '/carts', to: 'carts#show'\n\nend\n",
        "app/controllers/carts_controller.rb": "class CartsController < ApplicationController\n  def add\n  end\n\n"
        "  def show\n    Pricing.total\n  end\nend\n",
        "app/models/pricing.rb": "class Pricing\n  def self.total\n    Taxes.add\n  end\nend\n",
        "app/models/taxes.rb": "class Taxes\n  def self.add\n  end\nend\n",
    }
    shown = tour_of(tmp_path, files)
    assert "A program begins at config.ru" in shown
    assert "which a Rack server runs" in shown
    assert "it loads config/routes.rb config.ru:1" in shown
    assert "The request GET /carts runs CartsController.show" in shown
    assert shown.index("it calls Pricing.total") < shown.index("it calls Taxes.add")


def test_a_server_s_file_at_the_root_begins_even_if_it_is_not_known_what_it_loads(tmp_path: Path) -> None:
    files = {
        "config.ru": "require ::File.expand_path('../config/environment', __FILE__)\n\nrun Shop::Application\n",
        "index.php": "<?php\n// Silence\n",
        "bin/rake": "#!/usr/bin/env ruby\nputs 1\n",
    }
    assert begun(tmp_path, files) == [(NAMED, "config.ru", "config.ru:1")]


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
        "for sure. The command sell runs shop.sell in shop.py:10 , which click learns in shop.py:9 . From there, the steps "
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


def test_a_macro_with_the_name_of_a_beginning_begins_nothing(tmp_path: Path) -> None:
    files = {
        "compat.h": "#ifdef FUZZ\n#define main __weak main\n#endif\n",
        "shop.c": '#include "compat.h"\n\nint main(int argc, char **argv)\n{\n\treturn 0;\n}\n',
    }
    assert begun(tmp_path, files) == [(MAIN, "main", "shop.c:3")]


def test_the_main_of_the_language_with_most_code_comes_before_what_a_manifest_of_a_small_part_names(
    tmp_path: Path,
) -> None:
    files = {
        "go.mod": "module shop\n",
        "main.go": "package main\n\nfunc main() {\n\tserve()\n}\n\nfunc serve() {}\n",
        "sdk/pyproject.toml": '[project.scripts]\nshop = "shop:sell"\n',
        "sdk/shop.py": "def sell():\n    pass\n",
    }
    assert [place for _, _, place in begun(tmp_path, files)] == ["main.go:3", "sdk/pyproject.toml:2"]


def test_a_way_goes_on_where_a_function_is_passed_on_and_where_a_single_class_implements_an_interface(
    tmp_path: Path,
) -> None:
    files = {
        "Program.cs": "class Program {\n    static void Main(string[] args) {\n        Runner.Start(Serve);\n    }\n"
        "    static void Serve() {\n        new Shop().Open();\n    }\n}\n",
        "Shop.cs": "class Shop {\n    private readonly IStore _store;\n"
        "    public void Open() {\n        _store.Load();\n    }\n}\n",
        "Store.cs": "interface IStore {\n    void Load();\n}\n"
        "class Store : IStore {\n    public void Load() {\n        Read();\n"
        "    }\n    private void Read() { }\n}\n",
    }
    way = tour_of(tmp_path, files)
    steps = re.findall(r"it (calls|passes on|is implemented by) ([\w.]+) (\S+)", way)
    assert steps == [
        ("passes on", "Program.Serve", "Program.cs:3"),
        ("calls", "Shop.Open", "Program.cs:6"),
        ("calls", "IStore.Load", "Shop.cs:4"),
        ("is implemented by", "Store.Load", "Store.cs:5"),
        ("calls", "Store.Read", "Store.cs:6"),
    ]
    second = {"Other.cs": "class Other : IStore {\n    public void Load() { }\n}\n"}
    assert "is implemented by" not in tour_of(tmp_path / "second", files | second)


def test_a_command_that_is_a_class_goes_on_in_its_methods(tmp_path: Path) -> None:
    files = {
        "shop/management/__init__.py": "",
        "shop/management/commands/__init__.py": "",
        "shop/management/commands/sell.py": "from django.core.management.base import BaseCommand\n\n"
        "from shop.work import pay\n\n\n"
        "class Command(BaseCommand):\n    def handle(self, *args, **options):\n        pay()\n",
        "shop/__init__.py": "",
        "shop/work.py": "def pay():\n    pass\n",
    }
    way = tour_of(tmp_path, files)
    assert "The command sell runs" in way
    assert "it calls shop.work.pay shop/management/commands/sell.py:8" in way


def test_a_part_says_what_its_readme_says_and_needs_nothing_by_a_guess(tmp_path: Path) -> None:
    files = {
        "core/README.md": "# Core\n\nThe heart of the shop.\n",
        "core/work.py": "def work(thing):\n    thing.unusual_name()\n",
        "web/page.py": "from core.work import work\n\n\nclass Page:\n    def unusual_name(self):\n        work(self)\n",
    }
    parts = plain(page_of(tmp_path, files, "/tour").partition("Its parts</h2>")[2].partition("The main way")[0])
    assert "core/ has 1 file with 2 lines: The heart of the shop. It needs none of the others for sure." in parts
    assert "It needs core (2 references) ." in parts


def test_what_everybody_uses_has_most_callers_first_and_a_class_for_its_constructor(tmp_path: Path) -> None:
    users = "".join(f"def user{number}():\n    Cart()\n\n\n" for number in range(4))
    files = {
        "shop/cart.py": "class Cart:\n    def __init__(self):\n        deep()\n\n\ndef deep():\n    deeper()\n\n\n"
        "def deeper():\n    pass\n",
        "shop/users.py": f"from shop.cart import Cart, deep\n\n\n{users}def last():\n    deep()\n",
    }
    rows = re.findall(r"<li>(.*?)</li>", page_of(tmp_path, files, "/part/hubs"))
    assert [plain(row) for row in rows] == [
        "class shop.cart.Cart 4 callers",
        "function shop.cart.deep 2 callers",
        "function shop.cart.deeper 1 caller",
    ]


def test_each_link_of_a_part_leads_to_a_page(tmp_path: Path) -> None:
    files = {
        "app.py": "from lib.cart import total\nfrom tools.text import shown\n\n\ndef run():\n    return shown(total())\n",
        "lib/cart.py": "from settings import RATE\n\n\ndef total():\n    return RATE\n",
        "lib/row.py": "from lib.cart import total\n\n\ndef row():\n    return total()\n",
        "tools/text.py": "from lib.row import row\n\n\ndef shown(value):\n    return row() + value\n",
        "settings.py": "RATE = 1\n\n\ndef rate():\n    return RATE\n",
    }
    root = write_tree(tmp_path / "app", files)
    with CodeIndexer(root, workers=1) as indexer:
        indexer.index()
    with served(root) as site:
        parts = site.text("/tour").partition("Its parts</h2>")[2].partition("</section")[0]
        links = [html.unescape(link) for link in re.findall(r'href="([^"]+)"', parts)]
        assert {"/folder/lib", "/code/settings.py"} <= set(links)
        assert [link for link in links if site.get(link).status_code != 200] == []


def test_a_tour_goes_on_with_what_is_handed_on_where_the_calls_of_a_program_end(tmp_path: Path) -> None:
    text = (
        "import lib\n\n\ndef run(args):\n    serve(args)\n\n\ndef serve(args):\n    answer(args)\n\n\ndef answer(args):\n"
        "    return args\n\n\ndef help_me(args):\n    answer(args)\n\n\n"
        "app = lib.App()\napp.add('help', help_me)\napp.add('run', run)\n\n\ndef main():\n    app.start()\n\n\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    (tmp_path / "shop.py").write_text(text, "utf-8")
    with CodeIndexer(tmp_path, workers=1) as indexer:
        indexer.index()
    with served(tmp_path) as running:
        page = " ".join(re.sub(r"<[^>]+>", " ", running.text("/tour")).split())
    assert "No call leads to shop.run in shop.py:4 , which shop.py:22 hands on, to be called later." in page
    assert "it calls shop.serve shop.py:5" in page
