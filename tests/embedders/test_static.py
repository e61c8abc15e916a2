"""The static model has exact sums, titles that count and pieces for any word. It reads model2vec folders, no broken ones."""

import json
import random
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder, create_embedder
from code_graph_indexer.embedders.static import Pieces, load_own
from code_graph_indexer.errors import EmbedderError

WORDS = st.sampled_from(["getHTTPUrl", "read_file", "the", "__init__", "x2", "0xdeadbeef", "naïve", "文件", "σ2", "\n"])
CODE = st.lists(WORDS | st.text(max_size=8), max_size=40).map(" ".join)
TOKENS = ("[UNK]", "read", "file", "write", "socket")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return create_embedder("static")


@given(texts=st.lists(CODE, min_size=1, max_size=40), order=st.randoms(use_true_random=False))
def test_a_vector_depends_on_its_text_alone_bit_for_bit(
    embedder: Embedder, texts: list[str], order: random.Random
) -> None:
    shuffled = order.sample(range(len(texts)), len(texts))
    together = embedder.embed_batch([texts[row] for row in shuffled])
    for row, vector in zip(shuffled, together, strict=True):
        assert vector.tobytes() == embedder.embed(texts[row]).tobytes()


@given(text=CODE)
def test_a_vector_has_length_one_or_zero(embedder: Embedder, text: str) -> None:
    norm = float(np.linalg.norm(embedder.embed(text)))
    assert norm == pytest.approx(1, abs=1e-6) or norm == 0


def test_a_title_draws_a_vector_by_its_weight() -> None:
    title, body = "network/socket.py Socket.connect", "def average(values): return sum(values) / len(values)"
    drawn = [load_own(title_weight=weight) for weight in (1, 3, 9)]
    near = [float(model.embed(title) @ model.embed(f"{title}\n{body}")) for model in drawn]
    assert near == sorted(near) and near[0] < near[-1]


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("delete a file", "os.remove(path)", "socket.connect(address)"),
        (
            "open a network connection",
            "socket.connect(address)",
            "def average(values): return sum(values) / len(values)",
        ),
        ("authentication", "def check_login(user, password): ...", "def draw_circle(canvas, radius): ..."),
        ("convert text to lower case", "return name.lower()", "return x * y"),
    ],
)
def test_meaning_is_found_without_a_shared_word(embedder: Embedder, query: str, near: str, far: str) -> None:
    expected = embedder.embed(query)
    assert expected @ embedder.embed(near) > expected @ embedder.embed(far)


def test_the_first_of_several_lines_counts_more(embedder: Embedder) -> None:
    query = embedder.embed("socket")
    assert query @ embedder.embed("net/socket.py\nread file") > query @ embedder.embed("read file\nnet/socket.py")


@pytest.mark.parametrize("above", ["", "# reads\n@cached\n", "/// reads\n#[inline]\n", '"""Read."""\n\n'])
def test_a_text_without_a_title_has_its_first_telling_line_for_one(embedder: Embedder, above: str) -> None:
    body = f"{above}def open_socket(path):\n    return read(path)"
    assert embedder.embed(f"\n{body}").tobytes() == embedder.embed(f"def open_socket(path):\n{body}").tobytes()
    assert embedder.embed(f"\n{body}").tobytes() != embedder.embed(f"...\n{body}").tobytes()
    assert not embedder.embed("\n\n").any()


@pytest.mark.slow
def test_a_long_text_is_summed_as_exactly(embedder: Embedder) -> None:
    text = " ".join(f"word{number} value{number * 7} socket" for number in range(20_000))
    assert embedder.embed(text).tobytes() == embedder.embed_batch(["a", text, "b"])[1].tobytes()


def test_a_word_is_cut_into_the_longest_pieces_from_its_left() -> None:
    pieces = Pieces(["de", "serialize", "s", "serial", "a"])
    piece_ids = {
        text: list(memoryview(pieces.ids(text)).cast("H")) for text in ("Deserialize", "serials a-zz-A", "文件")
    }
    assert piece_ids == {"Deserialize": [0, 1], "serials a-zz-A": [3, 2, 4, 4], "文件": []}


def write_folder(folder: Path, vectors: NDArray[np.float32], *, tokens: tuple[str, ...] = TOKENS) -> Path:
    """Write a model in model2vec's format: a word a token."""
    folder.mkdir(exist_ok=True)
    header = {"embeddings": {"dtype": "F32", "shape": list(vectors.shape), "data_offsets": [0, vectors.nbytes]}}
    encoded = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(encoded)) + encoded + vectors.tobytes())
    vocabulary = {token: number for number, token in enumerate(tokens)}
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    tokenizer = {"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model, "added_tokens": []}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    return folder


def test_a_folder_in_the_format_of_model2vec_is_loaded(tmp_path: Path) -> None:
    vectors = np.eye(5, 8, dtype=np.float32) * np.array([[0.01], [1], [1], [1], [3]], dtype=np.float32)
    embedder = create_embedder(f"static:{write_folder(tmp_path / 'tiny', vectors)}")
    assert embedder.dimensions == 8
    assert embedder.name.startswith("static:tiny@")
    assert str(tmp_path) not in embedder.name
    assert not embedder.in_workers
    assert embedder.embed("read file") == pytest.approx(np.array([0, 1, 1, 0, 0, 0, 0, 0]) / np.sqrt(2), abs=0.01)
    assert embedder.embed("read socket")[4] == pytest.approx(3 / np.sqrt(10), abs=0.01)


@pytest.mark.parametrize(
    "damage", ["no folder", "no tokenizer", "no header", "cut", "few", "not numbers", "other json"]
)
def test_a_broken_folder_is_refused(tmp_path: Path, damage: str) -> None:
    vectors = np.ones((3 if damage == "few" else 5, 8), dtype=np.float32)
    if damage == "not numbers":
        vectors[1, 1] = np.nan
    folder = write_folder(tmp_path / "tiny", vectors)
    weights, tokenizer = folder / "model.safetensors", folder / "tokenizer.json"
    if damage == "no folder":
        folder = tmp_path / "missing"
    elif damage == "no tokenizer":
        tokenizer.unlink()
    elif damage == "no header":
        weights.write_bytes(b"\xff" * 100)
    elif damage == "cut":
        weights.write_bytes(weights.read_bytes()[:-40])
    elif damage == "other json":
        tokenizer.write_text("[]", encoding="utf-8")
    with pytest.raises(EmbedderError, match=r"tiny|missing"):
        create_embedder(f"static:{folder}")
