"""Answer questions that need the whole graph: unused definitions, import cycles, hubs, communities and export."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from code_graph_indexer.graph.declared import DECLARES, Declared
from code_graph_indexer.graph.fold import short_name
from code_graph_indexer.graph.folders import FILE_USES
from code_graph_indexer.graph.layers import layered
from code_graph_indexer.graph.results import Community, Hub, Unused
from code_graph_indexer.graph.sites import unreadable_files
from code_graph_indexer.languages import languages
from code_graph_indexer.picture.graph import GraphEdge, GraphExport, GraphNode
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import Edge, Store
from code_graph_indexer.storage.arrays import EDGE_KINDS, GraphArrays
from code_graph_indexer.syntax.outer import outer_blocks

CALLABLE_KINDS = frozenset({"function", "method", "macro"})
CANDIDATE_KINDS = CALLABLE_KINDS | {"class", "struct", "interface", "trait", "enum", "type", "protocol", "object"}
"""Kinds of definitions that can be listed as unused."""

USES = ("calls", "references", "inherits", "imports", "overrides")
"""Kinds of edges that prove that their target is used."""

EXPORTED = ("calls", "inherits", "overrides", "references")
"""Kinds of edges in an exported graph around definitions."""

ENTRY_NAMES = re.compile(
    r"^(_?w?t?main|__\w+__|_start|init|setUp\w*|tearDown\w*|test_?\w*|default|w?WinMain|DllMain|LLVMFuzzer\w+)$"
    # Nobody writes the name of a destructor or of an operator.
    r"|^~|^operator\W|^\W+$|^(let|and)[^\w?!]+$"
)
"""Pattern of names that a runtime, a test runner or the syntax calls by itself, such as `main` and `operator+`."""

USED_BY_NAME = CANDIDATE_KINDS - {"function", "method", "class", "object"}
"""Kinds of definitions that mostly are used without a call, such as a struct as the type of a variable."""

NOWHERE_ELSE, PUBLIC, ELSEWHERE, OVERRIDABLE, UNREAD, NAMED, REGISTERED, EXPANDED, UNRESOLVED = (
    0.95,
    0.7,
    0.6,
    0.4,
    0.4,
    0.4,
    0.3,
    0.3,
    0.2,
)
"""Confidence that a definition without a known reference is unused.

