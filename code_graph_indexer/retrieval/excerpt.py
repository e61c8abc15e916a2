"""Choose the lines of a long result to show: how it begins, and where the words of the query stand."""

from collections.abc import Sequence

from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.words import index_words, query_words

HEAD_LINES = 3
"""Lines shown of the beginning in any case: a signature, mostly."""


def excerpt(lines: Sequence[str], query: str, limit: int) -> list[int]:
    """Return the places of at most `limit` lines, ascending: the first ones, and those that hold most words of the query.

    Where the beginning holds as many, it is all that is shown.
    """
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    beginning = list(range(first, min(first + limit, len(lines))))
    if len(lines) - first <= limit or limit <= HEAD_LINES:
        return beginning
    held = _held(lines, query_words(query))
    head, size = beginning[:HEAD_LINES], limit - HEAD_LINES

    def words_from(start: int) -> int:
        return len(set().union(*(held[place] for place in (*head, *range(start, start + size)))))

    starts = range(first + HEAD_LINES, len(lines) - size + 1)
    counts = [words_from(start) for start in starts]
    if counts[0] == max(counts):
        return beginning
    # Of windows that hold as many the middle one: it shows what stands around.
    most = [start for start, count in zip(starts, counts, strict=True) if count == max(counts)]
    start = most[len(most) // 2]
    return [*head, *range(start, start + size)]


def _held(lines: Sequence[str], words: Sequence[str]) -> list[set[str]]:
    """Say which of the words each line holds, in any of their forms."""
    known: dict[str, set[str]] = {}
    held: list[set[str]] = []
    for line in lines:
        found: set[str] = set()
        for word in index_words(line).split():
            if word not in known:
                known[word] = {one for one in words if same_word(one, word)}
            found |= known[word]
        held.append(found)
    return held
