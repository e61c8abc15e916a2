"""Find the definitions behind declarations in the graph, and the alternatives of a definition."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

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
        behind = self._behind({symbol.node_id: symbol for symbol in symbols})
        nodes = {node.node_id: node for symbol in symbols for node in behind[symbol.node_id]}
        return list(nodes.values())

    def declarations(self, symbol: Symbol) -> list[Symbol]:
        """List the declarations of a definition, in order of path and line."""
        edges = self._store.edges([symbol.chunk_id], DECLARES, incoming=True)
        nodes = self._store.nodes([edge.chunk_id for edge in edges]) if edges else {}
        return sorted(nodes.values(), key=lambda node: (node.file_path, node.start_line))

    def alternatives(self, symbol: Symbol) -> list[Symbol]:
        """List the other definitions that a build may take instead of this one, in order of path and line.

        They have the same declaration, as in `unix.c` and `win.c`, or stand under another condition in the file of the
        definition or of a declaration.
        """
        return self.alternatives_of([symbol]).get(symbol.chunk_id, [])

    def _with_declarations(self, symbols: Sequence[Symbol]) -> Mapping[int, list[Symbol]]:
        """Map the chunk ids of definitions to the definition itself and its declarations."""
        incoming = self._store.edges([symbol.chunk_id for symbol in symbols], DECLARES, incoming=True)
        headers = self._store.nodes([edge.chunk_id for edge in incoming]) if incoming else {}
        places = {symbol.chunk_id: [symbol] for symbol in symbols}
        for edge in incoming:
            if edge.chunk_id in headers:
                places[edge.of].append(headers[edge.chunk_id])
        return places

    def _twins(self, names: Collection[str]) -> Mapping[tuple[str, str, int], list[Symbol]]:
        """Group the functions of these names by `_twin_key`, so that each group has the alternatives of one function."""
        twins: dict[tuple[str, str, int], list[Symbol]] = defaultdict(list)
        for twin in self._store.symbols(names, exact_case=True):
            if twin.kind in FUNCTIONS:
                twins[_twin_key(twin)].append(twin)
        return twins

    def alternatives_of(self, symbols: Sequence[Symbol]) -> dict[int, list[Symbol]]:
        """Map the chunk ids of these definitions to their alternatives. Definitions without alternatives are left out."""
        symbols = [symbol for symbol in symbols if symbol.kind in FUNCTIONS]
        if not symbols:
            return {}
        # A twin of the definition or of a declaration is an alternative.
        places = self._with_declarations(symbols)
        twins = self._twins({symbol.name for symbol in symbols})
        groups = {
            chunk_id: [twin for symbol in around for twin in twins[_twin_key(symbol)]]
            for chunk_id, around in places.items()
        }
        behind = self._behind({twin.chunk_id: twin for group in groups.values() for twin in group})
        alternatives: dict[int, list[Symbol]] = {}
        for chunk_id, group in groups.items():
            nodes = {node.chunk_id: node for twin in group for node in behind[twin.chunk_id] if node.kind in FUNCTIONS}
            nodes.pop(chunk_id, None)
            if nodes:
                alternatives[chunk_id] = sorted(nodes.values(), key=lambda node: (node.file_path, node.start_line))
        return alternatives

    def _behind(self, symbols: Mapping[int, Symbol]) -> dict[int, list[Symbol]]:
        """Map each node id to the definitions behind that declaration, or to the symbol itself if it declares nothing."""
        edges = self._store.edges(list(symbols), DECLARES, incoming=False)
        nodes = {**symbols, **self._store.nodes([edge.chunk_id for edge in edges if edge.chunk_id not in symbols])}
        behind: dict[int, list[Symbol]] = defaultdict(list)
        for edge in edges:
            if edge.chunk_id in nodes:
                behind[edge.of].append(nodes[edge.chunk_id])
        return {node_id: behind.get(node_id, [symbol]) for node_id, symbol in symbols.items()}


def _twin_key(symbol: Symbol) -> tuple[str, str, int]:
    """Return what the definitions of one function in a file share. The number of commas tells overloads apart."""
    return symbol.file_path, symbol.qualified_name, symbol.signature.count(",")
