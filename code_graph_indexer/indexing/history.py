"""Read from git when each file was last changed, by how many authors, and together with which other files."""

import os
from collections import Counter, defaultdict
from hashlib import blake2b
from itertools import permutations
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import (
    common_folder,
    git_folder,
    head_of,
    private_repository,
    repository_of,
    shallow_commits,
)
from code_graph_indexer.storage.records import History

MAX_COMMITS = 5_000
"""The most commits that are read, the newest first. A file that none of them changed has no history."""

MAX_TIME = 2**40
"""The latest time, in seconds, that is recorded: some ten thousand years from now."""

STAMP_SIZE = 16
"""Bytes of a stamp."""

MAX_FILES = 15
"""The most files of a commit that says what belongs together. A commit of more files moves, formats or renames."""

MIN_COMMITS, MAX_PARTNERS = 2, 8
"""The fewest commits that changed two files together, and the most such files that are recorded of a file."""


def history_stamp(root: Path) -> str:
    """Return a text that tells which commit a history is of, or "" if there is no repository or no commit.

    Clones of a repository give the same text. What they have fetched of the history is told by `history_boundary`.
    """
    head = head_of(root)
    return _digest(head.encode()) if head else ""


def history_boundary(root: Path) -> str:
    """Return a text that changes if more or less of the history was fetched."""
    top = repository_of(root)
    return _digest(shallow_commits(common_folder(git_folder(top)))) if top is not None else ""


def _digest(fact: bytes) -> str:
    return blake2b(fact, digest_size=STAMP_SIZE).hexdigest()


def read_history(root: Path) -> History | None:
    """Read the history of the files below a folder, or return None if git is missing or fails."""
    try:
        with private_repository(root) as repository:
            below = [f"--relative={os.fsdecode(repository.prefix)}"] if repository.prefix else []
            log = repository.run(
                *(
                    "log",
                    f"--max-count={MAX_COMMITS}",
                    "--no-renames",
                    *below,
                    "--name-only",
                    "--format=%x00%ct%x00%ae%x00",
                )
            )
    except UsageError:
        return None
    return _history(log.decode("utf-8", "replace"))


def _history(log: str) -> History:
    """Return the history that git's log tells, as the command of `read_history` writes it."""
    last: dict[str, int] = {}
    authors: dict[str, set[str]] = defaultdict(set)
    together: dict[str, Counter[str]] = defaultdict(Counter)
    # Neither an author's address nor a path, which git quotes, can hold the character that divides them.
    fields = log.split("\0")[1:]
    for time, author, names in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        paths = list(filter(None, names.split("\n")))
        for path, partner in permutations(paths, 2) if len(paths) <= MAX_FILES else ():
            together[path][partner] += 1
        for path in paths:
            # The newest commit comes first, so the first time of a path stands.
            last.setdefault(path, _seconds(time))
            authors[path].add(author)
    return History({path: (when, len(authors[path])) for path, when in last.items()}, _frequent(together))


def _seconds(text: str) -> int:
    """Return a time that git tells, in seconds, at most MAX_TIME, as anybody can write any. It is 0 if it is no number."""
    return min(int(text), MAX_TIME) if text.isdecimal() else 0


def _frequent(together: dict[str, Counter[str]]) -> dict[str, list[tuple[str, int]]]:
    """Return the files that often changed with each file, the most frequent first, at most MAX_PARTNERS."""
    frequent: dict[str, list[tuple[str, int]]] = {}
    for path, counts in together.items():
        often = [(partner, count) for partner, count in counts.items() if count >= MIN_COMMITS]
        if often:
            frequent[path] = sorted(often, key=lambda pair: (-pair[1], pair[0]))[:MAX_PARTNERS]
    return frequent
