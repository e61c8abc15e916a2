"""Choose by the words of a question: the lines of a long definition that are about it, and the callees and callers."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from code_graph_indexer.ask.relations import is_name
from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.words import TokenTable, identifiers, index_words, query_words

_COMMENT = re.compile(r"\s*(?://|/\*|\*(?!\w)|#(?![\w\[])|--|;)")
"""Matches how a line of comment begins in most languages. `#define` and `#[error("…")]` are code."""

AROUND = 2
"""The lines before and behind a chosen line that are quoted with it."""

MAX_WINDOW_LINES = 60
"""The most lines that are quoted of a long definition, without the lines of the branches around them."""

LEAST_SHARE = 0.4
"""What a line needs of the score of the best one, to be chosen."""

MAX_TOLD, SHORTEST_NAME = 5, 3
"""The best lines whose names are looked up above them, and the letters that such a name has at least to count."""

MAX_BRANCH = 14
"""The most lines of a branch that are quoted below the line that opens it."""

MAX_COMMENT = 6
"""The most lines of a comment above a value that are quoted with it."""

MAX_HEADS = 4
"""The most lines of branches (`if`, `case`) that are quoted around a line, the nearest ones."""

_NAME = re.compile(r"\w+")


class Topic:
    """The words of a question, with those that code for it would use. Without any, nothing is chosen."""

    def __init__(self, text: str, expect: str = "") -> None:
        self._text = f"{text} {expect}" if expect else text

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the words as the index has them, without stop words."""
        return frozenset(query_words(self._text))

    @cached_property
    def _names(self) -> frozenset[str]:
        """Return the names of code in the question, as they are written."""
        return frozenset(word for word in _NAME.findall(self._text) if is_name(word))

    def within(self, symbol: Symbol) -> "Topic":
        """Return what a question is about inside of a definition. Its own name says nothing of its lines."""
        if symbol.name not in self._names:
            return self
        inner = Topic(re.sub(rf"(?<!\w){re.escape(symbol.name)}(?!\w)", " ", self._text))
        return inner if inner.words else self

    @cached_property
    def _forms(self) -> TokenTable[str]:
        """Map each word of code to the word of the question that it is a form of, or to an empty text."""

        def asked(word: str) -> str:
            if word in self.words:
                return word
            return min((asked for asked in self.words if same_word(asked, word)), default="")

        return TokenTable(asked)

    def hits(self, text: str) -> set[str]:
        """Return the words of the question that a text has, in any form, and the names of code, as they are written."""
        hits = {self._forms[word] for word in index_words(text).split()} - {""}
        return hits.union(self._names.intersection(_NAME.findall(text))) if self._names else hits

    def best(self, lines: Sequence[str], numbers: Sequence[int]) -> int:
        """Return the number of the line that has most words of the question."""
        return max(numbers, key=lambda number: len(self.hits(lines[number - 1])))

    def ordered(self, symbols: Sequence[Symbol]) -> list[int]:
        """Return the positions of definitions, those with most words of the question in name and document first."""
        texts = [f"{symbol.name} {symbol.file_path} {symbol.doc.partition('.')[0]}" for symbol in symbols]
        hits = [self.hits(text) for text in texts]
        counts = Counter(word for words in hits for word in words)
        # The order of a set must not decide, as it would by rounding.
        scores = [math.fsum(1 / counts[word] for word in words) for words in hits]
        return sorted(range(len(symbols)), key=lambda position: -scores[position])

    def concerns(self, symbol: Symbol) -> bool:
        """Say whether the name of a definition has a word of the question."""
        return bool(self.hits(symbol.name))


