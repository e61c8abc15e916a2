"""Hold the index that a site shows: keep it up to date while pages are open, and remember what takes long to compute."""

import gc
import logging
import time
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Event, Lock, RLock, Thread
from typing import TypeVar, cast

from code_graph_indexer.errors import CgiError, NotInIndexError, UsageError
from code_graph_indexer.freshness import Freshness, FreshnessState
from code_graph_indexer.graph.questions import GraphQuestions
from code_graph_indexer.index import Behind, Index
from code_graph_indexer.indexer import CodeIndexer
from code_graph_indexer.indexing.watch import Watcher
from code_graph_indexer.results import Filters, Symbol
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.storage import FileRow, Store, is_own_place
from code_graph_indexer.storage.snapshot import index_stamp
from code_graph_indexer.web.code import CodeFile, code_lines, load_code
from code_graph_indexer.web.complete import Completion
from code_graph_indexer.web.start import Language, language_shares
from code_graph_indexer.web.tree import Level, levels
from code_graph_indexer.words import split_identifier

log = logging.getLogger(__name__)

QUIET_SECONDS = 5.0
"""Seconds of one wait for a change on disk."""

LOOK_EVERY = 5.0
"""Seconds between two looks for changes, while a page is open, at indexes that no watcher watches."""

MAX_KEPT = 64
"""Most results that are remembered: files of the last pages, and the parts of the start page."""

OF_FILTERED = 6
"""How many definitions are looked at for each that is shown, if a query has filters."""

MAX_SPELLING, SPELLED = 16, (4, 3, 2)
"""Most words of a query that may spell names, and how many words a name has, the most first."""

COLLECT_AFTER = 50_000
"""Objects after which Python looks for cycles. An answer makes tens of thousands, and none of them is in a cycle."""

T = TypeVar("T")


