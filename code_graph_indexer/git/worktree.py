"""Compare two revisions, or a revision with the files on disk, by git's hashes of their contents.

The files on disk are hashed here. Git never sees them, so no filter, attribute or submodule of theirs has a say.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from code_graph_indexer.git.layout import (
    SPARSE_FOLDER,
    TrackedFile,
    checkout_file,
    git_index,
    is_real,
    tracked_entries,
)
from code_graph_indexer.git.private import PrivateRepository, private_repository

MAX_TEXT = 10_000_000
"""Bytes of the longest file that is compared line by line. A longer one is no source."""

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_REGULAR = b"100"
"""What the modes of regular files begin with. Links and submodules have no lines."""

_DIFF = (
    *("diff", "--unified=0", "--no-color", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-cr-at-eol"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
_SIZE_MASK = 0xFFFFFFFF

Reader = Callable[[Path], bytes]
"""The type of a function that returns the bytes of a regular file, and raises OSError for anything else."""

_Hashes = dict[bytes, str]
"""Paths of files below the indexed folder, with the hashes of their contents."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs: its path, its two contents, and the numbers of the lines that differ in both, from 1.

    A content is None if the file does not exist there.
    """

    path: str
    old: bytes | None
    new: bytes | None
    old_lines: Sequence[int]
    new_lines: Sequence[int]


def changed_files(root: Path, before: str, after: str, read: Reader) -> list[FileChange]:
    """List the files below a folder that differ between two revisions, by path.

    If `after` is empty, the second version is that of the files on disk: those that git tracks, and those of the first. A
    renamed file counts as removed and added. Raises UsageError if git or a revision is missing.
    """
    with private_repository(root) as repository:
        old_tree = repository.tree(before) or repository.put("tree", b"")
        if after:
            pairs = _between(repository, old_tree, repository.tree(after) or repository.put("tree", b""))
        else:
            old = _listed(repository, old_tree)
            new = _on_disk(repository, root, old, read)
            pairs = {path: (old.get(path, ""), new.get(path, "")) for path in sorted({*old, *new})}
        pairs = {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
        return list(_changes(repository, pairs))


def _between(repository: PrivateRepository, old: str, new: str) -> dict[bytes, tuple[str, str]]:
    """Map the paths that differ between two trees to both hashes. It is empty where the path is no regular file."""
    # In the raw form, a line with modes and hashes stands before each path.
    output = repository.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new).split(b"\0")
    pairs = {}
    for head, path in zip(output[::2], output[1::2], strict=False):
        old_mode, new_mode, old_hash, new_hash, _ = head.lstrip(b":").split()
        pairs[path] = _regular_hash(old_mode, old_hash), _regular_hash(new_mode, new_hash)
    return pairs


def _listed(repository: PrivateRepository, tree: str) -> _Hashes:
    """Map the paths of the regular files of a tree to hashes."""
    lines = (line.partition(b"\t") for line in repository.run("ls-tree", "-r", "-z", tree).split(b"\0") if line)
    heads = ((path, *head.split()) for head, _, path in lines)
    return {path: text for path, mode, _, blob in heads if (text := _regular_hash(mode, blob))}


def _regular_hash(mode: bytes, blob: bytes) -> str:
    """Return a hash as a text, or an empty text for anything but a regular file, such as a link."""
    return blob.decode("ascii") if mode.startswith(_REGULAR) else ""


def _on_disk(repository: PrivateRepository, root: Path, old: _Hashes, read: Reader) -> _Hashes:
    """Map the files that git tracks, and those of `old`, to the hashes of their contents on disk. A file that is gone has none.

    A content that differs from `old` is written into the private repository. What is longer than MAX_TEXT, or left out
    of the checkout on purpose, keeps its old hash.
    """
    tracked = {file.path: file for file in tracked_entries(root)}
    sparse_folders = tuple(path for path, file in tracked.items() if file.mode == SPARSE_FOLDER)
    index = git_index(root)
    index_time = index.stat().st_mtime_ns if index.exists() else 0
    is_real_folder = cache(is_real)
    hashes: _Hashes = {}
    for path in sorted({*old, *tracked}):
        file = tracked.get(path)
        place = checkout_file(root, os.fsdecode(path), is_real_folder)
        status = None if place is None else _status(place)
        if place is None or status is None:
            if path in old and ((file and file.is_sparse) or path.startswith(sparse_folders)):
                hashes[path] = old[path]
        elif file is not None and _is_as_tracked(file, status, index_time):
            hashes[path] = file.content_hash.hex()
        elif status.st_size > MAX_TEXT:
            hashes[path] = old.get(path, "")
        else:
            hashes[path] = _written_hash(repository, place, old.get(path, ""), read)
    return hashes


def _status(place: Path) -> os.stat_result | None:
    """Return what the file system says of a regular file, or None if there is none at this place."""
    try:
        status = place.lstat()
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _is_as_tracked(file: TrackedFile, status: os.stat_result, index_time: int) -> bool:
    """Say whether times and size prove that a file has the content that git's index names, as git decides it itself."""
    seconds, nanoseconds = divmod(status.st_mtime_ns, 1_000_000_000)
    return (
        file.seconds == seconds & _SIZE_MASK
        and file.nanoseconds in (0, nanoseconds)
        and file.size == status.st_size & _SIZE_MASK
        # What was written when the index was may have been written again in the same moment.
        and status.st_mtime_ns < index_time
    )


