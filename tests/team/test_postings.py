"""The packed full-text index of a database server."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.team.postings import PLACES, pack_places, unpack_places

lists = st.lists(
    st.lists(st.integers(0, (1 << 40) * PLACES // 2).map(lambda place: place - place % PLACES), max_size=20), max_size=8
)


def unpacked(packed: Sequence[bytes], *, counted: bool) -> list[dict[int, int]]:
    """Return the places of each list, with how often each comes."""
    sizes = np.array([len(part) for part in packed], np.int64)
    places, counts = unpack_places(b"".join(packed), sizes, counted=counted)
    pairs = list(zip(places.chunk_ids.tolist(), places.counts.tolist(), strict=True))
    ends = np.cumsum(counts).tolist()
    return [dict(pairs[end - count : end]) for count, end in zip(counts.tolist(), ends, strict=True)]


@given(lists)
def test_packed_places_come_back(places: list[list[int]]) -> None:
    terms = [str(number) for number in range(len(places))]
    numbers = np.array([place for part in places for place in part], np.int64)
    packed = [posting.packed for posting in pack_places(terms, list(map(len, places)), numbers, counted=True)]
    expected = [{place // PLACES: part.count(place) for place in part} for part in places]
    assert unpacked(packed, counted=True) == expected


@given(lists, st.integers(0, 7), st.binary(max_size=12))
def test_a_damaged_list_does_not_change_its_neighbours(places: list[list[int]], row: int, damage: bytes) -> None:
    terms = [str(number) for number in range(len(places))]
    numbers = np.array([place for part in places for place in part], np.int64)
    packed = [posting.packed for posting in pack_places(terms, list(map(len, places)), numbers, counted=False)]
    expected = unpacked(packed, counted=False)
    packed[row:row] = [damage + b"\xff"]
    expected[row:row] = unpacked([damage + b"\xff"], counted=False)
    assert unpacked(packed, counted=False) == expected
