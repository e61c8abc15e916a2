"""The frozen records for filters, search results, answers and walks in the graph. Lines are 1-based and inclusive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from code_graph_indexer.words import estimate_tokens


class SourceType(StrEnum):
    """The type of text that a file holds.

    Example:
        >>> indexer.retrieve("add_tax", limit=1)[0].source_type.value
        'code'
    """

    CODE = "code"
    MARKDOWN = "markdown"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in an answer. `chunk_id` is the id of the chunk (a node of the graph) that contains the definition.

    Example:
        >>> symbol = indexer.symbol("add_tax")[0]
        >>> symbol.kind, symbol.qualified_name
        ('function', 'shop.pricing.add_tax')
    """

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
    """A call in an answer that could not be linked to a definition.

    `candidate` is true if the definition in question is one of the possible targets.

    Example:
        >>> indexer.graph.impact("add_tax").open_sites
        ()
    """

    file_path: str
    line: int
    name: str
    receiver: str
    language: str
    is_test: bool
    candidate: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge in an answer, with the definition at its far end. `line` is the line of the reference.

    Example:
        >>> chunk_id = indexer.symbol("add_tax")[0].chunk_id
        >>> [neighbour.symbol.name for neighbour in indexer.store.callers([chunk_id])]
        ['total']
    """

    symbol: Symbol
    kind: str
    line: int
    confidence: float
    origin: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a long run: `done` of `total` units of a stage, such as files.

    Example:
        >>> stages = []
        >>> report = indexer.index(full=True, report=lambda progress: stages.append(progress.stage))
        >>> len(stages) > 0
        True
    """

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexReport:
    """A report on an index run.

    `edges`, `references` and `skipped` map a kind or reason to a count. They are empty if the run updated only a few files.
    `warnings` name the files that this machine failed to read, and the parts of SCIP indexes that were not used. `seconds` is
    wall-clock time. `why_empty` says why no file could be parsed, and what to do.

    Example:
        >>> report = indexer.index(full=True)
        >>> report.files, report.full
        (14, True)
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
    why_empty: tuple[str, ...] = ()


class FreshnessState(StrEnum):
    """How an answer relates to the files on disk.

    Example:
        >>> from code_graph_indexer import FreshnessState
        >>> symbols = indexer.symbol("add_tax")
        >>> indexer.freshness.state is FreshnessState.CURRENT
        True
    """

    CURRENT = "current"
    """Nothing had changed since the index was updated."""
    UPDATED = "updated"
    """Files had changed, and the index was updated before the answer."""
    STALE = "stale"
    """Files changed, and the answer comes from the index as it was before."""
    UNCHECKED = "unchecked"
    """Whether files changed is not known."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How the answer to a question relates to the files on disk.

    `changed`, `new` and `deleted` are the paths that the index did not have as they were on disk. If the state is `updated`, it
    has them now. `note` is a sentence for people, and empty if the answer is of the files on disk.

    Example:
        >>> symbols = indexer.symbol("add_tax")
        >>> indexer.freshness.note
        ''
    """

    state: FreshnessState = FreshnessState.CURRENT
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    note: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths that the index did not have as they were on disk, sorted.

        Example:
            >>> indexer.freshness.paths
            ()
        """
        return tuple(sorted((*self.changed, *self.new, *self.deleted)))

    @property
    def stale_paths(self) -> frozenset[str]:
        """The paths whose places in an answer may be wrong.

        Example:
            >>> indexer.freshness.stale_paths
            frozenset()
        """
        if self.state is not FreshnessState.STALE:
            return frozenset()
        return frozenset((*self.changed, *self.deleted))


