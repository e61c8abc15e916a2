"""The frozen records with which a question is answered in words. Lines are 1-based and inclusive."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from code_graph_indexer.results import ExpectedWord, SourceType
from code_graph_indexer.retrieval.results import Doubt, RetrievedContext
from code_graph_indexer.words import estimate_tokens


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer cites, as [path:start-end].

    `problem` says why the citation does not hold. It is empty if the citation holds.

    Example:
        >>> citation = indexer.ask("who calls add_tax?").citations[0]
        >>> citation.path, citation.valid
        ('shop/pricing.py', True)
    """

    path: str
    start_line: int
    end_line: int
    problem: str = ""

    @property
    def valid(self) -> bool:
        """Say whether the citation holds, that is, whether `problem` is empty."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question: the text, its sources, and its citations, which are checked.

    If no language model was asked, `generated` is False, and the text consists of the sources themselves, in order.

    Example:
        >>> answer = indexer.ask("who calls add_tax?").answer
        >>> answer.generated
        False
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

    def _repr_markdown_(self) -> str:
        """Return the text, for notebooks."""
        return self.text


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A chunk that was added because it is near a retrieved chunk in the graph, with the reason.

    `type` is parent_class, sibling, method, import, parent_section, child_section, or a relation of RelatedDefinition.

    Example:
        >>> items = indexer.ask("how is an order placed and stored?").items
        >>> "callee" in {item.type for item in items}
        True
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
        """Return the estimated number of tokens of the content."""
        return estimate_tokens(self.content)


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """A search that was run for a question.

    `found` is the number of results. `steps` are sentences that say which filters were dropped, and why. `expect` are the
    expected words that it searched first.

    Example:
        >>> requests = indexer.ask("how is an order placed and stored?").requests
        >>> requests[0].query
        'how is an order placed and stored?'
    """

    query: str
    reasoning: str
    found: int
    source_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    expect: str = ""


@dataclass(frozen=True, slots=True)
class RAGResult:
    """An answer, with a record of how it was made.

    `route` is the kind of question, `retriever` the retriever that was chosen, and `reason` why. `summary` is the graph's
    answer in words. `decision` and `confidence` (0 to 1) are the judgement of the context, and `missing` are the words of the
    question that the context lacks. `doubt` is None if the first source is surely right. `expected` are the words that the
    asker or the model expects in the code. `timings` maps stages to milliseconds. `cost` is in US dollars, or None without
    prices.

    Example:
        >>> result = indexer.ask("who calls add_tax?")
        >>> result.retriever, result.summary
        ('graph', '1 callers of shop.pricing.add_tax: shop.cart.Cart.total (shop/cart.py:24). (1 proven)')
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
    doubt: Doubt | None = None
    expected: tuple[ExpectedWord, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None

    @property
    def text(self) -> str:
        """Return the answer's text."""
        return self.answer.text

    def _repr_markdown_(self) -> str:
        """Return the answer's text, for notebooks."""
        return self.text

    @property
    def sources(self) -> tuple[RetrievedContext, ...]:
        """Return the sources that the answer was written from."""
        return self.answer.sources

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Return the places that the answer cites. Each has been checked."""
        return self.answer.citations

    @property
    def generated(self) -> bool:
        """Say whether a language model wrote the answer."""
        return self.answer.generated

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return warnings that the reader should know before relying on the answer."""
        return self.answer.warnings
