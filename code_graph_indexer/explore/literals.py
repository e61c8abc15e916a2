"""Find where a text stands that is no name of a definition: an option, a setting, a message with values in it, a header."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from code_graph_indexer.ask.route import FastPath, Route
from code_graph_indexer.explore.flow import Flow
from code_graph_indexer.explore.kin import Kin
from code_graph_indexer.explore.meaning import in_tests
from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.quotes import Quotes
from code_graph_indexer.explore.texts import LEAST_NAME, LINE, matching_lines
from code_graph_indexer.explore.topic import Topic, assignments, branch_end, heads, is_comment
from code_graph_indexer.explore.wording import sureness
from code_graph_indexer.graph.code_graph import CodeGraph
from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.results import Step
from code_graph_indexer.graph.walk import Limits
from code_graph_indexer.printable import in_line
from code_graph_indexer.results import PROVEN, Filters, SourceType, Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import definition_id
from code_graph_indexer.syntax.records import VALUE_KINDS
from code_graph_indexer.words import sub_words, tokens

MAX_CHUNKS = 200
"""The most chunks that are looked through for one spelling of a text."""

CODE = Filters(source_types=(SourceType.CODE.value,), tests=False)
"""Where a text is looked for first: the places that handle it must not be lost among tests and documents."""

NEAR = 30
"""The most lines of a function that is quoted whole around a place."""

MAX_PLACES, MAX_PER_FILE, FEW_PER_FILE = 24, 4, 2
"""The most places of a text that are listed, and the most of one file, and of one of many files."""

FEW_PLACES = 4
"""The most lines of a word that are few."""

MAX_DOCUMENTS = 3
"""The most documents whose lines are listed."""

MAX_QUOTED, MAX_LISTED, MAX_USES, MAX_AROUND, MAX_NAMED = 8, 16, 8, 3, 6
"""The most places that are quoted, and of a checklist, uses of what holds the text, functions around it, and namesakes."""

AHEAD, BEHIND, BEFORE = 4, 4, 8
"""The lines before and behind a place that are quoted, and those before it in which a call decides whether it is reached."""

CAUSE = 0.3
"""The share of the room that each function may take which is called just before a text."""

REST = 4_000
"""The most characters of the functions around few places of a text, when the places themselves are quoted."""

NAMING = ("references", "calls", "reads")
"""Kinds of edges of a line that registers a function or class."""

WHOLE_FILES = frozenset({"module", "section", "text"})
"""Kinds of chunks that are no definition, so that the lines around a place in them say little."""

OPENS = ("=", "(", "[", "{", ":", "\\")
"""How a line ends whose value stands in the next."""

CLOSED = frozenset("\"'`")
"""The marks of a text that stands alone in the code, and not among other words."""


class Place(NamedTuple):
    """A line that holds a text. The less its `rank`, the more it is likely to handle the text instead of mentioning it.

    `before` is what stands before the text in the line.
    """

    rank: int
    path: str
    line: int
    text: str
    node_id: int
    before: str


HANDLES, SAYS, NAMES, PROSE, TESTS = range(5)
"""The ranks: the text alone in quotes, among other words in code, in another spelling, in prose or comments, in tests."""

MAX_PARTS, MAX_CUT, MAX_RUNS, SHORTEST_RUN = 3, 4, 20, 9
"""Of a message: the most parts searched, words cut off of one, runs of words tried, and the fewest characters of a run."""

MAX_SAYING = 8
"""The most files outside of tests that hold a part of a message."""

_QUOTED = re.compile(r"([\"'`])([\w.-]+)\1")
LEAST_WORDS = 3
"""The fewest words in quotes that are a message."""

_QUOTED_TEXT = re.compile(r"(?<!\w)([\"'`])((?:(?!\1)[^\n]){1,300})\1(?!\w)")

_TOLD = re.compile(r"[\w.:>-]*\w: \S")
"""Matches a message behind a name: `Shop::EmptyCart: the cart has changed`."""

_ASKS = re.compile(
    r"\?|^\W*(?:how|why|what|when|where|which|who|does|do|is|are|can|should|explain|describe|show|find|list)\b", re.I
)
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|%[a-z]|\{\w*\}|<[^>]*>|[(\[][^)\]]*[)\]]|\S*[/\\\d]\S*|[:;|]+\s")
"""Values that a program fills into a message: in quotes or brackets, numbers, paths."""


def parts_of_message(text: str) -> list[str]:
    """Return the parts of a message that a program may hold literally, longest first. Each has several words.

    >>> parts_of_message("curl: (47) Maximum (50) redirects followed")
    ['redirects followed']
    """
    parts = [part.strip(" .,!?-=") for part in _VALUES.split(text)]
    return sorted((part for part in dict.fromkeys(parts) if len(part.split()) > 1), key=len, reverse=True)


def runs_of_message(text: str) -> list[str]:
    """Return runs of words that a program may hold literally, longest first: its parts, also without words at their ends.

    >>> runs_of_message("(28) Connection timed out after 5001 ms")
    ['Connection timed out after', 'Connection timed out', 'timed out after', 'Connection timed', 'timed out', 'out after']
    """
    runs: dict[str, None] = {}
    for part in parts_of_message(text)[:MAX_PARTS]:
        words = part.split()
        for count in range(len(words), max(1, len(words) - MAX_CUT), -1):
            runs.update((" ".join(words[start : start + count]), None) for start in range(len(words) - count + 1))
    return [run for run in runs if len(run) >= SHORTEST_RUN][:MAX_RUNS]


class Literals:
    """The places of texts in one index."""

    def __init__(self, store: Store, graph: CodeGraph, quotes: Quotes, flow: Flow) -> None:
        self._store = store
        self._flow = flow
        self._graph = graph
        self._quotes = quotes
        self._kin = Kin(store, graph, quotes)

    def asked(self, path: FastPath, text: str) -> tuple[str, list[Place]] | None:
        """Return the text that a query asks for as it stands, with its places, if code outside of tests has it."""
        texts: list[str] = []
        if path.route is Route.NAME and len(text.split()) == 1 and not text[0].isalnum():
            # In `--bind`, the marks tell that no definition is meant.
            texts = [text.strip("`'\"?")]
        elif path.route is Route.PHRASE:
            texts = [*path.phrases, *(run for phrase in path.phrases for run in runs_of_message(phrase))]
        elif len(text.split()) == 1:
            texts = [text] if path.route is Route.CONCEPT else []
        elif (path.route is Route.CONCEPT or _TOLD.match(text)) and not _ASKS.search(text):
            texts = runs_of_message(text)
        return self._said(texts, path.phrases or parts_of_message(text))

    def quoted(self, text: str) -> tuple[str, list[Place]] | None:
        """Return the message that a longer question quotes, with its places, if code outside of tests has it."""
        quoted = (match[2] for match in _QUOTED_TEXT.finditer(text))
        messages = [message for message in quoted if len(message.split()) >= LEAST_WORDS]
        return self._said([run for message in messages for run in runs_of_message(message)], messages)

    def _said(self, texts: Sequence[str], parts: Sequence[str]) -> tuple[str, list[Place]] | None:
        """Return the first of some texts that code has, with its places, and the first of each further part of a message."""
        places_of: dict[str, list[Place]] = {}
        for text in texts:
            # A message of several parts is often made at several places, each with its own.
            if places_of and (not parts or any(text in part and said in part for said in places_of for part in parts)):
                continue
            places = self.places(text)
            # What many files say is no message, but words that they share.
            if 0 < len({place.path for place in places if place.rank <= SAYS}) <= MAX_SAYING:
                places_of[text] = places
        if not places_of:
            return None
        lines = {(place.path, place.line): place for places in places_of.values() for place in places}
        return " … ".join(places_of), list(lines.values())

    def places(self, text: str) -> list[Place]:
        """Return the lines that hold a text, in this or another spelling of its words, best first, those of a file together.

        Where code only mentions `--verbose`, it may compare with `verbose` and know the marks by itself. A short text is
        looked for in quotes.
        """
        best, bare = self._places(text) | self._pasted(text), re.sub(r"^\W+", "", text)
        if (bare != text or len(text) < LEAST_NAME) and not any(place.rank == HANDLES for place in best.values()):
            forms = [f"{mark}{bare}{mark}" for mark in sorted(CLOSED)]
            if not any(place.rank <= NAMES for place in best.values()):
                forms.append(bare)
            for form in (*forms, f"`{bare}("):
                for key, place in self._places(form).items():
                    # A heading of a document is the place of its text.
                    if place.rank <= SAYS or (place.rank == PROSE and place.text.startswith("#")):
                        best[key] = place if form == bare or place.rank == PROSE else place._replace(rank=HANDLES)
        first: dict[str, int] = {}
        for place in sorted(best.values(), key=lambda place: place.rank):
            first.setdefault(place.path, place.rank)
        return sorted(best.values(), key=lambda place: (first[place.path], place.path, place.rank, place.line))

    def _places(self, text: str) -> dict[tuple[str, int], Place]:
        """Map paths and numbers to the lines that hold a text, only with the marks that it begins with."""
        spelled = re.compile(rf"(?<![\w]){re.escape(text.strip())}(?!\w)" if text[:1].isalnum() else re.escape(text))
        words = _parts(text)
        joined = len(words) > 1 and " " not in text.strip()
        forms = [text, *(mark.join(words) for mark in ("_", "-", "") if joined)]
        pattern = (
            re.compile(rf"(?<![^\W_]){'[-_.]?'.join(map(re.escape, words))}(?![^\W_])", re.I) if joined else spelled
        )
        wide = re.compile(f"{spelled.pattern}|{pattern.pattern}", re.I if joined else 0)
        return self._matching([form for form in forms if len(form) >= LEAST_NAME], spelled, wide)

    def _pasted(self, text: str) -> dict[tuple[str, int], Place]:
        """Map paths and numbers to the lines that hand the end of a name to a macro which makes the name: `OP_ ## id`."""
        for mark in re.finditer("_", text):
            start, end = text[: mark.end()], text[mark.end() :]
            paste = re.compile(rf"(?<!\w){re.escape(start)}\s*##")
            if len(end) >= LEAST_NAME and self._matching([f"{start}##", f"{start} ##"], paste, paste):
                argument = re.compile(rf"[(,]\s*{re.escape(end)}\s*[,)]")
                return {
                    key: place._replace(rank=min(place.rank, HANDLES)) if place.rank <= NAMES else place
                    for key, place in self._matching([end], argument, argument).items()
                }
        return {}

    def _matching(
        self, forms: Sequence[str], spelled: re.Pattern[str], wide: re.Pattern[str]
    ) -> dict[tuple[str, int], Place]:
        """Map paths and numbers to the lines of chunks that have a form and match `wide`. `spelled` is the plain text."""
        chunks = {}
        for form in dict.fromkeys(forms):
            for filters in (CODE, Filters()):
                hits = self._store.substrings(form, filters, MAX_CHUNKS)
                chunks.update({chunk.id: chunk for chunk in self._store.chunks(hits.ids.tolist())})
        files = self._store.files_of(list(chunks))
        best: dict[tuple[str, int], Place] = {}
        for chunk, number, line in matching_lines(self._store, list(chunks.values()), wide):
            marks = files[chunk.id].marks if chunk.id in files else ()
            match = spelled.search(line) or wide.search(line)
            before = line[: match.start()] if match else ""
            place = Place(_rank(line, spelled, marks), chunk.path, number, line.strip(), definition_id(chunk), before)
            key = (chunk.path, number)
            best[key] = min(place, best.get(key, place))
        return best

    def write(self, page: Page, text: str, places: Sequence[Place]) -> None:
        """Write a page on a text: where it is handled and what holds it, and then where it is mentioned."""
        self._list(page, f"## Lines that hold {in_line(text)}", places)
        self._quote_places(page, places, ahead=AHEAD)
        handling = [place for place in places if place.rank <= SAYS][:MAX_QUOTED]
        nodes = self._store.nodes(list({place.node_id for place in handling}))
        self._holders(page, handling)
        self._quotes.values(page, list(nodes.values()))
        around = dict.fromkeys(place.node_id for place in handling if place.rank == places[0].rank)
        self._callers(page, [nodes[node_id] for node_id in around if node_id in nodes][:MAX_AROUND])
        if len(nodes) <= MAX_AROUND:
            self._quote_causes(page, list(nodes.values()), handling)
            # There is room left, and what happens before and after the text is a part of the answer.
            least = page.room - REST
            for node in nodes.values():
                if node.kind in FUNCTIONS and page.room > least:
                    self._quotes.definition(page, node, share=CAUSE * (page.room - least) / page.room)

    def quote_few(self, page: Page, words: Sequence[str]) -> None:
        """Quote the lines of code that hold words which hardly any code has, unless the page has them."""
        for word in words:
            places = [place for place in self._places(word).values() if place.rank <= NAMES]
            new = [place for place in places if not page.quotes(place.path, place.line)]
            if len(places) <= FEW_PLACES and len(new) == len(places):
                self._quote_places(page, places[:FEW_PER_FILE])

    def _quote_causes(self, page: Page, around: Sequence[Symbol], places: Sequence[Place]) -> None:
        """Quote what the functions around a few places of a text call just before: it decides what is said."""
        near = {(place.node_id, line) for place in places for line in range(place.line - BEFORE, place.line + 1)}
        calls = self._store.edges([symbol.chunk_id for symbol in around], "calls", incoming=False)
        callees = [edge.chunk_id for edge in calls if edge.confidence >= PROVEN and (edge.of, edge.line) in near]
        for symbol in list(self._store.nodes(list(dict.fromkeys(callees))).values())[:MAX_AROUND]:
            self._quotes.definition(page, symbol, share=CAUSE)

    def checklist(self, page: Page, text: str, places: Sequence[Place]) -> None:
        """Write a page that lists each place of an example, so that another one is added beside it everywhere."""
        page.write(
            f"{in_line(text)} stands at the places below. Another one needs a line beside each that registers it."
        )
        places = self._beside(page.topic, text, places)
        self._list(page, f"## Where {in_line(text)} is listed", places)
        # The first places of more files tell more than all of one, but the first files are meant most.
        files = list(dict.fromkeys(place.path for place in places))
        turns = {place: sum(place.path == before.path for before in places[:nth]) for nth, place in enumerate(places)}
        ordered = sorted(places, key=lambda place: turns[place] + files.index(place.path) / 2)
        self._quote_places(page, ordered, MAX_LISTED)
        handling = [place for place in places if place.rank <= SAYS][:MAX_QUOTED]
        registered = self._registered(handling, text)
        for symbol in registered[:MAX_AROUND]:
            self._quotes.definition(page, symbol, share=0.2)
        self._callers(page, self._makers(handling, text)[:MAX_AROUND])
        self._holders(page, handling, self._named(text))
        for symbol in self._rows(page, [place for place in handling if place.rank == HANDLES]):
            self._quotes.opening(page, symbol)
        self._kin.write(page, text, registered)
        # Where there is room left, the whole of what another one would be written like tells most.
        for place in ordered[:MAX_LISTED]:
            if place.rank <= NAMES and page.quotes(place.path, place.line):
                end = branch_end(page.files.lines(place.path), place.line)
                page.quote(place.path, range(place.line, end + 1), share=CAUSE)

    def _rows(self, page: Page, places: Sequence[Place]) -> list[Symbol]:
        """Return what the quoted entries of a table name below a text: its variable, its handler. What many name is common."""
        lines = {
            (place.node_id, line)
            for place in places
            for line in range(place.line, branch_end(page.files.lines(place.path), place.line) + 1)
            if page.quotes(place.path, line)
        }
        ids = list({place.node_id: None for place in places})
        edges = [edge for kind in NAMING for edge in self._store.edges(ids, kind, incoming=False)]
        named = dict.fromkeys(edge.chunk_id for edge in edges if (edge.of, edge.line) in lines)
        often = Counter(edge.chunk_id for edge in edges)
        nodes = self._store.nodes([chunk_id for chunk_id in named if often[chunk_id] <= MAX_AROUND])
        return list(nodes.values())[:MAX_NAMED]

    def _beside(self, topic: Topic, text: str, places: Sequence[Place]) -> list[Place]:
        """Return the places of an example and of the names made of it, such as `FishImporter`, by what else is asked.

        The lines of a file stay together. Of many files, those are meant that have most further words of the question.
        A file of the name of the example is the example itself, and says once that another one needs such a file.
        """
        as_text = {(place.path, place.line): place for place in self._with_short(text, places)}
        of = _by_file(self._made_of(text) | as_text, as_text)
        example = {path for path, places in of.items() if len(places) > MAX_PER_FILE and _is_named(path, text)}
        of.update((path, of[path][:1]) for path in example)
        scores = _telling(of, topic, text)
        ranks = {path: min(place.rank for place in few) for path, few in of.items()}
        ordered = sorted(of, key=lambda path: (ranks[path] >= PROSE, path in example, -scores[path], ranks[path], path))
        return [place for path in ordered for place in of[path]]

    def _made_of(self, text: str) -> dict[tuple[str, int], Place]:
        """Return the places of the names that are made of an example, by path and line."""
        if not text.isalpha():
            return {}
        forms = "|".join((rf"(?<![a-zA-Z]){text.lower()}(?![a-z])", rf"{text.capitalize()}(?![a-z])"))
        forms += rf"|(?<![A-Z]){text.upper()}(?![A-Z])"
        spelled = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        return self._matching([text.lower(), text.capitalize(), text.upper()], spelled, re.compile(forms))

    def _with_short(self, text: str, places: Sequence[Place]) -> list[Place]:
        """Add the places of shorter names of an example, which stand beside it in code: `get("x-icon", "icon")`.

        A short name with many places is a word of its own.
        """
        parts = set(_parts(text))
        beside = {key for place in places if place.rank == HANDLES for _, key in _QUOTED.findall(place.text)}
        short = sorted(key for key in beside if key.lower() != text.lower() and set(_parts(key)) < parts)
        added = list(places)
        for name in short:
            forms = [f"{mark}{name}{mark}" for mark in sorted(CLOSED)]
            of_name = [place for form in forms for place in self._places(form).values() if place.rank <= SAYS]
            if len({place.path for place in of_name}) <= MAX_SAYING:
                added += [place._replace(rank=HANDLES) for place in of_name]
        return added

    def _registered(self, places: Sequence[Place], text: str) -> list[Symbol]:
        """Return the functions and classes that lines with a text name, and that are named as it is."""
        ids = list({place.node_id: None for place in places})
        lines = {(place.node_id, place.line) for place in places}
        edges = [edge for kind in NAMING for edge in self._store.edges(ids, kind, incoming=False)]
        nodes = self._store.nodes([edge.chunk_id for edge in edges if (edge.of, edge.line) in lines])
        words = set(_parts(text))
        return [node for node in nodes.values() if node.member_id is None and words <= set(sub_words(node.name))]

    def _makers(self, places: Sequence[Place], text: str) -> list[Symbol]:
        """Return the functions around these places that are named as a text is: whoever calls them registers it."""
        nodes = self._store.nodes(list(dict.fromkeys(place.node_id for place in places)))
        words = set(_parts(text))
        return [node for node in nodes.values() if node.kind in FUNCTIONS and words <= set(sub_words(node.name))]

    def _named(self, text: str) -> list[Symbol]:
        """Return the few constants and members whose names have the words of a text, such as SEQ for `--seq`."""
        words = _parts(text)
        forms = {mark.join(words) for mark in ("_", "")}
        members = [symbol for symbol in self._store.symbols(sorted(forms)) if symbol.member_id is not None]
        return members if len(members) <= MAX_NAMED else []

    def _quote_places(self, page: Page, places: Sequence[Place], most: int = MAX_QUOTED, *, ahead: int = 1) -> None:
        """Quote the places in code, or those in prose if there are no others."""
        quoted = [place for place in places if place.rank <= NAMES][:most] or places[:most]
        nodes = self._store.nodes(list({place.node_id for place in quoted}))
        for place in quoted:
            self._quote(page, place.path, place.line, nodes.get(place.node_id), ahead=ahead)

    @staticmethod
    def _list(page: Page, title: str, places: Sequence[Place]) -> None:
        """List places, a few of each file, and of a file of tests the first."""
        lines: list[str] = []
        documents = 0
        # Of many files, the first line of each tells more than all lines of the first ones.
        files = len({place.path for place in places if place.rank <= NAMES})
        most = MAX_PER_FILE if files * MAX_PER_FILE <= MAX_PLACES else FEW_PER_FILE
        for path, group in groupby(places, key=lambda place: place.path):
            of_file = list(group)
            # Documents repeat one another, often in several languages of people.
            documents += all(place.rank == PROSE for place in of_file)
            if documents > MAX_DOCUMENTS and of_file[0].rank == PROSE:
                continue
            few = of_file[: 1 if any(place.rank == TESTS for place in of_file) else most]
            lines += [f"{path}:{place.line}  {place.text[:LINE]}" for place in few]
            if len(of_file) > len(few):
                lines.append(f"  and {len(of_file) - len(few)} more lines of {path}")
        if documents > MAX_DOCUMENTS:
            lines.append(f"and {documents - MAX_DOCUMENTS} more documents")
        rest = max(0, len(lines) - MAX_PLACES)
        page.list(title, [*lines[:MAX_PLACES], *([f"and {rest} more lines"] if rest else [])], share=0.5)

    @staticmethod
    def _quote(page: Page, path: str, line: int, around: Symbol | None, *, ahead: int = 1) -> None:
        """Quote a line in its branch, with the lines behind it as far as they stand deeper or are few."""
        if page.files.site(path, line) is None:
            return
        lines = page.files.lines(path)
        if around is None or around.kind in WHOLE_FILES or not around.start_line <= line <= around.end_line:
            page.quote(path, range(max(1, line - 1), min(len(lines), line + 1) + 1), share=0.2)
            return
        first, last = around.start_line, around.end_line
        if last - first < NEAR and page.quote(path, range(first, last + 1), share=0.2):
            return
        around_it = heads(lines, first, line)
        above = assignments(lines, first, [line, *around_it[:1]])
        numbers = {first, *above, *around_it, *range(max(first, line - ahead), min(last, line + BEHIND) + 1)}
        page.quote(path, numbers, share=0.2)

    def _callers(self, page: Page, symbols: Sequence[Symbol]) -> None:
        """List and quote the first calls of the functions that handle the text."""
        for symbol in symbols:
            steps = (
                self._graph.callers(symbol, Limits(tests=False, seconds=1.0)).steps if symbol.kind in FUNCTIONS else ()
            )
            registering = self._flow.registering(symbol, steps)
            steps = tuple(step for step in steps if not in_tests(step.symbol) and step not in registering)
            page.list(f"## Callers of {symbol.qualified_name}", _steps(steps, MAX_AROUND), share=0.2)
            for step in steps[:1]:
                self._quote(page, step.file_path, step.line, step.symbol)

    def _holders(self, page: Page, places: Sequence[Place], named: Sequence[Symbol] = ()) -> None:
        """List and quote who uses what is defined or written where the text stands, or is `named` so: these lines act on it."""
        holders = {symbol.node_id: (symbol, "is named so") for symbol in named} | self._holding(page, places)
        for holder, why in holders.values():
            steps = self._graph.uses(holder, Limits(tests=False, seconds=1.0))
            steps = [step for step in steps if step.kind == "reads"]
            if steps:
                page.quote(holder.file_path, [holder.start_line])
                name = holder.qualified_name or holder.name
                page.list(f"## {name} {why}, and is read by", _steps(steps, MAX_USES), share=0.3)
            for step in steps[:MAX_USES]:
                self._quote(page, step.file_path, step.line, step.symbol)

    def _holding(self, page: Page, places: Sequence[Place]) -> dict[int, tuple[Symbol, str]]:
        """Map the nodes of the constants and fields that are defined or written at these places to their symbols, and why."""
        edges = self._store.edges(list({place.node_id: None for place in places}), "writes", incoming=False)
        written = self._store.nodes(list({edge.chunk_id: None for edge in edges}))
        symbols = {path: self._store.file_symbols(path) for path in {place.path: None for place in places}}
        holders: dict[int, tuple[Symbol, str]] = {}
        for place in places:
            for symbol in symbols[place.path]:
                if symbol.kind in VALUE_KINDS and symbol.start_line <= place.line <= symbol.end_line:
                    holders[symbol.node_id] = symbol, f"is defined at {place.path}:{symbol.start_line}"
            above = page.files.lines(place.path)[place.line - 2 : place.line - 1]
            before = {place.line: place.before}
            if above and above[0].rstrip().endswith(OPENS):
                before[place.line - 1] = above[0]
            writes = [
                (edge.line, before[edge.line].rfind(written[edge.chunk_id].name), edge)
                for edge in edges
                if edge.of == place.node_id and edge.line in before and edge.chunk_id in written
            ]
            # Of several values in a line, such as `name: "seq", usage: "…"`, the nearest name before the text gets it.
            if last := max((write for write in writes if write[1] >= 0), key=lambda write: write[:2], default=None):
                possibly = "" if last[2].confidence >= PROVEN else "possibly "
                holders[last[2].chunk_id] = written[last[2].chunk_id], f"is {possibly}written at {place.path}:{last[0]}"
        return holders


def _telling(of: Mapping[str, Sequence[Place]], topic: Topic, text: str) -> dict[str, float]:
    """Return how much the places of each file say of a question beside its example: a word in few files says most."""
    words = topic.words - topic.hits(text)
    hits = {path: topic.hits(f"{path} {' '.join(place.text for place in few)}") & words for path, few in of.items()}
    counts = Counter(word for shared in hits.values() for word in shared)
    return {path: math.fsum(1 / counts[word] for word in shared) for path, shared in hits.items()}


def _by_file(every: dict[tuple[str, int], Place], as_text: Container[tuple[str, int]]) -> dict[str, list[Place]]:
    """Group the places of an example and of names made of it by file. Those `as_text` are all of them lines of the example."""
    of: dict[str, list[Place]] = defaultdict(list)
    for (path, line), place in sorted(every.items()):
        # Of names in lines that follow one another, the first stands for all, but a comment for none.
        above = every.get((path, line - 1))
        if (path, line) in as_text or above is None or above.rank == PROSE:
            of[path].append(place)
    return {path: _registering(places) for path, places in of.items()}


def _registering(places: Sequence[Place]) -> list[Place]:
    """Return the places of a file without comments, if it has others."""
    return [place for place in places if place.rank != PROSE] or list(places)


def _is_named(path: str, text: str) -> bool:
    """Say whether a file, or a folder around it, has the name of an example."""
    words = _parts(text)
    names = [_parts(name) for name in path.split("/")]
    return any(words == name[at : at + len(words)] for name in names for at in range(len(name)))


def _parts(text: str) -> list[str]:
    """Return the words of a name."""
    return [part for token in tokens(text) for part in sub_words(token)]


def _steps(steps: Sequence[Step], most: int) -> list[str]:
    """Return the first steps as lines, each with its place, and the number of the rest."""
    lines = [
        f"{step.file_path}:{step.line}  {step.symbol.qualified_name}{sureness(step, kind=False)}"
        for step in steps[:most]
    ]
    return [*lines, f"and {len(steps) - most} more"] if len(steps) > most else lines


def _rank(line: str, spelled: re.Pattern[str], marks: Sequence[str]) -> int:
    """Return the rank of a line that holds a text. `marks` are those of its file."""
    if "test" in marks or "generated" in marks or "vendored" in marks:
        return TESTS
    text = line.lstrip()
    match = spelled.search(line)
    # A line of help that begins with `--verbose` is no comment.
    if "text" in marks or (is_comment(line) and (match is None or spelled.match(text) is None)):
        return PROSE
    if match is None:
        return NAMES
    before, behind = line[: match.start()].rstrip("-/$%@#. "), line[match.end() :]
    return HANDLES if before[-1:] in CLOSED and behind[:1] in CLOSED else SAYS
