"""Prepare the lists of a definition's page: callers, callees, classes around it, overrides, tests, and what changes with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice

from code_graph_indexer.explore.unlinked import unlinked_places
from code_graph_indexer.explore.wording import counted, hole
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.results import Impact, Reach, Step
from code_graph_indexer.graph.sites import open_sites
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH, Limits
from code_graph_indexer.results import PROVEN, Certainty, Symbol
from code_graph_indexer.storage import FileRow, Store, name_inside
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS
from code_graph_indexer.web.links import FILE_KINDS, code_link, definition_link

MAX_ROWS = 40
"""Most rows of a list, until the reader asks for all of them."""

QUOTED, MAX_QUOTE = 12, 120
"""Most rows of a list that quote their line, and most characters of it."""

Files = Mapping[str, FileRow]
"""The files of the index, by path."""

Site = tuple[str, str, str]
"""A text of the code, its place, and the address of that."""

TESTS = {"": None, "no": False, "only": True}
"""The filter for tests, as it is written in an address."""

USE_TITLES = {
    "reads": "Who reads it",
    "writes": "Who writes it",
    "types": "Who names it as a type",
    "calls": "Who calls it",
    "references": "Used as a value",
    "inherits": "Classes below",
}
"""The titles of the lists of uses, by kind."""

OPEN_CALLS = {
    "callers": "of this name {have} no known target, and may call it",
    "callees": "in it {have} no known target",
    "impact": "of these names {have} no known target, and may be affected",
}
"""What unresolved calls mean, by the list that may lack them."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list: a definition, the place that leads to it, and how sure that is, as one of web.code.FATES.

    `name` is the name inside of the definition's file. `code` is the line of the place, if the list quotes it.
    """

    symbol: Symbol
    name: str
    href: str
    place: str
    place_href: str
    fate: str
    note: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of a file."""

    path: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list under its title. `total` counts all rows, also those that are not shown.

    `hole` says what it may lack, and `sites` are places that may be missing: each is a text, a place and its address.
    """

    id: str
    title: str
    groups: tuple[Group, ...]
    total: int
    counts: str = ""
    hole: str = ""
    about: str = ""
    outside: tuple[str, ...] = ()
    sites: tuple[Site, ...] = ()

    @property
    def shown(self) -> int:
        """Return the number of rows that are shown."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Filter:
    """What a reader leaves out of the lists, the list of which all rows are shown, and the most rows of the others."""

    tests: str = ""
    sure: str = ""
    whole: str = ""
    rows: int = MAX_ROWS

    @property
    def limits(self) -> Limits:
        """Return the limits of a walk by one hop."""
        return Limits(1, PROVEN if self.sure else 0.0, TESTS.get(self.tests))

    def most(self, listing: str) -> int | None:
        """Return the most rows of a list, or None for all."""
        return None if self.whole == listing else self.rows


def fate_of(step: Step) -> tuple[str, str]:
    """Return how sure a step is, as one of the page's words, and why it is not proven."""
    if step.may:
        return "candidates", "may, by dynamic dispatch"
    if step.alternative:
        return "candidates", "dependent on the build"
    return ("proven", "") if step.confidence >= PROVEN else ("guessed", "guessed by name")


def row(step: Step, files: Files, *, at_definition: bool = False) -> Row:
    """Return a step as a row, at the place of the reference or else of the definition."""
    fate, note = fate_of(step)
    symbol = step.symbol
    path, line = (symbol.file_path, symbol.start_line) if at_definition else (step.file_path, step.line)
    return Row(symbol, short_name(symbol, files), definition_link(symbol), str(line), code_link(path, line), fate, note)


def plain(symbol: Symbol, files: Files) -> Row:
    """Return a definition as a row of its own."""
    link = code_link(symbol.file_path, symbol.start_line)
    return Row(symbol, short_name(symbol, files), definition_link(symbol), str(symbol.start_line), link, "proven")


def short_name(symbol: Symbol, files: Files) -> str:
    """Return the name of a definition inside of its file."""
    file = files.get(symbol.file_path)
    return name_inside(symbol.qualified_name, file.module if file else "") or symbol.name or symbol.file_path


