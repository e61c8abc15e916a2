"""Answer questions about definitions: callers, callees, call paths, impact of a change, class hierarchy and imports."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from code_graph_indexer.doors import late_module
from code_graph_indexer.graph.declared import FUNCTIONS, Declared
from code_graph_indexer.graph.ends import path_ends
from code_graph_indexer.graph.results import (
    CallPaths,
    FileLink,
    FileLinks,
    Hierarchy,
    Impact,
    PathEnd,
    Reach,
    Step,
    UsesOfKind,
)
from code_graph_indexer.graph.sites import UnreadFiles, accessors, are_promised, open_sites, silent_uses
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH, Limits, Walk
from code_graph_indexer.results import (
    ALTERNATIVE_DEFINITION,
    ANOTHER_BUILD,
    PROVEN,
    Certainty,
    ExternalUse,
    OpenSite,
    Symbol,
)
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import USES
from code_graph_indexer.words import split_identifier

# Late: it loads NumPy, which takes as long as a question to a small graph.
if TYPE_CHECKING:
    from code_graph_indexer.graph import spread as spreading
    from code_graph_indexer.graph.spread import ReachedRows, Spread
else:
    spreading = late_module("code_graph_indexer.graph.spread")

MAX_OPEN_SITES = 100
"""Largest number of unresolved calls that an answer lists. The certainty of the answer counts all of them."""

MAX_POSSIBLE = 3
"""Largest number of paths over a call that is linked to nothing."""

END_DEPTH, END_SECONDS = 4, 0.5
"""Largest number of calls, and the time in each direction, in which the ends of the known calls are looked for."""

UNLINKED = 0.2
"""Confidence in such a call: it has the right name, and mostly many definitions have it."""

TEST_DEPTH, DISPATCH_DEPTH, NAME_DEPTH = 6, 4, 2
"""Largest number of hops from a change to the tests to run: by known calls, by dispatch, and by the names of calls alone.

