"""Make a tour of a repository from its graph: where it begins, its parts, its main way, what everybody uses, its tests."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from code_graph_indexer.graph.conventions import is_constructor
from code_graph_indexer.graph.folders import Dependencies
from code_graph_indexer.graph.results import Route, Step
from code_graph_indexer.languages import languages
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import Edge, FileRow, Store
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS
from code_graph_indexer.web.beginnings import DOOR, STARTED, Beginning, family, language_lines
from code_graph_indexer.web.start import about_files, about_folder

MAX_PARTS = 7
"""Most parts of a repository that a tour names. Nobody remembers more."""

MAX_WAY = 7
"""Most calls of the main way."""

LEAST_WAY, HANDED = 4, "handed"
"""Steps below which the way of a program hardly begins, and the kind of a beginning that code hands on."""

MAX_BESIDE = 24
"""Most files beside a program in which is looked for what they hand on."""

MAX_STARTED, MAX_COMPARED = 4, 48
"""Most commands, and most requests, of which the ways are compared, and most of which is compared how far they reach."""

GOES_ON, OVERRIDES = ("calls", "references"), "overrides"
"""Kinds of edges by which a way goes on. A function that is passed on is run by whoever gets it."""

LOOK_AHEAD = 4
"""Calls that are looked ahead to see which way goes on."""

MAX_REACH = 200
"""Definitions after which a way surely goes on."""

MAX_AHEAD = 2_000
"""Definitions whose steps are read together."""

MAX_NEEDS = 3
"""Most parts that are named of those that a part needs."""

MAIN_SHARE = 0.8
"""A folder with more than this share of the code is opened, and its parts are shown instead."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a repository, a folder or a file: its numbers, and the parts that it needs with their numbers of references."""

    path: str
    is_file: bool
    files: int
    lines: int
    about: str
    needs: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MainWay:
    """The calls from a place at which code begins, each at its line.

    `place` is what says that it begins there, such as `pyproject.toml:34`, and `why` is one of the kinds of a beginning.
    `route` is the registration by which a framework starts it, or None.
    """

    begin: Symbol
    why: str
    place: str
    route: Route | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour. `tests` are folders with their numbers of test files."""

    parts: tuple[Part, ...]
    ways: tuple[MainWay, ...]
    tests: tuple[tuple[str, int], ...]


def tour(
    store: Store,
    dependencies: Dependencies,
    files: Mapping[str, FileRow],
    code: Mapping[str, FileRow],
    begun: Sequence[Beginning],
    routes: Mapping[str, Sequence[Route]],
) -> Tour:
    """Return the tour of a repository: of its `files` and of the product's `code` among them.

    `begun` is where its programs begin, and `routes` are what frameworks start, by kind.
    """
    tests = Counter(path.rpartition("/")[0] for path in dependencies.test_paths())
    ways = _Ways(store, code).main(begun, routes)
    return Tour(_parts(store, files, code, dependencies), ways, tuple(tests.most_common(MAX_PARTS)))


def _parts(
    store: Store, files: Mapping[str, FileRow], code: Mapping[str, FileRow], dependencies: Dependencies
) -> tuple[Part, ...]:
    """List the folders and files with most code, those that nobody needs first. A folder that holds nearly all is opened."""
    below = ""
    while True:
        members: dict[str, list[FileRow]] = {}
        for path, row in code.items():
            if path.startswith(below):
                members.setdefault(below + path[len(below) :].partition("/")[0], []).append(row)
        lines = {name: sum(row.lines for row in rows) for name, rows in members.items()}
        largest = sorted(lines, key=lambda name: (-lines[name], name))[:MAX_PARTS]
        if not largest or largest[0] in code or lines[largest[0]] < MAIN_SHARE * sum(lines.values()):
            break
        below = f"{largest[0]}/"
    between: dict[str, Counter[str]] = {name: Counter() for name in largest}
    needed: Counter[str] = Counter()
    depth = below.count("/") + 1
    places = {name: place for place, name in enumerate(largest)}
    parts = [places.get("/".join(path.split("/")[:depth]), -1) for path in dependencies.files]
    for source, target, weight in dependencies.between(parts):
        between[largest[source]][largest[target]] += weight
        needed[largest[target]] += weight
    largest.sort(key=lambda name: needed[name] - between[name].total())
    about = about_files(store, [code[name] for name in largest if name in code])
    # What a folder is says its README, which is no code.
    inside: dict[str, list[FileRow]] = {name: [] for name in largest}
    for path, row in files.items():
        if (name := "/".join(path.split("/", depth)[:depth])) in inside:
            inside[name].append(row)
    return tuple(
        Part(
            name,
            name in code,
            len(members[name]),
            lines[name],
            about[name] if name in code else about_folder(store, name, inside[name]),
            tuple(between[name].most_common(MAX_NEEDS)),
        )
        for name in largest
    )


class _Ways:
    """The ways of proven steps through a graph. What a function calls is read once."""

    def __init__(self, store: Store, code: Mapping[str, FileRow]) -> None:
        self._store = store
        self._code = code
        self._lines = language_lines(code)
        self._read: dict[int, list[Edge]] = {}
        self._started_code: set[int] = set()
        self._registering: set[str] = set()

    def main(self, begun: Sequence[Beginning], routes: Mapping[str, Sequence[Route]]) -> tuple[MainWay, ...]:
        """Return the way of the program, and those of the command and of the request that lead furthest in other code."""
        for route in chain.from_iterable(routes.values()):
            self._registering.add(route.file_path)
            if route.symbol is not None:
                self._started_code.add(route.symbol.chunk_id)
        met: set[int] = set()
        started: list[MainWay] = []
        for members in routes.values():
            way = max(self._started(members), key=lambda way: len(_definitions(way) - met))
            # What shows nothing new is left out, unless it is all there is.
            if _definitions(way) - met or not started:
                started.append(way)
                met |= _definitions(way)
        started = [way for way in started if way.steps] or started
        program = self._first_program([beginning for beginning in begun if beginning.kind != DOOR], bool(started))
        if program is None:
            return tuple(started)
        same = next((way for way in started if way.begin.chunk_id == program.begin.chunk_id), None)
        first = program if same is None else replace(program, route=same.route)
        others = started or self._handed(program)
        return first, *(way for way in others if way is not same)

    def _first_program(self, programs: Sequence[Beginning], is_started: bool) -> MainWay | None:
        """Return the way of the first program that calls something, or of the first of all."""
        ways = map(self._program, programs)
        # A framework may start all that follows. Without it, a program that calls something says more.
        return next((way for way in ways if way.steps or is_started), next(map(self._program, programs), None))

    def _program(self, beginning: Beginning) -> MainWay:
        """Return the way from the beginning of a program."""
        place = f"{beginning.file_path}:{beginning.line}"
        return MainWay(beginning.symbol, beginning.kind, place, None, tuple(self._way(beginning.symbol)))

    def _handed(self, program: MainWay) -> Iterator[MainWay]:
        """Yield the way of the function that leads furthest, of those that code beside a program hands on and nobody calls.

        A variable holds such a function, or a library gets it, so no call leads there.
        """
        if len(program.steps) >= LEAST_WAY:
            return
        paths = (program.begin.file_path, *(step.symbol.file_path for step in program.steps))
        folders = {path.rpartition("/")[0] for path in paths}
        beside = [path for path in self._code if path.rpartition("/")[0] in folders][:MAX_BESIDE]
        holders = self._store.nodes([chunk.id for path in beside for chunk in self._store.file_chunks(path)])
        handed: dict[int, Edge] = {}
        for edge in self._store.edges(list(holders), "references", incoming=False):
            if edge.confidence >= PROVEN and edge.of in holders:
                handed.setdefault(edge.chunk_id, edge)
        called = {edge.of for edge in self._store.edges(list(handed), "calls", incoming=True)}
        functions = {
            node: symbol
            for node, symbol in self._store.nodes([node for node in handed if node not in called]).items()
            if symbol.kind in FUNCTION_KINDS and not symbol.is_test
        }
        self._read_ahead(functions)
        furthest = max(functions, key=lambda node: self._reach(node, (), MAX_COMPARED, MAX_AHEAD), default=None)
        if furthest is not None and (steps := tuple(self._way(functions[furthest]))):
            edge = handed[furthest]
            yield MainWay(functions[furthest], HANDED, f"{holders[edge.of].file_path}:{edge.line}", None, steps)

    def _started(self, routes: Sequence[Route]) -> Iterator[MainWay]:
        """Yield the ways from what frameworks start: of different files, main language first, those that reach most."""

        before: Counter[str] = Counter()

        def nearness(route: Route) -> tuple[int, int, int]:
            """Return a key that sorts by language, by place in the file, and then by depth, so that files take turns."""
            before[route.file_path] += 1
            lines = self._lines[family(self._code[route.file_path])]
            return -lines, before[route.file_path], route.file_path.count("/")

        handlers: dict[int, Route] = {}
        for route in sorted(routes, key=nearness)[:MAX_COMPARED]:
            if route.symbol is not None:
                handlers.setdefault(route.symbol.chunk_id, route)
        self._read_ahead(handlers)
        furthest = sorted(handlers, key=lambda node: -self._reach(node, ()))[:MAX_STARTED]
        for route in map(handlers.__getitem__, furthest):
            assert route.symbol is not None
            steps = tuple(self._way(route.symbol))
            yield MainWay(route.symbol, STARTED, f"{route.file_path}:{route.line}", route, steps)

    def _way(self, entry: Symbol) -> Iterator[Step]:
        """Yield up to MAX_WAY steps: from each function, the step from which most can be reached in a few."""
        callers = {caller.node_id: caller for caller in (entry, *self._methods(entry))}
        passed = set(callers)
        for _ in range(MAX_WAY):
            edges = [edge for edge in self._edges(callers) if edge.chunk_id not in passed]
            symbols = self._store.nodes([edge.chunk_id for edge in edges]) if edges else {}
            edges = [edge for edge in edges if self._is_step(edge, callers[edge.of], symbols[edge.chunk_id])]
            # What is registered in a file is started by a framework, and has a way of its own.
            if not edges and self._registering.isdisjoint(caller.file_path for caller in callers.values()):
                edges, symbols = self._loads(callers.values(), passed)
            if not edges:
                break
            self._read_ahead(edge.chunk_id for edge in edges)
            edge = max(edges, key=lambda edge: (self._reach(edge.chunk_id, passed), -edge.line))
            symbol = symbols[edge.chunk_id]
            # An override is at its own place, and a call at that of the caller.
            place = symbol if edge.kind == OVERRIDES else callers[edge.of]
            yield Step(symbol, edge.kind, place.file_path, edge.line, edge.confidence)
            callers = {symbol.node_id: symbol}
            passed.add(symbol.node_id)

    def _is_step(self, edge: Edge, caller: Symbol, target: Symbol) -> bool:
        """Say whether code goes on in a function. What a file only registers, such as methods of a view, it does not run."""
        if target.kind not in FUNCTION_KINDS or caller.kind != "module":
            return target.kind in FUNCTION_KINDS
        lines = (self._store.file_text(caller.file_path) or b"").splitlines()[edge.line - 1 : edge.line]
        language = languages().get(target.language or "")
        is_made = language is not None and is_constructor(target, language)
        name = target.qualified_name.split(".")[-2:][0] if is_made else target.name
        return any(name in line.decode("utf-8", "replace") for line in lines)

    def _loads(self, callers: Iterable[Symbol], passed: Collection[int]) -> tuple[list[Edge], dict[int, Symbol]]:
        """Return the imports by which files run others, and the modules of these by id: `require 'config/environment'`."""
        modules = [caller.chunk_id for caller in callers if caller.kind == "module"]
        imports = self._store.edges(modules, "imports", incoming=False) if modules else []
        proven = [edge for edge in imports if edge.confidence >= PROVEN and edge.chunk_id not in passed]
        symbols = self._store.nodes([edge.chunk_id for edge in proven]) if proven else {}
        return [edge for edge in proven if symbols[edge.chunk_id].kind == "module"], symbols

    def _methods(self, entry: Symbol) -> list[Symbol]:
        """List the methods of a class, which a framework runs if it starts the class."""
        if entry.kind not in CLASS_KINDS:
            return []
        chunks = self._store.file_chunks(entry.file_path)
        members = self._store.nodes([chunk.id for chunk in chunks if chunk.parent_id == entry.chunk_id])
        return [member for member in members.values() if member.kind in FUNCTION_KINDS]

    def _read_ahead(self, nodes: Iterable[int]) -> None:
        """Read the next steps from some definitions together: a question for each costs more than the answers."""
        layer = list(nodes)[:MAX_AHEAD]
        for _ in range(LOOK_AHEAD):
            layer = sorted({edge.chunk_id for edge in self._edges(layer)} - self._read.keys())[:MAX_AHEAD]

    def _edges(self, nodes: Iterable[int]) -> list[Edge]:
        """List the proven edges by which some functions call and pass on others, by ids. They are read together.

        A function that calls nothing, such as a method of an interface, goes on to what implements it, if that is a single one.
        """
        unread = [node for node in nodes if node not in self._read]
        self._read.update((node, []) for node in unread)
        for kind in GOES_ON if unread else ():
            for edge in self._store.edges(unread, kind, incoming=False):
                # A redirection names what a framework starts for the next request. It is no step of this one.
                is_apart = kind != "calls" and edge.chunk_id in self._started_code
                if edge.confidence >= PROVEN and not is_apart:
                    self._read[edge.of].append(edge)
        ends = [node for node in unread if not self._read[node]]
        self._read.update((node, edges) for node, edges in self._implementations(ends).items() if len(edges) == 1)
        return [edge for node in nodes for edge in self._read[node]]

    def _implementations(self, ends: Sequence[int]) -> dict[int, list[Edge]]:
        """Map functions that call nothing to what implements them, at its own line. Tests are left out."""
        overrides = self._store.edges(ends, OVERRIDES, incoming=True) if ends else []
        symbols = self._store.nodes([edge.chunk_id for edge in overrides]) if overrides else {}
        implementations: dict[int, list[Edge]] = defaultdict(list)
        for edge in overrides:
            if (symbol := symbols.get(edge.chunk_id)) is not None and not symbol.is_test:
                implementations[edge.of].append(edge._replace(line=symbol.start_line))
        return implementations

    def _reach(self, start: int, passed: Collection[int], steps: int = LOOK_AHEAD, most: int = MAX_REACH) -> int:
        """Count the definitions that can be reached from one in some steps, up to `most`."""
        met = {start, *passed}
        layer = [start]
        for _ in range(steps):
            if len(met) - len(passed) >= most:
                break
            layer = [node for node in {edge.chunk_id for edge in self._edges(layer)} if node not in met]
            met.update(layer)
        return len(met) - len(passed)


def _definitions(way: MainWay) -> set[int]:
    """Return the definitions that a way calls."""
    return {step.symbol.chunk_id for step in way.steps}
