"""Embedders turn texts into unit vectors. Each is one file, named as the user types it."""

from code_graph_indexer.embedders.base import Embedder, EmbedderStats, Vectors, create_embedder, embedder_names

__all__ = ["Embedder", "EmbedderStats", "Vectors", "create_embedder", "embedder_names"]
