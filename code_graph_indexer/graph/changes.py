"""Find the definitions that a git diff changes: those around the changed lines in the old and the new version."""

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

# Without renames, a moved file counts as removed and added. Without context, a hunk has only changed lines.
DIFF_FLAGS = (
    *("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
"""Options that make the output of `git diff` independent of the user's settings, with paths relative to the root."""

GIT_SECONDS = 60
"""Largest number of seconds that one git command takes."""


class Change(NamedTuple):
    """A definition that a diff changes. `dotted` is the qualified name inside the file, or empty for the top level."""

    path: str
    dotted: str


class _Side(NamedTuple):
    """The old or the new version of a file in a diff, with the numbers of its changed lines, from 1.

    `path` is empty if the file does not exist in that version.
    """

    path: str
    lines: list[int]


SpanReader = Callable[[str, bytes], list[Span] | None]
"""The type of a function that maps the path and source of a file to its definitions.

It returns None if the index has another version of the file."""


def changes_of(root: Path, revisions: str, indexed_spans: SpanReader = lambda path, source: None) -> list[Change]:
    """List the definitions that differ between two revisions (`A..B`), or between a revision and the working tree.

    `indexed_spans` returns the definitions of a file from the index, which saves parsing the file. Raises
    UsageError if git or a revision is missing.
    """
    # Git would read a revision that begins with a dash as an option.
    if revisions.startswith("-") or not revisions.strip():
        raise UsageError(f"{revisions!r} is no revision; give REV..REV, or REV to compare with the working tree")
    before, dots, after = revisions.partition("..")
    # `A...B` is read as `A..B`, and an end that is left out is HEAD, as in git.
    arguments = [f"{before or 'HEAD'}..{after.lstrip('.') or 'HEAD'}"] if dots else [before]
    text = run_git(root, ["diff", *DIFF_FLAGS, *arguments, "--"], seconds=GIT_SECONDS).decode("utf-8", "replace")
    changes: dict[Change, None] = {}
    sides = [
        (side, revision)
        for old, new in _sides(text)
        for side, revision in ((old, before or "HEAD"), (new, (after.lstrip(".") or "HEAD") if dots else ""))
        if side.lines and side.path
    ]
    sources = _sources(root, [(side.path, revision) for side, revision in sides])
    for side, revision in sides:
        changes.update(dict.fromkeys(_definitions(side, sources[side.path, revision], indexed_spans)))
    return list(changes)


def _sides(diff: str) -> list[tuple[_Side, _Side]]:
    """List the old and the new version of each file in the text of a diff, with their changed lines."""
    pairs: list[tuple[_Side, _Side]] = []
    names = ["", ""]
    for line in diff.split("\n"):
        if line.startswith("--- "):
            # Git puts a tab behind a path with blanks. A side without the file is `/dev/null`.
            names[0] = line[6:].rstrip("\t") if line.startswith("--- a/") else ""
        elif line.startswith("+++ "):
            names[1] = line[6:].rstrip("\t") if line.startswith("+++ b/") else ""
            pairs.append((_Side(names[0], []), _Side(names[1], [])))
        elif pairs and (match := _HUNK.match(line)):
            for side, first, count in ((pairs[-1][0], match[1], match[2]), (pairs[-1][1], match[3], match[4])):
                number = int(count) if count is not None else 1
                side.lines.extend(range(int(first), int(first) + number))
    return pairs


def _definitions(side: _Side, source: bytes, indexed_spans: SpanReader) -> list[Change]:
    """List the innermost definition around each changed line, each definition once.

    Blank lines are skipped. A file without a grammar is one change of its top level.
    """
    language = detect_language(side.path, source)
    if language is None:
        # Without a grammar no definition is known, so the file as a whole has changed.
        return [Change(side.path, "")]
    spans = indexed_spans(side.path, source)
    if spans is None:
        spans = definition_spans(side.path, source, language)
    text = source.split(b"\n")
    changes: dict[Change, None] = {}
    for line in side.lines:
        if line <= len(text) and text[line - 1].strip():
            around = [span for span in spans if span.first <= line <= span.last]
            # Definitions nest, so the one that starts last is the innermost.
            changes[Change(side.path, max(around, key=lambda span: span.first).dotted if around else "")] = None
    return list(changes)


def _sources(root: Path, files: Sequence[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
    """Map each (path, revision) to the content of the file. A missing file is empty.

    An empty revision means the working tree.
    """
    sources = {(path, ""): _read(root / path) for path, revision in files if not revision}
    blobs = [(path, revision) for path, revision in files if revision]
    # One git process reads all blobs: a process for each would cost more than the whole question.
    names = "".join(f"{revision}:./{path}\n" for path, revision in blobs)
    answer = run_git(root, ["cat-file", "--batch"], names.encode(), seconds=GIT_SECONDS) if blobs else b""
    for blob in blobs:
        head, _, answer = answer.partition(b"\n")
        _, kind, *size = head.rsplit(b" ", 2)
        length = int(size[0]) if size and size[0].isdigit() else -1
        sources[blob] = answer[:length] if kind == b"blob" and length > 0 else b""
        # A line end follows each blob. For a missing one, the length -1 cuts nothing off.
        answer = answer[length + 1 :]
    return sources


def _read(path: Path) -> bytes:
    """Return the content of a file in the working tree. A missing file gives empty content."""
    try:
        return read_regular(path)
    except OSError:
        return b""
