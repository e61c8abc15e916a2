"""Find the functions that a template calls by their name alone: those of the files for it, and those that classes register."""

from code_graph_indexer.languages.conventions import view_paths
from code_graph_indexer.resolve.classes import class_behind, is_beside
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.registered_names import named
from code_graph_indexer.resolve.resolution import NOTHING, PEER, UNIQUE, Resolution
from code_graph_indexer.resolve.scope_parts import Part
from code_graph_indexer.storage.records import MAX_CANDIDATES, Target
from code_graph_indexer.syntax.records import CLASS_KINDS
from code_graph_indexer.syntax.registrations import CONTEXT

SEEN_KINDS = CALLABLE_KINDS | CLASS_KINDS
"""Kinds of what a template may use by its name alone: functions, and the classes of components."""


class TemplateFunctions(Part):
    """The functions that templates call, as one template sees them."""

    __slots__ = ()

    def template_function(self, name: str) -> Resolution:
        """Return the functions of a name that templates call. Several are an ambiguous guess."""
        helpers = self.language.helpers
        targets = self._registered(name) or tuple(
            target
            for target in self.world.definitions_named(name)
            if target.kind in SEEN_KINDS and not target.is_local and helpers and helpers.search(target.path)
            # A test of a helper has functions of its own, and so has a class, such as that of a component.
            if self.view.reachable(target.path) and not self._is_of_class(target)
        )
        if targets and self._is_variable(name):
            return NOTHING
        return Resolution(targets[:MAX_CANDIDATES], PEER if len(targets) == 1 else UNIQUE)

    def _is_of_class(self, target: Target) -> bool:
        """Say whether a function is that of a class, and not of a module that views include."""
        outer = self.world.definition(target.path, target.dotted.rpartition(".")[0])
        return target.kind in CALLABLE_KINDS and outer is not None and outer.kind == "class"

    def is_unseen(self, member: Target | None) -> bool:
        """Say whether this template sees no such member of the class behind it: where it has helpers, it sees no functions."""
        if member is None or self.language.helpers is None or member.kind not in CALLABLE_KINDS:
            return False
        return member.path != self.path and not self._is_part()

    @remembered
    def _is_part(self) -> bool:
        """Say whether this template is a part of the class in the file beside it, whose functions it sees."""
        cls = class_behind(self.view)
        return cls is not None and is_beside(cls.path, self.path)

    @remembered
    def _is_variable(self, name: str) -> bool:
        """Say whether code that shows this template gives it a variable of a name, which hides a function."""
        keys = (named(CONTEXT, view) for view in view_paths(self.path))
        variables = (argument.keyword for key in keys for _, argument in self.world.arguments_to(key))
        return name in variables or name == next(view_paths(self.path))

    def _registered(self, name: str) -> tuple[Target, ...]:
        """List the methods that classes register under a name: the class behind the template and those above it, or any."""
        members: dict[Target, Target] = {}
        for path, argument in self.world.arguments_to(named("helper", name)):
            view = self.view.at(path)
            for cls in view.types_around(argument.dotted)[:1]:
                if (member := view.member(cls, name)) is not None:
                    members[member] = cls
        # Only what is registered is looked up, because the name of the class behind is looked up in the same way.
        behind = class_behind(self.view) if members else None
        if behind is None:
            return tuple(members)
        scope = self.view.at(behind.path)
        member_behind = scope.member(behind, name)
        classes = {behind, *scope.ancestors(behind)}
        if member_behind in members:
            return (member_behind,)
        return tuple(member for member, cls in members.items() if cls in classes)
