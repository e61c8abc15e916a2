"""Find the calls that may run an override, and the unresolved calls that may mean a definition."""

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum

from code_graph_indexer.languages import detect_language, languages
from code_graph_indexer.results import OpenSite, Symbol
from code_graph_indexer.storage import Edge, Store
from code_graph_indexer.syntax.parameters import ANY, read_parameters
from code_graph_indexer.syntax.records import CLASS_KINDS

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
    classes = {symbol.name for symbol in symbols if symbol.kind in CLASS_KINDS}
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
    names = {(symbol.name, symbol.language) for symbol in symbols if symbol.name and symbol.kind != "module"}
    for removal in removed:
        path, _, name = removal.rpartition(":")
        # The index has no row of a removed definition any more, so its path tells the language.
        names.add((name.rpartition(".")[2], detect_language(path)))
    registry = languages()
    # Languages of one family (C and C++, JavaScript and TypeScript) call each other's definitions.
    families = {
        (name, registry[language].family)
        for name, language in names
        if language in registry and name not in registry[language].constructors
    }
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


def _tied(store: Store, symbols: Sequence[Symbol]) -> list[int]:
    """List the chunk ids of other overloads of these definitions that may take the same number of arguments."""
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
    language = languages()[symbol.language or ""]
    # Modifiers and the type of the result may stand before the name, so parameters are read behind it.
    head = re.search(rf"\b{re.escape(symbol.name)}\b(?=\s*[(<])", symbol.signature)
    return read_parameters(symbol.signature[head.end() :].encode(), 0, language)[:2] if head else (0, ANY)
