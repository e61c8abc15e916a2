"""Static embedding models: the vector of a text is a sum of one vector per word piece. They need only NumPy.

They embed thousands of chunks per second. `static` is the model in the package, trained for code
(docs/explanation/model.md). The vector of a text is Σ round(U · tf^0.4 · scale) · vector over its distinct pieces,
scaled to length 1. The first line of a chunk has its path, and counts TITLE_WEIGHT times. Weights and vectors are whole
numbers whose sums are exact in a float. So a vector has the same bits on every machine and in every batch.

`static:FOLDER` loads any model in the format of model2vec (github.com/MinishLab/model2vec). The folder has
`model.safetensors` and `tokenizer.json`, and the vector of a text is the mean of its token vectors. This needs the
package `tokenizers`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from code_graph_indexer.doors import late_module
from code_graph_indexer.embedders.base import EmbedderStats, unit_rows
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.outside import path_of
from code_graph_indexer.words import TokenTable, chunk_tokens, sub_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from code_graph_indexer.embedders.base import Vectors
else:
    np = late_module("numpy")

MODEL_FILE = "static.npz"
"""The file of the package's model, in the folder of this module."""

MODEL_DIMENSIONS = 256
"""The dimensions of the package's model.

They are written here so that a check for an outdated index need not load the model.
"""

TF_POWER = 0.4
"""The exponent that damps a piece's count in a text."""

TITLE_WEIGHT = 3
"""How many times the first line of a text counts."""

WEIGHT_UNIT = 256
"""The weight of a piece with the median norm. It is large, because weights are rounded to whole numbers."""

BATCH = 32
"""The number of texts whose vectors one matrix product sums. The texts of one file share most of their pieces."""

EXACT_FLOAT32 = 1 << 24
"""The limit below which every whole number is exact as a 32-bit float."""

COUNT_LIMIT = 1_000
"""The largest count of a piece in a text. Further occurrences are ignored, because such a text is a table."""

FOLDER_FILES = ("model.safetensors", "tokenizer.json")
"""The files that a folder with a model2vec model must have."""

# In any language: a line that begins no comment, attribute, decorator or docstring.
_TELLING_LINE = re.compile(r"""^[ \t]*(?!//|/\*|\*|\#|--|;|@|\[|["']{3})\S.*""", re.M)
_TENSOR_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "i1"}
_FORMAT_ERRORS = (ValueError, KeyError, IndexError, TypeError, OSError)


class Tokens(Protocol):
    """A tokenizer: it cuts a text into the ids of a model's tokens. `packing` is the NumPy type of an id, such as `<u2`."""

    packing: str

    def ids(self, text: str) -> bytes:
        """Return the token ids of a text in order, as the bytes of an array of type `packing`."""


class Model(NamedTuple):
    """A model: its tokenizer, a table with one vector (row) per token id, and one weight per token id."""

    tokens: Tokens
    table: NDArray[np.int8]
    weights: NDArray[np.float64]


MAX_WORD = 40
"""The number of characters of a word that are read. A longer word is data, not language."""


PIECE_START = 2
"""The characters at the start of a piece by which the length of the longest such piece is looked up."""


class Pieces:
    """A tokenizer that cuts texts into the pieces of a vocabulary.

    A word is a sub-word of an identifier or a word of prose, in lower case. From left to right, the longest piece of
    the vocabulary that fits is cut off. A character that begins no piece is left out.
    """

    packing = "<u2"

    def __init__(self, vocabulary: list[str]) -> None:
        self._ids = {piece: number.to_bytes(2, "little") for number, piece in enumerate(vocabulary)}
        self._longest: dict[str, int] = {}
        for piece in vocabulary:
            start = piece[:PIECE_START]
            self._longest[start] = max(len(piece), self._longest.get(start, 0))
        self._of_word = TokenTable(self._cut)
        self._of_token = TokenTable(lambda token: b"".join(map(self._of_word.__getitem__, sub_words(token))))

    def _cut(self, word: str) -> bytes:
        """Return the packed ids of the pieces of a word, from left to right, the longest that fits each time."""
        ids = b""
        offset, word = 0, word[:MAX_WORD]
        while offset < len(word):
            # Without a piece that begins so, only a single character may be one.
            longest = self._longest.get(word[offset : offset + PIECE_START], 1)
            for end in range(min(len(word), offset + longest), offset, -1):
                if number := self._ids.get(word[offset:end]):
                    ids += number
                    break
            else:
                # No piece begins with this character, so it is left out.
                end = offset + 1
            offset = end
        return ids

    def ids(self, text: str) -> bytes:
        """Return the ids of a text's pieces in order, packed into bytes."""
        return b"".join(map(self._of_token.__getitem__, chunk_tokens(text)))


