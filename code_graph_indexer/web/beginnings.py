"""Find where the programs of a repository begin, with the place that says so."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from code_graph_indexer.graph.folders import Dependencies
from code_graph_indexer.graph.results import Route
from code_graph_indexer.languages import languages
from code_graph_indexer.results import PROVEN, Symbol
from code_graph_indexer.storage import FileRow, Store
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS, VALUE_KINDS
from code_graph_indexer.web.start import is_aside
from code_graph_indexer.web.starters import CodePaths, Starts, is_starter, runner_of, signs, starting_words

MAIN_FUNCTIONS = ("main", "Main", "wmain", "_start")
"""Names of the functions with which runtimes begin a program."""

MAX_BEGINNINGS = 8
"""Most places at which reading may begin."""

MAX_SCRIPTS = 24
"""Most files without an importer whose reach is measured, of those that refer to most files."""

MAX_EMPTY = 2
"""Most lines of a file that does nothing, such as an `index.php` that only keeps a folder from being listed."""

MAX_MARKED = 100
"""Most files of which the text is read for a mark of a program, those near the root first."""

DECLARED, MAIN, NAMED, MARKED = "declared", "main", "named", "marked"
"""Why a program begins: a manifest says so, the name of a function or of a file, or a mark such as `#!/usr/bin/env php`."""

SCRIPT, DOOR, STARTED = "script", "door", "started"
"""Why reading may begin besides: calls in a file that nobody imports, what a library gives out, what a framework calls."""

KINDS = (DECLARED, MAIN, NAMED, MARKED, SCRIPT, DOOR)
"""The kinds of beginnings, the surest first."""

STARTED_KINDS = ("command", "route")
"""Kinds of registrations by which a framework starts code for a person: each command, and each request."""


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
    and files with the name of a program's beginning, and then what reaches most files.
    """
    lines = language_lines(code)
    main = max(lines, key=lambda name: lines[name], default="")
    begun = [*_declared(store, code), *_mains(store, code), *_named(store, dependencies, code)]
    files = {beginning.symbol.file_path for beginning in begun}
    marked = [mark for mark in _marked(store, dependencies, code) if mark.symbol.file_path not in files]
    begun += [mark for mark in marked if dependencies.reach(mark.symbol.file_path) > 1]
    # A tool on its own, or a script, says little where the programs of its language are known.
    begun += _of_other_families(begun, [mark for mark in marked if family(code[mark.symbol.file_path]) == main], code)
    begun += _of_other_families(begun, _scripts(store, dependencies, code), code)

    def place(beginning: Beginning) -> tuple[bool, int, int, int, int, str]:
        """Return a key that sorts by language, then by kind, and then by reach, scripts last."""
        path, kind = beginning.symbol.file_path, beginning.kind
        reach = -dependencies.reach(path), path.count("/"), path
        return kind == SCRIPT, -lines[family(code[path])], KINDS.index(kind), *reach

    # A function may be named by a manifest and by itself, and the first says more.
    distinct = {beginning.symbol.chunk_id: beginning for beginning in reversed(begun)}
    return (sorted(distinct.values(), key=place) or _doors(store, code))[:MAX_BEGINNINGS]


def _of_other_families(
    begun: Sequence[Beginning], others: Sequence[Beginning], code: Mapping[str, FileRow]
) -> list[Beginning]:
    """List those of other beginnings that are in families of languages in which no program begins yet."""
    families = {family(code[beginning.symbol.file_path]) for beginning in begun}
    return [beginning for beginning in others if family(code[beginning.symbol.file_path]) not in families]


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
    return language.family if language is not None else ""


def language_lines(code: Mapping[str, FileRow]) -> Counter[str]:
    """Count the lines of each family of languages."""
    lines: Counter[str] = Counter()
    for row in code.values():
        lines[family(row)] += row.lines
    return lines


