"""Parse a file with its grammar, and read definitions, references, imports and bindings with one query."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import tree_sitter

from code_graph_indexer.languages import (
    Language,
    blank_patterns,
    languages,
    load_definition_query,
    load_parser,
    load_query,
    parsing_language,
)
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.bodies import bodies, names_in, without_bodies
from code_graph_indexer.syntax.branches import branches
from code_graph_indexer.syntax.captures import ANONYMOUS, CaptureReader, dotted_name
from code_graph_indexer.syntax.chains import without_chains
from code_graph_indexer.syntax.comments import Comments, clean_doc
from code_graph_indexer.syntax.doc_types import doc_types, with_doc_types
from code_graph_indexer.syntax.embedded import scripts_of, template_uses
from code_graph_indexer.syntax.expressions import READ, head_of
from code_graph_indexer.syntax.imports import from_top
from code_graph_indexer.syntax.limits import parse_text, query_matches
from code_graph_indexer.syntax.macros import macro_uses, unread_uses
from code_graph_indexer.syntax.records import (
    CLASS_LIKE_KINDS,
    FUNCTION_KINDS,
    TABLE_ENTRY,
    Argument,
    Arm,
    Binding,
    Definition,
    Import,
    Reference,
    Syntax,
    as_records,
    function_around,
)
from code_graph_indexer.syntax.recover import blanked, indentation, read_tree, recover
from code_graph_indexer.syntax.registrations import read_registrations
from code_graph_indexer.syntax.tidy import tidy_names, tidy_references

MAX_NESTING = 50
"""The deepest nesting of definitions.

