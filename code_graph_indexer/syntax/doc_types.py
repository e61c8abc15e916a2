"""Read the types that comments declare: `@param Cart $cart`, `@return {Cart}`, `@var Cart[]`, `# type: Cart`."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set

from code_graph_indexer.languages import Language
from code_graph_indexer.syntax.captured import dotted_name
from code_graph_indexer.syntax.records import FUNCTION_KINDS, Binding, Definition

_BEFORE_NAME = re.compile(rb"[\s*/]*(?:\w+\s+)?(?:\$?\w+(?:\.|->))?")
"""Pattern of what may stand between a comment and the variable that it declares: `const `, `this.`."""

_ONE_STATEMENT = re.compile(rb"[^;{}]{0,200}")
"""Pattern of what stands between a comment and a name in the statement below."""

MAX_NEAR = 4
"""Most names behind a comment among which its variable is looked for."""

_TYPE_NAME = re.compile(rb"(?:[^\W\d]\w*(?:\.|::|\\))*[^\W\d]\w*")
"""Pattern of a name in the text of a type, with the modules before it."""

_HEAD = re.compile(rb":\s*\Z")
"""Pattern of the end of a function's head, before a comment about the function."""

MAX_HEAD = 80
"""Most bytes between the head of a function and a comment about it."""

_MARK = re.compile(rb"@|#\s*type:")
"""Pattern of what each comment with a type has."""

_LAST_WORD = re.compile(rb"\w+\Z")

VARIABLE = "variable"
"""The group of a pattern that finds a type variable. Its bound is in the group `bound`."""

TypeText = tuple[int, bytes]
"""The first byte of the text of a type, and the text."""

DocType = tuple[int, int, str, str, str, int]
"""Start and end of a comment, the name, the type and the type of the result that it declares, and the type's first byte.

Each of the texts may be empty.
"""


def doc_types(source: bytes, comments: Sequence[tuple[int, int]], language: Language) -> list[DocType]:
    """List the types that the comments of a file declare, in the order of the text."""
    entries: list[DocType] = []
    for start, end in sorted(set(comments)) if language.doc_types else ():
        if not _MARK.search(source, start, end):
            continue
        text = source[start:end].decode("utf-8", "replace")
        for pattern in language.doc_types:
            for match in re.finditer(pattern, text):
                groups = match.groupdict("")
                if VARIABLE in groups:
                    continue
                types = groups.get("type", ""), groups.get("result", "")
                group = "type" if types[0] else "result"
                at = start + len(text[: match.start(group)].encode()) if any(types) else start
                entries.append((start, end, groups.get("name", ""), *types, at))
    return entries


def doc_variables(
    source: bytes, comments: Sequence[tuple[int, int]], language: Language, definitions: Sequence[Definition]
) -> tuple[tuple[str, str], ...]:
    """Pair the dotted name of each type variable that a comment above a definition declares, `Box.T`, with its bound."""
    patterns = [pattern for pattern in map(re.compile, language.doc_types) if VARIABLE in pattern.groupindex]
    starts = [definition.start for definition in definitions] if patterns else []
    variables: dict[str, str] = {}
    for start, end in sorted(set(comments)) if patterns else ():
        position = bisect_left(starts, end)
        if position < len(definitions) and definitions[position].lead <= start:
            text = source[start:end].decode("utf-8", "replace")
            for match in (match for pattern in patterns for match in pattern.finditer(text)):
                variables[f"{definitions[position].path_name}.{match[VARIABLE]}"] = match.groupdict().get("bound") or ""
    return tuple(variables.items())


def names_in_types(texts: Iterable[TypeText]) -> Iterator[tuple[int, str, str]]:
    """Yield the names in texts of types: the first byte, the name and the modules before it, joined by dots.

    Example:
        >>> list(names_in_types([(10, b"list[shop.Cart]")]))
        [(10, 'list', ''), (20, 'Cart', 'shop')]
    """
    for start, text in texts:
        for match in _TYPE_NAME.finditer(text):
            name = _LAST_WORD.search(match[0])
            if name is not None:
                yield (
                    start + match.start() + name.start(),
                    name[0].decode(),
                    dotted_name(match[0][: name.start()].decode()),
                )


