"""Read what macros stand for in the text of a file, before it is parsed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.conditionals import blanked
from code_graph_indexer.syntax.innermost import Span

MAX_USES = 500
"""Most uses of macros in a file that are expanded."""

MAX_EXPANSION = 20_000
"""Bytes of the longest text of a macro that is expanded."""

MAX_INNER = 8
"""Most macros that are expanded one inside the other."""

_LONE_WORD = re.compile(rb"/\*(?:[^*]++|\*(?!/))*+\*/|//[^\n]*+|(?<![.>\w])([A-Za-z_]\w*)")
"""Pattern of a word that is no member, or a comment."""

_PASTE = re.compile(rb"\s*##\s*")
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([\w\s,]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)

_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([\w\s,]*)\))?((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
"""Pattern of the definition of any macro: its name, its parameters and its text."""

_ENUM = re.compile(rb"\benum\b[ \t\w:]*+\s*+\{[^{}]*+\}")
_ENUM_HEAD = re.compile(rb"(?:typedef\s++)?enum\b")
_COMMENT = re.compile(rb"/\*(?:[^*]++|\*(?!/))*+\*/")

_FUNCTION_HEAD = re.compile(rb"\)[\s\\]*\{")
_ARGUMENTS = rb"(?:[^(){};]|\([^(){};]{0,200}\)){0,1000}"

_CALL = re.compile(rb"\s*\((%b)\)" % _ARGUMENTS)
_MEMBER = re.compile(
    rb"(?:^|[{;,])[ \t]*+([A-Za-z_]\w*+)(?:\((%b)\))?[ \t]*+(?=[,;}\r\n]|/[*/])" % _ARGUMENTS, re.MULTILINE
)
"""Pattern of a macro, with or without arguments, where a member of a type may stand."""

_LONE_MACRO = re.compile(
    rb"(?:^|[;{/])[ \t]*+([A-Z_][A-Z0-9_]{3,}+)(?:\([^()\n]*+\))?+(?=[ \t]*+;?[ \t\r]*+(?:$|/[/*]))"
    rb"|[;{/]\s*+([A-Za-z_]\w*+)(?=\s*+;)",
    re.MULTILINE,
)
"""Pattern of a macro that stands alone where a field may stand."""

_FIELDS = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+\w+[ \t](?=[^\n;\\]*+(?:\\(?:\r?\n)?[^\n;\\]*+)*+;)((?:[^\n\\=]|\\\r?\n)++)$",
    re.MULTILINE,
)
"""Pattern of a macro without parameters whose text may declare fields."""

_WORD_OR_CALL = re.compile(rb"(?<![\w\"'])([A-Za-z_]\w*+)(?:[ \t]*+\((%b)\))?" % _ARGUMENTS)
_COMMA = re.compile(rb",(?![^()]*\))")

_TEXT_OF = re.compile(rb"(?<!#)#(?!#)\s*(?=[A-Za-z_])")
_PASTED = re.compile(rb"(?<![\w#])([A-Za-z_]\w{0,80})\s*##\s*(\w+)(?=\s*[(.;]|\s*\Z)(?!\s*##)")
"""Pattern of a name that the text of a macro pastes together from a word and a parameter, as in `LOG_ ## level`."""

MADE = re.compile(rb"\s*\(%b\)[\s\\]*\{" % _ARGUMENTS)
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
        MacroUse(*match.span(), expanded(*macros[match[1]], match[2]))
        for match in islice(pattern.finditer(source), MAX_USES)
    ]


def member_uses(source: bytes, types: Iterable[Span], lists: Set[bytes] = frozenset()) -> list[MacroUse]:
    """List the uses of macros that make members: of enums, and of the types at these bytes. `text` is a whole type.

    `lists` are the macros whose texts are read as lists of fields.

    Example:
        >>> source = b"#define CODES(X) X(ONE) X(TWO)\\nenum {\\n#define X(name) CODE_##name,\\nCODES(X)\\n};"
        >>> [use.text.split() for use in member_uses(source, [])]
        [[b'enum', b'_', b'{', b'CODE_ONE,', b'CODE_TWO,', b'};']]
    """
    if not _DEFINED.search(source):
        return []
    places: dict[int, tuple[bytes, re.Match[bytes]]] = {}
    defined = frozenset(_DEFINED.findall(source)) - lists
    for start, end in (*(match.span() for match in _ENUM.finditer(source)), *types):
        head = b"enum" if _ENUM_HEAD.match(source, start) else b"struct"
        for member in _MEMBER.finditer(source, start, end):
            if member[1] in defined:
                places.setdefault(member.start(1), (head, member))
    if not places:
        return []
    macros = _Macros(source)
    uses = (
        MacroUse(start, member.end(), b"%b _ {%b\n};" % (head, macros.expanded(member[0].strip(b"{;, \t"), start)))
        for start, (head, member) in islice(sorted(places.items()), MAX_USES)
    )
    return [use for use in uses if len(use.text) < MAX_EXPANSION]


def lone_macros(source: bytes, start: int, end: int) -> list[tuple[int, int, int]]:
    """List the macros that stand alone between two bytes, where fields may stand: the start, the end of the name, and the end.

    Example:
        >>> lone_macros(b"struct cart {\\n  FIELDS\\n  int total;\\n};", 0, 40)
        [(16, 22, 22)]
    """
    text = b"{" + source[start:end].replace(b"\\", b" ")
    matches = ((match.lastindex or 0, match) for match in _LONE_MACRO.finditer(text))
    before = start - 1
    return [(before + match.start(group), before + match.end(group), before + match.end()) for group, match in matches]


def field_texts(source: bytes) -> tuple[bytes, list[Span]]:
    """Return a text in which macros that may declare fields are structs, and the bytes of each. All else is blank.

    Example:
        >>> field_texts(b"#define FIELDS int total; MORE\\n")
        (b'       struct{int total;     ;};', [(15, 30)])
    """
    spans = [match.span(1) for match in islice(_FIELDS.finditer(source), MAX_USES)]
    text = bytearray(blanked(source) + b"   ") if spans else bytearray()
    for start, end in spans:
        text[start - 7 : end + 3] = b"struct{%b;};" % source[start:end].replace(b"\\", b" ")
        for first, _, last in lone_macros(source, start, end):
            text[first:last] = b" " * (last - first)
    return bytes(text), spans


class _Macros:
    """The macros of a file, each with the texts that it stands for from some byte on."""

    def __init__(self, source: bytes) -> None:
        self._texts: dict[bytes, list[tuple[int, bytes | None, bytes]]] = {}
        for macro in _MACRO.finditer(source):
            text = _COMMENT.sub(b"", macro[3]).partition(b"//")[0]
            self._texts.setdefault(macro[1], []).append((macro.start(), macro[2], text))

    def expanded(self, text: bytes, place: int, depth: int = MAX_INNER) -> bytes:
        """Return a text that stands at a byte, with the macros in it replaced by what they stand for there."""

        def replaced(match: re.Match[bytes]) -> bytes:
            name, arguments = match.groups()
            given = b"" if arguments is None else b"(%b)" % self.expanded(arguments, place, depth)
            if name not in self._texts:
                return name + given
            # Of several definitions, the last one before the place counts.
            before = [macro for macro in self._texts[name] if macro[0] < place]
            _, parameters, made = before[-1] if before else self._texts[name][0]
            if parameters is None:
                return self.expanded(expanded(b"", made, b""), place, depth - 1) + given
            return (
                name if arguments is None else self.expanded(expanded(parameters, made, given[1:-1]), place, depth - 1)
            )

        return _WORD_OR_CALL.sub(replaced, text) if depth and len(text) < MAX_EXPANSION else text


def unread_uses(source: bytes, language_name: str, uses: Iterable[MacroUse]) -> list[tuple[int, int, int]]:
    """List the other uses of macros outside of functions, as the start, the end of the name, and the end.

    What they stand for is written in another file, so that the resolver reads it.

    Example:
        >>> unread_uses(b"RB_GENERATE(tree, node)\nint f(void);\n", "c", [])
        [(0, 11, 23)]
    """
    pattern = languages()[language_name].macro_use
    if pattern is None:
        return []
    starts = {use.start for use in uses}
    matches = islice(pattern.finditer(source), MAX_USES)
    return [(match.start(), match.end(1), match.end()) for match in matches if match.start() not in starts]


def blank_words(source: bytes, parsed: bytes) -> Iterator[tuple[int, str]]:
    """Yield the words that are blank in the text for the parser, each with its first byte: most are macros.

    Example:
        >>> [*blank_words(b"API int run(void) {}", b"    int run(void) {}")]
        [(0, 'API')]
    """
    start = 0
    for line in source.splitlines(keepends=True) if source != parsed else ():
        end = start + len(line)
        if parsed[start:end] != line:
            for word in _LONE_WORD.finditer(source, start, end):
                if word[1] and parsed[word.start() : word.end()].isspace():
                    yield word.start(), word[1].decode()
        start = end


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


def expanded(parameters: bytes, text: bytes, arguments: bytes) -> bytes:
    """Return the text of a macro with the arguments of a use for its parameters. Both are texts with commas in between."""
    values = dict(zip(re.findall(rb"\w+", parameters), map(bytes.strip, _COMMA.split(arguments)), strict=False))
    text = text.replace(b"\\\n", b" \n")
    if values:
        # `#name` is a text. `name##_run` is a part of a word.
        names = b"|".join(map(re.escape, values))
        text = re.sub(rb"\0?\b(%b)\b" % names, lambda match: _value(match, values), _TEXT_OF.sub(b"\0", text))
    return _PASTE.sub(b"", text)


def _value(match: re.Match[bytes], values: Mapping[bytes, bytes]) -> bytes:
    """Return the argument for a matched parameter, or an empty text in quotes for one behind `#`."""
    return b'""' if match[0].startswith(b"\0") else values[match[1]]


def pasted_names(
    source: bytes, start: int, end: int, params: Sequence[tree_sitter.Node]
) -> Iterator[tuple[int, str, str]]:
    """Yield the names that the text of a macro pastes together with its arguments: byte offset, use and name.

    The use is `makes` where the text defines a function, and `expands` where it calls one. A name keeps the position of the
    argument: `LOG_{0}`.
    """
    parameters = [source[node.start_byte : node.end_byte] for node in params]
    for paste in _PASTED.finditer(source, start, end) if parameters and source.find(b"##", start, end) >= 0 else ():
        parts = [f"{{{parameters.index(part)}}}" if part in parameters else part.decode() for part in paste.groups()]
        if not any(part in parameters for part in paste.groups()):
            continue
        if MADE.match(source, paste.end(), end):
            yield paste.start(1), "makes", "".join(parts)
        elif paste[2] in parameters or not _DECLARED.search(source, start, paste.start(1)):
            yield paste.start(1), "expands", "".join(parts)
