"""The questions to the graph as users ask them: by names, paths and revisions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from code_graph_indexer.errors import NotInIndexError, UsageError
from code_graph_indexer.graph.code_graph import MAX_PATH_DEPTH, CodeGraph, Limits
from code_graph_indexer.graph.names import Names
from code_graph_indexer.results import (
    PROVEN,
    CallPaths,
    Community,
    FileLinks,
    GraphExport,
    Hierarchy,
    Hub,
    Impact,
    Progress,
    Reach,
    ScipExport,
    Symbol,
    Unused,
)
from code_graph_indexer.storage import Store, name_inside

IMPACT_DEPTH = 5
"""Distance to which an impact is followed unless said otherwise; farther ones are hardly affected."""


MAX_STEPS = 1_000
"""Steps of an answer unless said otherwise; its certainty counts all of them."""


class GraphQuestions:
    """Ask the graph of an index: `indexer.graph`.

    Names are found by qualified suffix, or as FILE:NAME; `tests` keeps only tests (True) or none (False). Raises
    NotInIndexError for a name or path that is not there, or that means several things.
    """

    def __init__(self, store: Store, root: Path | None) -> None:
        self._store = store
        self._root = root
        self._names = Names(store)
        self._graph = CodeGraph(store)

    def callers(
        self,
        name: str,
        *,
        depth: int = 1,
        min_confidence: float = 0.0,
        tests: bool | None = None,
        limit: int = MAX_STEPS,
    ) -> list[Reach]:
        """For each definition of a name, list who calls it; `depth` hops, nearest first, most certain first."""
        limits = Limits(depth, min_confidence, tests)
        return [_shortened(self._graph.callers(one, limits), limit) for one in self._names.nodes(name)]

    def callees(
        self,
        name: str,
        *,
        depth: int = 1,
        min_confidence: float = 0.0,
        tests: bool | None = None,
        limit: int = MAX_STEPS,
    ) -> list[Reach]:
        """For each definition of a name, list what it calls, in order of place."""
        limits = Limits(depth, min_confidence, tests)
        return [_shortened(self._graph.callees(one, limits), limit) for one in self._names.nodes(name)]

    def paths(self, source: str, target: str, *, depth: int = MAX_PATH_DEPTH, min_confidence: float = 0.0) -> CallPaths:
        """Find the shortest ways along calls from one definition to another."""
        limits = Limits(depth, min_confidence)
        return self._graph.paths(self._names.node(source), self._names.node(target), limits)

    def impact(
        self,
        target: str = "",
        *,
        diff: str = "",
        depth: int = IMPACT_DEPTH,
        min_confidence: float = 0.0,
        tests: bool | None = None,
    ) -> Impact:
        """List who is affected when a definition, a file, or what a git diff touches is changed.

        `diff` is REV..REV, or REV to compare with the working tree. Raises UsageError when git cannot tell.
        """
        limits = Limits(depth, min_confidence, tests)
        if bool(target) == bool(diff):
            raise UsageError("give either a symbol or file, or --diff REV..REV")
        if diff:
            changed, unmapped, removed = self._changed(diff)
            return self._graph.impact(changed, limits, unmapped, removed)
        return self._graph.impact(self._targets(target), limits)

    def _targets(self, target: str) -> list[Symbol]:
        """Find the definition of a name, or those of a file."""
        try:
            return [self._names.node(target)]
        except NotInIndexError:
            if "." not in target and "/" not in target:
                raise
            try:
                path = self._names.file(target)
            except NotInIndexError:
                path = ""
            if not path:
                raise
        return self._names.of_file(path)

    def _changed(self, diff: str) -> tuple[list[Symbol], list[str], list[str]]:
        """Find the nodes that a diff touches, the paths that are not in the index, and the names that are gone."""
        from code_graph_indexer.graph.changes import changes_of
        from code_graph_indexer.syntax.read import content_hash
        from code_graph_indexer.syntax.spans import FUNCTION_LIKE, Span

        if self._root is None:
            raise UsageError("the index does not say where its repository is; run this inside of it")
        wanted: dict[str, list[str]] = {}
        files = {one.path: one for one in self._store.files() if one.error is None}

        def known(path: str, source: bytes) -> list[Span] | None:
            file = files.get(path)
            if file is None or file.content_hash != content_hash(source):
                return None
            return [
                Span(name_inside(one.qualified_name, file.module), one.start_line, one.def_end_line)
                for one in self._store.file_chunks(path)
                if one.kind in FUNCTION_LIKE
            ]

        for change in changes_of(self._root, diff, known):
            wanted.setdefault(change.path, []).append(change.dotted)
        changed: dict[int, Symbol] = {}
        unmapped: list[str] = []
        removed: list[str] = []
        for path, dotted in wanted.items():
            inside = {one.qualified_name: one for one in self._names.of_file(path)} if path in files else {}
            if not inside:
                unmapped.append(path)
                continue
            module = files[path].module
            named = {f"{module}.{one}" if module and one else one or module: one for one in dotted}
            changed.update({inside[name].chunk_id: inside[name] for name in named if name in inside})
            missing = {name: one for name, one in named.items() if one and name not in inside}
            there = {one.qualified_name for one in self._store.symbols({one.rpartition(".")[2] for one in missing})}
            removed += [f"{path}:{one}" for name, one in missing.items() if name not in there]
        return list(changed.values()), unmapped, removed

    def hierarchy(self, name: str, *, depth: int = MAX_PATH_DEPTH) -> Hierarchy:
        """List the classes above and below a class."""
        return self._graph.hierarchy(self._names.node(name), depth)

    def implementations(self, name: str) -> Reach:
        """List what implements or overrides a method, or the classes derived from a class or interface."""
        return self._graph.implementations(self._names.node(name))

    def imports(self, path: str) -> FileLinks:
        """List what a file imports."""
        return self._graph.imports(self._names.file(path))

    def dependents(self, path: str) -> FileLinks:
        """List the files that import a file."""
        return self._graph.dependents(self._names.file(path))

    def unused(self, *, min_confidence: float = 0.5, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, surest first."""
        from code_graph_indexer.graph.whole import WholeGraph

        return WholeGraph(self._store).unused(min_confidence=min_confidence, tests=tests)

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, shortest first."""
        from code_graph_indexer.graph.whole import WholeGraph

        return WholeGraph(self._store).cycles()

    def hubs(self, limit: int = 20, *, tests: bool = False) -> list[Hub]:
        """List the definitions that most depends on."""
        from code_graph_indexer.graph.whole import WholeGraph

        return WholeGraph(self._store).hubs(limit, tests=tests)

    def communities(self, *, tests: bool = False) -> list[Community]:
        """Group files that refer to each other more than to others, largest first."""
        from code_graph_indexer.graph.whole import WholeGraph

        return WholeGraph(self._store).communities(tests=tests)

    def draw(self, around: Sequence[str] = (), *, form: str = "dot", depth: int = 1, limit: int = 200) -> str:
        """Write the graph that `export` gives as dot, graphml, mermaid or json. Raises UsageError for another form."""
        from code_graph_indexer.graph.draw import draw

        return draw(self.export(around, depth=depth, limit=limit), form)

    def export(self, around: Sequence[str] = (), *, depth: int = 1, limit: int = 200) -> GraphExport:
        """Give the graph of definitions around some names, or of all files, of at most so many nodes."""
        from code_graph_indexer.graph.whole import WholeGraph

        whole = WholeGraph(self._store)
        if not around:
            return whole.export_files(limit)
        return whole.export_around([self._names.node(one) for one in around], depth, limit)

    def export_scip(
        self,
        to: str | Path,
        *,
        min_confidence: float = PROVEN,
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> ScipExport:
        """Write the definitions, and the references at least so sure, as a SCIP index. Raises UsageError."""
        from code_graph_indexer.scip.write import export_scip

        return export_scip(self._store, Path(to).expanduser(), min_confidence=min_confidence, report=report)


def _shortened(reach: Reach, limit: int) -> Reach:
    return replace(reach, steps=reach.steps[:limit])
