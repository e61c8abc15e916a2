"""Quote the first value of a field: who reads that it is compared asks what it is by default."""

import re
from collections.abc import Sequence

from code_graph_indexer.explore.page import LONGEST_LINE, Page
from code_graph_indexer.explore.texts import LEAST_NAME, matching_lines
from code_graph_indexer.explore.topic import branch_end
from code_graph_indexer.results import PROVEN, Filters, Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.words import sub_words

MAX_WRITES, MAX_FIRST, MAX_HOPS = 15, 2, 2
"""The most writes that are read, values of which each may be the first, and fields that a value is taken from in turn."""

MAX_SETTINGS, LEAST_WORDS = 4, 2
"""The most short functions and keys that are looked up, and the words of the question that a key has at least."""

BELOW = 3
"""The lines below the key of a table in which the value of its entry may stand."""

HEAD = 12
"""The lines of a function in which the default of a parameter may stand."""

MARKS = ("'", '"')
"""The marks around a text."""

OPENING = ("(", "[", "{")
"""How the line of a key ends whose entry has further lines."""

_BEGINNING = r"(?:[\"'\w-]|[\[({](?!\s*[\])}]))"
"""How a value begins that is not empty."""

_KEY = re.compile(r"([\"'])([\w.-]+)\1")
_VALUE = re.compile(r"[:=]\s*(?:-?\d|[\"'`]|true\b|false\b)", re.IGNORECASE)
"""Match a text that may be a key, and a value that stands in a line of an entry."""


def quote_first_value(page: Page, store: Store, field: Symbol, hops: int = MAX_HOPS) -> bool:
    """Quote where a field gets a number or text: at its definition, at its few writes, or in the field that it is set to.

    Return whether there is such a line. What many places set has no first value that could be told.
    """
    writes = _writes(store, field)
    values = _given(page, field, field, field.start_line)
    for writer, line in writes[:MAX_WRITES] if not values else []:
        values |= _given(page, field, writer, line)
    if values:
        return len(values) <= MAX_FIRST and all(page.quote(path, [number]) for path, number in sorted(values))
    if hops == MAX_HOPS and any(quote_entry(page, store, key) for key in (field.name, *_keys(page, field, writes))):
        return True
    for writer, line in writes[: MAX_FIRST if hops else 0]:
        reads = [edge.chunk_id for edge in store.edges([writer.node_id], "reads", incoming=False) if edge.line == line]
        for source in store.nodes(reads).values():
            if source.node_id != field.node_id and quote_first_value(page, store, source, hops - 1):
                return True
    return False


def _writes(store: Store, field: Symbol) -> list[tuple[Symbol, int]]:
    """Return the proven writes of a field outside of tests: the definition that writes, and the line."""
    edges = [edge for edge in store.edges([field.node_id], "writes", incoming=True) if edge.confidence >= PROVEN]
    writers = store.nodes([edge.chunk_id for edge in edges])
    places = [(writers[edge.chunk_id], edge.line) for edge in edges if edge.chunk_id in writers]
    return [(writer, line) for writer, line in places if not writer.is_test]


def quote_settings(page: Page, store: Store, functions: Sequence[Symbol]) -> None:
    """Quote the entries of tables that short functions read by a text, as `def timeout(self): return self.table["timeout"]`."""
    short = [
        function for function in functions if function.end_line - function.start_line <= BELOW and not function.is_test
    ]
    for position in page.topic.ordered(short)[:MAX_SETTINGS]:
        function = short[position]
        words = set(sub_words(function.name))
        lines = page.files.lines(function.file_path)[function.start_line - 1 : function.end_line]
        keys = [key for line in lines for _, key in _KEY.findall(line) if words.intersection(sub_words(key.lower()))]
        if any(quote_entry(page, store, key) for key in keys):
            page.quote(function.file_path, range(function.start_line, function.end_line + 1))


def quote_keys(page: Page, store: Store, symbols: Sequence[Symbol]) -> None:
    """Quote the entries of tables whose keys the quoted lines of definitions have, as `settings.get("retry_limit")`."""
    keys: dict[str, None] = {}
    for symbol in symbols:
        lines = page.files.lines(symbol.file_path)
        for number in range(symbol.start_line, min(symbol.end_line, len(lines)) + 1):
            if page.quotes(symbol.file_path, number):
                keys.update((key, None) for _, key in _KEY.findall(lines[number - 1]) if "_" in key or "-" in key)
    telling = [key for key in keys if len(page.topic.hits(key)) >= LEAST_WORDS]
    for key in telling[:MAX_SETTINGS]:
        quote_entry(page, store, key)


def quote_entry(page: Page, store: Store, key: str) -> bool:
    """Quote where a value is set by a text, as in `set_default("max_age", 60)` or in an entry of a table, if there are few."""
    if len(key) < LEAST_NAME:
        return False
    code = Filters(tests=False, source_types=("code",))
    hits = [store.substrings(f"{mark}{key}{mark}", code, MAX_WRITES) for mark in MARKS]
    chunks = store.chunks(sorted({chunk_id for places in hits for chunk_id in places.ids.tolist()}))
    name = re.escape(key)
    # What has the name of the key is no value: `{"timeout": timeout}`.
    pattern = re.compile(rf"(?:^|[(\[{{])\s*[\"']{name}[\"']\s*(?:,|:|=>?)\s*(?!{name}\b){_BEGINNING}")
    places = sorted({(chunk.path, number) for chunk, number, _ in matching_lines(store, chunks, pattern)})
    entries = [(path, numbers) for path, number in places if (numbers := _entry(page, path, number))]
    # An entry of a table begins its line. Within a line, a call may read it: `settings.get("retries", 0)`.
    entries = [(path, numbers) for path, numbers in entries if _begins(page, path, numbers[0])] or entries
    return 0 < len(entries) <= MAX_FIRST and all(page.quote(path, numbers) for path, numbers in entries)


def _begins(page: Page, path: str, number: int) -> bool:
    """Say whether a line begins with a text, apart from brackets."""
    return page.files.lines(path)[number - 1].lstrip(" \t([{")[:1] in MARKS


def _entry(page: Page, path: str, number: int) -> range:
    """Return the lines from a key to its value, or none if it has none near. What is deeper belongs to the entry."""
    lines = page.files.lines(path)
    if page.files.site(path, number) is None:
        return range(0)
    line = lines[number - 1]
    if not line.rstrip().endswith(OPENING):
        return range(number, number + 1)
    end = min(branch_end(lines, number), number + BELOW)
    value = next((below for below in range(number + 1, end + 1) if _VALUE.search(lines[below - 1])), None)
    return range(number, value + 1) if value else range(0)


def _keys(page: Page, field: Symbol, writes: Sequence[tuple[Symbol, int]]) -> list[str]:
    """Return the texts in the lines of a few writes of a field that share a word with its name. One may be its key."""
    if len(writes) > MAX_FIRST:
        return []
    words = set(sub_words(field.name))
    lines = [
        page.files.lines(writer.file_path)[line - 1]
        for writer, line in writes
        if page.files.site(writer.file_path, line)
    ]
    return [key for line in lines for _, key in _KEY.findall(line) if words.intersection(sub_words(key))]


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