class Site:
    """The index behind a site. Its pages are asked for on several threads: locks guard what the site remembers."""

    def __init__(self, indexer: Index) -> None:
        self.indexer = indexer
        self.completion = Completion(indexer.store)
        self.freshness = Freshness()
        self._kept: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._lock = Lock()
        self._names_lock = RLock()
        self._loading = Lock()
        self._watcher: Watcher | None = None
        self._next_look = 0.0
        self._closed = Event()
        self._mending: Thread | None = None
        self._mended = ""

    @property
    def name(self) -> str:
        """Return the name of the repository: that of its folder, or of the index file. Of several, return their number."""
        if not self.indexer.is_set:
            return self.indexer.name
        count = len(self.repositories)
        return self.repositories[0] if count == 1 else f"{count:,} repositories"

    @property
    def repositories(self) -> list[str]:
        """List the names of the repositories of a set. A single index has none."""
        return self.remembered(("repositories",), lambda store: store.repositories() if self.indexer.is_set else [])

    @property
    def checkouts(self) -> list[str]:
        """List the repositories of a set whose files are on this machine, so that git can say what changed in them."""
        return sorted(start.rstrip("/") for start in self.indexer.folders) if self.indexer.is_set else []

    def reading(self) -> AbstractContextManager[None]:
        """Let the index stay as it is now inside a `with` block, in which a page is made."""
        self.indexer.store.refresh()
        return self.indexer.reading()

    @property
    def store(self) -> Store:
        """Return the opened index as it is now."""
        store = self.indexer.store
        store.refresh()
        return store

    @property
    def stamp(self) -> str:
        """Return a text that changes with the index. A page compares it to see whether it is out of date."""
        return "-".join(f"{number:x}" for number in self.indexer.store.stamp)

    def warm(self, load: Callable[[], object]) -> Thread:
        """Load on another thread what the first pages need, so that they need not wait. `load` loads what is not the site's."""
        thread = Thread(target=self._warm, args=(load,), name="cgi-warm", daemon=True)
        thread.start()
        return thread

    def _warm(self, load: Callable[[], object]) -> None:
        """Load, in a thread, what the first questions need. An index that cannot be read is left to them."""
        with suppress(CgiError):
            self.complete(self.name, 1, 1)
            self.indexer.retrieve(self.name, limit=1)
            self._warm_colors()
            self._load(self.store)
            self.graph.picture(folder="")
            load()
        # What is loaded by now stays. Unless it is frozen, the collector goes through all of it in the middle of a request.
        gc.collect()
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER)

    def _warm_colors(self) -> None:
        """Colour a line of the main language, because its grammar and patterns are loaded for the first one."""
        for language in self.languages()[:1]:
            rows = (
                row for row in self.files().values() if row.language == language.name and row.lines and not row.error
            )
            if (row := min(rows, key=lambda row: row.lines, default=None)) is not None:
                code_lines(self.code(row.path, (1, 1)), 1, 1)

    def follow(self) -> None:
        """Update the index when files change, on another thread, until the site is closed."""
        with self.indexer.question() as self.freshness:
            pass
        indexer = self.indexer
        # An index that is read as it is, such as one without its checkout, has nothing to follow.
        is_read_as_it_is = self.freshness.state is FreshnessState.UNCHECKED
        if is_read_as_it_is or not isinstance(indexer, CodeIndexer) or indexer.root is None:
            return
        self._watcher = Watcher(indexer.root, indexer.db, report=log.warning)
        indexer.watch_with(self._watcher)
        Thread(target=self._follow, args=(self._watcher,), name="cgi-follow", daemon=True).start()

    def _follow(self, watcher: Watcher) -> None:
        # The first look starts the watching.
        self.look()
        while not self._closed.is_set():
            if watcher.wait(QUIET_SECONDS) and not self._closed.is_set():
                self.look()

    def look_again(self) -> None:
        """Look for changes if no watcher does, and not more often than every few seconds."""
        if self._watcher is None and time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + LOOK_EVERY
            self.look()

    def look(self) -> None:
        """Look for changes on disk, and update the index if they are few."""
        with suppress(CgiError), self.indexer.question() as freshness:
            self.freshness = freshness

    def mend(self) -> bool:
        """Build the index anew on another thread if nobody can read it in its own place. Return whether it is being built.

        An index that was just built anew and is refused again stays so.
        """
        indexer = self.indexer
        if not isinstance(indexer, CodeIndexer) or indexer.root is None or not is_own_place(indexer.db):
            return False
        if not indexer.settings.update:
            return False
        with self._lock:
            if self._mending is None and index_stamp(indexer.db) != self._mended:
                self._mending = Thread(target=self._mend, args=(indexer.root, indexer.db), name="cgi-mend", daemon=True)
                self._mending.start()
            return self._mending is not None

    def _mend(self, root: Path, db: Path) -> None:
        """Build the index anew, in a thread. If that fails, the next page tries again."""
        try:
            with CodeIndexer(root) as indexer:
                for warning in indexer.index(full=True).warnings:
                    log.warning(warning)
            self._mended = index_stamp(db)
        except CgiError as exc:
            log.warning("the index cannot be built anew: %s", exc)
        finally:
            self._mending = None

    def close(self) -> None:
        """End the watching, and close the index."""
        self._closed.set()
        if self._watcher is not None:
            self._watcher.close()
        self.indexer.close()

    def remembered(self, key: tuple[object, ...], compute: Callable[[Store], T]) -> T:
        """Return what a function computes from the index, and compute it again only if the index has changed."""
        store = self.store
        full_key = (store.stamp, *key)
        with self._lock:
            if full_key in self._kept:
                self._kept.move_to_end(full_key)
                return cast(T, self._kept[full_key])
        result = compute(store)
        with self._lock:
            self._kept[full_key] = result
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return result

    def _has(self, key: tuple[object, ...]) -> bool:
        """Say whether something is remembered of the index as it is now."""
        full_key = (self.store.stamp, *key)
        with self._lock:
            return full_key in self._kept

    def forget(self, kind: str) -> None:
        """Forget what is remembered of a kind, so that it is computed again."""
        with self._lock:
            for key in [key for key in self._kept if key[1] == kind]:
                del self._kept[key]

    @property
    def graph(self) -> GraphQuestions:
        """Return the questions to the graph. They remember how files depend on each other, until the index changes."""
        return self.remembered(("graph",), lambda store: self._graph(store))

    def _graph(self, store: Store) -> GraphQuestions:
        """Return the questions to the graph, and begin to load the graph of a store into memory if it is not there."""
        # An index that was updated since has to be read into memory again. Questions are answered meanwhile, if slower.
        if not self._closed.is_set() and store.graph_arrays() is None:
            Thread(target=self._load, args=(store,), name="cgi-load", daemon=True).start()
        return self.indexer.graph

    def _load(self, store: Store) -> None:
        """Load the graph of a store into memory, unless a thread does so already. Errors are left to the questions."""
        # Whoever comes second has nothing to do.
        if self._loading.acquire(blocking=False):
            try:
                with suppress(CgiError):
                    store.graph_arrays(load=True)
            finally:
                self._loading.release()

    def graph_in(self, repository: str) -> GraphQuestions:
        """Return the questions to the graph, in which a diff is of this repository of a set."""
        folder = self.indexer.folders.get(f"{repository}/")
        return self.graph if folder is None else GraphQuestions(self.store, folder, repository)

    def files(self) -> dict[str, FileRow]:
        """Map the path of each file of the index to the file, also of those that were skipped."""
        return self.remembered(("files",), lambda store: {file.path: file for file in store.files()})

    def files_below(self, folder: str) -> Mapping[str, FileRow]:
        """Map the path of each file below a folder to the file."""
        files = self.files()
        paths = self.remembered(("paths",), lambda store: sorted(files))
        # Behind a slash comes a zero.
        first, last = bisect_left(paths, f"{folder}/"), bisect_left(paths, f"{folder}0")
        return {path: files[path] for path in paths[first:last]} if folder else files

    def languages(self) -> list[Language]:
        """List the languages of the repository, with the most lines first."""
        files = self.files()
        return self.remembered(("languages",), lambda store: language_shares(files))

    def code(self, path: str, lines: tuple[int, int] | None = None) -> CodeFile:
        """Return a file, ready to be shown: all of it, or some `lines`, given as the first and the last.

        Raises NotInIndexError if the index has no text of it.
        """
        file = self.files().get(path)
        if file is None:
            raise NotInIndexError(f"there is no file {path!r} in the index")
        behind = self.remembered(("behind",), lambda store: Behind(self.indexer))
        if lines is not None and self._has(("code", path, None)):
            # All of it was read for another page.
            lines = None
        code = self.remembered(
            ("code", path, lines), lambda store: load_code(store, path, file.language, behind.has_index, lines)
        )
        if code is None:
            raise NotInIndexError(f"{path!r} is not indexed: {file.error or 'it has no text'}")
        return code

    def levels(self) -> Mapping[str, Level]:
        """Return what each folder holds, without files that are not indexed."""
        paths = (file.path for file in self.files().values() if file.error is None)
        return self.remembered(("levels",), lambda store: levels(paths))

    def definition(self, path: str, name: str, line: int = 0) -> Symbol:
        """Return the definition of a qualified name in a file, the nearest to a line if there are several.

        Raises NotInIndexError if there is none.
        """
        symbols = [symbol for symbol in self.store.file_symbols(path) if symbol.qualified_name == name]
        if not symbols:
            raise NotInIndexError(f"{path} has no definition {name!r} any more")
        return min(symbols, key=lambda symbol: abs(symbol.start_line - line))

    def complete(self, query: str, symbols: int, paths: int) -> tuple[list[Symbol], list[str]]:
        """List the definitions whose names, and the files whose paths a query begins. Its filters hold for definitions.

        A filter that is wrong, as while it is typed, lets nothing through.
        """
        store = self.store
        try:
            text, filters = read_filters(store, query)
        except UsageError:
            return [], []
        with self._names_lock:
            if filters == Filters():
                return self.completion.symbols(text, symbols), self.completion.paths(text, paths)
            matches = self.completion.symbols(text, symbols * OF_FILTERED)
        allowed = store.allowed([symbol.chunk_id for symbol in matches], filters)
        return [symbol for symbol in matches if symbol.chunk_id in allowed][:symbols], []

    def spelled(self, query: str, limit: int) -> list[Symbol]:
        """List the definitions whose names words of a query spell: `redirect limit` spells `redirectLimit`, `redirect_limit`.

        Names of two words or more say what they name. Longer ones come first, and tests last.
        """
        text, filters = read_filters(self.store, query)
        # A single word is completed.
        words = split_identifier(text)[:MAX_SPELLING] if " " in text.strip() else ()
        runs = [words[at : at + count] for count in SPELLED for at in range(len(words) - count + 1)]
        names = {joint.join(run): place for place, run in enumerate(runs) for joint in ("", "_", "-")}
        symbols = self.store.symbols(names) if names else []
        allowed = self.store.allowed([symbol.chunk_id for symbol in symbols], filters)
        matches = [symbol for symbol in symbols if symbol.chunk_id in allowed]
        return sorted(
            matches, key=lambda symbol: (symbol.is_test, names.get(symbol.name.lower(), len(runs)), symbol.file_path)
        )[:limit]
