"""Answer a question with a tour: the structure of the code it is about, then the source along the way, within a budget."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from code_graph_indexer.ask.focus import Focus
from code_graph_indexer.ask.graph_finder import GraphFinder
from code_graph_indexer.ask.relations import Relation, further_words, is_name
from code_graph_indexer.ask.route import FastPath, FastPathRouter, Route, places_of_report
from code_graph_indexer.ask.trace import without_frames
from code_graph_indexer.embedders import Embedder
from code_graph_indexer.errors import NotInIndexError
from code_graph_indexer.explore.candidates import MAX_CANDIDATES, list_candidates, list_nearest, propose_words
from code_graph_indexer.explore.change import answer_impact, quote_impact
from code_graph_indexer.explore.flow import FIRST_CALLERS, MAX_SEEDS, Flow
from code_graph_indexer.explore.literals import Literals
from code_graph_indexer.explore.meaning import MAX_CENTRES, Meaning, in_tests
from code_graph_indexer.explore.page import Page, Tour
from code_graph_indexer.explore.quotes import BEST, FIRST, LEAST, LONG, OTHERS, Quotes
from code_graph_indexer.explore.sources import SourceFiles
from code_graph_indexer.explore.topic import Topic
from code_graph_indexer.explore.unlinked import quote_naming, quote_unlinked
from code_graph_indexer.explore.wording import called, counted, hole, place_list, sureness
from code_graph_indexer.graph.code_graph import TEST_WORDS, CodeGraph, by_distance
from code_graph_indexer.graph.declared import Declared
from code_graph_indexer.graph.handed import handed_paths
from code_graph_indexer.graph.kept import KEPT, kept_paths
from code_graph_indexer.graph.names import Names
from code_graph_indexer.graph.results import Impact, Step
from code_graph_indexer.graph.sites import unreadable_code
from code_graph_indexer.graph.tables import table_paths
from code_graph_indexer.graph.walk import MAX_PATH_DEPTH, Limits
from code_graph_indexer.printable import in_line
from code_graph_indexer.results import IMPACT_DEPTH, PROVEN, Filters, SourceType, Symbol, expected_text
from code_graph_indexer.retrieval.expected import expected_words, rare_words
from code_graph_indexer.retrieval.filters import read_filters
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.retrieval.sure import doubt_of
from code_graph_indexer.settings import Settings
from code_graph_indexer.storage import Store
from code_graph_indexer.syntax.records import CLASS_KINDS
from code_graph_indexer.words import query_words

SMALL, MEDIUM = 150, 500
"""The most files of a small and of a medium repository, whose tours get smaller budgets, as in codegraph 1.6."""

BUDGETS = (3_250, 4_500, 6_000)
"""Default tokens of a tour for a small, a medium and a large repository. Some hosts cut replies above 25,000 characters."""

MATCHED_SHARE = 0.7
"""The share of the weight of a question's words in its first result from which on no doubt is said."""

WALK_SECONDS = 1.0
"""The most seconds of one walk through the graph, so that a tour of several walks takes few seconds."""

POSSIBLE_DEPTH = 4
"""The most known calls on each side of a call that is linked to nothing."""

MAX_RESULTS = 20
"""The most results of the search that a tour for a concept begins with."""

MAX_FURTHER = 8
"""The most definitions behind those of the flow that are quoted, if they fit."""

MAX_AROUND = 15
"""The most callers or callees that are listed of a definition, unless the question is about them."""

MAX_BESIDE = 6
"""The most callers or callees that are listed of a definition which a question in words has found."""

SURE, UNSURE = 9_600, 9_300
"""The most characters behind the head of the answer to a question, if it is sure and if it is not."""

MIN_DESCRIBED = 3
"""The fewest words, beside unknown names, of a question that describes a definition."""

MIN_BEYOND = 5
"""The fewest words, beside a quoted text, of a question that is not answered by the places of the text."""

OF_DOUBTED = 0.4
"""The share of the room that each definition of a doubted answer may take."""

OF_TRACE = 8_500
"""The most characters of the answer to a trace: what stands at its frames, and little of what lies around."""

DOUBTED = 4_000
"""The most characters of an answer that says its doubt."""

JOINED = 0.5
"""The calls between the definitions of an answer, for each of them, from which they hang together."""

MAX_TESTS = 8
"""The most tests that are listed of a definition, unless the question is about them."""

MAX_FIRST, MAX_FULL = 2, 4
"""The first definitions of an answer: those before what they call, and all that may take a large share of the room each."""

MAX_SITES = 3
"""The most callers that are quoted of the definitions which answer a question."""

MAX_UNREADABLE = 3
"""The most files that are named which are not in the index."""

MAX_OVERRIDES = 3
"""The most overrides of one method that a list of calls names."""

TEST_DEPTH = 3
"""The most hops from a definition to a test in a tour."""

NEAR = 0.2
"""The share of the room that a list of what is near one definition may take: callers, callees, tests, members."""

FLOW = 0.1
"""The share of the room that the calls between the definitions found take."""

LISTS = 0.45
"""The share of the room that one list may take, so that source lines follow."""

BASES = frozenset({"interface", "trait", "protocol", "class"})
"""Kinds of types that others mostly implement. Which of several definitions of a name has implementations is its kind."""

