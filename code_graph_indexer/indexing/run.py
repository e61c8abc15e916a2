"""Run the write path over a repository: discover → parse → chunk → embed → store → resolve.

A full build reads every file. An update reads only the files that changed, and resolves the references that may have changed.
"""

import gc
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexing.discover import discover
from code_graph_indexer.indexing.empty import why_empty
from code_graph_indexer.indexing.file import WorkOptions
from code_graph_indexer.indexing.history import head_of, read_history
from code_graph_indexer.indexing.update import LinkInputRow, Update, link_input_row, remember_time
from code_graph_indexer.indexing.vectors import VectorFeed
from code_graph_indexer.indexing.workers import index_files
from code_graph_indexer.languages import fingerprint
from code_graph_indexer.resolve import FileFacts, LinkFile, is_manifest, link_all, world_of
from code_graph_indexer.results import IndexReport, Progress
from code_graph_indexer.scip.read import (
    ExactReferences,
    ScipIndex,
    carry_over,
    exact_references,
    indexed_paths,
    read_scip,
)
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import (
    IndexWriter,
    create_index,
    open_links,
    open_store,
    refuse_foreign,
    replace_index,
    update_index,
    writable,
)
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.syntax.records import IndexedFile, SourceFile
from code_graph_indexer.version import VERSION

