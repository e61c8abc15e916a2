"""Keep bytes in a file on disk that nobody else sees."""

import os
import sys
import tempfile
from pathlib import Path

SPOOL_BUFFER = 1 << 20
"""Bytes that wait in memory before they are written to disk."""


class Spool:
    """A file without a name that takes bytes and returns them. Nothing is left of it when it is closed or its process ends."""

    def __init__(self, folder: Path) -> None:
        # The system's own folder for temporary files may be in memory, so it is made beside the index.
        self._file = tempfile.TemporaryFile(dir=folder, buffering=SPOOL_BUFFER)  # noqa: SIM115 (closed by `close`)
        self.size = 0

    def put(self, content: bytes) -> int:
        """Append bytes, and return the offset at which they begin."""
        self._file.write(content)
        self.size += len(content)
        return self.size - len(content)

    def flush(self) -> None:
        """Write out what waits in memory. It can be read only then."""
        self._file.flush()

    def get(self, offset: int, length: int) -> bytes:
        """Return the bytes at an offset."""
        if sys.platform == "win32":
            self._file.seek(offset)
            return self._file.read(length)
        # Forked processes share the position of the file, so none may move it.
        return os.pread(self._file.fileno(), length, offset)

    def close(self) -> None:
        """Close the file, which removes it."""
        self._file.close()
