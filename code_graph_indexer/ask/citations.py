"""Find the citations of an answer, check each against the sources, and mark those that do not hold."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from code_graph_indexer.ask.context import body, content_lines, related_place
from code_graph_indexer.ask.results import Citation
from code_graph_indexer.retrieval.results import RetrievedContext

NOT_GIVEN = "not in the sources"
LINES_NOT_GIVEN = "lines not in the sources"
BACKWARDS = "ends before it starts"
NAMES_NOT_THERE = "what is quoted does not stand there"

MOST_DIGITS = 9
"""The most digits of a line number that are read. A longer number is past the end of any file, and slow to convert."""

# Paths may hold brackets in pairs (`app/[id]/page.tsx`).
_BRACKET = re.compile(r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\])+)\]")
_CODE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t]*(?P=fence)|\Z)|(?<!`)(?P<ticks>`++).+?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
# `++` and `*+` give nothing back, so no hostile answer can make the search slow.
_RANGE = r"L?(?P<start>[0-9]++)(?:\s*+[-–]\s*+L?(?P<end>[0-9]++))?"
_PLACE = re.compile(rf"(?P<path>.+?):(?P<gap>\s*+){_RANGE}")
_LINES = re.compile(_RANGE)
_QUOTED_NAME = re.compile(r"`([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\))?)`")
_SENTENCE_END = re.compile(r"[.!?:;]\s|\n")
_SEPARATOR = re.compile("([;,])")
_QUOTES = "` \t"
_LOOKS_LIKE_PATH = re.compile(r".*/.*|.*\.\w+")

Ranges = Mapping[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with its bad citations marked, and a list of all its citations, in order, without repeats."""

    text: str
    citations: tuple[Citation, ...]


def check_citations(text: str, sources: Iterable[RetrievedContext]) -> CheckedText:
    """Check every citation in a text, such as `[src/app.py:3-7]`, against the sources.

    A citation holds if its lines lie in one unbroken range of source lines, which may span adjacent sources. A citation also
    holds if it is exactly the place that a source gives for a neighbour in the graph, such as a caller. If the sentence
    quotes names of code, the cited sources must contain at least one of these names.
    """
    sources = list(sources)
    ranges = given_ranges(sources)
    pieces: list[str] = []
    citations: list[Citation] = []
    position = 0
    for bracket, parts in _find(text, ranges):
        # A name belongs to the next citation behind it, so the search starts behind the last bracket.
        names = _quoted_names(text[position : bracket.start()])
        checked = [_checked(part, ranges, names, sources) if isinstance(part, Citation) else part for part in parts]
        pieces += [text[position : bracket.start()], "[", *_marked(bracket[1], checked), "]"]
        citations += [part for part in checked if isinstance(part, Citation)]
        position = bracket.end()
    return CheckedText("".join([*pieces, text[position:]]), tuple(dict.fromkeys(citations)))


def given_ranges(sources: Iterable[RetrievedContext]) -> Ranges:
    """Map each path to the ranges of lines that the sources show. Ranges are sorted, and neither overlap nor touch.

    Lines are 1-based and inclusive. The line of a neighbour in the graph is a range too.
    """
    ranges: dict[str, list[tuple[int, int]]] = {}
    for source in sources:
        last = source.start_line + len(content_lines(source)) - 1
        ranges.setdefault(source.file_path, []).append((source.start_line, last))
        for related in source.related_definitions:
            place = related_place(related)
            ranges.setdefault(related.file_path, []).append((place, place))
    return {path: _merged(lines) for path, lines in ranges.items()}


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        # Adjacent ranges are joined, so that a citation may run over two sources.
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _find(text: str, ranges: Ranges) -> Iterator[tuple[re.Match[str], list[str | Citation]]]:
    code = [match.span() for match in _CODE.finditer(text)]
    position = 0
    while bracket := _BRACKET.search(text, position):
        start = bracket.start()
        span = bisect_right(code, start, key=itemgetter(0)) - 1
        in_code = span >= 0 and start < code[span][1]
        # Right behind a name, a bracket is an index: `rows[start:10]`.
        subscript = start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_)]")
        parts = _parts(bracket[1], ranges, in_code=in_code, subscript=subscript)
        # A bracket that is no citation may hold one inside.
        position = bracket.end() if parts else start + 1
        if parts:
            yield bracket, parts


