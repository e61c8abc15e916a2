"""Judge the calls of any checkout against what a compiler or type checker says of them.

SITES is a SCIP index of the checkout (scip-python, scip-typescript), or the call sites that a script in `scripts/oracles`
has written. Its columns are path, line, name, kind, target and caller. Tabs part them. Only `clang_calls.py` writes the
caller, and rows of further kinds, which it explains. Write such a file like this:

    javac -d /tmp scripts/oracles/JavaCalls.java && java -cp /tmp JavaCalls ROOT src/main/java > SITES.tsv
    go run scripts/oracles/gocalls.go ROOT > SITES.tsv
    python scripts/oracles/clang_calls.py ROOT BUILD/compile_commands.json > SITES.tsv

The script indexes ROOT into a temporary file. It leaves out tests, calls of which the oracle says nothing, and
calls of what a table of functions holds, which no oracle sees. A compiler does not see what a parameter holds
either. The script judges by definition: a call is right if it leads to the definition that runs, and nowhere else.

| word | the call leads to |
|---|---|
| right | the definition that the oracle names, or one of them |
| another overload | a function of the same qualified name with other parameters. Precision and recall take it for right |
| declaration | a declaration of the right function, or the class in place of its constructor. Wrong |
| another platform | a definition of the same name and parameters that the oracle's build leaves out. Wrong |
| wrong | another function |
| wrong caller | the right definition, but from a caller that the oracle knows by another name |
| outside | a function of the index. But the oracle says that the call leaves the checkout, or goes through a pointer. Wrong |
| no call | a function of the index, where the oracle sees no call. Wrong |
| missed | nothing. Ambiguous calls are missed. *Among candidates* of those, the right definition is a candidate |
| neutral | another definition for another platform, while the right one is linked too, or what the oracle cannot decide |

*Edges* are pairs of definitions: who calls whom, each pair once. *Sites* are the places of calls. A site needs the name in
the line, so edges alone count what macros call. Edges that the oracle does not require are right if they are there:
constructors of variables, operators and conversions. The last table counts edges by their highest confidence.

usage: bench_sites.py ROOT SITES [--db DB] [--misses N]
"""

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw

from code_graph_indexer import CodeIndexer
from code_graph_indexer.resolve.resolution import PASSED, TABLE

WORD = re.compile(rb"[A-Za-z_]\w*")
MACRO_USE = re.compile(r"^[A-Z]\w+\(.*\)$")
CONVERSION = "operator "
GOOD = ("right", "another overload")
BAD = ("declaration", "another platform", "wrong", "wrong caller", "outside", "no call")
CLASSES = frozenset({"class", "struct", "union", "interface", "record", "enum"})
FUNCTIONS = frozenset({"function", "method"})
REQUIRED = frozenset({"call", "new", "macro"})
OPEN = frozenset({"dependent", "dropped"})

CHUNKS = (
    "select c.id, f.path, c.kind, c.name, c.qualified_name, c.signature, c.start_line, c.name_line, c.def_end_line, "
    "c.has_body, c.parent_id from chunks as c join files as f on f.id = c.file_id"
)

CALLS = (
    "select f.path, r.line, r.name, r.source_id, r.target_id, coalesce(r.confidence, 0), "
    "(select group_concat(x.chunk_id) from candidates as x where x.source_id = r.source_id and x.ordinal = r.ordinal), "
    "r.origin from refs as r join chunks as s on s.id = r.source_id join files as f on f.id = s.file_id "
    f"where r.kind = 'calls' and not f.is_test and r.confidence is not {TABLE}"
)


class Chunk(NamedTuple):
    """A definition or declaration of an index."""

    id: int
    path: str
    kind: str
    name: str
    qualified_name: str
    signature: str
    start_line: int
    name_line: int
    end_line: int
    has_body: bool
    parent_id: int | None

    @property
    def parameters(self) -> str:
        """Return the text between the brackets of the signature, without spaces."""
        return "".join(self.signature.partition("(")[2].rpartition(")")[0].split())

    def is_private_beside(self, chunk: "Chunk") -> bool:
        """Say whether this is a function of one file alone, and `chunk` stands in another file."""
        return self.path != chunk.path and self.kind == "function" and "static" in self.signature.split()