@dataclass(frozen=True, slots=True)
class FileOutline:
    """The definitions of a file, in order. `depths` maps the id of each chunk to its depth of nesting, from 0.

    `complete` is false if the grammar could not read the whole file, so that definitions may be missing.

    Example:
        >>> outline = indexer.outline("shop/pricing.py")
        >>> outline.symbols[-1].name
        'shipping_cost'
    """

    path: str
    symbols: tuple[Symbol, ...]
    depths: Mapping[int, int]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Filters:
    """The restrictions of a search. They apply before ranking. An empty field does not restrict.

    `repo_id` is a repository, or several of which any will do. `directory` is a folder below the root. `file_patterns` are
    globs for the path, in which `*` also matches `/`. A chunk that matches any field of `excluded` is left out.

    Example:
        >>> from code_graph_indexer import Filters, SparseRetriever
        >>> filters = Filters(languages=("go",))
        >>> SparseRetriever(indexer.store).retrieve("queue", filters, limit=1)[0].language
        'go'
    """

    repo_id: str | tuple[str, ...] | None = None
    languages: tuple[str, ...] = ()
    directory: str | None = None
    chunk_types: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    tests: bool | None = None
    excluded: "Filters | None" = None

    @property
    def repo_ids(self) -> tuple[str, ...] | None:
        """The repositories that are allowed, or None for all.

        Example:
            >>> from code_graph_indexer import Filters
            >>> Filters(repo_id="shop").repo_ids
            ('shop',)
        """
        return (self.repo_id,) if isinstance(self.repo_id, str) else self.repo_id


@dataclass(frozen=True, slots=True)
class RelatedDefinition:
    """A definition in an answer, near a chunk in the graph.

    `relation` is `caller`, `callee`, `base`, `derived`, `definition` (behind a declaration) or `declaration` (of a definition).

    Example:
        >>> context = indexer.retrieve("add_tax", limit=1)[0]
        >>> [(related.relation, related.qualified_name) for related in context.related_definitions]
        [('caller', 'shop.cart.Cart.total')]
    """

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
    """The effect of one signal, boost or penalty on the score of a result.

    `rank` counts from 1, and is 0 for a boost or penalty. `contribution` is the amount added to the result's score.

    Example:
        >>> context = indexer.retrieve("add_tax", limit=1)[0]
        >>> "definition" in [signal.signal for signal in context.signals]
        True
    """

    signal: str
    rank: int
    score: float
    contribution: float


@dataclass(frozen=True, slots=True)
class RetrievedContext:
    """A chunk that answers a query. Lines are 1-based and inclusive, and a higher score is better.

    `type` is the chunk's kind. `context_header` names the chunk's module, its class and the imports that it uses.
    `related_definitions` are its neighbours in the graph, such as callers. `stale` is true if the file on disk has changed
    since it was indexed. `reasoning` is the reason of the request that found the chunk. `signals` explain the score.

    Example:
        >>> context = indexer.retrieve("refuse an empty cart", limit=1)[0]
        >>> context.file_path, context.start_line, context.type
        ('shop/orders.py', 22, 'function')
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

    `found` is the number of results. `steps` are sentences that say which filters were dropped, and why.

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


@dataclass(frozen=True, slots=True)
class Doubt:
    """What to do if the results of a search are not surely right: documentation to read, and other words to try.

    `documents` are places (path:line). `words` are related words that the index has, the rarest first.

    Example:
        >>> query = "how are people told that it went wrong?"
        >>> doubt = indexer.doubt(query, indexer.retrieve(query))
        >>> doubt.text.partition(":")[0]
        'Not sure'
    """

    documents: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the doubt as a sentence for people."""
        parts = [f"read {', '.join(self.documents)}"] if self.documents else []
        parts += [f"try the words {', '.join(self.words)}"] if self.words else []
        return f"Not sure: {' or '.join(parts) or 'try words or names that the code itself would use'}."


@dataclass(frozen=True, slots=True)
class RAGResult:
    """An answer, with a record of how it was made.

    `route` is the kind of question, `retriever` the retriever that was chosen, and `reason` why. `summary` is the graph's
    answer in words. `decision` and `confidence` (0 to 1) are the judgement of the context, and `missing` are the words of the
    question that the context lacks. `doubt` is None if the first source is surely right. `timings` maps stages to
    milliseconds. `cost` is in US dollars, or None without prices.

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
    timings: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None

    @property
    def text(self) -> str:
        """Return the answer's text."""
        return self.answer.text

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