Report = Callable[[Progress], None]


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

    Raises UsageError, EmbedderError, GrammarError, BusyError or IndexWriteError. Raises IndexFormatError if `db` is a file
    that is no index. That file is not overwritten.
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
        scip=[read_scip(path) for path in scip],
        exact_of=exact_of,
    )
    refuse_foreign(db)
    with writable(db), _local_state(db) as local:
        # Left by a build that was killed.
        run.temporary.unlink(missing_ok=True)
        index_paths = _index_paths(run.root, leave_out or db)
        files = discover(run.root, max_file_size=settings.max_file_size)
        sources = [file for file in files if file.path not in index_paths]
        # Called for its error: a SCIP index of another repository must not cost a whole build first.
        for index in run.scip:
            indexed_paths(index, [source.path for source in sources])
        updatable = None if full else run.updatable()
        changed, removed = run.update(local, sources) if updatable else run.build(local, sources)
    report_of = replace(
        _summary(db, run.root, counted=bool(scip or not updatable)),
        changed=changed,
        removed=removed,
        full=not updatable,
    )
    return replace(report_of, seconds=time.perf_counter() - started, warnings=tuple(run.exact.warnings))


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
    db.parent.mkdir(parents=True, exist_ok=True)
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
    parts = ("", ".local", ".new", ".cache")
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

    `scip` and `exact_of` are the arguments of `index_repository`. `exact` has the exact references, once the run read them.
    """

    root: Path
    db: Path
    settings: Settings
    embedder: Embedder
    report: Report
    scip: Sequence[ScipIndex]
    exact_of: Path | None
    exact: ExactReferences = field(default_factory=ExactReferences, init=False)

    @property
    def temporary(self) -> Path:
        """Return the path where a build writes the new index."""
        # In the same folder, because a file can only be renamed within one file system.
        return self.db.with_name(self.db.name + ".new")

    @property
    def options(self) -> WorkOptions:
        """Return what the workers that read files must know."""
        spec = self.embedder.name if self.embedder.in_workers else ""
        return WorkOptions(self.root, self.settings.max_chunk_size, spec)

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
        except CgiError:
            return False
        # The commit only dates the history, so a new one asks for no build.
        meta = {key: value for key, value in store.meta().items() if key != "head"}
        store.close()
        return meta == self.meta

    def build(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int]:
        """Build a new index beside the old one, and replace the old one at the end.

        Return how many files were indexed and removed.
        """
        times: dict[str, tuple[int, int, bytes]] = {}
        rows: list[LinkInputRow] = []
        try:
            with (
                _no_collections(),
                VectorFeed(self.embedder, self.settings, local, self.db) as feed,
                create_index(self.temporary, dimensions=self.embedder.dimensions) as writer,
            ):
                writer.set_meta(self.meta)
                # No variable keeps the linked files until the collector runs again. It would spend a tenth of a second on them.
                self._link(writer, *self._store(sources, writer, feed, times, rows))
                self._remember(writer)
            replace_index(self.temporary, self.db)
        finally:
            self.temporary.unlink(missing_ok=True)
        local.set_times(times)
        local.keep_link_inputs(rows, replace=True)
        # A run after an interrupt needs the vectors, so they go only when the index is in place.
        local.drop_vectors()
        return len(sources), 0

    def _store(
        self,
        sources: Sequence[SourceFile],
        writer: IndexWriter,
        feed: VectorFeed,
        times: dict[str, tuple[int, int, bytes]],
        rows: list[LinkInputRow],
    ) -> tuple[list[LinkFile], dict[str, FileFacts]]:
        """Index the files and write them. Return the files that have references to resolve, and their facts by path."""
        linkable: list[LinkFile] = []
        facts_by_path: dict[str, FileFacts] = {}
        with self.indexed(sources) as arriving:
            for file in arriving:
                stored = writer.put_file(file, repo_id=self.settings.repo_id)
                feed.put(writer, file, stored)
                remember_time(times, file.source)
                if file.link_input:
                    rows.append(link_input_row(file, self.settings.max_chunk_size))
                    linkable.append(LinkFile.of(file, stored.file_id, stored.chunk_ids))
                    facts_by_path[file.source.path] = linkable[-1].file_facts()
            feed.flush(writer)
        return linkable, facts_by_path

    def _link(self, writer: IndexWriter, linkable: list[LinkFile], facts_by_path: dict[str, FileFacts]) -> None:
        """Resolve the references of all files, and write them."""
        if self.exact_of is not None:
            with open_links(self.exact_of) as old:
                self.exact = carry_over(writer.links, old)
        else:
            self.exact = exact_references(writer.links, self.scip)
        linkable = [file._replace(exact=self.exact.uses.get(file.file_id, ())) for file in linkable]
        world = world_of(linkable, facts_by_path, writer.links.texts_named(is_manifest))
        for done, linked in enumerate(link_all(world, linkable, workers=self.settings.workers)):
            writer.put_references(linked.file_id, linked.references, linked.lookups)
            self.report(Progress("resolve", done + 1, len(linkable)))

    def _remember(self, writer: IndexWriter) -> None:
        """Write git's history of the files into the index, unless it has the history of this commit already."""
        head = head_of(self.root)
        if head and head != writer.meta("head"):
            writer.put_history(head, read_history(self.root))

    def update(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int]:
        """Write what changed since the last run into the index, in one transaction.

        Return how many files were indexed and removed.
        """
        update = Update(self.root, self.db, self.settings, local, sources)
        if update.nothing and not self.scip:
            # Without the new times, each later run would hash these files again.
            if update.touched_times:
                local.set_times(update.times)
            return 0, 0
        with (
            self.indexed(update.to_read) as arriving,
            VectorFeed(self.embedder, self.settings, local, self.db) as feed,
            update_index(self.db) as writer,
        ):
            self.exact = update.write(writer, arriving, feed, scip=self.scip, report=self.report)
            self._remember(writer)
        local.set_times(update.times)
        local.drop_vectors()
        return len(update.to_read) + len(update.skipped), len(update.removed)

    @contextmanager
    def indexed(self, sources: Sequence[SourceFile]) -> Iterator[Iterator[IndexedFile]]:
        """Index the files in workers, for use in a `with` block. The block gets an iterator of the results, in order.

        A file with an error is not read.
        """
        readable = [source for source in sources if source.error is None]
        working = index_files(
            readable, self.options, workers=self.settings.workers, timeout=self.settings.parse_timeout
        )

        def ordered() -> Iterator[IndexedFile]:
            for done, source in enumerate(sources):
                yield IndexedFile(source) if source.error is not None else next(working)
                self.report(Progress("index", done + 1, len(sources)))

        try:
            yield ordered()
        finally:
            # A run that fails midway leaves the generator unfinished, and only closing it stops the workers.
            cast("Generator[IndexedFile]", working).close()


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
            why_empty=() if sums.parsed else why_empty(root, store.files(), _index_paths(root, db)),
        )
    finally:
        store.close()
