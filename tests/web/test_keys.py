"""A search for a setting shows where its key is set, and who reads it."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.web.keys import key_places
from tests.indexing.repository import index, write_tree
from tests.web.conftest import served

pytestmark = pytest.mark.slow

FILES = {
    "config/shop.php": "<?php\nreturn [\n    'rate-limit' => 60,\n    'more-rate-limit' => 1,\n];\n",
    "app/Limit.php": "<?php\nclass Limit {\n    function most() { return config('shop.rate-limit'); }\n}\n",
    "other.toml": "rate-limit = 5\n",
    "serve.yml": "web:\n  wait_seconds: 3\n",
    ".env.example": "SHOP_WAIT=3\n",
    "serve.py": "import os\n\n\ndef wait(settings):\n    return settings['wait_seconds'] or os.environ['SHOP_WAIT']\n",
    "README.md": "rate-limit: how often\n\nwait_seconds: 3\n",
    "names.py": "wait: int = 3\n",
}


@pytest.mark.parametrize(
    ("query", "settings", "readers"),
    [
        ("rate-limit", ["config/shop.php:3", "other.toml:1"], ["app/Limit.php:3"]),
        ("shop.rate-limit", ["config/shop.php:3"], ["app/Limit.php:3"]),
        ("wait_seconds", ["serve.yml:2"], ["serve.py:5"]),
        ("SHOP_WAIT", [".env.example:1"], ["serve.py:5"]),
        ("rate", [], []),
        ("wait", [], []),
        ("rate limit", [], []),
    ],
)
def test_a_key_is_found_where_it_is_set_and_where_it_is_read(
    tmp_path: Path, query: str, settings: list[str], readers: list[str]
) -> None:
    root = write_tree(tmp_path / "root", FILES)
    index(root, tmp_path / "index.db")
    with CodeIndexer(root, db=tmp_path / "index.db", update=False) as indexer:
        places = key_places(indexer.store, {file.path: file for file in indexer.store.files()}, query)
        assert [f"{place.path}:{place.line}" for place in places if place.is_given] == settings
        assert [f"{place.path}:{place.line}" for place in places if not place.is_given] == readers


def test_the_page_of_a_search_leads_to_who_reads_a_setting(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "root", FILES)
    index(root, root / ".cgi" / "index.db")
    with served(root) as site:
        page = site.text("/search?q=rate-limit")
        assert 'href="/code/app/Limit.php?at=3#L3"' in page.partition("Who reads it</h2>")[2]
        assert "Who reads it" not in site.text("/search?q=Limit")
