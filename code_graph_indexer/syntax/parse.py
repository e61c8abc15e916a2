"""Parse a file with its grammar, and read definitions, references, imports and bindings with one query."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

import tree_sitter

from code_graph_indexer.languages import (
    Language,
    blank_patterns,
    languages,
    load_parser,
    parsing_language,
    query_for,
)
from code_graph_indexer.printable import as_name
from code_graph_indexer.syntax.arguments import read_passed, telling_arguments
from code_graph_indexer.syntax.bodies import bodies, names_in, without_bodies
from code_graph_indexer.syntax.branches import branches
from code_graph_indexer.syntax.captured import Captured, dotted_name
from code_graph_indexer.syntax.comments import Comments, read_doc
from code_graph_indexer.syntax.conditionals import blanked
from code_graph_indexer.syntax.definitions import ANONYMOUS, macro_members, made_fields, type_variables
from code_graph_indexer.syntax.doc_types import doc_types, doc_variables, with_doc_types
from code_graph_indexer.syntax.embedded import embedded_texts, scripts_of
from code_graph_indexer.syntax.extents import bindings_and_arms
from code_graph_indexer.syntax.imports import imports_of
from code_graph_indexer.syntax.innermost import Innermost
from code_graph_indexer.syntax.limits import Captures, parse_text, query_matches
from code_graph_indexer.syntax.macro_chains import without_chains
from code_graph_indexer.syntax.macro_text import blank_words, field_texts, macro_uses, member_uses, unread_uses
from code_graph_indexer.syntax.macros import add_bases, add_fields, add_made, add_members, add_use
from code_graph_indexer.syntax.names import names_of
from code_graph_indexer.syntax.nesting import captured_definitions, nested
from code_graph_indexer.syntax.readers import read_captures
from code_graph_indexer.syntax.records import (
    CLASS_KINDS,
    Argument,
    Syntax,
)
from code_graph_indexer.syntax.recover import read_tree, recover, without
from code_graph_indexer.syntax.references import references
from code_graph_indexer.syntax.registrations import read_registrations
from code_graph_indexer.syntax.template import read_template, reads_of, template_registrations

BLANKS = b" \t"
"""What the text for the parser has where a branch is dropped."""


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
    if language.template_lines.tags is not None:
        return _parse_template(path, source, language)

    def matches(tree: tree_sitter.Tree, name: str = language_name) -> list[tuple[int, Captures]]:
        return query_matches(query_for(name, tree, definitions_only=definitions_only), tree)

    scripts = scripts_of(source, language)
    wrappers: dict[int, str] = {}
    parsed = without_foreign(without_chains(scripts, language, wrappers), language_name, wrappers)
    procedures = bodies(source, language)
    parsed = without_bodies(parsed, procedures, language)
    uses = macro_uses(source) if language.condition else []
    unread = unread_uses(source, language_name, uses)
    # The grammar would take the use of a macro for the head of what follows it.
    parsed = without(parsed, [*(use[:2] for use in uses), *((start, end) for start, _, end in unread)])
    tree = parse_text(load_parser(language_name), parsed)
    # Texts come from the source: what is blank or mended for the parser is still in signatures and docs. What is around
    # scripts says nothing about their code.
    file = Captured(scripts, language)
    broken = False
    if not tree.root_node.has_error:
        read_captures(file, matches(tree))
        file.names = names_of(tree, language_name)
    else:
        recovery = recover(read_tree(parsed, tree), language)
        broken, parsed = recovery.broken, recovery.text
        for reading in recovery.readings:
            read_captures(file, matches(reading.tree))
            file.names.add(names_of(reading.tree, language_name))
        for reading in recovery.dropped:
            dropped = Captured(source, language)
            read_captures(dropped, matches(reading.tree))
            names = names_of(reading.tree, language_name)
            # A dropped branch of a conditional stands where the text for the parser is blank.
            file.names.add(names, [node for node in names.nodes if recovery.text[node.start_byte] in BLANKS])
            file.add(dropped, recovery.text)
    for start, kind, name in names_in(source, procedures, language):
        file.references.setdefault(start, (kind, name, ""))
    for use in uses:
        made = Captured(use.text, language)
        read_captures(made, matches(parse_text(load_parser(language_name), use.text)))
        add_made(file, use, made)
    if language.condition:
        _read_macro_members(file, language_name, matches)
    for start, name in wrappers.items():
        file.references.setdefault(start, ("calls", name, ""))
    for start, name_end, end in unread:
        add_use(file, start, name_end, end)
    read_template(file, source, scripts, language)
    for name, text in embedded_texts(source, language):
        inner = languages()[name]
        code = scripts_of(text, inner)
        inner_tree = parse_text(load_parser(name), code)
        read_captures(file, matches(inner_tree, name))
        file.names.add(names_of(inner_tree, name))
        read_template(file, text, code, inner)
    for start, word in blank_words(source, parsed) if language.condition else ():
        file.references.setdefault(start, ("reads", word, ""))
    syntax = _assemble(path, file, broken)
    if definitions_only:
        return syntax
    registrations = read_registrations(path, file, tree, syntax)
    return replace(syntax, registrations=(*registrations, *template_registrations(file, syntax)))


def _read_macro_members(
    file: Captured, language_name: str, matches: Callable[[tree_sitter.Tree], list[tuple[int, Captures]]]
) -> None:
    """Read the fields that the texts of macros list, and the members that uses of macros make."""
    parser, lists = load_parser(language_name), set[bytes]()
    text, spans = field_texts(file.source)
    if spans:
        tree = parse_text(parser, text)
        made = Captured(text, file.language)
        read_captures(made, matches(tree))
        made.names = names_of(tree, language_name)
        nodes = (tree.root_node.descendant_for_byte_range(*span) for span in spans)
        whole = [span for span, node in zip(spans, nodes, strict=True) if node is not None and not node.has_error]
        lists = add_fields(file, made, whole)
    types = {place[:2]: cls.kind for place, (_, cls) in file.definitions.items() if cls.kind in CLASS_KINDS}
    for span, kind in types.items():
        if kind != "enum":
            add_bases(file, *span)
    for use in member_uses(file.source, types, lists):
        text = without_foreign(use.text, language_name)
        tree = parse_text(parser, text)
        if not (text.startswith(b"enum") and tree.root_node.has_error):
            made = Captured(text, file.language)
            read_captures(made, matches(tree))
            add_members(file, use, made)


def _parse_template(path: str, source: bytes, language: Language) -> Syntax:
    """Read a template that has a language of its own: no grammar, but the lines `template` of the language file read it."""
    file = Captured(source, language)
    read_template(file, source, b"", language)
    syntax = _assemble(path, file, broken=False)
    references = (*syntax.references, *reads_of(file, syntax))
    return replace(syntax, references=references, registrations=tuple(template_registrations(file, syntax)))


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


def _assemble(path: str, file: Captured, broken: bool) -> Syntax:
    """Build the syntax of a file from its captures. Each record gets the position of the definition around it.

    `broken` says that syntax errors are left.
    """
    spans, docs = (
        file.spans("comment"),
        sorted((match.nodes[0].start_byte, match.nodes[-1].end_byte) for match in file.marked["doc"]),
    )
    comments = Comments(file.source, spans)
    captured = captured_definitions(file, comments)
    # A decorator is outside the definition that it decorates.
    scopes = Innermost([(definition.inner, definition.end) for definition in captured])
    doc_scopes = scopes.around(start for start, _ in docs)
    # Of several docstrings in one definition, the first one counts.
    doc_of = {scope: span for span, scope in reversed(list(zip(docs, doc_scopes, strict=True)))}
    definitions = nested(file, captured, comments, doc_of)
    if path.endswith(file.language.declaration_files):
        definitions = [definition._replace(has_body=False) for definition in definitions]
    bindings, arms = bindings_and_arms(file, scopes, definitions)
    vague = file.language.vague_types
    declared = doc_types(file.source, spans, file.language)
    if declared:
        around = scopes.around(start for start, *_ in declared)
        bindings = with_doc_types(file.source, declared, around, definitions, bindings, vague)
    variables = doc_variables(file.source, spans, file.language, definitions)
    if vague:
        definitions = [
            definition._replace(type_name="") if definition.type_name in vague else definition
            for definition in definitions
        ]
    if file.members:
        definitions += macro_members(file, scopes, definitions)
    if file.made:
        definitions += made_fields(file, definitions, bindings)
    name_starts = {definition.name_start for definition in definitions if definition.name != ANONYMOUS}
    used = references(file, scopes, comments, name_starts, definitions, bindings, declared)
    read_passed(file, used)
    modules = file.marked["module"]
    # The first of several declarations counts.
    names = (".".join(dotted_name(file.text(node)) for node in match.nodes) for match in modules)
    module = next(filter(None, names), "")
    is_definition = any(match.nodes[0].start_byte in name_starts for match in modules)
    extended = {match.nodes[0].start_byte: file.first(match, "type") for match in file.marked["extended"]}
    return Syntax(
        definitions=tuple(definitions),
        references=used,
        imports=imports_of(file, scopes, definitions),
        bindings=bindings,
        arguments=telling_arguments(
            (
                # A decorator gets what it decorates where it stands, outside of that.
                Argument(*argument, start, definitions[scope].parent if start in name_starts else scope)
                for (start, argument), scope in zip(file.arguments.items(), scopes.around(file.arguments), strict=True)
            ),
            bindings,
        ),
        typevars=(*type_variables(file, definitions), *variables),
        extensions=tuple(zip(scopes.around(extended), extended.values(), strict=True)),
        branches=branches(file.source, file.language.name),
        arms=arms,
        module=module_name(path, file.language, "" if is_definition else module),
        module_doc=_module_doc(file.source, docs, doc_scopes, spans),
        broken=broken,
    )


def _module_doc(source: bytes, docs: list[tuple[int, int]], owners: list[int], spans: list[tuple[int, int]]) -> str:
    """Return the docstring of the module, else the comment block at the top of the file, else an empty text.

    `owners` holds the definition around each span of `docs`, and `spans` are the comments.
    """
    for span, owner in zip(docs, owners, strict=True):
        if owner == -1:
            return read_doc(source, span)
    # A comment below code is about that code and not about the file.
    if not spans or source[: min(spans)[0]].strip():
        return ""
    first = min(spans)
    end = first[1]
    for start, stop in sorted(spans)[1:]:
        if source[end:start].strip() or source[end:start].count(b"\n") > 1:
            break
        end = stop
    return read_doc(source, (first[0], end))
