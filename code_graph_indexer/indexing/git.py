"""Ask git, where there is one: what it says is welcome and never needed."""

import subprocess
from pathlib import Path

GIT_SECONDS = 30
"""Time that git has to answer."""


def in_repository(root: Path) -> bool:
    """Say whether a folder is in a git repository."""
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints; nothing when it fails, takes too long, or there is no git."""
    command = ["git", "-c", "core.quotepath=off", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
