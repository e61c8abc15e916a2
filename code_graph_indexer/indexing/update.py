"""Find what changed since the last run, write it, and re-link exactly the files that it touches."""

import posixpath
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.indexing.vectors import VectorFeed
from code_graph_indexer.indexing.work import link_facts
from code_graph_indexer.languages import fingerprint
from code_graph_indexer.resolve import (
    FileFacts,
    Linked,
    LinkFile,
    Lookups,
    ModuleFile,
    Modules,
    PassingFiles,
    Target,
    World,
    changed_keys,
    is_linked,
    is_manifest,
    link,
    moves_package,
)
from code_graph_indexer.results import Progress
from code_graph_indexer.scip.read import Exactness, ScipIndex, exactness, stored_uses
from code_graph_indexer.storage import IndexWriter, LinkReader, StoredFileIds, open_store
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.syntax.packing import unpack_sound
from code_graph_indexer.syntax.read import content_hash, read_regular
from code_graph_indexer.syntax.records import IndexedFile, SourceFile
from code_graph_indexer.version import VERSION

RACY_NS = 2_000_000_000
"""A file changed less than this before it was read may change again within one tick of its clock; it is re-read."""

Times = Mapping[str, tuple[int, int, bytes]]
KeptFacts = tuple[str, bytes, str, str, bytes]
"""A row of LocalState.keep_facts."""


class Update:
    """Compare the files found with those indexed: by size and time first, by content hash where these differ."""

    def __init__(self, root: Path, db: Path, sources: Sequence[SourceFile], times: Times) -> None:
        store = open_store(db)
        known = {one.path: one for one in store.files()}
        store.close()
        self.times: dict[str, tuple[int, int, bytes]] = {}
        self.to_read: list[SourceFile] = []
        self.skipped: list[SourceFile] = []
        self.touched_times = False
        for source in sources:
            row = known.get(source.path)
            if source.error is not None:
                if row is None or (row.error, row.size) != (source.error, source.size):
                    self.skipped.append(source)
            elif row is not None and times.get(source.path) == (source.size, source.mtime_ns, row.content_hash):
                self.times[source.path] = times[source.path]
            elif row is not None and row.content_hash and _hash_of(root, source) == row.content_hash:
                self.touched_times = True
                remember_time(self.times, replace(source, content_hash=row.content_hash))
            else:
                self.to_read.append(source)
        self.removed = sorted(known.keys() - {source.path for source in sources})

    @property
    def nothing(self) -> bool:
        """Say whether the index is up to date."""
        return not (self.to_read or self.skipped or self.removed)

    def write(
        self,
        writer: IndexWriter,
        arriving: Iterator[IndexedFile],
        feed: VectorFeed,
        max_chunk_size: int,
        *,
        repo_id: str,
        scip: Sequence[ScipIndex],
        local: LocalState,
        report: Callable[[Progress], None],
    ) -> Exactness:
        """Write the changed files; re-link them, those that look up what they changed, and those of the SCIP indexes."""
        linker = _Linker(writer.links, max_chunk_size, local)
        keys: set[str] = set()
        changed: set[int] = set()
        paths = [*self.removed, *(one.path for one in self.skipped)]
        relink_all = any(is_manifest(posixpath.basename(path)) for path in paths)
        for path in paths:
            before = linker.before(path)
            keys |= changed_keys(before, None)
            relink_all |= moves_package(before, None)
            writer.remove_file(path)
        for source in self.skipped:
            writer.put_file(IndexedFile(source), repo_id=repo_id)
        for one in arriving:
            relink_all |= is_manifest(posixpath.basename(one.source.path))
            before = linker.before(one.source.path)
            stored = writer.put_file(one, repo_id=repo_id)
            feed.put(writer, one, stored)
            remember_time(self.times, one.source)
            now = linker.now(one, stored)
            keys |= changed_keys(before, now)
            relink_all |= moves_package(before, now)
            changed.add(stored.file_id)
        feed.flush(writer)
        lookups = Lookups(writer.links.lookups())
        affected = set(writer.links.paths()) if relink_all else changed | lookups.files(keys)
        exact = exactness(writer.links, scip)
        affected |= exact.uses.keys()
        for done, linked in enumerate(linker.relink(sorted(affected), lookups, exact)):
            writer.put_references(linked.file_id, linked.references, linked.lookups)
            report(Progress("resolve", done + 1, len(affected)))
        local.keep_facts(linker.fresh)
        return exact


