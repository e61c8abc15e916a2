"""Watch the folders of a repository, so that a question need not look at all of its files.

The system queues what happens in the watched folders. A call empties the queue, and a file written beside the index proves
that it is empty: its own event comes after those of all changes made before. No thread runs meanwhile.
"""

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from threading import Lock, Thread

from watchfiles import Change, watch

from code_graph_indexer.storage.side import claim
from code_graph_indexer.storage.snapshot import Listing

PROOF_SECONDS = 0.1
"""Seconds to wait for the event of the file that proves the queue empty. It takes some thousandths of a second."""

POLL_SECONDS = 0.25
"""Seconds between two looks into the queue while waiting for a change. Each takes about a thousandth of a second."""

QUIET_SECONDS = 0.3
"""Seconds without an event after which a change counts as done, so that one update writes all files of a commit."""

LEFT_OVER_SECONDS = 86_400.0
"""Age in seconds of a proof file that a killed process must have left."""

Events = set[tuple[Change, str]]


class Watcher:
    """A watcher of the folders of one repository. `report` gets one sentence if watching is impossible.

    Several threads may ask it: the queue of the system is locked.

    It fits `CodeIndexer.watch_with`. A change of the folders themselves starts the watching anew, on a thread. Until it has
    begun, every call of `changed` is true.

    Example:
        >>> from code_graph_indexer.indexing.watch import Watcher
        >>> watcher = Watcher(indexer.root, indexer.db)
        >>> watcher.close()
    """

    def __init__(self, root: Path, index: Path, *, report: Callable[[str], None] = lambda sentence: None) -> None:
        self._root = root
        self._folder = index.parent
        self._proof = index.with_name(f"{index.name}.watch-{os.getpid()}-{id(self)}")
        self._report = report
        self._lock = Lock()
        self._queue: Generator[Events] | None = None
        self._listing: Listing | None = None
        self._folders: frozenset[str] = frozenset()
        self._watched: frozenset[str] = frozenset()
        self._rules: frozenset[str] = frozenset()
        self._has_changes = True
        self._is_starting = False
        self._is_failed = False
        self._count = 0
        for left_over in self._folder.glob(f"{index.name}.watch-*"):
            if time.time() - left_over.stat().st_mtime > LEFT_OVER_SECONDS:
                left_over.unlink(missing_ok=True)

    def changed(self, listing: Listing) -> bool:
        """Say whether a file, folder or rule of this listing may have changed since the last call.

        A change made before the call is never missed. While the watching starts or if it failed, the answer is true.

        Example:
            >>> from code_graph_indexer.indexing.watch import Watcher
            >>> from code_graph_indexer.storage.snapshot import Listing
            >>> Watcher(indexer.root, indexer.db).changed(Listing())
            True
        """
        with self._lock:
            if self._is_failed or self._is_starting:
                return True
            # To read some thousand paths takes longer than all else here.
            if listing is not self._listing:
                self._listing = listing
                self._folders = self._places(listing.folders)
                rules = self._places(listing.rules)
                # A list of tracked files lies in a folder of its own, which may be new.
                if rules != self._rules:
                    self._rules, self._watched = rules, frozenset()
            if self._queue is None or self._folders != self._watched:
                self._start(self._folders)
                return True
            is_proven = self._prove()
            has_changes, self._has_changes = self._has_changes or not is_proven, False
            return has_changes

    def wait(self, seconds: float) -> bool:
        """Wait for a change and for the quiet after it. Return False if there was none for so many seconds.

        Example:
            >>> from code_graph_indexer.indexing.watch import Watcher
            >>> Watcher(indexer.root, indexer.db).wait(0.0)
            False
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(min(POLL_SECONDS, max(0.0, deadline - time.monotonic())))
            if self._poll():
                self._settle()
                return True
        return False

    def _places(self, paths: Iterable[str]) -> frozenset[str]:
        """Return paths from the root as full paths."""
        return frozenset(os.path.normpath(self._root / path) for path in paths)

    def _settle(self) -> None:
        """Wait until no event comes for a moment."""
        is_quiet = False
        while not is_quiet:
            time.sleep(QUIET_SECONDS)
            is_quiet = not self._poll()

    def close(self) -> None:
        """End the watching.

        Example:
            >>> from code_graph_indexer.indexing.watch import Watcher
            >>> Watcher(indexer.root, indexer.db).close()
        """
        with self._lock:
            self._stop()
            self._is_failed = True
        self._proof.unlink(missing_ok=True)

    def _start(self, folders: frozenset[str]) -> None:
        """Watch these folders and no others, from a thread, since thousands take a moment. The caller holds the lock."""
        self._stop()
        self._watched = folders
        self._is_starting = True
        Thread(target=self._begin, args=(folders,), daemon=True).start()

    def _begin(self, folders: frozenset[str]) -> None:
        """Make the queue of the folders, on a thread. If the system refuses, report it, and never watch again."""
        # The lists of tracked files lie in folders of git, which are no part of the repository.
        paths = sorted({*folders, *map(_parent, self._rules), str(self._folder)})
        queue = None
        try:
            claim(self._proof)
            self._proof.touch()
            # On Linux only the watch of a whole tree misses a file that is written at once into a new folder. There each
            # folder is watched by itself, and a new one changes the list of folders.
            queue = watch(
                *(path for path in paths if Path(path).is_dir()),
                watch_filter=None,
                debounce=1,
                step=1,
                rust_timeout=1,
                yield_on_timeout=True,
                recursive=sys.platform != "linux",
                ignore_permission_denied=True,
            )
            next(queue)
        # A folder that is gone by now comes with another list. Anything else, such as too few watches, stays so.
        except FileNotFoundError:
            queue = None
        except (OSError, RuntimeError) as exc:
            queue = None
            self._is_failed = True
            self._report(f"changes cannot be watched for ({exc}), so each question looks at all files")
        with self._lock:
            self._queue = None if self._is_failed else queue
            # What changed before the watching began is not in the queue.
            self._has_changes = True
            self._is_starting = False

    def _stop(self) -> None:
        """Close the queue, if there is one. The caller holds the lock."""
        if self._queue is not None:
            self._queue.close()
            self._queue = None

    def _poll(self) -> bool:
        """Empty the queue, and say whether an event in it matters."""
        with self._lock:
            return self._queue is not None and self._relevant(next(self._queue, set()))

    def _prove(self) -> bool:
        """Empty the queue, and say whether the event of a write of our own proves it empty. The caller holds the lock."""
        if self._queue is None:
            return False
        self._count += 1
        try:
            self._proof.write_text(str(self._count), encoding="ascii")
        except OSError:
            return False
        deadline = time.monotonic() + PROOF_SECONDS
        while time.monotonic() < deadline:
            events: Events = next(self._queue, set())
            self._relevant(events)
            if any(path == str(self._proof) for _, path in events):
                return True
        return False

    def _relevant(self, events: Events) -> bool:
        """Note the events that change a watched folder or a list of tracked files, and say whether there are any."""
        is_relevant = False
        for _, path in events:
            if path in self._watched:
                # A folder that was removed and made again is another one, which nothing watches.
                self._watched = frozenset()
            # Git writes a list of files under another name, and then renames it.
            elif _parent(path) not in self._watched and path.removesuffix(".lock") not in self._rules:
                continue
            is_relevant = True
        self._has_changes |= is_relevant
        return is_relevant


def _parent(path: str) -> str:
    return path.rpartition(os.sep)[0]
