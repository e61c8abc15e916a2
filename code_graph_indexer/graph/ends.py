"""Find the calls at which all known ways from a definition end, and what these calls might run."""

import re
from collections import defaultdict
from collections.abc import Sequence

from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.sites import open_sites
from code_graph_indexer.results import OpenSite, PathEnd, Symbol
from code_graph_indexer.storage import Store

MAX_ENDS = 5
"""Largest number of ends that an answer lists."""

MAX_MIGHT = 3
"""Most definitions that are listed for a call, of those that it might run."""


def path_ends(
    store: Store, below: Sequence[tuple[int, Symbol]], above: Sequence[Symbol], *, tests: bool
) -> tuple[PathEnd, ...]:
    """List the calls without a known target in the definitions `below`, which have their distance from the source.

    What a call might run has its name. A call of a parameter might run any function that is used as a value: of these, only the
    definitions `above` count, which are the target and what calls it. Calls that might lead to the target come first, then the
    nearest ones. `tests` says whether a call might run a definition in tests.
    """
    leading = {symbol.chunk_id for symbol in above}
    values = [symbol for symbol in above if store.callers([symbol.chunk_id], "references")]
    functions = [(depth, symbol) for depth, symbol in below if symbol.kind in FUNCTIONS]
    names = {
        text.rpartition(".")[2] for text in store.open_names([symbol.chunk_id for _, symbol in functions], "calls")
    }
    named: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in store.symbols(names, exact_case=True):
        if symbol.kind in FUNCTIONS and (tests or not symbol.is_test):
            named[symbol.name].append(symbol)
    by_name = set(open_sites(store, [symbol for symbols in named.values() for symbol in symbols], ()))
    ends: list[PathEnd] = []
    for site in store.open_sites(sorted(names), [symbol.chunk_id for symbols in named.values() for symbol in symbols]):
        around = [place for place in functions if _is_around(place[1], site)]
        if not around:
            continue
        # The innermost function around the call.
        depth, caller = max(around, key=lambda place: place[1].start_line)
        is_parameter = not site.receiver and re.search(
            rf"\b{re.escape(site.name)}\b", caller.signature.partition("(")[2]
        )
        might = values if is_parameter else named[site.name] if site in by_name else []
        chosen = [symbol for symbol in might if symbol.chunk_id in leading] or might
        if chosen:
            leads = chosen[0].chunk_id in leading
            ends.append(PathEnd(caller, site.file_path, site.line, site.name, depth, tuple(chosen[:MAX_MIGHT]), leads))
    return tuple(sorted(ends, key=lambda end: (not end.leads, end.depth))[:MAX_ENDS])


def _is_around(symbol: Symbol, site: OpenSite) -> bool:
    return symbol.file_path == site.file_path and symbol.start_line <= site.line <= symbol.end_line
