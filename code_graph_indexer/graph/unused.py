"""Find definitions without a known reference, and say how certain it is that nothing uses them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from code_graph_indexer.graph.declared import DECLARES
from code_graph_indexer.graph.results import Unused
from code_graph_indexer.graph.sites import unreadable_files
from code_graph_indexer.languages import OWN_CLASS, languages
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store, is_member
from code_graph_indexer.syntax.ambient_blocks import outer_blocks
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS

CANDIDATE_KINDS = frozenset(
    {*("function", "method", "macro", "class", "struct", "interface", "trait", "enum", "type", "protocol", "object")}
)
"""Kinds of definitions that can be listed as unused."""

READ_KINDS = frozenset({"constant", "variable"})
"""Kinds of definitions that are for nothing if nobody reads them."""

EVIDENCE = ("calls", "references", "inherits", "imports", "overrides", "reads", "writes", "types")
"""Kinds of edges that prove that their target is used."""

NAMING = ("references", "reads", "types")
"""Kinds of edges that name a class, but make no object of it and no class below it."""

ENTRY_NAMES = re.compile(
    r"^(_?w?t?main|__\w+__|_start|init|setUp\w*|tearDown\w*|test_?\w*|default|w?WinMain|DllMain|LLVMFuzzer\w+)$"
    # Nobody writes the name of a destructor, of an operator, or of a use of a macro that makes functions.
    r"|^~|^operator\W|^\w+\(.*\)$|^\W+$|^(let|and)[^\w?!]+$"
)
"""Pattern of names that a runtime, a test runner or the syntax calls by itself, such as `main` and `operator+`."""

PROGRAMS = frozenset({"main", "Main"})
"""Names of the methods in which programs begin."""

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

PASSED_ON = "it stands in an object, and whoever gets the object may call it"
"""Why a method of an object literal is hardly unused."""

CONSTRUCTS = "it is a constructor, which runs where something makes an object of its class"
"""Why a constructor is hardly unused: a base, a container or a subclass does not write its name."""

HANDED_ON = "its class is handed on, and nothing in the repository calls a member: whoever gets the class may"
"""Why a method of such a class is hardly unused."""

RUNTIME = "its head says that the language, a loader or a generated part may call it"
"""Why a definition with such a head is hardly unused."""

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

_TOKEN = re.compile(r"[^\W\d]\w*")

_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.>?|iex(?:\(\d+\))?>)[ \t](.+)$", re.MULTILINE)
"""Pattern of a line of an example that doctest runs, of Python or of Elixir. The group is its code."""

_PASTED = re.compile(r"(?:\b([^\W\d]\w*)[ \t]*)?##[ \t]*(?:([^\W\d]\w*)\b)?")
"""Pattern of a part of a name that a macro pastes together, as in `run_ ## name`."""


class UnusedCode:
    """The definitions of a store without a known reference."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._nodes = store.nodes()
        self._parents = store.parents()
        self._declarations = store.all_edges([DECLARES])
        self._open_names = store.open_call_names()

    def find(self, *, min_confidence: float = ELSEWHERE, tests: bool = False) -> list[Unused]:
        """List definitions without a known reference, most certain first.

        Entry points (`main`) and definitions in example, generated or vendored files are left out. `tests` includes
        definitions in tests.
        """
        # An unresolved call of that name may mean this definition.
        candidates = self._candidates(frozenset() if min_confidence <= UNRESOLVED else self._open_names.keys(), tests)
        read = self._verdicts(candidates)
        members: dict[int, list[Symbol]] = defaultdict(list)
        for symbol in candidates:
            members[self._parents.get(symbol.chunk_id, symbol.chunk_id)].append(symbol)
        verdicts: list[Unused] = []
        for symbol in candidates:
            verdict = read(symbol)
            if verdict.confidence >= ELSEWHERE:
                reason = self._use_around(symbol) or self._use_of_members(members.get(symbol.chunk_id, ()))
                verdict = Unused(symbol, REGISTERED, reason) if reason else verdict
            if verdict.confidence >= min_confidence:
                verdicts.append(verdict)
        return sorted(
            verdicts, key=lambda verdict: (-verdict.confidence, verdict.symbol.file_path, verdict.symbol.start_line)
        )

    def _candidates(self, open_names: Collection[str], tests: bool) -> Sequence[Symbol]:
        """List the definitions to which nothing leads, but for those that something else may run by their names or files.

        Left out are the names of calls without a target (`open_names`), and definitions in tests unless `tests` is true.
        """
        used, marked = self._used(), self._store.marked_files()
        # A call leads to one of the clauses of a function, and may run any. A use of a companion leads to its class.
        clauses = set(map(_place, filter(_has_clauses, filter(None, map(self._nodes.get, used)))))
        candidates = [
            symbol
            for symbol in self._nodes.values()
            if symbol.kind in _candidate_kinds(symbol)
            and symbol.chunk_id not in used
            and not (_is_clause(symbol) and _place(symbol) in clauses)
            and symbol.file_path not in marked
            and (tests or not symbol.is_test)
            and symbol.name not in open_names
            and not ENTRY_NAMES.match(symbol.name)
            and symbol.name not in PROGRAMS
            # A name with a blank is the title of a test, which a runner calls.
            and " " not in symbol.name
        ]
        marks = {} if tests else self._store.chunk_marks([symbol.chunk_id for symbol in candidates])
        return [symbol for symbol in candidates if marks.get(symbol.chunk_id) != "test"]

    def _used(self) -> set[int]:
        """Return the definitions that a reference leads to, from outside of them."""
        uses = self._uses(EVIDENCE)
        used = {target for _, target in uses}
        # A class whose members are used from outside of it is used, as one of extension methods.
        used.update(*(_around_target_only(source, target, self._parents) for source, target in uses))
        # A program begins in the class of its `main`.
        used.update(
            self._parents.get(node_id, node_id) for node_id, symbol in self._nodes.items() if symbol.name in PROGRAMS
        )
        # A definition stands for its declarations, which nothing leads to.
        used.update(edge.of for edge in self._declarations)
        return used

    def _uses(self, kinds: Sequence[str]) -> set[tuple[int, int]]:
        """Return the edges of these kinds between different definitions, as pairs of source and target."""
        edges = self._store.all_edges(kinds)
        members = self._store.nodes([*{edge.chunk_id for edge in edges if is_member(edge.chunk_id)}])
        # Who reads a member of an enum uses the enum. A function that only calls itself is unused.
        around = {node_id: symbol.chunk_id for node_id, symbol in members.items()}
        uses = {(edge.of, around.get(edge.chunk_id, edge.chunk_id)) for edge in edges}
        return {(source, target) for source, target in uses if source != target}

    def _handed_on(self) -> set[int]:
        """Return the classes that code names but does not call, and whose members only tests and themselves use."""
        tests = {node_id for node_id, symbol in self._nodes.items() if symbol.is_test}
        named = {target for source, target in self._uses(NAMING) if source not in tests}
        for source, target in self._uses(EVIDENCE):
            if source not in tests:
                named.difference_update(_around_target_only(source, target, self._parents))
        # What is called makes its objects here, and what overrides is called through its base.
        named.difference_update(target for _, target in self._uses(["calls"]))
        named.difference_update(self._parents.get(source) for source, _ in self._uses(["overrides"]))
        # The module of a file has no parent.
        return {node_id for node_id in named if self._parents.get(node_id) is not None}

    def _verdicts(self, candidates: Sequence[Symbol]) -> Callable[[Symbol], Unused]:
        """Return what says of a candidate how certain it is unused, by the graph and the names in all texts."""
        evidence = self._evidence({symbol.name for symbol in candidates})
        declared = Counter(edge.chunk_id for edge in self._declarations)
        overriding = {edge.of for edge in self._store.all_edges(["overrides"])}
        # What implements an interface of the library, the library may call.
        overriding.update(self._store.open_sources("overrides"))
        # A base outside the repository may call what it declares.
        outside = self._with_outer_bases()
        outside.update(edge.chunk_id for edge in self._declarations if edge.of in outside)
        handed_on = self._handed_on()
        beside = self._names_beside({parent for symbol in candidates if (parent := self._parents.get(symbol.chunk_id))})

        def verdict(symbol: Symbol) -> Unused:
            parent_id = self._parents.get(symbol.chunk_id)
            # A base may use what is inside of a class, such as the class `Meta` of a model.
            inherited = (
                symbol.chunk_id in outside or parent_id in outside or symbol.name in beside.get(parent_id or 0, ())
            )
            parent = self._nodes.get(parent_id) if parent_id is not None else None
            return _verdict(
                symbol,
                # A declaration names the definition, and is no use of it.
                evidence.mentions[symbol.name] - declared[symbol.chunk_id],
                evidence.holes(symbol, self._open_names.get(symbol.name, 0)),
                dispatched=symbol.chunk_id in overriding or inherited,
                registered=_reached(
                    symbol, parent, is_whole_file=parent_id is None or self._parents.get(parent_id) is None
                )
                or (HANDED_ON if parent_id in handed_on else "")
                or evidence.registered(symbol.name),
                public=not self._is_own_file(symbol) or not is_hidden(symbol, parent),
            )

        return verdict

    def _evidence(self, names: set[str]) -> "_Evidence":
        """Gather what the texts and macros of all files say of these names."""
        macros = self._macro_texts(symbol for symbol in self._nodes.values() if symbol.kind == "macro")
        pasted = _pasted(names, macros)
        mentions, shown = self._mentions(names.union(*pasted.values()))
        return _Evidence(
            mentions,
            shown,
            *self._text_parts(),
            pasted,
            {word for text in macros for word in _TOKEN.findall(text) if word in names},
            self._unread_mentions(names),
            unreadable_files(self._store),
        )

    def _use_around(self, symbol: Symbol) -> str:
        """Return what the text around a definition says of its use: an attribute above, or an expression. Empty for neither."""
        source = self._store.file_text(symbol.file_path) or b""
        text = source.decode("utf-8", "replace")
        if symbol.name.startswith("_") and _UNDERSCORE.search(text):
            # So short a text says something of its own file only.
            return COMPOSED
        lines = text.split("\n")
        above = [line.strip() for line in lines[: symbol.start_line - 1]]
        for passed in (lambda line: line.startswith(COMMENT_STARTS), _HARMLESS.match):
            while above and passed(above[-1]):
                above.pop()
        if above and above[-1].startswith(ATTRIBUTE_STARTS):
            return DECORATED
        if reason := _use_outside(symbol, source, above):
            return reason
        words = symbol.signature.split()
        line = lines[symbol.start_line - 1].strip() if symbol.start_line <= len(lines) else ""
        is_inside = bool(words) and words[0] in line and not line.startswith(words[0])
        return "it stands inside an expression, which may use it" if is_inside else ""

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

    def _names_beside(self, classes: set[int]) -> dict[int, set[str]]:
        """Map each of these classes to the names of methods of the bases beside it, in all classes below it.

        A call through such a base, as an interface, may run the method of a trait that the class below has for it.
        """
        above: dict[int, set[int]] = defaultdict(set)
        below: dict[int, set[int]] = defaultdict(set)
        for edge in self._store.all_edges(["inherits"]):
            above[edge.of].add(edge.chunk_id)
            below[edge.chunk_id].add(edge.of)
        names: dict[int, set[str]] = defaultdict(set)
        for node_id, symbol in self._nodes.items():
            if symbol.kind == "method":
                names[self._parents.get(node_id) or 0].add(symbol.name)
        beside: dict[int, set[str]] = {}
        for node_id in classes & below.keys():
            bases = _closure(_closure([node_id], below), above) - _closure([node_id], below)
            beside[node_id] = set().union(*(names[base] for base in bases - {node_id}))
        return beside

    def _mentions(self, names: set[str]) -> tuple[Counter[str], set[str]]:
        """Count how often each name is a whole word in the texts of all files. Return the names in examples (`>>> f()`) too."""
        counts: Counter[str] = Counter()
        shown: set[str] = set()
        odd = sorted(name for name in names if not _TOKEN.fullmatch(name))
        odd_names = re.compile("|".join(map(_spelling, odd))) if odd else None
        for text in self._store.texts():
            counts.update(token for token in _TOKEN.findall(text) if token in names)
            # A name such as `valid?` is no word.
            counts.update(re.sub(r"\s", "", name) for name in odd_names.findall(text)) if odd_names else None
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


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the texts of a repository say of the names of candidates.

    `mentions` counts each name in all texts. `shown` are names in examples of documentations. `starts` and `ends` are parts of
    names in texts where code adds the rest, and `pasted` maps a name to the parts that macros add to. `unread` maps a name to
    the files that were not read whole and hold it, and `unreadable` a language to its number of files without a text.
    """

    mentions: Counter[str]
    shown: set[str]
    starts: set[str]
    ends: set[str]
    pasted: Mapping[str, set[str]]
    in_macros: set[str]
    unread: Mapping[str, Sequence[tuple[str, int]]]
    unreadable: Mapping[str, int]

    def registered(self, name: str) -> str:
        """Return why code may reach a definition that names it only in a text. Empty for no reason."""
        return SHOWN if name in self.shown else COMPOSED if _is_composed(name, self.starts, self.ends) else ""

    def holes(self, symbol: Symbol, calls: int) -> "_Holes":
        """Return what may hide a use of a definition. `calls` are unresolved calls of its name."""
        holders = [path for path, count in self.unread.get(symbol.name, ()) if count > (path == symbol.file_path)]
        is_expanded = any(self.mentions[part] for part in self.pasted.get(symbol.name, ())) or (
            symbol.kind != "macro" and symbol.name in self.in_macros
        )
        return _Holes(calls, len(holders), self.unreadable[symbol.language or ""], is_expanded)


def _reached(symbol: Symbol, parent: Symbol | None, *, is_whole_file: bool) -> str:
    """Return why something may run a method that names neither it nor its type. Empty for no reason.

    `is_whole_file` says whether the parent is all of a file, not a definition in it.
    """
    language = languages().get(symbol.language or "")
    if symbol.kind != "method" or language is None:
        return ""
    owner = symbol.qualified_name.removesuffix(f".{symbol.name}").rpartition(".")[2]
    if symbol.name in language.constructors or (OWN_CLASS in language.constructors and symbol.name == owner):
        return CONSTRUCTS
    if parent is None:
        return ""
    # As in `useQuery({ queryFn() {} })`, in the value of a constant, and in `window.Page = class {}`, which has no name here.
    is_nameless = is_whole_file and symbol.qualified_name == f"{parent.qualified_name}.{symbol.name}"
    return PASSED_ON if is_nameless or parent.kind in FUNCTION_KINDS | READ_KINDS else ""


def _spelling(name: str) -> str:
    """Return a pattern of a name that is no word. A blank may stand in one of a setter: `cart.total = 1` runs `total=`."""
    return rf"{re.escape(name[:-1])}[ \t]*=(?![=~>])" if re.fullmatch(r"\w+=", name) else re.escape(name)


def _closure(node_ids: Iterable[int], steps: Mapping[int, Collection[int]]) -> set[int]:
    """Return these nodes and all that the steps lead to from them."""
    reached, waiting = set(node_ids), list(node_ids)
    while waiting:
        fresh = set(steps.get(waiting.pop(), ())) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _candidate_kinds(symbol: Symbol) -> Collection[str]:
    """Return the kinds that can be unused. Where names are whole, it is what others read: a block is for what it makes."""
    language = languages().get(symbol.language or "")
    return READ_KINDS if language is not None and "dotted" in language.lookup else CANDIDATE_KINDS


def _is_clause(symbol: Symbol) -> bool:
    """Say whether a definition may be one of several clauses of a function, or the companion of a class."""
    is_clause = symbol.language is not None and languages()[symbol.language].clauses == "parts"
    return is_clause or symbol.kind == "object"


def _has_clauses(symbol: Symbol) -> bool:
    """Say whether a used definition uses those with its name in its file, as other clauses or as its companion."""
    return _is_clause(symbol) or symbol.kind in CLASS_KINDS


def _place(symbol: Symbol) -> tuple[str, str]:
    """Return what the clauses of a function have in common."""
    return symbol.file_path, symbol.qualified_name


def _use_outside(symbol: Symbol, source: bytes, above: Sequence[str]) -> str:
    """Return why something outside of the repository may use a definition, by its head or the block around it."""
    language = languages().get(symbol.language or "")
    if language is None:
        return ""
    # A statement or a block ends before the head.
    before = takewhile(lambda text: text and text[-1] not in ";{}", above[: -HEAD_LINES - 1 : -1])
    if (outside := language.called_from_outside) and any(map(outside.search, [symbol.signature, *before])):
        return RUNTIME
    blocks = outer_blocks(source, language.name)
    return OUTER if any(first <= symbol.start_line <= last for first, last in blocks) else ""


def _macro_end(lines: Sequence[str], macro: Symbol) -> int:
    """Return the last line of a macro. Its definition may end before, at a comment between lines that a backslash joins."""
    end = macro.end_line
    while end < len(lines) and lines[end - 1].rstrip().endswith("\\"):
        end += 1
    return end


def _around_target_only(source: int, target: int, parents: Mapping[int, int | None]) -> list[int]:
    """List the definitions around a target of a use that are not around its source too, by the ids of their `parents`."""
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
        # Code may change the case of what it joins: `camelize("filter_" + key)` and `filterTitle`.
        if end[0].isupper() and f"{start}_" in starts:
            return True
        if (end.startswith("_") or end[0].isupper()) and end in ends:
            return True
    return False


def is_hidden(symbol: Symbol, parent: Symbol | None) -> bool:
    """Say whether no other repository can use a definition. It is false if the language does not say how to tell."""
    language = languages().get(symbol.language or "")
    if language is None or language.hidden is None or (parent is not None and parent.kind in CONTRACTS):
        return False
    # What a file of declarations describes is in another place, or adds to a type of another package.
    if symbol.file_path.endswith(language.declaration_files):
        return False
    text = f"{symbol.kind} {symbol.name} {symbol.signature}\n{symbol.file_path}"
    return language.hidden.search(text) is not None


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
