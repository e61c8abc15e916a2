"""Retrieve the chunks that answer a query, in four stages: search → fuse → rerank → walk the graph around the results."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.embedders import Embedder
from code_graph_indexer.graph.declared import DECLARES
from code_graph_indexer.results import Description, Filters, SourceType
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.focus import Focus
from code_graph_indexer.retrieval.fuse import Fused, FusedScores, fuse_by_score, reciprocal_rank
from code_graph_indexer.retrieval.query import Query, read_query
from code_graph_indexer.retrieval.rank import FOLDER_BOOST, Reranker
from code_graph_indexer.retrieval.report import read_report
from code_graph_indexer.retrieval.results import RetrievedContext, SignalRank
from code_graph_indexer.retrieval.search import HybridSearcher
from code_graph_indexer.retrieval.signals import SIGNAL_NAMES, RankedList
from code_graph_indexer.retrieval.stale import Root, StaleCheck
from code_graph_indexer.retrieval.walk import GraphWalker, Surroundings
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.arrays import are_in
from code_graph_indexer.storage.records import StoredChunk

PART_WEIGHTS, PART_K, PART_LIMIT = {"title": 2.0, "names": 1.5, "places": 2.5}, 10, 50
"""Weights of the parts of a report, the constant of their fusion by rank, and the number of results of each."""

TITLE_SHARE = 0.6
"""The share of a report's title when functions are compared with it. The whole text has the rest."""

REPORT_REPEAT_PENALTY = -0.7
"""The value of REPEAT_PENALTY for a report, such as an issue."""

CALLED, MAX_CALLERS = 40, 8
"""The number of best chunks whose callers are read, and the most callers of each."""


