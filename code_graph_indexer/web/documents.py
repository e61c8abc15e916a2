"""Show what people write beside code as pages: Markdown, reStructuredText and notebooks, with images of the repository."""

from pathlib import Path
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.git import checkout_file
from code_graph_indexer.results import SourceType
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.notebook import Cell, is_notebook
from code_graph_indexer.syntax.read import notebook_on_disk
from code_graph_indexer.web.notebooks import image_of, notebook
from code_graph_indexer.web.prose import Document, Places, document, names_in
from code_graph_indexer.web.site import Site

if TYPE_CHECKING:
    from code_graph_indexer.web import restructured
else:
    restructured = late_module("code_graph_indexer.web.restructured")

MAX_IMAGE = 10_000_000
"""Most bytes of an image that is shown."""


class Documents:
    """The documents of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def __contains__(self, path: str) -> bool:
        """Say whether a page shows a file as people read it."""
        file = self._site.files().get(path)
        if file is None or file.error is not None:
            return False
        if file.source_type == SourceType.TEXT:
            return self._site.remembered(
                ("restructured", path), lambda store: restructured.is_restructured(path, store.file_text(path) or b"")
            )
        return file.source_type == SourceType.MARKDOWN or self._cells(path) is not None

    def read(self, path: str) -> Document:
        """Return a document as HTML. Raises NotInIndexError if the index has no such document."""
        if path not in self:
            raise NotInIndexError(f"the index has no text of {path!r}")
        return self._site.remembered(("document", path), lambda store: self._read(store, path))

    def _read(self, store: Store, path: str) -> Document:
        """Read a document by its kind."""
        places = self.places()
        if cells := self._cells(path):
            return notebook(cells, self._site.code(path), places)
        text = (store.file_text(path) or b"").decode("utf-8", "replace")
        is_text = self._site.files()[path].source_type == SourceType.TEXT
        return restructured.restructured(text, path, places) if is_text else document(text, path, places)

    def places(self) -> Places:
        """Return what links of a document may lead to."""
        return Places(self._site.files(), self._site.levels(), names_in(self._site.store))

    def _cells(self, path: str) -> list[Cell] | None:
        """Return the cells of a notebook on disk, or None if there is none, or it has other code than the index."""

        def read(store: Store) -> list[Cell] | None:
            """Read the file. A notebook of an index alone has its code, and not its texts and outputs."""
            place = self._place(path)
            cells, code = (place and notebook_on_disk(place)) or ([], None)
            return cells if code is not None and code == store.file_text(path) else None

        return self._site.remembered(("cells", path), read) if is_notebook(path) else None

    def image(self, path: str) -> bytes | None:
        """Return an image that the repository has beside its index, or None."""
        file = self._site.files().get(path)
        if file is None or file.error not in (None, "binary"):
            return None
        if file.error is None:
            return self._site.store.file_text(path)
        place = self._place(path)
        return place.read_bytes() if place is not None and place.stat().st_size <= MAX_IMAGE else None

    def output(self, path: str, cell: int, number: int) -> tuple[bytes, str] | None:
        """Return an image that a cell of a notebook made, with its type, or None."""
        cells = self._cells(path) or []
        outputs = cells[cell].outputs if cell < len(cells) else ()
        return image_of(outputs[number]) if number < len(outputs) else None

    def _place(self, path: str) -> Path | None:
        """Return where a file of the index is on disk, or None if it is not there. No link is followed."""
        for start, folder in self._site.indexer.folders.items():
            place = checkout_file(folder, path.removeprefix(start)) if path.startswith(start) else None
            if place is not None and place.is_file() and not place.is_symlink():
                return place
        return None
