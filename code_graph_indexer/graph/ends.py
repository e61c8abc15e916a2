"""Find the calls at which all known ways from a definition end, and what these calls might run."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.results import PathEnd
from code_graph_indexer.graph.sites import open_sites
from code_graph_indexer.results import OpenSite, Symbol
from code_graph_indexer.storage import Store

MAX_ENDS = 5
"""Largest number of ends that an answer lists."""

MAX_MIGHT = 3
"""Most definitions that are listed for a call, of those that it might run."""

MAX_READ = 100
"""Most functions whose text is searched for calls of what an expression gives."""

MAX_SHOWN = 40
"""Most characters that are shown of such an expression."""

COMMENT_STARTS = ("#", "//", "/*", "*", "--")
"""The starts of lines of comments."""

_COMPUTED = re.compile(r"[\])]\(")
"""Pattern of a call of what an expression gives: `handlers[name](request)`, `make()(request)`."""

_LEADING = re.compile(r"^.*(?<![=!<>])=\s|^(?:return|await|yield|if|elif|while)\s+")
"""Pattern of what stands before such an expression in its line."""

_CAST = re.compile(r"(?:^|[^\w\])>])\([\w\s*.:<>]+\)$")
"""Pattern of what stands before the bracket if it is no call, but a cast: `(size_t)(length)`."""

Functions = Sequence[tuple[int, Symbol]]
"""Functions, each with its distance from the source."""


def path_ends(
    store: Store, below: Sequence[tuple[int, Symbol]], above: Sequence[Symbol], *, tests: bool
) -> tuple[PathEnd, ...]:
    """List the calls without a known target in the definitions `below`, which have their distance from the source.

    What a call might run has its name. A call of a parameter, or of what an expression gives, might run any function that is
    used as a value: of these, only the definitions `above` count, which are the target and what calls it. Calls that might
    lead to the target come first, then the nearest ones. `tests` says whether a call might run a definition in tests.
    """
    leading = {symbol.chunk_id for symbol in above}
    values = tuple(symbol for symbol in above if store.callers([symbol.chunk_id], "references"))
    functions = [(depth, symbol) for depth, symbol in below if symbol.kind in FUNCTIONS]
    ends: dict[tuple[int, str], PathEnd] = {}
    for end in (*_computed_ends(store, functions, values), *_site_ends(store, functions, leading, values, tests)):
        ends.setdefault((end.caller.chunk_id, end.name), end)
    return tuple(sorted(ends.values(), key=lambda end: (not end.leads, end.depth))[:MAX_ENDS])


def _computed_ends(store: Store, functions: Functions, values: Sequence[Symbol]) -> Iterator[PathEnd]:
    """Yield the calls of what an expression gives, in the first MAX_READ functions, as ends that might run any of `values`."""
    for depth, symbol in functions[:MAX_READ] if values else ():
        for line, name in _computed_calls(store, symbol):
            yield PathEnd(symbol, symbol.file_path, line, name, depth, tuple(values[:MAX_MIGHT]), True)


def _site_ends(
    store: Store, functions: Functions, leading: Collection[int], values: Sequence[Symbol], tests: bool
) -> Iterator[PathEnd]:
    """Yield the calls in some functions that are linked to nothing, with what they might run.

    A call of a parameter might run any of `values`, and any other call what has its name, in tests only if `tests`. A call is
    left out if it might run nothing, or has a name of one word and runs none of `leading`, the chunks that lead to the target.
    """
    named = _functions_by_name(store, functions, tests)
    candidates = [symbol for symbols in named.values() for symbol in symbols]
    by_name = set(open_sites(store, candidates, ()))
    for site in store.open_sites(sorted(named), [symbol.chunk_id for symbol in candidates]):
        around = [place for place in functions if _is_around(place[1], site)]
        if not around:
            continue
        # The innermost function around the call.
        depth, caller = max(around, key=lambda place: place[1].start_line)
        parameters = caller.signature.partition("(")[2].rpartition(")")[0]
        is_parameter = not site.receiver and re.search(rf"\b{re.escape(site.name)}\b", parameters)
        might: Sequence[Symbol] = values if is_parameter else named[site.name] if site in by_name else ()
        chosen = [symbol for symbol in might if symbol.chunk_id in leading]
        # A name of one word, such as `get`, says little.
        if chosen or (might and _is_telling(site)):
            might = tuple((chosen or might)[:MAX_MIGHT])
            yield PathEnd(caller, site.file_path, site.line, site.name, depth, might, bool(chosen))


def _functions_by_name(store: Store, functions: Iterable[tuple[int, Symbol]], tests: bool) -> dict[str, list[Symbol]]:
    """Map the names of calls in these functions that lead nowhere to functions so named, in tests only with `tests`."""
    names = {
        text.rpartition(".")[2] for text in store.open_names([symbol.chunk_id for _, symbol in functions], "calls")
    }
    named: dict[str, list[Symbol]] = {name: [] for name in names}
    for symbol in store.symbols(names, exact_case=True):
        if symbol.kind in FUNCTIONS and (tests or not symbol.is_test):
            named[symbol.name].append(symbol)
    return named


def _computed_calls(store: Store, function: Symbol) -> Iterator[tuple[int, str]]:
    """Yield the line of each call of what an expression gives, with the end of the expression."""
    text = (store.file_text(function.file_path) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n")[function.start_line - 1 : function.end_line], function.start_line):
        for call in _COMPUTED.finditer(line):
            before = line[: call.start() + 1].strip()
            if not before.startswith(COMMENT_STARTS) and not _CAST.search(before):
                expression = _LEADING.sub("", before)
                yield number, expression if len(expression) <= MAX_SHOWN else f"…{expression[-MAX_SHOWN:]}"


def _is_telling(site: OpenSite) -> bool:
    return "_" in site.name.strip("_") or site.name.lower() != site.name


def _is_around(symbol: Symbol, site: OpenSite) -> bool:
    return symbol.file_path == site.file_path and symbol.start_line <= site.line <= symbol.end_line
