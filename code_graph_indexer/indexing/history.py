"""Read from git when each file was last changed, and by how many authors."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.git import git, in_repository

MAX_COMMITS = 5_000
"""The most commits that are read, the newest first. A file that none of them changed has no history."""

MAX_TAGS = 500
"""The most tags that are read, the newest first."""


class History(NamedTuple):
    """The history of a repository. Times are seconds since 1970.

    `files` maps a path to (time of its last commit, number of its authors). `tags` maps a tag to its time.
    """

    files: dict[str, tuple[int, int]]
    tags: dict[str, int]


def head_of(root: Path) -> str:
    """Return the hash of the commit that is checked out, or "" if there is no repository, no commit or no git."""
    return git(root, "rev-parse", "HEAD").strip() if in_repository(root) else ""


def read_history(root: Path) -> History:
    """Read the history of the files below a folder. It is empty if git has none."""
    # Git quotes control characters in paths, so they can mark where a commit and its author begin.
    log = git(
        root,
        *("log", f"--max-count={MAX_COMMITS}", "--no-renames", "--relative", "--name-only", "--format=%x01%ct%x02%ae"),
    )
    last: dict[str, int] = {}
    authors: dict[str, set[str]] = defaultdict(set)
    for commit in log.split("\x01")[1:]:
        head, _, names = commit.partition("\n")
        time, _, author = head.partition("\x02")
        for path in filter(None, names.split("\n")):
            # The newest commit comes first, so the first time of a path stands.
            last.setdefault(path, int(time))
            authors[path].add(author)
    tags: dict[str, int] = {}
    form = "--format=%(refname:short) %(creatordate:unix)"
    listing = git(root, "for-each-ref", f"--count={MAX_TAGS}", "--sort=-creatordate", form, "refs/tags")
    for line in listing.split("\n"):
        name, _, time = line.rpartition(" ")
        # A tag may point at a file's content, which has no date.
        if name and time.isdecimal():
            tags[name] = int(time)
    return History({path: (when, len(authors[path])) for path, when in last.items()}, tags)
