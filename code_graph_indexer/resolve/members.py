"""Look members of classes up: in their bodies, in what is written of them elsewhere, and in their bases."""

from collections import defaultdict

from code_graph_indexer.languages import Language, languages
from code_graph_indexer.resolve.annotations import base_name
from code_graph_indexer.resolve.facts import Target
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.notes import Note, remembered
from code_graph_indexer.resolve.world import World

MAX_DEPTH = 8
"""Hops along re-exports, base classes or chained types before giving up."""


class Members:
    """Look members of classes up as they are seen from one file."""

    def __init__(self, world: World, path: str, language: Language, is_test: bool) -> None:
        self.world = world
        self.path = path
        self.language = language
        self.is_test = is_test
        self.memory: defaultdict[str, dict[tuple[object, ...], Note]] = defaultdict(dict)

    def at(self, path: str) -> "Members":
        """Return what another file sees."""
        raise NotImplementedError

    def first_type(self, text: str, dotted: str) -> Target | None:
        """Find the type that a name means in the body of a class, the bases of classes on the way not asked."""
        raise NotImplementedError

    def reachable(self, path: str) -> bool:
        """Say whether this file may call what another one defines: of its family, and no tests from production code."""
        other = self.world.file(path)
        return languages()[other.language].family == self.language.family and (self.is_test or not other.is_test)

    def member(self, cls: Target, name: str) -> Target | None:
        """Find a member of a class: its own, one defined outside its body, or an inherited one."""
        return self.own_member(cls, name) or self.inherited(cls, name)

    def own_member(self, cls: Target, name: str) -> Target | None:
        """Find a member of a class in its body, or outside of it in another file."""
        if own := self.world.definition(cls.path, f"{cls.dotted}.{name}"):
            return own
        language = self.at(cls.path).language
        spread = cls.kind == "namespace" or language.split_types
        if not spread and not language.open_types:
            return None
        dotted = f"{cls.dotted}.{name}"
        found = (one for one in self.world.named_in_full(dotted) if spread or one.kind == "method")
        elsewhere = [one for one in found if one.path != cls.path and self.reachable(one.path)]
        if language.modules == "folder":
            elsewhere = [one for one in elsewhere if self.world.same_module(one.path, cls.path)]
        return min(elsewhere, key=lambda one: (not one.has_body, -shared_folders(one.path, cls.path)), default=None)

    @remembered
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
        around = cls.dotted.rpartition(".")[0]
        found = (
            self.at(part.path).first_type(base_name(name), around)
            for part in self.parts(cls)
            for name in self.base_names(part)
        )
        return [one for one in found if one is not None]

    def base_names(self, part: Target) -> tuple[str, ...]:
        """List the bases of a class as they are written in one of its parts."""
        names: tuple[str, ...] = self.world.fact(part.path, f"b:{part.dotted}") or ()
        return names

    def parts(self, cls: Target) -> tuple[Target, ...]:
        """List the parts of a class, the one given first: some languages let several files say one."""
        if not self.at(cls.path).language.split_types:
            return (cls,)
        named = self.world.named_in_full(cls.dotted)
        return (
            cls,
            *(one for one in named if one.kind == cls.kind and one.path != cls.path and self.reachable(one.path)),
        )
