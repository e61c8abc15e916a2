"""Answer the questions of users to the graph, who give names, paths and git revisions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.errors import NotInIndexError, UsageError
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.declared import Declared
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.results import (
    CallPaths,
    Community,
    FileLinks,
    Hierarchy,
    Hub,
    Impact,
    Reach,
    References,
    Route,
    Unused,
)
from code_graph_indexer.graph.uses import USE_KINDS, UseFinder
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH, Limits
from code_graph_indexer.outside import path_of, revisions_of
from code_graph_indexer.results import IMPACT_DEPTH, PROVEN, ExternalUse, Progress, Symbol
from code_graph_indexer.storage import FileRow, Store, explains_damage, name_inside, reads_one_version
from code_graph_indexer.syntax.records import FUNCTION_KINDS, VALUE_KINDS

# Late: networkx, the grammars and what draws take long to load, and few questions need them.
if TYPE_CHECKING:
    from code_graph_indexer.graph import answers, draw, folders, neighbourhood, whole
    from code_graph_indexer.graph import changes as diffs
    from code_graph_indexer.graph import routes as routing
    from code_graph_indexer.graph import unused as unused_code
    from code_graph_indexer.graph.folders import Dependencies
    from code_graph_indexer.graph.whole import WholeGraph
    from code_graph_indexer.picture.graph import GraphExport
    from code_graph_indexer.scip import write
    from code_graph_indexer.scip.write import ScipExport
    from code_graph_indexer.syntax import definition_spans as spans
    from code_graph_indexer.syntax import disk
    from code_graph_indexer.syntax.definition_spans import Span
else:
    answers = late_module("code_graph_indexer.graph.answers")
    diffs = late_module("code_graph_indexer.graph.changes")
    draw = late_module("code_graph_indexer.graph.draw")
    folders = late_module("code_graph_indexer.graph.folders")
    neighbourhood = late_module("code_graph_indexer.graph.neighbourhood")
    routing = late_module("code_graph_indexer.graph.routes")
    unused_code = late_module("code_graph_indexer.graph.unused")
    whole = late_module("code_graph_indexer.graph.whole")
    write = late_module("code_graph_indexer.scip.write")
    disk = late_module("code_graph_indexer.syntax.disk")
    spans = late_module("code_graph_indexer.syntax.definition_spans")

MAX_STEPS = 1_000
"""Default for the largest number of steps in an answer. The `certainty` of the answer also counts the steps left out."""


@explains_damage(lambda questions: questions.store)
@reads_one_version(lambda questions: questions.store)
class GraphQuestions:
    """The questions that you can ask the graph of an index. You get this object as `indexer.graph`.

    A name may be simple (`save`), any end of a qualified name (`Model.save`), or FILE:NAME. `depth` is the largest number of
    hops, 1 or more. `min_confidence` is between 0.0 and 1.0. `tests` keeps only tests (True), no tests (False) or both (None).
    Every method but `external` raises NotInIndexError for a name or path that the index does not have, or for one that means
    several where a single definition is needed.

    Example:
        >>> type(indexer.graph).__name__
        'GraphQuestions'
    """

    def __init__(
        self, store: Store, root: Path | None, repository: str = "", *, folders: Mapping[str, Path] | None = None
    ) -> None:
        """`root` is the folder of the repository that a diff is of, and `repository` its name in a set of repositories.

        `folders` map the start of the paths of each repository to its folder on disk. Without them, they are those of `root`.
        """
        self.store = store
        self._root = root
        self._prefix = repository and f"{repository}/"
        if folders is None:
            folders = {} if root is None else {self._prefix: root}
        self._names = Names(store, folders)
        self._graph = CodeGraph(store)
        self._declared = Declared(store)
        self._files: tuple[tuple[int, ...], Dependencies] | None = None

    def callers(
        self,
        name: str,
        *,
        depth: int = 1,
        min_confidence: float = 0.0,
        tests: bool | None = None,
        limit: int = MAX_STEPS,
    ) -> list[Reach]:
        """List the callers of each definition of a name, nearest first, then most certain first.

        `limit` is the largest number of steps for each definition.

        Example:
            >>> indexer.graph.callers("add_tax")[0].steps[0].symbol.name
            'total'
        """
        limits = Limits(depth, min_confidence, tests)
        return [_shortened(self._graph.callers(symbol, limits), limit) for symbol in self._names.nodes(name)]

    def references(
        self, name: str, *, kind: str = "", file: str = "", tests: bool | None = None, limit: int | None = None
    ) -> list[References]:
        """List the uses of each definition of a name: calls, reads, writes, types, imports, bases, overrides and prose.

        `kind` keeps one kind, `file` the files whose path begins so, and `tests` only tests or none. `limit` is the most uses
        of each definition. Raises NotInIndexError, or UsageError for an unknown kind.

        Example:
            >>> [use.line for use in indexer.graph.references("TAX_PERCENT")[0].uses]
            [14]
        """
        if kind and kind not in USE_KINDS:
            raise UsageError(f"there are no uses of the kind {kind!r}; a kind is {', '.join(USE_KINDS)}")
        finder = UseFinder(self.store)
        nodes, kinds = self._names.nodes(name), (kind,) if kind else ()
        answers = [finder.references(node, kinds=kinds, path=file, tests=tests) for node in nodes]
        return [replace(answer, uses=answer.uses[:limit]) for answer in answers]

    def external(self, name: str, *, tests: bool | None = None) -> list[ExternalUse]:
        """List the references to a package (`requests`) outside, or to a name in it (`requests.Session`), by path and line.

        Example:
            >>> [(use.package, use.kind, use.line) for use in indexer.graph.external("dataclasses")]
            [('python', 'imports', 3), ('python', 'calls', 6), ('python', 'imports', 3), ('python', 'calls', 13)]
        """
        return [use for use in self.store.external_uses(name) if tests in (None, use.is_test)]

    def callees(
        self,
        name: str,
        *,
        depth: int = 1,
        min_confidence: float = 0.0,
        tests: bool | None = None,
        limit: int = MAX_STEPS,
    ) -> list[Reach]:
        """List the callees of each definition of a name, nearest first, then in the order of the calls in the source.

        `limit` is the largest number of steps for each definition.

        Example:
            >>> [step.symbol.name for step in indexer.graph.callees("Cart.total")[0].steps][:2]
            ['apply_discount', 'subtotal']
        """
        limits = Limits(depth, min_confidence, tests)
        return [_shortened(self._graph.callees(symbol, limits), limit) for symbol in self._names.nodes(name)]

    def paths(self, source: str, target: str, *, depth: int = MAX_PATH_DEPTH, min_confidence: float = 0.0) -> CallPaths:
        """Find the shortest call paths from one definition to another. `depth` is the largest number of calls in a path.

        Example:
            >>> [step.symbol.name for step in indexer.graph.paths("Cart.total", "add_tax").paths[0]]
            ['add_tax']
        """
        limits = Limits(depth, min_confidence)
        sources, targets = self._names.alternatives(source), self._names.alternatives(target)
        answer = self._graph.paths(sources, targets, limits)
        return answer if answer.paths else replace(answer, ends=self._graph.path_ends(sources, targets, limits))

    def impact(
        self,
        target: str = "",
        *,
        diff: str = "",
        depth: int = IMPACT_DEPTH,
        min_confidence: float = 0.0,
        tests: bool | None = None,
        limit: int | None = None,
    ) -> Impact:
        """List the definitions that a change affects, nearest first, and the test files to run.

        Give either `target`, a definition with what is in it or a file, or `diff`, git revisions. `diff` is REV..REV, or REV to
        compare with the working tree. Raises UsageError if you give both or neither, or if git fails. `limit` is the most
        definitions that are listed of each distance, code and tests apart. `certainty` and `distances` count all.

        Example:
            >>> indexer.graph.impact("add_tax").tests
            ('tests/test_cart.py',)
        """
        limits = Limits(depth, min_confidence, tests)
        if bool(target) == bool(diff):
            raise UsageError("give either a symbol or file, or --diff REV..REV")
        if diff:
            changed, unmapped, removed = self._changed(revisions_of(diff))
            return self._graph.impact(changed, limits, unmapped, removed, limit)
        named, inside = self._names.changed(target)
        impact = self._graph.impact([*named, *inside], limits, most=limit)
        return replace(impact, changed=tuple(named))

    def _changed(self, diff: str) -> tuple[list[Symbol], list[str], list[str]]:
        """Return three lists for a diff: changed definitions, changed paths that the index lacks, and removed definitions.

        A removed definition is written `path:name`.
        """
        if self._root is None:
            raise UsageError("the index does not say where the repository of the diff is; run this inside of it")
        files = {file.path: file for file in self.store.files() if file.error is None}
        changes = diffs.changes_of(
            self._root, diff, lambda path, source: self._spans(files.get(f"{self._prefix}{path}"), source)
        )
        names = {f"{self._prefix}{path}": changed_names for path, changed_names in changes.items()}
        changed: dict[int, Symbol] = {}
        unmapped: list[str] = []
        removed: list[str] = []
        for path, changed_names in names.items():
            symbols = self._defined_in(path) if path in files else {}
            if not symbols:
                unmapped.append(path)
                continue
            module = files[path].module
            # The empty name is the top level of the file, which the node of its module stands for.
            qualified = {f"{module}.{name}" if module and name else name or module: name for name in changed_names}
            changed.update({symbols[name].node_id: symbols[name] for name in qualified if name in symbols})
            # It is removed only if the index has no definition of it anywhere.
            missing = {key: name for key, name in qualified.items() if name and key not in symbols}
            removed += [f"{path}:{name}" for name in self._gone(missing)]
        # What calls a function is known of its definition, and a change of a header is one of what it declares.
        return self._declared.definitions(list(changed.values())), unmapped, removed

    def _defined_in(self, path: str) -> dict[str, Symbol]:
        """Map the qualified names of a file's chunks and members to them. A chunk goes before a member of its name."""
        chunks = {symbol.qualified_name: symbol for symbol in self._names.of_file(path)}
        members = {symbol.qualified_name: symbol for symbol in self.store.file_symbols(path)} if chunks else {}
        return members | chunks

    def _spans(self, file: FileRow | None, source: bytes) -> "list[Span] | None":
        """Return the definitions of a file with their lines, or None if the index has another version of the file."""
        if file is None or file.content_hash != disk.content_hash(source):
            return None
        chunks = self.store.file_chunks(file.path)
        functions = {chunk.id for chunk in chunks if chunk.kind in spans.FUNCTIONS}
        lines = [
            (chunk.qualified_name, chunk.start_line, chunk.def_end_line)
            for chunk in chunks
            if chunk.kind in spans.FUNCTION_LIKE
        ]
        lines += [
            (symbol.qualified_name, symbol.start_line, symbol.end_line)
            for symbol in self.store.file_symbols(file.path)
            if symbol.kind in spans.VALUE_LIKE and symbol.chunk_id not in functions
        ]
        return [spans.Span(name_inside(name, file.module), first, last) for name, first, last in lines]

    def _gone(self, names: Mapping[str, str]) -> list[str]:
        """List the names that no definition in the index has any more.

        `names` maps the qualified name of a definition to its name inside the file.
        """
        symbols = self.store.symbols({name.rpartition(".")[2] for name in names})
        present = {symbol.qualified_name for symbol in symbols if symbol.file_path.startswith(self._prefix)}
        return [name for qualified, name in names.items() if qualified not in present]

    def hierarchy(self, name: str, *, depth: int = MAX_PATH_DEPTH) -> Hierarchy:
        """List the base classes of a class and the classes derived from it, direct and indirect.

        Raises NotInIndexError for what is no type.

        Example:
            >>> indexer.graph.hierarchy("Cart").symbol.name
            'Cart'
        """
        return self._graph.hierarchy(self._derivable(name, FUNCTION_KINDS), depth)

    def implementations(self, name: str) -> Reach:
        """List the methods that implement or override a method, or the classes derived from a class or interface.

        Raises NotInIndexError for what is neither.

        Example:
            >>> indexer.graph.implementations("Cart").symbol.kind
            'class'
        """
        return self._graph.implementations(self._derivable(name))

    def _derivable(self, name: str, others: Collection[str] = ()) -> Symbol:
        """Return the definition of a name. Raises NotInIndexError if nothing derives from its kind, or that is in `others`."""
        symbol = self._names.node(name)
        if symbol.kind in others or symbol.kind in (VALUE_KINDS - {"property"}) | {"enum_member"}:
            raise NotInIndexError(
                f"{name!r} is a {symbol.kind}, from which nothing derives; cgi references shows its uses"
            )
        return symbol

    def imports(self, path: str) -> FileLinks:
        """List the files and outside names that a file imports. `path` is the path of the file, or the end of the path.

        Example:
            >>> [link.path for link in indexer.graph.imports("shop/cart.py").files]
            ['shop/items.py', 'shop/pricing.py']
        """
        return self._graph.imports(self._names.file(path))

    def dependents(self, path: str) -> FileLinks:
        """List the files that import a file. `path` is the path of the file, or the end of the path.

        Example:
            >>> [link.path for link in indexer.graph.dependents("pricing.py").files]
            ['shop/cart.py']
        """
        return self._graph.dependents(self._names.file(path))

    def unused(self, *, min_confidence: float = 0.5, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, most certain first. `tests` includes definitions in tests.

        Example:
            >>> "search_titles" in {unused.symbol.name for unused in indexer.graph.unused()}
            True
        """
        return unused_code.UnusedCode(self.store).find(min_confidence=min_confidence, tests=tests)

    def routes(
        self, pattern: str = "", *, kind: str = "", framework: str = "", path: str = "", tests: bool = False
    ) -> list[Route]:
        """List what frameworks call: routes first, then commands, tasks, listeners and plugins, by file and line.

        `pattern` is a part of the name or of the handler. `kind` is a single kind, such as `route`, `fixture` or `dependency`.
        Without it, fixtures and dependencies are left out, because they are many. `path` is the start of a file's path.
        `tests` includes what tests register.

        Raises UsageError for a kind or framework that the index does not have.

        Example:
            >>> indexer.graph.routes("/carts")
            []
        """
        routes = routing.Routes(self.store).all()
        for name, value, known in (
            ("kind", kind, {route.kind for route in routes}),
            ("framework", framework, {route.framework for route in routes}),
        ):
            if value and value not in known and routes:
                raise UsageError(f"the index has no {name} {value!r}; it has {', '.join(sorted(known))}")
        return [
            route
            for route in routes
            if (route.kind == kind if kind else route.kind not in routing.MANY)
            and (not framework or route.framework == framework)
            and (pattern in route.name or pattern in route.handler)
            and route.file_path.startswith(path)
            and (tests or not route.is_test)
        ]

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, shortest first. Each cycle is a tuple of paths.

        Example:
            >>> indexer.graph.cycles()
            []
        """
        return self._whole().cycles()

    def hubs(self, limit: int = 20, *, tests: bool = False, by_callers: bool = False) -> list[Hub]:
        """List the definitions on which most of the code depends, highest PageRank first. `tests` includes tests.
        With `by_callers`, those with most proven callers come first.

        Example:
            >>> indexer.graph.hubs(limit=1)[0].symbol.name
            'request'
        """
        return self._whole().hubs(limit, tests=tests, by_callers=by_callers)

    def communities(self, *, tests: bool = False) -> list[Community]:
        """Group files that refer to each other more than to the rest, largest group first. `tests` includes tests.

        Example:
            >>> [len(community.files) for community in indexer.graph.communities()][:1]
            [3]
        """
        return self._whole().communities(tests=tests)

    def draw(
        self,
        around: Sequence[str] = (),
        *,
        form: str = "dot",
        to: str = "",
        folder: str | None = None,
        opened: Sequence[str] = (),
        depth: int = 1,
        limit: int = 200,
    ) -> str:
        """Return a graph as text in a format for other programs, or as a picture.

        `form` is the format: dot, graphml, mermaid, json or svg. The graph is that of `picture` for `svg` and with `to`,
        `folder` or `opened`, and else that of `export`. Raises UsageError for another format.

        Example:
            >>> indexer.graph.draw(["add_tax"]).splitlines()[0]
            'digraph code {'
        """
        if form == "svg" or to or folder is not None or opened:
            return draw.draw(self.picture(around, to=to, folder=folder, opened=opened, depth=depth), form)
        return draw.draw(self.export(around, depth=depth, limit=limit), form)

    def picture(
        self,
        around: Sequence[str] = (),
        *,
        to: str = "",
        folder: str | None = None,
        opened: Sequence[str] = (),
        tests: bool | None = None,
        min_confidence: float = 0.0,
        depth: int = 1,
    ) -> "GraphExport":
        """Return a graph that fits in a picture: what has no room is folded. A node with a `count` is a fold.

        * A name gives the definition between its callers and its callees. More names give the graph around all of them.
        * A name and `to`, another name, give the call paths between them.
        * `folder` gives its files and what depends on what. With `to`, another folder, it gives what depends on that.
        * Without all of them, you get the folders of the repository.

        `opened` has the ids of folds to open. `tests` and `min_confidence` restrict the callers and callees of a definition.
        Raises UsageError if you give names and a folder.

        Example:
            >>> graph = indexer.graph.picture(["add_tax"])
            >>> [(node.label, node.layer) for node in graph.nodes]
            [('add_tax', 0), ('Cart.total', -1)]
        """
        if around and folder is not None:
            raise UsageError("give either definitions or a folder, not both")
        if to and len(around) != 1 and folder is None:
            raise UsageError("a path leads from a single definition to another; give two names")
        if folder is not None or not around:
            return self._folders(folder or "", to, opened)
        if to:
            return answers.paths_graph(self.paths(around[0], to), opened)
        if len(around) > 1 or depth > 1:
            return self.export(around, depth=depth, limit=neighbourhood.MAX_BOXES)
        limits = Limits(1, min_confidence, tests)
        return neighbourhood.Neighbourhood(self.store).around(self._names.node(around[0]), limits, opened)

    def _folders(self, folder: str, to: str, opened: Sequence[str]) -> "GraphExport":
        """Return the graph of the dependencies inside a folder, or with `to`, of those between two folders."""
        folder, to = (self._names.folder(path) if path else "" for path in (folder, to))
        files = self.dependencies()
        return folders.folders_graph(files, folder, to, opened) if to else folders.folder_graph(files, folder, opened)

    def dependencies(self) -> "Dependencies":
        """Return how files depend on each other. The answer is cached until the index changes, because it reads all edges.

        Example:
            >>> indexer.graph.dependencies().paths[0]
            'shop/cart.py'
        """
        stamp = self.store.stamp
        if self._files is None or self._files[0] != stamp:
            self._files = stamp, folders.dependencies(self.store)
        return self._files[1]

    def export(self, around: Sequence[str] = (), *, depth: int = 1, limit: int = 200) -> "GraphExport":
        """Return the graph around some definitions, or the graph of all files if `around` is empty.

        The graph has at most `limit` nodes. `depth` is the number of hops from the definitions.

        Example:
            >>> [node.label for node in indexer.graph.export(["add_tax"]).nodes]
            ['Cart.total', 'pricing.add_tax']
        """
        whole = self._whole()
        if not around:
            return whole.export_files(limit)
        return whole.export_around([self._names.node(name) for name in around], depth, limit)

    def _whole(self) -> "WholeGraph":
        return whole.WholeGraph(self.store)

    def export_scip(
        self,
        to: str | Path,
        *,
        min_confidence: float = PROVEN,
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> "ScipExport":
        """Write the definitions and references as a SCIP file, a format that code browsers read.

        References with a confidence below `min_confidence` are left out. `report` is called after each file. Raises
        UsageError if the SCIP file cannot be written.

        Example:
            >>> indexer.graph.export_scip(f"{indexer.db}.scip").documents > 0
            True
        """
        return write.export_scip(self.store, path_of(to), min_confidence=min_confidence, report=report)


def _shortened(reach: Reach, limit: int) -> Reach:
    return replace(reach, steps=reach.steps[:limit])
