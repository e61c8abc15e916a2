"""The chunks that filters allow, as runs of ids."""

from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.storage.allowed import AllowedChunks


@given(
    allowed=st.sets(st.integers(1, 60)),
    cuts=st.sets(st.integers(1, 60)),
    ids=st.sets(st.integers(1, 60)),
    order=st.randoms(),
)
def test_runs_hold_what_was_allowed(allowed: set[int], cuts: set[int], ids: set[int], order: object) -> None:
    runs: list[tuple[int, int]] = []
    for chunk_id in sorted(allowed):
        if runs and runs[-1][1] == chunk_id - 1 and chunk_id not in cuts:
            runs[-1] = runs[-1][0], chunk_id
        else:
            runs.append((chunk_id, chunk_id))
    order.shuffle(runs)  # type: ignore[attr-defined]
    allowed_chunks = AllowedChunks(runs)
    assert {chunk_id for chunk_id in range(70) if chunk_id in allowed_chunks} == allowed
    id_array = np.array(sorted(ids), dtype=np.int64)
    assert set(cast("list[int]", id_array[allowed_chunks.positions(id_array)].tolist())) == allowed & ids
