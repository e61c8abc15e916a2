"""Find git's folders, and read its list of tracked files as data. No git is run."""

import os
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

GIT_ENTRY = ".git"
"""Name of the folder that git keeps in a repository, or of the file that a worktree or submodule has in its place."""

GITDIR_SIZE = 4_096
"""Bytes of a `.git` file that are read: one line with a path."""

DATA_SIZE = 256_000_000
"""The most bytes of a file of git that are read. The index file of a repository with a million files is half as long."""

_GITDIR = re.compile(rb"gitdir: ([^\r\n]+)")
_WORKTREE_FOLDER = re.compile(rb"(?<!/modules)/worktrees/[^/]+/?$")
"""Matches the folder that git keeps for a linked worktree. A submodule may be named `worktrees/x`."""
_SHA256 = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.MULTILINE | re.IGNORECASE)

_INDEX_HEADER = struct.Struct(">4sLL")
_FLAGS = struct.Struct(">H")
_TIMES_AND_MODES = struct.Struct(">8xLL8xL8xL")
"""What an index entry has before its hash: among others the time of the last writing, the mode and the size."""
_EXTENDED = 0x4000
"""The flag of an index entry with two more bytes of flags."""
_SKIP_WORKTREE = 0x4000
"""The flag, in these two bytes, of a file that is left out of the checkout."""

SPARSE_FOLDER = 0o40000
"""The mode of an index entry that stands for a whole folder, whose path ends in a slash."""


class TrackedFile(NamedTuple):
    """A file in git's index: its path, git's hash of its content, its mode, and what the file system said of it then.

    `seconds` and `nanoseconds` are the time of the last writing, `size` the size in bytes, modulo 2³².
    `is_sparse` says that the file is left out of the checkout on purpose. An entry with the mode SPARSE_FOLDER stands for a
    folder that is left out.
    """

    path: bytes
    content_hash: bytes
    mode: int
    seconds: int
    nanoseconds: int
    size: int
    is_sparse: bool


def repository_of(root: Path) -> Path | None:
    """Return the top folder of the git repository around a folder, or None if there is no repository."""
    # In a worktree or submodule `.git` is a file, so only its presence counts.
    return next((folder for folder in (root, *root.parents) if (folder / GIT_ENTRY).exists()), None)


def is_real(root: Path, folder: str) -> bool:
    """Say whether no link stands on the way from a root down to a folder, whose path from the root is given."""
    while folder:
        # This line runs for each file that an answer shows, and makes no `Path`, which would take longer than the look.
        if os.path.islink(f"{root}/{folder}"):  # noqa: PTH114
            return False
        folder = folder.rpartition("/")[0]
    return True


def checkout_file(root: Path, path: str, is_real: Callable[[Path, str], bool] = is_real) -> Path | None:
    """Return where a file of a checkout is on disk, or None for a path that leads elsewhere or into git's own folder.

    Each path that an index, its local state or git's list names passes here before its file is read: a forged one may name
    any file. The path is relative to the root. It leads elsewhere if it has `..` or a linked folder. The file itself may be a
    link, and need not exist. For many paths, pass a cached `is_real`.
    """
    if "\0" in path or not {"", ".", "..", GIT_ENTRY}.isdisjoint(path.lower().split("/")):
        return None
    # On Windows, these name a drive, a stream or a folder.
    if os.sep != "/" and (":" in path or os.sep in path):
        return None
    return root / path if is_real(root, path.rpartition("/")[0]) else None


def in_repository(root: Path) -> bool:
    """Say whether a folder is in a git repository."""
    return repository_of(root) is not None


def is_linked_worktree(folder: Path) -> bool:
    """Say whether a folder is a linked worktree, which `git worktree add` made beside its repository's main one."""
    # Only the text counts: the folder it names need not exist on this machine.
    return bool(_WORKTREE_FOLDER.search(_gitdir_text(folder).replace(b"\\", b"/")))


def tracked_files(root: Path) -> Iterator[str]:
    """Yield the paths below a folder that git tracks, relative to the folder.

    They are read from git's index file, so no git is needed. A folder outside any repository has none.
    """
    for path, _ in tracked_contents(root):
        yield path


