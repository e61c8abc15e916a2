"""Find the definitions that a git diff changes: those around the changed lines in the old and the new version."""

from collections.abc import Callable, Sequence
from pathlib import Path

from code_graph_indexer.errors import UsageError
from code_graph_indexer.git import changed_files
from code_graph_indexer.languages import detect_language
from code_graph_indexer.syntax.definition_spans import Span, definition_spans
from code_graph_indexer.syntax.disk import read_regular
from code_graph_indexer.syntax.notebook import source_text
from code_graph_indexer.syntax.secrets import masked

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
    names: dict[str, list[str]] = {}
    for change in changed_files(root.resolve(), before, after, read_regular):
        versions = ((change.old, change.old_lines), (change.new, change.new_lines))
        changed = dict.fromkeys(
            name
            for content, lines in versions
            if content is not None and lines
            for name in _definitions(change.path, content, lines, indexed_spans)
        )
        if changed:
            names[change.path] = list(changed)
    return names


def _definitions(path: str, source: bytes, lines: Sequence[int], indexed_spans: SpanReader) -> list[str]:
    """List the dotted names of the innermost definitions around some lines of a file, numbered from 1. Blank lines are skipped.

    The name is empty for a line outside of any definition. A file without a grammar gives one empty name.
    """
    language = detect_language(path, source)
    if language is None:
        # Without a grammar no definition is known, so the file as a whole has changed.
        return [""]
    spans = indexed_spans(path, source)
    # A secret may stand in a name, and names are shown.
    source = masked(source_text(path, source) or b"").text
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