def with_doc_types(
    source: bytes,
    entries: Sequence[DocType],
    scopes: Sequence[int],
    definitions: list[Definition],
    bindings: tuple[Binding, ...],
    vague_types: Set[str],
) -> tuple[Binding, ...]:
    """Return the bindings with the types that comments declare. Results go into `definitions`.

    A comment is about the definition below it, or else about a variable of the function around it. At the end of a line it
    is about what this line defines or binds, or about the function whose head ends there. What the code itself declares goes
    first, unless it is one of `vague_types`. `scopes` has the definition around each entry.
    """
    declarations = _Declarations(source, definitions, bindings, vague_types)
    starts = [definition.start for definition in definitions]
    for entry, scope in zip(entries, scopes, strict=True):
        start, end, name, type_name, result, _ = entry
        line = _line_of_code(source, start, end)
        position = bisect_left(starts, end if line is None else line)
        if result and scope >= 0 and _HEAD.search(source, max(0, start - MAX_HEAD), start):
            declarations.declare_definition(scope, name, type_name, result)
        elif line is not None and bisect_left(starts, start) == position:
            declarations.declare_in_line(line, start, type_name)
        elif position < len(definitions) and definitions[position].lead <= start:
            declarations.declare_definition(position, name, type_name, result)
        elif type_name and scope >= 0:
            declarations.declare_near(name, type_name, start, end, scope)
    return tuple(declarations.bindings)


class _Declarations:
    """Definitions and bindings of a file, which get the types that comments declare."""

    def __init__(
        self, source: bytes, definitions: list[Definition], bindings: Sequence[Binding], vague_types: Set[str]
    ) -> None:
        self.bindings = list(bindings)
        self._source, self._definitions = source, definitions
        self._vague_types = vague_types | {""}
        # A parameter comes before all variables of its name.
        self._first = {(binding.scope, binding.name): place for place, binding in reversed([*enumerate(bindings)])}
        self._by_start = sorted((binding.start, place) for place, binding in enumerate(bindings) if binding.name)

    def declare_definition(self, position: int, name: str, type_name: str, result: str) -> None:
        """Declare the type of a definition, of its result or of the parameter `name`."""
        definition = self._definitions[position]
        is_vague = definition.type_name.lstrip("?") in self._vague_types
        if definition.kind in FUNCTION_KINDS:
            if result and is_vague:
                self._definitions[position] = definition._replace(type_name=result)
            elif type_name and (position, name) in self._first:
                self._declare(self._first[position, name], type_name)
        elif type_name and not name:
            if is_vague and definition.type_name.lstrip("?"):
                self._definitions[position] = definition._replace(type_name=type_name)
            else:
                self.bindings.append(Binding(definition.name, "", type_name, "", definition.name_start, position))

    def declare_in_line(self, line: int, start: int, type_name: str) -> None:
        """Declare the type of the first variable that the line before a comment binds."""
        bound = bisect_left(self._by_start, (line, 0))
        if bound < len(self._by_start) and self._by_start[bound][0] < start:
            self._declare(self._by_start[bound][1], type_name)

    def declare_near(self, name: str, type_name: str, start: int, end: int, scope: int) -> None:
        """Declare the type of a variable below a comment in a function."""
        following = bisect_left(self._by_start, (end, 0))
        near = self._by_start[following : following + MAX_NEAR]
        if name:
            # The statement below may bind the variable: `foreach ($carts as $cart)`.
            places = [
                place
                for bound, place in near
                if self.bindings[place].name == name and _is_next(self._source, end, bound)
            ]
            if places:
                self._declare(places[0], type_name)
            self.bindings.append(Binding(name, "", type_name, "", start, scope))
        elif near and _BEFORE_NAME.fullmatch(self._source[end : near[0][0]]):
            self._declare(near[0][1], type_name)

    def _declare(self, place: int, type_name: str) -> None:
        if self.bindings[place].type_name.lstrip("?") in self._vague_types:
            self.bindings[place] = self.bindings[place]._replace(type_name=type_name)


def _is_next(source: bytes, end: int, bound: int) -> bool:
    """Say whether a name that begins at `bound` stands in the statement right after a comment that ends at `end`."""
    return _ONE_STATEMENT.fullmatch(source, end, bound) is not None


def _line_of_code(source: bytes, start: int, end: int) -> int | None:
    """Return the first byte of the line that a comment ends, if there is code before the comment. None for any other."""
    line = source.rfind(b"\n", 0, start) + 1
    is_last = source[end : end + 1] in (b"", b"\n", b"\r")
    is_behind = is_last and source[start : start + 1] == b"#" and source[line:start].strip()
    return line if is_behind else None
