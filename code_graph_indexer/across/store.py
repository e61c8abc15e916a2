"""A store of several repositories, with the edges that lead from one of them into another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, Protocol, cast

from code_graph_indexer.results import ExternalUse, Neighbour
from code_graph_indexer.storage import Edge, ResolvedReference, Store
from code_graph_indexer.storage.records import caller_order

KINDS = frozenset({"calls", "imports", "inherits", "overrides", "references"})
"""Kinds of edges that may lead into another repository."""

MAX_LINKED = 32
"""The most repositories between which calls are followed. In larger sets, reading their files again takes minutes."""


class Crossing(Protocol):
    """The references that lead from a repository into another."""

    def leaving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead from these chunks into another repository."""

    def arriving(self, chunk_ids: Sequence[int], kind: str) -> list[ResolvedReference]:
        """List the references of a kind that lead from another repository to these chunks."""


class AcrossStore:
    """A store of several repositories, with the edges that lead from one of them into another.

    All else is asked of the store itself. Signals of a search use only its own edges.
    """

    def __init__(self, store: Store, make_links: Callable[[Store], Crossing]) -> None:
        self._store = store
        self._make_links = make_links
        self._lock = RLock()
        self._links: tuple[tuple[int, ...], Crossing] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _read(self, read: Callable[[Crossing], list[ResolvedReference]]) -> list[ResolvedReference]:
        """Return what `read` answers for the links of the repositories, which are made anew if the store changed."""
        # The resolver's world is filled as it is read, which two threads cannot do at once.
        with self._lock:
            stamp = self._store.stamp
            if self._links is None or self._links[0] != stamp:
                self._links = stamp, self._make_links(self._store)
            return read(self._links[1])

    def edges(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[Edge]:
        """List the edges of a kind at these chunks, in order of source id, then of line."""
        edges = self._store.edges(chunk_ids, kind, incoming=incoming)
        rows = self._rows(chunk_ids, kind, incoming=incoming)
        if not rows:
            return edges
        edges = edges + [
            Edge(near, far, kind, row.line, row.confidence or 0.0, row.receiver)
            for row in rows
            for near, far in [_ends(row, incoming=incoming)]
        ]
        return sorted(edges, key=lambda edge: (edge.chunk_id if incoming else edge.of, edge.line))

    def _rows(self, chunk_ids: Sequence[int], kind: str, *, incoming: bool) -> list[ResolvedReference]:
        """Return the references between repositories that lead to these chunks (`incoming`) or from them.

        There are none for a kind that is not in KINDS, or with a single repository or more than MAX_LINKED.
        """
        # A set on a server may have a single repository now, and more later.
        if not chunk_ids or kind not in KINDS or not 1 < len(self._store.repositories()) <= MAX_LINKED:
            return []
        return self._read(lambda links: links.arriving(chunk_ids, kind) if incoming else links.leaving(chunk_ids, kind))

    def callers(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that refer to one of these chunks: most certain first, code before tests, by path and line."""
        neighbours = self._neighbours(self._rows(chunk_ids, kind, incoming=True), incoming=True)
        return sorted([*self._store.callers(chunk_ids, kind), *neighbours], key=caller_order)

    def callees(self, chunk_ids: Sequence[int], kind: str = "calls") -> list[Neighbour]:
        """List the definitions that these chunks refer to. Those of other repositories come last, by referring chunk."""
        neighbours = self._neighbours(self._rows(chunk_ids, kind, incoming=False), incoming=False)
        return [*self._store.callees(chunk_ids, kind), *neighbours]

    def _neighbours(self, rows: Sequence[ResolvedReference], *, incoming: bool) -> list[Neighbour]:
        ends = [_ends(row, incoming=incoming)[1] for row in rows]
        symbols = self._store.nodes(ends) if ends else {}
        return [
            Neighbour(symbols[end], row.kind, row.line, row.confidence or 0.0, row.origin)
            for row, end in zip(rows, ends, strict=True)
            if end in symbols
        ]

    def file_edges(self, kind: str, path: str, *, incoming: bool) -> list[tuple[str, int]]:
        """List the files that this file's edges of a kind lead to, or come from, with the line of each reference."""
        chunk_ids = [chunk.id for chunk in self._store.file_chunks(path)]
        rows = self._rows(chunk_ids, kind, incoming=incoming)
        ends = [_ends(row, incoming=incoming)[1] for row in rows]
        files = self._store.files_of(ends) if ends else {}
        links = [(files[end].path, row.line) for row, end in zip(rows, ends, strict=True) if end in files]
        return self._store.file_edges(kind, path, incoming=incoming) + links

    def open_names(self, chunk_ids: Sequence[int], kind: str) -> list[str]:
        """List the names of references that have no target in any repository, of one kind and in these chunks, sorted."""
        rows = self._rows(chunk_ids, kind, incoming=False)
        linked = {f"{row.receiver}.{row.name}" if row.receiver else row.name for row in rows}
        return [name for name in self._store.open_names(chunk_ids, kind) if name not in linked]

    def open_calls_in(self, chunk_id: int) -> int:
        """Count the calls in a chunk that have no target in any repository."""
        # A call that is known to lead outside is not open.
        outside = {(use.line, use.column) for use in self._store.externals([chunk_id], ("calls",))}
        return self._store.open_calls_in(chunk_id) - len(self._linked(chunk_id, ("calls",)) - outside)

    def externals(self, chunk_ids: Sequence[int], kinds: Sequence[str]) -> list[ExternalUse]:
        """List what references of some kinds in these chunks mean outside all repositories, chunk by chunk."""
        return [
            use
            for chunk_id in chunk_ids
            if (uses := self._store.externals([chunk_id], kinds))
            for linked in [self._linked(chunk_id, kinds)]
            for use in uses
            if (use.line, use.column) not in linked
        ]

    def _linked(self, chunk_id: int, kinds: Sequence[str]) -> set[tuple[int, int]]:
        """Return the lines and columns of the references in a chunk that lead into another repository."""
        rows = (row for kind in kinds for row in self._rows([chunk_id], kind, incoming=False))
        return {(row.line, row.column) for row in rows}


def unlinked_note(store: Store) -> str:
    """Return a sentence for people if a set has too many repositories to follow calls between them, or an empty text."""
    count = len(store.repositories())
    if count <= MAX_LINKED:
        return ""
    return (
        f"calls from one repository into another are followed between {MAX_LINKED} at most, and {count} are open; "
        "choose some to follow them"
    )


def linked_across(store: Store, make_links: Callable[[Store], Crossing] | None = None) -> Store:
    """Return a store of several repositories with the edges between them: by `make_links`, or else by their source."""
    # What the class lacks, it passes on to the store.
    return cast("Store", AcrossStore(store, make_links or _resolved))


def _resolved(store: Store) -> Crossing:
    """Return the edges that a second look at the source finds."""
    # Late: it loads the resolver and the grammars, which most questions do without.
    from code_graph_indexer.across.links import Links

    return Links(store)


def _ends(row: ResolvedReference, *, incoming: bool) -> tuple[int, int]:
    """Return the near and the far end of a reference that has a target."""
    target = row.target_id or 0
    return (target, row.source_id) if incoming else (row.source_id, target)
