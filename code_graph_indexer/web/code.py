"""Write the lines of a file as HTML: colours from the grammar, and each reference as a link that says how sure it is."""

import re
import textwrap
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from markupsafe import Markup, escape

from code_graph_indexer.printable import CONTROL_CODES
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.retrieval.excerpt import excerpt
from code_graph_indexer.retrieval.query import same_word
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.storage import ResolvedReference, Store
from code_graph_indexer.storage.records import OUTSIDE_KINDS
from code_graph_indexer.syntax.highlight import Color, colors
from code_graph_indexer.web.links import FILE_KINDS, address, definition_link, search_link
from code_graph_indexer.words import query_words, split_identifier, word_place

WINDOW_LINES = 200
"""Lines that are sent at once. A screen shows about fifty, and those of a long file follow as they come near."""

MAX_LINE = 2_000
"""Most bytes of a line that are shown. Longer lines are data, which nobody reads."""

HIDDEN = dict.fromkeys(CONTROL_CODES, "\ufffd")
"""What is shown for characters that control or turn text, so that code reads as it runs."""

SHOWN = HIDDEN | {ord(sign): str(escape(sign)) for sign in "&<>\"'"}
"""The same for a text that becomes HTML."""

READ_ON = 20
"""Lines that are read behind the last that is shown, for the end of a comment or string that begins there."""

MAX_TOKENS = 5_000
"""Most names of which it is remembered where they hold the words of a query. Results repeat their names."""

_TOKEN = re.compile(r"\w+")

MAX_CALLERS = 99
"""Most callers that are counted beside a definition."""

FATES = ("proven", "guessed", "candidates", "outside", "unknown")
"""How sure a link is, as the page names it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A run of bytes, [start, end), that leads to another page.

    `fate` is one of FATES, `def` for a definition, or `mark` for a match of a search, which has no address and is marked.
    """

    start: int
    end: int
    href: str
    fate: str
    kind: str = ""
    ids: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file, ready to be shown: its text, the starts of its lines, its colours and its links, which are in order."""

    path: str
    text: bytes
    starts: tuple[int, ...]
    colors: tuple[Color, ...]
    links: tuple[Link, ...]
    definitions: Mapping[int, Symbol]

    @property
    def lines(self) -> int:
        """Return the number of lines."""
        return len(self.starts) - 1


@dataclass(frozen=True, slots=True)
class Match:
    """A result of a search, with the lines of it that match, as numbers and HTML."""

    context: RetrievedContext
    lines: tuple[tuple[int, Markup], ...]


def load_code(
    store: Store,
    path: str,
    language: str | None,
    is_indexed: Callable[[str], bool],
    lines: tuple[int, int] | None = None,
) -> CodeFile | None:
    """Read a file from the index, and prepare it. None if the index has no text of it.

    `is_indexed` says whether a name outside the repository leads into a package that has an index. `lines` are the first and
    the last that will be shown: the others get no colours and no links.
    """
    text = store.file_text(path)
    if text is None:
        return None
    starts = _starts(text)
    count = len(starts) - 1
    first, last = (min(max(1, line), count) for line in lines or (1, count))
    symbols = store.file_symbols(path)
    # A definition that starts above may have its name in these lines.
    definitions = [symbol for symbol in symbols if symbol.start_line <= last and first <= symbol.end_line]
    definitions = [symbol for symbol in definitions if symbol.kind not in FILE_KINDS]
    links = [
        *_definition_links(text, starts, definitions),
        *_reference_links(store, path, text, starts, is_indexed, (first, last)),
    ]
    return CodeFile(
        path,
        text,
        starts,
        tuple(colors(path, text, language, starts[first - 1], starts[last])) if language else (),
        tuple(_disjoint(links)),
        {symbol.start_line: symbol for symbol in definitions if symbol.member_id is None},
    )


def matching_lines(path: str, text: str, language: str | None, query: str, most: int) -> Iterator[tuple[int, Markup]]:
    """Yield the lines of a piece of code that fit a query, each with its position from 0 and with the words marked.

    The piece is read up to the last of them: to prepare its whole file for each result of a search would take far longer.
    """
    lines = textwrap.dedent(text.rstrip("\n")).split("\n")
    positions = excerpt(lines, query, most)
    words = tuple(query_words(query))
    source = "\n".join(lines[: positions[-1] + READ_ON]).encode()
    starts = _starts(source)
    marks = [
        Link(starts[position] + start, starts[position] + end, "", "mark")
        for position in positions
        for start, end in _places(lines[position][:MAX_LINE], words)
    ]
    file = CodeFile(path, source, starts, tuple(colors(path, source, language)) if language else (), tuple(marks), {})
    for position in positions:
        yield position, _line(file, position + 1)


def _places(line: str, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where a line holds one of some words, in any form and also inside of a name, as bytes from its start."""
    for token in _TOKEN.finditer(line):
        for at, size in _fits(token[0], words):
            start = len(line[: token.start() + at].encode())
            yield start, start + len(line[token.start() + at : token.start() + at + size].encode())