class Call(NamedTuple):
    """A call of an index, and the definitions that may be meant if none is sure."""

    path: str
    line: int
    name: str
    source: int
    target: int | None
    confidence: float
    candidate_ids: str | None
    origin: str | None

    @property
    def candidates(self) -> set[int]:
        """Return the chunks that may be meant."""
        return set(map(int, self.candidate_ids.split(","))) if self.candidate_ids else set()


class Place(NamedTuple):
    """The lines of a definition. A last line of 0 says that the oracle does not know it."""

    path: str
    first: int
    last: int
    name: str


class Site(NamedTuple):
    """A call as the oracle sees it. Without targets, it leaves the checkout."""

    path: str
    line: int
    name: str
    kind: str
    targets: tuple[Place, ...]
    caller: Place | None

    @property
    def is_sure(self) -> bool:
        """Say whether the oracle has named what runs."""
        return self.kind not in OPEN


Node = int | Place
"""A definition: a chunk of the index, or the place of what the index lacks."""


class Index:
    """What an index holds of definitions and calls."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.chunks = {row[0]: Chunk(*row) for row in rows_of(connection, CHUNKS)}
        self.calls = [Call(*row) for row in rows_of(connection, CALLS)]
        self.files = {path for (path,) in rows_of(connection, "select path from files")}
        self.tests = {path for (path,) in rows_of(connection, "select path from files where is_test")}
        self.named: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
        self.macro_uses: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in self.chunks.values():
            if chunk.kind == "function" and MACRO_USE.search(chunk.name):
                self.macro_uses[chunk.path].append(chunk)
            name = CONVERSION if chunk.name.startswith(CONVERSION) else chunk.name
            self.named[chunk.path, name].append(chunk)
        self.nodes: dict[Place, Node] = {}

    def node(self, place: Place) -> Node:
        """Return the chunk at a place, or the place if none has its name and lines."""
        if place not in self.nodes:
            self.nodes[place] = self.look_up(place)
        return self.nodes[place]

    def look_up(self, place: Place) -> Node:
        """Look for the function, or else the class, that stands where the oracle says.

        A function that a macro of another file makes has the name of the macro's use.
        """
        # A conversion's type has several names.
        name = CONVERSION if place.name.startswith(CONVERSION) else place.name
        chunks = self.named[place.path, name] or self.macro_uses[place.path]
        if place.last:
            fits = [chunk for chunk in chunks if chunk.start_line <= place.last and place.first <= chunk.end_line]
        else:
            fits = [chunk for chunk in chunks if chunk.start_line <= place.first <= chunk.end_line]
        # A constructor has the name of the class around it. The name on the right lines is the function's.
        last = place.last or place.first
        fits.sort(key=lambda chunk: (not place.first <= chunk.name_line <= last, chunk.end_line - chunk.start_line))
        return fits[0].id if fits else place

    def caller(self, source: int, places: set[Node]) -> Node:
        """Return the nearest definition around a chunk that the oracle knows too, or else the function itself or the file."""
        chunk: Chunk | None = self.chunks[source]
        while chunk is not None:
            if chunk.id in places:
                return chunk.id
            chunk = self.chunks.get(chunk.parent_id or -1)
        return source if self.chunks[source].kind in FUNCTIONS else file_of(self.chunks[source].path)


def rows_of(connection: apsw.Connection, sql: str) -> list[Any]:
    """Return the rows of a query."""
    return list(cast("Iterable[Any]", connection.execute(sql)))


def index(root: Path, db: Path, scip: Path | None = None) -> apsw.Connection:
    """Index a checkout and open what came out."""
    with CodeIndexer(root, db=db) as indexer:
        indexer.index(full=True, scip=[scip] if scip else [])
    return apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)


def file_of(path: str) -> Place:
    """Return what calls outside all functions of a file."""
    return Place(path, 0, 0, "")


def place_of(text: str, name: str) -> Place:
    """Read PATH:FIRST:LAST."""
    path, first, last = text.rsplit(":", 2)
    return Place(path, int(first), int(last) if last.isdigit() and last != first else 0, name)


def caller_of(text: str) -> Place:
    """Read PATH:FIRST:LAST:NAME."""
    path, first, last, name = text.split(":", 3)
    return place_of(f"{path}:{first}:{last}", name)


class Truth:
    """What an oracle says of a checkout."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self.sites = list(sites)
        self.defined: list[Place] = []
        self.compiled: dict[str, list[tuple[int, int]]] = defaultdict(list)

    @classmethod
    def of_table(cls, table: Path) -> "Truth":
        """Read the rows that a script has written, without calls that it could not resolve."""
        truth = cls([])
        for row in table.read_text(encoding="utf-8").splitlines():
            path, line, name, kind, target, caller, *_ = [*row.split("\t"), ""]
            if kind == "defined":
                truth.defined.append(place_of(target, name))
            elif kind == "seen":
                truth.compiled[path].append((int(line), int(target.rsplit(":", 1)[1])))
            elif name not in ("super", "this") and (target != "?" or kind in OPEN):
                words = [] if target in ("external", "?") else target.split("|")
                places = tuple(place_of(word.removeprefix("declared:"), name) for word in words if word != "external")
                is_undefined = any(word.startswith("declared:") for word in words)
                source = caller_of(caller) if caller else None
                kind = "dependent" if is_undefined or (words and not places) else kind
                truth.sites.append(Site(path, int(line), name, kind, places, source))
        return truth

    @classmethod
    def of_scip(cls, index: Index) -> "Truth":
        """Take the exact calls of an index that was made with a SCIP index."""
        sites = []
        for (path, line, name), calls in by_site(index.calls).items():
            if len(calls) == 1 and calls[0].origin == "scip" and calls[0].target is not None:
                chunk = index.chunks[calls[0].target]
                sites.append(Site(path, line, name, "call", (Place(chunk.path, chunk.name_line, 0, chunk.name),), None))
        return cls(sites)

    def is_compiled(self, path: str, line: int) -> bool:
        """Say whether the oracle has read a line. An oracle that does not say has read all."""
        return not self.compiled or any(first <= line <= last for first, last in self.compiled.get(path, ()))