def create(model: str = "") -> StaticEmbedder:
    """Return the embedder with the package's model, or with the model in the folder `model`.

    Raises EmbedderError if the folder has no model2vec model.
    """
    return _load_folder(path_of(model)) if model else load_own()


class StaticEmbedder:
    """An embedder that sums the vectors of a text's pieces. `model` is called at the first text, to load the model.

    Several threads may share it, because the model never changes.
    """

    def __init__(
        self,
        name: str,
        dimensions: int,
        model: Callable[[], Model],
        *,
        tf_power: float = TF_POWER,
        title_weight: int = TITLE_WEIGHT,
        in_workers: bool = True,
    ) -> None:
        self.name = name
        self.in_workers = in_workers
        self.dimensions = dimensions
        self.stats = EmbedderStats()
        self._model = model
        self._title_weight = title_weight
        self._tf_power = tf_power

    def embed(self, text: str) -> Vectors:
        """Return the vector of one text."""
        vector: Vectors = self.embed_batch([text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, one row per text, in order."""
        started = time.perf_counter()
        parts = [self._sums(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        vectors = unit_rows(np.concatenate(parts)) if parts else np.zeros((0, self.dimensions), np.float32)
        self.stats += EmbedderStats(texts=len(texts), requests=1, seconds=time.perf_counter() - started)
        return vectors

    @cached_property
    def _damped(self) -> NDArray[np.float64]:
        """Return the damped count of each count up to COUNT_LIMIT."""
        return np.power(np.arange(COUNT_LIMIT + 1, dtype=np.float64), self._tf_power)

    def _sums(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the exact sum of the weighted piece vectors for each text of one batch, one row per text."""
        tokens, table, piece_weights = self._model()
        # Repeating the packed ids of the title counts each of its pieces more often.
        packed = [tokens.ids(title) * self._title_weight + tokens.ids(rest) for title, rest in map(_titled, texts)]
        ids = np.frombuffer(b"".join(packed), dtype=tokens.packing)
        # List the pieces used, and the position of each among them. np.unique would have to sort.
        is_used = np.zeros(len(table), np.bool_)
        is_used[ids] = True
        used = np.flatnonzero(is_used)
        positions = np.empty(len(table), np.int32)
        positions[used] = np.arange(len(used))
        lengths = [len(ids_of_text) // ids.itemsize for ids_of_text in packed]
        cells = np.repeat(np.arange(len(texts)) * len(used), lengths) + positions[ids]
        counts = np.bincount(cells, minlength=len(texts) * len(used))
        damped = self._damped[np.minimum(counts, COUNT_LIMIT)].reshape(len(texts), len(used))
        weights = np.rint(damped * piece_weights[used])
        # An entry of the table is at most 128. While no sum can pass the limit, 32 bits are exact too.
        bound = weights.sum(axis=1).max(initial=0) * 128
        kind = np.float32 if bound < EXACT_FLOAT32 else np.float64
        sums: NDArray[np.float64] = (weights.astype(kind) @ table[used].astype(kind)).astype(np.float64)
        return sums


def _titled(text: str) -> tuple[str, str]:
    """Split a text into its title, which is its first line, and the rest. A text of a single line has no title.

    If the first line is blank, the title is the first line that is not a comment, attribute, decorator or docstring.
    """
    title, _, rest = text.partition("\n")
    if not rest and "\n" not in text:
        return "", title
    if not title or title.isspace():
        match = _TELLING_LINE.search(rest)
        title = match[0] if match else ""
    return title, rest


def load_own(*, tf_power: float = TF_POWER, title_weight: int = TITLE_WEIGHT) -> StaticEmbedder:
    """Return the embedder with the package's model. Other weights than the defaults are for measurements."""
    return StaticEmbedder("static", MODEL_DIMENSIONS, _package_model, tf_power=tf_power, title_weight=title_weight)


@cache
def _package_model() -> Model:
    """Read the model of the package, once per process. A forked worker inherits it from its parent process."""
    with (resources.files("code_graph_indexer.embedders") / MODEL_FILE).open("rb") as stream:
        arrays = np.load(stream)
        table, scales = arrays["table"], arrays["scales"].astype(np.float64)
        table.setflags(write=False)
        vocabulary = arrays["pieces"].tobytes().decode().split("\n")
    return Model(Pieces(vocabulary), table, _whole_weights(scales))


def _whole_weights(scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights by the scales of the vectors, so that the median one weighs WEIGHT_UNIT."""
    ordered = np.sort(scales)
    # Not np.median: it imports masked arrays, a twentieth of a second of every search from the command line.
    median = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    weights: NDArray[np.float64] = scales * (WEIGHT_UNIT / median)
    weights.setflags(write=False)
    return weights


def _load_folder(folder: Path) -> StaticEmbedder:
    """Return the embedder with the model2vec model in a folder.

    Raises EmbedderError if files are missing or broken, a token has no vector, or a value is not a finite number.
    """
    files = [folder / name for name in FOLDER_FILES]
    if not all(file.is_file() for file in files):
        raise EmbedderError(f"{folder} has no {' and '.join(FOLDER_FILES)}; give the folder of a model2vec model")
    try:
        vectors = _read_safetensors(files[0])
        tokens = _HubTokens(files[1])
    except _FORMAT_ERRORS as exc:
        raise EmbedderError(f"{folder} holds no model2vec model that can be read: {exc}; fetch it again") from exc
    if vectors.ndim != 2 or not np.isfinite(vectors).all() or len(vectors) < tokens.size:
        raise EmbedderError(
            f"{folder} has no vector of numbers for each of its {tokens.size} tokens; fetch the model again"
        )
    # Each vector is stretched to the range of 8 bits. What it loses in length, the weight of its piece gives back.
    scales = np.maximum(np.abs(vectors).max(axis=1, initial=0), 1e-12) / 127
    table = np.rint(vectors / scales[:, None]).astype(np.int8)
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
    name = f"static:{folder.resolve().name}@{digest}"
    model = Model(tokens, table, _whole_weights(scales))
    # model2vec takes the plain mean of the vectors, so counts are not damped.
    return StaticEmbedder(name, table.shape[1], lambda: model, tf_power=1.0, in_workers=False)


class _HubTokens:
    """A tokenizer that is read from a tokenizer.json. It adds no special tokens. Threads may share it: it never changes."""

    packing = "<u4"

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer  # only for models that a user brings

        if "model" not in json.loads(path.read_bytes()):
            raise ValueError("tokenizer.json is no tokenizer")
        self._tokenizer = Tokenizer.from_file(str(path))
        # The file may tell the tokenizer to cut or pad texts. Here every token of a text counts, and no other.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.size = int(self._tokenizer.get_vocab_size())

    def ids(self, text: str) -> bytes:
        return np.array(self._tokenizer.encode(text, add_special_tokens=False).ids, dtype=self.packing).tobytes()


def _read_safetensors(path: Path) -> NDArray[np.float64]:
    """Return the tensor `embeddings` of a safetensors file, of shape (tokens, dimensions).

    If the file also has a tensor `weights`, each row is multiplied by its weight.
    """
    content = path.read_bytes()
    # The first 8 bytes hold the length of the JSON header. The tensors follow it.
    body = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:body])

    def tensor(name: str) -> NDArray[np.float64]:
        about = header[name]
        begin, end = about["data_offsets"]
        flat = np.frombuffer(content[body + begin : body + end], dtype=_TENSOR_TYPES[about["dtype"]])
        return flat.reshape(about["shape"]).astype(np.float64)

    vectors = tensor("embeddings")
    return vectors * tensor("weights").reshape(-1, 1) if "weights" in header else vectors
