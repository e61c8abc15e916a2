"""Parse a file with its grammar and read definitions, references, imports and bindings from one query."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from pathlib import PurePosixPath

import tree_sitter

from code_graph_indexer.languages import (
    Language,
    blank_patterns,
    languages,
    load_definition_query,
    load_parser,
    load_query,
)
from code_graph_indexer.syntax import records
from code_graph_indexer.syntax.captures import ANONYMOUS, CaptureReader, RawDefinition, dotted_name
from code_graph_indexer.syntax.comments import Comments, clean_doc
from code_graph_indexer.syntax.conditionals import broken_bytes, first_branches
from code_graph_indexer.syntax.expressions import head_of
from code_graph_indexer.syntax.parameters import ANY, Parameters, read_parameters
from code_graph_indexer.syntax.records import (
    FUNCTION_KINDS,
    Argument,
    Binding,
    Definition,
    Import,
    Reference,
    Syntax,
    as_records,
)

CLASS_KINDS = records.CLASS_KINDS | {"scope"}
"""Kinds whose functions are methods."""


SIGNATURE_LIMIT = 400
"""Characters kept of a signature: enough for a long parameter list, too few for a table of defaults."""

MAX_NESTING = 50
"""Definitions inside each other; deeper ones, which no person writes, are text of the one around them."""

DOC_LIMIT = 4_000
"""Characters kept of a doc; the whole text stays in the chunk."""


def module_name(path: str, language: Language, declared: str) -> str:
    """Name the module of a file: what it declares, or the dotted path under the source root."""
    if declared or language.modules not in ("path", "folder", "stem"):
        return declared
    pure = PurePosixPath(path)
    parts = list(pure.parts[:-1])
    if parts and parts[0] in language.roots:
        del parts[0]
    stem = pure.name.split(".")[0]
    if language.modules in ("path", "stem") and stem not in language.index:
        parts.append(stem)
    return ".".join(parts)


def parse(path: str, source: bytes, language_name: str, *, definitions_only: bool = False) -> Syntax:
    """Read the syntax of one file, or only its definitions; broken code yields what its tree still holds.

    Raises GrammarError when the grammar or its query cannot be loaded.
    """
    language = languages()[language_name]
    query = load_definition_query(language_name) if definitions_only else load_query(language_name)
    # Lines that are no part of the language (a preprocessor's) become blanks; every byte keeps its place.
    parsed = source
    for pattern in blank_patterns(language_name):
        parsed = pattern.sub(_blanks, parsed)
    tree = load_parser(language_name).parse(parsed)
    reader = CaptureReader(source, language)
    reader.read(tree_sitter.QueryCursor(query).matches(tree.root_node))
    if language.conditionals and tree.root_node.has_error:
        parsed = first_branches(parsed)
        whole = load_parser(language_name).parse(parsed)
        if broken_bytes(whole) < broken_bytes(tree):
            every, reader = reader, CaptureReader(source, language)
            reader.read(tree_sitter.QueryCursor(query).matches(whole.root_node))
            reader.add(every, parsed)
    return _assemble(path, reader, tree.root_node.has_error)


def _blanks(match: re.Match[bytes]) -> bytes:
    """Blank what a match captured, or all of it when it captures nothing; line ends stay."""
    group = match.lastindex or 0
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    blanked = bytes(byte if byte == ord("\n") else ord(" ") for byte in match[group])
    return match[0][:start] + blanked + match[0][end:]


def _assemble(path: str, reader: CaptureReader, broken: bool) -> Syntax:
    source = reader.source
    comments = Comments(source, reader.comments)
    raws = _without_the_deepest(
        sorted(reader.definitions.values(), key=lambda raw: (raw.start, -raw.end, raw.order, raw.name_start))
    )
    docs = sorted(reader.docs)
    definitions: list[Definition] = []
    stack: list[tuple[int, int]] = []
    scopes = _Scopes(raws)
    doc_owner = scopes.around(start for start, _ in docs)
    doc_of = {owner: docs[i] for i, owner in reversed(list(enumerate(doc_owner)))}
    unnamed: Counter[int] = Counter()
    for position, raw in enumerate(raws):
        while stack and stack[-1][0] < raw.end:
            stack.pop()
        parent = stack[-1][1] if stack else -1
        kind = raw.kind
        if kind == "field" and parent >= 0 and definitions[parent].kind == "method":
            # A constructor's parameter that declares a field.
            parent = definitions[parent].parent
        if kind == "function" and (raw.owner or (parent >= 0 and definitions[parent].kind in CLASS_KINDS)):
            kind = "method"
        if raw.name == ANONYMOUS:
            unnamed[parent] += 1
            raw = raw._replace(name=f"<anon:{unnamed[parent]}>" if unnamed[parent] > 1 else ANONYMOUS)
        names = [definitions[parent].path_name] if parent >= 0 else []
        names += [part for part in (raw.owner, raw.name) if part]
        above = comments.above(raw.start)
        parameters = _parameters(source, raw, reader.language)
        definitions.append(
            Definition(
                kind=kind,
                name=raw.name.rpartition(reader.language.separator)[2] if kind != "scope" else raw.name,
                path_name=reader.language.separator.join(names),
                start=raw.start,
                end=raw.end,
                lead=above[0] if above else raw.start,
                name_start=raw.name_start,
                signature=_signature(source, raw),
                doc=_doc(source, doc_of.get(position) or above),
                parent=parent,
                owner=raw.owner,
                type_name=" ".join(raw.type_name.lstrip(":-> ").split())[:SIGNATURE_LIMIT],
                has_body=raw.body_start < raw.end,
                fewest=parameters.fewest,
                most=parameters.most,
                types=parameters.types,
            )
        )
        stack.append((raw.end, position))
    for place, base in reader.bases.items():
        reader.references.setdefault(place, ("inherits", dotted_name(base), ""))
    starts = list(reader.references)
    binding_keys = list(reader.bindings)
    import_starts = list(reader.imports.values())
    reference_scopes = scopes.around(starts)
    binding_scopes = scopes.around(start for start, _, _ in binding_keys)
    import_scopes = scopes.around(import_starts)
    own = {raw.name_start for raw in raws if raw.name != ANONYMOUS}
    bound = (
        (name, owner, type_name, value, start, scope, *part, is_param)
        for (start, _, _), (name, owner, type_name, value, part, is_param), scope in zip(
            binding_keys, reader.bindings.values(), binding_scopes, strict=True
        )
    )
    bindings = tuple(as_records(Binding, bound))
    local = _in_sight(definitions, [one for one in bindings if one.start not in own])
    selves = reader.language.self_names | reader.language.self_types
    used = (
        (kind, name, receiver, start, scope, *reader.given.get(start, (-1, ())))
        for (start, (kind, name, receiver)), scope, held in zip(
            reader.references.items(), reference_scopes, comments.hold(starts), strict=True
        )
        if (start not in own or kind == "constant")
        and not held
        # What a local variable holds is followed from where it is called, its name alone says nothing.
        and not (
            kind == "references"
            and scope >= 0
            and (head := receiver.partition(".")[0] or name) in local[scope]
            and head not in selves
        )
    )
    return Syntax(
        definitions=tuple(definitions),
        references=tuple(as_records(Reference, used)),
        imports=tuple(
            Import(*key, start, scope)
            for (key, start), scope in zip(reader.imports.items(), import_scopes, strict=True)
        ),
        bindings=bindings,
        arguments=_telling_arguments(
            (
                Argument(*one, start, scope)
                for (start, one), scope in zip(reader.arguments.items(), scopes.around(reader.arguments), strict=True)
            ),
            bindings,
        ),
        typevars=tuple(reader.typevars.items()),
        extensions=tuple(zip(scopes.around(reader.extended), reader.extended.values(), strict=True)),
        module=module_name(path, reader.language, reader.module),
        module_doc=_module_doc(source, docs, doc_owner, reader.comments),
        broken=broken,
    )


def _in_sight(definitions: Sequence[Definition], bindings: Iterable[Binding]) -> list[Set[str]]:
    """For each definition, name the local variables of the functions that it is or stands in."""
    own: dict[int, set[str]] = {}
    for one in bindings:
        if one.scope >= 0 and not one.owner and definitions[one.scope].kind in FUNCTION_KINDS:
            own.setdefault(one.scope, set()).add(one.name)
    found: list[Set[str]] = []
    for position, definition in enumerate(definitions):
        outer = found[definition.parent] if definition.parent >= 0 else frozenset()
        found.append(outer | own[position] if position in own else outer)
    return found


def _telling_arguments(arguments: Iterable[Argument], bindings: Iterable[Binding]) -> tuple[Argument, ...]:
    """Leave out what hangs on local variables; a parameter that is passed on as it is stays.

    What is passed is seen from other files: it must not change with every line of the function that it stands in.
    """
    local = {(one.scope, one.name) for one in bindings if one.scope >= 0 and not one.owner}
    params = {(one.scope, one.name) for one in bindings if one.is_param}
    return tuple(
        one
        for one in arguments
        if (one.scope, head_of(one.callee)) not in local
        and ((one.scope, head_of(one.value)) not in local or (one.scope, one.value) in params)
    )


def _without_the_deepest(raws: list[RawDefinition]) -> list[RawDefinition]:
    """Leave out definitions below MAX_NESTING others; their names would grow with the square of the depth."""
    ends: list[int] = []
    kept: list[RawDefinition] = []
    for raw in raws:
        while ends and ends[-1] < raw.end:
            ends.pop()
        if len(ends) < MAX_NESTING:
            ends.append(raw.end)
            kept.append(raw)
    return kept


class _Scopes:
    """Find the innermost definition around a byte; a decorator is outside what it decorates."""

    def __init__(self, raws: list[RawDefinition]) -> None:
        self._bounds = sorted({place for raw in raws for place in (raw.inner, raw.end)})
        self._owners = [-1]
        stack: list[int] = []
        place = 0
        for bound in self._bounds:
            while place < len(raws) and raws[place].start <= bound:
                while stack and raws[stack[-1]].end <= raws[place].start:
                    stack.pop()
                stack.append(place)
                place += 1
            while stack and raws[stack[-1]].end <= bound:
                stack.pop()
            self._owners.append(next((one for one in reversed(stack) if raws[one].inner <= bound < raws[one].end), -1))

    def around(self, offsets: Iterable[int]) -> list[int]:
        """For each byte offset, give the position of the innermost definition around it, or -1."""
        return [self._owners[bisect_right(self._bounds, offset)] for offset in offsets]


def _signature(source: bytes, raw: RawDefinition) -> str:
    head = source[raw.start : raw.body_start if raw.body_start > raw.start else raw.end]
    return " ".join(head.decode("utf-8", "replace").split()).rstrip(" {:=;")[:SIGNATURE_LIMIT].strip()


def _parameters(source: bytes, raw: RawDefinition, language: Language) -> Parameters:
    if raw.kind not in ("function", "method") or not language.variadic:
        return Parameters(0, ANY)
    found = read_parameters(source, raw.name_start + len(raw.name.encode()), language)
    modifiers = source[raw.inner : raw.name_start].decode("utf-8", "replace").split()
    return found if language.defaults_elsewhere.isdisjoint([*modifiers, "*"]) else found._replace(fewest=0)


def _doc(source: bytes, span: tuple[int, int] | None) -> str:
    return clean_doc(source[span[0] : span[1]].decode("utf-8", "replace"))[:DOC_LIMIT] if span else ""


def _module_doc(source: bytes, docs: list[tuple[int, int]], owners: list[int], spans: list[tuple[int, int]]) -> str:
    for span, owner in zip(docs, owners, strict=True):
        if owner == -1:
            return _doc(source, span)
    if not spans or source[: min(spans)[0]].strip():
        return ""
    first = min(spans)
    end = first[1]
    for start, stop in sorted(spans)[1:]:
        if source[end:start].strip() or source[end:start].count(b"\n") > 1:
            break
        end = stop
    return _doc(source, (first[0], end))
