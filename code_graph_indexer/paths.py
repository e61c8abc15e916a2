"""Read a path that somebody typed or sent. What no file system takes is refused here, once, for every door."""

import errno
import os
from pathlib import Path

from code_graph_indexer.errors import UsageError

SHOWN = 80
"""How many characters of a wrong path an error quotes."""

_NO_PATH = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP})
"""Error numbers of a path that no file can have, or whose links lead in a circle."""


def user_path(text: str | Path) -> Path:
    """Return the full path that a user means, where `~` is the home folder. Nothing has to be there.

    Raises UsageError if no file can have this path.

    Example:
        >>> from code_graph_indexer.paths import user_path
        >>> user_path("/tmp/../tmp").is_absolute()
        True
    """
    try:
        path = Path(text).expanduser().absolute()
        path.lstat()
    except RuntimeError as exc:
        raise _wrong(text, "there is no such user's home folder") from exc
    except ValueError as exc:
        raise _wrong(text, str(exc)) from exc
    except OSError as exc:
        if exc.errno in _NO_PATH:
            raise _wrong(text, os.strerror(exc.errno or 0)) from exc
    return path


def _wrong(text: str | Path, reason: str) -> UsageError:
    start = str(text)[:SHOWN]
    return UsageError(f"{start!r}{'…' if len(str(text)) > SHOWN else ''} is no path ({reason}); give another")
