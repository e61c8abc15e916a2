"""Find the files that an import refers to: by path, by package, by declared name or by the repository's own name."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.facts import MODULE_TAIL, import_tail
from code_graph_indexer.resolve.library import library_files
from code_graph_indexer.resolve.modules.base import Way
from code_graph_indexer.resolve.modules.files import Files, ModuleFile, shared_folders
from code_graph_indexer.resolve.modules.manifests import Manifests, is_manifest
from code_graph_indexer.resolve.modules.name import ByName
from code_graph_indexer.resolve.modules.path import ByPath
from code_graph_indexer.resolve.modules.stem import ByStem
from code_graph_indexer.resolve.modules.tree import InTree
from code_graph_indexer.resolve.modules.view import MARK as VIEW
from code_graph_indexer.resolve.modules.view import ByView
from code_graph_indexer.resolve.notes import Note, key_hash

__all__ = ["VIEW", "ModuleFile", "ModuleMatch", "Modules", "is_manifest", "shared_folders"]

WAYS: dict[str, type[Way]] = {"name": ByName, "path": ByPath, "stem": ByStem, "tree": InTree, "view": ByView}
"""The ways in which languages find modules, by the values of `import-lookup`."""

KEPT_IMPORTS = 1 << 16
"""The most imports whose files are remembered, some 40 MB. Those of one file are asked for at one time."""


class ModuleMatch(NamedTuple):
    """The files that an import refers to, with a note (see `Note`) of every name that was tried.

    The note holds the last word of each path or module name. If a file of such a name appears, the import is resolved again.
    """

    paths: tuple[str, ...]
    note: Note


class Modules:
    """A table of the repository's files that resolves the text of an import to files.

    `manifests` maps paths to texts of manifests (such as `Cargo.toml`) and compiler configurations (such as `tsconfig.json`).
    """

    def __init__(self, files: Iterable[ModuleFile], manifests: Mapping[str, str]) -> None:
        self._files = Files((*_of_libraries(), *files))
        self.files = self._files.by_path
        self.peers = self._files.peers
        self.neighbours = self._files.neighbours
        self._manifests = Manifests(manifests)
        self._ways = {
            language.name: WAYS[language.import_lookup](self._files, self._manifests, language)
            for language in languages().values()
        }
        # The code in a template names modules as its language does.
        self._outer = {
            language.name: self._ways[language.inherits[-1]]
            for language in languages().values()
            if language.import_lookup == "view" and language.inherits
        }
        self._views = ByView(self._files, self._manifests, next(iter(languages().values())))
        self._projects = {language.name: self._manifests.folders(language) for language in languages().values()}
        self.find = lru_cache(maxsize=KEPT_IMPORTS)(self._find_noting)

    def offered(self) -> set[tuple[str, str]]:
        """Return the names by which another repository may import these files, as pairs (family of languages, name).

        These are names of packages in manifests. In languages that import modules by name, they are names of modules.
        """
        named = {language.family for language in languages().values() if language.import_lookup == "name"}
        packages = {
            (languages()[name].family, package)
            for name, folders in self._manifests.packages.items()
            for package in folders
        }
        return packages | {key for key in self._files.by_name if key[0] in named}

    def in_project(self, path: str, other_path: str) -> bool:
        """Say whether another file is below the nearest folder around a file that has a manifest of the file's language.

        Without such a folder, it is below the file's own folder.
        """
        beside = posixpath.dirname(path)
        folders = self._projects[self.files[path].language]
        around = beside
        while around and around not in folders:
            around = posixpath.dirname(around)
        folder = around if around in folders else beside
        return not folder or other_path.startswith(f"{folder}/")

    def begins_path(self, name: str, language: Language) -> bool:
        """Say whether the path of a module may begin with a name, which no import binds."""
        return self._ways[language.name].begins_path(name)

    def _find_noting(self, importer: str, text: str) -> ModuleMatch:
        """Find the files that the text of an import means. An empty text means none. `find` keeps the answers."""
        # A way adds each word that it tries. If a file of such a name appears, an update links again.
        self._files.words = {import_tail(text)}
        way = self._views if text.startswith(VIEW) else self._ways[self.files[importer].language]
        paths = way.find(importer, text) if text else ()
        if not paths and text and (outer := self._outer.get(self.files[importer].language)):
            paths = outer.find(importer, text)
        return ModuleMatch(paths, Note(key_hash(MODULE_TAIL + word) for word in self._files.words))


def _of_libraries() -> Iterator[ModuleFile]:
    """Yield the libraries as files, which no import finds."""
    for path, language in library_files().items():
        yield ModuleFile(path, language, "", False)
