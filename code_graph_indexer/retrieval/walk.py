"""Walk the graph around results: up to class, module and imports, sideways to callers and callees; all results at once."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from code_graph_indexer.results import RelatedDefinition
from code_graph_indexer.storage import EdgeEnd, Store
from code_graph_indexer.storage.records import StoredChunk

MAX_RELATED = 5
"""Callers, and callees, named with a result."""

MAX_READ = 200
"""Edges read to find them; a hub has thousands, and no reader wants them with a search result."""

MAX_IMPORTS = 5
"""Imports shown in a context header."""

NAMES_KEPT = 20_000
"""Names of imports whose last word is kept."""

_LAST_WORD = re.compile(r"[\w$]+$")
_IN_WORD = re.compile(r"[\w$]")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a chunk stands.

    `named` is the definition that it is, or is a block of; `header` names its module, the definitions around it and the
    imports that it uses; `related` are its definition's callers and callees.
    """

    named: StoredChunk
    header: str
    related: tuple[RelatedDefinition, ...]


class GraphWalker:
    """Walk from chunks along the edges of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def surroundings(self, chunks: Sequence[StoredChunk], texts: Sequence[str]) -> list[Surroundings]:
        """Say where each chunk stands, given its text."""
        ancestors = self.ancestors(chunks)
        named = [
            next((one for one in (chunk, *around) if one.kind != "block"), chunk)
            for chunk, around in zip(chunks, ancestors, strict=True)
        ]
        imports = self._store.imports_of(sorted({one.file_id for one in chunks if one.source_type == "code"}))
        related = self.related(named)
        found: list[Surroundings] = []
        for chunk, text, around, name in zip(chunks, texts, ancestors, named, strict=True):
            header = [*_places(chunk, around), *_used(imports.get(chunk.file_id, ()), text)]
            found.append(Surroundings(name, "\n".join(header), related[name.id]))
        return found

    def ancestors(self, chunks: Sequence[StoredChunk]) -> list[list[StoredChunk]]:
        """Return the chunks around each chunk, the nearest first, up to its module."""
        above = self._store.ancestors_of([one.id for one in chunks])
        known = {one.id: one for one in (*chunks, *above)}
        return [_chain(one, known) for one in chunks]

    def related(self, chunks: Sequence[StoredChunk]) -> dict[int, tuple[RelatedDefinition, ...]]:
        """Name the callers and callees of each chunk, the most certain callers first, tests behind the code."""
        nodes = sorted({one.id for one in chunks})
        callers = self._store.callers_of(nodes, MAX_READ)
        files = self._store.files_of(sorted({one.chunk_id for one in callers}))
        callers = [one for one in callers if one.chunk_id in files]

        def certain_first(one: EdgeEnd) -> tuple[float, bool, str, int]:
            file = files[one.chunk_id]
            return -one.confidence, "test" in file.marks, file.path, one.line

        ends = {
            "caller": _first_ends(sorted(callers, key=certain_first)),
            "callee": _first_ends(self._store.callees_of(nodes, MAX_READ)),
        }
        wanted = {end.chunk_id for found in ends.values() for some in found.values() for end in some}
        definitions = {one.id: one for one in self._store.chunks(sorted(wanted))}
        return {
            node: tuple(
                _related(relation, end, definitions[end.chunk_id])
                for relation, found in ends.items()
                for end in found.get(node, ())
                if end.chunk_id in definitions
            )
            for node in nodes
        }


def _chain(chunk: StoredChunk, known: dict[int, StoredChunk]) -> list[StoredChunk]:
    found: list[StoredChunk] = []
    seen = {chunk.id}
    parent = known.get(chunk.parent_id or 0)
    while parent is not None and parent.id not in seen:
        seen.add(parent.id)
        found.append(parent)
        parent = known.get(parent.parent_id or 0)
    return found


def _places(chunk: StoredChunk, ancestors: Sequence[StoredChunk]) -> list[str]:
    lines = [f"{chunk.path}:{chunk.start_line}"]
    for one in reversed(ancestors):
        if one.kind == "module" and one.qualified_name:
            lines.append(f"module {one.qualified_name}")
        elif one.kind not in ("module", "block"):
            lines.append(one.signature or one.qualified_name)
    return lines


def _used(imports: Sequence[str], text: str) -> list[str]:
    """List the imports that a text uses by their last word."""
    used = (name for name in dict.fromkeys(imports) if (word := _last_word(name)) in text and _says(text, word))
    return [f"import {name}" for name, _ in zip(used, range(MAX_IMPORTS), strict=False)]


def _says(text: str, word: str) -> bool:
    """Say whether a word stands in a text by itself."""
    place = text.find(word) if word else -1
    while place >= 0:
        end = place + len(word)
        if not _IN_WORD.match(text[place - 1 : place]) and not _IN_WORD.match(text[end : end + 1]):
            return True
        place = text.find(word, end)
    return False


@lru_cache(maxsize=NAMES_KEPT)
def _last_word(name: str) -> str:
    found = _LAST_WORD.search(name)
    return found[0] if found else ""


def _first_ends(ends: Sequence[EdgeEnd]) -> dict[int, list[EdgeEnd]]:
    """Keep the first edges of each chunk that lead to different chunks, its own left out."""
    found: dict[int, dict[int, EdgeEnd]] = defaultdict(dict)
    for end in ends:
        if end.chunk_id != end.of and len(found[end.of]) < MAX_RELATED:
            found[end.of].setdefault(end.chunk_id, end)
    return {node: list(some.values()) for node, some in found.items()}


def _related(relation: str, end: EdgeEnd, definition: StoredChunk) -> RelatedDefinition:
    return RelatedDefinition(
        relation=relation,
        node_id=definition.id,
        qualified_name=definition.qualified_name or definition.path,
        kind=definition.kind,
        file_path=definition.path,
        start_line=definition.name_line,
        end_line=definition.def_end_line,
        line=end.line,
        confidence=end.confidence,
    )
