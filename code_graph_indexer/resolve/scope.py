"""Look up names as one file sees them: its own definitions, imports, packages, classes and their bases.

Each way to find a definition has its own confidence. The key of each lookup is recorded, so that an update links again only the
files whose lookups may now give another answer.
"""

import posixpath
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.annotations import base_name
from code_graph_indexer.resolve.facts import VALUE_KINDS
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.world import Import, World
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.imports import from_top
from code_graph_indexer.syntax.records import CLASS_KINDS

SCOPE, IMPORT, INCLUDED, SELF = 0.98, 0.95, 0.95, 0.95
INHERITED = TYPED = PEER = 0.9
STAR, PASSED, UNIQUE, TABLE, UNIQUE_METHOD = 0.8, 0.75, 0.7, 0.6, 0.5
"""Confidence of each way to resolve a reference.

PASSED is for values that callers pass as arguments, and for elements of a list that is written out. TABLE is for functions that
a table of functions holds. UNIQUE and UNIQUE_METHOD are for guesses by name.
"""

MAX_DEPTH = 8
"""The most hops along re-exports, base classes or chained types."""

MAX_ALIASES = 4
"""The longest chain of type aliases that is followed."""

MAX_PARTS = 20
"""The most parts of a dotted name that is looked up. Nobody writes a longer one."""

METHODS = frozenset({"method"})
GLOBALS = frozenset({"function", "macro", "class", "struct", "type", "union", "enum", "module", "protocol"})
"""Kinds of definitions that may be guessed by name alone: METHODS for a name with a receiver, GLOBALS for a name without."""


class Resolution(NamedTuple):
    """The definitions that a name may mean, and the confidence in them. Lookups by name return a `Resolution`.

    Several targets make the name ambiguous, unless `all_meant` says that the name means all of them. `tied` says that several
    overloads take the same number of arguments, so that their parameter types must decide.
    """

    targets: tuple[Target, ...]
    confidence: float
    all_meant: bool = False
    tied: bool = False


NOTHING = Resolution((), 0.0)


