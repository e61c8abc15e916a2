"""Functions to open, create and replace an index. Only this module knows which back-end (database) holds it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage import sqlite
from code_graph_indexer.storage.base import IndexWriter, LinkReader, Store
from code_graph_indexer.storage.sqlite import APPLICATION_ID, SqliteLinks, SqliteStore, open_checked


def open_store(location: Path) -> Store:
    """Open an index for reading.

    Raises IndexNotFoundError, or IndexFormatError if the file is damaged, is not an index or has another schema
    version.
    """
    return SqliteStore(location)


def create_index(location: Path, *, dimensions: int) -> IndexWriter:
    """Create an index and return its writer. `dimensions` is the length of a vector, 0 for an index without vectors."""
    from code_graph_indexer.storage.sqlite_writer import SqliteWriter

    return SqliteWriter.create(location, dimensions=dimensions)


def update_index(location: Path) -> IndexWriter:
    """Start a transaction on an existing index and return its writer. Raises BusyError if another process writes the index."""
    from code_graph_indexer.storage.sqlite_writer import SqliteWriter

    return SqliteWriter.update(location)


@contextmanager
def open_links(location: Path) -> Iterator[LinkReader]:
    """Open a finished index for the linker. The end of the `with` block closes it."""
    with closing(open_checked(location)) as connection:
        yield SqliteLinks(connection, location)


def replace_index(temporary: Path, location: Path) -> None:
    """Put a finished build in the place of the old index, and wait until it is on disk."""
    from code_graph_indexer.storage import sqlite_writer

    sqlite_writer.replace_index(temporary, location)


def copy_index(source: Path, location: Path) -> None:
    """Copy an index as it is between two updates. The copy appears at once and whole."""
    temporary = location.with_name(location.name + ".new")
    try:
        sqlite.copy_index(source, temporary)
        replace_index(temporary, location)
    finally:
        temporary.unlink(missing_ok=True)


def refuse_foreign(location: Path) -> None:
    """Raise IndexFormatError if the location holds something other than an index, which a build must not overwrite."""
    if not location.exists():
        return
    if location.is_dir():
        raise IndexFormatError(f"{location} is a folder; give the path of an index file")
    with location.open("rb") as stream:
        header = stream.read(100)
    # SQLite keeps the application id in bytes 68 to 72 of its header.
    if header and int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise IndexFormatError(
            f"{location} is not an index of cgi and is left alone; give another --db, or remove the file"
        )
