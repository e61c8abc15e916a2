"""Run git, and read its index file. Indexing works without git, but a diff needs it."""

import os
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from code_graph_indexer.errors import UsageError

GIT_SECONDS = 30
"""Time limit of a git command, in seconds."""

GIT_ENTRY = ".git"
"""Name of the folder that git keeps in a repository, or of the file that a worktree or submodule has in its place."""

GITDIR_SIZE = 4_096
"""Bytes of a `.git` file that are read: one line with a path."""

_GITDIR = re.compile(rb"gitdir: ([^\r\n]+)")
_WORKTREE_FOLDER = re.compile(rb"(?<!/modules)/worktrees/[^/]+/?$")
"""Matches the folder that git keeps for a linked worktree. A submodule may be named `worktrees/x`."""
_SHA256 = re.compile(rb"^\s*objectformat\s*=\s*sha256", re.MULTILINE | re.IGNORECASE)

_INDEX_HEADER = struct.Struct(">4sLL")
_FLAGS = struct.Struct(">H")
_TIMES_AND_MODES = 40
"""Bytes of an index entry before its hash."""
_EXTENDED = 0x4000
"""The flag of an index entry with two more bytes of flags."""


def repository_of(root: Path) -> Path | None:
    """Return the top folder of the git repository around a folder, or None if there is no repository."""
    # In a worktree or submodule `.git` is a file, so only its presence counts.
    return next((folder for folder in (root, *root.parents) if (folder / GIT_ENTRY).exists()), None)


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
    top = repository_of(root)
    if top is None:
        return
    gitdir = git_folder(top)
    hash_size = 32 if _SHA256.search(_read(common_folder(gitdir) / "config")) else 20
    prefix = b"" if root == top else os.fsencode(root.relative_to(top).as_posix()) + b"/"
    try:
        for path, content_hash in _index_entries(gitdir, "index", hash_size):
            # A split index has entries without a path, for those that it changes.
            if path and path.startswith(prefix):
                yield os.fsdecode(path[len(prefix) :]), content_hash
    # An index that git would refuse lists no more files.
    except (struct.error, ValueError, IndexError):
        return


def git_folder(top: Path) -> Path:
    """Return the folder that git keeps for the checkout whose top folder is `top`."""
    text = _gitdir_text(top)
    return top / os.fsdecode(text) if text else top / GIT_ENTRY


def common_folder(gitdir: Path) -> Path:
    """Return the folder that all worktrees of a repository share, which is the main worktree's own."""
    return gitdir / os.fsdecode(_read(gitdir / "commondir").strip() or b".")


def git_index(root: Path) -> Path:
    """Return the path of the list of tracked files, for a folder in a repository. It need not exist."""
    return git_folder(repository_of(root) or root) / "index"


def checkouts(top: Path) -> list[Path]:
    """List the other checkouts of a repository: its main worktree and its linked ones. `top` is one of them."""
    common = common_folder(git_folder(top)).resolve()
    tops = [common.parent] if common.name == GIT_ENTRY else []
    for entry in sorted(common.glob("worktrees/*/gitdir")):
        if text := _read(entry, GITDIR_SIZE).strip():
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


def _index_entries(gitdir: Path, name: str, hash_size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the paths of an index file of git, in versions 2 to 4, and the hashes of their contents.

    Raises an error of the parsing if the file is damaged.
    """
    content = _read(gitdir / name)
    if not content:
        return
    signature, version, count = _INDEX_HEADER.unpack_from(content)
    if signature != b"DIRC":
        return
    place, path = _INDEX_HEADER.size, b""
    flags_place = _TIMES_AND_MODES + hash_size
    for _ in range(count):
        flags = _FLAGS.unpack_from(content, place + flags_place)[0]
        content_hash = content[place + _TIMES_AND_MODES : place + flags_place]
        start = place + flags_place + (4 if flags & _EXTENDED else 2)
        shared = 0
        if version >= 4:
            # The path begins like the one before it, less some bytes.
            removed, start = _variable_number(content, start)
            shared = len(path) - removed
        end = content.index(b"\0", start)
        path = path[:shared] + content[start:end]
        # Up to version 3, one to eight zeros fill an entry up to a multiple of eight bytes.
        place = end + 1 if version >= 4 else place + ((end - place) // 8 + 1) * 8
        yield path, content_hash
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
    match = _GITDIR.match(_read(folder / GIT_ENTRY, GITDIR_SIZE))
    return match[1] if match else b""


def _read(path: Path, size: int = -1) -> bytes:
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


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints. If git is missing, fails or takes too long, return an empty text."""
    try:
        return run_git(root, arguments).decode("utf-8", "replace")
    except UsageError:
        return ""


def run_git(root: Path, arguments: Sequence[str], stdin: bytes = b"", *, seconds: float = GIT_SECONDS) -> bytes:
    """Run a git command with `stdin` as its input, and return what it prints.

    Raises UsageError if git is missing, fails, or takes longer than `seconds`.
    """
    # Without the setting, git writes paths that are not ASCII as octal escapes in quotes.
    command = ["git", "-C", str(root), "-c", "core.quotepath=off", *arguments]
    try:
        process = subprocess.run(command, input=stdin, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise UsageError(f"git could not be run in {root} ({exc})") from exc
    if process.returncode:
        # Behind a wrong use, git prints its whole manual.
        message = process.stderr.decode("utf-8", "replace").partition("\nusage: ")[0]
        raise UsageError(f"git says: {message.strip()}")
    return process.stdout
