"""Choose which lines of a long result to show: the first lines, and the lines with most words of the query."""

from collections.abc import Sequence

from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.words import index_words, query_words

HEAD_LINES = 3
"""Number of first lines that are always shown. Mostly they hold a signature."""


def excerpt(lines: Sequence[str], query: str, limit: int) -> list[int]:
    """Return the positions of at most `limit` lines to show, ascending.

    They are the first HEAD_LINES lines, and then the run of lines that holds the most different words of the query. If the
    first `limit` lines hold as many words, these lines are returned. Blank lines at the start are skipped.
    """
    # Blank lines at the start would waste the little room.
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    beginning = list(range(first, min(first + limit, len(lines))))
    if len(lines) - first <= limit or limit <= HEAD_LINES:
        return beginning
    words_by_line = matched_words(lines, query_words(query))
    head, size = beginning[:HEAD_LINES], limit - HEAD_LINES

    def words_from(start: int) -> int:
        return len(set().union(*(words_by_line[place] for place in (*head, *range(start, start + size)))))

    starts = range(first + HEAD_LINES, len(lines) - size + 1)
    counts = [words_from(start) for start in starts]
    # The first window continues the head. A text without a gap is easier to read.
    if counts[0] == max(counts):
        return beginning
    # Of windows that hold as many the middle one: it shows what stands around.
    most = [start for start, count in zip(starts, counts, strict=True) if count == max(counts)]
    start = most[len(most) // 2]
    return [*head, *range(start, start + size)]


def matched_words(lines: Sequence[str], words: Sequence[str]) -> list[set[str]]:
    """Return, for each line, which of `words` the line holds, in any form (`route`, `routing`)."""
    matches_of: dict[str, set[str]] = {}
    words_by_line: list[set[str]] = []
    for line in lines:
        matches: set[str] = set()
        for word in index_words(line).split():
            # Lines repeat their words, and comparing a word with the query is the slow part.
            if word not in matches_of:
                matches_of[word] = {candidate for candidate in words if same_word(candidate, word)}
            matches |= matches_of[word]
        words_by_line.append(matches)
    return words_by_line
