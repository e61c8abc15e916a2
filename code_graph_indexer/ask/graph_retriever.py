"""The retriever that answers from the graph."""

from code_graph_indexer.ask.graph_finder import GraphFinder
from code_graph_indexer.ask.route import FastPath, FastPathRouter
from code_graph_indexer.results import Filters
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.retrievers import BaseRetriever


class GraphRetriever(BaseRetriever):
    """A retriever of definitions by their relations, and of chunks by their places. For other queries, the list is empty.

    Example:
        >>> from code_graph_indexer import GraphRetriever
        >>> retriever = GraphRetriever(indexer.store)
        >>> [context.name for context in retriever.retrieve("who calls add_tax?")]
        ['add_tax', 'total']
    """

    name = "graph"

    def retrieve(
        self, query: str, filters: Filters | None = None, *, limit: int = 10, expect: str = ""
    ) -> list[RetrievedContext]:
        """Return the definitions that the query names, then the definitions that are related to them.

        Expected words change nothing: the graph goes by names. Raises UsageError for a filter or limit that is not valid.
        """
        text, filters = read_filters(self._store, query, filters, limit=limit)
        return self.answer(FastPathRouter().route(text), filters, limit=limit)[0]

    def answer(self, path: FastPath, filters: Filters, *, limit: int) -> tuple[list[RetrievedContext], str]:
        """Return the graph's chunks for a routed query, and a sentence that says how they are related.

        At most `limit` chunks are returned, best first. The filters apply before the limit.
        """
        finding = GraphFinder(self._store).find(path)
        allowed = self._store.allowed([hit.chunk_id for hit in finding.ranked], filters)
        # The filters come before the limit, or excluded chunks would take the places of allowed ones.
        ranked = [hit for hit in finding.ranked if hit.chunk_id in allowed][:limit]
        return CodeRetriever(self._store, None, root=self._root).contexts(ranked), finding.summary