def tracked_contents(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the paths of `tracked_files`, each with git's hash of the content that is about to be committed."""
    for file in tracked_entries(root):
        yield os.fsdecode(file.path), file.content_hash


def tracked_entries(root: Path) -> Iterator[TrackedFile]:
    """Yield what git's index file says of the files below a folder, with paths relative to the folder."""
    top = repository_of(root)
    if top is None:
        return
    gitdir = git_folder(top)
    prefix = folder_prefix(root, top)
    try:
        for file in _index_entries(gitdir, "index", hash_size(common_folder(gitdir))):
            # A split index has entries without a path, for those that it changes.
            if file.path and file.path.startswith(prefix):
                yield file._replace(path=file.path[len(prefix) :])
    # An index that git would refuse lists no more files.
    except (struct.error, ValueError, IndexError):
        return


def folder_prefix(root: Path, top: Path) -> bytes:
    """Return what the paths of a repository's files below a folder begin with: nothing, or the folder and a slash."""
    return b"" if root == top else os.fsencode(root.relative_to(top).as_posix()) + b"/"


def hash_size(common: Path) -> int:
    """Return the number of bytes of a hash in a repository, whose common folder is given: 20 or 32."""
    return 32 if _SHA256.search(read_data(common / "config")) else 20


def git_folder(top: Path) -> Path:
    """Return the folder that git keeps for the checkout whose top folder is `top`."""
    text = _gitdir_text(top)
    return top / os.fsdecode(text) if text else top / GIT_ENTRY


def common_folder(gitdir: Path) -> Path:
    """Return the folder that all worktrees of a repository share, which is the main worktree's own."""
    return gitdir / os.fsdecode(read_data(gitdir / "commondir").strip() or b".")


def git_index(root: Path) -> Path:
    """Return the path of the list of tracked files, for a folder in a repository. It need not exist."""
    return git_folder(repository_of(root) or root) / "index"


def checkouts(top: Path) -> list[Path]:
    """List the other checkouts of a repository: its main worktree and its linked ones. `top` is one of them."""
    common = common_folder(git_folder(top)).resolve()
    tops = [common.parent] if common.name == GIT_ENTRY else []
    for entry in sorted(common.glob("worktrees/*/gitdir")):
        if text := read_data(entry, GITDIR_SIZE).strip():
            # The file names the `.git` file of the worktree, in new versions of git relative to this folder.
            tops.append((entry.parent / os.fsdecode(text)).parent)
    places = dict.fromkeys(folder.resolve() for folder in tops)
    # A forged file may name any folder, but that folder does not name this repository.
    return [
        place
        for place in places
        if place != top.resolve()
        and (place / GIT_ENTRY).exists()
        and common_folder(git_folder(place)).resolve() == common
    ]


def _index_entries(gitdir: Path, name: str, hash_size: int) -> Iterator[TrackedFile]:
    """Yield the entries of an index file of git, in versions 2 to 4. Raises an error of the parsing if it is damaged."""
    content = read_data(gitdir / name)
    if not content:
        return
    signature, version, count = _INDEX_HEADER.unpack_from(content)
    if signature != b"DIRC":
        return
    place, path = _INDEX_HEADER.size, b""
    flags_place = _TIMES_AND_MODES.size + hash_size
    for _ in range(count):
        seconds, nanoseconds, mode, size = _TIMES_AND_MODES.unpack_from(content, place)
        flags = _FLAGS.unpack_from(content, place + flags_place)[0]
        content_hash = content[place + _TIMES_AND_MODES.size : place + flags_place]
        start = place + flags_place + 2
        sparse = False
        if flags & _EXTENDED:
            sparse = bool(_FLAGS.unpack_from(content, start)[0] & _SKIP_WORKTREE)
            start += 2
        shared = 0
        if version >= 4:
            # The path begins like the one before it, less some bytes.
            removed, start = _variable_number(content, start)
            shared = len(path) - removed
        end = content.index(b"\0", start)
        path = path[:shared] + content[start:end]
        # Up to version 3, one to eight zeros fill an entry up to a multiple of eight bytes.
        place = end + 1 if version >= 4 else place + ((end - place) // 8 + 1) * 8
        yield TrackedFile(path, content_hash, mode, seconds, nanoseconds, size, sparse)
    # A split index names the file with the entries that did not change.
    if content[place : place + 4] == b"link" and name == "index":
        yield from _index_entries(gitdir, f"sharedindex.{content[place + 8 :][:hash_size].hex()}", hash_size)


def _variable_number(content: bytes, place: int) -> tuple[int, int]:
    """Read a number of variable length, as in the offsets of git's packs. Return it and the place behind it."""
    byte = content[place]
    number = byte & 127
    while byte & 128:
        place += 1
        byte = content[place]
        number = (number + 1) << 7 | byte & 127
    return number, place + 1


def _gitdir_text(folder: Path) -> bytes:
    """Return the path that the `.git` file of a worktree or submodule names, or an empty text."""
    match = _GITDIR.match(read_data(folder / GIT_ENTRY, GITDIR_SIZE))
    return match[1] if match else b""


def read_data(path: Path, size: int = DATA_SIZE) -> bytes:
    """Return the start of a regular file, or an empty text if there is none."""
    try:
        # Reading a pipe would wait for a writer.
        if not path.is_file():
            return b""
        with path.open("rb") as stream:
            return stream.read(size)
    except (OSError, ValueError):
        return b""


def is_git_folder(folder: Path) -> bool:
    """Say whether a folder holds git's own files in place of a work tree: a bare repository, or the folder `.git`."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
