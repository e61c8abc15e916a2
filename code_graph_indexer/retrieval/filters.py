"""Read the filters that stand in a query itself: `lang:go path:web/* -type:markdown test:no how are routes matched`."""

import re
from dataclasses import replace
from typing import Any

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import Filters, SourceType

_FILTER = re.compile(r"(?<!\S)(-|NOT\s+)?(language|lang|path|file|type|kind|repo|tests?):(\"[^\"]+\"|[^\s\"]\S*)(?!\S)")
_GLOB = re.compile(r"[*?\[]")
_YES = frozenset({"yes", "true", "only", "1"})
_NO = frozenset({"no", "false", "none", "0"})

_FIELDS = {
    "lang": "languages",
    "language": "languages",
    "path": "file_patterns",
    "file": "file_patterns",
    "kind": "chunk_types",
    "type": "chunk_types",
}


def read_filters(text: str, filters: Filters | None = None) -> tuple[str, Filters]:
    """Take the `key:value` filters out of a query; return what is left of it, and them added to those given.

    Keys are lang, path, type (a kind of chunk, or code, markdown, text), repo, test (yes or no); with `-` or `NOT` before
    it, a filter keeps out what it names. A path without `*` is any part of one. Raises UsageError for a test: that is
    neither yes nor no.
    """
    filters = filters or Filters()
    for negated, key, value in _FILTER.findall(text):
        filters = _with(filters, key, value.strip('"'), negated=bool(negated))
    return " ".join(_FILTER.sub(" ", text).split()) if _FILTER.search(text) else text, filters


def _with(filters: Filters, key: str, value: str, *, negated: bool) -> Filters:
    if key in ("test", "tests"):
        if value.lower() not in _YES | _NO:
            raise UsageError(f"test:{value} is neither test:yes nor test:no")
        return replace(filters, tests=(value.lower() in _YES) != negated)
    if negated:
        return replace(filters, excluded=_with(filters.excluded or Filters(), key, value, negated=False))
    if key == "repo":
        return replace(filters, repo_id=value)
    name = "source_types" if key == "type" and value in {one.value for one in SourceType} else _FIELDS[key]
    if name == "file_patterns":
        value = value if _GLOB.search(value) else f"*{value}*"
    elif name == "languages":
        value = value.lower()
    added: dict[str, Any] = {name: (*getattr(filters, name), value)}
    return replace(filters, **added)
