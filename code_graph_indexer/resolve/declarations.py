"""Find the definitions behind a declaration, such as the function behind a prototype in a header.

A call is resolved to what the calling file sees, which is often only a declaration. The graph leads on to the definition, and
ties the two by an edge of the kind `declares`.
"""

from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.notes import Memory, remembered
from code_graph_indexer.resolve.overloads import signature
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.resolve.world import World
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.records import TYPE_KINDS

DECLARED_KINDS = (CALLABLE_KINDS | TYPE_KINDS) - {"macro", "module", "namespace"}
"""Kinds of definitions that code may declare in one file and define in another."""

HELD_KINDS = frozenset({"variable", "field"})
"""Kinds of variables that code may declare in one file and define in another: `extern int limit`, a static field of a class."""


class Declarations:
    """The declarations of one file, with a lookup of the definitions behind them.

    What counts as a definition depends on the language, see `declarations` in languages/header.py.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world: World = scope.world
        self.memory = Memory()

    @classmethod
    def of(cls, scope: Scope, path: str) -> "Declarations":
        """Return the declarations of the file `path`, as tests or production code see them, like `scope`."""
        key = (path, scope.is_test)
        declarations: Declarations | None = scope.world.declarations.get(key)
        if declarations is None:
            declarations = scope.world.declarations[key] = cls(scope.at(path))
        return declarations

    @remembered
    def definitions(self, declaration: Target) -> tuple[Target, ...]:
        """List the definitions of a declaration in this file. The list is empty if none is known.

        Several definitions are alternatives: for other platforms, or under other conditions of a preprocessor.
        """
        rule = self.scope.language.declarations
        if rule == "no" or declaration.has_body or declaration.kind not in DECLARED_KINDS | HELD_KINDS:
            return ()
        candidates = [
            target for target in self.world.definitions_of(declaration.dotted) if self._fits(target, declaration)
        ]
        if not candidates and declaration.kind in ("method", "field") and rule == "linked":
            candidates = [
                target
                for target in self.world.definitions_named(declaration.name)
                if _is_suffix(target.dotted, declaration.dotted) and self._fits(target, declaration)
            ]
        if declaration.kind in HELD_KINDS:
            candidates = [self.world.written(target.path, target.dotted) or target for target in candidates]
        candidates = self.of_same_signature(candidates, declaration)
        if len(candidates) > 1:
            # What includes the declaration is meant by it. A namesake elsewhere in the repository may be another program's.
            including = [target for target in candidates if self._includes(target.path, declaration.path)]
            candidates = including or candidates
        return tuple(candidates[:MAX_CANDIDATES])

    def _fits(self, target: Target, declaration: Target) -> bool:
        """Say whether a definition of the same name may be the definition of a declaration, whatever its parameters are.

        It has a body, and stands in the same file or module. Where a linker ties them, it may stand in any file.
        """
        kinds = DECLARED_KINDS if declaration.kind in DECLARED_KINDS else HELD_KINDS
        if not target.has_body or target.kind not in kinds or not self.scope.reachable(target.path):
            return False
        if target.path == declaration.path:
            return True
        if self.scope.language.declarations == "linked":
            return not target.is_local and not declaration.is_local
        return self.world.file(target.path).module == self.world.file(declaration.path).module != ""

    def of_same_signature(self, candidates: list[Target], declaration: Target) -> list[Target]:
        """Leave out the definitions of other overloads, in a language that tells overloads apart.

        If none has the same types, those with the same number of parameters stay, except for the rule `module`.
        """
        declared = signature(self.scope, declaration)
        if declared is None:
            return candidates
        signatures = {target: signature(self.scope, target) for target in candidates}
        # Only one side may have default values, so the most arguments count.
        same_count = [
            target for target, overload in signatures.items() if overload is None or overload.most == declared.most
        ]
        same_types = [
            target
            for target in same_count
            if (overload := signatures[target]) is None or overload.types == declared.types
        ]
        # A definition may spell its types in another way: `std::string` and `string`. An abstract method has no definition,
        # only overloads beside it.
        return same_types if self.scope.language.declarations == "module" else same_types or same_count

    def _includes(self, path: str, header: str) -> bool:
        return path == header or header in self.scope.at(path).star_reach()


def nearest(targets: tuple[Target, ...], declaration: str, caller: str) -> tuple[Target, ...]:
    """Return the alternatives that are nearest to a caller, or all of them if none is nearer than the declaration.

    `declaration` and `caller` are paths. A file in `src/unix` calls what `src/unix` defines, not what `src/win` does. Common
    code calls either.
    """
    shared = [shared_folders(target.path, caller) for target in targets]
    if max(shared) <= shared_folders(declaration, caller):
        return targets
    return tuple(target for target, count in zip(targets, shared, strict=True) if count == max(shared))


def _is_suffix(dotted: str, other: str) -> bool:
    """Say whether one dotted name of a method ends with the other, of two parts or more: `DB.write` and `store.DB.write`."""
    shorter, longer = sorted((dotted, other), key=len)
    return "." in shorter and longer.endswith(f".{shorter}")
