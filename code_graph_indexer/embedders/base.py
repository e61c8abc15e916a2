"""The protocol of an embedder, and how an embedder is made from the name that a user types."""

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
    """Count what an embedder did since it was made. `seconds` is the wall time spent embedding."""

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

    To bring an embedder of your own, write a class with these members and hand it to `CodeIndexer`.

    `name` is the spec that makes the same embedder again. It is recorded in the index. `in_workers` says that the
    embedder is cheap to make and keeps one core busy: then the processes that parse also embed.

    Example:
        >>> from code_graph_indexer import Embedder, create_embedder
        >>> embedder: Embedder = create_embedder("static")
        >>> embedder.embed_batch(["def add_tax(price): ...", ""]).shape
        (2, 256)
    """

    name: str
    in_workers: bool

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""

    def embed(self, text: str) -> Vectors:
        """Embed a query. Return shape (dimensions,), L2-normalised, or all zero for a blank text."""

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Embed documents. Return shape (len(texts), dimensions), rows L2-normalised, in the order of the texts.

        The vector of a text does not depend on the other texts, nor on how they are cut into batches.
        """

    @property
    def stats(self) -> EmbedderStats:
        """Return the counts so far."""


def unit_rows(vectors: NDArray[np.number]) -> Vectors:
    """Scale every row to length 1. A row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def closest(name: str, names: Sequence[str]) -> str:
    """Return ` Did you mean …?` with the name that is closest, or "" if none is close."""
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def embedder_names() -> list[str]:
    """List the names of all embedders: each is a file of this folder."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "base"))


def create_embedder(spec: str, **options: object) -> Embedder:
    """Make an embedder from `name` or `name:model`.

    `spec` is `static`, `hashing`, `hashing:512`, `fastembed:MODEL` or `openai:MODEL`. The options are those of the
    embedder's own `create` function: `api_key` and `base_url` of `openai`, `cache_dir` of `fastembed`, for example.

    Raises EmbedderError if the name is unknown, its package is missing or its model cannot be loaded.

    Example:
        >>> from code_graph_indexer import create_embedder
        >>> embedder = create_embedder("hashing:64")
        >>> embedder.name, embedder.embed("add a tax").shape
        ('hashing:64', (64,))
    """
    # Only the first colon separates: the name of a model may have one too.
    name, _, model = spec.partition(":")
    names = embedder_names()
    if name not in names:
        raise EmbedderError(f"there is no embedder {name!r}.{closest(name, names)} Known: {', '.join(names)}.")
    try:
        module = importlib.import_module(f"code_graph_indexer.embedders.{name}")
    # The file of the embedder is there, so what is missing is a package that it imports.
    except ModuleNotFoundError as exc:
        advice = f"pip install 'code-graph-indexer[{name}]'"
        raise EmbedderError(f"the embedder {name!r} needs the package {exc.name!r}: {advice}") from exc
    # No isinstance(embedder, Embedder) here: before Python 3.12 it evaluates `dimensions`, which may ask a server.
    embedder: Embedder = module.create(model, **options)
    return embedder
