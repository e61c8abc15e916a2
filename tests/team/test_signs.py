"""The signs of several repositories in memory: whole, in order, and read again only where they changed."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from code_graph_indexer.errors import IndexFormatError
from code_graph_indexer.team.signs import Block, RepositorySigns

DIMENSIONS = 512


class Server:
    """The signs of repositories, in blocks of four chunks, with the reads that were asked for."""

    def __init__(self) -> None:
        self.rows: dict[int, list[int]] = {}
        self.reads: list[list[int]] = []

    def sizes(self, numbers: Sequence[int]) -> dict[int, int]:
        return {number: 64 * len(self.rows[number]) for number in numbers if self.rows[number]}

    def blocks(self, numbers: Sequence[int]) -> Iterator[Block]:
        self.reads.append(list(numbers))
        for number in numbers:
            for start in range(0, len(self.rows[number]), 4):
                part = self.rows[number][start : start + 4]
                yield number, start, b"".join(row.to_bytes(64, "little") for row in part), b""

    def hold(self, signs: RepositorySigns, revisions: dict[int, int]) -> list[tuple[int, int]]:
        """Update the signs, and return the pairs of id and row that they hold."""
        signs.update(revisions, self.sizes, self.blocks)
        assert np.all(np.diff(signs.ids) > 0)
        return list(zip(signs.ids.tolist(), signs.signs[:, 0].tolist(), strict=True))


@pytest.fixture
def server() -> Server:
    """Return a server with three repositories. A row of 0 is of a chunk without a vector."""
    server = Server()
    server.rows = {0: [1, 0, 3, 4, 5], 2: [6], 5: [0, 8]}
    return server


def at(number: int, local: int) -> int:
    return (number << 32) + local


def test_only_changed_repositories_are_read_again(server: Server) -> None:
    signs = RepositorySigns(DIMENSIONS)
    first = [(at(0, 0), 1), (at(0, 2), 3), (at(0, 3), 4), (at(0, 4), 5)]
    assert server.hold(signs, {5: 1, 0: 1, 2: 1}) == [*first, (at(2, 0), 6), (at(5, 1), 8)]
    assert server.hold(signs, {5: 1, 0: 1, 2: 1})[0] == (0, 1)
    server.rows[2] = [0, 0, 7, 9, 9]
    changed = [(at(2, 2), 7), (at(2, 3), 9), (at(2, 4), 9)]
    assert server.hold(signs, {5: 1, 0: 1, 2: 2}) == [*first, *changed, (at(5, 1), 8)]
    assert server.reads == [[0, 2, 5], [2]]


def test_repositories_come_and_go(server: Server) -> None:
    signs = RepositorySigns(DIMENSIONS)
    server.hold(signs, {0: 1, 5: 1})
    assert server.hold(signs, {5: 1}) == [(at(5, 1), 8)]
    assert server.hold(signs, {2: 1, 5: 1}) == [(at(2, 0), 6), (at(5, 1), 8)]
    assert server.reads == [[0, 5], [2]]
    assert server.hold(signs, {}) == []


def test_sizes_stand_beside_the_signs_of_their_chunk() -> None:
    signs = RepositorySigns(64, sized=True)
    rows = {0: (b"\1" * 8 + bytes(8) + b"\3" * 8, b"\1" * 32 + b"\2" * 32 + b"\3" * 32), 3: (b"\4" * 8, b"\4" * 32)}
    sizes = {number: len(part) for number, (part, _) in rows.items()}
    for revision in (1, 2):
        signs.update({0: 1, 3: revision}, lambda _: sizes, lambda numbers: iter([(n, 0, *rows[n]) for n in numbers]))
        assert signs.ids.tolist() == [at(0, 0), at(0, 2), at(3, 0)]
        assert signs.steps[:, 0].tolist() == [1, 3, 3 + revision]
        rows[3] = (b"\4" * 8, b"\5" * 32)
    with pytest.raises(IndexFormatError, match="other dimensions"):
        signs.update({0: 1, 3: 3}, lambda _: sizes, lambda _: iter([(3, 0, b"\4" * 8, b"\4" * 31)]))


def test_damaged_signs_are_refused(server: Server) -> None:
    signs = RepositorySigns(DIMENSIONS)
    with pytest.raises(IndexFormatError, match="other dimensions"):
        signs.update({0: 1}, lambda numbers: {0: 64}, lambda numbers: iter([(0, 0, bytes(63), b"")]))
    with pytest.raises(IndexFormatError, match="ask again"):
        signs.update({0: 1}, lambda numbers: {0: 64}, lambda numbers: iter([(0, 0, b"\1" * 128, b"")]))
    assert server.hold(signs, {2: 1}) == [(at(2, 0), 6)]
