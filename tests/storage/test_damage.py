"""An error that a damaged index explains says so. Any other error stays as it is."""

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from code_graph_indexer import CodeIndexer
from code_graph_indexer.errors import IndexFormatError
from tests.indexing.repository import index, write_tree

FILES = {"shop.py": "def order():\n    return total()\n\n\ndef total():\n    return 1\n"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a small repository and its index. Do not change it."""
    folder = tmp_path_factory.mktemp("sound")
    index(write_tree(folder / "repository", FILES), folder / "index.db", spec="hashing")
    return folder


@pytest.fixture
def db(sound: Path, tmp_path: Path) -> Path:
    """Return a copy of the index, beside one of its repository, that a test may change."""
    return Path(shutil.copytree(sound, tmp_path / "copy")) / "index.db"


def spoil(db: Path, table: str, column: str) -> None:
    """Empty a column that may not be empty, as a changed byte of the file does."""
    connection = apsw.Connection(str(db))
    connection.pragma("writable_schema", True)
    ddl = str(connection.execute("select sql from sqlite_schema where name = ?", (table,)).get)
    change = "update sqlite_schema set sql = ? where name = ?"
    connection.execute(change, (ddl.replace(" not null", "").replace(" strict", ""), table))
    connection.close()
    connection = apsw.Connection(str(db))
    connection.pragma("writable_schema", True)
    connection.execute(f"update {table} set {column} = null")
    connection.execute(change, (ddl, table))
    connection.close()


QUESTIONS: dict[str, tuple[str, str, Callable[[CodeIndexer], object]]] = {
    "a text": ("contents", "text", lambda indexer: indexer.graph.unused()),
    "the place of a chunk": ("text_chunks", "start_byte", lambda indexer: indexer.retrieve_by_keyword("total order")),
    "the body of a definition": ("text_chunks", "end_byte", lambda indexer: indexer.retrieve("total order")),
    "the name of a file": ("files", "path", lambda indexer: indexer.tree()),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_to_a_damaged_index_says_what_is_damaged(db: Path, question: str) -> None:
    table, column, ask = QUESTIONS[question]
    spoil(db, table, column)
    with CodeIndexer(db=db) as indexer, pytest.raises(IndexFormatError, match=r"damaged .*build it anew: cgi index"):
        ask(indexer)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["trigrams_data", "words_data"])
def test_an_update_of_a_damaged_index_says_what_is_damaged_and_writes_nothing(db: Path, table: str) -> None:
    connection = apsw.Connection(str(db))
    connection.execute(f"update {table} set block = x'00' where id = 10 or id > 1000")
    connection.close()
    before = db.read_bytes()
    write_tree(db.parent / "repository", {"shop.py": "def gone(): pass\n" * 9})
    with pytest.raises(IndexFormatError, match=r"damaged .*build it anew: cgi index"):
        index(db.parent / "repository", db)
    assert db.read_bytes() == before


def test_a_wrong_argument_to_a_sound_index_is_no_damage(db: Path) -> None:
    with CodeIndexer(db=db) as indexer, pytest.raises(TypeError):
        indexer.graph.hubs(limit="many")  # type: ignore[arg-type]
