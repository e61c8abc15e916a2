"""Find the functions that uses of macros make, by the texts of the macros: `DEFINE(start)` may make `start_run`."""

import re
from collections.abc import Iterator, Sequence

from code_graph_indexer.resolve.facts import PassedArgument
from code_graph_indexer.resolve.notes import remembered
from code_graph_indexer.resolve.resolution import INCLUDED, NOTHING, SCOPE, UNIQUE, Resolution
from code_graph_indexer.resolve.scope_parts import Part
from code_graph_indexer.resolve.world import MAX_PASSING
from code_graph_indexer.storage.records import Target

_PLACE = re.compile(r"\{(\d+)\}")

MAX_EXPANSIONS = 20
"""Most macros that one use of a macro expands, one inside the other."""


class MacroFunctions(Part):
    """The functions that macros make, as one file sees them. Each is the use of the macro, which is a definition."""

    __slots__ = ()

    def macro_function(self, name: str) -> Resolution:
        """Return the use of a macro that makes a function of this name: here, in an included file, or in the only other one."""
        paths = self.world.using_macros() if self.language.macro_use is not None else ()
        if not paths:
            return NOTHING
        if (use := self.macro_functions().get(name)) is not None:
            return Resolution((use,), SCOPE)
        if (use := self._included_functions().get(name)) is not None:
            return Resolution((use,), INCLUDED)
        views = [self.view.at(path) for path in paths if self.view.reachable(path)] if len(paths) <= MAX_PASSING else []
        others = [use for view in views if (use := view.macro_functions().get(name)) is not None]
        return Resolution(tuple(others), UNIQUE) if len(others) == 1 else NOTHING

    @remembered
    def macro_functions(self) -> dict[str, Target]:
        """Map the functions that uses of macros in this file make to these uses.

        A use with a `;` behind it is no definition. What it makes leads to the macro.
        """
        functions: dict[str, Target] = {}
        for use in self.world.macro_uses(self.path):
            target = self.world.definition(self.path, use.dotted) if use.dotted else None
            for macro, name in self._names(use):
                functions.setdefault(name, target or macro)
        return functions

    @remembered
    def _included_functions(self) -> dict[str, Target]:
        """Map the functions that uses of macros in the included files make to these uses. The first of a name counts."""
        reach = self.view.star_reach()
        functions: dict[str, Target] = {}
        for path in self.world.using_macros():
            if path in reach:
                for name, use in self.view.at(path).macro_functions().items():
                    functions.setdefault(name, use)
        return functions

    def _names(self, use: PassedArgument) -> Iterator[tuple[Target, str]]:
        """Yield the functions that the text of a macro makes, or that of a macro which it uses, each with the macro."""
        arguments = use.value.split("\n")
        # A macro may pass its arguments on to the next one in another order.
        orders = [arguments, *([argument] * len(arguments) for argument in arguments)]
        macros = [target for target in self.view.dotted(use.callee).targets if target.kind == "macro"]
        for macro in macros:
            for text in self.world.made(macro):
                for order in orders[:1] if macro is macros[0] else orders[1:]:
                    if name := pasted(text, order):
                        yield macro, name
            inner = (target for name in self.world.expansion(macro) for target in self.view.dotted(name).targets)
            macros += [target for target in dict.fromkeys(inner) if target.kind == "macro" and target not in macros]
            del macros[MAX_EXPANSIONS:]


def pasted(text: str, arguments: Sequence[str]) -> str:
    """Return the name that a macro pastes together with an argument: `LOG_{0}` with the argument `ERROR` → `LOG_ERROR`.

    Any other name is returned as it is. The name is empty if an argument is not known.
    """
    return _with_values(text, [argument if argument.isidentifier() else "" for argument in arguments])


def filled(text: str, arguments: Sequence[str]) -> str:
    """Return the path of what a macro stands for, with the paths of its arguments: `<shop{0} *>` with `8` → `<shop8 *>`.

    It is empty if an argument is not known.
    """
    is_type = text.startswith("<")
    values = [path.removeprefix("<").removesuffix(">") if is_type else path for path in arguments]
    return _with_values(text, values)


def _with_values(text: str, values: Sequence[str]) -> str:
    """Return a text with values in its places, or an empty text if one of them is missing or empty."""
    if not all(int(place) < len(values) and values[int(place)] for place in _PLACE.findall(text)):
        return ""
    return _PLACE.sub(lambda place: values[int(place[1])], text)
