"""Follow the macros of a preprocessor: the functions that their texts call, and those that their texts define."""

import re
from collections.abc import Sequence
from functools import cached_property

from code_graph_indexer.resolve.view import FileView
from code_graph_indexer.storage.records import Target
from code_graph_indexer.syntax.records import Reference

_PLACE = re.compile(r"\{(\d+)\}")

MAX_EXPANSIONS = 20
"""Most macros that one use of a macro expands, one inside the other."""


class Macros:
    """The uses of macros in one file, as far as they make functions."""

    def __init__(self, view: FileView) -> None:
        self._view = view
        self._scope = view.scope
        self._world = view.world

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
