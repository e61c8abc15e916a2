"""Run git: what it says is welcome when a repository is indexed, and needed for a diff."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from code_graph_indexer.errors import UsageError

GIT_SECONDS = 30
"""Time that git has to answer."""


def in_repository(root: Path) -> bool:
    """Say whether a folder is in a git repository."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints; nothing when it fails, takes too long, or there is no git."""
    try:
        return run_git(root, arguments).decode("utf-8", "replace")
    except UsageError:
        return ""


def run_git(root: Path, arguments: Sequence[str], sent: bytes = b"", *, seconds: float = GIT_SECONDS) -> bytes:
    """Return what a git command prints that is sent something; raise UsageError when it cannot be run, or fails."""
    command = ["git", "-C", str(root), "-c", "core.quotepath=off", *arguments]
    try:
        done = subprocess.run(command, input=sent, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise UsageError(f"git could not be run in {root} ({exc})") from exc
    if done.returncode:
        raise UsageError(f"git says: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
