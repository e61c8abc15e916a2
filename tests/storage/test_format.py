"""The index file says what it is, answers plain SQL, gives every text back, and is refused when it is not sound."""

import os
import shutil
import sqlite3
from pathlib import Path

import apsw
import numpy as np
import pytest
from numpy.typing import NDArray

from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.errors import BusyError, IndexFormatError, IndexNotFoundError
from code_graph_indexer.languages import fingerprint
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage.place import APPLICATION_ID
from code_graph_indexer.storage.sqlite import SCHEMA_VERSION, SqliteStore, open_checked
from code_graph_indexer.storage.sqlite_writer import KIND_CODES, IndexWriter
from code_graph_indexer.syntax.disk import decode
from code_graph_indexer.version import VERSION
from tests.indexing.repository import opened, raw

pytestmark = pytest.mark.slow

VIEWS = ["symbols", "edges", "callers", "unresolved", "skipped"]


@pytest.fixture
def copy(db: Path, tmp_path: Path) -> Path:
    """Return a copy of the index that a test may change."""
    return Path(shutil.copyfile(db, tmp_path / "index.db"))


def test_the_header_says_that_it_is_an_index_and_of_which_version(db: Path) -> None:
    header = db.read_bytes()[:100]
    assert header[:16] == b"SQLite format 3\0"
    assert int.from_bytes(header[60:64], "big") == SCHEMA_VERSION
    assert header[68:72] == APPLICATION_ID.to_bytes(4, "big") == b"CGIX"


def test_meta_says_what_made_it(store: SqliteStore) -> None:
    assert dict(store.meta()) == {
        "version": VERSION,
        "languages": fingerprint(),
        "embedder": "static",
        "dimensions": "256",
        "max_chunk_size": "1600",
        "repo_id": "",
    }


def test_every_table_is_strict(db: Path) -> None:
    with raw(db) as connection:
        tables = connection.execute(
            "select name, strict from pragma_table_list where schema = 'main' and type = 'table'"
        )
        loose = {name for name, strict in tables if not strict and not name.startswith("sqlite_")}
    assert loose == set()


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_answers_any_sqlite(db: Path, view: str) -> None:
    connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
    try:
        rows = connection.execute(f"select * from {view}").fetchall()
    finally:
        connection.close()
    assert bool(rows) == (view != "skipped")


def test_the_callers_view_names_both_ends(db: Path) -> None:
    with raw(db) as connection:
        sql = "select caller, path, line from callers where callee = 'app.base.Base.validate'"
        assert connection.execute(sql).fetchall() == [("app.base.Base.save", "app/base.py", 3)]


def test_every_text_comes_back(store: SqliteStore, tree: Path) -> None:
    for file in store.files():
        decoded = decode((tree / file.path).read_bytes())
        assert decoded is not None
        assert store.file_text(file.path) == decoded.text
        assert "".join(store.chunk_texts(store.file_chunks(file.path))).encode() == decoded.text
    assert store.file_text("no/such.py") is None


def test_every_edge_ends_in_a_chunk_and_every_line_in_its_file(db: Path) -> None:
    with raw(db) as connection:
        for sql in (
            "select count(*) from edges where target_id not in (select id from chunks)",
            "select count(*) from candidates where chunk_id not in (select id from chunks)",
            "select count(*) from refs as r join chunks as c on c.id = r.source_id join files as f on f.id = c.file_id "
            "where r.line not between 1 and f.lines",
            "select count(*) from chunks as c join chunks as p on p.id = c.parent_id where p.file_id != c.file_id",
            "select count(*) from symbols where start_line > end_line",
        ):
            assert connection.execute(sql).fetchall() == [(0,)], sql


def test_a_missing_index_is_an_error_that_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFoundError, match="make one with: cgi index") as caught:
        SqliteStore(tmp_path / "index.db")
    assert caught.value.exit_code == 3
    assert not (tmp_path / "index.db").exists()


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 500])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.db").write_bytes(content)
    with pytest.raises(IndexFormatError) as caught:
        SqliteStore(tmp_path / "index.db")
    assert caught.value.exit_code == 4


def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "index.db")
    connection.execute("create table meta (key, value)")
    connection.close()
    with pytest.raises(IndexFormatError, match="is not an index of cgi"):
        SqliteStore(tmp_path / "index.db")


def test_an_index_of_another_version_says_to_rebuild_it(copy: Path) -> None:
    with raw(copy) as connection:
        connection.pragma("user_version", SCHEMA_VERSION + 1)
    with pytest.raises(
        IndexFormatError, match=f"schema version {SCHEMA_VERSION + 1}.* build it anew: cgi index --full FOLDER --db"
    ):
        SqliteStore(copy)


@pytest.mark.parametrize(
    "sql",
    [
        "create trigger t after insert on files begin delete from text_chunks; end",
        "create trigger t instead of insert on symbols begin select 1; end",
    ],
)
def test_an_index_with_a_trigger_is_refused(copy: Path, sql: str) -> None:
    with raw(copy) as connection:
        connection.execute(sql)
    with pytest.raises(IndexFormatError, match="holds the trigger 't'"):
        SqliteStore(copy)
    with pytest.raises(IndexFormatError, match="holds the trigger 't'"):
        IndexWriter.update(copy)


