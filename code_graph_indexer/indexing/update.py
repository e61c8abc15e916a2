"""Find what changed since the last run, write it, and link again only the files that the change may affect."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.indexing.memory import BY_CHANCE
from code_graph_indexer.languages import Language, fingerprint, is_package_file, languages
from code_graph_indexer.results import Progress
from code_graph_indexer.scip.read import ExactReferences, ScipIndex, exact_references
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import IndexWriter, LinkReader, StoredFileIds, open_store
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.storage.records import FileRow, LinkedFile, Target
from code_graph_indexer.storage.snapshot import Changes, SeenFile, trusted_time
from code_graph_indexer.syntax.disk import file_hash
from code_graph_indexer.syntax.read import UNREADABLE
from code_graph_indexer.syntax.records import Import, IndexedFile, SourceFile
from code_graph_indexer.version import VERSION

if TYPE_CHECKING:
    from code_graph_indexer import resolve
    from code_graph_indexer.indexing import file as file_rows
    from code_graph_indexer.indexing.lookups import StoredLookups
    from code_graph_indexer.indexing.vectors import VectorFeed
    from code_graph_indexer.syntax import definitions, packing
else:
    # Most updates find that nothing changed, and need none of these.
    resolve = late_module("code_graph_indexer.resolve")
    file_rows = late_module("code_graph_indexer.indexing.file")
    definitions = late_module("code_graph_indexer.syntax.definitions")
    packing = late_module("code_graph_indexer.syntax.packing")

LinkInputRow = tuple[str, bytes, str, str, bytes]
"""A row of the local state: path, content hash, version, module and packed syntax of a file."""

HELD_BYTES = 64_000_000
"""How much source an update may read. What it writes is held in memory until the commit, at some four times this size."""

TEXT_GROWTH = 2
"""How many times as long as its file the stored text may be, which is always UTF-8."""


class Update:
    """The differences between the files on disk and the files of the index.

    Files are compared by size and time first, then by content hash. `to_read` are the files to index. `skipped` are the files
    that must not be read, except those that the index already has as such. `removed` are the paths that no longer exist.

    `sources` are all files of the repository or, if `whole` is false, some that exist and are in the index. `times` are the
    rows for the local state. `touched` says that some file has a new time but its old content. With `again`, files that the
    machine failed to read are read again, as a full build would. `replaced` are the ids of files whose rows the update replaces
    or removes. `lookups` are those of the files that were linked again, once they are.
    """

    def __init__(
        self,
        root: Path,
        db: Path,
        settings: Settings,
        times: Mapping[str, SeenFile],
        sources: Sequence[SourceFile],
        *,
        whole: bool = True,
        again: bool = False,
    ) -> None:
        self._root, self._settings = root, settings
        store = open_store(db)
        # The rows of all files of a large repository take a second.
        rows = {row.path: row for row in store.files(None if whole else [source.path for source in sources])}
        store.close()
        self.times: dict[str, SeenFile] = {}
        self.lookups: dict[int, bytes] = {}
        self.to_read: list[SourceFile] = []
        self.skipped: list[SourceFile] = []
        self.touched = False
        for source in sources:
            row, seen = rows.get(source.path), times.get(source.path)
            if source.error is not None:
                if row is None or (row.error, row.size) != (source.error, source.size) or _is_rewritten(source, seen):
                    self.skipped.append(source)
                self._remember(source, seen)
            elif (
                row is None
                or (again and (row.error or "").startswith(BY_CHANCE))
                or not self._is_indexed(source, row, seen)
            ):
                self.to_read.append(source)
        paths = {source.path for source in sources}
        self.removed = sorted(rows.keys() - paths) if whole else []
        self.has_no_checkout = bool(rows) and rows.keys().isdisjoint(paths)
        self._indexed = rows.keys()
        self.replaced = [rows[path].id for path in self.paths if path in rows]
        self._whole = whole

    def _is_indexed(self, source: SourceFile, row: FileRow, seen: SeenFile | None) -> bool:
        """Say whether the index has a file as it is. If so, remember its time."""
        # A killed run may leave times older than the index, so their hash must be that of the index.
        if row.content_hash and seen == (source.size, source.mtime_ns, row.content_hash):
            self.times[source.path] = SeenFile(source.size, source.mtime_ns, row.content_hash)
            return True
        if _hash_of(self._root, source) == row.content_hash and _is_same(row):
            self._remember(replace(source, content_hash=row.content_hash), seen)
            return True
        return False

    def _remember(self, source: SourceFile, seen: SeenFile | None) -> None:
        """Remember the time of a file for the next run, and note in `touched` if that differs from `seen`, the last one."""
        remember_time(self.times, source)
        self.touched |= self.times.get(source.path) != seen

    @property
    def is_rebuild(self) -> bool:
        """Say whether a build takes less memory: more is read than kept, and too much to be held."""
        kept = len(self._indexed) - len(self.replaced)
        size = sum(source.size for source in self.to_read)
        return self._whole and len(self.to_read) > kept and size > HELD_BYTES

    @property
    def nothing(self) -> bool:
        """Say whether the index is up to date."""
        return not (self.to_read or self.skipped or self.removed)

    @property
    def paths(self) -> list[str]:
        """List the paths of the files that are new, changed or removed."""
        return [*self.removed, *(source.path for source in (*self.skipped, *self.to_read))]

    def changes(self) -> Changes:
        """Return the paths that the index does not have as they are on disk."""
        paths = [source.path for source in (*self.to_read, *self.skipped)]
        return Changes(
            changed=tuple(path for path in paths if path in self._indexed),
            new=tuple(path for path in paths if path not in self._indexed),
            deleted=tuple(self.removed),
        )

    def write(
        self,
        local: LocalState,
        writer: IndexWriter,
        arriving: Iterator[IndexedFile],
        feed: VectorFeed,
        lookups: StoredLookups,
        *,
        scip: Sequence[ScipIndex],
        report: Callable[[Progress], None],
    ) -> ExactReferences:
        """Write the changed files, and link again every file that the change may affect.

        Return the references of the SCIP indexes.

        A file is affected if it changed, if it looked up a name that a changed file defines, or if a SCIP index has references
        in this file. If a manifest changed or a package moved, all files are affected.
        """
        repo_id = self._settings.repo_id
        linker = _Linker(writer.links, self._settings, local)
        keys: set[str] = set()
        changed: set[int] = set()
        paths = [*self.removed, *(file.path for file in self.skipped)]
        # A manifest gives names to folders. If it changes, any import in the repository may mean another file.
        relink_all = any(resolve.is_manifest(posixpath.basename(path)) for path in paths)
        for path in paths:
            before = linker.before(path)
            keys |= resolve.changed_keys(before, None)
            relink_all |= resolve.moves_package(before, None)
            writer.remove_file(path)
        for source in self.skipped:
            writer.put_file(IndexedFile(source), repo_id=repo_id)
        for file in arriving:
            relink_all |= resolve.is_manifest(posixpath.basename(file.source.path))
            before = linker.before(file.source.path)
            stored = writer.put_file(file, repo_id=repo_id)
            feed.put(writer, file, stored)
            remember_time(self.times, file.source)
            now = linker.now(file, stored)
            keys |= resolve.changed_keys(before, now)
            relink_all |= resolve.moves_package(before, now)
            changed.add(stored.file_id)
        feed.flush(writer)
        # Nothing is linked before all is written, as a file may refer to a later one.
        keys = {key for key in keys if not _is_elsewhere(writer.links, key, changed)}
        affected = set(writer.links.paths()) if relink_all else changed | lookups.files(keys)
        exact = exact_references(writer.links, scip)
        affected |= exact.uses.keys()
        for done, linked in enumerate(linker.relink(sorted(affected), lookups, exact)):
            writer.put_references(linked)
            self.lookups[linked.file_id] = linked.lookups
            report(Progress("resolve", done + 1, len(affected)))
        # Rows go by content hash, so they stay true even if the transaction fails after this.
        local.keep_link_inputs(linker.fresh)
        return exact


def _is_elsewhere(links: LinkReader, key: str, changed: Collection[int]) -> bool:
    """Say whether a lookup key asks if any file writes a name, and one not in `changed` does: its answer is the same."""
    return any(
        key.startswith(prefix) and links.is_written(key.removeprefix(prefix), value=value, besides=changed)
        for prefix, value in ((resolve.WRITTEN, False), (resolve.WRITTEN_VALUE, True))
    )


def _is_rewritten(source: SourceFile, seen: SeenFile | None) -> bool:
    """Say whether a file that says what packages there are has another time: with another version it may have the same size."""
    return seen is not None and seen.time_ns != source.mtime_ns and is_package_file(source.path)


def _is_same(row: FileRow) -> bool:
    """Say whether an equal hash proves a file unchanged. An empty one does only if the row says that it is unreadable."""
    return bool(row.content_hash) or (row.error or "").startswith(UNREADABLE)


def remember_time(times: dict[str, SeenFile], source: SourceFile) -> None:
    """Add the size, time and hash of a file to `times`. A link, or an entry that stands for a folder, has no time."""
    if source.mtime_ns:
        # A file that was read and refused, such as a binary one, has a hash.
        is_forbidden = source.error is not None and not source.content_hash and not source.error.startswith(UNREADABLE)
        content_hash = None if is_forbidden else source.content_hash
        times[source.path] = SeenFile(source.size, trusted_time(source.mtime_ns), content_hash)


@cache
def link_input_version(max_chunk_size: int) -> str:
    """Return a text that changes whenever the same content may give another packed syntax.

    It has the version of this package and of the packing, the chunk size, and a hash of the language files.
    """
    return f"{VERSION} {packing.FORMAT} {max_chunk_size} {fingerprint()}"


def link_input_row(file: IndexedFile, max_chunk_size: int) -> LinkInputRow:
    """Return the row of the local state with the packed syntax of a file. The next update need not parse that file again."""
    source = file.source
    return source.path, source.content_hash, link_input_version(max_chunk_size), file.module, file.link_input


def link_input_rows(table: resolve.LinkTable, hashes: Sequence[bytes], max_chunk_size: int) -> Iterator[LinkInputRow]:
    """Yield the rows of the local state for the files of a full build, which have these content hashes."""
    version = link_input_version(max_chunk_size)
    for number, module in enumerate(table.modules):
        yield module.path, hashes[number], version, module.module, table.packed(number)


def _hash_of(root: Path, source: SourceFile) -> bytes:
    """Return the hash of a file's content on disk, or b"" if it cannot be read."""
    try:
        return file_hash(root / source.path)
    except OSError:
        return b""


