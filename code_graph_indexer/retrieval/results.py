"""The frozen records with which a search answers. Lines are 1-based and inclusive."""

from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from code_graph_indexer.results import Description, SourceType

LEAST_JUDGED = 5
"""The fewest results by which to say whether the first is sure, if there are so many. Of one alone, nothing is behind."""


ASK_AGAIN = "ask again with four to eight names and words that such code would use: "
EXPECT_ARGUMENT = ", expect="
"""How a tool or a function takes expected words. A shell takes an option."""


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
    `description` is what a language model wrote of the definition, and no part of the source.

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
    description: Description | None = None

    def _repr_html_(self) -> str:
        """Return the place and the source, for notebooks. The text of a repository is never taken for HTML."""
        heading = escape(f"{self.file_path}:{self.start_line}-{self.end_line}  {self.type} {self.qualified_name}")
        return f"<p><b>{heading}</b></p><pre>{escape(self.content)}</pre>"


@dataclass(frozen=True, slots=True)
class Doubt:
    """What to do if the results of a search are not surely right: documentation to read, and how to ask again.

    `documents` are places (path:line). `example` is the query with a beginning of expected words. It is empty if the query had
    expected words. `unmatched` is true if no result has a word of the query, so that they are near in meaning at best.
    `weak` is true if the first result lacks nearly all of its telling words, so that the answer is hardly among the results.
    `share` is how much of these words it has, from 0 to 1, a rare word the most.

    Example:
        >>> query = "how are people told that it went wrong?"
        >>> indexer.doubt(query, indexer.retrieve(query)).example
        '"how are people told that it went wrong?", expect="people told went …"'
    """

    documents: tuple[str, ...] = ()
    example: str = ""
    unmatched: bool = False
    weak: bool = False
    share: float = 0.0

    @property
    def summary(self) -> str:
        """Return what is doubted, without what to do."""
        if self.unmatched:
            return "Nothing found has these words; what is listed is near in meaning at best"
        return "What is found has hardly one of these words" if self.weak else "Not sure"

    @property
    def text(self) -> str:
        """Return the doubt as a sentence for people."""
        parts = [f"read {', '.join(self.documents)}"] if self.documents else []
        if self.example:
            parts.append(f"{ASK_AGAIN}{self.example}")
        return f"{self.summary}: {' or '.join(parts) or 'try other words'}."
