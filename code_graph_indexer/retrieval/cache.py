"""Answer a query that was answered before, or one that means the same, from what was found then."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import RetrievedContext, SignalRank
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.storage.cache import CacheEntry, CacheStore


class SemanticCache:
    """Keep results by what they hold for: the index as it is, the embedder, and all that the search was told.

    A query is answered by one that is as similar as `threshold` (cosine) and has the same names, numbers and quotes: who
    calls `a` is no answer to who calls `b`, however alike the sentences are.
    """

    def __init__(self, store: CacheStore, embedder: Embedder | None, *, threshold: float) -> None:
        self._store = store
        self._embedder = embedder
        self._threshold = threshold

    def get(self, query: str, told: Sequence[object]) -> list[Fused] | None:
        """Return what was found for this query, or for one like it; None when there is none."""
        scope = self._scope(query, told)
        entries = self._store.entries(scope)
        found = next((one for one in entries if one.query == query), None)
        if found is None and entries and self._embedder is not None:
            vector = self._embedder.embed(query)
            alike = [one for one in entries if len(one.vector) == vector.nbytes]
            similar = [float(np.frombuffer(one.vector, dtype=np.float32) @ vector) for one in alike]
            if similar and max(similar) >= self._threshold:
                found = alike[similar.index(max(similar))]
        return _unpacked(found.result) if found is not None else None

    def put(self, query: str, told: Sequence[object], found: Sequence[RetrievedContext]) -> None:
        """Keep what was found for a query."""
        vector = self._embedder.embed(query).astype(np.float32).tobytes() if self._embedder is not None else b""
        result = [[one.node_id, one.score, [list(signal) for signal in one.signals]] for one in found]
        self._store.put(self._scope(query, told), CacheEntry(query, vector, json.dumps(result)))

    def _scope(self, query: str, told: Sequence[object]) -> str:
        read = read_query(query)
        numbers = [word for word in query.split() if any(char.isdigit() for char in word)]
        same = (*sorted(read.names), *sorted(read.qualified), *sorted(read.quoted), *sorted(numbers))
        name = self._embedder.name if self._embedder is not None else ""
        return hashlib.sha256(repr((name, *told, same)).encode("utf-8", "replace")).hexdigest()


def _unpacked(result: str) -> list[Fused] | None:
    """Read a result; one that is damaged is none."""
    try:
        rows: Any = json.loads(result)
        return [
            Fused(
                int(chunk),
                float(score),
                tuple(SignalRank(str(one[0]), int(one[1]), *map(float, one[2:4])) for one in signals),
            )
            for chunk, score, signals in rows
        ]
    except (ValueError, TypeError):
        return None
