"""Find the indexed files that have changed on disk since they were indexed."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISLNK

from code_graph_indexer.storage import Store

FILES_KEPT = 10_000
"""Number of files whose hashes are cached between searches."""


@dataclass(frozen=True, slots=True)
class Checkouts:
    """The folders of several repositories, by the name before the paths of each. A repository may have none."""

    folders: Mapping[str, Path]

    def place(self, path: str) -> tuple[Path, str] | None:
        """Return the folder of a path's repository, and the path inside it."""
        for name, folder in self.folders.items():
            if path.startswith(f"{name}/"):
                return folder, path[len(name) + 1 :]
        return None


Root = Path | Checkouts
"""The folder of a repository, or those of several."""


def place_on_disk(root: Root | None, path: str) -> Path | None:
    """Return the place of an indexed file on disk, or None if its folder is not known or the path leads out of it."""
    place = root.place(path) if isinstance(root, Checkouts) else None if root is None else (root, path)
    on_disk = None if place is None else _inside(*place)
    return None if on_disk is None else Path(on_disk)


class StaleCheck:
    """A comparison of the files on disk with the index. Without an existing root folder, no file is stale."""

    def __init__(self, store: Store, root: Root | None) -> None:
        self._store = store
        if isinstance(root, Checkouts):
            root = Checkouts({name: folder for name, folder in root.folders.items() if folder.is_dir()})
        self._root = root if not isinstance(root, Path) or root.is_dir() else None

    def stale(self, paths: Collection[str]) -> set[str]:
        """Return those of `paths` whose files on disk have changed or are gone since they were indexed."""
        if self._root is None:
            return set()
        if isinstance(self._root, Checkouts):
            paths = [path for path in paths if self._root.place(path) is not None]
        states = self._store.file_states(paths)
        return {path for path in paths if path not in states or _differs(self._root, path, *states[path])}


def _differs(root: Root, path: str, size: int, content_hash: bytes) -> bool:
    on_disk = place_on_disk(root, path)
    if on_disk is None:
        return True
    try:
        status = os.lstat(on_disk)
        # The index holds no links. The size is compared first, because it needs no reading.
        if S_ISLNK(status.st_mode) or status.st_size != size:
            return True
        return _hash(str(on_disk), status.st_mtime_ns, size, status.st_ino, len(content_hash)) != content_hash
    except OSError:
        return True


@lru_cache(maxsize=FILES_KEPT)
def _inside(root: Path, path: str) -> str | None:
    """Return the path of an indexed file on disk, or None if the path leads out of the root.

    Someone may have forged the index to make us read a file outside the root.
    """
    return None if ".." in Path(path).parts or Path(path).is_absolute() else str(root / path)


@lru_cache(maxsize=FILES_KEPT)
def _hash(on_disk: str, modified: int, size: int, inode: int, digest_size: int) -> bytes:
    """Return the BLAKE2 hash of a file. The file is read again only if it was modified or replaced."""
    # `modified`, `size` and `inode` are only the key of the cache: with another value, the file is read again.
    return blake2b(Path(on_disk).read_bytes(), digest_size=digest_size).digest()
