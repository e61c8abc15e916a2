"""Tell what only accompanies the code: licences, change logs, translations, fixtures. A question leaves it out."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.retrieval.query import Query, same_word
from code_graph_indexer.storage import ChunkFile

PATHS_KEPT = 20_000
"""Number of paths whose kinds are cached between queries."""


class _Aside(NamedTuple):
    """A kind of file that accompanies the code: where its pattern is searched, and the words that ask for it."""

    of: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def _table() -> tuple[_Aside, ...]:
    """Read the kinds of files. A line has three parts: `text` or `any` files by path, or a `mark`; words; an expression."""
    lines = files(__package__).joinpath("asides.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.split(" ", 2) for line in lines)
    return tuple(_Aside(of, tuple(words.split(",")), re.compile(pattern)) for of, words, pattern in parts)


@lru_cache(maxsize=PATHS_KEPT)
def _kinds(path: str, marks: tuple[str, ...]) -> frozenset[int]:
    """Return the lines of the table that a file matches."""
    name = f"/{path.lower()}"
    return frozenset(
        number
        for number, aside in enumerate(_table())
        if (
            any(map(aside.pattern.search, marks))
            if aside.of == "mark"
            else (aside.of == "any" or "text" in marks) and aside.pattern.search(name)
        )
    )


def accompanying(words: Sequence[str], ranked_files: Sequence[ChunkFile]) -> NDArray[np.bool_]:
    """Return, for each file, whether it only accompanies the code and no word asks for its kind."""
    kinds = [_kinds(file.path, file.marks) for file in ranked_files]
    table = _table()
    asked = {
        number
        for number in frozenset[int]().union(*kinds)
        if any(same_word(name, word) for name in table[number].words for word in words)
    }
    return np.array([not of_file <= asked for of_file in kinds], np.bool_)


def answering(query: Query, ranked_files: Sequence[ChunkFile]) -> NDArray[np.bool_]:
    """Return, for each file, whether it may answer a query.

    Files that only accompany the code do not answer a question, and documents neither, unless the question has a word for
    them. If nothing else is there, all files do.
    """
    everything = np.ones(len(ranked_files), np.bool_)
    if not query.is_question:
        return everything
    main = ~accompanying((*query.words, *query.question), ranked_files)
    code = main if query.documents else main & np.array(["text" not in file.marks for file in ranked_files])
    return next((choice for choice in (code, main) if choice.any()), everything)
