"""Show the places that hold the name of a member and are linked to no definition, beside the callers that are known."""

import re
from collections.abc import Sequence

from code_graph_indexer.explore.page import Page
from code_graph_indexer.explore.quotes import Quotes
from code_graph_indexer.explore.texts import LEAST_NAME, LINE, matching_lines
from code_graph_indexer.explore.topic import is_comment
from code_graph_indexer.graph.declared import FUNCTIONS
from code_graph_indexer.graph.results import Step
from code_graph_indexer.results import Filters, Symbol
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk, definition_id

LIST = 0.22
"""The share of the room that the list takes."""

MEMBER_KINDS = frozenset({"method", "property", "field"})
"""Kinds of definitions that are used behind a dot."""

MAX_NAMING = 4
"""The most lines that name a function which nothing known calls. What more lines name is another thing of this name."""

MAX_TEXTS = 60
"""The most chunks that may hold a name that is searched in the text."""


def quote_unlinked(page: Page, store: Store, quotes: Quotes, symbol: Symbol, steps: Sequence[Step]) -> None:
    """List the places outside tests that hold the name of a member and are linked to no definition, and quote them."""
    places = unlinked_places(store, symbol, steps)
    rows = [f"{path}:{number}  {owner.qualified_name if owner else ''}" for path, number, owner in places]
    page.list("## Uses of the name that are linked to nothing", rows, share=LIST)
    _quote_sites(page, quotes, places)


def unlinked_places(store: Store, symbol: Symbol, steps: Sequence[Step]) -> list[tuple[str, int, Symbol | None]]:
    """List the places outside tests that hold the name of a member and are linked to no definition, with what is around.

    These are reads of properties, and calls on values whose type is not known. A search for the text would find them too.
    `steps` are those that are linked to it.
    """
    if symbol.kind not in MEMBER_KINDS or len(symbol.name) < LEAST_NAME:
        return []
    lines = _code_lines(store, f".{symbol.name}", rf"\.{re.escape(symbol.name)}\b")
    nodes = {chunk.id: definition_id(chunk) for chunk, _, _ in lines}
    linked = {(step.file_path, step.line) for step in steps}
    edges = store.edges(list(set(nodes.values())), "calls", incoming=False)
    ends = store.nodes([edge.chunk_id for edge in edges])
    namesakes = {chunk_id for chunk_id, node in ends.items() if node.name == symbol.name}
    elsewhere = {(edge.of, edge.line) for edge in edges if edge.chunk_id in namesakes}
    around = store.nodes(list(set(nodes.values())))
    return [
        (chunk.path, number, around.get(nodes[chunk.id]))
        for chunk, number, _ in lines
        if (chunk.path, number) not in linked and (nodes[chunk.id], number) not in elsewhere
    ]


def quote_naming(page: Page, store: Store, quotes: Quotes, symbol: Symbol) -> None:
    """List and quote the few lines that name a function which nothing known calls: a slot, a handler, a route by its name."""
    if symbol.kind not in FUNCTIONS or len(symbol.name) < LEAST_NAME:
        return
    # The calls of a declaration are those of its definition.
    namesakes = store.symbols([symbol.name], exact_case=True)
    ids = [namesake.node_id for namesake in namesakes]
    if any(store.edges(ids, kind, incoming=True) for kind in ("calls", "references", "overrides")):
        return
    defined = {(namesake.file_path, namesake.start_line) for namesake in namesakes}
    lines = [
        (chunk, number, line)
        for chunk, number, line in _code_lines(store, symbol.name, rf"(?<!\w){re.escape(symbol.name)}(?!\w)")
        if (chunk.path, number) not in defined
        and not (chunk.path == symbol.file_path and symbol.start_line <= number <= symbol.end_line)
    ]
    if len(lines) > MAX_NAMING:
        return
    around = store.nodes(list({definition_id(chunk) for chunk, _, _ in lines}))
    rows = [f"{chunk.path}:{number}  {line.strip()[:LINE]}" for chunk, number, line in lines]
    page.list(f"## No call of {symbol.qualified_name} is linked; its name stands at", rows, share=LIST)
    _quote_sites(page, quotes, [(chunk.path, number, around.get(definition_id(chunk))) for chunk, number, _ in lines])


def _code_lines(store: Store, text: str, pattern: str) -> list[tuple[StoredChunk, int, str]]:
    """List the lines of code outside tests that match a pattern, each with its chunk, unless many chunks hold the text."""
    hits = store.substrings(text, Filters(tests=False, source_types=("code",)), MAX_TEXTS + 1)
    if len(hits.ids) > MAX_TEXTS:
        return []
    lines = matching_lines(store, store.chunks(hits.ids.tolist()), re.compile(pattern))
    return [place for place in lines if not is_comment(place[2])]


def _quote_sites(page: Page, quotes: Quotes, places: Sequence[tuple[str, int, Symbol | None]]) -> None:
    """Quote lines, given as path, number and the definition around."""
    for path, number, owner in places:
        if owner is not None:
            quotes.site(page, owner, path, number)
