"""Check texts from outside where they become a path, a number or a revision of git, so that none ends in an error of Python."""

import errno
import re
from collections.abc import Mapping
from pathlib import Path

from code_graph_indexer.errors import UsageError

MAX_REVISION = 1_000
"""The most characters of a revision. The name of a branch has at most 255 in each part."""

MAX_SHOWN = 80
"""The most characters of a wrong text that an error repeats."""

MAX_DIGITS = 18
"""The most digits of a number. SQLite and PostgreSQL store no longer ones, and Python reads none of thousands of digits."""

ABSENT = (errno.ENOENT, errno.ENOTDIR)
"""The errors of the system for a path at which nothing is."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def shown(text: str) -> str:
    """Return a text in quotes, as an error repeats it: shortened, and without characters that a terminal cannot show."""
    return repr(text) if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]!r} …"


def home_folder() -> Path | None:
    """Return the home folder of this user, or None for a user without one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def path_of(text: str | Path) -> Path:
    """Return the absolute path that a text names. `~` at its start is a home folder. Nothing need be at the path.

    Raises UsageError for a text that is no path on this machine.
    """
    name = shown(str(text))
    if "\0" in str(text):
        raise UsageError(f"{name} holds a zero character, which no path does; give another path")
    path = Path(text)
    try:
        path = path.expanduser().absolute()
        # SQLite opens no other paths.
        str(path).encode()
        path.lstat()
    except RuntimeError as exc:
        raise UsageError(
            f"{name} is in the home folder of a user that this machine does not know; give a path"
        ) from exc
    except UnicodeEncodeError as exc:
        raise UsageError(f"{shown(str(path))} is no path in UTF-8, and SQLite opens no other; rename it") from exc
    except OSError as exc:
        if exc.errno == errno.ENOENT and not exc.filename:
            raise UsageError("the current folder is gone; change to another one") from exc
        if exc.errno not in ABSENT:
            raise UsageError(f"{name} is no path that can be read: {exc.strerror}; give another path") from exc
    return path


def revisions_of(text: str) -> str:
    """Return the revisions of git that a text names, such as `main..HEAD`. Raises UsageError for a text that names none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        is_text = False
    else:
        is_text = not _CONTROL.search(text)
    # Git would read a revision that begins with a dash as an option.
    if not is_text or text.startswith("-") or not text.strip() or len(text) > MAX_REVISION:
        raise UsageError(f"{shown(text)} is no revision; give REV..REV, or REV to compare with the working tree")
    return text


def number_of(text: str) -> int | None:
    """Return the whole number that a text is, or None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def inside(text: str, folders: Mapping[str, Path]) -> str:
    """Return a text whose absolute paths are as in the index. `folders` maps the start of such paths to the folder on disk."""
    for start, folder in folders.items():
        for root in dict.fromkeys((str(folder), str(folder.resolve()))):
            # Every absolute path begins with the root of the file system.
            if root in text and folder != folder.parent:
                # Behind a letter or a dot the path is the end of another one.
                pattern = rf"(?<![\w./-]){re.escape(root)}(?:/|(?![\w.-]))"
                # A name of a repository may hold a backslash, which a template of `re` would read.
                text = start.join(re.split(pattern, text))
    return text
