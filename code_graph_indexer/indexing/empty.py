"""Say why no file of a repository could be parsed: which rules left files out, and how to change that."""

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from code_graph_indexer.indexing.discover import CGI_IGNORE, GIT_IGNORE, left_out
from code_graph_indexer.languages.patterns import with_language
from code_graph_indexer.storage.records import FileRow

MAX_PATHS = 3
"""Paths that are named for each reason. More would hide the other reasons."""

MAX_REASONS = 10
"""Reasons that are named. A tree with more has many ignore files, of which the first ones tell enough."""


def why_empty(root: Path, files: Iterable[FileRow], own_paths: Collection[str] = ()) -> tuple[str, ...]:
    """Return the reasons why no file could be parsed, one sentence each, and last what to do.

    `files` are the files of the index. `own_paths` are the paths of the index itself, whose folder is no reason.
    """
    skipped: dict[str, list[str]] = {}
    texts: Counter[str] = Counter()
    rules: dict[str, list[str]] = {}
    for file in files:
        if posixpath.basename(file.path) in (GIT_IGNORE, CGI_IGNORE):
            continue
        if file.error is None:
            texts[with_language(posixpath.splitext(file.path)[1])] += 1
        elif not file.path.endswith("/"):
            skipped.setdefault(file.error, []).append(file.path)
    for place in left_out(root):
        if not any(path.startswith(place.path) for path in own_paths):
            rules.setdefault(place.rule, []).append(place.path)
    reasons = [f"{rule} leaves out {_listed(paths)}" for rule, paths in rules.items()]
    reasons += [f"skipped ({error}): {_listed(paths)}" for error, paths in skipped.items()]
    if texts:
        endings = ", ".join(f"{count:,} {ending}" for ending, count in texts.most_common(MAX_REASONS))
        reasons.append(f"no grammar fits, so these files are read only as text: {endings}")
    if not reasons:
        return ("the folder has no files",)
    example = next(iter([*rules.values(), *skipped.values()]), [])
    more = [f"and {len(reasons) - MAX_REASONS:,} more reasons"] if len(reasons) > MAX_REASONS else []
    advice = [f'to index a path that a rule leaves out, add it to .cgiignore: "!/{example[0]}"'] if example else []
    return (*reasons[:MAX_REASONS], *more, *advice)


def _listed(paths: list[str]) -> str:
    """Return the first paths, and how many more there are."""
    more = f" and {len(paths) - MAX_PATHS:,} more" if len(paths) > MAX_PATHS else ""
    return ", ".join(paths[:MAX_PATHS]) + more
