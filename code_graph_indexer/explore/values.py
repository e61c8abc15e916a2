"""Quote the first value of a field: who reads that it is compared asks what it is by default."""

import re

from code_graph_indexer.explore.page import LONGEST_LINE, Page
from code_graph_indexer.explore.texts import LEAST_NAME, matching_lines
from code_graph_indexer.results import PROVEN, Filters, Symbol
from code_graph_indexer.storage import Store

MAX_WRITES, MAX_FIRST, MAX_HOPS = 15, 2, 2
"""The most writes that are read, values of which each may be the first, and fields that a value is taken from in turn."""

HEAD = 12
"""The lines of a function in which the default of a parameter may stand."""


def quote_first_value(page: Page, store: Store, field: Symbol, hops: int = MAX_HOPS) -> bool:
    """Quote where a field gets a number or text: at its definition, at its few writes, or in the field that it is set to.

    Return whether there is such a line. What many places set has no first value that could be told.
    """
    edges = store.edges([field.node_id], "writes", incoming=True)
    writers = store.nodes([edge.chunk_id for edge in edges])
    writes = [
        (writers[edge.chunk_id], edge.line)
        for edge in edges
        if edge.chunk_id in writers and not writers[edge.chunk_id].is_test and edge.confidence >= PROVEN
    ]
    values = _given(page, field, field, field.start_line)
    for writer, line in writes[:MAX_WRITES] if not values else []:
        values |= _given(page, field, writer, line)
    if values:
        return len(values) <= MAX_FIRST and all(page.quote(path, [number]) for path, number in sorted(values))
    if hops == MAX_HOPS and _quote_keyed(page, store, field):
        return True
    for writer, line in writes[: MAX_FIRST if hops else 0]:
        reads = [edge.chunk_id for edge in store.edges([writer.node_id], "reads", incoming=False) if edge.line == line]
        for source in store.nodes(reads).values():
            if source.node_id != field.node_id and quote_first_value(page, store, source, hops - 1):
                return True
    return False


def _quote_keyed(page: Page, store: Store, field: Symbol) -> bool:
    """Quote where a value is set by the name of a field as a text, as in `set_default("max_age", 60)`, if there are few."""
    if len(field.name) < LEAST_NAME:
        return False
    hits = store.substrings(f'"{field.name}"', Filters(tests=False, source_types=("code",)), MAX_WRITES + 1)
    chunks = store.chunks(hits.ids.tolist())
    pattern = re.compile(rf"(?:^|[(\[{{])\s*[\"']{re.escape(field.name)}[\"']\s*(?:,|:|=>?)\s*[\"'\w-]")
    places = sorted({(chunk.path, number) for chunk, number, _ in matching_lines(store, chunks, pattern)})
    places = [place for place in places if page.files.site(*place) is not None]
    return 0 < len(places) <= MAX_FIRST and all(page.quote(path, [number]) for path, number in places)


def _given(page: Page, field: Symbol, writer: Symbol, line: int) -> set[tuple[str, int]]:
    """Return the place of the value that a write gives to a field: in its line, or the default of a parameter above."""
    path, lines = writer.file_path, page.files.lines(writer.file_path)
    if page.files.site(path, line) is None:
        return set()
    numbers = (line, *range(writer.start_line, min(writer.start_line + HEAD, line)))
    return {(path, number) for number in numbers if first_value(lines[number - 1], field.name)}


def first_value(line: str, name: str) -> str:
    """Return the number or text that a line gives to a name, or an empty text.

    >>> first_value("    def __init__(self, max_age: int = 60_000):", "max_age")
    '60_000'
    """
    shape = r"(?:[\s\w.:<>|*&?\]]*?(?<![=!<>])=|\s*[:({])"
    match = re.search(rf"(?<!\w){re.escape(name)}{shape}\s*(-?\d[\w.]*|[\"'`][^\"'`]*)", line[:LONGEST_LINE])
    return match[1] if match else ""
