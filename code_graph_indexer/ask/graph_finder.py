"""Answer questions on relations and places from the graph: the definitions asked about, then what they are related to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from code_graph_indexer.ask.relations import Relation
from code_graph_indexer.ask.route import FastPath, Route
from code_graph_indexer.ask.trace import Frame
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph import CodeGraph, Limits, Names
from code_graph_indexer.results import Certainty, SignalRank, Step, Symbol
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_MEANT = 5
"""Definitions of a name that is not unique whose relations are given."""

IMPACT_DEPTH, TEST_DEPTH = 3, 4
"""Hops that a change is followed, and that a test may be away."""


TYPES = CLASS_KINDS | {"type"}

MAX_NAMED = 12
"""Related definitions named in a summary."""

MAX_PATH = 12
"""Calls of the longest path looked for."""

_SAID = {
    Relation.CALLERS: ("{} callers of {}", "No caller of {} is known"),
    Relation.CALLEES: ("{} called by {}", "Nothing is known to be called by {}"),
    Relation.BASES: ("{} above {}", "Nothing of the repository is above {}"),
    Relation.SUBCLASSES: ("{} derived from {}", "Nothing is known to be derived from {}"),
    Relation.IMPLEMENTATIONS: ("{} implementations of {}", "No implementation of {} is known"),
    Relation.PATH: ("{} calls on the shortest path from {}", ""),
    Relation.IMPACT: ("{} affected by a change of {}", "Nothing is known to be affected by a change of {}"),
    Relation.TESTS: ("{} uses in tests of {}", "No test is known to use {}"),
}
"""How an answer begins: with how many are related to what, or that none is known."""

_OF_TYPES = frozenset({Relation.BASES, Relation.SUBCLASSES})
"""Relations that only types have: an enum member of the same name is not meant."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the graph says: chunks, best first, and in words what they are and how sure that is."""

    ranked: tuple[Fused, ...] = ()
    summary: str = ""


