"""Link the calls that leave a repository into another of the same set. No index is changed.

A question to the graph reads only the files that it needs, and resolves their references again. The resolver then also sees
the files of those repositories whose packages the repository imports.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from code_graph_indexer.indexing.file import read_link_input
from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve import FileFacts, LinkFile, ModuleFile, Modules, World, is_linked, is_manifest
from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.references import FileResolver
from code_graph_indexer.resolve.resolution import UNIQUE
from code_graph_indexer.resolve.rows import resolve_file
from code_graph_indexer.results import Symbol
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import (
    FIRST_MEMBER,
    FileRow,
    ResolvedReference,
    Store,
    StoredDefinition,
    member_of,
    meta_number,
)
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.captured import dotted_name
from code_graph_indexer.syntax.definitions import is_local_function
from code_graph_indexer.syntax.packing import unpack_sound
from code_graph_indexer.syntax.records import SourceFile

ORIGIN = "across"
"""The origin of an edge that leads from a repository into another."""

MOST_SURE = 0.9
"""Largest confidence of such an edge: the indexed version of a package may not be the version that the caller uses."""

MAX_FILES = 100
"""Largest number of files that are read again for the callers of a definition. The calls in the rest stay unresolved."""

UNSTORED = frozenset({"overrides", "references"})
"""Kinds of references of which the index of the caller has nothing: it stores them only with a target."""

CONSTRUCTED = frozenset({"method", "function"})
"""Kinds of definitions that may run when code writes only the name of the class around them."""


class OpenImport(NamedTuple):
    """An import without a target in its own index: the text of the module, and the name in it, which may be empty."""

    module: str
    name: str

    @property
    def last(self) -> str:
        """Return the last word: `Rule` for `werkzeug.routing Rule`, `click` for `click`."""
        return dotted_name(self.name or self.module).rpartition(".")[2]


class Repositories:
    """The repositories of a set: their files, the packages that they offer, and which of them imports which."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names = set(store.repositories())
        self._numbers: dict[int, str] = {}
        self._rows: dict[str, list[FileRow]] = defaultdict(list)
        self._manifests: dict[str, list[str]] = defaultdict(list)
        self.manifests = cache(self._read_manifests)
        rows = [row for row in store.files() if row.error is None]
        for row in rows:
            repository = self.of(row.path)
            self._numbers[member_of(row.id)] = repository
            # An index of another version may know more languages.
            if row.language in languages():
                self._rows[repository].append(row)
            # A manifest may be in a language too, as package.json is.
            if is_manifest(posixpath.basename(row.path)):
                self._manifests[repository].append(row.path)
        files = store.files_by_id(np.array([row.id for row in rows], np.int64))
        self._marks = {file.path: frozenset(file.marks) for file in files.values()}
        self.imports: dict[str, list[OpenImport]] = defaultdict(list)
        for path, text in store.open_imports():
            module, _, name = text.partition(" ")
            self.imports[path].append(OpenImport(module, name))
        self.language = {row.path: row.language or "" for rows in self._rows.values() for row in rows}
        self._owner = cache(self._find_owner)

    def of(self, path: str) -> str:
        """Return the repository of a path: the longest beginning of the path that names one, or an empty text."""
        folder = posixpath.dirname(path)
        while folder and folder not in self._names:
            folder = posixpath.dirname(folder)
        return folder

    def of_id(self, chunk_id: int) -> str:
        """Return the repository of a chunk."""
        return self._numbers.get(member_of(chunk_id), "")

    def is_test(self, path: str) -> bool:
        """Say whether a file is a test."""
        return "test" in self._marks[path]

    def _may_be_imported(self, row: FileRow, repository: str) -> bool:
        """Say whether another repository may import a file, as one of a package or named as its repository, and no test."""
        if not self._marks[row.path].isdisjoint({"test", "example", "vendored"}):
            return False
        language = languages()[row.language or ""]
        if not _is_packaged(language):
            return True
        folder = posixpath.dirname(row.path)
        suffix = posixpath.splitext(row.path)[1]
        if any(f"{folder}/{stem}{suffix}" in self.language for stem in language.index):
            return True
        # Without the file that makes a folder a package, only a module named as the repository is one.
        return _spelled(_inside(row.path, repository, language)) == _spelled(repository)

    def module_files(self, repository: str, *, own: bool) -> list[ModuleFile]:
        """List the files of a repository as the resolver sees them: all of them, or those that others may import."""
        files: list[ModuleFile] = []
        for row in self._rows[repository]:
            if own or self._may_be_imported(row, repository):
                # From elsewhere, a module has the name that begins with its package, wherever the index begins.
                module = row.module if own or not _is_packaged(languages()[row.language or ""]) else ""
                files.append(ModuleFile(row.path, row.language or "", module, self.is_test(row.path)))
        return files

    def _read_manifests(self, repository: str) -> dict[str, str]:
        """Map the path of each manifest of a repository to its text."""
        texts = {path: self._store.file_text(path) or b"" for path in self._manifests.get(repository, ())}
        return {path: text.decode("utf-8", "replace") for path, text in texts.items()}

    @cached_property
    def _offers(self) -> dict[tuple[str, str], set[str]]:
        """Map each package or module, as (family of languages, name), to the repositories that offer it."""
        offers: dict[tuple[str, str], set[str]] = defaultdict(set)
        for repository in list(self._rows):
            files = self.module_files(repository, own=False)
            for name in Modules(files, self.manifests(repository)).offered():
                offers[name].add(repository)
            for file in files:
                language = languages()[file.language]
                inside = _inside(file.path, repository, language)
                # Without manifests and module names, a package is a file or folder named as its repository.
                if language.modules == "file" and _spelled(inside.partition("/")[0]) == _spelled(repository):
                    offers[language.family, inside].add(repository)
        return offers

    def _find_owner(self, repository: str, language_name: str, module: str) -> str:
        """Return the other repository that alone offers the package of an import, or an empty text."""
        language = languages()[language_name]
        if language.relative and module.startswith(language.relative):
            return ""
        for name in _packages(module, language):
            owners = self._offers.get((language.family, name), set())
            if owners:
                is_other = (
                    len(owners) == 1 and repository not in owners and self._is_required(repository, name, language)
                )
                return next(iter(owners)) if is_other else ""
        return ""

    def _is_required(self, repository: str, name: str, language: Language) -> bool:
        """Say whether a manifest of a repository names a package, in a language whose packages have manifests."""
        names = {file_name for file_name, _ in language.manifest}
        if not names:
            return True
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        texts = self.manifests(repository).items()
        return any(posixpath.basename(path) in names and word.search(text) for path, text in texts)

    @cached_property
    def imported(self) -> dict[str, set[str]]:
        """Map each file that imports another repository to all that it imports."""
        imported: dict[str, set[str]] = defaultdict(set)
        for path, imports in self.imports.items():
            if path in self.language:
                owners = {self._owner(self.of(path), self.language[path], entry.module) for entry in imports} - {""}
                if owners:
                    imported[path] = owners
        return dict(imported)

    @cached_property
    def needed(self) -> dict[str, set[str]]:
        """Map each repository to the repositories that it imports, directly or through others."""
        direct: dict[str, set[str]] = defaultdict(set)
        for path, owners in self.imported.items():
            direct[self.of(path)] |= owners
        needed: dict[str, set[str]] = {}
        for repository in direct:
            reached, waiting = set[str](), [repository]
            while waiting:
                fresh = direct.get(waiting.pop(), set()) - reached
                reached |= fresh
                waiting += fresh
            needed[repository] = reached - {repository}
        return needed

    def users(self, repository: str) -> set[str]:
        """Return the repositories that import a repository, directly or through others."""
        return {user for user, needed in self.needed.items() if repository in needed}


