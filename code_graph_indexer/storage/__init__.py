"""The index file: opened, checked, read and written."""

from code_graph_indexer.storage.base import (
    NO_IDS,
    ChunkFile,
    Edge,
    EdgeEnd,
    FileRow,
    Hit,
    Hits,
    Store,
    are_in,
    distinct,
    name_inside,
)
from code_graph_indexer.storage.sqlite import (
    APPLICATION_ID,
    CHUNK_MARKS,
    CHUNK_PLACE,
    SCHEMA_VERSION,
    connect,
    open_checked,
)
from code_graph_indexer.storage.sqlite_graph import SqliteStore
from code_graph_indexer.storage.sqlite_links import PlacedDefinition, SqliteLinks, StoredFile
from code_graph_indexer.storage.sqlite_writer import ReferenceRows, SqliteWriter, StoredFileIds, replace_index
from code_graph_indexer.storage.vectors import VectorTable

__all__ = [
    "APPLICATION_ID",
    "CHUNK_MARKS",
    "CHUNK_PLACE",
    "NO_IDS",
    "SCHEMA_VERSION",
    "ChunkFile",
    "Edge",
    "EdgeEnd",
    "FileRow",
    "Hit",
    "Hits",
    "PlacedDefinition",
    "ReferenceRows",
    "SqliteLinks",
    "SqliteStore",
    "SqliteWriter",
    "Store",
    "StoredFile",
    "StoredFileIds",
    "VectorTable",
    "are_in",
    "connect",
    "distinct",
    "name_inside",
    "open_checked",
    "replace_index",
]
