"""Give chunks what stands around them: class, other methods, imported definitions, callers; sections of a document."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from code_graph_indexer.results import ContextItem, RetrievedContext, SourceType
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_SECONDS = 0.5
"""Time that the expansion of one question takes at most."""

MAX_LINES = 12
"""Lines given of a definition beside a chunk: its signature and its doc, not its body."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What stands around some chunks, in their order; `truncated` when time ran out."""

    items: tuple[ContextItem, ...]
    truncated: bool = False


class Expander:
    """Expand chunks from one store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def expand(self, contexts: Sequence[RetrievedContext]) -> Expansion:
        """List what stands around these chunks; nothing that is among them, and nothing twice."""
        deadline = time.monotonic() + MAX_SECONDS
        given = {one.node_id for one in contexts}
        items: list[ContextItem] = []
        for one in contexts:
            if time.monotonic() > deadline:
                return Expansion(tuple(items), truncated=True)
            for kind, chunk, reason in self._around(one):
                if chunk.id not in given:
                    given.add(chunk.id)
                    items.append(self._item(kind, chunk, reason))
        return Expansion(tuple(items))

    def _around(self, one: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        if one.source_type is SourceType.CODE:
            yield from self._around_code(one)
        elif one.source_type is SourceType.MARKDOWN:
            yield from self._around_section(one)

    def _around_code(self, one: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        chunks = self._store.file_chunks(one.file_path)
        by_id = {each.id: each for each in chunks}
        own = by_id.get(one.node_id)
        if own is not None and own.kind == "block":
            own = by_id.get(own.parent_id or 0)
        if own is None:
            return
        name = own.qualified_name
        parent = by_id.get(own.parent_id or 0)
        if parent is not None and parent.kind in CLASS_KINDS:
            yield "parent_class", parent, f"{name} belongs to it"
            siblings = [
                each
                for each in chunks
                if each.parent_id == parent.id and each.id != own.id and each.kind in ("method", "function")
            ]
            related = {each.node_id for each in one.related_definitions}
            nearest = sorted(siblings, key=lambda each: (each.id not in related, abs(each.start_line - own.start_line)))
            for each in nearest[: self._settings.max_related_methods]:
                yield "sibling", each, f"in the same class as {name}"
        if own.kind in CLASS_KINDS:
            methods = [each for each in chunks if each.parent_id == own.id and each.kind in ("method", "function")]
            for each in methods[: self._settings.max_related_methods]:
                yield "method", each, f"a method of {name}"
        imported = [
            each for each in self._store.imported_definitions(own.file_id) if each.name and each.name in one.content
        ]
        for each in imported[: self._settings.max_imports]:
            yield "import", each, f"{name} uses it"
        ends = self._store.chunks([each.node_id for each in one.related_definitions])
        relations = {each.node_id: each.relation for each in one.related_definitions}
        for each in ends:
            yield relations[each.id], each, f"{relations[each.id]} of {name}"

    def _around_section(self, one: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        chunks = self._store.file_chunks(one.file_path)
        own = next((each for each in chunks if each.id == one.node_id), None)
        if own is None:
            return
        parent = next((each for each in chunks if each.id == own.parent_id and each.name), None)
        if parent is not None:
            yield "parent_section", parent, f"{own.name} stands below it"
        children = [each for each in chunks if each.parent_id == own.id and each.kind != "block"]
        for each in children[: self._settings.max_children_sections]:
            yield "child_section", each, f"stands below {own.name}"

    def _item(self, kind: str, chunk: StoredChunk, reason: str) -> ContextItem:
        (text,) = self._store.chunk_texts([chunk])
        lines = text.split("\n")[:MAX_LINES]
        return ContextItem(
            type=kind,
            content="\n".join(lines).rstrip("\n") + "\n",
            reasoning=reason,
            file_path=chunk.path,
            start_line=chunk.start_line,
            qualified_name=chunk.qualified_name,
            chunk_kind=chunk.kind,
            node_id=chunk.id,
            language=chunk.language,
            source_type=SourceType(chunk.source_type),
            repo_id=chunk.repo_id,
        )
