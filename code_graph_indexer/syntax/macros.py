"""Read what macros make and call: `DEFINE(start)` may stand for `int start_run(void) { … }`.

Only macros of the same file are expanded, so that what is read of a file depends on its bytes alone. The resolver knows the
functions that other macros make by their names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import tree_sitter

from code_graph_indexer.languages import languages
from code_graph_indexer.syntax.captured import Captured, Match, Reader, dotted_name
from code_graph_indexer.syntax.comments import Comments
from code_graph_indexer.syntax.definitions import add_definition, captured_definitions, nested, read_definition
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.records import COUNTED, Binding

MAX_USES = 200
"""Most uses of macros in a file that are expanded."""

MAX_EXPANSION = 20_000
"""Bytes of the longest text of a macro that is expanded."""

MAX_INNER = 8
"""Most macros that are expanded one inside the other."""

MAX_MACRO_VALUE = 400
"""Bytes of the longest text of a macro that is read as an expression."""

MAX_EXPANDED = 12
"""Most functions that are read from the text of a macro. A longer text is a program of its own."""

_CALLED = rb"(?<![\w.>#:])(?<!# )(?:::)?((?:[A-Za-z_]\w{0,80}::){0,8})(%b[A-Za-z_]\w{0,80})(?=\s*\(%b)"
"""Pattern of a function or macro that the text of a macro calls.

Members (`a->b()`) and names that are pasted together (`a##b()`) are no such calls.
"""

_MACRO_CALL = re.compile(_CALLED % (b"", b""))
"""The pattern for a macro with parameters."""

_CONSTANT_CALL = re.compile(_CALLED % (rb"(?=[A-Z0-9_]{0,60}[a-z])", rb"|\s*\Z"))
"""The same for a macro without parameters, which may also be another name of a function, as in `#define read uv_read`.

Most such macros are constants. Those are made of macros in capitals, which are left out.
"""

_MEMBER_CALL = re.compile(
    rb"\s*\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)[\s\\]*+(?:\.|->)[\s\\]*+([A-Za-z_]\w{0,80})(?=\s*\()"
)
"""Pattern of what follows the name of a called function, if a member of its result is called: `(1).run(` in `make(1).run()`."""

_COUNTING = re.compile(rb"(?<!\w)[A-Za-z_]\w{0,80}\(([^()]{0,4000})\)[\s\\]*\(")
"""Pattern of a macro whose result is called, which counts arguments: `CHOOSE(__VA_ARGS__, STEP_2, STEP_1)(__VA_ARGS__)`."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_LONE_WORD = re.compile(rb"/\*(?:[^*]++|\*(?!/))*+\*/|//[^\n]*+|(?<![.>\w])([A-Za-z_]\w*)")
"""Pattern of a word that is no member, or a comment."""

