"""The option `--db` takes several indexes, and folders of them."""

from pathlib import Path

import pytest

from code_graph_indexer import CodeIndexer
from tests.cli.conftest import Cgi
from tests.indexing.repository import write_tree

pytestmark = pytest.mark.slow

PARCEL = "def weigh(parcel):\n    return parcel.weight\n\n\ndef send(parcel):\n    weigh(parcel)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of two indexed repositories. Do not change it."""
    folder = tmp_path_factory.mktemp("repositories")
    for name in ("shop", "tools"):
        write_tree(folder / name, {"tools/parcel.py": PARCEL})
        with CodeIndexer(folder / name, workers=1) as indexer:
            indexer.index()
    return folder


def test_the_command_line_asks_several_indexes(cgi: Cgi, folder: Path) -> None:
    both = ["--db", str(folder / "shop"), "--db", str(folder / "tools/.cgi/index.db")]
    assert "tools/tools/parcel.py" in cgi("search", "weigh parcel", *both).out
    assert "tools/tools/parcel.py" in cgi("callers", "weigh", "--db", str(folder)).out
    assert "shop/tools" not in cgi("search", "parcel", "--repo-id", "tools", *both).out
    assert cgi("search", "repo:shops cart", *both).code == 2
    alone = cgi("symbol", "weigh", "--db", str(folder / "tools")).out
    assert "tools/parcel.py" in alone
    assert "tools/tools/parcel.py" not in alone
