"""Embed chunks that no worker has embedded: in batches, reusing the vectors of unchanged texts."""

from pathlib import Path
from types import TracebackType

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexing.work import embedding_text, quantise
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import IndexWriter, Store, StoredFileIds, open_store
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.syntax.records import IndexedFile


class VectorFeed:
    """Give chunks their vectors, by content hash: from the old index, from a run cut short, else from the embedder.

    What the embedder gave is kept beside the index at once, so that an interrupted run goes on where it was.
    """

    def __init__(self, embedder: Embedder, settings: Settings, local: LocalState, db: Path) -> None:
        self._embedder = embedder
        self._batch_size = settings.embed_batch_size * settings.embed_concurrency
        self._local = local
        self._db = db
        self._pending: list[tuple[int, bytes, str]] = []
        self._known: dict[bytes, int] = {}
        self._store: Store | None = None

    def __enter__(self) -> "VectorFeed":
        if not self._embedder.in_workers and self._db.is_file():
            try:
                self._store = open_store(self._db)
                if self._store.meta().get("embedder") == self._embedder.name:
                    self._known = self._store.chunk_hashes()
            except CgiError:
                self._known = {}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            self._store.close()

    def put(self, writer: IndexWriter, one: IndexedFile, stored: StoredFileIds) -> None:
        """Take a file's new chunks; write vectors whenever a batch is full."""
        if self._embedder.in_workers:
            return
        for position in sorted(stored.fresh):
            text = embedding_text(one.source.path, one.chunks[position], one.text)
            self._pending.append((stored.chunk_ids[position], one.hashes[position], text))
        while len(self._pending) >= self._batch_size:
            self._write(writer, self._pending[: self._batch_size])
            del self._pending[: self._batch_size]

    def flush(self, writer: IndexWriter) -> None:
        """Write the vectors of the last, smaller batch."""
        if self._pending:
            self._write(writer, self._pending)
            self._pending = []

    def _write(self, writer: IndexWriter, batch: list[tuple[int, bytes, str]]) -> None:
        found = self._local.vectors(self._embedder.name, [content_hash for _, content_hash, _ in batch])
        if self._store is not None:
            known = {h: self._known[h] for _, h, _ in batch if h in self._known and h not in found}
            vectors = self._store.vectors_of(list(known.values()))
            found |= {h: vectors[chunk_id] for h, chunk_id in known.items() if chunk_id in vectors}
        missing = {h: text for _, h, text in batch if h not in found}
        if missing:
            made = list(zip(missing, quantise(self._embedder.embed_batch(list(missing.values()))), strict=True))
            self._local.keep_vectors(self._embedder.name, made)
            found |= dict(made)
        writer.put_vectors((chunk_id, found[h]) for chunk_id, h, _ in batch)
