"""Find the functions that macros make: `DEFINE(start)` may stand for `int start_run(void) { … }`.

Only macros of the same file are expanded, so that what is read of a file depends on its bytes alone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

MAX_USES = 200
"""Most uses of macros in a file that are expanded."""

MAX_EXPANSION = 20_000
"""Bytes of the longest text of a macro that is expanded."""

_ARGUMENTS = rb"(?:[^(){};]|\([^(){};]{0,200}\)){0,1000}"
_PASTE = re.compile(rb"\s*##\s*")
_COMMA = re.compile(rb",(?![^()]*\))")


class Macro(NamedTuple):
    """A macro with parameters. `text` is what it stands for."""

    parameters: tuple[bytes, ...]
    text: bytes


class MacroUse(NamedTuple):
    """A macro that is used outside of functions. `text` is the source text that it stands for there."""

    start: int
    end: int
    text: bytes


def uses_of(source: bytes, macros: Mapping[bytes, Macro]) -> Iterator[MacroUse]:
    """Yield the uses of macros that stand on lines of their own, and begin there.

    `macros` maps the names of macros to their definitions. Only those that can make a function need be given.
    """
    if not macros:
        return
    names = b"|".join(sorted(map(re.escape, macros)))
    pattern = re.compile(rb"^(%b)\((%b)\)[ \t]*;?[ \t]*$" % (names, _ARGUMENTS), re.MULTILINE)
    for number, match in enumerate(pattern.finditer(source)):
        if number == MAX_USES:
            return
        yield MacroUse(*match.span(), expand(macros[match[1]], match[2]))


def expand(macro: Macro, arguments: bytes) -> bytes:
    """Return the text of a macro with the arguments of a use in the place of its parameters.

    Example:
        >>> expand(Macro((b"name",), b"int name##_run(void) { return 1; }"), b"start")
        b'int start_run(void) { return 1; }'
    """
    values = dict(zip(macro.parameters, (value.strip() for value in _COMMA.split(arguments)), strict=False))
    text = macro.text.replace(b"\\\n", b" \n")
    if values:
        # `#name` is a text, and `##name` a part of a word.
        text = re.sub(rb"(?<!#)#(?!#)\s*(?=[A-Za-z_])", b"\0", text)
        text = re.sub(rb"\0?\b(%b)\b" % b"|".join(map(re.escape, values)), lambda match: _value(match, values), text)
    return _PASTE.sub(b"", text)


def _value(match: re.Match[bytes], values: Mapping[bytes, bytes]) -> bytes:
    return b'""' if match[0].startswith(b"\0") else values[match[1]]
