"""The lookups of all files, turned around: for each lookup key, the files that looked it up when they were linked.

Those of a large repository lie beside the index in shards, so that an update reads and writes few of them. They are made anew
from the index if they are not of its present state. In a smaller repository an update reads all lookups of the index.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.resolve import KEY_BYTES, key_hash, unpack_lookups
from code_graph_indexer.storage.arrays import are_in, distinct
from code_graph_indexer.storage.local import LocalState

SHARDS = 1 << 12
"""How many shards there are. In a repository of 80,000 files each has 20 KB."""

ENTRY = np.dtype([("rest", "<u2"), ("file_id", "<u4")])
"""An entry of a shard: the bits of a key's hash that the shard's number leaves, and a file that looked it up."""

SORTED = 1 << 22
"""The most hashes that are sorted at a time, and from which on they lie in shards.

Linux has 79 million, and sorting one takes 40 bytes. To compare this many takes some 50 milliseconds.
"""

Hashes = NDArray[np.uint32]
Entries = NDArray[np.void]

_NONE = np.empty(0, np.uint32), np.empty(0, np.uint32)


def store_lookups(local: LocalState, files: Sequence[tuple[int, bytes]], stamp: str) -> None:
    """Write the lookups of all files, as the index with this stamp has them: packed hashes by file id. Few are not written."""
    are_many = sum(len(packed) for _, packed in files) > SORTED * KEY_BYTES
    if are_many or local.shards_of():
        local.set_shards(_shards(files) if are_many else (), stamp if are_many else "", replace=True)


def _shards(files: Sequence[tuple[int, bytes]], most: int = SORTED) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the packed entries of each shard that is not empty, in order.

    `files` are file ids with their packed lookups, and `most` is how many hashes are sorted at a time.
    """
    count = sum(len(lookups) for _, lookups in files) // KEY_BYTES
    width = SHARDS if count <= most else max(1, SHARDS * most // count)
    for first in range(0, SHARDS, width):
        parts = [_within(batch, first, first + width) for batch in _batches(files, most)]
        hashes, file_ids = (np.concatenate(columns) for columns in zip(*parts, strict=True)) if parts else _NONE
        for number, entries in _by_shard(hashes, file_ids).items():
            yield number, entries.tobytes()


def _batches(files: Iterable[tuple[int, bytes]], most: int) -> Iterator[list[tuple[int, bytes]]]:
    """Cut file ids with their packed lookups into batches, each of which ends as soon as it has `most` hashes."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for file_id, lookups in files:
        batch.append((file_id, lookups))
        size += len(lookups)
        if size >= most * KEY_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _within(files: Sequence[tuple[int, bytes]], first: int, end: int) -> tuple[Hashes, NDArray[np.uint32]]:
    """Return the hashes in lookups that belong to the shards from `first` to before `end`, and the file id of each."""
    # Unpacked all at once: a call for each of thousands of files takes longer than their hashes.
    hashes = _unpacked(b"".join(lookups for _, lookups in files))
    counts = np.array([len(lookups) // KEY_BYTES for _, lookups in files], np.int64)
    file_ids = np.repeat(np.array([file_id for file_id, _ in files], np.uint32), counts)
    if end - first < SHARDS:
        shards = hashes % SHARDS
        inside = (shards >= first) & (shards < end)
        hashes, file_ids = hashes[inside], file_ids[inside]
    return hashes, file_ids


def _unpacked(lookups: bytes) -> Hashes:
    """Return packed lookups as hashes. Raises IndexFormatError if they are not whole hashes."""
    if len(lookups) % KEY_BYTES:
        raise IndexFormatError(
            "the index has lookups that are no hashes; build it anew: cgi index --full FOLDER (elsewhere with --db FILE)"
        )
    return unpack_lookups(lookups)


def _by_shard(hashes: Hashes, file_ids: NDArray[np.uint32]) -> dict[int, Entries]:
    """Group hashes by shard, and leave out empty shards. An entry is the rest of a hash and its file id, in the order given.

    `file_ids` has the file that looked up each hash.
    """
    # NumPy sorts 16 bits by counting them, in a tenth of the time that sorting whole hashes takes.
    shards = (hashes % SHARDS).astype(np.uint16)
    order = np.argsort(shards, kind="stable")
    entries = np.empty(len(hashes), ENTRY)
    entries["rest"], entries["file_id"] = hashes[order] // SHARDS, file_ids[order]
    numbers, starts = np.unique(shards[order], return_index=True)
    return dict(zip(numbers.tolist(), np.split(entries, starts[1:]), strict=True)) if len(entries) else {}


class StoredLookups:
    """The lookups of an index, as of the stamp of its present state. `read` lists those in the index."""

    def __init__(self, local: LocalState, stamp: str, read: Callable[[], Sequence[tuple[int, bytes]]]) -> None:
        self._local = local
        self._all: tuple[Hashes, NDArray[np.uint32]] | None = None
        if local.shards_of() != stamp:
            files = read()
            store_lookups(local, files, stamp)
            if local.shards_of() != stamp:
                self._all = _within(files, 0, SHARDS)

    def files(self, keys: Iterable[str]) -> set[int]:
        """Return the ids of the files that looked up any of the keys. If two keys share a hash, a file too many is returned."""
        numbers = [key_hash(key) & ((1 << 8 * KEY_BYTES) - 1) for key in keys]
        if self._all is not None:
            hashes, ids = self._all
            # Most questions are of one key, which takes a fifth of the time so.
            are_wanted = hashes == numbers[0] if len(numbers) == 1 else np.isin(hashes, np.array(numbers, np.uint32))
            return set(ids[are_wanted].tolist())
        rests: dict[int, list[int]] = defaultdict(list)
        for number in numbers:
            rests[number % SHARDS].append(number // SHARDS)
        file_ids: set[int] = set()
        for number, entries in self._read(rests).items():
            file_ids.update(entries["file_id"][np.isin(entries["rest"], rests[number])].tolist())
        return file_ids

    def _read(self, numbers: Iterable[int]) -> dict[int, Entries]:
        """Return the entries of these shards, as far as they are stored."""
        shards = self._local.shards(numbers)
        # Bytes after the last whole entry are damage.
        return {
            number: np.frombuffer(packed, ENTRY, len(packed) // ENTRY.itemsize) for number, packed in shards.items()
        }

    def change(self, old: Mapping[int, bytes], new: Mapping[int, bytes], stamp: str) -> None:
        """Write the lookups of some files in place of their old ones. `stamp` is that of the index after the update."""
        if self._all is not None:
            return
        gone, fresh = _differences(old, new), _differences(new, old)
        shards = self._read({*gone, *fresh})
        none = np.empty(0, ENTRY)
        for number in {*gone, *fresh}:
            entries = shards.get(number, none)
            kept = entries[~np.isin(entries, gone.get(number, none))]
            shards[number] = np.concatenate([kept, fresh.get(number, none)])
        self._local.set_shards(((number, entries.tobytes()) for number, entries in shards.items()), stamp)


def _differences(lookups: Mapping[int, bytes], others: Mapping[int, bytes]) -> dict[int, Entries]:
    """Return, by shard, what is in the lookups of files, and not in other lookups of the same files."""
    differing = {
        file_id: hashes[~are_in(hashes, distinct(_unpacked(others.get(file_id, b""))))]
        for file_id, packed in lookups.items()
        for hashes in [distinct(_unpacked(packed))]
    }
    file_ids = np.repeat(np.array([*differing], np.uint32), [len(hashes) for hashes in differing.values()])
    return _by_shard(np.concatenate([np.empty(0, np.uint32), *differing.values()]), file_ids)
