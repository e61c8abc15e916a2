"""Replace what a reference means by what it leads to: the definitions behind declarations, as one file sees them."""

import posixpath
from collections.abc import Iterator

from code_graph_indexer.resolve.declarations import Declarations, nearest
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.modules import shared_folders
from code_graph_indexer.resolve.resolution import UNIQUE, Resolution
from code_graph_indexer.resolve.scope import Scope
from code_graph_indexer.results import ALTERNATIVE_DEFINITION, ANOTHER_BUILD
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.branches import are_opposite
from code_graph_indexer.syntax.records import VALUE_KINDS


class Alternatives:
    """The definitions that stand for each other, as a file sees them. It keeps answers that repeat within the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._world = scope.world
        self._definitions: dict[Target, tuple[Target, ...]] = {}
        self._holders: dict[str, list[str]] = {}
        self._trees: dict[tuple[str, str], tuple[str, ...]] = {}
        self._specializations: set[Target] = set()

    def leads_to(self, resolution: Resolution, conditions: tuple[str, ...]) -> Resolution:
        """Return the definitions that a reference leads to, where a preprocessor has set these names around it."""
        if resolution.confidence == UNIQUE and self._scope.language.condition is not None:
            resolution = self._of_no_platform(resolution, conditions)
        resolution = self.defined(resolution)
        return self._built(resolution, conditions) if conditions else resolution

    def _of_no_platform(self, resolution: Resolution, conditions: tuple[str, ...]) -> Resolution:
        """Leave out guesses of what only some platforms define. The reference sees no declaration, so the system has it too."""
        targets = tuple(target for target in resolution.targets if not self._is_of_platform(target, conditions))
        return resolution._replace(targets=targets)

    def _is_of_platform(self, target: Target, conditions: tuple[str, ...]) -> bool:
        """Say whether all definitions and declarations of a function are for builds of which a reference says nothing.

        These are builds under other conditions, and those that choose the folder of a file. A function of this file is for all.
        """
        twins = [twin for twin in self._world.definitions_named(target.name) if twin.kind == target.kind]
        return target.path != self._scope.path and all(
            self._is_in_other_folder(twin.path)
            or ((names := self._world.conditions(twin)) and set(names).isdisjoint(conditions))
            for twin in twins
            if twin.path != self._scope.path
        )

    def _is_in_other_folder(self, path: str) -> bool:
        """Say whether a file is in another folder than this, and one of several files of its name in folders side by side."""
        folder = posixpath.dirname(path)
        return folder != posixpath.dirname(self._scope.path) and len(self._world.neighbours(path)) > 1

    def _built(self, resolution: Resolution, conditions: tuple[str, ...]) -> Resolution:
        """Leave out the definitions that are in no build together with the reference.

        If that leaves none, all stay with the confidence ANOTHER_BUILD at most.
        """
        targets = tuple(
            target for target in resolution.targets if not are_opposite(conditions, self._world.conditions(target))
        )
        if targets or not resolution.targets:
            return resolution._replace(targets=targets)
        return resolution._replace(confidence=min(resolution.confidence, ANOTHER_BUILD))

    def defined(self, resolution: Resolution) -> Resolution:
        """Replace each declaration by the definitions behind it, and each definition by its alternatives.

        A declaration without a known definition stays.
        """
        if len(resolution.targets) == 1:
            # This is the way of nearly all references.
            (target,) = resolution.targets
            definitions = self._definitions.get(target) or self.behind(target)
            if definitions == resolution.targets:
                if target not in self._specializations:
                    return resolution
                return resolution._replace(confidence=min(resolution.confidence, ALTERNATIVE_DEFINITION))
        behind = [self.behind(target) for target in resolution.targets]
        if all(len(targets) == 1 for targets in behind):
            return resolution._replace(targets=tuple(targets[0] for targets in behind))
        targets = tuple(dict.fromkeys(target for targets in behind for target in targets))
        # All alternatives of one definition are meant. Of several definitions, one is.
        all_meant = resolution.all_meant or len(behind) == 1
        return Resolution(targets, min(resolution.confidence, ALTERNATIVE_DEFINITION), all_meant, resolution.tied)

    def behind(self, target: Target) -> tuple[Target, ...]:
        """Return the definitions behind a declaration as this file sees them, or else the target with its alternatives."""
        definitions = self._definitions.get(target)
        if definitions is None:
            behind = (
                twin
                for member in self._group(target) or (target,)
                for twin in (
                    (member,)
                    if member.has_body or member.kind in ("constant", "enum_member", "macro", "type")
                    else (*Declarations.of(self._scope, member.path).definitions(member), *self._field(member))
                )
            )
            definitions = tuple(dict.fromkeys(behind)) or (target,)
            if len(definitions) > 1:
                definitions = nearest(definitions, target.path, self._scope.path)
            elif definitions[0].is_type and self._world.twins(definitions[0]):
                # The template itself is elsewhere, or has no body.
                self._specializations.add(target)
            self._definitions[target] = definitions
        return definitions

    def _field(self, target: Target) -> tuple[Target, ...]:
        """Return a field, which has uses beside its definition outside of the class, and nothing for any other target."""
        return (target,) if target.kind == "field" else ()

    def _group(self, target: Target) -> tuple[Target, ...]:
        """List a definition and its alternatives. Empty if it can have none."""
        language = self._scope.at(target.path).language
        has_twins = target.has_body and target.kind in CALLABLE_KINDS
        is_value = target.kind in VALUE_KINDS or target.is_type or _is_switch(target)
        group = self._world.twins(target) if (has_twins and language.twins) or language.condition else ()
        if len(group) == 1:
            group += self._scope.at(target.path).imported(target.name).targets
        if (has_twins or is_value) and language.modules == "folder" and not language.variadic:
            return self._in_other_builds(target)
        if not group and (has_twins or is_value) and language.modules == "declared" and not language.split_types:
            return self._in_other_trees(target)
        return (*(group or (target,)), *self._in_other_headers(target)) if is_value and language.condition else group

    def _in_other_headers(self, target: Target) -> Iterator[Target]:
        """Yield what other included headers define by the name of a type, constant, variable or field: a build has one."""
        if target.path == self._scope.path:
            return
        head = target.dotted.partition(".")[0]
        if head not in self._holders:
            self._holders[head] = self._scope.reached_holders(head)
        twins = (self._world.written(path, target.dotted) for path in self._holders[head] if path != target.path)
        for twin in filter(None, twins):
            is_same = twin.kind == target.kind or (_is_switch(twin) and _is_switch(target))
            if is_same or (self._is_whole(twin) and self._is_whole(target)):
                yield twin

    def _is_whole(self, target: Target) -> bool:
        """Say whether a definition is a type, and no other name of the structure of its name: `typedef struct cart cart;`."""
        return target.is_type and not self._world.aliased_type(target.path, target.dotted).endswith(target.name)

    def _in_other_builds(self, target: Target) -> tuple[Target, ...]:
        """List a definition and those of its name in other files of its package, of which a build has one: `run_linux.go`."""
        namesakes = self._world.definitions_of(target.dotted)
        twins = (
            self._world.written(twin.path, twin.dotted) or twin
            for twin in namesakes
            if twin.path != target.path
            and twin.kind == target.kind
            and twin.has_body == target.has_body
            and self._world.same_module(twin.path, target.path)
            and self._world.file(twin.path).is_test == self._world.file(target.path).is_test
        )
        return (target, *list(twins)[: MAX_CANDIDATES - 1])

    def _in_other_trees(self, target: Target) -> tuple[Target, ...]:
        """List a definition and those of its full name in trees that are as near to this file, of which a build has one.

        Of a package with `src/jvm/shop/Cart.scala` and `src/js/shop/Cart.scala`, code in `src/main` may use either.
        """
        head = target.dotted.partition(".")[0]
        if (paths := self._trees.get((target.path, head))) is None:
            paths = self._trees[target.path, head] = self._files_beside(target.path, head)
        if not paths:
            return (target,)
        twins = (self._world.written(path, target.dotted) for path in paths)
        alike = [twin for twin in filter(None, twins) if twin.kind == target.kind]
        return (target, *Declarations.of(self._scope, target.path).of_same_signature(alike, target))

    def _files_beside(self, path: str, name: str) -> tuple[str, ...]:
        """List the other files that define a type of this name in the module of a file, and are as near to this file."""
        others = [other for other in self._world.holders(name) if other != path]
        target = self._world.definition(path, name) if others else None
        module = self._world.module(path) if target is not None and target.is_type else ""
        if target is None or not module:
            return ()
        language, shared = self._world.file(path).language, shared_folders(path, self._scope.path)
        twins = (
            other
            for other in sorted(others)
            if shared_folders(other, self._scope.path) == shared
            and self._world.module(other) == module
            and self._world.file(other).language == language
            and self._scope.reachable(other)
            and (twin := self._world.definition(other, name))
            and twin.kind == target.kind
        )
        return tuple(twins)[: MAX_CANDIDATES - 1]


def _is_switch(target: Target) -> bool:
    """Say whether a definition is a macro without parameters."""
    return target.kind == "constant" or (target.kind == "macro" and not target.has_body)
