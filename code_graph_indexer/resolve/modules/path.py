"""Find the file of an import by its path: a near file, an alias, a name in a manifest, or the end of a path."""

import posixpath

from code_graph_indexer.resolve.modules.base import Way
from code_graph_indexer.resolve.modules.files import shared_folders


class ByPath(Way):
    """Files that are imported by their paths."""

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """Resolve the path in an import: relative to the importer, by an alias, by a manifest, or by the end of a file's path.

        The first of these that finds a file wins. Only languages such as C, which include files, match the end of a path.
        """
        if self.language.import_prefix and text.startswith(self.language.import_prefix):
            return self._find_by_manifest(text[len(self.language.import_prefix) :])
        folder = posixpath.dirname(importer)
        near = self.file_at(posixpath.normpath(posixpath.join(folder, text)))
        # `#include` looks beside the file for any text, a JavaScript import only for one that begins with a dot.
        includes = self.language.modules in ("file", "declared")
        if near and (text.startswith(".") or includes):
            return near
        if text.startswith("."):
            return self.file_at(posixpath.normpath(text)) if "." in self.language.roots else ()
        aliases = self.manifests.aliases.get(self.language.name)
        for path in aliases.paths_of(importer, text) if aliases else ():
            if paths := self.file_at(posixpath.normpath(path)):
                return paths
        if paths := self._find_by_manifest(text):
            return paths
        if not includes:
            return ()
        named = self.files.by_name.get((self.language.family, text), ()) if self.language.modules == "declared" else ()
        if named:
            # Two packages of a repository may have a module of one name.
            return (min(named, key=lambda path: (-shared_folders(path, importer), path)),)
        return self.file_ending(importer, text)

    def _find_by_manifest(self, text: str) -> tuple[str, ...]:
        """Resolve a path that starts with a package name from a manifest: `@app/core/x` → a file in that package's folder."""
        # Longest names first: `@app/core/x` belongs to `@app/core`, not to `@app`.
        for name, folder in sorted(self.packages.items(), key=lambda entry: -len(entry[0])):
            if text == name or text.startswith(f"{name}/"):
                rest = text[len(name) :].strip("/")
                for root in ("", *sorted(self.language.roots)):
                    if paths := self.file_at(posixpath.normpath(posixpath.join(folder, root, rest))):
                        return paths
        return ()
