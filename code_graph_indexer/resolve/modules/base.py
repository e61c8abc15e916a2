"""What all ways to find the files of an import have in common."""

from code_graph_indexer.languages import Language
from code_graph_indexer.resolve.modules.files import Files
from code_graph_indexer.resolve.modules.manifests import Manifests


class Way:
    """A way in which a language finds the files that an import names. Each way is a subclass, in a file of its own."""

    def __init__(self, files: Files, manifests: Manifests, language: Language) -> None:
        self.files = files
        self.manifests = manifests
        self.language = language
        self.packages = manifests.packages[language.name]

    def find(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that `text` refers to when `importer` imports it. Empty if they lie outside the repository."""
        raise NotImplementedError

    def begins_path(self, name: str) -> bool:
        """Say whether the path of a module may begin with a name, which no import binds."""
        return False

    def file_at(self, path: str) -> tuple[str, ...]:
        """Return the file at a path, which may lack its extension, or else the folder's module index file."""
        return self.files.at(path, self.language)

    def file_ending(self, importer: str, text: str) -> tuple[str, ...]:
        """Return the nearest file whose path ends with the text, as a tuple. The tuple is empty if there is no such file."""
        return self.files.ending_with(importer, text, self.language)
