"""Fixtures of the tests of descriptions: a language model on loopback that writes a sentence for whatever it is asked for."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from code_graph_indexer import CodeIndexer
from tests.ask.conftest import KEY, no_surroundings, server
from tests.ask.messages_server import MODEL, MessagesServer, RecordedRequest
from tests.indexing.repository import write_tree

__all__ = ["no_surroundings", "server"]

ASKED = re.compile(r'<definition-[0-9a-f]{16} number="(\d+)" path="([^"]*)" kind="\w+" name="([^"]*)">')
"""Matches the head of a definition in a prompt: its number, path and name."""

FILES = {
    "shop/money.py": (
        "RATE = 20\n\n\ndef levy(cents):\n    return cents + cents * RATE // 100\n\n\n"
        "def bill(cents):\n    def inner():\n        return cents\n    return levy(inner())\n\n\n"
        "def _hidden():\n    return bill(1)\n\n\n"
        "class Till:\n    def open(self):\n        return levy(1)\n\n    def _count(self):\n        return 0\n"
    ),
    "tests/test_money.py": "from shop.money import levy\n\n\ndef test_levy():\n    assert levy(100) == 120\n",
    "vendor/other.py": "def foreign():\n    return 1\n",
}


def asked(request: RecordedRequest) -> list[tuple[int, str]]:
    """List what a request asks for, as (number, qualified name)."""
    return [(int(number), name) for number, _, name in ASKED.findall(request.user)]


def sentence_of(name: str) -> str:
    """Return what the model writes of a definition."""
    return f"Explains to the treasurer what {name.rpartition('.')[2]} is good for."


def write(request: RecordedRequest) -> str:
    """Write a sentence for each definition of a request."""
    return "\n".join(f"{number}: {sentence_of(name)}" for number, name in asked(request))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the folder of a small repository."""
    return write_tree(tmp_path / "repository", FILES)


@pytest.fixture
def indexer_of(root: Path, server: MessagesServer) -> Callable[..., CodeIndexer]:
    """Return a function that opens the repository with the model on loopback, which answers."""
    server.write_with(write)

    def open_indexer(**settings: Any) -> CodeIndexer:
        return CodeIndexer(
            root,
            **{"api_key": KEY, "base_url": server.url, "model": MODEL, "workers": 1, "embedder": "hashing", **settings},
        )

    return open_indexer
