"""The check before each question: what changed on disk since the index was updated, and the update if it is little.

A question to a repository where nothing changed costs one look at the sizes and times of its files and folders, and loads
nothing of the write path.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol

from code_graph_indexer import indexing
from code_graph_indexer.errors import BusyError, CgiError, IndexWriteError, UsageError
from code_graph_indexer.results import Progress
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import open_store, writable
from code_graph_indexer.storage.local import LocalState, local_path, read_snapshot
from code_graph_indexer.storage.snapshot import (
    Changes,
    Differences,
    Listing,
    Snapshot,
    differences,
    index_stamp,
    usable_snapshot,
)
from code_graph_indexer.version import VERSION

MAX_UPDATE_FILES = 30
"""The most changed files that are read before an answer. On one core, reading and linking them takes about 0.4 s."""

MAX_UPDATE_BYTES = 600_000
"""The most bytes of these files. 30 files of source code have 20,000 bytes each, which is more than the usual."""

MAX_FIRST_FILES = 400
"""The most changed files that are read before the first answer in a new worktree, or from an index made elsewhere.

Until then the index may have the files of another commit, so the first answer may take longer.
"""

MAX_FIRST_BYTES = 8_000_000
"""The most bytes of these files."""

WAIT_SECONDS = 1.0
"""Seconds that a question waits for another process that is updating the index. An update of few files takes less."""

LOOK_SECONDS = 60.0
"""Seconds between two looks at all files while a watcher says that nothing changed. A watcher may lose a change."""

MAX_PATHS = 5
"""The most paths or names that a sentence lists."""


class FreshnessState(StrEnum):
    """How an answer relates to the files on disk.

    Example:
        >>> from code_graph_indexer import FreshnessState
        >>> symbols = indexer.symbol("add_tax")
        >>> indexer.freshness.state is FreshnessState.CURRENT
        True
    """

    CURRENT = "current"
    """Nothing had changed since the index was updated."""
    UPDATED = "updated"
    """Files had changed, and the index was updated before the answer."""
    STALE = "stale"
    """Files changed, and the answer comes from the index as it was before."""
    UNCHECKED = "unchecked"
    """Whether files changed is not known."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How the answer to a question relates to the files on disk.

    `changed`, `new` and `deleted` are the paths that the index did not have as they were on disk. If the state is `updated`, it
    has them now. `note` is a sentence for people, and empty if the answer is of the files on disk.

    Example:
        >>> symbols = indexer.symbol("add_tax")
        >>> indexer.freshness.note
        ''
    """

    state: FreshnessState = FreshnessState.CURRENT
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    note: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths that the index did not have as they were on disk, sorted.

        Example:
            >>> indexer.freshness.paths
            ()
        """
        return tuple(sorted((*self.changed, *self.new, *self.deleted)))

    @property
    def stale_paths(self) -> frozenset[str]:
        """The paths whose places in an answer may be wrong.

        Example:
            >>> indexer.freshness.stale_paths
            frozenset()
        """
        if self.state is not FreshnessState.STALE:
            return frozenset()
        return frozenset((*self.changed, *self.deleted))


class ChangeSource(Protocol):
    """A watcher of a repository, which saves the look at all files before a question."""

    def changed(self, listing: Listing) -> bool:
        """Say whether a file, folder or rule of this listing may have changed since the last call.

        A change made before the call is never missed. If the source cannot tell, the answer is true.
        """


