"""Walk the graph around a result: up to its class, module and imports, sideways to its callers and callees."""

import re
from collections.abc import Sequence
from functools import cache

from code_graph_indexer.storage import SqliteStore
from code_graph_indexer.types import Neighbour, RelatedDefinition, StoredChunk

MAX_RELATED = 5
"""Callers, and callees, named with a result."""

MAX_READ = 200
"""Edges read to find them; a hub has thousands, and no reader wants them with a search result."""

MAX_IMPORTS = 5
"""Imports shown in a context header."""

MAX_ANCESTORS = 20
"""Hops up the child_of edges; no real nesting is deeper, and a damaged index could have a cycle."""

_LAST_WORD = re.compile(r"[\w$]+$")


class GraphWalker:
    """Walk from chunks along the edges of a store."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        # Results share their modules and classes: each is read once a walk.
        self._chunk = cache(self._read_chunk)
        self._imports = cache(store.imports_of)

    def _read_chunk(self, chunk_id: int) -> StoredChunk | None:
        found = self._store.chunks([chunk_id])
        return found[0] if found else None

    def ancestors(self, chunk: StoredChunk) -> list[StoredChunk]:
        """Return the chunks around a chunk, the nearest first, up to its module."""
        found: list[StoredChunk] = []
        seen = {chunk.id}
        parent_id = chunk.parent_id
        while parent_id is not None and parent_id not in seen and len(found) < MAX_ANCESTORS:
            seen.add(parent_id)
            parent = self._chunk(parent_id)
            if parent is None:
                break
            found.append(parent)
            parent_id = parent.parent_id
        return found

    def context_header(self, chunk: StoredChunk, content: str, ancestors: Sequence[StoredChunk]) -> str:
        """Say where a chunk stands: its module, the definitions around it, and the imports that it uses."""
        lines = [f"{chunk.path}:{chunk.start_line}"]
        for one in reversed(ancestors):
            if one.kind == "module" and one.qualified_name:
                lines.append(f"module {one.qualified_name}")
            elif one.kind not in ("module", "block"):
                lines.append(one.signature or one.qualified_name)
        if chunk.source_type == "code":
            lines += [f"import {name}" for name in self._used_imports(chunk, content)]
        return "\n".join(lines)

    def _used_imports(self, chunk: StoredChunk, content: str) -> list[str]:
        words = set(re.findall(r"[\w$]+", content))
        used: list[str] = []
        for name, _ in self._imports(chunk.path):
            last = _LAST_WORD.search(name)
            if last and last[0] in words and name not in used:
                used.append(name)
        return used[:MAX_IMPORTS]

    def related(self, chunk: StoredChunk, ancestors: Sequence[StoredChunk]) -> tuple[RelatedDefinition, ...]:
        """Name the callers and callees of a chunk; those of a block are its definition's."""
        node = next((one for one in (chunk, *ancestors) if one.kind != "block"), chunk)
        callers = _distinct(self._store.callers([node.id], most=MAX_READ), node.id)
        callees = _distinct(self._store.callees([node.id], most=MAX_READ), node.id)
        return (
            *(_related("caller", one) for one in callers[:MAX_RELATED]),
            *(_related("callee", one) for one in callees[:MAX_RELATED]),
        )


def _distinct(neighbours: Sequence[Neighbour], own: int) -> list[Neighbour]:
    found: dict[int, Neighbour] = {}
    for one in neighbours:
        if one.symbol.chunk_id != own:
            found.setdefault(one.symbol.chunk_id, one)
    return list(found.values())


def _related(relation: str, one: Neighbour) -> RelatedDefinition:
    symbol = one.symbol
    return RelatedDefinition(
        relation=relation,
        node_id=symbol.chunk_id,
        qualified_name=symbol.qualified_name or symbol.file_path,
        kind=symbol.kind,
        file_path=symbol.file_path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
        line=one.line,
        confidence=one.confidence,
    )
