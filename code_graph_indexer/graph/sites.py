"""Find the calls that may run an override, and the unresolved calls that may mean a definition."""

import re
import sys
from collections import Counter
from collections.abc import Sequence
from enum import Enum

from code_graph_indexer.graph.conventions import is_constructor
from code_graph_indexer.languages import Language, detect_language, languages
from code_graph_indexer.results import OpenSite, Symbol
from code_graph_indexer.storage import Edge, FileRow, Store
from code_graph_indexer.syntax.parameters import ANY, read_parameters
from code_graph_indexer.syntax.records import CLASS_KINDS, FUNCTION_KINDS, INTERFACE_KINDS, VALUE_KINDS

_WORD = re.compile(rb"\w")

UNLINKED = 0.2
"""Confidence in a call that is linked to nothing: it has the right name, and mostly many definitions have it."""

FAILURES = (
    "unreadable",
    "too large",
    "too hard to parse",
    "timeout",
    "internal error",
    "out of memory",
    "the parser crashed",
)
"""The first words of the errors of files that may hold code. The other files, such as secrets and data, hold none."""

_CLASS_RECEIVER = re.compile(r"(?:^|\.)([A-Z]\w*)(?:\(\))?$")
"""Pattern of a receiver that may be a class (`Base`) or a new instance of a class (`Base()`)."""


class Binding(Enum):
    """The class whose method a call runs, as far as the source shows it.

    * EARLY: the class that the call names, as in `super().run()`, `Base.run(self)` and `Base().run()`.
    * SELF: the class around the call, or a class derived from it, as in `self.run()`.
    * LATE: any class, as in `cart.run()`.
    """

    EARLY = "early"
    SELF = "self"
    LATE = "late"


def bindings(store: Store, calls: Sequence[Edge], sources: Sequence[str | None]) -> list[Binding]:
    """List the binding of each call, in the order of `calls`.

    `sources` has the language in which each call is written, or None. `super().run()` is EARLY, `self.run()` is SELF, and
    `cart.run()` is LATE.
    """
    matches = [_CLASS_RECEIVER.search(call.receiver) for call in calls]
    symbols = store.symbols({match[1] for match in matches if match})
    classes = _class_names(symbols)
    registry = languages()
    verdicts: list[Binding] = []
    for call, source, match in zip(calls, sources, matches, strict=True):
        language = registry.get(source or "")
        is_early = bool(match and match[1] in classes) or bool(language and call.receiver in language.super_names)
        is_self = language is not None and (
            call.receiver in language.self_names or (language.implicit_self and not call.receiver)
        )
        verdicts.append(Binding.EARLY if is_early else Binding.SELF if is_self else Binding.LATE)
    return verdicts


def _class_names(symbols: Sequence[Symbol]) -> set[str]:
    """Return the names that only classes have, beside their constructors.

    An interface has no method that could run. Beside a class of the name, `a.Notifier` may be a field, and `a.Cart()` a call.
    """
    registry = languages()
    members = {
        symbol.name
        for symbol in symbols
        if symbol.kind in FUNCTION_KINDS | VALUE_KINDS
        and not ((language := registry.get(symbol.language or "")) and is_constructor(symbol, language))
    }
    return {symbol.name for symbol in symbols if symbol.kind in CLASS_KINDS - INTERFACE_KINDS} - members


def open_sites(store: Store, symbols: Sequence[Symbol], removed: Sequence[str]) -> list[OpenSite]:
    """List calls that may mean these definitions, although the index does not link them to one. The likeliest come first.

    `removed` are deleted definitions, as `path:name`. A call that the index links to another overload is listed if both
    overloads may take the same number of arguments, because argument types are not compared.

    Calls of these kinds are left out:
    * Calls of a module.
    * Calls of a constructor by its own name, because a caller writes the name of the class.
    * Calls on the base class, such as `super().save()`.
    * Calls on a receiver that is imported from outside the repository.
    """
    registry = languages()
    families = _families(symbols, removed)
    candidates = store.open_sites(sorted({name for name, _ in families}), [symbol.chunk_id for symbol in symbols])
    sites = [
        site
        for site in candidates
        if (site.name, registry[site.language].family) in families
        and site.receiver not in registry[site.language].super_names
    ]
    # A receiver that is imported from outside the repository cannot have these definitions.
    outside = store.outside_names({site.file_path for site in sites})
    sites = [site for site in sites if site.receiver.partition(".")[0] not in outside.get(site.file_path, ())]
    # A call that is linked to an overload may mean another one with as many parameters.
    sites += store.tied_sites(_tied(store, symbols))
    # The rarer a name among the open calls, the likelier a call of it means the definition.
    counts = Counter(site.name for site in sites)
    return sorted(sites, key=lambda site: (not site.candidate, site.is_test, counts[site.name]))