@dataclass(frozen=True, slots=True)
class Tour:
    """An answer for an agent: one text within a token budget, with the structure first and then the source along the way.

    `route` is the kind of query, and `reason` the feature of the query that decided. `text` is Markdown. `places` are the runs
    of lines that it quotes.

    Example:
        >>> tour = indexer.explore("Cart.total -> add_tax")
        >>> tour.route, tour.places[0].path
        ('graph', 'shop/cart.py')
    """

    query: str
    route: str
    reason: str
    text: str
    places: tuple[Citation, ...] = ()


PROVEN = 0.9
"""The least confidence of an edge that is called proven. More than 97 in 100 of these edges are right.

docs/measured/calls.md has the measurement.
"""

ALTERNATIVE_DEFINITION = 0.8
"""Confidence in each of several definitions behind one declaration, of which a build takes one."""


ANOTHER_BUILD = 0.4
"""Confidence in a definition that is in no build together with the call, because a preprocessor excludes either of them."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """The certainty of an answer: counts of edges that are proven, guessed, or possible by dynamic dispatch (`may`).

    `alternative` counts the edges that depend on the build: they lead to one of several definitions, such as one for each
    platform.
    `unresolved` counts the calls that could not be linked and may belong to the answer. `truncated` is true if a limit of
    depth, size or time cut the answer off. `unread` counts the files that may hold more of the answer, but were not read
    whole, because their grammar or a limit stopped the reading.

    Example:
        >>> certainty = indexer.callers("add_tax")[0].certainty
        >>> certainty.proven, certainty.unresolved
        (1, 0)
    """

    proven: int = 0
    guessed: int = 0
    may: int = 0
    unresolved: int = 0
    truncated: bool = False
    unread: int = 0
    alternative: int = 0

    @property
    def complete(self) -> bool:
        """Say whether nothing is known that the answer may lack."""
        return not (self.unresolved or self.unread or self.truncated)


@dataclass(frozen=True, slots=True)
class Step:
    """An edge in an answer that a walk follows.

    `symbol` is the definition that the edge leads to, and `via` the definition that it comes from. `line` is the line of the
    reference, in `file_path`. `depth` is the number of edges from the start of the walk, from 1. `kind` is the kind of the
    edge. `confidence` is the lowest confidence of these edges. `may` is true if dynamic dispatch decides whether one of these
    edges is taken. `alternative` is true if the build decides it, because one of them leads to one of several definitions, or
    stands under the opposite condition.

    Example:
        >>> step = indexer.callers("add_tax")[0].steps[0]
        >>> step.symbol.qualified_name, step.file_path, step.line
        ('shop.cart.Cart.total', 'shop/cart.py', 24)
    """

    symbol: Symbol
    kind: str
    file_path: str
    line: int
    confidence: float
    depth: int = 1
    may: bool = False
    via: str = ""
    alternative: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """The definitions that a walk from one definition reaches, nearest first.

    `declarations` declare the definition in other places, such as a header. `alternatives` are definitions that another build
    takes instead of it, such as those for other platforms. `references` are the places that use a definition as a value, such
    as a table of functions, if you ask for its callers.

    Example:
        >>> reach = indexer.callees("Cart.total")[0]
        >>> len(reach.steps)
        5
    """

    symbol: Symbol
    steps: tuple[Step, ...]
    certainty: Certainty
    declarations: tuple[Symbol, ...] = ()
    alternatives: tuple[Symbol, ...] = ()
    references: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class PathEnd:
    """A call at which the known calls end: it is in `caller`, so many calls away from the source, and has no known target.

    `candidates` are the first definitions that it might run. `leads` says whether these reach the target by known calls.

    Example:
        >>> indexer.graph.paths("place_order", "add_tax").ends
        ()
    """

    caller: Symbol
    file_path: str
    line: int
    name: str
    depth: int
    candidates: tuple[Symbol, ...]
    leads: bool

    def __str__(self) -> str:
        """Write the place of the call, and what it might run."""
        might = ", ".join(symbol.qualified_name for symbol in self.candidates)
        return f"{self.file_path}:{self.line}  {self.name}(…) in {self.caller.qualified_name}  might call {might}"


@dataclass(frozen=True, slots=True)
class CallPaths:
    """The shortest call paths from one definition to another. Each path is a tuple of steps.

    If there is none, `ends` are the calls at which the known calls from the source end.

    Example:
        >>> paths = indexer.graph.paths("place_order", "add_tax").paths
        >>> [step.symbol.name for step in paths[0]]
        ['total', 'add_tax']
    """

    source: Symbol
    target: Symbol
    paths: tuple[tuple[Step, ...], ...]
    certainty: Certainty
    ends: tuple[PathEnd, ...] = ()


@dataclass(frozen=True, slots=True)
class Impact:
    """The definitions that a change affects, nearest first, and the test files to run.

    In `tests`, changed tests come first, then those named after the change, then the nearest ones. If no test is within the
    depth, they are farther away.
    `unmapped` are changed files without definitions in the index. `removed` are names that a diff deletes, as `path:name`.
    `open_sites` are calls that could not be linked and may be calls of the changed definitions, the likeliest first.
    `test_steps` are the uses in tests that lead to the change, nearest first. Unlike `affected`, they may repeat a definition
    and be farther away. A step of the confidence 0.2 is a call that only has the right name.
    `silent` says how tests may use the change although no link leads there: as a property, by an operator or by dispatch.
    `distances` counts the affected definitions that are no tests, at each distance from 1.

    Example:
        >>> impact = indexer.graph.impact("add_tax")
        >>> impact.tests
        ('tests/test_cart.py',)
    """

    changed: tuple[Symbol, ...]
    affected: tuple[Step, ...]
    tests: tuple[str, ...]
    certainty: Certainty
    unmapped: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    open_sites: tuple[OpenSite, ...] = ()
    test_steps: tuple[Step, ...] = ()
    silent: tuple[str, ...] = ()
    distances: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The classes above and below a class. `outside` names bases that are not in the repository.

    Example:
        >>> indexer.graph.hierarchy("EmptyCartError").outside
        ('Exception',)
    """

    symbol: Symbol
    bases: tuple[Step, ...]
    derived: tuple[Step, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file that another file imports, or that imports the other file. `lines` are the lines of the import statements.

    Example:
        >>> link = indexer.graph.dependents("shop/pricing.py").files[0]
        >>> link.path, link.lines
        ('shop/cart.py', (4,))
    """

    path: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileLinks:
    """The files that a file imports, or the files that import it. `outside` names imported modules outside the repository.

    Example:
        >>> [link.path for link in indexer.graph.imports("shop/cart.py").files]
        ['shop/items.py', 'shop/pricing.py']
    """

    path: str
    files: tuple[FileLink, ...]
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A place in an answer where a framework learns of code that it calls: a route, a command, a task and the like.

    `name` is the URL pattern of a route with the prefixes of all routers above it, or the name of a command, task, event or
    fixture. `verb` is empty if the framework calls the handler for any method. `handler` is the handler as written, and
    `symbol` its definition, or None if the handler is not known.

    Example:
        >>> [(route.verb, route.name, route.handler) for route in indexer.graph.routes()]
        []
    """

    kind: str
    framework: str
    verb: str
    name: str
    file_path: str
    line: int
    handler: str
    symbol: Symbol | None
    is_test: bool


@dataclass(frozen=True, slots=True)
class Unused:
    """A definition without a known reference.

    `confidence` (0 to 1) says how sure it is that nothing uses the definition. `reason` explains the confidence.

    Example:
        >>> unused = indexer.graph.unused()
        >>> "cancel_order" in [entry.symbol.name for entry in unused]
        True
    """

    symbol: Symbol
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A definition that many others depend on. `rank` is its PageRank in the graph of calls, and all ranks sum to 1.

    `alternatives` are definitions that another build takes instead of it. They are no hubs of their own.

    Example:
        >>> hub = indexer.graph.hubs(limit=1)[0]
        >>> 0 < hub.rank < 1
        True
    """

    symbol: Symbol
    callers: int
    callees: int
    rank: float
    alternatives: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Community:
    """Files that refer to each other more than to others.

    `folder` contains most of the files. `hubs` are the three files with the most references to them. `inside` counts the
    references between the files, and `outside` the references to and from other files.

    Example:
        >>> communities = indexer.graph.communities()
        >>> sum(len(community.files) for community in communities) > 0
        True
    """

    folder: str
    files: tuple[str, ...]
    hubs: tuple[str, ...]
    inside: int
    outside: int


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of a graph: a definition, a file, or a fold, which stands for several of them.

    `name` is the qualified name of a definition, and `line` its first line in `path`. `count` is the number of definitions or
    files that a fold stands for, and 0 for any other node. You open a fold by its `id`. `group` is the id of the group that
    holds the node. `layer` is its column in a picture, if the question says it. `cyclic` marks a file or folder in a cycle.

    Example:
        >>> node = indexer.graph.export(["add_tax"]).nodes[0]
        >>> node.path.endswith(".py")
        True
    """

    id: str
    label: str
    kind: str
    path: str
    line: int = 0
    name: str = ""
    count: int = 0
    group: str = ""
    layer: int | None = None
    is_test: bool = False
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of a graph. `weight` counts the references between its ends, and `confidence` is that of the surest.

    `path` and `line` are the place of a reference. `certainty` names how sure the surest is: `proven`, `alternative` (the build
    decides), `may` (dynamic dispatch decides) or `guessed`. `cyclic` marks an edge that closes a cycle.

    Example:
        >>> edge = indexer.graph.export(["add_tax"]).edges[0]
        >>> edge.kind
        'calls'
    """

    source: str
    target: str
    kind: str
    weight: int
    confidence: float
    path: str = ""
    line: int = 0
    certainty: str = ""
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class GraphExport:
    """A part of the graph, for drawing or computing. `truncated` is true if a limit left nodes out.

    `groups` are the files or classes that hold nodes. `center` is the id of the node or group that the graph is about.
    `implied` counts the dependencies left out because longer ways imply them. `title` says what the graph is about.
    `layers` are the headings of the columns of a picture, in their order. `certainty` says what the answer may lack.

    Example:
        >>> export = indexer.graph.export(["add_tax"])
        >>> len(export.nodes), export.truncated
        (2, False)
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool = False
    groups: tuple[GraphNode, ...] = ()
    center: str = ""
    certainty: Certainty = Certainty()
    implied: int = 0
    title: str = ""
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScipExport:
    """A report on a written SCIP index: its path, and counts of its content.

    Example:
        >>> import pathlib
        >>> export = indexer.graph.export_scip(pathlib.Path(shop) / "index.scip")
        >>> export.documents > 0
        True
    """

    path: str
    documents: int
    definitions: int
    references: int


@dataclass(frozen=True, slots=True)
class Publication:
    """A report on a publication: the name of the repository, its numbers of files and chunks, and the time it took.

    `written` is false if the database had the same content already.

    Example:
        >>> from code_graph_indexer import Publication
        >>> Publication("shop", files=12, chunks=80, written=True, seconds=0.1).written
        True
    """

    repo_id: str
    files: int
    chunks: int
    written: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class PublishedRepository:
    """A repository in a database: its name, its commit, a hash of its content, its size, and when it was published.

    Example:
        >>> from datetime import UTC, datetime
        >>> from code_graph_indexer import PublishedRepository
        >>> PublishedRepository("shop", "", "", files=12, chunks=80, lines=400, published=datetime.now(UTC)).files
        12
    """

    repo_id: str
    head: str
    stamp: str
    files: int
    chunks: int
    lines: int
    published: datetime