def remember_time(times: dict[str, tuple[int, int, bytes]], source: SourceFile) -> None:
    """Note a file's time, unless it is so young that a later change could have the same."""
    if source.content_hash and time.time_ns() - source.mtime_ns > RACY_NS:
        times[source.path] = (source.size, source.mtime_ns, source.content_hash)


@cache
def facts_maker(max_chunk_size: int) -> str:
    """Say what shapes the facts of a file besides its content."""
    return f"{VERSION} {max_chunk_size} {fingerprint()}"


def kept_facts(one: IndexedFile, max_chunk_size: int) -> KeptFacts:
    """Return what the next update needs of a file that has facts, so that it need not parse it again."""
    source = one.source
    return source.path, source.content_hash, facts_maker(max_chunk_size), one.module, one.facts


def _hash_of(root: Path, source: SourceFile) -> bytes:
    try:
        return content_hash(read_regular(root / source.path))
    except OSError:
        return b""


class _Linker:
    """Link files of an index under update; facts that were not kept are read again from the stored texts.

    `fresh` are facts to keep for the next update.
    """

    def __init__(self, links: LinkReader, max_chunk_size: int, local: LocalState) -> None:
        self._links = links
        self._max_chunk_size = max_chunk_size
        self._local = local
        self._now: dict[str, FileFacts] = {}
        self.fresh: list[KeptFacts] = []

    def before(self, path: str) -> FileFacts | None:
        """Return what the index says of a file that is about to be replaced or removed."""
        found = self._stored(path)
        return found.file_facts() if found else None

    def now(self, one: IndexedFile, stored: StoredFileIds) -> FileFacts | None:
        """Note and return what the new version of a file says."""
        if not one.facts:
            return None
        self.fresh.append(kept_facts(one, self._max_chunk_size))
        self._now[one.source.path] = LinkFile.of(one, stored.file_id, stored.chunk_ids).file_facts()
        return self._now[one.source.path]

    def _stored(self, path: str) -> LinkFile | None:
        row = self._links.file(path)
        if row is None:
            return None
        made_by = facts_maker(self._max_chunk_size)
        kept = self._local.facts(path, row.content_hash, made_by)
        unpacked = unpack_sound(kept[1], len(row.chunk_ids)) if kept else None
        if kept is None or unpacked is None:
            source = SourceFile(path, row.language, is_test=row.is_test)
            kept = link_facts(source, row.text, self._max_chunk_size)
            unpacked = unpack_sound(kept[1], len(row.chunk_ids))
            if unpacked is None:
                raise IndexFormatError(f"the chunks of {path} do not fit its text; rebuild the index: cgi index --full")
            self.fresh.append((path, row.content_hash, made_by, *kept))
        return LinkFile(row.id, path, row.language, kept[0], row.is_test, row.chunk_ids, kept[1], unpacked=unpacked)

    def _named(self, name: str) -> tuple[Target, ...]:
        """List the definitions of a name that other files may mean."""
        return tuple(
            Target(one.path, one.dotted, one.kind, one.chunk_id, one.has_body)
            for one in self._links.named(name)
            if is_linked(one.language, one.kind, name, one.dotted, one.has_body)
        )

    def relink(self, file_ids: Iterable[int], lookups: Lookups, exact: Exactness) -> Iterator[Linked]:
        """Resolve these files against the index as it is now; what was exactly known of them before is still."""
        stored = cache(self._stored)

        @cache
        def facts(path: str) -> FileFacts | None:
            if path in self._now:
                return self._now[path]
            found = stored(path)
            return found.file_facts() if found else None

        named = cache(self._named)
        modules = [ModuleFile(*row) for row in self._links.module_rows()]
        paths = self._links.paths()
        passing = cache(PassingFiles(lookups, paths, self._now))
        world = World(Modules(modules, self._links.texts_named(is_manifest)), facts, named, passing)
        for file_id in file_ids:
            if file_id in paths and (found := stored(paths[file_id])) is not None:
                uses = exact.uses.get(file_id) or stored_uses(self._links, file_id)
                yield link(world, found._replace(exact=uses))