class Lists:
    """The lists of one definition."""

    def __init__(self, store: Store, files: Files, symbol: Symbol, shown: Filter) -> None:
        self._store = store
        self._files = files
        self._symbol = symbol
        self._shown = shown
        self._graph = CodeGraph(store)
        self._texts: dict[str, list[str]] = {}

    @cached_property
    def callers(self) -> Reach:
        """Return the callers of the definition, with its declarations and alternatives."""
        return self._graph.callers(self._symbol, self._shown.limits, self._shown.most("callers"))

    def all(self) -> list[Listing]:
        """Return the lists of the definition's page. Lists that its kind cannot have are left out."""
        if self._symbol.member_id is not None:
            return self._uses()
        callers = self._listing("callers", "Who calls it", self.callers.steps, self.callers.certainty)
        lists = [replace(callers, sites=self._open_callers() if self.callers.certainty.unresolved else ())]
        if self.callers.references:
            values = self._listing("values", "Used as a value", self.callers.references)
            lists.append(replace(values, about="Whatever reads the value from there may call it."))
        lists += self._uses()
        if self._symbol.kind in FUNCTION_KINDS:
            lists += self._of_function()
        if self._symbol.kind in CLASS_KINDS:
            lists += self._of_class()
        return lists

    def brief(self) -> list[Listing]:
        """Return who calls, reads, writes or names the definition. A list that is empty and lacks nothing is left out."""
        lists = self._uses()
        if self._symbol.member_id is None:
            lists.insert(0, self._listing("callers", "Who calls it", self.callers.steps, self.callers.certainty))
        return [listing for listing in lists if listing.total or listing.hole]

    def _uses(self) -> list[Listing]:
        """List the uses of the definition by kind. That of a member says so if none is known."""
        most = None if self._shown.whole in USE_TITLES else self._shown.rows
        kinds = self._graph.uses_by_kind(self._symbol, self._shown.limits, most)
        lists = [
            replace(self._listing(uses.kind, USE_TITLES[uses.kind], uses.steps), total=uses.total) for uses in kinds
        ]
        if self._symbol.member_id is None:
            return lists
        lists = lists or [self._listing("reads", USE_TITLES["reads"], ())]
        # Beside so many known uses, a list of what may be more of them would say little.
        if any(uses.total > MAX_ROWS for uses in kinds):
            return lists
        sites = self._unlinked([step for uses in kinds for step in uses.steps])
        words = "line names it and is" if len(sites) == 1 else "lines name it and are"
        gap = f"{len(sites)} {words} linked to nothing" if sites else ""
        return [replace(lists[0], hole=gap, sites=sites), *lists[1:]]

    def _unlinked(self, steps: Sequence[Step]) -> tuple[Site, ...]:
        """List the lines that hold the name of a member behind a dot and are linked to nothing. `steps` are its uses."""
        places = unlinked_places(self._store, self._symbol, steps)
        return tuple((owner.qualified_name if owner else "", *_place(path, line)) for path, line, owner in places)

    def _open_callers(self) -> tuple[Site, ...]:
        """List the calls of the definition's name that have no known target."""
        sites = open_sites(self._store, [self._symbol], ())[: self._shown.most("callers")]
        return tuple((_written(site.receiver, site.name), *_place(site.file_path, site.line)) for site in sites)

    def _open_callees(self) -> tuple[Site, ...]:
        """List the calls in the definition that have no known target."""
        symbol = self._symbol
        outside = {(use.line, use.column) for use in self._store.externals([symbol.chunk_id], ("calls",))}
        calls = [
            (_written(call.receiver, call.name), *_place(symbol.file_path, call.line))
            for call in self._store.reference_fates(symbol.file_path, (symbol.start_line, symbol.end_line))
            if (call.kind, call.source_id, call.target_id) == ("calls", symbol.chunk_id, None)
            and (call.line, call.column) not in outside
        ]
        return tuple(calls[: self._shown.most("callees")])

    def _of_function(self) -> list[Listing]:
        """List what a function calls, what overrides it and what it overrides. Of the last two, an empty list is left out."""
        callees = self._graph.callees(self._symbol, self._shown.limits)
        overridden = [
            Step(target, "overrides", target.file_path, target.start_line, edge.confidence)
            for edge in self._store.edges([self._symbol.chunk_id], "overrides", incoming=False)
            for target in self._store.nodes([edge.chunk_id]).values()
        ]
        calls = self._listing("callees", "What it calls", callees.steps, callees.certainty)
        return [
            replace(calls, sites=self._open_callees() if callees.certainty.unresolved else ()),
            *self._filled("overrides", "Overridden by", self._graph.implementations(self._symbol).steps),
            *self._filled("overridden", "It overrides", overridden),
        ]

    def _of_class(self) -> list[Listing]:
        """List the bases of a class, its members, and what derives from it. Empty lists but the members are left out."""
        classes = self._graph.hierarchy(self._symbol, MAX_PATH_DEPTH)
        bases = self._listing("bases", "Classes above", classes.bases, at_definition=True)
        return [
            *([replace(bases, outside=classes.outside)] if bases.total or classes.outside else ()),
            self._members(),
            *self._filled("derived", "Classes below", classes.derived),
        ]

    def _filled(self, name: str, title: str, steps: Sequence[Step]) -> list[Listing]:
        """Return a listing of steps, each at its definition, alone in a list. Without steps the list is empty."""
        return [self._listing(name, title, steps, at_definition=True)] if steps else []

    def _members(self) -> Listing:
        """List the definitions that a class holds."""
        chunks = self._store.file_chunks(self._symbol.file_path)
        nodes = self._store.nodes([chunk.id for chunk in chunks if chunk.parent_id == self._symbol.chunk_id])
        members = [node for node in nodes.values() if node.kind not in FILE_KINDS]
        members.sort(key=lambda member: member.start_line)
        rows = [plain(member, self._files) for member in members[: self._shown.most("members")]]
        return Listing("members", "What is in it", _groups(rows), len(members))

    def _listing(
        self,
        name: str,
        title: str,
        steps: Sequence[Step],
        certainty: Certainty | None = None,
        *,
        at_definition: bool = False,
    ) -> Listing:
        """Return a listing of as many steps as are asked for under its `name`, with the number of all.

        `at_definition` places a step at its definition and not at its line. `certainty` is that of all steps, and is told below
        them.
        """
        rows = [row(step, self._files, at_definition=at_definition) for step in steps[: self._shown.most(name)]]
        if not at_definition:
            rows[:QUOTED] = map(self._quoting, rows[:QUOTED], steps)
        words = counted(certainty) if certainty is not None and steps else ""
        gap = _gap(certainty, OPEN_CALLS[name]) if certainty is not None else ""
        return Listing(name, title, _groups(rows), _count(certainty) if certainty else len(steps), words, gap)

    def _quoting(self, entry: Row, step: Step) -> Row:
        """Return a row with the line of its place."""
        path = step.file_path
        if path not in self._texts:
            self._texts[path] = (self._store.file_text(path) or b"").decode("utf-8", "replace").split("\n")
        return replace(entry, code="".join(self._texts[path][step.line - 1 : step.line]).strip()[:MAX_QUOTE])


