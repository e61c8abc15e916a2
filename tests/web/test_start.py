"""The line about a repository is the first sentence of prose in its README."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.sentences import first_sentence, readme_sentence
from code_graph_indexer.web.start import folders, readme
from tests.indexing.repository import index, write_tree


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Shop\n\n[![badge](x.svg)](y)\n\nA *shop* for `books`. It is small.\n", "A shop for books."),
        ("<h3>Every site</h3>\n<p>Caddy is a server.</p>\n", "Caddy is a server."),
        ("ripgrep (rg)\n------------\nripgrep is a search tool.\n", "ripgrep is a search tool."),
        ("Hono - _means flame_ - is small.\n", "Hono - means flame - is small."),
        ("Render it on the CLI, with _care_! It is small.\n", "Render it on the CLI, with care!"),
        ("Reads snake_case_names and __init__ files.\n", "Reads snake_case_names and __init__ files."),
        ("Copyright 2020 by us.\n\nThe code of a thing.\n", "The code of a thing."),
        ("A basic |SMTP|_ server in |smtpd|. It is `a | b`.\n", "A basic SMTP server in smtpd."),
        ("# Only a title\n", ""),
        ("Welcome to the shop!\n\nThe shop is a place for books.\n", "The shop is a place for books."),
        ("# Shop\n\nHurry to the shop!\n", "Hurry to the shop!"),
        ("$OpenBSD: cart.c,v 1.42 2026/08/19 19:55:04 ann Exp $\n\nCopyright 2020 by us.\n", ""),
        ("# Guide\n\n## Make it\n\n```sh\nmake all of it\n```\n", ""),
    ],
)
def test_the_first_sentence_is_prose(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.slow
def test_a_folder_is_what_its_readme_says_below_the_title(tmp_path: Path) -> None:
    notice = "> Sponsor: build reviews in half the time.\n\n"
    files = {
        "shop/README.md": f"{notice}# Shop\n\nA shop for books. It is small.\n",
        "plain/README.md": "A tool for lists.\n\n# License\n",
        "plain/README.ar.md": "A translation of it.\n",
    }
    root = write_tree(tmp_path / "app", files)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        rows = {file.path: file for file in indexer.store.files()}
        about = {folder.path: folder.about for folder in folders(indexer.store, rows)}
        assert about == {"shop": "A shop for books.", "plain": "A tool for lists."}
        assert readme(rows, "plain") == "plain/README.md"


@pytest.mark.slow
def test_a_test_is_no_largest_file_of_a_folder(tmp_path: Path) -> None:
    files = {
        "tool/__init__.py": "def loop():\n    pass\n",
        "tool/__main__.py": "from tool.main import main\n\nmain()\n",
        "tool/main.py": "def main():\n    pass\n",
        "tool/test_tool.py": "def test_tool():\n    pass\n" * 9,
    }
    root = write_tree(tmp_path / "app", files)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        rows = {file.path: file for file in indexer.store.files()}
        (folder,) = folders(indexer.store, rows)
        assert set(folder.largest) == {"__init__.py", "__main__.py", "main.py"}


@pytest.mark.slow
def test_a_file_names_its_definitions_before_those_of_a_module_inside(tmp_path: Path) -> None:
    tests = (
        "#[cfg(test)]\nmod tests {\n    fn sells_much() {\n        super::sell();\n        super::sell();\n    }\n}\n"
    )
    root = write_tree(tmp_path / "app", {"src/lib.rs": f"fn sell() {{}}\n\n{tests}"})
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        assert indexer.store.top_names(["src/lib.rs"]) == {"src/lib.rs": ["sell", "sells_much"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Shop\n\n**PLEASE NOTE**: it moved.\n\n> [!WARNING]\n> It is old.\n\nBooks for all.\n", "Books for all."),
        ("# Shop\n\nNote that it moved.\n\nBooks for all.\n", "Books for all."),
        ("# Shop\n\n[Site](x) [Docs](y)\n\nBooks for all.\n", "Books for all."),
        ("# Shop\n\n[![badge](x)](y)\n\n[badge]: https://z\n\nBooks for all.\n", "Books for all."),
        ("<!-- lint: off of it -->\n# Shop\n\nBooks for all.\n", "Books for all."),
        ("# Shop\n\n    pip install shop now\n\nBooks for all.\n", "Books for all."),
        ("# The Shop\n\nHurry!\n\nRead more.\n\nThe shop (ours) is a place. It is small.\n", "The shop (ours) is a place."),
        ("# Shop\n\nSee the [site](x) for documentation.\n\n## What\n\nShop is a hut, e.g. us.\n", "Shop is a hut, e.g. us."),
        ("# Shop\n\nBooks for all.\n\n## What\n\nShop is a place.\n", "Books for all."),
        ("# Shop\n\n> Books for all.\n\n## What\n\nIt runs.\n", "Books for all."),
        ("# Other\n\nBooks for all.\n\nA folder is a thing.\n", "A folder is a thing."),
    ],
)  # fmt: skip
def test_a_readme_says_what_a_thing_is_by_its_name_or_first_and_never_by_a_notice(text: str, sentence: str) -> None:
    assert readme_sentence(text, "folder") == sentence
