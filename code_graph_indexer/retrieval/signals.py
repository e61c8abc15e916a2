"""Search by every signal there is: vectors, words, trigrams, quoted phrases and definitions, each one ranked list."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, Symbol
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.storage import NO_IDS, Hits, Store, are_in, distinct

SIGNALS = ("definition", "words", "trigram", "quoted", "vector")

MAX_PHRASES = 4
"""Substrings looked for in one query: more come from pasted code, where words do better."""

QUALIFIED_NAME, EXACT_NAME, OTHER_CASE, JOINED_NAME = 1.0, 1.0, 0.5, 0.4
"""Scores of a definition whose name is in the query: with its qualifier, as written, in other case, formed by its words."""

OTHER_QUALIFIER, VALUE_NAME, MODULE_NAME, CONSTRUCTOR = 0.5, 0.3, 0.5, 0.5
"""Factors of a definition with another qualifier than the one asked for, of a field or variable, of a module, and of a method
that has the name of its class: who names a class means the class, and what a file is named for rather than the file."""

NAME_ALONE = 3.0
"""Factor of a definition whose name is all of the query: whoever types a name wants what has it."""

_CALLABLES = frozenset({"method", "constructor"})
_VALUES = frozenset({"field", "property", "variable", "constant"})


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one signal says: its hits, best first."""

    signal: str
    hits: Hits


class HybridSearcher:
    """Ask every signal, or those named; without an embedder, the vector signal stays silent."""

    def __init__(self, store: Store, embedder: Embedder | None, signals: Collection[str] = SIGNALS) -> None:
        self._store = store
        self._embedder = embedder if "vector" in signals else None
        self._signals = signals

    def search(self, query: Query, filters: Filters, *, pool_size: int) -> list[RankedList]:
        """Return one ranked list a signal: its best `pool_size` chunks that the filters allow, and behind them its opinion
        on what others found, where it has one: vectors on all of it, words on what they match.

        The signals share one connection and take a few milliseconds each; threads would cost more than they give.
        """
        asked: dict[str, Callable[[], Hits]] = {
            "definition": lambda: self._definitions(query, filters, pool_size),
            "trigram": lambda: self._substrings(query.phrases, filters, pool_size),
            "quoted": lambda: self._substrings(query.quoted or (query.message,), filters, pool_size),
        }
        found = {one: hits() for one, hits in asked.items() if one in self._signals}
        vector = self._embedder.embed(query.text) if self._embedder is not None and query.text else None
        if vector is not None:
            found["vector"] = self._store.nearest(vector, filters, pool_size)
        if "words" in self._signals:
            found["words"] = self._store.words(query.words, filters, pool_size, also=_ids(found.values()))
        if vector is not None:
            others = _ids(found.values())
            unknown = others[~are_in(others, np.sort(found["vector"].ids))]
            found["vector"] = found["vector"].then(self._store.similar(vector, unknown))
        return [RankedList(one, found[one]) for one in SIGNALS if one in found]

    def _substrings(self, phrases: Sequence[str], filters: Filters, limit: int) -> Hits:
        scores: dict[int, float] = {}
        for phrase in phrases[:MAX_PHRASES]:
            for hit in self._store.substrings(phrase, filters, limit):
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + hit.score
        return Hits.best(scores.items(), limit)

    def _definitions(self, query: Query, filters: Filters, limit: int) -> Hits:
        """Score the definitions of the names in a query by how sure it is that they are meant: from 0 to 1.

        A name that many files define says little about each: its score is divided by the root of their number. Where a name
        is all of the query, it is each of them that is asked for.
        """
        named = self._store.symbols([*query.names, *query.joined])
        files: dict[str, set[str]] = {}
        for symbol in named:
            files.setdefault(symbol.name, set()).add(symbol.file_path)
        alone = query.names == (query.text,)
        scores: dict[int, float] = {}
        for symbol in named:
            score = _name_score(symbol, query)
            if alone and symbol.name == query.text:
                score *= NAME_ALONE
            else:
                score /= math.sqrt(len(files[symbol.name]))
            scores[symbol.chunk_id] = max(scores.get(symbol.chunk_id, 0.0), score)
        allowed = self._store.allowed(list(scores), filters)
        return Hits.best(((one, score) for one, score in scores.items() if one in allowed), limit)


def _name_score(symbol: Symbol, query: Query) -> float:
    factor = VALUE_NAME if symbol.kind in _VALUES else MODULE_NAME if symbol.kind == "module" else 1.0
    qualified = f".{symbol.qualified_name}"
    if qualified.endswith(f".{symbol.name}.{symbol.name}") and symbol.kind in _CALLABLES:
        factor *= CONSTRUCTOR
    if any(qualified.endswith(f".{name}") for name in query.qualified):
        return QUALIFIED_NAME * factor
    if any(name.endswith(f".{symbol.name}") for name in query.qualified):
        factor *= OTHER_QUALIFIER
    if symbol.name in query.names:
        return EXACT_NAME * factor
    if symbol.name.lower() in {name.lower() for name in query.names}:
        return OTHER_CASE * factor
    return JOINED_NAME * factor


def _ids(lists: Iterable[Hits]) -> NDArray[np.int64]:
    """List the chunks of several lists, each once."""
    return distinct(np.concatenate([NO_IDS, *(hits.ids for hits in lists)]))