def by_site(calls: Iterable[Call]) -> dict[tuple[str, int, str], list[Call]]:
    """Group calls by path, line and name."""
    sites: dict[tuple[str, int, str], list[Call]] = defaultdict(list)
    for call in calls:
        sites[call.path, call.line, call.name].append(call)
    return sites


class Judge:
    """The verdicts on an index by what an oracle says."""

    def __init__(self, index: Index, truth: Truth, root: Path) -> None:
        self.index = index
        self.root = root
        self.directive_lines: dict[str, set[int]] = {}
        self.truth = truth
        if truth.compiled:
            # A compiler sees a call of a pointer, and no function behind it.
            index.calls = [call for call in index.calls if call.confidence != PASSED]
        self.sites: dict[tuple[str, int, str], list[Site]] = defaultdict(list)
        self.required: dict[Node, dict[tuple[Node, ...], Site]] = defaultdict(dict)
        self.optional: dict[Node, set[Node]] = defaultdict(set)
        self.open_names: dict[Node, set[str]] = defaultdict(set)
        self.defined = {index.node(place) for place in truth.defined}
        sources = {place: calls[0].source for place, calls in by_site(index.calls).items()}
        for site in truth.sites:
            if site.path not in index.files or site.path in index.tests:
                continue
            place = (site.path, site.line, site.name)
            self.sites[place].append(site)
            if site.kind == "dropped":
                continue
            caller: Node
            if site.caller is not None:
                caller = index.node(site.caller)
            elif truth.defined or place not in sources:
                caller = file_of(site.path)
            else:
                caller = index.caller(sources[place], set())
            nodes = tuple(sorted({index.node(target) for target in site.targets}, key=str))
            if not site.is_sure and not nodes:
                self.open_names[caller].add(site.name)
            elif site.kind in REQUIRED and nodes:
                self.required[caller].setdefault(nodes, site)
            else:
                self.optional[caller].update(nodes)

    def fate(self, target: Chunk, nodes: Sequence[Node], linked: set[int]) -> str | None:
        """Compare a call's target with the right definitions. None says that it is none of them, nor like them."""
        if target.id in nodes:
            return "right"
        for node in nodes:
            right = self.index.chunks.get(node) if isinstance(node, int) else None
            name = right.name if right else cast("Place", node).name
            if target.name != name:
                continue
            if target.kind in CLASSES:
                # A class and its constructor are two edges of one call: the constructor's is judged.
                has_constructor = any(self.index.chunks[chunk].name == name and chunk != target.id for chunk in linked)
                return "neutral" if has_constructor or self.is_inside(node, target) else "declaration"
            if not target.has_body:
                return "declaration"
            if right and target.qualified_name == right.qualified_name:
                is_same = target.parameters == right.parameters
                if not self.truth.is_compiled(target.path, target.name_line) or (is_same and not self.truth.compiled):
                    return "neutral" if node in linked else "another platform"
                if not is_same and not target.is_private_beside(right):
                    return "another overload"
        return None

    def is_constructor(self, target: Chunk) -> bool:
        """Say whether a target is a class or its constructor."""
        scopes = target.qualified_name.split(".")
        return scopes[-1:] == scopes[-2:-1] or (target.kind in CLASSES and target.kind != "enum")

    def is_inside(self, node: Node, target: Chunk) -> bool:
        """Say whether a definition stands in the text of a class."""
        path, line = (node.path, node.first) if isinstance(node, Place) else self.place(node)
        return path == target.path and target.start_line <= line <= target.end_line

    def place(self, chunk: int) -> tuple[str, int]:
        """Return the path and line of a chunk's name."""
        return self.index.chunks[chunk].path, self.index.chunks[chunk].name_line

    def judge_sites(self) -> Iterator[tuple[str, Site, Chunk | None]]:
        """Yield the fate of each site, and where it leads. Of several calls in a line, any that fits is taken."""
        calls_of = by_site(self.index.calls)
        for place, sites in self.sites.items():
            calls = calls_of.get(place, [])
            linked = {call.target for call in calls if call.target is not None}
            # A macro is not what runs, but what it calls.
            targets = [chunk for target in linked if (chunk := self.index.chunks[target]).kind != "macro"]
            is_sure = bool(targets) and all(call.target is not None for call in calls)
            for site in {site.targets: site for site in sites if site.kind in ("call", "new", "pointer")}.values():
                nodes = [self.index.node(target) for target in site.targets]
                if not nodes:
                    yield "outside" if is_sure and len(sites) == 1 else "left alone", site, next(iter(targets), None)
                    continue
                fates = {self.fate(target, nodes, linked) or "wrong": target for target in targets}
                for fate in (*GOOD, "declaration", "another platform", "neutral"):
                    if fate in fates:
                        yield "right" if fate == "neutral" else fate, site, fates[fate]
                        break
                else:
                    likely = {candidate for call in calls for candidate in call.candidates}
                    if "wrong" in fates and is_sure and len(sites) == 1:
                        yield "wrong", site, fates["wrong"]
                    else:
                        yield "among candidates" if likely.intersection(nodes) else "missed", site, None

    def directives(self, path: str) -> set[int]:
        """Return the lines of a preprocessor's directives. What a macro calls is called where it is used."""
        if path not in self.directive_lines:
            lines = self.lines(path) if self.truth.compiled else []
            numbers: set[int] = set()
            for number, line in enumerate(lines, 1):
                is_continued = number - 1 in numbers and lines[number - 2].rstrip(b"\r").endswith(b"\\")
                if is_continued or line.lstrip().startswith(b"#"):
                    numbers.add(number)
            self.directive_lines[path] = numbers
        return self.directive_lines[path]

    @cached_property
    def other_macros(self) -> set[str]:
        """Return the names in the texts of macros that the oracle's build leaves out."""
        names: set[str] = set()
        for path in self.truth.compiled:
            lines = self.lines(path)
            for number in self.directives(path):
                if not self.truth.is_compiled(path, number):
                    names.update(word.decode() for word in WORD.findall(lines[number - 1]))
        return names

    def lines(self, path: str) -> list[bytes]:
        """Read a file of the checkout, as it is indexed."""
        return (self.root / path).read_bytes().split(b"\n") if path in self.index.files else []

    @cached_property
    def edges(self) -> dict[tuple[Node, int], Call]:
        """Return the calls of the index between definitions that the oracle has read, those of the highest confidence."""
        edges: dict[tuple[Node, int], Call] = {}
        for call in self.index.calls:
            kind = self.index.chunks[call.source].kind
            if call.target is None or kind == "macro" or self.index.chunks[call.target].kind == "macro":
                continue
            if not self.truth.is_compiled(call.path, call.line) or call.line in self.directives(call.path):
                continue
            if not self.truth.compiled and (call.path, call.line, call.name) not in self.sites:
                continue
            edge = (self.index.caller(call.source, self.defined), call.target)
            if edge not in edges or edges[edge].confidence < call.confidence:
                edges[edge] = call
        return edges

    def judge_edges(self) -> Iterator[tuple[str, Call, Chunk]]:
        """Yield the fate of each edge of the index."""
        linked = self.linked()
        for (caller, callee), call in self.edges.items():
            yield self.edge_fate(caller, callee, call, linked[caller]), call, self.index.chunks[callee]

    def linked(self) -> dict[Node, set[int]]:
        """Return what each caller calls in the index."""
        linked: dict[Node, set[int]] = defaultdict(set)
        for caller, callee in self.edges:
            linked[caller].add(callee)
        return linked

    def edge_fate(self, caller: Node, callee: int, call: Call, linked: set[int]) -> str:
        """Return the fate of an edge."""
        target = self.index.chunks[callee]
        required = [node for nodes in self.required[caller] for node in nodes]
        fate = self.fate(target, required, linked) or self.fate(target, [*self.optional[caller]], linked)
        if fate is not None:
            return fate
        if call.name in self.open_names[caller] or target.name in self.open_names[caller]:
            return "neutral"
        sites = self.sites.get((call.path, call.line, call.name), [])
        if not all(site.is_sure for site in sites) or (not sites and self.is_constructor(target)):
            # A compiler calls constructors of bases and members where nothing is written.
            return "neutral"
        called = [self.index.node(place) for site in sites for place in site.targets]
        if self.fate(target, called, linked) is not None:
            return "wrong caller"
        if called:
            return "wrong"
        if sites:
            return "outside"
        # Where the build leaves a function out, a macro may have its name. Or the build leaves out a macro that calls it.
        is_elsewhere = not self.truth.is_compiled(target.path, target.name_line) or target.name in self.other_macros
        return "neutral" if is_elsewhere else "no call"

    def judge_required(self) -> Iterator[tuple[str, Site]]:
        """Yield the fate of each edge that the oracle requires."""
        linked = self.linked()
        likely: dict[Node, set[int]] = defaultdict(set)
        for call in self.index.calls:
            if call.candidates:
                likely[self.index.caller(call.source, self.defined)].update(call.candidates)
        for caller, required in self.required.items():
            for nodes, site in required.items():
                fates = {self.fate(self.index.chunks[target], nodes, linked[caller]) for target in linked[caller]}
                fate = next((fate for fate in (*GOOD, "declaration", "another platform") if fate in fates), "missed")
                if fate == "missed" and likely[caller].intersection(nodes):
                    fate = "among candidates"
                yield fate, site