class FreshnessCheck:
    """The check before each question to an index. It writes to the index inside of `turn`, in which no other thread reads.

    Only one thread at a time may use it.
    """

    def __init__(
        self,
        root: Path | None,
        db: Path,
        settings: Settings,
        *,
        is_default_place: bool,
        turn: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._root = root
        self._db = db
        self._settings = settings
        self._is_default_place = is_default_place
        self._turn = turn
        self._source: ChangeSource | None = None
        self._snapshot: Snapshot | None = None
        self._snapshot_stamp = ""
        self._current: Snapshot | None = None
        self._next_look = 0.0
        self._reported: set[str] = set()

    def watch_with(self, source: ChangeSource | None) -> None:
        """Ask a watcher before the files are looked at. None ends that."""
        self._source = source
        self._current = None

    def before_question(self) -> Freshness:
        """Return how the index relates to the files on disk, and update it first if little changed.

        No error stops a question: what prevented the update becomes the note.
        """
        if not self._settings.update or not self._db.is_file():
            return Freshness(FreshnessState.UNCHECKED)
        if self._root is None or not self._is_default_place:
            return self._as_is("it is not in the folder .cgi of a repository")
        try:
            snapshot = self._stored()
        except BusyError:
            return self._updated(None)
        if snapshot is None:
            return self._updated(None)
        # Before the look, so that what changes from here on is left for the next question.
        is_quiet = self._source is not None and not self._source.changed(snapshot.listing)
        if is_quiet and snapshot is self._current and time.monotonic() < self._next_look:
            return Freshness()
        started = time.monotonic()
        seen = differences(self._root, snapshot)
        self._next_look = time.monotonic() + max(LOOK_SECONDS, 100 * (time.monotonic() - started))
        if not seen.nothing:
            return self._updated((snapshot, seen))
        self._current = snapshot
        if seen.trusted:
            self._store_times(snapshot, seen)
            self._note_current()
        return Freshness()

    def _note_current(self) -> None:
        """Take the snapshot that a run just stored for what is on disk, if a watcher tells of later changes."""
        if self._source is not None:
            try:
                self._current = self._stored()
            except BusyError:
                self._current = None

    def update(self, report: Callable[[Progress], None]) -> Freshness:
        """Write all changes into the index, however many, and return them.

        Raises UsageError for an index that cannot be updated, and what `CodeIndexer.index` raises.
        """
        self._current = None
        if self._root is None or not self._is_default_place:
            raise UsageError(f"{self._db} is not in the folder .cgi of a repository; run: cgi index FOLDER --db FILE")
        try:
            with self._turn():
                changes = indexing.update_repository(
                    self._root, self._db, self._settings, wait=WAIT_SECONDS, report=report
                )
        except indexing.NotUpdatableError as exc:
            raise UsageError(f"{self._db} cannot be updated ({exc}); build it anew: cgi index") from exc
        return Freshness(FreshnessState.UPDATED if changes.paths else FreshnessState.CURRENT, *changes)

    def _stored(self) -> Snapshot | None:
        """Return what the last run saw, or None if it is not of this index. It is read again only if stored anew."""
        stamp = index_stamp(local_path(self._db))
        if stamp != self._snapshot_stamp or self._snapshot is None:
            self._snapshot, self._snapshot_stamp = read_snapshot(self._db), stamp
        assert self._root is not None
        return usable_snapshot(self._snapshot, self._root, self._db)

    def _store_times(self, snapshot: Snapshot, seen: Differences) -> None:
        """Store new times of files that are the same, so that the next question need not read them again, if possible."""
        try:
            with writable(self._db), LocalState(self._db) as local:
                stored = local.snapshot()
                if stored is not None and stored.index == snapshot.index == index_stamp(self._db):
                    local.put_seen(seen)
        # It only saves time, and the next question tries again.
        except CgiError:
            return

    def _updated(self, look: tuple[Snapshot, Differences] | None) -> Freshness:
        """Update the index, or say why it was not updated.

        `look` is a snapshot and what differs from it, if there is a snapshot. If too much changed, or another process is
        writing, the answer is stale and names the files.
        """
        self._current = None
        assert self._root is not None
        if reason := self._refusal():
            return self._as_is(reason)
        # The write path takes longer to load than a question to an index that is up to date.
        most = (
            indexing.Bound(MAX_UPDATE_FILES, MAX_UPDATE_BYTES)
            if look
            else indexing.Bound(MAX_FIRST_FILES, MAX_FIRST_BYTES)
        )
        update = partial(indexing.update_repository, self._root, self._db, self._settings, wait=WAIT_SECONDS, most=most)
        try:
            with self._turn():
                try:
                    changes = update(look=look)
                except IndexWriteError:
                    # What lay beside the index may have been damaged. Then it is gone now, and the next try makes it anew.
                    changes = update()
        except indexing.TooMuchError as exc:
            return _stale(exc.changes, "too many to update first; run: cgi index")
        except indexing.NotUpdatableError as exc:
            return self._as_is(str(exc))
        # An OSError is of a file of the repository, such as on a disk that is gone.
        except (CgiError, OSError) as exc:
            reason = "another process is updating it" if isinstance(exc, BusyError) else str(exc)
        else:
            self._note_current()
            state = FreshnessState.UPDATED if changes.paths else FreshnessState.CURRENT
            return Freshness(state, *changes)
        if look is not None and not look[1].walk:
            return _stale(Changes(changed=tuple(look[1].changed)), reason)
        try:
            changes = indexing.pending_changes(self._root, self._db, self._settings)
        except (indexing.NotUpdatableError, CgiError, OSError):
            return self._as_is(reason)
        return _stale(changes, reason) if changes.paths else Freshness()

    def _refusal(self) -> str:
        """Return why no update is tried, or an empty text."""
        try:
            store = open_store(self._db)
        # The question itself meets the same error, and explains it.
        except CgiError:
            return ""
        version = store.meta().get("version", "")
        store.close()
        return "" if version == VERSION else f"version {version or 'unknown'} of cgi made it; run: cgi index"

    def _as_is(self, reason: str) -> Freshness:
        """Return that the index is read as it is. Each reason is said once."""
        is_new = reason not in self._reported
        self._reported.add(reason)
        note = f"the index is read as it is, without a look at the files on disk: {reason}" if is_new else ""
        return Freshness(FreshnessState.UNCHECKED, note=note)


def listed(names: Sequence[str]) -> str:
    """Return names with commas between them, at most MAX_PATHS, and the number of those left out."""
    rest = len(names) - MAX_PATHS
    return ", ".join(names[:MAX_PATHS]) + (f" and {rest:,} more" if rest > 0 else "")


def _stale(changes: Changes, reason: str) -> Freshness:
    """Return that an answer does not know these changes, with the reason in the note."""
    count = len(changes.paths)
    files = "1 file" if count == 1 else f"{count:,} files"
    paths = listed(changes.paths)
    note = f"{files} changed on disk since the index was updated, and this answer does not know it: {paths} ({reason})"
    return Freshness(FreshnessState.STALE, *changes, note=note)
