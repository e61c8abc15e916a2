"""Find the surroundings of results in the graph: the class and module around them, imports, callers and callees."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from code_graph_indexer.results import Symbol
from code_graph_indexer.retrieval.results import RelatedDefinition
from code_graph_indexer.storage import Edge, Store
from code_graph_indexer.storage.records import StoredChunk

MAX_RELATED = 5
"""Largest number of callers that a result lists. The limit for callees is the same."""

MAX_READ = 200
"""Largest number of edges of a chunk that are read to find these callers or callees. A hub has thousands of edges."""

MAX_IMPORTS = 5
"""Largest number of imports in the header of a result."""

NAMES_KEPT = 20_000
"""Number of imported names whose last word is cached."""

_LAST_WORD = re.compile(r"[\w$]+$")
_WORDS = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of a chunk in the code.

    * `definition`: the definition that a block (part of a long definition) belongs to. For other chunks, the chunk itself.
    * `header`: lines with the place of the chunk, its module, the definitions around it and the imports that it uses.
    * `related`: the callers and callees of the definition, and the other end of a declaration.
    """

    definition: StoredChunk
    header: str
    related: tuple[RelatedDefinition, ...]


class GraphWalker:
    """A reader of the graph around chunks in one opened index.

    Example:
        >>> from code_graph_indexer import GraphWalker
        >>> chunk_id = indexer.symbol("add_tax")[0].chunk_id
        >>> related = GraphWalker(indexer.store).related(indexer.store.chunks([chunk_id]))
        >>> [definition.qualified_name for definition in related[chunk_id]]
        ['shop.cart.Cart.total']
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def surroundings(self, chunks: Sequence[StoredChunk], texts: Sequence[str]) -> list[Surroundings]:
        """Return the surroundings of each chunk, in the order of `chunks`. `texts` has the text of each chunk."""
        ancestors = self.ancestors(chunks)
        definitions = [
            # A long definition is cut into blocks, and a block is shown as a part of its definition.
            next((ancestor for ancestor in (chunk, *around) if ancestor.kind != "block"), chunk)
            for chunk, around in zip(chunks, ancestors, strict=True)
        ]
        imports = self._store.imports_of(sorted({chunk.file_id for chunk in chunks if chunk.source_type == "code"}))
        related = self.related(definitions)
        surroundings: list[Surroundings] = []
        for chunk, text, around, name in zip(chunks, texts, ancestors, definitions, strict=True):
            header = [*_places(chunk, around), *_used(imports.get(chunk.file_id, ()), text)]
            surroundings.append(Surroundings(name, "\n".join(header), related[name.id]))
        return surroundings

    def ancestors(self, chunks: Sequence[StoredChunk]) -> list[list[StoredChunk]]:
        """Return, for each chunk, the list of chunks that contain it, from the nearest up to the module."""
        above = self._store.ancestors_of([chunk.id for chunk in chunks])
        by_id = {chunk.id: chunk for chunk in (*chunks, *above)}
        return [_chain(chunk, by_id) for chunk in chunks]

    def related(self, chunks: Sequence[StoredChunk]) -> dict[int, tuple[RelatedDefinition, ...]]:
        """Map the id of each chunk to its definitions, declarations, callers and callees, at most MAX_RELATED of each.

        A declaration has definitions, a definition declarations. Callers are sorted: certain before unsure, code before tests.
        """
        nodes = sorted({chunk.id for chunk in chunks})
        callers = self._store.callers_of(nodes, MAX_READ)
        files = self._store.files_of(sorted({end.chunk_id for end in callers}))
        # An update in the meantime may have removed a caller.
        callers = [end for end in callers if end.chunk_id in files]

        def certain_first(end: Edge) -> tuple[float, bool, str, int]:
            file = files[end.chunk_id]
            return -end.confidence, "test" in file.marks, file.path, end.line

        ends = {
            "definition": _first_ends(self._store.edges(nodes, "declares", incoming=False)),
            "declaration": _first_ends(self._store.edges(nodes, "declares", incoming=True)),
            "caller": _first_ends(sorted(callers, key=certain_first)),
            "callee": _first_ends(self._store.callees_of(nodes, MAX_READ)),
        }
        neighbour_ids = {end.chunk_id for neighbours in ends.values() for some in neighbours.values() for end in some}
        definitions = self._store.nodes(sorted(neighbour_ids))
        return {
            node: tuple(
                _related(relation, end, definitions[end.chunk_id])
                for relation, ends_of in ends.items()
                for end in ends_of.get(node, ())
                if end.chunk_id in definitions
            )
            for node in nodes
        }


def _chain(chunk: StoredChunk, by_id: dict[int, StoredChunk]) -> list[StoredChunk]:
    chain: list[StoredChunk] = []
    parent = by_id.get(chunk.parent_id or 0)
    while parent is not None:
        chain.append(parent)
        parent = by_id.get(parent.parent_id or 0)
    return chain


def _places(chunk: StoredChunk, ancestors: Sequence[StoredChunk]) -> list[str]:
    lines = [f"{chunk.path}:{chunk.start_line}"]
    for ancestor in reversed(ancestors):
        if ancestor.kind == "module" and ancestor.qualified_name:
            lines.append(f"module {ancestor.qualified_name}")
        elif ancestor.kind not in ("module", "block"):
            lines.append(ancestor.signature or ancestor.qualified_name)
    return lines


def _used(imports: Sequence[str], text: str) -> list[str]:
    """Return a line `import <name>` for each import whose last word occurs in a text, at most MAX_IMPORTS lines."""
    words = frozenset(_WORDS.findall(text)) if imports else ()
    used = (name for name in dict.fromkeys(imports) if _last_word(name) in words)
    return [f"import {name}" for name, _ in zip(used, range(MAX_IMPORTS), strict=False)]


@lru_cache(maxsize=NAMES_KEPT)
def _last_word(name: str) -> str:
    match = _LAST_WORD.search(name)
    return match[0] if match else ""


def _first_ends(ends: Sequence[Edge]) -> dict[int, list[Edge]]:
    """Map each chunk to its first edges, at most MAX_RELATED, with one edge per other chunk and no edge to itself."""
    ends_of: dict[int, dict[int, Edge]] = defaultdict(dict)
    for end in ends:
        if end.chunk_id != end.of and len(ends_of[end.of]) < MAX_RELATED:
            ends_of[end.of].setdefault(end.chunk_id, end)
    return {node: list(some.values()) for node, some in ends_of.items()}


def _related(relation: str, end: Edge, definition: Symbol) -> RelatedDefinition:
    return RelatedDefinition(
        relation=relation,
        node_id=definition.node_id,
        qualified_name=definition.qualified_name or definition.file_path,
        kind=definition.kind,
        file_path=definition.file_path,
        start_line=definition.start_line,
        end_line=definition.end_line,
        line=end.line,
        confidence=end.confidence,
    )
