"""Look names up as they are seen from a file: its own definitions, imports, packages, classes and their bases.

Each way to find a definition has its own confidence. Whatever is looked up is noted by key, so that an update re-links
exactly the files whose lookups a change may answer differently.
"""

from typing import NamedTuple

from code_graph_indexer.languages import languages
from code_graph_indexer.resolve.facts import Slot, Target
from code_graph_indexer.resolve.members import MAX_DEPTH, Members
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import MAX_CANDIDATES

SCOPE, IMPORT, SELF = 0.98, 0.95, 0.95
INHERITED = TYPED = PEER = 0.9
STAR, PASSED, UNIQUE, UNIQUE_METHOD = 0.8, 0.75, 0.7, 0.5
"""Confidence of each way to link a reference; PASSED is one of what callers pass, the last two are guesses by name."""

MAX_PARTS = 20
"""Parts of the longest dotted name that is looked up; a longer one is nothing that a person wrote."""

OWN_CLASS = "<class>"
"""The word in a language file for a constructor that bears the name of its class."""

METHODS = frozenset({"method"})
GLOBALS = frozenset({"function", "macro", "class", "struct", "type", "union", "enum", "module"})
"""Kinds that are looked for by name alone: behind a receiver, and without one."""


class Found(NamedTuple):
    """The definitions that a name may mean, and how sure that is; several are ambiguous, unless `each` is meant.

    `tied` says that others of the same name take as many arguments.
    """

    targets: tuple[Target, ...]
    confidence: float
    each: bool = False
    tied: bool = False


NOTHING = Found((), 0.0)


