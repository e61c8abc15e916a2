"""Find the file of an import in a tree of modules, from its root, the importing module, its parent or a package."""

import posixpath
from collections import defaultdict

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.modules.base import Way
from code_graph_indexer.resolve.modules.files import Files
from code_graph_indexer.resolve.modules.manifests import Manifests


class InTree(Way):
    """Modules that form a tree below the files at which it begins."""

    def __init__(self, files: Files, manifests: Manifests, language: Language) -> None:
        super().__init__(files, manifests, language)
        self._trees = self._roots()

    def _roots(self) -> dict[str, list[str]]:
        """Map each folder to the files in it at which a tree of modules begins: `src/main.rs`, `tests/run.rs`."""
        named = self.manifests.tree_files(self.language)
        folders = {
            posixpath.join(folder, root.rstrip("/"))
            for folder in self.manifests.folders(self.language)
            for root in self.language.root_files
            if root.endswith("/")
        }
        # Where a manifest names the files, the others in their folder begin no tree.
        folders -= {posixpath.dirname(path) for path in named}
        roots: dict[str, list[str]] = defaultdict(list)
        for path, file in sorted(self.files.by_path.items()):
            folder, _, name = path.rpartition("/")
            if file.language == self.language.name and (
                path in named or folder in folders or name.partition(".")[0] in self.language.root_files
            ):
                roots[folder].append(path)
        return dict(roots)

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """Resolve a path in the tree of modules, such as Rust's `crate::a::b`, `self::a` and `super::a`.

        The path may also start with a crate's name from a manifest, or with the name of a submodule of the importer.
        """
        head, *rest = text.split(self.language.import_separator)
        trees = self._trees
        folder, stem = posixpath.split(importer)
        stem = stem.partition(".")[0]
        # `mod.rs` is the module of its folder. Any other file has its submodules in a folder of its own name.
        is_top = stem in self.language.index or importer in trees.get(folder, ())
        module = folder if is_top else posixpath.join(folder, stem)
        if head == self.language.tree.own and not rest:
            return (importer,)
        if head == self.language.tree.root:
            return self._find_from_root(importer, rest)
        if head in (self.language.tree.own, self.language.tree.parent):
            start = module if head == self.language.tree.own else posixpath.dirname(module)
            while rest and rest[0] == self.language.tree.parent:
                start, rest = posixpath.dirname(start), rest[1:]
        elif (package := self._package_folder(head)) is not None:
            # A tree that others import begins in the folder of the sources, or else where the manifest says.
            inside = [tree for tree in trees if f"{tree}/".startswith(f"{package}/".lstrip("/"))]
            sources = [posixpath.join(package, source) for source in sorted(self.language.roots)]
            start = next((tree for tree in (*sources, package, *sorted(inside, key=len)) if tree in trees), package)
        else:
            start, rest = module, [head, *rest]
        return self._module_at(posixpath.normpath(posixpath.join(start, *rest)))

    def _find_from_root(self, importer: str, parts: list[str]) -> tuple[str, ...]:
        """Resolve a path from the root of the importer's tree. Trees may nest: the innermost one with such a module wins."""
        trees = self._trees
        folder = posixpath.dirname(importer)
        if importer in trees.get(folder, ()) and not parts:
            return (importer,)
        # A tree begins in one of these folders. If a file begins one, all that this tree means changes.
        self.files.words |= {stem for stem in self.language.root_files if not stem.endswith("/")}
        while True:
            if folder in trees and (paths := self._module_at(posixpath.normpath(posixpath.join(folder, *parts)))):
                return paths
            if not folder:
                break
            folder = posixpath.dirname(folder)
            if any(f"{folder}/".endswith(f"/{root}") for root in self.language.root_files):
                self.files.words.add(posixpath.basename(folder))
        return self.file_at(posixpath.normpath(posixpath.join(min(self.language.roots, default=""), *parts)))

    def _module_at(self, path: str) -> tuple[str, ...]:
        """Return the file of the module at a path, or the files at which the tree of modules in that folder begins."""
        path = "" if path == "." else path
        roots = self._trees.get(path, [])
        indexes = tuple(root for root in roots if posixpath.basename(root).partition(".")[0] in self.language.index)
        if indexes or len(roots) == 1:
            self.files.words.add(posixpath.basename(path))
            return indexes or tuple(roots)
        return self.file_at(path)

    def _package_folder(self, name: str) -> str | None:
        """Return the folder of the package that code calls `name`, or None. Code writes `my_crate` for `my-crate`."""
        return next(
            (self.packages[spelling] for spelling in (name, name.replace("_", "-")) if spelling in self.packages), None
        )

    def begins_path(self, name: str) -> bool:
        """Say whether a path in the tree of modules may begin with a name, which no import binds."""
        words = (self.language.tree.root, self.language.tree.own, self.language.tree.parent)
        return name in words or self._package_folder(name) is not None
