"""Answer questions on relations and places from the graph: list the definitions in question, then the related ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from code_graph_indexer.ask.frames import TracePlaces
from code_graph_indexer.ask.relations import Relation
from code_graph_indexer.ask.route import FastPath, Route
from code_graph_indexer.ask.trace import TraceFrame
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.results import Reach, Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.results import Certainty, Symbol
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.results import SignalRank
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_MEANT = 5
"""The most definitions of an ambiguous name that are used. Further definitions are left out."""

IMPACT_DEPTH, TEST_DEPTH = 3, 4
"""The most hops from a change to an affected definition, and from a definition to a test that uses it."""

TYPES = CLASS_KINDS | {"type"}

MAX_NAMED = 12
"""The most related definitions that a summary names."""

MAX_PATH = 12
"""The most calls in a call path."""

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
"""The first words of a summary: with related definitions, and without any."""

_OF_TYPES = frozenset({Relation.BASES, Relation.SUBCLASSES})
"""Relations that only types have. An enum member of the same name is ignored."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An answer of the graph: chunks, best first, and a sentence that says what they are and how certain that is.

    Both are empty if the graph has no answer.
    """

    ranked: tuple[Fused, ...] = ()
    summary: str = ""


class GraphFinder:
    """A finder of related definitions in the graph, and of the code at places (path and line) in a text."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names = Names(store)
        self._graph = CodeGraph(store)
        self._trace = TracePlaces(store, self._names)

    def find(self, path: FastPath) -> Finding:
        """Return the graph's answer to a routed query. It is empty if the index lacks the name or place in the query."""
        if path.route in (Route.PLACE, Route.TRACE):
            return self._frames(path.frames)
        if path.relation is None:
            return Finding()
        try:
            return self._related(path.relation, path.names)
        except NotInIndexError:
            # Not an error: the pipeline then searches for the question.
            return Finding()

    def _related(self, relation: Relation, names: Sequence[str]) -> Finding:
        if relation in (Relation.IMPORTS, Relation.DEPENDENTS):
            return self._files(relation, names[0])
        if relation is Relation.PATH:
            return self._path(*names[:2])
        symbols = self._meant(names[0])
        if relation in _OF_TYPES or relation is Relation.IMPLEMENTATIONS:
            # Mostly a type is meant, but a single method of an interface has implementations too.
            types = [symbol for symbol in symbols if symbol.kind in TYPES]
            symbols = types or (symbols if relation is Relation.IMPLEMENTATIONS else [])
            if not symbols:
                return Finding()
        if relation is Relation.IMPACT:
            impact = self._graph.impact(symbols, Limits(depth=IMPACT_DEPTH))
            return self._finding(relation, symbols, impact.affected, impact.certainty)
        steps: list[Step] = []
        certainties: list[Certainty] = []
        for symbol in symbols:
            some, certainty = self._steps(relation, symbol)
            steps += some
            certainties.append(certainty)
        # Definitions of one name share their unresolved calls, so these are not added up.
        whole = Certainty(
            sum(certainty.proven for certainty in certainties),
            sum(certainty.guessed for certainty in certainties),
            sum(certainty.may for certainty in certainties),
            max(certainty.unresolved for certainty in certainties),
            any(certainty.truncated for certainty in certainties),
            max(certainty.unread for certainty in certainties),
            sum(certainty.alternative for certainty in certainties),
        )
        return self._finding(relation, symbols, steps, whole)

    def _steps(self, relation: Relation, symbol: Symbol) -> tuple[Sequence[Step], Certainty]:
        answers: dict[Relation, Callable[[], Reach]] = {
            Relation.CALLERS: lambda: self._graph.callers(symbol, Limits()),
            Relation.CALLEES: lambda: self._graph.callees(symbol, Limits()),
            Relation.TESTS: lambda: self._graph.callers(symbol, Limits(depth=TEST_DEPTH, tests=True)),
            Relation.IMPLEMENTATIONS: lambda: self._graph.implementations(symbol),
        }
        if relation in answers:
            reach = answers[relation]()
            return reach.steps, reach.certainty
        above_and_below = self._graph.hierarchy(symbol, depth=1 if relation is Relation.SUBCLASSES else MAX_MEANT)
        steps = above_and_below.derived if relation is Relation.SUBCLASSES else above_and_below.bases
        outside = above_and_below.outside if relation is Relation.BASES else ()
        return steps, Certainty(len(steps), 0, 0, len(outside), False)

    def _meant(self, name: str) -> list[Symbol]:
        """Return the definitions that a name may mean, at most MAX_MEANT.

        Tests and declarations without a body are left out, unless there is nothing else.
        """
        symbols = self._names.nodes(name)
        symbols = [symbol for symbol in symbols if not symbol.is_test] or symbols
        marks = self._store.chunk_marks([symbol.chunk_id for symbol in symbols])
        symbols = [symbol for symbol in symbols if marks.get(symbol.chunk_id) != "declaration"] or symbols
        return symbols[:MAX_MEANT]

    def _path(self, source: str, target: str) -> Finding:
        starts, goals = self._meant(source), self._meant(target)
        call_paths = self._graph.paths(starts, goals, Limits(depth=MAX_PATH))
        if call_paths.paths:
            return self._finding(Relation.PATH, [call_paths.source], call_paths.paths[0], call_paths.certainty)
        symbols = [*starts[:1], *goals[:1]]
        summary = f"No path of calls is known from {source} to {target}.{_hole(Relation.PATH, call_paths.certainty)}"
        ends = self._graph.path_ends(starts[:1], goals[:1], Limits(depth=MAX_PATH))
        known = f" The known calls end here: {'; '.join(map(str, ends))}." if ends else ""
        callers = [end.caller for end in ends]
        return Finding(self._ranked(Relation.PATH, [*symbols, *callers], ()), summary + known)

    def _files(self, relation: Relation, name: str) -> Finding:
        """Find the files that a file imports, or the files that import it.

        `name` is the file's path, its module, or a definition in the file.
        """
        path = self._file(name)
        links = self._graph.imports(path) if relation is Relation.IMPORTS else self._graph.dependents(path)
        # The first chunk stands for its file.
        chunks = [self._store.file_chunks(link.path)[0].id for link in links.files]
        own_chunk = self._store.file_chunks(path)[0].id
        verb = "imports" if relation is Relation.IMPORTS else "is imported by"
        listed = ", ".join(f"{link.path}:{link.lines[0]}" for link in links.files) or "no file of the repository"
        outside = f" From outside: {', '.join(links.outside)}." if links.outside else ""
        ranked = [
            Fused(chunk, 1.0, (SignalRank(relation, at, 1.0, 1.0),)) for at, chunk in enumerate([own_chunk, *chunks], 1)
        ]
        return Finding(tuple(ranked), f"{path} {verb} {listed}.{outside}")

    def _file(self, name: str) -> str:
        try:
            return self._names.file(name)
        except NotInIndexError:
            modules = [file.path for file in self._store.files() if name and f".{file.module}".endswith(f".{name}")]
            # Longer paths end alike, but lie in other folders.
            return min(modules, key=len) if modules else self._names.node(name).file_path

    def _finding(
        self, relation: Relation, symbols: Sequence[Symbol], steps: Sequence[Step], certainty: Certainty
    ) -> Finding:
        counts = Counter(symbol.qualified_name for symbol in symbols)
        targets = ", ".join(f"{name} ({count} definitions)" if count > 1 else name for name, count in counts.items())
        some, nothing = _SAID[relation]
        if not steps:
            summary = f"{nothing.format(targets)}."
        else:
            listed = [
                f"{step.symbol.qualified_name or step.symbol.file_path} ({step.file_path}:{step.line})"
                for step in steps
            ]
            more = f", and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
            summary = f"{some.format(len(steps), targets)}: {', '.join(listed[:MAX_NAMED])}{more}."
        return Finding(self._ranked(relation, symbols, steps), summary + _hole(relation, certainty))

    def _ranked(self, relation: Relation, symbols: Iterable[Symbol], steps: Sequence[Step]) -> tuple[Fused, ...]:
        """Rank the definitions in question, then the related ones: code before tests, near before far, sure before unsure.

        The steps of a call path keep their order.
        """

        def order(step: Step) -> tuple[bool, int, float]:
            return step.symbol.is_test and relation is not Relation.TESTS, step.depth, -step.confidence

        # The steps of a path have an order of their own.
        related = steps if relation is Relation.PATH else sorted(steps, key=order)
        sure = dict(zip(self._shown(related), (step.confidence for step in related), strict=True))
        chunks = dict.fromkeys([*(symbol.chunk_id for symbol in symbols), *sure])
        ranked: list[Fused] = []
        for rank, chunk in enumerate(chunks, 1):
            confidence = sure.get(chunk, 1.0)
            signal = SignalRank(relation.value, rank, confidence, confidence / rank)
            ranked.append(Fused(chunk, signal.contribution, (signal,)))
        return tuple(ranked)

    def _shown(self, steps: Iterable[Step]) -> Iterator[int]:
        """Yield for each step the id of the chunk to show.

        A long definition has several chunks. If the reference lies in the definition, the chunk with the reference is shown.
        """
        of_file: dict[str, list[StoredChunk]] = {}
        for step in steps:
            symbol = step.symbol
            # The reference lies outside of the definition, as a call lies outside of its callee.
            if step.file_path != symbol.file_path or not symbol.start_line <= step.line <= symbol.end_line:
                yield symbol.chunk_id
                continue
            if symbol.file_path not in of_file:
                of_file[symbol.file_path] = self._store.file_chunks(symbol.file_path)
            yield next(
                (chunk.id for chunk in of_file[symbol.file_path] if chunk.start_line <= step.line <= chunk.end_line),
                symbol.chunk_id,
            )

    def _frames(self, frames: Sequence[TraceFrame]) -> Finding:
        """Find the chunks at stack frames (path and line), the innermost first. Frames outside the repository are skipped."""
        places = self._trace.places(frames)
        ranked = tuple(
            Fused(chunk, 1.0 / at, (SignalRank("place", at, 1.0, 1.0 / at),))
            for at, chunk in enumerate(places.chunk_ids, 1)
        )
        if not ranked:
            return Finding((), "")
        outside = f" {places.outside} of the files named are not in the index." if places.outside else ""
        another = f" The text is of another version: {'; '.join(places.moved)}." if places.moved else ""
        compiled = f" {'; '.join(places.compiled[:MAX_PATH])}." if places.compiled else ""
        return Finding(ranked, f"{len(ranked)} places of {len(frames)} are in the index.{outside}{compiled}{another}")


def _hole(relation: Relation, certainty: Certainty) -> str:
    """Return the end of a summary, in brackets: counts of proven, guessed, possible and unresolved edges."""
    open_ends = {
        Relation.BASES: "outside the repository",
        Relation.CALLEES: "of its calls lead nowhere known",
        Relation.PATH: "calls that may lie on it lead nowhere known",
    }.get(relation, "calls of that name lead nowhere known")
    counted = (
        (certainty.proven, "proven"),
        (certainty.alternative, "dependent on the build"),
        (certainty.guessed, "guessed"),
        (certainty.may, "possible by dynamic dispatch"),
        (certainty.unresolved, open_ends),
        (certainty.unread, "files that may hold more were not read whole"),
    )
    parts = [f"{count} {what}" for count, what in counted if count]
    parts += ["the walk was cut short"] if certainty.truncated else []
    return f" ({'; '.join(parts)})" if parts else ""
