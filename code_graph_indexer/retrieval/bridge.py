"""Walk from the tests that a question finds to the definitions that they call: a bridge from everyday words to code.

The name and the text of a test often say in everyday words what the code does, and its calls name the code that does it.
docs/explanation/ranking.md has the formula.
"""

import math
from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.retrieval.signals import SIGNALS
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.arrays import Hits
from code_graph_indexer.storage.records import definition_id

NEAR_TESTS, TESTS, MAX_CALLS = 60, 12, 60
"""The nearest tests that are compared by words, the best of them whose calls are read, and the most calls of each."""

STEEPNESS = 8
"""The power of a test's share of the best score: the best few tests decide."""

REACHED = 60
"""The most definitions that the bridge leads to."""

_ANY, _TESTS = Filters(), Filters(tests=True)


def bridge_over_tests(store: Store, query: Query, vector: NDArray[np.float32], filters: Filters) -> Hits:
    """Rank the definitions that the tests call which fit a question best. The filters hold for the definitions.

    A test lends its weight to all that it calls, to each the less the more it calls.
    """
    weights = _best_tests(store, query, vector)
    edges = {(edge.of, edge.chunk_id) for edge in store.callees_of(list(weights), MAX_CALLS)}
    calls = Counter(test for test, _ in edges)
    lent: dict[int, float] = defaultdict(float)
    # Sorted, because sums of floats depend on their order.
    for test, called in sorted(edges):
        lent[called] += weights[test] / math.sqrt(calls[test])
    files, marks = store.files_of(list(lent)), store.chunk_marks(list(lent))
    code = [
        chunk_id
        for chunk_id in lent
        if chunk_id in files and "test" not in files[chunk_id].marks and marks.get(chunk_id) != "test"
    ]
    return Hits.best(((chunk_id, lent[chunk_id]) for chunk_id in store.allowed(code, filters)), REACHED)


def _best_tests(store: Store, query: Query, vector: NDArray[np.float32]) -> dict[int, float]:
    """Map the ids of the best tests for a question to their weights. The best has 1."""
    near = store.nearest(vector, _TESTS, NEAR_TESTS)
    ids = np.sort(near.ids)
    # The limit of 1 is there because only the nearest tests count. Without filters, the search has asked the same before.
    lists = {"vector": near, "words": store.words(query.words, _ANY, 1, also=ids)}
    if query.related:
        lists["related"] = store.words(query.related, _ANY, 1, also=ids)
    totals = dict.fromkeys(ids.tolist(), 0.0)
    for name, hits in lists.items():
        scores = {hit.chunk_id: hit.score for hit in hits if hit.chunk_id in totals}
        best = max(scores.values(), default=0.0)
        for chunk_id, score in scores.items() if best > 0 else ():
            totals[chunk_id] += SIGNALS[name].of_tests * score / best
    best_ids = sorted(totals, key=lambda chunk_id: (-totals[chunk_id], chunk_id))[:TESTS]
    weights: dict[int, float] = {}
    for chunk in store.chunks(best_ids):
        weight = max(totals[chunk.id] / totals[best_ids[0]], 0.0) ** STEEPNESS
        # A block is a piece of a long test, whose calls are those of the whole.
        weights[definition_id(chunk)] = max(weights.get(definition_id(chunk), 0.0), weight)
    return weights
