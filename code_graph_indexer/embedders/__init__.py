"""Embedders, which turn texts into unit vectors. Each embedder is one file, with the name that the user types."""

from typing import TYPE_CHECKING

from code_graph_indexer.embedders.base import Embedder, EmbedderStats, create_embedder, embedder_names

if TYPE_CHECKING:
    from code_graph_indexer.embedders.base import Vectors as Vectors

__all__ = ["Embedder", "EmbedderStats", "create_embedder", "embedder_names"]
