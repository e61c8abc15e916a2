"""Read and check the filters of a search: those in the text of the query, and those given as arguments.

Every search calls `read_filters`. It reads `lang:go path:web/* -type:markdown test:no how are routes matched` and adds the
filters of the caller. It refuses a filter that can match nothing in the index, and suggests the nearest valid name.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from code_graph_indexer.errors import NotInIndexError, UsageError
from code_graph_indexer.graph.names import Names
from code_graph_indexer.results import Filters, SourceType
from code_graph_indexer.storage import Store

# A filter stands between blanks: `http://path:80` and `a-path:x` hold none.
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
_SOURCE_TYPES = tuple(source_type.value for source_type in SourceType)


def read_filters(
    store: Store,
    query: str,
    filters: Filters | None = None,
    *,
    folders: Iterable[str] = (),
    limit: int | None = None,
) -> tuple[str, Filters]:
    """Return the text of a query without its filters, and `filters` with these filters added.

    `folders` are the folders that the search prefers. `folders` and `limit` are only checked.

    Raises UsageError in these cases:
    * A language, source type, chunk kind or folder does not exist.
    * A file pattern can match no path.
    * A repository is not in the index.
    * A `test:` filter is neither yes nor no.
    * `limit` is below 1.
    """
    # The filters are checked against the index as it is now, after any update by another process.
    store.refresh()
    check_limit(limit)
    text, filters = parse_filters(query, filters)
    _require_existing("source type", filters.source_types, _SOURCE_TYPES)
    filters = _with_language_names(filters)
    # Excluding a kind that the index lacks is harmless, so only the kinds that are asked for are checked.
    if not all(map(store.has_kind, filters.chunk_types)):
        # Only a message needs all kinds: counting them takes 60 ms at 60,000 chunks.
        _require_existing("kind of chunk", filters.chunk_types, store.counts()["chunks"])
    _require_repositories(store, [name for part in (filters, filters.excluded) if part for name in part.repo_ids or ()])
    _check_patterns(filters)
    names = Names(store)
    for folder in (*_directories(filters), *folders):
        try:
            names.folder(folder)
        except NotInIndexError as exc:
            raise UsageError(str(exc)) from exc
    return text, filters


def check_limit(limit: int | None) -> None:
    """Raise UsageError if `limit`, the largest number of results, is below 1. None is valid."""
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is {limit}; give 1 or more")


def build_filters(
    *,
    repo_id: str | Sequence[str] | None = None,
    language: str | Sequence[str] = (),
    directory: str | None = None,
    chunk_type: str | Sequence[str] = (),
    source_types: str | Sequence[str] = (),
    file_patterns: str | Sequence[str] = (),
    tests: bool | None = None,
) -> Filters:
    """Build filters from arguments. A single string means a sequence of one."""
    return Filters(
        repo_id=repo_id if repo_id is None or isinstance(repo_id, str) else tuple(repo_id) or None,
        languages=as_tuple(language),
        directory=directory,
        chunk_types=as_tuple(chunk_type),
        source_types=as_tuple(source_types),
        file_patterns=as_tuple(file_patterns),
        tests=tests,
    )


def as_tuple(value: str | Sequence[str]) -> tuple[str, ...]:
    """Return `value` as a tuple. A single string gives a tuple of one, an empty string an empty tuple."""
    return (value,) if isinstance(value, str) and value else tuple(value)


def parse_filters(text: str, filters: Filters | None = None) -> tuple[str, Filters]:
    """Return a text without its `key:value` filters, and `filters` with these filters added.

    The keys are `lang`, `path`, `type` (a chunk kind, or code, markdown, text), `repo` and `test` (yes or no). `-` or `NOT`
    before a filter excludes what it matches. A path without a wildcard matches any part of a path: `path:web` is `*web*`.

    Raises UsageError if a `test:` filter is neither yes nor no. No other value is checked.
    """
    filters = filters or Filters()
    for negation, key, value in _FILTER.findall(text):
        filters = _with_filter(filters, key, value.strip('"'), negated=bool(negation))
    # A text without filters keeps its line breaks, by which the router recognises a stack trace.
    return " ".join(_FILTER.sub(" ", text).split()) if _FILTER.search(text) else text, filters


def written_filters(text: str) -> list[str]:
    """List the filters in a text, as they are written there: `-test:yes`."""
    return [match[0] for match in _FILTER.finditer(text)]


def _with_filter(filters: Filters, key: str, value: str, *, negated: bool) -> Filters:
    if key in ("test", "tests"):
        if value.lower() not in _YES | _NO:
            raise UsageError(f"test:{value} is neither test:yes nor test:no")
        # `-test:yes` means `test:no`, which is a restriction by itself and no exclusion.
        return replace(filters, tests=(value.lower() in _YES) != negated)
    if negated:
        return replace(filters, excluded=_with_filter(filters.excluded or Filters(), key, value, negated=False))
    if key == "repo":
        return replace(filters, repo_id=value if filters.repo_ids is None else (*filters.repo_ids, value))
    name = "source_types" if key == "type" and value in _SOURCE_TYPES else _FIELDS[key]
    if name == "file_patterns":
        value = value if _GLOB.search(value) else f"*{value}*"
    elif name == "languages":
        value = value.lower()
    addition: dict[str, Any] = {name: (*getattr(filters, name), value)}
    return replace(filters, **addition)


def _with_language_names(filters: Filters) -> Filters:
    """Return filters with language names in place of file extensions: `py` → `python`.

    Raises UsageError for an unknown language.
    """
    excluded = filters.excluded and _with_language_names(filters.excluded)
    if not filters.languages:
        return replace(filters, excluded=excluded)
    # Late: a search without this filter need not load the languages.
    from code_graph_indexer.languages import languages

    by_extension = {
        extension.lstrip("."): name for name, language in languages().items() for extension in language.extensions
    }
    names = tuple(name if name in languages() else by_extension.get(name, name) for name in filters.languages)
    _require_existing("language", names, languages())
    return replace(filters, languages=names, excluded=excluded)


def _require_existing(what: str, names: Iterable[str], candidates: Collection[str]) -> None:
    for name in names:
        if name not in candidates:
            # A longer spelling of a short name (`golang` for `go`) is too far off to be called close.
            begins = [candidate for candidate in candidates if name.startswith(candidate)]
            close = get_close_matches(name, candidates, n=1) or sorted(begins, key=len)[-1:]
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise UsageError(f"there is no {what} {name!r}.{hint} Known: {', '.join(sorted(candidates))}.")


def _require_repositories(store: Store, names: Sequence[str]) -> None:
    # The empty name is that of an index that does not name its repository.
    if repositories := [name for name in names if name]:
        candidates = [name for name in store.repositories() if name]
        if not candidates:
            raise UsageError(f"this index does not name its repository, so leave the filter {repositories[0]!r} out")
        _require_existing("repository", repositories, candidates)


def _check_patterns(filters: Filters) -> None:
    """Raise UsageError if a file pattern can match no path of an index."""
    for pattern in filters.file_patterns:
        if not pattern.strip():
            raise UsageError("a file pattern is empty; give a glob over the path, such as web/*")
        if pattern.startswith(("/", "./", "../")):
            relative = pattern.lstrip("./")
            raise UsageError(
                f"the file pattern {pattern!r} matches no path: paths are relative to the root. Give {relative!r}"
            )
        # GLOB matches nothing with an unclosed `[`, so the user would wonder about an empty result.
        if "[" in pattern and "]" not in pattern[pattern.rindex("[") :]:
            raise UsageError(f"the file pattern {pattern!r} has a '[' without a ']'; close it, or put ? in its place")
    if filters.excluded:
        _check_patterns(filters.excluded)


def _directories(filters: Filters) -> list[str]:
    directories = [filters.directory] if filters.directory else []
    return directories + (_directories(filters.excluded) if filters.excluded else [])
