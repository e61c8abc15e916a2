"""Find a setting by its key: where files of settings give it, and where code reads it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.storage import FileRow, Store

MAX_PLACES = 40
"""Most places of a key that are listed."""

MAX_CHUNKS = 200
"""Most pieces of code in which a key is looked up, those that hold it most often first."""

MAX_LINE = 200
"""Most characters of a line."""

_KEY = re.compile(r"[A-Za-z_][\w-]*(?:[.:/][\w-]+)*")


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A line of a file with a key. `is_given` says that it gives a value to the key, and does not read it."""

    path: str
    line: int
    text: str
    is_given: bool


def key_places(store: Store, files: Mapping[str, FileRow], query: str) -> list[KeyPlace]:
    """List where files give a value to a key, and where code names it. A query of several words is none.

    `shop.rate-limit` is the key `rate-limit` of a file `shop.php`, too. The name of a definition is no key.
    """
    if not _KEY.fullmatch(query):
        return []
    *above, key = re.split(r"[.:/]", query)
    if store.symbols([key], exact_case=True):
        return []
    hits = store.substrings(key, Filters(), MAX_CHUNKS, whole=True)
    paths = {symbol.file_path for symbol in store.nodes(hits.ids.tolist()).values()} if len(hits) else set()
    marked = store.marked_files(tests=True)
    rows = [files[path] for path in sorted(paths, key=lambda path: (path in marked, path)) if path in files]
    places = [place for row in rows for place in _places(store, row, query, key, above)]
    settings = [place for place in places if place.is_given]
    readers = [place for place in places if not place.is_given]
    return [*settings, *readers][:MAX_PLACES] if settings else []


def _places(store: Store, row: FileRow, query: str, key: str, above: list[str]) -> Iterator[KeyPlace]:
    """Yield the lines of a file that give a value to a key, and those that name it as it was asked for."""
    setting = re.compile(rf"""^[ \t]*(?:export[ \t]+)?(["']?){re.escape(key)}\1[ \t]*(?:=>|:(?![:=])|=(?![=>~]))""")
    mention = re.compile(rf"(?<![\w-]){re.escape(query)}(?![\w-])")
    stem = row.path.rpartition("/")[2].partition(".")[0]
    is_own = row.source_type != SourceType.MARKDOWN and (not above or stem in above)
    text = (store.file_text(row.path) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n") if key in text else (), 1):
        is_given = is_own and setting.match(line) is not None
        if is_given or (row.source_type == SourceType.CODE and mention.search(line)):
            yield KeyPlace(row.path, number, line.strip()[:MAX_LINE], is_given)
