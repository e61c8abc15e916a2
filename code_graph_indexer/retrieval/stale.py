"""Find the indexed files that have changed on disk since they were indexed."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from stat import S_ISREG

from code_graph_indexer.git import checkout_file, is_real
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.disk import file_hash

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


def place_on_disk(root: Root | None, path: str, is_real: Callable[[Path, str], bool] = is_real) -> Path | None:
    """Return the place of an indexed file on disk, or None if its folder is not known or its path leads elsewhere.

    For many paths, pass a cached `is_real`.
    """
    place = root.place(path) if isinstance(root, Checkouts) else None if root is None else (root, path)
    return None if place is None else checkout_file(*place, is_real)


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
        if not paths:
            return set()
        states = self._store.file_states(paths)
        # Results stand in few folders.
        is_real_folder = cache(is_real)
        places = {path: place_on_disk(self._root, path, is_real_folder) for path in paths}
        return {path for path in paths if path not in states or _differs(places[path], *states[path])}


def _differs(on_disk: Path | None, size: int, content_hash: bytes) -> bool:
    """Say whether a file is gone, or another one than was indexed with this size and hash. A file without a place is gone."""
    if on_disk is None:
        return True
    try:
        status = os.lstat(on_disk)
        # The index holds no links. The size is compared first, because it needs no reading.
        if not S_ISREG(status.st_mode) or status.st_size != size:
            return True
        return _hash(str(on_disk), status.st_mtime_ns, size, status.st_ino) != content_hash
    except OSError:
        return True


@lru_cache(maxsize=FILES_KEPT)
def _hash(on_disk: str, modified: int, size: int, inode: int) -> bytes:
    """Return the hash of a file. The file is read again only if it was modified or replaced. Raises OSError."""
    # `modified`, `size` and `inode` are only the key of the cache: with another value, the file is read again.
    return file_hash(Path(on_disk))
