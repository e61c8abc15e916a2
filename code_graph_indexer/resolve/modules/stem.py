"""Find the files of an import by the stem of a file: `Library.Module` is `module` in the folder of the library."""

import posixpath

from code_graph_indexer.resolve.modules.base import Way
from code_graph_indexer.resolve.modules.files import shared_folders


class ByStem(Way):
    """Modules that are named as their files, and seen everywhere."""

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """Resolve `Library.Module` by its last part, to the files of that name in the folder of the library.

        If several folders have such files, only the folder nearest to the importer counts.
        """
        *outer, last = text.split(self.language.import_separator)
        paths = self.files.by_name.get((self.language.family, last), [])
        # Files are noted by their stems.
        self.files.words.add(last[:1].lower() + last[1:])
        if outer:
            # The name of a library and its folder may differ in case, and in `_` or `-`.
            library = outer[-1].lower().replace("_", "-")
            paths = [path for path in paths if library in path.lower().replace("_", "-").split("/")[:-1]]
        if not paths:
            return ()
        nearest = min(paths, key=lambda path: (-shared_folders(path, importer), path))
        folder = posixpath.dirname(nearest)
        return tuple(sorted(path for path in paths if posixpath.dirname(path) == folder))
