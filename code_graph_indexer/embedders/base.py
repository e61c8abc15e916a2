"""The protocol of an embedder, and the function that makes an embedder from the name that a user types."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import EmbedderError
from code_graph_indexer.extras import install_command

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    # An update that finds nothing changed asks an embedder for its name alone.
    np = late_module("numpy")


@dataclass(frozen=True, slots=True)
class EmbedderStats:
    """Counts of what an embedder has done since it was made. `seconds` is the wall time of embedding.

    `requests` includes repeated requests, which `retries` counts too.
    """

    texts: int = 0
    requests: int = 0
    retries: int = 0
    seconds: float = 0.0

    def __add__(self, more: EmbedderStats) -> EmbedderStats:
        return EmbedderStats(
            self.texts + more.texts,
            self.requests + more.requests,
            self.retries + more.retries,
            self.seconds + more.seconds,
        )


@runtime_checkable
class Embedder(Protocol):
    """An embedder, which turns texts into unit vectors.

    To bring an embedder of your own, write a class with these members and pass it to `CodeIndexer`.

    `name` is the argument of `create_embedder` that makes the same embedder again. The index records it. `in_workers` is
    true if the embedder is cheap to make and uses one core. Then the processes that parse also embed.

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
        """Return the vector of a query: shape (dimensions,), L2-normalised, or all zero for a blank text."""

    def embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of documents: shape (len(texts), dimensions), rows L2-normalised, in the order of the texts.

        The vector of a blank text is all zero. The vector of a text must not depend on the other texts of the batch.
        """

    @property
    def stats(self) -> EmbedderStats:
        """Return the counts up to now."""


def unit_rows(vectors: NDArray[np.number]) -> Vectors:
    """Return the rows scaled to length 1. A row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def closest(name: str, names: Sequence[str]) -> str:
    """Return ` Did you mean …?` with the most similar of the names, or an empty string if none is similar."""
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def embedder_names() -> list[str]:
    """List the names of all embedders, sorted. Each name is a file of this folder."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "base"))


def create_embedder(spec: str, **options: object) -> Embedder:
    """Return the embedder for a spec, which is `name` or `name:model`.

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
    except ModuleNotFoundError as exc:
        # The file of the embedder is there, so what is missing is a package that it imports.
        raise EmbedderError(
            f"the embedder {name!r} needs the package {exc.name!r}; run: {install_command(name)}"
        ) from exc
    # No isinstance(embedder, Embedder) here: before Python 3.12 it evaluates `dimensions`, which may ask a server.
    embedder: Embedder = module.create(model, **options)
    return embedder
