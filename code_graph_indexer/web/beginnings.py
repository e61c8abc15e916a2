"""Find where the programs of a repository begin, with the place that says so."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from code_graph_indexer.graph.folders import Dependencies
from code_graph_indexer.graph.results import Route
from code_graph_indexer.languages import is_package_file, languages
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS, VALUE_KINDS
from code_graph_indexer.web.start import is_aside

MAIN_FUNCTIONS = ("main", "Main", "wmain", "_start")
"""Names of the functions with which runtimes begin a program."""

MAX_BEGINNINGS = 8
"""Most places at which reading may begin."""

MAX_SCRIPTS = 24
"""Most files without an importer whose reach is measured, of those that refer to most files."""

DECLARED, MAIN, SCRIPT, DOOR, STARTED = "declared", "main", "script", "door", "started"
"""Why reading may begin: a manifest says so, the name of a function, or calls in a file that nobody imports.

A door begins no program. It is what a library gives out. What is started is called by a framework.
"""

STARTED_KINDS = ("command", "route")
"""Kinds of registrations by which a framework starts code for a person: each command, and each request."""


_STARTS = re.compile(r'"bin"\s*:\s*(?:"[^"]*"|\{[^}]*\})|"(?:start|serve|dev)[\w:-]*"\s*:\s*"(?:[^"\\\n]|\\.)*"')
"""Pattern of what a package.json starts: its programs, and the scripts that people start."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A place at which reading may begin, why, and the place that says so: `kind` is one of the constants above."""

    symbol: Symbol
    kind: str
    file_path: str
    line: int


def product_code(store: Store, files: Mapping[str, FileRow]) -> dict[str, FileRow]:
    """Map the paths of the product's code to rows: no tests, examples and documents, no generated and no foreign code."""
    marked = store.marked_files(tests=True)
    aside = set(filter(is_aside, {path.partition("/")[0] for path in files}))
    return {
        path: row
        for path, row in files.items()
        if row.source_type == "code" and row.error is None and path not in marked
        # A folder inside of the product may have any name.
        if path.partition("/")[0] not in aside
    }


