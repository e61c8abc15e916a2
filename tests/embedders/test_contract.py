"""What every embedder promises. The tests check a new file in `embedders/` at once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from code_graph_indexer.embedders import Embedder, EmbedderStats, create_embedder, embedder_names
from tests.embedders.endpoint import Endpoint

pytestmark = pytest.mark.slow

TEXTS = [
    "def read(path): return open(path).read()",
    "class User: name",
    "",
    "socket.close()  # après la fermeture, 文件",
    "class User: name",
    " \n\t ",
    "parse bytes " * 200,
    "def write(path, text): open(path, 'w').write(text)",
]
BLANK = [2, 5]

Make = Callable[[str], Embedder]


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "fastembed")) for name in embedder_names()]
)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(name: str, model_folder: Path, endpoint: Endpoint) -> Make:
    """Return a function that makes the embedder from a spec, with the options it needs here."""
    options: dict[str, dict[str, object]] = {
        "fastembed": {"cache_dir": model_folder.parent},
        "openai": {"base_url": endpoint.url, "batch_size": 3},
    }
    return lambda spec: create_embedder(spec, **options.get(name, {}))


@pytest.fixture
def embedder(name: str, make: Make, model_folder: Path) -> Embedder:
    return make(f"fastembed:{model_folder}" if name == "fastembed" else name)


def test_it_is_an_embedder(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder.in_workers, bool)


def test_a_batch_is_a_row_a_text_in_float32(embedder: Embedder) -> None:
    vectors = embedder.embed_batch(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32


def test_a_query_is_one_vector_in_float32(embedder: Embedder) -> None:
    vector = embedder.embed("read a file")
    assert vector.shape == (embedder.dimensions,)
    assert vector.dtype == np.float32


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_batch([]).shape == (0, embedder.dimensions)


def test_rows_have_length_one_and_blank_texts_have_none(embedder: Embedder) -> None:
    norms = np.linalg.norm(embedder.embed_batch(TEXTS), axis=1)
    expected = [0.0 if row in BLANK else 1.0 for row in range(len(TEXTS))]
    assert norms == pytest.approx(expected, abs=1e-6)
    assert not embedder.embed("").any()


def test_rows_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    forward = embedder.embed_batch(TEXTS)
    backward = embedder.embed_batch(TEXTS[::-1])
    assert np.array_equal(forward, backward[::-1])


def test_a_vector_does_not_depend_on_the_batch(embedder: Embedder) -> None:
    together = embedder.embed_batch(TEXTS)
    alone = np.concatenate([embedder.embed_batch([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_different_texts_have_different_vectors_and_equal_texts_equal_ones(embedder: Embedder) -> None:
    vectors = embedder.embed_batch(TEXTS)
    assert np.array_equal(vectors[1], vectors[4])
    assert not np.allclose(vectors[0], vectors[7])


def test_its_name_makes_the_same_embedder_again(embedder: Embedder, make: Make, name: str) -> None:
    again = make(embedder.name)
    assert embedder.name.partition(":")[0] == name
    assert again.name == embedder.name
    assert np.array_equal(again.embed_batch(TEXTS), embedder.embed_batch(TEXTS))


def test_its_name_does_not_name_the_machine(embedder: Embedder, model_folder: Path, endpoint: Endpoint) -> None:
    assert str(model_folder.parent) not in embedder.name
    assert endpoint.url not in embedder.name


def test_stats_count_what_was_done(embedder: Embedder) -> None:
    before = embedder.stats
    assert before.texts == 0
    embedder.embed_batch(TEXTS)
    embedder.embed("query")
    after = embedder.stats
    assert after.texts == len(TEXTS) + 1
    assert after.requests >= before.requests + 2
    assert after.retries == 0
    assert after.seconds > 0


def test_stats_add_up() -> None:
    total = EmbedderStats(texts=1, requests=2, retries=3, seconds=0.5) + EmbedderStats(
        texts=10, requests=20, seconds=0.25
    )
    assert total == EmbedderStats(texts=11, requests=22, retries=3, seconds=0.75)
