"""Read the headings of plain text as sections: reStructuredText, AsciiDoc, and text that underlines its headings."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.records import Definition, Syntax

SEPARATOR = " › "
"""The text between the headings of a section's name, as in Markdown."""

MAX_TITLE = 200
"""Most characters of a heading."""

UNDERLINED, ASCIIDOC = (".rst", ".rest", ".txt", ".text"), (".adoc", ".asciidoc")
"""Endings of the names of files whose headings are read."""

# A literal first character makes it three times as fast as `^` is.
_RULE = re.compile(r"\n(([=\-~^\"'`#*+.:_<>])\2{2,})[ \t]*(?=\n|\Z)")
_ASCIIDOC = re.compile(
    r"^(?P<block>-{4,}|={4,}|\.{4,}|/{4,}|\+{4,}|```.*)[ \t]*$|^(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)$",
    re.MULTILINE,
)
_WORD = re.compile(r"\w")
_ROLE = re.compile(r":[\w:.+-]+:`([^`]*?)(?:[ \t]*<[^`]*>)?`")
_TARGET = re.compile(r"`([^`<]*?)[ \t]*<[^`]*>`_+")


class _Heading(NamedTuple):
    """A heading: where its lines and its title start, its title, and its style. A deeper heading has a later style."""

    start: int
    title_start: int
    title: str
    style: object


def read_sections(path: str, text: bytes) -> Syntax | None:
    """Return the sections of a plain text as definitions, or None if its name or its content has no headings.

    A section ends where the next heading of its level or above begins.
    """
    name = path.lower()
    if not name.endswith((*UNDERLINED, *ASCIIDOC)):
        return None
    # Every byte becomes a character, so that positions are those of the bytes.
    characters = text.decode("latin-1")
    headings = list(_asciidoc(characters) if name.endswith(ASCIIDOC) else _underlined(characters))
    if not headings:
        return None
    styles = {style: level for level, style in enumerate(dict.fromkeys(heading.style for heading in headings))}
    levels = [heading.style if isinstance(heading.style, int) else styles[heading.style] for heading in headings]
    ends = [len(text)] * len(headings)
    parents: list[int] = []
    open_sections: list[int] = []
    for position, level in enumerate(levels):
        while open_sections and levels[open_sections[-1]] >= level:
            ends[open_sections.pop()] = headings[position].start
        parents.append(open_sections[-1] if open_sections else -1)
        open_sections.append(position)
    definitions: list[Definition] = []
    for heading, end, parent in zip(headings, ends, parents, strict=True):
        title = as_name(heading.title.encode("latin-1").decode("utf-8", "replace"))
        definitions.append(
            Definition(
                kind="section",
                name=title,
                path_name=f"{definitions[parent].path_name}{SEPARATOR}{title}" if parent >= 0 else title,
                start=heading.start,
                end=end,
                lead=heading.start,
                name_start=heading.title_start,
                signature=title,
                doc="",
                parent=parent,
                owner="",
                type_name="",
                has_body=True,
                fewest=0,
                most=0,
                types=(),
                inner=heading.start,
            )
        )
    return Syntax(definitions=tuple(definitions))


def _underlined(text: str) -> Iterator[_Heading]:
    """Yield the headings that a line of repeated signs underlines. Each pair of signs, above and below, is a style."""
    for rule in _RULE.finditer(text):
        title_start = text.rfind("\n", 0, rule.start()) + 1
        line = text[title_start : rule.start()]
        title = line.strip()
        # Characters, not bytes: the underline of `Überblick` is as long as the word.
        length = len(title.encode("latin-1").decode("utf-8", "replace"))
        if not 0 < length <= min(len(rule[1]), MAX_TITLE) or not _WORD.search(title):
            continue
        above_start = text.rfind("\n", 0, max(title_start - 1, 0)) + 1
        above = text[above_start : max(title_start - 1, 0)].strip()
        over = above == rule[1]
        # The last line of a paragraph is no heading, and an indented line needs a line above and below.
        if over or not (above or line[0].isspace()):
            plain = _TARGET.sub(r"\1", _ROLE.sub(r"\1", title)).replace("`", "").strip()
            yield _Heading(above_start if over else title_start, title_start, plain or title, (over, rule[2]))


def _asciidoc(text: str) -> Iterator[_Heading]:
    """Yield the headings that begin with `=` or `#`, outside of blocks of code. Their number of signs is the level."""
    block = ""
    for match in _ASCIIDOC.finditer(text):
        if sign := match["block"]:
            block = "" if block and sign.startswith(block) else block or sign[:3]
        elif not block:
            yield _Heading(match.start(), match.start("title"), match["title"].strip(), len(match["marks"]))
