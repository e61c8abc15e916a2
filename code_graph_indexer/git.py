"""Run git. Indexing works without git, but a diff needs it."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from code_graph_indexer.errors import UsageError

GIT_SECONDS = 30
"""Time limit of a git command, in seconds."""


def in_repository(root: Path) -> bool:
    """Say whether a folder is in a git repository."""
    # In a worktree or submodule `.git` is a file, so only its presence counts.
    return any((folder / ".git").exists() for folder in (root, *root.parents))


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
        raise UsageError(f"git says: {process.stderr.decode('utf-8', 'replace').strip()}")
    return process.stdout
