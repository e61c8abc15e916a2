"""What a run saw of a repository's folders and files, and the question whether they changed since.

The question asks the file system for sizes and times only. It is as careful as a walk through the repository: where times
cannot prove that a file or folder is the same, its content or its list of names is compared.
"""

import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from code_graph_indexer.doors import late_module
from code_graph_indexer.git import checkout_file, git_index, repository_of, tracked_files
from code_graph_indexer.version import VERSION

# Late, because few files change whose content is not compared.
if TYPE_CHECKING:
    from code_graph_indexer.languages import ecosystems
else:
    ecosystems = late_module("code_graph_indexer.languages.ecosystems")

RACY_NS = 2_000_000_000
"""Nanoseconds. What changed less than this long before it was read may change again without getting a new time.

The coarsest file system, FAT, counts time in steps of two seconds.
"""

UNTRUSTED = 0
"""The time of a file or folder that changed too shortly before it was read. No file has it, so its content is compared."""

DIGEST_SIZE = 16
"""Bytes of a digest of names, and of the hash of a file's content."""


class SeenFile(NamedTuple):
    """A file as it was read: size in bytes, time of its last change, and hash of its content.

    The hash is None if a rule forbids to read the file, and empty if it could not be read.
    """

    size: int
    time_ns: int
    content_hash: bytes | None


class SeenFolder(NamedTuple):
    """A folder as it was listed: time of its last change, and a digest of the names and kinds of its entries."""

    time_ns: int
    names: bytes


class SeenRule(NamedTuple):
    """A file that says what belongs to the repository: an ignore file, or the list of the files that git tracks.

    `repository` is the folder of the repository whose list it is, or None for an ignore file. `digest` is of the file, or
    of the paths in the list. The size is -1 if there is no such file.
    """

    repository: str | None
    size: int
    time_ns: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Listing:
    """What a walk saw beside the files: folders and rules, by their paths from the root.

    `made_by` changes with the version and with the repository around the root, and `max_file_size` is the setting of the walk.
    """

    made_by: str = ""
    max_file_size: int = 0
    folders: dict[str, SeenFolder] = field(default_factory=dict)
    rules: dict[str, SeenRule] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The repository as the last run saw it. `index` is the stamp of the index that this run left."""

    files: Mapping[str, SeenFile]
    listing: Listing
    index: str


class Changes(NamedTuple):
    """The files that an index does not have as they are on disk: with another content, not at all, or no longer."""

    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Return all paths, sorted."""
        return tuple(sorted((*self.changed, *self.new, *self.deleted)))


@dataclass(frozen=True, slots=True)
class Differences:
    """What is no longer as in a snapshot.

    `changed` are files with another content, as they are now. `walk` says that only a walk can tell which files there are.
    `files`, `folders` and `rules` have new times and nothing else, so that to store these states saves work.
    """

    changed: list[str] = field(default_factory=list)
    walk: bool = False
    files: dict[str, SeenFile] = field(default_factory=dict)
    folders: dict[str, SeenFolder] = field(default_factory=dict)
    rules: dict[str, SeenRule] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        """Say whether all files are as in the snapshot."""
        return not self.changed and not self.walk

    @property
    def trusted(self) -> bool:
        """Say whether a new time is old enough to prove at the next look that nothing changed."""
        states: Iterable[SeenFile | SeenFolder | SeenRule] = chain(
            self.files.values(), self.folders.values(), self.rules.values()
        )
        return any(state.time_ns != UNTRUSTED for state in states)


def listing_version(root: Path) -> str:
    """Return a text that changes if another version or another surrounding repository may give another list of files."""
    top = repository_of(root)
    return f"{VERSION} {'' if top is None else os.path.relpath(top, root)}"


def index_stamp(index: Path) -> str:
    """Return a text that changes with every change of an index file, or "" if there is none."""
    try:
        status = index.stat()
        with index.open("rb") as stream:
            header = stream.read(28)
    except OSError:
        return ""
    # SQLite counts its commits in the header. Size and time may be the same after an update.
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {int.from_bytes(header[24:28], 'big')}"


def usable_snapshot(snapshot: Snapshot | None, root: Path, index: Path) -> Snapshot | None:
    """Return a snapshot if it is of this index and of this version, else None."""
    if snapshot is None or snapshot.index != index_stamp(index):
        return None
    return snapshot if snapshot.listing.made_by == listing_version(root) else None


def change_time(status: os.stat_result) -> int:
    """Return the time in nanoseconds when a file or folder was last changed.

    Any program may set the time of the last writing. The time of the last change of the entry only the system sets.
    """
    return max(status.st_mtime_ns, status.st_ctime_ns)


def trusted_time(time_ns: int) -> int:
    """Return a time of change, or UNTRUSTED if it is so recent that another change may get the same time."""
    return time_ns if time.time_ns() - time_ns > RACY_NS else UNTRUSTED


