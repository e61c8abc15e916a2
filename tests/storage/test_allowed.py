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
    for one in sorted(allowed):
        if runs and runs[-1][1] == one - 1 and one not in cuts:
            runs[-1] = runs[-1][0], one
        else:
            runs.append((one, one))
    order.shuffle(runs)  # type: ignore[attr-defined]
    found = AllowedChunks(runs)
    assert {one for one in range(70) if one in found} == allowed
    known = np.array(sorted(ids), dtype=np.int64)
    assert set(cast("list[int]", known[found.places(known)].tolist())) == allowed & ids
