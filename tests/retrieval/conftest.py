"""The opened index of the fixture repository, and an embedder."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.storage import SqliteStore

# Shared cores stall an example now and then, and the opened index is only read.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
hypothesis.settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def store(shop: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(shop / ".cgi" / "index.db")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return create_embedder("static")