def _declared(store: Store, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List what manifests, and other files that start programs, name as the beginning of a program."""
    starts = {
        file.path: starting_words(store, file) for file in store.files() if file.error is None and is_starter(file)
    }
    linked = _linked(store, starts, code)
    begun = {beginning.symbol.file_path for beginning in linked}
    paths = CodePaths(code)
    for path, line, word in _words_of(starts):
        target = paths.find(word, path)
        if target and target not in begun:
            begun.add(target)
            linked += [Beginning(module, DECLARED, path, line) for module in _modules(store, [target])]
    return linked


def _linked(store: Store, starts: Starts, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List what files call and import at the lines that start programs: a manifest calls the function that it starts."""
    places = {chunk.id: path for path in sorted(starts) for chunk in store.file_chunks(path)}
    kinds = ("calls", "imports") if places else ()
    edges = [edge for kind in kinds for edge in store.edges(list(places), kind, incoming=False)]
    symbols = store.nodes(list({edge.chunk_id for edge in edges})) if edges else {}
    linked: dict[int, Beginning] = {}
    for edge in edges:
        symbol, words = symbols.get(edge.chunk_id), starts[places[edge.of]]
        if symbol is not None and symbol.file_path in code and (words is None or edge.line in words):
            linked.setdefault(edge.chunk_id, Beginning(symbol, DECLARED, places[edge.of], edge.line))
    return list(linked.values())


def _words_of(starts: Starts) -> Iterator[tuple[str, int, str]]:
    """Yield the words by which files start programs, each with the path of the file and the line."""
    for path, lines in sorted(starts.items(), key=lambda entry: entry[0]):
        for line, words in (lines or {}).items():
            yield from ((path, line, word) for word in words)


def _modules(store: Store, paths: Iterable[str]) -> list[Symbol]:
    """List the modules of some files: what runs when they are loaded."""
    tops = [chunk.id for path in paths for chunk in store.file_chunks(path)[:1]]
    return [symbol for symbol in (store.nodes(tops) if tops else {}).values() if symbol.kind == "module"]


def _named(store: Store, dependencies: Dependencies, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List the files that a server or a runtime runs by their names: of those that refer to others, or else at the root."""
    named = [path for path in sorted(code) if runner_of(path)]
    linked = [path for path in named if dependencies.reach(path) > 1]
    paths = linked or [path for path in named if "/" not in path and code[path].lines > MAX_EMPTY]
    return [Beginning(module, NAMED, module.file_path, 1) for module in _modules(store, paths[:MAX_SCRIPTS])]


def _marked(store: Store, dependencies: Dependencies, code: Mapping[str, FileRow]) -> list[Beginning]:
    """List the files that say that they are run, and that no other file loads: `#!/usr/bin/env php`."""
    holding = [store.files_holding(text) for text in signs()["marks"]]
    marks = [re.compile(pattern, re.MULTILINE) for pattern in signs()["marks"].values()]
    unused = (code[path] for path in dependencies.unused_files(alone=True) if path in code)
    files = [row for row in unused if not _is_view(row) and any(ids is None or row.id in ids for ids in holding)]
    files.sort(key=lambda row: (row.path.count("/"), row.path))
    marked: dict[str, int] = {}
    for row in files[:MAX_MARKED]:
        text = (store.file_text(row.path) or b"").decode("utf-8", "replace")
        match = next(filter(None, (mark.search(text) for mark in marks)), None)
        if match is not None:
            marked[row.path] = text.count("\n", 0, match.start()) + 1
    return [Beginning(module, MARKED, module.file_path, marked[module.file_path]) for module in _modules(store, marked)]


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
    passed = [re.compile(pattern, re.MULTILINE) for pattern in signs()["passed-on"].values()]
    unused = (path for path in dependencies.unused_files() if path in code and not _is_view(code[path]))
    modules = _modules(store, islice(unused, MAX_SCRIPTS))
    calling = {edge.of for edge in store.edges([module.chunk_id for module in modules], "calls", incoming=False)}
    texts = ((module, store.file_text(module.file_path) or b"") for module in modules if module.chunk_id in calling)
    return [
        Beginning(module, SCRIPT, module.file_path, 1)
        for module, text in texts
        if not any(pattern.search(text.decode("utf-8", "replace")) for pattern in passed)
    ]


def _is_view(row: FileRow) -> bool:
    """Say whether a file is a template, which begins nothing."""
    language = languages().get(row.language or "")
    return language is not None and language.import_lookup == "view"


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
