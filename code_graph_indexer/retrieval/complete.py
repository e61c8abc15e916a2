"""Complete the name of a definition or a path while a person types it."""

import heapq

from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.words import dotted_name

NAMES_PER_ENTRY = 6
"""How many names are looked up for each entry that is shown. Many definitions of a name fill a list, but few do so."""

NAMES_OF_OWNERS = 50
"""The same for a text that names what holds the definition, because most definitions of a name are elsewhere."""

MAX_TEXT = 200
"""Most characters of a text that is completed. No name is longer."""


class Completion:
    """The names and paths of an index in memory, so that each letter typed costs few milliseconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stamp: tuple[int, ...] = ()
        self._names: list[tuple[str, str]] = []
        self._paths: list[tuple[str, str]] = []

    def symbols(self, text: str, limit: int) -> list[Symbol]:
        """List definitions whose names hold a text, the likeliest first: equal, begun by it, begun at a word, the shortest.

        Of `Cart.to` or `cart to`, the last part is completed, and the parts before it are in the qualified name.
        """
        self._load()
        *owners, last = dotted_name(text[:MAX_TEXT].strip()).lower().replace(" ", ".").split(".")
        if not last:
            return []
        holding = [entry for entry in self._names if last in entry[0]]
        best = heapq.nsmallest(
            limit * (NAMES_OF_OWNERS if owners else NAMES_PER_ENTRY),
            holding,
            key=lambda entry: (_fit(entry[0], entry[1], last), len(entry[0]), entry[1]),
        )
        place = {name: position for position, (_, name) in enumerate(best)}
        symbols = self._store.symbols(list(place), exact_case=True)
        matches = [symbol for symbol in symbols if all(owner in symbol.qualified_name.lower() for owner in owners)]
        # Of equal names, what is short to say stands further up in the tree.
        matches.sort(
            key=lambda symbol: (symbol.is_test, place[symbol.name], len(symbol.qualified_name), symbol.file_path)
        )
        return list(dict.fromkeys(matches))[:limit]

    def paths(self, text: str, limit: int) -> list[str]:
        """List files whose paths hold a text, those whose names begin with it first, then the shortest."""
        self._load()
        low = text[:MAX_TEXT].strip().lower()
        if not low or " " in low:
            return []
        holding = [entry for entry in self._paths if low in entry[0]]
        best = heapq.nsmallest(
            limit, holding, key=lambda entry: (not entry[0].rpartition("/")[2].startswith(low), len(entry[0]), entry[1])
        )
        return [path for _, path in best]

    def _load(self) -> None:
        stamp = self._store.stamp
        if stamp != self._stamp:
            self._names = [(name.lower(), name) for name in self._store.symbol_names()]
            self._paths = [(file.path.lower(), file.path) for file in self._store.files() if file.error is None]
            self._stamp = stamp


def _fit(low: str, name: str, word: str) -> int:
    """Return how well a name fits a word, the best first: 0 equal, 1 begun by it, 2 begun at a word of the name, 3 inside."""
    if low == word:
        return 0
    if low.startswith(word):
        return 1
    start = low.find(word)
    at_word = name[start : start + 1].isupper() or not name[start - 1 : start].isalnum()
    return 2 if at_word else 3