_PASTE = re.compile(rb"\s*##\s*")
_DEFINITION = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([\w\s,]*)\)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MACRO = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([\w\s,]*)\))?((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
"""Pattern of the definition of any macro: its name, its parameters and its text."""

_ENUM = re.compile(rb"\benum\b[ \t\w:]*+\s*+\{[^{}]*+\}")
_COMMENT = re.compile(rb"/\*(?:[^*]++|\*(?!/))*+\*/")
_FUNCTION_HEAD = re.compile(rb"\)[\s\\]*\{")
_ARGUMENTS = rb"(?:[^(){};]|\([^(){};]{0,200}\)){0,1000}"
_CALL = re.compile(rb"\s*\((%b)\)" % _ARGUMENTS)
_MEMBER = re.compile(
    rb"(?:^|[{;])[ \t]*+([A-Za-z_]\w*+)(?:\((%b)\))?[ \t]*+(?=[;}\r\n]|/[*/])" % _ARGUMENTS, re.MULTILINE
)
"""Pattern of a macro, with or without arguments, where a member of a type may stand."""

_WORD_OR_CALL = re.compile(rb"(?<![\w\"'])([A-Za-z_]\w*+)(?:[ \t]*+\((%b)\))?" % _ARGUMENTS)
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


def member_uses(source: bytes, types: Iterable[Span]) -> list[MacroUse]:
    """List the uses of macros that make members: of enums, and of the types at these bytes. `text` is a whole type.

    Example:
        >>> source = b"#define CODES(X) X(ONE) X(TWO)\nenum {\n#define X(name) CODE_##name,\nCODES(X)\n};"
        >>> [use.text.split() for use in member_uses(source, [])]
        [[b'enum', b'_', b'{', b'CODE_ONE,', b'CODE_TWO,', b'};']]
    """
    if not _DEFINED.search(source):
        return []
    places: dict[int, tuple[bytes, re.Match[bytes]]] = {}
    for head, spans in ((b"enum", (match.span() for match in _ENUM.finditer(source))), (b"struct", types)):
        for start, end in spans:
            for member in _MEMBER.finditer(source, start, end):
                places.setdefault(member.start(1), (head, member))
    if not places or {member[1] for _, member in places.values()}.isdisjoint(_DEFINED.findall(source)):
        return []
    macros = _Macros(source)
    uses = (
        MacroUse(start, member.end(), b"%b _ {%b\n};" % (head, macros.expanded(member[0].strip(b"{; \t"), start)))
        for start, (head, member) in islice(sorted(places.items()), MAX_USES)
        if macros.has(member[1])
    )
    return [use for use in uses if len(use.text) < MAX_EXPANSION]


class _Macros:
    """The macros of a file, each with the texts that it stands for from some byte on."""

    def __init__(self, source: bytes) -> None:
        self._texts: dict[bytes, list[tuple[int, bytes | None, bytes]]] = {}
        for macro in _MACRO.finditer(source):
            text = _COMMENT.sub(b"", macro[3]).partition(b"//")[0]
            self._texts.setdefault(macro[1], []).append((macro.start(), macro[2], text))

    def has(self, name: bytes) -> bool:
        """Say whether the file defines a macro."""
        return name in self._texts

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
                return self.expanded(_expanded(b"", made, b""), place, depth - 1) + given
            return (
                name if arguments is None else self.expanded(_expanded(parameters, made, given[1:-1]), place, depth - 1)
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


def _expanded(parameters: bytes, text: bytes, arguments: bytes) -> bytes:
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
    for paste in _PASTED.finditer(source, start, end) if parameters else ():
        parts = [f"{{{parameters.index(part)}}}" if part in parameters else part.decode() for part in paste.groups()]
        if not any(part in parameters for part in paste.groups()):
            continue
        if _MADE.match(source, paste.end(), end):
            yield paste.start(1), "makes", "".join(parts)
        elif paste[2] in parameters or not _DECLARED.search(source, start, paste.start(1)):
            yield paste.start(1), "expands", "".join(parts)


def _read_macro(file: Captured, match: Match) -> None:
    """Read a macro, and each function that its text calls. A constant whose text calls a function is a macro.

    The text is what a use of the macro expands to, and no part of the tree.
    """
    captures, (start, end) = match.captures, match.nodes[0].byte_range
    params = captures["params"][0].named_children if "params" in captures else []
    calls = _read_expansions(file, start, end, params, is_constant="params" not in captures)
    makes = False
    for place, use, name in pasted_names(file.source, start, end, params):
        file.references.setdefault(place, (use, name, ""))
        makes |= use == "makes"
    capture = next(name for name in captures if name.startswith("definition."))
    definition = match._replace(name="definition.macro" if calls or makes else capture, nodes=captures[capture])
    read_definition(file, definition)


def _read_expansions(
    file: Captured, start: int, end: int, params: Sequence[tree_sitter.Node], *, is_constant: bool
) -> bool:
    """Record what a macro's text calls as references, and say whether it calls anything. A constant has no parameters."""
    matches = (_CONSTANT_CALL if is_constant else _MACRO_CALL).finditer(file.source, start, end)
    # `extern` in `#define API extern` is no function.
    calls = [call for call in islice(matches, MAX_EXPANDED) if file.texts[call[2]] not in file.language.reserved]
    names = [file.source[node.start_byte : node.end_byte] for node in params]
    for call in calls:
        if call[2] in names:
            # An argument that is called, as in `#define CALL(f) f(1)`, or the name of a function that the text makes.
            use = "makes" if _MADE.match(file.source, call.end(), end) else "expands"
            file.references.setdefault(call.start(2), (use, f"{{{names.index(call[2])}}}", ""))
        else:
            _read_expansion(file, call, end)
    if calls:
        _read_value(file, start, end)
    for counting in _COUNTING.finditer(file.source, start, end) if calls and not is_constant else ():
        words = [word for word in _WORD.findall(counting[1]) if word not in (b"__VA_ARGS__", *names)]
        file.references.setdefault(counting.start(1), ("expands", COUNTED + file.texts[b" ".join(words)], ""))
    return bool(calls)


def _read_expansion(file: Captured, call: re.Match[bytes], end: int) -> None:
    """Read a function that the text of a macro calls, and the member of its result that the text calls."""
    # As in code, only the innermost namespace is the receiver.
    receiver, name = dotted_name(file.texts[call[1]]).rpartition(".")[2], file.texts[call[2]]
    file.references.setdefault(call.start(2), ("expands", name, receiver))
    if member := _MEMBER_CALL.match(file.source, call.end(), end):
        made = f"{receiver}.{name}()" if receiver else f"{name}()"
        file.references.setdefault(member.start(1), ("expands", file.texts[member[1]], made))


def _read_value(file: Captured, start: int, end: int) -> None:
    """Read the value of a macro whose text is one expression, as the result of a function."""
    text = file.source[start:end].replace(b"\\\n", b" ").strip()
    if len(text) < MAX_MACRO_VALUE and b";" not in text and (value := file.expressions.of_text(text)):
        file.bindings[start, "result", 0] = Binding("", "", "", value, start, -1)


def _read_end(file: Captured, match: Match) -> None:
    """Read where a macro ends: `#undef read`."""
    for node in match.nodes:
        file.references[node.start_byte] = "undefines", file.text(node).strip(), ""


MACRO_READERS: dict[str, Reader] = {"expands": _read_macro, "undefines": _read_end}


def add_made(file: Captured, use: MacroUse, made: Captured) -> None:
    """Add the functions that a use of a macro stands for. `made` is what was captured in the text that the use stands for.

    Each function gets its share of the bytes of the use, and its calls get a byte each of that share.
    """
    functions = sorted(
        (order, definition)
        for order, definition in made.definitions.values()
        if definition.kind == "function" and definition.has_body
    )
    for number, (order, function) in enumerate(functions):
        share = (use.end - use.start) // len(functions)
        start = use.start + number * share
        end = use.end if number == len(functions) - 1 else start + share
        placed = function._replace(start=start, end=end, lead=start, inner=start, name_start=start)
        file.definitions[start, end, function.name] = order, placed
        calls = [
            reference
            for offset, reference in made.references.items()
            if function.start <= offset < function.end and reference[0] == "calls" and reference[1] != function.name
        ]
        # The first byte is that of the name.
        file.references.update(zip(range(start + 1, end), calls, strict=False))


def add_members(file: Captured, use: MacroUse, made: Captured) -> None:
    """Add the members that a use of a macro stands for. `made` is what was captured in the text that the use stands for.

    All stand at the use, behind its first byte, which is that of the name of the macro.
    """
    place = use.start + 1
    # The grammar may take the name of the macro for a member.
    for key in [key for key, (_, definition) in file.definitions.items() if definition.name_start == use.start]:
        del file.definitions[key]
    comments = Comments(made.source, [])
    members = nested(made, captured_definitions(made, comments), comments, {})
    for member in members[1:]:
        # The first definition is the type around the members.
        path = member.path_name.removeprefix(members[0].path_name + file.language.separator)
        placed = member._replace(path_name=path, start=use.start, end=use.end, lead=use.start, inner=use.start)
        file.members.append(placed._replace(name_start=place, doc=""))


def add_use(file: Captured, start: int, name_end: int, end: int) -> None:
    """Add a use of a macro outside of functions, which is blank in the tree, and its arguments that are names.

    It is a definition, which stands for the functions that the text of the macro makes there.
    """
    arguments = macro_arguments(file.source, name_end)
    macro = file.texts[file.source[start:name_end]]
    file.references[start] = "calls", macro, ""
    file.given[start] = (-1, arguments)
    if any(map(str.isidentifier, arguments)):
        words = ", ".join(argument if argument.isidentifier() else "_" for argument in arguments)
        add_definition(file, "function", f"{macro}({words})", (start, end), name_start=name_end)
    for argument in _WORD.finditer(file.source, name_end, end):
        name = file.texts[argument[0]]
        if name in arguments:
            file.references.setdefault(argument.start(), ("references", name, ""))
