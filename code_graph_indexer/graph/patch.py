"""Read a pasted diff: the lines of the index that it changes, the definitions at these lines, and what they affect."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from code_graph_indexer.errors import NotInIndexError, UsageError
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.declared import Declared
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.results import Impact
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import IMPACT_DEPTH, Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import FUNCTION_KINDS

MAX_HUNKS = 300
"""Most hunks of a diff that are read. To place one may take a look at each line of its file."""

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")


class Lines(NamedTuple):
    """Some lines of a file, from 1, both ends included. Both are 0 where it is not known which lines of the file are meant."""

    path: str
    first: int = 0
    last: int = 0


class Hunk(NamedTuple):
    """A hunk of a diff: the paths of the file, the first line in each version, and its lines with their marks."""

    paths: tuple[str, ...]
    starts: tuple[int, int]
    lines: tuple[str, ...]


def hunks_of(diff: str) -> Iterator[Hunk]:
    """Yield the hunks of a unified diff, such as `git diff` prints.

    Example:
        >>> next(hunks_of("--- a/x.py\\n+++ b/x.py\\n@@ -3 +3 @@\\n-one\\n+two")).lines
        ('-one', '+two')
    """
    paths = ["", ""]
    lines = deque(diff.replace("\r\n", "\n").split("\n"))
    while lines:
        line = lines.popleft()
        if line.startswith(("--- ", "+++ ")):
            path = line[4:].partition("\t")[0].strip().strip('"')
            paths[line[0] == "+"] = "" if path == "/dev/null" else path
        elif match := _HUNK.match(line):
            before, after = (int(count or 1) for count in match.group(2, 4))
            body: list[str] = []
            # Some programs cut the blank of a line that has nothing else.
            while (before > 0 or after > 0) and lines and (lines[0] or " ")[0] in " +-\\":
                line = lines.popleft() or " "
                before -= line[0] in " -"
                after -= line[0] in " +"
                body += [line] if line[0] != "\\" else []
            yield Hunk(tuple(filter(None, paths)), (int(match[1]), int(match[3])), tuple(body))


def lines_of(store: Store, diff: str) -> list[Lines]:
    """List the lines of the index that a diff changes, whether the index has the version before or after the change.

    A file that fits neither version comes without lines, and so does one that is not in the index. Raises UsageError if the
    text is no unified diff, or a very long one.
    """
    hunks = list(hunks_of(diff))
    if not hunks or not all(hunk.paths for hunk in hunks):
        raise UsageError(
            "this is no unified diff; paste what `git diff` prints, with the lines that begin with --- and @@"
        )
    if len(hunks) > MAX_HUNKS:
        raise UsageError(
            f"the diff has {len(hunks):,} hunks, and at most {MAX_HUNKS} are read; give its revisions instead"
        )
    names = Names(store)
    places: dict[Lines, None] = {}
    for paths, group in groupby(hunks, key=lambda hunk: hunk.paths):
        path = _indexed(names, paths)
        text = (
            (store.file_text(path) or b"").decode("utf-8", "replace").replace("\r\n", "\n").split("\n") if path else []
        )
        for hunk in group:
            numbers = _changed(hunk, text)
            places.update(dict.fromkeys(_runs(path, numbers) if numbers else [Lines(path or _bare(paths[-1]))]))
    return list(places)


def _indexed(names: Names, paths: Iterable[str]) -> str:
    """Return the file of the index that a diff names, with or without `a/` and `b/`, or an empty text."""
    for path in paths:
        for ending in dict.fromkeys((path, _bare(path))):
            try:
                return names.file(ending)
            except NotInIndexError:
                continue
    return ""


def _bare(path: str) -> str:
    """Return a path of a diff without the `a/` or `b/` that git writes before it."""
    return path.removeprefix("a/").removeprefix("b/")


def _changed(hunk: Hunk, text: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that a hunk changes in a text. The list is empty if the hunk is of another version."""
    for mark, start in zip("-+", hunk.starts, strict=True):
        version = [line[1:] for line in hunk.lines if line[0] in (" ", mark)]
        first = _place(version, start, text)
        if first:
            numbers: list[int] = []
            number = first
            for is_context, group in groupby(hunk.lines, key=lambda line: line[0] == " "):
                size = sum(line[0] in (" ", mark) for line in group)
                if not is_context:
                    # What only the other version has stands behind the line before.
                    numbers += range(number, number + size) if size else [max(first, number - 1)]
                number += size
            return numbers
    return []


def _place(lines: Sequence[str], start: int, text: Sequence[str]) -> int:
    """Return the number of the line at which some lines stand in a text, the nearest to `start`, or 0."""
    if not lines or list(text[start - 1 : start - 1 + len(lines)]) == lines:
        return start if lines else 0
    places = (at for at, line in enumerate(text, 1) if line == lines[0] and text[at - 1 : at - 1 + len(lines)] == lines)
    return min(places, key=lambda at: abs(at - start), default=0)


def _runs(path: str, numbers: Sequence[int]) -> Iterator[Lines]:
    """Yield lines that follow one another together."""
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        lines = [number for _, number in run]
        yield Lines(path, lines[0], lines[-1])


def impact_of_lines(store: Store, places: Sequence[Lines], most: int | None = None) -> Impact:
    """Return what a change of some lines affects. `unmapped` are the paths without a changed definition in the index.

    At most `most` definitions are listed of each distance, code and tests apart.
    """
    changed: dict[int, Symbol] = {}
    unmapped: list[str] = []
    for path, group in groupby(sorted(places), key=lambda lines: lines.path):
        definitions = _definitions(store, path, list(group))
        changed.update((symbol.node_id, symbol) for symbol in definitions)
        unmapped += [] if definitions else [path]
    symbols = Declared(store).definitions(list(changed.values()))
    return CodeGraph(store).impact(symbols, Limits(IMPACT_DEPTH), unmapped, most=most)


def _definitions(store: Store, path: str, places: Sequence[Lines]) -> list[Symbol]:
    """List the innermost definitions around lines of a file. What is in none is of the top level, its module."""
    text = (store.file_text(path) or b"").split(b"\n")
    chunks = [chunk for chunk in store.file_chunks(path) if chunk.kind not in ("block", "text", "section")]
    nodes = store.nodes([chunk.id for chunk in chunks])
    functions = {chunk.id for chunk in chunks if chunk.kind in FUNCTION_KINDS}
    spans = [
        (1, len(text), nodes[chunk.id])
        if chunk.kind == "module"
        else (chunk.start_line, chunk.def_end_line, nodes[chunk.id])
        for chunk in chunks
        if chunk.id in nodes
    ]
    spans += [
        (symbol.start_line, symbol.end_line, symbol)
        for symbol in store.file_symbols(path)
        if symbol.member_id is not None and symbol.chunk_id not in functions
    ]
    innermost: dict[int, Symbol] = {}
    # Definitions nest, so the one that starts last, or ends first, is written last.
    for first, last, symbol in sorted(spans, key=lambda span: (span[0], -span[1])):
        innermost.update(dict.fromkeys(range(first, last + 1), symbol))
    numbers = {number for lines in places for number in range(max(1, lines.first), min(lines.last, len(text)) + 1)}
    changed = [innermost[number] for number in sorted(numbers) if text[number - 1].strip() and number in innermost]
    return list({symbol.node_id: symbol for symbol in changed}.values())
