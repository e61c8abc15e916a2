"""Map a git diff to the definitions that it changes: those around its lines, before and after."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import run_git
from code_graph_indexer.languages import detect_language
from code_graph_indexer.syntax.read import read_regular
from code_graph_indexer.syntax.spans import Span, definition_spans

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")

DIFF_FLAGS = (
    *("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
"""A diff as it is read here, whatever the user's settings, with paths below the root."""

GIT_SECONDS = 60
"""Time that git has for a diff."""


class Change(NamedTuple):
    """A definition that a diff changes, by its name inside its file; empty for the file's top level."""

    path: str
    dotted: str


class _Side(NamedTuple):
    """One side of a diff of a file: its path, and the changed lines."""

    path: str
    lines: list[int]


Known = Callable[[str, bytes], list[Span] | None]
"""Gives the definitions of a file by its path and source, if the index knows them: None for another version of the file."""


def changes_of(root: Path, revisions: str, known: Known = lambda path, source: None) -> list[Change]:
    """List the definitions that differ between two revisions (`A..B`), or between one and the working tree.

    Raises UsageError when git or the revisions are not there.
    """
    if revisions.startswith("-") or not revisions.strip():
        raise UsageError(f"{revisions!r} is no revision; give REV..REV, or REV to compare with the working tree")
    before, dots, after = revisions.partition("..")
    arguments = [f"{before or 'HEAD'}..{after.lstrip('.') or 'HEAD'}"] if dots else [before]
    text = run_git(root, ["diff", *DIFF_FLAGS, *arguments, "--"], seconds=GIT_SECONDS).decode("utf-8", "replace")
    found: dict[Change, None] = {}
    sides = [
        (side, revision)
        for old, new in _sides(text)
        for side, revision in ((old, before or "HEAD"), (new, (after.lstrip(".") or "HEAD") if dots else ""))
        if side.lines and side.path
    ]
    sources = _sources(root, [(side.path, revision) for side, revision in sides])
    for side, revision in sides:
        found.update(dict.fromkeys(_definitions(side, sources[side.path, revision], known)))
    return list(found)


def _sides(diff: str) -> list[tuple[_Side, _Side]]:
    """Read the changed lines of each file, before and after."""
    pairs: list[tuple[_Side, _Side]] = []
    names = ["", ""]
    for line in diff.split("\n"):
        if line.startswith("--- "):
            names[0] = line[6:].rstrip("\t") if line.startswith("--- a/") else ""
        elif line.startswith("+++ "):
            names[1] = line[6:].rstrip("\t") if line.startswith("+++ b/") else ""
            pairs.append((_Side(names[0], []), _Side(names[1], [])))
        elif pairs and (match := _HUNK.match(line)):
            for side, first, count in ((pairs[-1][0], match[1], match[2]), (pairs[-1][1], match[3], match[4])):
                number = int(count) if count is not None else 1
                side.lines.extend(range(int(first), int(first) + number))
    return pairs


def _definitions(side: _Side, source: bytes, known: Known) -> list[Change]:
    """List the innermost definitions around the changed lines; blank lines, which are of none, are passed over."""
    language = detect_language(side.path)
    if language is None:
        return [Change(side.path, "")]
    spans = known(side.path, source)
    if spans is None:
        spans = definition_spans(side.path, source, language)
    text = source.split(b"\n")
    found: dict[Change, None] = {}
    for line in side.lines:
        if line <= len(text) and text[line - 1].strip():
            around = [one for one in spans if one.first <= line <= one.last]
            found[Change(side.path, max(around, key=lambda one: one.first).dotted if around else "")] = None
    return list(found)


def _sources(root: Path, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """Read files of revisions, all by one git; without a revision from the working tree."""
    found = {(path, ""): _read(root / path) for path, revision in wanted if not revision}
    asked = [one for one in wanted if one[1]]
    names = "".join(f"{revision}:./{path}\n" for path, revision in asked)
    answer = run_git(root, ["cat-file", "--batch"], names.encode(), seconds=GIT_SECONDS) if asked else b""
    for one in asked:
        head, _, answer = answer.partition(b"\n")
        _, kind, *size = head.rsplit(b" ", 2)
        length = int(size[0]) if size and size[0].isdigit() else -1
        found[one] = answer[:length] if kind == b"blob" and length > 0 else b""
        answer = answer[length + 1 :]
    return found


def _read(place: Path) -> bytes:
    """Read a file of the working tree; empty when it is none."""
    try:
        return read_regular(place)
    except OSError:
        return b""
