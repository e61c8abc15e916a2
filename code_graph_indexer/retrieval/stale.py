"""Tell whether a file on disk is still the one that was indexed."""

import os
from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISLNK

from code_graph_indexer.storage import Store

FILES_KEPT = 10_000
"""Files whose hashes are remembered between searches."""


class StaleCheck:
    """Compare files on disk with the index. Without a root folder that exists, no file is stale."""

    def __init__(self, store: Store, root: Path | None) -> None:
        self._store = store
        self._root = root if root is not None and root.is_dir() else None

    def stale(self, paths: Collection[str]) -> set[str]:
        """Return the files that have changed or are gone since they were indexed."""
        if self._root is None:
            return set()
        states = self._store.file_states(paths)
        return {path for path in paths if path not in states or _differs(self._root, path, *states[path])}


def _differs(root: Path, path: str, size: int, content_hash: bytes) -> bool:
    on_disk = _inside(root, path)
    if on_disk is None:
        return True
    try:
        status = os.lstat(on_disk)
        # The index holds no links. The size is compared first, because it needs no reading.
        if S_ISLNK(status.st_mode) or status.st_size != size:
            return True
        return _hash(on_disk, status.st_mtime_ns, size, status.st_ino, len(content_hash)) != content_hash
    except OSError:
        return True


@lru_cache(maxsize=FILES_KEPT)
def _inside(root: Path, path: str) -> str | None:
    """Return the place of a path on disk, or None if it leads out of the root.

    An index file may be forged, so no file outside the root is read.
    """
    return None if ".." in Path(path).parts or Path(path).is_absolute() else str(root / path)


@lru_cache(maxsize=FILES_KEPT)
def _hash(on_disk: str, modified: int, size: int, inode: int, digest_size: int) -> bytes:
    """Return the hash of a file. It is read again only if it was modified or replaced."""
    # `modified`, `size` and `inode` are only the key of the cache: with another value, the file is read again.
    return blake2b(Path(on_disk).read_bytes(), digest_size=digest_size).digest()
