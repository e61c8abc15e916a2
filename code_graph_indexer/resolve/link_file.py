"""Hold a file before it is linked."""

from collections.abc import Sequence
from typing import NamedTuple

from code_graph_indexer.resolve.collect import file_facts
from code_graph_indexer.resolve.facts import FileFacts
from code_graph_indexer.storage.records import ExactUse, StoredFileIds
from code_graph_indexer.syntax.packing import unpack
from code_graph_indexer.syntax.records import IndexedFile, Syntax


class LinkFile(NamedTuple):
    """A file before it is linked (its references are resolved): its ids in the store, and its parsed syntax.

    `packed` is its syntax, packed by syntax.packing. `unpacked` is the same record, if the caller has unpacked it already.
    `chunk_ids` and `member_ids` are the ids of its chunks and members, in order. `exact` are the uses of names that a SCIP
    index resolves.
    """

    file_id: int
    path: str
    language: str
    module: str
    is_test: bool
    chunk_ids: Sequence[int]
    member_ids: Sequence[int]
    packed: bytes
    exact: Sequence[ExactUse] = ()
    unpacked: Syntax | None = None

    @classmethod
    def of(cls, file: IndexedFile, stored: StoredFileIds) -> "LinkFile":
        """Make the record from an indexed file and the ids that the store gave to it."""
        source, ids = file.source, (stored.chunk_ids, stored.member_ids)
        return cls(
            stored.file_id, source.path, source.language or "", file.module, source.is_test, *ids, file.link_input
        )

    def syntax(self) -> Syntax:
        """Return the file's syntax, without docs, with the places of its names."""
        return self.unpacked or unpack(self.packed)

    def file_facts(self) -> FileFacts:
        """Collect the facts that other files may look up."""
        return file_facts(self.path, self.language, self.is_test, self.syntax(), self.chunk_ids, self.member_ids)
