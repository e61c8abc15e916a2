"""Read one source file: its text without secrets, its language, and what kind of file it is."""

import re
from dataclasses import replace
from pathlib import Path

from code_graph_indexer.languages import detect_language, languages
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.results import SourceType
from code_graph_indexer.syntax.disk import Decoded, content_hash, decode, read_regular
from code_graph_indexer.syntax.notebook import Cell, read_notebook, source_text
from code_graph_indexer.syntax.records import SourceFile
from code_graph_indexer.syntax.secrets import masked

UNREADABLE = "unreadable"
"""The start of the error of a file that exists but cannot be read."""

MARK_WINDOW = 1_000
"""Bytes at the top of a file that are searched for the remark of a generator."""

MINIFIED_LINE = 500
"""Mean bytes per line above which code counts as minified. What people write has at most 450, in drawings as code."""

LFS_POINTER = "Git LFS pointer"
"""The error of a file whose content Git LFS keeps elsewhere."""

_LFS = re.compile(rb"version https?://[^\s/]+/(?:spec/)?v/?\d+\n(?:ext-\d-\S+ \S+\n)*oid \w+:[0-9a-f]+\nsize \d+\n")
"""Pattern of a whole pointer of Git LFS, in any version of its format."""


def source_on_disk(path: Path) -> bytes:
    """Return the text of a file to search or quote it: decoded, without its secrets.

    It is empty for a file that cannot be read, and one that holds no text.
    """
    try:
        decoded = decode(read_regular(path))
    except OSError:
        return b""
    return masked(decoded.text).text if decoded is not None and not _is_pointer(decoded.text) else b""


def notebook_on_disk(path: Path) -> tuple[list[Cell], bytes] | None:
    """Return the cells of a notebook and its code as the index has it, without their secrets.

    Return None for what cannot be read as a notebook.
    """
    try:
        decoded = decode(read_regular(path))
    except OSError:
        return None
    notebook = None if decoded is None else read_notebook(decoded.text)
    if notebook is None:
        return None
    cells, code = notebook
    return [_without_secrets(cell) for cell in cells], masked(code).text


def _without_secrets(cell: Cell) -> Cell:
    """Return a cell with the secrets of its text and of its outputs masked."""
    outputs = tuple(replace(output, text=_masked(output.text)) for output in cell.outputs)
    return replace(cell, source=_masked(cell.source), outputs=outputs)


def _masked(text: str) -> str:
    return masked(text.encode("utf-8", "replace")).text.decode("utf-8", "replace")


def _is_pointer(text: bytes) -> bool:
    """Say whether a text is a pointer of Git LFS, which stands for a large file."""
    return text.startswith(b"version http") and _LFS.fullmatch(text) is not None


def read_source(root: Path, source: SourceFile) -> tuple[SourceFile, bytes]:
    """Read and classify a file, and mask its secrets. Return a file without text with its `error` and an empty text."""
    try:
        content = read_regular(root / source.path)
    except OSError as exc:
        return replace(source, error=f"{UNREADABLE}: {exc.strerror}"), b""
    hashed, decoded = content_hash(content), decode(content)
    if decoded is None:
        return replace(source, content_hash=hashed, error="binary"), b""
    if _is_pointer(decoded.text):
        return replace(source, content_hash=hashed, error=LFS_POINTER), b""
    code = source_text(source.path, decoded.text)
    if code is None:
        return replace(source, content_hash=hashed, error="broken notebook"), b""
    text, secrets = masked(code)
    return replace(_classified(source, hashed, decoded._replace(text=text)), secrets=secrets), text


def _classified(source: SourceFile, hashed: bytes, decoded: Decoded) -> SourceFile:
    """Return the record with the file's language and classification, by its path and its text."""
    text = decoded.text
    patterns = file_patterns()
    language = detect_language(source.path, text)
    source_type = SourceType(languages()[language].source_type) if language else SourceType.TEXT
    return replace(
        source,
        content_hash=hashed,
        encoding=decoded.encoding,
        language=language,
        source_type=source_type,
        is_test=patterns.is_test(source.path, language),
        is_example=patterns.examples.match(source.path),
        is_vendored=is_vendored(source.path, text),
        is_generated=source_type is SourceType.CODE and is_generated(source.path, text),
    )


def is_vendored(path: str, text: bytes) -> bool:
    """Return whether the file is a copy of foreign code, by its path or by the banner of a release at its top."""
    patterns = file_patterns()
    if patterns.vendored.match(path):
        return True
    return patterns.releases.match(path) and patterns.release_marks.match(text[:MARK_WINDOW].lower()) is not None


def is_generated(path: str, text: bytes) -> bool:
    """Return whether a program wrote the file, by its path, a remark at its top, or its line length."""
    patterns = file_patterns()
    head = text[:MARK_WINDOW].lower()
    if patterns.generated.match(path) or patterns.generated_marks.search(head):
        return True
    return len(text) > MINIFIED_LINE * (text.count(b"\n") + 1)
