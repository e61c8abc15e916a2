"""Search the files of a repository that has no index yet, for the names in a question."""

import re
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from code_graph_indexer.ask.relations import is_name
from code_graph_indexer.explore.page import GAP, cost, cut
from code_graph_indexer.languages import detect_language
from code_graph_indexer.printable import in_line
from code_graph_indexer.syntax.read import source_on_disk
from code_graph_indexer.words import ASCII_PER_TOKEN, STOP_WORDS

SCAN_SECONDS = 2.0
"""Seconds after which a search of the files stops."""

MAX_FILE_BYTES = 500_000
"""The most bytes of a file that is searched. Larger ones are mostly data."""

MAX_WORDS, SHORTEST_WORD = 6, 4
"""The most words of a question that are searched, and the least letters of such a word if it is no name."""

MAX_LISTED = 50_000
"""The most files of a folder that are listed to see whether it holds source. In a repository the first few tell."""

MAX_IN_FILE = 8
"""The most lines that are quoted of a file."""

_WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*")


def scan(root: Path, query: str, *, budget: int) -> str:
    """Return lines of the files below a folder that hold the names of a question, within a budget in tokens.

    Only files that an index would have are read, without their secrets. Those with the most different names come first. The
    text says how many files were searched.
    """
    words = _words(query)
    if not words:
        return "The question holds no name that could be searched for."
    pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(word.encode()) for word in words) + rb")\b")
    deadline = time.monotonic() + SCAN_SECONDS
    hits: list[tuple[int, str, list[tuple[int, str]]]] = []
    searched, complete = 0, True
    for path in _paths(root):
        if time.monotonic() > deadline:
            complete = False
            break
        searched += 1
        source = source_on_disk(root / path)
        if matches := list(pattern.finditer(source)):
            lines = source.split(b"\n")
            numbers = list(dict.fromkeys(source.count(b"\n", 0, match.start()) for match in matches[: 4 * MAX_IN_FILE]))
            quoted = [(number + 1, cut(lines[number].decode("utf-8", "replace"))) for number in numbers[:MAX_IN_FILE]]
            hits.append((-len({match[0] for match in matches}), path, quoted))
    head = f"{len(hits)} of {searched} files searched hold {', '.join(words)}"
    head += "." if complete else "; the time ran out before the rest was searched."
    room = budget * ASCII_PER_TOKEN - cost(head) - 1
    parts = [head]
    for _, path, quoted in sorted(hits):
        block = f"\n### {in_line(path)}\n" + GAP.join(f"{number}\t{line}\n" for number, line in quoted).rstrip("\n")
        room -= cost(block) + 1
        if room < 0:
            break
        parts.append(block)
    return "\n".join(parts) + "\n"


def has_source(root: Path) -> bool:
    """Say whether a folder holds a file of a language, among the first MAX_LISTED files, those near the top first."""
    return any(detect_language(path) is not None for path in islice(_paths(root), MAX_LISTED))


def _words(query: str) -> list[str]:
    """Return the words of a query to search: names of code, or else its longest words."""
    words = list(dict.fromkeys(_WORD.findall(query)))
    names = [word for word in words if is_name(word)]
    plain = [word for word in words if len(word) >= SHORTEST_WORD and word.lower() not in STOP_WORDS]
    return (names or sorted(plain, key=len, reverse=True))[:MAX_WORDS]


def _paths(root: Path) -> Iterator[str]:
    """Yield the paths of the files that may be read below a folder."""
    # It loads the whole write path, which no question to an index needs.
    from code_graph_indexer.indexing.discover import readable_files

    yield from readable_files(root, max_file_size=MAX_FILE_BYTES)