class Scope:
    """The names that one file can see, either as a test or as production code.

    A bare name is looked up in this order: the file's own definitions, its imports, the other files of its module, the files
    that it imports whole, and the only definition anywhere. In some languages, imports come first.
    """

    def __init__(self, world: World, path: str, language: Language, is_test: bool) -> None:
        self.world = world
        self.path = path
        self.language = language
        self.is_test = is_test
        self.memory = Memory()

    @classmethod
    def of(cls, world: World, path: str, is_test: bool) -> "Scope":
        """Return the scope of a file. `is_test` is true for the names that test code sees, false for production code."""
        scope: Scope | None = world.scopes.get((path, is_test))
        if scope is None:
            scope = world.scopes[path, is_test] = cls(world, path, languages()[world.file(path).language], is_test)
        return scope

    def at(self, path: str) -> "Scope":
        """Return the scope of another file, for the same kind of code (test or production)."""
        scope: Scope | None = self.world.scopes.get((path, self.is_test))
        return scope or Scope.of(self.world, path, self.is_test)

    # Names at the top of the file.

    @remembered
    def name(self, name: str, own_only: bool = False) -> Resolution:
        """Return what a bare name means at the top of the file.

        If `own_only` is true, the members that an opened class inherits are not searched.
        """
        if self.language.full_names and name[:1].isupper():
            return self.full_name(name)
        imported = self.imported(name) if self.language.imports_first else NOTHING
        if not imported.targets and (target := self.world.definition(self.path, name)):
            return Resolution((target,), SCOPE)
        if not imported.targets and (renamed := self.renamed(name, 0)).targets:
            return renamed
        if (imported := imported if imported.targets else self.imported(name)).targets:
            return imported
        for peer in self.peers_holding(name):
            if target := self.world.definition(peer, name):
                return Resolution((target,), PEER)
        if self.language.global_module and (shared := self._in_global_module(name)).targets:
            return shared
        if (starred := self.starred(name, 1, own_only)).targets:
            # An included header is read as if its text stood in the file. A name from `import *` may come from elsewhere too.
            is_sure = self.language.declarations == "linked" and len(starred.targets) == 1
            return Resolution(starred.targets, INCLUDED if is_sure else STAR)
        if self.language.full_names:
            return self._in_whole_modules(name)
        if self.language.global_names and name not in self.language.platform:
            guess = self.unique(name)
            # A function that a table holds is no global one.
            is_inside = self.language.table_types and any(target.dotted != name for target in guess.targets)
            return NOTHING if is_inside else guess
        return self._global_macro(name) if self.language.global_macros else NOTHING

    def _global_macro(self, name: str) -> Resolution:
        """Return the macro that a name means, wherever it is: a macro is seen without an import, or in its package's root."""
        bound = self.world.import_of(self.path, name)
        roots = self.world.find_modules(self.path, bound[0]) if bound else ()
        is_external = self.is_external(name)
        if is_external and not roots:
            # This is the way of nearly all imported names.
            return NOTHING
        guess = self.unique(name)
        macros = tuple(target for target in guess.targets if target.kind == "macro")
        folders = tuple(f"{path.rpartition('/')[0]}/" for path in roots)
        if inside := tuple(target for target in macros if target.path.startswith(folders)):
            return Resolution(inside, IMPORT)
        if is_external or len(macros) < len(guess.targets):
            return NOTHING
        # Several packages may have a macro of the name. That of the own one is meant.
        near = [len(posixpath.commonprefix([self.path, target.path]).rpartition("/")[0]) for target in macros]
        nearest = tuple(target for target, length in zip(macros, near, strict=True) if length == max(near))
        return guess._replace(targets=nearest)

    @remembered
    def full_name(self, text: str) -> Resolution:
        """Return the module that a name means: inside this file, by an alias, or by its full name.

        Several modules of one full name are an ambiguous guess.
        """
        head, dot, rest = text.partition(".")
        if target := self.world.definition(self.path, text):
            return Resolution((target,), SCOPE)
        if bound := self.world.import_of(self.path, head):
            text = f"{'.'.join(filter(None, bound))}{dot}{rest}"
        targets = {
            target.path: target
            for target in reversed(self.world.definitions_of(text))
            if target.is_type and self.reachable(target.path)
        }
        candidates = tuple(reversed(targets.values()))[:MAX_CANDIDATES]
        return Resolution(candidates, PEER if len(candidates) == 1 else UNIQUE)

    def _in_whole_modules(self, name: str) -> Resolution:
        """Return what a bare name means in the modules that this file imports whole, or that such a module imports whole."""
        modules = self.world.whole_imports(self.path)
        for _ in range(2):
            targets = [
                target
                for module in modules
                for target in self.world.definitions_of(f"{module}.{name}")
                if target.kind in ("function", "macro") and not target.is_local and self.reachable(target.path)
            ]
            if targets:
                return Resolution((targets[0],), STAR)
            # Elixir's `use` runs a macro of the module, whose imports hold here.
            files = {target.path: None for module in modules for target in self.full_name(module).targets}
            modules = tuple(dict.fromkeys(inner for path in files for inner in self.world.whole_imports(path)))
        return NOTHING

    def _in_global_module(self, name: str) -> Resolution:
        """Return what a name means in the module of all files that declare none. Several definitions are an ambiguous guess.

        Where modules see those around them, this module is around all others: its types are seen everywhere, and those in a
        namespace wherever the namespace is.
        """
        is_inside = not self.world.module(self.path)
        is_around = self.language.outer_modules
        targets = {
            target.path: target
            for target in reversed(self.world.definitions_named(name))
            if (target.dotted == name or (is_around and target.dotted.rpartition(".")[0] in self._namespaces()))
            and (target.is_type if is_around else target.kind == "function" or (is_inside and target.is_type))
            and self.reachable(target.path)
            and not self.world.module(target.path)
        }
        candidates = tuple(reversed(targets.values()))[:MAX_CANDIDATES]
        return Resolution(candidates, PEER if len(candidates) == 1 else UNIQUE)

    @remembered
    def _namespaces(self) -> frozenset[str]:
        """Return the modules whose definitions this file sees: its own one, those around it, and those it imports whole."""
        parts = self.world.module(self.path).split(".")
        own = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
        return frozenset((*own, *self.world.whole_imports(self.path))) - {""}

    def peers_holding(self, name: str) -> list[str]:
        """List the other files of this file's module that define a name at their top level.

        Files below the same top folder come first.
        """
        peers = self._peers()
        return _among(peers, self.world.holders(name)) if peers else []

    @remembered
    def _peers(self) -> dict[str, int]:
        """Map the other files of this file's module to their places in the order in which they are searched."""
        peers = [*self.world.peers(self.path), *(self._outer_peers() if self.language.outer_modules else ())]
        # Two builds in one repository may declare the same package. The one below the same top folder goes first.
        folder = self.path.partition("/")[0]
        return _places(sorted(peers, key=lambda peer: peer.partition("/")[0] != folder))

    @remembered
    def _outer_peers(self) -> list[str]:
        """List the files of the modules that enclose this file's module, innermost module first."""
        paths: list[str] = []
        module = self.world.module(self.path).rpartition(".")[0]
        while module:
            paths += self.world.find_modules(self.path, module)
            module = module.rpartition(".")[0]
        return paths

    def function_named(self, name: str) -> Resolution:
        """Return the function of a name, for a call that found a macro or a type of that name instead.

        It is one of this file, else of the files that this file includes, else the only one anywhere.
        """
        functions = [
            target
            for target in self.world.definitions_named(name)
            if target.kind == "function"
            and self.reachable(target.path)
            and (not target.is_local or target.path == self.path)
        ]
        included = {self.path, *self.star_reach()}
        for confidence, targets in (
            (SCOPE, [target for target in functions if target.path == self.path]),
            (INCLUDED, [target for target in functions if target.path in included]),
            (UNIQUE, functions),
        ):
            # A mere declaration counts only if no definition has a body.
            bodies = [target for target in targets if target.has_body] or targets
            if bodies:
                return Resolution(tuple(bodies[:MAX_CANDIDATES]), confidence)
        return NOTHING

    def unique(self, name: str, *, methods: bool = False) -> Resolution:
        """Return the definitions of a name in this file's family of languages, at most `MAX_CANDIDATES`.

        Several targets are an ambiguous guess. Overloads count as one definition. If `methods` is true, only methods are
        returned, else only functions, macros, types and modules.
        """
        targets = self.world.definitions_named(name)
        # The answer is the same for all files of a family, and some names have a thousand definitions.
        key = (name, methods, self.language.family, self.is_test)
        # The lookup above is noted for each file. Only the work on it is shared.
        targets_of_name = self.world.candidates.get(key)
        if targets_of_name is None:
            kinds = METHODS if methods else GLOBALS
            candidates = [
                target
                for target in targets
                if target.kind in kinds and not target.is_local and self.reachable(target.path)
            ]
            # A mere declaration counts only if no definition has a body.
            candidates = [target for target in candidates if target.has_body] or candidates
            # Overloads are one name.
            names = {(target.path, target.dotted): target for target in reversed(candidates)}
            targets_of_name = self.world.candidates.put(key, tuple(reversed(names.values()))[:MAX_CANDIDATES])
        return Resolution(targets_of_name, UNIQUE_METHOD if methods else UNIQUE)

    def reachable(self, path: str) -> bool:
        """Say whether this file may call the definitions of another file.

        Their languages must be able to call each other. Production code does not call tests.
        """
        file = self.world.file(path)
        return languages()[file.language].family == self.language.family and (self.is_test or not file.is_test)

    # Imports and re-exports.

    def imported(self, name: str, depth: int = 0) -> Resolution:
        """Return the definition that an import binds to the name.

        If that import leads nowhere, a second import of the same name is tried. `depth` counts the re-exports followed so far.
        """
        bound = self.world.import_of(self.path, name)
        resolution = self._import_bound(bound, depth)
        if resolution.targets or not bound:
            return resolution
        return self._import_bound(self.world.second_import_of(self.path, name), depth)

    def _import_bound(self, bound: Import | None, depth: int) -> Resolution:
        if not bound:
            return NOTHING
        module, name = bound
        if name:
            return self.import_target(module, name, depth)
        if not self.language.default_export:
            return self.import_in_full(module, depth)
        return self.whole(module, depth)

    def whole(self, module: str, depth: int = 0) -> Resolution:
        """Return the definition that is the whole value of a module, as `module.exports = Cart` says."""
        if depth <= MAX_DEPTH:
            for path in self.world.find_modules(self.path, module):
                if (exported := self.exported(path, self.language.default_export, depth + 1)).targets:
                    return exported
        return NOTHING

    def import_in_full(self, text: str, depth: int = 0) -> Resolution:
        """Return the definition that an import of a full name means, such as `import a.b.Name`."""
        module, separator, last = text.rpartition(self.language.import_separator)
        return self.import_target(module, last, depth) if separator and module else NOTHING

    def import_target(self, module: str, name: str, depth: int = 0) -> Resolution:
        """Return the definition of `name` in the files of a module. Re-exports are followed."""
        if depth > MAX_DEPTH:
            return NOTHING
        paths = self.world.find_modules(self.path, module)
        if not paths and self.language.import_lookup == "tree":
            paths = self.modules_of(module.replace(self.language.import_separator, "."), depth)
        for path in paths:
            if (exported := self.exported(path, name, depth + 1)).targets:
                twins = self._twins(paths, path, name, depth) if len(paths) > 1 else ()
                return Resolution(exported.targets + twins, UNIQUE if twins else IMPORT)
        # The last word of the module may be a class: `import a.b.Class.member`.
        outer, separator, last = module.rpartition(self.language.import_separator)
        if separator and outer:
            for path in self.world.find_modules(self.path, outer):
                if target := self.world.definition(path, f"{last}.{name}"):
                    return Resolution((target,), IMPORT)
                if self._holds_module(path, last) and (imported := self.at(path).imported(name, depth + 1)).targets:
                    return imported
        elif target := self.world.definition(self.path, f"{module}.{name}"):
            # A module inside this file.
            return Resolution((target,), IMPORT)
        return NOTHING

    def _twins(self, paths: tuple[str, ...], chosen: str, name: str, depth: int) -> tuple[Target, ...]:
        """List what a name means in files that are the imported module just as well as the chosen one, in other roots."""
        if self.language.modules != "path":
            return ()
        stems = {posixpath.splitext(chosen)[0]}
        targets: list[Target] = []
        for path in paths:
            if (stem := posixpath.splitext(path)[0]) not in stems and len(targets) < MAX_CANDIDATES - 1:
                stems.add(stem)
                targets += self.exported(path, name, depth + 1).targets[:1]
        return tuple(targets)

    def exported(self, path: str, name: str, depth: int) -> Resolution:
        """Return what a name means to files that import it from the file `path`.

        `depth` counts the re-exports followed so far. A new search begins with 1.
        """
        if depth == 1:
            # Two files may re-export each other. `visited` ends that, and belongs to one search.
            self.world.visited.clear()
        if depth > MAX_DEPTH:
            return NOTHING
        if target := self.world.definition(path, name):
            return Resolution((target,), IMPORT)
        scope = self.at(path)
        if (renamed := scope.renamed(name, depth)).targets:
            return renamed
        if scope.language.script and name == scope.language.default_export:
            # A component is the whole value of its file.
            component = self.world.definition(path, "")
            return Resolution((component,), IMPORT) if component else NOTHING
        return scope.reexported(name, depth) if self.language.reexports else NOTHING

    def renamed(self, name: str, depth: int) -> Resolution:
        """Return the class that a variable of this file is another name for: `Base = Other`, `export { Other as Base }`.

        What a module exports as its whole value may also be a function.
        """
        slots = self.world.slots(self.path, name)
        if not slots:
            # This is the way of nearly all names.
            return NOTHING
        values = {slot.value.removesuffix("[]") for slot in slots if not slot.type_name}
        value = next(iter(values), "")
        # A variable with several values is no other name of a class.
        if len(values) != 1 or value == name:
            return NOTHING
        if value.startswith('"') and value.endswith('"'):
            resolution = self.whole(value.strip('"'), depth + 1)
        elif self.language.namespaces and value.rpartition(".")[2] == name:
            # C++'s `using shop::total`.
            return self.dotted(value)
        elif value.isidentifier():
            target = self.world.definition(self.path, value)
            resolution = Resolution((target,), IMPORT) if target else self.imported(value, depth + 1)
        elif (bound := self.world.import_of(self.path, value.partition(".")[0])) and not bound[1]:
            # `Cart = shop.Cart`, with a module `shop`.
            resolution = self.import_target(bound[0], value.partition(".")[2], depth + 1)
        else:
            return NOTHING
        is_whole = name == self.language.default_export
        return resolution if is_whole or all(target.is_type for target in resolution.targets) else NOTHING

    def reexported(self, name: str, depth: int) -> Resolution:
        """Return what a name means among the imports of this file. A search visits each name of a file only once."""
        if (self.path, name) in self.world.visited:
            return NOTHING
        self.world.visited.add((self.path, name))
        if (imported := self.imported(name, depth + 1)).targets:
            return imported
        return self.starred(name, depth + 1)

    def starred(self, name: str, depth: int, own_only: bool = False) -> Resolution:
        """Return what a name means in the files that this file imports whole, as with `from m import *`.

        `depth` counts the re-exports followed so far. A new search begins with 1. Of an opened class, only a new search finds
        what it inherits, and none does with `own_only`.
        """
        if depth == 1:
            self.world.visited.clear()
        reach = self.star_reach()
        holders = self.reached_holders(name)
        alias: Target | None = None
        # What is not re-exported comes only from the files that hold it. A header may include hundreds of others.
        for path in reach if self.language.reexports else holders:
            if self.language.reexports and not self.world.is_public(path, name):
                continue
            if path in holders and (target := self.world.definition(path, name)):
                if target.is_local and target.has_body:
                    # A file may include one of several files, under conditions, which define the same function.
                    included = (self.world.definition(holder, name) for holder in holders)
                    return Resolution(
                        tuple(twin for twin in included if twin and twin.is_local and twin.has_body), IMPORT
                    )
                if target.kind != "macro" or target.has_body:
                    return Resolution((target,), IMPORT)
                # `#define read my_read` often stands under a condition that is false. A function of that name goes before it.
                alias = alias or target
            if self.language.reexports and (imported := self.at(path).imported(name, depth + 1)).targets:
                return imported
        if alias is not None:
            return Resolution((alias,), IMPORT)
        if not holders:
            for outer in self._opened():
                member = self.own_member(outer, name)
                if member is None and not own_only and depth == 1:
                    # To find a base here would need the bases, which are searched with `own_only`.
                    member = self.inherited(outer, name)
                if member is not None:
                    return Resolution((member,), IMPORT)
        return NOTHING

    def reached_holders(self, name: str) -> list[str]:
        """List the files that this file imports whole, directly or not, and that define a name at their top level."""
        reach = self.star_reach()
        return _among(reach, self.world.holders(name)) if reach else []

    @remembered
    def _opened(self) -> tuple[Target, ...]:
        """List the definitions whose members this file imports whole: `open Shop.Cart`, `import static a.Names.*`."""
        opened: dict[Target, None] = {}
        for text in self.world.whole_imports(self.path):
            if self.world.find_modules(self.path, text):
                continue
            if self.language.modules == "declared":
                opened |= dict.fromkeys(cls for cls in self.import_in_full(text).targets if cls.is_type)
            separator = self.language.import_separator
            words = text.removeprefix(f"{self.language.own_module}{separator}").split(separator)
            if len(words) > MAX_PARTS:
                continue
            # The first words name a file, and the last ones a definition in it. All of them may name one in this file.
            places = [
                (path, ".".join(words[length:]))
                for length in range(len(words) - 1, 0, -1)
                for path in self.world.find_modules(self.path, separator.join(words[:length]))
            ]
            for path, dotted in ((self.path, ".".join(words)), *places):
                if (target := self.world.definition(path, dotted)) and target.is_type:
                    opened[target] = None
                    break
        return tuple(opened)

    @remembered
    def star_reach(self) -> dict[str, int]:
        """Map the files that this file imports whole (`from m import *`), and those that these import whole, to their places.

        The nearest come first. In some languages, only direct imports count.
        """
        reach = {self.path: None}
        level: Iterable[str] = [self.path]
        # What an included header includes is in sight too.
        is_transitive = self.language.reexports or self.language.binds == "all"
        for _ in range(MAX_DEPTH if is_transitive else 1):
            near = (path for importer in level for path in self.world.included(importer) if path not in reach)
            level = dict.fromkeys(near)
            reach.update(level)
        del reach[self.path]
        return _places(reach)

    # Modules.

    @remembered
    def modules_of(self, dotted: str, depth: int = 0) -> tuple[str, ...]:
        """List the files that a name (`a`, `a.b`) means as a module, after `depth` re-exports.

        Usually an import binds the name. In languages whose modules declare their names, it may also be a module's full name.
        """
        head, _, rest = dotted.partition(".")
        bound = self.world.import_of(self.path, head)
        if not bound and self.language.modules == "folder":
            return self._self_named().get(dotted, ())
        if not bound and self.language.import_lookup == "tree":
            if not self.world.modules.begins_path(head, self.language):
                return ()
            paths = self.world.find_modules(self.path, dotted.replace(".", self.language.import_separator))
            return paths or self._modules_inside(dotted, depth)
        if not bound:
            own_module = self.world.module(self.path) if self.language.relative_modules else ""
            if own_module and (paths := self.world.find_modules(self.path, f"{own_module}.{dotted}")):
                return paths
            return self.world.find_modules(self.path, dotted) if self.language.modules in ("stem", "declared") else ()
        module, name = bound
        if name == self.language.default_export and name and not rest:
            # A module without a whole value of its own is that value itself.
            return self.world.find_modules(self.path, module)
        if name and self.language.reexports and depth < MAX_DEPTH:
            paths = self._reexported_modules(module, name, rest, depth + 1)
            if paths:
                return paths
        text = self.joined(module, name) if name else module
        if rest:
            separator = self.language.import_separator
            text = f"{text}{separator}{rest.replace('.', separator)}"
        return self.world.find_modules(self.path, text)

    def _modules_inside(self, dotted: str, depth: int) -> tuple[str, ...]:
        """List the files of what a module imports and so re-exports, a module too: `tools.cli` after `extern crate cli`."""
        outer, _, last = dotted.rpartition(".")
        for path in self.modules_of(outer, depth + 1) if outer and depth < MAX_DEPTH else ():
            if (
                path != self.path
                and self.world.import_of(path, last)
                and (paths := self.at(path).modules_of(last, depth + 1))
            ):
                return paths
        return ()

    @remembered
    def _self_named(self) -> dict[str, tuple[str, ...]]:
        """Map the names that imported modules declare for themselves to their files: Go's `import "x/go-yaml"` binds `yaml`."""
        texts = self.world.unnamed_imports(self.path)
        modules = [paths for text in texts if (paths := self.world.find_modules(self.path, text))]
        return {self.world.module(paths[0]): paths for paths in modules}

    def _reexported_modules(self, module: str, name: str, rest: str, depth: int) -> tuple[str, ...]:
        """List the files of what `module` re-exports as `name`, a module too: `export * as util from "./util"`.

        `rest` is the dotted name of a module inside the re-exported one, or an empty text.
        """
        paths = self.world.find_modules(self.path, module)
        if not paths and self.language.import_lookup == "tree":
            separator = self.language.import_separator
            outer, _, last = module.rpartition(separator)
            holders = self.world.find_modules(self.path, outer) if outer else ()
            paths = tuple(path for path in holders if self._holds_module(path, last))
            paths = paths or self.modules_of(module.replace(separator, "."), depth)
        for path in paths:
            bound = self.world.import_of(path, name)
            dotted = f"{name}.{rest}" if rest else name
            if path != self.path and bound and (paths := self.at(path).modules_of(dotted, depth)):
                return paths
            is_open = not bound and self.language.import_lookup == "tree"
            for whole in self.world.whole_imports(path) if is_open else ():
                # `pub use generator::*` passes on the modules of `generator` too.
                separator = self.language.import_separator
                if paths := self.world.find_modules(path, separator.join([whole, *dotted.split(".")])):
                    return paths
        return ()

    def _holds_module(self, path: str, name: str) -> bool:
        """Say whether a file writes out a module, as in `pub mod kit { pub use crate::parts::Gear; }`."""
        if self.language.import_lookup != "tree":
            return False
        module = self.world.definition(path, name)
        return module is not None and module.kind == "module"

    def joined(self, module: str, name: str) -> str:
        """Join a module and a name in it to the text of an import: `a.b` and `c` → `a.b.c`, `..` and `c` → `..c`."""
        relative = module.endswith(self.language.relative or "\0")
        return module + name if relative else f"{module}{self.language.import_separator}{name}"

    @remembered
    def is_external(self, name: str) -> bool:
        """Say whether an import binds the name to a definition outside the repository."""
        return (
            self.world.import_of(self.path, name) is not None
            and not self.modules_of(name)
            and not self.imported(name).targets
        )

    # Dotted names and types.

    @remembered
    def dotted(self, text: str, own_only: bool = False) -> Resolution:
        """Return what a dotted name means: a nested definition, a member of a class, or a definition of an imported module.

        If `own_only` is true, the members that a class inherits are not searched.
        """
        if "." not in text:
            return self.name(text, own_only)
        if text.count(".") >= MAX_PARTS:
            return NOTHING
        head, _, last = text.rpartition(".")
        if self.language.full_names and (full := self.full_name(text)).targets:
            return full
        if target := self.world.definition(self.path, text):
            return Resolution((target,), SCOPE)
        for path in self.modules_of(head):
            if (exported := self.exported(path, last, 1)).targets:
                return Resolution(exported.targets, IMPORT)
        outer = self.dotted(head, own_only)
        if any(self.is_opened(target) for target in outer.targets) and (top := self.name(last)).targets:
            return top
        for target in map(self.unaliased, outer.targets):
            if member := self.own_member(target, last) if own_only else self.member(target, last):
                return Resolution((member,), outer.confidence)
        return NOTHING

    def is_opened(self, target: Target) -> bool:
        """Say whether a macro opens a namespace, so that other files see its content without a prefix.

        With `#define BEGIN namespace a {` in a header, the code after `BEGIN` in other files is in `a`.
        """
        targets = self.world.definitions_named(target.name) if target.kind == "namespace" else ()
        return any(target.kind == "namespace" and not target.has_body for target in targets)

    def type_named(self, text: str, dotted: str, own_only: bool = False) -> Resolution:
        """Return the type that the name `text` means inside the definition `dotted`.

        The type is searched in the classes and namespaces around that definition, then at the top of the file. If `own_only` is
        true, the members that a class inherits are not searched.
        """
        find = self.own_member if own_only else self.member
        head, *rest = text.split(".")
        for around in self.types_around(dotted):
            target = find(around, head)
            for part in rest:
                target = find(self.unaliased(target), part) if target is not None else None
            if target is not None and target.is_type:
                return Resolution((target,), SCOPE if target.path == self.path else PEER)
        return self.dotted(self.from_file(text, dotted), own_only)

    def from_file(self, text: str, dotted: str) -> str:
        """Return a path as the top of the file writes it, from a path in the definition `dotted`.

        `super.Cart` is `Cart`, if the definition is in a module inside the file. Other texts are returned as they are.
        """
        if self.language.import_lookup != "tree":
            return text
        modules = [module.name for module in self.types_around(dotted) if module.kind == "module"]
        parts = from_top(text.split("."), modules[::-1], self.language)
        return ".".join(parts[1:] if parts[0] == self.language.own_module and parts[1:] else parts)

    def first_type(self, text: str, dotted: str) -> Target | None:
        """Return the type that the name `text` means in the body of the class `dotted`, or None.

        Inherited members are not searched.
        """
        return next((target for target in self.type_named(text, dotted, True).targets[:1] if target.is_type), None)

    def unaliased(self, target: Target) -> Target:
        """Return the type at the end of a chain of type aliases. Any other definition is returned as it is."""
        for _ in range(MAX_ALIASES):
            text = self.world.aliased_type(target.path, target.dotted) if target.kind == "type" else ""
            if not text:
                return target
            scope = self.at(target.path)
            aliased = scope.first_type(base_name(text, scope.language.name), target.dotted.rpartition(".")[0])
            if aliased is None:
                return target
            target = aliased
        return target

    # What stands around a definition.

    @remembered
    def types_around(self, dotted: str) -> tuple[Target, ...]:
        """List the classes and namespaces around a definition, innermost first.

        A definition that is a type itself comes first.
        """
        parts = dotted.split(".") if dotted else []
        around = (self.world.definition(self.path, ".".join(parts[:end])) for end in range(len(parts), 0, -1))
        return tuple(target for target in around if target is not None and target.is_type)

    def definition_around(self, name: str, dotted: str) -> Target | None:
        """Return the definition of a name in the modules around the definition `dotted`, or None.

        If `dotted` is a class, its own members are searched first.
        """
        for prefix in self._open_scopes(dotted) if dotted else ():
            if target := self.world.definition(self.path, f"{prefix}.{name}"):
                return target
        return None

    @remembered
    def _open_scopes(self, dotted: str) -> tuple[str, ...]:
        """List the dotted names of the modules around a definition, innermost first.

        A definition that is a class itself comes first.
        """
        names: list[str] = []
        innermost = True
        while dotted:
            around = self.world.definition(self.path, dotted)
            if around is not None and (around.kind == "module" or (innermost and around.is_type)):
                names.append(dotted)
            dotted, innermost = dotted.rpartition(".")[0], False
        return tuple(names)

    def class_around(self, target: Target) -> Target | None:
        """Return the class directly around a definition of any file, or None. An object that holds functions is a class."""
        outer = target.dotted.rpartition(".")[0]
        cls = self.world.definition(target.path, outer) if outer else None
        if cls is None or cls.is_type or cls.kind in VALUE_KINDS:
            return cls
        return cls if target.kind == "method" and self.world.is_holder(cls) else None

    # Members and bases of classes.

    def member(self, cls: Target, name: str) -> Target | None:
        """Return the member of a class that has this name, its own or inherited, or None."""
        return self.own_member(cls, name) or self.inherited(cls, name)

    def own_member(self, cls: Target, name: str) -> Target | None:
        """Return a member that the class does not inherit, or None.

        It may be written in the class, or in another file where the language allows that (C++ methods, partial classes).
        """
        if target := self.world.definition(cls.path, f"{cls.dotted}.{name}"):
            return target
        language = self.at(cls.path).language
        # A namespace is open in every language. A class is so only where the language lets it be.
        is_spread = cls.kind == "namespace" or language.split_types
        if not is_spread and not language.open_types:
            return None
        dotted = f"{cls.dotted}.{name}"
        # `class Outer::Inner { … }` may stand in another file, like the methods.
        kinds = CLASS_KINDS | METHODS if language.declarations == "linked" else METHODS
        targets = (target for target in self.world.definitions_of(dotted) if is_spread or target.kind in kinds)
        elsewhere = [target for target in targets if target.path != cls.path and self.reachable(target.path)]
        if language.modules == "folder":
            elsewhere = [target for target in elsewhere if self.world.same_module(target.path, cls.path)]
        if language.modules == "declared" and not is_spread:
            # A class of that name in another package has members of its own.
            elsewhere = [
                target
                for target in elsewhere
                if self.world.module(target.path) == self.world.module(cls.path)
                or (owner := self.world.definition(target.path, cls.dotted)) is None
                or not owner.is_type
            ]
        return min(
            elsewhere, key=lambda target: (not target.has_body, -shared_folders(target.path, cls.path)), default=None
        )

    @remembered
    def inherited(self, cls: Target, name: str) -> Target | None:
        """Return the member of this name from the nearest base that has it, or None."""
        ancestors = self.ancestors(cls)
        if self.language.linear_bases and 1 < len(set(ancestors) - {cls}) == len(ancestors) < MAX_DEPTH:
            first, *further = self.at(cls.path).bases(cls)
            if not further:
                # It is what the only base has or inherits, and the classes below that base share the answer.
                return self.own_member(first, name) or self.at(first.path).inherited(first, name)
        for base in ancestors:
            if target := self.own_member(base, name):
                return target
        return None

    @remembered
    def root_method(self, name: str) -> Target | None:
        """Return the method that all other methods of this name override, or None if there is none."""
        roots: set[Target] = set()
        for method in self.world.definitions_named(name):
            if method.kind != "method" or not self.reachable(method.path):
                continue
            owner = self.world.definition(method.path, method.dotted.rpartition(".")[0])
            ancestors = self.at(method.path).ancestors(owner) if owner is not None else []
            # The last entry is the farthest ancestor that has the method.
            roots.add([method, *(target for base in ancestors if (target := self.own_member(base, name)))][-1])
            if len(roots) > 1:
                return None
        return next(iter(roots), None)

    @remembered
    def ancestors(self, cls: Target) -> list[Target]:
        """List the direct and indirect bases of a class, nearest first, each once."""
        if self.language.linear_bases and (order := self.at(cls.path).linear(cls, MAX_DEPTH)):
            return order[1:]
        classes: dict[Target, None] = {cls: None}
        level = [cls]
        for _ in range(MAX_DEPTH):
            level = [base for derived in level for base in self.bases(derived) if base not in classes]
            classes.update(dict.fromkeys(level))
        return list(classes)[1:]

    @remembered
    def linear(self, cls: Target, depth: int) -> list[Target]:
        """List a class and its bases in the order in which methods are looked up. The list is empty if there is no such order.

        It is the C3 order of Barrett et al., "A monotonic superclass linearization for Dylan" (1996).
        """
        bases = self.bases(cls) if depth else []
        rows = [self.at(base.path).linear(base, depth - 1) for base in bases]
        if not all(rows):
            return []
        if len(rows) == 1:
            return [cls, *rows[0]]
        rows.append(list(bases))
        order = [cls]
        while rows := [row for row in rows if row]:
            heads = (row[0] for row in rows)
            head = next((head for head in heads if not any(head in row[1:] for row in rows)), None)
            if head is None:
                return []
            order.append(head)
            rows = [row[1:] if row[0] == head else row for row in rows]
        return order

    @remembered
    def bases(self, cls: Target) -> list[Target]:
        """List the direct bases of a class, in the order of the code. Bases outside the repository are left out."""
        around = cls.dotted.rpartition(".")[0]
        bases = (
            self.at(part.path).first_type(base_name(text, self.world.file(part.path).language), around)
            for part in self.parts(cls)
            for text in self.world.bases(part.path, part.dotted)
        )
        return [self.unaliased(base) for base in bases if base is not None]

    def parts(self, cls: Target) -> tuple[Target, ...]:
        """List the definitions that form one class, `cls` first.

        Several files may define parts of it, as with `partial` in C#.
        """
        if not self.at(cls.path).language.split_types:
            return (cls,)
        targets = self.world.definitions_of(cls.dotted)
        return (
            cls,
            *(
                target
                for target in targets
                if target.kind == cls.kind and target.path != cls.path and self.reachable(target.path)
            ),
        )

    @remembered
    def has_outside_base(self, cls: Target) -> bool:
        """Say whether a class, or one of its bases, inherits from a class outside the repository."""
        for ancestor in (cls, *self.ancestors(cls)):
            scope = self.at(ancestor.path)
            texts = sum(len(self.world.bases(part.path, part.dotted)) for part in scope.parts(ancestor))
            # A base that is written but not found lies outside the repository.
            if len(scope.bases(ancestor)) < texts:
                return True
        return False


def _places(paths: Iterable[str]) -> dict[str, int]:
    """Map paths to their places in an order. A path that comes twice has the first place."""
    return {path: place for place, path in enumerate(dict.fromkeys(paths))}


def _among(places: Mapping[str, int], holders: Set[str]) -> list[str]:
    """List the paths of an order that are among `holders`, in that order."""
    # A file may include a thousand others, and a thousand files may define a common name.
    if len(places) < len(holders):
        return [path for path in places if path in holders]
    return sorted([path for path in holders if path in places], key=places.__getitem__)