In this order: its name occurs nowhere else, the same but other repositories may use it, its name occurs elsewhere, dynamic
dispatch may reach it, its name occurs in a file that was not read whole, the name of a type or macro occurs elsewhere, a
decorator or a text may name it, a macro may stand for its name, an unresolved call has its name.
"""

MIN_PASTED = 3
"""The fewest letters of a part of a name that a macro adds, as in `RM_ ## name`."""

_PART = re.compile(
    # A text, which may end where a value is put in: "add_", f"add_{key}", "#{name}_handler", "get" + name
    r"""["'`](?:(\w{2,}_)(?:["'`{<%]|\$|\#\{)|(\w{2,})(?:["'`]\s*(?:\+|\.(?!\w))|\{\$?|\$\{|\#\{))"""
    r"""|(?:\}|%[sdr])(\w{2,})["'`]"""
    # A shell needs no quotes: _pack_${command}
    r"""|\b(\w{3,}_)\$(?=[\w{(])"""
)
"""Pattern of a part of a name in a text to which code adds the rest."""

_JOINED = re.compile(r"""%[sr]_%[sr]|\}_(?:\{|\$\{|\#\{)|\w\s*\+\s*["']_["']\s*\+\s*\w""")
"""Pattern of code that joins two parts of a name: `"%s_%s" % (start, type(value).__name__)`."""

_WORD_TEXT = re.compile(r"""["'`](_\w{4,}|\w{2,}_\w{2,})["'`]""")
"""Pattern of a text that may be the first of such parts. It has an underscore, or it would be any word."""

_UNDERSCORE = re.compile(r"""(?<!\+ )[rf]*["'`]_(?:["'`]\s*\+|\{|\$\{|\#\{|%s)""")
"""Pattern of the text `_` to which code adds the rest of a name, as in `getattr(self, "_" + name)`."""

COMPOSED = "a text holds a part of its name, and code may add the rest"
"""Why a definition is hardly unused whose name code may put together."""

SHOWN = "an example in a documentation runs it"
"""Why a definition is hardly unused that stands in an example which tests run, such as Python's doctest."""

DECORATED = "it is decorated, and may be registered by that"
"""Why a definition with a decorator, annotation or attribute is hardly unused."""

MEMBER_DECORATED = "a method of it is decorated, and a runner may make objects for that"
"""Why a class is hardly unused if one of its methods has a decorator, annotation or attribute."""

OUTER = "the block around it adds to a module or platform outside of the repository, which may use it"
"""Why a definition in a block such as `declare global { … }` is hardly unused."""

HEAD_BYTES = 200
"""Bytes at the start of a file that tell whether it runs by itself."""

HEAD_LINES = 2
"""Lines above a definition that may belong to its head: in C, attributes and the type of the result may stand there."""

COMMENT_STARTS = ("//", "/*", "*", "# ")
"""The starts of lines of comments."""

ATTRIBUTE_STARTS = ("#[", "@", "[", ")]")
"""The starts of lines above a definition that may register it. The last one ends an attribute of several lines."""

_HARMLESS = re.compile(r"#\[(?:inline|allow|expect|must_use|cold|doc|derive|cfg|track_caller|deprecated)\b")
"""Pattern of an attribute that makes no use of what it stands above."""

_ACCESSOR = re.compile(
    r"@(?:property|cached_property|staticmethod|classmethod|abstractmethod|abc\.\w+|functools\.\w+|overload|\w+\.setter"
    r"|[Oo]verride|Deprecated|SuppressWarnings|Suppress|Jvm\w+|Nullable|NonNull|NotNull|objc|available|discardableResult|inlinable)\b"
)
"""Pattern of a decorator or annotation by which nothing runs a method."""

CONTRACTS = frozenset({"interface", "trait", "protocol"})
"""Kinds of types whose members are visible wherever the type is."""

DAMPING, ROUNDS = 0.85, 50
"""Parameters of PageRank (Brin and Page 1998). After fifty rounds the ranks of code graphs no longer change."""

READ_HUBS = 100
"""How many definitions are read at once, of which hubs are listed."""

LOUVAIN_SEED = 1
"""Seed of the random numbers in Louvain's algorithm. A fixed seed gives the same communities for the same graph."""

_TOKEN = re.compile(r"[^\W\d]\w*")
_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.>?|iex(?:\(\d+\))?>)[ \t](.+)$", re.MULTILINE)
"""Pattern of a line of an example that doctest runs, of Python or of Elixir. The group is its code."""

_PASTED = re.compile(r"(?:\b([^\W\d]\w*)[ \t]*)?##[ \t]*(?:([^\W\d]\w*)\b)?")
"""Pattern of a part of a name that a macro pastes together, as in `run_ ## name`."""


class WholeGraph:
    """The questions to the graph of a store that need all of its edges."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def unused(self, *, min_confidence: float = ELSEWHERE, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, most certain first.

        Entry points (`main`) and definitions in example, generated or vendored files are left out. `tests` includes
        definitions in tests.
        """
        nodes = self._store.nodes()
        parents = self._store.parents()
        # A function that only calls itself is unused.
        uses = {(edge.of, edge.chunk_id) for edge in self._store.all_edges(USES) if edge.of != edge.chunk_id}
        used = {target for _, target in uses}
        # A class whose members are used from outside of it is used, as one of extension methods.
        used.update(*(_left_around(source, target, parents) for source, target in uses))
        declarations = self._store.all_edges([DECLARES])
        # A definition stands for its declarations, which nothing leads to.
        used.update(edge.of for edge in declarations)
        declared = Counter(edge.chunk_id for edge in declarations)
        overriding = {edge.of for edge in self._store.all_edges(["overrides"])}
        # A base outside the repository may call what it declares.
        outside = self._with_outer_bases()
        outside.update(edge.chunk_id for edge in declarations if edge.of in outside)
        open_names = self._store.open_call_names()
        marked = self._store.marked_files()
        candidates = [
            symbol
            for symbol in nodes.values()
            if symbol.kind in CANDIDATE_KINDS
            and symbol.chunk_id not in used
            and symbol.file_path not in marked
            and (tests or not symbol.is_test)
            # An unresolved call of that name may mean this definition.
            and (min_confidence <= UNRESOLVED or symbol.name not in open_names)
            and not ENTRY_NAMES.match(symbol.name)
            # A name with a blank is the title of a test, which a runner calls.
            and " " not in symbol.name
        ]
        marks = {} if tests else self._store.chunk_marks([symbol.chunk_id for symbol in candidates])
        candidates = [symbol for symbol in candidates if marks.get(symbol.chunk_id) != "test"]
        starts, ends = self._text_parts()
        names = {symbol.name for symbol in candidates}
        macros = self._macro_texts(symbol for symbol in nodes.values() if symbol.kind == "macro")
        pasted = _pasted(names, macros)
        mentions, shown = self._mentions(names.union(*pasted.values()))
        in_macros = {word for text in macros for word in _TOKEN.findall(text) if word in names}
        unread = self._unread_mentions(names)
        unreadable = unreadable_files(self._store)
        members: dict[int, list[Symbol]] = defaultdict(list)
        for symbol in candidates:
            members[parents.get(symbol.chunk_id, symbol.chunk_id)].append(symbol)
        verdicts: list[Unused] = []
        for symbol in candidates:
            parent_id = parents.get(symbol.chunk_id)
            inherited = parent_id in outside if symbol.kind == "method" else symbol.chunk_id in outside
            dispatched = symbol.chunk_id in overriding or inherited
            registered = SHOWN if symbol.name in shown else COMPOSED if _is_composed(symbol.name, starts, ends) else ""
            is_public = not self._is_own_file(symbol) or not _is_hidden(
                symbol, nodes.get(parent_id) if parent_id is not None else None
            )
            # A declaration names the definition, and is no use of it.
            mentioned = mentions[symbol.name] - declared[symbol.chunk_id]
            holders = [path for path, count in unread.get(symbol.name, ()) if count > (path == symbol.file_path)]
            is_expanded = any(mentions[part] for part in pasted.get(symbol.name, ())) or (
                symbol.kind != "macro" and symbol.name in in_macros
            )
            holes = _Holes(open_names.get(symbol.name, 0), len(holders), unreadable[symbol.language or ""], is_expanded)
            verdict = _verdict(symbol, mentioned, holes, dispatched=dispatched, registered=registered, public=is_public)
            if verdict.confidence == NOWHERE_ELSE:
                reason = self._use_around(symbol) or self._use_of_members(members.get(symbol.chunk_id, ()))
                verdict = Unused(symbol, REGISTERED, reason) if reason else verdict
            if verdict.confidence >= min_confidence:
                verdicts.append(verdict)
        return sorted(
            verdicts, key=lambda verdict: (-verdict.confidence, verdict.symbol.file_path, verdict.symbol.start_line)
        )

    def _with_outer_bases(self) -> set[int]:
        """Return the classes with a base outside the repository, also if a base of a base is outside."""
        below: dict[int, list[int]] = defaultdict(list)
        for edge in self._store.all_edges(["inherits"]):
            below[edge.chunk_id].append(edge.of)
        outside = set(self._store.open_sources("inherits"))
        waiting = list(outside)
        while waiting:
            fresh = [chunk_id for chunk_id in below[waiting.pop()] if chunk_id not in outside]
            outside.update(fresh)
            waiting += fresh
        return outside

    def _mentions(self, names: set[str]) -> tuple[Counter[str], set[str]]:
        """Count how often each name occurs as a whole word in the texts of all files. Return the names in examples too."""
        counts: Counter[str] = Counter()
        shown: set[str] = set()
        odd = sorted(name for name in names if not _TOKEN.fullmatch(name))
        odd_names = re.compile("|".join(map(re.escape, odd))) if odd else None
        for text in self._store.texts():
            counts.update(token for token in _TOKEN.findall(text) if token in names)
            # A name such as `valid?` is no word.
            counts.update(odd_names.findall(text) if odd_names else ())
            if "> " in text:
                shown.update(
                    token for line in _EXAMPLE.findall(text) for token in _TOKEN.findall(line) if token in names
                )
        return counts, shown

    def _text_parts(self) -> tuple[set[str], set[str]]:
        """Return the starts and the ends of names that texts hold, where code adds the rest."""
        starts: set[str] = set()
        ends: set[str] = set()
        whole: set[str] = set()
        joined = False
        for text in self._store.texts():
            for start, begun, end, bare in _PART.findall(text):
                starts.add(start or begun or bare)
                ends.add(end)
            whole.update(_WORD_TEXT.findall(text))
            joined = joined or _JOINED.search(text) is not None
        if joined:
            starts.update(f"{start}_" for start in whole)
        return starts, ends

    def _is_own_file(self, symbol: Symbol) -> bool:
        """Tell whether a file runs by itself. A file of shell functions is read into others, and people call them by name."""
        language = languages().get(symbol.language or "")
        if language is None or language.hidden_in is None:
            return True
        text = (self._store.file_text(symbol.file_path) or b"")[:HEAD_BYTES].decode("utf-8", "replace")
        return language.hidden_in.search(text) is not None

    def _use_around(self, symbol: Symbol) -> str:
        """Return what the text around a definition says of its use: an attribute above, or an expression. Empty for neither."""
        source = self._store.file_text(symbol.file_path) or b""
        text = source.decode("utf-8", "replace")
        if symbol.name.startswith("_") and _UNDERSCORE.search(text):
            # So short a text says something of its own file only.
            return COMPOSED
        lines = text.split("\n")
        above = [line.strip() for line in lines[: symbol.start_line - 1]]
        while above and above[-1].startswith(COMMENT_STARTS):
            above.pop()
        while above and _HARMLESS.match(above[-1]):
            above.pop()
        if above and above[-1].startswith(ATTRIBUTE_STARTS):
            return DECORATED
        language = languages().get(symbol.language or "")
        # A statement or a block ends before the head.
        heads = [
            symbol.signature,
            *takewhile(lambda text: text and text[-1] not in ";{}", above[: -HEAD_LINES - 1 : -1]),
        ]
        if language is not None and (outside := language.called_from_outside) and any(map(outside.search, heads)):
            return DECORATED
        if language is not None and any(
            first <= symbol.start_line <= last for first, last in outer_blocks(source, language.name)
        ):
            return OUTER
        words = symbol.signature.split()
        line = lines[symbol.start_line - 1].strip() if symbol.start_line <= len(lines) else ""
        is_inside = bool(words) and words[0] in line and not line.startswith(words[0])
        return "it stands inside an expression, which may use it" if is_inside else ""

    def _use_of_members(self, members: Iterable[Symbol]) -> str:
        """Return what an attribute of an unused method, such as `[Test]`, says of the use of its class. Empty for nothing."""
        for member in members:
            lines = (self._store.file_text(member.file_path) or b"").decode("utf-8", "replace").split("\n")
            above = lines[member.start_line - 2].strip() if member.start_line > 1 else ""
            first = member.signature if member.signature.startswith(ATTRIBUTE_STARTS) else above
            if first.startswith(ATTRIBUTE_STARTS) and not _HARMLESS.match(first) and not _ACCESSOR.match(first):
                return MEMBER_DECORATED
        return ""

    def _macro_texts(self, macros: Iterable[Symbol]) -> list[str]:
        """List the texts of macros, without their heads."""
        places: dict[str, list[Symbol]] = defaultdict(list)
        for macro in macros:
            places[macro.file_path].append(macro)
        texts: list[str] = []
        for path, symbols in places.items():
            lines = (self._store.file_text(path) or b"").decode("utf-8", "replace").split("\n")
            bodies = ("\n".join(lines[symbol.start_line - 1 : _macro_end(lines, symbol)]) for symbol in symbols)
            texts += [body.partition(symbol.name)[2] for body, symbol in zip(bodies, symbols, strict=True)]
        return texts

    def _unread_mentions(self, names: set[str]) -> dict[str, list[tuple[str, int]]]:
        """Map each name to the files that were not read whole and hold it, each with how often it occurs there."""
        holders: dict[str, list[tuple[str, int]]] = {}
        for file in self._store.unread_files():
            text = (self._store.file_text(file.path) or b"").decode("utf-8", "replace")
            for name, count in Counter(token for token in _TOKEN.findall(text) if token in names).items():
                holders.setdefault(name, []).append((file.path, count))
        return holders

    def cycles(self) -> list[tuple[str, ...]]:
        """List cycles of files that import each other, shortest first. Each cycle is a tuple of paths.

        Each strongly connected group of files (every file reaches every other) gives one cycle.
        """
        graph = nx.DiGraph((link.source, link.target) for link in self._store.links(["imports"]))
        groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
        cycles = [tuple(_shortest_cycle(graph, sorted(group))) for group in groups]
        return sorted(cycles, key=lambda cycle: (len(cycle), cycle))

    def hubs(self, limit: int, *, tests: bool = False) -> list[Hub]:
        """List the definitions on which most of the code depends, highest PageRank first, at most `limit`.

        The rank is computed over calls and inheritance. `tests` includes definitions in tests.
        """
        pairs = self._pairs() if (graph := self._store.graph_arrays()) is None else _pairs(graph)
        # Edges from tests would rank what is tested most, not what the code depends on.
        if not tests:
            in_tests = self._in_tests() if graph is None else graph.nodes["id"][graph.tests]
            pairs = pairs[~np.isin(pairs, in_tests).any(axis=1)]
        ids, ends = np.unique(pairs, return_inverse=True)
        sources, targets = ends.reshape(pairs.shape).T
        ranks = page_rank(sources, targets, len(ids))
        callees, callers = (np.bincount(end, minlength=len(ids)) for end in (sources, targets))
        ranking = np.lexsort((ids, -ranks))
        declared = Declared(self._store)
        hubs: list[Hub] = []
        shown: set[int] = set()
        for start in range(0, len(ranking), READ_HUBS):
            places = ranking[start : start + READ_HUBS].tolist()
            nodes = self._store.nodes(ids[places].tolist())
            for place in places:
                symbol = nodes.get(int(ids[place]))
                if len(hubs) >= limit:
                    return hubs
                # A module stands for the top level of its file, not for a definition.
                if symbol is not None and symbol.kind != "module" and symbol.chunk_id not in shown:
                    alternatives = tuple(declared.alternatives(symbol))
                    # One definition for each platform is one hub.
                    shown.update(alternative.chunk_id for alternative in alternatives)
                    counts = int(callers[place]), int(callees[place])
                    hubs.append(Hub(symbol, *counts, float(ranks[place]), alternatives))
        return hubs

    def _pairs(self) -> NDArray[np.int64]:
        """Return the ids at the ends of all calls and inheritance, each pair once."""
        edges = self._store.all_edges(["calls", "inherits"])
        pairs = {(edge.of, edge.chunk_id) for edge in edges if edge.of != edge.chunk_id}
        return np.array(sorted(pairs), np.int64).reshape(-1, 2)

    def _in_tests(self) -> NDArray[np.int64]:
        return np.array([symbol.chunk_id for symbol in self._store.nodes().values() if symbol.is_test], np.int64)

    def communities(self, *, tests: bool = False) -> list[Community]:
        """List groups of files that refer to each other more than to other files, largest group first.

        The groups come from Louvain's algorithm (Blondel et al. 2008). `tests` includes files with tests.
        """
        graph: nx.Graph[str] = nx.Graph()
        left_out = set() if tests else {symbol.file_path for symbol in self._store.nodes().values() if symbol.is_test}
        incoming: Counter[str] = Counter()
        for source, target, weight, *_ in self._store.links(FILE_USES):
            if source not in left_out and target not in left_out:
                # The graph has no direction, so references in both directions add up to one edge.
                before = graph.get_edge_data(source, target, {"weight": 0})["weight"]
                graph.add_edge(source, target, weight=before + weight)
                incoming[target] += weight
        groups = nx.community.louvain_communities(graph, seed=LOUVAIN_SEED) if graph else []
        communities = [_community(graph, sorted(group), incoming) for group in groups]
        return sorted(communities, key=lambda community: (-len(community.files), community.folder))

    def export_files(self, limit: int) -> GraphExport:
        """Return the graph of the `limit` files with most references.

        One edge combines all references from one file to another. Its weight is their number.
        """
        links = self._store.links(["calls", "imports", "inherits"])
        degree = Counter(end for link in links for end in link[:2] for _ in range(min(link.weight, 9)))
        paths = {path for path, _ in degree.most_common(limit)}
        nodes = tuple(GraphNode(path, PurePosixPath(path).name, "file", path) for path in sorted(paths))
        edges = (
            GraphEdge(link.source, link.target, "refers", link.weight, link.confidence, link.source, link.line)
            for link in links
            if link.source in paths and link.target in paths
        )
        return GraphExport(*layered(nodes, list(edges)), len(paths) < len(degree))

    def export_around(self, starts: Sequence[Symbol], depth: int, limit: int) -> GraphExport:
        """Return the graph around definitions, at most `depth` hops away and with at most `limit` nodes.

        Hops follow calls, references, inheritance and overriding, in both directions.
        """
        symbols, truncated = self._around(starts, depth, limit)
        nodes = tuple(
            GraphNode(
                str(chunk_id),
                short_name(symbol),
                symbol.kind,
                symbol.file_path,
                symbol.start_line,
                symbol.qualified_name,
                is_test=symbol.is_test,
            )
            for chunk_id, symbol in symbols.items()
        )
        between: dict[tuple[int, int, str], list[Edge]] = defaultdict(list)
        for kind in EXPORTED:
            # Outgoing edges are enough: every edge between two of the nodes leaves one of them.
            for edge in self._store.edges(list(symbols), kind, incoming=False):
                if edge.chunk_id in symbols:
                    between[edge.of, edge.chunk_id, kind].append(edge)
        edges = []
        for (source, target, kind), references in between.items():
            surest = max(references, key=lambda edge: edge.confidence)
            place = symbols[source].file_path, surest.line
            sureness = "proven" if surest.confidence >= PROVEN else "guessed"
            weight, confidence = len(references), surest.confidence
            edges.append(GraphEdge(str(source), str(target), kind, weight, confidence, *place, sureness))
        return GraphExport(*layered(nodes, edges), truncated)

    def _around(self, starts: Sequence[Symbol], depth: int, limit: int) -> tuple[dict[int, Symbol], bool]:
        """Return the nodes within `depth` hops by chunk id, at most `limit`, and whether the limit left out any nodes."""
        reached = dict.fromkeys(symbol.chunk_id for symbol in starts)
        level = list(reached)
        truncated = False
        for _ in range(depth):
            neighbours = (
                edge.chunk_id
                for kind in EXPORTED
                for incoming in (False, True)
                for edge in self._store.edges(level, kind, incoming=incoming)
            )
            level = [chunk_id for chunk_id in dict.fromkeys(neighbours) if chunk_id not in reached]
            truncated = truncated or len(reached) + len(level) > limit
            level = level[: max(0, limit - len(reached))]
            reached.update(dict.fromkeys(level))
        return self._store.nodes(list(reached)), truncated


def _macro_end(lines: Sequence[str], macro: Symbol) -> int:
    """Return the last line of a macro. Its definition may end before, at a comment between lines that a backslash joins."""
    end = macro.end_line
    while end < len(lines) and lines[end - 1].rstrip().endswith("\\"):
        end += 1
    return end


def _left_around(source: int, target: int, parents: Mapping[int, int | None]) -> list[int]:
    """List the definitions around a target of a use that are not around its source too."""
    inside = {source}
    above = parents.get(source)
    while above is not None:
        inside.add(above)
        above = parents.get(above)
    around: list[int] = []
    above = parents.get(target)
    while above is not None and above not in inside:
        around.append(above)
        above = parents.get(above)
    return around


def _pasted(names: set[str], macros: Iterable[str]) -> dict[str, set[str]]:
    """Map each name that a macro may paste together to the parts that the macro lacks. `macros` are the texts of macros.

    With `run_ ## name` in a macro, `start` is what the name `run_start` lacks.
    """
    starts: set[str] = set()
    ends: set[str] = set()
    for text in macros:
        for start, end in _PASTED.findall(text) if "##" in text else ():
            starts.add(start)
            ends.add(end)
    # Most parts are parameters of the macro. A short one would begin many names.
    starts, ends = ({part for part in parts if len(part) >= MIN_PASTED} for parts in (starts, ends))
    lacking: dict[str, set[str]] = defaultdict(set)
    for name in names:
        # Every cut of a name is looked up, because a name is short and a code base has many macros.
        for cut in range(1, len(name)):
            if name[:cut] in starts:
                lacking[name].add(name[cut:])
            if name[cut:] in ends:
                lacking[name].add(name[:cut])
    return lacking


class _Holes(NamedTuple):
    """What may hide a use of a definition.

    `calls` are unresolved calls of its name, `unread` files that hold its name and were not read whole, and `unreadable` files
    of its languages without a text. `expanded` says whether a macro may stand for its name.
    """

    calls: int
    unread: int
    unreadable: int
    expanded: bool = False


def _is_composed(name: str, starts: set[str], ends: set[str]) -> bool:
    """Tell whether code may put a name together from a text and the rest: `"add_" + key` and `add_proxy`."""
    for cut in range(2, len(name)):
        start, end = name[:cut], name[cut:]
        # Only where a word ends: `add_` is a part of `add_proxy`, and `get` one of `getName`, but `ad` is none.
        if (start.endswith("_") or not end[0].islower()) and start in starts:
            return True
        if (end.startswith("_") or end[0].isupper()) and end in ends:
            return True
    return False


def _is_hidden(symbol: Symbol, parent: Symbol | None) -> bool:
    """Tell whether no other repository can use a definition."""
    language = languages().get(symbol.language or "")
    if language is None or language.hidden is None or (parent is not None and parent.kind in CONTRACTS):
        return False
    # What a file of declarations describes is in another place, or adds to a type of another package. A header may be included.
    if symbol.file_path.endswith((*language.declaration_files, *language.included_files)):
        return False
    return language.hidden.search(f"{symbol.kind} {symbol.name} {symbol.signature}") is not None


def _verdict(
    symbol: Symbol, mentions: int, holes: _Holes, *, dispatched: bool, registered: str = "", public: bool = False
) -> Unused:
    """Return how certain it is that a definition is unused, with the reason.

    `mentions` is the number of times that its name occurs in all texts, with the definition itself. `dispatched` says whether
    dynamic dispatch may reach the definition, and `public` whether other repositories may use it. `registered` is the reason
    why code may reach it that names it only in a text.
    """
    if holes.calls:
        calls = "1 call of its name leads" if holes.calls == 1 else f"{holes.calls} calls of its name lead"
        return Unused(symbol, UNRESOLVED, f"{calls} nowhere known")
    # `@route` is a decorator or annotation, `#[test]` an attribute of Rust. A framework may call what has one.
    if symbol.signature.startswith(("@", "#[", "[")):
        return Unused(symbol, REGISTERED, DECORATED)
    if dispatched:
        reason = "it overrides, or its class has a base outside the repository, which may call it"
        return Unused(symbol, OVERRIDABLE, reason)
    if registered:
        return Unused(symbol, REGISTERED, registered)
    if holes.unread:
        files = "1 file" if holes.unread == 1 else f"{holes.unread} files"
        return Unused(symbol, UNREAD, f"its name stands in {files} not read whole")
    if holes.expanded:
        return Unused(symbol, EXPANDED, "a macro holds its name, or may paste it together")
    if mentions > 1 and symbol.kind in USED_BY_NAME:
        return Unused(symbol, NAMED, f"a {symbol.kind} is used by its name, which stands in {mentions - 1} more places")
    if mentions > 1:
        reason = f"its name stands in {mentions - 1} more places, as text or as another thing of that name"
        return Unused(symbol, ELSEWHERE, reason)
    if holes.unreadable:
        files = "1 file" if holes.unreadable == 1 else f"{holes.unreadable} files"
        return Unused(
            symbol, ELSEWHERE, f"its name stands nowhere else, but {files} of its languages could not be read"
        )
    if public:
        return Unused(symbol, PUBLIC, "its name stands nowhere else, but it is public: other repositories may use it")
    return Unused(symbol, NOWHERE_ELSE, "its name stands nowhere else")


def _shortest_cycle(graph: "nx.DiGraph[str]", group: Sequence[str]) -> list[str]:
    """Return a shortest cycle in a group of files, searched from its first fifty files."""
    inside = graph.subgraph(group)
    # Fifty starts bound the time in very large groups.
    best: list[str] = []
    for start in group[:50]:
        for after in sorted(inside.successors(start)):
            path = nx.shortest_path(inside, after, start)
            if not best or len(path) < len(best):
                best = [start, *path[:-1]]
        # No cycle is shorter than two files.
        if len(best) == 2:
            break
    return best


def _community(graph: "nx.Graph[str]", group: list[str], incoming: Counter[str]) -> Community:
    """Return a group of files as a community, with its folder, its three hubs and the numbers of its references.

    `incoming` has the number of references to each file.
    """
    members = set(group)
    inside = outside = 0
    weighted: Iterable[tuple[str, str, int]] = graph.edges(group, data="weight")
    for source, target, weight in weighted:
        if source in members and target in members:
            inside += weight
        else:
            outside += weight
    folders = Counter(str(parent) for path in group for parent in PurePosixPath(path).parents if str(parent) != ".")
    # The deepest folder that holds more than half of the files names the group.
    deep = [folder for folder, count in folders.items() if count > len(group) / 2]
    folder = max(deep, key=lambda path: (path.count("/"), path), default="")
    hubs = sorted(group, key=lambda path: (-incoming[path], path))[:3]
    return Community(folder, tuple(group), tuple(hubs), inside, outside)


def _pairs(graph: GraphArrays) -> NDArray[np.int64]:
    """Return the ids at the ends of all calls and inheritance in a graph in memory, each pair once."""
    ids, edges = graph.nodes["id"], graph.edges
    targets = np.repeat(np.arange(len(ids)), np.diff(graph.first))
    followed = np.isin(edges["kind"], [EDGE_KINDS.index("calls"), EDGE_KINDS.index("inherits")])
    followed &= edges["source"] != targets
    # A pair as a single number is sorted many times faster than as two.
    keys = np.unique(edges["source"][followed].astype(np.int64) * len(ids) + targets[followed])
    return np.stack([ids[keys // len(ids)], ids[keys % len(ids)]], axis=1) if len(ids) else np.zeros((0, 2), np.int64)


def page_rank(source: NDArray[np.int64], target: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return the PageRank (Brin and Page 1998) of each of `count` nodes with edges. The ranks add up to 1.

    The nodes at the ends of the edges are numbers from 0.
    """
    out = np.bincount(source, minlength=count)
    rank = np.full(count, 1 / max(1, count))
    for _ in range(ROUNDS if count else 0):
        share = np.bincount(target, weights=rank[source] / out[source], minlength=count)
        # Nodes without outgoing edges spread their rank over all nodes.
        lost = rank[out == 0].sum() / count
        rank = (1 - DAMPING) / count + DAMPING * (share + lost)
    return rank
