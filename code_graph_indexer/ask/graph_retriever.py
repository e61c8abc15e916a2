"""The retriever that answers from the graph."""

from code_graph_indexer.ask.graph_finder import GraphFinder
from code_graph_indexer.ask.route import FastPath, FastPathRouter
from code_graph_indexer.results import Filters, RetrievedContext
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.retrievers import BaseRetriever


class GraphRetriever(BaseRetriever):
    """Answer questions on relations, and look places up; nothing for other questions."""

    name = "graph"

    def retrieve_now(self, query: str, filters: Filters | None = None, *, limit: int = 10) -> list[RetrievedContext]:
        """Return the definitions asked about, then what they are related to."""
        text, filters = read_filters(query, filters)
        return self.answer(FastPathRouter().route(text), filters, limit=limit)[0]

    def answer(self, path: FastPath, filters: Filters, *, limit: int) -> tuple[list[RetrievedContext], str]:
        """Return the chunks that the graph has for a query that was read, and what it says in words."""
        found = GraphFinder(self._store).find(path)
        allowed = self._store.allowed([one.chunk_id for one in found.ranked], filters)
        ranked = [one for one in found.ranked if one.chunk_id in allowed][:limit]
        return CodeRetriever(self._store, None, root=self._root).contexts(ranked), found.summary
