"""Find the files that an import refers to: by path, by package, by declared name or by the repository's own name."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase, translate
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.aliases import Aliases
from code_graph_indexer.resolve.facts import MODULE_TAIL, import_tail
from code_graph_indexer.resolve.notes import Note, key_hash
from code_graph_indexer.syntax.captures import dotted_name


class ModuleFile(NamedTuple):
    """A file with the facts that imports depend on. `module` is the dotted name of the file's module.

    The name is empty in languages that include files by path.
    """

    path: str
    language: str
    module: str
    is_test: bool


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
        self.files = {file.path: file for file in files}
        self._package_of = cache(self._package)
        self._by_name: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_file_name: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        # Written with few calls, because an update runs this for every file.
        by_name = languages()
        for path, file in self.files.items():
            language = by_name[file.language]
            folder, _, file_name = path.rpartition("/")
            names: Iterable[str] = (file.module,) if file.module else ()
            if language.modules == "path":
                # A file answers to two names: by its path from the root, and by its path from its package.
                names = {file.module, self._package_name(file)} - {""}
            elif language.modules == "stem":
                # In OCaml the file `cart.ml` is the module `Cart`.
                stem = file_name.partition(".")[0]
                names = (stem[:1].upper() + stem[1:],)
            for name in names:
                self._by_name[language.family, name].append(path)
            self._by_file_name[file_name].append(path)
            self._by_folder[folder].append(path)
        self._manifests = _read_manifests(manifests)
        self._trees = {
            language.name: self._tree_roots(language, manifests)
            for language in languages().values()
            if language.root_files
        }
        self._aliases = _read_aliases(manifests)
        self._words: set[str] = set()
        self.find = lru_cache(maxsize=None)(self._find_noting)

    def _package_name(self, file: ModuleFile) -> str:
        """Return the dotted name of a file, counted from the root of its package: `src/shop/cart.py` → `shop.cart`.

        A package is a folder with a module index file (such as `__init__.py`). Return an empty text in languages without them.
        """
        language = languages()[file.language]
        if language.modules != "path" or not language.index:
            return ""
        folder, _, file_name = file.path.rpartition("/")
        stem, suffix = posixpath.splitext(file_name)
        package = self._package_of(folder, suffix, language.index)
        return package if stem in language.index else f"{package}.{stem}".lstrip(".")

    def _package(self, folder: str, suffix: str, index: frozenset[str]) -> str:
        """Return the dotted name of a folder as a package, or an empty text if it has no module index file.

        `index` lists the names of module index files without extension, such as `__init__`.
        """
        names: list[str] = []
        while folder and any(f"{folder}/{stem}{suffix}" in self.files for stem in index):
            folder, _, name = folder.rpartition("/")
            names.append(name)
        return ".".join(reversed(names))

    def offered(self) -> set[tuple[str, str]]:
        """Return the names by which another repository may import these files, as pairs (family of languages, name).

        These are names of packages in manifests. In languages that import modules by name, they are names of modules.
        """
        named = {language.family for language in languages().values() if language.import_lookup == "name"}
        packages = {
            (languages()[name].family, package) for name, folders in self._manifests.items() for package in folders
        }
        return packages | {key for key in self._by_name if key[0] in named}

    def peers(self, path: str) -> list[str]:
        """List the other files of the same module. The list is empty in languages where each file is a module.

        Test files are left out, unless the file itself is a test.
        """
        file = self.files[path]
        language = languages()[file.language]
        if language.modules == "folder":
            neighbours = self._by_folder[posixpath.dirname(path)]
            peers = [neighbour for neighbour in neighbours if self.files[neighbour].module == file.module]
        elif language.modules == "declared" and file.module:
            peers = self._by_name.get((language.family, file.module), [])
        else:
            return []
        return [peer for peer in peers if peer != path and (file.is_test or not self.files[peer].is_test)]

    def _find_noting(self, importer: str, text: str) -> ModuleMatch:
        # `_find` adds each word that it tries. If a file of such a name appears, an update links again.
        self._words = {import_tail(text)}
        paths = self._find(importer, text)
        return ModuleMatch(paths, Note(key_hash(MODULE_TAIL + word) for word in self._words))

    def _find(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that `text` refers to when `importer` imports it.

        The list is empty if they lie outside the repository.
        """
        language = languages()[self.files[importer].language]
        if not text:
            return ()
        if language.import_lookup == "stem":
            return self._find_by_stem(importer, text, language)
        if language.import_lookup == "path":
            return self._find_by_path(importer, text, language)
        if language.import_lookup == "tree":
            return self._find_in_tree(importer, text, language)
        if language.relative and text.startswith(language.relative):
            return self._find_by_dots(importer, text, language)
        if "top" in language.lookup and text.endswith(language.extensions):
            # `require "lib/cart.php"` runs a file, where `use` names a module.
            return self._find_file(importer, text.lstrip("/"), language)
        name = dotted_name(text)
        paths = self._by_name.get((language.family, name), ())
        return (
            _nearest(importer, paths, name, language) if language.modules == "path" and len(paths) > 1 else tuple(paths)
        )

    def _find_by_stem(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve `Library.Module` by its last part, to the files of that name in the folder of the library.

        If several folders have such files, only the folder nearest to the importer counts.
        """
        *outer, last = text.split(language.import_separator)
        paths = self._by_name.get((language.family, last), [])
        # Files are noted by their stems.
        self._words.add(last[:1].lower() + last[1:])
        if outer:
            # The name of a library and its folder may differ in case, and in `_` or `-`.
            library = outer[-1].lower().replace("_", "-")
            paths = [path for path in paths if library in path.lower().replace("_", "-").split("/")[:-1]]
        if not paths:
            return ()
        nearest = min(paths, key=lambda path: (-shared_folders(path, importer), path))
        folder = posixpath.dirname(nearest)
        return tuple(sorted(path for path in paths if posixpath.dirname(path) == folder))

    def _find_by_dots(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve a relative import, such as `.name` or `..name`, from the folder of the importer."""
        bare = text.lstrip(language.relative)
        folder = posixpath.dirname(importer)
        # A single dot is the importer's folder. Each further dot goes up once.
        for _ in range(len(text) - len(bare) - 1):
            folder = posixpath.dirname(folder)
        return self._file_at(posixpath.join(folder, *bare.split(".")) if bare else folder, language)

    def _find_in_tree(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve a path in the tree of modules, such as Rust's `crate::a::b`, `self::a` and `super::a`.

        The path may also start with a crate's name from a manifest, or with the name of a submodule of the importer.
        """
        head, *rest = text.split(language.import_separator)
        trees = self._trees[language.name]
        folder, stem = posixpath.split(importer)
        stem = stem.partition(".")[0]
        # `mod.rs` is the module of its folder. Any other file has its submodules in a folder of its own name.
        is_top = stem in language.index or importer in trees.get(folder, ())
        module = folder if is_top else posixpath.join(folder, stem)
        if head == language.own_module and not rest:
            return (importer,)
        if head == language.root_module:
            return self._find_from_root(importer, rest, language)
        if head in (language.own_module, language.parent_module):
            start = module if head == language.own_module else posixpath.dirname(module)
            while rest and rest[0] == language.parent_module:
                start, rest = posixpath.dirname(start), rest[1:]
        elif (package := self._package_folder(head, language)) is not None:
            # A tree that others import begins in the folder of the sources, or else where the manifest says.
            inside = [tree for tree in trees if f"{tree}/".startswith(f"{package}/".lstrip("/"))]
            sources = [posixpath.join(package, source) for source in sorted(language.roots)]
            start = next((tree for tree in (*sources, package, *sorted(inside, key=len)) if tree in trees), package)
        else:
            start, rest = module, [head, *rest]
        return self._module_at(posixpath.normpath(posixpath.join(start, *rest)), language)

    def _find_from_root(self, importer: str, parts: list[str], language: Language) -> tuple[str, ...]:
        """Resolve a path from the root of the importer's tree. Trees may nest: the innermost one with such a module wins."""
        trees = self._trees[language.name]
        folder = posixpath.dirname(importer)
        if importer in trees.get(folder, ()) and not parts:
            return (importer,)
        # A tree begins in one of these folders. If a file begins one, all that this tree means changes.
        self._words |= {stem for stem in language.root_files if not stem.endswith("/")}
        while True:
            if folder in trees and (
                paths := self._module_at(posixpath.normpath(posixpath.join(folder, *parts)), language)
            ):
                return paths
            if not folder:
                break
            folder = posixpath.dirname(folder)
            if any(f"{folder}/".endswith(f"/{root}") for root in language.root_files):
                self._words.add(posixpath.basename(folder))
        return self._file_at(posixpath.normpath(posixpath.join(min(language.roots, default=""), *parts)), language)

    def _module_at(self, path: str, language: Language) -> tuple[str, ...]:
        """Return the file of the module at a path, or the files at which the tree of modules in that folder begins."""
        path = "" if path == "." else path
        roots = self._trees[language.name].get(path, [])
        indexes = tuple(root for root in roots if posixpath.basename(root).partition(".")[0] in language.index)
        if indexes or len(roots) == 1:
            self._words.add(posixpath.basename(path))
            return indexes or tuple(roots)
        return self._file_at(path, language)

    def _package_folder(self, name: str, language: Language) -> str | None:
        """Return the folder of the package that code calls `name`, or None. Code writes `my_crate` for `my-crate`."""
        packages = self._manifests.get(language.name, {})
        return next((packages[spelling] for spelling in (name, name.replace("_", "-")) if spelling in packages), None)

    def begins_path(self, name: str, language: Language) -> bool:
        """Say whether a path in the tree of modules may begin with a name, which no import binds."""
        words = (language.root_module, language.own_module, language.parent_module)
        return name in words or self._package_folder(name, language) is not None

    def _tree_roots(self, language: Language, manifests: Mapping[str, str]) -> dict[str, list[str]]:
        """Map each folder to the files in it at which a tree of modules begins: `src/main.rs`, `tests/run.rs`."""
        named: set[str] = set()
        folders: set[str] = set()
        for path, text in manifests.items():
            folder = posixpath.dirname(path)
            if language.manifest and posixpath.basename(path) == language.manifest[0]:
                matches = language.manifest_roots.finditer(text) if language.manifest_roots else ()
                named |= {posixpath.normpath(posixpath.join(folder, match[1])) for match in matches}
                folders |= {
                    posixpath.join(folder, root.rstrip("/")) for root in language.root_files if root.endswith("/")
                }
        # Where a manifest names the files, the others in their folder begin no tree.
        folders -= {posixpath.dirname(path) for path in named}
        roots: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.files):
            folder, _, name = path.rpartition("/")
            if self.files[path].language == language.name and (
                path in named or folder in folders or name.partition(".")[0] in language.root_files
            ):
                roots[folder].append(path)
        return dict(roots)

    def _find_by_path(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Resolve the path in an import: relative to the importer, by an alias, by a manifest, or by the end of a file's path.

        The first of these that finds a file wins. Only languages such as C, which include files, match the end of a path.
        """
        if language.import_prefix and text.startswith(language.import_prefix):
            return self._find_by_manifest(text[len(language.import_prefix) :], language)
        folder = posixpath.dirname(importer)
        near = self._file_at(posixpath.normpath(posixpath.join(folder, text)), language)
        # `#include` looks beside the file for any text, a JavaScript import only for one that begins with a dot.
        includes = language.modules in ("file", "declared")
        if near and (text.startswith(".") or includes):
            return near
        if text.startswith("."):
            return ()
        for path in self._aliases[language.name].paths_of(importer, text) if language.name in self._aliases else ():
            if paths := self._file_at(posixpath.normpath(path), language):
                return paths
        if paths := self._find_by_manifest(text, language):
            return paths
        if not includes:
            return ()
        named = self._by_name.get((language.family, text), ()) if language.modules == "declared" else ()
        if named:
            # Two packages of a repository may have a module of one name.
            return (min(named, key=lambda path: (-shared_folders(path, importer), path)),)
        return self._find_by_end(importer, text, language)

    def _find_file(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Return the file that the end of a path names: beside the importer, or else the nearest one. Empty if none does."""
        near = self._file_at(posixpath.normpath(posixpath.join(posixpath.dirname(importer), text)), language)
        return near or self._find_by_end(importer, posixpath.normpath(text).lstrip("./"), language)

    def _find_by_manifest(self, text: str, language: Language) -> tuple[str, ...]:
        """Resolve a path that starts with a package name from a manifest: `@app/core/x` → a file in that package's folder."""
        # Longest names first: `@app/core/x` belongs to `@app/core`, not to `@app`.
        for name, folder in sorted(self._manifests.get(language.name, {}).items(), key=lambda entry: -len(entry[0])):
            if text == name or text.startswith(f"{name}/"):
                rest = text[len(name) :].strip("/")
                for root in ("", *sorted(language.roots)):
                    if paths := self._file_at(posixpath.normpath(posixpath.join(folder, root, rest)), language):
                        return paths
        return ()

    def _find_by_end(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Return the file whose path ends with the text, as a tuple. The tuple is empty if there is no such file.

        Of several files, the one nearest to the importer wins. The text may lack the extension.
        """
        names = [posixpath.basename(text), *(posixpath.basename(text) + suffix for suffix in language.extensions)]
        end = f"/{posixpath.splitext(text)[0] if posixpath.splitext(text)[1] in language.extensions else text}"
        paths = [
            path
            for name in names
            for path in self._by_file_name.get(name, ())
            if f"/{posixpath.splitext(path)[0]}".endswith(end) or f"/{path}".endswith(end)
        ]
        return (min(paths, key=lambda path: (-shared_folders(path, importer), path)),) if paths else ()

    def _file_at(self, path: str, language: Language) -> tuple[str, ...]:
        """Return the file at a path, which may lack its extension, or else the folder's module index file.

        In languages whose modules are folders, list the files of the folder instead. The tuple is empty if there is no file.
        """
        path = "" if path == "." else path
        self._words.add(posixpath.basename(path).partition(".")[0])
        if path in self.files:
            return (path,)
        if language.modules == "folder":
            neighbours = (self.files[file] for file in self._by_folder.get(path, ()))
            # A README in the folder is no part of the module.
            return tuple(
                sorted(file.path for file in neighbours if file.language == language.name and not file.is_test)
            )
        # TypeScript writes `./cart.js` for a file `cart.ts`, so the extension may be replaced.
        bare, suffix = posixpath.splitext(path)
        extensions = [
            extension
            for relative in languages().values()
            if relative.family == language.family
            for extension in relative.extensions
        ]
        stems = [path, bare] if suffix in extensions else [path]
        for stem in stems:
            for candidate in (stem, *(posixpath.join(stem, index) for index in sorted(language.index))):
                for extension in extensions:
                    if f"{candidate}{extension}" in self.files:
                        return (f"{candidate}{extension}",)
        return ()


def _nearest(importer: str, paths: Iterable[str], module: str, language: Language) -> tuple[str, ...]:
    """List the files of a module in the nearest root that has it. Several services may each have a package `app`.

    A root above the importer goes before the others, the innermost first. Several roots that are as near are all listed.
    """
    places = {path: _nearness(importer, path, module, language) for path in paths}
    nearest = max(places.values())
    return tuple(path for path, place in places.items() if place == nearest)


def _nearness(importer: str, path: str, module: str, language: Language) -> tuple[int, ...]:
    """Return how near the root of a module is to an importer, as numbers to compare. The greatest is the nearest."""
    folder, _, name = path.rpartition("/")
    folders = folder.split("/") if folder else []
    outside = module.count(".") + (posixpath.splitext(name)[0] in language.index)
    root = folders[: max(len(folders) - outside, 0)]
    if importer.split("/")[: len(root)] == root:
        return 1, len(root), 0, 0
    is_usual = bool(root) and root[-1] in language.roots
    return 0, shared_folders(path, importer), int(is_usual), -len(root)


def shared_folders(path: str, other_path: str) -> int:
    """Count the leading folders that two paths have in common: `a/b/x.py` and `a/b/c/y.py` share 2."""
    return len(posixpath.commonprefix([path.split("/")[:-1], other_path.split("/")[:-1]]))


@cache
def is_manifest(file_name: str) -> bool:
    """Say whether a file of this name may be a manifest or a compiler configuration, which give names to folders."""
    return file_name in _manifest_names() or bool(_alias_files().match(file_name))


@cache
def _alias_files() -> re.Pattern[str]:
    """Return a pattern that matches the names of compiler configurations with import aliases, in any language."""
    patterns = {pattern for language in languages().values() for pattern in language.aliases}
    return re.compile("|".join(map(translate, sorted(patterns))))


def _gives_aliases(file_name: str, language: Language) -> bool:
    return any(fnmatchcase(file_name, pattern) for pattern in language.aliases)


@cache
def _manifest_names() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Map the file name of each manifest to pairs: a language, and the pattern of the package's name in the manifest."""
    names: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for language in languages().values():
        if language.manifest:
            file_name, pattern = language.manifest
            names[file_name].append((language.name, re.compile(pattern, re.MULTILINE)))
    return names


def _read_manifests(manifests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Map each language to its packages: the name in the manifest → the folder of the manifest."""
    names = _manifest_names()
    roots: dict[str, dict[str, str]] = defaultdict(dict)
    for path, text in sorted(manifests.items()):
        for language, pattern in names.get(posixpath.basename(path), ()):
            # A package and its library may have different names.
            most = None if languages()[language].root_files else 1
            for match in islice(pattern.finditer(text), most):
                roots[language].setdefault(match[1], posixpath.dirname(path))
    for path, text in manifests.items():
        for language, _ in names.get(posixpath.basename(path), ()):
            packages, aliases = roots[language], languages()[language].manifest_names
            for alias, package in aliases.findall(text) if aliases else ():
                if package in packages:
                    packages.setdefault(alias, packages[package])
    return roots


def _read_aliases(manifests: Mapping[str, str]) -> dict[str, Aliases]:
    """Map each language to the import aliases of its compiler configurations.

    Languages with the same configuration files share one `Aliases`.
    """
    by_language: dict[str, Aliases] = {}
    by_patterns: dict[tuple[str, ...], Aliases] = {}
    for language in languages().values():
        texts = {path: text for path, text in manifests.items() if _gives_aliases(posixpath.basename(path), language)}
        if texts and language.aliases not in by_patterns:
            by_patterns[language.aliases] = Aliases(texts)
        if texts:
            by_language[language.name] = by_patterns[language.aliases]
    return by_language