def beginnings(store: Store, dependencies: Dependencies, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List where programs begin in the code of the product, the surest first. Without any, list the doors of a library.

    Files that nobody imports come last. The language with most code comes first, then what a manifest names before functions
    with the name of a program's beginning, and then what reaches most files.
    """
    declared = _declared(store, code)
    passed = {beginning.symbol.chunk_id for beginning in declared}
    mains = [beginning for beginning in _mains(store, code) if beginning.symbol.chunk_id not in passed]
    begun = {beginning.symbol.file_path for beginning in (*declared, *mains)}
    scripts = [script for script in _scripts(store, dependencies, code) if script.symbol.file_path not in begun]
    lines = language_lines(code)

    def place(beginning: Beginning) -> tuple[bool, int, int, int, int, str]:
        """Return a key that sorts by language, then by kind, and then by reach, scripts last."""
        path, kind = beginning.symbol.file_path, beginning.kind
        reach = -dependencies.reach(path), path.count("/"), path
        return kind == SCRIPT, -lines[family(code[path])], (DECLARED, MAIN, SCRIPT).index(kind), *reach

    ordered = sorted((*declared, *mains, *scripts), key=place)
    return (ordered or _doors(store, code))[:MAX_BEGINNINGS]


def started(store: Store, routes: Iterable[Route], code: Mapping[str, FileRow]) -> dict[str, list[Route]]:
    """Map kinds of registrations to those of the product with a handler, in order of place.

    A handler that is written in place is in the value around it, such as a command with its options.
    """
    kinds: dict[str, list[Route]] = {kind: [] for kind in STARTED_KINDS}
    for route in routes:
        if route.kind in kinds and not route.is_test and route.file_path in code:
            symbol = route.symbol or _value_around(store, route)
            if symbol is not None and symbol.file_path in code:
                kinds[route.kind].append(replace(route, symbol=symbol))
    return {kind: members for kind, members in kinds.items() if members}


def _value_around(store: Store, route: Route) -> Symbol | None:
    """Return the variable or constant around the line of a registration whose handler is written there."""
    if route.handler:
        return None
    chunks = [chunk for chunk in store.file_chunks(route.file_path) if chunk.start_line <= route.line <= chunk.end_line]
    inner = max(chunks, key=lambda chunk: (chunk.start_line, -chunk.end_line), default=None)
    return store.nodes([inner.id]).get(inner.id) if inner is not None and inner.kind in VALUE_KINDS else None


def family(row: FileRow) -> str:
    """Return the name that the languages of a family share, such as that of TypeScript and its dialects."""
    language = languages().get(row.language or "")
    return (language.family or language.name) if language is not None else ""


def language_lines(code: Mapping[str, FileRow]) -> Counter[str]:
    """Count the lines of each family of languages."""
    lines: Counter[str] = Counter()
    for row in code.values():
        lines[family(row)] += row.lines
    return lines


def _declared(store: Store, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List what manifests name as the beginning of a program."""
    manifests = sorted(file.path for file in store.files() if is_package_file(file.path) and file.error is None)
    places = {chunk.id: path for path in manifests for chunk in store.file_chunks(path)}
    starts = {path: _starting_lines(store, path) for path in manifests}
    # A manifest calls the function that it starts, and imports the file of it.
    edges = [
        edge
        for kind in ("calls", "imports")
        for edge in (store.edges(list(places), kind, incoming=False) if places else ())
        if (lines := starts[places[edge.of]]) is None or edge.line in lines
    ]
    symbols = store.nodes(list({edge.chunk_id for edge in edges})) if edges else {}
    declared: dict[int, Beginning] = {}
    for edge in edges:
        symbol = symbols.get(edge.chunk_id)
        if symbol is not None and symbol.file_path in code:
            declared.setdefault(edge.chunk_id, Beginning(symbol, DECLARED, places[edge.of], edge.line))
    return list(declared.values())


def _starting_lines(store: Store, path: str) -> frozenset[int] | None:
    """Return the lines of a manifest that start programs. None if all that it names does, as in `pyproject.toml`."""
    if not path.endswith(".json"):
        return None
    text = (store.file_text(path) or b"").decode("utf-8", "replace")
    lines: set[int] = set()
    for match in _STARTS.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        lines.update(range(first, first + match[0].count("\n") + 1))
    return frozenset(lines)


def _mains(store: Store, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List the functions with the name of a program's beginning, but for those that other functions of the product call."""
    symbols = {
        symbol.chunk_id: symbol
        for symbol in store.symbols(MAIN_FUNCTIONS, exact_case=True)
        # A macro is text for the compiler, and no runtime calls it.
        if symbol.kind in FUNCTION_KINDS and symbol.kind != "macro" and not symbol.is_test and symbol.file_path in code
    }
    edges = store.edges(list(symbols), "calls", incoming=True) if symbols else []
    callers = store.nodes(list({edge.chunk_id for edge in edges})) if edges else {}
    called = {
        edge.of
        for edge in edges
        if edge.chunk_id != edge.of
        and edge.confidence >= PROVEN
        and (caller := callers.get(edge.chunk_id)) is not None
        and caller.kind in FUNCTION_KINDS
        and not caller.is_test
    }
    # Of several signatures with a name, a call has only one.
    names = {(symbols[chunk_id].file_path, symbols[chunk_id].qualified_name) for chunk_id in called}
    return [
        Beginning(symbol, MAIN, symbol.file_path, symbol.start_line)
        for symbol in symbols.values()
        if (symbol.file_path, symbol.qualified_name) not in names
    ]


def _scripts(store: Store, dependencies: Dependencies, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List the files that nobody imports and that call code at their top."""
    lonely = (path for path in dependencies.unused_files() if path in code)
    tops = [chunk.id for path in islice(lonely, MAX_SCRIPTS) for chunk in store.file_chunks(path)[:1]]
    calling = {edge.of for edge in store.edges(tops, "calls", incoming=False)} if tops else set()
    modules = store.nodes(list(calling)) if calling else {}
    return [Beginning(module, SCRIPT, module.file_path, 1) for module in modules.values() if module.kind == "module"]


def _doors(store: Store, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List the files that stand for their folder near the root and define something: what a library gives out."""
    index = {name for language in languages().values() for name in language.index}
    stems = {path: path.rpartition("/")[2].partition(".")[0] for path in code}
    near = sorted((path.count("/"), path) for path, stem in stems.items() if stem in index and path.count("/") <= 1)
    doors: list[Beginning] = []
    for _, path in near[:MAX_BEGINNINGS]:
        chunks = store.file_chunks(path)
        # A file that only passes on names begins nothing.
        if any(chunk.kind in FUNCTION_KINDS | CLASS_KINDS for chunk in chunks):
            doors += [Beginning(symbol, DOOR, path, 1) for symbol in store.nodes([chunks[0].id]).values()]
    return doors
