"""Tell whether a file on disk is still the one that was indexed."""

import os
from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISLNK

from code_graph_indexer.storage import Store

FILES_KEPT = 10_000
"""Files whose hashes are remembered."""


class StaleCheck:
    """Compare files with the index; without a root, or where it is gone, nothing is stale."""

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
        found = os.lstat(on_disk)
        if S_ISLNK(found.st_mode) or found.st_size != size:
            return True
        return _hash(on_disk, found.st_mtime_ns, size, found.st_ino, len(content_hash)) != content_hash
    except OSError:
        return True


@lru_cache(maxsize=FILES_KEPT)
def _inside(root: Path, path: str) -> str | None:
    """Place a path under the root. An index is not trusted with paths: what lies outside the root is not read."""
    return None if ".." in Path(path).parts or Path(path).is_absolute() else str(root / path)


@lru_cache(maxsize=FILES_KEPT)
def _hash(on_disk: str, modified: int, size: int, inode: int, digest_size: int) -> bytes:
    """Hash a file; it is read again when it was modified or replaced."""
    return blake2b(Path(on_disk).read_bytes(), digest_size=digest_size).digest()
