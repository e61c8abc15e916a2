"""Index a repository: discover → parse → chunk → embed → store, then resolve; all of it, or what changed."""

import gc
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.errors import CgiError, UsageError
from code_graph_indexer.indexing.discover import discover
from code_graph_indexer.indexing.history import head_of, read_history
from code_graph_indexer.indexing.update import KeptFacts, Update, kept_facts, remember_time
from code_graph_indexer.indexing.vectors import VectorFeed
from code_graph_indexer.indexing.work import WorkOptions
from code_graph_indexer.indexing.workers import index_files
from code_graph_indexer.languages import fingerprint
from code_graph_indexer.resolve import FileFacts, LinkFile, is_manifest, link_all, world_of
from code_graph_indexer.results import IndexReport, Progress
from code_graph_indexer.scip.read import Exactness, ScipIndex, carried, exactness, places_of, read_scip
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import (
    IndexWriter,
    create_index,
    open_links,
    open_store,
    refuse_foreign,
    replace_index,
    update_index,
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
    """Bring the index of a repository up to date; a full build when there is none that can be updated.

    `embedder` replaces the one that the settings name; `leave_out` is an index in the repository that is not its source.
    `scip` are SCIP indexes, whose exact references stand above the resolver's; `exact_of` is another index of the same
    files, whose exact references are taken over.
    Raises UsageError, EmbedderError, GrammarError, BusyError, and
    IndexFormatError when `db` is a file that is no index (it is not overwritten).
    """
    started = time.perf_counter()
    if embedder is None:
        spec, options = settings.embedder_choice(recorded_embedder(db))
        embedder = create_embedder(spec, **options)
    run = _Run(root.resolve(), db, settings, embedder, report, [read_scip(one) for one in scip], exact_of)
    refuse_foreign(db)
    _make_folder(db)
    with LocalState(db) as local:
        # Left by a build that was killed.
        run.temporary.unlink(missing_ok=True)
        found = discover(run.root, max_file_size=settings.max_file_size)
        own = _own_files(run.root, leave_out or db)
        sources = [one for one in found if one.path not in own]
        for index in run.scip:
            places_of(index, [one.path for one in sources])
        known = None if full else run.updatable()
        changed, removed = run.update(local, sources) if known else run.build(local, sources)
    report_of = replace(_summary(db, counted=bool(scip or not known)), changed=changed, removed=removed, full=not known)
    return replace(report_of, seconds=time.perf_counter() - started, warnings=tuple(run.exact.warnings))


def recorded_embedder(db: Path) -> str:
    """Return the embedder that an index was made with; empty when there is no index that says so."""
    try:
        store = open_store(db)
    except CgiError:
        return ""
    recorded = store.meta().get("embedder", "")
    store.close()
    return recorded


def _make_folder(db: Path) -> None:
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"{db} cannot be written ({exc.strerror}); give another place with --db") from exc


def _own_files(root: Path, db: Path) -> frozenset[str]:
    """Name the index and the files beside it by their paths below the root; none when it is elsewhere."""
    place = db.parent.resolve() / db.name
    if not place.is_relative_to(root):
        return frozenset()
    path = place.relative_to(root).as_posix()
    parts = ("", ".local", ".new", ".cache")
    return frozenset(path + part + file for part in parts for file in ("", "-journal", "-wal", "-shm"))


