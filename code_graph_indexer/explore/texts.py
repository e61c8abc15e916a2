"""Find the lines of the index that hold a name, whether or not it is linked to a definition."""

import re
from collections.abc import Iterator, Sequence

from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk

LEAST_NAME = 5
"""The fewest letters of a name that is looked for in texts. A shorter one is part of too many words."""

LINE = 110
"""The most characters of such a line in a list."""


def matching_lines(
    store: Store, chunks: Sequence[StoredChunk], pattern: re.Pattern[str]
) -> Iterator[tuple[StoredChunk, int, str]]:
    """Yield the lines of these chunks that match a pattern, each with its chunk and its number."""
    for chunk, text in zip(chunks, store.chunk_texts(chunks), strict=True):
        for number, line in enumerate(text.split("\n"), chunk.start_line):
            if pattern.search(line):
                yield chunk, number, line
