"""Read one file: decode its bytes in any encoding, make line ends `\\n`, and classify the file."""

import codecs
import errno
import os
import re
import stat
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from code_graph_indexer.languages import detect_language, languages
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.results import SourceType
from code_graph_indexer.syntax.notebook import source_text
from code_graph_indexer.syntax.records import SourceFile
from code_graph_indexer.syntax.secrets import masked

HASH_SIZE = 16
"""Bytes of a content hash: with 128 bits, two contents never have the same hash in practice."""

UNREADABLE = "unreadable"
"""The start of the error of a file that exists but cannot be read."""

MARK_WINDOW = 1_000
"""Bytes at the top of a file that are searched for the remark of a generator."""

MINIFIED_LINE = 5_000
"""Mean bytes per line above which code counts as minified."""

LFS_POINTER = "Git LFS pointer"
"""The error of a file whose content Git LFS keeps elsewhere."""

_LFS = re.compile(rb"version https?://[^\s/]+/(?:spec/)?v/?\d+\n(?:ext-\d-\S+ \S+\n)*oid \w+:[0-9a-f]+\nsize \d+\n")
"""Pattern of a whole pointer of Git LFS, in any version of its format."""

# In little-endian order, the mark of UTF-32 begins with that of UTF-16, so UTF-32 is tried first.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """A text as UTF-8 bytes with `\\n` line ends, and the encoding of the file."""

    text: bytes
    encoding: str


def content_hash(content: bytes) -> bytes:
    """Return the hash of the bytes of a file or chunk."""
    return blake2b(content, digest_size=HASH_SIZE).digest()


def read_regular(path: Path) -> bytes:
    """Return the bytes of a regular file. Raises OSError if the path is now a link or a pipe."""
    # Opening a pipe would wait for a writer, and Windows would change line ends.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as stream:
        # Asked of the open file: the path may have changed its meaning since.
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return stream.read()


def decode(content: bytes) -> Decoded | None:
    """Decode bytes by their byte order mark, else as UTF-8, as UTF-16 if they have zeros, or as Latin-1.

    Return None if they are binary.
    """
    encoding = next((name for bom, name in _BOMS if content.startswith(bom)), None)
    if encoding is None and b"\0" in content:
        encoding = _utf16_codec(content)
        if encoding is None:
            return None
    # Latin-1 reads any bytes, so it comes last.
    for candidate in (encoding,) if encoding else ("utf-8", "latin-1"):
        try:
            text = content.decode(candidate)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            return None
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return Decoded(text.encode("utf-8", "replace"), candidate)
    return None


def _utf16_codec(content: bytes) -> str | None:
    """Return the codec of UTF-16 text without a byte order mark, or None if the bytes are not such a text.

    In mostly Latin text, every second byte is zero.
    """
    if len(content) % 2 or len(content) < 4:
        return None
    half = len(content) // 2
    zeros_even, zeros_odd = content[::2].count(0), content[1::2].count(0)
    if zeros_odd > half * 0.7 and zeros_even == 0:
        return "utf-16-le"
    if zeros_even > half * 0.7 and zeros_odd == 0:
        return "utf-16-be"
    return None


def file_hash(path: Path) -> bytes:
    """Return the hash of the bytes of a regular file. Raises OSError if it cannot be read."""
    return content_hash(read_regular(path))


def source_on_disk(path: Path) -> bytes:
    """Return the text of a file to search or quote it: decoded, without its secrets.

    It is empty for a file that cannot be read, and one that holds no text.
    """
    try:
        decoded = decode(read_regular(path))
    except OSError:
        return b""
    return masked(decoded.text).text if decoded is not None and not _is_pointer(decoded.text) else b""


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
        is_test=patterns.tests.match(source.path),
        is_example=patterns.examples.match(source.path),
        is_vendored=patterns.vendored.match(source.path),
        is_generated=source_type is SourceType.CODE and is_generated(source.path, text),
    )


def is_generated(path: str, text: bytes) -> bool:
    """Return whether a program wrote the file, by its path, a remark at its top, or its line length."""
    patterns = file_patterns()
    head = text[:MARK_WINDOW].lower()
    if patterns.generated.match(path) or patterns.generated_marks.search(head):
        return True
    return len(text) > MINIFIED_LINE * (text.count(b"\n") + 1)
