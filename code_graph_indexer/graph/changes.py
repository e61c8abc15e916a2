"""Find the definitions that a git diff changes: those around the changed lines in the old and the new version."""

import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import run_git
from code_graph_indexer.languages import detect_language
from code_graph_indexer.syntax.notebook import source_text
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


_Version = tuple[str, str]
"""A version of a file: its path and its revision, which is empty for the working tree."""

SpanReader = Callable[[str, bytes], list[Span] | None]
"""The type of a function that maps the path and source of a file to its definitions.

It returns None if the index has another version of the file."""


def changes_of(
    root: Path, revisions: str, indexed_spans: SpanReader = lambda path, source: None
) -> dict[str, list[str]]:
    """Map each file that differs between two revisions (`A..B`) to the dotted names of its changed definitions.

    A single revision is compared with the working tree. An empty name is the top level of the file. `indexed_spans` returns
    the definitions of a file from the index, which saves parsing the file. Raises UsageError if git or a revision is missing.
    """
    # Git would read a revision that begins with a dash as an option.
    if revisions.startswith("-") or not revisions.strip():
        raise UsageError(f"{revisions!r} is no revision; give REV..REV, or REV to compare with the working tree")
    before, dots, after = revisions.partition("..")
    # `A...B` is read as `A..B`, and an end that is left out is HEAD, as in git.
    before, after = before or "HEAD", (after.lstrip(".") or "HEAD") if dots else ""
    arguments = [f"{before}..{after}"] if after else [before]
    text = run_git(root, ["diff", *DIFF_FLAGS, *arguments, "--"], seconds=GIT_SECONDS).decode("utf-8", "replace")
    lines_of = _changed_lines(text, before, after)
    sources = _sources(root, lines_of)
    names: dict[str, dict[str, None]] = {}
    for (path, revision), lines in lines_of.items():
        changed = _definitions(path, sources[path, revision], lines, indexed_spans)
        names.setdefault(path, {}).update(dict.fromkeys(changed))
    return {path: list(changed) for path, changed in names.items() if changed}


def _changed_lines(diff: str, before: str, after: str) -> dict[_Version, list[int]]:
    """Map the old and the new version of each file in the text of a diff to the numbers of its changed lines, from 1."""
    lines_of: dict[_Version, list[int]] = {}
    old_path = ""
    open_lists: tuple[list[int], list[int]] = [], []
    for line in diff.split("\n"):
        if line.startswith("--- "):
            # Git puts a tab behind a path with blanks. A version that does not exist is `/dev/null`.
            old_path = line[6:].rstrip("\t") if line.startswith("--- a/") else ""
        elif line.startswith("+++ "):
            new_path = line[6:].rstrip("\t") if line.startswith("+++ b/") else ""
            # The old version comes first, even if the first lines that differ are new.
            open_lists = lines_of.setdefault((old_path, before), []), lines_of.setdefault((new_path, after), [])
        elif match := _HUNK.match(line):
            for lines, first, count in zip(open_lists, match.group(1, 3), match.group(2, 4), strict=True):
                number = int(count) if count is not None else 1
                lines.extend(range(int(first), int(first) + number))
    return {version: lines for version, lines in lines_of.items() if version[0] and lines}


def _definitions(path: str, source: bytes, lines: Sequence[int], indexed_spans: SpanReader) -> list[str]:
    """List the dotted names of the innermost definitions around the changed lines of a file.

    Blank lines are skipped. A file without a grammar is one change of its top level.
    """
    language = detect_language(path, source)
    source = source_text(path, source) or b""
    if language is None:
        # Without a grammar no definition is known, so the file as a whole has changed.
        return [""]
    spans = indexed_spans(path, source)
    if spans is None:
        spans = definition_spans(path, source, language)
    text = source.split(b"\n")
    names: list[str] = []
    for line in lines:
        if line <= len(text) and text[line - 1].strip():
            around = [span for span in spans if span.first <= line <= span.last]
            # Definitions nest, so the one that starts last is the innermost.
            names.append(max(around, key=lambda span: span.first).dotted if around else "")
    return names


def _sources(root: Path, files: Collection[_Version]) -> dict[_Version, bytes]:
    """Map each version to the content of the file. A missing file is empty."""
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