@contextmanager
def _no_collections() -> Iterator[None]:
    """Collect no cycles: there are millions of long-lived records to visit, again and again, and nothing to find."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _Run:
    """One index run: what it works on and with."""

    def __init__(
        self,
        root: Path,
        db: Path,
        settings: Settings,
        embedder: Embedder,
        report: Report,
        scip: Sequence[ScipIndex],
        exact_of: Path | None,
    ) -> None:
        self.root = root
        self.db = db
        self.settings = settings
        self.embedder = embedder
        self.report = report
        self.scip = scip
        self.exact_of = exact_of
        self.exact = Exactness()
        self.temporary = db.with_name(db.name + ".new")
        self.options = WorkOptions(root, settings.max_chunk_size, embedder.name if embedder.in_workers else "")

    @property
    def meta(self) -> dict[str, str]:
        return {
            "version": VERSION,
            "languages": fingerprint(),
            "embedder": self.embedder.name,
            "dimensions": str(self.embedder.dimensions),
            "max_chunk_size": str(self.settings.max_chunk_size),
            "repo_id": self.settings.repo_id,
        }

    def updatable(self) -> bool:
        """Say whether there is an index that an update can start from: sound, of this version, made with these settings."""
        try:
            store = open_store(self.db)
        except CgiError:
            return False
        meta = {key: value for key, value in store.meta().items() if key != "head"}
        store.close()
        return meta == self.meta

    def build(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int]:
        """Build everything anew beside the old index, and replace it at the end."""
        times: dict[str, tuple[int, int, bytes]] = {}
        facts: list[KeptFacts] = []
        try:
            with (
                _no_collections(),
                VectorFeed(self.embedder, self.settings, local, self.db) as feed,
                create_index(self.temporary, dimensions=self.embedder.dimensions) as writer,
            ):
                writer.set_meta(self.meta)
                # What is linked is let go before cycles are collected again: looking through it takes a tenth of a second.
                self._link(writer, *self._store(sources, writer, feed, times, facts))
                self._remember(writer)
            replace_index(self.temporary, self.db)
        finally:
            self.temporary.unlink(missing_ok=True)
        local.set_times(times)
        local.keep_facts(facts, others=False)
        local.drop_vectors()
        return len(sources), 0

    def _store(
        self,
        sources: Sequence[SourceFile],
        writer: IndexWriter,
        feed: VectorFeed,
        times: dict[str, tuple[int, int, bytes]],
        facts: list[KeptFacts],
    ) -> tuple[list[LinkFile], dict[str, FileFacts]]:
        """Index and write the files; return those that have references, and what each tells the others."""
        linkable: list[LinkFile] = []
        told: dict[str, FileFacts] = {}
        with self.indexed(sources) as arriving:
            for one in arriving:
                stored = writer.put_file(one, repo_id=self.settings.repo_id)
                feed.put(writer, one, stored)
                remember_time(times, one.source)
                if one.facts:
                    facts.append(kept_facts(one, self.settings.max_chunk_size))
                    linkable.append(LinkFile.of(one, stored.file_id, stored.chunk_ids))
                    told[one.source.path] = linkable[-1].file_facts()
            feed.flush(writer)
        return linkable, told

    def _link(self, writer: IndexWriter, linkable: list[LinkFile], told: dict[str, FileFacts]) -> None:
        if self.exact_of is not None:
            with open_links(self.exact_of) as old:
                self.exact = carried(writer.links, old)
        else:
            self.exact = exactness(writer.links, self.scip)
        linkable = [one._replace(exact=self.exact.uses.get(one.file_id, ())) for one in linkable]
        world = world_of(linkable, told, writer.links.texts_named(is_manifest))
        for done, linked in enumerate(link_all(world, linkable, workers=self.settings.workers)):
            writer.put_references(linked.file_id, linked.references, linked.lookups)
            self.report(Progress("resolve", done + 1, len(linkable)))

    def _remember(self, writer: IndexWriter) -> None:
        """Record what git tells of the files, unless that is already recorded of this commit."""
        head = head_of(self.root)
        if head and head != writer.meta("head"):
            writer.put_history(head, *read_history(self.root))

    def update(self, local: LocalState, sources: Sequence[SourceFile]) -> tuple[int, int]:
        """Write what changed since the last run, in one transaction."""
        times = local.times()
        update = Update(self.root, self.db, sources, times)
        if update.nothing and not self.scip:
            if update.touched_times:
                local.set_times(update.times)
            return 0, 0
        with (
            self.indexed(update.to_read) as arriving,
            VectorFeed(self.embedder, self.settings, local, self.db) as feed,
            update_index(self.db) as writer,
        ):
            self.exact = update.write(
                writer,
                arriving,
                feed,
                self.settings.max_chunk_size,
                repo_id=self.settings.repo_id,
                scip=self.scip,
                local=local,
                report=self.report,
            )
            self._remember(writer)
        local.set_times(update.times)
        local.drop_vectors()
        return len(update.to_read) + len(update.skipped), len(update.removed)

    @contextmanager
    def indexed(self, sources: Sequence[SourceFile]) -> Iterator[Iterator[IndexedFile]]:
        """Index the files in workers, those with an error passed through in their place, with progress."""
        readable = [one for one in sources if one.error is None]
        working = index_files(
            readable, self.options, workers=self.settings.workers, timeout=self.settings.parse_timeout
        )

        def ordered() -> Iterator[IndexedFile]:
            for done, one in enumerate(sources):
                yield IndexedFile(one) if one.error is not None else next(working)
                self.report(Progress("index", done + 1, len(sources)))

        try:
            yield ordered()
        finally:
            cast("Generator[IndexedFile]", working).close()


def _summary(db: Path, *, counted: bool) -> IndexReport:
    """Count what is in an index, its edges only when that is asked for: it takes longer than to update a file."""
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
        )
    finally:
        store.close()