class Links:
    """The references that lead from a file of a set into another repository, file by file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.repositories = Repositories(store)
        self._max_chunk_size = meta_number(store.meta(), "max_chunk_size", Settings().max_chunk_size)
        self._world = cache(self._make_world)
        self._link_file = cache(self._read)
        self._definitions = cache(store.file_definitions)
        self.of_file = cache(self._of_file)

    def _read(self, path: str) -> LinkFile | None:
        """Parse the text of a file again. None if the chunks in the index are not those of its text."""
        text, chunks = self._store.file_text(path), self._store.file_chunks(path)
        if text is None or not chunks:
            return None
        language, is_test = self.repositories.language[path], self.repositories.is_test(path)
        module, packed = read_link_input(SourceFile(path, language, is_test=is_test), text, self._max_chunk_size)
        # No use of a member is linked across repositories, so that its id is not needed.
        member_ids = range(FIRST_MEMBER, FIRST_MEMBER + len(text))
        unpacked = unpack_sound(packed, len(chunks), len(member_ids))
        if unpacked is None:
            return None
        ids = [chunk.id for chunk in chunks], member_ids
        return LinkFile(chunks[0].file_id, path, language, module, is_test, *ids, packed, unpacked=unpacked)

    def _make_world(self, repository: str) -> World:
        """Return what the resolver knows for the files of a repository: its own files, and those of what it imports."""
        needed = self.repositories.needed[repository]
        files = self.repositories.module_files(repository, own=True)
        manifests = dict(self.repositories.manifests(repository))
        for package in sorted(needed):
            files += self.repositories.module_files(package, own=False)
            manifests |= self.repositories.manifests(package)
        paths = {file.path for file in files}

        @cache
        def facts(path: str) -> FileFacts | None:
            file = self._link_file(path) if path in paths else None
            return file.file_facts() if file else None

        @cache
        def named(name: str) -> tuple[Target, ...]:
            symbols = self._store.symbols([name], exact_case=True)
            holders = sorted({symbol.file_path for symbol in symbols} & paths)
            definitions = (entry for path in holders for entry in self._definitions(path) if entry.name == name)
            return tuple(map(_target, filter(_is_linked, definitions)))

        # What callers pass is not followed here: it would take the files of all callers.
        return World(Modules(files, manifests), facts, named, lambda name: (), lambda name, *, value: False)

    def _of_file(self, path: str) -> list[ResolvedReference]:
        """Resolve the references of a file again, and return those that lead into another repository."""
        repository = self.repositories.of(path)
        needed = self.repositories.needed.get(repository)
        if not needed or path not in self.repositories.language:
            return []
        file = self._link_file(path)
        if file is None:
            return []
        rows = resolve_file(FileResolver(FileView(self._world(repository), file)))
        stored = {_site(row) for row in self._store.reference_fates(path) if row.target_id is None}
        leaving = [
            row._replace(confidence=min(row.confidence, MOST_SURE), origin=ORIGIN)
            for row in rows
            if row.target_id is not None
            and row.confidence is not None
            # A guess by the mere name says nothing about another repository.
            and row.confidence > UNIQUE
            and self.repositories.of_id(row.target_id) in needed
            and (row.kind in UNSTORED or _site(row) in stored)
        ]
        # A method overrides that of a base. A base that was only guessed is none.
        bases = {self.repositories.of_id(row.target_id or 0) for row in leaving if row.kind == "inherits"}
        return [
            row for row in leaving if row.kind != "overrides" or self.repositories.of_id(row.target_id or 0) in bases
        ]

    def leaving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead from these chunks into another repository."""
        wanted = {chunk_id for chunk_id in chunk_ids if self.repositories.of_id(chunk_id) in self.repositories.needed}
        if kind in ("calls", "inherits"):
            # Each of these leaves an open reference in the index. A class that is instantiated may be an open base.
            sources = sorted(wanted)
            wanted = self._store.open_sources("calls", sources) | self._store.open_sources("inherits", sources)
        paths = {file.path for file in self._store.files_of(sorted(wanted)).values()} if wanted else set()
        return [
            row for path in sorted(paths) for row in self.of_file(path) if row.kind == kind and row.source_id in wanted
        ]

    @cached_property
    def _heirs(self) -> set[str]:
        """Return the files with a class whose base is linked to nothing in its own repository."""
        sources = sorted(self._store.open_sources("inherits"))
        return {file.path for file in self._store.files_of(sources).values()} if sources else set()

    def arriving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead from another repository to these chunks."""
        wanted = set(chunk_ids)
        by_repository: dict[str, list[int]] = defaultdict(list)
        for chunk_id in chunk_ids:
            by_repository[self.repositories.of_id(chunk_id)].append(chunk_id)
        paths: set[str] = set()
        for repository, local in by_repository.items():
            paths |= self._may_lead(repository, local, kind)
        # Nearest first: a file that imports the package says most about it.
        ordered = sorted(paths, key=lambda path: (path not in self.repositories.imported, path))[:MAX_FILES]
        return [
            row
            for path in sorted(ordered)
            for row in self.of_file(path)
            if row.kind == kind and row.target_id in wanted
        ]

    def _class_names(self, symbols: Iterable[Symbol]) -> set[str]:
        """Return the names of the classes whose constructors are among these definitions."""
        # Code that makes an object names the class, and its constructor runs.
        constructors = [symbol.chunk_id for symbol in symbols if symbol.kind in CONSTRUCTED]
        classes = list(self._store.classes_around(constructors).values())
        return {symbol.name for symbol in self._store.nodes(classes).values()} if classes else set()

    def _may_lead(self, repository: str, chunk_ids: Sequence[int], kind: str) -> set[str]:
        """Return the files of other repositories that may refer to these chunks of a repository, by their names."""
        users = self.repositories.users(repository)
        if not users:
            return set()
        imported = self.repositories.imported
        direct = {path for path in imported if repository in imported[path]}
        symbols = self._store.nodes(list(chunk_ids)).values()
        if kind == "imports" and any(symbol.kind == "module" for symbol in symbols):
            return direct
        names = {symbol.name for symbol in symbols if symbol.name and symbol.kind != "module"}
        if kind == "calls":
            names |= self._class_names(symbols)
        paths = self._naming(names, kind)
        if kind == "inherits":
            paths |= direct & self._heirs
        return {path for path in paths if self.repositories.of(path) in users}

    def _naming(self, names: set[str], kind: str) -> set[str]:
        """Return the files that import one of these names, or that may mean it by references of a kind.

        For `calls`, these are files with a call of the name that is linked to nothing in its own repository. For
        `overrides`, they define the name, and are among `_heirs`.
        """
        paths = {
            path for path, entries in self.repositories.imports.items() for entry in entries if entry.last in names
        }
        if kind == "calls":
            paths |= {site.file_path for site in self._store.open_sites(sorted(names), [], outside=True)}
        elif kind == "overrides":
            holders = {symbol.file_path for symbol in self._store.symbols(sorted(names), exact_case=True)}
            paths |= holders & self._heirs
        return paths


def _site(row: ResolvedReference) -> tuple[int, str, str, int, int]:
    """Return what tells a reference from all others of its file."""
    return row.source_id, row.kind, row.name, row.line, row.column


def _is_linked(definition: StoredDefinition) -> bool:
    name, dotted = definition.name, definition.dotted
    return is_linked(definition.language, definition.kind, name, dotted, definition.has_body)


def _target(definition: StoredDefinition) -> Target:
    language = languages()[definition.language]
    return definition.target._replace(is_local=is_local_function(language, definition.kind, definition.signature))


def _inside(path: str, repository: str, language: Language) -> str:
    """Return a file's path in its repository, without extension, and without a first folder that no import names (`src`)."""
    inside = path.removeprefix(f"{repository}/")
    folder, _, rest = inside.partition("/")
    return posixpath.splitext(rest if rest and folder in language.roots else inside)[0]


def _spelled(name: str) -> str:
    """Return the last part of the path of a repository or module, in the spelling in which names are compared: `my-crate`."""
    return name.rpartition("/")[2].lower().replace("_", "-")


def _is_packaged(language: Language) -> bool:
    """Say whether a file in a folder makes it a package, whose name begins the names of its modules."""
    return language.import_lookup == "name" and language.modules == "path"


def _packages(module: str, language: Language) -> Iterator[str]:
    """Yield the names of packages that the text of an import may begin with, longest first. `module` is that text."""
    text = module.removeprefix(language.import_prefix)
    if language.import_lookup == "name":
        yield dotted_name(text)
        # `import a.b.Truth.check` names a member of a class.
        outer = dotted_name(text).rpartition(".")[0]
        if language.modules == "declared" and "." in outer:
            yield outer
        return
    words = text.split(language.import_separator)
    for end in range(len(words), 0, -1):
        name = language.import_separator.join(words[:end])
        yield name
        if language.import_lookup == "tree":
            # Code writes `my_crate` for the package `my-crate`.
            yield name.replace("_", "-")
