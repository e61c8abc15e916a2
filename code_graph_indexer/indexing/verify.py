"""Compare an index with a fresh build of the same repository."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.indexing.run import index_repository
from code_graph_indexer.results import Progress
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store, open_store

MAX_DIFFERENCES = 20
"""The most differences that are listed."""


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
        store, fresh = open_store(db), open_store(fresh_db)
        try:
            return differences(store, fresh)
        finally:
            store.close()
            fresh.close()


def differences(store: Store, fresh: Store) -> list[str]:
    """List the rows that only one of two indexes has, at most `MAX_DIFFERENCES`. Ids are not compared."""
    lines: list[str] = []
    rebuilt_rows = dict(fresh.contents())
    for table, rows in store.contents():
        indexed, rebuilt = set(rows), set(rebuilt_rows[table])
        # Rows hold None beside texts, which Python cannot order.
        lines += [f"{table}: not in a fresh build: {_row_text(row)}" for row in sorted(indexed - rebuilt, key=repr)]
        lines += [f"{table}: only in a fresh build: {_row_text(row)}" for row in sorted(rebuilt - indexed, key=repr)]
    return lines[:MAX_DIFFERENCES]


def _row_text(row: tuple[object, ...]) -> str:
    return ", ".join(value.hex()[:16] if isinstance(value, bytes) else str(value)[:60] for value in row)
