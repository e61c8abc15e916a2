"""The frozen records of retrieval: what is asked, what is found, what is answered. Lines are 1-based and inclusive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from code_graph_indexer.words import estimate_tokens


class SourceType(StrEnum):
    """Say what sort of text a file holds."""

    CODE = "code"
    MARKDOWN = "markdown"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition of the index; `chunk_id` is the node of the graph that holds it."""

    chunk_id: int
    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    file_path: str
    start_line: int
    end_line: int
    language: str | None
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class OpenSite:
    """A call that could not be linked; `candidate` says that what is asked about is one of what it may mean."""

    file_path: str
    line: int
    name: str
    receiver: str
    language: str
    is_test: bool
    candidate: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One end of an edge as seen from the other; `line` is where the reference stands."""

    symbol: Symbol
    kind: str
    line: int
    confidence: float
    origin: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Say how far a long run is: `done` of `total` units of a stage."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did; edges, references and skipped files are counted when all of them were written, or exact ones.

    `warnings` say what of the SCIP indexes was not used.
    """

    files: int
    changed: int
    removed: int
    lines: int
    chunks: int
    edges: Mapping[str, int]
    references: Mapping[str, int]
    skipped: Mapping[str, int]
    full: bool
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileOutline:
    """The definitions of a file in order; `depths` gives the nesting of each chunk, by id."""

    path: str
    symbols: tuple[Symbol, ...]
    depths: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is restricted to, before anything is ranked; an empty field does not restrict.

    `directory` is a folder below the root; `file_patterns` are globs over the path in which `*` also crosses `/`. What any
    field of `excluded` names is kept out.
    """

    repo_id: str | None = None
    languages: tuple[str, ...] = ()
    directory: str | None = None
    chunk_types: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    tests: bool | None = None
    excluded: "Filters | None" = None


@dataclass(frozen=True, slots=True)
class RelatedDefinition:
    """A neighbour of a chunk in the call graph; `relation` is `caller`, `callee`, `base` or `derived`."""

    relation: str
    node_id: int
    qualified_name: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    line: int
    confidence: float


class SignalRank(NamedTuple):
    """What a signal, boost or penalty said of a result: its rank (from 1; 0 for no signal), its score, and what it added."""

    signal: str
    rank: int
    score: float
    contribution: float


@dataclass(frozen=True, slots=True)
class RetrievedContext:
    """A chunk that answers a query, best first; lines are 1-based and inclusive, a higher score is better.

    `type` is the chunk's kind; `context_header` names where it stands (module, class, relevant imports);
    `related_definitions` are its callers and callees. `stale` says that the file on disk has changed since it was indexed;
    `reasoning` says what the request was for that found it.
    """

    node_id: int
    file_path: str
    content: str
    score: float
    type: str
    start_line: int
    end_line: int
    context_header: str = ""
    related_definitions: tuple[RelatedDefinition, ...] = ()
    name: str = ""
    qualified_name: str = ""
    signature: str = ""
    language: str | None = None
    source_type: SourceType = SourceType.CODE
    repo_id: str = ""
    stale: bool = False
    reasoning: str = ""
    signals: tuple[SignalRank, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer cites, [path:start-end], and what checking it found; `problem` is empty when it holds."""

    path: str
    start_line: int
    end_line: int
    problem: str = ""

    @property
    def valid(self) -> bool:
        """Say whether the citation lies within what the answer was given."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question: the text, the sources it was given, and its citations, checked.

    `generated` is False when no language model was asked and the text is the ordered context itself.
    """

    question: str
    text: str
    sources: tuple[RetrievedContext, ...]
    citations: tuple[Citation, ...] = ()
    generated: bool = False
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextItem:
    """What stands around a chunk that was found, with the reason it is given for.

    `type` is parent_class, sibling, method, import, caller, callee, base, derived, parent_section or child_section.
    """

    type: str
    content: str
    reasoning: str
    file_path: str
    start_line: int
    qualified_name: str = ""
    chunk_kind: str = ""
    node_id: int = 0
    language: str | None = None
    source_type: SourceType = SourceType.CODE
    repo_id: str = ""

    @property
    def token_count(self) -> int:
        """Return the estimated tokens of the content."""
        return estimate_tokens(self.content)


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """A request that was made for a question, how much it found, and which of its filters were given up."""

    query: str
    reasoning: str
    found: int
    source_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RAGResult:
    """An answer, and how it came about.

    `route` is what the question was found to be, `retriever` what answered it, `reason` why; `summary` is what the graph
    says in words. `decision` and `confidence` (0 to 1) are the evaluator's, `missing` what it did not find. `timings` are
    milliseconds by stage; `cost` is in US dollars, None where no prices are set.
    """

    answer: Answer
    route: str
    retriever: str
    reason: str
    requests: tuple[RequestTrace, ...] = ()
    summary: str = ""
    items: tuple[ContextItem, ...] = ()
    decision: str = "synthesize"
    confidence: float = 1.0
    missing: tuple[str, ...] = ()
    rounds: int = 1
    timings: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None

    @property
    def text(self) -> str:
        """Return the answer's text."""
        return self.answer.text

    @property
    def sources(self) -> tuple[RetrievedContext, ...]:
        """Return what the answer was given."""
        return self.answer.sources

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the places that the answer cites, checked."""
        return self.answer.citations

    @property
    def generated(self) -> bool:
        """Say whether a language model wrote the answer."""
        return self.answer.generated

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what is to be known before the answer is believed."""
        return self.answer.warnings


