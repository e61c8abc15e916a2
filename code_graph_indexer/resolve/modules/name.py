"""Find the files of an import by the name of a module, as its folders or its declaration say."""

import posixpath
from collections.abc import Iterable, Sequence

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.modules.base import Way
from code_graph_indexer.resolve.modules.files import shared_folders
from code_graph_indexer.syntax.captured import dotted_name


class ByName(Way):
    """Modules that are imported by their full names."""

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """Resolve the full name of a module, or a name that is relative to the importer's folder."""
        if self.language.relative and text.startswith(self.language.relative):
            return self._find_by_dots(importer, text)
        if "top" in self.language.lookup and text.endswith(self.language.extensions):
            # `require "lib/cart.php"` runs a file, where `use` names a module.
            return self._find_file(importer, text.lstrip("/"))
        name = dotted_name(text)
        paths = self.files.by_name.get((self.language.family, name), ()) or self._find_within(importer, name)
        return self._nearest(importer, paths, name) if self.language.modules == "path" and paths else tuple(paths)

    def _find_within(self, importer: str, name: str) -> Sequence[str]:
        """Resolve a name that is relative to a module around the importer, the innermost first: `Results` in `App`."""
        around = self.files.by_path[importer].module if self.language.modules == "declared" else ""
        while around:
            if paths := self.files.by_name.get((self.language.family, f"{around}.{name}"), ()):
                return paths
            around = around.rpartition(".")[0]
        return ()

    def _find_by_dots(self, importer: str, text: str) -> tuple[str, ...]:
        """Resolve a relative import, such as `.name` or `..name`, from the folder of the importer."""
        bare = text.lstrip(self.language.relative)
        folder = posixpath.dirname(importer)
        # A single dot is the importer's folder. Each further dot goes up once.
        for _ in range(len(text) - len(bare) - 1):
            folder = posixpath.dirname(folder)
        return self.file_at(posixpath.join(folder, *bare.split(".")) if bare else folder)

    def _find_file(self, importer: str, text: str) -> tuple[str, ...]:
        """Return the file that the end of a path names: beside the importer, or else the nearest one. Empty if none does."""
        near = self.file_at(posixpath.normpath(posixpath.join(posixpath.dirname(importer), text)))
        return near or self.file_ending(importer, posixpath.normpath(text).lstrip("./"))

    def _nearest(self, importer: str, paths: Iterable[str], module: str) -> tuple[str, ...]:
        """List the files of a module in the nearest root that has it. Several services may each have a package `app`.

        A root above the importer goes before the others, the innermost first. Several roots that are as near are all listed.
        Only tests reach a project among the tests: `import build` elsewhere means no `tests/fixtures/shop/build.py`.
        """
        files = self.files.by_path
        places = {path: _nearness(importer, path, module, self.language) for path in paths}
        if not files[importer].is_test:
            places = {path: place for path, place in places.items() if place[0] or not files[path].is_test}
        nearest = max(places.values(), default=None)
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