def _unsound(reason: str) -> IndexFormatError:
    """Return the error for an index that must be built anew."""
    return IndexFormatError(f"{reason}; build the index anew: cgi index --full FOLDER (elsewhere with --db FILE)")


def _language(name: str) -> Language:
    """Return the language of a stored file. Raises IndexFormatError if there is none of this name."""
    language = languages().get(name)
    if language is None:
        raise _unsound(f"the index has files of an unknown language ({name})")
    return language


class _Paths(Mapping[int, str]):
    """The paths of the indexed files that have a language, by file id. They are read by need: few of many are asked for."""

    def __init__(self, links: LinkReader) -> None:
        self._links = links
        self._path = cache(lambda file_id: links.paths([file_id]).get(file_id))

    def __getitem__(self, file_id: int) -> str:
        if (path := self._path(file_id)) is None:
            raise KeyError(file_id)
        return path

    def __iter__(self) -> Iterator[int]:
        return iter(self._links.paths())

    def __len__(self) -> int:
        return len(self._links.paths())


class _Linker:
    """A resolver of references for the files of an index that is being updated.

    If the local state lacks the syntax of a file, its stored text is parsed again. `fresh` are the rows of packed syntax to
    store for the next update.
    """

    def __init__(self, links: LinkReader, settings: Settings, local: LocalState) -> None:
        self._links = links
        self._max_chunk_size = settings.max_chunk_size
        self._max_text = TEXT_GROWTH * settings.max_file_size
        self._local = local
        self._now: dict[str, resolve.FileFacts] = {}
        self._changed: dict[str, resolve.LinkFile] = {}
        self.fresh: list[LinkInputRow] = []

    def before(self, path: str) -> resolve.FileFacts | None:
        """Return the facts of a file as the index has it, before it is replaced or removed.

        None if the index does not have the file.
        """
        linkable = self._stored(path)
        return linkable.file_facts() if linkable else None

    def now(self, file: IndexedFile, stored: StoredFileIds) -> resolve.FileFacts | None:
        """Return the facts of the new version of a file, and store them for `relink`. None if the file has no language."""
        if not file.link_input:
            return None
        path = file.source.path
        self.fresh.append(link_input_row(file, self._max_chunk_size))
        self._changed[path] = resolve.LinkFile.of(file, stored)
        self._now[path] = self._changed[path].file_facts()
        return self._now[path]

    def _stored(self, path: str) -> resolve.LinkFile | None:
        """Return the new version of a file that `now` has read, or else the one of the index. None if the index has none.

        Its syntax is that of the local state if it is sound, or else parsed from the stored text, and kept in `fresh`.
        Raises IndexFormatError if the index does not fit its text.
        """
        # The local state gets the syntax of a changed file only at the end.
        if path in self._changed:
            return self._changed[path]
        row = self._links.file(path)
        if row is None:
            return None
        version = link_input_version(self._max_chunk_size)
        stored = self._local.link_input(path, row.content_hash, version)
        module, link_input = stored or ("", b"")
        # The local state may be damaged or forged. Rows that do not fit are read again from the text.
        unpacked = packing.unpack_sound(link_input, len(row.chunk_ids), len(row.member_ids)) if stored else None
        _language(row.language)
        if unpacked is None:
            if len(row.text) > self._max_text:
                raise _unsound(f"the text of {path} is longer than that of any file that is indexed")
            source = SourceFile(path, row.language, is_test=row.is_test)
            module, link_input = file_rows.read_link_input(source, row.text, self._max_chunk_size)
            unpacked = packing.unpack_sound(link_input, len(row.chunk_ids), len(row.member_ids))
            if unpacked is None:
                raise _unsound(f"the chunks of {path} do not fit its text")
            self.fresh.append((path, row.content_hash, version, module, link_input))
        ids = row.chunk_ids, row.member_ids
        return resolve.LinkFile(row.id, path, row.language, module, row.is_test, *ids, link_input, unpacked=unpacked)

    def _imports(self, path: str) -> tuple[Import, ...] | None:
        """Return the imports of an unchanged file, or None if the local state lacks them."""
        version = link_input_version(self._max_chunk_size)
        stored = self._local.link_input(path, self._links.content_hash(path), version)
        return packing.unpack_imports(stored[1]) if stored else None

    def _named(self, name: str) -> tuple[Target, ...]:
        """List the definitions of a simple name in the index that references in other files may find."""
        return tuple(
            definition.target._replace(
                is_local=definitions.is_local_function(
                    _language(definition.language), definition.kind, definition.signature
                )
            )
            for definition in self._links.named(name)
            if resolve.is_linked(definition.language, definition.kind, name, definition.dotted, definition.has_body)
        )

    def relink(self, file_ids: Iterable[int], lookups: StoredLookups, exact: ExactReferences) -> Iterator[LinkedFile]:
        """Resolve the references of these files against the index as it is now, and yield the results.

        If `exact` has no references for a file, the exact references that the index has stored are used.
        """
        # Cached only from here on: until now the files of the index were changing.
        stored = cache(self._stored)

        @cache
        def facts(path: str) -> resolve.FileFacts | None:
            if path in self._now:
                return self._now[path]
            file = stored(path)
            return file.file_facts() if file else None

        def whole(path: str) -> tuple[str, ...]:
            imports = None if path in self._now else self._imports(path)
            if imports is not None:
                return resolve.whole_imports(imports, world.file(path).language)
            read = facts(path)
            return read.whole_imports.get("", ()) if read else ()

        @cache
        def names(path: str) -> resolve.FileFacts:
            if path in self._now:
                return self._now[path]
            file = stored(path)
            return resolve.file_names(path, file.language, file.syntax()) if file else resolve.FileFacts(path, "")

        definitions = cache(self._named)
        # With `value`, by keyword alone.
        written = cache(self._links.is_written)
        modules = [resolve.ModuleFile(*row) for row in self._links.module_rows()]
        paths = _Paths(self._links)
        passing = cache(resolve.PassingFiles(lookups, paths, self._now, names))
        world = resolve.World(
            resolve.Modules(modules, self._links.texts_named(resolve.is_manifest)),
            facts,
            definitions,
            passing,
            written,
            whole=whole,
            names=names,
        )
        for file_id in file_ids:
            # A changed file without a language has nothing to link.
            if file_id in paths and (file := stored(paths[file_id])) is not None:
                uses = exact.uses.get(file_id) or self._links.exact(file_id)
                yield resolve.link_safely(world, file._replace(exact=uses))
        world.close()