class Scope(Members):
    """Look names up as they are seen from one file."""

    @remembered
    def name(self, name: str) -> Found:
        """Find what a bare name means at the top of the file."""
        imported = self.imported(name) if self.language.imports_first else NOTHING
        if not imported.targets and (own := self.world.definition(self.path, name)):
            return Found((own,), SCOPE)
        if not imported.targets and (meant := self.renamed(name, 0)).targets:
            return meant
        if (imported := imported if imported.targets else self.imported(name)).targets:
            return imported
        for peer in self.peers_holding(name):
            if found := self.world.definition(peer, name):
                return Found((found,), PEER)
        if (starred := self.starred(name, 1)).targets:
            return Found(starred.targets, STAR)
        if self.language.global_names:
            return self.unique(name)
        macros = self.unique(name) if self.language.global_macros and not self.is_external(name) else NOTHING
        return macros if all(one.kind == "macro" for one in macros.targets) else NOTHING

    def peers_holding(self, name: str) -> list[str]:
        """List the other files of this file's module that define a name at their top."""
        peers = [*self.world.peers(self.path), *(self._outer_peers() if self.language.outer_modules else ())]
        holders = self.world.holders(name) if peers else set()
        # Two builds in one repository may declare the same package: what is below the same folder is meant.
        folder = self.path.partition("/")[0]
        return sorted((one for one in peers if one in holders), key=lambda one: one.partition("/")[0] != folder)

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
        modules: tuple[str, ...] = self.world.fact(self.path, "*") or ()
        return modules

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
        """Find the definition that an import binds to the name, or else another import of that name."""
        for key in ("i", "j"):
            bound: tuple[str, str] | None = self.world.fact(self.path, f"{key}:{name}")
            found = self.import_target(*bound, depth) if bound and bound[1] else self._whole_import(bound, depth)
            if found.targets or not bound:
                return found
        return NOTHING

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
        there = self.at(path)
        if (meant := there.renamed(name, depth)).targets:
            return meant
        return there.reexported(name, depth) if self.language.reexports else NOTHING

    def renamed(self, name: str, depth: int) -> Found:
        """Find the class that a variable of this file is another name of: `Base = Other`, `export { Other as Base }`."""
        slots: tuple[Slot, ...] = self.world.fact(self.path, f"f:{name}") or ()
        values = {one.value.removesuffix("[]") for one in slots if not one.type_name}
        other = next(iter(values), "")
        if len(values) != 1 or other == name or not other.isidentifier():
            return NOTHING
        own = self.world.definition(self.path, other)
        found = Found((own,), IMPORT) if own else self.imported(other, depth + 1)
        return found if all(one.is_type for one in found.targets) else NOTHING

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

    @classmethod
    def of(cls, world: World, path: str, is_test: bool) -> "Scope":
        """Return the scope of a file, as it is seen from tests or from production code."""
        known: Scope | None = world.scopes.get((path, is_test))
        if known is None:
            known = world.scopes[path, is_test] = cls(world, path, languages()[world.file(path).language], is_test)
        return known

    def at(self, path: str) -> "Scope":
        """Return the scope of another file."""
        known: Scope | None = self.world.scopes.get((path, self.is_test))
        return known or Scope.of(self.world, path, self.is_test)

    @remembered
    def modules_of(self, dotted: str, depth: int = 0) -> tuple[str, ...]:
        """List the files that a name stands for, as a module (`a`, `a.b`), after so many re-exports: one that an import binds,
        or the full name of one where modules say theirs.
        """
        head, _, rest = dotted.partition(".")
        bound: tuple[str, str] | None = self.world.fact(self.path, f"i:{head}")
        if not bound and self.language.modules == "folder":
            return self._self_named().get(dotted, ())
        if not bound:
            return self.world.find_modules(self.path, dotted) if self.language.modules in ("stem", "declared") else ()
        text = self.joined(*bound) if bound[1] else bound[0]
        if bound[1] and self.language.reexports and depth < MAX_DEPTH:
            passed = self._reexported_modules(*bound, rest, depth + 1)
            if passed:
                return passed
        if rest:
            separator = self.language.import_separator
            text = f"{text}{separator}{rest.replace('.', separator)}"
        return self.world.find_modules(self.path, text)

    @remembered
    def _self_named(self) -> dict[str, tuple[str, ...]]:
        """List the files of imported modules by what these call themselves: `import "x/go-yaml"` binds `yaml`."""
        texts: tuple[str, ...] = self.world.fact(self.path, "k:") or ()
        found = [paths for text in texts if (paths := self.world.find_modules(self.path, text))]
        return {self.world.file(paths[0]).module: paths for paths in found}

    def _reexported_modules(self, module: str, name: str, rest: str, depth: int) -> tuple[str, ...]:
        """List the files of a module that another one passes on by a name: `export * as util from "./util"`."""
        for path in self.world.find_modules(self.path, module):
            bound: tuple[str, str] | None = self.world.fact(path, f"i:{name}")
            dotted = f"{name}.{rest}" if rest else name
            if path != self.path and bound and (found := self.at(path).modules_of(dotted, depth)):
                return found
        return ()

    def joined(self, module: str, name: str) -> str:
        """Name a module inside another one, as an import would."""
        relative = module.endswith(self.language.relative or "\0")
        return module + name if relative else f"{module}{self.language.import_separator}{name}"

    @remembered
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
        if any(self.is_opened(one) for one in outer.targets) and (found := self.name(last)).targets:
            return found
        for target in outer.targets:
            if inner := self.own_member(target, last) if own_only else self.member(target, last):
                return Found((inner,), outer.confidence)
        return NOTHING

    def is_opened(self, target: Target) -> bool:
        """Say whether a macro opens a namespace: what is in it stands at the top of its file."""
        named = self.world.named(target.name) if target.kind == "namespace" else ()
        return any(one.kind == "namespace" and not one.has_body for one in named)

    def type_named(self, text: str, dotted: str, own_only: bool = False) -> Found:
        """Find the type that a dotted name means in the classes and namespaces around a definition, or else at the top.

        With `own_only` the bases of classes on the way are not asked.
        """
        find = self.own_member if own_only else self.member
        head, *rest = text.split(".")
        for around in self.types_around(dotted):
            found = find(around, head)
            for part in rest:
                found = find(found, part) if found is not None else None
            if found is not None and found.is_type:
                return Found((found,), SCOPE if found.path == self.path else PEER)
        return self.dotted(text, own_only)

    def first_type(self, text: str, dotted: str) -> Target | None:
        """Find the type that a name means in the body of a class, the bases of classes on the way not asked."""
        return next((one for one in self.type_named(text, dotted, True).targets[:1] if one.is_type), None)

    @remembered
    def types_around(self, dotted: str) -> tuple[Target, ...]:
        """List the classes and namespaces around a definition, innermost first, with itself when it is one."""
        parts = dotted.split(".") if dotted else []
        around = (self.world.definition(self.path, ".".join(parts[:end])) for end in range(len(parts), 0, -1))
        return tuple(one for one in around if one is not None and one.is_type)

    def unique(self, name: str, *, methods: bool = False) -> Found:
        """Find the only definition of a name in the languages that call each other."""
        named = self.world.named(name)
        # It is the same for all files of a kind, and some names have a thousand definitions.
        key = (name, methods, self.language.family, self.is_test)
        if key not in self.world.candidates:
            kinds = METHODS if methods else GLOBALS
            found = [one for one in named if one.kind in kinds and self.reachable(one.path)]
            found = [one for one in found if one.has_body] or found
            # Overloads are one name.
            names = {(one.path, one.dotted): one for one in reversed(found)}
            self.world.candidates[key] = tuple(reversed(names.values()))[:MAX_CANDIDATES]
        return Found(self.world.candidates[key], UNIQUE_METHOD if methods else UNIQUE)
