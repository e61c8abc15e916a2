from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedders.endpoint import Endpoint, serving
from tests.embedders.tiny_model import write_model


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as running:
        yield running
