"""The signs of the vectors of several repositories on a server, in the memory of a reader."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage.arrays import NO_IDS, Ids
from code_graph_indexer.storage.identity import LOCAL_BITS
from code_graph_indexer.storage.vectors import WORD_TYPE, Words, sign_row_size

BYTES_PER_CHUNK = 16
"""The bytes of memory that a chunk takes besides its signs: its id, and its position."""

Block = tuple[int, int, bytes]
"""A repository, the first id in it of some chunks, and the rows of signs of this id and the next ones."""


class RepositorySigns:
    """The signs of the chunks of several repositories. If some of them change, only these are read again.

    `ids` are ascending, and row i of `signs` is of the chunk `ids[i]`.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._size = sign_row_size(dimensions or 1)
        self._revisions: dict[int, int] = {}
        self.ids: Ids = NO_IDS
        self.signs: Words = np.zeros((0, self._size // 8), WORD_TYPE)

    def memory(self, chunks: int) -> int:
        """Return how many bytes of memory the signs of this many chunks take."""
        return chunks * (self._size + BYTES_PER_CHUNK)

    def update(
        self,
        revisions: Mapping[int, int],
        sizes: Callable[[Sequence[int]], Mapping[int, int]],
        blocks: Callable[[Sequence[int]], Iterator[Block]],
    ) -> None:
        """Hold the signs of these repositories, and of no others. `revisions` maps their numbers to their publications.

        `sizes` returns for some of them how many bytes their blocks have. `blocks` reads the blocks, in order of the ids.
        """
        stale = sorted(number for number, revision in revisions.items() if self._revisions.get(number) != revision)
        if not stale and len(revisions) == len(self._revisions):
            return
        bases = np.array(sorted(revisions), np.int64) << LOCAL_BITS
        starts = np.searchsorted(self.ids, bases)
        ends = np.searchsorted(self.ids, bases + (1 << LOCAL_BITS))
        kept = {
            number: slice(start, end)
            for number, start, end in zip(sorted(revisions), starts.tolist(), ends.tolist(), strict=True)
            if number not in stale
        }
        # The arrays are made at their full length, because joining parts takes their memory twice.
        most = sum(sizes(stale).values()) // self._size + sum(rows.stop - rows.start for rows in kept.values())
        ids, signs = np.empty(most, np.int64), np.empty((most, self._size // 8), WORD_TYPE)
        count = 0
        for part_ids, part in self._parts(sorted(revisions), kept, blocks(stale) if stale else iter(())):
            if count + len(part) > most:
                raise IndexFormatError("the signs of vectors changed while they were read; ask again")
            ids[count : count + len(part)], signs[count : count + len(part)] = part_ids, part
            count += len(part)
        self.ids, self.signs, self._revisions = ids[:count], signs[:count], dict(revisions)

    def _parts(
        self, numbers: Sequence[int], kept: Mapping[int, slice], blocks: Iterator[Block]
    ) -> Iterator[tuple[Ids, Words]]:
        """Yield ids and signs in order of the repositories `numbers`: the rows `kept` in memory, or those of `blocks`."""
        block = next(blocks, None)
        for number in numbers:
            if number in kept:
                yield self.ids[kept[number]], self.signs[kept[number]]
            while block is not None and block[0] == number:
                _, first, packed = block
                if len(packed) % self._size:
                    raise IndexFormatError("the signs of vectors have other dimensions than the index says")
                rows = np.frombuffer(packed, WORD_TYPE).reshape(-1, self._size // 8)
                # A row without a bit is of a chunk that is gone, or has no vector.
                slots = np.flatnonzero(rows.any(axis=1))
                yield slots + ((number << LOCAL_BITS) + first), rows[slots]
                block = next(blocks, None)
