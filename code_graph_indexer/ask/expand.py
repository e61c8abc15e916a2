"""Find the chunks around retrieved chunks: class, siblings, imports, callers, callees or sections, each with a reason."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from code_graph_indexer.ask.results import ContextItem
from code_graph_indexer.results import SourceType
from code_graph_indexer.retrieval.results import RetrievedContext
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS
from code_graph_indexer.threads import Allowance

MAX_SECONDS = 0.5
"""Seconds after which the expansion for a question stops."""

MAX_LINES = 12
"""The most lines that are shown of a chunk around a retrieved chunk. They mostly show its signature and doc."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The chunks around some contexts, in the order of the contexts. `truncated` is true if time ran out."""

    items: tuple[ContextItem, ...]
    truncated: bool = False


class Expander:
    """A finder of the chunks around retrieved chunks, in one store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def expand(self, contexts: Sequence[RetrievedContext]) -> Expansion:
        """Return the chunks around these contexts, without the contexts themselves and without repeats."""
        allowance = Allowance(MAX_SECONDS)
        # The contexts count as given, so none is given again as the surroundings of another.
        node_ids = {context.node_id for context in contexts}
        items: list[ContextItem] = []
        for context in contexts:
            if allowance.is_over:
                return Expansion(tuple(items), truncated=True)
            for kind, chunk, reason in self._around(context):
                if chunk.id not in node_ids:
                    node_ids.add(chunk.id)
                    items.append(self._item(kind, chunk, reason))
        return Expansion(tuple(items))

    def _around(self, context: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        if context.source_type is SourceType.CODE:
            yield from self._around_code(context)
        elif context.source_type is SourceType.MARKDOWN:
            yield from self._around_section(context)

    def _used_imports(self, file_id: int, text: str) -> Iterator[StoredChunk]:
        """Yield the definitions that a file imports and a text names."""
        imported = self._store.imported_definitions(file_id)
        return (chunk for chunk in imported if chunk.name and chunk.name in text)

    def _around_code(self, context: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        chunks = self._store.file_chunks(context.file_path)
        by_id = {chunk.id: chunk for chunk in chunks}
        definition = by_id.get(context.node_id)
        # A block is a piece of a long definition, and its surroundings are those of the whole.
        if definition is not None and definition.kind == "block":
            definition = by_id.get(definition.parent_id or 0)
        if definition is None:
            return
        name = definition.qualified_name
        parent = by_id.get(definition.parent_id or 0)
        relations = {related.node_id: related.relation for related in context.related_definitions}
        most = self._settings.max_related_methods
        if parent is not None and parent.kind in CLASS_KINDS:
            yield "parent_class", parent, f"{name} belongs to it"
            siblings = [sibling for sibling in _methods(chunks, parent.id) if sibling.id != definition.id]
            # Callers and callees come first, then what stands nearest in the file.
            line = definition.start_line
            siblings.sort(key=lambda sibling: (sibling.id not in relations, abs(sibling.start_line - line)))
            for neighbour in siblings[:most]:
                yield "sibling", neighbour, f"in the same class as {name}"
        if definition.kind in CLASS_KINDS:
            for neighbour in _methods(chunks, definition.id)[:most]:
                yield "method", neighbour, f"a method of {name}"
        for neighbour in islice(self._used_imports(definition.file_id, context.content), self._settings.max_imports):
            yield "import", neighbour, f"{name} uses it"
        for neighbour in self._store.chunks([related.node_id for related in context.related_definitions]):
            yield relations[neighbour.id], neighbour, f"{relations[neighbour.id]} of {name}"

    def _around_section(self, context: RetrievedContext) -> Iterator[tuple[str, StoredChunk, str]]:
        chunks = self._store.file_chunks(context.file_path)
        section = next((chunk for chunk in chunks if chunk.id == context.node_id), None)
        if section is None:
            return
        parent = next((chunk for chunk in chunks if chunk.id == section.parent_id and chunk.name), None)
        if parent is not None:
            yield "parent_section", parent, f"{section.name} stands below it"
        # A block is a piece of the section itself.
        children = [chunk for chunk in chunks if chunk.parent_id == section.id and chunk.kind != "block"]
        for child in children[: self._settings.max_children_sections]:
            yield "child_section", child, f"stands below {section.name}"

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


def _methods(chunks: Iterable[StoredChunk], class_id: int) -> list[StoredChunk]:
    return [chunk for chunk in chunks if chunk.parent_id == class_id and chunk.kind in ("method", "function")]
