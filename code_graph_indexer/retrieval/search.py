"""Search by each signal: definitions, words, descriptions, trigrams, quoted texts, and vectors. Each gives one ranked list."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.results import Filters, Symbol
from code_graph_indexer.retrieval.query import Query
from code_graph_indexer.retrieval.signals import SIGNAL_NAMES, RankedList
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.arrays import NO_IDS, Hits, are_in, distinct
from code_graph_indexer.words import dotted_name

MAX_PHRASES = 4
"""Largest number of substrings of a query that are searched. Only pasted code has more, and there words find more."""

EXACT_NAME, OTHER_SPELLING = 1.0, 0.4
"""Scores of a definition whose name is in the query: as it is written, or in other case or as adjacent words."""

OTHER_QUALIFIER, VALUE_NAME, MODULE_NAME, CONSTRUCTOR = 0.5, 0.3, 0.5, 0.5
"""Factors that lower the score of a definition.

In this order: for another qualifier than in the query, for a field or variable, for a module, for a constructor. A user who
names a class means the class, not its constructor. A user who names a function means it, not the file of that name."""

NAME_ALONE = 3.0
"""Factor for a definition whose name is the whole query: a user who types only a name wants its definition."""

SECOND_SHARE = 0.4
"""Weight of the related words, or of a question beside expected words, in the vector of a query, if its own text weighs 1."""

VectorOf = Callable[[Query], NDArray[np.float32]]
"""A function that returns the vector of a query."""

_CALLABLES = frozenset({"method", "constructor"})
_VALUES = frozenset({"field", "property", "variable", "constant"})


class HybridSearcher:
    """A search of one store by the signals in `signals`. Without an embedder, there is no vector signal.

    Example:
        >>> from code_graph_indexer import Filters, HybridSearcher
        >>> from code_graph_indexer.retrieval import read_query
        >>> lists = HybridSearcher(indexer.store, None).search(read_query("add_tax"), Filters(), pool_size=10)
        >>> [ranked.signal for ranked in lists if len(ranked.hits)]
        ['definition', 'words', 'trigram']
    """

    def __init__(self, store: Store, embedder: Embedder | None, signals: Collection[str] = SIGNAL_NAMES) -> None:
        self._store = store
        self._signals = signals
        self.vector_of: VectorOf | None = None
        if embedder is not None and "vector" in signals:
            self.vector_of = partial(query_vector, embedder)

    def search(self, query: Query, filters: Filters, *, pool_size: int) -> list[RankedList]:
        """Return one ranked list per signal, with the best `pool_size` chunks that the filters allow. Without a text, none.

        Two lists are longer. The `words` list also has the chunks of other signals that match a word. The `vector` list also
        has all chunks of the other signals.
        """
        if not query.text:
            return []
        symbols = self._store.symbols([*query.names, *query.joined])
        # A name that is defined is used as a whole word. Only a part of a name has to be found by its letters.
        defined = {symbol.name for symbol in symbols}
        searches: dict[str, Callable[[], Hits]] = {
            "definition": lambda: self._definitions(query, symbols, filters, pool_size),
            "trigram": lambda: self._substrings(query.phrases, filters, pool_size, defined),
            # Without quotes, the whole query may be a message that the code prints.
            "quoted": lambda: self._substrings(query.quoted or (query.message,), filters, pool_size),
        }
        vector = self.vector_of(query) if self.vector_of is not None else None
        nearest = (
            None if vector is None else self._store.beside(partial(self._store.nearest, vector, filters, pool_size))
        )
        hits_of = {signal: hits() for signal, hits in searches.items() if signal in self._signals}
        # The order matters: words also score what the signals before found, and at last vectors score what words found.
        if vector is not None and nearest is not None:
            hits_of["vector"] = nearest()
        # Descriptions are in the words of people, as a question is. Code and names are found by the code itself.
        if (
            "described" in self._signals
            and query.plain
            and len(hits := self._store.described(query.words, filters, pool_size))
        ):
            hits_of["described"] = hits
        for signal, words in (("words", query.terms), ("question", query.question), ("related", query.related)):
            if signal in self._signals and (words or signal == "words"):
                hits_of[signal] = self._store.words(words, filters, pool_size, also=_ids(hits_of.values()))
        if vector is not None:
            chunk_ids = _ids(hits_of.values())
            # Hits are in the order of their scores, but are_in needs ascending ids.
            unknown = chunk_ids[~are_in(chunk_ids, np.sort(hits_of["vector"].ids))]
            hits_of["vector"] = hits_of["vector"].then(self._store.similar(vector, unknown))
        return [RankedList(signal, hits_of[signal]) for signal in SIGNAL_NAMES if signal in hits_of]

    def _substrings(self, phrases: Sequence[str], filters: Filters, limit: int, words: Collection[str] = ()) -> Hits:
        """Return the chunks that contain one of the phrases. Those of the `words` are searched as whole words only."""
        scores: dict[int, float] = {}
        for phrase in phrases[:MAX_PHRASES]:
            # A chunk that holds several of the phrases gets the sum of their scores.
            for hit in self._store.substrings(phrase, filters, limit, whole=phrase in words):
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + hit.score
        return Hits.best(scores.items(), limit)

    def _definitions(self, query: Query, symbols: Sequence[Symbol], filters: Filters, limit: int) -> Hits:
        """Return the definitions of the names in a query, the `symbols`, scored by how likely the query means them.

        A score is from 0 to 1. If many files define a name, the score is divided by the square root of their number. If the
        name is the whole query, the score is multiplied by NAME_ALONE instead, and may exceed 1.
        """
        files: dict[str, set[str]] = {}
        for symbol in symbols:
            files.setdefault(symbol.name, set()).add(symbol.file_path)
        # `Sinatra::Helpers` is a name alone too, in any language's spelling.
        whole_name = dotted_name(query.text)
        alone = whole_name in (*query.names, *query.qualified)
        scores: dict[int, float] = {}
        for symbol in symbols:
            score = _name_score(symbol, query)
            if alone and _ends_in(symbol, whole_name):
                score *= NAME_ALONE
            elif not any(_ends_in(symbol, name) for name in query.qualified):
                score /= math.sqrt(len(files[symbol.name]))
            scores[symbol.chunk_id] = max(scores.get(symbol.chunk_id, 0.0), score)
        # The filters come before the limit, or excluded chunks would take the places of allowed ones.
        allowed = self._store.allowed(list(scores), filters)
        return Hits.best(((chunk_id, score) for chunk_id, score in scores.items() if chunk_id in allowed), limit)


def _ends_in(symbol: Symbol, name: str) -> bool:
    """Return whether a definition has this name, with the qualifier that the name may have, in the same case."""
    # The dots keep names whole: `Cart.add` does not match `ShopCart.add`.
    return f".{symbol.qualified_name}".endswith(f".{name}")


def _name_score(symbol: Symbol, query: Query) -> float:
    is_qualified = any(_ends_in(symbol, name) for name in query.qualified)
    # A qualifier says which module is meant, so that it is no file beside a function of the same name.
    is_file = symbol.kind == "module" and not is_qualified
    factor = VALUE_NAME if symbol.kind in _VALUES else MODULE_NAME if is_file else 1.0
    qualified = f".{symbol.qualified_name}"
    if qualified.endswith(f".{symbol.name}.{symbol.name}") and symbol.kind in _CALLABLES:
        factor *= CONSTRUCTOR
    if is_qualified:
        return EXACT_NAME * factor
    # The query has this name too, but with another qualifier.
    if any(name.endswith(f".{symbol.name}") for name in query.qualified):
        factor *= OTHER_QUALIFIER
    return (EXACT_NAME if symbol.name in query.names else OTHER_SPELLING) * factor


def query_vector(embedder: Embedder, query: Query) -> NDArray[np.float32]:
    """Return the unit vector of a query. The words that come second count SECOND_SHARE of its own."""
    vector = embedder.embed(query.text)
    if not (second := query.question or query.related):
        return vector
    together = vector + SECOND_SHARE * embedder.embed(" ".join(second))
    length = float(np.linalg.norm(together))
    return (together / length).astype(np.float32) if length else vector


def _ids(lists: Iterable[Hits]) -> NDArray[np.int64]:
    """Return the ids of the chunks in several lists of hits, each once, ascending."""
    return distinct(np.concatenate([NO_IDS, *(hits.ids for hits in lists)]))
