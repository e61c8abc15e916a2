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
"""Differences listed; the first ones tell enough."""


def verify_index(
    root: Path, db: Path, settings: Settings, *, embedder: Embedder | None, report: Callable[[Progress], None]
) -> list[str]:
    """List how an index differs from a fresh build: rows that only one of them has, without their ids."""
    with tempfile.TemporaryDirectory() as folder:
        fresh_db = Path(folder) / "fresh.db"
        index_repository(
            root, fresh_db, settings, embedder=embedder, full=True, report=report, leave_out=db, exact_of=db
        )
        one, other = open_store(db), open_store(fresh_db)
        try:
            return differences(one, other)
        finally:
            one.close()
            other.close()


def differences(one: Store, fresh: Store) -> list[str]:
    """List the rows in which two indexes differ, ids aside."""
    found: list[str] = []
    for table, rows in one.contents():
        mine, theirs = set(rows), set(dict(fresh.contents())[table])
        found += [f"{table}: not in a fresh build: {_shown(row)}" for row in sorted(mine - theirs, key=repr)]
        found += [f"{table}: only in a fresh build: {_shown(row)}" for row in sorted(theirs - mine, key=repr)]
    return found[:MAX_DIFFERENCES]


def _shown(row: tuple[object, ...]) -> str:
    return ", ".join(value.hex()[:16] if isinstance(value, bytes) else str(value)[:60] for value in row)
