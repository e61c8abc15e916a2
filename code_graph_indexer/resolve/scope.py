"""Look up names as one file sees them, in the places that its language searches in order.

The key of each lookup is recorded, so that an update links again only the files whose lookups may now give another answer.
"""

import posixpath
from collections.abc import Callable
from typing import ClassVar

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.languages.patterns import file_patterns
from code_graph_indexer.resolve.classes import Classes, tagged
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.imports import Imports, among, places
from code_graph_indexer.resolve.library import MARK, declarations
from code_graph_indexer.resolve.macro_functions import MacroFunctions
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.resolution import (
    ELSEWHERE,
    GLOBALS,
    IMPORT,
    INCLUDED,
    MAX_PARTS,
    METHODS,
    NOTHING,
    PEER,
    SCOPE,
    STAR,
    UNIQUE,
    UNIQUE_METHOD,
    VALUES,
    Resolution,
)
from code_graph_indexer.resolve.template_functions import TemplateFunctions
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.imports import from_top


class Scope:
    """The names that one file can see, either as a test or as production code.

    The header of the language lists the places where a bare name is looked up, in order. A name means a type or function, or,
    in a scope of what is `written`, also a constant or field.
    """

    def __init__(self, world: World, path: str, language: Language, is_test: bool, *, written: bool = False) -> None:
        self.world = world
        self.path = path
        self.language = language
        self.is_test = is_test
        self.is_written = written
        self.definition: Callable[[str, str], Target | None] = world.written if written else world.definition
        self._scopes = world.written_scopes if written else world.scopes
        self.memory = Memory()
        # A library declares all that its names mean.
        self._places = ("file",) if path.startswith(MARK) else language.lookup
        # Each question goes straight to the part that answers it: there are millions.
        imports = Imports(self)
        self.exported = imports.exported
        self.import_in_full = imports.import_in_full
        self.import_target = imports.import_target
        self.imported = imports.imported
        self.is_external = imports.is_external
        self.is_outside = imports.is_outside
        self.joined = imports.joined
        self.modules_of = imports.modules_of
        self.opened_by = imports.opened_by
        self.opened_member = imports.opened_member
        self.package_member = imports.package_member
        self.reached_holders = imports.reached_holders
        self.reexported = imports.reexported
        self.renamed = imports.renamed
        self.star_reach = imports.star_reach
        self.starred = imports.starred
        self.whole = imports.whole
        macros = MacroFunctions(self)
        self.macro_function = macros.macro_function
        self.macro_functions = macros.macro_functions
        templates = TemplateFunctions(self)
        self.is_unseen = templates.is_unseen
        self.template_function: Callable[[str], Resolution] = templates.template_function
        classes = Classes(self)
        self.added = classes.added
        self.ancestors = classes.ancestors
        self.bases = classes.bases
        self.class_around = classes.class_around
        self.has_outside_base = classes.has_outside_base
        self.inherited = classes.inherited
        self.is_opened = classes.is_opened
        self.linear = classes.linear
        self.member = classes.member
        self.own_member = classes.own_member
        self.parts = classes.parts
        self.root_method = classes.root_method
        self.taking = classes.taking
        self.unaliased = classes.unaliased

    @classmethod
    def of(cls, world: World, path: str, is_test: bool, *, written: bool = False) -> "Scope":
        """Return the scope of a file. `is_test` is true for the names that test code sees, false for production code."""
        scopes = world.written_scopes if written else world.scopes
        scope: Scope | None = scopes.get((path, is_test))
        if scope is None:
            language = languages()[world.file(path).language]
            scope = scopes[path, is_test] = cls(world, path, language, is_test, written=written)
        return scope

    def at(self, path: str) -> "Scope":
        """Return the scope of another file, for the same kind of code (test or production)."""
        # Nearly all are there.
        scope: Scope | None = self._scopes.get((path, self.is_test))
        return scope or Scope.of(self.world, path, self.is_test, written=self.is_written)

    @remembered
    def name(self, name: str, own_only: bool = False) -> Resolution:
        """Return what a bare name means at the top of the file.

        If `own_only` is true, the members that an opened class inherits are not searched.
        """
        for place in self._places:
            resolution = self._SEARCHES[place](self, name, own_only)
            if resolution.targets or resolution is ELSEWHERE:
                return resolution
        return NOTHING

    def declared(self, text: str) -> Target | None:
        """Return what the library declares under the last word of a name, or None. An import may rename what it binds."""
        name = text.rpartition(".")[2]
        bound = self.world.import_of(self.path, name) if name == text else None
        return declarations(self.language.name).get(bound[1] or name if bound else name)

    def _among_modules(self, name: str) -> Resolution:
        """Return the module that a name with a capital letter means, or ELSEWHERE, because such a name means nothing else.

        Any other name gives NOTHING.
        """
        if not name[:1].isupper():
            return NOTHING
        resolution = self.full_name(name)
        return resolution if resolution.targets else ELSEWHERE

    def _in_file(self, name: str) -> Resolution:
        target = self.definition(self.path, name)
        return Resolution((target,), SCOPE) if target else self.renamed(name, 0)

    def _bound(self, name: str, own_only: bool) -> Resolution:
        """Return what an import binds the name to: ELSEWHERE if it is outside of the repository. NOTHING without an import."""
        imported = self.imported(name, 0, own_only)
        return ELSEWHERE if not imported.targets and self.is_outside(name, 0, own_only) else imported

    def _among_peers(self, name: str) -> Resolution:
        targets = (target for peer in self.peers_holding(name) if (target := self.definition(peer, name)))
        target = next(targets, None)
        return Resolution((target,), PEER) if target else NOTHING

    def _starred(self, name: str, own_only: bool) -> Resolution:
        """Return what a name means in the files that are imported whole, see `Imports.starred`, with the confidence in that."""
        starred = self.starred(name, 1, own_only)
        if len(starred.targets) != 1 or starred.confidence <= STAR:
            return starred._replace(confidence=STAR)
        # An included header is read as if its text stood in the file.
        if self.language.declarations == "linked":
            return starred._replace(confidence=INCLUDED)
        # Most compilers refuse a name of two modules that are imported whole. Each file may open Ruby's `module` anew.
        modules = {self.world.module(path) or path for path in self.reached_holders(name)}
        is_single = len(modules) <= 1 or starred.targets[0].kind == "module"
        return starred._replace(confidence=PEER if is_single else STAR)

    def _anywhere(self, name: str) -> Resolution:
        """Guess a name that nothing in sight defines: the type of a file of that name, or what `unique` finds but members."""
        if name in self.language.platform:
            return NOTHING
        if (loaded := self._loaded(name)).targets:
            return loaded
        guess = _not_inner(self, self.unique(name))
        is_inside = any(target.dotted != name for target in guess.targets)
        if self.language.split_types and any(target.is_type for target in guess.targets):
            # The members of what all files may add to are searched where they are in sight.
            return NOTHING if is_inside else guess._replace(targets=(min(guess.targets, key=_openness),))
        # A function that a table holds is no global one.
        return NOTHING if is_inside and self.language.table_types else guess

    def _loaded(self, dotted: str) -> Resolution:
        """Return the type that a file of its own name defines: `Shop.CartItem` in `shop/cart_item.rb`.

        Code that needs no import names such a type from anywhere, and what loads files finds it by this path. A module may also
        have a folder of its name.
        """
        place = "/" + dotted.replace(".", "/").lower()
        files: dict[str, Target] = {}
        folders: list[Target] = []
        for target in self.world.definitions_of(dotted):
            if target.is_type and not target.is_local and self.reachable(target.path):
                path = f"/{target.path}".rpartition(".")[0].replace("_", "").lower()
                if path.endswith(place):
                    files[target.path] = target
                elif target.kind == "module" and f"{place}/" in path:
                    folders.append(target)
        if files:
            return Resolution(tuple(files.values()), PEER) if len(files) == 1 else NOTHING
        return Resolution(tuple(folders[:1]), PEER)

    def _among_macros(self, name: str) -> Resolution:
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
        if target := self.definition(self.path, text):
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

    def _in_used_modules(self, name: str) -> Resolution:
        """Return the first function or macro of a name in the modules that this file imports whole.

        If none has it, the modules that those import whole are searched, and no further ones.
        """
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

    def _at_top(self, name: str) -> Resolution:
        """Return what a name means in the module of all files that declare none. Several definitions are an ambiguous guess.

        Where modules see those around them, this module is around all others: its types are seen everywhere, and those in a
        namespace wherever the namespace is.
        """
        is_inside = not self.world.module(self.path)
        is_around = "around" in self.language.lookup
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
        return among(peers, self.world.holders(name)) if peers else []

    @remembered
    def _peers(self) -> dict[str, int]:
        """Map the other files of this file's module to their places in the order in which they are searched."""
        peers = [*self.world.peers(self.path), *(self._outer_peers() if "around" in self.language.lookup else ())]
        # Two builds in one repository may declare the same package. The one below the same top folder goes first.
        folder = self.path.partition("/")[0]
        return places(sorted(peers, key=lambda peer: peer.partition("/")[0] != folder))

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
        # The answer is the same for all files of a family, and some names have a thousand definitions.
        key = (name, methods, self.language.family, self.is_test, self.is_written)
        targets = self.world.candidates(key, lambda: self._candidates(name, methods))
        return Resolution(targets, UNIQUE_METHOD if methods else UNIQUE)

    def _candidates(self, name: str, methods: bool) -> tuple[Target, ...]:
        """List the definitions of a name that code of this language may mean, overloads once, those with a body first."""
        kinds = METHODS if methods else GLOBALS | VALUES if self.is_written else GLOBALS
        candidates = [
            target
            for target in self.world.definitions_named(name)
            if target.kind in kinds and not target.is_local and self.reachable(target.path)
        ]
        if self.is_written:
            # A member that its type hides is not seen by its name alone.
            written = (
                self.definition(target.path, name if self.language.is_seen_outside(target.kind) else target.dotted)
                for target in candidates
            )
            candidates = [target for target in written if target is not None]
        # A mere declaration counts only if no definition has a body.
        candidates = [target for target in candidates if target.has_body] or candidates
        candidates = _of_sources(candidates) if len(candidates) > 1 else candidates
        # Overloads are one name.
        names = {(target.path, target.dotted): target for target in reversed(candidates)}
        return tuple(reversed(names.values()))[:MAX_CANDIDATES]

    def reachable(self, path: str) -> bool:
        """Say whether this file may call the definitions of another file.

        Their languages must be able to call each other. Production code does not call tests.
        """
        file = self.world.file(path)
        return languages()[file.language].family == self.language.family and (self.is_test or not file.is_test)

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
        if target := self.definition(self.path, text):
            return Resolution((target,), SCOPE)
        for path in self.modules_of(head):
            if (exported := self.exported(path, last, 1)).targets:
                return Resolution(exported.targets, IMPORT)
        if (of_package := self.package_member(head, last)).targets:
            return of_package
        if "global" in self.language.lookup and (loaded := self._loaded(text)).targets:
            return loaded
        outer = self.dotted(head, own_only)
        if any(self.is_opened(target) for target in outer.targets) and (top := self.name(last)).targets:
            return top
        for target in map(self.unaliased, outer.targets):
            if member := self.own_member(target, last) if own_only else self.member(target, last):
                return Resolution((member,), outer.confidence)
        return NOTHING

    def type_named(self, text: str, dotted: str, own_only: bool = False) -> Resolution:
        """Return the type that the name `text` means inside the definition `dotted`.

        The type is searched in the classes and namespaces around that definition, then at the top of the file. If `own_only` is
        true, the members that a class inherits are searched only for the first word: a class around has its bases already.
        """
        find = self.own_member if own_only else self.member
        head, *rest = text.split(".")
        for around in self.types_around(dotted):
            target = self.member(around, head)
            for part in rest:
                target = find(self.unaliased(target), part) if target is not None else None
            if target is not None and target.is_type:
                return Resolution((target,), SCOPE if target.path == self.path else PEER)
        return tagged(self, text, self.dotted(self.from_file(text, dotted), own_only))

    def from_file(self, text: str, dotted: str) -> str:
        """Return a path as the top of the file writes it, from a path in the definition `dotted`.

        `super.Cart` is `Cart`, if the definition is in a module inside the file. Other texts are returned as they are.
        """
        if self.language.import_lookup != "tree":
            return text
        modules = [module.name for module in self.types_around(dotted) if module.kind == "module"]
        parts = from_top(text.split("."), modules[::-1], self.language)
        return ".".join(parts[1:] if parts[0] == self.language.tree.own and parts[1:] else parts)

    def first_type(self, text: str, dotted: str) -> Target | None:
        """Return the type that the name `text` means in the body of the class `dotted`, or None."""
        return next((target for target in self.type_named(text, dotted, True).targets[:1] if target.is_type), None)

    @remembered
    def types_around(self, dotted: str) -> tuple[Target, ...]:
        """List the classes and namespaces around a definition, innermost first.

        A definition that is a type itself comes first. A method outside of its class is in that class, which a header declares.
        """
        parts = dotted.split(".") if dotted else []
        around = (_around(self, ".".join(parts[:end])) for end in range(len(parts), 0, -1))
        return tuple(target for target in around if target is not None and target.is_type)

    def in_modules_around(self, name: str, dotted: str) -> Target | None:
        """Return the definition of a name in the modules of this file around the definition `dotted`, or None.

        If `dotted` is a class, its own members are searched first. The top of the file is not searched, see `name`.
        """
        for prefix in self._modules_around(dotted) if dotted else ():
            if target := self.definition(self.path, f"{prefix}.{name}"):
                return target
        return None

    @remembered
    def _modules_around(self, dotted: str) -> tuple[str, ...]:
        """List the dotted names of the modules in this file around a definition, innermost first.

        A definition that is a class itself comes first. The file itself is left out.
        """
        names: list[str] = []
        innermost = True
        while dotted:
            around = self.definition(self.path, dotted)
            if around is not None and (around.kind == "module" or (innermost and around.is_type)):
                names.append(dotted)
            dotted, innermost = dotted.rpartition(".")[0], False
        return tuple(names)

    # The inference searches classes, `WholeNames` what is dotted, and modules below the own one are for modules' names alone.
    _SEARCHES: ClassVar[dict[str, Callable[["Scope", str, bool], Resolution]]] = {
        **dict.fromkeys(("class", "below", "dotted"), lambda self, name, own_only: NOTHING),
        "modules": lambda self, name, own_only: self._among_modules(name),
        "file": lambda self, name, own_only: self._in_file(name),
        "imports": lambda self, name, own_only: self._bound(name, own_only),
        **dict.fromkeys(("peers", "around"), lambda self, name, own_only: self._among_peers(name)),
        "top": lambda self, name, own_only: self._at_top(name),
        "stars": lambda self, name, own_only: self._starred(name, own_only),
        "used": lambda self, name, own_only: self._in_used_modules(name),
        "helpers": lambda self, name, own_only: self.template_function(name),
        "global": lambda self, name, own_only: self._anywhere(name),
        "macros": lambda self, name, own_only: self._among_macros(name),
    }


