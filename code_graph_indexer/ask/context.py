"""Pack retrieved contexts into a token budget, best first, no line given twice, with the lines numbered."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from code_graph_indexer.results import RelatedDefinition, RetrievedContext
from code_graph_indexer.words import ASCII_PER_TOKEN, estimate_tokens

TAIL_SHARE, MAX_TAIL = 0.8, 2_000
"""Share of the budget, and tokens at most, that are left when chunks begin to be shortened."""
TAIL_LINES = 8
"""Lines of a chunk that is shortened: its signature, its doc, its beginning."""
SOURCE_TOKENS = 60
"""Tokens of the fence around a source, its attributes' names and its number."""
LEAST_CUT_LINES = 3
"""Lines below which a piece of a chunk says too little to be worth its fence."""
LINE_CUT_MARK = " … (line cut)"

_USED_FROM_AFAR = frozenset({"caller", "derived"})


class _Line(NamedTuple):
    """A line of a file. Its text is part of its identity, because pieces of one long line share its number."""

    repo_id: str
    path: str
    number: int
    text: str


def source_tokens(source: RetrievedContext) -> int:
    """Estimate the tokens a source costs in the prompt, its fence included."""
    return SOURCE_TOKENS + estimate_tokens(source.file_path + source.qualified_name) + estimate_tokens(body(source))


def whole_tokens(budget: int) -> int:
    """Return how much of a budget, in tokens, goes to chunks that are given whole."""
    return budget - min(int(budget * TAIL_SHARE), MAX_TAIL)


def pack(contexts: Iterable[RetrievedContext], *, budget: int) -> tuple[RetrievedContext, ...]:
    """Take contexts in their order until the budget, in tokens, is full. The first one is always taken, cut if need be.

    Lines of an earlier context are taken out of later ones, which may split or drop them. The last context may be cut at a line
    boundary. The line numbers of a returned context are those of its content.
    """
    packed: list[RetrievedContext] = []
    packed_lines: set[_Line] = set()
    tail = budget - whole_tokens(budget)
    for context in contexts:
        if budget < tail:
            # What is less likely meant is shown shorter: the rest of the budget reaches more of it.
            context = _shortened(context)
        for part in _not_yet_given(context, packed_lines):
            fitted = _fit(part, budget, min_lines=LEAST_CUT_LINES if packed else 1)
            if fitted is None:
                return tuple(packed)
            packed.append(fitted)
            if fitted is not part:
                return tuple(packed)
            budget -= source_tokens(fitted)
            packed_lines.update(_lines(fitted))
    return tuple(packed)


def _shortened(context: RetrievedContext) -> RetrievedContext:
    lines = content_lines(context)
    if len(lines) <= TAIL_LINES:
        return replace(context, context_header="", related_definitions=())
    content = "".join(f"{line}\n" for line in lines[:TAIL_LINES])
    end = context.start_line + TAIL_LINES - 1
    return replace(context, content=content, end_line=end, context_header="", related_definitions=())


def body(source: RetrievedContext) -> str:
    """Return what is read of a source: where it stands, its numbered lines, its callers and callees."""
    above = [source.context_header.strip("\n")] if source.context_header.strip() else []
    return "\n".join([*above, *_numbered(source), *map(related_line, source.related_definitions)])


def related_line(related: RelatedDefinition) -> str:
    """Return one line that names a neighbour and the place to look at."""
    return one_line(f"{related.relation}: {related.qualified_name} ({related.file_path}:{related_place(related)})")


def related_place(related: RelatedDefinition) -> int:
    """Return the line shown for a neighbour: of a caller the call, of a callee its definition."""
    return (related.relation in _USED_FROM_AFAR and related.line) or related.start_line


def one_line(text: str) -> str:
    """Return the text with whatever could break or disturb a line replaced by spaces."""
    return "".join(character if character.isprintable() else " " for character in text)


def content_lines(source: RetrievedContext) -> list[str]:
    """Return the lines of a source as line numbers count them: parted by newlines and nothing else."""
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
    return parts[:1] + [replace(part, context_header="", related_definitions=()) for part in parts[1:]]


def _part(context: RetrievedContext, run: Sequence[_Line]) -> RetrievedContext:
    content = "".join(f"{line.text}\n" for line in run)
    return replace(context, content=content, start_line=run[0].number, end_line=run[-1].number)


def _fit(part: RetrievedContext, room: int, *, min_lines: int) -> RetrievedContext | None:
    if source_tokens(part) <= room:
        return part
    bare = replace(part, content="")
    if source_tokens(bare) * 2 > room:
        part = replace(part, context_header="", related_definitions=())
        bare = replace(part, content="")
    return _cut(part, room - source_tokens(bare), min_lines=min_lines)


def _cut(part: RetrievedContext, room: int, *, min_lines: int) -> RetrievedContext | None:
    lines, numbered = content_lines(part), _numbered(part)
    counts = range(1, len(lines) + 1)
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
    length = max(room, SOURCE_TOKENS) * (ASCII_PER_TOKEN if line.isascii() else 1)
    return line if len(line) <= length else line[:length] + LINE_CUT_MARK