PROVEN = 0.9
"""Confidence from which an edge is called proven: of those, more than 97 in 100 are right (docs/calls.md)."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure an answer is: edges that are proven, guessed by name, or may be taken by dynamic dispatch.

    `unresolved` counts the call sites that could not be linked and might belong to the answer; `truncated` says that a limit of
    depth, size or time cut the answer off.
    """

    proven: int = 0
    guessed: int = 0
    may: int = 0
    unresolved: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One edge as seen from where the question started.

    `symbol` is what it leads to, `line` where the reference stands, in `file_path`; `depth` counts from 1.
    `kind` is that of the edge; `confidence` is the lowest on the way there, `may` says that somewhere on it an edge is taken
    only when dynamic dispatch chooses an override. `via` is the symbol it was reached from.
    """

    symbol: Symbol
    kind: str
    file_path: str
    line: int
    confidence: float
    depth: int = 1
    may: bool = False
    via: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    """What is reached from one definition, nearest first."""

    symbol: Symbol
    steps: tuple[Step, ...]
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class CallPaths:
    """The shortest ways from one definition to another; each is the list of its steps."""

    source: Symbol
    target: Symbol
    paths: tuple[tuple[Step, ...], ...]
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Impact:
    """Who is affected when some definitions change, by distance, and the test files to run.

    Tests that changed come first, then those that are nearest. `unmapped` are changed files without definitions in the index,
    `removed` the names that a diff takes away, with their files (`path:name`), `open_sites` calls that could not be linked
    and may be of what changed, the likeliest first.
    """

    changed: tuple[Symbol, ...]
    affected: tuple[Step, ...]
    tests: tuple[str, ...]
    certainty: Certainty
    unmapped: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    open_sites: tuple[OpenSite, ...] = ()


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The classes above and below a class."""

    symbol: Symbol
    bases: tuple[Step, ...]
    derived: tuple[Step, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file that imports, or is imported by, another one; `lines` are where the imports stand."""

    path: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileLinks:
    """What a file imports, or what imports it; `outside` are imported modules that are not in the repository."""

    path: str
    files: tuple[FileLink, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unused:
    """A definition without a known reference, with how sure it is that it is not used, and why not surer."""

    symbol: Symbol
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A definition that much depends on; `rank` is its PageRank in the graph of calls, 1 divided by their number on average."""

    symbol: Symbol
    callers: int
    callees: int
    rank: float


@dataclass(frozen=True, slots=True)
class Community:
    """Files that refer to each other more than to others; `folder` holds most of them, `hubs` are referred to most."""

    folder: str
    files: tuple[str, ...]
    hubs: tuple[str, ...]
    inside: int
    outside: int


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of an exported graph: a file, or a definition."""

    id: str
    label: str
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of an exported graph; `weight` counts the references between its ends."""

    source: str
    target: str
    kind: str
    weight: int
    confidence: float


@dataclass(frozen=True, slots=True)
class GraphExport:
    """A part of the graph, to be drawn or computed with."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class ScipExport:
    """What a SCIP index that was written holds."""

    path: str
    documents: int
    definitions: int
    references: int
