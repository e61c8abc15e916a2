"""Run the write path over a repository: discover → parse → chunk → embed → store → resolve.

A full build reads every file. An update reads only the files that changed, and resolves the references that may have changed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple, cast

from code_graph_indexer.doors import late_module
from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import BusyError, CgiError, IndexFormatError
from code_graph_indexer.git import checkout_file, head_of
from code_graph_indexer.indexing.history import history_boundary, history_stamp, read_history
from code_graph_indexer.indexing.memory import BY_CHANCE, CRASHES, link_memory, worker_count
from code_graph_indexer.languages import detect_language, fingerprint
from code_graph_indexer.printable import in_line
from code_graph_indexer.results import Progress
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import (
    IndexWriter,
    create_index,
    is_own_place,
    meta_number,
    open_links,
    open_store,
    refuse_foreign,
    replace_index,
    update_index,
    writable,
)
from code_graph_indexer.storage.local import LocalState, read_snapshot
from code_graph_indexer.storage.records import HISTORY_KEYS, History
from code_graph_indexer.storage.side import BUILD, LOCAL, beside, make_folder
from code_graph_indexer.storage.snapshot import (
    Changes,
    Differences,
    Listing,
    SeenFile,
    Snapshot,
    change_time,
    differences,
    index_stamp,
    usable_snapshot,
)
from code_graph_indexer.syntax.records import IndexedFile, SourceFile
from code_graph_indexer.version import VERSION

if TYPE_CHECKING:
    from code_graph_indexer import resolve
    from code_graph_indexer.indexing import discover, empty, packages, vectors, workers
    from code_graph_indexer.indexing import file as file_rows
    from code_graph_indexer.indexing import lookups as shards
    from code_graph_indexer.indexing import update as updating
    from code_graph_indexer.languages import patterns
    from code_graph_indexer.scip import read as scip_files
else:
    # Most runs find that nothing changed, and need none of these.
    resolve = late_module("code_graph_indexer.resolve")
    discover = late_module("code_graph_indexer.indexing.discover")
    empty = late_module("code_graph_indexer.indexing.empty")
    scip_files = late_module("code_graph_indexer.scip.read")
    file_rows = late_module("code_graph_indexer.indexing.file")
    packages = late_module("code_graph_indexer.indexing.packages")
    patterns = late_module("code_graph_indexer.languages.patterns")
    shards = late_module("code_graph_indexer.indexing.lookups")
    updating = late_module("code_graph_indexer.indexing.update")
    vectors = late_module("code_graph_indexer.indexing.vectors")
    workers = late_module("code_graph_indexer.indexing.workers")

Report = Callable[[Progress], None]

REPLACED = "{} was damaged, foreign or of another version, and is built anew"
"""What is said of an index that a build replaces because nobody can read it."""


MAX_NAMED = 3
"""The most files that are named which are too large."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """A report on an index run.

    `edges`, `references` and `skipped` map a kind or reason to a count. They are empty if the run updated only a few files.
    `warnings` name the files that this machine failed to read or that are too large, and the parts of SCIP indexes that were
    not used. `seconds` is wall-clock time. `why_empty` says why no file could be parsed, and what to do.

    Example:
        >>> report = indexer.index(full=True)
        >>> report.files, report.full
        (14, True)
    """

    files: int
    changed: int
    removed: int
    lines: int
    chunks: int
    edges: Mapping[str, int]
    references: Mapping[str, int]
    skipped: Mapping[str, int]
    full: bool
    seconds: float
    warnings: tuple[str, ...] = ()
    why_empty: tuple[str, ...] = ()


def index_repository(
    root: Path,
    db: Path,
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    full: bool = False,
    report: Report = lambda progress: None,
    leave_out: Path | None = None,
    scip: Sequence[Path] = (),
    exact_of: Path | None = None,
) -> IndexReport:
    """Bring the index of a repository up to date, or build it if no index can be updated.

    `embedder` replaces the embedder that the settings name. `leave_out` is the path of an index inside the repository, which is
    not indexed itself. The references of the `scip` indexes replace those of the resolver. `exact_of` is another index of the
    same files, from which exact references are copied.

    In its default place, an index that is damaged, foreign or of another version is replaced. Elsewhere IndexFormatError is
    raised for a file that is no index, and the file is not overwritten. Also raises UsageError, EmbedderError, GrammarError,
    BusyError or IndexWriteError.
    """
    started = time.perf_counter()
    if embedder is None:
        spec, options = settings.embedder_choice(recorded_embedder(db))
        embedder = create_embedder(spec, **options)
    # A wrong SCIP file or a foreign index file is refused before a folder or file is made.
    run = _Run(
        root=root.resolve(),
        db=db,
        settings=settings,
        embedder=embedder,
        report=report,
        scip=[scip_files.read_scip(path) for path in scip],
        exact_of=exact_of,
    )
    refuse_foreign(db)
    with writable(db), _local_state(db) as local:
        # Left by a build that was killed.
        run.temporary.unlink(missing_ok=True)
        updatable = run.updatable() and not full
        try:
            changed, removed = run.bring(local, leave_out or db, updatable=updatable, walk=leave_out is not None)
        except IndexFormatError:
            # Elsewhere, the file may be a user's own, and the error names the way out.
            if not updatable or not is_own_place(db):
                raise
            updatable, run.is_unsound = False, True
            changed, removed = run.bring(local, leave_out or db, updatable=False, walk=True)
    report_of = replace(
        _summary(db, run.root, counted=bool(scip or not updatable)),
        changed=changed,
        removed=removed,
        full=not updatable,
    )
    replaced = [REPLACED.format(db)] if run.is_unsound else []
    warnings = (*replaced, *run.warnings, *run.exact_warnings)
    return replace(report_of, seconds=time.perf_counter() - started, warnings=warnings)


class Bound(NamedTuple):
    """The most changes that are written before an answer: changed files, and their bytes in all."""

    files: int
    size: int

    def allows(self, sources: Sequence[SourceFile], changes: Changes) -> bool:
        """Say whether these changes are few enough. `sources` are the files that would be read."""
        return len(changes.paths) <= self.files and sum(source.size for source in sources) <= self.size


class TooMuchError(Exception):
    """A signal that more files changed than may be read before an answer. `changes` are these files."""

    def __init__(self, changes: Changes) -> None:
        super().__init__(f"{len(changes.paths)} files changed")
        self.changes = changes


class _RebuildError(Exception):
    """A signal that so much of the repository is new that its index is built anew."""


class NotUpdatableError(Exception):
    """A signal that an index cannot be updated: it is of another version or other settings, or lacks its checkout."""


def update_repository(
    root: Path,
    db: Path,
    settings: Settings,
    *,
    wait: float = 0.0,
    most: Bound | None = None,
    look: tuple[Snapshot, Differences] | None = None,
    report: Report = lambda progress: None,
) -> Changes:
    """Bring an index up to date with as little work as the changes need, and return what changed.

    The times of files and folders tell where to look. Git's history is left to `index_repository`. `wait` is how many seconds
    to wait for a process that is updating. `most` bounds the changes. `look` are the differences from a snapshot that were just
    found. They are looked for again only if another process has written the index since.

    Raises TooMuchError, NotUpdatableError, and what `index_repository` raises.
    """
    with writable(db), LocalState(db, wait=wait) as local:
        if look is None or local.index() != look[0].index or index_stamp(db) != look[0].index:
            snapshot = usable_snapshot(local.snapshot(), root, db)
            look = None if snapshot is None else (snapshot, differences(root, snapshot))
        settings = _recorded_settings(db, settings, look[0] if look else None)
        spec, options = settings.embedder_choice()
        embedder = create_embedder(spec, **options)
        run = _Run(
            root=root.resolve(), db=db, settings=settings, embedder=embedder, report=report, scip=(), exact_of=None
        )
        if not run.updatable():
            raise NotUpdatableError("it was made by another version of cgi or with other settings")
        return run.catch_up(local, look, most)


def pending_changes(root: Path, db: Path, settings: Settings) -> Changes:
    """Return what an update would write, for an index that cannot be written. Raises NotUpdatableError."""
    try:
        snapshot = read_snapshot(db)
    except BusyError:
        snapshot = None
    settings = _recorded_settings(db, settings, snapshot)
    files = discover.survey(root.resolve(), max_file_size=settings.max_file_size).files
    update = updating.Update(root.resolve(), db, settings, {} if snapshot is None else snapshot.files, files)
    if update.has_no_checkout:
        raise NotUpdatableError("none of its files is in its folder")
    return update.changes()


def _recorded_settings(db: Path, settings: Settings, snapshot: Snapshot | None) -> Settings:
    """Return settings with those that made the index: a question must not undo what `cgi index` was told.

    Only the largest size of a file is that of the last run, if `snapshot` has it.
    """
    store = open_store(db)
    meta = store.meta()
    store.close()
    return replace(
        settings,
        embedder=meta.get("embedder", ""),
        repo_id=meta.get("repo_id", ""),
        max_chunk_size=meta_number(meta, "max_chunk_size", settings.max_chunk_size),
        max_file_size=settings.max_file_size if snapshot is None else snapshot.listing.max_file_size,
    )


def recorded_embedder(db: Path) -> str:
    """Return the spec of the embedder that made an index, or "" if no index can be read."""
    try:
        store = open_store(db)
    except CgiError:
        return ""
    recorded = store.meta().get("embedder", "")
    store.close()
    return recorded


def _local_state(db: Path) -> LocalState:
    """Make the folder of an index, and return the index's local state, to be entered."""
    make_folder(db.parent)
    return LocalState(db)