def _not_inner(scope: Scope, guess: Resolution) -> Resolution:
    """Leave out what stands in a function. Where classes hold functions, it is seen there alone."""
    if "class" not in scope.language.lookup or not any("." in target.dotted for target in guess.targets):
        return guess
    outer = [scope.definition(target.path, target.dotted.rpartition(".")[0]) for target in guess.targets]
    pairs = zip(guess.targets, outer, strict=True)
    return guess._replace(targets=tuple(target for target, of in pairs if of is None or of.kind not in CALLABLE_KINDS))


def _of_sources(targets: list[Target]) -> list[Target]:
    """Leave out definitions in generated copies of the source, such as `dist/`, if there are others."""
    generated = file_patterns().generated
    return [target for target in targets if not generated.match(target.path)] or targets


def _around(scope: Scope, dotted: str) -> Target | None:
    """Return what a dotted name around a definition means: what this file defines, or the class of another, for its methods."""
    target = scope.definition(scope.path, dotted)
    return target or (next(iter(scope.dotted(dotted).targets), None) if scope.language.open_types else None)


def _openness(opened: Target) -> tuple[bool, int]:
    """Return a key that sorts the places where a type is opened: a file that bears its name, then the outermost one."""
    stem = posixpath.basename(opened.path).partition(".")[0].replace("_", "")
    return stem.lower() != opened.name.lower(), opened.path.count("/")