def _place(path: str, line: int) -> tuple[str, str]:
    """Return a place as people write it, and its address."""
    return f"{path}:{line}", code_link(path, line)


def _written(receiver: str, name: str) -> str:
    """Return a call as the code writes it, without its arguments."""
    return f"{receiver}.{name}" if receiver else name


def _gap(certainty: Certainty, open_calls: str) -> str:
    """Return what a list may lack, or an empty text."""
    calls, have = ("call", "has") if certainty.unresolved == 1 else ("calls", "have")
    return hole(certainty, f"{calls} {open_calls.format(have=have)}")


def _count(certainty: Certainty) -> int:
    return certainty.proven + certainty.guessed + certainty.may + certainty.alternative


def _groups(rows: Iterable[Row]) -> tuple[Group, ...]:
    """Group rows by the file of the definition, in the order in which the files come first."""
    by_file: dict[str, list[Row]] = {}
    for entry in rows:
        by_file.setdefault(entry.symbol.file_path, []).append(entry)
    return tuple(Group(path, tuple(entries)) for path, entries in by_file.items())


@dataclass(frozen=True, slots=True)
class Layer:
    """The definitions that a change affects at one distance. `total` counts them all."""

    depth: int
    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ImpactView:
    """What a change affects, as a page shows it."""

    changed: tuple[Row, ...]
    layers: tuple[Layer, ...]
    tests: tuple[str, ...]
    total: int
    total_uses: int
    total_tests: int
    counts: str
    hole: str
    sites: tuple[Site, ...]
    unmapped: tuple[str, ...]
    removed: tuple[str, ...]
    along: tuple[tuple[str, int], ...]


def impact_view(
    impact: Impact, files: Files, along: Sequence[tuple[str, int]] = (), *, whole: bool = False
) -> ImpactView:
    """Return what a change affects, layer by layer. Of long lists the first rows are shown, or all if `whole` is set.

    `along` are files that past commits changed together with it, with the numbers of these commits.
    """
    most = None if whole else MAX_ROWS
    code = sorted((step for step in impact.affected if not step.symbol.is_test), key=lambda step: step.depth)
    layers = []
    for depth, group in groupby(code, key=lambda step: step.depth):
        rows = tuple(row(step, files) for step in islice(group, most))
        layers.append(Layer(depth, rows, impact.distances[depth - 1]))
    sites = tuple((site.name, *_place(site.file_path, site.line)) for site in impact.open_sites if not site.is_test)
    return ImpactView(
        tuple(plain(symbol, files) for symbol in impact.changed[:most]),
        tuple(layers),
        impact.tests[:most],
        sum(impact.distances),
        _count(impact.certainty) - sum(impact.distances),
        len(impact.tests),
        counted(impact.certainty) if impact.affected else "",
        _gap(impact.certainty, OPEN_CALLS["impact"]),
        sites[:most],
        impact.unmapped,
        impact.removed,
        tuple(along),
    )