The best of those compared with what suites really run (bench_tests.py). Of the files that only names led to, one of six was
right.
"""

PROGRAM = "program"
"""The kind of a registration that starts a program of the repository."""

TEST_WORDS = frozenset({"test", "tests", "spec", "should"})
"""Words in the names of tests and of test files."""

CALLS = ("calls",)
AFFECTING = ("calls", "references", "inherits")
"""Kinds of edges by which a change of the target affects the source. Overrides are followed by dynamic dispatch."""


class Reached:
    """What a walk reached, as steps. `ReachedRows` has the same methods for a walk in memory."""

    def __init__(self, steps: list[Step], truncated: bool = False) -> None:
        self._steps = steps
        self.truncated = truncated

    def nearest(self, most: int | None) -> list[Step]:
        """Return the first `most` steps of each distance, of code and of tests, or with None all steps."""
        counts: Counter[tuple[int, bool]] = Counter()
        shown: list[Step] = []
        for step in self._steps:
            counts[step.depth, step.symbol.is_test] += 1
            if most is None or counts[step.depth, step.symbol.is_test] <= most:
                shown.append(step)
        return shown

    def sureness(self) -> dict[str, int]:
        """Count the steps by how sure they are."""
        return Counter(map(sureness, self._steps))

    def distances(self) -> list[int]:
        """Count the definitions that are no tests at each distance, from 1."""
        counts = Counter(step.depth for step in self._steps if not step.symbol.is_test)
        return [counts[depth] for depth in range(1, max(counts, default=0) + 1)]

    def files(self) -> dict[str, tuple[int, float]]:
        """Map the path of each file with tests to its distance: a number of hops, and the doubt below zero."""
        files: dict[str, tuple[int, float]] = {}
        for step in self._steps:
            if step.symbol.is_test:
                # What only dispatch may reach counts as one hop farther.
                files.setdefault(step.symbol.file_path, (step.depth + step.may, -step.confidence))
        return files

    def symbols_in(self, paths: Collection[str]) -> list[Symbol]:
        """List the definitions of the steps that are in some files."""
        return [step.symbol for step in self._steps if step.symbol.file_path in paths]


class CodeGraph:
    """The questions about definitions and files to the graph of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._declared = Declared(store)
        self._spreads: Spread | None = None

    def callers(self, symbol: Symbol, limits: Limits, most: int | None = None) -> Reach:
        """List the callers of a definition, nearest first, with those that may reach it by dynamic dispatch.

        With `most`, so many are listed of each distance, code and tests apart. The certainty counts all.
        """
        return self._reach(symbol, limits, incoming=True, most=most)

    def callees(self, symbol: Symbol, limits: Limits) -> Reach:
        """List the callees of a definition, nearest first, with the overrides that dynamic dispatch may choose."""
        return self._reach(symbol, limits, incoming=False)

    def _reach(self, symbol: Symbol, limits: Limits, *, incoming: bool, most: int | None = None) -> Reach:
        """Return what calls a definition (`incoming`), or else what it calls, with how certain and complete the answer is.

        `most` is the number of steps that are kept, or None for all. Callers of a function come with the places that use it as
        a value.
        """
        reached = self._reached([symbol.chunk_id], limits, CALLS, incoming=incoming)
        steps = reached.nearest(most)
        if incoming:
            unresolved, unread = self.hidden_callers(symbol)
        else:
            # A callee can hide only among the open calls inside the definition.
            unresolved = self._store.open_calls_in(symbol.chunk_id)
            left = [symbol.file_path, *(step.symbol.file_path for step in steps if step.depth < limits.depth)]
            unread = len(self._unread(left))
        return Reach(
            symbol,
            tuple(steps),
            Certainty(**reached.sureness(), unresolved=unresolved, truncated=reached.truncated, unread=unread),
            tuple(self._declared.declarations(symbol)),
            tuple(self._declared.alternatives(symbol)),
            tuple(self._references(symbol, limits)) if incoming and symbol.kind in FUNCTIONS else (),
            () if incoming else self._external(symbol, limits),
        )

    def _external(self, symbol: Symbol, limits: Limits) -> tuple[ExternalUse, ...]:
        """List the calls in a definition that lead out of the repository."""
        uses = self._store.externals([symbol.chunk_id], ("calls",))
        return tuple(use for use in uses if use.confidence >= limits.min_confidence)

    def _reached(
        self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str], *, incoming: bool
    ) -> "Reached | ReachedRows":
        """Return the steps of a walk: of `incoming` edges over the graph in memory, if it is loaded, or else by the store."""
        if incoming and (spread := self.spread()) is not None:
            return spread.walked(chunk_ids, limits, kinds)
        walk = Walk(self._store, limits, kinds, incoming=incoming)
        # A walk knows whether it was cut off only when it is over.
        steps = walk.steps(chunk_ids)
        return Reached(steps, walk.truncated)

    def uses(self, symbol: Symbol, limits: Limits) -> list[Step]:
        """List what reads, writes or names a definition, by kind. Of a member, it is also what calls or passes it."""
        return [step for uses in self.uses_by_kind(symbol, limits) for step in uses.steps]

    def uses_by_kind(self, symbol: Symbol, limits: Limits, most: int | None = None) -> list[UsesOfKind]:
        """Group the uses of a definition by kind, and list the first `most` of each: code before tests, by path and line."""
        kinds = USES if symbol.member_id is None else (*USES, "calls", "references", "inherits")
        limits = replace(limits, depth=1, dispatch=False)
        spread = self.spread()
        if spread is not None and spread.holds([symbol.node_id]):
            return spread.uses(symbol.node_id, limits, kinds, most)
        by_kind: dict[str, list[Step]] = {kind: [] for kind in kinds}
        for step in Walk(self._store, limits, kinds, incoming=True).steps([symbol.node_id]):
            by_kind[step.kind].append(step)
        for steps in by_kind.values():
            steps.sort(key=lambda step: (step.symbol.is_test, step.file_path, step.line))
        return [UsesOfKind(kind, tuple(steps[:most]), len(steps)) for kind, steps in by_kind.items() if steps]

    def references(
        self, chunk_ids: Sequence[int], limits: Limits, kinds: Sequence[str], *, incoming: bool
    ) -> Iterable[tuple[int, Step]]:
        """Return the edges of some kinds at these chunks, each as (id of the chunk, step)."""
        if incoming and (spread := self.spread()) is not None:
            return spread.pairs(chunk_ids, limits, kinds)
        return Walk(self._store, limits, kinds, incoming=incoming).pairs(chunk_ids, 1)

    def hidden_callers(self, symbol: Symbol) -> tuple[int, int]:
        """Count the unresolved calls that may call a definition, and the files not read whole that may use it."""
        # An open call of that name anywhere may be a caller.
        return len(open_sites(self._store, [symbol], ())), len(self._unread_files.users([symbol]))

    def _references(self, symbol: Symbol, limits: Limits) -> list[Step]:
        """List the places that use a function as a value. What runs it from there, such as a table's reader, is not linked."""
        return self._reached([symbol.chunk_id], replace(limits, depth=1), ("references",), incoming=True).nearest(None)

    def paths(self, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits) -> CallPaths:
        """Find the shortest call paths from one definition to another.

        `sources` and `targets` are the alternatives of the two definitions. The first pair that has a path is answered.
        """
        for source in sources:
            for target in targets:
                walk = Walk(self._store, limits, CALLS, incoming=False)
                paths = walk.paths(source.chunk_id, target.chunk_id)
                if paths:
                    steps = [step for path in paths for step in path]
                    return CallPaths(source, target, tuple(map(tuple, paths)), certainty(steps, 0, walk.truncated))
        # One of the open calls may be the missing hop, from a source or to a target.
        sites = [
            site
            for site in open_sites(self._store, targets, ())
            if not any(_is_inside(site, symbol) for symbol in sources)
        ]
        unresolved = sum(self._store.open_calls_in(source.chunk_id) for source in sources) + len(sites)
        unread = len(self._unread(source.file_path for source in sources) | self._unread_files.users(targets))
        return CallPaths(sources[0], targets[0], (), certainty((), unresolved, walk.truncated, unread))

    def path_ends(self, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits) -> tuple[PathEnd, ...]:
        """List the calls at which the known calls from the sources end, with what they might run."""
        limits = replace(limits, depth=min(limits.depth, END_DEPTH), seconds=END_SECONDS)
        below = {source.chunk_id: (0, source) for source in sources}
        for source in sources:
            for step in self.callees(source, limits).steps:
                below.setdefault(step.symbol.chunk_id, (step.depth, step.symbol))
        above = {target.chunk_id: target for target in targets}
        for target in targets:
            above.update((step.symbol.chunk_id, step.symbol) for step in self.callers(target, limits).steps)
        tests = any(source.is_test for source in sources)
        return path_ends(self._store, list(below.values()), list(above.values()), tests=tests)

    def possible_paths(self, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits) -> list[list[Step]]:
        """Return paths with one call that is linked to nothing, but has the name of what it would have to call.

        The known calls are followed from the sources and back from the targets, up to the depth of the limits. The shortest
        paths come first, then those over the rarest name. There are at most MAX_POSSIBLE.
        """
        below = {source.chunk_id: (0, source) for source in sources}
        above = {target.name: (0, target) for target in targets}
        for source in sources:
            for step in self.callees(source, limits).steps:
                below.setdefault(step.symbol.chunk_id, (step.depth, step.symbol))
        for target in targets:
            for step in self.callers(target, limits).steps:
                above.setdefault(step.symbol.name, (step.depth, step.symbol))
        callers: dict[str, list[tuple[int, Symbol]]] = defaultdict(list)
        for depth, symbol in below.values():
            if symbol.kind in FUNCTIONS:
                callers[symbol.file_path].append((depth, symbol))
        sites = self._store.open_sites(list(above), [symbol.chunk_id for _, symbol in above.values()])
        counts = Counter(site.name for site in sites)
        hops: dict[tuple[int, int], tuple[int, int, Symbol, Symbol, OpenSite]] = {}
        for site in sites:
            for depth, caller in callers.get(site.file_path, ()):
                if _is_inside(site, caller):
                    far, callee = above[site.name]
                    hops.setdefault(
                        (caller.chunk_id, callee.chunk_id), (depth + far, counts[site.name], caller, callee, site)
                    )
        paths: list[list[Step]] = []
        for _, _, caller, callee, site in sorted(hops.values(), key=lambda hop: hop[:2])[:MAX_POSSIBLE]:
            hop = Step(callee, "calls", site.file_path, site.line, UNLINKED, via=caller.qualified_name)
            before = self._way(sources, caller, limits)
            behind = self._way([callee], next(target for target in targets), limits)
            if before is not None and behind is not None:
                paths.append([*before, hop, *behind])
        return paths

    def stored_paths(self, sources: Sequence[Symbol], targets: Sequence[Symbol], limits: Limits) -> list[list[Step]]:
        """Return paths to the places that keep a target to be called later, shortest first, at most MAX_POSSIBLE.

        Such a place uses a function as a value, as a callback, or makes an object of the class of a method. The last step
        leads from there to the target.
        """
        paths: list[list[Step]] = []
        for target in targets:
            places = [step for step in self.uses(target, limits) if step.kind == "references"] or self._references(
                target, limits
            )
            for owner in self._owners(target):
                places += self.callers(owner, replace(limits, depth=1)).steps
            for place in {step.symbol.chunk_id: step for step in places if not step.symbol.is_test}.values():
                way = self._way(sources, place.symbol, limits)
                if way is not None:
                    hop = Step(
                        target, "references", place.file_path, place.line, UNLINKED, via=place.symbol.qualified_name
                    )
                    paths.append([*way, hop])
        return sorted(paths, key=len)[:MAX_POSSIBLE]

    def _owners(self, target: Symbol) -> list[Symbol]:
        """Return the class of a method, and its constructors: whoever calls one of them keeps its methods for later."""
        if target.kind != "method":
            return []
        holder = target.qualified_name.rpartition(".")[0]
        owners = [symbol for symbol in self._store.file_symbols(target.file_path) if symbol.qualified_name == holder]
        if not owners:
            return []
        simple = holder.rpartition(".")[2]
        return [*owners, *self._store.symbols([simple], suffix=f"{simple}.{simple}")]

    def _way(self, sources: Sequence[Symbol], target: Symbol, limits: Limits) -> list[Step] | None:
        """Return the steps of a shortest path: none from a definition to itself, and None without a path."""
        if any(source.chunk_id == target.chunk_id for source in sources):
            return []
        answer = self.paths(sources, [target], limits)
        return list(answer.paths[0]) if answer.paths else None

    def impact(
        self,
        changed: Sequence[Symbol],
        limits: Limits,
        unmapped: Sequence[str] = (),
        removed: Sequence[str] = (),
        most: int | None = None,
    ) -> Impact:
        """List the definitions that a change affects, nearest first, and the test files that reach them.

        `unmapped` are changed paths without a definition in the index. `removed` are deleted definitions, as `path:name`.
        With `most`, so many definitions are listed of each distance, and the rest is counted.
        """
        ids = [*dict.fromkeys([*(symbol.node_id for symbol in changed), *accessors(self._store, changed)])]
        spread = self.spread()
        first = (*USES, "overrides") if are_promised(self._store, changed) else USES
        if spread is None:
            reached: Reached | ReachedRows = self._first_steps(ids, limits, first)
        else:
            reached = spread.reached(ids, limits, AFFECTING, first)
        uses = self._test_uses(ids, limits, spread)
        code = [symbol for symbol in changed if not symbol.is_test]
        sites, unread = open_sites(self._store, code, removed), self._unread_files.users(code, removed)
        return Impact(
            tuple(changed),
            tuple(reached.nearest(most)),
            tuple(_tests(changed, uses)),
            Certainty(**reached.sureness(), unresolved=len(sites), truncated=reached.truncated, unread=len(unread)),
            tuple(unmapped),
            tuple(removed),
            tuple(sites[:MAX_OPEN_SITES]),
            tuple(uses.nearest(most)),
            tuple(silent_uses(self._store, changed)),
            tuple(reached.distances()),
        )

    def spread(self) -> "Spread | None":
        """Return the walker over the graph in memory, or None if that is not loaded. It is made anew only for another graph."""
        graph = self._store.graph_arrays()
        if graph is None:
            return None
        if self._spreads is None or self._spreads.graph is not graph:
            self._spreads = spreading.Spread(self._store, graph)
        return self._spreads

    def _first_steps(self, ids: Sequence[int], limits: Limits, first_kinds: Sequence[str]) -> Reached:
        """Walk to all definitions outside of `ids` that a change of these chunks affects. Return the nearest step to each."""
        walk = Walk(self._store, limits, AFFECTING, incoming=True, first=first_kinds)
        # Steps come nearest and surest first, so the first one to a definition is its best.
        first: dict[int, Step] = {}
        for step in walk.steps(ids):
            first.setdefault(step.symbol.chunk_id, step)
        # A changed definition may call another changed one. It is listed as changed only.
        return Reached([step for chunk_id, step in first.items() if chunk_id not in ids], walk.truncated)

    def _test_uses(self, changed: Sequence[int], limits: Limits, spread: "Spread | None") -> "Reached | ReachedRows":
        """List the uses in tests that lead to changed definitions, nearest first.

        A suite that tests through one door is far from most code, so this walk goes farther than the limits. Where it meets no
        test, calls count that are linked to nothing but have the right name, and else the nearest test counts.
        `spread` walks over the graph in memory, if that can answer.
        """
        if limits.tests is False:
            return Reached([])
        far = replace(limits, depth=max(limits.depth, TEST_DEPTH), to_outer=True)
        dispatch = max(limits.depth - 1, DISPATCH_DEPTH)
        uses: Reached | ReachedRows
        if spread is not None:
            uses = spread.uses_in_tests(changed, far, AFFECTING, dispatch, USES)
        else:
            steps = [step for step in self._uses_in_tests(changed, far) if not step.may or step.depth <= dispatch]
            uses = Reached(sorted(steps, key=by_distance))
        files = uses.files()
        if not files:
            by_name = replace(limits, depth=NAME_DEPTH, by_name=True, to_outer=True)
            uses = Reached(sorted(self._uses_in_tests(changed, by_name, to_tests=MAX_PATH_DEPTH), key=by_distance))
            files = uses.files()
        started = self._program_steps(changed, limits, files, spread)
        return Reached(sorted([*uses.nearest(None), *started], key=by_distance)) if started else uses

    @cached_property
    def _programs(self) -> set[int]:
        """Return the chunk ids of where the programs begin that tests or code start by their names."""
        rows = self._store.registrations()
        return {row.target_id for row in rows if row.kind == PROGRAM and row.target_id is not None}

    def _program_steps(
        self, changed: Sequence[int], limits: Limits, files: Container[str], spread: "Spread | None"
    ) -> list[Step]:
        """List the uses in tests that start a program which runs changed definitions. Test files in `files` are left out.

        What such a test runs depends on the arguments of the program, so the depth of a step counts all the way through it.
        """
        starts = self._programs
        if not starts:
            return []
        far_inside = replace(limits, depth=MAX_PATH_DEPTH, tests=False)
        if spread is not None:
            reached = spread.distances_of(starts, changed, far_inside, AFFECTING, USES)
        else:
            inside = Walk(self._store, far_inside, AFFECTING, incoming=True, first=USES).steps(changed)
            # Steps come nearest first.
            reached = {step.symbol.chunk_id: step.depth for step in reversed(inside) if step.symbol.chunk_id in starts}
        depths = reached | dict.fromkeys(starts.intersection(changed), 0)
        far = replace(limits, depth=max(limits.depth, TEST_DEPTH))
        uses = self._uses_in_tests([*depths], far) if depths else []
        distance = min(depths.values(), default=0)
        return [replace(step, depth=step.depth + distance) for step in uses if step.symbol.file_path not in files]

    def _uses_in_tests(self, changed: Sequence[int], limits: Limits, to_tests: int = 0) -> list[Step]:
        """List the steps that end in tests. Without any, walk on to the nearest test, at most `to_tests` hops away."""
        walk = Walk(self._store, limits, AFFECTING, incoming=True, first=USES)
        return [step for step in walk.steps(changed, to_tests=to_tests) if step.symbol.is_test]

    @cached_property
    def _unread_files(self) -> "UnreadFiles":
        return UnreadFiles(self._store)

    def _unread(self, paths: Iterable[str]) -> set[str]:
        """Return those of these files that were not read whole."""
        return {file.path for file in self._store.unread_files()}.intersection(paths)

    def hierarchy(self, symbol: Symbol, depth: int) -> Hierarchy:
        """List the base classes of a class and the classes derived from it, up to `depth` hops away."""
        limits = Limits(depth=depth, dispatch=False)
        above = Walk(self._store, limits, ("inherits",), incoming=False).steps([symbol.chunk_id])
        below = Walk(self._store, limits, ("inherits",), incoming=True).steps([symbol.chunk_id])
        # A declaration, such as an `@interface`, names the bases of its definition.
        parts = [symbol, *self._declared.declarations(symbol)]
        outside = self._store.open_names([part.chunk_id for part in parts], "inherits")
        return Hierarchy(symbol, tuple(above), tuple(below), tuple(outside))

    def implementations(self, symbol: Symbol, depth: int = MAX_PATH_DEPTH) -> Reach:
        """List the methods that implement or override a method, or the classes derived from a class."""
        method = symbol.kind in ("method", "function", "property")
        limits = Limits(depth=depth, dispatch=False)
        walk = Walk(self._store, limits, ("overrides" if method else "inherits",), incoming=True)
        steps = walk.steps([symbol.chunk_id])
        return Reach(symbol, tuple(steps), certainty(steps, 0, walk.truncated))

    def imports(self, path: str) -> FileLinks:
        """List the files that a file imports, and the imported names from outside the repository."""
        outside = self._store.open_names([chunk.id for chunk in self._store.file_chunks(path)], "imports")
        return FileLinks(
            path, _file_links(self._store.file_edges("imports", path, incoming=False), path), tuple(outside)
        )

    def dependents(self, path: str) -> FileLinks:
        """List the files that import a file."""
        return FileLinks(path, _file_links(self._store.file_edges("imports", path, incoming=True), path))


