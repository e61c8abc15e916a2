"""Find the functions that macros make: `DEFINE(start)` may stand for `int start_run(void) { … }`.

Only macros of the same file are expanded, so that what is read of a file depends on its bytes alone. The resolver knows the
functions that other macros make by their names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import macro_use_pattern

MAX_USES = 200
"""Most uses of macros in a file that are expanded."""

MAX_EXPANSION = 20_000
"""Bytes of the longest text of a macro that is expanded."""

_PASTE = re.compile(rb"\s*##\s*")
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([\w\s,]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_FUNCTION_HEAD = re.compile(rb"\)[\s\\]*\{")
_ARGUMENTS = rb"(?:[^(){};]|\([^(){};]{0,200}\)){0,1000}"
_CALL = re.compile(rb"\s*\((%b)\)" % _ARGUMENTS)
_COMMA = re.compile(rb",(?![^()]*\))")
_TEXT_OF = re.compile(rb"(?<!#)#(?!#)\s*(?=[A-Za-z_])")


_PASTED = re.compile(rb"(?<![\w#])([A-Za-z_]\w{0,80})\s*##\s*(\w+)(?=\s*[(.;]|\s*\Z)(?!\s*##)")
"""Pattern of a name that the text of a macro pastes together from a word and a parameter, as in `LOG_ ## level`."""

_MADE = re.compile(rb"\s*\(%b\)[\s\\]*\{" % _ARGUMENTS)
"""Pattern of what follows the name of a function in the text of a macro that makes the function."""

_DECLARED = re.compile(rb"(?<=[\w*])(?<!\breturn)(?<!\belse)[\s\\]*\Z")
"""Pattern of what stands before a name in a text that declares the name: a type."""


class MacroUse(NamedTuple):
    """A macro that is used outside of functions, with byte offsets. `text` is what it stands for there."""

    start: int
    end: int
    text: bytes


def macro_uses(source: bytes) -> list[MacroUse]:
    """List the uses of macros that make functions. Each stands on lines of its own.

    A macro makes functions if it pastes names together and has the head of a function in its text.

    Example:
        >>> source = b"#define RUN(name) int name##_run(void) { return 1; }\\nRUN(start)\\n"
        >>> [use.text for use in macro_uses(source)]
        [b' int start_run(void) { return 1; }']
    """
    if b"##" not in source:
        return []
    macros = {
        match[1]: (match[2], match[3])
        for match in _DEFINITION.finditer(source)
        if b"##" in match[3] and len(match[3]) < MAX_EXPANSION and _FUNCTION_HEAD.search(match[3])
    }
    if not macros:
        return []
    names = b"|".join(sorted(map(re.escape, macros)))
    pattern = re.compile(rb"^(%b)\((%b)\)[ \t]*;?[ \t]*$" % (names, _ARGUMENTS), re.MULTILINE)
    return [
        MacroUse(*match.span(), _expanded(*macros[match[1]], match[2]))
        for match in islice(pattern.finditer(source), MAX_USES)
    ]


def unread_uses(source: bytes, language_name: str, uses: Iterable[MacroUse]) -> list[tuple[int, int, int]]:
    """List the other uses of macros outside of functions, as the start, the end of the name, and the end.

    What they stand for is written in another file, so that the resolver reads it.

    Example:
        >>> unread_uses(b"RB_GENERATE(tree, node)\nint f(void);\n", "c", [])
        [(0, 11, 23)]
    """
    pattern = macro_use_pattern(language_name)
    if pattern is None:
        return []
    starts = {use.start for use in uses}
    matches = islice(pattern.finditer(source), MAX_USES)
    return [(match.start(), match.end(1), match.end()) for match in matches if match.start() not in starts]


def macro_arguments(source: bytes, end: int) -> tuple[str, ...]:
    """Return the texts of the arguments of a macro whose name ends at a byte. There are none if they have statements.

    Example:
        >>> macro_arguments(b"STEP(OPEN, open(1, 2))", 4)
        ('OPEN', 'open(1, 2)')
    """
    call = _CALL.match(source, end)
    if call is None:
        return ()
    return tuple(argument.strip().decode("utf-8", "replace") for argument in _COMMA.split(call[1]))


def _expanded(parameters: bytes, text: bytes, arguments: bytes) -> bytes:
    """Return the text of a macro with the arguments of a use in the place of its parameters."""
    values = dict(zip(re.findall(rb"\w+", parameters), map(bytes.strip, _COMMA.split(arguments)), strict=False))
    text = text.replace(b"\\\n", b" \n")
    if values:
        # `#name` is a text. `name##_run` is a part of a word.
        names = b"|".join(map(re.escape, values))
        text = re.sub(rb"\0?\b(%b)\b" % names, lambda match: _value(match, values), _TEXT_OF.sub(b"\0", text))
    return _PASTE.sub(b"", text)


def _value(match: re.Match[bytes], values: Mapping[bytes, bytes]) -> bytes:
    return b'""' if match[0].startswith(b"\0") else values[match[1]]


def pasted_names(
    source: bytes, start: int, end: int, params: Sequence[tree_sitter.Node]
) -> Iterator[tuple[int, str, str]]:
    """Yield the names that the text of a macro pastes together with its arguments: byte offset, use and name.

    The use is `makes` where the text defines a function, and `expands` where it calls one. A name keeps the position of the
    argument: `LOG_{0}`.
    """
    parameters = [source[node.start_byte : node.end_byte] for node in params]
    for paste in _PASTED.finditer(source, start, end) if parameters else ():
        parts = [f"{{{parameters.index(part)}}}" if part in parameters else part.decode() for part in paste.groups()]
        if not any(part in parameters for part in paste.groups()):
            continue
        if _MADE.match(source, paste.end(), end):
            yield paste.start(1), "makes", "".join(parts)
        elif paste[2] in parameters or not _DECLARED.search(source, start, paste.start(1)):
            yield paste.start(1), "expands", "".join(parts)
