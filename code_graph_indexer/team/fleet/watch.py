"""Watch the processes of a run, and say when they use more than their limits."""

import os
import time
from pathlib import Path

from code_graph_indexer.team.fleet.records import Limits

MIB = 1024 * 1024

WALK_SHARE = 0.05
"""The largest share of time that may go into measuring disk space. Large folders are measured less often."""

MIN_WALK_SECONDS = 2.0
"""The shortest time between two measurements of disk space, in seconds."""

_PROCESSES = Path("/proc")


class Watch:
    """The measurements of a run that began now: time, memory of the process group, disk space of a folder."""

    def __init__(self, group: int, folder: Path, limits: Limits) -> None:
        self.peak = 0
        self._group, self._folder, self._limits = group, folder, limits
        self._started = time.monotonic()
        self._next_walk = self._started + MIN_WALK_SECONDS

    def breach(self) -> str:
        """Return which limit is broken, in words, or ""."""
        now = time.monotonic()
        if now - self._started > self._limits.seconds:
            return f"it took longer than {self._limits.seconds:g} seconds"
        memory = group_memory(self._group)
        self.peak = max(self.peak, memory)
        if memory > self._limits.memory:
            return f"it used more than {self._limits.memory // MIB:,} MiB of memory"
        if now >= self._next_walk:
            size = folder_size(self._folder, self._limits.disk)
            self._next_walk = time.monotonic() + max(MIN_WALK_SECONDS, (time.monotonic() - now) / WALK_SHARE)
            if size > self._limits.disk:
                return f"it used more than {self._limits.disk // MIB:,} MiB of disk space"
        return ""


def group_memory(group: int) -> int:
    """Return the bytes of memory of a process group. Pages that its processes share count once.

    Where the system does not tell (it has no /proc), it is 0.
    """
    total = 0
    for entry in _process_folders():
        try:
            # The name of the program stands in parentheses and may contain anything.
            after_name = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(after_name[2]) == group:
                total += _proportional_size(entry)
        # The process ended meanwhile.
        except (OSError, IndexError, ValueError):
            continue
    return total


def _process_folders() -> list[Path]:
    try:
        return [entry for entry in _PROCESSES.iterdir() if entry.name.isdecimal()]
    except OSError:
        return []


def _proportional_size(process: Path) -> int:
    for line in (process / "smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def folder_size(folder: Path, most: int) -> int:
    """Return the bytes that a folder takes on disk, or more than `most` as soon as that is sure."""
    total, folders = 0, [str(folder)]
    while folders and total <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        # The run removes and renames files while they are counted.
        except OSError:
            continue
    return total
