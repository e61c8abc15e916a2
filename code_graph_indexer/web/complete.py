"""Complete the name of a definition or a path while a person types it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate, chain

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
        self._names = _Names(())
        self._paths = _Names(())

    def symbols(self, text: str, limit: int) -> list[Symbol]:
        """List definitions whose names hold a text, the likeliest first: equal, begun by it, begun at a word, the shortest.

        Of `Cart.to` or `cart to`, the last part is completed, and the parts before it are in the qualified name.
        """
        self._load()
        *owners, last = dotted_name(text[:MAX_TEXT].strip()).lower().replace(" ", ".").split(".")
        if not last:
            return []
        wanted = limit * (NAMES_OF_OWNERS if owners else NAMES_PER_ENTRY)
        best = self._names.best(last, lambda low, name: _fit(low, name, last), wanted)
        place = {name: position for position, name in enumerate(best)}
        matches: list[Symbol] = []
        # The first names mostly fill the list. What is in tests comes behind all others, so it fills nothing.
        for names in filter(None, (best[:limit], best[limit:])):
            symbols = self._store.symbols(names, exact_case=True)
            matches += [symbol for symbol in symbols if all(owner in symbol.qualified_name.lower() for owner in owners)]
            if len({symbol for symbol in matches if not symbol.is_test}) >= limit:
                break
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
        return self._paths.best(low, lambda path, _: not path.rpartition("/")[2].startswith(low), limit)

    def _load(self) -> None:
        stamp = self._store.stamp
        if stamp != self._stamp:
            self._names = _Names(self._store.symbol_names())
            self._paths = _Names(file.path for file in self._store.files() if file.error is None)
            self._stamp = stamp


class _Names:
    """Names, the shortest first, also as a single text: to search it takes a tenth of the time of a look at each name."""

    def __init__(self, names: Iterable[str]) -> None:
        entries = sorted(((name.lower(), name) for name in names), key=lambda entry: (len(entry[0]), entry[1]))
        self._lows = [low for low, _ in entries]
        self._names = [name for _, name in entries]
        self._text = "\n".join(self._lows)
        self._starts = [0, *accumulate(len(low) + 1 for low in self._lows)]

    def best(self, word: str, fit: Callable[[str, str], int], wanted: int) -> list[str]:
        """Return the names that hold a word, the best fit first, and of equal fits the shortest.

        Most names hold a single letter. The shortest come first, so the search ends when names of the best fit fill the list.
        """
        fits: list[list[str]] = [[], [], []]
        position = self._text.find(word)
        while position >= 0 and len(fits[0]) < wanted:
            at = bisect_right(self._starts, position) - 1
            fits[fit(self._lows[at], self._names[at])].append(self._names[at])
            position = self._text.find(word, self._starts[at + 1])
        return list(chain.from_iterable(fits))[:wanted]


def _fit(low: str, name: str, word: str) -> int:
    """Return how well a name fits a word, the best first: 0 begun by it, 1 begun at a word of the name, 2 inside.

    An equal name is the shortest that the word begins.
    """
    if low.startswith(word):
        return 0
    start = low.find(word)
    at_word = name[start : start + 1].isupper() or not name[start - 1 : start].isalnum()
    return 1 if at_word else 2
