"""Read which commits the branches, tags and HEAD of a repository name. They are files, so no git is run."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from code_graph_indexer.git.layout import common_folder, git_folder, read_data, repository_of

LINK_DEPTH = 5
"""The most references that may lead from one to the next, as in git."""

LINE_SIZE = 4_096
"""Bytes of a reference's file that are read: one line."""

REFERENCE_COUNT = 1_000_000
"""The most references of a repository that are read."""

_HASH = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\s*$", re.MULTILINE)
_LINK = re.compile(rb"ref: (refs/\S+)\s*$")
_PACKED = re.compile(rb"^([0-9a-f]{40}|[0-9a-f]{64}) (refs/[^\s\0]+)$", re.MULTILINE)
# The characters and parts that git forbids in a name, so that no name leads out of the folder.
_FORBIDDEN = re.compile(rb"[\0-\x20\x7f~^:?*\[\\]|\.\.|//|@\{|/\.|\.lock(?:/|$)|[/.]$")
_PSEUDO = re.compile(r"[A-Z_]*HEAD")


def head_of(root: Path) -> str:
    """Return the hash of the commit that is checked out, or "" if there is no repository or no commit."""
    top = repository_of(root)
    return head_commit(git_folder(top)) if top is not None else ""


def head_commit(gitdir: Path) -> str:
    """Return the hash of the commit that is checked out, for the folder that git keeps of a checkout."""
    name = b"HEAD"
    for _ in range(LINK_DEPTH):
        line = _line(gitdir, name)
        if match := _HASH.match(line):
            return match[1].decode("ascii")
        link = _LINK.match(line)
        if link is None:
            # Packing a reference removes its file.
            return _packed(common_folder(gitdir)).get(name, b"").decode("ascii")
        name = link[1]
        if _FORBIDDEN.search(name):
            return ""
    return ""


def references(gitdir: Path, prefix: str = "refs") -> dict[bytes, bytes]:
    """Map the names of references below a prefix to hashes, as text. A reference that names another one is left out."""
    common = common_folder(gitdir)
    start = os.fsencode(prefix) + b"/"
    hashes = {name: commit for name, commit in _packed(common).items() if name.startswith(start)}
    # A loose reference overrides a packed one. A linked worktree has few of its own.
    for folder in dict.fromkeys((common, gitdir)):
        for name in _loose(folder, prefix):
            if match := _HASH.match(read_data(folder / os.fsdecode(name), LINE_SIZE)):
                hashes[name] = match[1]
            if len(hashes) >= REFERENCE_COUNT:
                return hashes
    return hashes


def pseudo_references(gitdir: Path) -> dict[str, bytes]:
    """Map names such as `ORIG_HEAD` and `MERGE_HEAD` to hashes, as text."""
    try:
        names = [entry.name for entry in os.scandir(gitdir) if _PSEUDO.fullmatch(entry.name)]
    except OSError:
        return {}
    matches = ((name, _HASH.match(read_data(gitdir / name, LINE_SIZE))) for name in names if name != "HEAD")
    return {name: match[1] for name, match in matches if match}


def shallow_commits(common: Path) -> bytes:
    """Return the lines with the commits whose parents were not fetched, in order. A whole history has none."""
    return b"".join(commit + b"\n" for commit in sorted(_HASH.findall(read_data(common / "shallow"))))


def _line(gitdir: Path, name: bytes) -> bytes:
    """Return the text of a reference's file, of the checkout itself or else of its repository. Empty if it has no file."""
    path = os.fsdecode(name)
    return read_data(gitdir / path, LINE_SIZE) or read_data(common_folder(gitdir) / path, LINE_SIZE)


def _packed(common: Path) -> dict[bytes, bytes]:
    """Map the names of packed references to their hashes."""
    lines = _PACKED.findall(read_data(common / "packed-refs"))
    return {name: commit for commit, name in lines if not _FORBIDDEN.search(name)}


def _loose(folder: Path, prefix: str) -> Iterator[bytes]:
    """Yield the names of references that have a file of their own. No link is followed."""
    base = os.fsencode(folder)
    for place, folders, files in os.walk(os.path.join(base, os.fsencode(prefix))):  # noqa: PTH118
        folders.sort()
        for file in sorted(files):
            name = os.path.relpath(os.path.join(place, file), base).replace(os.fsencode(os.sep), b"/")  # noqa: PTH118
            if not _FORBIDDEN.search(name):
                yield name