class CodeRetriever:
    """A search for chunks in one opened index.

    * `embedder`: makes the vectors. With None, the search uses no vectors.
    * `root`: the folder of the repository. Without it, no result is marked stale (changed on disk since it was indexed).
    * `signals`: the signals that the search uses.
    * `folder_boost`: the boost of files in a preferred folder.
    * `repeat_penalty`: the penalty of the second and later chunks of a file. None means the default.

    Example:
        >>> from code_graph_indexer import CodeRetriever
        >>> retriever = CodeRetriever(indexer.store, None)
        >>> [context.name for context in retriever.retrieve("place_order", limit=1)]
        ['place_order']
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        root: Root | None = None,
        folder_boost: float = FOLDER_BOOST,
        repeat_penalty: float | None = None,
        signals: Collection[str] = SIGNAL_NAMES,
    ) -> None:
        self._store = store
        self._searcher = HybridSearcher(store, embedder, signals)
        self._focus = Focus(store, self._searcher.vector_of, tuple(signals))
        self._reranker = Reranker(folder_boost, repeat_penalty)
        self._folder_boost = folder_boost
        self._root = root
        self._repository = repository_name(root)

    def retrieve(
        self,
        query: str,
        filters: Filters | None = None,
        *,
        limit: int = 10,
        pool_size: int = 200,
        folders: Sequence[str] = (),
        expect: str = "",
    ) -> list[RetrievedContext]:
        """Return the chunks that answer a query, best first, at most `limit`.

        The query may hold filters (`lang:go path:web/*`). `pool_size` is the largest number of hits per signal. Files in
        `folders` rank higher. `expect` has names and words that such code would use, which are
        searched first. Raises UsageError for an argument or filter that is not valid.
        """
        text, filters = read_filters(self._store, query, filters, folders=folders, limit=limit)
        return self.search(text, filters, limit=limit, pool_size=pool_size, folders=folders, expect=expect)

    def search(
        self,
        text: str,
        filters: Filters,
        *,
        limit: int,
        pool_size: int = 200,
        folders: Sequence[str] = (),
        places: Sequence[int] = (),
        expect: str = "",
    ) -> list[RetrievedContext]:
        """Return what `retrieve` returns, for a text and filters that come from `read_filters`, which has checked them.

        `places` are the chunks at the places that a report names, such as the frames of a trace.
        """
        # The pipeline checks the filters once and then searches several times, so the index may have changed since.
        self._store.refresh()
        report = read_report(text)
        if report is None:
            query = self._read(text, expect)
            lists = self._searcher.search(query, filters, pool_size=pool_size)
            return self.contexts(self._ranked(lists, query, self._reranker, limit, folders))
        # A report wants the functions to change, which are often several of one file.
        reranker = Reranker(self._folder_boost, REPORT_REPEAT_PENALTY)
        parts = {"title": report.title, "names": " ".join(report.names)}
        ranked_parts: dict[str, list[Fused]] = {}
        for part, words in parts.items():
            query = self._read(words, expect if part == "title" else "")
            lists = self._searcher.search(query, filters, pool_size=pool_size)
            wide = max(limit, PART_LIMIT)
            ranked_parts[part] = self._ranked(lists, query, reranker, wide, folders)
        ranked_parts["places"] = [Fused(chunk_id, 1.0, ()) for chunk_id in places]
        texts = [(self._read(report.title, expect), TITLE_SHARE), (self._read(text), 1 - TITLE_SHARE)]
        return self.contexts(self._focus.ranked(texts, _fuse_parts(ranked_parts), filters)[:limit])

    def _read(self, text: str, expect: str = "") -> Query:
        return read_query(text, self._store.meta().get("repo_id") or self._repository, expect)

    def _ranked(
        self,
        lists: Sequence[RankedList],
        query: Query,
        reranker: Reranker,
        limit: int,
        folders: Sequence[str],
    ) -> list[Fused]:
        """Return the best chunks of the lists of a query's signals, best first, at most `limit`."""
        if not lists:
            return []
        scores = fuse_by_score(lists)
        places = self._store.traits_of(scores.ids)
        files_by_id = self._store.files_by_id(places["file_id"])
        present_rows = are_in(places["file_id"], np.array(list(files_by_id), np.int64))
        # Position i of `places` belongs to column i of `scores`, so the same mask is applied to both.
        scores = scores.among(present_rows)
        return reranker.rank(
            scores,
            places[present_rows],
            files_by_id,
            query,
            folders=folders,
            calls=self._calls(scores) if query.plain and len(scores) else None,
            limit=limit,
        )

    def _calls(self, scores: FusedScores) -> NDArray[np.float64]:
        """Return, for each chunk, the share of the best score that the best of the first CALLED chunks has that it calls."""
        columns = {chunk_id: column for column, chunk_id in enumerate(scores.ids.tolist())}
        totals = scores.shares.sum(axis=0)
        calls = np.zeros(len(totals))
        for edge in self._store.callers_of(scores.ids[:CALLED].tolist(), MAX_CALLERS):
            column = columns.get(edge.chunk_id)
            if column is not None and edge.chunk_id != edge.of:
                calls[column] = max(calls[column], totals[columns[edge.of]] / totals[0])
        return calls

    def _definitions_first(self, chunks: Sequence[StoredChunk]) -> list[StoredChunk]:
        """Move each definition before its declarations, such as the prototypes in a header, where both are results."""
        names = Counter(chunk.name for chunk in chunks)
        alike = {chunk.id: chunk for chunk in chunks if chunk.name and names[chunk.name] > 1}
        behind: dict[int, list[StoredChunk]] = defaultdict(list)
        for edge in self._store.edges(list(alike), DECLARES, incoming=False):
            if edge.chunk_id in alike:
                behind[edge.of].append(alike[edge.chunk_id])
        return list({follower.id: follower for chunk in chunks for follower in (*behind[chunk.id], chunk)}.values())

    def contexts(self, ranked: Sequence[Fused]) -> list[RetrievedContext]:
        """Return ranked chunks as results, with text, header and related definitions, in the same order.

        A definition comes before its declarations. Chunks that an update of the index has removed are left out.
        """
        hits = {hit.chunk_id: hit for hit in ranked}
        chunks = self._definitions_first(self._store.chunks(list(hits)))
        texts = self._store.chunk_texts(chunks)
        stale = StaleCheck(self._store, self._root).stale({chunk.path for chunk in chunks})
        surroundings = GraphWalker(self._store).surroundings(chunks, texts)
        described = self._store.descriptions([around.definition.id for around in surroundings])
        return [
            self._context(
                hits[chunk.id],
                chunk,
                text,
                around,
                stale=chunk.path in stale,
                description=described.get(around.definition.id),
            )
            for chunk, text, around in zip(chunks, texts, surroundings, strict=True)
        ]

    @staticmethod
    def _context(
        hit: Fused,
        chunk: StoredChunk,
        content: str,
        around: Surroundings,
        *,
        stale: bool,
        description: Description | None,
    ) -> RetrievedContext:
        definition = around.definition
        return RetrievedContext(
            node_id=chunk.id,
            file_path=chunk.path,
            content=content,
            score=hit.score,
            type=chunk.kind,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            context_header=around.header,
            related_definitions=around.related,
            name=definition.name,
            qualified_name=definition.qualified_name,
            signature=definition.signature,
            language=chunk.language,
            source_type=SourceType(chunk.source_type),
            repo_id=chunk.repo_id,
            stale=stale,
            signals=hit.signals,
            description=description,
        )


def _fuse_parts(lists: Mapping[str, Sequence[Fused]]) -> list[Fused]:
    """Fuse the ranked chunks of the parts of a report, by weighted reciprocal ranks. The signals show the parts."""
    parts: dict[int, list[SignalRank]] = defaultdict(list)
    for part, ranked in lists.items():
        for rank, hit in enumerate(ranked, 1):
            share = PART_WEIGHTS[part] * reciprocal_rank(rank, PART_K)
            parts[hit.chunk_id].append(SignalRank(part, rank, hit.score, share))
    fused = [Fused(chunk_id, sum(part.contribution for part in some), tuple(some)) for chunk_id, some in parts.items()]
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))


def repository_name(root: Root | None) -> str:
    """Return the name of the repository: the name of the git checkout that holds `root`.

    Outside git, it is the name of `root`. For None or several repositories, it is empty.
    """
    if not isinstance(root, Path):
        return ""
    return next((folder.name for folder in (root, *root.parents) if (folder / ".git").exists()), root.name)