_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")
_CHANGE = re.compile(
    r"(?P<names>[\w.$:#]+(?:(?:,|,? and) [\w.$:#]+)*) in (?P<path>[\w./@+-]+\.\w+) "
    r"(?:has|have|needs?|must|will|is going|are going)(?: to)?(?: be)? chang",
    re.IGNORECASE,
)
"""Matches definitions of a file that have to change: `Cart, Order in shop/cart.py have to change`."""

_WORDS = re.compile(r"[\w.$:/#~-]+")
_EXAMPLE = re.compile(
    r"\b(?:add|adding|regist\w+|introduc\w+|creat\w+|defin\w+|support\w*)\b.*?"
    r"(?:\bsuch as|\blike|\be\.g\.,?|\bfor example|\bsimilar to|\bnext to|\bbeside) (?P<text>\S+)"
    r"(?:\s+\((?P<name>[^()]+)\))?[\s?.!]*$",
    re.IGNORECASE | re.DOTALL,
)
"""Matches a question where another of a kind is added, with an example: `where do I add an option, such as -v (verbose)?`."""


def default_budget(store: Store) -> int:
    """Return the default budget of a tour in tokens, by the number of files of an index."""
    files = store.sums().files
    return BUDGETS[(files > SMALL) + (files > MEDIUM)]


