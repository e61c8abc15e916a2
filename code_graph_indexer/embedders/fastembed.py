"""Transformer models on this machine, through the `fastembed` package and ONNX.

A model is either a name that fastembed knows and downloads once (`fastembed:BAAI/bge-small-en-v1.5`), or a folder with
an ONNX export (`fastembed:./models/mine`). The index records a folder as `mine@<fingerprint>`, without its path,
because the index may move to another machine. There, a folder of this name is searched in the cache and in the working
folder. If it is elsewhere, give its path again.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors

from code_graph_indexer.embedders.base import EmbedderStats, closest, unit_rows
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.outside import path_of

if TYPE_CHECKING:
    from code_graph_indexer.embedders.base import Vectors

MODEL = "jinaai/jina-embeddings-v2-base-code"
"""The default model: trained on code, 768 dimensions, 8,192 tokens of context, 0.64 GB."""

CACHE = "~/.cache/fastembed"
"""The folder for downloaded models. fastembed's own default is the temporary folder, which a restart empties."""

BATCH_SIZE = 1
"""The number of texts that the model gets at a time.

On a CPU, 1 is fastest, because nothing is padded. With more, padding and dynamic quantisation make the last bits of a
vector depend on the other texts. A GPU is faster with more.
"""

MODEL_FILES = (
    "onnx/model.onnx",
    "model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
)
"""The paths that a model file may have inside its folder. The first one that exists is used."""

POOLING_FILE = "1_Pooling/config.json"
"""The file in which sentence-transformers records its pooling: how token vectors become one vector.

Without this file, the token vectors are averaged.
"""

POOLINGS = {"pooling_mode_mean_tokens": PoolingType.MEAN, "pooling_mode_cls_token": PoolingType.CLS}
"""The poolings that we support, by their key in POOLING_FILE."""

SIDE_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json", POOLING_FILE)
"""The files in the folder, besides the model, that change the vectors."""

Run = Callable[..., Iterable[NDArray[np.number]]]

_PINNED = re.compile(r"(?P<folder>[^/\\]+)@(?P<fingerprint>[0-9a-f]{12})")
MODEL_ERRORS: tuple[type[Exception], ...] = (
    *(OSError, ValueError, RuntimeError),
    *(kind for kind in vars(onnx_errors).values() if isinstance(kind, type) and issubclass(kind, Exception)),
)


def create(
    model: str = "",
    *,
    cache_dir: str | Path = CACHE,
    batch_size: int = BATCH_SIZE,
    threads: int | None = None,
    local_files_only: bool = False,
) -> FastEmbedder:
    """Return the embedder for the name of a model, for a folder, or for the name that an index recorded for a folder.

    A model that is not in the cache is downloaded, unless `local_files_only`. Raises EmbedderError if the model is
    unknown, is damaged or cannot be downloaded.
    """
    spec = model or MODEL
    cache = path_of(cache_dir)
    models = _supported_models()
    folder = None if spec.lower() in models else _find_folder(spec, cache, list(models.values()))
    name = models[spec.lower()] if folder is None else _register(folder)
    try:
        loaded = TextEmbedding(
            name,
            cache_dir=str(cache),
            threads=threads,
            local_files_only=local_files_only,
            specific_model_path=None if folder is None else str(folder),
        )
    except MODEL_ERRORS as exc:
        raise EmbedderError(f"fastembed cannot load {spec!r}: {exc}; {_advice(folder)}") from exc
    return FastEmbedder(name, loaded, batch_size)


