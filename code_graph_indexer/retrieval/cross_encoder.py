"""Score chunks with a cross-encoder, a model that reads the query and a chunk together. It runs in the `fastembed` package.

The model is a name that fastembed knows and downloads once (`Xenova/ms-marco-MiniLM-L-6-v2`), or a folder with an ONNX
export, which needs no network.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from fastembed.common.model_description import ModelSource
from fastembed.rerank.cross_encoder import TextCrossEncoder

from code_graph_indexer.embedders.base import closest
from code_graph_indexer.embedders.fastembed import CACHE, MODEL_ERRORS, check_tokenizer, model_file
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.outside import path_of

RUN_ERRORS: tuple[type[Exception], ...] = (*MODEL_ERRORS, IndexError)

BATCH_SIZE = 8
"""Number of pairs (query, chunk) that the model reads at once.

All pairs are padded to the longest, so larger batches cost memory and are no faster on a CPU."""


class CrossEncoder:
    """A cross-encoder that scores how well texts answer a query. It runs for one thread at a time, with all cores.

    Raises EmbedderError if the model cannot be loaded or run.
    """

    def __init__(self, model: str, *, cache_dir: str | Path = CACHE) -> None:
        self.name = model
        self._lock = Lock()
        models = {
            str(model_entry["model"]).lower(): str(model_entry["model"])
            for model_entry in TextCrossEncoder.list_supported_models()
        }
        folder = None if model.lower() in models else path_of(model)
        if folder is not None and not folder.is_dir():
            hint = closest(model, list(models.values()))
            raise EmbedderError(f"fastembed knows no cross-encoder {model!r}, nor is it a folder.{hint}")
        name = models[model.lower()] if folder is None else _register(folder)
        try:
            self._model = TextCrossEncoder(
                name,
                cache_dir=str(path_of(cache_dir)),
                specific_model_path=None if folder is None else str(folder),
            )
        except MODEL_ERRORS as exc:
            raise EmbedderError(f"the cross-encoder {model!r} cannot be loaded: {exc}") from exc

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, higher is better. Scores of different queries cannot be compared."""
        try:
            with self._lock:
                scores = [float(score) for score in self._model.rerank(query, list(texts), batch_size=BATCH_SIZE)]
        except RUN_ERRORS as exc:
            raise EmbedderError(f"the cross-encoder {self.name!r} cannot be run: {exc}") from exc
        # NaN compares with nothing, so the order of the results would be arbitrary.
        if not np.isfinite(scores).all():
            raise EmbedderError(
                f"the cross-encoder {self.name!r} gives numbers that are not finite; take another export"
            )
        return scores


def _register(folder: Path) -> str:
    name = f"cross-encoder:{folder.resolve()}"
    file = model_file(folder)
    check_tokenizer(folder / "tokenizer.json")
    # fastembed refuses to register a model twice in one process.
    if not any(model["model"] == name for model in TextCrossEncoder.list_supported_models()):
        TextCrossEncoder.add_custom_model(model=name, sources=ModelSource(hf=name), model_file=file)
    return name