def _is_inside(site: OpenSite, symbol: Symbol) -> bool:
    return site.file_path == symbol.file_path and symbol.start_line <= site.line <= symbol.end_line


def certainty(steps: Iterable[Step], unresolved: int, truncated: bool, unread: int = 0) -> Certainty:
    """Count the steps of an answer by certainty: proven, guessed, dependent on the build, or on dynamic dispatch (may).

    `unresolved` is the number of unresolved calls, `truncated` says whether a limit ended the walk, and `unread` is the
    number of files that may hold more, but were not read whole.
    """
    counts = Counter(map(sureness, steps))
    return Certainty(**counts, unresolved=unresolved, truncated=truncated, unread=unread)


def sureness(step: Step) -> str:
    """Name how sure a step is, as the counts of a certainty are named: proven, alternative, may or guessed."""
    if step.may:
        return "may"
    if step.confidence >= PROVEN:
        return "proven"
    is_sure = step.confidence >= ALTERNATIVE_DEFINITION or step.confidence == ANOTHER_BUILD
    return "alternative" if step.alternative and is_sure else "guessed"


def _tests(changed: Sequence[Symbol], uses: "Reached | ReachedRows") -> list[str]:
    """List the paths of changed test files, then of affected test files, the likeliest first.

    `uses` are those in tests, in order of distance.

    Likely are files whose names share a word with the change, rare words first, and then what is nearest and most certain.
    Below an event loop or a dispatcher, most tests reach a change, but it is meant by those that are named after it. Helper
    files of tests, such as fixtures and models, are left out. They are listed only if no file is named as a test.
    """
    distances = {symbol.file_path: (0, 0.0) for symbol in changed if symbol.is_test}
    distances = {**uses.files(), **distances}
    paths = _test_paths(distances.keys(), changed, uses)
    code = [symbol for symbol in changed if not symbol.is_test]
    words = {
        word for symbol in code for name in (symbol.name, _stem(symbol.file_path)) for word in split_identifier(name)
    }
    shared = {path: words.intersection(split_identifier(_stem(path))) for path in paths}
    files = Counter(word for words_of_path in shared.values() for word in words_of_path)
    likeness = {path: sum(1 / files[word] for word in sorted(shared[path])) for path in paths}
    return sorted(paths, key=lambda path: (distances[path][0] > 0, -likeness[path], distances[path], path))