@pytest.mark.parametrize("table", ["text_chunks", "words", "vectors", "meta", "contents"])
def test_an_index_without_one_of_its_tables_is_refused_in_words(copy: Path, table: str) -> None:
    with raw(copy) as connection:
        connection.execute(f"drop table {table}")
    with pytest.raises(IndexFormatError, match=f"lacks the .*{table}.*build it anew"):
        use(copy)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_cut_index_is_refused_in_words(copy: Path, share: float) -> None:
    os.truncate(copy, int(copy.stat().st_size * share))
    with pytest.raises(IndexFormatError):
        use(copy)


def test_a_damaged_index_is_refused_or_reported_and_never_crashes(copy: Path) -> None:
    whole = copy.read_bytes()
    for start in range(100, len(whole), len(whole) // 40):
        copy.write_bytes(whole[:start] + b"\xa5" * 3_000 + whole[start + 3_000 :])
        try:
            use(copy)
        except IndexFormatError:
            continue
        with opened(copy) as store:
            store.check()


@pytest.mark.parametrize(
    "sql", ["delete from text_chunks where kind = 'function'", "delete from files where path like '%.go'"]
)
def test_words_and_vectors_of_what_is_gone_are_passed_over(copy: Path, sql: str) -> None:
    with raw(copy) as connection:
        connection.pragma("foreign_keys", False)
        connection.execute(sql)
    with opened(copy) as store:
        results = CodeRetriever(store, create_embedder("static")).retrieve("save", limit=1_000)
        assert results
        assert {result.file_path for result in results} <= {file.path for file in store.files()}


@pytest.mark.parametrize(
    "sql",
    [
        "update vectors set steps = x'01'",
        "update vectors set signs = substr(signs, 4)",
        "update vectors set signs = zeroblob(1000000)",
        "update vectors set block = 9223372036854775807 where block = 0",
    ],
)
def test_forged_blocks_of_vectors_are_refused_in_words(copy: Path, sql: str) -> None:
    connection = apsw.Connection(str(copy))
    connection.execute(sql)
    connection.close()
    with pytest.raises(IndexFormatError, match="damaged or forged"):
        use(copy)


def use(db: Path) -> None:
    """Ask an index for all that it holds."""
    with opened(db) as store:
        for file in store.files():
            store.file_text(file.path)
            store.chunk_texts(store.file_chunks(file.path))
        store.counts()
        store.words(["save"], Filters(), 10)
        store.substrings("save", Filters(), 10)
        store.nearest(some_vector(store), Filters(), 10)
        store.contents()


def some_vector(store: SqliteStore) -> NDArray[np.float32]:
    return np.full(int(store.meta().get("dimensions", "256")), 1 / 16, dtype=np.float32)


def test_check_finds_missing_rows(copy: Path) -> None:
    with raw(copy) as connection:
        connection.execute("delete from words where rowid = (select max(rowid) from words_docsize)")
        connection.execute("update vectors set signs = substr(signs, 1, length(signs) - 32)")
        connection.execute("update refs set target_id = 999999 where target_id is not null")
    with opened(copy) as store:
        complaints = store.check()
    assert [complaint.partition(":")[0] for complaint in complaints] == ["refs", "words", "vectors", "words", "vectors"]


@pytest.mark.parametrize("kind", [*KIND_CODES, "of another version"])
@pytest.mark.parametrize("confidence", [None, 0.95, 1.0, 0.07, 0.1234])
def test_a_reference_is_read_as_it_was_written(copy: Path, kind: str, confidence: float | None) -> None:
    with IndexWriter.update(copy) as writer:
        source = writer.links.rows("select max(id) as id from text_chunks")[0][0]
        row = (source, 10_000, kind, "name", "of", 3, 4, None, confidence, 0, "scip", None)
        writer.put_reference_rows([row])
    with opened(copy) as store:
        columns = "source_id, ordinal, kind, name, receiver, line, column, target_id, confidence as any_confidence, "
        columns += "ambiguous, origin, external_id"
        assert store.rows(f"select {columns} from refs where ordinal = 10000") == [row]


def test_readers_read_the_old_state_while_an_update_is_written(copy: Path) -> None:
    with opened(copy) as store:
        before = len(store.files())
        with IndexWriter.update(copy) as writer:
            writer.remove_file("main.go")
            assert len(store.files()) == before
            with opened(copy) as reopened:
                assert reopened.file_text("main.go") is not None
        store.refresh()
        assert len(store.files()) == before - 1


def test_a_second_writer_is_told_that_the_index_is_busy(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("code_graph_indexer.storage.sqlite.BUSY_TIMEOUT_MS", 50)
    with IndexWriter.update(copy), pytest.raises(BusyError, match="is being written by another process"):
        IndexWriter.update(copy)


def test_an_update_that_fails_leaves_the_old_state(copy: Path) -> None:
    before = copy.read_bytes()
    with pytest.raises(ZeroDivisionError), IndexWriter.update(copy) as writer:
        writer.remove_file("main.go")
        raise ZeroDivisionError
    assert copy.read_bytes() == before


def test_an_open_store_follows_an_index_that_was_replaced(copy: Path, db: Path, tmp_path: Path) -> None:
    with opened(copy) as store:
        second = Path(shutil.copyfile(db, tmp_path / "other.db"))
        with IndexWriter.update(second) as writer:
            writer.remove_file("main.go")
        second.replace(copy)
        store.refresh()
        assert store.file_text("main.go") is None
        copy.unlink()
        with pytest.raises(IndexNotFoundError, match="is gone"):
            store.refresh()


def test_a_connection_for_readers_cannot_write(copy: Path) -> None:
    connection = open_checked(copy)
    try:
        with pytest.raises(Exception, match="readonly"):
            connection.execute("delete from meta")
    finally:
        connection.close()
