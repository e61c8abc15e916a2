"""Tell which expected words a repository has, and what comes nearest to the words that it lacks."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from code_graph_indexer.results import ExpectedWord
from code_graph_indexer.retrieval.query import MAX_QUERY, SHORT_STEM
from code_graph_indexer.storage import Store
from code_graph_indexer.words import telling_identifiers, whole_word

FEW_CHUNKS = 3
"""The most chunks with a word that hardly any code has."""

MAX_WORDS, MAX_NEAREST = 16, 3
"""The most expected words that an answer speaks of, and the most names near one that is missing."""


def expected_words(store: Store, expect: str) -> tuple[ExpectedWord, ...]:
    """Return the expected words in their order, each with the number of chunks that have it, or with the names near it."""
    words = telling_identifiers(expect[:MAX_QUERY])[:MAX_WORDS]
    whole = {word: term for word in words if (term := whole_word(word))}
    counts = store.word_counts(list(whole.values())).having
    missing = [word for word, term in whole.items() if not counts.get(term)]
    nearest = _nearest(store, {word: whole[word] for word in missing})
    return tuple(ExpectedWord(word, counts.get(term, 0), nearest.get(word, ())) for word, term in whole.items())


def rare_words(words: Sequence[ExpectedWord]) -> list[str]:
    """List the expected words that hardly any code has: where they stand may be what is looked for."""
    return [word.word for word in words if 0 < word.chunks <= FEW_CHUNKS]


def _nearest(store: Store, missing: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Map missing words to the names of definitions that hold them, or begin as they do and are most alike."""
    names = {name.lower().replace("_", ""): name for name in store.symbol_names()} if missing else {}
    nearest: dict[str, tuple[str, ...]] = {}
    for word, term in missing.items():
        holding = [name for low, name in names.items() if term in low] if len(term) > SHORT_STEM else []
        beginning = [low for low in names if low[:SHORT_STEM] == term[:SHORT_STEM]]
        alike = [names[low] for low in get_close_matches(term, beginning, n=MAX_NEAREST)]
        ranked = [*sorted(holding, key=lambda name: (len(name), name)), *alike]
        nearest[word] = tuple(dict.fromkeys(ranked))[:MAX_NEAREST]
    return nearest
