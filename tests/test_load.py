"""The page and the server for agents under many clients at once: every answer is right, and both servers live on."""

import runpy
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "bench" / "bench_load.py"


@pytest.mark.slow
def test_many_clients_at_once_are_told_what_a_lone_client_is_told(own_shop: Path) -> None:
    # A repository of some size keeps threads in the parser at the same time.
    for part in ("graph", "retrieval"):
        shutil.copytree(SCRIPT.parents[2] / "code_graph_indexer" / part, own_shop / part)
    # A dataclass looks for its module.
    load: dict[str, Any] = runpy.run_path(str(SCRIPT), run_name="bench_load")
    outcome = load["run"](own_shop, clients=16, seconds=2.0, symbols=2)
    assert outcome.is_right, outcome.text()
    kinds = {question.kind for question in load["questions_of"](own_shop, 2)}
    assert kinds == outcome.times.keys()
    assert not outcome.unsteady
    assert "bench_load" not in sys.modules