def _index_paths(root: Path, db: Path) -> frozenset[str]:
    """Return the paths of the index file and of the files that belong to it, such as its journal, relative to the root.

    The set is empty if they lie outside the root.
    """
    # If the index is a link, discovery lists the link itself, so only its folder is resolved.
    place = db.parent.resolve() / db.name
    if not place.is_relative_to(root):
        return frozenset()
    path = place.relative_to(root).as_posix()
    parts = ("", LOCAL, BUILD)
    return frozenset(path + part + file for part in parts for file in ("", "-journal", "-wal", "-shm"))


@contextmanager
def _no_collections() -> Iterator[None]:
    """Switch off garbage collection inside a `with` block.

    It would visit millions of long-lived records again and again, and free nothing.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@dataclass(kw_only=True)
class _Run:
    """One run of the write path, as a full build or as an update.

    build:  store every file → link all of them → record git's history → replace the old index
    update: compare the files with the index → write the changed ones and re-link → record git's history

    `scip` and `exact_of` are the arguments of `index_repository`. `exact_warnings` are those of the exact
    references, once the run read them.
    `warnings` name the files that the machine failed to read. `is_unsound` says that the old index cannot be read.
    """

    root: Path
    db: Path
    settings: Settings
    embedder: Embedder
    report: Report
    scip: Sequence[scip_files.ScipIndex]
    exact_of: Path | None
    exact_warnings: Sequence[str] = field(default=(), init=False)
    warnings: list[str] = field(default_factory=list, init=False)
    is_unsound: bool = field(default=False, init=False)

    @property
    def temporary(self) -> Path:
        """Return the path where a build writes the new index."""
        # In the same folder, because a file can only be renamed within one file system.
        return beside(self.db, BUILD)

    @property
    def options(self) -> file_rows.WorkOptions:
        """Return what the workers that read files must know."""
        spec = self.embedder.name if self.embedder.in_workers else ""
        return file_rows.WorkOptions(self.root, self.settings.max_chunk_size, spec)

    @property
    def meta(self) -> dict[str, str]:
        """Return the settings and versions that an index depends on. If any of them differs, the index is built again."""
        return {
            "version": VERSION,
            "languages": fingerprint(),
            "embedder": self.embedder.name,
            "dimensions": str(self.embedder.dimensions),
            "max_chunk_size": str(self.settings.max_chunk_size),
            "repo_id": self.settings.repo_id,
        }

    def updatable(self) -> bool:
        """Say whether the index can be updated: it can be read, and was made by this version with these settings."""
        try:
            store = open_store(self.db)
        except IndexFormatError:
            self.is_unsound = True
            return False
        except CgiError:
            return False
        # These only date the history, so a new commit asks for no build.
        meta = {key: value for key, value in store.meta().items() if key not in HISTORY_KEYS}
        store.close()
        return meta == self.meta

    def bring(self, local: LocalState, index: Path, *, updatable: bool, walk: bool) -> tuple[int, int]:
        """Update the index if it is `updatable`, else build it anew. Return how many files were indexed and removed.

        `walk` says to look at all folders, whatever their times say. `index` is the file that is not indexed itself.
        """
        if updatable and not self.scip and not walk:
            with _no_collections(), suppress(_RebuildError):
                if (look := self.look(local)) is not None:
                    changes = self.catch_up(local, look, None, with_history=True)
                    return len(changes.changed) + len(changes.new), len(changes.deleted)
        sources, listing = self.survey(index)
        # Called for its error: a SCIP index of another repository must not cost a whole build first.
        for scip_index in self.scip:
            scip_files.indexed_paths(scip_index, [source.path for source in sources])
        numbers = self.update(local, sources) if updatable else None
        if numbers is None:
            numbers = self.build(local, sources)
        self.remember(local, listing)
        return numbers

    def build(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int]:
        """Build a new index beside the old one, and replace the old one at the end.

        Return how many files were indexed and removed.
        """
        times: dict[str, SeenFile] = {}
        hashes: list[bytes] = []
        with resolve.LinkTable(self.db.parent) as table:
            try:
                with (
                    _no_collections(),
                    vectors.VectorFeed(self.embedder, self.settings, local, self.db) as feed,
                    create_index(self.temporary) as writer,
                ):
                    writer.set_meta(self.meta)
                    if sentences := self._sentences():
                        writer.put_sentences(sentences)
                    self._store(sources, writer, feed, times, table, hashes)
                    self._link(writer, table)
                    packages.name_packages(self.root, writer)
                    self._remember(local, writer)
                # Each row has the hash of a content, so they are true of the old index too, if this fails.
                local.keep_link_inputs(
                    updating.link_input_rows(table, hashes, self.settings.max_chunk_size), replace=True
                )
                local.set_times(times)
                replace_index(self.temporary, self.db)
                with open_links(self.db) as links:
                    shards.store_lookups(local, links.lookups(), index_stamp(self.db))
            finally:
                self.temporary.unlink(missing_ok=True)
        # A run after an interrupt needs the vectors, so they go only when the index is in place.
        local.drop_vectors()
        return len(sources), 0

    def _sentences(self) -> list[tuple[bytes, str, str]]:
        """Return what a language model wrote for the old index. A definition with the same text keeps its sentence."""
        try:
            with open_links(self.db) as links:
                return links.sentences()
        # Without an old index of this version, there is nothing to keep.
        except CgiError:
            return []

    def _store(
        self,
        sources: Sequence[SourceFile],
        writer: IndexWriter,
        feed: vectors.VectorFeed,
        times: dict[str, SeenFile],
        table: resolve.LinkTable,
        hashes: list[bytes],
    ) -> None:
        """Index and write the files. Put those with references to resolve into the table, and add their content hashes.

        Raises MemoryError if each reader crashed and there is an older index, which is worth more than an empty one.
        """
        errors: set[str] = set()
        with self.indexed(sources) as arriving:
            for file in arriving:
                errors.add(file.source.error or "")
                stored = writer.put_file(file, repo_id=self.settings.repo_id)
                feed.put(writer, file, stored)
                updating.remember_time(times, file.source)
                if file.link_input:
                    table.put(file, stored)
                    hashes.append(file.source.content_hash)
            feed.flush(writer)
        if self.db.exists() and "" not in errors and any(error.startswith(CRASHES) for error in errors):
            raise MemoryError
        table.seal()

    def _link(self, writer: IndexWriter, table: resolve.LinkTable) -> None:
        """Resolve the references of all files, and write them. Exact ones, of SCIP or of the old index, go first."""
        if self.exact_of is not None:
            with open_links(self.exact_of) as old:
                exact = scip_files.carry_over(writer.links, old)
        else:
            exact = scip_files.exact_references(writer.links, self.scip)
        table.exact, self.exact_warnings = exact.uses, exact.warnings
        workers = worker_count(self.settings)
        world = table.world(writer.links.texts_named(resolve.is_manifest), link_memory(self.settings))
        for done, linked in enumerate(resolve.link_all(world, table, workers=workers)):
            writer.put_references(linked)
            self.report(Progress("resolve", done + 1, len(table)))
        world.close()

    def _has_history(self, local: LocalState, stamp: str) -> bool:
        """Say whether the index, whose stamp of the history is `stamp`, has the history that git tells now."""
        # An index that came without its local state is taken as it is.
        return stamp == history_stamp(self.root) and local.boundary() in ("", history_boundary(self.root))

    def _remember(self, local: LocalState, writer: IndexWriter) -> None:
        """Write git's history of the files into the index, unless the index has it already."""
        if self._has_history(local, writer.meta("history")):
            return
        stamp = history_stamp(self.root)
        local.set_boundary(history_boundary(self.root))
        history = read_history(self.root) if stamp else History({}, {})
        # If git fails, the history stays unstamped, so the next run asks again.
        writer.put_history(head_of(self.root), stamp if history else "", history or History({}, {}))

    def _remember_alone(self, local: LocalState) -> None:
        """Write git's history into an index whose files are up to date, if there was a commit since."""
        store = open_store(self.db)
        stamp = store.meta().get("history", "")
        store.close()
        if not self._has_history(local, stamp):
            with update_index(self.db) as writer:
                self._remember(local, writer)

    def survey(self, index: Path) -> discover.Survey:
        """List the files of the repository, without the index and what belongs to it."""
        index_paths = _index_paths(self.root, index)
        files, listing = discover.survey(self.root, max_file_size=self.settings.max_file_size)
        return discover.Survey([file for file in files if file.path not in index_paths], listing)

    def update(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int] | None:
        """Write what changed since the last run into the index, in one transaction.

        Return how many files were indexed and removed, or None if a build is due.
        """
        update = updating.Update(self.root, self.db, self.settings, local.times(), sources, again=True)
        if update.is_rebuild:
            return None
        if update.nothing and not self.scip:
            self._remember_alone(local)
            # Without the new times, each later run would hash these files again.
            if update.touched:
                local.set_times(update.times)
            return 0, 0
        self._write(local, update, with_history=True)
        local.set_times(update.times)
        return len(update.to_read) + len(update.skipped), len(update.removed)

    def _write(self, local: LocalState, update: updating.Update, *, with_history: bool) -> None:
        """Write an update into the index, the new lookups into the local state, and git's history if asked."""

        def read() -> Sequence[tuple[int, bytes]]:
            with open_links(self.db) as links:
                return links.lookups()

        lookups = shards.StoredLookups(local, index_stamp(self.db), read)
        with (
            _no_collections(),
            self.indexed(update.to_read) as arriving,
            vectors.VectorFeed(self.embedder, self.settings, local, self.db) as feed,
            update_index(self.db) as writer,
        ):
            exact = update.write(local, writer, arriving, feed, lookups, scip=self.scip, report=self.report)
            self.exact_warnings = exact.warnings
            packages.rename_packages(self.root, writer, update.paths)
            if with_history:
                self._remember(local, writer)
            # Another connection sees the index as it was before this transaction.
            with open_links(self.db) as links:
                old = dict(links.lookups({*update.lookups, *update.replaced}))
        lookups.change(old, update.lookups, index_stamp(self.db))
        local.drop_vectors()

    def remember(self, local: LocalState, listing: Listing) -> None:
        """Store what the walk saw, and for which index, unless it is stored already."""
        snapshot = local.snapshot()
        if snapshot is None or snapshot.listing != listing:
            local.set_listing(listing)
        local.set_index(index_stamp(self.db))

    def look(self, local: LocalState) -> tuple[Snapshot, Differences] | None:
        """Compare the repository with what the last run saw of it, or return None if times do not tell all that is to be done.

        That is so if the last run had other settings or another index, or if it failed to read a file by chance.
        """
        snapshot = usable_snapshot(local.snapshot(), self.root, self.db)
        if snapshot is None or snapshot.listing.max_file_size != self.settings.max_file_size:
            return None
        store = open_store(self.db)
        by_chance = any((file.error or "").startswith(BY_CHANCE) for file in store.unread_files())
        store.close()
        if by_chance:
            return None
        return snapshot, differences(self.root, snapshot)

    def catch_up(
        self,
        local: LocalState,
        look: tuple[Snapshot, Differences] | None,
        most: Bound | None,
        *,
        with_history: bool = False,
    ) -> Changes:
        """Write what changed since the last run, and look only where the times of files and folders say so.

        The arguments and errors are those of `update_repository`. `with_history` says whether git's history is read, too.
        """
        snapshot, seen = look or (None, None)
        if seen is not None and seen.nothing:
            if with_history:
                self._remember_alone(local)
            local.put_seen(seen)
            local.set_index(index_stamp(self.db))
            return Changes()
        sources = None if seen is None or seen.walk else self._examined(seen.changed)
        listing = None
        if sources is None:
            sources, listing = self.survey(self.db)
        times = local.times() if snapshot is None else snapshot.files
        update = updating.Update(self.root, self.db, self.settings, times, sources, whole=listing is not None)
        if listing is not None and update.has_no_checkout:
            raise NotUpdatableError("none of its files is in its folder")
        changes = update.changes()
        if most is not None and not most.allows(update.to_read, changes):
            raise TooMuchError(changes)
        if with_history and update.is_rebuild:
            raise _RebuildError
        if not update.nothing:
            self._write(local, update, with_history=with_history)
        elif with_history:
            self._remember_alone(local)
        if listing is not None:
            local.set_times(update.times)
            self.remember(local, listing)
        elif seen is not None:
            local.put_seen(seen)
            local.put_times(update.times)
            local.set_index(index_stamp(self.db))
        return changes

    def _examined(self, paths: Sequence[str]) -> list[SourceFile] | None:
        """Return the records of changed files that may be read as before, or None if that takes a walk.

        It does if a rule may forbid one now, or a path is no regular file inside the root, or too large.
        """
        sources = []
        for path in paths:
            place = checkout_file(self.root, path)
            # Somebody may have forged the local state, to make us read a secret or a file outside the root.
            if place is None or patterns.file_patterns().why_unread(path):
                return None
            try:
                status = place.lstat()
            except OSError:
                return None
            if not S_ISREG(status.st_mode) or status.st_size > self.settings.max_file_size:
                return None
            sources.append(SourceFile(path, size=status.st_size, mtime_ns=change_time(status)))
        return sources

    @contextmanager
    def indexed(self, sources: Sequence[SourceFile]) -> Iterator[Iterator[IndexedFile]]:
        """Index the files in workers, for use in a `with` block. The block gets an iterator of the results, in order.

        A file with an error is not read.
        """
        readable = [source for source in sources if source.error is None]
        self.warnings += _too_large(sources)
        working = workers.index_files(
            readable, self.options, workers=worker_count(self.settings), timeout=self.settings.parse_timeout
        )

        def ordered() -> Iterator[IndexedFile]:
            for done, source in enumerate(sources):
                file = IndexedFile(source) if source.error is not None else next(working)
                if (file.source.error or "").startswith(BY_CHANCE):
                    self.warnings.append(f"{source.path}: {file.source.error}; to try it again, run: cgi index")
                yield file
                self.report(Progress("index", done + 1, len(sources)))

        try:
            yield ordered()
        finally:
            # A run that fails midway leaves the generator unfinished, and only closing it stops the workers.
            cast("Generator[IndexedFile]", working).close()


