"""Search small, return big: the definitions that hold the chunks found; and real uses of a definition, as examples."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from code_graph_indexer.graph import Names
from code_graph_indexer.results import Filters, RetrievedContext, SignalRank, SourceType, Symbol
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_PARENT_LINES = 400
"""Lines given of a parent; what is longer is cut behind them."""

MAX_USES = 200
"""Uses of a definition among which examples are chosen."""

TYPICAL_LINES = 40
"""Lines of an example that shows a use without much around it."""

WEIGHTS = {"example": 1.0, "markdown": 0.9, "test": 0.8, "code": 0.6}
"""How instructive a use is by where it stands: examples and guides are written to be read."""

PARENT_KINDS = CLASS_KINDS | {"section"}


def with_parents(store: Store, found: Sequence[RetrievedContext], limit: int) -> list[RetrievedContext]:
    """Give the definitions that hold the chunks found, best first, whole.

    A parent's score is the sum of its children's, over the root of their number: many weak hits are no strong one.
    """
    chunks = {one.id: one for one in store.chunks([one.node_id for one in found])}
    children: dict[int, list[RetrievedContext]] = defaultdict(list)
    parents: dict[int, StoredChunk] = {}
    for one in found:
        if one.node_id in chunks:
            parent = _parent(store, chunks[one.node_id])
            parents[parent.id] = parent
            children[parent.id].append(one)
    scores = {key: sum(one.score for one in some) / math.sqrt(len(some)) for key, some in children.items()}
    best = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
    return [_whole(store, parents[key], scores[key], children[key]) for key in best]


def _parent(store: Store, chunk: StoredChunk) -> StoredChunk:
    """Find what holds a chunk: the definition of a block, the class of a method, the section of a section."""
    around = {one.id: one for one in store.file_chunks(chunk.path)}
    own = chunk
    while own.kind == "block" and (outer := around.get(own.parent_id or 0)) is not None and outer.kind != "module":
        own = outer
    outer = around.get(own.parent_id or 0)
    return outer if outer is not None and outer.kind in PARENT_KINDS else own


def _whole(store: Store, parent: StoredChunk, score: float, children: Sequence[RetrievedContext]) -> RetrievedContext:
    text = (store.file_text(parent.path) or b"").decode("utf-8", "replace").split("\n")
    first, last = parent.start_line, max(parent.def_end_line, parent.end_line)
    last = min(last, first + MAX_PARENT_LINES - 1)
    one = children[0]
    signal = SignalRank("children", len(children), score, score)
    return replace(
        one,
        node_id=parent.id,
        content="\n".join(text[first - 1 : last]) + "\n",
        score=score,
        type=parent.kind,
        start_line=first,
        end_line=last,
        name=parent.name,
        qualified_name=parent.qualified_name,
        signature=parent.signature,
        signals=(signal,),
    )


def examples(store: Store, name: str, limit: int) -> list[RetrievedContext]:
    """Give uses of a definition, the most instructive first, at most one of each file as long as there are others.

    Raises NotInIndexError for a name that is not there.
    """
    nodes = Names(store).nodes(name)
    simple = nodes[0].name
    uses = [one for kind in ("calls", "references") for one in store.callers([each.chunk_id for each in nodes], kind)]
    scores = {one.symbol.chunk_id: one.confidence for one in reversed(uses[:MAX_USES])}
    guides = Filters(source_types=(SourceType.MARKDOWN.value,))
    scores |= {hit.chunk_id: 1.0 for hit in store.substrings(simple, guides, MAX_USES)}
    chunks = store.chunks(list(scores))
    files = store.files_of([one.id for one in chunks])
    seen: dict[str, int] = defaultdict(int)
    weighed: list[tuple[float, StoredChunk, str]] = []
    for one in chunks:
        marks = files[one.id].marks if one.id in files else ()
        kind = next((mark for mark in ("example", "test") if mark in marks), "code")
        kind = "markdown" if one.source_type == SourceType.MARKDOWN else kind
        lines = one.end_line - one.start_line + 1
        weighed.append((scores[one.id] * WEIGHTS[kind] / (1 + lines / TYPICAL_LINES), one, kind))
    weighed.sort(key=lambda entry: (-entry[0], entry[1].id))
    ranked: list[tuple[int, float, Fused]] = []
    for score, one, kind in weighed:
        ranked.append((seen[one.path], -score, Fused(one.id, score, (SignalRank(kind, 0, score, score),))))
        seen[one.path] += 1
    ranked.sort(key=lambda entry: entry[:2])
    return CodeRetriever(store, None).contexts([one for _, _, one in ranked[:limit]])


def find_symbols(store: Store, text: str, limit: int) -> list[Symbol]:
    """List the definitions whose names a text has or its words may form: as written first, then those that hold them."""
    query = read_query(text)
    wanted = [*query.names, *query.joined, *(one for one in text.split() if one.isidentifier())]
    place = {one.lower(): at for at, one in reversed(list(enumerate(wanted)))}
    named = sorted(store.symbols(wanted), key=lambda one: place[one.name.lower()])
    if len(named) < limit and query.words:
        holding = [one for one in store.symbol_names() if all(word in one.lower() for word in query.words)]
        named += store.symbols(sorted(holding, key=lambda one: (len(one), one))[:limit])
    return sorted(dict.fromkeys(named), key=lambda one: one.is_test)[:limit]
