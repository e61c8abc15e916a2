"""Functions to open, create and replace an index. Only this module knows which back-end (database) holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import IndexNotFoundError, UsageError
from code_graph_indexer.extras import install_command
from code_graph_indexer.outside import path_of
from code_graph_indexer.storage import sqlite
from code_graph_indexer.storage.base import Servers
from code_graph_indexer.storage.place import DEFAULT_PLACE, is_index
from code_graph_indexer.storage.side import BUILD, beside
from code_graph_indexer.storage.sql import LinkReader
from code_graph_indexer.storage.sqlite import SCHEMA_VERSION as SCHEMA_VERSION
from code_graph_indexer.storage.sqlite import SqliteLinks, SqliteStore, open_checked
from code_graph_indexer.storage.sqlite import refuse_foreign as refuse_foreign
from code_graph_indexer.storage.sqlite import word_counts as word_counts
from code_graph_indexer.storage.store import Store

# Late, because a question to one index needs neither.
if TYPE_CHECKING:
    from code_graph_indexer.storage import many, sqlite_writer
    from code_graph_indexer.storage.sqlite_writer import IndexWriter as IndexWriter
else:
    many = late_module("code_graph_indexer.storage.many")
    sqlite_writer = late_module("code_graph_indexer.storage.sqlite_writer")


def index_places(values: Iterable[str | Path]) -> list[Path]:
    """List the index files that a user means: a file, the folder of a repository, or a folder of index files or repositories.

    Each file comes once. A file need not exist. Raises IndexNotFoundError for a folder without an index.
    """
    places: dict[Path, Path] = {}
    for value in values:
        place = path_of(value)
        for file in _in_folder(place) if place.is_dir() else [place]:
            places.setdefault(file.resolve(), file)
    return list(places.values())


def _in_folder(folder: Path) -> list[Path]:
    """List the index of a folder's repository, or else the indexes in the folder and those of the repositories in it."""
    if (folder / DEFAULT_PLACE).is_file():
        return [folder / DEFAULT_PLACE]
    files = [file for file in sorted(folder.glob("*.db")) if file.is_file() and is_index(file)]
    files += sorted(
        repository / DEFAULT_PLACE for repository in folder.iterdir() if (repository / DEFAULT_PLACE).is_file()
    )
    if not files:
        raise IndexNotFoundError(f"there is no index in {folder}; make one with: cgi index FOLDER")
    return files


def open_many(stores: Mapping[str, Store]) -> Store:
    """Read several opened indexes as one. `stores` maps the name of each repository to its index.

    Raises UsageError if a name is a folder of another name.
    """
    # It answers by its table of questions, which no checker reads.
    return cast("Store", many.ManyStore(stores))


def open_store(location: Path) -> Store:
    """Open an index for reading.

    Raises IndexNotFoundError, or IndexFormatError if the file is damaged, is not an index or has another schema
    version.
    """
    return SqliteStore(location)


def create_index(location: Path) -> IndexWriter:
    """Create an index and return its writer."""
    return sqlite_writer.IndexWriter.create(location)


def update_index(location: Path) -> IndexWriter:
    """Start a transaction on an existing index and return its writer. Raises BusyError if another process writes the index."""
    return sqlite_writer.IndexWriter.update(location)


@contextmanager
def open_links(location: Path) -> Iterator[LinkReader]:
    """Open a finished index for the linker. The end of the `with` block closes it."""
    with closing(open_checked(location)) as connection:
        yield SqliteLinks(connection, location)


def replace_index(temporary: Path, location: Path) -> None:
    """Put a finished build in the place of the old index, and wait until it is on disk."""
    sqlite_writer.replace_index(temporary, location)


def copy_index(source: Path, location: Path) -> None:
    """Copy an index as it is between two updates. The copy appears at once and whole."""
    temporary = beside(location, BUILD)
    try:
        sqlite.copy_index(source, temporary)
        replace_index(temporary, location)
    finally:
        temporary.unlink(missing_ok=True)


def servers() -> Servers:
    """Return the back-end of database servers. Raises UsageError if its driver is missing."""
    # By its name: who works alone loads nothing of it, and nothing below it depends on it.
    try:
        return cast("Servers", import_module("code_graph_indexer.team"))
    except ImportError as exc:
        raise UsageError(f"a database server needs its driver; run: {install_command('postgres')}") from exc
