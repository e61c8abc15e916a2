"""Find the files that an import means: by path, by package, by declared name or by the repository's own name."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase, translate
from functools import cache, lru_cache
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.aliases import Aliases
from code_graph_indexer.resolve.facts import import_tail
from code_graph_indexer.resolve.notes import Note, key_hash
from code_graph_indexer.syntax.captures import dotted_name


class ModuleFile(NamedTuple):
    """A file as imports see it; `module` is its dotted name, empty where files are included by path."""

    path: str
    language: str
    module: str
    is_test: bool


class FoundModules(NamedTuple):
    """The files that an import means, and a note of the last words of every place that was tried."""

    paths: tuple[str, ...]
    note: Note


class Modules:
    """Answer which files an import text means, in the eyes of the importing file."""

    def __init__(self, files: Iterable[ModuleFile], manifests: Mapping[str, str]) -> None:
        self.files = {one.path: one for one in files}
        self._package_of = cache(self._package)
        self._by_name: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_file_name: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for one in self.files.values():
            family = languages()[one.language].family
            names = {one.module, self._package_name(one)} - {""}
            if languages()[one.language].modules == "stem":
                stem = posixpath.basename(one.path).partition(".")[0]
                names = {stem[:1].upper() + stem[1:]}
            for name in names:
                self._by_name[family, name].append(one.path)
            self._by_file_name[posixpath.basename(one.path)].append(one.path)
            self._by_folder[posixpath.dirname(one.path)].append(one.path)
        self._manifests = _read_manifests(manifests)
        self._aliases = _read_aliases(manifests)
        self._words: set[str] = set()
        self.find = lru_cache(maxsize=None)(self._find_noting)

    def _package_name(self, one: ModuleFile) -> str:
        """Name a file from the first folder above it that is no package (has no index file)."""
        language = languages()[one.language]
        if language.modules != "path" or not language.index:
            return ""
        folder, _, file_name = one.path.rpartition("/")
        stem, suffix = posixpath.splitext(file_name)
        package = self._package_of(folder, suffix, language.index)
        return package if stem in language.index else f"{package}.{stem}".lstrip(".")

    def _package(self, folder: str, suffix: str, index: frozenset[str]) -> str:
        """Name a folder as a package; empty where it is none."""
        names: list[str] = []
        while folder and any(f"{folder}/{one}{suffix}" in self.files for one in index):
            folder, _, name = folder.rpartition("/")
            names.append(name)
        return ".".join(reversed(names))

    def peers(self, path: str) -> list[str]:
        """List the other files of a file's module, where a module spans several."""
        one = self.files[path]
        language = languages()[one.language]
        if language.modules == "folder":
            found = [
                other for other in self._by_folder[posixpath.dirname(path)] if self.files[other].module == one.module
            ]
        elif language.modules == "declared" and one.module:
            found = self._by_name.get((language.family, one.module), [])
        else:
            return []
        return [other for other in found if other != path and (one.is_test or not self.files[other].is_test)]

    def _find_noting(self, importer: str, text: str) -> FoundModules:
        self._words = {import_tail(text)}
        paths = self._find(importer, text)
        return FoundModules(paths, Note(key_hash(f"m:{word}") for word in self._words))

    def _find(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that `text` means when `importer` imports it; none for what is not in the repository."""
        language = languages()[self.files[importer].language]
        if not text:
            return ()
        if language.modules == "stem":
            return self._find_by_stem(importer, text, language)
        if language.import_separator == "/" or language.modules == "file":
            return self._find_by_path(importer, text, language)
        if language.import_separator == "::":
            return self._find_by_crate(importer, text, language)
        if language.relative and text.startswith(language.relative):
            return self._find_by_dots(importer, text, language)
        return tuple(self._by_name.get((language.family, dotted_name(text)), ()))

    def _find_by_stem(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve `Library.Module` by its last part: the nearest files of that name, or those below the library's folder."""
        *outer, last = text.split(language.import_separator)
        found = self._by_name.get((language.family, last), [])
        # Files are noted by their stems.
        self._words.add(last[:1].lower() + last[1:])
        if outer:
            library = outer[-1].lower().replace("_", "-")
            found = [one for one in found if library in one.lower().replace("_", "-").split("/")[:-1]]
        if not found:
            return ()
        nearest = min(found, key=lambda one: (-shared_folders(one, importer), one))
        folder = posixpath.dirname(nearest)
        return tuple(sorted(one for one in found if posixpath.dirname(one) == folder))

    def _find_by_dots(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve `.name` and `..name` against the importer's package."""
        bare = text.lstrip(language.relative)
        folder = posixpath.dirname(importer)
        for _ in range(len(text) - len(bare) - 1):
            folder = posixpath.dirname(folder)
        return self._file_at(posixpath.join(folder, *bare.split(".")) if bare else folder, language)

    def _find_by_crate(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve `crate::a::b`, `self::a`, `super::a` and paths that start with a manifest's name or a sibling module."""
        parts = text.split("::")
        folder, stem = posixpath.split(importer)
        stem = stem.partition(".")[0]
        own = folder if stem in language.index else posixpath.join(folder, stem)
        source = min(language.roots, default="")
        roots = {name.replace("-", "_"): at for name, at in self._manifests.get(language.name, {}).items()}
        if parts[0] == "crate":
            inside = [at for at in roots.values() if importer.startswith(f"{at}/" if at else "")]
            start = posixpath.join(max(inside, key=len, default=""), source)
        elif parts[0] in ("self", "super"):
            start = own if parts[0] == "self" else posixpath.dirname(own)
            while len(parts) > 1 and parts[1] == "super":
                start, parts = posixpath.dirname(start), parts[1:]
        elif parts[0] in roots:
            start = posixpath.join(roots[parts[0]], source)
        else:
            start, parts = own, ["", *parts]
        return self._file_at(posixpath.normpath(posixpath.join(start, *parts[1:])), language)

    def _find_by_path(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve a path relative to the importer, under a manifest's name, or at the end of a path of the repository."""
        if language.import_prefix and text.startswith(language.import_prefix):
            return self._find_by_manifest(text[len(language.import_prefix) :], language)
        folder = posixpath.dirname(importer)
        near = self._file_at(posixpath.normpath(posixpath.join(folder, text)), language)
        if near and (text.startswith(".") or language.modules == "file"):
            return near
        if text.startswith("."):
            return ()
        for path in self._aliases[language.name].meant(importer, text) if language.name in self._aliases else ():
            if found := self._file_at(posixpath.normpath(path), language):
                return found
        if found := self._find_by_manifest(text, language):
            return found
        return self._find_by_end(importer, text, language) if language.modules == "file" else ()

    def _find_by_manifest(self, text: str, language: Language) -> tuple[str, ...]:
        """Resolve a path that starts with the name in a manifest."""
        for name, at in sorted(self._manifests.get(language.name, {}).items(), key=lambda one: -len(one[0])):
            if text == name or text.startswith(f"{name}/"):
                rest = text[len(name) :].strip("/")
                for root in ("", *sorted(language.roots)):
                    if found := self._file_at(posixpath.normpath(posixpath.join(at, root, rest)), language):
                        return found
        return ()

    def _find_by_end(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        names = [posixpath.basename(text), *(posixpath.basename(text) + suffix for suffix in language.extensions)]
        wanted = f"/{posixpath.splitext(text)[0] if posixpath.splitext(text)[1] in language.extensions else text}"
        found = [
            path
            for name in names
            for path in self._by_file_name.get(name, ())
            if f"/{posixpath.splitext(path)[0]}".endswith(wanted) or f"/{path}".endswith(wanted)
        ]
        return (min(found, key=lambda path: (-shared_folders(path, importer), path)),) if found else ()

    def _file_at(self, path: str, language: Language) -> tuple[str, ...]:
        """List the file at a path without extension, its index file, or all files of the folder that is a module."""
        path = "" if path == "." else path
        self._words.add(posixpath.basename(path).partition(".")[0])
        if path in self.files:
            return (path,)
        if language.modules == "folder":
            found = [one for one in self._by_folder.get(path, ()) if not self.files[one].is_test]
            return tuple(sorted(found))
        bare, suffix = posixpath.splitext(path)
        extensions = [
            one for other in languages().values() if other.family == language.family for one in other.extensions
        ]
        stems = [path, bare] if suffix in extensions else [path]
        for stem in stems:
            for candidate in (stem, *(posixpath.join(stem, index) for index in sorted(language.index))):
                for extension in extensions:
                    if f"{candidate}{extension}" in self.files:
                        return (f"{candidate}{extension}",)
        return ()


def shared_folders(one: str, other: str) -> int:
    """Count the folders that two paths begin with."""
    return len(posixpath.commonprefix([one.split("/")[:-1], other.split("/")[:-1]]))


@cache
def is_manifest(file_name: str) -> bool:
    """Say whether a file of that name may tell what imports mean."""
    return file_name in _manifest_names() or bool(_alias_files().match(file_name))


@cache
def _alias_files() -> re.Pattern[str]:
    """Match the names of all files that give aliases, in any language."""
    patterns = {pattern for language in languages().values() for pattern in language.aliases}
    return re.compile("|".join(map(translate, sorted(patterns))))


def _gives_aliases(file_name: str, language: Language) -> bool:
    return any(fnmatchcase(file_name, pattern) for pattern in language.aliases)


@cache
def _manifest_names() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """List the manifest file names, each with the languages it serves and the pattern of the name in it."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for language in languages().values():
        if language.manifest:
            file_name, pattern = language.manifest
            found[file_name].append((language.name, re.compile(pattern, re.MULTILINE)))
    return found


def _read_manifests(manifests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """For each language, map the names that manifests give to the folders they stand in."""
    wanted = _manifest_names()
    roots: dict[str, dict[str, str]] = defaultdict(dict)
    for path, text in sorted(manifests.items()):
        for language, pattern in wanted.get(posixpath.basename(path), ()):
            if match := pattern.search(text):
                roots[language].setdefault(match[1], posixpath.dirname(path))
    return roots


def _read_aliases(manifests: Mapping[str, str]) -> dict[str, Aliases]:
    """For each language, read the configurations that give other names to folders."""
    found: dict[str, Aliases] = {}
    read: dict[tuple[str, ...], Aliases] = {}
    for language in languages().values():
        texts = {path: text for path, text in manifests.items() if _gives_aliases(posixpath.basename(path), language)}
        if texts and language.aliases not in read:
            read[language.aliases] = Aliases(texts)
        if texts:
            found[language.name] = read[language.aliases]
    return found
