"""Read the bytes of a file on disk, and hash and decode them. Nothing here knows a language."""

import codecs
import errno
import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

HASH_SIZE = 16
"""Bytes of a content hash: with 128 bits, two contents never have the same hash in practice."""

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
