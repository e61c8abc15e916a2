"""The records that the parts of the fleet exchange."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class Outcome(StrEnum):
    """How a run ended. The values stand in the table of runs."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    FAILED = "failed"
    """It counts towards quarantine: the repository broke a limit or the indexer."""
    UNREACHABLE = "unreachable"
    """Git could not read the repository. It is tried again and again, ever more seldom."""
    POSTPONED = "postponed"
    """The worker or the database is at fault: no room, no connection. Nothing is counted."""
    GIVEN_BACK = "given back"
    """The worker was told to stop before the end."""
    LOST = "lost"
    """The worker is gone."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository, or a branch of it, that the fleet keeps indexed."""

    repo_id: str
    source: str
    location: str
    schedule: str
    branch: str = ""
    patterns: Sequence[str] = ()
    parent: str | None = None
    state: str = "waiting"
    reason: str = ""
    failures: int = 0
    commit_id: str = ""
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: seconds of wall-clock time, bytes of memory, and bytes of disk."""

    seconds: float
    memory: int
    disk: int


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker works. `parsers` is the number of parse processes of a run, `depth` that of commits to fetch, 0 for all.

    `beat_seconds` is the time between two signs of life, and `lost_seconds` the silence after which a run counts as lost.
    """

    cache: Path
    limits: Limits
    concurrency: int = 1
    parsers: int = 1
    depth: int = 1
    max_failures: int = 3
    beat_seconds: float = 10.0
    lost_seconds: float = 60.0
    tick_seconds: int = 30
    grace_seconds: float = 60.0
    look_seconds: float = 60.0
    once: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """What a child does. `url` is the address of the database, `folder` where checkout and index are."""

    repo_id: str
    source: str
    branch: str
    commit_id: str
    url: str
    folder: str
    parsers: int
    depth: int
    memory: int
    disk: int


@dataclass(frozen=True, slots=True)
class Result:
    """What a run did. Sizes are in bytes."""

    outcome: Outcome
    error: str = ""
    commit_id: str = ""
    files: int | None = None
    chunks: int | None = None
    fetch_seconds: float | None = None
    index_seconds: float | None = None
    publish_seconds: float | None = None
    peak_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class RunReport:
    """A step or the end of a run, for whoever watches the worker. `result` is None before the end."""

    repo_id: str
    stage: str
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class RepositoryStatus:
    """The state of a repository. `age` is the number of seconds since its last look, None before the first one."""

    repo_id: str
    state: str
    stage: str
    commit_id: str
    indexed: datetime | None
    checked: datetime | None
    due: datetime | None
    reason: str
    failures: int
    source: str
    branch: str
    schedule: str


@dataclass(frozen=True, slots=True)
class FleetStatus:
    """The state of the whole fleet. `queue` counts jobs, `workers` those that are alive, `last_hour` runs by outcome."""

    repositories: Sequence[RepositoryStatus]
    queue: dict[str, int] = field(default_factory=dict)
    workers: int = 0
    last_hour: dict[str, int] = field(default_factory=dict)
