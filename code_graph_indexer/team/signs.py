"""The vectors of several repositories on a server, in the memory of a reader: the signs and sizes of their components."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.storage.arrays import NO_IDS, Ids
from code_graph_indexer.storage.identity import LOCAL_BITS
from code_graph_indexer.storage.vectors import WORD_TYPE, Words, sign_row_size, step_row_size

BYTES_PER_CHUNK = 16
"""The bytes of memory that a chunk takes besides its signs: its id, and its position."""

Block = tuple[int, int, bytes, bytes]
"""A repository, the first id in it of some chunks, and the rows of signs and of sizes of this id and the next ones."""

Steps = NDArray[np.uint8]


class RepositorySigns:
    """The vectors of the chunks of several repositories. If some of them change, only these are read again.

    `ids` are ascending, and row i of `signs` is of the chunk `ids[i]`. With `sized`, so is row i of `steps`, which has the
    sizes of the components. Else its rows are empty.
    """

    def __init__(self, dimensions: int, *, sized: bool = False) -> None:
        self.dimensions, self.sized = dimensions, sized
        self._size, self._step_size = sign_row_size(dimensions or 1), step_row_size(dimensions) if sized else 0
        self._revisions: dict[int, int] = {}
        self.ids: Ids = NO_IDS
        self.signs, self.steps = self._rows(0)

    def _rows(self, count: int) -> tuple[Words, Steps]:
        """Return as many rows of signs and of sizes, to be filled."""
        # `differing` takes half the time with each column in one piece of memory.
        signs = np.empty((count, self._size // 8), WORD_TYPE, order="F")
        return signs, np.empty((count, self._step_size), np.uint8)

    @property
    def bytes_per_chunk(self) -> int:
        """The bytes of memory that a chunk takes."""
        return self._size + self._step_size + BYTES_PER_CHUNK

    def update(
        self,
        revisions: Mapping[int, int],
        sizes: Callable[[Sequence[int]], Mapping[int, int]],
        blocks: Callable[[Sequence[int]], Iterator[Block]],
    ) -> None:
        """Hold the vectors of these repositories, and of no others. `revisions` maps their numbers to their publications.

        `sizes` returns for some of them how many bytes of signs their blocks have. `blocks` reads the blocks, in order of the
        ids.
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
        ids, (signs, steps) = np.empty(most, np.int64), self._rows(most)
        count = 0
        for part_ids, part_signs, part_steps in self._parts(
            sorted(revisions), kept, blocks(stale) if stale else iter(())
        ):
            place = slice(count, count + len(part_ids))
            if place.stop > most:
                raise IndexFormatError("the signs of vectors changed while they were read; ask again")
            ids[place], signs[place], steps[place] = part_ids, part_signs, part_steps
            count = place.stop
        self.ids, self.signs, self.steps = ids[:count], signs[:count], steps[:count]
        self._revisions = dict(revisions)

    def _parts(
        self, numbers: Sequence[int], kept: Mapping[int, slice], blocks: Iterator[Block]
    ) -> Iterator[tuple[Ids, Words, Steps]]:
        """Yield ids, signs and sizes in order of the repositories `numbers`: rows `kept` in memory, or those of `blocks`."""
        block = next(blocks, None)
        for number in numbers:
            if number in kept:
                rows = kept[number]
                yield self.ids[rows], self.signs[rows], self.steps[rows]
            while block is not None and block[0] == number:
                _, first, packed, sizes = block
                count, rest = divmod(len(packed), self._size)
                if rest or len(sizes) != count * self._step_size:
                    raise IndexFormatError("the signs of vectors have other dimensions than the index says")
                signs = np.frombuffer(packed, WORD_TYPE).reshape(-1, self._size // 8)
                # A row without a bit is of a chunk that is gone, or has no vector.
                slots = np.flatnonzero(signs.any(axis=1))
                steps = np.frombuffer(sizes, np.uint8).reshape(count, self._step_size)
                yield slots + ((number << LOCAL_BITS) + first), signs[slots], steps[slots]
                block = next(blocks, None)
