"""What is known exactly of a file's references, from a SCIP index: it stands above what the resolver finds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from code_graph_indexer.resolve.facts import CALLABLE_KINDS, Target
from code_graph_indexer.resolve.scope import INHERITED, Found
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import ResolvedReference

ORIGIN = "scip"
CERTAIN = 1.0


class ExactUse(NamedTuple):
    """A name that stands at a place, and its definition: None for one outside the repository.

    `source_id` is the chunk it stands in; `kind` is `overrides` where the definition at the place overrides the target.
    """

    line: int
    column: int
    kind: str
    name: str
    source_id: int
    target: Target | None


class Exact:
    """The exact uses of one file, by place."""

    def __init__(self, world: World, uses: Sequence[ExactUse]) -> None:
        self._uses: dict[tuple[int, int], ExactUse] = {}
        self._overrides: dict[tuple[int, int], ExactUse] = {}
        self._met: set[tuple[int, int]] = set()
        for one in uses:
            if one.target is not None:
                # Noted as a look-up: when the definition changes, this file is linked again.
                world.definition(one.target.path, one.target.dotted)
            if one.kind == "overrides" and one.target is not None:
                self._overrides.setdefault((one.source_id, one.target.chunk_id), one)
            elif one.kind != "overrides":
                self._uses.setdefault((one.line, one.column), one)

    def settle(self, row: ResolvedReference, found: Found) -> tuple[ResolvedReference, Found]:
        """Put what is exactly known of a reference in the place of what was found."""
        use = self._uses.get((row.line, row.column)) if self._uses else None
        if use is None or use.name != row.name:
            return row, found
        self._met.add((row.line, row.column))
        if use.target is None:
            # It lies outside of what the SCIP index covers, which may be another part of the repository: that is believed
            # where the resolver had only a name to go by.
            guessed = found.confidence < INHERITED or len(found.targets) > 1
            return (row._replace(origin=ORIGIN), Found((), CERTAIN)) if guessed else (row, found)
        fits = _is_node(use.target) if row.kind != "inherits" else use.target.is_type
        return (row._replace(origin=ORIGIN), Found((use.target,), CERTAIN)) if fits else (row, found)

    def overrides(self, rows: Iterable[ResolvedReference]) -> Iterator[ResolvedReference]:
        """Yield the overrides that were found, marked where they are exactly known, then those that were not found."""
        for row in rows:
            known = self._overrides.pop((row.source_id, row.target_id or 0), None) if self._overrides else None
            yield row._replace(origin=ORIGIN, confidence=CERTAIN) if known else row
        for one in self._overrides.values():
            yield self._row(one)

    def others(self, imports: Collection[int]) -> Iterator[ResolvedReference]:
        """Yield the uses at places where no reference was captured: functions and types that are read, not called.

        `imports` are the lines on which something is imported: what is named there is used elsewhere.
        """
        for place, one in self._uses.items():
            if place not in self._met and one.line not in imports and one.target is not None and _is_node(one.target):
                yield self._row(one)

    @staticmethod
    def _row(one: ExactUse) -> ResolvedReference:
        target = one.target.chunk_id if one.target else None
        return ResolvedReference(
            one.source_id, one.kind, one.name, "", one.line, one.column, target, CERTAIN, (), ORIGIN
        )


def _is_node(target: Target) -> bool:
    """Say whether a definition is a function or a type: what the graph has edges to."""
    return target.is_type or target.kind in CALLABLE_KINDS
