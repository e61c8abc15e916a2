"""Read the files of a package that are worth an index: from a folder, or from an archive of it. Every package is a stranger."""

import bz2
import gzip
import lzma
import os
import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from code_graph_indexer.errors import UsageError
from code_graph_indexer.languages import detect_language
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.libraries.installed import Installed, is_inside

MAX_FILES = 20_000
"""The most files of a package that are looked at. The largest of npm's have some thousands."""

MAX_FILE_BYTES = 1_000_000
"""The largest file that is indexed."""

MAX_BYTES = 256 << 20
"""The most bytes of a package that are indexed."""

MAX_READ = 1 << 20
"""The most bytes of an archive that are read at once. A file that is indexed has fewer, and a header some hundred."""

MAX_UNPACKED = 1 << 30
"""The most bytes that an archive unpacks to, with all that is not indexed."""

ARCHIVES = (".whl", ".zip", ".egg", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar", ".crate")

BROKEN = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
)
"""What the readers of archives raise for one that is broken, encrypted or packed in an unknown way."""

Member = tuple[str, bytes]
"""A file of a package: its path and its content."""


def is_archive(path: Path) -> bool:
    """Say whether a file is an archive of a package, by its name."""
    return path.name.lower().endswith(ARCHIVES)


def is_wanted(path: str) -> bool:
    """Say whether a file of a package is code that others may use: no test, document, bundle or other data."""
    if not is_inside(path):
        return False
    patterns = file_patterns()
    if patterns.why_unread(path) or detect_language(path) in (None, "markdown"):
        # A manifest gives a package its name.
        return posixpath.basename(path) in ("package.json", "go.mod", "Cargo.toml") and path.count("/") < 2
    return not (
        patterns.tests.match(path) or patterns.examples.match(path) or patterns.caches.match(path) or ".min." in path
    )


def files_of(package: Installed) -> Iterator[Member]:
    """Yield the wanted files of an installed package. Links are left out. Raises UsageError for one without an end."""
    folder = package.folder.resolve()
    paths = iter(package.paths) if package.paths is not None else _walk(package.folder)
    total = 0
    for count, path in enumerate(paths):
        _check(package.name, count, total)
        if is_wanted(path) and (content := _content(folder, path)) is not None:
            total += len(content)
            yield path, content


def size_of(package: Installed) -> int:
    """Return about how many bytes of code an installed package has."""
    paths = package.paths if package.paths is not None else _walk(package.folder)
    size = 0
    for path in islice(filter(is_wanted, paths), MAX_FILES):
        with suppress(OSError):
            size += (package.folder / path).lstat().st_size
    return size


def _check(name: str, count: int, total: int) -> None:
    """Raise UsageError for a package that has too many files or bytes so far."""
    if count >= MAX_FILES:
        raise UsageError(f"{name} has more than {MAX_FILES:,} files; it is not indexed")
    if total > MAX_BYTES:
        raise UsageError(f"{name} has more than {MAX_BYTES >> 20} MB of code; it is not indexed")


def _walk(folder: Path) -> Iterator[str]:
    """Yield the paths of the regular files below a folder, in order, without nested packages and without following links."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", ".git"))
        for name in sorted(names):
            yield Path(place, name).relative_to(folder).as_posix()


def _content(folder: Path, path: str) -> bytes | None:
    """Return the content of a file, or None if it is a link, leads out of the folder, or is too large.

    The folder is resolved.
    """
    place = folder / path
    try:
        status = place.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
            return None
        # A folder on the way may be a link.
        return place.read_bytes() if place.resolve().is_relative_to(folder) else None
    except OSError:
        return None


def members_of(archive: Path) -> Iterator[Member]:
    """Yield the wanted files of an archive, of a tar file without the first folder. Raises UsageError if broken."""
    try:
        if zipfile.is_zipfile(archive):
            yield from _of_zip(archive)
        else:
            yield from _of_tar(archive)
    except BROKEN as exc:
        why = str(exc).partition("\n")[0].rstrip(":")
        raise UsageError(f"{archive.name} is no archive that can be read ({why}); give another file") from exc


def _of_zip(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as opened:
        total = 0
        for count, member in enumerate(opened.infolist()):
            _check(archive.name, count, total)
            if is_wanted(member.filename) and not member.is_dir() and member.file_size <= MAX_FILE_BYTES:
                with opened.open(member) as stream:
                    # What the list of files says of the size may be wrong.
                    content = stream.read(MAX_FILE_BYTES + 1)
                total += len(content)
                if len(content) <= MAX_FILE_BYTES:
                    yield member.filename, content


def _unpacked(archive: Path) -> BinaryIO:
    """Open a file, unpacked if it is packed."""
    with archive.open("rb") as file:
        start = file.read(6)
    openers = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))
    opener = next((opener for mark, opener in openers if start.startswith(mark)), None)
    return cast("BinaryIO", archive.open("rb") if opener is None else opener(archive, "rb"))


class _Bounded:
    """A stream that ends in a ValueError where an archive asks for a huge header, or unpacks to more than `MAX_UNPACKED`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Read at most `MAX_READ` bytes."""
        if not 0 <= size <= MAX_READ:
            raise ValueError(f"a header above {MAX_READ >> 20} MB")
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place, which unpacks all before it."""
        if whence or offset > MAX_UNPACKED:
            raise ValueError(f"more than {MAX_UNPACKED >> 20} MB, unpacked")
        return self._stream.seek(offset)

    def tell(self) -> int:
        """Return the place in the unpacked stream."""
        return self._stream.tell()


def _of_tar(archive: Path) -> Iterator[Member]:
    with _unpacked(archive) as stream, tarfile.open(fileobj=cast("BinaryIO", _Bounded(stream)), mode="r:") as opened:
        total = 0
        for count, member in enumerate(iter(opened.next, None)):
            _check(archive.name, count, total)
            # The reader would keep the headers of all members.
            opened.members.clear()  # type: ignore[attr-defined] # typeshed leaves it out
            # An archive of sources has one folder around all files.
            path = member.name.removeprefix("./").partition("/")[2]
            if member.isreg() and is_wanted(path) and member.size <= MAX_FILE_BYTES:
                file = opened.extractfile(member)
                content = file.read(MAX_FILE_BYTES + 1) if file is not None else b""
                total += len(content)
                yield path, content
