"""Look names up as they are seen from a file: its own definitions, imports, packages, classes and their bases.

Each way to find a definition has its own confidence. Whatever is looked up is noted by key, so that an update re-links
exactly the files whose lookups a change may answer differently.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from code_graph_indexer.indexing.resolve.annotations import read_type
from code_graph_indexer.indexing.resolve.facts import FileFacts, Passed, Target
from code_graph_indexer.indexing.resolve.modules import ModuleFile, Modules
from code_graph_indexer.indexing.resolve.notes import Note, remembered
from code_graph_indexer.languages import Language, languages

SCOPE, IMPORT, SELF = 0.98, 0.95, 0.95
INHERITED = TYPED = PEER = 0.9
STAR, PASSED, UNIQUE, UNIQUE_METHOD = 0.8, 0.75, 0.7, 0.5
"""Confidence of each way to link a reference; PASSED is one of what callers pass, the last two are guesses by name."""

MAX_DEPTH = 8
"""Hops along re-exports, base classes or chained types before giving up."""

MAX_PARTS = 20
"""Parts of the longest dotted name that is looked up; a longer one is nothing that a person wrote."""

MAX_PASSING = 20
"""Files that pass something to functions of one name; what more of them pass is not followed."""

OWN_CLASS = "<class>"
"""The word in a language file for a constructor that bears the name of its class."""

METHODS = frozenset({"method"})
GLOBALS = frozenset({"function", "macro", "class", "struct", "type", "union", "enum", "module"})
"""Kinds that are looked for by name alone: behind a receiver, and without one."""

MAX_CANDIDATES = 10
"""Candidates kept of an ambiguous reference; more say nothing."""


class Found(NamedTuple):
    """The definitions that a name may mean, and how sure that is; several are ambiguous, unless `each` is meant."""

    targets: tuple[Target, ...]
    confidence: float
    each: bool = False


NOTHING = Found((), 0.0)


class World:
    """The facts of every file, looked up with a note of each lookup."""

    def __init__(
        self,
        modules: Modules,
        facts: Callable[[str], FileFacts | None],
        named: Callable[[str], Sequence[Target]],
        passing: Callable[[str], Sequence[str]],
    ) -> None:
        self.modules = modules
        self._facts = facts
        self._named = named
        self._passing = passing
        self.note = Note()
        self.scopes: dict[tuple[str, bool], Scope] = {}
        self.inferences: dict[tuple[str, bool], object] = {}
        self.tried: set[tuple[str, str]] = set()
        self.candidates: dict[tuple[str, bool, str, bool], tuple[Target, ...]] = {}

    def scope(self, path: str, is_test: bool) -> "Scope":
        """Return the scope of a file, as it is seen from tests or from production code."""
        key = (path, is_test)
        if key not in self.scopes:
            self.scopes[key] = Scope(self, path, languages()[self.file(path).language], is_test)
        return self.scopes[key]

    def file(self, path: str) -> ModuleFile:
        """Return what imports see of a file."""
        return self.modules.files[path]

    def fact(self, path: str, key: str) -> object:
        """Look one fact of a file up."""
        self.note.keys.add(f"{path}\0{key}")
        facts = self._facts(path)
        return facts.table.get(key) if facts else None

    def definition(self, path: str, dotted: str) -> Target | None:
        """Look a definition up by its dotted name inside a file."""
        return cast("Target | None", self.fact(path, f"d:{dotted}"))

    def named(self, name: str) -> Sequence[Target]:
        """List the definitions of a simple name anywhere."""
        self.note.keys.add(f"n:{name}")
        return self._named(name)

    def passed(self, name: str) -> list[tuple[str, Passed]]:
        """List what is passed to anything of that name, with the file in which it is; nothing of a name that many call."""
        self.note.keys.add(f"a:{name}")
        paths = self._passing(name)
        if len(paths) > MAX_PASSING:
            return []
        return [(path, one) for path in paths for one in cast("tuple[Passed, ...]", self.fact(path, f"a:{name}") or ())]

    def passing_keys(self, path: str) -> set[str]:
        """List the keys by which an update finds a file again that passes something to a name."""
        facts = self._facts(path)
        return {f"s:{name}" for name in facts.passing} if facts else set()

    def holders(self, name: str) -> set[str]:
        """List the files that define a name at their top: looking into each of a large package would take too long."""
        return {one.path for one in self.named(name) if one.dotted == name}

    def find_modules(self, importer: str, text: str) -> tuple[str, ...]:
        """List the files that an import means."""
        found = self.modules.find(importer, text)
        self.note.keys |= found.lookups
        return found.paths

    def peers(self, path: str) -> list[str]:
        """List the other files of a file's module."""
        self.note.keys.add(f"m:{self.file(path).module.rpartition('.')[2]}")
        return self.modules.peers(path)


