"""The ids of chunks and files: kept when a file is indexed again, and packed with a repository's number in a set of indexes."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from code_graph_indexer.syntax.records import IndexedFile

LOCAL_BITS = 32
"""Bits of an id inside its own index. In a set of indexes, the bits above them number the repository."""

LOCAL_MASK = (1 << LOCAL_BITS) - 1

FIRST_MEMBER = 1 << (LOCAL_BITS - 1)
"""The first id of a member inside an index. The ids of chunks are below it, so that one id names a node of either sort."""


def is_member(node_id: int) -> bool:
    """Say whether a node is a member, such as a constant or a field, and not a chunk."""
    return bool(node_id & FIRST_MEMBER)


def global_id(member: int, local: int) -> int:
    """Return the id in a set of indexes for an id of the member with this number, from 0."""
    return member << LOCAL_BITS | local


def local_id(chunk_or_file_id: int) -> int:
    """Return the id inside the member's own index."""
    return chunk_or_file_id & LOCAL_MASK


def member_of(chunk_or_file_id: int) -> int:
    """Return the number of the member that an id belongs to. It is 0 for every id of a single index."""
    return chunk_or_file_id >> LOCAL_BITS


class OldChunk(NamedTuple):
    """A stored chunk of the previous version of a file."""

    chunk_id: int
    kind: str
    qualified_name: str
    content_hash: bytes
    has_text: bool


class OldMember(NamedTuple):
    """A stored member of the previous version of a file."""

    member_id: int
    kind: str
    qualified_name: str


def member_ids(indexed: IndexedFile, old_members: Sequence[OldMember], fresh_ids: Iterator[int]) -> list[int]:
    """Return an id for each member of a file: that of its old version of the same kind and name, else the next fresh id."""
    old_ids: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for member_id, kind, qualified_name in old_members:
        old_ids[kind, qualified_name].append(member_id)
    names = ((member.kind, member.qualified_name) for member in indexed.members)
    return [old_ids[name].popleft() if old_ids.get(name) else next(fresh_ids) for name in names]


def chunk_ids(indexed: IndexedFile, old_chunks: Sequence[OldChunk], fresh_ids: Iterator[int]) -> list[int]:
    """Return an id for each chunk of a file: the id of its old version if there is one, else the next fresh id.

    The old version has the same kind, the same qualified name and the same text. Without one, kind and qualified name
    are enough. Edges from other files point to these ids, so an edit of one function leaves the edges to all others
    intact.
    """
    if not old_chunks:
        return [next(fresh_ids) for _ in indexed.chunks]
    by_text: dict[tuple[str, str, bytes], deque[int]] = defaultdict(deque)
    by_name: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for old_chunk in old_chunks:
        by_text[old_chunk.kind, old_chunk.qualified_name, old_chunk.content_hash].append(old_chunk.chunk_id)
    ids: list[int | None] = []
    for chunk, content_hash in zip(indexed.chunks, indexed.hashes, strict=True):
        same_text = by_text.get((chunk.kind, chunk.qualified_name, content_hash))
        ids.append(same_text.popleft() if same_text else None)
    used = set(ids)
    for old_chunk in old_chunks:
        # Only what no text claimed: an unchanged chunk goes before a changed one of its name.
        if old_chunk.chunk_id not in used:
            by_name[old_chunk.kind, old_chunk.qualified_name].append(old_chunk.chunk_id)
    complete: list[int] = []
    for chunk_id, chunk in zip(ids, indexed.chunks, strict=True):
        same_name = by_name.get((chunk.kind, chunk.qualified_name))
        if chunk_id is None:
            chunk_id = same_name.popleft() if same_name else next(fresh_ids)
        complete.append(chunk_id)
    return complete


def unchanged(indexed: IndexedFile, ids: Sequence[int], old_chunks: Sequence[OldChunk]) -> set[int]:
    """Return the ids of the chunks whose text did not change. Their search rows and vectors are still right."""
    old_hashes = {chunk.chunk_id: chunk.content_hash for chunk in old_chunks if chunk.has_text}
    return {
        chunk_id
        for chunk_id, content_hash in zip(ids, indexed.hashes, strict=True)
        if old_hashes.get(chunk_id) == content_hash
    }