def windows(lines: Sequence[str], first: int, last: int, topic: Topic) -> list[list[int]]:
    """Choose runs of lines of a long definition, best first: each with the branches that it stands in.

    `lines` are those of the file. `first`, `last` and the result count from 1.
    """
    hits = {number: topic.hits(lines[number - 1]) for number in range(first, min(last, len(lines)) + 1)}
    counts = Counter(word for words in hits.values() for word in words)
    # A word that most lines have says little of any.
    weights = {word: math.log1p(len(hits) / count) for word, count in counts.items()}
    scores = {
        number: math.fsum(weights[word] for word in (*_near(hits, number), *words))
        for number, words in hits.items()
        if words
    }
    least = LEAST_SHARE * max(scores.values(), default=0.0)
    ordered = sorted((n for n in scores if scores[n] >= least), key=lambda n: (-scores[n], n))
    chosen: set[int] = set()
    # A condition reads `is_write`, and what that is stands above.
    ordered[MAX_TOLD:MAX_TOLD] = assignments(lines, first, ordered[:MAX_TOLD])
    runs: list[list[int]] = []
    for number in ordered:
        if number in chosen:
            continue
        end = max(number + AROUND, branch_end(lines, number))
        run = range(max(first, number - AROUND), min(last, end, len(lines)) + 1)
        if len(chosen.union(run)) > MAX_WINDOW_LINES:
            break
        chosen.update(run)
        runs.append(sorted({*run, *heads(lines, first, number)}))
    return runs


def is_comment(line: str) -> bool:
    """Say whether a line of code is a comment, by how it begins."""
    return _COMMENT.match(line) is not None


def comment_start(lines: Sequence[str], first: int) -> int:
    """Return the first line of the comment right above a line, or the line itself without one.

    >>> comment_start(["x = 1", "# The most parcels of a cart.", "MOST = 9"], 3)
    2
    """
    start = first
    while start > 1 and first - start < MAX_COMMENT and is_comment(lines[start - 2]):
        start -= 1
    return start


def branch_end(lines: Sequence[str], number: int) -> int:
    """Return the last line of the branch that a line opens, such as a `case`, or the line itself if it opens none.

    Labels that stand above one another open the same branch.
    """
    width = _width(lines[number - 1])
    while number < len(lines) and _is_label(lines[number - 1], lines[number]):
        number += 1
    end = number
    for below in range(number + 1, min(len(lines), number + MAX_BRANCH) + 1):
        if lines[below - 1].strip():
            if _width(lines[below - 1]) <= width:
                break
            end = below
    return end


def _is_label(line: str, below: str) -> bool:
    """Say whether a line is a label right above another one, such as `case 1:` above `case 2:`."""
    alike = line.split()[:1] == below.split()[:1] and _width(line) == _width(below)
    return alike and line.rstrip().endswith(":")


def assignments(lines: Sequence[str], first: int, numbers: Sequence[int]) -> list[int]:
    """Return the last lines above that give values to the names in these lines of a definition that starts at line `first`."""
    names = {name for number in numbers for name in identifiers(lines[number - 1]) if len(name) > SHORTEST_NAME}
    if not names:
        return []
    pattern = re.compile(rf"(?<![\w.>])({'|'.join(map(re.escape, sorted(names)))})\s*(?::?=(?!=)|\+\+|[-+|]=)")
    return [number for number in range(first + 1, max(numbers)) if pattern.search(lines[number - 1])][-MAX_TOLD:]


def _near(hits: dict[int, set[str]], number: int) -> set[str]:
    """Return the words of a line and of those around it."""
    near = range(number - AROUND, number + AROUND + 1)
    return set().union(*(hits.get(line, ()) for line in near))


def heads(lines: Sequence[str], first: int, number: int) -> list[int]:
    """Return the lines of the branches around a line of a definition, the nearest first, by their indentation."""
    around: list[int] = []
    width = _width(lines[number - 1])
    for above in range(number - 1, first, -1):
        text = lines[above - 1].strip()
        if not text or is_comment(text) or not any(map(str.isalnum, text)):
            continue
        if (indent := _width(lines[above - 1])) < width:
            around.append(above)
            width = indent
        if not width or len(around) == MAX_HEADS:
            break
    return around


def _width(line: str) -> int:
    """Return how many columns a line is indented."""
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