def shares(right: int, wrong: int, wanted: int, hit: int) -> str:
    """Write precision and recall."""
    return f"precision {100 * right / max(1, right + wrong):.1f}, recall {100 * hit / max(1, wanted):.1f}"


def spelt(target: Chunk | None) -> str:
    """Write a target of the index."""
    return f"{target.path}:{target.name_line} {target.qualified_name}" if target else "nothing"


def counts(fates: Mapping[str, int]) -> str:
    """Write the fates by number."""
    return ", ".join(f"{fate} {count}" for fate, count in sorted(fates.items(), key=lambda item: -item[1]))


def main() -> None:
    """Index, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("sites", type=Path)
    parser.add_argument("--db", type=Path, help="judge this index of ROOT, and make none")
    parser.add_argument("--misses", type=int, default=0, help="print so many of each fate that is not right")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.db:
            connection = apsw.Connection(str(arguments.db), flags=apsw.SQLITE_OPEN_READONLY)
        else:
            connection = index(arguments.root, Path(folder) / "ours.db")
        ours = Index(connection)
        if arguments.sites.suffix == ".scip":
            truth = Truth.of_scip(Index(index(arguments.root, Path(folder) / "exact.db", arguments.sites)))
        else:
            truth = Truth.of_table(arguments.sites)
    report(Judge(ours, truth, arguments.root), arguments.misses)


def report(judge: Judge, misses: int) -> None:
    """Print the figures and some of what is not right."""
    printed: Counter[tuple[str, str]] = Counter()

    def show(measure: str, fate: str, text: str) -> None:
        printed[measure, fate] += 1
        if fate not in ("right", "neutral", "left alone") and printed[measure, fate] <= misses:
            print(f"{measure}, {fate}: {text}")

    edges: Counter[str] = Counter()
    sure: dict[float, Counter[str]] = defaultdict(Counter)
    for fate, call, target in judge.judge_edges():
        edges[fate] += 1
        sure[call.confidence][fate] += 1
        sites = judge.sites.get((call.path, call.line, call.name), [])
        said = "|".join(f"{place.path}:{place.first}" for site in sites for place in site.targets)
        show("edges", fate, f"{call.path}:{call.line} {call.name} -> {spelt(target)}; truth: {said or 'none'}")
    wanted: Counter[str] = Counter()
    for fate, site in judge.judge_required():
        wanted[fate] += 1
        said = f"{site.targets[0].path}:{site.targets[0].first}"
        show("recall", fate, f"{site.path}:{site.line} {site.name} ({site.kind}) -> {said}")
    places: Counter[str] = Counter()
    for fate, site, lead in judge.judge_sites():
        places[fate] += 1
        said = "|".join(f"{place.path}:{place.first}" for place in site.targets) or "outside"
        show("sites", fate, f"{site.path}:{site.line} {site.name} -> {said}; said {spelt(lead)}")
    bad, hit = sum(edges[fate] for fate in BAD), wanted["right"] + wanted["another overload"]
    print(f"edges: {shares(edges['right'] + edges['another overload'], bad, wanted.total(), hit)}")
    print(f"  of the index: {counts(edges)}")
    judged = bad + edges["right"] + edges["another overload"]
    print(f"  that end at a declaration: {100 * edges['declaration'] / max(1, judged):.1f} %")
    print(f"  of the oracle: {counts(wanted)}")
    good, bad = places["right"] + places["another overload"], sum(places[fate] for fate in BAD)
    total = sum(count for fate, count in places.items() if fate not in ("left alone", "outside"))
    print(f"sites: {shares(good, bad, total, good)}")
    print(f"  {counts(places)}")
    for confidence, fates in sorted(sure.items(), reverse=True):
        judged = sum(fates[fate] for fate in (*GOOD, *BAD))
        if judged:
            print(
                f"confidence {confidence}: {judged} edges, right to the overload {100 * fates['right'] / judged:.1f} %"
            )


if __name__ == "__main__":
    main()
