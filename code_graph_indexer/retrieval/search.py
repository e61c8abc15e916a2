"""Search by every signal there is: vectors, words, trigrams and symbol names, each one ranked list."""

from dataclasses import dataclass

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.storage import Hit, Store
from code_graph_indexer.types import Filters, Symbol

MAX_PHRASES = 4
"""Substrings looked for in one query: more come from pasted code, where words do better."""

EXACT_NAME, OTHER_CASE, JOINED_NAME, QUALIFIED_NAME = 3.0, 2.0, 1.5, 4.0
"""Scores of a definition whose name is in the query: as written, in other case, formed by its words, with its qualifier."""

TYPE_BONUS, TEST_MALUS = 0.3, 1.0
"""Of definitions of one name, types come first and tests last."""

_TYPES = frozenset({"class", "interface", "struct", "trait", "enum", "module", "object", "protocol"})


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one signal says: its hits, best first."""

    signal: str
    hits: tuple[Hit, ...]


class HybridSearcher:
    """Ask every signal; without an embedder, the vector signal stays silent."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder

    def search(self, query: Query, filters: Filters, *, pool_size: int) -> list[RankedList]:
        """Return one ranked list a signal, each of at most `pool_size` chunks that the filters allow.

        The signals share one connection and take a few milliseconds each; threads would cost more than they give.
        """
        lists = [
            RankedList("symbol", tuple(self._symbols(query, filters)[:pool_size])),
            RankedList("words", tuple(self._store.words(query.words, filters, pool_size))),
            RankedList("trigram", tuple(self._substrings(query, filters, pool_size))),
        ]
        if self._embedder is not None and query.text:
            vector = self._embedder.embed(query.text)
            lists.append(RankedList("vector", tuple(self._store.nearest(vector, filters, pool_size))))
        return lists

    def _substrings(self, query: Query, filters: Filters, limit: int) -> list[Hit]:
        scores: dict[int, float] = {}
        for phrase in query.phrases[:MAX_PHRASES]:
            for hit in self._store.substrings(phrase, filters, limit):
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + hit.score
        return _ranked(scores)[:limit]

    def _symbols(self, query: Query, filters: Filters) -> list[Hit]:
        named = self._store.symbols([*query.names, *query.joined])
        scores: dict[int, float] = {}
        for symbol in named:
            score = _name_score(symbol, query) - TEST_MALUS * (symbol.is_test and not query.about_tests)
            scores[symbol.chunk_id] = max(scores.get(symbol.chunk_id, 0.0), score)
        return self._store.allowed(_ranked(scores), filters)


def _name_score(symbol: Symbol, query: Query) -> float:
    qualified = f".{symbol.qualified_name}"
    if any(qualified.endswith(f".{name}") for name in query.qualified):
        score = QUALIFIED_NAME
    elif symbol.name in query.names:
        score = EXACT_NAME
    elif symbol.name.lower() in {name.lower() for name in query.names}:
        score = OTHER_CASE
    else:
        score = JOINED_NAME
    return score + TYPE_BONUS * (symbol.kind in _TYPES)


def _ranked(scores: dict[int, float]) -> list[Hit]:
    return [Hit(*one) for one in sorted(scores.items(), key=lambda one: (-one[1], one[0])) if one[1] > 0]
