"""Find the definitions around retrieved chunks, examples of the use of a definition, and definitions by name."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from code_graph_indexer.graph.names import Names
from code_graph_indexer.results import Filters, SourceType, Symbol
from code_graph_indexer.retrieval.fuse import Fused
from code_graph_indexer.retrieval.query import read_query
from code_graph_indexer.retrieval.results import RetrievedContext, SignalRank
from code_graph_indexer.retrieval.retriever import CodeRetriever
from code_graph_indexer.retrieval.stale import Root
from code_graph_indexer.storage import Store
from code_graph_indexer.storage.records import StoredChunk
from code_graph_indexer.syntax.records import CLASS_KINDS

MAX_PARENT_LINES = 400
"""Largest number of lines of a parent. The lines after them are cut off."""

MAX_USES = 200
"""Largest number of uses of a definition among which examples are chosen."""

TYPICAL_LINES = 40
"""Number of lines of a chunk that halves the score of an example: a longer chunk has more lines that are not about the use."""

WEIGHTS = {"example": 1.0, "markdown": 0.9, "test": 0.8, "code": 0.6}
"""Weight of a use by the kind of its file. Examples and guides weigh most, because they are written for readers."""

PARENT_KINDS = CLASS_KINDS | {"section"}


def with_parents(store: Store, contexts: Sequence[RetrievedContext], limit: int) -> list[RetrievedContext]:
    """Return the parents of retrieved chunks, which are the classes or sections around them, best first, at most `limit`.

    The score of a parent is the sum of the scores of its chunks, divided by the square root of their number. So many weak
    hits do not make a strong parent.
    """
    chunks = {context.id: context for context in store.chunks([context.node_id for context in contexts])}
    children: dict[int, list[RetrievedContext]] = defaultdict(list)
    parents: dict[int, StoredChunk] = {}
    for context in contexts:
        # An update since the search may have removed the chunk.
        if context.node_id in chunks:
            parent = _parent(store, chunks[context.node_id])
            parents[parent.id] = parent
            children[parent.id].append(context)
    scores = {key: sum(context.score for context in some) / math.sqrt(len(some)) for key, some in children.items()}
    best = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
    return [_whole(store, parents[key], scores[key], children[key]) for key in best]


def _parent(store: Store, chunk: StoredChunk) -> StoredChunk:
    """Return the class or section around a chunk. A chunk without either is returned itself.

    A block (part of a long definition) counts as its definition. So a block of a method gives the class of the method, and a
    block of a function gives the function.
    """
    around = {sibling.id: sibling for sibling in store.file_chunks(chunk.path)}
    definition = chunk
    # A block outside of any definition stays itself, because a whole module is too much to show.
    while (
        definition.kind == "block"
        and (outer := around.get(definition.parent_id or 0)) is not None
        and outer.kind != "module"
    ):
        definition = outer
    outer = around.get(definition.parent_id or 0)
    return outer if outer is not None and outer.kind in PARENT_KINDS else definition


def _whole(store: Store, parent: StoredChunk, score: float, children: Sequence[RetrievedContext]) -> RetrievedContext:
    text = (store.file_text(parent.path) or b"").decode("utf-8", "replace").split("\n")
    first, last = parent.start_line, max(parent.def_end_line, parent.end_line)
    last = min(last, first + MAX_PARENT_LINES - 1)
    # The best child lends its parent the fields that they share, such as language and repository.
    child = children[0]
    signal = SignalRank("children", len(children), score, score)
    return replace(
        child,
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


def examples(store: Store, name: str, limit: int, root: Root | None = None) -> list[RetrievedContext]:
    """Return chunks that use a definition, the most instructive first, at most `limit`.

    With `root`, the folder of the repository, those of changed files are marked stale. The best use of every file comes before
    the second use of any file. Raises NotInIndexError for a name that the index lacks.
    """
    nodes = Names(store).nodes(name)
    simple = nodes[0].name
    uses = [
        neighbour
        for kind in ("calls", "references")
        for neighbour in store.callers([node.chunk_id for node in nodes], kind)
    ]
    # Uses come most certain first. Reversed, the first use of a chunk is the one that sets its score.
    scores = {neighbour.symbol.chunk_id: neighbour.confidence for neighbour in reversed(uses[:MAX_USES])}
    guides = Filters(source_types=(SourceType.MARKDOWN.value,))
    # Guides mention the name in prose, which has no edges, so they are searched as text.
    scores |= {hit.chunk_id: 1.0 for hit in store.substrings(simple, guides, MAX_USES)}
    chunks = store.chunks(list(scores))
    files = store.files_of([chunk.id for chunk in chunks])
    seen: dict[str, int] = defaultdict(int)
    weighed: list[tuple[float, StoredChunk, str]] = []
    for chunk in chunks:
        marks = files[chunk.id].marks if chunk.id in files else ()
        kind = next((mark for mark in ("example", "test") if mark in marks), "code")
        kind = "markdown" if chunk.source_type == SourceType.MARKDOWN else kind
        lines = chunk.end_line - chunk.start_line + 1
        weighed.append((scores[chunk.id] * WEIGHTS[kind] / (1 + lines / TYPICAL_LINES), chunk, kind))
    weighed.sort(key=lambda entry: (-entry[0], entry[1].id))
    ranked: list[tuple[int, float, Fused]] = []
    for score, chunk, kind in weighed:
        # The rank within the file sorts first: every file shows its best use before any shows a second.
        ranked.append((seen[chunk.path], -score, Fused(chunk.id, score, (SignalRank(kind, 0, score, score),))))
        seen[chunk.path] += 1
    ranked.sort(key=lambda entry: entry[:2])
    return CodeRetriever(store, None, root=root).contexts([hit for _, _, hit in ranked[:limit]])


def find_symbols(store: Store, text: str, limit: int) -> list[Symbol]:
    """List the definitions that a text may name, tests last, at most `limit`.

    First come the names in the text and the names that its adjacent words form (`session middleware` →
    `SessionMiddleware`). Then come names that contain all words of the text, shortest first.
    """
    query = read_query(text)
    names = [*query.names, *query.joined, *(word for word in text.split() if word.isidentifier())]
    # Reversed, so that a name that occurs twice keeps its first position.
    place = {name.lower(): at for at, name in reversed(list(enumerate(names)))}
    symbols = sorted(store.symbols(names), key=lambda symbol: place[symbol.name.lower()])
    if len(symbols) < limit and query.words:
        holding = [name for name in store.symbol_names() if all(word in name.lower() for word in query.words)]
        # The shorter a name that holds all the words, the less else it says.
        symbols += store.symbols(sorted(holding, key=lambda name: (len(name), name))[:limit])
    # The sort is stable: tests go to the end, and all else keeps its order.
    return sorted(dict.fromkeys(symbols), key=lambda symbol: symbol.is_test)[:limit]
