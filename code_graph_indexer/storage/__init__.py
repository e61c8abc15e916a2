"""The index: opened, read and written through the protocols of `base`, in whatever back-end (database) it is stored."""

from code_graph_indexer.storage.backends import (
    DEFAULT_PLACE,
    copy_index,
    create_index,
    index_places,
    open_links,
    open_many,
    open_store,
    refuse_foreign,
    replace_index,
    update_index,
)
from code_graph_indexer.storage.base import ChunkReader, GraphReader, IndexWriter, LinkReader, SignalReader, Store
from code_graph_indexer.storage.damage import explains_damage
from code_graph_indexer.storage.identity import member_of
from code_graph_indexer.storage.place import writable
from code_graph_indexer.storage.records import (
    CHUNK_MARKS,
    MAX_CANDIDATES,
    ChunkFile,
    Edge,
    FileRow,
    LinkRow,
    ReferenceRows,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    StoredFile,
    StoredFileIds,
    name_inside,
)

__all__ = [
    "CHUNK_MARKS",
    "DEFAULT_PLACE",
    "MAX_CANDIDATES",
    "ChunkFile",
    "ChunkReader",
    "Edge",
    "FileRow",
    "GraphReader",
    "IndexWriter",
    "LinkReader",
    "LinkRow",
    "ReferenceRows",
    "ResolvedReference",
    "SignalReader",
    "Store",
    "StoredChunk",
    "StoredDefinition",
    "StoredFile",
    "StoredFileIds",
    "copy_index",
    "create_index",
    "explains_damage",
    "index_places",
    "member_of",
    "name_inside",
    "open_links",
    "open_many",
    "open_store",
    "refuse_foreign",
    "replace_index",
    "update_index",
    "writable",
]