A deeper definition, which no person writes, is only text of the definition around it.
"""

_CODE_KINDS = frozenset({"function", "method"})

BEGINNING = 80
"""Most bytes of a statement that tell whether it chooses between functions."""

DOC_LIMIT = 4_000
"""Most characters of a doc. The chunk keeps the whole text."""


def module_name(path: str, language: Language, declared: str) -> str:
    """Return the name of a file's module: the name it declares, or its dotted path without the source root.

    The name is empty for a language whose files have no module, unless the file declares one.
    """
    if declared or language.modules not in ("path", "folder", "stem"):
        return as_name(declared)
    pure = PurePosixPath(path)
    parts = list(pure.parts[:-1])
    if parts and parts[0] in language.roots:
        del parts[0]
    # A name may have several endings: `cart.test.py` is the module `cart`.
    stem = pure.name.split(".")[0]
    if language.modules in ("path", "stem") and stem not in language.index:
        parts.append(stem)
    return as_name(".".join(parts))


def parse(path: str, source: bytes, language_name: str, *, definitions_only: bool = False) -> Syntax:
    """Read the syntax of one file, or only its definitions. For broken code, read what its tree contains.

    Raises GrammarError if the grammar or its query cannot be loaded, and HardTextError if the text takes too much work.
    """
    language_name = parsing_language(path, language_name)
    language = languages()[language_name]
    query = load_definition_query(language_name) if definitions_only else load_query(language_name)
    scripts = scripts_of(source, language_name)
    wrappers: dict[int, str] = {}
    parsed = without_foreign(without_chains(scripts, language, wrappers), language_name, wrappers)
    procedures = bodies(source, language)
    parsed = without_bodies(parsed, procedures, language)
    uses = macro_uses(source) if language.conditionals else []
    unread = unread_uses(source, language_name, uses)
    for start, end in [(use.start, use.end) for use in uses] + [(start, end) for start, _, end in unread]:
        # The grammar would take the use of a macro for the head of what follows it.
        parsed = parsed[:start] + blanked(parsed[start:end]) + parsed[end:]
    tree = parse_text(load_parser(language_name), parsed)
    # Texts come from the source: what is blank or mended for the parser is still in signatures and docs.
    reader = CaptureReader(source, language)
    broken = False
    if not tree.root_node.has_error:
        reader.read(query_matches(query, tree))
    else:
        recovery = recover(read_tree(parsed, tree), language)
        broken = recovery.broken
        for reading in recovery.readings:
            reader.read(query_matches(query, reading.tree))
        for reading in recovery.dropped:
            dropped = CaptureReader(source, language)
            dropped.read(query_matches(query, reading.tree))
            reader.add(dropped, recovery.text)
    for start, kind, name in names_in(source, procedures, language):
        reader.references.setdefault(start, (kind, name, ""))
    for use in uses:
        made = CaptureReader(use.text, language)
        made.read(query_matches(query, parse_text(load_parser(language_name), use.text)))
        reader.add_made(use, made)
    for start, name in wrappers.items():
        reader.references.setdefault(start, ("calls", name, ""))
    for start, name_end, end in unread:
        reader.add_use(start, name_end, end)
    for place in template_uses(source, scripts, language_name) if scripts is not source else ():
        reader.references.setdefault(place.start, place[1:])
    syntax = _assemble(path, reader, broken)
    return syntax if definitions_only else replace(syntax, registrations=read_registrations(path, reader, tree, syntax))


def without_foreign(source: bytes, language_name: str, wrappers: dict[int, str] | None = None) -> bytes:
    """Replace the text that is no part of the language, such as a preprocessor's lines. Every byte keeps its place.

    `wrappers` gets the names of the macros around definitions that are replaced, by their first byte.
    """
    patterns = blank_patterns(language_name)
    if not patterns:
        return source

    def blanks(match: re.Match[bytes]) -> bytes:
        if wrappers is not None and "use" in match.re.groupindex:
            # One byte less, for the line end that the text begins with here.
            wrappers[match.start("use") - 1] = match["use"].decode("utf-8", "replace")
        return _blanks(match)

    lines = b"\n" + source
    for pattern in patterns:
        lines = pattern.sub(blanks, lines)
    return lines[1:]


def _blanks(match: re.Match[bytes]) -> bytes:
    """Replace the captured groups of a match by blanks, or the whole match if it has no group. Line ends are kept."""
    text = bytearray(match[0])
    groups = [group for group in range(1, match.re.groups + 1) if match.start(group) >= 0]
    for group in groups or [0]:
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        text[start:end] = blanked(match[group])
    return bytes(text)


def _assemble(path: str, reader: CaptureReader, broken: bool) -> Syntax:
    """Build the syntax of a file from its captures. Each record gets the position of the definition around it.

    `broken` says that syntax errors are left.
    """
    comments = Comments(reader.source, reader.comments)
    reader.drop_wrapped()
    tidy_names(reader)
    # Outer definitions come before those inside of them. The nesting below relies on this order.
    ordered = sorted(
        reader.definitions.values(), key=lambda pair: (pair[1].start, -pair[1].end, pair[0], pair[1].name_start)
    )
    captured = _without_the_deepest(definition for _, definition in ordered)
    if reader.language.flat_functions:
        captured = _flat(captured, reader.source, comments)
    docs = sorted(reader.docs)
    scopes = _Scopes(captured)
    doc_scopes = scopes.around(start for start, _ in docs)
    # Of several docstrings in one definition, the first one counts.
    doc_of = {scope: span for span, scope in reversed(list(zip(docs, doc_scopes, strict=True)))}
    definitions = _nested(reader, captured, comments, doc_of)
    if reader.functions:
        _mark_twins(reader, definitions)
    if path.endswith(reader.language.declaration_files):
        definitions = [definition._replace(has_body=False) for definition in definitions]
    bindings, arms = _bindings(reader, scopes, definitions)
    if declared := doc_types(reader.source, reader.comments, reader.language):
        around = scopes.around(start for start, *_ in declared)
        general = reader.language.general_types
        bindings = with_doc_types(reader.source, declared, around, definitions, bindings, general)
    name_starts = {definition.name_start for definition in captured if definition.name != ANONYMOUS}
    if reader.bare:
        _add_bare_calls(reader, scopes, name_starts, definitions, bindings)
    references = _references(reader, scopes, comments, name_starts, definitions, bindings)
    if reader.passed_names:
        reader.read_passed(references)
    return Syntax(
        definitions=tuple(definitions),
        references=references,
        imports=_imports(reader, scopes, definitions),
        bindings=bindings,
        arguments=_telling_arguments(
            (
                # A decorator gets what it decorates where it stands, outside of that.
                Argument(*argument, start, definitions[scope].parent if start in name_starts else scope)
                for (start, argument), scope in zip(
                    reader.arguments.items(), scopes.around(reader.arguments), strict=True
                )
            ),
            bindings,
        ),
        typevars=_type_variables(reader, definitions),
        extensions=tuple(zip(scopes.around(reader.extended), reader.extended.values(), strict=True)),
        branches=branches(reader.source, reader.language.name),
        arms=arms,
        module=module_name(path, reader.language, "" if name_starts & reader.module_starts else reader.module),
        module_doc=_module_doc(reader.source, docs, doc_scopes, reader.comments),
        broken=broken,
    )


def _nested(
    reader: CaptureReader,
    captured: Sequence[Definition],
    comments: Comments,
    doc_of: Mapping[int, tuple[int, int]],
) -> list[Definition]:
    """Give each captured definition its parent, its name in the file, and its doc. They are sorted by start.

    `doc_of` maps the position of a definition to the span of its docstring.
    """
    separator = reader.language.separator
    definitions: list[Definition] = []
    # The end and the position of each definition that is open.
    stack: list[tuple[int, int]] = []
    unnamed: Counter[int] = Counter()
    for position, definition in enumerate(captured):
        kind, name, path_name, start, end, *_ = definition
        # What ends before this definition does cannot be around it, even where the two overlap.
        while stack and (
            stack[-1][0] < end or (kind == "function" and _is_beside(definitions[stack[-1][1]], definition))
        ):
            stack.pop()
        parent = stack[-1][1] if stack else -1
        if kind == "field" and parent >= 0 and definitions[parent].kind == "method":
            # A constructor's parameter that declares a field.
            parent = definitions[parent].parent
        outer = definitions[parent] if parent >= 0 else None
        if name == ANONYMOUS:
            unnamed[parent] += 1
            name = path_name = f"<anon:{unnamed[parent]}>" if unnamed[parent] > 1 else ANONYMOUS
        # An owner is a type that is named outside of its body, as in `func (e *Engine) Run()`.
        if kind == "function" and (definition.owner or (outer is not None and outer.kind in CLASS_LIKE_KINDS)):
            kind = "method"
        above = comments.above(start)
        definitions.append(
            definition._replace(
                kind=kind,
                name=name,
                path_name=f"{outer.path_name}{separator}{path_name}" if outer is not None else path_name,
                lead=above[0] if above else start,
                doc=_doc(reader.source, doc_of.get(position) or above),
                parent=parent,
                is_local=is_local_function(reader.language, kind, definition.signature),
                is_static=definition.inner in reader.statics,
            )
        )
        stack.append((end, position))
    return definitions


def _mark_twins(reader: CaptureReader, definitions: list[Definition]) -> None:
    """Mark the functions of one name in one scope that stand under conditions. Of each group, one may stand under none."""
    getter = reader.language.getter
    groups: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for position, definition in enumerate(definitions):
        if definition.kind in FUNCTION_KINDS and definition.has_body and definition.name_start in reader.functions:
            scope = definition.parent
            while scope >= 0 and definitions[scope].kind == "module":
                scope = definitions[scope].parent
            # Where functions may be overloaded, those with other parameters are no twins.
            head = definition.signature if reader.language.variadic else ""
            groups[scope, definition.path_name, head].append(position)
    imported = {alias or name for _, name, alias in reader.imports}
    for (scope, path_name, _), positions in groups.items():
        # `try: from fast import load` and `except ImportError: def load(): …` are twins too.
        namesakes = len(positions) + (scope < 0 and path_name in imported)
        if namesakes < 2 or (getter and any(getter.search(definitions[at].signature) for at in positions)):
            continue
        plain = sum(not _is_chosen(reader, reader.functions[definitions[at].name_start]) for at in positions)
        if plain < len(positions) and plain < 2:
            for at in positions:
                definitions[at] = definitions[at]._replace(is_twin=True)


def _is_chosen(reader: CaptureReader, node: tree_sitter.Node) -> bool:
    """Say whether a function, or a statement around it, begins as the header of its language says of twins."""
    begins, around = reader.language.twins, node.parent
    while begins is not None and around is not None:
        if begins.match(reader.source[node.start_byte : node.start_byte + BEGINNING].decode("utf-8", "replace")):
            return True
        node, around = around, around.parent
    return False


def _imports(reader: CaptureReader, scopes: "_Scopes", definitions: Sequence[Definition]) -> tuple[Import, ...]:
    """Give each captured import the position of the definition around it.

    The relative path of an import in a module inside the file is written as the top of the file would write it.
    """
    language = reader.language
    imports: list[Import] = []
    for (names, start), scope in zip(reader.imports.items(), scopes.around(reader.imports.values()), strict=True):
        import_ = Import(*names, start, scope)
        modules: list[str] = []
        while scope >= 0 and language.parent_module:
            if definitions[scope].kind == "module":
                modules.insert(0, definitions[scope].name)
            scope = definitions[scope].parent
        if modules:
            parts = from_top(import_.module.split(language.import_separator), modules, language)
            import_ = import_._replace(module=language.import_separator.join(parts))
        imports.append(import_)
    return tuple(imports)


def _type_variables(reader: CaptureReader, definitions: Sequence[Definition]) -> tuple[tuple[str, str], ...]:
    """Pair the dotted name of each type variable, such as `Box.T`, with its bounds, joined by `&`. They are in their order."""
    bounds: dict[str, dict[str, None]] = {}
    starts = [definition.start for definition in definitions] if reader.typevars else []
    for start, name, bound in sorted(reader.typevars):
        # What declares the variable may begin before its own definition does: `template <typename T> class Box`.
        scope = bisect_right(starts, start) - 1
        while scope >= 0 and (definitions[scope].end <= start or definitions[scope].name == name):
            scope = definitions[scope].parent
        dotted = f"{definitions[scope].path_name}.{name}" if scope >= 0 else name
        bounds.setdefault(dotted, {})[bound] = None
    return tuple((dotted, " & ".join(filter(None, texts))) for dotted, texts in bounds.items())


def _is_beside(outer: Definition, definition: Definition) -> bool:
    """Return whether two definitions with the same span stand beside each other: the functions that one macro makes."""
    return outer.kind == "function" and (outer.start, outer.end) == (definition.start, definition.end)


def is_local_function(language: Language, kind: str, signature: str) -> bool:
    """Return whether only the file of a definition, and files that include it, see it.

    Examples are `static` functions in C, and `local` functions and variables in Lua.
    """
    return bool(
        kind in ("function", "variable") and language.local_functions and language.local_functions.match(signature)
    )


def _bindings(
    reader: CaptureReader, scopes: "_Scopes", definitions: Sequence[Definition]
) -> tuple[tuple[Binding, ...], tuple[Arm, ...]]:
    """Give each captured binding the definition around it, its block if it ends with one, and its arm. Return the arms too."""
    bindings = reader.bindings.values()
    scope_of = scopes.around(binding.start for binding in bindings)
    # Plain rows: the names of the fields would cost a third of the time.
    rows = [(*binding[:5], scope, *binding[6:]) for binding, scope in zip(bindings, scope_of, strict=True)]
    if reader.assigned and reader.language.implicit_self:
        for position in _own_fields(reader, rows, definitions):
            rows[position] = (rows[position][0], min(reader.language.self_names), *rows[position][2:])
    for position, start, end in _blocks_of_variables(reader, bindings, scope_of, definitions):
        rows[position] = (*rows[position][:6], start, end, False, -1)
    arms = _arms(reader, rows)
    return tuple(as_records(Binding, rows)), arms


def _own_fields(
    reader: CaptureReader, rows: Sequence[tuple[Any, ...]], definitions: Sequence[Definition]
) -> Iterator[int]:
    """Yield the positions of assigned names that no function around them declares: these are fields of the object itself."""
    declared = {(row[5], row[0]) for row in rows if row[4] not in reader.assigned}
    for position, row in enumerate(rows):
        scope = row[5] if row[4] in reader.assigned else -1
        while scope >= 0 and definitions[scope].kind in FUNCTION_KINDS and (scope, row[0]) not in declared:
            scope = definitions[scope].parent
        if scope >= 0 and definitions[scope].kind in CLASS_LIKE_KINDS:
            yield position


def _arms(reader: CaptureReader, rows: list[tuple[Any, ...]]) -> tuple[Arm, ...]:
    """Put the innermost arm into the row of each local variable that its function binds again. Return those arms."""
    if not reader.arms:
        return ()
    again = _bound_again(rows)
    spans = sorted((start, -node.end_byte, start) for start, (node, _, _) in reader.arms.items()) if again else []
    around: list[tuple[int, int]] = []
    arms: dict[int, int] = {}
    following = 0
    for start, position in again:
        while following < len(spans) and spans[following][0] <= start:
            around = [arm for arm in around if arm[0] > spans[following][0]]
            around.append((-spans[following][1], spans[following][2]))
            following += 1
        around = [arm for arm in around if arm[0] > start]
        if around:
            rows[position] = (*rows[position][:9], arms.setdefault(around[-1][1], len(arms)))
    leaving = reader.language.leaving
    return tuple(
        Arm(*node.byte_range, *choice.byte_range, is_rest, not leaving.isdisjoint((node.type, _last_type(node))))
        for node, choice, is_rest in (reader.arms[place] for place in arms)
    )


def _bound_again(rows: Iterable[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """List the start and position of the local variables that their function binds several times, in the order of the text."""
    groups: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for position, (name, owner, _, _, start, scope, *_) in enumerate(rows):
        if scope >= 0 and name and not owner:
            groups[scope, name].append((start, position))
    return sorted(place for group in groups.values() if len(group) > 1 for place in group)


def _last_type(node: tree_sitter.Node) -> str:
    """Return the type of the last statement of a block, or an empty text."""
    children = node.named_children
    return children[-1].type if children else ""


def _blocks_of_variables(
    reader: CaptureReader, bindings: Iterable[Binding], scope_of: Sequence[int], definitions: Sequence[Definition]
) -> Iterator[tuple[int, int, int]]:
    """Yield the position of each variable that ends before its function does, and from where to where it holds.

    At the top of a file, a variable that is assigned holds in the block that declares it.
    """
    blocks = sorted(reader.blocks, key=lambda block: (block[0], -block[1]))
    if not blocks:
        return
    variables = sorted(
        (binding.start, position, binding.name)
        for position, binding in enumerate(bindings)
        if binding.name and not (binding.owner or binding.to_byte or binding.is_param)
    )
    # The blocks at the top of the file that declare a name.
    declaring: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (start, position, name), block in zip(variables, _innermost(blocks, variables), strict=True):
        scope = scope_of[position]
        at_top = function_around(definitions, scope) < 0
        if start in reader.assigned:
            declared_in = [span for span in declaring.get(name, ()) if at_top and span[1] > start]
            if declared_in:
                yield position, *declared_in[-1]
        # The body of a function ends with it.
        elif block is not None and (
            scope < 0 or (definitions[scope].inner < block[0] and block[1] < definitions[scope].end)
        ):
            first, end, is_whole = block
            yield position, first if is_whole else start, end
            if at_top:
                declaring[name].append((first, end))


def _innermost(
    blocks: Sequence[tuple[int, int, bool]], variables: Iterable[tuple[int, int, str]]
) -> Iterator[tuple[int, int, bool] | None]:
    """Yield the innermost block around each variable, or None. Both are in the order of the text."""
    open_blocks: list[tuple[int, int, bool]] = []
    following = 0
    for start, _, _ in variables:
        while following < len(blocks) and blocks[following][0] <= start:
            while open_blocks and open_blocks[-1][1] <= blocks[following][0]:
                open_blocks.pop()
            open_blocks.append(blocks[following])
            following += 1
        while open_blocks and open_blocks[-1][1] <= start:
            open_blocks.pop()
        yield open_blocks[-1] if open_blocks else None


def _references(
    reader: CaptureReader,
    scopes: "_Scopes",
    comments: Comments,
    name_starts: Set[int],
    definitions: Sequence[Definition],
    bindings: Iterable[Binding],
) -> tuple[Reference, ...]:
    """List the references. Names of definitions, names of local variables and names in comments are left out."""
    for start, base in reader.bases.items():
        reader.references.setdefault(start, ("inherits", dotted_name(base), ""))
    for start, (name, receiver) in reader.members.items():
        # What is kept or returned is a value by its name, and stands there already. A property runs all the same.
        is_value = reader.references.get(start, ("", "", ""))[0] == "references"
        reader.references.setdefault(start + is_value, ("runs", f"{READ}{name}", receiver))
    tidy_references(reader)
    starts = list(reader.references)
    visible = _visible_locals(definitions, (binding for binding in bindings if binding.start not in name_starts))
    self_words, reserved = reader.language.self_names | reader.language.self_types, reader.language.reserved
    rows = (
        (kind, name, receiver, start, scope, *reader.given.get(start, (-1, ())))
        for (start, (kind, name, receiver)), scope, in_comment, is_silent in zip(
            reader.references.items(),
            scopes.around(starts),
            comments.hold(starts),
            Comments(reader.source, reader.silent).hold(starts),
            strict=True,
        )
        # A constant of an enum is both a definition and a call of the constructor, at the same byte.
        if (start not in name_starts or kind == "constant")
        and not (in_comment or is_silent)
        and name not in reserved
        # What a local variable holds is followed from where it is called. Its name alone says nothing.
        and not (
            kind == "references" and scope >= 0 and not receiver and name in visible[scope] and name not in self_words
        )
    )
    return tuple(as_records(Reference, rows))


def _add_bare_calls(
    reader: CaptureReader,
    scopes: "_Scopes",
    name_starts: Set[int],
    definitions: Sequence[Definition],
    bindings: Iterable[Binding],
) -> None:
    """Add the names that stand alone to the references, as calls, except where a variable of the name is in sight."""
    parts: dict[tuple[int, str], list[tuple[int, int]]] = {}
    binding_starts: set[int] = set()
    for binding in bindings:
        # What a function returns is a binding without a name.
        if binding.name:
            binding_starts.add(binding.start)
        if not binding.owner:
            parts.setdefault((binding.scope, binding.name), []).append((binding.from_byte, binding.to_byte))
    starts = [start for start in reader.bare if not (start in reader.references or start in binding_starts)]
    for start, innermost in zip(starts, scopes.around(starts), strict=True):
        name, scope = reader.bare[start], innermost
        while not (hidden := any(not end or first <= start < end for first, end in parts.get((scope, name), ()))):
            scope = definitions[scope].parent if scope >= 0 else scope
            # The variables of a class or file are not seen in its methods.
            if scope < 0 or definitions[scope].kind not in FUNCTION_KINDS:
                break
        if not hidden and start not in name_starts:
            reader.references[start] = "calls", name, ""


def _visible_locals(definitions: Sequence[Definition], bindings: Iterable[Binding]) -> list[Set[str]]:
    """List, for each definition, the names of the local variables that it can see.

    These are the variables of the definition itself and of all definitions around it, if they are functions.
    """
    local_names: dict[int, set[str]] = {}
    for binding in bindings:
        if binding.scope >= 0 and not binding.owner and definitions[binding.scope].kind in FUNCTION_KINDS:
            local_names.setdefault(binding.scope, set()).add(binding.name)
    visible: list[Set[str]] = []
    for position, definition in enumerate(definitions):
        # A parent comes before its children, so that its set is complete here.
        outer = visible[definition.parent] if definition.parent >= 0 else frozenset()
        visible.append(outer | local_names[position] if position in local_names else outer)
    return visible


def _telling_arguments(arguments: Iterable[Argument], bindings: Iterable[Binding]) -> tuple[Argument, ...]:
    """Leave out the arguments that depend on local variables. A parameter that is passed on unchanged is kept.

    The resolver uses these arguments in other files too, so they must not change with every edit of the function around
    them.
    """
    local = {(binding.scope, binding.name) for binding in bindings if binding.scope >= 0 and not binding.owner}
    params = {(binding.scope, binding.name) for binding in bindings if binding.is_param}
    return tuple(
        argument
        for argument in arguments
        if (argument.keyword == TABLE_ENTRY or (argument.scope, head_of(argument.callee)) not in local)
        and ((argument.scope, head_of(argument.value)) not in local or (argument.scope, argument.value) in params)
    )


def _without_the_deepest(definitions: Iterable[Definition]) -> list[Definition]:
    """Leave out the definitions that are nested deeper than MAX_NESTING.

    The total length of their dotted names would grow with the square of the depth.
    """
    ends: list[int] = []
    shallow: list[Definition] = []
    for definition in definitions:
        while ends and ends[-1] < definition.end:
            ends.pop()
        if len(ends) < MAX_NESTING:
            ends.append(definition.end)
            shallow.append(definition)
    return shallow


def _flat(captured: list[Definition], source: bytes, comments: Comments) -> list[Definition]:
    """Take the functions out of the functions that swallowed them, in a language where no function contains another.

    A function that begins a line no further in than the function around it ends that function. A function further in is
    no definition: the grammar took a statement for it. A variable may hold a function anywhere.
    """
    flat: list[Definition] = []
    # The positions of the definitions that are open.
    stack: list[int] = []
    for definition in captured:
        while stack and flat[stack[-1]].end < definition.end:
            stack.pop()
        outer = flat[stack[-1]] if stack else None
        is_inside = outer is not None and outer.kind in _CODE_KINDS and definition.kind in _CODE_KINDS
        if outer is not None and is_inside and not (_is_beside(outer, definition) or _is_variable(source, definition)):
            # Each branch of a conditional may write the head of a function in another way.
            is_head = definition.name == outer.name and not definition.has_body
            if is_head or indentation(source, definition.start) > indentation(source, outer.start):
                continue
            above = comments.above(definition.start)
            flat[stack.pop()] = outer._replace(end=max(above[0] if above else definition.start, outer.name_start))
        stack.append(len(flat))
        flat.append(definition)
    return flat


def _is_variable(source: bytes, definition: Definition) -> bool:
    """Return whether a function is the value of a variable, as in `auto add = [](int a) { … }`."""
    name_end = definition.name_start + len(definition.name.encode())
    return source[name_end : name_end + 2].lstrip().startswith(b"=")


class _Scopes:
    """A table of the innermost definition around each byte of a file.

    A decorator is outside the definition that it decorates.
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        # From one bound to the next the innermost definition is the same, so that it is looked for once.
        self._bounds = sorted({offset for definition in definitions for offset in (definition.inner, definition.end)})
        # One entry more than there are bounds: text before the first bound is in no definition.
        self._owners = [-1]
        stack: list[int] = []
        position = 0
        for bound in self._bounds:
            while position < len(definitions) and definitions[position].start <= bound:
                while stack and definitions[stack[-1]].end <= definitions[position].start:
                    stack.pop()
                stack.append(position)
                position += 1
            while stack and definitions[stack[-1]].end <= bound:
                stack.pop()
            self._owners.append(
                next((i for i in reversed(stack) if definitions[i].inner <= bound < definitions[i].end), -1)
            )

    def around(self, offsets: Iterable[int]) -> list[int]:
        """Return, for each byte offset, the position of the innermost definition around it, or -1."""
        return [self._owners[bisect_right(self._bounds, offset)] for offset in offsets]


def _doc(source: bytes, span: tuple[int, int] | None) -> str:
    """Return the text of a docstring or comment without its marks. The text is empty if there is no span."""
    return clean_doc(source[span[0] : span[1]].decode("utf-8", "replace"))[:DOC_LIMIT] if span else ""


def _module_doc(source: bytes, docs: list[tuple[int, int]], owners: list[int], spans: list[tuple[int, int]]) -> str:
    """Return the docstring of the module, else the comment block at the top of the file.

    `owners` holds the definition around each span of `docs`, and `spans` are the comments.
    """
    for span, owner in zip(docs, owners, strict=True):
        if owner == -1:
            return _doc(source, span)
    # A comment below code is about that code and not about the file.
    if not spans or source[: min(spans)[0]].strip():
        return ""
    first = min(spans)
    end = first[1]
    for start, stop in sorted(spans)[1:]:
        if source[end:start].strip() or source[end:start].count(b"\n") > 1:
            break
        end = stop
    return _doc(source, (first[0], end))
