"""Read from git when each file was last changed, by how many authors, and together with which other files."""

from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path

from code_graph_indexer.git import git, in_repository
from code_graph_indexer.storage.records import History

MAX_COMMITS = 5_000
"""The most commits that are read, the newest first. A file that none of them changed has no history."""

MAX_TAGS = 500
"""The most tags that are read, the newest first."""

MAX_FILES = 15
"""The most files of a commit that says what belongs together. A commit of more files moves, formats or renames."""

MIN_COMMITS, MAX_PARTNERS = 2, 8
"""The fewest commits that changed two files together, and the most such files that are recorded of a file."""


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
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in log.split("\x01")[1:]:
        head, _, names = commit.partition("\n")
        time, _, author = head.partition("\x02")
        paths = list(filter(None, names.split("\n")))
        for path, partner in permutations(paths, 2) if len(paths) <= MAX_FILES else ():
            together[path][partner] += 1
        for path in paths:
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
    return History({path: (when, len(authors[path])) for path, when in last.items()}, tags, _frequent(together))


def _frequent(together: dict[str, Counter[str]]) -> dict[str, list[tuple[str, int]]]:
    """Return the files that changed most often with each file, the most frequent first."""
    frequent: dict[str, list[tuple[str, int]]] = {}
    for path, counts in together.items():
        often = [(partner, count) for partner, count in counts.items() if count >= MIN_COMMITS]
        if often:
            frequent[path] = sorted(often, key=lambda pair: (-pair[1], pair[0]))[:MAX_PARTNERS]
    return frequent
