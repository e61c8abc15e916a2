"""Find which macro of a file is in force at a place."""

from collections import Counter, defaultdict
from functools import cached_property
from operator import itemgetter

from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.file_view import FileView
from code_graph_indexer.resolve.resolution import SCOPE, UNIQUE, Resolution
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.branches import holds, names_at
from code_graph_indexer.syntax.records import Reference


class Macros:
    """The macros of one file, by the places where each begins and ends."""

    def __init__(self, view: FileView) -> None:
        self._view = view
        self._scope = view.scope
        self._world = view.world

    def meaning(self, reference: Reference) -> Resolution | None:
        """Return what a call of a name means by its place in the file. None if the place says nothing."""
        kind, name, _, start, scope, *_ = reference
        if kind == "calls" and name in self._starts:
            return self._in_force(name, start)
        if kind == "expands" and scope >= 0 and self._view.syntax.definitions[scope].name == name:
            # A macro does not expand inside itself: the function of its name is meant.
            return self._scope.function_named(name)
        return None

    def _in_force(self, name: str, start: int) -> Resolution | None:
        """Return what a call of a name at a byte means, if this file begins or ends a macro of that name.

        It is the last macro before the call, if none ended it, or else the function of the name. None if that is not sure.
        """
        branches = self._view.syntax.branches
        around = names_at(branches, start)
        for place, macro in reversed(self._starts[name]):
            if place < start:
                if not holds(names_at(branches, place), around):
                    return None
                if macro is not None:
                    return Resolution((macro,), SCOPE)
                break
        function = self._scope.function_named(name)
        return function if function.confidence > UNIQUE else None

    @cached_property
    def _starts(self) -> dict[str, list[tuple[int, Target | None]]]:
        """Map a name to the bytes at which macros of that name begin, each with the macro, or end.

        Names that always mean the same in this file are left out.
        """
        starts: dict[str, list[tuple[int, Target | None]]] = defaultdict(list)
        if self._view.language.condition is None:
            return starts
        syntax = self._view.syntax
        ends = [reference for reference in syntax.references if reference.kind == "undefines"]
        counts = Counter(definition.name for definition in syntax.definitions if definition.kind in CALLABLE_KINDS)
        counts.update(end.name for end in ends)
        for position, definition in enumerate(syntax.definitions):
            if definition.kind == "macro" and counts[definition.name] > 1:
                starts[definition.name].append((definition.name_start, self._view.target(position)))
        for end in ends:
            starts[end.name].append((end.start, None))
        return {name: sorted(places, key=itemgetter(0)) for name, places in starts.items()}