def are_promised(store: Store, symbols: Sequence[Symbol]) -> bool:
    """Say whether any of these is a method of an interface, which whatever implements it must follow."""
    methods = [symbol.chunk_id for symbol in symbols if symbol.kind in FUNCTION_KINDS and symbol.member_id is None]
    parents = {chunk.parent_id for chunk in store.chunks(methods)} - {None}
    owners = store.nodes([parent for parent in parents if parent is not None])
    return any(owner.kind in INTERFACE_KINDS for owner in owners.values())


def open_edges(store: Store, symbols: Sequence[Symbol]) -> list[Edge]:
    """List calls that may mean these definitions by their name alone, as edges of the confidence UNLINKED.

    Left out are names that many types have, such as `get`, and what `open_sites` leaves out.
    """
    registry = languages()
    functions = {
        symbol.chunk_id: registry[symbol.language]
        for symbol in symbols
        if symbol.kind in FUNCTION_KINDS
        and symbol.language in registry
        and symbol.name not in registry[symbol.language].common | set(registry[symbol.language].constructors)
    }
    edges = store.open_edges(list(functions), UNLINKED) if functions else []
    callers = store.nodes(list({edge.chunk_id for edge in edges}))
    outside = store.outside_names({caller.file_path for caller in callers.values()})
    return [
        edge
        for edge in edges
        if (caller := callers.get(edge.chunk_id)) is not None
        and (language := registry.get(caller.language or "")) is not None
        and language.family == functions[edge.of].family
        and edge.receiver not in language.super_names
        and edge.receiver.partition(".")[0] not in outside.get(caller.file_path, ())
    ]


def accessors(store: Store, symbols: Sequence[Symbol]) -> list[int]:
    """List the chunk ids of the other accessors of these properties. A setter runs by the same name as its getter."""
    registry = languages()
    patterns = {symbol.chunk_id: registry[symbol.language].getter for symbol in symbols if symbol.language in registry}
    getters = [
        symbol.chunk_id
        for symbol in symbols
        if (pattern := patterns.get(symbol.chunk_id)) is not None and pattern.search(symbol.signature)
    ]
    return [
        overload.chunk_id
        for chunk_id, overloads in (store.overloads(getters) if getters else {}).items()
        for overload in overloads
        if (pattern := patterns[chunk_id]) is not None and pattern.search(overload.signature)
    ]


def _is_property(symbol: Symbol, language: Language) -> bool:
    is_getter = language.getter is not None and language.getter.search(symbol.signature)
    return symbol.kind == "property" or bool(is_getter)


def _is_operator(symbol: Symbol, language: Language) -> bool:
    return symbol.name.startswith("operator") or any(symbol.name in names for names in language.protocols.values())


def silent_uses(store: Store, symbols: Sequence[Symbol]) -> list[str]:
    """Say how tests may use these definitions although no link leads there: as a property, by an operator or by dispatch."""
    registry = languages()
    code = [symbol for symbol in symbols if not symbol.is_test and symbol.language in registry]
    properties = [symbol.name for symbol in code if _is_property(symbol, registry[symbol.language or ""])]
    operators = [symbol.name for symbol in code if _is_operator(symbol, registry[symbol.language or ""])]
    overriding = {edge.of for edge in store.edges([symbol.chunk_id for symbol in code], "overrides", incoming=False)}
    dispatched = [symbol.name for symbol in code if symbol.chunk_id in overriding]
    ways = (
        (properties, "a property: where the type of an object is unknown, a read of it is not linked"),
        (
            operators,
            "run by an operator or a built-in function: where the type of an object is unknown, that is not linked",
        ),
        (dispatched, "chosen by dispatch: a test that calls the base alone may not be listed"),
    )
    return [
        f"{names[0]} is {way}" if len(names) == 1 else f"{len(names)} changes are {way}" for names, way in ways if names
    ]


def _families(symbols: Sequence[Symbol], removed: Sequence[str]) -> set[tuple[str, str]]:
    """Return the names by which definitions can be called, each with the family of languages that call it.

    `removed` are definitions that are gone, as `path:name`. Languages of one family (C and C++, JavaScript and TypeScript) call
    each other's definitions. Names of constructors are left out.
    """
    names = {(symbol.name, symbol.language) for symbol in symbols if symbol.name and symbol.kind != "module"}
    for removal in removed:
        path, _, name = removal.rpartition(":")
        # The index has no row of a removed definition any more, so its path tells the language.
        names.add((name.rpartition(".")[2], detect_language(path)))
    registry = languages()
    return {
        (name, registry[language].family)
        for name, language in names
        if language in registry and name not in registry[language].constructors
    }