def _too_large(sources: Iterable[SourceFile]) -> list[str]:
    """Name the largest files of code that are not read for their size, and how to read them."""
    # Most updates have no file with an error, and do without the module of the walk.
    large = [
        file
        for file in sources
        if file.error and file.error.startswith(discover.TOO_LARGE) and detect_language(file.path)
    ]
    large.sort(key=lambda file: -file.size)
    return [
        f"{in_line(file.path)} is {file.error}; to read it, run: CGI_MAX_FILE_SIZE={file.size} cgi index"
        for file in large[:MAX_NAMED]
    ]


def _summary(db: Path, root: Path, *, counted: bool) -> IndexReport:
    """Return the counts of an index. Edges are counted only if `counted`, because that takes longer than updating a file."""
    store = open_store(db)
    try:
        sums = store.sums()
        counts = store.counts() if counted else {}
        return IndexReport(
            files=sums.files,
            changed=0,
            removed=0,
            lines=sums.lines,
            chunks=sums.chunks,
            edges=counts.get("edges", {}),
            references=counts.get("references", {}),
            skipped=counts.get("skipped", {}),
            full=False,
            seconds=0.0,
            why_empty=() if sums.parsed else empty.why_empty(root, store.files(), _index_paths(root, db)),
        )
    finally:
        store.close()
