"""Look up the members of a class, its own and inherited ones, and its bases in the order of the language."""

import posixpath
from collections.abc import Iterator, Sequence

from code_graph_indexer.languages.conventions import name_by_convention, words_of
from code_graph_indexer.resolve.annotations import base_name
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.registered_names import event_name, named
from code_graph_indexer.resolve.resolution import IMPORT, MAX_DEPTH, METHODS, Resolution
from code_graph_indexer.resolve.scope_parts import Part, View
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.parameters import type_arguments_in
from code_graph_indexer.syntax.records import ADDED_MEMBER, CLASS_KINDS, VALUE_KINDS
from code_graph_indexer.syntax.registrations import PROVIDER, TEXT

MAX_ALIASES = 4
"""The longest chain of type aliases that is followed."""


class Classes(Part):
    """The classes that code of one file names, with their members and bases."""

    __slots__ = ()

    def class_around(self, target: Target) -> Target | None:
        """Return the class directly around a definition of any file, or None. An object that holds functions is a class."""
        outer = target.dotted.rpartition(".")[0]
        cls = self.view.definition(target.path, outer) if outer else None
        if cls is None or cls.is_type or cls.kind in VALUE_KINDS:
            return cls
        return cls if target.kind == "method" and self.world.is_holder(cls) else None

    def member(self, cls: Target, name: str) -> Target | None:
        """Return the member of a class that has this name, its own or inherited, or None."""
        return self.own_member(cls, name) or self.inherited(cls, name)

    def own_member(self, cls: Target, name: str) -> Target | None:
        """Return a member that the class does not inherit, or None.

        It may be written in the class, or in another file where the language allows that (C++ methods, partial classes).
        """
        if target := self.view.definition(cls.path, f"{cls.dotted}.{name}"):
            return target
        language = self.view.at(cls.path).language
        # A namespace is open in every language. A class is so only where the language lets it be.
        is_spread = cls.kind == "namespace" or language.split_types
        if not is_spread and not language.open_types:
            return None
        dotted = f"{cls.dotted}.{name}"
        # `class Outer::Inner { … }` may stand in another file, like the methods.
        kinds = CLASS_KINDS | METHODS if language.declarations == "linked" else METHODS
        targets = [
            target
            for target in self.world.definitions_of(dotted)
            if (is_spread or target.kind in kinds) and target.path != cls.path and self.view.reachable(target.path)
        ]
        targets = self._of_module(targets, cls, name, is_spread=is_spread)
        member = min(
            targets, key=lambda target: (not target.has_body, -shared_folders(target.path, cls.path)), default=None
        )
        if not self.view.is_written:
            return member
        if member is None:
            return self._value_elsewhere(cls, dotted) or next(self.added(cls, name), None)
        # The node of a short type or constant is its own, not that of the chunk that holds it.
        return self.world.written(member.path, dotted) or member

    def _of_module(self, targets: list[Target], cls: Target, name: str, *, is_spread: bool) -> list[Target]:
        """Leave out members of classes of the same name in other modules. `is_spread`: the class may be in several files."""
        modules = self.view.at(cls.path).language.modules
        if modules == "folder":
            return [target for target in targets if self.world.same_module(target.path, cls.path)]
        if modules != "declared" or cls.kind == "namespace":
            return targets
        if is_spread:
            # The parts of a class are in one module.
            return [target for target in targets if self.world.module(target.path) == self.world.module(cls.path)]
        return [target for target in targets if not self._is_of_namesake(target, cls)] or self._in_package(cls, name)

    def added(self, cls: Target, name: str) -> Iterator[Target]:
        """Yield what other files add to a class under a name, which no code calls: `extension Cart { var total: Int }`."""
        dotted = f"{cls.dotted}.{name}"
        is_open = self.language.split_types or "scope" in self.language.captures
        for path, _ in self.world.arguments_to(ADDED_MEMBER + dotted) if is_open else ():
            target = self.world.written(path, dotted) if path != cls.path and self.view.reachable(path) else None
            if target is not None:
                yield target

    def _in_package(self, cls: Target, name: str) -> list[Target]:
        """List what the package of an object's full name has under a name: a package object adds to such a package."""
        # Most classes are no objects.
        holders = self.world.holders(name) if cls.kind == "object" else ()
        if not holders:
            return []
        package = ".".join(filter(None, (self.world.module(cls.path), cls.dotted)))
        paths = [path for path in self.world.find_modules(cls.path, package) if path in holders]
        return [target for target in map(self.view.definition, paths, [name] * len(paths)) if target is not None]

    def _value_elsewhere(self, cls: Target, dotted: str) -> Target | None:
        """Return the constant or variable of a class in another part of it, or of a namespace in an included file, or None."""
        if cls.kind == "namespace":
            paths = {target.path for target in self.world.definitions_of(cls.dotted) if target.kind == "namespace"}
            reach = [path for path in (self.path, *self.view.star_reach()) if path in paths]
        else:
            reach = [part.path for part in self.parts(cls) if part != cls]
        return next(filter(None, (self.view.definition(path, dotted) for path in reach)), None)

    def _is_of_namesake(self, member: Target, cls: Target) -> bool:
        """Say whether a member is of another class with the name of `cls`, in another package."""
        if self.world.module(member.path) == self.world.module(cls.path):
            return False
        owner = self.view.definition(member.path, cls.dotted)
        return owner is not None and owner.is_type

    @remembered
    def inherited(self, cls: Target, name: str) -> Target | None:
        """Return the member of this name from the nearest base that has it, or None."""
        ancestors = self.ancestors(cls)
        if self.language.linear_bases and 1 < len(set(ancestors) - {cls}) == len(ancestors) < MAX_DEPTH:
            first, *further = self.view.at(cls.path).bases(cls)
            if not further and first.kind != "module":
                # It is what the only base has or inherits, and the classes below that base share the answer.
                return self.own_member(first, name) or self.view.at(first.path).inherited(first, name)
        for base in ancestors:
            target = self.own_member(base, name)
            if target is not None and not self._is_kept(base, target):
                return target
        return None

    def _is_kept(self, base: Target, member: Target) -> bool:
        """Say whether a module keeps a method from the classes that include it: one of the module itself."""
        return base.kind == "module" and self.world.class_method(member.path, member.dotted) == member

    @remembered
    def root_method(self, name: str) -> Target | None:
        """Return the method that all other methods of this name override, or None if there is none."""
        roots: set[Target] = set()
        for method in self.world.definitions_named(name):
            if method.kind != "method" or not self.view.reachable(method.path):
                continue
            owner = self.view.definition(method.path, method.dotted.rpartition(".")[0])
            ancestors = self.view.at(method.path).ancestors(owner) if owner is not None else []
            # The last entry is the farthest ancestor that has the method.
            roots.add([method, *(target for base in ancestors if (target := self.own_member(base, name)))][-1])
            if len(roots) > 1:
                return None
        return next(iter(roots), None)

    @remembered
    def ancestors(self, cls: Target) -> list[Target]:
        """List the direct and indirect bases of a class, nearest first, each once."""
        if self.language.linear_bases and (order := self.view.at(cls.path).linear(cls, MAX_DEPTH)):
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
        if self.language.linear_bases == "last":
            bases = bases[::-1]
        rows = [self.view.at(base.path).linear(base, depth - 1) for base in bases]
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
        texts = [(part.path, text) for part in self.parts(cls) for text in self.world.bases(part.path, part.dotted)]
        bases = (
            (base, text)
            for path, text in texts
            for base in (
                self._provided(self.view.at(path), text.removeprefix(TEXT), around)
                if text.startswith(TEXT)
                else self._named(self.view.at(path), base_name(text, self.world.file(path).language), around)
            )
        )
        return [self.unaliased(self.taking(base, type_arguments_in(text))) for base, text in bases]

    def _named(self, view: View, name: str, around: str) -> Sequence[Target]:
        """Return the type that a base names in the class `around`, or else all macros of its name: a build has one of them."""
        base = view.first_type(name, around)
        if base is not None or view.language.condition is None:
            return (base,) if base is not None else ()
        macros = (view.definition(path, name) for path in dict.fromkeys((view.path, *view.reached_holders(name))))
        return [macro for macro in macros if macro is not None and macro.kind == "macro"]

    def _provided(self, view: View, name: str, around: str) -> Iterator[Target]:
        """Yield the classes that containers give for a name, or else the class of that name."""
        places = [
            (self.view.at(path), argument.value, argument.dotted)
            for path, argument in self.world.arguments_to(named(PROVIDER, event_name(name)))
            if self.view.reachable(path)
        ]
        for scope, text, dotted in places or [(view, name, around)]:
            cls = scope.first_type(base_name(text, scope.language.name), dotted)
            if cls is not None:
                yield cls

    def parts(self, cls: Target) -> tuple[Target, ...]:
        """List the definitions that form one class, `cls` first.

        Several files may define parts of it, as with `partial` in C#.
        """
        language = self.view.at(cls.path).language
        if not language.split_types:
            return (cls,)
        targets = [
            target
            for target in self.world.definitions_of(cls.dotted)
            if target.kind == cls.kind and target.path != cls.path and self.view.reachable(target.path)
        ]
        if language.modules == "declared":
            targets = [target for target in targets if self.world.module(target.path) == self.world.module(cls.path)]
        return (cls, *targets)

    @remembered
    def has_outside_base(self, cls: Target) -> bool:
        """Say whether a class, or one of its bases, inherits from a class outside the repository."""
        for ancestor in (cls, *self.ancestors(cls)):
            scope = self.view.at(ancestor.path)
            texts = sum(len(self.world.bases(part.path, part.dotted)) for part in scope.parts(ancestor))
            # A base that is written but not found lies outside the repository.
            if len(scope.bases(ancestor)) < texts:
                return True
        return False

    def taking(self, target: Target, count: int) -> Target:
        """Return the type with the name of a target that takes this number of type arguments, or else the target."""
        is_counted = count >= 0 and target.is_type and self.language.counts_type_arguments
        own = self.world.overloads(target.path, target.dotted) if is_counted else ()
        if not own or any(overload.target == target and overload.most == count for overload in own):
            return target
        namesakes = (
            overload
            for namesake in self.world.definitions_of(target.dotted)
            if namesake.path != target.path and self.world.module(namesake.path) == self.world.module(target.path)
            for overload in self.world.overloads(namesake.path, namesake.dotted)
        )
        fits = (overload.target for overload in (*own, *namesakes) if overload.most == count)
        return next((fit for fit in fits if fit.is_type and self.view.reachable(fit.path)), target)

    def unaliased(self, target: Target) -> Target:
        """Return the type at the end of a chain of type aliases. Any other definition is returned as it is."""
        for _ in range(MAX_ALIASES):
            text = self.world.aliased_type(target.path, target.dotted) if target.kind == "type" else ""
            if not text:
                return target
            scope = self.view.at(target.path)
            aliased = scope.first_type(base_name(text, scope.language.name), target.dotted.rpartition(".")[0])
            if aliased is None:
                return target
            target = aliased
        return target

    def is_opened(self, target: Target) -> bool:
        """Say whether a macro opens a namespace, so that other files see its content without a prefix.

        With `#define BEGIN namespace a {` in a header, the code after `BEGIN` in other files is in `a`.
        """
        targets = self.world.definitions_named(target.name) if target.kind == "namespace" else ()
        return any(target.kind == "namespace" and not target.has_body for target in targets)


