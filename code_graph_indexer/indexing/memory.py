"""Divide the memory of a build between its processes."""

import os
from pathlib import Path

from code_graph_indexer.settings import Settings

PROCESS_MIB = 120
"""Memory of a process that parses or links, in MiB, without what it remembers of other files."""

CRASHES = ("out of memory", "the parser crashed")
"""The first words of the errors of a reader that ended. Without memory, all readers end."""

BY_CHANCE = ("timeout", *CRASHES)
"""The first words of the errors that depend on the machine. Another run may read such a file, so `cgi index` tries it again."""

LEAST_LINK_MIB = 32
"""The least memory of a process for what it remembers of other files, in MiB. With less, it forgets what it needs next."""


def worker_count(settings: Settings) -> int:
    """Return the number of processes beside the main one: as the setting says, or one per core if they fit into the memory."""
    if settings.workers:
        return settings.workers
    # One share is for the main process.
    return max(1, min(os.cpu_count() or 1, settings.memory // PROCESS_MIB - 1))


def link_memory(settings: Settings) -> int:
    """Return the bytes that each linking process may take for what it remembers of other files."""
    workers = worker_count(settings)
    # What the main process has of all files is counted twice, as the other processes write into their copies of it.
    free = settings.memory - 2 * max(PROCESS_MIB, _resident_mib())
    return max(LEAST_LINK_MIB, free // workers - PROCESS_MIB) << 20


def _resident_mib() -> int:
    """Return the memory of this process in MiB, or 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
