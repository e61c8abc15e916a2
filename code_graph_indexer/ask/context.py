"""Pack retrieved chunks into a token budget: best first, with line numbers, and no line twice."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from code_graph_indexer.retrieval.results import RelatedDefinition, RetrievedContext
from code_graph_indexer.words import ASCII_PER_TOKEN, estimate_tokens

TAIL_SHARE, MAX_TAIL = 0.8, 2_000
"""Size of the last part of the budget, in which chunks are shortened: a share of the budget, and the most tokens."""
TAIL_LINES = 8
"""The number of first lines that a shortened chunk keeps. They mostly show its signature and its doc."""
SOURCE_TOKENS = 60
"""Estimated tokens of the tags around a source, with the names of their attributes and the source's number."""
LEAST_CUT_LINES = 3
"""The fewest lines of a chunk that is cut. A shorter piece is not worth the tokens of the tags around it."""
LINE_CUT_MARK = " … (line cut)"

_USED_FROM_AFAR = frozenset({"caller", "derived"})


class _Line(NamedTuple):
    """A line of a file, used to find repeated lines. The text is included, because pieces of one long line share its number."""

    repo_id: str
    path: str
    number: int
    text: str


def source_tokens(source: RetrievedContext) -> int:
    """Estimate the tokens that a source takes in the prompt, with the tags around it."""
    return SOURCE_TOKENS + estimate_tokens(source.file_path + source.qualified_name) + estimate_tokens(body(source))


def whole_tokens(budget: int) -> int:
    """Return the tokens of a budget in which chunks are packed whole. In the rest of the budget, chunks are shortened."""
    return budget - min(int(budget * TAIL_SHARE), MAX_TAIL)


def pack(contexts: Iterable[RetrievedContext], *, budget: int) -> tuple[RetrievedContext, ...]:
    """Return the contexts that fit into `budget` tokens, in their order. The first one is always returned, cut if necessary.

    Lines of an earlier context are removed from later ones, so a later context may be split or left out. The last context may
    be cut at the end of a line. The line numbers of a returned context are those of its remaining content.
    """
    packed: list[RetrievedContext] = []
    packed_lines: set[_Line] = set()
    tail = budget - whole_tokens(budget)
    for context in contexts:
        if budget < tail:
            # Later chunks are less likely meant. Shortened, more of them fit into the rest of the budget.
            context = shortened(context)
        for part in _not_yet_given(context, packed_lines):
            # The first chunk is always given, even if only a piece of one line fits.
            fitted = _fit(part, budget, min_lines=LEAST_CUT_LINES if packed else 1)
            if fitted is None:
                return tuple(packed)
            packed.append(fitted)
            # A part that had to be cut has used up the budget.
            if fitted is not part:
                return tuple(packed)
            budget -= source_tokens(fitted)
            packed_lines.update(_lines(fitted))
    return tuple(packed)


def shortened(context: RetrievedContext) -> RetrievedContext:
    """Return a context with only its first TAIL_LINES lines, and without what stands around it."""
    lines = content_lines(context)
    if len(lines) <= TAIL_LINES:
        return replace(context, context_header="", related_definitions=())
    content = "".join(f"{line}\n" for line in lines[:TAIL_LINES])
    end = context.start_line + TAIL_LINES - 1
    return replace(context, content=content, end_line=end, context_header="", related_definitions=())


def body(source: RetrievedContext) -> str:
    """Return a source as text for the language model: its header, its numbered lines, then its neighbours in the graph."""
    above = [source.context_header.strip("\n")] if source.context_header.strip() else []
    return "\n".join([*above, *_numbered(source), *map(related_line, source.related_definitions)])


def related_line(related: RelatedDefinition) -> str:
    """Return one line for a neighbour in the graph: its relation, its name and its place."""
    return one_line(f"{related.relation}: {related.qualified_name} ({related.file_path}:{related_place(related)})")


def related_place(related: RelatedDefinition) -> int:
    """Return the line number to show for a neighbour in the graph: the call for a caller, the definition for a callee."""
    return (related.relation in _USED_FROM_AFAR and related.line) or related.start_line


def one_line(text: str) -> str:
    """Return a text on one line. Every character that cannot be printed becomes a space."""
    return "".join(character if character.isprintable() else " " for character in text)


def content_lines(source: RetrievedContext) -> list[str]:
    """Return the lines of a source, split only at newlines, as editors count lines."""
    # Not splitlines(), which also splits at form feeds and other characters that no editor counts.
    return source.content.removesuffix("\n").split("\n")


def _numbered(source: RetrievedContext) -> list[str]:
    lines = content_lines(source)
    width = len(str(source.start_line + len(lines)))
    return [f"{number:>{width}}| {line}" for number, line in enumerate(lines, source.start_line)]


def _lines(source: RetrievedContext) -> list[_Line]:
    numbered = enumerate(content_lines(source), source.start_line)
    return [_Line(source.repo_id, source.file_path, number, text) for number, text in numbered]


def _not_yet_given(context: RetrievedContext, packed_lines: set[_Line]) -> list[RetrievedContext]:
    runs: list[list[_Line]] = [[]]
    for line in _lines(context):
        if line in packed_lines:
            runs.append([])
        else:
            runs[-1].append(line)
    parts = [_part(context, run) for run in runs if any(line.text.strip() for line in run)]
    # Header and neighbours are shown with the first part only, or they would stand there twice.
    return parts[:1] + [replace(part, context_header="", related_definitions=()) for part in parts[1:]]


def _part(context: RetrievedContext, run: Sequence[_Line]) -> RetrievedContext:
    content = "".join(f"{line.text}\n" for line in run)
    return replace(context, content=content, start_line=run[0].number, end_line=run[-1].number)


def _fit(part: RetrievedContext, room: int, *, min_lines: int) -> RetrievedContext | None:
    if source_tokens(part) <= room:
        return part
    bare = replace(part, content="")
    # Code matters most: header and neighbours may take at most half of the room.
    if source_tokens(bare) * 2 > room:
        part = replace(part, context_header="", related_definitions=())
        bare = replace(part, content="")
    return _cut(part, room - source_tokens(bare), min_lines=min_lines)


def _cut(part: RetrievedContext, room: int, *, min_lines: int) -> RetrievedContext | None:
    lines, numbered = content_lines(part), _numbered(part)
    counts = range(1, len(lines) + 1)
    # Tokens grow with the number of lines, so bisection finds how many fit.
    count_that_fits = bisect_right(counts, room, key=lambda count: estimate_tokens("\n".join(numbered[:count])))
    if count_that_fits == 0 and min_lines == 1:
        return replace(part, content=_cut_line(lines[0], room), end_line=part.start_line)
    if count_that_fits < min(min_lines, len(lines)):
        return None
    return replace(
        part,
        content="".join(f"{line}\n" for line in lines[:count_that_fits]),
        end_line=part.start_line + count_that_fits - 1,
    )


def _cut_line(line: str, room: int) -> str:
    # The estimate counts a character outside of ASCII as a whole token.
    length = max(room, SOURCE_TOKENS) * (ASCII_PER_TOKEN if line.isascii() else 1)
    return line if len(line) <= length else line[:length] + LINE_CUT_MARK