def names_digest(entries: Iterable[os.DirEntry[str]]) -> bytes:
    """Return a digest of the names of a folder's entries and their kinds: folder, file, link or something else."""
    names = sorted(entry.name + _kind(entry) for entry in entries)
    return _digest("\0".join(names).encode("utf-8", "surrogateescape"))


def _kind(entry: os.DirEntry[str]) -> str:
    """Return a mark for the kind of an entry: none for a file, `/` for a folder, `@` for a link, `?` for all else."""
    if entry.is_file(follow_symlinks=False):
        return ""
    if entry.is_dir(follow_symlinks=False):
        return "/"
    return "@" if entry.is_symlink() else "?"


def see_rule(path: Path) -> SeenRule:
    """Return the present state of an ignore file, or of the file `.git` in a worktree."""
    size, time_ns = _size_and_time(path)
    return SeenRule(None, size, trusted_time(time_ns), _file_digest(path))


def see_tracked(root: Path, repository: str) -> tuple[str, SeenRule, list[str]]:
    """Read git's list of tracked files of the repository in or around a folder, whose path from the root is `repository`.

    Return the path of the list, its present state, and the paths in it, relative to the folder.
    """
    folder = Path(root, repository)
    index = git_index(folder)
    # Before it is read, so that a change in between shows in the time.
    size, time_ns = _size_and_time(index)
    paths = list(tracked_files(folder))
    place = os.fspath(index.relative_to(root) if index.is_relative_to(root) else index)
    return place, SeenRule(repository, size, trusted_time(time_ns), tracked_digest(paths)), paths


def tracked_digest(paths: Iterable[str]) -> bytes:
    """Return a digest of paths."""
    return _digest("\0".join(paths).encode("utf-8", "surrogateescape"))


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST_SIZE).digest()


def _size_and_time(path: Path | str) -> tuple[int, int]:
    """Return the size of a file and the time of its last change, or -1 and UNTRUSTED if it is gone."""
    try:
        status = os.lstat(path)
    except OSError:
        return -1, UNTRUSTED
    return status.st_size, change_time(status)


def _file_digest(path: Path) -> bytes:
    """Return the digest of a regular file. Empty if it is none, or cannot be read."""
    try:
        return _digest(path.read_bytes()) if stat.S_ISREG(os.lstat(path).st_mode) else b""
    except OSError:
        return b""


def differences(root: Path, snapshot: Snapshot) -> Differences:
    """Compare a repository with a snapshot of it: by sizes and times, and by content where they differ or prove nothing."""
    walk = False
    rules: dict[str, SeenRule] = {}
    for path, rule in snapshot.listing.rules.items():
        # A rule outside the root has a full path, which the join returns.
        size, time_ns = _size_and_time(Path(root, path))
        # What was missing and still is has no time.
        if (size, time_ns) == (rule.size, rule.time_ns) and (size < 0 or time_ns != UNTRUSTED):
            continue
        rules[path] = see_rule(Path(root, path)) if rule.repository is None else see_tracked(root, rule.repository)[1]
        walk |= rules[path].digest != rule.digest
    top = f"{root}{os.sep}"
    folders: dict[str, SeenFolder] = {}
    for path, folder in snapshot.listing.folders.items():
        try:
            time_ns = change_time(os.lstat(top + path))
            if time_ns == folder.time_ns:
                continue
            with os.scandir(top + path) as entries:
                names = names_digest(entries)
        except OSError:
            time_ns, names = UNTRUSTED, b""
        folders[path] = SeenFolder(trusted_time(time_ns), names)
        walk |= names != folder.names
    changed: list[str] = []
    files: dict[str, SeenFile] = {}
    lstat = os.lstat
    for path, (size, time_ns, content_hash) in snapshot.files.items():
        try:
            status = lstat(top + path)
        except OSError:
            changed.append(path)
            walk = True
            continue
        # Written out in place of `change_time`, because this line runs for each file before each question.
        modified, entry_changed = status.st_mtime_ns, status.st_ctime_ns
        now_ns = modified if modified > entry_changed else entry_changed
        if now_ns == time_ns and status.st_size == size:
            continue
        # Of a file that no rule lets be read, the index has only the size, which decides whether it is too large.
        # A lock file may fix another version in as many bytes.
        is_same = status.st_size == size and (
            not ecosystems.is_package_file(path)
            if content_hash is None
            else _is_content(root, path, status, content_hash)
        )
        if is_same:
            files[path] = SeenFile(size, trusted_time(now_ns), content_hash)
        else:
            changed.append(path)
            walk |= content_hash is None
    return Differences(changed, walk, files, folders, rules)


def _is_content(root: Path, path: str, status: os.stat_result, content_hash: bytes) -> bool:
    """Say whether a file of the snapshot has the content with this hash. A file that cannot be read has an empty one."""
    place = checkout_file(root, path)
    if place is None:
        return False
    try:
        # Reading a pipe would wait for a writer.
        content = place.read_bytes() if stat.S_ISREG(status.st_mode) else b""
    except OSError:
        return not content_hash
    return _digest(content) == content_hash
