"""Replace the references that the resolver finds by the exact references of a SCIP index."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.resolution import INHERITED, Resolution
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import ExactUse, ResolvedReference, Target

ORIGIN = "scip"
CERTAIN = 1.0


class ExactUses:
    """The exact uses of one file (those that a SCIP index resolves), by line and column."""

    def __init__(self, world: World, uses: Sequence[ExactUse]) -> None:
        self._uses: dict[tuple[int, int], ExactUse] = {}
        self._overrides: dict[tuple[int, int], ExactUse] = {}
        self._settled: set[tuple[int, int]] = set()
        for use in uses:
            if use.target is not None:
                # This notes the lookup: if the definition changes, the file is linked again.
                world.definition(use.target.path, use.target.dotted)
            if use.kind == "overrides" and use.target is not None:
                self._overrides.setdefault((use.source_id, use.target.chunk_id), use)
            elif use.kind != "overrides":
                self._uses.setdefault((use.line, use.column), use)

    def settle(self, row: ResolvedReference, resolution: Resolution) -> tuple[ResolvedReference, Resolution]:
        """Return a reference and its resolution, replaced by the exact ones if the SCIP index has this use.

        If the exact definition is outside the repository, a resolution that is a guess by name loses its targets.
        """
        use = self._uses.get((row.line, row.column)) if self._uses else None
        if use is None or use.name != row.name:
            return row, resolution
        self._settled.add((row.line, row.column))
        if use.target is None:
            # The definition is outside of what the SCIP index covers, but it may be in another part of the repository.
            # The index is right where the resolver had only a name to go by.
            is_guess = resolution.confidence < INHERITED or len(resolution.targets) > 1
            return (row._replace(origin=ORIGIN), Resolution((), CERTAIN)) if is_guess else (row, resolution)
        fits = _is_node(use.target) if row.kind != "inherits" else use.target.is_type
        return (row._replace(origin=ORIGIN), Resolution((use.target,), CERTAIN)) if fits else (row, resolution)

    def overrides(self, rows: Iterable[ResolvedReference]) -> Iterator[ResolvedReference]:
        """Yield the overrides that the resolver found, then those that only the SCIP index has.

        An override that both have is marked as exact.
        """
        for row in rows:
            use = self._overrides.pop((row.source_id, row.target_id or 0), None) if self._overrides else None
            yield row._replace(origin=ORIGIN, confidence=CERTAIN) if use else row
        for use in self._overrides.values():
            yield self._row(use)

    def unsettled(self, import_lines: Collection[int]) -> Iterator[ResolvedReference]:
        """Yield the exact uses of functions and types that `settle` has not seen, such as a function that is passed.

        Uses on the lines of imports are left out, because an import alone does not use the name.
        """
        for location, use in self._uses.items():
            # A use that was settled has its row already.
            is_fresh = location not in self._settled and use.line not in import_lines
            if is_fresh and use.target is not None and _is_node(use.target):
                yield self._row(use)

    @staticmethod
    def _row(use: ExactUse) -> ResolvedReference:
        target = use.target.chunk_id if use.target else None
        return ResolvedReference(
            use.source_id, use.kind, use.name, "", use.line, use.column, target, CERTAIN, (), ORIGIN
        )


def _is_node(target: Target) -> bool:
    """Say whether a definition is a function or a type. The graph has edges to these only."""
    return target.is_type or target.kind in CALLABLE_KINDS
