"""The frozen records of retrieval: what is asked, what is found, what is answered. Lines are 1-based and inclusive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from code_graph_indexer.types import SourceType
from code_graph_indexer.words import estimate_tokens


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
