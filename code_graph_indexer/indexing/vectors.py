"""Embed the chunks that no worker has embedded, in batches, and reuse the vectors of unchanged texts."""

from pathlib import Path
from types import TracebackType

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import CgiError
from code_graph_indexer.indexing.file import embedding_text, packed_vectors
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import IndexWriter, Store, StoredFileIds, open_store
from code_graph_indexer.storage.local import LocalState
from code_graph_indexer.syntax.records import IndexedFile


class VectorFeed:
    """A writer of vectors. It embeds only chunks whose content hash has no vector yet.

    A vector comes from an interrupted run, else from the old index, else from the embedder. New vectors are stored beside the
    index at once, so that the run after an interrupt can reuse them.
    """

    def __init__(self, embedder: Embedder, settings: Settings, local: LocalState, db: Path) -> None:
        self._embedder = embedder
        self._batch_size = settings.embed_batch_size * settings.embed_concurrency
        self._local = local
        self._db = db
        self._pending: list[tuple[int, bytes, str]] = []
        self._indexed: dict[bytes, int] = {}
        self._store: Store | None = None

    def __enter__(self) -> "VectorFeed":
        if not self._embedder.in_workers and self._db.is_file():
            try:
                self._store = open_store(self._db)
                if self._store.meta().get("embedder") == self._embedder.name:
                    self._indexed = self._store.chunk_hashes()
            # A damaged index only costs the time to embed everything again.
            except CgiError:
                self._indexed = {}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            self._store.close()

    def _stored(self, store: Store, chunk_ids: list[int]) -> dict[int, bytes]:
        """Return the vectors of chunks in the old index. A damaged one has none."""
        try:
            vectors = store.vectors_of(chunk_ids)
        except CgiError:
            return {}
        return {key: vector for key, vector in vectors.items() if len(vector) == self._embedder.dimensions}

    def put(self, writer: IndexWriter, file: IndexedFile, stored: StoredFileIds) -> None:
        """Add the new chunks of a file to the waiting ones, and write the vectors of each full batch."""
        if self._embedder.in_workers:
            return
        for position in sorted(stored.fresh):
            text = embedding_text(file.source.path, file.chunks[position], file.text)
            self._pending.append((stored.chunk_ids[position], file.hashes[position], text))
        while len(self._pending) >= self._batch_size:
            self._write(writer, self._pending[: self._batch_size])
            del self._pending[: self._batch_size]

    def flush(self, writer: IndexWriter) -> None:
        """Write the vectors of the chunks that still wait."""
        if self._pending:
            self._write(writer, self._pending)
            self._pending = []

    def _write(self, writer: IndexWriter, batch: list[tuple[int, bytes, str]]) -> None:
        """Write the vectors of chunk ids, hashes and texts: from the local state, the old index, or else the embedder."""
        vectors_by_hash = self._local.vectors(self._embedder.name, [content_hash for _, content_hash, _ in batch])
        if self._store is not None:
            chunk_ids = {
                digest: self._indexed[digest]
                for _, digest, _ in batch
                if digest in self._indexed and digest not in vectors_by_hash
            }
            vectors = self._stored(self._store, list(chunk_ids.values()))
            vectors_by_hash |= {
                digest: vectors[chunk_id] for digest, chunk_id in chunk_ids.items() if chunk_id in vectors
            }
        texts = {digest: text for _, digest, text in batch if digest not in vectors_by_hash}
        if texts:
            fresh = list(zip(texts, packed_vectors(self._embedder, list(texts.values())), strict=True))
            self._local.keep_vectors(self._embedder.name, fresh)
            vectors_by_hash |= dict(fresh)
        writer.put_vectors((chunk_id, vectors_by_hash[digest]) for chunk_id, digest, _ in batch)