def _parts(inside: str, ranges: Ranges, *, in_code: bool, subscript: bool) -> list[str | Citation]:
    """Return the citations and separators in a bracket, in order. If it holds anything else, return an empty list.

    `in_code` and `subscript` say whether the bracket is inside code and right after a name (`rows[1:2]`).
    """
    # A path may hold a separator, so the whole bracket is tried as one place first.
    whole = _PLACE.fullmatch(inside.strip(_QUOTES))
    if whole and _written_path(whole) in ranges:
        return [_citation(_written_path(whole), whole)]
    parts: list[str | Citation] = []
    path = ""
    for number, piece in enumerate(_SEPARATOR.split(inside)):
        place = _PLACE.fullmatch(piece.strip(_QUOTES))
        # The split keeps its separators: every second piece is one.
        if number % 2:
            parts.append(piece)
        elif place and _means_path(place, ranges, in_code=in_code, subscript=subscript):
            path = _path(place, ranges)
            parts.append(_citation(path, place))
        # In `[a.py:3, 7]`, the second place lies in the file of the first.
        elif path and (lines := _LINES.fullmatch(piece.strip(_QUOTES))):
            parts.append(_citation(path, lines))
        else:
            return []
    return parts


def _means_path(place: re.Match[str], ranges: Ranges, *, in_code: bool, subscript: bool) -> bool:
    path = _path(place, ranges)
    if path in ranges:
        return True
    # `http://localhost:8080` looks like a path with a line.
    if "://" in path or not any(character.isalpha() for character in path):
        return False
    if _LOOKS_LIKE_PATH.fullmatch(path):
        return not (in_code and subscript)
    # A path without a slash or dot (`[Dockerfile:3]`) is taken for one only in plain prose.
    return not in_code and not subscript and not place["gap"] and not re.search(r"\s", path)


def _path(place: re.Match[str], ranges: Ranges) -> str:
    """Return the path of a citation, without plain words before a known path: `see src/app.py:3` → `src/app.py`."""
    path = _written_path(place)
    words, _, last = path.rpartition(" ")
    return last if path not in ranges and last in ranges and words.replace(" ", "").isalpha() else path


def _written_path(place: re.Match[str]) -> str:
    return place["path"].strip(_QUOTES).removeprefix("./")


def _citation(path: str, lines: re.Match[str]) -> Citation:
    return Citation(path, _line(lines["start"]), _line(lines["end"] or lines["start"]))


def _line(digits: str) -> int:
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS


def _checked(citation: Citation, ranges: Ranges, names: Sequence[str], sources: Sequence[RetrievedContext]) -> Citation:
    problem = _problem(citation, ranges) or (NAMES_NOT_THERE if not _names_stand(citation, names, sources) else "")
    return Citation(citation.path, citation.start_line, citation.end_line, problem)


def _quoted_names(text: str) -> list[str]:
    """List the names in backticks in the last sentence of a text, each by its last part: `Cart.add()` → `add`."""
    sentence = _SENTENCE_END.split(text)[-1]
    return [name.rstrip("()").replace("::", ".").rpartition(".")[2] for name in _QUOTED_NAME.findall(sentence)]


def _names_stand(citation: Citation, names: Sequence[str], sources: Sequence[RetrievedContext]) -> bool:
    """Return True if the cited sources contain at least one of the names, or if there are no names."""
    cited = (source for source in sources if _overlaps(source, citation))
    return not names or any(name in f"{source.qualified_name}\n{body(source)}" for source in cited for name in names)


def _overlaps(source: RetrievedContext, citation: Citation) -> bool:
    places = {related_place(related) for related in source.related_definitions if related.file_path == citation.path}
    last = source.start_line + len(content_lines(source)) - 1
    inside = (
        source.file_path == citation.path and source.start_line <= citation.end_line and citation.start_line <= last
    )
    return inside or not places.isdisjoint(range(citation.start_line, citation.end_line + 1))


def _problem(citation: Citation, ranges_by_path: Ranges) -> str:
    if citation.path not in ranges_by_path:
        return NOT_GIVEN
    if citation.start_line > citation.end_line:
        return BACKWARDS
    ranges = ranges_by_path[citation.path]
    if any(start <= citation.start_line and citation.end_line <= end for start, end in ranges):
        return ""
    return LINES_NOT_GIVEN


def _marked(inside: str, parts: Sequence[str | Citation]) -> Iterator[str]:
    """Yield the text of a bracket in parts. Append the problem to each citation that does not hold."""
    # A single part may hold separators in its path, so it stays whole.
    pieces = [inside] if len(parts) == 1 else _SEPARATOR.split(inside)
    for words, part in zip(pieces, parts, strict=True):
        yield f"{words.rstrip()} — {part.problem}" if isinstance(part, Citation) and part.problem else words