def _test_paths(paths: Collection[str], changed: Sequence[Symbol], uses: "Reached | ReachedRows") -> Sequence[str]:
    """List those of the paths that hold tests, or all of them if none is named as a test. `uses` are the uses in tests."""
    tests = {path for path in paths if _is_test_name(_stem(path))}
    unnamed = {*paths} - tests
    symbols = [*(symbol for symbol in changed if symbol.file_path in unnamed), *uses.symbols_in(unnamed)]
    tests.update(symbol.file_path for symbol in symbols if symbol.is_test and _is_named_as_test(symbol))
    # A macro of the tests that a file uses outside of functions makes a test.
    macros = {symbol.qualified_name for symbol in symbols if symbol.kind == "macro" and symbol.is_test}
    made = (step for step in uses.nearest(None) if step.via in macros) if macros else ()
    tests.update(step.symbol.file_path for step in made if step.symbol.kind == "module")
    return [path for path in paths if path in tests or not tests]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def by_distance(step: Step) -> tuple[int, bool, float]:
    """Return a key that sorts steps: the nearest first, then those that are not up to dispatch, then the surest."""
    return step.depth, step.may, -step.confidence


def _is_named_as_test(symbol: Symbol) -> bool:
    # In `TEST_CASE(adds) {…}` a macro says that `adds` is a test.
    head = symbol.signature.partition("(")[0].rpartition(" ")[2]
    return _is_test_name(symbol.name) or _is_test_name(head)


def _is_test_name(name: str) -> bool:
    # Thousands of names are asked for, and few hold such a word.
    text = name.lower()
    return any(word in text for word in TEST_WORDS) and not TEST_WORDS.isdisjoint(split_identifier(name))


def _file_links(edges: Iterable[tuple[str, int]], file_path: str) -> tuple[FileLink, ...]:
    """Group (path, line) pairs into one link per path, sorted by path. Links with `file_path` itself are left out."""
    lines: dict[str, list[int]] = defaultdict(list)
    for path, line in edges:
        if path != file_path:
            lines[path].append(line)
    return tuple(FileLink(path, tuple(sorted(set(numbers)))) for path, numbers in sorted(lines.items()))
