"""Give a worktree an index of its own: a copy of the nearest index of another checkout of the same repository.

An update then reads only the files that differ. Nothing of the copy is trusted further than the hashes of the files.
"""

from pathlib import Path

from code_graph_indexer.errors import CgiError
from code_graph_indexer.git import checkouts, repository_of, tracked_contents
from code_graph_indexer.storage import copy_index, open_store, writable
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.version import VERSION

SEED_WAIT_SECONDS = 10.0
"""Seconds to wait for another process that seeds the same index. To copy 100 MB takes less than one."""

MAX_COMPARED = 8
"""The most indexes, the last updated ones, whose checkouts are compared. To compare one takes some hundredths of a second."""


def seed_for(root: Path, index: Path) -> Path | None:
    """Return the index of another checkout of the same repository that is the nearest to the files in a folder, or None.

    `index` is the path of an index from its root. The index must be at the same place in the other checkout.
    """
    top = repository_of(root)
    if top is None:
        return None
    place = root.relative_to(top) / index
    indexes = [(folder, folder / place) for folder in checkouts(top) if (folder / place).is_file()]
    indexes.sort(key=lambda candidate: candidate[1].stat().st_mtime_ns, reverse=True)
    sound = [candidate for candidate in indexes[:MAX_COMPARED] if _is_sound(candidate[1])]
    if len(sound) < 2:
        return sound[0][1] if sound else None
    contents = set(tracked_contents(top))
    return min(sound, key=lambda candidate: len(contents ^ set(tracked_contents(candidate[0]))))[1]


def seed(db: Path, source: Path) -> None:
    """Copy an index to a place that has none, unless another process has just made one there.

    Raises BusyError if another process writes there for too long, IndexFormatError for a damaged source, or IndexWriteError.
    """
    with writable(db), LocalState(db, wait=SEED_WAIT_SECONDS) as local:
        if not db.is_file():
            local.adopt_link_inputs(source)
            copy_index(source, db)


def _is_sound(index: Path) -> bool:
    """Say whether an index can be opened and is of this version."""
    try:
        store = open_store(index)
    except CgiError:
        return False
    version = store.meta().get("version")
    store.close()
    return version == VERSION
