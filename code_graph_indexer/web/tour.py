"""Make a tour of a repository from its graph: where it begins, its parts, its main way, what everybody uses, its tests."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from code_graph_indexer.graph.code_graph import CALLS, CodeGraph
from code_graph_indexer.graph.folders import Dependencies
from code_graph_indexer.graph.results import Route, Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.syntax.records import FUNCTION_KINDS
from code_graph_indexer.web.beginnings import DOOR, STARTED, Beginning, family, language_lines
from code_graph_indexer.web.start import about_files, about_folder

MAX_PARTS = 7
"""Most parts of a repository that a tour names. Nobody remembers more."""

MAX_WAY = 7
"""Most calls of the main way."""

MAX_STARTED = 4
"""Most commands, and most requests, of which the ways are compared."""

LOOK_AHEAD = 4
"""Calls that are looked ahead to see which way goes on."""

MAX_REACH = 200
"""Definitions after which a way surely goes on."""

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
    code: Mapping[str, FileRow],
    begun: Sequence[Beginning],
    routes: Mapping[str, Sequence[Route]],
) -> Tour:
    """Return the tour of a repository: of its `code`, with where its programs begin and what frameworks start, by kind."""
    tests = Counter(path.rpartition("/")[0] for path in dependencies.test_paths())
    ways = _Ways(CodeGraph(store), code).main(begun, routes)
    return Tour(_parts(store, code, dependencies), ways, tuple(tests.most_common(MAX_PARTS)))


def _parts(store: Store, code: Mapping[str, FileRow], dependencies: Dependencies) -> tuple[Part, ...]:
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
    return tuple(
        Part(
            name,
            name in code,
            len(members[name]),
            lines[name],
            about[name] if name in code else about_folder(store, name, members[name]),
            tuple(between[name].most_common(MAX_NEEDS)),
        )
        for name in largest
    )


class _Ways:
    """The ways of proven calls through a graph. What a function calls is read once."""

    def __init__(self, graph: CodeGraph, code: Mapping[str, FileRow]) -> None:
        self._graph = graph
        self._code = code
        self._lines = language_lines(code)
        self._calls: dict[int, list[Step]] = {}

    def main(self, begun: Sequence[Beginning], routes: Mapping[str, Sequence[Route]]) -> tuple[MainWay, ...]:
        """Return the way of the program, and those of the command and of the request that lead furthest in other code."""
        met: set[int] = set()
        started: list[MainWay] = []
        for members in routes.values():
            way = max(self._started(members), key=lambda way: len(_definitions(way) - met))
            # What shows nothing new is left out, unless it is all there is.
            if _definitions(way) - met or not started:
                started.append(way)
                met |= _definitions(way)
        programs = [beginning for beginning in begun if beginning.kind != DOOR]
        # A framework may start all that follows. Without it, a program that calls something says more.
        ways = map(self._program, programs)
        program = next((way for way in ways if way.steps or started), next(map(self._program, programs), None))
        if program is None:
            return tuple(started)
        same = next((way for way in started if way.begin.chunk_id == program.begin.chunk_id), None)
        first = program if same is None else replace(program, route=same.route)
        return first, *(way for way in started if way is not same)

    def _program(self, beginning: Beginning) -> MainWay:
        """Return the way from the beginning of a program."""
        place = f"{beginning.file_path}:{beginning.line}"
        return MainWay(beginning.symbol, beginning.kind, place, None, tuple(self._way(beginning.symbol)))

    def _started(self, routes: Sequence[Route]) -> Iterator[MainWay]:
        """Yield the ways from what frameworks start, for the MAX_STARTED nearest to the root, main language first."""

        def nearness(route: Route) -> tuple[int, int]:
            """Return a key that sorts by language, and then by depth."""
            return -self._lines[family(self._code[route.file_path])], route.file_path.count("/")

        for route in sorted(routes, key=nearness)[:MAX_STARTED]:
            if route.symbol is not None:
                steps = tuple(self._way(route.symbol))
                yield MainWay(route.symbol, STARTED, f"{route.file_path}:{route.line}", route, steps)

    def _called(self, callers: Sequence[Symbol]) -> list[Step]:
        """Return the calls of some functions, which are read together."""
        unread = list({caller.node_id: None for caller in callers if caller.node_id not in self._calls})
        self._calls.update((node_id, []) for node_id in unread)
        limits = Limits(1, PROVEN)
        for node_id, step in self._graph.references(unread, limits, CALLS, incoming=False) if unread else ():
            if step.symbol.kind in FUNCTION_KINDS:
                self._calls[node_id].append(step)
        return [step for caller in callers for step in self._calls[caller.node_id]]

    def _way(self, entry: Symbol) -> Iterator[Step]:
        """Yield up to MAX_WAY calls: from each function, the call from which most can be reached in a few calls."""
        passed = {entry.node_id}
        symbol = entry
        for _ in range(MAX_WAY):
            steps = [step for step in self._called([symbol]) if step.symbol.node_id not in passed]
            if not steps:
                break
            self._called([step.symbol for step in steps])
            step = max(steps, key=lambda step: (self._reach(step.symbol, passed), -step.line))
            yield step
            symbol = step.symbol
            passed.add(symbol.node_id)

    def _reach(self, symbol: Symbol, passed: set[int]) -> int:
        """Count the definitions that can be reached from one in LOOK_AHEAD calls, up to MAX_REACH."""
        met = passed | {symbol.node_id}
        layer = [symbol]
        for _ in range(LOOK_AHEAD):
            if len(met) - len(passed) >= MAX_REACH:
                break
            targets = {step.symbol.node_id: step.symbol for step in self._called(layer)}
            layer = [target for node_id, target in targets.items() if node_id not in met]
            met.update(target.node_id for target in layer)
        return len(met) - len(passed)


def _definitions(way: MainWay) -> set[int]:
    """Return the definitions that a way calls."""
    return {step.symbol.chunk_id for step in way.steps}
