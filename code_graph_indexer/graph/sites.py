"""Judge call sites by what their languages say: which may run an override, and which unlinked ones may mean a definition."""

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
"""A receiver that may be a class, or an instance just made of one."""


class Binding(Enum):
    """Whose method a call runs: that of the class it names, of the object around it or one derived, or of any."""

    EARLY = "early"
    SELF = "self"
    LATE = "late"


def bindings(store: Store, calls: Sequence[Edge], sources: Sequence[str | None]) -> list[Binding]:
    """Say how each call is bound: `super().run()`, `Base.run(self)` and `Base().run()` early, `self.run()` by the object.

    `sources` gives the language in which each call stands.
    """
    named = [_CLASS_RECEIVER.search(one.receiver) for one in calls]
    classes = {one.name for one in store.symbols({match[1] for match in named if match}) if one.kind in CLASS_KINDS}
    known = languages()
    found: list[Binding] = []
    for edge, source, match in zip(calls, sources, named, strict=True):
        language = known.get(source or "")
        is_early = bool(match and match[1] in classes) or bool(language and edge.receiver in language.super_names)
        is_own = language is not None and (
            edge.receiver in language.self_names or (language.implicit_self and not edge.receiver)
        )
        found.append(Binding.EARLY if is_early else Binding.SELF if is_own else Binding.LATE)
    return found


def open_sites(store: Store, symbols: Sequence[Symbol], removed: Sequence[str]) -> list[OpenSite]:
    """List the calls without a target that may be of these definitions, or of what was removed, the likeliest first.

    `removed` are names with their files (`path:name`). A call that leads to an overload with as many parameters may be of the
    others too: their types are not compared. Left out are constructors, as who calls one says the name of its class,
    modules, and calls of a base that lies outside.
    """
    asked = {(one.name, one.language) for one in symbols if one.name and one.kind != "module"}
    for one in removed:
        path, _, name = one.rpartition(":")
        asked.add((name.rpartition(".")[2], detect_language(path)))
    known = languages()
    families = {
        (name, known[language].family)
        for name, language in asked
        if language in known and name not in known[language].constructors
    }
    sites = store.open_sites(sorted({name for name, _ in families}), [one.chunk_id for one in symbols])
    fitting = [
        one
        for one in sites
        if (one.name, known[one.language].family) in families and one.receiver not in known[one.language].super_names
    ]
    outside = store.outside_names({one.file_path for one in fitting})
    fitting = [one for one in fitting if one.receiver.partition(".")[0] not in outside.get(one.file_path, ())]
    fitting += store.tied_sites(_tied(store, symbols))
    common = Counter(one.name for one in fitting)
    return sorted(fitting, key=lambda one: (not one.candidate, one.is_test, common[one.name]))


def _tied(store: Store, symbols: Sequence[Symbol]) -> list[int]:
    """List the overloads of these definitions that may take as many arguments, and are none of them."""
    known = languages()
    asked = {one.chunk_id: one for one in symbols if one.language in known and known[one.language].variadic}
    found: dict[int, None] = {}
    for chunk_id, others in store.overloads(list(asked)).items() if asked else ():
        fewest, most = _takes(asked[chunk_id])
        for other in others:
            least, largest = _takes(other)
            if other.chunk_id not in asked and least <= most and fewest <= largest:
                found[other.chunk_id] = None
    return list(found)


def _takes(symbol: Symbol) -> tuple[int, int]:
    """Return the fewest and the most arguments that a definition takes, as its signature says."""
    language = languages()[symbol.language or ""]
    head = re.search(rf"\b{re.escape(symbol.name)}\b(?=\s*[(<])", symbol.signature)
    return read_parameters(symbol.signature[head.end() :].encode(), 0, language)[:2] if head else (0, ANY)