class UnreadFiles:
    """The files of a store that were not read whole, and the names that their texts hold."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: list[FileRow] = []
        self._files: dict[str | None, list[FileRow]] = {}
        self._holders: dict[tuple[str, str], list[tuple[str, int]]] = {}

    def users(self, symbols: Sequence[Symbol], removed: Sequence[str] = ()) -> set[str]:
        """Return the paths of those files that may use one of these definitions.

        `removed` are deleted definitions, as `path:name`. A file counts if it holds the name of a definition besides the
        definition itself. A file without a text counts if its language can call the definition.
        """
        rows = self._store.unread_files()
        # A store returns the same list until the index changes.
        if rows is not self._rows:
            self._rows, self._files, self._holders = rows, _by_family(rows), {}
        own = Counter((symbol.file_path, symbol.name) for symbol in symbols)
        return {
            path
            for name, family in _families(symbols, removed)
            for path, count in self._holding(name, family)
            if count > own[path, name]
        }

    def _holding(self, name: str, family: str) -> list[tuple[str, int]]:
        """List the files of a family of languages that hold a name, each with how often. A file without a text may hold it.

        Lists are cached, because the definitions of one name ask for the same.
        """
        if (name, family) not in self._holders:
            # To read the texts of all files takes seconds in a large repository.
            holders = self._store.files_holding(name)
            counts = [
                (file.path, self._count(file, name))
                for file in self._files.get(family, ())
                if file.error is not None or holders is None or file.id in holders
            ]
            self._holders[name, family] = [(path, count) for path, count in counts if count]
        return self._holders[name, family]

    def _count(self, file: FileRow, name: str) -> int:
        """Count how often a name stands in a file as a whole word. A file without a text may hold it any number of times."""
        if file.error is not None:
            return sys.maxsize
        text, word = self._store.file_text(file.path) or b"", name.encode()
        count, start = 0, text.find(word)
        # A search for bytes takes a tenth of the time of a pattern.
        while start >= 0:
            end = start + len(word)
            count += not _WORD.search(text, max(0, start - 1), start) and not _WORD.search(text, end, end + 1)
            start = text.find(word, start + 1)
        return count


def unreadable_files(store: Store) -> Counter[str]:
    """Count the files without a text that may hold code, by the name of each language that can be called from there."""
    files = _by_family([file for file in store.unread_files() if file.error is not None])
    return Counter({name: len(files.get(language.family, ())) for name, language in languages().items()})


def unreadable_code(store: Store) -> list[FileRow]:
    """List the files without a text that are written in a language of which calls are read."""
    families = _by_family([file for file in store.unread_files() if file.error is not None])
    return [file for family, files in families.items() if family is not None for file in files]


def _by_family(rows: Sequence[FileRow]) -> dict[str | None, list[FileRow]]:
    """Group the files that may hold code by the family of their languages (None without one). Other files are left out."""
    registry = languages()
    groups: dict[str | None, list[FileRow]] = {}
    for file in rows:
        if file.error is None or file.error.startswith(FAILURES):
            # A file that could not be read has no language in the index.
            language = file.language or detect_language(file.path)
            groups.setdefault(registry[language].family if language in registry else None, []).append(file)
    return groups


def _tied(store: Store, symbols: Sequence[Symbol]) -> list[int]:
    """List the chunk ids of other overloads, in languages that have any, that may take the same number of arguments."""
    registry = languages()
    # The header `variadic` is set only for languages that tell overloads apart by their parameters.
    variadic = {
        symbol.chunk_id: symbol
        for symbol in symbols
        if symbol.language in registry and registry[symbol.language].variadic
    }
    tied: dict[int, None] = {}
    for chunk_id, overloads in store.overloads(list(variadic)).items() if variadic else ():
        fewest, largest = _arguments(variadic[chunk_id])
        for overload in overloads:
            overload_fewest, overload_largest = _arguments(overload)
            if overload.chunk_id not in variadic and overload_fewest <= largest and fewest <= overload_largest:
                tied[overload.chunk_id] = None
    return list(tied)


def _arguments(symbol: Symbol) -> tuple[int, int]:
    """Return the smallest and the largest number of arguments that a definition takes, read from its signature.

    A signature without parameters that can be read gives (0, ANY).
    """
    language = languages().get(symbol.language or "")
    if language is None:
        return 0, ANY
    # Modifiers and the type of the result may stand before the name, so parameters are read behind it.
    head = re.search(rf"\b{re.escape(symbol.name)}\b(?=\s*[(<])", symbol.signature)
    return read_parameters(symbol.signature[head.end() :].encode(), 0, language)[:2] if head else (0, ANY)
