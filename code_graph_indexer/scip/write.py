"""Write our index as a SCIP index, for programs that read SCIP."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import ExternalUse, Progress, Symbol
from code_graph_indexer.scip import DEFINITION, FORWARD_DEFINITION, IMPORT, READ, WRITE, escaped, message
from code_graph_indexer.storage import Store, StoredDefinition, is_member
from code_graph_indexer.storage.records import OUTSIDE_KINDS, ResolvedReference, name_inside
from code_graph_indexer.storage.side import BUILD, beside
from code_graph_indexer.version import VERSION
from code_graph_indexer.words import word_place

UTF8 = 1
"""The value of `position_encoding` and `text_document_encoding` for UTF-8: columns count bytes."""

METHOD_SUFFIX, TYPE_SUFFIX, TERM_SUFFIX = "().", "#", "."
"""Suffixes of descriptors, as the grammar of SCIP symbols defines them."""

KINDS = {
    "class": (TYPE_SUFFIX, 7),
    "interface": (TYPE_SUFFIX, 21),
    "struct": (TYPE_SUFFIX, 49),
    "enum": (TYPE_SUFFIX, 11),
    "trait": (TYPE_SUFFIX, 53),
    "union": (TYPE_SUFFIX, 59),
    "object": (TYPE_SUFFIX, 33),
    "protocol": (TYPE_SUFFIX, 42),
    "type": (TYPE_SUFFIX, 54),
    "module": ("/", 29),
    "namespace": ("/", 30),
    "function": (METHOD_SUFFIX, 17),
    "method": (METHOD_SUFFIX, 26),
    "macro": ("!", 25),
    "property": (TERM_SUFFIX, 41),
    "field": (TERM_SUFFIX, 15),
    "constant": (TERM_SUFFIX, 8),
    "variable": (TERM_SUFFIX, 61),
    "enum_member": (TERM_SUFFIX, 12),
}
"""Map each kind of definition to its descriptor suffix and its SymbolInformation.Kind."""

ROLES = {"reads": READ, "writes": WRITE}
"""The roles of the occurrences of these kinds of references. All others have none."""

_GIVEN = re.compile(r"\(\)|\[\d*\]")
"""Matches the marks of a result and of an element in a name outside."""

_Entry = tuple[str, StoredDefinition]
"""A SCIP symbol with its definition."""


@dataclass(frozen=True, slots=True)
class ScipExport:
    """A report on a written SCIP index: its path, and counts of its content.

    Example:
        >>> import pathlib
        >>> export = indexer.graph.export_scip(pathlib.Path(shop) / "index.scip")
        >>> export.documents > 0
        True
    """

    path: str
    documents: int
    definitions: int
    references: int


def export_scip(store: Store, to: Path, *, min_confidence: float, report: Callable[[Progress], None]) -> ScipExport:
    """Write all definitions and references to a SCIP file, and return their counts.

    References with a confidence below `min_confidence` are left out. Raises UsageError if the file cannot be written.
    """
    files = [file for file in store.files() if file.error is None and file.language is not None]
    # Inside a part of a symbol, the grammar doubles blanks.
    package = f"cgi . {(store.meta().get('repo_id') or '.').replace(' ', '  ')} . "
    by_file = {file.path: list(_symbols(package, file.path, store.file_definitions(file.path))) for file in files}
    by_node: dict[int, list[_Entry]] = defaultdict(list)
    for symbol, definition in chain.from_iterable(by_file.values()):
        by_node[definition.chunk_id].append((symbol, definition))
    for path, entries in by_file.items():
        members = _member_ids(store.file_symbols(path))
        for symbol, definition in entries:
            if (member_id := members.get((definition.kind, definition.name, definition.line))) is not None:
                by_node[member_id].append((symbol, definition))
    # The file gets its name when it is complete, so a failed export leaves an older one as it was.
    temporary = beside(to, BUILD)
    definitions = references = 0
    outside: dict[str, str] = {}
    try:
        with temporary.open("wb") as stream:
            stream.write(_head().SerializeToString())
            for done, file in enumerate(files):
                text = (store.file_text(file.path) or b"").split(b"\n")
                references_of_file = [
                    reference
                    for reference in store.file_references(file.path)
                    if (reference.confidence or 0.0) >= min_confidence
                ]
                uses = _uses_outside(store, file.path, min_confidence)
                outside |= {external_symbol(use): name_inside(use.qualified_name, use.module) for use in uses}
                document = _document(
                    file.path, str(file.language), text, by_file[file.path], references_of_file, by_node, uses
                )
                definitions += sum(occurrence.symbol_roles & DEFINITION for occurrence in document.occurrences)
                references += sum(not occurrence.symbol_roles & DEFINITION for occurrence in document.occurrences)
                # Concatenated messages are one message, and the reader collects the documents. So only one is in memory.
                stream.write(message("Index")(documents=[document]).SerializeToString())
                report(Progress("export", done + 1, len(files)))
            information = message("SymbolInformation")
            external_symbols = [information(symbol=symbol, display_name=outside[symbol]) for symbol in sorted(outside)]
            stream.write(message("Index")(external_symbols=external_symbols).SerializeToString())
        temporary.replace(to)
    except OSError as exc:
        raise UsageError(f"{to} cannot be written: {exc.strerror}") from exc
    finally:
        # A file in place of a folder is what was just reported.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return ScipExport(str(to), len(files), definitions, references)


def _uses_outside(store: Store, path: str, min_confidence: float) -> list[ExternalUse]:
    """List the references of a file to names outside the repository. Whole modules are left out, as they have no symbol."""
    chunk_ids = [chunk.id for chunk in store.file_chunks(path)]
    uses = store.externals(chunk_ids, OUTSIDE_KINDS)
    return [use for use in uses if use.confidence >= min_confidence and use.qualified_name != use.module]


def external_symbol(use: ExternalUse) -> str:
    """Return the symbol of a name outside the repository: `cgi pypi requests 2.32.0 requests/Session#get().`.

    Whether a name is a type, only its capital tells. The version is `.` if no lock file fixes it.
    """
    package = " ".join(part.replace(" ", "  ") or "." for part in (use.ecosystem, use.package, use.version))
    name = name_inside(use.qualified_name, use.module)
    *around, last = _GIVEN.sub("", name).split(".")
    module = f"{escaped(use.module)}/" if use.module else ""
    types = "".join(f"{escaped(part)}{TYPE_SUFFIX}" for part in around if part)
    suffix = TYPE_SUFFIX if last[:1].isupper() else METHOD_SUFFIX
    return f"cgi {package} {module}{types}{escaped(last)}{suffix}"


def _member_ids(symbols: Iterable[Symbol]) -> dict[tuple[str, str, int], int]:
    """Map the kind, name and line of each member of a file to its id."""
    return {
        (symbol.kind, symbol.name, symbol.start_line): symbol.member_id
        for symbol in symbols
        if symbol.member_id is not None
    }


def _head() -> Any:
    """Return the index message with our name and no document."""
    tool = message("ToolInfo")(name="cgi", version=VERSION)
    return message("Index")(metadata=message("Metadata")(tool_info=tool, text_document_encoding=UTF8))


def _symbols(package: str, path: str, definitions: Sequence[StoredDefinition]) -> Iterator[_Entry]:
    """Yield each definition with its symbol: the file as a namespace, then the enclosing names, then its own name.

    Overloads get a number: `total().`, `total(+1).`.
    """
    symbols: dict[str, str] = {"": f"{package}{escaped(path)}/"}
    overloads: Counter[str] = Counter()
    # A shorter name cannot lie inside a longer one, so enclosing definitions have their symbol first.
    for definition in sorted(definitions, key=lambda definition: len(definition.dotted)):
        suffix, _ = KINDS.get(definition.kind, (TERM_SUFFIX, 0))
        outer = definition.dotted.removesuffix(definition.name).rstrip(".:")
        # A C++ method may stand in another file than its class. Then the names in front of it stand for the class.
        enclosing = symbols.get(outer) or symbols[""] + "".join(
            escaped(part) + TYPE_SUFFIX for part in outer.split(".")
        )
        symbol = enclosing + escaped(definition.name) + suffix
        if suffix == METHOD_SUFFIX:
            overloads[symbol] += 1
            if overloads[symbol] > 1:
                symbol = f"{symbol.removesuffix(suffix)}(+{overloads[symbol] - 1})."
        # What stands in a later overload hangs on the first one, since both have the same dotted name.
        symbols.setdefault(definition.dotted, symbol)
        yield symbol, definition


def _document(
    path: str,
    language: str,
    lines: Sequence[bytes],
    entries: Sequence[_Entry],
    references: Sequence[ResolvedReference],
    by_node: Mapping[int, Sequence[_Entry]],
    uses: Sequence[ExternalUse],
) -> Any:
    """Return the SCIP document of a file: its occurrences in the order of the text, and its symbols.

    `entries` are its definitions, and `by_node` has all definitions by the id of their chunk and of their member. `uses` are
    its references to names outside.
    """
    occurrences = list(_external_occurrences(lines, uses))
    relations: dict[int, list[str]] = defaultdict(list)
    declarations = {reference.source_id for reference in references if reference.kind == "declares"}
    for symbol, definition in entries:
        # The symbol of a declaration is that of its definition.
        if not definition.has_body and definition.chunk_id in declarations:
            continue
        if name_range := _name_range(lines, definition):
            occurrences.append((name_range, symbol, DEFINITION))
    for reference in references:
        target = _target_symbol(reference, by_node.get(reference.target_id or 0, ()))
        if target is None:
            continue
        if reference.kind == "declares" and (token_range := _token_range(lines, reference)):
            occurrences.append((token_range, target, FORWARD_DEFINITION))
            continue
        if reference.kind in ("inherits", "overrides"):
            relations[reference.source_id].append(target)
        if reference.kind == "imports":
            line = lines[reference.line - 1] if reference.line <= len(lines) else b""
            token = reference.name.rpartition(" ")[2].rpartition(".")[2].encode()
            if span := word_place(line, token, reference.column, len(line)):
                occurrences.append(([reference.line - 1, *span], target, IMPORT))
            continue
        # An override has no token in the text. It is a relation only.
        if reference.kind != "overrides" and (token_range := _token_range(lines, reference)):
            occurrences.append((token_range, target, ROLES.get(reference.kind, 0)))
    make = message("Occurrence")
    return message("Document")(
        relative_path=path,
        language=language,
        position_encoding=UTF8,
        occurrences=[
            make(range=token_range, symbol=symbol, symbol_roles=roles)
            for token_range, symbol, roles in sorted(_distinct(occurrences), key=lambda entry: (entry[0], entry[1]))
        ],
        symbols=[_information(symbol, definition, relations) for symbol, definition in entries],
    )


def _external_occurrences(lines: Sequence[bytes], uses: Iterable[ExternalUse]) -> Iterator[tuple[list[int], str, int]]:
    """Yield the occurrences of names outside the repository, where the last word of the name stands in its line."""
    for use in uses:
        line = lines[use.line - 1] if use.line <= len(lines) else b""
        token = re.split(r"[^\w$]+", use.qualified_name.rstrip("()"))[-1].encode()
        roles = IMPORT if use.kind == "imports" else ROLES.get(use.kind, 0)
        if token and (span := word_place(line, token, use.column, len(line))):
            yield [use.line - 1, *span], external_symbol(use), roles


def _information(symbol: str, definition: StoredDefinition, relations: Mapping[int, Sequence[str]]) -> Any:
    """Return the SCIP description of a symbol: its kind, name, documentation, and the symbols that it implements."""
    # Fields and constants share the chunk of their class, but not what the class implements.
    targets = relations.get(definition.chunk_id, ()) if _is_node(definition) else ()
    relation = message("Relationship")
    return message("SymbolInformation")(
        symbol=symbol,
        kind=KINDS.get(definition.kind, ("", 0))[1],
        display_name=definition.name,
        documentation=[part for part in (definition.signature, definition.doc) if part],
        relationships=[relation(symbol=target, is_implementation=True) for target in dict.fromkeys(targets)],
    )


def _target_symbol(reference: ResolvedReference, entries: Sequence[_Entry]) -> str | None:
    """Return the symbol that a reference points to, or None if its target has none.

    `entries` are the definitions of the target chunk: a class also holds its fields and constants. The one with the reference's
    name is taken, or else the class itself.
    """
    # The name of an import is stored as `module name`.
    name = reference.name.rpartition(" ")[2]
    first = next((symbol for symbol, definition in entries if definition.name == name), None)
    if first is None and reference.target_id is not None and is_member(reference.target_id):
        # A member alone is meant, under another name.
        first = next((symbol for symbol, _ in entries), None)
    return first or next((symbol for symbol, definition in entries if _is_node(definition)), None)


def _is_node(definition: StoredDefinition) -> bool:
    """Say whether a definition is a node of the graph. Fields, constants and the like only belong to a node."""
    return KINDS.get(definition.kind, (TERM_SUFFIX, 0))[0] != TERM_SUFFIX


def _name_range(lines: Sequence[bytes], definition: StoredDefinition) -> list[int] | None:
    """Return where the name of a definition is in its line: [line, start, end), 0-based, in bytes. None if it is not there."""
    line = lines[definition.line - 1] if 0 < definition.line <= len(lines) else b""
    name = definition.name.encode()
    # In `Cart::Cart()` the first `Cart` qualifies the name, so a whole word without `.` or `::` behind it comes first.
    word = re.search(rb"(?<![\w$])" + re.escape(name) + rb"(?![\w$]|\.\w|::)", line)
    match = word or re.search(re.escape(name), line)
    return [definition.line - 1, match.start(), match.end()] if match else None


def _token_range(lines: Sequence[bytes], reference: ResolvedReference) -> list[int] | None:
    """Return the range of a reference: [line, start, end), 0-based, in bytes. None if its name is not at that place."""
    line = lines[reference.line - 1] if reference.line <= len(lines) else b""
    token = reference.name.rpartition(" ")[2].encode()
    end = reference.column + len(token)
    return [reference.line - 1, reference.column, end] if line[reference.column : end] == token else None


def _distinct(occurrences: Iterable[tuple[list[int], str, int]]) -> Iterator[tuple[list[int], str, int]]:
    """Yield the occurrences, each only once. A call may also be recorded as a value at the same place."""
    seen: set[tuple[int, int, str]] = set()
    for token_range, symbol, roles in occurrences:
        key = (token_range[0], token_range[1], symbol)
        if key not in seen:
            seen.add(key)
            yield token_range, symbol, roles
