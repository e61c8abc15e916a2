"""The folder of a worker: a checkout and an index for each repository, of which the oldest make room for others."""

import contextlib
import fcntl
import hashlib
import re
import shutil
from pathlib import Path

LOCK_FILE, TREE, INDEX = "lock", "tree", "index.db"
"""Names in the folder of a repository: the file that a run locks, the checkout, and the index."""

SCARCE = 64 * 1024 * 1024
"""With fewer free bytes than this, a disk counts as full: what failed then failed for want of room."""

_PLAIN = re.compile(r"[^\w.-]+")


def folder_of(cache: Path, repo_id: str) -> Path:
    """Return the folder of a repository, and make it. Its name is readable, and no two repositories share it."""
    digest = hashlib.sha256(repo_id.encode()).hexdigest()[:12]
    folder = cache / f"{_PLAIN.sub('-', repo_id)[:60].lstrip('.-')}-{digest}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def is_full(folder: Path) -> bool:
    """Say whether the disk of a folder has no room."""
    return shutil.disk_usage(folder).free < SCARCE


def make_room(cache: Path, wanted: int, *, spare: Path) -> int:
    """Remove the folders of repositories, the longest unused first, until `wanted` bytes are free. Return their number.

    A folder that a run uses stays, and so does `spare`.
    """
    removed = 0
    folders = sorted((path for path in cache.iterdir() if path != spare and path.is_dir()), key=_last_use)
    for folder in folders:
        if shutil.disk_usage(cache).free >= wanted:
            break
        removed += remove_folder(folder)
    return removed


def remove_folder(folder: Path) -> bool:
    """Remove the folder of a repository, unless a run uses it or it is gone."""
    with contextlib.suppress(OSError), (folder / LOCK_FILE).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
        return True
    return False


def _last_use(folder: Path) -> float:
    """Return when a run last used a folder, as each one writes its lock file anew, or 0 if none did."""
    with contextlib.suppress(OSError):
        return (folder / LOCK_FILE).stat().st_mtime
    return 0.0