@lru_cache(MAX_TOKENS)
def _fits(token: str, words: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return where parts of a name are one of some words, each as its place and length."""
    low, at, fits = token.lower(), 0, []
    for part in split_identifier(token):
        at = low.find(part, at)
        if at >= 0 and any(same_word(word, part) for word in words):
            fits.append((at, len(part)))
        at = max(at, 0) + len(part)
    return tuple(fits)


def snippet_lines(text: str, language: str | None) -> list[Markup]:
    """Return the HTML of the lines of a piece of code, in colours."""
    source = textwrap.dedent(text).encode()
    file = CodeFile("", source, _starts(source), tuple(colors("", source, language)) if language else (), (), {})
    return code_lines(file, 1, file.lines)


def _starts(text: bytes) -> tuple[int, ...]:
    """Return where the lines of a text start, and where one more would."""
    lines = text.removesuffix(b"\n").split(b"\n")
    return tuple(accumulate((len(line) + 1 for line in lines), initial=0))


def _definition_links(text: bytes, starts: Sequence[int], symbols: Iterable[Symbol]) -> Iterator[Link]:
    """Yield a link over the name of each definition, where it stands first in it. `starts` are the places of the lines."""
    for symbol in symbols:
        start, end = (starts[min(line, len(starts) - 1)] for line in (symbol.start_line - 1, symbol.end_line))
        names = (symbol.name.encode(), f"${symbol.name}".encode())
        spans = (word_place(text, name, start, min(end, start + MAX_LINE)) for name in names)
        if span := next(filter(None, spans), None):
            yield Link(*span, definition_link(symbol), "def", symbol.kind, str(symbol.node_id))


def _reference_links(
    store: Store,
    path: str,
    text: bytes,
    starts: Sequence[int],
    is_indexed: Callable[[str], bool],
    lines: tuple[int, int],
) -> Iterator[Link]:
    """Yield a link over each reference in some lines of a file. `starts` are the places of all lines."""
    references = store.reference_fates(path, lines)
    uses = store.externals(sorted({reference.source_id for reference in references}), OUTSIDE_KINDS)
    outside = {(use.line, use.column): use for use in uses}
    for reference in references:
        start = starts[reference.line - 1] + reference.column
        # An import has its module before the name.
        name = reference.name.rpartition(" ")[2] if reference.kind == "imports" else reference.name
        name = name.rpartition(".")[2]
        if span := word_place(text, name.encode(), start, starts[reference.line]):
            use = outside.get((reference.line, reference.column))
            if use is not None and reference.target_id is None and not reference.candidates:
                query = f"library:{use.package} {name}" if is_indexed(use.qualified_name) else name
                title = f"{use.qualified_name} of {use.package} {use.version}".rstrip()
                yield Link(*span, search_link(query), "outside", reference.kind, title=title)
            else:
                yield _link(reference, path, name, span)


def _link(reference: ResolvedReference, path: str, name: str, span: tuple[int, int]) -> Link:
    """Return the link over a span of bytes: to the target, to the page of all candidates, or else to a search for the name."""
    if reference.target_id is not None:
        fate = "proven" if (reference.confidence or 0) >= PROVEN else "guessed"
        target = str(reference.target_id)
        return Link(*span, f"/go/{target}", fate, reference.kind, target)
    if reference.candidates:
        ids = ",".join(map(str, reference.candidates))
        href = address("reference", path, at=f"{reference.line}-{reference.column}")
        return Link(*span, href, "candidates", reference.kind, ids)
    return Link(*span, search_link(name), "unknown", reference.kind)


def _disjoint(links: Iterable[Link]) -> Iterator[Link]:
    """Yield links in order of their start. Of those that overlap, the first is taken: a definition, and then the surest."""
    end = -1
    for link in sorted(
        links, key=lambda link: (link.start, link.fate != "def", FATES.index(link.fate) if link.fate in FATES else 0)
    ):
        if link.start >= end:
            yield link
            end = link.end


def code_lines(file: CodeFile, first: int, last: int) -> list[Markup]:
    """Return the HTML of some lines of a file, without their numbers. Lines count from 1, and both ends are included."""
    return [_line(file, number) for number in range(first, min(last, file.lines) + 1)]


def _line(file: CodeFile, number: int) -> Markup:
    """Return a line of a file (from 1) as HTML, cut at MAX_LINE bytes."""
    start, end = file.starts[number - 1], file.starts[number] - 1
    stop = min(end, start + MAX_LINE)
    pieces = [
        f"{before}{file.text[run_start:run_end].decode('utf-8', 'replace').translate(SHOWN)}{after}"
        for run_start, run_end, before, after in _runs(file, start, stop)
    ]
    return Markup("".join([*pieces, " …"] if stop < end else pieces))


def _runs(file: CodeFile, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield runs of a text as (start, end, tag before, tag behind). The first link that goes beyond the end is the last."""
    position = start
    for at in range(bisect_left(file.links, start, key=lambda link: link.start), len(file.links)):
        link = file.links[at]
        if link.end > end:
            break
        yield from _colored(file, position, link.start)
        if not link.href:
            yield link.start, link.end, "<mark>", "</mark>"
            position = link.end
            continue
        ids = f' data-ids="{link.ids}"' if link.fate == "candidates" else ""
        ids += f' title="{escape(link.title)}"' if link.title else ""
        yield (
            link.start,
            link.end,
            f'<a class="{link.fate} {link.kind.translate(SHOWN)}" href="{link.href.translate(SHOWN)}"{ids}>',
            "</a>",
        )
        position = link.end
    yield from _colored(file, position, end)


def _colored(file: CodeFile, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield the runs of a part of a text without links, each as (start, end, tag before, tag behind), with its colours."""
    at = bisect_left(file.colors, start, key=lambda color: color.end)
    while start < end:
        color = file.colors[at] if at < len(file.colors) else None
        if color is None or color.start >= end:
            yield start, end, "", ""
            return
        if color.start > start:
            yield start, color.start, "", ""
        stop = min(color.end, end)
        if stop > (first := max(color.start, start)):
            yield first, stop, f"<i class={color.name}>", "</i>"
        start, at = stop, at + 1
