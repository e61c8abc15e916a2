"""Find the definitions behind declarations in the graph, and the alternatives of a definition."""

from collections import defaultdict
from collections.abc import Sequence

from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store

DECLARES = "declares"
"""The kind of the edges from declarations to their definitions."""

FUNCTIONS = frozenset({"function", "method", "macro"})


class Declared:
    """A look-up of what declarations declare, in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def definitions(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Replace each declaration by the definitions behind it, in the same order. Each node is listed once."""
        edges = self._store.edges([symbol.chunk_id for symbol in symbols], DECLARES, incoming=False)
        if not edges:
            return list(symbols)
        behind: dict[int, list[int]] = defaultdict(list)
        for edge in edges:
            behind[edge.of].append(edge.chunk_id)
        nodes = {symbol.chunk_id: symbol for symbol in symbols}
        nodes |= self._store.nodes([edge.chunk_id for edge in edges if edge.chunk_id not in nodes])
        chunk_ids = (chunk_id for symbol in symbols for chunk_id in behind.get(symbol.chunk_id, [symbol.chunk_id]))
        return [nodes[chunk_id] for chunk_id in dict.fromkeys(chunk_ids) if chunk_id in nodes]

    def declarations(self, symbol: Symbol) -> list[Symbol]:
        """List the declarations of a definition, in order of path and line."""
        edges = self._store.edges([symbol.chunk_id], DECLARES, incoming=True)
        nodes = self._store.nodes([edge.chunk_id for edge in edges]) if edges else {}
        return sorted(nodes.values(), key=lambda node: (node.file_path, node.start_line))

    def alternatives(self, symbol: Symbol) -> list[Symbol]:
        """List the other definitions that a build may take instead of this one, in order of path and line.

        They have the same declaration, as in `unix.c` and `win.c`, or stand in the same file under another condition.
        """
        if symbol.kind not in FUNCTIONS:
            return []
        behind = self.definitions(self.declarations(symbol))
        twins = [
            twin
            for twin in self._store.symbols([symbol.name], exact_case=True)
            if (twin.file_path, twin.qualified_name) == (symbol.file_path, symbol.qualified_name)
            # Overloads have other parameters.
            and twin.signature.count(",") == symbol.signature.count(",")
        ]
        nodes = {node.chunk_id: node for node in (*behind, *self.definitions(twins)) if node.kind in FUNCTIONS}
        nodes.pop(symbol.chunk_id, None)
        return sorted(nodes.values(), key=lambda node: (node.file_path, node.start_line))
