"""Answer a query from the cached results of the same query, or of a query with the same meaning."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.results import RetrievedContext, SignalRank
from code_graph_indexer.storage.cache import CacheEntry, CacheStore


class SemanticCache:
    """A cache of search results, for queries that users repeat in the same or in other words.

    A result is reused only with the same embedder and the same `conditions`, such as the filters and the state of the index.
    Two queries share a result if their cosine similarity reaches `threshold` and they have the same names, numbers and quoted
    texts. So "who calls `a`" never answers "who calls `b`", although the sentences are similar.
    """

    def __init__(self, store: CacheStore, embedder: Embedder | None, *, threshold: float) -> None:
        self._store = store
        self._embedder = embedder
        self._threshold = threshold

    def get(self, query: str, conditions: Sequence[object]) -> list[Fused] | None:
        """Return the cached result of this query, else of the most similar query, best hit first. None if there is neither."""
        scope = self._scope(query, conditions)
        entries = self._store.entries(scope)
        # The same text needs no vector, which costs time to make.
        match = next((entry for entry in entries if entry.query == query), None)
        if match is None and entries and self._embedder is not None:
            vector = self._embedder.embed(query)
            # A damaged entry may have a vector of another length, which cannot be compared.
            alike = [entry for entry in entries if len(entry.vector) == vector.nbytes]
            # Vectors have length 1, so their product is the cosine.
            similar = [float(np.frombuffer(entry.vector, dtype=np.float32) @ vector) for entry in alike]
            if similar and max(similar) >= self._threshold:
                match = alike[similar.index(max(similar))]
        return _unpacked(match.result) if match is not None else None

    def put(self, query: str, conditions: Sequence[object], contexts: Sequence[RetrievedContext]) -> None:
        """Store the results of a query for later calls of `get` with the same conditions."""
        vector = self._embedder.embed(query).astype(np.float32).tobytes() if self._embedder is not None else b""
        # Only ids and scores are cached. Texts and neighbours are read from the index with each answer.
        result = [
            [context.node_id, context.score, [list(signal) for signal in context.signals]] for context in contexts
        ]
        self._store.put(self._scope(query, conditions), CacheEntry(query, vector, json.dumps(result)))

    def _scope(self, query: str, conditions: Sequence[object]) -> str:
        read = read_query(query)
        numbers = [word for word in query.split() if any(char.isdigit() for char in word)]
        # What two queries must share is part of the key, so that only their wording is left to the vectors.
        same = (*sorted(read.names), *sorted(read.qualified), *sorted(read.quoted), *sorted(numbers))
        name = self._embedder.name if self._embedder is not None else ""
        return hashlib.sha256(repr((name, *conditions, same)).encode("utf-8", "replace")).hexdigest()


def _unpacked(result: str) -> list[Fused] | None:
    """Parse a cached result from JSON. A damaged result gives None."""
    try:
        rows: Any = json.loads(result)
        return [
            Fused(
                int(chunk),
                float(score),
                tuple(SignalRank(str(signal[0]), int(signal[1]), *map(float, signal[2:4])) for signal in signals),
            )
            for chunk, score, signals in rows
        ]
    except (ValueError, TypeError):
        return None
