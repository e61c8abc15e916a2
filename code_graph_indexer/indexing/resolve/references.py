"""Resolve the references of one file: scope, imports, receiver type, class hierarchy, and only then the unique name."""

from collections.abc import Sequence
from typing import cast

from code_graph_indexer.indexing.resolve.facts import FieldType, Target, enclosing_class
from code_graph_indexer.indexing.resolve.scope import (
    IMPORT,
    INHERITED,
    MAX_DEPTH,
    NOTHING,
    SCOPE,
    SELF,
    TYPED,
    Found,
    World,
    dots,
)
from code_graph_indexer.languages import languages
from code_graph_indexer.types import Import, Reference, ResolvedReference, Syntax


class FileResolver:
    """Resolve the references of one file."""

    def __init__(self, world: World, path: str, language_name: str, is_test: bool, syntax: Syntax) -> None:
        self.syntax = syntax
        self.language = languages()[language_name]
        self.scope = world.scope(path, is_test)
        self.world = world
        self.path = path
        self.locals: dict[tuple[int, str], FieldType] = {}
        # Answers within the file; their lookups were noted when they were made.
        self._classes: dict[int, Target | None] = {}
        self._types: dict[tuple[str, int, int], Target | None] = {}
        self._qualified: dict[tuple[str, str], Found | None] = {}
        for one in syntax.bindings:
            if not one.owner:
                self.locals.setdefault((one.scope, one.name), FieldType(one.type_name, one.value))

    def resolve(self, reference: Reference) -> Found:
        """Find what a reference means."""
        if reference.kind == "inherits":
            name = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
            found = self.scope.dotted(dots(name))
            return Found(tuple(one for one in found.targets if one.is_type), found.confidence)
        if not reference.receiver:
            return self._bare(reference)
        return self._on_receiver(reference)

    def resolve_import(self, one: Import) -> Found:
        """Find the definition or module that an import means."""
        if one.name and one.name != "*":
            if (found := self.scope.import_target(one.module, one.name)).targets:
                return found
        elif not one.name and (found := self.scope._whole_import((one.module, ""), 0)).targets:
            return found
        paths = self.world.find_modules(self.path, one.module)
        if not paths and one.name and one.name != "*":
            joined = one.module + (
                "" if one.module.endswith(self.language.relative or "\0") else self.language.import_separator
            )
            paths = self.world.find_modules(self.path, joined + one.name)
        module = self.world.definition(paths[0], "") if paths else None
        return Found((module,), IMPORT) if module else NOTHING

    def _bare(self, reference: Reference) -> Found:
        name = reference.name
        scope = reference.scope
        while scope >= 0:
            one = self.syntax.definitions[scope]
            known = self.locals.get((scope, name))
            if one.kind in ("function", "method", "module", "scope", "namespace") and (
                found := self.world.definition(self.path, f"{one.path_name}.{name}")
            ):
                return Found((found,), SCOPE)
            if known is not None and one.kind in ("function", "method"):
                return NOTHING
            scope = one.parent
        cls = self._own_class(reference.scope) if self.language.implicit_self else None
        if cls is not None and (member := self.scope.member(cls, name)):
            return Found((member,), SELF)
        return self.scope.name(name)

    def _own_class(self, scope: int) -> Target | None:
        if scope not in self._classes:
            self._classes[scope] = self._find_own_class(scope)
        return self._classes[scope]

    def _find_own_class(self, scope: int) -> Target | None:
        """Find the class around a definition; for an impl block or an out-of-class method, the class it speaks of."""
        name = enclosing_class(self.syntax, scope)
        while name:
            found = self.world.definition(self.path, name) or next(iter(self.scope.dotted(name).targets), None)
            if found is not None and found.is_type:
                return found
            if self.language.import_separator == "/" or self.language.modules == "file":
                guess = [one for one in self.scope.unique(name.rpartition(".")[2]).targets if one.is_type]
                return guess[0] if len(guess) == 1 else None
            name = name.rpartition(".")[0]
        return None

    def _on_receiver(self, reference: Reference) -> Found:
        receiver = dots(reference.receiver)
        head = receiver.partition(".")[0]
        if receiver in self.language.super_names:
            cls = self._own_class(reference.scope)
            found = self.scope.inherited(cls, reference.name) if cls else None
            return Found((found,), INHERITED) if found else NOTHING
        if (owner := self._type_of(receiver, reference.scope)) is not None:
            found = self.scope.member(owner, reference.name)
            return Found((found,), SELF if receiver in self.language.self_names else TYPED) if found else NOTHING
        if head in self.language.self_names and receiver == head:
            return NOTHING
        key = (receiver, reference.name)
        if key not in self._qualified:
            self._qualified[key] = self._find_qualified(*key)
        return self._qualified[key] or self._guess_method(reference, head)

    def _find_qualified(self, receiver: str, name: str) -> Found | None:
        """Find a name of a module, a package or a class that the receiver spells."""
        for path in self.scope.modules_of(receiver):
            if (exported := self.scope.exported(path, name, 1)).targets:
                return exported
        found = self.scope.dotted(f"{receiver}.{name}")
        return found if found.targets else None

    def _guess_method(self, reference: Reference, head: str) -> Found:
        """Take the only method of that name, if the name is telling and the receiver is not known to be external."""
        telling = "_" in reference.name.strip("_") or reference.name.lower() != reference.name
        if not telling or self.scope.is_external(head) or self._known_local(head, reference.scope):
            return NOTHING
        return self.scope.unique(reference.name, methods=True)

    def _known_local(self, name: str, scope: int) -> bool:
        known = self._binding(name, scope)
        return known is not None and bool(known.type_name)

    def _binding(self, name: str, scope: int) -> FieldType | None:
        while scope >= 0:
            if (known := self.locals.get((scope, name))) is not None:
                return known
            scope = self.syntax.definitions[scope].parent
        return cast("FieldType | None", self.world.fact(self.path, f"f:{name}"))

    def _type_of(self, text: str, scope: int, depth: int = 0) -> Target | None:
        key = (text, scope, depth)
        if key not in self._types:
            self._types[key] = self._find_type(*key)
        return self._types[key]

    def _find_type(self, text: str, scope: int, depth: int) -> Target | None:
        """Find the type of a receiver expression, or the class that it names."""
        if depth > MAX_DEPTH or text in ("", "…"):
            return None
        head, _, last = text.rpartition(".")
        if text in self.language.self_names:
            return self._own_class(scope)
        if text.endswith(")"):
            callee = text[: _opening(text)]
            if not callee or callee in self.language.super_names:
                return None
            return self._call_type(callee, scope, depth)
        if head:
            owner = self._type_of(head, scope, depth + 1)
            if owner is not None:
                member = self.world.definition(owner.path, f"{owner.dotted}.{last}")
                return member if member and member.is_type else self.scope.field_type(owner, last)
            found = self.scope.dotted(text)
            return next((one for one in found.targets if one.is_type), None)
        known = self._binding(text, scope)
        if known is not None:
            if known.type_name:
                return self.scope.type_named(known.type_name)
            return self._call_type(known.value, scope, depth) if known.value.rpartition(".")[0] != text else None
        return next((one for one in self.scope.name(text).targets if one.is_type), None)

    def _call_type(self, callee: str, scope: int, depth: int) -> Target | None:
        callee = dots(callee)
        head, _, name = callee.rpartition(".")
        if head and (owner := self._type_of(head, scope, depth + 1)) is not None:
            member = self.scope.member(owner, name)
            return self.scope.result_type(Found((member,), TYPED)) if member else owner if name == "new" else None
        return self.scope.result_type(self.scope.dotted(callee))


