"""The files beside an index: which names they have, that they are ours before they are written, and who may read them.

In the folder `.cgi` every file is ours. A repository may have brought links there, so none is followed. Elsewhere a file of
such a name may be the user's, so it has to bear our mark.
"""

import contextlib
import os
import sys
from pathlib import Path

from code_graph_indexer.errors import IndexWriteError

OWN_FOLDER = ".cgi"
"""The folder, below the root of a repository, for its index and all files beside it."""

BUILD = ".cgi-new"
"""The ending of a file that is being made, next to the one that it will replace. No other program uses it."""

LOCAL, WATCHER = ".local", ".watcher"
"""The endings of the local state of an index, and of the lock of its watcher."""

LOCAL_MARK = 0x6367696C
"""The application id of the local state, in SQLite's header: `cgil`."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
"""The modes of what stands in the own folder: it may quote files that only their owner can read."""

JOURNALS = {
    "-journal": (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",),
    "-wal": (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-shm": ((3_007_000).to_bytes(4, sys.byteorder),),
}
"""The files that SQLite keeps beside a file and removes, with how each begins: so, or with zeros before and after its use."""

_MAGIC = b"SQLite format 3\0"
_HEADER_SIZE = 100
_MARK = slice(68, 72)


def beside(index: Path, ending: str) -> Path:
    """Return the path of a file beside an index."""
    return index.with_name(index.name + ending)


def make_folder(folder: Path) -> None:
    """Make the folder of an index. That in a repository is private and ignored by git.

    Raises IndexWriteError if it is a link there.
    """
    if folder.name != OWN_FOLDER:
        folder.mkdir(parents=True, exist_ok=True)
        return
    _refuse_link(folder)
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    ignore = folder / ".gitignore"
    claim(ignore)
    # On a full disk, the file of an earlier run may be empty.
    if not ignore.stat().st_size:
        ignore.write_text("*\n", encoding="utf-8")


def refuse_links(index: Path) -> None:
    """Raise IndexWriteError if an index in the own folder, or the folder, is a link."""
    if index.parent.name == OWN_FOLDER:
        _refuse_link(index.parent)
        _refuse_link(index)
        _refuse_link(beside(index, "-journal"))


def claim(path: Path, mark: int = 0) -> None:
    """Make sure that a file may be written: it is no link in the own folder and, elsewhere, bears the mark.

    In the own folder, a new file is readable by its owner alone. A file without the mark is of an older version there, which
    hid neither files nor secrets, so it is made anew. Raises IndexWriteError.
    """
    if path.parent.name == OWN_FOLDER:
        refuse_links(path)
        if mark and path.is_file() and not _is_marked(path, mark):
            path.unlink()
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE))
        return
    refuse_foreign_journals(path)
    if mark and not _is_marked(path, mark):
        raise IndexWriteError(f"{path} is no file of cgi, which needs this name; move it, or give another --db")


def refuse_foreign_journals(path: Path) -> None:
    """Raise IndexWriteError if a file stands where SQLite keeps its own beside a file, and would remove it.

    In the own folder, all files are ours.
    """
    if path.parent.name == OWN_FOLDER:
        return
    for ending, beginnings in JOURNALS.items():
        place = beside(path, ending)
        head = _head(place) if place.is_file() else b""
        if head and not head.startswith((*beginnings, bytes(len(beginnings[0])))):
            raise IndexWriteError(f"{place} is no file of SQLite, which would remove it; move it, or give another --db")


def _refuse_link(path: Path) -> None:
    """Raise IndexWriteError if a path is a link."""
    if path.is_symlink():
        raise IndexWriteError(
            f"{path} is a link, and cgi writes through none there; remove it, or write the index elsewhere: --db FILE"
        )


def application_id(path: Path) -> int:
    """Return the application id in the header of a SQLite file, or 0 if it is none."""
    header = _head(path)
    return int.from_bytes(header[_MARK], "big") if header.startswith(_MAGIC) else 0


def _is_marked(path: Path, mark: int) -> bool:
    """Say whether a file has a mark in its header. One that is missing or empty, as a killed run leaves it, has any."""
    return not path.exists() or not path.stat().st_size or application_id(path) == mark


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, as many as the header of SQLite has."""
    with path.open("rb") as stream:
        return stream.read(_HEADER_SIZE)
