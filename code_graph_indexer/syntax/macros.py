"""Read what macros make and call: `DEFINE(start)` may stand for `int start_run(void) { … }`.

Only macros of the same file are expanded, so that what is read of a file depends on its bytes alone. The resolver knows the
functions that other macros make by their names.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

import tree_sitter

from code_graph_indexer.syntax.captured import Captured, Match, Reader, dotted_name
from code_graph_indexer.syntax.comments import Comments
from code_graph_indexer.syntax.definitions import add_definition, read_definition
from code_graph_indexer.syntax.innermost import Span
from code_graph_indexer.syntax.macro_text import MADE, MacroUse, expanded, lone_macros, macro_arguments, pasted_names
from code_graph_indexer.syntax.nesting import captured_definitions, nested
from code_graph_indexer.syntax.records import COUNTED, FUNCTION_KINDS, Binding

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

_CAST = re.compile(rb"\w\s*\*+\s*\)")
"""Pattern of the end of a cast to a pointer, in `((struct shop *)(argument))`."""

_PLACE, _PLACES = b"argument__%d__", re.compile(r"argument__(\d+)__")
"""What stands for a parameter while the text of a macro is read."""

_WORD = re.compile(rb"[A-Za-z_]\w*")


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
            use = "makes" if MADE.match(file.source, call.end(), end) else "expands"
            file.references.setdefault(call.start(2), (use, f"{{{names.index(call[2])}}}", ""))
        else:
            _read_expansion(file, call, end)
    if calls or _CAST.search(file.source, start, end):
        _read_value(file, start, end, names)
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


def _read_value(file: Captured, start: int, end: int, params: Sequence[bytes]) -> None:
    """Read the value of a macro whose text is one expression, as the result of a function.

    A parameter is written by its place: `<struct shop{0} *>` in `#define SHOP(kind, at) ((struct shop##kind *)(at))`.
    """
    text = file.source[start:end]
    if len(text) >= MAX_MACRO_VALUE or b";" in text:
        return
    places = (_PLACE % place for place in range(len(params)))
    value = file.expressions.of_text(expanded(b",".join(params), text, b",".join(places)).strip())
    if value:
        value = _PLACES.sub(r"{\1}", value)
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

    Each stands where the use names it, or else behind the first byte of the use, which is that of the name of the macro.
    """
    # The grammar may take the name of the macro, or one of its arguments, for a member.
    for key in [key for key, (_, member) in file.definitions.items() if use.start <= member.name_start < use.end]:
        del file.definitions[key]
    places = {word[0].decode(): word.start() for word in _WORD.finditer(file.source, use.start + 1, use.end)}
    comments = Comments(made.source, [])
    members = nested(made, captured_definitions(made, comments), comments, {})
    for member in members[1:]:
        # The first definition is the type around the members.
        path = member.path_name.removeprefix(members[0].path_name + file.language.separator)
        placed = member._replace(path_name=path, start=use.start, end=use.end, lead=use.start, inner=use.start)
        file.members.append(placed._replace(name_start=places.get(member.name, use.start + 1), doc=""))


def add_fields(file: Captured, made: Captured, spans: Iterable[Span]) -> set[bytes]:
    """Add the fields that the texts of macros declare at these bytes, and return the names of the macros.

    `made` is what was captured where the texts are structs. A field is a member of its macro, a base of what names the macro.
    """
    macros: set[bytes] = set()
    names = {node.start_byte: node for node in made.names.nodes}
    for start, end in spans:
        fields = {key: pair for key, pair in made.definitions.items() if start <= key[0] < end}
        macro = next(
            (key for key, (_, macro) in file.definitions.items() if macro.inner < start <= key[1] >= end), None
        )
        # The text of another macro may declare variables of a function, and call something.
        is_list = all(field.kind not in FUNCTION_KINDS for _, field in fields.values())
        if fields and macro is not None and is_list:
            order, definition = file.definitions[macro]
            file.definitions[macro] = order, definition._replace(kind="macro")
            file.definitions |= fields
            add_bases(file, start, end)
            file.names.add(made.names, [node for byte, node in names.items() if start <= byte < end])
            macros.add(definition.name.encode())
    return macros


def add_bases(file: Captured, start: int, end: int) -> None:
    """Add the macros that stand alone where fields do: whoever names one has its fields, as those of a base."""
    for first, name_end, last in lone_macros(file.source, start, end):
        if name_end == last:
            # The first byte is that of the name as a use.
            file.references.setdefault(first + 1, ("requires", file.texts[file.source[first:name_end]], ""))


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
