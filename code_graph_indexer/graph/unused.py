"""Find definitions without a known reference, and say how certain it is that nothing uses them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from code_graph_indexer.graph.conventions import called_by_convention, is_constructor, owner_name, words_of
from code_graph_indexer.graph.declared import DECLARES
from code_graph_indexer.graph.mentions import (
    COMMENT_STARTS,
    LOADED,
    SOUGHT,
    TOKEN,
    Mentions,
    loose_names,
    read_mentions,
)
from code_graph_indexer.graph.results import Unused
from code_graph_indexer.graph.sites import unreadable_files
from code_graph_indexer.languages import Language, languages
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store, is_member
from code_graph_indexer.syntax.ambient_blocks import outer_blocks
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS, VALUE_KINDS

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
    r"^(_?w?t?main|__\w+__|_start|init|setUp\w*|tearDown\w*|test_?\w*|default|exports|w?WinMain|DllMain|LLVMFuzzer\w+)$"
    # Nobody writes the name of a destructor, of an operator, or of a use of a macro that makes functions.
    r"|^~|^operator(?:\W|$)|^\w+\(.*\)$|^\W+$|^(let|and)[^\w?!]+$"
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

_UNDERSCORE = re.compile(r"""(?<!\+ )[rf]*["'`]_(?:["'`]\s*\+|\{|\$\{|\#\{|%s)""")
"""Pattern of the text `_` to which code adds the rest of a name, as in `getattr(self, "_" + name)`."""

COMPOSED = "a text holds a part of its name, and code may add the rest"
"""Why a definition is hardly unused whose name code may put together."""

LOOSE = "code uses its name where nothing shows what the name means"
"""Why a definition may be used by code that is linked to nothing, or by a guess."""

SHARED = "several types have a method of this name, and nothing calls any: an interface outside of the repository may"
"""Why a method is hardly unused that a type has for an interface that the language does not name."""

ALTERNATIVE = "a definition beside it has the same head and is used: a build or a type may choose this one"
"""Why a function of another platform, or a method of a trait for a type of a library, is hardly unused."""

CONVENTION = "nothing names most definitions with such a name: a convention may call them"
"""Why a definition such as `version_12`, `showAction` or `mounted` is hardly unused."""

GATHERED = "several classes with such a name or base are named nowhere: a loader may gather them"
"""Why a class of plugins, policies or commands is hardly unused: a loader knows them by name, place or base."""

MIN_ALIKE = 3
"""The fewest methods of a name that point at such an interface, and the fewest classes that point at such a loader."""

LOADED_WHOLE = "a text is the name of its file, and a loader may call what stands there"
"""Why a function is hardly unused whose module a list of extensions names."""

OVERLOADED = "another definition of its name and place is used, and a call may mean either"
"""Why an overload may be used."""

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

DESCRIBED = "its file only declares, and what it describes is in another place"
"""Why a definition in a file of declarations is hardly unused, such as the types of a library in `.d.ts`."""

READ_BY_TOOL = "a tool reads files of this name, and may call what stands in them"
"""Why a definition in a file such as `PKGBUILD` or `Fastfile` is hardly unused."""

IMPLEMENTS = "its documentation says that it implements what another type declares"
"""Why a method is hardly unused that has such a comment, as is usual in Go."""

_IMPLEMENTS = re.compile(
    r"\b[Ii]mplements? (?:the )?[`\[{]?(?:\w+\.)*[A-Z]\w*|(?i:@(?:inheritdoc|implements|override)\b)"
)
"""Pattern of such a comment."""

_QUALIFIED_CLASS = re.compile(r"^(?:\w+\s+|template\s*<[^>]*>\s*){1,4}?(\w+)::\w")
"""Pattern of the head of a class that is written with the name of the module around it. The group is this name."""

COPIED = "its file names a version or a licence as that of a copied library does"
"""Why a definition in such a file is hardly unused."""

_COPY = re.compile(
    r"\A\W{0,40}[\w.-]+(?: [\w.-]+){0,4}? -? ?v?\d+\.\d+[^\n]*\n(?:[^\n]*\n){0,8}?[^\n]*(?:\([cC]\)|(?i:copyright|licen[sc]e))"
)
"""Pattern of such a head."""

_RELEASE = re.compile(r"(?:^|/)[A-Za-z][\w+]*[-_]v?\d+(?:\.\d+)+/")
"""Pattern of a path in a folder that is named for a release, as `rows_2.14.1/`."""

_RIGHTS = re.compile(r"(?:\([cC]\)|©|[Cc]opyright)[ \t:]*(?:\([cC]\)|©)?[-–, \t\d]*(?:by )?([A-Z][^\d\n<,(;.]{2,60})")
"""Pattern of the holder of the rights in a file."""

HEAD_OF_RIGHTS = 1500
"""Letters at the start of a file in which a holder of rights stands."""

MAX_FOREIGN = 10
"""A holder of more than one in so many files is none of a copied library."""

PUBLISHED = "a manifest names its class or file as an entry of the package, and other repositories may use it"
"""Why a definition is hardly unused that a manifest such as pyproject.toml or package.json gives to others."""

REOPENED = "its class adds to a module outside of the repository, which may call it"
"""Why a method of a class such as Ruby's `class Mail::Message` or `struct std::hash<Cart>` is hardly unused."""

HEAD_BYTES = 200
"""Bytes at the start of a file that tell whether it runs by itself."""

HEAD_LINES = 2
"""Lines above a definition that may belong to its head: in C, attributes and the type of the result may stand there."""

OPEN_ENDS = ("=", "=>", "(", ",", "[", "return")
"""The ends of lines above a definition that is a part of an expression."""

INSIDE = "it stands inside an expression, which may use it"
"""Why a function in an expression is hardly unused."""

CALLS_BASE = "it calls the method of its name in a base, and what calls that may call it"
"""Why a method is hardly unused that extends one of a base."""

LOCAL = "the function around it names it at another place"
"""Why a local function is hardly unused: it may be handed to a library."""

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

_INSERTED = re.compile(r"##[ \t]*([^\W\d]\w*)[ \t]*(?=##)")
"""Pattern of the middle of a name that a macro pastes together, as in `prefix ## _set_ ## name`."""

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
            if verdict.confidence >= min(min_confidence, ELSEWHERE):
                verdicts.append(verdict)
        verdicts = [verdict for verdict in self._settled(verdicts, candidates) if verdict.confidence >= min_confidence]
        return sorted(
            verdicts, key=lambda verdict: (-verdict.confidence, verdict.symbol.file_path, verdict.symbol.start_line)
        )

    def _settled(self, verdicts: Sequence[Unused], candidates: Sequence[Symbol]) -> Iterator[Unused]:
        """Yield the verdicts, less certain where a convention or code that is linked to nothing may mean the name.

        `candidates` are all definitions without a known reference.
        """
        doubts = self._doubts(verdicts, candidates)
        for verdict in verdicts:
            symbol = verdict.symbol
            reason = doubts.of_convention(symbol) if verdict.confidence >= ELSEWHERE else ""
            if not reason and verdict.confidence == ELSEWHERE:
                is_alternative = self._has_alternative(symbol, doubts.heads.get(_head(symbol), ()))
                reason = ALTERNATIVE if is_alternative else doubts.of_name(symbol)
            yield Unused(symbol, UNREAD, reason) if reason else verdict

    def _doubts(self, verdicts: Sequence[Unused], candidates: Sequence[Symbol]) -> "_Doubts":
        """Gather what makes verdicts less certain, of all of them together."""
        names = {verdict.symbol.name for verdict in verdicts if verdict.confidence == ELSEWHERE}
        used = self._used.difference(edge.of for edge in self._declarations)
        heads: dict[tuple[str | None, ...], list[Symbol]] = defaultdict(list)
        for node_id, symbol in self._nodes.items():
            if node_id in used and symbol.kind in ("function", "method"):
                heads[_head(symbol)].append(symbol)
        code = (symbol for symbol in self._nodes.values() if not symbol.is_test)
        return _Doubts(
            self._alike(verdicts),
            called_by_convention(code, {symbol.chunk_id for symbol in candidates}),
            heads,
            loose_names(self._store, names) if names else set(),
            # An overload of these is used.
            Counter(map(_place, self._nodes.values())) - Counter(_place(verdict.symbol) for verdict in verdicts),
            Counter((symbol.language, symbol.name) for symbol in candidates),
        )

    def _has_alternative(self, symbol: Symbol, twins: Iterable[Symbol]) -> bool:
        """Say whether one of these used definitions with the same head may stand for this one.

        It is in a file beside or above, for a method in a class of the same name, or this is a method of an interface in the
        same file.
        """
        if symbol.kind == "method" and self._kind_around(symbol) in CONTRACTS:
            return any(twin.file_path == symbol.file_path for twin in twins)
        folders = PurePosixPath(symbol.file_path).parents[:2]
        return any(
            twin.file_path != symbol.file_path
            and PurePosixPath(twin.file_path).parent in folders
            and (symbol.kind == "function" or owner_name(twin) == owner_name(symbol))
            for twin in twins
        )

    def _alike(self, verdicts: Iterable[Unused]) -> set[int]:
        """Return the classes that are named nowhere, as are several with their base or the last word of their name."""
        above, _ = self._inheritance
        groups: dict[object, set[Symbol]] = defaultdict(set)
        for verdict in verdicts:
            symbol = verdict.symbol
            if symbol.kind in CLASS_KINDS and verdict.confidence >= ELSEWHERE:
                for trait in ("".join(words_of(symbol.name)[-1:]), *above.get(symbol.chunk_id, ())):
                    groups[trait].add(symbol)
        several = (group for group in groups.values() if len({symbol.file_path for symbol in group}) >= MIN_ALIKE)
        return {symbol.chunk_id for group in several for symbol in group}

    def _candidates(self, open_names: Collection[str], tests: bool) -> Sequence[Symbol]:
        """List the definitions to which nothing leads, but for those that something else may run by their names or files.

        Left out are the names of calls without a target (`open_names`), and definitions in tests unless `tests` is true.
        """
        used, marked = self._used, self._store.marked_files()
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

    @cached_property
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
        named.difference_update(target for source, target in self._uses(["calls"]) if source not in tests)
        named.difference_update(self._parents.get(source) for source, _ in self._uses(["overrides"]))
        # The module of a file has no parent.
        return {node_id for node_id in named if self._parents.get(node_id) is not None}

    def _verdicts(self, candidates: Sequence[Symbol]) -> Callable[[Symbol], Unused]:
        """Return what says of a candidate how certain it is unused, by the graph and the names in all texts."""
        evidence = self._evidence({name for symbol in candidates for name in (symbol.name, _stem(symbol))})
        declared = Counter(edge.chunk_id for edge in self._declarations)
        overriding = {edge.of for edge in self._store.all_edges(["overrides"])}
        # What implements an interface of the library, the library may call.
        overriding.update(self._store.open_sources("overrides"))
        # A base outside the repository may call what it declares.
        outside = self._with_outer_bases()
        outside.update(
            edge.chunk_id
            for edge in self._declarations
            if edge.of in outside or self._parents.get(edge.of, edge.of) in outside
        )
        handed_on, published = self._handed_on(), self._published()
        wanted = self._wanted(candidates)
        modules = {symbol.name for symbol in self._nodes.values()}
        filled = self._filled(candidates)
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
                evidence.mentions.counts[symbol.name] - declared[symbol.chunk_id],
                evidence.holes(symbol, self._open_names.get(symbol.name, 0)),
                dispatched=symbol.chunk_id in overriding or symbol.chunk_id in filled | wanted or inherited,
                registered=_reached(
                    symbol, parent, is_whole_file=parent_id is None or self._parents.get(parent_id) is None
                )
                or (HANDED_ON if parent_id in handed_on else "")
                or (PUBLISHED if parent_id in published else "")
                or (REOPENED if parent is not None and _is_outer(parent, modules) else "")
                or evidence.registered(symbol),
                public=not self._is_own_file(symbol) or not is_hidden(symbol, parent),
            )

        return verdict

    def _evidence(self, names: set[str]) -> "_Evidence":
        """Gather what the texts and macros of all files say of these names."""
        macros = self._macro_texts(symbol for symbol in self._nodes.values() if symbol.kind == "macro")
        pasted = _pasted(names, macros)
        texts = read_mentions(self._store.texts(), names.union(*pasted.values()))
        known = {symbol.name for symbol in self._nodes.values() if symbol.kind == "macro"}
        return _Evidence(
            texts,
            pasted,
            {word for text in macros for word in TOKEN.findall(text) if word in names},
            known,
            set().union(*(words for macro, words in texts.macro_words.items() if macro not in known)),
            self._never_imported(),
            self._unread_mentions(names),
            unreadable_files(self._store),
        )

    def _is_copied(self, path: str, text: str) -> bool:
        """Say whether a file is a copied library: by its folder, its version, or a holder of rights whom few files name."""
        if _RELEASE.search(path) or _COPY.match(text):
            return True
        holder = _holder(text[:HEAD_OF_RIGHTS])
        return bool(holder) and holder not in self._holders

    @cached_property
    def _holders(self) -> set[str]:
        """Return the holders of rights whom a text beside the code names, or more than a few files of the repository."""
        counts: Counter[str] = Counter()
        prose = ""
        for file in self._store.files():
            text = (self._store.file_text(file.path) or b"").decode("utf-8", "replace")
            if file.source_type != "code" and "/" not in file.path:
                prose += text
            else:
                counts[_holder(text[:HEAD_OF_RIGHTS])] += 1
        most = max(counts.total() // MAX_FOREIGN, 1)
        return {holder for holder, count in counts.items() if count > most or holder in prose}

    def _never_imported(self) -> set[str]:
        """Return the files of a language with one module a file that no other file imports."""
        edges = self._store.all_edges(["imports"])
        targets = self._store.nodes([*{edge.chunk_id for edge in edges}])
        imported = {symbol.file_path for symbol in targets.values()}
        files = {symbol.file_path: languages().get(symbol.language or "") for symbol in self._nodes.values()}
        modules = {path for path, language in files.items() if language is not None and language.modules == "path"}
        return modules - imported

    def _published(self) -> set[int]:
        """Return what files of settings import, such as the entries of a package."""
        settings = {
            node_id
            for node_id, symbol in self._nodes.items()
            if (language := languages().get(symbol.language or "")) is not None and language.source_type == "text"
        }
        return {edge.chunk_id for edge in self._store.all_edges(["imports"]) if edge.of in settings}

    def _use_around(self, symbol: Symbol) -> str:
        """Return what the text around a definition says of its use: an attribute above, or an expression. Empty for neither."""
        source = self._store.file_text(symbol.file_path) or b""
        text = source.decode("utf-8", "replace")
        if self._is_copied(symbol.file_path, text):
            return COPIED
        if symbol.name.startswith("_") and _UNDERSCORE.search(text):
            # So short a text says something of its own file only.
            return COMPOSED
        lines = text.split("\n")
        above = _lines_above(symbol, lines)
        around = self._nodes.get(self._parents.get(symbol.chunk_id, symbol.chunk_id))
        heads = [symbol, around] if around is not None and around.kind in CONTRACTS else [symbol]
        if any(_is_decorated(head, lines) for head in heads):
            return DECORATED
        if above and above[-1].endswith(OPEN_ENDS):
            return INSIDE
        if _calls_base(symbol, "\n".join(lines[symbol.start_line - 1 : symbol.end_line])):
            return CALLS_BASE
        if around is not None and _is_named_in(around, symbol, lines):
            return LOCAL
        if reason := _use_outside(symbol, source, above):
            return reason
        words = symbol.signature.split()
        line = lines[symbol.start_line - 1].strip() if symbol.start_line <= len(lines) else ""
        is_inside = bool(words) and words[0] in line and not line.startswith(words[0])
        return INSIDE if is_inside else ""

    def _with_outer_bases(self) -> set[int]:
        """Return the classes with a base outside the repository, and those with such a base above, beside or below them.

        What a mixin has, the outer base of a class below it may call.
        """
        above, below = self._inheritance
        outer = self._store.open_sources("inherits")
        return _closure(outer, below) | _closure(outer, above)

    @cached_property
    def _inheritance(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """Map each class to its bases, and each base to its classes."""
        above: dict[int, set[int]] = defaultdict(set)
        below: dict[int, set[int]] = defaultdict(set)
        for edge in self._store.all_edges(["inherits"]):
            above[edge.of].add(edge.chunk_id)
            below[edge.chunk_id].add(edge.of)
        return above, below

    def _names_beside(self, classes: set[int]) -> dict[int, set[str]]:
        """Map each of these classes to the names of methods of the bases beside it, in all classes below it.

        A call through such a base, as an interface, may run the method of a trait that the class below has for it.
        """
        above, below = self._inheritance
        names: dict[int, set[str]] = defaultdict(set)
        for node_id, symbol in self._nodes.items():
            if symbol.kind == "method":
                names[self._parents.get(node_id) or 0].add(symbol.name)
        beside: dict[int, set[str]] = {}
        for node_id in classes & below.keys():
            bases = _closure(_closure([node_id], below), above) - _closure([node_id], below)
            beside[node_id] = set().union(*(names[base] for base in bases - {node_id}))
        return beside

    def _wanted(self, candidates: Sequence[Symbol]) -> set[int]:
        """Return those methods whose name an interface has, in a language where a type need not name its interfaces."""
        methods = {
            (symbol.language, symbol.name)
            for symbol in self._nodes.values()
            if symbol.kind == "method" and self._kind_around(symbol) in CONTRACTS
        }
        return {
            symbol.chunk_id
            for symbol in candidates
            if symbol.kind == "method"
            and languages()[symbol.language or ""].structural
            and (symbol.language, symbol.name) in methods
            and self._kind_around(symbol) not in CONTRACTS
        }

    def _kind_around(self, symbol: Symbol) -> str:
        """Return the kind of the definition around a definition. Empty for none."""
        parent = self._nodes.get(self._parents.get(symbol.chunk_id, symbol.chunk_id))
        return parent.kind if parent is not None else ""

    def _filled(self, candidates: Sequence[Symbol]) -> set[int]:
        """Return those methods that a field of a class below has the name of, as `val size` for `def size`."""
        _, below = self._inheritance
        methods = [symbol for symbol in candidates if self._parents.get(symbol.chunk_id) in below]
        holders: dict[str, set[int]] = defaultdict(set)
        for symbol in self._store.symbols({symbol.name for symbol in methods}, exact_case=True):
            if symbol.member_id is not None or symbol.kind in VALUE_KINDS:
                around = self._parents.get(symbol.chunk_id) if symbol.member_id is None else symbol.chunk_id
                holders[symbol.name].add(around or 0)
        return {
            symbol.chunk_id
            for symbol in methods
            if (classes := holders.get(symbol.name)) and classes & _closure([self._parents[symbol.chunk_id]], below)
        }

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
            for name, count in Counter(token for token in TOKEN.findall(text) if token in names).items():
                holders.setdefault(name, []).append((file.path, count))
        return holders


@dataclass(frozen=True, slots=True)
class _Doubts:
    """What makes verdicts less certain.

    `alike` and `conventional` are what a loader or a convention may know. `heads` are the used functions by their heads,
    `loose` the names that code uses where nothing is linked, and `overloaded` the places of used definitions. `shared` counts
    the definitions of a language and name without a known reference.
    """

    alike: set[int]
    conventional: set[int]
    heads: Mapping[tuple[str | None, ...], Sequence[Symbol]]
    loose: set[tuple[str, str]]
    overloaded: Counter[tuple[str, str]]
    shared: Counter[tuple[str | None, str]]

    def of_convention(self, symbol: Symbol) -> str:
        """Return why a loader or a convention may use a definition. Empty for no reason."""
        return GATHERED if symbol.chunk_id in self.alike else CONVENTION if symbol.chunk_id in self.conventional else ""

    def of_name(self, symbol: Symbol) -> str:
        """Return why code may use a definition whose name stands elsewhere. Empty for no reason."""
        language = languages().get(symbol.language or "")
        if language is None:
            return ""
        own_file = "" if symbol.kind == "method" else symbol.file_path
        if not self.loose.isdisjoint((symbol.name, place) for place in ("", language.family, own_file)):
            return LOOSE
        if self.overloaded[_place(symbol)]:
            return OVERLOADED
        is_shared = language.structural and self.shared[symbol.language, symbol.name] >= MIN_ALIKE
        return SHARED if is_shared else ""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the texts of a repository say of the names of candidates.

    `pasted` maps a name to the parts that macros add to. `macro_names` are those of all macros, and `outer_words` are in the
    arguments of macros that are defined elsewhere. `alone` are files that no other imports. `unread` maps a name to the files
    that were not read whole and hold it, and `unreadable` a language to its number of files without a text.
    """

    mentions: Mentions
    pasted: Mapping[str, set[str]]
    in_macros: set[str]
    macro_names: set[str]
    outer_words: set[str]
    alone: set[str]
    unread: Mapping[str, Sequence[tuple[str, int]]]
    unreadable: Mapping[str, int]

    def registered(self, symbol: Symbol) -> str:
        """Return why code may reach a definition that names it only in a text. Empty for no reason."""
        texts, name = self.mentions, symbol.name
        around = {owner_name(symbol), _stem(symbol)}
        if not around.isdisjoint(texts.full.get(name, ())):
            return LOADED
        # A block such as `variable "size" {}` has its name as a text itself.
        if (reason := texts.shown.get(name)) and not (reason == SOUGHT and symbol.kind in READ_KINDS):
            return reason
        if symbol.kind == "function" and symbol.file_path in self.alone and texts.shown.get(_stem(symbol)) == SOUGHT:
            return LOADED_WHOLE
        return COMPOSED if _is_composed(name, texts.starts, texts.ends) else ""

    def holes(self, symbol: Symbol, calls: int) -> "_Holes":
        """Return what may hide a use of a definition. `calls` are unresolved calls of its name."""
        holders = [path for path, count in self.unread.get(symbol.name, ()) if count > (path == symbol.file_path)]
        name = symbol.name
        is_pasted = any(self.mentions.counts[part] for part in self.pasted.get(name, ()))
        # A macro of a library may add to its arguments: `G_DEFINE_TYPE(Cart, cart, …)` wants `cart_init` and `_Cart`.
        is_pasted = is_pasted or not self.outer_words.isdisjoint(_starts_of(name))
        is_misread = symbol.kind == "function" and name in self.macro_names
        is_expanded = is_pasted or is_misread or (symbol.kind != "macro" and name in self.in_macros)
        return _Holes(calls, len(holders), self.unreadable[symbol.language or ""], is_expanded)


def _reached(symbol: Symbol, parent: Symbol | None, *, is_whole_file: bool) -> str:
    """Return why something may run a definition that names neither it nor its type. Empty for no reason.

    `is_whole_file` says whether the parent is all of a file, not a definition in it.
    """
    language = languages().get(symbol.language or "")
    if language is None:
        return ""
    if reason := _read_elsewhere(symbol, language):
        return reason
    if symbol.kind == "function":
        is_passed = _is_entry(symbol, language) or (is_whole_file and _is_assigned(symbol))
        return PASSED_ON if is_passed else ""
    if symbol.kind != "method":
        return ""
    if is_constructor(symbol, language):
        return CONSTRUCTS
    if is_whole_file and (_is_entry(symbol, language) or _is_assigned(symbol)):
        return PASSED_ON
    if parent is None:
        return ""
    # As in `useQuery({ queryFn() {} })`, in the value of a constant, and in `window.Page = class {}`, which has no name here.
    is_nameless = is_whole_file and symbol.qualified_name == f"{parent.qualified_name}.{symbol.name}"
    return PASSED_ON if is_nameless or parent.kind in FUNCTION_KINDS | READ_KINDS else ""


def _read_elsewhere(symbol: Symbol, language: Language) -> str:
    """Return what the file or the documentation of a definition says of its use. Empty for nothing."""
    if symbol.file_path.endswith(language.declaration_files):
        return DESCRIBED
    if PurePosixPath(symbol.file_path).name in language.filenames:
        return READ_BY_TOOL
    return IMPLEMENTS if _IMPLEMENTS.search(symbol.doc) else ""


def _is_entry(symbol: Symbol, language: Language) -> bool:
    """Say whether a function is written as an entry of an object or a table: `mounted() {}`, `Para = function(el)`."""
    mark = "[(:]" if language.object_literals else "=" if language.table_types else ""
    return (
        bool(mark)
        and re.match(rf"(?:async |get |set |\*)*{re.escape(symbol.name)}\s*{mark}", symbol.signature) is not None
    )


def _is_assigned(symbol: Symbol) -> bool:
    """Say whether a function is put into an object by a statement: `_.compose = function() {}`."""
    match = re.match(r"(\w[\w.]*)(?:\.\w+|\[[^\]]+\])\s*=(?!=)", symbol.signature.replace("$", "_"))
    return match is not None and match[1].split(".")[0] not in ("exports", "module", "this", "self", "that")


def _is_outer(parent: Symbol, names: set[str]) -> bool:
    """Say whether a class is written with the name of a module that is none of these names."""
    head = _QUALIFIED_CLASS.match(parent.signature) if parent.kind in CLASS_KINDS | {"module"} else None
    return head is not None and head[1] not in names


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
    middles: set[str] = set()
    for text in macros:
        for start, end in _PASTED.findall(text) if "##" in text else ():
            starts.add(start)
            ends.add(end)
        middles.update(_INSERTED.findall(text))
    # Most parts are parameters of the macro. A short one would begin many names.
    starts, ends, middles = ({part for part in parts if len(part) >= MIN_PASTED} for parts in (starts, ends, middles))
    lacking: dict[str, set[str]] = defaultdict(set)
    for name in names:
        # Every cut of a name is looked up, because a name is short and a code base has many macros.
        for cut in range(1, len(name)):
            if name[:cut] in starts:
                lacking[name].add(name[cut:])
            if name[cut:] in ends:
                lacking[name].add(name[:cut])
        # The use of the macro has both ends: `OPTION(cart, size)` for `cart_set_size`.
        ends_of = (name.partition(middle)[::2] for middle in middles)
        lacking[name].update(f"{start} {end}" for start, end in ends_of if start and end)
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


def _lines_above(symbol: Symbol, lines: Sequence[str]) -> list[str]:
    """Return the lines above a definition without blanks at their ends, but for comments and harmless attributes."""
    above = [line.strip() for line in lines[: symbol.start_line - 1]]
    for passed in (lambda line: line.startswith(COMMENT_STARTS), _HARMLESS.match):
        while above and passed(above[-1]):
            above.pop()
    return above


def _is_decorated(symbol: Symbol, lines: Sequence[str]) -> bool:
    """Say whether a decorator, annotation or attribute stands before a definition."""
    above = _lines_above(symbol, lines)
    return bool(above) and above[-1].startswith(ATTRIBUTE_STARTS)


def _is_named_in(around: Symbol, symbol: Symbol, lines: Sequence[str]) -> bool:
    """Say whether the function around a local function has its name at another place."""
    text = "\n".join(lines[around.start_line - 1 : around.end_line])
    return around.kind in FUNCTION_KINDS and TOKEN.findall(text).count(symbol.name) > 1


def _calls_base(symbol: Symbol, body: str) -> bool:
    """Say whether the text of a method calls the method of its name in a base: `super().save()`, or a bare `super`."""
    language = languages().get(symbol.language or "")
    if language is None or symbol.kind != "method":
        return False
    words = "|".join(map(re.escape, language.super_names | language.super_calls))
    bare = "|".join(map(re.escape, language.super_calls))
    named = rf"(?<![\w.])(?:{words})\s*(?:\.|::)\s*{re.escape(symbol.name)}\b"
    calls_bare = bool(bare) and re.search(rf"(?<![\w.:])(?:{bare})(?![\w.:?])", body) is not None
    return calls_bare or (bool(words) and re.search(named, body) is not None)


def _head(symbol: Symbol) -> tuple[str | None, ...]:
    """Return what definitions have in common that a build may choose between: language, name and parameters."""
    parameters = symbol.signature.partition(symbol.name)[2]
    return symbol.language, symbol.name, re.sub(r"\s+", "", parameters[: parameters.find(")") + 1])


def _holder(head: str) -> str:
    """Return the first holder of rights that the head of a file names. Empty for none."""
    match = _RIGHTS.search(head)
    return match[1].strip(" .*/#-") if match else ""


def _stem(symbol: Symbol) -> str:
    """Return the name of the file of a definition, without its ending."""
    return PurePosixPath(symbol.file_path).stem


def _starts_of(name: str) -> list[str]:
    """List what a macro may have got that makes a name with an underscore: `cart` for `cart_init` and for `_cart`."""
    parts = name.strip("_").split("_")
    return ["_".join(parts[:count]) for count in range(1, len(parts) + name.startswith("_"))]


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
