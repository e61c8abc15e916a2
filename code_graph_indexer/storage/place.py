"""The place of an index on disk, and what to say if it cannot be written."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from code_graph_indexer.errors import IndexWriteError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of a disk without room, and of a user who has used up the room allotted on it."""

REFUSED = frozenset({errno.EROFS, errno.EFBIG, errno.EIO})
"""Error numbers of a disk that takes no writing: it is read-only or broken, or limits the size of a file."""

ELSEWHERE = "or write the index elsewhere: --db FILE. An index that was there is unharmed"

NO_MEMORY = "there is not enough memory to write {}; use less: --workers 1. An index that was there is unharmed"


@contextmanager
def writable(location: Path) -> Iterator[None]:
    """Raise IndexWriteError if the index at this location cannot be written inside the `with` block."""
    try:
        yield
    except apsw.FullError as exc:
        raise _full(location) from exc
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError) as exc:
        raise _refused(location, str(exc)) from exc
    except (MemoryError, apsw.NoMemError) as exc:
        raise IndexWriteError(NO_MEMORY.format(location)) from exc
    except RuntimeError as exc:
        # Python has no type for this error.
        if "can't start new thread" in str(exc):
            raise IndexWriteError(NO_MEMORY.format(location)) from exc
        raise
    except OSError as exc:
        if exc.errno == errno.ENOMEM:
            raise IndexWriteError(NO_MEMORY.format(location)) from exc
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