class Explorer:
    """A writer of tours through one opened index. Without an embedder, questions are searched by words alone."""

    def __init__(
        self, store: Store, embedder: Embedder | None, settings: Settings, *, root: Root | None = None
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._root = root
        self._names = Names(store)
        self._meaning = Meaning(store)
        self._flow = Flow(store)
        self._quotes = Quotes(store, self._flow)
        self._graph = CodeGraph(store)
        self._literals = Literals(store, self._graph, self._quotes, self._flow)
        self._retriever = CodeRetriever(store, embedder, root=root, folder_boost=settings.rrf_folder_boost)

    def tour(self, query: str, budget: int | None = None, *, expect: str = "", note: str = "") -> Tour:
        """Return the tour for a query: a question, names, `A -> B`, a path with lines, or a stack trace.

        `expect` has names and words that code for a question would use. `budget` is the most tokens of the text, which ends
        with `note`. Raises UsageError if a filter is not valid.
        """
        text, filters = read_filters(self._store, query)
        path = self._route(text)
        topic = Topic(_matter(path, text) if len(f"{text} {expect}".split()) > 1 else "", expect)
        page = self._page(" ".join(query.split())[:200], budget, note, topic)
        self._write(page, path, text, filters, expect)
        return _finished(page, query, path.route.value, path.reason)

    def change(self, impact: Impact, query: str, budget: int | None = None, *, note: str = "") -> Tour:
        """Return the tour of the impact of a change. `query` names the change, and the rest is as for `tour`."""
        page = self._page(f"Change of {query}", budget, note, Topic(""))
        quote_impact(page, self._store, impact, self._retriever)
        return _finished(page, query, "change", "a change")

    def _page(self, title: str, budget: int | None, note: str, topic: Topic) -> Page:
        files = SourceFiles(self._store, self._root)
        page = Page(files, default_budget(self._store) if budget is None else budget, f"# {title}", topic)
        page.note(note)
        return page

    def _route(self, text: str) -> FastPath:
        """Return what a text asks for. Beyond the router, it may list names, or what has to change in a file."""
        if names := self._meaning.listed(text):
            return FastPath(Route.NAME, "names", names)
        if match := _CHANGE.match(text):
            parts = tuple(filter(None, _LISTED.split(match["names"])))
            return FastPath(Route.GRAPH, "says what has to change", (*parts, match["path"]), Relation.IMPACT)
        path = FastPathRouter().route(text)
        # Of the output of a test run or a compiler, the places tell more than its words.
        return (places_of_report(text) or path) if path.route in (Route.CONCEPT, Route.PHRASE) else path

    def _write(self, page: Page, path: FastPath, text: str, filters: Filters, expect: str) -> None:
        is_place = path.route in (Route.PLACE, Route.TRACE)
        if self._write_text(page, path, text) or (is_place and self._places(page, path)):
            if rest := _beyond_quotes(path, text):
                page.end_at(SURE)
                self._concept(page, FastPath(Route.CONCEPT, path.reason), rest, filters, expect)
            return None
        if path.route in (Route.CONCEPT, Route.GRAPH) and (literal := self._literals.quoted(text)):
            self._literals.write(page, *literal)
            page.end_at(SURE)
            return self._concept(page, path, text, filters, expect)
        try:
            if path.relation is not None:
                return self._related(page, path.relation, path.names)
            if path.route is Route.NAME:
                return self._named(page, path.names)
        except NotInIndexError as exc:
            if path.relation is not None and _is_sentence(path, text):
                page.topic = Topic(text, expect)
                return self._concept(page, path, text, filters, expect)
            page.write(str(exc))
            unknown = [name for name in path.names if not self._meaning.knows(name)]
            for name in unknown:
                # What is no definition may be an option, a setting or a macro.
                if places := self._literals.places(name):
                    return self._literals.write(page, name, places)
            _note_unreadable(page, self._store)
            contexts = self._retriever.search(_last_names(unknown), Filters(tests=False), limit=MAX_CANDIDATES)
            return list_nearest(page, self._meaning.nearest(unknown, contexts))
        return self._concept(page, path, text, filters, expect)

    def _write_text(self, page: Page, path: FastPath, text: str) -> bool:
        """Write where a text stands that is asked for as it is, or as an example. Return whether one is."""
        if match := _EXAMPLE.search(text):
            # A letter is no text to look for, but its long name is.
            for example in (match["text"].strip("`'\"?.,!"), "-".join((match["name"] or "").split())):
                if example and (places := self._literals.places(example)):
                    page.limit(SURE)
                    self._literals.checklist(page, example, places)
                    return True
        literal = self._literals.asked(path, text) if path.route is not Route.TRACE else None
        if literal:
            self._literals.write(page, *literal)
        return bool(literal)

    # -- the kinds of tour

    def _named(self, page: Page, names: Sequence[str]) -> None:
        """Write the tour for one or several names of definitions or files."""
        centres: list[Symbol] = []
        share = max(1, MAX_CENTRES // len(names))
        for name in names:
            symbols = self._meaning.centres(name)
            if not symbols:
                self._file(page, self._names.file(name))
                continue
            if len(symbols) > share:
                page.write(f"{name} means {len(symbols)} definitions, also {place_list(symbols[share:], MAX_AROUND)}")
            centres += symbols[:share]
        if centres:
            self._around(page, list({symbol.node_id: symbol for symbol in centres}.values()))

    def _file(self, page: Page, path: str) -> None:
        """Write the tour of a file: its definitions, who imports it, and its source."""
        links = self._graph.dependents(path).files
        page.write(f"{in_line(path)}: {len(page.files.lines(path))} lines")
        symbols = self._store.file_symbols(path)
        page.list("## Definitions", [called(symbol) for symbol in symbols], share=LISTS)
        page.list("## Imported by", [f"{link.path}:{link.lines[0]}" for link in links], share=LISTS / 2)
        if not page.quote(path, range(1, len(page.files.lines(path)) + 1)):
            for symbol in symbols:
                self._quotes.definition(page, symbol)

    def _around(self, page: Page, symbols: Sequence[Symbol], *, asked: bool = True) -> None:
        """Write the tour around definitions: how they call each other, who calls them, what they call, tests, source.

        Of what was not `asked` for by name, the lists are short.
        """
        if len(symbols) > 1:
            page.list("## Definitions and the calls between them", self._flow.lines(symbols, page.topic), share=LISTS)
        else:
            page.write(called(symbols[0]))
        self._quotes.described(page, symbols)
        for symbol in symbols:
            self._quotes.definition(page, symbol, share=FIRST if len(symbols) == 1 else 1.0)
        few = symbols[: max(1, 4 - len(symbols))] if len(symbols) < 4 else symbols[:2]
        nearby: list[tuple[Symbol, int, str]] = []
        for symbol in few:
            if symbol.kind in CLASS_KINDS:
                _list_members(page, self._graph, self._meaning, symbol)
            nearby += self._neighbours(page, symbol, asked=asked)
        # What is called explains more than who calls, and both are read where there is room.
        for symbol, line, path in nearby:
            if not self._quotes.definition(page, symbol, share=OTHERS) and path:
                self._quotes.site(page, symbol, path, line)

    def _neighbours(self, page: Page, symbol: Symbol, *, asked: bool = True) -> list[tuple[Symbol, int, str]]:
        """List the callers, callees and tests of a definition. Return those to quote, each with line and path of the call.

        Callees go first that the question is about. If the definition itself was not `asked` for, its lists are short and
        without tests.
        """
        most = MAX_AROUND if asked else MAX_BESIDE
        if page.late:
            return []
        limits = Limits(tests=False, seconds=WALK_SECONDS)
        used = self._used_by(page, symbol, limits) if asked else []
        if symbol.member_id is not None:
            return used
        callers = self._graph.callers(symbol, limits)
        callees = self._graph.callees(symbol, limits)
        name = symbol.qualified_name or symbol.name
        outside = [step for step in callers.steps if asked or step.symbol.chunk_id not in self._flow.ids]
        some = f"{len(outside)} of {len(callers.steps)} callers of {name} are not above"
        registered = self._flow.registering(symbol, callers.steps)
        every = f"Callers of {name} outside of tests: {counted(callers.certainty, len(registered))}"
        title = some if len(outside) < len(callers.steps) else every
        page.list(f"## {title}", [_step(step, registered=registered) for step in outside[:most]], share=NEAR)
        _note_rest(page, len(outside), most, f"callers of {name}")
        inside = _by_topic(page, self._flow, _distinct(callees.steps))
        if asked:
            page.list(f"## {name} calls", _steps(inside[:most], there=True), share=NEAR)
            _note_rest(page, len(inside), most, f"callees of {name}")
        tests = [] if page.late or not asked else _distinct(_tests_of(self._graph, [symbol]))
        page.list(f"## Tests that reach {name}", _steps(tests[:MAX_TESTS]), share=NEAR)
        if missing := hole(callers.certainty, f"calls of the name {symbol.name} are not linked"):
            page.note(f"callers of {name} may be missing: {missing}")
        below = [(step.symbol, 0, "") for step in inside if not step.may]
        above = [(step.symbol, step.line, step.file_path) for step in _distinct(callers.steps)]
        return [*below[:4], *above[:4], *below[4:MAX_AROUND], *above[4:MAX_AROUND], *used]

    def _used_by(self, page: Page, symbol: Symbol, limits: Limits) -> list[tuple[Symbol, int, str]]:
        """List the first places that read, write or name a definition. Return those to quote, each with line and path."""
        name = symbol.qualified_name or symbol.name
        steps = self._graph.uses(symbol, limits)
        if steps or symbol.member_id is not None:
            counts = Counter(step.kind for step in steps)
            kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "none known"
            lines = [f"{step.kind}  {_step(step)}" for step in steps[:MAX_AROUND]]
            page.list(f"## Used by, of {name}: {kinds}", lines, share=NEAR)
            _note_rest(page, len(steps), MAX_AROUND, f"uses of {name}")
        return [(step.symbol, step.line, step.file_path) for step in _distinct(steps)[:MAX_AROUND]]

    def _related(self, page: Page, relation: Relation, names: Sequence[str]) -> None:
        """Write the tour for a question on relations of definitions or files."""
        if relation is Relation.PATH:
            return self._path(page, *names[:2])
        if relation in (Relation.IMPORTS, Relation.DEPENDENTS):
            return _write_imports(page, self._graph, relation, self._names.file(names[0]))
        if relation is Relation.IMPACT and len(names) > 1:
            symbols = self._meaning.in_file(names[:-1], names[-1])
        else:
            symbols = self._meaning.centres(names[0])
        if not symbols:
            return self._file(page, self._names.file(names[0]))
        if relation is Relation.IMPACT:
            impact = self._graph.impact(symbols, Limits(depth=IMPACT_DEPTH, seconds=2 * WALK_SECONDS))
            page.limit(SURE)
            return answer_impact(page, self._store, impact, self._retriever, self._quotes)
        if relation is Relation.CALLEES:
            return self._callees(page, symbols)
        if relation in (Relation.CALLERS, Relation.TESTS):
            return self._users(page, relation, [*symbols, *self._meaning.constructors(symbols)])
        return _write_types(page, self._graph, self._quotes, relation, symbols)

    def _path(self, page: Page, source: str, target: str) -> None:
        """Write the tour along the calls from one definition to another."""
        starts, goals = (self._meaning.main(self._meaning.centres(name)) for name in (source, target))
        if not starts or not goals:
            raise NotInIndexError(f"no definition of {source if not starts else target!r} in the index.")
        answer = self._graph.paths(starts, goals, Limits(depth=MAX_PATH_DEPTH, seconds=2 * WALK_SECONDS))
        if not answer.paths:
            page.write(f"No path of calls is known from {source} to {target}.")
            if missing := hole(answer.certainty, "calls that may lie on it lead nowhere known"):
                page.note(missing)
            limits = Limits(depth=POSSIBLE_DEPTH, seconds=WALK_SECONDS)
            opening, paths = _possible_ways(self._graph, self._store, starts, goals, limits)
            page.limit(UNSURE)
            if paths:
                page.write(opening)
                hops = [step.symbol for steps in paths for step in steps if step.kind.startswith(KEPT)]
                _list_kept(page, self._graph, self._quotes, list(dict.fromkeys(hops)))
                self._quotes.registrars(page, list(dict.fromkeys(hops)))
                return self._write_paths(page, starts[0], paths)
            ends = self._graph.path_ends(starts[:1], goals[:1], limits)
            page.list("## Where the known calls end", [str(end) for end in ends], share=LISTS)
            backwards = self._graph.paths(goals, starts, Limits(depth=MAX_PATH_DEPTH, seconds=WALK_SECONDS))
            if backwards.paths:
                page.write(f"The other way round there is one, from {target} to {source}:")
                return self._write_paths(page, backwards.source, backwards.paths)
            return self._around(page, [*starts[:1], *goals[:1]])
        page.write(
            f"Shortest ways: {len(answer.paths)}. Calls on each: {len(answer.paths[0])}. Edges: {counted(answer.certainty)}."
        )
        if any(step.confidence < PROVEN for step in answer.paths[0]):
            _list_kept(page, self._graph, self._quotes, goals)
        return self._write_paths(page, answer.source, answer.paths)

    def _write_paths(self, page: Page, source: Symbol, paths: Sequence[Sequence[Step]]) -> None:
        different = {tuple(step.symbol.chunk_id for step in steps): steps for steps in reversed(paths)}
        for number, steps in enumerate(reversed(different.values()), 1):
            # Both places are in full, so that no file has to be opened for the flow.
            calls = (f"{called(step.symbol)}{sureness(step)}  called at {step.file_path}:{step.line}" for step in steps)
            lines = [called(source), *(f"{'  ' * depth}→ {call}" for depth, call in enumerate(calls, 1))]
            page.list(f"## Path {number}", lines, share=LISTS)
        on_the_way = {step.symbol.chunk_id: step.symbol for steps in paths for step in steps}
        symbols = [source, *on_the_way.values()]
        # Every call along the way is quoted, even where a whole definition does not fit.
        for steps in paths:
            for before, step in zip([source, *(step.symbol for step in steps)], steps, strict=False):
                self._quotes.hop(page, before, step)
        # Of a giant on the way, the call counts.
        page.limit(SURE)
        for symbol in symbols:
            if symbol.end_line - symbol.start_line < LONG or symbol is symbols[-1]:
                self._quotes.definition(page, symbol, share=OTHERS)
            else:
                self._quotes.opening(page, symbol)
        for symbol in symbols[:3]:
            self._neighbours(page, symbol)

    def _callees(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """Write the tour for the question what a definition calls."""
        for symbol in symbols:
            answer = self._graph.callees(symbol, Limits(seconds=WALK_SECONDS))
            steps = _by_topic(page, self._flow, _distinct(answer.steps))
            page.list(f"## {called(symbol)} calls {counted(answer.certainty)}", _steps(steps, there=True), share=LISTS)
            if missing := hole(answer.certainty, "of its calls lead outside the index or nowhere known"):
                page.note(f"{symbol.qualified_name}: {missing}")
            self._quotes.definition(page, symbol, share=FIRST)
            for step in steps:
                self._quotes.definition(page, step.symbol, share=OTHERS)

    def _users(self, page: Page, relation: Relation, symbols: Sequence[Symbol]) -> None:
        """Write the tour for the question who calls a definition, or which tests reach it: each call is quoted."""
        rest = 0
        for symbol in symbols:
            if page.late:
                break
            if relation is Relation.TESTS:
                # The tests of a class are those of its methods too.
                steps: Sequence[Step] = _tests_of(self._graph, [symbol, *self._meaning.inside(symbol)])
                page.write(f"{called(symbol)}  uses in tests that reach it: {len(steps)}")
            else:
                answer = self._graph.callers(symbol, Limits(seconds=WALK_SECONDS))
                steps = [*answer.steps, *answer.references] or self._graph.uses(symbol, Limits(seconds=WALK_SECONDS))
                registered = self._flow.registering(symbol, answer.steps)
                page.write(f"{called(symbol)}  callers: {counted(answer.certainty, len(registered))}")
                page.list(
                    f"## {symbol.qualified_name} is registered, and not called, at", _steps(registered), share=NEAR
                )
                if answer.alternatives:
                    page.write(f"in another build: {place_list(answer.alternatives, 5)}")
                if missing := hole(answer.certainty, f"calls of the name {symbol.name} are not linked"):
                    page.note(f"callers of {symbol.qualified_name} may be missing: {missing}")
            if relation is Relation.TESTS and steps:
                hops = Counter(step.depth for step in _distinct(steps))
                page.write(", ".join(f"{count} {_hops(depth)}" for depth, count in sorted(hops.items())))
            unsure = [_step(step) for step in _distinct(steps) if step.may or step.confidence < PROVEN]
            page.list(f"## Not proven of {symbol.qualified_name}", unsure, share=NEAR)
            rest += self._quotes.sites(page, steps, wide=relation is Relation.CALLERS)
            if relation is Relation.CALLERS:
                quote_unlinked(page, self._store, self._quotes, symbol, steps)
        if rest:
            page.note(f"{rest} more of them are not quoted; a larger budget quotes them")
        # Its users are the answer. Without any, all there is to read is the definition.
        quote = self._quotes.opening if page.places else self._quotes.definition
        for symbol in symbols:
            quote(page, symbol)
            if span := page.files.span(symbol):
                page.put_last(symbol.file_path, *span)

    def _concept(self, page: Page, path: FastPath, text: str, filters: Filters, expect: str) -> None:
        """Write the tour for a question in words: search, then the flow through what was found, then its source."""
        query = " ".join(f'"{phrase}"' for phrase in path.phrases if '"' not in phrase) or text
        pool_size = self._settings.pool_size
        contexts = self._retriever.search(query, filters, limit=MAX_RESULTS, pool_size=pool_size, expect=expect)
        if words := expected_words(self._store, expect):
            page.write(expected_text(words))
        if not contexts:
            page.write("Nothing in the index matches. Try words or names that the code itself would use.")
            return _note_unreadable(page, self._store)
        chosen = contexts
        doubt = doubt_of(self._store, query, filters, contexts, expect)
        if path.route is Route.CONCEPT:
            focused = Focus(self._store, self._embedder, root=self._root).chosen(text, contexts, filters, expect)
            chosen = [*contexts[:1], *focused, *contexts[1:]]
        # The names in a trace of elsewhere are those of errors and minified functions.
        names = _WORDS.findall(text) if path.route is not Route.TRACE else []
        pinned = [symbol for word in names if is_name(word) for symbol in self._meaning.pinned(word)]
        # A prototype says nothing that its definition does not.
        symbols = Declared(self._store).definitions([*pinned, *self._meaning.definitions(chosen)])
        if doubt is not None and doubt.weak and not pinned:
            return _list_weak(page, self._store, symbols, doubt)
        page.limit(SURE if doubt is None else UNSURE)
        return self._quote_flow(page, path.route, symbols, contexts, doubt, rare_words(words))

    def _quote_flow(
        self,
        page: Page,
        route: Route,
        symbols: Sequence[Symbol],
        contexts: Sequence[RetrievedContext],
        doubt: Doubt | None,
        rare: Sequence[str],
    ) -> None:
        """Write the calls between the definitions of an answer, and quote these and what is near to them."""
        # A test tells less than what it tests, unless the question is about tests.
        later = in_tests if TEST_WORDS.isdisjoint(page.topic.words) else lambda _: False
        symbols = sorted((symbol for symbol in symbols if symbol.kind != "module"), key=later)
        seeds = symbols[:MAX_SEEDS]
        lines = self._flow.lines(seeds, page.topic) if seeds else []
        is_joined = self._flow.joined >= JOINED * len(seeds)
        is_doubted = doubt is not None and _is_said(doubt, route, is_joined or doubt.share >= MATCHED_SHARE)
        if doubt is not None and is_doubted:
            _say(doubt, page, symbols)
        page.list("## Definitions and the calls between them", lines, share=FLOW)
        self._quotes.described(page, seeds)
        if is_doubted:
            # Of each a little: any of them may be meant.
            for symbol in seeds:
                self._quotes.part(page, symbol, share=OF_DOUBTED)
        copies = self._quote_answer(page, seeds, contexts, rare)
        self._quote_nearby(page, seeds, symbols[MAX_SEEDS:])
        rest = [symbol for symbol in seeds if not page.shown(symbol.file_path, symbol.start_line, symbol.end_line)]
        if rest := [symbol for symbol in rest if symbol not in copies]:
            page.note(f"not quoted: {place_list(rest, 6)}")

    def _quote_answer(
        self, page: Page, seeds: Sequence[Symbol], contexts: Sequence[RetrievedContext], rare: Sequence[str]
    ) -> list[Symbol]:
        """Quote the definitions of an answer, and the first results that are none. Return the copies, which are left out."""
        # Documents and settings answer too, and are no definitions. The first of all is what was looked for.
        texts = [context for context in contexts[:3] if context.source_type is not SourceType.CODE]
        if contexts[0] in texts:
            self._quotes.context(page, texts.pop(0))
        copies = self._quotes.best(page, seeds[:MAX_FIRST])
        self._literals.quote_few(page, rare)
        self._quotes.settings(page, seeds)
        self._quotes.values(page, seeds[:MAX_FIRST])
        # What the first ones call for the matter of the question tells more than the further results.
        self._quotes.hops(page, list(self._flow.outer.values()))
        copies += self._quotes.best(page, seeds[MAX_FIRST:MAX_FULL])
        # Where the definitions call one another tells how they hang together, and costs few lines.
        for caller, line in self._flow.sites:
            self._quotes.lines(page, caller, line)
        self._quotes.deciding(page, seeds[:MAX_FULL])
        callers = self._flow.callers(page.topic) if seeds else []
        # Who calls the best definition tells when it runs, with whatever words.
        by_topic = page.topic.ordered([caller for caller, _ in callers])
        for position in sorted(by_topic, key=lambda position: position >= FIRST_CALLERS)[:MAX_SITES]:
            self._quotes.lines(page, *callers[position], whole=True)
        self._quotes.settings(page, [*seeds, *(caller for caller, _ in callers)])
        if copies:
            page.note(f"mostly the same as what is quoted: {place_list(copies, MAX_FULL)}")
        for symbol in seeds[: len(BEST)]:
            quote_naming(page, self._store, self._quotes, symbol)
        for symbol in seeds[MAX_FULL:]:
            self._quotes.part(page, symbol, share=LEAST)
        self._quotes.values(page, seeds)
        for context in texts:
            self._quotes.context(page, context)
        return copies

    def _quote_nearby(self, page: Page, seeds: Sequence[Symbol], rest: Sequence[Symbol]) -> None:
        """Quote what the definitions call and the rest, by the words of the question, and who calls the best."""
        nearby = [entry for symbol in seeds[:2] for entry in self._neighbours(page, symbol, asked=False)]
        further = list({symbol.chunk_id: symbol for symbol in (*self._flow.outer.values(), *rest)}.values())
        for position in page.topic.ordered(further)[:MAX_FURTHER]:
            self._quotes.part(page, further[position], share=LEAST)
        for symbol, line, path in [entry for entry in nearby if entry[1]][:MAX_BESIDE]:
            self._quotes.site(page, symbol, path, line)

    # -- definitions

    def _places(self, page: Page, path: FastPath) -> bool:
        """Write the tour of the places that a query names, the lines themselves first. Return whether the index has any."""
        finding = GraphFinder(self._store).find(path)
        symbols = self._meaning.definitions(self._retriever.contexts(list(finding.ranked)))[:MAX_CENTRES]
        if not symbols:
            return _note_elsewhere(page, path)
        page.write(finding.summary)
        if path.route is Route.TRACE:
            page.limit(OF_TRACE)
        lines = {frame.line for frame in path.frames}
        for symbol in symbols:
            for line in lines:
                if symbol.start_line <= line <= symbol.end_line:
                    self._quotes.lines(page, symbol, line)
        if path.route is Route.TRACE:
            self._quotes.calls_between(page, symbols)
        self._around(page, symbols, asked=path.route is Route.PLACE)
        return True


def _finished(page: Page, query: str, route: str, reason: str) -> Tour:
    """Return the tour of a page, with a note on each file that has changed."""
    for changed in sorted(page.files.changed):
        page.note(f"{changed} has changed on disk since it was indexed; its lines are quoted from disk")
    return Tour(query, route, reason, page.text(), page.places)


def _by_topic(page: Page, flow: Flow, steps: Sequence[Step]) -> list[Step]:
    """Return the callees that a question is about first, and then those that few others call."""
    steps = _few_overrides(steps)
    common = flow.common([step.symbol.chunk_id for step in steps])
    steps = sorted(steps, key=lambda step: step.symbol.chunk_id in common)
    return [steps[position] for position in page.topic.ordered([step.symbol for step in steps])]


def _matter(path: FastPath, text: str) -> str:
    """Return what a query says beyond the names that the graph answers: what is quoted of them is chosen by it."""
    if path.route in (Route.CONCEPT, Route.PHRASE):
        return text
    if path.route is Route.TRACE:
        # The message says which lines of a long function count.
        return without_frames(text)
    return " ".join(further_words(text)) if path.relation is Relation.CALLEES else ""


def _last_names(names: Sequence[str]) -> str:
    """Return the last parts of dotted names and paths, as words to search."""
    return " ".join(re.split(r"[.:#/]", name)[-1] for name in names)


def _beyond_quotes(path: FastPath, text: str) -> str:
    """Return a question without the places that it quotes, if its words ask more than the quoted text or the places answer."""
    if path.route is not Route.TRACE and (path.route is not Route.PHRASE or _EXAMPLE.search(text)):
        return ""
    rest = without_frames(text)
    words = set(query_words(rest)).difference(*(query_words(phrase) for phrase in path.phrases))
    return rest if "?" in rest and len(words) >= MIN_BEYOND else ""


def _is_sentence(path: FastPath, text: str) -> bool:
    """Say whether a question describes what it is about, as in "who calls the function that parses the Range header?".

    `Range` is no name then, but a word like the others.
    """
    return not any(map(is_name, path.names)) and len(set(query_words(text))) - len(path.names) >= MIN_DESCRIBED


def _tests_of(graph: CodeGraph, symbols: Sequence[Symbol]) -> list[Step]:
    """Return the tests that reach one of these definitions within few hops, the nearest first."""
    limits = Limits(depth=TEST_DEPTH, tests=True, seconds=WALK_SECONDS)
    return sorted((step for symbol in symbols for step in graph.callers(symbol, limits).steps), key=by_distance)


def _is_said(doubt: Doubt, route: Route, is_likely: bool) -> bool:
    """Say whether a doubt about a search is said.

    An answer is likely whose definitions call one another, or whose first one has most of the words.
    """
    return doubt.unmatched or doubt.weak or (route is Route.CONCEPT and not is_likely)


def _say(doubt: Doubt, page: Page, symbols: Sequence[Symbol]) -> None:
    """Write a doubt with words for the next question. The page ends early, because a reader may ask again.

    The lines of a message that the question quotes stand already, and are sure.
    """
    if page.places:
        return page.limit(DOUBTED)
    page.end_at(DOUBTED)
    page.write(doubt.text)
    return propose_words(page, symbols)


def _list_weak(page: Page, store: Store, symbols: Sequence[Symbol], doubt: Doubt) -> None:
    """List the candidates of a question of which hardly a word is found, with the doubt, unless a text is answered already."""
    if not page.places:
        page.write(doubt.text)
    _note_unreadable(page, store)
    list_candidates(page, store, symbols, unmatched=doubt.unmatched)


def _list_kept(page: Page, graph: CodeGraph, quotes: Quotes, goals: Sequence[Symbol]) -> None:
    """List and quote where functions are kept to be called later, as a callback or in a table."""
    for goal in goals:
        steps = graph.callers(goal, Limits(depth=1, tests=False, seconds=WALK_SECONDS)).references[:MAX_BESIDE]
        page.list(f"## {goal.qualified_name} is kept, to be called later, at", _steps(steps), share=NEAR)
        for step in steps:
            quotes.site(page, step.symbol, step.file_path, step.line)


def _list_members(page: Page, graph: CodeGraph, meaning: Meaning, symbol: Symbol) -> None:
    """List the members of a class, its bases and the classes derived from it."""
    above_and_below = graph.hierarchy(symbol, depth=3)
    inherits = [f"above: {called(step.symbol)}" for step in above_and_below.bases]
    inherits += [f"above, outside the index: {name}" for name in above_and_below.outside]
    inherits += [f"below: {called(step.symbol)}" for step in above_and_below.derived[:MAX_AROUND]]
    page.list(f"## Hierarchy of {symbol.qualified_name}", inherits, share=NEAR)
    page.list(
        f"## Members of {symbol.qualified_name}", [called(member) for member in meaning.inside(symbol)], share=NEAR
    )


def _possible_ways(
    graph: CodeGraph, store: Store, starts: Sequence[Symbol], goals: Sequence[Symbol], limits: Limits
) -> tuple[str, list[list[Step]]]:
    """Return paths with a step that is no known call, and a line that says what it is. There may be no path."""
    sources, targets = starts[:1], goals[:1]
    if paths := graph.possible_paths(sources, targets, limits):
        return "There may be one over a call that is linked to nothing, but has the right name:", paths
    if paths := table_paths(graph, store, sources, targets, limits):
        return "There may be one over a table of functions:", paths
    if paths := handed_paths(graph, store, sources, targets, limits):
        return "There may be one, because a value is handed over on the way:", paths
    if paths := graph.stored_paths(starts, goals, limits):
        name = paths[0][-1].symbol.name
        return f"{name} is not called on the way, but kept to be called later, at the last place of each path:", paths
    return "There may be one over a function that is kept to be called later:", kept_paths(
        graph, store, sources, targets, limits
    )


def _write_imports(page: Page, graph: CodeGraph, relation: Relation, path: str) -> None:
    """Write the tour for the question what a file imports, or who imports it."""
    links = graph.imports(path) if relation is Relation.IMPORTS else graph.dependents(path)
    verb = "imports" if relation is Relation.IMPORTS else "is imported by"
    page.list(f"## {path} {verb}", [f"{link.path}:{link.lines[0]}" for link in links.files])
    if links.outside:
        page.list("## From outside the repository", [", ".join(links.outside)])
    for link in links.files:
        page.quote(path if relation is Relation.IMPORTS else link.path, link.lines)


def _write_types(page: Page, graph: CodeGraph, quotes: Quotes, relation: Relation, symbols: Sequence[Symbol]) -> None:
    """Write the tour for the question what lies above or below a class, or implements a method."""
    if relation is Relation.IMPLEMENTATIONS:
        # Mostly the interface of several definitions of the name is meant.
        symbols = [symbol for symbol in symbols if symbol.kind in BASES] or symbols
    for symbol in symbols:
        if relation is Relation.IMPLEMENTATIONS:
            steps: Sequence[Step] = graph.implementations(symbol).steps
        else:
            hierarchy = graph.hierarchy(symbol, depth=5)
            steps = hierarchy.bases if relation is Relation.BASES else hierarchy.derived
            for name in hierarchy.outside if relation is Relation.BASES else ():
                page.write(f"above {symbol.qualified_name}, outside the index: {name}")
        # A check such as `var _ Handler = (*File)(nil)` stands at the top level of a file.
        steps = [step for step in steps if step.symbol.kind != "module"]
        if not steps:
            page.write(f"{called(symbol)}: no {relation} known")
        page.list(
            f"## {called(symbol)}: {len(steps)} {relation}",
            [_step(step, there=True) for step in steps],
            share=LISTS,
        )
        quotes.definition(page, symbol, share=OTHERS)
        for step in steps:
            quotes.definition(page, step.symbol, share=OTHERS)


def _note_rest(page: Page, count: int, listed: int, what: str) -> None:
    if count > listed:
        page.note(f'{count - listed} more {what}: ask "{what}"')


def _note_unreadable(page: Page, store: Store) -> None:
    """Note the files of code that are not in the index, where nothing was found: what is looked for may be there."""
    files = unreadable_code(store)
    for file in sorted(files, key=lambda file: -file.size)[:MAX_UNREADABLE]:
        page.note(f"{file.path} is not in the index: {file.error}")
    if len(files) > MAX_UNREADABLE:
        page.note(f"{len(files) - MAX_UNREADABLE} more files of code are not in the index")


def _note_elsewhere(page: Page, path: FastPath) -> bool:
    """Say that the index has none of the files that a query names."""
    paths = ", ".join(list(dict.fromkeys(frame.path for frame in path.frames))[:MAX_UNREADABLE])
    page.write(f"None of the files named is in the index: {paths}.")
    return False


def _distinct(steps: Iterable[Step]) -> list[Step]:
    """Return the first step to each definition."""
    first: dict[int, Step] = {}
    for step in steps:
        first.setdefault(step.symbol.chunk_id, step)
    return list(first.values())


def _hops(depth: int) -> str:
    return "use it directly" if depth == 1 else f"through {depth - 1} other definition{'s' if depth > 2 else ''}"


def _few_overrides(steps: Sequence[Step]) -> list[Step]:
    """Return the steps without those to overrides of one method beyond the first few, and the first of each build.

    A popular interface has hundreds of overrides. Definitions of several builds of a program do the same.
    """
    counts: Counter[str] = Counter()
    few: list[Step] = []
    builds: set[str] = set()
    for step in steps:
        counts[step.symbol.name] += step.may
        is_built_before = step.alternative and step.symbol.qualified_name in builds
        builds |= {step.symbol.qualified_name} if step.alternative else set()
        if not is_built_before and (not step.may or counts[step.symbol.name] <= MAX_OVERRIDES):
            few.append(step)
    return few


def _step(step: Step, *, there: bool = False, registered: Collection[Step] = ()) -> str:
    """Return a step as one line: the place of the call, and the definition that it leads to.

    Of the places `registered`, such as a decorator, it says that a framework calls the definition.
    """
    if there:
        return f"{called(step.symbol)}{sureness(step)}"
    by = "  (registered here)" if step in registered else ""
    return f"{step.file_path}:{step.line}  {step.symbol.qualified_name or step.symbol.file_path}{by}{sureness(step)}"


def _steps(steps: Iterable[Step], *, there: bool = False) -> list[str]:
    return [_step(step, there=there) for step in steps]
