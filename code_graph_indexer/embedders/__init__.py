"""Embedders, which turn texts into unit vectors. Each embedder is one file, with the name that the user types."""

from code_graph_indexer.embedders.base import Embedder, EmbedderStats, Vectors, create_embedder, embedder_names

__all__ = ["Embedder", "EmbedderStats", "Vectors", "create_embedder", "embedder_names"]
