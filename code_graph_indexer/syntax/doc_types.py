"""Read the types that comments declare: `@param Cart $cart`, `@return {Cart}`, `@var Cart[]`."""

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

_LAST_WORD = re.compile(rb"\w+\Z")

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
        if b"@" not in source[start:end]:
            continue
        text = source[start:end].decode("utf-8", "replace")
        for pattern in language.doc_types:
            for match in re.finditer(pattern, text):
                groups = match.groupdict("")
                types = groups.get("type", ""), groups.get("result", "")
                group = "type" if types[0] else "result"
                at = start + len(text[: match.start(group)].encode()) if any(types) else start
                entries.append((start, end, groups.get("name", ""), *types, at))
    return entries


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

    A comment is about the definition below it, or else about a variable of the function around it. What the code itself
    declares goes first, unless it is one of `vague_types`. `scopes` has the definition around each entry.
    """
    starts = [definition.start for definition in definitions]
    # A parameter comes before all variables of its name.
    first = {(binding.scope, binding.name): place for place, binding in reversed([*enumerate(bindings)])}
    by_start = sorted((binding.start, place) for place, binding in enumerate(bindings) if binding.name)
    typed = list(bindings)
    vague_types = vague_types | {""}

    def declare(place: int, type_name: str) -> None:
        if typed[place].type_name.lstrip("?") in vague_types:
            typed[place] = typed[place]._replace(type_name=type_name)

    def declare_near(name: str, type_name: str, start: int, end: int, scope: int) -> None:
        """Declare the type of a variable below a comment in a function."""
        following = bisect_left(by_start, (end, 0))
        near = by_start[following : following + MAX_NEAR]
        if name:
            # The statement below may bind the variable: `foreach ($carts as $cart)`.
            places = [place for bound, place in near if bindings[place].name == name and _is_next(source, end, bound)]
            if places:
                declare(places[0], type_name)
            typed.append(Binding(name, "", type_name, "", start, scope))
        elif near and _BEFORE_NAME.fullmatch(source[end : near[0][0]]):
            declare(near[0][1], type_name)

    for (start, end, name, type_name, result, _), scope in zip(entries, scopes, strict=True):
        position = bisect_left(starts, end)
        below = definitions[position] if position < len(definitions) else None
        if below is None or below.lead > start:
            if type_name and scope >= 0:
                declare_near(name, type_name, start, end, scope)
            continue
        is_vague = below.type_name.lstrip("?") in vague_types
        if below.kind in FUNCTION_KINDS:
            if result and is_vague:
                definitions[position] = below._replace(type_name=result)
            elif type_name and (position, name) in first:
                declare(first[position, name], type_name)
        elif type_name and not name:
            if is_vague and below.type_name.lstrip("?"):
                definitions[position] = below._replace(type_name=type_name)
            else:
                typed.append(Binding(below.name, "", type_name, "", below.name_start, position))
    return tuple(typed)


def _is_next(source: bytes, end: int, bound: int) -> bool:
    """Say whether a name that begins at `bound` stands in the statement right after a comment that ends at `end`."""
    return _ONE_STATEMENT.fullmatch(source, end, bound) is not None
