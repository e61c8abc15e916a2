"""Follow the macros of a preprocessor: the functions that their texts call, and those that their texts define."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter

from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.resolve.resolution import SCOPE, UNIQUE, Resolution
from code_graph_indexer.resolve.view import FileView
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.branches import holds, names_at
from code_graph_indexer.syntax.records import Reference

_PLACE = re.compile(r"\{(\d+)\}")

MAX_EXPANSIONS = 20
"""Most macros that one use of a macro expands, one inside the other."""


class Macros:
    """The macros of one file: which of them holds at a place, and which functions its uses of macros make."""

    def __init__(self, view: FileView) -> None:
        self._view = view
        self._scope = view.scope
        self._world = view.world

    def meaning(self, reference: Reference) -> Resolution | None:
        """Return what a call of a name means by its place in the file. None if the place says nothing."""
        kind, name, _, start, scope, *_ = reference
        if kind == "calls" and name in self._starts:
            return self._in_force(name, start)
        if kind == "expands" and self._view.syntax.definitions[scope].name == name:
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

    @cached_property
    def makers(self) -> dict[str, Target]:
        """Map the functions that uses of macros make in this file to the macros whose texts define them.

        `DEFINE(start)` makes `start_run`, if the text of the macro, or of a macro that it uses, defines `name##_run`.
        """
        makers: dict[str, Target] = {}
        for use in self._view.syntax.references if self._view.language.macro_use else ():
            if use.scope < 0 and use.kind == "calls" and use.given:
                makers |= self._made_by(use)
        return makers

    def _made_by(self, use: Reference) -> dict[str, Target]:
        """Map the functions that a use of a macro makes to the macros whose texts define them."""
        makers: dict[str, Target] = {}
        macros = [target for target in self._scope.name(use.name).targets if target.kind == "macro"]
        for macro in macros:
            for name in self._world.made(macro):
                # A macro may pass its arguments on to the next one in another order.
                functions = (pasted(name, [argument] * len(use.given)) for argument in use.given)
                makers |= {function: macro for function in functions if function}
            inner = (target for name in self._world.expansion(macro) for target in self._scope.name(name).targets)
            macros += [target for target in dict.fromkeys(inner) if target.kind == "macro" and target not in macros]
            del macros[MAX_EXPANSIONS:]
        return makers


def pasted(text: str, arguments: Sequence[str]) -> str:
    """Return the name that a macro pastes together with an argument: `LOG_{0}` with the argument `ERROR` → `LOG_ERROR`.

    Any other name is returned as it is. The name is empty if an argument is not known.
    """
    if "{" not in text:
        return text
    values = [argument if argument.isidentifier() else "" for argument in arguments]
    places = [int(place) for place in _PLACE.findall(text)]
    if not all(place < len(values) and values[place] for place in places):
        return ""
    return _PLACE.sub(lambda place: values[int(place[1])], text)
