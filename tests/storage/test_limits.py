"""A question takes so much of an index as its size allows, however the file was forged."""

import json
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage import limits, open_store
from code_graph_indexer.storage.limits import Allowance, single_queries, single_question
from code_graph_indexer.storage.reading import RowReader
from code_graph_indexer.storage.sqlite import SqliteStore

pytestmark = pytest.mark.slow

ENDLESS = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) as count from n"
COUNTING = "with recursive n (i) as (select 1 union all select i + 1 from n where i < {}) select i as count from n"


@pytest.fixture
def db(shop: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(shop / ".cgi" / "index.db", tmp_path))


@pytest.fixture
def reader(db: Path) -> Iterator[RowReader]:
    connection = apsw.Connection(str(db))
    yield RowReader(connection, db)
    connection.close()


def test_a_query_without_end_is_ended(reader: RowReader) -> None:
    started = time.process_time()
    with pytest.raises(IndexFormatError, match="take more than an index of its size does"):
        reader.rows(ENDLESS)
    assert time.process_time() - started < 8
    assert reader.rows("select 1 as count") == [(1,)]


def test_rows_without_end_are_ended(reader: RowReader) -> None:
    with pytest.raises(IndexFormatError, match="take more than an index of its size does"):
        reader.rows(COUNTING.format(10**12))


def test_the_queries_of_a_question_count_together(reader: RowReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_allowance", Allowance(10_000_000, 40_000_000, 1_000_000))
    sql = COUNTING.format(200_000)
    with single_question(), pytest.raises(IndexFormatError, match="take more than an index of its size does"):
        for _ in range(9):
            reader.rows(sql)
    # The next question begins anew, and so does each query of a build.
    with single_question():
        reader.rows(sql)
        with single_queries():
            for _ in range(9):
                reader.rows(sql)


def test_a_question_inside_another_belongs_to_it() -> None:
    with single_question():
        outer = limits.spending_of("index")
        outer.size = 7
        with single_question():
            assert limits.spending_of("index") is outer
        assert limits.spending_of("another") is not outer
    assert limits.spending_of("index").size == 0


def test_a_value_may_be_as_long_as_its_column_needs(reader: RowReader) -> None:
    with pytest.raises(IndexFormatError):
        reader.rows("select hex(zeroblob(400000)) as name")
    assert len(reader.rows("select zeroblob(400001) as text")[0][0]) == 400_001


def test_a_question_may_name_as_many_ids_as_a_hub_has_callers(reader: RowReader) -> None:
    ids = json.dumps([10**9 + number for number in range(limits.NAME_LENGTH // 10)])
    assert len(ids) > limits.NAME_LENGTH
    sql = "select count(*) as count from json_each(?) where value in (select id from files)"
    assert [row[0] for row in reader.rows(sql, (ids,))] == [0]


def test_rows_are_read_in_blocks_however_many_there_are(reader: RowReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_allowance", Allowance(10**9, 100_000, 1_000_000))
    assert sum(1 for _ in reader.stream(COUNTING.format(100_000))) == 100_000
    with pytest.raises(IndexFormatError):
        reader.rows(COUNTING.format(100_000))


@pytest.mark.parametrize("claimed", [1_000, 50_000_000])
def test_a_packed_text_is_unpacked_no_further_than_its_file_is_long(db: Path, claimed: int) -> None:
    with closing(apsw.Connection(str(db))) as connection:
        connection.execute("update contents set text = ?", (zlib.compress(bytes(200_000_000)),))
        connection.execute("update files set size = ?", (claimed,))
    with closing(open_store(db)) as store, pytest.raises(IndexFormatError):
        for path in ("shop/cart.py", "shop/pricing.py", "shop/orders.py"):
            store.file_text(path)


def test_a_real_index_needs_a_small_part_of_what_it_may_take(db: Path) -> None:
    with closing(open_store(db)) as store, single_question():
        assert isinstance(store, SqliteStore)
        store.contents()
        store.check()
        (spending,) = limits._QUESTION.get().spendings.values()  # type: ignore[union-attr]
    allowance = Allowance.of(db.stat().st_size)
    assert spending.steps < allowance.steps / 10
    assert spending.size < allowance.size / 4
