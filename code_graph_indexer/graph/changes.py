"""Map a git diff to the definitions that it changes: those around its lines, before and after."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.indexing import defined_at
from code_graph_indexer.languages import detect_language

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


def changes_of(root: Path, revisions: str) -> list[Change]:
    """List the definitions that differ between two revisions (`A..B`), or between one and the working tree.

    Raises UsageError when git or the revisions are not there.
    """
    if revisions.startswith("-") or not revisions.strip():
        raise UsageError(f"{revisions!r} is no revision; give REV..REV, or REV to compare with the working tree")
    before, dots, after = revisions.partition("..")
    arguments = [f"{before or 'HEAD'}..{after.lstrip('.') or 'HEAD'}"] if dots else [before]
    text = _git(root, ["diff", *DIFF_FLAGS, *arguments, "--"])
    found: dict[Change, None] = {}
    for old, new in _sides(text):
        for side, revision in ((old, before or "HEAD"), (new, (after.lstrip(".") or "HEAD") if dots else "")):
            if side.lines:
                found.update(dict.fromkeys(_definitions(root, side, revision)))
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


def _definitions(root: Path, side: _Side, revision: str) -> list[Change]:
    language = detect_language(side.path)
    if language is None:
        return [Change(side.path, "")]
    shown = ["show", f"{revision}:./{side.path}"]
    source = _git(root, shown).encode() if revision else (root / side.path).read_bytes()
    return [Change(side.path, dotted) for dotted in defined_at(side.path, source, language, side.lines)]


def _git(root: Path, arguments: list[str]) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "-c", "core.quotepath=off", *arguments],
            capture_output=True,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise UsageError(f"git could not be run in {root} ({exc})") from exc
    if done.returncode:
        raise UsageError(f"git says: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout.decode("utf-8", "replace")
