"""The index file: opened, checked, read and written."""

from code_graph_indexer.storage.base import ChunkFile, Edge, EdgeEnd, FileRow, Hit, Store, name_inside
from code_graph_indexer.storage.sqlite import APPLICATION_ID, SCHEMA_VERSION, connect, open_checked
from code_graph_indexer.storage.sqlite_graph import SqliteStore
from code_graph_indexer.storage.sqlite_links import PlacedDefinition, SqliteLinks, StoredFile
from code_graph_indexer.storage.sqlite_writer import SqliteWriter, StoredFileIds, replace_index
from code_graph_indexer.storage.vectors import VectorTable

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "ChunkFile",
    "Edge",
    "EdgeEnd",
    "FileRow",
    "Hit",
    "PlacedDefinition",
    "SqliteLinks",
    "SqliteStore",
    "SqliteWriter",
    "Store",
    "StoredFile",
    "StoredFileIds",
    "VectorTable",
    "connect",
    "name_inside",
    "open_checked",
    "replace_index",
]
