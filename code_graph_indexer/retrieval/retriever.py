"""Retrieve: search → fuse → rerank → walk, the order written once."""

from collections.abc import Sequence
from pathlib import Path

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import UsageError
from code_graph_indexer.retrieval.fuse import Fused, fuse_by_rank, fuse_by_score
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.rerank import Reranker
from code_graph_indexer.retrieval.search import HybridSearcher
from code_graph_indexer.retrieval.stale import StaleCheck
from code_graph_indexer.retrieval.walk import GraphWalker
from code_graph_indexer.storage import SqliteStore
from code_graph_indexer.types import Filters, RetrievedContext, SourceType, StoredChunk

FUSIONS = ("score", "rrf")
"""How signals are fused: by normalised scores, file by file, or by weighted reciprocal ranks, chunk by chunk."""


class CodeRetriever:
    """Answer queries from one store; `embedder` None makes it keyword-only, `root` None cannot see stale results."""

    def __init__(
        self, store: SqliteStore, embedder: Embedder | None, *, root: Path | None = None, rrf_k: int = 60
    ) -> None:
        self._store = store
        self._searcher = HybridSearcher(store, embedder)
        self._reranker = Reranker()
        self._rrf_k = rrf_k
        self._root = root

    def retrieve(
        self,
        text: str,
        filters: Filters | None = None,
        *,
        limit: int = 10,
        pool_size: int = 200,
        folders: Sequence[str] = (),
        fusion: str = "score",
    ) -> list[RetrievedContext]:
        """Return at most `limit` chunks that answer a query, best first. Raises UsageError for an unknown fusion."""
        if fusion not in FUSIONS:
            raise UsageError(f"there is no fusion {fusion!r}; known are {', '.join(FUSIONS)}")
        query = read_query(text)
        if not query.text or limit < 1:
            return []
        self._store.refresh()
        lists = self._searcher.search(query, filters or Filters(), pool_size=pool_size)
        fused = fuse_by_rank(lists, k=self._rrf_k) if fusion == "rrf" else fuse_by_score(lists)
        chunks = {one.id: one for one in self._store.chunks([one.chunk_id for one in fused])}
        fused = [one for one in fused if one.chunk_id in chunks]
        if fusion == "rrf":
            ranked = self._reranker.weigh(fused, chunks, query, folders)[:limit]
        else:
            ranked = self._reranker.rank(fused, lists, chunks, query, folders)[:limit]
        return self._contexts(ranked, chunks)

    def _contexts(self, ranked: Sequence[Fused], chunks: dict[int, StoredChunk]) -> list[RetrievedContext]:
        kept = [chunks[one.chunk_id] for one in ranked]
        texts = self._store.chunk_texts(kept)
        stale = StaleCheck(self._store, self._root)
        walker = GraphWalker(self._store)
        return [
            self._context(walker, one, chunk, text, stale.is_stale(chunk.path))
            for one, chunk, text in zip(ranked, kept, texts, strict=True)
        ]

    @staticmethod
    def _context(walker: GraphWalker, one: Fused, chunk: StoredChunk, content: str, stale: bool) -> RetrievedContext:
        ancestors = walker.ancestors(chunk)
        named = next((around for around in (chunk, *ancestors) if around.kind != "block"), chunk)
        return RetrievedContext(
            node_id=chunk.id,
            file_path=chunk.path,
            content=content,
            score=one.score,
            type=chunk.kind,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            context_header=walker.context_header(chunk, content, ancestors),
            related_definitions=walker.related(chunk, ancestors),
            name=named.name,
            qualified_name=named.qualified_name,
            signature=named.signature,
            language=chunk.language,
            source_type=SourceType(chunk.source_type),
            repo_id=chunk.repo_id,
            stale=stale,
            signals=one.signals,
        )
