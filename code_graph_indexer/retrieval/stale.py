"""Tell whether a file on disk is still the one that was indexed."""

from hashlib import blake2b
from pathlib import Path

from code_graph_indexer.storage import SqliteStore


class StaleCheck:
    """Compare files with the index, each once; without a root, or where it is gone, nothing is stale."""

    def __init__(self, store: SqliteStore, root: Path | None) -> None:
        self._store = store
        self._root = root if root is not None and root.is_dir() else None
        self._known: dict[str, bool] = {}

    def is_stale(self, path: str) -> bool:
        """Say whether the file has changed or is gone since it was indexed."""
        if self._root is None:
            return False
        if path not in self._known:
            self._known[path] = self._compare(self._root, path)
        return self._known[path]

    def _compare(self, root: Path, path: str) -> bool:
        indexed = self._store.file_state(path)
        # An index is not trusted with paths: what lies outside the root is not read.
        if indexed is None or ".." in Path(path).parts or Path(path).is_absolute():
            return True
        size, content_hash = indexed
        on_disk = root / path
        try:
            if on_disk.is_symlink() or on_disk.stat().st_size != size:
                return True
            return blake2b(on_disk.read_bytes(), digest_size=len(content_hash)).digest() != content_hash
        except OSError:
            return True