def _opening(text: str) -> int:
    """Find the parenthesis that the last one closes."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if depth == 0:
            return place
    return 0


def resolve_file(
    world: World,
    path: str,
    language: str,
    is_test: bool,
    syntax: Syntax,
    nodes: Sequence[int],
    module_id: int,
    lines: Sequence[int],
) -> list[ResolvedReference]:
    """Resolve all references of a file.

    `nodes` gives the chunk id of each definition, `lines` the line of each reference, then of each import.
    """
    resolver = FileResolver(world, path, language, is_test, syntax)
    rows: list[ResolvedReference] = []
    for reference, line in zip(syntax.references, lines, strict=False):
        source = nodes[reference.scope] if reference.scope >= 0 else module_id
        rows.append(_row(source, reference.kind, reference.name, reference.receiver, line, resolver.resolve(reference)))
    for one, line in zip(syntax.imports, lines[len(syntax.references) :], strict=True):
        source = nodes[one.scope] if one.scope >= 0 else module_id
        name = f"{one.module} {one.name}" if one.name else one.module
        rows.append(_row(source, "imports", name, "", line, resolver.resolve_import(one)))
    return rows


def _row(source: int, kind: str, name: str, receiver: str, line: int, found: Found) -> ResolvedReference:
    if not found.targets:
        return ResolvedReference(source, kind, name, receiver, line, None, None)
    targets = tuple(dict.fromkeys([one.chunk_id for one in found.targets]))
    if len(targets) == 1:
        return ResolvedReference(source, kind, name, receiver, line, targets[0], found.confidence)
    return ResolvedReference(source, kind, name, receiver, line, None, None, targets)
