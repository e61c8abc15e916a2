"""What lies beside the index is a lock and a cache: it can be thrown away, and damage to it costs nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from code_graph_indexer.errors import BusyError
from code_graph_indexer.storage.local import LocalState, local_path, read_snapshot
from code_graph_indexer.storage.snapshot import SeenFile

TIMES = {"a.py": SeenFile(10, 1_700_000_000_000_000_000, b"hash"), "b/ü.py": SeenFile(0, 0, b"")}

HOLD = """
import sys, time
from pathlib import Path
from code_graph_indexer.storage.local import LocalState, local_path, read_snapshot
with LocalState(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    # Elsewhere, what is not marked as ours is left alone.
    (tmp_path / ".cgi").mkdir()
    return tmp_path / ".cgi" / "index.db"


def test_times_and_vectors_are_kept(db: Path) -> None:
    with LocalState(db) as local:
        local.set_times(TIMES)
        local.keep_vectors("one", [(b"h1", b"v1"), (b"h2", b"v2")])
        local.keep_vectors("other", [(b"h1", b"w1")])
    with LocalState(db) as local:
        assert local.times() == TIMES
        assert local.vectors("one", [b"h1", b"h2", b"h3"]) == {b"h1": b"v1", b"h2": b"v2"}
        assert local.vectors("other", [b"h1", b"h2"]) == {b"h1": b"w1"}
        local.drop_vectors()
        assert local.vectors("one", [b"h1"]) == {}
        assert local.times() == TIMES


@pytest.mark.slow
def test_only_one_process_holds_it(db: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(db)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match="is being written by another process; try again"), LocalState(db):
            pass
    finally:
        holder.kill()
        holder.communicate()
    with LocalState(db) as local:
        assert local.times() == {}


@pytest.mark.parametrize("content", [b"garbage" * 1_000, b"SQLite format 3\0" + b"\xff" * 5_000, b"", b"x"])
def test_a_damaged_one_is_thrown_away(db: Path, content: bytes) -> None:
    db.with_name("index.db.local").write_bytes(content)
    with LocalState(db) as local:
        assert local.times() == {}
        local.set_times(TIMES)
    with LocalState(db) as local:
        assert local.times() == TIMES


@pytest.mark.parametrize("table", ["times (path)", "vectors (embedder)"])
def test_one_of_another_shape_is_thrown_away(db: Path, table: str) -> None:
    with closing(sqlite3.connect(db.with_name("index.db.local"))) as connection:
        connection.execute(f"create table {table}")
    with LocalState(db) as local:
        assert local.times() == {}
        assert local.vectors("one", [b"h"]) == {}
        local.set_times(TIMES)
        local.keep_vectors("one", [(b"h", b"v")])


@pytest.mark.parametrize("table", ["times", "folders", "rules", "facts", "link_inputs", "vectors", "lookups"])
def test_an_endless_view_in_the_place_of_a_table_is_not_read(db: Path, table: str) -> None:
    with LocalState(db) as local:
        local.set_times(TIMES)
    with closing(sqlite3.connect(local_path(db))) as connection:
        columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
        connection.execute(f"drop table {table}")
        shown = ", ".join(f"i as {column}" for column in columns)
        endless = "with recursive n (i) as (select 1 union all select i + 1 from n)"
        connection.execute(f"create view {table} as {endless} select {shown} from n")
    assert read_snapshot(db) is None
    with LocalState(db) as local:
        assert local.times() == {}
        local.set_times(TIMES)
    with LocalState(db) as local:
        assert local.times() == TIMES
