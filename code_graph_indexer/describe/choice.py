"""Choose the definitions to describe, and gather what a language model reads of each."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from code_graph_indexer.ask.context import one_line
from code_graph_indexer.graph.unused import is_hidden
from code_graph_indexer.resolve.facts import CALLABLE_KINDS
from code_graph_indexer.results import Symbol
from code_graph_indexer.storage import Store

MAX_BODY, MAX_DOC = 2_000, 600
"""The most characters that are read of a definition and of its documentation. The rest seldom changes what it is for."""

MAX_CALLERS = 5
"""The most callers that are named. They tell what a definition is used for."""

USES = ("calls", "inherits", "types")
"""The kinds of references by which definitions are ordered: the most used are described first."""


class Subject(NamedTuple):
    """A text to describe: the hash of its content, and the chunks with this content, which mostly is one."""

    content_hash: bytes
    chunk_ids: tuple[int, ...]


class Material(NamedTuple):
    """What a language model reads of a definition."""

    subject: Subject
    symbol: Symbol
    callers: tuple[str, ...]
    doc: str
    body: str


def undescribed_subjects(store: Store) -> list[Subject]:
    """List what nobody has described of the definitions that others can name, the most used first.

    Tests, examples, generated and vendored files are left out.
    """
    hashes = dict(store.undescribed())
    definitions, parents = store.nodes(), store.parents()
    marks = store.chunk_marks(list(hashes))
    uses = Counter(edge.chunk_id for edge in store.all_edges(USES))
    chunk_ids: dict[bytes, list[int]] = defaultdict(list)
    for chunk_id, content_hash in hashes.items():
        if marks.get(chunk_id) != "test" and _is_nameable(chunk_id, definitions, parents):
            chunk_ids[content_hash].append(chunk_id)
    subjects = [Subject(content_hash, tuple(ids)) for content_hash, ids in chunk_ids.items()]
    return sorted(
        subjects, key=lambda subject: (-max(uses[chunk_id] for chunk_id in subject.chunk_ids), subject.chunk_ids)
    )


def _is_nameable(chunk_id: int, definitions: Mapping[int, Symbol], parents: Mapping[int, int]) -> bool:
    """Say whether code of other repositories can name a definition: it and all around it are public, and no function is."""
    current: int | None = chunk_id
    while current is not None and (symbol := definitions.get(current)) is not None:
        parent_id = parents.get(current)
        parent = definitions.get(parent_id) if parent_id is not None else None
        if symbol.kind != "module" and is_hidden(symbol, parent):
            return False
        if current != chunk_id and symbol.kind in CALLABLE_KINDS:
            return False
        current = parent_id
    return True


def materials(store: Store, subjects: Sequence[Subject]) -> list[Material]:
    """Return what a language model reads of some subjects, in their order. One that is gone from the index is left out."""
    subject_of = {subject.chunk_ids[0]: subject for subject in subjects}
    ids = list(subject_of)
    edges = store.callers_of(ids, MAX_CALLERS)
    nodes = store.nodes([*ids, *{edge.chunk_id for edge in edges}])
    callers: dict[int, list[str]] = defaultdict(list)
    for edge in edges:
        if edge.chunk_id != edge.of and edge.chunk_id in nodes:
            callers[edge.of].append(nodes[edge.chunk_id].qualified_name)
    chunks = store.chunks(ids)
    store.read_texts(chunk.file_id for chunk in chunks)
    gathered = []
    for chunk in chunks:
        # A character has at most four bytes. The children of a definition belong to it, so its own text is not enough.
        start = store.text_of(chunk.file_id)[chunk.start_byte : chunk.start_byte + 4 * MAX_BODY]
        lines = start.decode("utf-8", "replace").split("\n")[: chunk.def_end_line - chunk.start_line + 1]
        body = "\n".join(lines)[:MAX_BODY]
        doc = chunk.doc.strip()[:MAX_DOC]
        names = tuple(dict.fromkeys(one_line(name) for name in callers[chunk.id]))
        gathered.append(
            Material(subject_of[chunk.id], nodes[chunk.id], names, "" if doc and doc in body else doc, body)
        )
    return gathered
