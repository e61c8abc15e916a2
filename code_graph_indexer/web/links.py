"""Write the addresses of pages. They name paths and definitions, so that they hold after the index is built anew."""

import re
from functools import lru_cache
from urllib.parse import quote, quote_plus

from code_graph_indexer.results import Symbol

FILE_KINDS = frozenset({"module", "section", "text", "block"})
"""Kinds of chunks that are parts of a file, not definitions. Their page is the file's."""

MAX_WRITTEN = 20_000
"""Most texts whose form in an address is remembered. A page writes the same paths and names many times."""

_LINES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")

# Everything but slashes is quoted: a path may hold `?`, `#` and `%`.
_path = lru_cache(MAX_WRITTEN)(quote)
_word = lru_cache(MAX_WRITTEN)(quote_plus)


def address(folder: str, path: str = "", /, **query: str | int | tuple[str, ...]) -> str:
    """Return the address of a page. Parts of the query that are empty or 0 are left out."""
    words = "&".join(
        f"{name}={value if isinstance(value, int) else _word(value)}"
        for name, values in query.items()
        if values
        for value in (values if isinstance(values, tuple) else (values,))
    )
    return f"/{folder}{f'/{_path(path)}' if path else ''}{f'?{words}' if words else ''}"


def definition_link(symbol: Symbol) -> str:
    """Return the address of a definition's page. A part of a file is shown in the file."""
    if symbol.kind in FILE_KINDS:
        return code_link(symbol.file_path, symbol.start_line if symbol.kind != "module" else 0)
    return address("definition", symbol.file_path, name=symbol.qualified_name, line=symbol.start_line)


def code_link(path: str, line: int = 0, end: int = 0) -> str:
    """Return the address of a file, or of lines in it."""
    at = f"{line}-{end}" if end > line else str(line or "")
    return address("code", path, at=at) + (f"#L{line}" if line else "")


def place_link(place: str) -> str:
    """Return the address of a place, `path:line`."""
    path, _, line = place.rpartition(":")
    return code_link(path, read_lines(line)[0])


def folder_link(path: str) -> str:
    """Return the address of a folder. The empty path is the root."""
    return address("folder", path) if path else "/"


def search_link(query: str) -> str:
    """Return the address of the results of a search."""
    return address("search", q=query)


def read_lines(text: str) -> tuple[int, int]:
    """Read lines as they are written in an address: `12` or `12-20`. Any other text gives (0, 0)."""
    match = _LINES.fullmatch(text)
    if not match:
        return 0, 0
    first = int(match[1])
    return first, max(first, int(match[2] or first))


def crumbs(path: str) -> list[tuple[str, str]]:
    """Return the folders around a path, outermost first, as name and path."""
    parts = path.split("/")[:-1]
    return [(part, "/".join(parts[: at + 1])) for at, part in enumerate(parts)]


def repo_filter(name: str) -> str:
    """Return the filter of a search that keeps one repository of a set."""
    return f'repo:"{name}"' if " " in name else f"repo:{name}"
