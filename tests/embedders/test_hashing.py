"""Hashing is exact: the same bits for a text in any company, on any machine."""

import random
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_graph_indexer.embedders import create_embedder
from code_graph_indexer.errors import EmbedderError

WORDS = st.sampled_from(["getHTTPUrl", "read_file", "the", "__init__", "x2", "0xdeadbeef", "naïve", "文件", "σ2"])
CODE = st.lists(WORDS | st.text(max_size=8), max_size=40).map(" ".join)


@pytest.mark.slow
@given(st.lists(CODE, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_a_vector_depends_on_its_text_alone_bit_for_bit(texts: list[str], order: random.Random) -> None:
    embedder = create_embedder("hashing")
    shuffled = order.sample(range(len(texts)), len(texts))
    together = embedder.embed_batch([texts[row] for row in shuffled])
    for row, vector in zip(shuffled, together, strict=True):
        assert vector.tobytes() == embedder.embed(texts[row]).tobytes()


@given(CODE)
def test_ascii_and_other_text_are_cut_alike(text: str) -> None:
    embedder = create_embedder("hashing")
    assert np.array_equal(embedder.embed(text), embedder.embed(f"{text} →"))


@given(CODE)
def test_a_vector_has_length_one_or_zero(text: str) -> None:
    norm = float(np.linalg.norm(create_embedder("hashing").embed(text)))
    assert norm == pytest.approx(1, abs=1e-6) or norm == 0


def test_the_bits_are_those_of_every_other_machine() -> None:
    vector = create_embedder("hashing").embed("def read_file(path): return path.read_text()  # naïve, 文件" * 3)
    assert sha256(vector.astype("<f4").tobytes()).hexdigest()[:16] == "0b1fd24ef0bc6a35"


def test_stop_words_weigh_nothing() -> None:
    embedder = create_embedder("hashing")
    assert np.array_equal(embedder.embed("where is the file"), embedder.embed("file"))
    assert not embedder.embed("where is the").any()


def test_shared_words_bring_texts_together() -> None:
    embedder = create_embedder("hashing")
    near, far = embedder.embed_batch(["def read_file(path): ...", "class HTTPServer: socket"])
    query = embedder.embed("read a file")
    assert query @ near > query @ far + 0.3


def test_a_word_repeated_without_end_still_leaves_room_for_another() -> None:
    vectors = create_embedder("hashing").embed_batch(["row " * 100_000, "row " * 100_000 + "total"])
    assert vectors[0] @ vectors[1] < 1 - 1e-4


def test_the_model_is_the_number_of_dimensions() -> None:
    assert create_embedder("hashing").dimensions == 256
    assert create_embedder("hashing").name == "hashing"
    assert create_embedder("hashing:256").name == "hashing"
    assert create_embedder("hashing:512").name == "hashing:512"
    assert create_embedder("hashing:512").embed("file").shape == (512,)


@pytest.mark.parametrize("spec", ["hashing:many", "hashing:0", "hashing:12", "hashing:8192", "hashing:-8", "hashing:²"])
def test_other_numbers_of_dimensions_are_refused(spec: str) -> None:
    with pytest.raises(EmbedderError, match="dimensions"):
        create_embedder(spec)
