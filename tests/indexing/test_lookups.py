"""The lookups of all files, turned around in shards."""

from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.indexing import lookups
from code_graph_indexer.resolve import KEY_BYTES

KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


@given(st.lists(st.lists(KEYS, max_size=9).map(b"".join), max_size=6), st.integers(1, 20))
def test_shards_are_the_same_however_many_hashes_are_sorted_at_a_time(packed: list[bytes], most: int) -> None:
    files = list(enumerate(packed, 1))
    expected = list(lookups._shards(files))
    assert list(lookups._shards(files, most)) == expected
    assert sum(len(entries) for _, entries in expected) == sum(map(len, packed)) // KEY_BYTES * lookups.ENTRY.itemsize
    assert [number for number, _ in expected] == sorted({number for number, _ in expected})