class FastEmbedder:
    """An embedder that runs a model through ONNX, for one thread at a time: a run uses all cores anyway."""

    in_workers = False

    def __init__(self, name: str, model: TextEmbedding, batch_size: int) -> None:
        self.name = f"fastembed:{name}"
        self.stats = EmbedderStats()
        self._model = model
        self._lock = Lock()
        self._batch_size = batch_size
        # A folder is registered without its dimensions, so they are measured.
        self.dimensions = self._run(model.passage_embed, ["probe"]).shape[1]

    def embed(self, text: str) -> Vectors:
        """Return the vector of a query. A model may embed queries in another way than documents."""
        vector: Vectors = self._embed(self._model.query_embed, [text])[0]
        return vector

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of documents, one row per text, in order. Blank texts get zeros."""
        return self._embed(self._model.passage_embed, texts)

    def _embed(self, run: Run, texts: Sequence[str]) -> Vectors:
        """Return the unit vectors of texts by a method of the model, one row per text, in order. Blank texts get zeros."""
        started = time.perf_counter()
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        # A model would give a blank text a vector like any other.
        filled = [row for row, text in enumerate(texts) if text.strip()]
        if filled:
            vectors[filled] = self._run(run, [texts[row] for row in filled])
        self.stats += EmbedderStats(texts=len(texts), requests=1, seconds=time.perf_counter() - started)
        return unit_rows(vectors)

    def _run(self, run: Run, texts: list[str]) -> NDArray[np.number]:
        """Return the vectors of texts as the model gives them. Raises EmbedderError if it fails, or gives no finite numbers."""
        try:
            with self._lock:
                vectors = np.array(list(run(texts, batch_size=self._batch_size)))
        except MODEL_ERRORS as exc:
            advice = "its first output must be token vectors of shape (texts, tokens, dimensions)"
            raise EmbedderError(f"the model {self.name!r} cannot be run: {exc}; {advice}") from exc
        # A damaged export may give NaN, which no distance can be computed from.
        if not np.isfinite(vectors).all():
            raise EmbedderError(f"the model {self.name!r} gives numbers that are not finite; take another export of it")
        return vectors


def _advice(folder: Path | None) -> str:
    """Say what to do about a model that cannot be read. Without a folder, it is one that is downloaded."""
    if folder is None:
        return "check the network, or give a folder with the model: fastembed:/path/to/folder"
    return f"export the model again: a folder has {MODEL_FILES[0]} or {MODEL_FILES[1]} and {', '.join(SIDE_FILES[:4])}"


def _supported_models() -> dict[str, str]:
    """Map the lower-case name of each model that can be downloaded to its exact name. Registered folders are left out."""
    names = [str(model["model"]) for model in TextEmbedding.list_supported_models()]
    return {name.lower(): name for name in names if not _PINNED.fullmatch(name)}


def _find_folder(spec: str, cache: Path, models: Sequence[str]) -> Path:
    """Return the folder for a path, or for a recorded name such as `mine@<fingerprint>`.

    Raises EmbedderError if there is none.
    """
    if pinned := _PINNED.fullmatch(spec):
        return _find_pinned(pinned["folder"], pinned["fingerprint"], cache)
    folder = path_of(spec)
    if not folder.is_dir():
        hint = closest(spec, models)
        raise EmbedderError(f"fastembed knows no model {spec!r}, nor is it a folder.{hint} The default is {MODEL}.")
    return folder


def _find_pinned(name: str, fingerprint: str, cache: Path) -> Path:
    """Return the folder of this name, in the cache or here, whose model has this fingerprint. Raises EmbedderError."""
    for folder in (cache / name, Path(name)):
        # Another model may lie in a folder of that name, so the fingerprint decides.
        if folder.is_dir() and _fingerprint(folder, model_file(folder)) == fingerprint:
            return folder
    raise EmbedderError(
        f"the model {name}@{fingerprint} is a folder that is neither in {cache} nor here; "
        f"copy it there, or give its path: fastembed:/path/to/{name}"
    )


def _register(folder: Path) -> str:
    """Register a folder with fastembed. Return its name `mine@<fingerprint>`, which the index also records."""
    file = model_file(folder)
    name = f"{folder.resolve().name}@{_fingerprint(folder, file)}"
    check_tokenizer(folder / "tokenizer.json")
    # fastembed refuses to register a name twice.
    if not any(model["model"] == name for model in TextEmbedding.list_supported_models()):
        TextEmbedding.add_custom_model(
            model=name,
            pooling=_pooling(folder),
            normalization=True,
            sources=ModelSource(hf=name),  # never asked: the folder is given when the model is loaded
            dim=0,  # read from the first vector instead
            model_file=file,
        )
    return name


def model_file(folder: Path) -> str:
    """Return the path of the model file inside a folder. Raises EmbedderError if there is none."""
    for candidate in MODEL_FILES:
        if (folder / candidate).is_file():
            return candidate
    raise EmbedderError(f"there is no model in {folder}: it needs one of {', '.join(MODEL_FILES)}")


def _fingerprint(folder: Path, file: str) -> str:
    """Return a hash of all files that change the vectors: model, weights (`model.onnx_data`), tokenizer and settings.

    It has 12 hexadecimal digits.
    """
    weights = sorted(path.relative_to(folder).as_posix() for path in folder.glob(f"{file}*"))
    total = hashlib.sha256()
    for name in (*weights, *SIDE_FILES):
        if (folder / name).is_file():
            with (folder / name).open("rb") as stream:
                total.update(name.encode() + b"\0" + hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()[:12]


def _pooling(folder: Path) -> PoolingType:
    """Return how a model makes one vector of those of the tokens: as its POOLING_FILE says, or else their mean."""
    path = folder / POOLING_FILE
    if not path.is_file():
        return PoolingType.MEAN
    chosen = [key for key, value in _read_json(path).items() if key.startswith("pooling_mode_") and value is True]
    if len(chosen) != 1 or chosen[0] not in POOLINGS:
        raise EmbedderError(f"{path} asks for {', '.join(chosen) or 'no pooling'}; supported: {' or '.join(POOLINGS)}")
    return POOLINGS[chosen[0]]


def check_tokenizer(path: Path) -> None:
    """Raise EmbedderError if a tokenizer file is broken. The tokenizers package itself would raise a bare Exception."""
    if "model" not in _read_json(path):
        raise EmbedderError(f"{path} is no tokenizer; {_advice(path.parent)}")


def _read_json(path: Path) -> dict[str, object]:
    """Return the object in a file of JSON, empty for any other value. Raises EmbedderError if it cannot be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise EmbedderError(f"{path} cannot be read: {exc}; {_advice(path.parent)}") from exc
    return content if isinstance(content, dict) else {}
