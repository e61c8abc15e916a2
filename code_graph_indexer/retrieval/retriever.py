"""Retrieve: search → fuse → rerank → walk, the order written once."""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import Filters, RetrievedContext, SourceType
from code_graph_indexer.retrieval.fuse import Fused, fuse_by_rank, fuse_by_score
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.rank import FOLDER_BOOST, Reranker
from code_graph_indexer.retrieval.recency import recency
from code_graph_indexer.retrieval.signals import SIGNALS, HybridSearcher
from code_graph_indexer.retrieval.stale import StaleCheck
from code_graph_indexer.retrieval.walk import GraphWalker, Surroundings
from code_graph_indexer.storage import Store, are_in
from code_graph_indexer.storage.records import StoredChunk

FUSIONS = ("score", "rrf")
"""How signals are fused: by normalised scores, file by file, or by weighted reciprocal ranks, chunk by chunk."""


class CodeRetriever:
    """Answer queries from one store; `embedder` None makes it keyword-only, `root` None cannot see stale results."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        root: Path | None = None,
        rrf_k: int = 60,
        folder_boost: float = FOLDER_BOOST,
        repeat_penalty: float | None = None,
        signals: Collection[str] = SIGNALS,
    ) -> None:
        self._store = store
        self._searcher = HybridSearcher(store, embedder, signals)
        self._reranker = Reranker(folder_boost, repeat_penalty)
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
        query = read_query(text, self._store.meta().get("repo_id") or repository_name(self._root))
        if not query.text or limit < 1:
            return []
        self._store.refresh()
        lists = self._searcher.search(query, filters or Filters(), pool_size=pool_size)
        if fusion == "rrf":
            fused = fuse_by_rank(lists, k=self._rrf_k)
            files = self._store.files_of([one.chunk_id for one in fused])
            there = [one for one in fused if one.chunk_id in files]
            return self.contexts(self._reranker.weigh(there, files, query, folders)[:limit])
        scores = fuse_by_score(lists)
        places = self._store.places_of(scores.ids)
        files = self._store.files_by_id(places["file_id"])
        known = are_in(places["file_id"], np.array(list(files), np.int64))
        ranked = self._reranker.rank(
            scores.among(known),
            places[known],
            files,
            query,
            folders=folders,
            recent=recency(self._store, query.text, {one.path for one in files.values()}),
            limit=limit,
        )
        return self.contexts(ranked)

    def contexts(self, ranked: Sequence[Fused]) -> list[RetrievedContext]:
        """Give chunks their text and surroundings, in their order; those that are not there are left out."""
        chunks = self._store.chunks([one.chunk_id for one in ranked])
        known = {one.id for one in chunks}
        ranked = [one for one in ranked if one.chunk_id in known]
        texts = self._store.chunk_texts(chunks)
        stale = StaleCheck(self._store, self._root).stale({one.path for one in chunks})
        around = GraphWalker(self._store).surroundings(chunks, texts)
        return [
            self._context(one, chunk, text, place, chunk.path in stale)
            for one, chunk, text, place in zip(ranked, chunks, texts, around, strict=True)
        ]

    @staticmethod
    def _context(one: Fused, chunk: StoredChunk, content: str, around: Surroundings, stale: bool) -> RetrievedContext:
        named = around.named
        return RetrievedContext(
            node_id=chunk.id,
            file_path=chunk.path,
            content=content,
            score=one.score,
            type=chunk.kind,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            context_header=around.header,
            related_definitions=around.related,
            name=named.name,
            qualified_name=named.qualified_name,
            signature=named.signature,
            language=chunk.language,
            source_type=SourceType(chunk.source_type),
            repo_id=chunk.repo_id,
            stale=stale,
            signals=one.signals,
        )


def repository_name(root: Path | None) -> str:
    """Say what the repository that a folder belongs to is called: by the folder of its checkout, else by that folder."""
    if root is None:
        return ""
    return next((one.name for one in (root, *root.parents) if (one / ".git").exists()), root.name)
