"""The index: opened, read and written through `Store` and `IndexWriter`, in whatever back-end (database) it is stored."""

from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_names
from code_graph_indexer.storage.backends import (
    SCHEMA_VERSION,
    copy_index,
    create_index,
    index_places,
    open_links,
    open_many,
    open_store,
    refuse_foreign,
    replace_index,
    servers,
    update_index,
    word_counts,
)
from code_graph_indexer.storage.base import Servers
from code_graph_indexer.storage.columns import meta_number
from code_graph_indexer.storage.damage import explains_damage
from code_graph_indexer.storage.identity import FIRST_MEMBER, is_member, member_of
from code_graph_indexer.storage.place import DEFAULT_PLACE, is_own_place, writable
from code_graph_indexer.storage.records import (
    CHUNK_MARKS,
    MAX_CANDIDATES,
    ChunkFile,
    Edge,
    FileRow,
    LinkedFile,
    LinkedRegistration,
    LinkRow,
    ResolvedReference,
    StoredChunk,
    StoredDefinition,
    StoredFile,
    StoredFileIds,
    name_inside,
)
from code_graph_indexer.storage.sql import LinkReader
from code_graph_indexer.storage.steady import reads_one_version
from code_graph_indexer.storage.store import Store

if TYPE_CHECKING:
    from code_graph_indexer.storage.backends import IndexWriter
else:
    __getattr__ = late_names(__name__, {"sqlite_writer": "IndexWriter"})

__all__ = [
    "CHUNK_MARKS",
    "DEFAULT_PLACE",
    "FIRST_MEMBER",
    "MAX_CANDIDATES",
    "SCHEMA_VERSION",
    "ChunkFile",
    "Edge",
    "FileRow",
    "IndexWriter",
    "LinkReader",
    "LinkRow",
    "LinkedFile",
    "LinkedRegistration",
    "ResolvedReference",
    "Servers",
    "Store",
    "StoredChunk",
    "StoredDefinition",
    "StoredFile",
    "StoredFileIds",
    "copy_index",
    "create_index",
    "explains_damage",
    "index_places",
    "is_member",
    "is_own_place",
    "member_of",
    "meta_number",
    "name_inside",
    "open_links",
    "open_many",
    "open_store",
    "reads_one_version",
    "refuse_foreign",
    "replace_index",
    "servers",
    "update_index",
    "word_counts",
    "writable",
]