def _written_hash(repository: PrivateRepository, path: Path, old: str, read: Reader) -> str:
    """Return the hash of a file on disk, empty if unreadable. Any content but `old` is put into the private repository."""
    try:
        content = read(path)
    except OSError:
        return ""
    # Git may have put other line ends into the file than it keeps.
    if old in (repository.hash_of("blob", content), repository.hash_of("blob", content.replace(b"\r\n", b"\n"))):
        return old
    return repository.put("blob", content)


def _changes(repository: PrivateRepository, pairs: Mapping[bytes, tuple[str, str]]) -> Iterator[FileChange]:
    """Yield the change of each path of `pairs`, which have an old and a new hash, with its contents and changed lines.

    A path with neither content, as of a file that is too long, is left out.
    """
    contents = _contents(repository, {blob for pair in pairs.values() for blob in pair if blob})
    both = [path for path, (old, new) in pairs.items() if old in contents and new in contents]
    lines = _lines(repository, [pairs[path] for path in both])
    hunks = dict(zip(both, lines, strict=True))
    for path, (old_hash, new_hash) in pairs.items():
        old, new = contents.get(old_hash), contents.get(new_hash)
        if old is None and new is None:
            continue
        old_lines, new_lines = hunks.get(path) or (_all_lines(old), _all_lines(new))
        yield FileChange(os.fsdecode(path), old, new, old_lines, new_lines)


def _contents(repository: PrivateRepository, blobs: Iterable[str]) -> dict[str, bytes]:
    """Map hashes to contents. What is missing, as in a partial clone, or too long has no entry."""
    names = "".join(f"{blob}\n" for blob in sorted(blobs)).encode()
    if not names:
        return {}
    sizes = (line.split() for line in repository.run("cat-file", "--batch-check", stdin=names).splitlines())
    short = [line[0] for line in sizes if line[1] == b"blob" and int(line[2]) <= MAX_TEXT]
    answer = memoryview(repository.run("cat-file", "--batch", stdin=b"".join(name + b"\n" for name in short)))
    contents = {}
    place = 0
    for name in short:
        head = bytes(answer[place : place + 200]).partition(b"\n")[0]
        start = place + len(head) + 1
        end = start + int(head.split()[2])
        contents[name.decode("ascii")] = bytes(answer[start:end])
        # A line end follows each content.
        place = end + 1
    return contents


def _lines(repository: PrivateRepository, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
    """Return, for pairs of contents, the numbers of the lines that differ, from 1. A binary content has none."""
    lines: list[tuple[list[int], list[int]]] = [([], []) for _ in pairs]
    if not pairs:
        return lines
    # In two flat trees of our own, the pairs have numbers for names, which git never quotes.
    trees = (
        b"".join(b"100644 %08d\0%b" % (number, bytes.fromhex(pair[side])) for number, pair in enumerate(pairs))
        for side in (0, 1)
    )
    number = 0
    for line in repository.run(*_DIFF, *(repository.put("tree", tree) for tree in trees)).split(b"\n"):
        if line.startswith(b"diff --git a/"):
            number = int(line.split(b"/")[-1])
        elif match := _HUNK.match(line):
            for side, first, count in zip(lines[number], match.group(1, 3), match.group(2, 4), strict=True):
                length = int(count) if count is not None else 1
                side.extend(range(int(first), int(first) + length))
    return lines


def _all_lines(content: bytes | None) -> range:
    return range(1, len((content or b"").splitlines()) + 1)