class Scope:
    """Look names up as they are seen from one file."""

    def __init__(self, world: World, path: str, language: Language, is_test: bool) -> None:
        self.world = world
        self.path = path
        self.language = language
        self.is_test = is_test
        self.memory: dict[tuple[object, ...], Note] = {}

    @remembered
    def name(self, name: str) -> Found:
        """Find what a bare name means at the top of the file."""
        if own := self.world.definition(self.path, name):
            return Found((own,), SCOPE)
        if (imported := self.imported(name)).targets:
            return imported
        for peer in self.peers_holding(name):
            if found := self.world.definition(peer, name):
                return Found((found,), PEER)
        if (starred := self.starred(name, 1)).targets:
            return Found(starred.targets, STAR)
        return self.unique(name) if self.language.global_names else NOTHING

    def peers_holding(self, name: str) -> list[str]:
        """List the other files of this file's module that define a name at their top."""
        peers = [*self.world.peers(self.path), *(self._outer_peers() if self.language.outer_modules else ())]
        holders = self.world.holders(name) if peers else set()
        return [one for one in peers if one in holders] if holders else []

    @remembered
    def _outer_peers(self) -> list[str]:
        """List the files of the modules around this file's own, innermost first."""
        found: list[str] = []
        module = self.world.file(self.path).module.rpartition(".")[0]
        while module:
            found += self.world.find_modules(self.path, module)
            module = module.rpartition(".")[0]
        return found

    def star_modules(self) -> tuple[str, ...]:
        """List the modules that the file imports whole."""
        return cast("tuple[str, ...]", self.world.fact(self.path, "*") or ())

    @remembered
    def star_reach(self) -> tuple[str, ...]:
        """List the files that this one imports whole, and those that these import whole: nearest first, each once."""
        found = {self.path: None}
        level = [self.path]
        passed_on = self.language.reexports or self.language.binds == "all"
        for _ in range(MAX_DEPTH if passed_on else 1):
            near = (
                path
                for one in level
                for module in self.at(one).star_modules()
                for path in self.world.find_modules(one, module)
                if path not in found
            )
            level = list(dict.fromkeys(near))
            found.update(dict.fromkeys(level))
        return tuple(found)[1:]

    def imported(self, name: str, depth: int = 0) -> Found:
        """Find the definition that an import binds to the name."""
        bound = cast("tuple[str, str] | None", self.world.fact(self.path, f"i:{name}"))
        return self.import_target(*bound, depth) if bound and bound[1] else self._whole_import(bound, depth)

    def _whole_import(self, bound: tuple[str, str] | None, depth: int) -> Found:
        """Find the definition that an import of a full name means (`import a.b.Name`)."""
        if not bound:
            return NOTHING
        module, separator, last = bound[0].rpartition(self.language.import_separator)
        return self.import_target(module, last, depth) if separator and module else NOTHING

    def import_target(self, module: str, name: str, depth: int = 0) -> Found:
        """Find `name` in the files that a module's name means, following re-exports."""
        if depth > MAX_DEPTH:
            return NOTHING
        for path in self.world.find_modules(self.path, module):
            if (found := self.exported(path, name, depth + 1)).targets:
                return Found(found.targets, IMPORT)
        outer, separator, last = module.rpartition(self.language.import_separator)
        if separator and outer:
            for path in self.world.find_modules(self.path, outer):
                if target := self.world.definition(path, f"{last}.{name}"):
                    return Found((target,), IMPORT)
        return NOTHING

    def exported(self, path: str, name: str, depth: int) -> Found:
        """Find what a name means in another file, as it is seen from outside; a search begins with depth 1."""
        if depth == 1:
            self.world.tried.clear()
        if depth > MAX_DEPTH:
            return NOTHING
        if own := self.world.definition(path, name):
            return Found((own,), IMPORT)
        return self.at(path).reexported(name, depth) if self.language.reexports else NOTHING

    def reexported(self, name: str, depth: int) -> Found:
        """Find a name among the imports of this file; once in a search, as many ways may lead here."""
        if (self.path, name) in self.world.tried:
            return NOTHING
        self.world.tried.add((self.path, name))
        if (found := self.imported(name, depth + 1)).targets:
            return found
        return self.starred(name, depth + 1)

    def starred(self, name: str, depth: int) -> Found:
        """Find a name in the files that this one imports whole, or that they import; a search begins with depth 1."""
        if depth == 1:
            self.world.tried.clear()
        reach = self.star_reach()
        holders = self.world.holders(name) if reach else set()
        for path in reach:
            if path in holders and (own := self.world.definition(path, name)):
                return Found((own,), IMPORT)
            scope = self.at(path)
            if scope.language.reexports and (found := scope.imported(name, depth + 1)).targets:
                return found
        return NOTHING

    def at(self, path: str) -> "Scope":
        """Return the scope of another file."""
        return self.world.scope(path, self.is_test)

    @remembered
    def modules_of(self, dotted: str, depth: int = 0) -> tuple[str, ...]:
        """List the files that a name bound by an import stands for, as a module (`a`, `a.b`), after so many re-exports."""
        head, _, rest = dotted.partition(".")
        bound = cast("tuple[str, str] | None", self.world.fact(self.path, f"i:{head}"))
        if not bound:
            return self.world.find_modules(self.path, dotted) if self.language.modules == "stem" else ()
        text = self.joined(*bound) if bound[1] else bound[0]
        if bound[1] and self.language.reexports and depth < MAX_DEPTH:
            passed = self._reexported_modules(*bound, rest, depth + 1)
            if passed:
                return passed
        if rest:
            separator = self.language.import_separator
            text = f"{text}{separator}{rest.replace('.', separator)}"
        return self.world.find_modules(self.path, text)

    def _reexported_modules(self, module: str, name: str, rest: str, depth: int) -> tuple[str, ...]:
        """List the files of a module that another one passes on by a name: `export * as util from "./util"`."""
        for path in self.world.find_modules(self.path, module):
            bound = cast("tuple[str, str] | None", self.world.fact(path, f"i:{name}"))
            dotted = f"{name}.{rest}" if rest else name
            if path != self.path and bound and (found := self.at(path).modules_of(dotted, depth)):
                return found
        return ()

    def joined(self, module: str, name: str) -> str:
        """Name a module inside another one, as an import would."""
        relative = module.endswith(self.language.relative or "\0")
        return module + name if relative else f"{module}{self.language.import_separator}{name}"

    def is_external(self, name: str) -> bool:
        """Say whether an import binds the name to something outside the repository."""
        return (
            self.world.fact(self.path, f"i:{name}") is not None
            and not self.modules_of(name)
            and not self.imported(name).targets
        )

    @remembered
    def dotted(self, text: str, own_only: bool = False) -> Found:
        """Find what a dotted name means: a nested definition, or one of an imported module.

        With `own_only` the bases of classes on the way are not asked.
        """
        if "." not in text:
            return self.name(text)
        if text.count(".") >= MAX_PARTS:
            return NOTHING
        head, _, last = text.rpartition(".")
        if own := self.world.definition(self.path, text):
            return Found((own,), SCOPE)
        for path in self.modules_of(head):
            if (found := self.exported(path, last, 1)).targets:
                return Found(found.targets, IMPORT)
        outer = self.dotted(head, own_only)
        for target in outer.targets:
            if inner := self.own_member(target, last) if own_only else self.member(target, last):
                return Found((inner,), outer.confidence)
        return NOTHING

    def unique(self, name: str, *, methods: bool = False) -> Found:
        """Find the only definition of a name in the languages that call each other."""
        named = self.world.named(name)
        # It is the same for all files of a kind, and some names have a thousand definitions.
        key = (name, methods, self.language.family, self.is_test)
        if key not in self.world.candidates:
            kinds = METHODS if methods else GLOBALS
            found = [one for one in named if one.kind in kinds and self.reachable(one.path)]
            found = [one for one in found if one.has_body] or found
            self.world.candidates[key] = tuple(found[:MAX_CANDIDATES])
        return Found(self.world.candidates[key], UNIQUE_METHOD if methods else UNIQUE)

    def reachable(self, path: str) -> bool:
        """Say whether this file may call what another one defines: of its family, and no tests from production code."""
        other = self.world.file(path)
        return languages()[other.language].family == self.language.family and (self.is_test or not other.is_test)

    @remembered
    def member(self, cls: Target, name: str) -> Target | None:
        """Find a member of a class: its own, one defined outside its body, or an inherited one."""
        return self.own_member(cls, name) or self.inherited(cls, name)

    def own_member(self, cls: Target, name: str) -> Target | None:
        """Find a member of a class in its body, or outside of it in another file."""
        if own := self.world.definition(cls.path, f"{cls.dotted}.{name}"):
            return own
        spread = cls.kind == "namespace"
        if not spread and not self.at(cls.path).language.open_types:
            return None
        dotted = f"{cls.dotted}.{name}"
        found = (one for one in self.world.named(name) if one.dotted == dotted and (spread or one.kind == "method"))
        return next((one for one in found if one.path != cls.path and self.reachable(one.path)), None)

    def inherited(self, cls: Target, name: str) -> Target | None:
        """Find a member among the bases of a class: breadth first, in their order."""
        for base in self.ancestors(cls):
            if found := self.own_member(base, name):
                return found
        return None

    @remembered
    def root_method(self, name: str) -> Target | None:
        """Find the method that all methods of a name override, where there is one such."""
        roots: set[Target] = set()
        for one in self.world.named(name):
            if one.kind != "method" or not self.reachable(one.path):
                continue
            owner = self.world.definition(one.path, one.dotted.rpartition(".")[0])
            above = self.at(one.path).ancestors(owner) if owner is not None else []
            roots.add([one, *(found for base in above if (found := self.own_member(base, name)))][-1])
            if len(roots) > 1:
                return None
        return next(iter(roots), None)

    @remembered
    def ancestors(self, cls: Target) -> list[Target]:
        """List the classes above a class, nearest first, each once."""
        found: dict[Target, None] = {cls: None}
        level = [cls]
        for _ in range(MAX_DEPTH):
            level = [base for one in level for base in self.bases(one) if base not in found]
            found.update(dict.fromkeys(level))
        return list(found)[1:]

    @remembered
    def bases(self, cls: Target) -> list[Target]:
        """List the bases of a class that are in the repository."""
        names = cast("tuple[str, ...]", self.world.fact(cls.path, f"b:{cls.dotted}") or ())
        scope = self.at(cls.path)
        found = (one for name in names for one in scope.dotted(base_name(name), True).targets[:1])
        return [one for one in found if one.is_type]


def base_name(text: str) -> str:
    """Name the type that a base class's text is about."""
    return next((one.name for one in read_type(text)), "")


def dots(text: str) -> str:
    """Write a name of any language with dots."""
    for mark in ("::", "->", "?.", "\\"):
        if mark in text:
            text = text.replace(mark, ".")
    return text.strip(".")