class GraphFinder:
    """Find what a question to the graph, or a text with places in it, is about."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names = Names(store)
        self._graph = CodeGraph(store)

    def find(self, asked: FastPath) -> Finding:
        """Return what is known; nothing where a name or place is not in the index."""
        if asked.route in (Route.PLACE, Route.TRACE):
            return self._frames(asked.frames)
        if asked.relation is None:
            return Finding()
        try:
            return self._related(asked.relation, asked.names)
        except NotInIndexError:
            return Finding()

    def _related(self, relation: Relation, names: Sequence[str]) -> Finding:
        if relation in (Relation.IMPORTS, Relation.DEPENDENTS):
            return self._files(relation, names[0])
        if relation is Relation.PATH:
            return self._path(*names[:2])
        meant = self._meant(names[0])
        if relation in _OF_TYPES or relation is Relation.IMPLEMENTATIONS:
            types = [one for one in meant if one.kind in TYPES]
            meant = types or (meant if relation is Relation.IMPLEMENTATIONS else [])
            if not meant:
                return Finding()
        if relation is Relation.IMPACT:
            found = self._graph.impact(meant, Limits(depth=IMPACT_DEPTH))
            return self._finding(relation, meant, found.affected, found.certainty)
        steps: list[Step] = []
        certainties: list[Certainty] = []
        for one in meant:
            some, certainty = self._steps(relation, one)
            steps += some
            certainties.append(certainty)
        # Each says of a definition what is not known of its name: the largest is that of all of them.
        whole = Certainty(
            sum(one.proven for one in certainties),
            sum(one.guessed for one in certainties),
            sum(one.may for one in certainties),
            max(one.unresolved for one in certainties),
            any(one.truncated for one in certainties),
        )
        return self._finding(relation, meant, steps, whole)

    def _steps(self, relation: Relation, symbol: Symbol) -> tuple[Sequence[Step], Certainty]:
        if relation is Relation.CALLERS:
            found = self._graph.callers(symbol, Limits())
            return found.steps, found.certainty
        if relation is Relation.CALLEES:
            found = self._graph.callees(symbol, Limits())
            return found.steps, found.certainty
        if relation is Relation.TESTS:
            found = self._graph.callers(symbol, Limits(depth=TEST_DEPTH, tests=True))
            return found.steps, found.certainty
        if relation is Relation.IMPLEMENTATIONS:
            found = self._graph.implementations(symbol)
            return found.steps, found.certainty
        above_and_below = self._graph.hierarchy(symbol, depth=1 if relation is Relation.SUBCLASSES else MAX_MEANT)
        steps = above_and_below.derived if relation is Relation.SUBCLASSES else above_and_below.bases
        outside = above_and_below.outside if relation is Relation.BASES else ()
        return steps, Certainty(len(steps), 0, 0, len(outside), False)

    def _meant(self, name: str) -> list[Symbol]:
        """List the definitions that a name means, tests and mere declarations only where there is nothing else."""
        found = self._names.nodes(name)
        found = [one for one in found if not one.is_test] or found
        marks = self._store.chunk_marks([one.chunk_id for one in found])
        found = [one for one in found if marks.get(one.chunk_id) != "declaration"] or found
        return found[:MAX_MEANT]

    def _path(self, source: str, target: str) -> Finding:
        for one in self._meant(source):
            for other in self._meant(target):
                found = self._graph.paths(one, other, Limits(depth=MAX_PATH))
                if found.paths:
                    return self._finding(Relation.PATH, [one], found.paths[0], found.certainty)
        ends = [*self._meant(source)[:1], *self._meant(target)[:1]]
        unknown = sum(self._store.open_calls_in(one.chunk_id) for one in ends[:1])
        hole = f" ({unknown} of the calls in {source} lead nowhere known)" if unknown else ""
        return Finding(
            self._ranked(Relation.PATH, ends, ()), f"No path of calls is known from {source} to {target}.{hole}"
        )

    def _files(self, relation: Relation, name: str) -> Finding:
        """Say what a file imports, or what imports it; the file may be named by a definition in it, or as a module."""
        path = self._file(name)
        links = self._graph.imports(path) if relation is Relation.IMPORTS else self._graph.dependents(path)
        chunks = [self._store.file_chunks(one.path)[0].id for one in links.files]
        own = self._store.file_chunks(path)[0].id
        verb = "imports" if relation is Relation.IMPORTS else "is imported by"
        listed = ", ".join(f"{one.path}:{one.lines[0]}" for one in links.files) or "no file of the repository"
        outside = f" From outside: {', '.join(links.outside)}." if links.outside else ""
        ranked = [
            Fused(chunk, 1.0, (SignalRank(relation, at, 1.0, 1.0),)) for at, chunk in enumerate([own, *chunks], 1)
        ]
        return Finding(tuple(ranked), f"{path} {verb} {listed}.{outside}")

    def _file(self, name: str) -> str:
        try:
            return self._names.file(name)
        except NotInIndexError:
            modules = [one.path for one in self._store.files() if name and f".{one.module}".endswith(f".{name}")]
            return min(modules, key=len) if modules else self._names.node(name).file_path

    def _finding(
        self, relation: Relation, meant: Sequence[Symbol], steps: Sequence[Step], certainty: Certainty
    ) -> Finding:
        named = Counter(one.qualified_name for one in meant)
        targets = ", ".join(f"{name} ({count} definitions)" if count > 1 else name for name, count in named.items())
        some, none = _SAID[relation]
        if not steps:
            summary = f"{none.format(targets)}."
        else:
            listed = [
                f"{one.symbol.qualified_name or one.symbol.file_path} ({one.file_path}:{one.line})" for one in steps
            ]
            more = f", and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
            summary = f"{some.format(len(steps), targets)}: {', '.join(listed[:MAX_NAMED])}{more}."
        return Finding(self._ranked(relation, meant, steps), summary + _hole(relation, certainty))

    def _ranked(self, relation: Relation, meant: Iterable[Symbol], steps: Sequence[Step]) -> tuple[Fused, ...]:
        """Rank the definitions asked about, then the steps: code before tests, the near before the far, the sure first."""

        def order(one: Step) -> tuple[bool, int, float]:
            return one.symbol.is_test and relation is not Relation.TESTS, one.depth, -one.confidence

        related = steps if relation is Relation.PATH else sorted(steps, key=order)
        sure = dict(zip(self._shown(related), (one.confidence for one in related), strict=True))
        chunks = dict.fromkeys([*(one.chunk_id for one in meant), *sure])
        ranked: list[Fused] = []
        for rank, chunk in enumerate(chunks, 1):
            confidence = sure.get(chunk, 1.0)
            signal = SignalRank(relation.value, rank, confidence, confidence / rank)
            ranked.append(Fused(chunk, signal.contribution, (signal,)))
        return tuple(ranked)

    def _shown(self, steps: Iterable[Step]) -> Iterator[int]:
        """Give the chunk to show of each step: of one long enough for several chunks, that in which the reference stands."""
        of_file: dict[str, list[StoredChunk]] = {}
        for step in steps:
            one = step.symbol
            if step.file_path != one.file_path or not one.start_line <= step.line <= one.end_line:
                yield one.chunk_id
                continue
            if one.file_path not in of_file:
                of_file[one.file_path] = self._store.file_chunks(one.file_path)
            yield next(
                (each.id for each in of_file[one.file_path] if each.start_line <= step.line <= each.end_line),
                one.chunk_id,
            )

    def _frames(self, frames: Sequence[Frame]) -> Finding:
        """Find the chunks at places that a text names; frames outside the repository are passed over."""
        found: dict[int, None] = {}
        for one in reversed(frames) if len(frames) > 1 else frames:
            path = self._frame_path(one.path)
            if path is None:
                continue
            last = max(one.end_line, one.line)
            inside = [
                each for each in self._store.file_chunks(path) if each.start_line <= last and one.line <= each.end_line
            ]
            found.update((each.id, None) for each in inside or self._store.file_chunks(path)[-1:])
        known = list(found)
        ranked = [
            Fused(chunk, 1.0 / at, (SignalRank("place", at, 1.0, 1.0 / at),)) for at, chunk in enumerate(known, 1)
        ]
        passed = len({one.path for one in frames if self._frame_path(one.path) is None})
        outside = f" {passed} of the files named are not in the index." if passed else ""
        return Finding(
            tuple(ranked), f"{len(known)} places of {len(frames)} are in the index.{outside}" if known else ""
        )

    def _frame_path(self, written: str) -> str | None:
        """Find the indexed file of a path as another machine wrote it: by the longest end that is known."""
        parts = [one for one in written.replace("\\", "/").split("/") if one not in ("", ".", "..")]
        for start in range(len(parts)):
            try:
                return self._names.file("/".join(parts[start:]))
            except NotInIndexError:
                continue
        return None


def _hole(relation: Relation, one: Certainty) -> str:
    """Say in words how sure an answer is, and what is not known."""
    open_ends = {
        Relation.BASES: "outside the repository",
        Relation.CALLEES: "of its calls lead nowhere known",
    }.get(relation, "calls of that name lead nowhere known")
    counted = (
        (one.proven, "proven"),
        (one.guessed, "guessed"),
        (one.may, "possible by dynamic dispatch"),
        (one.unresolved, open_ends),
    )
    parts = [f"{count} {what}" for count, what in counted if count]
    parts += ["the walk was cut short"] if one.truncated else []
    return f" ({'; '.join(parts)})" if parts else ""
