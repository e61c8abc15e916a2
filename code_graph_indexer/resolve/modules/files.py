"""Find the files of a repository by what an import may say: a path, the end of a path, or a module."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.languages.conventions import PART, view_names, view_namespace, view_paths, words_of

MAX_FOLDERS = 12
"""Most folders with a file of one name among which a build chooses."""


class ModuleFile(NamedTuple):
    """A file with the facts that imports depend on. `module` is the dotted name of the file's module.

    The name is empty in languages that include files by path.
    """

    path: str
    language: str
    module: str
    is_test: bool


class Files:
    """The files of a repository, by path, folder and name, and by the name of their module.

    `words` holds the last word of each path that was tried since it was emptied.
    """

    def __init__(self, files: Iterable[ModuleFile]) -> None:
        self.by_path = {file.path: file for file in files}
        self.by_name: dict[tuple[str, str], list[str]] = defaultdict(list)
        """The key is (family of languages, name of the module)."""
        self.words: set[str] = set()
        self._package_of = cache(self._package)
        self._by_file_name: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        self._views: dict[str, list[str]] = defaultdict(list)
        # Written with few calls, because an update runs this for every file.
        by_name = languages()
        for path, file in self.by_path.items():
            language = by_name[file.language]
            folder, _, file_name = path.rpartition("/")
            names: Iterable[str] = (file.module,) if file.module else ()
            if language.import_lookup == "view":
                # A template is no module that code imports.
                names = ()
            elif language.modules == "path":
                # A file answers to its path from the root, and by its path from its package.
                names = {file.module, self._package_name(file)} - {""}
                if folder.partition("/")[0] in language.roots and file.module:
                    # Code may also name the folder of sources itself: `from src.shop import cart`.
                    names.add(f"{folder.partition('/')[0]}.{file.module}")
            elif language.modules == "stem":
                # In OCaml the file `cart.ml` is the module `Cart`.
                stem = file_name.partition(".")[0]
                names = (stem[:1].upper() + stem[1:],)
            for name in names:
                self.by_name[language.family, name].append(path)
            self._by_file_name[file_name].append(path)
            self._by_folder[folder].append(path)
            if language.is_template:
                self._views[next(view_paths(path))].append(path)

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
        while folder and any(f"{folder}/{stem}{suffix}" in self.by_path for stem in index):
            folder, _, name = folder.rpartition("/")
            names.append(name)
        return ".".join(reversed(names))

    def peers(self, path: str) -> list[str]:
        """List the other files of the same module. The list is empty in languages where each file is a module.

        Test files are left out, unless the file itself is a test.
        """
        file = self.by_path[path]
        language = languages()[file.language]
        if language.modules == "folder":
            neighbours = self._by_folder[posixpath.dirname(path)]
            peers = [neighbour for neighbour in neighbours if self.by_path[neighbour].module == file.module]
        elif language.modules == "declared" and file.module:
            peers = self.by_name.get((language.family, file.module), [])
        else:
            return []
        return [peer for peer in peers if peer != path and (file.is_test or not self.by_path[peer].is_test)]

    def neighbours(self, path: str) -> list[str]:
        """List the files with the name of a file in the folders beside its own, itself included."""
        folder, name = posixpath.split(path)
        around = posixpath.dirname(folder)
        paths = self._by_file_name.get(name, ()) if folder else [path]
        return sorted(twin for twin in paths if twin == path or self._folder_around(twin) == around)

    @staticmethod
    def _folder_around(path: str) -> str | None:
        """Return the folder around the folder of a file. None for a file of the root."""
        folder = posixpath.dirname(path)
        return posixpath.dirname(folder) if folder else None

    def at(self, path: str, language: Language) -> tuple[str, ...]:
        """Return the file at a path, which may lack its extension, or else the folder's module index file.

        In languages whose modules are folders, list the files of the folder instead. The tuple is empty if there is no file.
        """
        path = "" if path == "." else path
        self.words.add(posixpath.basename(path).partition(".")[0])
        if path in self.by_path:
            return (path,)
        if language.modules == "folder":
            neighbours = (self.by_path[file] for file in self._by_folder.get(path, ()))
            # A README in the folder is no part of the module.
            return tuple(
                sorted(file.path for file in neighbours if file.language == language.name and not file.is_test)
            )
        # TypeScript writes `./cart.js` for a file `cart.ts`, so the extension may be replaced.
        bare, suffix = posixpath.splitext(path)
        extensions = _extensions_of(language.family)
        stems = [path, bare] if suffix in extensions else [path]
        for stem in stems:
            for candidate in (stem, *(posixpath.join(stem, index) for index in sorted(language.index))):
                for extension in extensions:
                    if f"{candidate}{extension}" in self.by_path:
                        return (f"{candidate}{extension}",)
        return ()

    def views(self, importer: str, text: str) -> tuple[str, ...]:
        """Return the template that a text names, as a tuple: the nearest one whose path ends so. Empty if no template is meant.

        Code may leave out the folder: `show` in `carts_controller` is the template of that name in a folder `carts`. A text
        that begins with `./` means no template of another folder.
        """
        for view in view_names(text):
            stem = view.rpartition("/")[2]
            self.words.update((stem, f"_{stem}"))
            paths = [path for path in self._views.get(stem, ()) if view in view_paths(path)]
            if not view.endswith(text.rpartition(".")[2]):
                # `show.txt` is not `show.html`, but in `carts.show` the dot is a slash.
                paths = [path for path in paths if _has_end(path, text)]
            if text.startswith("./"):
                # A part of a template is never shown by the name of a function.
                paths = [path for path in paths if not posixpath.basename(path).startswith("_")]
            above = [path for path in paths if path != importer and importer.startswith(f"{posixpath.dirname(path)}/")]
            if above and "/" not in text and "." in text:
                # A whole name begins at the folder of all templates: `layout.html` is none of a folder further down. The
                # templates of JavaScript name files beside them.
                is_beside = languages()[self.by_path[importer].language].family == "js"
                return (max(above, key=len) if is_beside else min(above, key=len),)
            if "/" not in view:
                paths = self._in_likely_folders(importer, _in_namespace(paths, text), is_near=text.startswith("./"))
            if paths:
                return (self._nearest_view(importer, paths, text),)
        return ()

    def _nearest_view(self, importer: str, paths: list[str], text: str) -> str:
        """Return the nearest of some templates of one name. A template shows parts of templates, and code says if it does."""
        is_template = languages()[self.by_path[importer].language].is_template
        shows_part = text.startswith(PART) or (is_template and "." not in text)

        def place(path: str) -> tuple[int, bool, int, str]:
            is_part = posixpath.basename(path).startswith("_")
            return -shared_folders(path, importer), is_part != shows_part, len(path), path

        return min(paths, key=place)

    def _in_likely_folders(self, importer: str, paths: list[str], *, is_near: bool) -> list[str]:
        """Choose the templates whose folders share most words with the path of the code that shows one of them.

        Without such words only the single template of the name is meant, and none if `is_near`.
        """
        likeness = {}
        for path in paths:
            shared = shared_folders(path, importer)
            rest, words = path.split("/")[shared:-1], words_of("/".join(importer.split("/")[shared:]))
            is_beside = posixpath.dirname(path) == posixpath.dirname(importer)
            likeness[path] = is_beside, len(words & words_of("/".join(rest)))
        best = max(likeness.values(), default=(False, 0))
        if not any(best):
            return [] if is_near or len(paths) > 1 else paths
        return [path for path in paths if likeness[path] == best]

    def ending_with(self, importer: str, text: str, language: Language) -> tuple[str, ...]:
        """Return the file whose path ends with the text, as a tuple. The tuple is empty if there is no such file.

        Of several files, the one nearest to the importer wins. The text may lack the extension. With a preprocessor, the build
        chooses among files in neighbouring folders, such as `linux/platform.h` and `windows/platform.h`. Then all are listed.
        """
        names = [posixpath.basename(text), *(posixpath.basename(text) + suffix for suffix in language.extensions)]
        end = f"/{posixpath.splitext(text)[0] if posixpath.splitext(text)[1] in language.extensions else text}"
        paths = [
            path
            for name in names
            for path in self._by_file_name.get(name, ())
            if f"/{posixpath.splitext(path)[0]}".endswith(end) or f"/{path}".endswith(end)
        ]
        if not paths:
            return ()
        nearest = min(paths, key=lambda path: (-shared_folders(path, importer), path))
        if language.condition is None:
            return (nearest,)
        near = shared_folders(nearest, importer)
        beside = (path for path in self.neighbours(nearest) if path in paths and shared_folders(path, importer) == near)
        return tuple(beside)[:MAX_FOLDERS]


def _in_namespace(paths: list[str], text: str) -> list[str]:
    """Choose the templates in the namespace of a text. It may be that of a library, and a name of one word says little."""
    namespace = words_of(view_namespace(text))
    return [path for path in paths if not namespace or namespace & words_of(path)]


def _has_end(path: str, text: str) -> bool:
    """Say whether the name of a file has the end that a text gives: `show.html.erb` for `carts/show.html`."""
    end = posixpath.basename(text).lstrip("_.").partition(".")[2]
    return not end or f"{posixpath.basename(path)}.".partition(".")[2].startswith(f"{end}.")


@cache
def _extensions_of(family: str) -> tuple[str, ...]:
    """Return the extensions of the files of a family of languages."""
    relatives = (language for language in languages().values() if language.family == family)
    return tuple(extension for language in relatives for extension in language.extensions)


def shared_folders(path: str, other_path: str) -> int:
    """Count the leading folders that two paths have in common: `a/b/x.py` and `a/b/c/y.py` share 2."""
    return len(posixpath.commonprefix([path.split("/")[:-1], other_path.split("/")[:-1]]))