def tagged(view: View, name: str, named: Resolution) -> Resolution:
    """Return the type of an included file that a name means where `named` is only a function: structures share its name."""
    if view.language.condition is None or not named.targets or any(target.is_type for target in named.targets):
        return named
    tags = (view.definition(path, name) for path in view.reached_holders(name))
    return next((Resolution((tag,), IMPORT) for tag in tags if tag is not None and tag.is_type), named)


def class_behind(scope: View) -> Target | None:
    """Return the class whose object a template belongs to, by the path of the template, or None.

    It is the class of a file beside the template that has the name of it, or else the only class of the name.
    """
    names = [name for convention in scope.language.behind if (name := name_by_convention(convention, scope.path))]
    namesakes = (cls for name in names for cls in scope.world.definitions_named(name.rpartition(".")[2]))
    beside = next((cls for cls in namesakes if cls.is_type and is_beside(cls.path, scope.path)), None)
    return beside or next(filter(None, (_by_convention(scope, name) for name in names)), None)


def is_beside(path: str, template: str) -> bool:
    """Say whether a file stands beside a template and has its name, up to the first dot."""
    (folder, name), (own_folder, own_name) = posixpath.split(path), posixpath.split(template)
    return folder == own_folder and name.partition(".")[0] == own_name.partition(".")[0]


def _by_convention(scope: View, name: str) -> Target | None:
    """Return the only class that a name by convention means. Its first parts may be folders that hold no module."""
    folders: frozenset[str] = frozenset()
    while name:
        targets = scope.dotted(name).targets
        if len(targets) == 1 and targets[0].is_type and folders <= words_of(targets[0].path):
            return targets[0]
        folder, _, name = name.partition(".")
        folders |= words_of(folder)
    return None
