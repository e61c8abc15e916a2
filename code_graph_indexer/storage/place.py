"""The place of an index on disk, and what to say if it cannot be read or written there."""

import errno
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from code_graph_indexer.errors import MORE_MEMORY, IndexFormatError, IndexWriteError, shortage
from code_graph_indexer.storage.side import OWN_FOLDER, application_id

DEFAULT_PLACE = Path(OWN_FOLDER) / "index.db"
"""The default place of a repository's index, below its root. The file there is ours, and may be made anew at any time."""

APPLICATION_ID = 0x43474958
"""The letters `CGIX`, which SQLite stores in the header of every index file."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of a disk without room, and of a user who has used up the room allotted on it."""

REFUSED = frozenset({errno.EROFS, errno.EFBIG, errno.EIO})
"""Error numbers of a disk that takes no writing: it is read-only or broken, or limits the size of a file."""

ELSEWHERE = "or write the index elsewhere: --db FILE. An index that was there is unharmed"

UNHARMED = "{} is not written. An index that was there is unharmed"


@contextmanager
def writable(location: Path) -> Iterator[None]:
    """Raise IndexWriteError if the index at this location cannot be written inside the `with` block."""
    try:
        yield
    except apsw.FullError as exc:
        raise _full(location) from exc
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as exc:
        raise _refused(location, str(exc)) from exc
    except apsw.NoMemError as exc:
        raise IndexWriteError(f"{MORE_MEMORY}; {UNHARMED.format(location)}") from exc
    # A pool of processes that cannot be started is a RuntimeError, and the system's error led to it.
    except (MemoryError, RuntimeError, OSError) as exc:
        if short := shortage(exc):
            raise IndexWriteError(f"{short}; {UNHARMED.format(location)}") from exc
        if not isinstance(exc, OSError):
            raise
        if exc.errno in FULL:
            raise _full(Path(exc.filename or location)) from exc
        # An error at another path, such as one of the repository, says nothing of the index.
        if exc.errno in REFUSED or (exc.filename and _is_part(Path(exc.filename), location)):
            raise _refused(location, os.strerror(exc.errno or 0)) from exc
        raise


def _is_part(path: Path, location: Path) -> bool:
    """Say whether a path is the index, a file beside it, or a folder around it."""
    return path.parent == location.parent or location.is_relative_to(path)


def _full(location: Path) -> IndexWriteError:
    return IndexWriteError(f"there is no room on the disk of {location}; make room, {ELSEWHERE}")


def _refused(location: Path, reason: str) -> IndexWriteError:
    return IndexWriteError(f"{location} cannot be written ({reason}); change that, {ELSEWHERE}")


# What to say of a file that cannot be read, and the way out that works at its place.


def is_own_place(location: Path) -> bool:
    """Say whether a path is the default place of an index, so that no file of a user is there."""
    return location.parts[-2:] == DEFAULT_PLACE.parts


def is_index(file: Path) -> bool:
    """Return whether the header of a file is that of an index."""
    return application_id(file) == APPLICATION_ID


def made_by_schema(file: Path) -> int:
    """Return the version of the schema in the header of an index file."""
    with file.open("rb") as stream:
        return int.from_bytes(stream.read(64)[60:], "big")


def is_foreign(location: Path) -> bool:
    """Say whether a file may be somebody's own: it is elsewhere than an index by default, and does not look like one."""
    return not is_own_place(location) and bool(location.stat().st_size) and not is_index(location)


def way_out(location: Path) -> str:
    """Return the command that makes an unreadable index anew, where it is. It works: a build replaces just such a file."""
    if is_own_place(location):
        return f"build it anew: cgi index --full {shlex.quote(str(location.parent.parent))}"
    if location.is_file() and is_foreign(location):
        return "give another --db, or remove the file"
    return f"build it anew: cgi index --full FOLDER --db {shlex.quote(str(location))}"


def damaged(location: Path, reason: object) -> IndexFormatError:
    """Return the error for an index with something in it that no index holds."""
    return IndexFormatError(f"{location} is damaged or forged ({reason}); {way_out(location)}")


def too_much(location: Path) -> IndexFormatError:
    """Return the error for an index that makes a question take more than an index of its size does."""
    return IndexFormatError(
        f"{location} makes this question take more than an index of its size does; ask for less, or see whether the file "
        f"is sound: cgi doctor --db {shlex.quote(str(location))}"
    )
