"""Compare an index with a fresh build of the same repository."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.indexing.run import index_repository
from code_graph_indexer.results import Progress
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store, open_links, open_store, word_counts
from code_graph_indexer.storage.records import HISTORY_KEYS, HISTORY_TABLES

MAX_DIFFERENCES = 20
"""The most differences that are listed."""

BEHIND = "history: git's history has other commits or files since it was read; read it again with: cgi index"
"""The difference of an index whose files may be up to date, but not its history, which a question does not read again."""


def verify_index(
    root: Path, db: Path, settings: Settings, *, embedder: Embedder | None, report: Callable[[Progress], None]
) -> list[str]:
    """Build the repository into a temporary index, and list the rows in which it differs from the index `db`.

    Ids are not compared. The list is empty if the indexes are equal. It has at most `MAX_DIFFERENCES` lines.
    """
    with tempfile.TemporaryDirectory() as folder:
        fresh_db = Path(folder) / "fresh.db"
        # The SCIP files may be gone, so their references are copied, or each would be a difference.
        index_repository(
            root, fresh_db, settings, embedder=embedder, full=True, report=report, leave_out=db, exact_of=db
        )
        return index_differences(db, fresh_db)


def index_differences(db: Path, fresh_db: Path) -> list[str]:
    """List the rows of all tables that only one of two index files has, and what `doctor` says of the first."""
    store, fresh = open_store(db), open_store(fresh_db)
    try:
        lines = [*differences(store, fresh), *_differences(_beside(db), _beside(fresh_db)), *store.check()]
    finally:
        store.close()
        fresh.close()
    return lines[:MAX_DIFFERENCES]


def differences(store: Store, fresh: Store) -> list[str]:
    """List the rows that only one of two indexes has, at most `MAX_DIFFERENCES`. Ids are not compared.

    A history that was read at another commit is named by a single line.
    """
    tables, fresh_tables = dict(store.contents()), dict(fresh.contents())
    if any(store.meta().get(key) != fresh.meta().get(key) for key in HISTORY_KEYS):
        for contents in (tables, fresh_tables):
            contents["meta"] = [row for row in contents["meta"] if row[0] not in HISTORY_KEYS]
            for table in HISTORY_TABLES:
                del contents[table]
        return [BEHIND, *_differences(tables, fresh_tables)]
    return _differences(tables, fresh_tables)


def _beside(db: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows that only an index file has, by table: the words of its texts, and the names its files look up."""
    with open_links(db) as links:
        paths = links.paths()
        lookups: list[tuple[object, ...]] = [(paths[file_id], packed) for file_id, packed in links.lookups()]
    return {**dict(word_counts(db)), "lookups": lookups}


def _differences(
    tables: Mapping[str, Sequence[tuple[object, ...]]], fresh: Mapping[str, Sequence[tuple[object, ...]]]
) -> list[str]:
    """List, as sentences, the rows that only one of the two indexes has, at most MAX_DIFFERENCES."""
    lines: list[str] = []
    for table, rows in tables.items():
        indexed, rebuilt = set(rows), set(fresh[table])
        # Rows hold None beside texts, which Python cannot order.
        lines += [f"{table}: not in a fresh build: {_row_text(row)}" for row in sorted(indexed - rebuilt, key=repr)]
        lines += [f"{table}: only in a fresh build: {_row_text(row)}" for row in sorted(rebuilt - indexed, key=repr)]
    return lines[:MAX_DIFFERENCES]


def _row_text(row: tuple[object, ...]) -> str:
    """Return a row as a text, with each value cut short."""
    return ", ".join(value.hex()[:16] if isinstance(value, bytes) else str(value)[:60] for value in row)
