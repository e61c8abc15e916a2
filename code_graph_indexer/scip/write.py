"""Write an index as a SCIP index, for the programs that read these."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from code_graph_indexer.errors import UsageError
from code_graph_indexer.results import Progress, ScipExport
from code_graph_indexer.scip import DEFINITION, escaped, message
from code_graph_indexer.storage import PlacedDefinition, Store
from code_graph_indexer.storage.records import ResolvedReference
from code_graph_indexer.version import VERSION

UTF8 = 1
"""`position_encoding` and `text_document_encoding`: columns are bytes of UTF-8."""

METHOD_SUFFIX, TYPE_SUFFIX, TERM_SUFFIX = "().", "#", "."

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
"""The suffix of the descriptor, and SymbolInformation.Kind, of each kind of definition."""


class _Named(NamedTuple):
    """A definition with its symbol."""

    symbol: str
    definition: PlacedDefinition


def export_scip(store: Store, to: Path, *, min_confidence: float, report: Callable[[Progress], None]) -> ScipExport:
    """Write all definitions, and the edges that are sure enough, to a file; return what it holds.

    Raises UsageError when the file cannot be written.
    """
    files = [one for one in store.files() if one.error is None and one.language is not None]
    package = f"cgi . {(store.meta().get('repo_id') or '.').replace(' ', '  ')} . "
    named = {one.path: list(_named(package, one.path, store.file_definitions(one.path))) for one in files}
    by_node: dict[int, list[_Named]] = defaultdict(list)
    for one in (each for several in named.values() for each in several):
        by_node[one.definition.chunk_id].append(one)
    temporary = to.with_name(to.name + ".new")
    definitions = references = 0
    try:
        with temporary.open("wb") as stream:
            stream.write(_head().SerializeToString())
            for done, file in enumerate(files):
                text = (store.file_text(file.path) or b"").split(b"\n")
                found = [one for one in store.file_references(file.path) if (one.confidence or 0.0) >= min_confidence]
                document = _document(file.path, str(file.language), text, named[file.path], found, by_node)
                definitions += sum(one.symbol_roles & DEFINITION for one in document.occurrences)
                references += sum(not one.symbol_roles & DEFINITION for one in document.occurrences)
                # Messages written one after another are one message: the documents are gathered by the reader.
                stream.write(message("Index")(documents=[document]).SerializeToString())
                report(Progress("export", done + 1, len(files)))
        temporary.replace(to)
    except OSError as exc:
        raise UsageError(f"{to} cannot be written: {exc.strerror}") from exc
    finally:
        temporary.unlink(missing_ok=True)
    return ScipExport(str(to), len(files), definitions, references)


def _head() -> Any:
    tool = message("ToolInfo")(name="cgi", version=VERSION)
    return message("Index")(metadata=message("Metadata")(tool_info=tool, text_document_encoding=UTF8))


def _named(package: str, path: str, definitions: Sequence[PlacedDefinition]) -> Iterator[_Named]:
    """Give each definition its symbol: the file as a namespace, then the names around it; overloads are numbered."""
    symbols: dict[str, str] = {"": f"{package}{escaped(path)}/"}
    overloads: Counter[str] = Counter()
    # What stands around a definition first, wherever in the file it is.
    for one in sorted(definitions, key=lambda each: len(each.dotted)):
        suffix, _ = KINDS.get(one.kind, (TERM_SUFFIX, 0))
        outer = one.dotted.removesuffix(one.name).rstrip(".:")
        around = symbols.get(outer) or symbols[""] + "".join(escaped(each) + TYPE_SUFFIX for each in outer.split("."))
        symbol = around + escaped(one.name) + suffix
        if suffix == METHOD_SUFFIX:
            overloads[symbol] += 1
            if overloads[symbol] > 1:
                symbol = f"{symbol.removesuffix(suffix)}(+{overloads[symbol] - 1})."
        symbols.setdefault(one.dotted, symbol)
        yield _Named(symbol, one)


def _document(
    path: str,
    language: str,
    lines: Sequence[bytes],
    named: Sequence[_Named],
    references: Sequence[ResolvedReference],
    by_node: Mapping[int, Sequence[_Named]],
) -> Any:
    """Make the document of a file."""
    occurrences: list[tuple[list[int], str, int]] = []
    relations: dict[int, list[str]] = defaultdict(list)
    for symbol, one in named:
        if place := _name_place(lines, one):
            occurrences.append((place, symbol, DEFINITION))
    for each in references:
        target = _meant(each, by_node.get(each.target_id or 0, ()))
        if target is None:
            continue
        if each.kind in ("inherits", "overrides"):
            relations[each.source_id].append(target)
        line = lines[each.line - 1] if each.line <= len(lines) else b""
        token = each.name.rpartition(" ")[2].encode()
        if each.kind != "overrides" and line[each.column : each.column + len(token)] == token:
            occurrences.append(([each.line - 1, each.column, each.column + len(token)], target, 0))
    make, inform = message("Occurrence"), message("SymbolInformation")
    return message("Document")(
        relative_path=path,
        language=language,
        position_encoding=UTF8,
        occurrences=[
            make(range=place, symbol=symbol, symbol_roles=roles)
            for place, symbol, roles in sorted(_once(occurrences), key=lambda one: (one[0], one[1]))
        ],
        symbols=[
            inform(
                symbol=symbol,
                kind=KINDS.get(one.kind, ("", 0))[1],
                display_name=one.name,
                documentation=[part for part in (one.signature, one.doc) if part],
                relationships=[
                    message("Relationship")(symbol=target, is_implementation=True)
                    for target in dict.fromkeys(relations.get(one.chunk_id, ()) if _is_node(one) else ())
                ],
            )
            for symbol, one in named
        ],
    )


def _meant(reference: ResolvedReference, held: Sequence[_Named]) -> str | None:
    """Choose among the definitions that a node holds: the one of the reference's name, else the node's own."""
    name = reference.name.rpartition(" ")[2]
    first = next((one.symbol for one in held if one.definition.name == name), None)
    return first or next((one.symbol for one in held if _is_node(one.definition)), None)


def _is_node(one: PlacedDefinition) -> bool:
    """Say whether a definition is a node of the graph: values are parts of one."""
    return KINDS.get(one.kind, (TERM_SUFFIX, 0))[0] != TERM_SUFFIX


def _name_place(lines: Sequence[bytes], one: PlacedDefinition) -> list[int] | None:
    """Find where a definition's name stands in its line: as a word of its own that qualifies no other."""
    line = lines[one.line - 1] if 0 < one.line <= len(lines) else b""
    name = one.name.encode()
    found = re.search(rb"(?<![\w$])" + re.escape(name) + rb"(?![\w$]|\.\w|::)", line) or re.search(
        re.escape(name), line
    )
    return [one.line - 1, found.start(), found.end()] if found else None


def _once(occurrences: Iterable[tuple[list[int], str, int]]) -> Iterator[tuple[list[int], str, int]]:
    """Drop what is said twice: a call and a value of the same place."""
    seen: set[tuple[int, int, str]] = set()
    for place, symbol, roles in occurrences:
        key = (place[0], place[1], symbol)
        if key not in seen:
            seen.add(key)
            yield place, symbol, roles
