"""What an embedder is, and how one is made from the name a user types."""

import difflib
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.errors import EmbedderError

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderStats:
    """Count what an embedder did since it was made; `seconds` is wall time spent embedding."""

    texts: int = 0
    requests: int = 0
    retries: int = 0
    seconds: float = 0.0

    def __add__(self, more: "EmbedderStats") -> "EmbedderStats":
        return EmbedderStats(
            self.texts + more.texts,
            self.requests + more.requests,
            self.retries + more.retries,
            self.seconds + more.seconds,
        )


@runtime_checkable
class Embedder(Protocol):
    """Turn texts into unit vectors.

    `name` is the spec that makes the same embedder again; it is recorded in the index. `in_workers` says that the
    embedder is cheap to make and keeps one core busy, so that parse workers embed too.
    """

    name: str
    in_workers: bool

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""

    def embed(self, text: str) -> Vectors:
        """Embed a query; return shape (dimensions,), L2-normalised (all zero for a blank text)."""

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Embed documents; return shape (len(texts), dimensions), rows L2-normalised, in the order of the texts.

        The vector of a text does not depend on the other texts, nor on how they are cut into batches.
        """

    @property
    def stats(self) -> EmbedderStats:
        """Return the counts so far."""


def unit_rows(vectors: NDArray[np.number]) -> Vectors:
    """Scale every row to length 1; a row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def closest(name: str, known: Sequence[str]) -> str:
    """Write ` Did you mean …?` when a known name is close to the one received, nothing otherwise."""
    close = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def embedder_names() -> list[str]:
    """List the embedders there are: one file of this folder each."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "base"))


def create_embedder(spec: str, **options: object) -> Embedder:
    """Make an embedder from `name` or `name:model`; the options are those of the embedder's `create`.

    Raises EmbedderError when the name is unknown, its package is missing or its model cannot be loaded.
    """
    name, _, model = spec.partition(":")
    names = embedder_names()
    if name not in names:
        raise EmbedderError(f"there is no embedder {name!r}.{closest(name, names)} Known: {', '.join(names)}.")
    try:
        module = importlib.import_module(f"code_graph_indexer.embedders.{name}")
    except ModuleNotFoundError as exc:
        advice = f"pip install 'code-graph-indexer[{name}]'"
        raise EmbedderError(f"the embedder {name!r} needs the package {exc.name!r}: {advice}") from exc
    # No isinstance(embedder, Embedder) here: before Python 3.12 it evaluates `dimensions`, which may ask a server.
    embedder: Embedder = module.create(model, **options)
    return embedder
